"""Logs on a shelf, of which some can't be verified, and what is told of matches in a stream."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from howff.match.signatures import PublicKey
from howff.scoring.adapters.archive import Archive
from howff.scoring.application.errors import NoLogError
from howff.scoring.domain.errors import ScoringError
from support.played import KEYS
from support.troubles import Ended

Message = tuple[str, bytes]
OTHER: Final[Message] = ("contract.match_started.other", b"{}")


@dataclass
class Shelf:
    """Logs as a match service would have them; those of *damaged* have been changed."""

    matches: Mapping[str, Ended]
    damaged: set[str] = field(default_factory=set[str])
    missing: set[str] = field(default_factory=set[str])

    async def export(self, match: str) -> bytes:
        if match in self.missing:
            raise NoLogError(match)
        return self.matches[match].damaged if match in self.damaged else self.matches[match].content

    async def keys(self) -> Sequence[PublicKey]:
        return KEYS

    def mend(self) -> None:
        """Have all logs as they should be."""
        self.damaged.clear()
        self.missing.clear()


async def deliver(archive: Archive, position: int, message: Message) -> None:
    """Let the archive have a message as a projector would: once more, put aside, go on."""
    subject, payload = message
    try:
        await archive.apply(position, subject, payload)
    except ScoringError as error:
        await archive.quarantine(position, subject, error)
