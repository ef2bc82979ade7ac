from dataclasses import replace as replaced
from typing import Any, Final

import pytest

from howff.engine.codec import classes_of
from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.data import Card, Cubes
from howff.engine.games.highland_clans.events import (
    ActionsEnded,
    BagpiperRecruited,
    BardPlayed,
    BoardsPrepared,
    CardCommitted,
    CardsDiscarded,
    CardsDrawn,
    CastleBuilt,
    CattlePlaced,
    CubesDrawn,
    CubesKept,
    CubesRedrawn,
    CubesSetAside,
    DeckReshuffled,
    DiscardRequired,
    EstateAcquired,
    EstateRemoved,
    Event,
    FightResolved,
    FollowingAssigned,
    GameEnded,
    GameStarted,
    HandDealt,
    MonasteryBuilt,
    MonksRecruited,
    RaidDeclared,
    RaidResolved,
    RoundScore,
    RoundScored,
    RoundStarted,
    SpoilsDeclined,
    SpoilsTaken,
    StartSeatChosen,
    StartSeatPassed,
    TurnEnded,
    TurnStarted,
    WarriorRecruited,
)
from howff.engine.games.highland_clans.explain import explain
from howff.engine.games.highland_clans.moves import (
    AcquireEstate,
    BuildCastle,
    BuildMonastery,
    CommitCard,
    DiscardCards,
    EndActions,
    EndTurn,
    ExchangeCards,
    KeepCubes,
    Move,
    PlaceCattle,
    PlayBard,
    Raid,
    RecruitBagpiper,
    RecruitMonks,
    RecruitWarrior,
    RedrawCubes,
    TakeSpoils,
)
from howff.engine.games.highland_clans.state import Board, Options, State
from howff.engine.games.highland_clans.view import RaidView, View
from howff.engine.seats import Seat, Viewer
from howff.engine.values import replace
from support.playouts import play_out, told_live
from support.rng import LocalRng
from support.seals import redacted

NAMES: Final = ("Ivy", "Freya", "Jack", "Scott", "Isla")
IVY, FREYA, JACK = Seat(0), Seat(1), Seat(2)
CARDS: Final = (Card(1), Card(1), Card(4))
SCORES: Final = (
    RoundScore(green=3, cattle=2, cattle_bonus=2, blue=1, total=8, score=31),
    RoundScore(green=0, cattle=1, cattle_bonus=0, blue=0, total=1, score=9),
    RoundScore(green=2, cattle=0, cattle_bonus=0, blue=4, total=6, score=31),
)


def fight(attack: Card, defence: Card, winner: Seat | None) -> FightResolved:
    return FightResolved(
        fight=2,
        attacker_value=attack,
        attacker_bagpiper=True,
        defender_value=defence,
        defender_bagpiper=False,
        winner=winner,
    )


