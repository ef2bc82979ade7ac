"""How the service is set up: environment variables that begin with HOWFF_."""

import os
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic_settings import SettingsConfigDict

from howff.servicekit.telemetry.logs import LogFormat
from howff.servicekit.web.limiting import LimitSettings


def _some(text: str | None) -> str | None:
    return text or None


class Settings(LimitSettings):
    """The settings of one process; the defaults are those of one machine."""

    model_config = SettingsConfigDict(env_prefix="HOWFF_", extra="ignore", frozen=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8002
    """0 takes any that is free."""
    health_port: Annotated[int | None, Field(ge=0, le=65535)] = None
    """Where probes are answered; 0 takes any that is free, and without a port nobody answers."""
    log_format: LogFormat = "text"
    nats_url: str = "nats://127.0.0.1:4222"
    """Several are separated by commas."""
    nats_monitor_urls: str = "http://127.0.0.1:8222"
    """The monitoring addresses of all servers, separated by commas."""
    nats_user: str | None = None
    nats_password: Annotated[str | None, Field(repr=False)] = None
    replicas: Annotated[int, Field(ge=1, le=5)] = 1
    """Of each stream."""
    database_url: Annotated[str, Field(repr=False)] = "sqlite:///var/scoring.db"
    """Where the archive is, and what is made of it: SQLite in a file, or PostgreSQL."""
    game_url: str = "http://127.0.0.1:8000"
    """Where the match service is asked for logs."""
    lobby_url: Annotated[str | None, BeforeValidator(_some)] = "http://127.0.0.1:8001"
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
    def has_nats(self) -> bool:
        """Whether it was said where the services' own server is."""
        return "nats_url" in self.model_fields_set
