from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from howff.engine.catalogue import GAMES
from howff.engine.codec import to_json
from howff.engine.errors import (
    EngineError,
    IllegalMoveError,
    MalformedError,
    MatchOverError,
    NotYourDecisionError,
    WrongOptionError,
    WrongSeatCountError,
)
from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from howff.match.commands import PlayMove
from howff.match.commit import CommandId, Commit, actor_of, commit_from_json, commit_to_json
from howff.match.draws import Draws
from howff.match.errors import (
    CommandIdReusedError,
    NotFollowingError,
    NotReplayableError,
    ReservedNameError,
    WrongEntropiesError,
    WrongSeedError,
)
from howff.match.events import MatchEnded, MatchStarted, RulesChanged, SeedRevealed
from howff.match.match import Match, Step, events_of, evolve, match_of
from howff.match.notary import Notary
from howff.match.play import check_repeated, play, start
from support.played import NOON, NOTARY, SEED, SIGNER, played, start_command
from support.toy_game import TOY
from support.toy_types import DECK, Answer, Bid, DeckShuffled, EndTurn, Options

LATER = NOON + timedelta(seconds=5)


def first_step() -> Step:
    return start(TOY, start_command(Options(), 3), at=NOON, notary=NOTARY)


def started() -> Match:
    return first_step().match


def bid(match: Match, seat: int, command: str = "bid") -> PlayMove:
    move = TOY.legal_moves(match.state, Seat(seat))[0]
    return PlayMove(id=CommandId(command), seat=Seat(seat), move=move)


def played_by(match: Match, command: PlayMove) -> Step:
    return play(match, command, at=LATER, notary=NOTARY)


def version_of(match: Match, command: PlayMove) -> int | None:
    return match.commands.version_of(actor_of(command.seat), command.id)


def test_a_match_starts_with_its_terms_and_the_opening_of_its_game() -> None:
    step = first_step()
    match, commit = step.match, step.commit
    first, *others = events_of(TOY, commit)

    assert first == match.started
    assert match.started.options == to_json(Options, Options())
    assert match.started.rules_version == TOY.rules_version
    assert [type(each).__name__ for each in others[:2]] == ["GameStarted", "DeckShuffled"]
    assert commit.draws == {"starter": 1, "deck": 1}
    assert match.to_act == (0, 1, 2)


def test_the_draws_of_a_match_are_counted_from_its_start() -> None:
    command = start_command(Options(), 3)
    draws = Draws(SEED, command.match, command.entropies, {})
    shuffled = events_of(TOY, first_step().commit)[2]

    assert isinstance(shuffled, DeckShuffled)
    assert shuffled.order == draws.shuffle("deck", DECK)


def test_a_move_adds_a_commit_that_follows_the_last_one() -> None:
    first = first_step()
    step = played_by(first.match, bid(first.match, 1))
    commit = step.commit

    assert (commit.version, commit.actor, commit.prev) == (2, "seat:1", first.commit.hash)
    assert commit.at == "2026-11-27T12:00:05.000Z"
    assert step.match.to_act == (0, 2)


def test_a_match_tells_where_its_last_commit_stands() -> None:
    for step in (first_step(), played_by(started(), bid(started(), 1))):
        match, commit = step.match, step.commit
        assert (match.version, match.hash, match.at) == (commit.version, commit.hash, commit.at)


def test_a_step_leads_to_the_match_that_folding_its_commit_leads_to() -> None:
    match = started()
    while match.to_act:
        seat = match.to_act[0]
        step = played_by(match, bid(match, seat, f"command {match.version}"))
        assert step.match == evolve(match, step.commit)
        assert step.events == events_of(TOY, step.commit)
        match = step.match
    assert match.is_over


def test_time_never_goes_back() -> None:
    first = first_step()
    earlier = NOON - timedelta(hours=1)
    step = play(first.match, bid(first.match, 0), at=earlier, notary=NOTARY)

    assert step.commit.at == first.commit.at


def test_a_commit_comes_back_from_its_json() -> None:
    for commit in played(TOY, Options(), 3).commits:
        assert commit_from_json(commit_to_json(commit)) == commit


def is_refused_as_reused(commit: Commit, command: PlayMove) -> bool:
    with pytest.raises(CommandIdReusedError) as refusal:
        check_repeated(commit, command)
    return refusal.value.code == "command_id_reused"


