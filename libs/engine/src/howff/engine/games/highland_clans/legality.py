"""What a seat may do now: the only place where the legality of Highland Clans' moves is written.

Moves are values of a few fields, so they are made once and shared.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import Final, assert_never

from howff.engine.games.highland_clans.data import (
    BARD_PRICE,
    CARD_VALUES,
    CUBES_USED,
    ESTATE_PRICES,
    FEWEST_WARRIORS,
    MADE_OF,
    MOST_ESTATES,
    MOST_EXCHANGED,
    MOST_MONKS,
    POSSESSIONS,
    Cards,
    Colour,
    Cubes,
)
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
from howff.engine.games.highland_clans.state import Action, Board, State
from howff.engine.once import once
from howff.engine.seats import Seat

Moves = tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class _Offer:
    """An action, and the drawn cubes that it takes."""

    action: Action
    move: Move
    cubes: Cubes


@dataclass(frozen=True, slots=True)
class _Offers:
    """The actions not done yet that drawn cubes are enough for, whatever else they need."""

    buildings: Moves
    recruits: Moves
    estates: tuple[AcquireEstate, ...]
    bard: bool


_BUILDINGS: Final = (
    _Offer("place_cattle", PlaceCattle(), MADE_OF["cattle"]),
    _Offer("build_castle", BuildCastle(), MADE_OF["castle"]),
    _Offer("build_monastery", BuildMonastery(), MADE_OF["monastery"]),
)
_RECRUITS: Final = (
    _Offer("recruit_warrior", RecruitWarrior(), MADE_OF["warrior"]),
    _Offer("recruit_bagpiper", RecruitBagpiper(), MADE_OF["bagpiper"]),
    *(
        _Offer("recruit_monks", RecruitMonks(count), MADE_OF["monk"] * count)
        for count in range(1, MOST_MONKS + 1)
    ),
)
_ACQUIRE_ESTATE: Final = tuple(
    AcquireEstate(price, yellow_from_court, green_from_court)
    for price, cubes in ESTATE_PRICES.items()
    for yellow_from_court in (False, True)
    for green_from_court in range(cubes.green + 1)
)
_END_ACTIONS: Final = EndActions()
_END_TURN: Final = EndTurn()
_COMMIT: Final = {
    (value, bagpiper): CommitCard(value, bagpiper)
    for value in CARD_VALUES
    for bagpiper in (False, True)
}
_TAKE_SPOILS: Final = {kind: TakeSpoils(kind) for kind in POSSESSIONS}
_TAKE_NOTHING: Final = TakeSpoils("none")


def to_act(state: State) -> tuple[Seat, ...]:
    """Return the seats that owe a decision now; nobody once the match is over."""
    if state.owed:
        return tuple(debt.seat for debt in state.owed)
    if state.turn is None:
        return ()
    if state.stage == "defender_commit" and state.raid is not None:
        return (state.raid.defender,)
    return (state.turn.seat,)


def legal_moves(state: State, seat: Seat) -> Moves:  # noqa: C901, PLR0911
    """Return what *seat* may do now, in the order of the rules; nothing if it owes no decision."""
    if seat not in to_act(state):
        return ()
    player = state.players[seat]
    match state.stage:
        case "redraw":
            assert state.turn is not None, "cubes are drawn in a turn"
            return _redraws(state.turn.cubes)
        case "actions":
            moves = _actions(state)
            may_end = state.turn is not None and bool(state.turn.done)
            return (*moves, _END_ACTIONS) if may_end else moves
        case "raid_or_exchange":
            return (*_raids(seat, state.seats), *_exchanges(player.hand), _END_TURN)
        case "attacker_commit" | "defender_commit":
            return _commitments(player.hand, player.board.bagpipers > 0)
        case "spoils":
            return _spoils(state)
        case "hand_limit" | "refresh":
            return _discards(player.fresh or player.hand, state.debt_of(seat).count)
        case "finished":
            return ()
        case _:
            assert_never(state.stage)


def has_actions(state: State) -> bool:
    """Return whether the active seat may do an action now."""
    return bool(_actions(state))


@once
def payment(move: AcquireEstate) -> tuple[Cubes, Cubes]:
    """Return which drawn cubes pay for an estate, and which cubes of the own court."""
    from_court = Cubes(yellow=int(move.yellow_from_court), green=move.green_from_court)
    return ESTATE_PRICES[move.price] - from_court, from_court


def _actions(state: State) -> Moves:
    """Return the actions that the active seat may do now, `EndActions` left out."""
    turn = state.turn
    if turn is None or len(turn.done) == turn.action_limit or "play_bard" in turn.done:
        return ()
    offers = _offers(turn.cubes, CUBES_USED - turn.used, turn.done)
    board = state.players[turn.seat].board
    moves = [*offers.buildings] if board.free_estates else []
    moves += offers.recruits
    if state.supply and board.estates < MOST_ESTATES:
        moves += [move for move in offers.estates if _court_pays(board, move)]
    if offers.bard:
        moves += _bards(state, turn.seat)
    return tuple(moves)


@once
def _offers(cubes: Cubes, left: int, done: tuple[Action, ...]) -> _Offers:
    """Return what *cubes* are enough for if *left* of them may be used."""

    def possible(offers: tuple[_Offer, ...]) -> Moves:
        return tuple(
            offer.move
            for offer in offers
            if offer.action not in done and _is_enough(cubes, left, offer.cubes)
        )

    estates = () if "acquire_estate" in done else _ACQUIRE_ESTATE
    return _Offers(
        buildings=possible(_BUILDINGS),
        recruits=possible(_RECRUITS),
        estates=tuple(move for move in estates if _is_enough(cubes, left, payment(move)[0])),
        bard=not done and _is_enough(cubes, left, BARD_PRICE),
    )


def _is_enough(cubes: Cubes, left: int, wanted: Cubes) -> bool:
    return wanted.total <= left and cubes.holds(wanted)


def _court_pays(board: Board, move: AcquireEstate) -> bool:
    """Return whether a court has its share of a payment, and enough warriors left."""
    warriors = board.warriors - move.yellow_from_court
    return warriors >= FEWEST_WARRIORS and board.monks >= move.green_from_court


def _bards(state: State, seat: Seat) -> Iterator[Move]:
    for target, player in enumerate(state.players):
        if target != seat:
            yield from _bards_to(Seat(target), _loose_cubes(player.board))


def _loose_cubes(board: Board) -> tuple[Colour, ...]:
    """Return the colours of which a court can lose a cube to a bard."""
    colours: list[Colour] = []
    if board.warriors > FEWEST_WARRIORS:
        colours.append("yellow")
    if board.bagpipers:
        colours.append("blue")
    if board.monks:
        colours.append("green")
    return tuple(colours)


@once
def _bards_to(target: Seat, loose: tuple[Colour, ...]) -> Moves:
    # Rulings 18 and 19: of two cubes one may be kept, a single one goes into the bag.
    moves: list[Move] = []
    for at, first in enumerate(loose):
        moves.append(PlayBard(target, (first,), None))
        for second in loose[at + 1 :]:
            take = (first, second)
            moves += (PlayBard(target, take, keep) for keep in (None, *take))
    return tuple(moves)


@once
def _redraws(cubes: Cubes) -> Moves:
    counts = (cubes.yellow, cubes.blue, cubes.green, cubes.red)
    choices = product(*(range(count + 1) for count in counts))
    return (KeepCubes(), *(RedrawCubes(*choice) for choice in choices if any(choice)))


@once
def _discards(cards: Cards, count: int) -> Moves:
    return tuple(map(DiscardCards, sorted(set(combinations(cards, count)))))


@once
def _raids(seat: Seat, seats: int) -> Moves:
    return tuple(Raid(Seat(target)) for target in range(seats) if target != seat)


@once
def _exchanges(hand: Cards) -> Moves:
    sizes = range(1, MOST_EXCHANGED + 1)
    choices = chain.from_iterable(combinations(hand, size) for size in sizes)
    return tuple(map(ExchangeCards, sorted(set(choices))))


@once
def _commitments(hand: Cards, has_bagpiper: bool) -> Moves:  # noqa: FBT001
    choices = (False, True) if has_bagpiper else (False,)
    return tuple(_COMMIT[value, bagpiper] for value in sorted(set(hand)) for bagpiper in choices)


def _spoils(state: State) -> Moves:
    assert state.raid is not None, "spoils are taken in a raid"
    board = state.players[state.raid.defender].board
    owned = {"castle": board.castles, "monastery": board.monasteries, "cattle": board.cattle}
    return (*(_TAKE_SPOILS[kind] for kind in POSSESSIONS if owned[kind]), _TAKE_NOTHING)
