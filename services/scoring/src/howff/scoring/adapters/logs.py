"""The logs of matches, asked of the match service over its public API with tokens of scoring's."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Self

from howff.client.admission import SignedAdmission
from howff.client.client import HowffClient
from howff.client.errors import ClientError, WrongSettingError
from howff.client.patience import Patience
from howff.engine.errors import MalformedError
from howff.match.signatures import PublicKey, public_key_from_jwk
from howff.scoring.application.errors import LogsAwayError, NoLogError, WrongServerError
from howff.servicekit import ids

PATIENCE: Final = Patience(answer=30.0, trying=5.0)
RETRY_AFTER: Final = 1.0
NO_SUCH_MATCH: Final = "no_such_match"


class MatchService:
    """The match service at *url*; *token* is asked for before each request.

    Use it as an async context manager.
    """

    def __init__(self, url: str, token: Callable[[], str]) -> None:
        """Connect to nothing yet.

        Raises:
            WrongServerError: *url* is no address.
        """
        admission = SignedAdmission(token)
        try:
            self._client = HowffClient(url, admission, ids=ids.new_id, patience=PATIENCE)
        except WrongSettingError as error:
            raise WrongServerError(
                "HOWFF_GAME_URL", expected=error.expected, found=error.found
            ) from error

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def export(self, match: str) -> bytes:
        """Return the file of the whole export of *match*.

        Raises:
            LogsAwayError: it can't be had now.
            NoLogError: there is no such match.
        """
        with self._answering(match):
            return await self._client.export(match)

    async def keys(self) -> Sequence[PublicKey]:
        """Return the keys by which logs are signed.

        Raises:
            LogsAwayError: they can't be had now.
        """
        with self._answering():
            told = await self._client.receipt_keys()
            try:
                return tuple(public_key_from_jwk(each) for each in told["keys"])
            except (KeyError, TypeError) as error:
                raise LogsAwayError("other keys than were asked for", RETRY_AFTER) from error

    @contextmanager
    def _answering(self, match: str = "") -> Iterator[None]:
        try:
            yield
        except ClientError as error:
            if error.code == NO_SUCH_MATCH:
                raise NoLogError(match) from error
            raise LogsAwayError(error.code, max(error.retry_after, RETRY_AFTER)) from error
        except MalformedError as error:
            raise LogsAwayError(error.code, RETRY_AFTER) from error
