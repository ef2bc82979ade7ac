"""Matches that are over, looked at again: any moment of them, branches of it, and an audit."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from howff.engine.codec import JSON, canonical, to_json
from howff.engine.seats import Viewer
from howff.game.application.matches import KnownMatch, Log, Matches
from howff.game.application.orders import BranchOrder, StartOrder, check_practice_seats
from howff.game.domain.errors import MatchNotOverError, NoSuchVersionError
from howff.game.domain.seating import viewer_for
from howff.match.commands import Origin, StartMatch
from howff.match.commit import CommandId, Commit, Version
from howff.match.errors import WrongTermError
from howff.match.export import export_for
from howff.match.match import Match, match_of
from howff.match.redaction import redact_commit
from howff.match.report import Check, Failure, Place, Report, failed, passed
from howff.match.verify import verify

MOST_REPORTS: Final = 256
"""How many reports stay at hand: to make one may take a second."""
REPORT_KEPT: Final = 60.0
"""Seconds for which one is good: what is stored may have been damaged since."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A match that is over as it stood once, and the commit that had led there."""

    match: Match
    commit: Commit = field(repr=False)
    seed: bytes = field(repr=False)

    def told(self, viewer: Viewer) -> Commit:
        """Return the commit as *viewer* was told of it when it happened."""
        return redact_commit(self.match, self.commit, viewer, self.seed, told_live=True)


class LookingBack:
    """Looks at matches again."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._folding = asyncio.Lock()
        self._auditing = asyncio.Lock()
        self._reports: OrderedDict[tuple[str, int, Viewer], tuple[Report, float]] = OrderedDict()
        """Each until when it is good."""

    async def moment(self, known: KnownMatch, at: int | None) -> Moment:
        """Return a match that is over as it stood at version *at*, or at its end.

        Raises:
            MatchNotOverError: it goes on.
            NoSuchVersionError: it has not come as far.
        """
        newest = known.match.version
        at = newest if at is None else at
        if not known.match.is_over:
            raise MatchNotOverError
        if at not in range(1, newest + 1):
            raise NoSuchVersionError(newest, at, first=1)
        async with self._folding:  # one at a time: who looks back leaves room for players
            log = await self._matches.log(known)
            commits = log.commits[:at]
            match = await asyncio.to_thread(match_of, known.match.game, commits)
        return Moment(match, commits[-1], known.seed)

    async def branch(self, order: BranchOrder) -> KnownMatch:
        """Start the match that is ordered, if it has not started yet.

        It has the options of its parent and no clock, and whoever may watch that may watch it.

        Raises:
            NoSuchMatchError: there is no such parent for this account.
            MatchNotOverError: it goes on.
            NoSuchVersionError: it has not come as far.
            WrongTermError: it has not as many seats.
            NothingToPlayError: nobody owed a decision then.
        """
        parent = await self._matches.find(order.parent)
        started = parent.match.started
        viewer_for(parent.match, order.account, None)
        check_practice_seats(order.seats, started.watch, order.account)
        if len(order.seats) != len(started.seats):
            expected = f"{len(started.seats)} as in the parent"
            raise WrongTermError("seats", expected=expected, found=str(len(order.seats)))
        moment = await self.moment(parent, order.at)
        command = StartMatch(
            id=CommandId(order.match),
            match=order.match,
            options=parent.match.options,
            seats=order.seats,
            watch=started.watch,
            entropies=(None,) * len(order.seats),
            origin=Origin(order.parent, Version(order.at), moment.match.state),
        )
        return await self._matches.start(StartOrder(parent.match.game, command))

    async def audit(self, known: KnownMatch, viewer: Viewer) -> Report:
        """Return what verifying the log of a match finds, of what *viewer* may read of it.

        One is made at a time, so that auditors leave room for players, and is good for a while.
        """
        key = (known.match.id, known.match.version, viewer)
        async with self._auditing:
            now = asyncio.get_running_loop().time()
            report, good_until = self._reports.pop(key, (None, now))
            if report is None or now >= good_until:
                report, good_until = await self._report(known, viewer), now + REPORT_KEPT
            self._reports[key] = report, good_until
            if len(self._reports) > MOST_REPORTS:
                self._reports.popitem(last=False)
            return report

    async def _report(self, known: KnownMatch, viewer: Viewer) -> Report:
        log = await self._matches.log(known)
        keys = self._matches.keys

        def verified() -> Report:
            export = export_for(known.match, log.commits, viewer, known.seed, keys)
            return verify(export, known.match.game, keys)

        report = await asyncio.to_thread(verified)
        if known.match.parent is None or not known.match.is_over:
            return report
        return Report((*report.checks, await self._origin_checked(known.match, log)), report.keys)

    async def _origin_checked(self, branch: Match, log: Log) -> Check:
        """Return whether *branch* has begun as its parent stood."""
        assert branch.parent is not None, "a branch has one"
        match, version = branch.parent
        moment = await self.moment(await self._matches.find(match), version)
        right = to_json(branch.game.state, moment.match.state)
        if canonical(right) == canonical(_state_told(log)):
            return passed("origin", f"as match {match} stood at version {version}")
        expected = f"the state of match {match} at version {version}"
        place = Place(1, 1, "state")
        return failed("origin", Failure("unlawful_commit", place, expected, "another"))


def _state_told(log: Log) -> JSON:
    return log.commits[0].events[1]["data"]["state"]