def test_a_repeated_command_is_found_at_the_version_that_has_answered_it() -> None:
    match = started()
    command = bid(match, 0)
    assert version_of(match, command) is None
    first = played_by(match, command)
    later = played_by(first.match, bid(match, 1)).match

    assert version_of(later, command) == first.commit.version
    check_repeated(first.commit, command)


def test_a_repeated_command_is_found_after_the_end_too() -> None:
    record = played(TOY, Options(), 2)
    last = record.commits[-1]
    assert last.seat is not None
    command = PlayMove(id=last.command, seat=last.seat, move=EndTurn())

    assert version_of(record.match, command) == last.version
    check_repeated(last, command)


def test_a_match_folded_from_its_commits_knows_the_version_of_every_command() -> None:
    record = played(TOY, Options(), 3)
    commands = match_of(TOY, record.commits).commands

    for commit in record.commits:
        assert commands.version_of(commit.actor, commit.command) == commit.version


def test_a_repeated_command_is_not_recorded_a_second_time() -> None:
    match = started()
    command = bid(match, 0)
    match = played_by(match, command).match

    for again in (command, replace(command, move=Answer(1))):
        with pytest.raises(CommandIdReusedError) as refusal:
            played_by(match, again)
        assert refusal.value.code == "command_id_reused"
        assert refusal.value.found == "that of version 2"


def test_a_command_id_is_refused_with_another_move() -> None:
    match = started()
    command = bid(match, 0)
    commit = played_by(match, command).commit

    assert is_refused_as_reused(commit, replace(command, move=Answer(1)))


def test_a_command_that_only_looks_like_one_that_was_answered_is_refused() -> None:
    match = started()
    command = bid(match, 0)
    commit = played_by(match, command).commit

    assert is_refused_as_reused(commit, replace(command, seat=Seat(1)))
    assert is_refused_as_reused(commit, replace(command, id=CommandId("another")))


def test_a_move_is_not_the_same_because_python_says_so() -> None:
    match = started()
    seat = next(seat for seat in match.to_act if Bid(1) in TOY.legal_moves(match.state, seat))
    command = PlayMove(id=CommandId("bid"), seat=seat, move=Bid(1))
    commit = played_by(match, command).commit

    assert replace(command, move=Bid(card=True)) == command
    assert is_refused_as_reused(commit, replace(command, move=Bid(card=True)))


def test_seats_may_use_the_same_command_id() -> None:
    match = started()
    match = played_by(match, bid(match, 0)).match

    assert played_by(match, bid(match, 1)).commit.version == 3


def test_a_refusal_is_not_remembered() -> None:
    match = started()
    with pytest.raises(IllegalMoveError):
        played_by(match, PlayMove(id=CommandId("bid"), seat=Seat(0), move=Bid(99)))

    assert played_by(match, bid(match, 0)).commit.version == 2


def test_the_refusals_of_the_rules_pass_through() -> None:
    match = started()
    after = played_by(match, bid(match, 0)).match
    with pytest.raises(NotYourDecisionError):
        played_by(after, bid(match, 0, "again"))
    over = played(TOY, Options(), 2).match
    with pytest.raises(MatchOverError):
        played_by(over, PlayMove(id=CommandId("late"), seat=Seat(0), move=EndTurn()))


@pytest.mark.parametrize(
    ("options", "seats", "refusal"),
    [(Options(rounds=9), 3, WrongOptionError), (Options(), 7, WrongSeatCountError)],
)
def test_a_match_is_refused_that_the_game_does_not_offer(
    options: Options, seats: int, refusal: type[EngineError]
) -> None:
    with pytest.raises(refusal):
        start(TOY, start_command(options, seats), at=NOON, notary=NOTARY)


@pytest.mark.parametrize("entropies", [(None,), ("x" * 65, None), ("ü", None)])
def test_entropies_of_another_number_or_form_are_refused(entropies: tuple[str | None, ...]) -> None:
    with pytest.raises(WrongEntropiesError):
        start(TOY, start_command(Options(), 2, entropies), at=NOON, notary=NOTARY)


def test_the_entropy_of_a_seat_changes_the_draws() -> None:
    decks = {
        start(TOY, start_command(Options(), 2, entropies), at=NOON, notary=NOTARY).match.state.deck
        for entropies in ((None, None), ("heather", None), (None, "heather"))
    }

    assert len(decks) == 3


