"""An AsyncAPI 3.0 document of what is told: on which channel, by whom, to whom, in which form."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from howff.contracts.ids import ID_FORM, JSON

VERSION: Final = "3.0.0"
_SCHEMA: Final = "#/components/schemas/{model}"

Document = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A message of a channel, by its name there."""

    name: str
    form: type[BaseModel] | JSON
    """A model, or a JSON Schema."""
    summary: str

    @property
    def key(self) -> str:
        """What the message is called among all others."""
        return self.form.__name__ if isinstance(self.form, type) else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A subject, or an address, where messages of some kinds are told."""

    key: str
    address: str
    server: str
    """One of `SERVERS`."""
    summary: str
    kinds: tuple[Kind, ...]
    senders: tuple[str, ...]
    """Services."""
    receivers: tuple[str, ...]
    """Services, or `clients`."""
    parameters: tuple[tuple[str, str], ...] = ()
    """What stands in the address in braces, and what it is."""
    answers: tuple[Kind, ...] = ()
    """What comes back to who has sent a question."""


SERVERS: Final[Document] = {
    "nats": {
        "host": "{host}:{port}",
        "protocol": "nats",
        "title": "Between the services",
        "description": "NATS JetStream, which nobody but the services reaches.",
        "variables": {"host": {"default": "127.0.0.1"}, "port": {"default": "4222"}},
    },
    "site": {
        "host": "{host}:{port}",
        "protocol": "http",
        "title": "For everybody",
        "description": "Server-Sent Events: a message's name is the `event`, its payload `data`.",
        "variables": {"host": {"default": "localhost"}, "port": {"default": "8000"}},
    },
}


def of_model(form: type[BaseModel], name: str | None = None) -> Kind:
    """Return the message of a model, which says in its first line what it tells."""
    summary = (form.__doc__ or "").strip().partition("\n")[0]
    return Kind(name=name or form.__name__, form=form, summary=summary)


def document_of(channels: Iterable[Channel], info: JSON) -> Document:
    """Return the AsyncAPI document of *channels*."""
    channels = tuple(channels)
    operations = [each for channel in channels for each in _operations(channel)]
    used = {channel.server for channel in channels}
    return {
        "asyncapi": VERSION,
        "info": info,
        "defaultContentType": "application/json",
        "servers": {name: server for name, server in SERVERS.items() if name in used},
        "channels": {
            name: plain for channel in channels for name, plain in _plain_channels(channel)
        },
        "operations": dict(operations),
        "components": {
            "messages": {kind.key: _plain_message(kind) for kind in _kinds(channels)},
            "schemas": _schemas(_kinds(channels)),
        },
    }


def _plain_channels(channel: Channel) -> Iterator[tuple[str, Document]]:
    plain = _plain_channel(channel.address, channel.kinds, channel)
    if channel.parameters:
        plain["parameters"] = {name: {"description": text} for name, text in channel.parameters}
    yield channel.key, plain
    if channel.answers:
        # Where an answer goes is told by each question.
        yield f"{channel.key}_answers", _plain_channel(None, channel.answers, channel)


def _plain_channel(address: str | None, kinds: tuple[Kind, ...], channel: Channel) -> Document:
    return {
        "address": address,
        "summary": channel.summary if address else f"What answers on `{channel.address}`.",
        "servers": [{"$ref": f"#/servers/{channel.server}"}],
        "messages": {kind.name: {"$ref": f"#/components/messages/{kind.key}"} for kind in kinds},
    }


def _operations(channel: Channel) -> Iterator[tuple[str, Document]]:
    for action, services in (("send", channel.senders), ("receive", channel.receivers)):
        for service in services:
            operation: Document = {
                "action": action,
                "channel": {"$ref": f"#/channels/{channel.key}"},
                "summary": f"{service} {action}s: {channel.summary}",
                "tags": [{"name": service}],
                "messages": _references(channel.key, channel.kinds),
            }
            if channel.answers:
                operation["reply"] = {
                    "address": {"location": "$message.header#/reply"},
                    "channel": {"$ref": f"#/channels/{channel.key}_answers"},
                    "messages": _references(f"{channel.key}_answers", channel.answers),
                }
            yield f"{service}_{action}s_{channel.key}", operation


def _references(key: str, kinds: tuple[Kind, ...]) -> list[JSON]:
    return [{"$ref": f"#/channels/{key}/messages/{kind.name}"} for kind in kinds]


def _kinds(channels: Iterable[Channel]) -> tuple[Kind, ...]:
    kinds = (kind for channel in channels for kind in (*channel.kinds, *channel.answers))
    return tuple({kind.key: kind for kind in kinds}.values())


def _plain_message(kind: Kind) -> Document:
    return {
        "name": kind.name,
        "summary": kind.summary,
        "payload": {"$ref": _SCHEMA.format(model=kind.key)},
    }


def _schemas(kinds: tuple[Kind, ...]) -> Document:
    models = [(kind.form, "serialization") for kind in kinds if isinstance(kind.form, type)]
    _, made = models_json_schema(models, ref_template=_SCHEMA)  # type: ignore[arg-type]
    others = {kind.key: kind.form for kind in kinds if not isinstance(kind.form, type)}
    return {**made.get("$defs", {}), **others}


MATCH: Final = (("match", f"The id of a match: `{ID_FORM}`."),)
