"""How the service is set up: environment variables that begin with HOWFF_."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from howff.servicekit.settings import Port
from howff.servicekit.web.settings import ServiceSettings


class Settings(ServiceSettings):
    """The settings of one process; the defaults are those of one machine."""

    port: Port = 8000
    development_tokens: bool = False
    """Whether anybody gets a token for any account: for trying things out on one machine."""
    bot_keys_file: Path | None = None
    """The JSON Web Key Set of the workers that play for bots; without one, none are trusted."""
    scoring_keys_file: Path | None = None
    """That of scoring, which reads the logs of all matches that are over; without one, it can't."""
    most_kept_matches: Annotated[int, Field(ge=1)] = 2000
    """How many folded matches stay at hand."""
    heartbeat_seconds: Annotated[float, Field(gt=0)] = 10.0
    """How often feeds tell their newest version."""
    sweep_seconds: Annotated[float, Field(gt=0)] = 30.0
    """How often deadlines that got lost are looked for."""
    outbox_patience_seconds: Annotated[float, Field(gt=0)] = 60.0
    """How long the outbox may settle nothing of what waits until the process is not ready."""
