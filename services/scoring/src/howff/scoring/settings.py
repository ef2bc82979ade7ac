"""How the service is set up: environment variables that begin with HOWFF_."""

import os
from pathlib import Path
from typing import Annotated

from pydantic import Field

from howff.servicekit.nats.connection import Credentials
from howff.servicekit.settings import OptionalAddress, Port
from howff.servicekit.web.settings import ServiceSettings


class Settings(ServiceSettings):
    """The settings of one process; the defaults are those of one machine."""

    port: Port = 8002
    database_url: Annotated[str, Field(repr=False)] = "sqlite:///var/scoring.db"
    """Where the archive is, and what is made of it: SQLite in a file, or PostgreSQL."""
    game_url: str = "http://127.0.0.1:8000"
    """Where the match service is asked for logs."""
    lobby_url: OptionalAddress = "http://127.0.0.1:8001"
    """Where the lobby is asked for names; if it is empty, there are none."""
    scoring_key_file: Path = Path("var/scoring.key")
    """The private key that signs the tokens by which both are asked."""
    processes: Annotated[int, Field(ge=1)] = os.cpu_count() or 1
    """How many verify matches at the same time."""
    patience_seconds: Annotated[float, Field(gt=0)] = 60.0
    """How long the archive may be behind until the process is not ready."""


class DrillSettings(Settings):
    """The settings of a restore drill: those of the service, and who connects to the target."""

    target_user: str | None = None
    target_password: Annotated[str | None, Field(repr=False)] = None

    @property
    def target_credentials(self) -> Credentials | None:
        """Who connects to the target, if it was said."""
        return Credentials.of(self.target_user, self.target_password)

    @property
    def has_nats(self) -> bool:
        """Whether it was said where the services' own server is."""
        return "nats_url" in self.model_fields_set
