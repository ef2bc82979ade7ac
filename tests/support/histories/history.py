"""What concurrent clients of the service have asked and been told, and what the log says of it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal

import orjson

from howff.engine.codec import JSON
from howff.engine.seats import Seat, Viewer
from howff.match.clocks import Milliseconds

OK: Final = 200
STARTED: Final = 201
LATER: Final = 503
Reading = Literal["match", "moves", "events", "export"]


@dataclass(frozen=True, slots=True)
class Order:
    """A command as its client means it, however often it is sent."""

    match: str
    seat: Seat
    command: str
    move: JSON
    expected_version: int | None = None

    @property
    def body(self) -> JSON:
        """What a request carries."""
        expected = {"expected_version": self.expected_version}
        return {"move": self.move} | (expected if self.expected_version else {})


@dataclass(frozen=True)
class Sent:
    """One request that carried a command, and its answer; times are of one monotonic clock."""

    order: Order
    replica: int
    sent: float
    answered: float
    status: int | None
    """None if no answer came: the command may have been done, or be done later still."""
    body: bytes = field(repr=False)

    @property
    def is_ok(self) -> bool:
        return self.status == OK

    @property
    def is_refused(self) -> bool:
        """Whether the answer says that the command was not done and won't be."""
        return self.status is not None and 400 <= self.status < 500

    @property
    def is_settled(self) -> bool:
        return self.status is not None and self.status != LATER

    @cached_property
    def content(self) -> Any:
        return orjson.loads(self.body)


@dataclass(frozen=True, slots=True)
class Look:
    """What somebody looks at, and through whose eyes."""

    viewer: Viewer
    reading: Reading
    after: int = 0
    """After which version commits are asked for."""


@dataclass(frozen=True)
class Read:
    """One look at a match, and what was seen."""

    match: str
    look: Look
    sent: float
    answered: float
    status: int
    body: bytes = field(repr=False)

    @property
    def is_ok(self) -> bool:
        return self.status in {OK, STARTED}

    @cached_property
    def content(self) -> Any:
        if self.look.reading == "export":
            return [orjson.loads(line) for line in self.body.splitlines()]
        return orjson.loads(self.body)

    @property
    def version(self) -> int:
        """The newest version that the answer knows of."""
        is_export = self.look.reading == "export"
        return int(self.content[0]["commits"] if is_export else self.content["version"])


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of a feed, when it came, and the connection by which it did."""

    kind: str
    version: int
    line: bytes = field(repr=False)
    at: float
    asked: float
    """When that connection was asked for."""


@dataclass(slots=True)
class Session:
    """A feed as one client follows it, over any number of connections."""

    match: str
    viewer: Viewer
    after: int
    frames: list[Frame] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    """How its connections were answered."""
    is_complete: bool = False
    """Whether it was told everything up to the end of the run."""

    @property
    def told(self) -> int:
        """The version of the last commit that it was told."""
        versions = (frame.version for frame in reversed(self.frames) if frame.kind == "commit")
        return next(versions, self.after)


@dataclass(frozen=True, slots=True)
class Record:
    """A match as it stands in the end: its seed, and the messages of its subject as stored."""

    match: str
    seed: bytes = field(repr=False)
    messages: tuple[tuple[int, bytes], ...] = field(repr=False)
    """Their positions in the stream, and their bytes."""


@dataclass(frozen=True, slots=True)
class StreamMark:
    """The stream of matches at some moment."""

    created: str
    last: int
    """The position of the last message."""
    floor: int
    """The position up to which everything was worked off."""


@dataclass(slots=True)
class History:
    """Everything that a run has recorded, in the order in which it was answered."""

    sends: list[Sent] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    marks: list[StreamMark] = field(default_factory=list)
    records: dict[str, Record] = field(default_factory=dict)
    signing_key: bytes = field(default=b"", repr=False)
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0
    ended: Milliseconds = 0
    """When the run was over, by the clock that commits tell."""

    @property
    def figures(self) -> str:
        """How much was recorded, in one line."""
        unknown = [each for each in self.sends if not each.is_settled]
        ids = {each.order.command for each in self.sends}
        figures = {
            "commands": len(ids),
            "requests": len(self.sends),
            "refused": sum(each.is_refused for each in self.sends),
            "unanswered": len(unknown),
            "commits": sum(len(each.messages) for each in self.records.values()),
            "reads": len(self.reads),
            "frames": sum(len(each.frames) for each in self.sessions),
            "connections": sum(len(each.statuses) for each in self.sessions),
            "faults": len(self.faults),
            "seconds": round(self.seconds, 1),
        }
        return ", ".join(f"{name} {count}" for name, count in figures.items())
