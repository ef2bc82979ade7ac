"""How a worker is set up: environment variables that begin with HOWFF_."""

import os
from pathlib import Path
from typing import Annotated

from pydantic import Field

from howff.servicekit.settings import ProcessSettings


class Settings(ProcessSettings):
    """The settings of one worker; the defaults are those of one machine."""

    game_url: str = "http://127.0.0.1:8000"
    """Where the match service is asked."""
    bot_key_file: Path = Path("var/bots.key")
    """The private key that signs the worker's tokens: 32 bytes in base64url."""
    processes: Annotated[int, Field(ge=1)] = os.cpu_count() or 1
    """How many think at once."""
    think_seconds: Annotated[float, Field(gt=0)] = 5.0
    """How long a decision may have waited, or be thought about, until a cheaper policy decides."""
    pace_milliseconds: Annotated[int, Field(ge=0)] = 0
    """What a move takes at least, so that people can follow."""
    patience_seconds: Annotated[float, Field(gt=0)] = 60.0
    """How long nothing may be decided of what waits until the process is not ready."""
