"""What a legal move causes in a match of Highland Clans."""

from typing import assert_never

from howff.engine.games.highland_clans.data import Cards, Cubes
from howff.engine.games.highland_clans.events import (
    BagpiperRecruited,
    BardPlayed,
    CardsDiscarded,
    CastleBuilt,
    CattlePlaced,
    CubesKept,
    CubesRedrawn,
    DiscardRequired,
    EstateAcquired,
    MonasteryBuilt,
    MonksRecruited,
    RaidDeclared,
    WarriorRecruited,
)
from howff.engine.games.highland_clans.evolve import evolve
from howff.engine.games.highland_clans.legality import payment
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
from howff.engine.games.highland_clans.raids import commit_card, take_spoils
from howff.engine.games.highland_clans.state import State
from howff.engine.games.highland_clans.turns import (
    Decision,
    draw_cards,
    draw_cubes,
    end_actions,
    end_actions_if_none_is_left,
    end_turn,
)
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat


def decide(  # noqa: C901, PLR0912, PLR0915
    state: State, seat: Seat, move: Move, rng: Rng
) -> Decision:
    """Return what *move* causes; it is one of the legal moves of *seat*."""
    decision = Draft(state, evolve)
    match move:
        case CommitCard():
            commit_card(decision, seat, move, rng)
        case DiscardCards(cards):
            _discard(decision, seat, cards, rng)
        case ExchangeCards(cards):
            decision.add(CardsDiscarded(seat, "exchange", len(cards), cards))
            draw_cards(decision, seat, "exchange", len(cards), rng)
            end_turn(decision, rng)
        case EndTurn():
            end_turn(decision, rng)
        case Raid(target):
            decision.add(RaidDeclared(seat, target))
        case PlayBard():
            _play_bard(decision, seat, move, rng)
        case AcquireEstate():
            _acquire_estate(decision, seat, move)
        case RecruitMonks(count):
            decision.add(MonksRecruited(seat, count))
            _go_on(decision)
        case RecruitBagpiper():
            decision.add(BagpiperRecruited(seat))
            _go_on(decision)
        case RecruitWarrior():
            decision.add(WarriorRecruited(seat))
            draw_cards(decision, seat, "recruit", 1, rng)
            _go_on(decision)
        case BuildCastle():
            decision.add(CastleBuilt(seat))
            _go_on(decision)
        case PlaceCattle():
            decision.add(CattlePlaced(seat))
            _go_on(decision)
        case BuildMonastery():
            decision.add(MonasteryBuilt(seat))
            _go_on(decision)
        case EndActions():
            end_actions(decision)
        case TakeSpoils(kind):
            take_spoils(decision, kind, rng)
        case RedrawCubes():
            _redraw_cubes(decision, seat, move, rng)
        case KeepCubes():
            decision.add(CubesKept(seat))
            end_actions_if_none_is_left(decision)
        case _:
            assert_never(move)
    return decision


def _go_on(decision: Decision) -> None:
    """Go on after an action, unless somebody has to discard first."""
    if not decision.state.owed:
        end_actions_if_none_is_left(decision)


def _acquire_estate(decision: Decision, seat: Seat, move: AcquireEstate) -> None:
    from_drawn, from_court = payment(move)
    decision.add(EstateAcquired(seat, from_drawn, from_court))
    _lose_card(decision, seat, from_court.yellow)
    _go_on(decision)


def _play_bard(decision: Decision, seat: Seat, move: PlayBard, rng: Rng) -> None:
    decision.add(BardPlayed(seat, move.target, move.take, move.keep))
    if move.keep == "yellow":
        draw_cards(decision, seat, "bard", 1, rng)
    _lose_card(decision, move.target, move.take.count("yellow"))
    _go_on(decision)


def _lose_card(decision: Decision, seat: Seat, warriors: int) -> None:
    """Make *seat* discard a card for each of its *warriors* that has gone."""
    if warriors:
        decision.add(DiscardRequired(seat, warriors, "hand_limit"))


def _discard(decision: Decision, seat: Seat, cards: Cards, rng: Rng) -> None:
    reason = decision.state.debt_of(seat).reason
    decision.add(CardsDiscarded(seat, reason, len(cards), cards))
    if reason == "hand_limit":
        _go_on(decision)
    elif not decision.state.owed:
        end_turn(decision, rng)


def _redraw_cubes(decision: Decision, seat: Seat, move: RedrawCubes, rng: Rng) -> None:
    returned = Cubes(move.yellow, move.blue, move.green, move.red)
    # Ruling 14: what was returned may be drawn again.
    bag = decision.state.bag + returned
    drawn = draw_cubes(bag, returned.total, "redrawn cubes", rng)
    decision.add(CubesRedrawn(seat, returned, drawn))
    end_actions_if_none_is_left(decision)
