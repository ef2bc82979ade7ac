"""What accounts are called, asked of the lobby for each answer and kept by nobody."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Self

from howff.client.admission import SignedAdmission
from howff.client.client import HowffClient
from howff.client.errors import ClientError, WrongSettingError
from howff.client.patience import Patience
from howff.scoring.application.errors import WrongServerError
from howff.servicekit import ids

WITHIN: Final = 1.0
"""Seconds that all names of an answer may take: readers would rather have it without them."""
AWAY_FOR: Final = 5.0
"""Seconds for which a lobby that did not answer is not asked again."""
_PATIENCE: Final = Patience(answer=WITHIN, trying=0.0)
_log = logging.getLogger(__name__)


class Lobby:
    """The lobby at *url*; *token* is asked for before each request.

    While it is away, one reader in `AWAY_FOR` seconds waits for it; all others go without names.
    Use it as an async context manager.
    """

    def __init__(
        self, url: str, token: Callable[[], str], *, now: Callable[[], float] = time.monotonic
    ) -> None:
        """Connect to nothing yet.

        Raises:
            WrongServerError: *url* is no address.
        """
        admission = SignedAdmission(token)
        try:
            self._client = HowffClient(url, admission, ids=ids.new_id, patience=_PATIENCE)
        except WrongSettingError as error:
            raise WrongServerError(
                "HOWFF_LOBBY_URL", expected=error.expected, found=error.found
            ) from error
        self._now = now
        self._is_away = False
        self._again_at = 0.0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def called(self, accounts: Sequence[str]) -> Mapping[str, str]:
        """Return the names of those of the *accounts* that have one; of none while it is away."""
        if self._is_away:
            if self._now() < self._again_at:
                return {}
            self._again_at = self._now() + AWAY_FOR  # one asks; whoever comes meanwhile does not
        try:
            async with asyncio.timeout(WITHIN):
                names = _names_in(await self._client.accounts.profiles(accounts))
        except (ClientError, TimeoutError, KeyError, TypeError) as error:
            self._go_without(error)
            return {}
        if self._is_away:
            self._is_away = False
            _log.info("the lobby tells names again")
        return names

    def _go_without(self, error: Exception) -> None:
        asked = error.retry_after if isinstance(error, ClientError) else 0.0
        self._again_at = self._now() + max(asked, AWAY_FOR)
        if not self._is_away:
            self._is_away = True
            found = error.code if isinstance(error, ClientError) else type(error).__name__
            _log.warning("the lobby tells no names now (%s), so answers have none", found)


class NoLobby:
    """Where there is no lobby, nobody is called anything."""

    async def called(self, accounts: Sequence[str]) -> Mapping[str, str]:  # noqa: ARG002
        """Return no names."""
        return {}


def _names_in(profiles: Iterable[Any]) -> dict[str, str]:
    """Return the names that *profiles* tell, by the ids of their accounts.

    Raises:
        KeyError, TypeError: they are no profiles.
    """
    names = {each["id"]: each["name"] for each in profiles if each["name"] is not None}
    if not all(isinstance(text, str) for pair in names.items() for text in pair):
        message = "a name that is no text"
        raise TypeError(message)
    return names
