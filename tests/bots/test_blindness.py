from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from conftest import IS_LONG
from howff.bots.blindness import Finding, NotWholeError, choose_again, memories_told
from howff.bots.policies.catalogue import play_of
from howff.bots.policies.memories import no_memories
from howff.engine.catalogue import GAMES
from howff.engine.seats import Seat
from howff.match.events import PlatformEvent
from howff.match.export import Export
from howff.match.match import Step, events_of
from howff.match.redaction import redact_commit
from howff.match.replay import replay
from howff.match.verify import verify
from support.bot_matches import TOY_PLAY, Seen, all_seeing, as_told, bots_at
from support.forging import changed, rechained
from support.played import SEED, exported, exported_to, played
from support.timed import STAND_IN, TimedMatch, start_timed
from support.toy_game import TOY
from support.toy_types import Options

LEVELS = ("random", "casual", "steady", "strong")
SHORT: dict[str, dict[str, Any]] = {
    "troedler": {"round_limit": 2},
    "hellweg": {"short_game": True},
    "highland_clans": {},
    "appenzell": {"round_limit": 4},
    "dale_of_merchants": {"round_limit": 50},
}


@cache
def by_bots(seen: Seen = as_told) -> Export:
    return bots_at(TOY, TOY_PLAY, LEVELS, Options(), seen).export()


def findings(export: Export) -> list[Finding]:
    return list(choose_again(export, TOY, TOY_PLAY))


def with_bot(export: Export, version: int, bot: Any) -> Export:
    """Return *export* with another statement in one commit, in a log that is sound again."""
    forged = rechained(changed(export, version, lambda commit: replace(commit, bot=bot)))
    assert verify(forged, TOY).failure is None
    return forged


def test_blind_bots_of_all_policies_choose_the_same_again() -> None:
    found = findings(by_bots())

    assert {each.verdict for each in found} == {"alike"}
    assert {each.seat for each in found} == {0, 1, 2, 3}
    assert len(found) == by_bots().header.commits - 1


def test_a_bot_that_looks_at_the_true_state_is_found_out() -> None:
    cheating = by_bots(all_seeing)
    assert verify(cheating, TOY).failure is None

    found = [each for each in findings(cheating) if each.verdict == "different"]
    assert {2, 3} <= {each.seat for each in found} <= {1, 2, 3}  # the random one looks at nothing
    assert all(each.expected != each.found for each in found)


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({"version": "2.2"}, "not run"),
        ({"seed": "none"}, "malformed"),
        ({"level": "master"}, "malformed"),
        ({"policy": "oracle"}, "malformed"),
        ({"why": "it looked good"}, "malformed"),
    ],
)
def test_what_a_bot_may_not_state_is_told(change: dict[str, Any], verdict: str) -> None:
    export = by_bots()
    stated = export.commits[2].bot | change

    others = [each for each in findings(with_bot(export, 3, stated)) if each.verdict != "alike"]
    assert [(each.version, each.verdict) for each in others] == [(3, verdict)]


@pytest.mark.parametrize("bot", [None, "mcts", {"policy": "chance"}, [1]])
def test_a_bot_that_states_nothing_proper_is_told(bot: Any) -> None:
    (wrong,) = [each for each in findings(with_bot(by_bots(), 3, bot)) if each.verdict != "alike"]

    assert (wrong.version, wrong.verdict) == (3, "malformed")


def test_moves_drawn_before_there_were_seeds_are_told_apart() -> None:
    forged = with_bot(by_bots(), 3, {"policy": "random"})

    assert findings(forged)[1].verdict == "not run"


def test_moves_by_other_rules_are_not_chosen_again() -> None:
    newer = replace(TOY, rules_version="2")

    assert {each.verdict for each in choose_again(by_bots(), newer, TOY_PLAY)} == {"not run"}


def test_a_default_move_of_the_platform_is_checked_too() -> None:
    match = TimedMatch(start_timed(Options(rounds=1), 3))
    match.resigns(1)
    match.plays_default(1)
    match.resigns(2)
    export = exported(match.record)

    assert [(each.seat, each.verdict) for each in findings(export)] == [(1, "alike")]
    moved = next(commit for commit in export.commits if commit.bot is not None)
    cards = {card: {"type": "Bid", "data": {"card": card}} for card in range(1, 7)}
    other = next(move for move in cards.values() if move != moved.move)
    forged = changed(export, moved.version, lambda commit: replace(commit, move=other))
    assert [each.verdict for each in findings(rechained(forged))] == ["different"]


def test_a_bot_that_stands_in_is_of_the_level_that_the_table_has_named() -> None:
    match = TimedMatch(start_timed(Options(rounds=1), 3, on_leave="bot"))
    match.resigns(1)
    match.moves(1, bot="chance")
    match.aborts()
    (found,) = findings(exported(match.record))

    assert (found.seat, found.verdict) == (1, "malformed")
    stated = by_bots().commits[1].bot
    (found,) = findings(with_bot(exported(match.record), 3, stated))
    assert (found.expected, found.found) == (f'"{STAND_IN}"', f'"{stated["level"]}"')


def test_people_state_nothing() -> None:
    match = TimedMatch(start_timed(Options(rounds=1), 3))
    match.moves(1)
    match.aborts()

    assert findings(exported(match.record)) == []


def test_of_a_redacted_export_nothing_can_be_said() -> None:
    running = played(TOY, Options(), 3, most=6)

    with pytest.raises(NotWholeError):
        findings(exported_to(running, Seat(0)))


@pytest.mark.parametrize("key", sorted(GAMES))
def test_bots_at_every_game_choose_the_same_again(key: str) -> None:
    game, play = GAMES[key], play_of(key)
    levels = LEVELS if IS_LONG else ("casual", "random", "casual")
    options = game.read_options(SHORT[key])
    export = bots_at(game, play, levels[: game.seats[0]], options).export()

    verdicts = [each.verdict for each in choose_again(export, game, play)]
    assert len(verdicts) == export.header.commits - 1
    assert set(verdicts) == {"alike"}


@pytest.mark.parametrize("key", ["toy", *sorted(GAMES)])
def test_a_seat_remembers_of_its_feed_what_it_does_where_events_are_only_covered(key: str) -> None:
    game = {**GAMES, "toy": TOY}[key]
    options = game.read_options(SHORT.get(key, {}))
    seats = range(game.seats[0])
    export = exported(played(game, options, len(seats)))
    covered, heard = (no_memories(game, len(seats)) for _ in range(2))
    steps = [each for each in replay(export, game) if not each.match.is_over]
    for step in steps if IS_LONG else steps[:80]:
        covered = memories_told(game, covered, step.events)
        heard = tuple(heard_by(Seat(seat), step, heard[seat]) for seat in seats)
        assert heard == covered

    assert game.memory() not in covered


def heard_by(seat: Seat, step: Step, memory: Any) -> Any:
    """Return what *seat* remembers after *step*, of which its feed has told it."""
    game = step.match.game
    told = redact_commit(step.match, step.commit, seat, SEED, told_live=True)
    for event in events_of(game, told):
        if not isinstance(event, PlatformEvent):
            memory = game.remember(memory, event, seat)
    return memory