def test_commits_of_a_match_with_too_many_seats_do_not_fold() -> None:
    first = first_step().commit
    started_event = first.events[0]
    seats = started_event["data"]["seats"] * 3
    crowded = started_event | {"data": started_event["data"] | {"seats": seats}}

    with pytest.raises(WrongSeatCountError):
        match_of(TOY, [replace(first, events=(crowded, *first.events[1:]))])


def test_the_last_commit_ends_the_match_and_reveals_the_seed() -> None:
    record = played(TOY, Options(), 3)
    match = record.match
    ended, revealed = events_of(TOY, record.commits[-1])[-2:]

    assert match.outcome is not None
    assert ended == MatchEnded("finished", match.outcome)
    assert revealed == SeedRevealed(SEED.hex())
    assert match.is_over
    assert match.to_act == ()


@pytest.mark.parametrize("game", [TOY, *GAMES.values()], ids=lambda game: game.key)
def test_a_match_folded_from_its_commits_is_the_one_that_was_played(game: AnyGame) -> None:
    record = played(game, game.options(), game.seats[-1])

    assert match_of(game, record.commits) == record.match


@pytest.mark.parametrize(
    ("field", "value"), [("match", "match-2"), ("version", 3), ("version", 1), ("prev", "ab" * 32)]
)
def test_a_commit_that_does_not_follow_on_is_not_folded(field: str, value: Any) -> None:
    match = started()
    changes: dict[str, Any] = {field: value}
    commit = replace(played_by(match, bid(match, 0)).commit, **changes)

    with pytest.raises(NotFollowingError) as refusal:
        evolve(match, commit)
    assert refusal.value.code == "not_following"
    assert field in str(refusal.value)


def test_commits_fold_in_their_order_alone() -> None:
    first, second, third, *_ = played(TOY, Options(), 3).commits

    for commits in ((second,), (first, third), (first, second, second), (first, third, second)):
        with pytest.raises((NotFollowingError, MalformedError)):
            match_of(TOY, commits)


def test_sealed_fields_are_not_folded() -> None:
    match = started()
    commit = played_by(match, bid(match, 0)).commit
    sealed = {"type": "CardBid", "data": {"seat": 0, "card": {"sealed": "ab" * 32}}}

    with pytest.raises(NotReplayableError):
        evolve(match, replace(commit, events=(sealed,)))


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_has_32_bytes(seed: bytes) -> None:
    with pytest.raises(WrongSeedError) as refusal:
        start(TOY, start_command(Options(), 3), at=NOON, notary=Notary(seed, SIGNER))
    assert refusal.value.code == "wrong_seed"


def test_the_seed_of_another_match_decides_nothing() -> None:
    match = started()
    with pytest.raises(WrongSeedError):
        play(match, bid(match, 0), at=LATER, notary=Notary(bytes(32), SIGNER))


def test_newly_installed_rules_are_recorded_before_they_decide() -> None:
    newer = replace(TOY, rules_version="2", data_hash="0" * 64)
    match = match_of(newer, [first_step().commit])
    changing = played_by(match, bid(match, 0))
    again = played_by(changing.match, bid(match, 1))

    assert events_of(newer, changing.commit)[0] == RulesChanged("2", "0" * 64)
    assert not any(isinstance(each, RulesChanged) for each in events_of(newer, again.commit))


def test_a_game_must_not_use_an_event_name_of_the_platform() -> None:
    @dataclass(frozen=True, slots=True)
    class Dealt:
        pass

    impostor: Any = dataclass(frozen=True)(type("MatchStarted", (), {}))
    game = replace(TOY, event=Dealt | impostor)

    with pytest.raises(ReservedNameError):
        start(game, start_command(Options(), 3), at=NOON, notary=NOTARY)


def test_no_game_of_the_catalogue_uses_an_event_name_of_the_platform() -> None:
    for game in GAMES.values():
        record = played(game, game.options(), game.seats[0], most=3)
        assert isinstance(events_of(game, record.commits[0])[0], MatchStarted)


def test_a_running_match_tells_nothing_when_it_is_printed() -> None:
    record = played(TOY, Options(), 2)
    match = record.match
    hands = [repr(player.hand) for player in match.state.players]
    shown = repr(match) + repr(record.commits)
    assert "move={" not in shown
    assert "events=(" not in shown
    assert repr(match.state) not in shown
    assert all(hand not in shown for hand in hands if hand != "()")
