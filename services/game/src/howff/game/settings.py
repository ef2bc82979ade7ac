"""How the service is set up: environment variables that begin with HOWFF_."""

from pathlib import Path
from typing import Annotated

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from howff.servicekit.telemetry.logs import LogFormat
from howff.servicekit.web.limiting import LimitSettings


class Settings(LimitSettings):
    """The settings of one process; the defaults are those of one machine."""

    model_config = SettingsConfigDict(env_prefix="HOWFF_", extra="ignore", frozen=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
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
