"""Why administrators act: words of a closed list, so that no stream can hold a name."""

from typing import Literal

Reason = Literal["cheating", "abuse", "fault", "request", "other"]
