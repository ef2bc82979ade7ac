"""Processes that verify matches, several at once."""

from collections.abc import Sequence
from functools import partial

from howff.match.signatures import PublicKey
from howff.scoring.application.errors import VerifierDiedError
from howff.scoring.domain.verifying import Claim, Entry, entry_of
from howff.servicekit.pools import PoolDiedError, ProcessPool


class ProcessVerifiers:
    """Up to so many *processes*; each is started when it is needed first."""

    def __init__(self, processes: int) -> None:
        self._pool = ProcessPool(processes)

    async def entry_of(self, content: bytes, claim: Claim, keys: Sequence[PublicKey]) -> Entry:
        """Return the entry of a match whose whole export has this *content*, once it is verified.

        Raises:
            VerifierDiedError: the process that was at it has died.
            UnverifiedError, MalformedExportError, TruncatedExportError, UnknownGameError: it is
                not verified.
        """
        try:
            return await self._pool.call(partial(entry_of, claim=claim, keys=keys), content)
        except PoolDiedError as error:
            raise VerifierDiedError(claim.match) from error

    def close(self) -> None:
        """End all processes, whatever they are at."""
        self._pool.close()
