"""An AsyncAPI 3.0 document of what is told: on which channel, by whom, to whom, in which form."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from howff.contracts.ids import ID_FORM, JSON

VERSION: Final = "3.0.0"
_SCHEMA: Final = "#/components/schemas/{model}"
_PARAMETERS: Final = {"match": f"The id of a match: `{ID_FORM}`."}
"""What may stand in addresses in braces, and what it is."""
_IN_BRACES: Final = re.compile(r"{(\w+)}")

Document = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A message of a channel, by its name there."""

    name: str
    form: type[BaseModel] | JSON
    """A model, or a JSON Schema."""
    summary: str

    @property
    def schema(self) -> str:
        """What its form is called among all others."""
        return self.form.__name__ if isinstance(self.form, type) else self.name

    @property
    def key(self) -> str:
        """What the message is called among all others: several may have one form."""
        return self.name if self.name == self.schema else f"{self.name}.{self.schema}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A subject of NATS, or a path of the site, where messages of some kinds are told."""

    key: str
    address: str
    summary: str
    kinds: tuple[Kind, ...]
    sender: str
    """A service."""
    receivers: tuple[str, ...]
    """Services, or `clients`."""
    answers: tuple[Kind, ...] = ()
    """What comes back to who has sent a question."""

    @property
    def server(self) -> str:
        """Which of `SERVERS` has it."""
        return "site" if self.address.startswith("/") else "nats"


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
    yield channel.key, _plain_channel(channel, channel.address, channel.summary, channel.kinds)
    if channel.answers:
        summary = f"What answers a question on `{channel.address}`, on the subject that it names."
        yield _answers_to(channel), _plain_channel(channel, None, summary, channel.answers)


def _plain_channel(
    channel: Channel, address: str | None, summary: str, kinds: tuple[Kind, ...]
) -> Document:
    names = _IN_BRACES.findall(address or "")
    return {
        "address": address,
        "summary": summary,
        "servers": [{"$ref": f"#/servers/{channel.server}"}],
        "parameters": {name: {"description": _PARAMETERS[name]} for name in names},
        "messages": {kind.name: {"$ref": f"#/components/messages/{kind.key}"} for kind in kinds},
    }


def _answers_to(channel: Channel) -> str:
    return f"{channel.key}_answers"


def _operations(channel: Channel) -> Iterator[tuple[str, Document]]:
    parts = [("send", channel.sender), *(("receive", each) for each in channel.receivers)]
    for action, service in parts:
        operation: Document = {
            "action": action,
            "summary": f"{service} {action}s: {channel.summary}",
            "tags": [{"name": service}],
            **_told_on(channel.key, channel.kinds),
        }
        if channel.answers:
            operation["reply"] = _told_on(_answers_to(channel), channel.answers)
        yield f"{service}_{action}s_{channel.key}", operation


def _told_on(key: str, kinds: tuple[Kind, ...]) -> Document:
    """Return which messages are told on the channel *key*."""
    return {
        "channel": {"$ref": f"#/channels/{key}"},
        "messages": [{"$ref": f"#/channels/{key}/messages/{kind.name}"} for kind in kinds],
    }


def _kinds(channels: Iterable[Channel]) -> tuple[Kind, ...]:
    kinds = (kind for channel in channels for kind in (*channel.kinds, *channel.answers))
    return tuple({kind.key: kind for kind in kinds}.values())


def _plain_message(kind: Kind) -> Document:
    return {
        "name": kind.name,
        "summary": kind.summary,
        "payload": {"$ref": _SCHEMA.format(model=kind.schema)},
    }


def _schemas(kinds: tuple[Kind, ...]) -> Document:
    models = [(kind.form, "serialization") for kind in kinds if isinstance(kind.form, type)]
    _, made = models_json_schema(models, ref_template=_SCHEMA)  # type: ignore[arg-type]
    others = {kind.schema: kind.form for kind in kinds if not isinstance(kind.form, type)}
    return {**made.get("$defs", {}), **others}
