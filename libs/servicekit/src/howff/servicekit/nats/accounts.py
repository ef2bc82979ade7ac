"""Accounts of a NATS server: one that keeps the streams, and one for each user that works on them.

Permissions say what a user may publish and subscribe, but not where answers go: a request names any
subject for its answer, and a server publishes there in its own name. Within one account, whoever
may ask for the next message of a queue could have the word that there is none sent to
`$JS.API.STREAM.DELETE.<stream>`, and the stream would be gone. Between accounts an answer comes to
the account that has asked, and to no other. So nobody connects to the account of the streams, and
what users ask of it is imported, subject by subject.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

STREAMS: Final = "HOWFF"
"""The account that keeps the streams."""
API: Final = "$JS.API."
"""What requests to JetStream begin with."""
_ABOUT_ACCOUNT: Final = f"{API}INFO"
"""Without a request of JetStream's own that leads elsewhere, the server would bind all of them to
the account that asks, which keeps no streams. No user may send it."""
_MANY_ANSWERS: Final = (f"{API}CONSUMER.MSG.NEXT.", f"{API}DIRECT.GET.")
_FORGOTTEN_AFTER: Final = "10s"
"""When the server lets go of a request that is answered by many messages; each lives a second."""
_ANSWERED_WITHIN: Final = "10s"
_WIDTH: Final = 100


@dataclass(frozen=True, slots=True)
class FromEnvironment:
    """A value that the server takes from its environment."""

    variable: str


@dataclass(frozen=True, slots=True)
class Account:
    """What a *user* may publish and subscribe; everything else is refused.

    Its answers come to subjects under `_INBOX_<user>`.
    """

    user: str
    asks: tuple[str, ...] = ()
    """What it publishes to the account of the streams: requests, messages, acknowledgements."""
    except_for: tuple[str, ...] = ()
    """What it may not publish, though a wildcard in what it asks means that too."""
    hears: tuple[str, ...] = ()
    """What the streams tell again."""
    asks_others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What it asks of other users, by their names."""
    answers: tuple[str, ...] = ()
    """What it is asked by others."""
    among_itself: tuple[str, ...] = ()
    """What its processes tell each other."""

    @property
    def name(self) -> str:
        """What the account is called."""
        return self.user.upper()

    @property
    def inbox(self) -> str:
        """Where its answers come to."""
        return f"_INBOX_{self.user}.>"

    @property
    def publish(self) -> tuple[str, ...]:
        """All that it may publish, beside answers."""
        others = (subject for each in self.asks_others.values() for subject in each)
        return (*self.asks, *others, *self.among_itself)

    @property
    def subscribe(self) -> tuple[str, ...]:
        """All that it may subscribe."""
        return (self.inbox, *self.hears, *self.answers, *self.among_itself)


Passwords = Mapping[str, str | FromEnvironment]
"""The passwords of users, by their names."""


@dataclass(frozen=True, slots=True)
class Accounts:
    """The accounts of one server, and the passwords of their users."""

    all: tuple[Account, ...]
    passwords: Passwords = field(repr=False)

    def settings(self) -> dict[str, Any]:
        """Return what the server's configuration says of `accounts`."""
        return {STREAMS: self._of_streams(), **{each.name: self._of(each) for each in self.all}}

    def _of_streams(self) -> dict[str, Any]:
        asked = [(subject, each) for each in self.all for subject in (*each.asks, _ABOUT_ACCOUNT)]
        heard = [(subject, each) for each in self.all for subject in each.hears]
        services = [_service(subject, users) for subject, users in _by_subject(asked)]
        streams = [{"stream": subject, "accounts": users} for subject, users in _by_subject(heard)]
        return {"jetstream": "enabled", "exports": [*services, *streams]}

    def _of(self, account: Account) -> dict[str, Any]:
        settings = {
            "users": [self._user(account)],
            "exports": [_service(each, self._askers(each)) for each in account.answers],
            "imports": [*_imported(account)],
        }
        return {name: content for name, content in settings.items() if content}

    def _user(self, account: Account) -> dict[str, Any]:
        permissions: dict[str, Any] = {
            "publish": {"allow": [*account.publish]},
            "subscribe": {"allow": [*account.subscribe]},
        }
        if account.except_for:
            permissions["publish"]["deny"] = [*account.except_for]
        if account.answers:
            permissions["allow_responses"] = {"max": 1, "expires": _ANSWERED_WITHIN}
        password = self.passwords[account.user]
        return {"user": account.user, "password": password, "permissions": permissions}

    def _askers(self, subject: str) -> list[str]:
        asked = ((each, all_asked) for each in self.all for all_asked in each.asks_others.values())
        return [each.name for each, all_asked in asked if subject in all_asked]


def configuration_of(accounts: Accounts) -> str:
    """Return *accounts* as a part of a server's configuration."""
    return f"accounts: {_written(accounts.settings())}\n"


def _written(value: Any, indent: str = "") -> str:
    """Return *value* in the form of a server's configuration, short things on one line."""
    line = _on_one_line(value)
    if len(indent) + len(line) <= _WIDTH or not isinstance(value, dict | list):
        return line
    deeper = indent + "  "
    opened, closed = "{}" if isinstance(value, dict) else "[]"
    parts = [f"{deeper}{start}{_written(part, deeper)}" for start, part in _parts(value)]
    return "\n".join((opened, *parts, f"{indent}{closed}"))


def _on_one_line(value: Any) -> str:
    match value:
        case FromEnvironment(variable):
            return f"${variable}"
        case dict() | list():
            opened, closed = "{}" if isinstance(value, dict) else "[]"
            parts = (f"{start}{_on_one_line(part)}" for start, part in _parts(value))
            return f"{opened}{', '.join(parts)}{closed}"
        case _:
            return json.dumps(value)


def _parts(value: dict[str, Any] | list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield what stands before each part of *value*, and the part."""
    if isinstance(value, dict):
        yield from ((f"{name}: ", part) for name, part in value.items())
    else:
        yield from (("", part) for part in value)


def _by_subject(named: Iterable[tuple[str, Account]]) -> Iterator[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for subject, account in named:
        found.setdefault(subject, []).append(account.name)
    yield from found.items()


def _service(subject: str, accounts: list[str]) -> dict[str, Any]:
    """Return how *subject* is offered to *accounts*: each hears the answers to what it asked."""
    many: dict[str, Any] = {}
    if subject.startswith(_MANY_ANSWERS):
        many = {"response_type": "stream", "threshold": _FORGOTTEN_AFTER}
    return {"service": subject, **many, "accounts": accounts}


def _imported(account: Account) -> Iterator[dict[str, Any]]:
    for subject in (*account.asks, _ABOUT_ACCOUNT):
        yield {"service": {"account": STREAMS, "subject": subject}}
    for other, subjects in account.asks_others.items():
        for subject in subjects:
            yield {"service": {"account": other.upper(), "subject": subject}}
    for subject in account.hears:
        yield {"stream": {"account": STREAMS, "subject": subject}}
