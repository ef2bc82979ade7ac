"""The plain commit: the events of one command, and who gave it when.

Aggregates whose history needs no more than that are described by a `Kind`: how a command is
decided, and how an event changes the state. The rest is the same for all of them: folding, knowing
a command again, and refusing its id for another one.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Generic, TypeVar

from immutables import Map

from howff.engine.codec import JSON, canonical, from_json, from_tagged, to_json, to_tagged
from howff.engine.errors import MalformedError, RefusalError
from howff.servicekit.aggregates import Decided
from howff.servicekit.eventstore.errors import UnreadableCommitError
from howff.servicekit.eventstore.store import CommitForm

S = TypeVar("S")
E = TypeVar("E")
D = TypeVar("D")

SCHEMA: Final = 1
"""Of the envelope; it changes when readers have to know."""
_MARK_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class PlainCommit(Generic[E]):
    """What one command has caused, recorded whole."""

    stream: str
    version: int
    command: str
    """The id of the command."""
    asked: str
    """SHA-256 over the command, in hex: the same id can't stand for another one."""
    actor: str
    at: str
    """When, as RFC 3339 in UTC with milliseconds; never earlier than the commit before."""
    events: tuple[E, ...]
    schema: int = SCHEMA


@dataclass(frozen=True, slots=True)
class Folded(Generic[S]):
    """An aggregate as its commits have made it."""

    state: S
    version: int
    began_at: str
    at: str
    """When the first and the newest commit were recorded."""
    answered: Map[bytes, int] = field(repr=False)
    """By the marks of commands, the versions that answer them; one more costs no copy of it."""


@dataclass(frozen=True, slots=True)
class Kind(Generic[S, D, E]):
    """One kind of aggregate.

    *events* and *commands* are unions of dataclasses; *decide* returns what a command causes in a
    state (None: there is nothing yet) at a time, or refuses; *evolve* refuses nothing.
    """

    events: Any
    decide: Callable[[S | None, D, datetime], tuple[E, ...]]
    evolve: Callable[[S | None, E], S]

    @property
    def form(self) -> CommitForm[PlainCommit[E]]:
        """Return how commits of the kind are written as bytes and read back."""
        return CommitForm(_encode, self._decode)

    def fold(self, folded: Folded[S] | None, commit: PlainCommit[E]) -> Folded[S]:
        """Return the aggregate after *commit*.

        Raises:
            UnreadableCommitError: it is not the next one.
        """
        mark = mark_of(commit.actor, commit.command)
        if folded is None:
            state = self.state_after(None, 0, commit)
            return Folded(state, 1, commit.at, commit.at, Map({mark: 1}))
        state = self.state_after(folded.state, folded.version, commit)
        answered = folded.answered.set(mark, commit.version)
        return Folded(state, commit.version, folded.began_at, commit.at, answered)

    def state_after(self, state: S | None, version: int, commit: PlainCommit[E]) -> S:
        """Return what *commit* makes of a *state* at this *version*; of None at 0 if it is first.

        Raises:
            UnreadableCommitError: it is not the next one.
        """
        if commit.version != version + 1:
            raise UnreadableCommitError("not the next version")
        for event in commit.events:
            state = self.evolve(state, event)
        assert state is not None, "a first commit has events"
        return state

    def _decode(self, content: bytes) -> PlainCommit[E]:
        head = from_json(_Written, json.loads(content))
        if head.schema != SCHEMA:
            raise MalformedError("schema", expected=str(SCHEMA), found=str(head.schema))
        events = tuple(from_tagged(self.events, each) for each in head.events)
        return PlainCommit(
            head.stream, head.version, head.command, head.asked, head.actor, head.at, events
        )


class CommandReusedError(RefusalError):
    """The id of a command has been used for another one."""

    code = "command_id_reused"

    def __init__(self, command: str, version: int) -> None:
        what = f"command id {command!r} was used before"
        expected = f"the command that made version {version}"
        super().__init__(what, expected=expected, found="another")


@dataclass(frozen=True, slots=True)
class BoundCommand(Generic[S, D, E]):
    """A command bound to the aggregate of one *stream*: what, by whom, under which id."""

    aggregate: Kind[S, D, E]
    stream: str
    command: D
    actor: str
    id: str
    now: Callable[[], datetime]

    @property
    def kind(self) -> str:
        return type(self.command).__name__

    def answered_by(self, folded: Folded[S]) -> int | None:
        """Return the version that this command has made before, if it has."""
        return folded.answered.get(mark_of(self.actor, self.id))

    def check_repeated(self, _: Folded[S], commit: PlainCommit[E]) -> None:
        """Refuse another command under the same id.

        Raises:
            CommandReusedError: it is another one.
        """
        if commit.asked != self._asked():
            raise CommandReusedError(self.id, commit.version)

    def decide(self, folded: Folded[S] | None) -> Decided[Folded[S], PlainCommit[E]]:
        """Return the commit that the command makes."""
        now, version = self.now(), 1
        at = time_text(now)
        if folded is not None:
            at, version = max(at, folded.at), folded.version + 1
        events = self.aggregate.decide(None if folded is None else folded.state, self.command, now)
        commit = PlainCommit(self.stream, version, self.id, self._asked(), self.actor, at, events)
        return Decided(commit, self.aggregate.fold(folded, commit))

    def _asked(self) -> str:
        return hashlib.sha256(canonical(to_tagged(self.command)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Written:
    stream: str
    version: int
    command: str
    asked: str
    actor: str
    at: str
    schema: int
    events: tuple[JSON, ...]


def mark_of(actor: str, command: str) -> bytes:
    """Return the bytes by which an aggregate knows a command of *actor*."""
    return hashlib.sha256(canonical([actor, command]).encode()).digest()[:_MARK_BYTES]


def time_text(moment: datetime) -> str:
    """Return *moment* as RFC 3339 in UTC with milliseconds; such texts sort by time."""
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"


def _encode(commit: PlainCommit[Any]) -> bytes:
    written = _Written(
        commit.stream,
        commit.version,
        commit.command,
        commit.asked,
        commit.actor,
        commit.at,
        commit.schema,
        tuple(map(to_tagged, commit.events)),
    )
    return canonical(to_json(_Written, written)).encode()
