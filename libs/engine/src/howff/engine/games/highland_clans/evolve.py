"""What each event does to the state of a match of Highland Clans."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, assert_never

from howff.engine.games.highland_clans.data import (
    BARD_PRICE,
    MADE_OF,
    NO_CUBES,
    Card,
    Cards,
    Colour,
    Cubes,
    cubes_of,
)
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
from howff.engine.games.highland_clans.state import (
    Action,
    Board,
    Commitment,
    Debt,
    Ending,
    Fight,
    Player,
    RunningRaid,
    Stage,
    State,
    Turn,
)
from howff.engine.multisets import without, without_all
from howff.engine.seats import Seat
from howff.engine.values import replace

_IN_COURT: Final[Mapping[Colour, str]] = {
    "yellow": "warriors",
    "blue": "bagpipers",
    "green": "monks",
}


def evolve(state: State, event: Event) -> State:  # noqa: C901, PLR0911, PLR0912, PLR0915
    """Return the state after *event*; an event that was recorded is never refused."""
    match event:
        case CardCommitted():
            return _card_committed(state, event)
        case CardsDiscarded():
            return _cards_discarded(state, event)
        case CardsDrawn():
            return _cards_drawn(state, event)
        case TurnStarted(seat, _, position, limit, may_redraw):
            return replace(state, turn=Turn(seat, position, limit, may_redraw))
        case CubesDrawn():
            return _cubes_drawn(state, event)
        case ActionsEnded():
            return _actions_ended(state, event)
        case TurnEnded():
            return replace(state, turn=None, raid=None)
        case FightResolved():
            return _fight_resolved(state, event)
        case DiscardRequired(seat, count, reason):
            stage: Stage = "refresh" if reason == "raid" else "hand_limit"
            return replace(state, stage=stage, owed=(*state.owed, Debt(seat, count, reason)))
        case BardPlayed():
            return _bard_played(state, event)
        case RaidDeclared(attacker, defender):
            return replace(state, stage="attacker_commit", raid=RunningRaid(attacker, defender))
        case RaidResolved():
            return _raid_resolved(state, event)
        case RoundStarted(number, start_seat):
            return replace(state, round=number, start_seat=start_seat)
        case FollowingAssigned(seat, _):
            return replace(state, marker=seat)
        case RoundScored():
            return _round_scored(state, event)
        case EstateRemoved(number):
            revealed = state.revealed if number is None else (*state.revealed, number)
            return replace(
                state, supply=state.supply - 1, removed=state.removed + 1, revealed=revealed
            )
        case StartSeatChosen(seat) | StartSeatPassed(seat):
            return replace(state, start_seat=seat)
        case MonksRecruited(seat, count):
            monks = state.players[seat].board.monks + count
            return _acted(state, seat, "recruit_monks", MADE_OF["monk"] * count, monks=monks)
        case EstateAcquired():
            return _estate_acquired(state, event)
        case CubesRedrawn():
            return _cubes_redrawn(state, event)
        case BagpiperRecruited(seat):
            bagpipers = state.players[seat].board.bagpipers + 1
            return _acted(state, seat, "recruit_bagpiper", MADE_OF["bagpiper"], bagpipers=bagpipers)
        case WarriorRecruited(seat):
            warriors = state.players[seat].board.warriors + 1
            return _acted(state, seat, "recruit_warrior", MADE_OF["warrior"], warriors=warriors)
        case CastleBuilt(seat):
            castles = state.players[seat].board.castles + 1
            return _acted(state, seat, "build_castle", MADE_OF["castle"], castles=castles)
        case CattlePlaced(seat):
            cattle = state.players[seat].board.cattle + 1
            return _acted(state, seat, "place_cattle", MADE_OF["cattle"], cattle=cattle)
        case MonasteryBuilt(seat):
            built = state.players[seat].board.monasteries + 1
            return _acted(state, seat, "build_monastery", MADE_OF["monastery"], monasteries=built)
        case SpoilsTaken():
            return _spoils_taken(state, event)
        case SpoilsDeclined():
            return state
        case DeckReshuffled():
            return replace(state, deck=state.discard_pile, discard_pile=())
        case CubesKept():
            return replace(state, stage="actions")
        case GameEnded(reason, ranking):
            return replace(state, stage="finished", ending=Ending(reason, ranking))
        case GameStarted(_, _, clans):
            return replace(state, players=tuple(map(Player, clans)))
        case CubesSetAside(yellow, blue):
            cubes = Cubes(yellow=yellow, blue=blue)
            return replace(state, bag=state.bag - cubes, set_aside=cubes)
        case BoardsPrepared():
            return _boards_prepared(state, event)
        case HandDealt(seat, _, cards):
            return _with_cards(state, seat, cards)
        case _:
            assert_never(event)


def _boards_prepared(state: State, event: BoardsPrepared) -> State:
    board = Board(
        warriors=event.warriors,
        bagpipers=event.bagpipers,
        estates=event.estates,
        cattle=event.cattle,
        score=event.score,
    )
    bag = state.bag
    for _ in state.players:
        bag -= Cubes(yellow=event.warriors, blue=event.bagpipers, red=event.cattle)
    return replace(
        state, bag=bag, players=tuple(replace(player, board=board) for player in state.players)
    )


def _cubes_drawn(state: State, event: CubesDrawn) -> State:
    turn = state.turn
    assert turn is not None, "cubes are drawn in a turn"
    return replace(
        state,
        stage="redraw" if turn.may_redraw else "actions",
        turn=replace(turn, cubes=event.cubes),
        bag=state.bag - event.cubes,
    )


def _cubes_redrawn(state: State, event: CubesRedrawn) -> State:
    turn = state.turn
    assert turn is not None, "cubes are redrawn in a turn"
    cubes = turn.cubes - event.returned + event.drawn
    bag = state.bag + event.returned - event.drawn
    return replace(state, stage="actions", turn=replace(turn, cubes=cubes), bag=bag)


def _actions_ended(state: State, event: ActionsEnded) -> State:
    assert state.turn is not None, "actions are part of a turn"
    turn = replace(state.turn, cubes=NO_CUBES)
    return replace(state, stage="raid_or_exchange", turn=turn, bag=state.bag + event.returned)


def _estate_acquired(state: State, event: EstateAcquired) -> State:
    board = state.players[event.seat].board
    state = _acted(
        state,
        event.seat,
        "acquire_estate",
        event.from_drawn,
        estates=board.estates + 1,
        warriors=board.warriors - event.from_court.yellow,
        monks=board.monks - event.from_court.green,
    )
    bag = state.bag + event.from_drawn + event.from_court
    return replace(state, bag=bag, supply=state.supply - 1)


def _bard_played(state: State, event: BardPlayed) -> State:
    kept = () if event.kept is None else (event.kept,)
    state = _changed(state, event.target, **_court(state, event.target, event.taken, -1))
    state = _acted(state, event.seat, "play_bard", BARD_PRICE, **_court(state, event.seat, kept, 1))
    not_kept: tuple[Colour, ...] = tuple(colour for colour in event.taken if colour != event.kept)
    return replace(state, bag=state.bag + BARD_PRICE + cubes_of(not_kept))


def _cards_drawn(state: State, event: CardsDrawn) -> State:
    state = _with_cards(state, event.seat, event.cards)
    if event.reason != "raid" or state.options.edition != "dutch":
        return state
    player = state.players[event.seat]
    player = replace(player, fresh=_sorted(player.fresh, event.cards))
    return replace(state, players=state.with_player(event.seat, player))


def _with_cards(state: State, seat: Seat, cards: Cards) -> State:
    player = state.players[seat]
    player = replace(player, hand=_sorted(player.hand, cards))
    deck = without_all(state.deck, cards)
    return replace(state, deck=deck, players=state.with_player(seat, player))


def _cards_discarded(state: State, event: CardsDiscarded) -> State:
    player = state.players[event.seat]
    player = replace(player, hand=without_all(player.hand, event.cards), fresh=())
    return replace(
        state,
        stage="actions" if event.reason == "hand_limit" else state.stage,
        players=state.with_player(event.seat, player),
        discard_pile=_sorted(state.discard_pile, event.cards),
        owed=tuple(debt for debt in state.owed if debt.seat != event.seat),
    )


def _card_committed(state: State, event: CardCommitted) -> State:
    raid = state.raid
    assert raid is not None, "cards are committed in a raid"
    player = state.players[event.seat]
    board = player.board
    if event.bagpiper:
        board = replace(board, bagpipers=board.bagpipers - 1)
    player = replace(player, board=board, hand=without(player.hand, event.value))
    commitment = Commitment(event.value, event.bagpiper)
    return replace(
        state,
        stage="defender_commit",
        players=state.with_player(event.seat, player),
        raid=replace(raid, commitments=(*raid.commitments, commitment)),
    )


def _fight_resolved(state: State, event: FightResolved) -> State:
    raid = state.raid
    assert raid is not None, "fights are part of a raid"
    attacker = Commitment(event.attacker_value, event.attacker_bagpiper)
    defender = Commitment(event.defender_value, event.defender_bagpiper)
    fights = (*raid.fights, Fight(attacker, defender, event.winner))
    bagpipers = MADE_OF["bagpiper"] * (attacker.bagpiper + defender.bagpiper)
    return replace(
        state,
        stage="attacker_commit",
        raid=replace(raid, fights=fights, commitments=()),
        discard_pile=_sorted(state.discard_pile, (attacker.value, defender.value)),
        bag=state.bag + bagpipers,
    )


def _raid_resolved(state: State, event: RaidResolved) -> State:
    for seat, delta in (
        (event.attacker, event.attacker_delta),
        (event.defender, event.defender_delta),
    ):
        if delta:
            state = _changed(state, seat, score=state.players[seat].board.score + delta)
    return replace(state, stage="spoils") if event.spoils else state


def _spoils_taken(state: State, event: SpoilsTaken) -> State:
    board = state.players[event.defender].board
    match event.kind:
        case "castle":
            state = _changed(state, event.defender, castles=board.castles - 1)
        case "monastery":
            state = _changed(state, event.defender, monasteries=board.monasteries - 1)
        case "cattle":
            state = _changed(state, event.defender, cattle=board.cattle - 1)
        case _:
            assert_never(event.kind)
    if event.cattle_placed:
        cattle = state.players[event.attacker].board.cattle + 1
        return _changed(state, event.attacker, cattle=cattle)
    return replace(state, bag=state.bag + MADE_OF[event.kind])


def _round_scored(state: State, event: RoundScored) -> State:
    players = tuple(
        replace(player, board=replace(player.board, score=each.score))
        for player, each in zip(state.players, event.seats, strict=True)
    )
    return replace(state, players=players)


def _changed(state: State, seat: Seat, **changes: Any) -> State:
    """Return the state with *changes* to the board of *seat*."""
    player = state.players[seat]
    player = replace(player, board=replace(player.board, **changes))
    return replace(state, players=state.with_player(seat, player))


def _acted(state: State, seat: Seat, action: Action, cubes: Cubes, **changes: Any) -> State:
    """Return the state once *action* has used drawn *cubes*, with *changes* to the own board."""
    turn = state.turn
    assert turn is not None, "actions are done in a turn"
    turn = replace(
        turn,
        cubes=turn.cubes - cubes,
        used=turn.used + cubes.total,
        done=(*turn.done, action),
    )
    return replace(_changed(state, seat, **changes), turn=turn)


def _court(state: State, seat: Seat, colours: tuple[Colour, ...], more: int) -> dict[str, int]:
    """Return what stands in the court of *seat* once it has so many *more* of each of *colours*."""
    board = state.players[seat].board
    return {_IN_COURT[colour]: getattr(board, _IN_COURT[colour]) + more for colour in colours}


def _sorted(cards: Cards, more: Iterable[Card]) -> Cards:
    return tuple(sorted((*cards, *more)))