MOVES: Final[tuple[tuple[Move, str], ...]] = (
    (KeepCubes(), "keeps the cubes"),
    (RedrawCubes(2, 0, 0, 1), "puts 2 yellow and 1 red back and draws as many"),
    (PlaceCattle(), "puts cattle on an estate"),
    (BuildCastle(), "builds a castle"),
    (BuildMonastery(), "builds a monastery"),
    (RecruitWarrior(), "recruits a warrior and draws a card"),
    (RecruitBagpiper(), "recruits a bagpiper"),
    (RecruitMonks(1), "recruits a monk"),
    (RecruitMonks(2), "recruits 2 monks"),
    (
        AcquireEstate("red", yellow_from_court=False, green_from_court=0),
        "acquires an estate for a drawn yellow cube and a drawn red cube",
    ),
    (
        AcquireEstate("green", yellow_from_court=True, green_from_court=1),
        "acquires an estate for a warrior, a monk and a drawn green cube",
    ),
    (
        AcquireEstate("green", yellow_from_court=True, green_from_court=2),
        "acquires an estate for a warrior and 2 monks",
    ),
    (PlayBard(FREYA, ("blue",), None), "sends a bard to Freya: a bagpiper goes into the bag"),
    (
        PlayBard(FREYA, ("yellow", "green"), None),
        "sends a bard to Freya: a warrior and a monk go into the bag",
    ),
    (
        PlayBard(FREYA, ("yellow", "green"), "yellow"),
        "sends a bard to Freya: keeps a warrior, a monk goes into the bag",
    ),
    (EndActions(), "does no other action"),
    (DiscardCards((Card(3),)), "discards a 3"),
    (DiscardCards((Card(1), Card(4))), "discards 2 cards: 1, 4"),
    (Raid(JACK), "raids Jack"),
    (ExchangeCards((Card(2),)), "exchanges a 2"),
    (ExchangeCards(CARDS), "exchanges 3 cards: 1, 1, 4"),
    (EndTurn(), "ends the turn"),
    (CommitCard(Card(3), bagpiper=False), "lays down a 3"),
    (CommitCard(Card(3), bagpiper=True), "lays down a 3 with a bagpiper"),
    (TakeSpoils("cattle"), "takes cattle from Freya"),
    (TakeSpoils("castle"), "tears down a castle of Freya"),
    (TakeSpoils("monastery"), "tears down a monastery of Freya"),
    (TakeSpoils("none"), "takes nothing from Freya"),
)

