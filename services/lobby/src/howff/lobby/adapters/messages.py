"""Messages of other services and commits of this one, as consumers deliver them."""

import logging
from typing import Final

from pydantic import ValidationError

from howff.contracts.matches import MatchEnded, MatchRefused, MatchStarted
from howff.servicekit.nats.reading import Delivery

Told = MatchStarted | MatchRefused | MatchEnded
_KINDS: Final[dict[str, type[Told]]] = {
    "match_started": MatchStarted,
    "match_refused": MatchRefused,
    "match_ended": MatchEnded,
}
_log = logging.getLogger(__name__)


def told_by(delivery: Delivery) -> Told | None:
    """Return what a message of `CONTRACTS` tells of a match; None if it is about something else.

    What can't be read is logged and passed by: it will not read better when it comes again.
    """
    kind = _KINDS.get(delivery.subject.split(".")[1])
    return None if kind is None else _read(kind, delivery)


def _read(kind: type[Told], delivery: Delivery) -> Told | None:
    try:
        return kind.model_validate_json(delivery.payload)
    except ValidationError as error:
        wrong = ", ".join(".".join(map(str, each["loc"])) for each in error.errors())
        _log.error("message %d of CONTRACTS is malformed: %s", delivery.position, wrong)
        return None


def id_in(subject: str) -> str:
    """Return the id of the table or account that a commit of the lobby is about."""
    return subject.rpartition(".")[2]
