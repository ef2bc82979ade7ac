"""How the service is set up: environment variables that begin with HOWFF_."""

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from howff.contracts.matches import LEVELS
from howff.servicekit.settings import OptionalAddress, Port
from howff.servicekit.web.settings import ServiceSettings


def _known(levels: str) -> str:
    if not set(levels.split(",")) <= set(LEVELS):
        expected = ", ".join(LEVELS)
        raise PydanticCustomError("level", "some of {expected}", {"expected": expected})
    return levels


class Settings(ServiceSettings):
    """The settings of one process; the defaults are those of one machine."""

    port: Port = 8001
    database_url: Annotated[str, Field(repr=False)] = "sqlite:///var/lobby.db"
    """Where accounts and lists are: SQLite in a file, or PostgreSQL."""
    game_url: OptionalAddress = "http://127.0.0.1:8000"
    """Where the match service tells of itself; if it is empty, the site is described without."""
    scoring_url: OptionalAddress = "http://127.0.0.1:8002"
    """Where scoring does."""
    scoring_keys_file: Path | None = None
    """The JSON Web Key Set of scoring, which asks for names; without one it has limits too."""
    password_kibibytes: Annotated[int, Field(ge=1024, le=4 * 1024 * 1024)] = 64 * 1024
    """Memory that it takes to check a password: the more, the dearer to guess (RFC 9106)."""
    bot_levels: Annotated[str, AfterValidator(_known)] = ",".join(LEVELS)
    """The bots that may be asked for, separated by commas."""
    most_kept: Annotated[int, Field(ge=1)] = 2000
    """How many folded tables, and how many accounts' tickets, stay at hand."""
    heartbeat_seconds: Annotated[float, Field(gt=0)] = 10.0
    """How often feeds tell their newest number."""
    outbox_patience_seconds: Annotated[float, Field(gt=0)] = 60.0
    """How long the outbox may settle nothing of what waits until the process is not ready."""
    match_seconds: Annotated[float, Field(gt=0)] = 1.0
    """How often tickets are looked through for matches."""
    table_hours: Annotated[float, Field(gt=0)] = 24.0
    """For how long a table stands open."""