EVENTS: Final[tuple[tuple[Event, str], ...]] = (
    (
        GameStarted(3, Options(), ("campbell", "macleod", "macgregor")),
        "The match begins with 3 seats: Ivy (Campbell), Freya (MacLeod) and Jack (MacGregor)",
    ),
    (CubesSetAside(4, 2), "4 yellow and 2 blue are set aside"),
    (CubesSetAside(0, 0), "No cubes are set aside"),
    (
        BoardsPrepared(4, 2, 2, 1, 5),
        "Each clan has 4 warriors and 2 bagpipers, 1 cattle on 2 estates, and 5 points",
    ),
    (HandDealt(IVY, 3, CARDS), "Ivy is dealt 3 cards: 1, 1, 4"),
    (HandDealt(FREYA, 3, CARDS), "Freya is dealt 3 cards"),
    (StartSeatChosen(FREYA), "Freya gets the start card"),
    (RoundStarted(2, FREYA), "Round 2 begins, Freya is first"),
    (
        TurnStarted(FREYA, 2, 1, 2, may_redraw=True),
        "Freya begins a turn with 2 actions, and may redraw cubes",
    ),
    (TurnStarted(IVY, 2, 3, 1, may_redraw=False), "Ivy begins a turn with 1 action"),
    (CubesDrawn(IVY, Cubes(2, 1, 3, 0)), "Ivy draws 2 yellow, 1 blue and 3 green"),
    (CubesKept(IVY), "Ivy keeps the cubes"),
    (
        CubesRedrawn(IVY, Cubes(yellow=2), Cubes(blue=1, red=1)),
        "Ivy puts 2 yellow back and draws 1 blue and 1 red",
    ),
    (CattlePlaced(IVY), "Ivy puts cattle on an estate"),
    (CastleBuilt(IVY), "Ivy builds a castle"),
    (MonasteryBuilt(IVY), "Ivy builds a monastery"),
    (WarriorRecruited(IVY), "Ivy recruits a warrior"),
    (BagpiperRecruited(IVY), "Ivy recruits a bagpiper"),
    (MonksRecruited(IVY, 2), "Ivy recruits 2 monks"),
    (
        EstateAcquired(IVY, Cubes(green=2), Cubes(yellow=1)),
        "Ivy acquires an estate for a warrior and 2 drawn green cubes",
    ),
    (
        BardPlayed(IVY, FREYA, ("blue", "green"), "blue"),
        "Ivy sends a bard to Freya: keeps a bagpiper, a monk goes into the bag",
    ),
    (CardsDrawn(IVY, "recruit", 1, (Card(4),)), "Ivy draws a 4"),
    (CardsDrawn(IVY, "raid", 3, CARDS), "Ivy draws 3 cards: 1, 1, 4"),
    (CardsDrawn(FREYA, "bard", 1, (Card(4),)), "Freya draws a card"),
    (CardsDrawn(FREYA, "exchange", 3, CARDS), "Freya draws 3 cards"),
    (DeckReshuffled(34), "The discard pile becomes a deck of 34 cards"),
    (DiscardRequired(FREYA, 1, "hand_limit"), "Freya has to discard a card"),
    (DiscardRequired(IVY, 2, "raid"), "Ivy has to discard 2 cards"),
    (CardsDiscarded(IVY, "exchange", 3, CARDS), "Ivy discards 3 cards: 1, 1, 4"),
    (CardsDiscarded(FREYA, "raid", 3, CARDS), "Freya discards 3 cards"),
    (ActionsEnded(IVY, Cubes(blue=2, red=1)), "Ivy puts 2 blue and 1 red back into the bag"),
    (RaidDeclared(IVY, FREYA), "Ivy raids Freya"),
    (CardCommitted(IVY, 1, bagpiper=True, value=Card(4)), "Ivy lays down a 4 with a bagpiper"),
    (CardCommitted(FREYA, 1, bagpiper=False, value=Card(4)), "Freya lays down a card"),
    (
        fight(Card(3), Card(2), IVY),
        "Fight 2, a 3 with a bagpiper against a 2: Ivy wins",
    ),
    (
        fight(Card(3), Card(4), None),
        "Fight 2, a 3 with a bagpiper against a 4: nobody wins",
    ),
    (
        RaidResolved(IVY, FREYA, 1, 0, "attacker", 1, 0, spoils=True),
        "Ivy wins the raid by 1 to 0: Ivy gets 1 point",
    ),
    (
        RaidResolved(IVY, FREYA, 0, 2, "defender", -1, 2, spoils=False),
        "Freya beats off the raid by 2 to 0: Ivy loses 1 point and Freya gets 2 points",
    ),
    (
        RaidResolved(IVY, FREYA, 0, 2, "defender", 0, 2, spoils=False),
        "Freya beats off the raid by 2 to 0: Freya gets 2 points",
    ),
    (
        RaidResolved(IVY, FREYA, 1, 1, "draw", 1, 0, spoils=False),
        "The raid is drawn, 1 to 1: Ivy gets 1 point",
    ),
    (SpoilsTaken(IVY, FREYA, "cattle", cattle_placed=True), "Ivy takes cattle from Freya"),
    (
        SpoilsTaken(IVY, FREYA, "cattle", cattle_placed=False),
        "Ivy takes cattle from Freya, but has no room for it",
    ),
    (
        SpoilsTaken(IVY, FREYA, "castle", cattle_placed=False),
        "Ivy tears down a castle of Freya",
    ),
    (SpoilsDeclined(IVY, FREYA), "Ivy takes nothing from Freya"),
    (TurnEnded(IVY), "Ivy ends the turn"),
    (FollowingAssigned(IVY, None), "Ivy gets the marker of the largest following"),
    (FollowingAssigned(IVY, IVY), "Ivy keeps the marker of the largest following"),
    (FollowingAssigned(None, None), "Nobody has the largest following"),
    (
        RoundScored(4, SCORES),
        "Round 4 scores for green, red and blue: "
        "Ivy 3+4+1 (now 31), Freya 0+1+0 (now 9) and Jack 2+0+4 (now 31)",
    ),
    (EstateRemoved(None), "An estate leaves the match unseen"),
    (EstateRemoved(34), "An estate leaves the match, its number is 34"),
    (StartSeatPassed(JACK), "The start card goes to Jack"),
    (
        GameEnded("estate_number", (1, 3, 1)),
        "The match is over, as the number of the estate that left has been reached: "
        "Ivy and Jack share the win",
    ),
    (
        GameEnded("bag_exhausted", (2, 1, 3)),
        "The match is over, as the bag holds too few cubes for the next turn: Freya wins",
    ),
    (
        GameEnded("supply_exhausted", (1, 2, 3)),
        "The match is over, as no estate is left that could leave: Ivy wins",
    ),
)


