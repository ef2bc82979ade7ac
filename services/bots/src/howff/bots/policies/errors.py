"""What can't be had of the policies."""

from howff.engine.errors import RefusalError


class NotInstalledError(RefusalError):
    """There is no such policy, level, or way to play a game here."""

    code = "not_installed"
