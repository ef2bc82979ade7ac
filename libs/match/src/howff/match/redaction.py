"""A commit as a viewer may know it: the only way by which commits leave the system."""

from dataclasses import dataclass, replace
from typing import Annotated, Any

from howff.engine.codec import JSON
from howff.engine.game import memory_option
from howff.engine.redact import Redacted, redact
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import Sealed, hidden, secret_to
from howff.match.commit import Commit
from howff.match.match import Match, events_of
from howff.match.seals import SeedSeal, is_sealed, sealed
from howff.match.turns import Moment


@dataclass(frozen=True, slots=True)
class CommandTold:
    """What a commit tells of its command beside the events, with who may know it."""

    seat: Seat | None
    move: Annotated[JSON, secret_to("seat")]
    bot: Annotated[JSON, hidden()]


def redact_commit(
    match: Match, commit: Commit, viewer: Viewer, seed: bytes, *, told_live: bool = False
) -> Commit:
    """Return *commit* as *viewer* may know it while *match* stands as it does.

    *told_live* opens what is shown once: it is for the answer to the command, and for the feed
    when the commit is new. After the match everything is open to everybody.
    """
    if match.is_over:
        return commit
    seal = SeedSeal(seed, commit.match, commit.version, None)
    own = redact(command_of(commit), viewer, told_live=True, seal=seal)
    events: list[JSON] = []
    for at, event in enumerate(events_of(match.game, commit)):
        is_open = told_live or _is_open(match, viewer, (commit.version, at))
        redacted = redact(event, viewer, told_live=is_open, seal=replace(seal, event=at))
        events.append(_told(commit.events[at], redacted))
    return replace(
        commit,
        move=_shown(own.event.move, commit.move),
        bot=_shown(own.event.bot, commit.bot),
        events=tuple(events),
        salts=own.salts or None,
    )


def command_of(commit: Commit) -> CommandTold:
    """Return what *commit*, whole or redacted, tells of its command."""
    return CommandTold(commit.seat, _read(commit.move), _read(commit.bot))


def _is_open(match: Match, viewer: Viewer, moment: Moment) -> bool:
    return memory_option(match.options) == "open" or match.turns.is_open(viewer, moment)


def _told(stored: JSON, redacted: Redacted[Any]) -> JSON:
    """Return the event as *stored*, with seals and salts where the *redacted* one has them."""
    data = {
        name: _shown(getattr(redacted.event, name), value) for name, value in stored["data"].items()
    }
    salts = {name: salt for name, salt in redacted.salts.items() if name in data}
    told = {"type": stored["type"], "data": data}
    return told | {"salts": salts} if salts else told


def _shown(field: object, stored: JSON) -> JSON:
    return sealed(field.commitment) if isinstance(field, Sealed) else stored


def _read(stored: JSON) -> JSON:
    return Sealed(stored["sealed"]) if is_sealed(stored) else stored
