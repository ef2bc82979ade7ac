"""A match as the final log tells it, version by version, to compare with what was told before."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import accumulate
from typing import Final

import orjson

from howff.engine.catalogue import game_of
from howff.engine.codec import JSON, to_json, to_tagged
from howff.engine.errors import RefusalError
from howff.engine.outcome import Outcome
from howff.engine.seats import Seat, Viewer
from howff.match.canonical import canonical_bytes
from howff.match.clocks import time_at
from howff.match.commit import Commit, actor_of, commit_from_json, commit_to_json, time_text
from howff.match.events import Account
from howff.match.export import SPECTATOR
from howff.match.match import Match, evolve, match_of, started_by
from howff.match.redaction import redact_commit
from support.histories.history import History, Record

Told = tuple[int, Viewer, tuple[bool, ...]]
"""A version, who is told of it, and which of its events are open for a moment."""
WHOLE: Final = ()


@dataclass(slots=True)
class Course:
    """The states that a match went through, and when which of them could be known."""

    record: Record
    commits: tuple[Commit, ...]
    states: tuple[Match, ...]
    """The match after each commit, as far as the commits follow each other."""
    sent: tuple[float, ...]
    """When the command of each commit was sent first; 0 if no client has sent it."""
    reached: tuple[float, ...]
    """When each version can have come about at the earliest: its command had to be sent."""
    known_at: list[float] = field(default_factory=list)
    known: list[int] = field(default_factory=list)
    """What somebody had been told by those times, the newest version each."""
    _told: dict[Told, Commit] = field(default_factory=dict)

    @property
    def newest(self) -> int:
        return len(self.states)

    def state(self, version: int) -> Match:
        return self.states[version - 1]

    def certain(self, at: float) -> int:
        """Return the newest version that somebody had been told of before *at*."""
        place = bisect_right(self.known_at, at)
        return self.known[place - 1] if place else 0

    def possible(self, at: float) -> int:
        """Return the newest version that can have come about by *at*, if the log is whole."""
        return min(self.newest, bisect_right(self.reached, at))

    def told(self, version: int, viewer: Viewer, by: int, *, live: bool = False) -> Commit:
        """Return the commit of *version* as *viewer* may know it while the match is at *by*."""
        match, commit = self.state(by), self.commits[version - 1]
        openness = _openness(match, commit, viewer, live=live)
        key = version, viewer, openness
        if key not in self._told:
            self._told[key] = redact_commit(match, commit, viewer, self.record.seed, told_live=live)
        return self._told[key]

    def line(self, version: int, viewer: Viewer, by: int, *, live: bool = False) -> bytes:
        """Return the same as the bytes that a feed tells."""
        return canonical_bytes(commit_to_json(self.told(version, viewer, by, live=live)))

    def look(self, version: int, viewer: Viewer) -> JSON:
        """Return what looking at the match at *version* has to show to *viewer*."""
        match = self.state(version)
        game, started = match.game, match.started
        return {
            "match": match.id,
            "version": version,
            "viewer": SPECTATOR if viewer is None else actor_of(viewer),
            "game": game.key,
            "title": game.title,
            "rules_version": match.rules.rules_version,
            "options": started.options,
            "seats": [
                {"account": each.account} if isinstance(each, Account) else {"bot": each.level}
                for each in started.seats
            ],
            "watch": started.watch,
            "rated": started.rated,
            "seed_commitment": started.seed_commitment,
            "clock": None if started.clock is None else asdict(started.clock),
            "on_flag": "resign",
            "on_leave": "default_moves",
            "stand_in": None,
            "parent": None,
            "to_act": list(match.to_act),
            "standings": [_standing(match, Seat(each)) for each in range(len(started.seats))],
            "clocks": _clocks(match),
            "is_over": match.is_over,
            "is_aborted": False,
            "view": to_json(game.view_type, game.view(match.state, viewer)),
            "outcome": to_json(Outcome | None, match.outcome),
            "state": to_json(game.state, match.state) if match.is_over else None,
        }

    def moves(self, version: int, seat: Seat) -> JSON:
        """Return what the list of moves of *seat* has to hold at *version*."""
        match = self.state(version)
        may_move = not match.is_over and seat not in match.presence.resigned
        legal = match.game.legal_moves(match.state, seat) if may_move else ()
        view = match.game.view(match.state, seat)
        names = tuple(f"Seat {each}" for each in range(len(match.started.seats)))
        lines = [
            {"move": to_tagged(move), "text": match.game.explain(view, seat, move, names)}
            for move in legal
        ]
        return {"version": version, "seat": seat, "moves": lines}


def courses(history: History) -> dict[str, Course]:
    """Return the course of each match of *history*."""
    sent: dict[tuple[str, str, str], float] = {}
    for each in history.sends:
        key = each.order.match, actor_of(each.order.seat), each.order.command
        sent[key] = min(each.sent, sent.get(key, each.sent))
    found = {match: _course(record, sent) for match, record in history.records.items()}
    knowledge: dict[str, list[tuple[float, int]]] = {match: [] for match in found}
    for match, at, version in _known(history):
        knowledge[match].append((at, version))
    for match, known in knowledge.items():
        known.sort()
        found[match].known_at = [at for at, _ in known]
        found[match].known = list(accumulate((version for _, version in known), max))
    return found


def _known(history: History) -> Iterator[tuple[str, float, int]]:
    for each in history.sends:
        if each.is_ok:
            yield each.order.match, each.answered, each.content["version"]
    for read in history.reads:
        if read.is_ok:
            yield read.match, read.answered, read.version
    for session in history.sessions:
        for frame in session.frames:
            yield session.match, frame.at, frame.version


def _course(record: Record, sent: dict[tuple[str, str, str], float]) -> Course:
    commits = tuple(commit_from_json(orjson.loads(content)) for _, content in record.messages)
    times = tuple(sent.get((each.match, each.actor, each.command), 0.0) for each in commits)
    return Course(record, commits, tuple(_states(commits)), times, tuple(accumulate(times, max)))


def _states(commits: Iterable[Commit]) -> Iterator[Match]:
    match: Match | None = None
    for commit in commits:
        try:
            match = _first(commit) if match is None else evolve(match, commit)
        except RefusalError:
            return  # what comes after can't be judged; that it doesn't follow is told elsewhere
        yield match


def _standing(match: Match, seat: Seat) -> JSON:
    """Return how a seat stands: nobody takes one over, or agrees on anything."""
    clocks = match.clocks
    return {
        "resigned": match.presence.resigned.get(seat),
        "stand_in": None,
        "wants": [],
        "milliseconds_left": clocks.left[seat] if clocks else None,
        "is_running": clocks is not None and seat in clocks.owing,
    }


def _clocks(match: Match) -> JSON:
    clocks = match.clocks
    if clocks is None:
        return None
    due = None if match.due is None else time_text(time_at(match.due))
    return {"at": match.at, "is_paused": False, "due": due}


def _first(commit: Commit) -> Match:
    return match_of(game_of(started_by(commit).game), [commit])


def _openness(match: Match, commit: Commit, viewer: Viewer, *, live: bool) -> tuple[bool, ...]:
    """Return what the form of a told commit depends on, whatever the match is like otherwise."""
    if match.is_over:
        return WHOLE
    moments = ((commit.version, at) for at in range(max(1, len(commit.events))))
    return tuple(live or match.turns.is_open(viewer, moment) for moment in moments)
