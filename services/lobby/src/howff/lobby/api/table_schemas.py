"""What requests about tables tell, and what answers do."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from howff.contracts.ids import JSON, Level
from howff.contracts.matches import MOST_SEATS, Clock, Entropy
from howff.lobby.domain.reasons import Reason
from howff.lobby.domain.tables.events import Visibility
from howff.lobby.domain.tables.table import Phase
from howff.servicekit.web.bodies import StrictModel

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
SeatNumber = Annotated[int, Field(ge=0, lt=MOST_SEATS)]
SeatCount = Annotated[int, Field(ge=1, le=MOST_SEATS)]
GameKey = Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,40}$")]


class NothingBody(StrictModel):
    """A body without anything in it."""


class TermsBody(StrictModel):
    """The terms of a match."""

    game: GameKey
    options: Annotated[dict[str, JSON], Field(default_factory=dict)]
    seats: SeatCount
    clock: Clock | None = None
    on_flag: Literal["resign", "bot"] = "resign"
    on_leave: Literal["default_moves", "bot"] = "default_moves"
    stand_in: Level | None = None
    watch: Literal["public", "private"] = "public"
    rated: bool = False


class OpenBody(TermsBody):
    """A table to be opened; the host sits down in *seat*, or with null in none."""

    visibility: Visibility = "public"
    seat: SeatNumber | None = 0
    entropy_hash: Sha256 | None = None
    """SHA-256 of what the host will add to the luck of the match."""


class SitBody(StrictModel):
    """A seat to be taken."""

    entropy_hash: Sha256 | None = None
    invitation: Annotated[str, Field(max_length=1000)] | None = None
    """The token of an invitation."""


class BotBody(StrictModel):
    """A bot to be seated."""

    level: Level


class ReadyBody(StrictModel):
    """What a seat adds to the luck of the match: that of which it has told the hash."""

    entropy: Entropy | None = None


class InviteBody(StrictModel):
    """An invitation to be made, for one seat or for any."""

    seat: SeatNumber | None = None


class ClosureBody(StrictModel):
    """Why an administrator closes a table."""

    reason: Reason


class SeatView(BaseModel):
    """A seat at a table."""

    seat: int
    account: str | None = None
    bot: str | None = None
    reserved_for: str | None = None
    ready: bool = False
    entropy_hash: str | None = None
    entropy: str | None = None
    """Told with `ready`, and by then to everybody."""


class InvitationView(BaseModel):
    """An invitation, as the host sees it."""

    id: str
    seat: int | None


class InvitationMadeView(InvitationView):
    """An invitation with what to send to whoever is invited."""

    token: str
    url: str
    """Relative to the address of the service."""


class RefusalView(BaseModel):
    """Why the match was refused when it was asked for."""

    code: str
    detail: str


class TableView(BaseModel):
    """A table as it stands."""

    id: str
    version: int
    phase: Phase
    host: str | None
    game: str
    options: JSON
    clock: Clock | None
    on_flag: str
    on_leave: str
    stand_in: str | None
    visibility: Visibility
    watch: str
    rated: bool
    seed_commitment: str
    """SHA-256 of the seed from which all luck of the match will come."""
    seats: list[SeatView]
    invitations: list[InvitationView] | None
    """Told to the host alone."""
    attempt: int
    refusal: RefusalView | None
    closed_because: str | None
    match: str | None
    """Its id, once it is played."""
    previous: str | None
    opened_at: str
