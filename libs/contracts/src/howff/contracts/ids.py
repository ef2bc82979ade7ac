"""The forms of the ids that services exchange."""

import re
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, StringConstraints

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
