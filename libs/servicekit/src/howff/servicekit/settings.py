"""How a process is set up: environment variables that begin with HOWFF_."""

from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from howff.servicekit.nats.connection import Credentials
from howff.servicekit.telemetry.logs import LogFormat


def _some(text: str | None) -> str | None:
    return text or None


Port = Annotated[int, Field(ge=0, le=65535)]
"""0 takes any that is free."""
OptionalAddress = Annotated[str | None, BeforeValidator(_some)]
"""An address, or none."""


class ProcessSettings(BaseSettings):
    """The settings of all processes that are connected to NATS; the defaults are of one machine."""

    model_config = SettingsConfigDict(env_prefix="HOWFF_", extra="ignore", frozen=True)

    host: str = "127.0.0.1"
    health_port: Port | None = None
    """Where probes are answered; without a port nobody does."""
    log_format: LogFormat = "text"
    nats_url: str = "nats://127.0.0.1:4222"
    """Several are separated by commas."""
    nats_user: str | None = None
    nats_password: Annotated[str | None, Field(repr=False)] = None

    @property
    def nats_urls(self) -> list[str]:
        """The addresses of NATS."""
        return self.nats_url.split(",")

    @property
    def nats_credentials(self) -> Credentials | None:
        """Who connects to NATS, if it was said."""
        return Credentials.of(self.nats_user, self.nats_password)