def view_in_a_raid(viewer: Viewer = IVY) -> View:
    state = GAME.start(Options(start_seat=IVY), 3, LocalRng(0)).state
    return replaced(GAME.view(state, viewer), raid=RaidView(IVY, FREYA, (), None))


def line(event: Event, viewer: Viewer = IVY) -> str:
    (told,) = told_live((event,), viewer)
    return explain(view_in_a_raid(viewer), None, told, NAMES[:3])


def with_rich_courts(state: State, cubes: Cubes) -> State:
    """Return *state* with courts and estates from which everything can be paid and taken."""
    assert state.turn is not None
    board = Board(warriors=5, bagpipers=2, monks=2, estates=3, cattle=1, score=5)
    return replace(
        state,
        players=tuple(replace(player, board=board) for player in state.players),
        turn=replace(state.turn, cubes=cubes),
    )


def lines_of_moves(state: State, seat: Seat) -> list[str]:
    moves = GAME.legal_moves(state, seat)
    return [explain(GAME.view(state, seat), seat, move, NAMES[: state.seats]) for move in moves]


@pytest.mark.parametrize(("move", "expected"), MOVES)
def test_a_move_has_a_line(move: Move, expected: str) -> None:
    assert explain(view_in_a_raid(), IVY, move, NAMES[:3]) == f"Ivy {expected}"


def test_every_kind_of_move_was_tried() -> None:
    assert {type(move) for move, _ in MOVES} == set(classes_of(Move))


@pytest.mark.parametrize(("event", "expected"), EVENTS)
def test_an_event_has_a_line_for_whom_it_is_told(event: Event, expected: str) -> None:
    assert line(event) == expected


def test_every_kind_of_event_was_tried() -> None:
    assert {type(event) for event, _ in EVENTS} == set(classes_of(Event))


@pytest.mark.parametrize("viewer", [FREYA, None])
def test_the_cards_of_a_seat_are_told_to_nobody_else(viewer: Viewer) -> None:
    assert line(CardsDrawn(IVY, "raid", 3, CARDS), viewer) == "Ivy draws 3 cards"
    assert line(CardsDiscarded(IVY, "hand_limit", 1, (Card(4),)), viewer) == "Ivy discards a card"
    committed = CardCommitted(IVY, 1, bagpiper=True, value=Card(4))
    assert line(committed, viewer) == "Ivy lays down a card with a bagpiper"


def test_a_fight_that_is_read_again_keeps_its_bagpipers_and_its_winner() -> None:
    again: Any = redacted(fight(Card(3), Card(2), IVY), None, told_live=False)
    told = explain(view_in_a_raid(None), None, again, NAMES[:3])
    assert told == "Fight 2, a card with a bagpiper against a card: Ivy wins"


@pytest.mark.parametrize("edition", ["consolidated", "dutch"])
def test_no_two_moves_have_the_same_line_in_a_match(edition: Any) -> None:
    playout = play_out(GAME, Options(edition=edition), 5, seed=1)
    for step in playout.steps:
        for seat in GAME.to_act(step.after):
            lines = lines_of_moves(step.after, seat)
            assert len(set(lines)) == len(lines)


@pytest.mark.parametrize("cubes", [Cubes(1, 2, 2, 1), Cubes(2, 1, 3, 0), Cubes(1, 1, 2, 2)])
@pytest.mark.parametrize("stage", ["actions", "redraw"])
def test_no_two_moves_have_the_same_line_where_there_are_many(stage: Any, cubes: Cubes) -> None:
    start = GAME.start(Options(start_seat=IVY), 5, LocalRng(0)).state
    state = with_rich_courts(replace(start, stage=stage), cubes)
    lines = lines_of_moves(state, IVY)
    assert len(set(lines)) == len(lines) > 20


def test_no_two_of_these_moves_have_the_same_line() -> None:
    lines = {explain(view_in_a_raid(), IVY, move, NAMES) for move, _ in MOVES}
    assert len(lines) == len(MOVES)
