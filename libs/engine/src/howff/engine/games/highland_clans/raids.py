"""Raids: three fights with covered cards, the spoils, and the refresh of both hands."""

from howff.engine.games.highland_clans.data import (
    FIGHTS,
    LOWEST_SCORE,
    RAID_POINTS,
    REFRESH_DISCARDED,
    REFRESH_DRAWN,
)
from howff.engine.games.highland_clans.events import (
    CardCommitted,
    DiscardRequired,
    FightResolved,
    RaidResolved,
    RaidResult,
    SpoilsDeclined,
    SpoilsTaken,
)
from howff.engine.games.highland_clans.moves import CommitCard, Spoils
from howff.engine.games.highland_clans.state import RunningRaid, State
from howff.engine.games.highland_clans.turns import Decision, draw_cards
from howff.engine.rng import Rng
from howff.engine.seats import Seat


def commit_card(decision: Decision, seat: Seat, move: CommitCard, rng: Rng) -> None:
    """Lay a card face down; the defender's is the second, and the fight is resolved."""
    fight = len(_raid(decision).fights) + 1
    decision.add(CardCommitted(seat, fight, move.bagpiper, move.value))
    raid = _raid(decision)
    if seat == raid.attacker:
        return
    decision.add(_resolved(raid, fight))
    # Ruling 7: the third fight is fought even when two are won.
    if fight == FIGHTS:
        _end_raid(decision, rng)


def take_spoils(decision: Decision, kind: Spoils, rng: Rng) -> None:
    """Let the attacker take something or nothing; then both hands are refreshed."""
    raid = _raid(decision)
    if kind == "none":
        decision.add(SpoilsDeclined(raid.attacker, raid.defender))
    else:
        free = decision.state.players[raid.attacker].board.free_estates
        is_placed = kind == "cattle" and free > 0
        decision.add(SpoilsTaken(raid.attacker, raid.defender, kind, is_placed))
    _refresh(decision, rng)


def _raid(decision: Decision) -> RunningRaid:
    raid = decision.state.raid
    assert raid is not None, "a raid is going on"
    return raid


def _resolved(raid: RunningRaid, fight: int) -> FightResolved:
    attacker, defender = raid.commitments
    winner = None
    if attacker.strength != defender.strength:
        winner = raid.attacker if attacker.strength > defender.strength else raid.defender
    return FightResolved(
        fight, attacker.value, attacker.bagpiper, defender.value, defender.bagpiper, winner
    )


def _end_raid(decision: Decision, rng: Rng) -> None:
    resolved = _raid_result(decision.state, _raid(decision))
    decision.add(resolved)
    if not resolved.spoils:
        _refresh(decision, rng)


def _raid_result(state: State, raid: RunningRaid) -> RaidResolved:
    attacker_wins, defender_wins = raid.wins(raid.attacker), raid.wins(raid.defender)
    # Ruling 4: more fights than the other, not two of three.
    result: RaidResult = "draw"
    if attacker_wins != defender_wins:
        result = "attacker" if attacker_wins > defender_wins else "defender"
    owns_nothing = state.players[raid.defender].board.owns_nothing
    attacker_delta, defender_delta = _points(state, result, owns_nothing=owns_nothing)
    # Ruling 9: nobody falls below the start of the track.
    room = LOWEST_SCORE - state.players[raid.attacker].board.score
    return RaidResolved(
        attacker=raid.attacker,
        defender=raid.defender,
        attacker_wins=attacker_wins,
        defender_wins=defender_wins,
        result=result,
        attacker_delta=max(attacker_delta, room),
        defender_delta=defender_delta,
        spoils=result == "attacker" and not owns_nothing,
    )


def _points(state: State, result: RaidResult, *, owns_nothing: bool) -> tuple[int, int]:
    """Return the points of the attacker and of the defender."""
    points = RAID_POINTS
    if result == "draw":
        return points.attacker_draws, 0
    if result == "defender":
        return points.attacker_loses, points.defender_wins
    if owns_nothing and state.options.edition == "consolidated":
        return points.attacker_wins_nothing, 0
    return points.attacker_wins, 0


def _refresh(decision: Decision, rng: Rng) -> None:
    """Let both draw; each then owes a discard, and may settle it before the other does."""
    raid = _raid(decision)
    seats = (raid.attacker, raid.defender)
    for seat in seats:
        draw_cards(decision, seat, "raid", REFRESH_DRAWN, rng)
    for seat in seats:
        decision.add(DiscardRequired(seat, REFRESH_DISCARDED, "raid"))
