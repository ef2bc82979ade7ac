"""The forms of the ids that services exchange."""

import re
from collections.abc import Callable
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

ID_FORM = r"^[A-Za-z0-9_-]{1,64}$"
"""Ids become parts of subjects, so they hold nothing that means something there."""
ID: Final = re.compile(ID_FORM)

MatchId = Annotated[str, StringConstraints(pattern=ID_FORM)]
AccountId = Annotated[str, StringConstraints(pattern=ID_FORM)]
Level = Annotated[str, StringConstraints(pattern=ID_FORM)]
"""How well a bot plays, such as `random`."""
SeatNumber = int
JSON = Any
"""Plain JSON."""


class Message(BaseModel):
    """The base of all messages: nothing unknown in them, nothing converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def id_or(refusal: Callable[[], Exception]) -> AfterValidator:
    """Return what checks that an id of a path can be one, and else raises *refusal*.

    That is the one for ids that are unknown; what can't be an id gets near no subject.
    """

    def checked(text: str) -> str:
        if not ID.fullmatch(text):
            raise refusal()
        return text

    return AfterValidator(checked)
