"""The one place where the parts of the service are put together."""

from howff.lobby.app.chores import make_administrator, migrate, rotate_keys
from howff.lobby.app.running import running_service

__all__ = ["make_administrator", "migrate", "rotate_keys", "running_service"]
