"""Which commands a match has answered, small enough to be kept for thousands of matches."""

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from howff.match.commit import CommandId, Version

MARK_BYTES: Final = 16
"""How long the mark of a command is.

Ids are as long as their senders like, marks are not. Of 16 bytes no two are alike by chance, and
to find another command with a given mark takes 2^128 attempts. Who tries can make two of its own
alike, with 2^64; then the second is taken for the first sent again, and `check_repeated` refuses
it, since the commit tells another id. So the worst is a refusal that a new id evades.
"""


@dataclass(frozen=True, slots=True)
class AnsweredCommands:
    """The commands that the commits of a match have answered, each known by its actor and id."""

    marks: bytes = field(default=b"", repr=False)
    """One mark a commit, in order of version."""

    def after(self, actor: str, command: CommandId) -> "AnsweredCommands":
        """Return the commands with that of the next commit."""
        return AnsweredCommands(self.marks + _mark_of(actor, command))

    def version_of(self, actor: str, command: CommandId) -> Version | None:
        """Return the version that has answered the *command* of *actor*, or None if it is new."""
        mark = _mark_of(actor, command)
        at = self.marks.find(mark)
        while at > 0 and at % MARK_BYTES:
            # What was found begins within a mark and ends in the next one.
            at = self.marks.find(mark, at + 1)
        return None if at < 0 else Version(at // MARK_BYTES + 1)


def _mark_of(actor: str, command: CommandId) -> bytes:
    # No actor has a line feed, so that it ends where the first one stands. Who asks may not have
    # checked the id: what is no Unicode is known to nobody, but it can be looked for.
    text = f"{actor}\n{command}".encode(errors="surrogatepass")
    return blake2b(text, digest_size=MARK_BYTES).digest()
