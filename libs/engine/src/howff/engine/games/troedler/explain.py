"""What players read of a match of Trödler: one line for a move, one for an event."""

from collections import Counter
from typing import Any, Final, assert_never, cast

from howff.engine.game import Names
from howff.engine.games.troedler.data import (
    EXTRA,
    FEED,
    REQUESTS,
    ROUTE_BETWEEN,
    VILLAGES,
    Card,
    Cards,
    Good,
    Goods,
    RouteType,
    Village,
)
from howff.engine.games.troedler.events import (
    CardPlayed,
    CartMoved,
    DealerCardRevealed,
    DealerPileDiscarded,
    DealerPilesFormed,
    DealerPileTaken,
    DiscardPileFormed,
    DiscardPileReshuffled,
    Event,
    GameEnded,
    GameStarted,
    GoodsDelivered,
    GoodsLeft,
    GoodsPlaced,
    GoodSubstituted,
    GoodTaken,
    HandCardDiscarded,
    HorsePassed,
    PlayedCardsStored,
    RequestFulfilled,
    RoundEnded,
    RoundPileShuffled,
    RoundStarted,
    StartCardsTaken,
    StartingDealerChosen,
    StartVillagesAssigned,
    SurplusFeedStored,
    TurnEnded,
    TurnStarted,
)
from howff.engine.games.troedler.moves import (
    CompleteDelivery,
    DiscardCard,
    DiscardPile,
    EndTurn,
    FeedRoute,
    FeedSubstitute,
    FeedTake,
    FulfilRequest,
    LeaveGoods,
    Move,
    PlayExtra,
    PlayRoute,
    RevealAll,
    RevealCard,
    TakeGood,
    TakePile,
)
from howff.engine.games.troedler.state import Score
from howff.engine.games.troedler.view import View
from howff.engine.seats import Seat
from howff.engine.visibility import told
from howff.engine.words import listed

_DRIVES: Final[dict[RouteType, str]] = {
    "bridge": "crosses the bridge to",
    "ferry": "takes the ferry to",
    "moor_path": "follows the moor path to",
    "mountain_trail": "climbs the mountain trail to",
}
_CARDS: Final[dict[str, str]] = {
    "bridge": "a bridge",
    "ferry": "a ferry",
    "moor_path": "a moor path",
    "mountain_trail": "a mountain trail",
    EXTRA: "an extra good",
    FEED: "special feed",
}
_COUNTS: Final = ("no", "one", "two", "three")


def explain(view: View, seat: Seat | None, subject: Any, names: Names) -> str:
    """Return one line on *subject*: a move of *seat*, or an event as redacted for the viewer."""
    if isinstance(subject, Move):
        assert seat is not None, "a move is somebody's"
        return f"{names[seat]} {_move_line(view, seat, subject)}"
    return _event_line(cast("Event", subject), names)


def village_name(village: Village) -> str:
    """Return the name on the map."""
    return VILLAGES[village].name


def goods_text(goods: Goods) -> str:
    """Return a multiset of goods in words, such as "two vases and a chair"."""
    return listed([_counted(good, count) for good, count in Counter(goods).items()])


def card_text(card: Card) -> str:
    """Return what a card is, in words."""
    request = REQUESTS.get(card)
    if request is None:
        return _CARDS[card]
    return f"the request for {goods_text(request.goods)} ({request.points} points)"


def _move_line(view: View, seat: Seat, move: Move) -> str:  # noqa: C901, PLR0911, PLR0912
    cart = view.players[seat].cart
    match move:
        case RevealCard():
            return "deals a card"
        case RevealAll():
            return "deals all cards of the round"
        case DiscardPile(pile):
            return f"discards pile {pile + 1}{_top_of(view, pile)}"
        case TakePile(pile):
            return f"takes pile {pile + 1}{_top_of(view, pile)}"
        case PlayRoute(route_type, to):
            return f"{_DRIVES[route_type]} {village_name(to)}"
        case FeedRoute(to):
            return f"feeds the horse and {_DRIVES[ROUTE_BETWEEN[cart, to]]} {village_name(to)}"
        case PlayExtra(good):
            return f"takes {_a(good)} from {village_name(cart)} with an extra good"
        case FeedTake(good):
            return f"takes {_a(good)} from {village_name(cart)} with special feed"
        case FulfilRequest(request):
            return f"delivers {_request(request)} to {village_name(cart)}"
        case FeedSubstitute(request, wanted, substitute):
            swap = f"swaps {_a(wanted)} for {_a(substitute)}"
            return f"{swap} with special feed, for {card_text(request)}"
        case CompleteDelivery():
            return f"completes the delivery to {village_name(cart)}"
        case TakeGood(good):
            return f"takes {_a(good)} from {village_name(cart)}"
        case LeaveGoods():
            return f"takes nothing from {village_name(cart)}"
        case EndTurn():
            return "ends the turn"
        case DiscardCard(card):
            return f"discards {card_text(card)}"
        case _:
            assert_never(move)


def _event_line(event: Event, names: Names) -> str:  # noqa: C901, PLR0911, PLR0912, PLR0915
    match event:
        case GameStarted(seats, _):
            return f"The match begins with {seats} seats"
        case StartVillagesAssigned(villages):
            starts = [
                f"{names[each.seat]} ({each.colour}) in {village_name(each.village)}"
                for each in villages
            ]
            return f"The carts start: {listed(starts)}"
        case GoodsPlaced(villages):
            return f"Goods lie in {len(villages)} villages"
        case StartCardsTaken(seat, cards):
            return f"{names[seat]} takes the starting cards{_faces(told(cards))}"
        case DiscardPileFormed(_, requests, feed, top, _):
            aside = f"{requests} requests and {feed} feed are laid aside"
            return aside if told(top) is None else f"{aside}, {card_text(top)} on top"
        case RoundPileShuffled(size, _):
            return f"{size} cards are shuffled into the round pile"
        case StartingDealerChosen(seat):
            return f"{names[seat]} gets the horse and deals first"
        case RoundStarted(number, dealer):
            return f"Round {number} begins, {names[dealer]} deals"
        case DiscardPileReshuffled(size, _):
            return f"The discard pile becomes a round pile of {size} cards"
        case DealerCardRevealed(pile, _, card):
            return f"Pile {pile + 1} gets {_maybe(card)}"
        case DealerPilesFormed(stage, seat):
            verb = "discards a pile" if stage == "dumping" else "picks first"
            return f"The piles are complete, {names[seat]} {verb}"
        case DealerPileDiscarded(seat, pile, _, top, _):
            topped = _topped(told(top))
            if seat is None:
                return f"Pile {pile + 1}{topped} goes to the discard pile"
            return f"{names[seat]} discards pile {pile + 1}{topped}"
        case DealerPileTaken(seat, pile, _, top, cards):
            return f"{names[seat]} takes pile {pile + 1}{_faces(told(cards)) or _topped(told(top))}"
        case TurnStarted(seat):
            return f"{names[seat]} begins a turn"
        case CardPlayed(seat, card, _):
            return f"{names[seat]} plays {_maybe(card)}"
        case CartMoved(seat, _, to, route_type, _):
            return f"{names[seat]} {_DRIVES[route_type]} {village_name(to)}"
        case GoodTaken(seat, village, good):
            return f"{names[seat]} takes {_a(good)} from {village_name(village)}"
        case GoodsLeft(seat, village):
            return f"{names[seat]} takes nothing from {village_name(village)}"
        case GoodSubstituted(seat, _, wanted, substitute):
            if told(wanted) is None or told(substitute) is None:
                return f"{names[seat]} swaps a good"
            return f"{names[seat]} swaps {_a(wanted)} for {_a(substitute)}"
        case GoodsDelivered(seat, village, goods):
            return f"{names[seat]} delivers {goods_text(goods)} to {village_name(village)}"
        case RequestFulfilled(seat, village, request):
            what = "a request" if told(request) is None else card_text(request)
            return f"{names[seat]} fulfils {what} in {village_name(village)}"
        case PlayedCardsStored(seat, discarded, valued, _, _):
            if told(discarded) == told(valued) == 0:
                return f"{names[seat]} has played no card"
            return f"{names[seat]} clears away the played cards"
        case HandCardDiscarded(seat, card):
            return f"{names[seat]} discards {_maybe(card)}"
        case SurplusFeedStored(seat, count):
            much = "surplus feed" if told(count) is None else f"{count} surplus feed"
            return f"{names[seat]} stores {much}"
        case TurnEnded(seat):
            return f"{names[seat]} ends the turn"
        case RoundEnded(number):
            return f"Round {number} ends"
        case HorsePassed(from_seat, to_seat):
            return f"{names[from_seat]} passes the horse to {names[to_seat]}"
        case GameEnded(_, scores):
            return _ended(scores, names)
        case _:
            assert_never(event)


def _ended(scores: tuple[Score, ...], names: Names) -> str:
    winners = [name for name, score in zip(names, scores, strict=True) if score.rank == 1]
    verb = "wins" if len(winners) == 1 else "share the win"
    ruined = [name for name, score in zip(names, scores, strict=True) if score.total_damage]
    last = f"; {listed(ruined)} has total damage, and so is last by the rules" if ruined else ""
    return f"The match is over: {listed(winners)} {verb}{last}"


def _top_of(view: View, pile: int) -> str:
    seen = view.dealer_piles[pile]
    return _topped(None if seen is None else seen.top)


def _topped(top: Card | None) -> str:
    return "" if top is None else f" with {card_text(top)} on top"


def _faces(cards: Cards | None) -> str:
    return "" if cards is None else f": {listed([card_text(card) for card in cards])}"


def _maybe(card: Card) -> str:
    return "a card" if told(card) is None else card_text(card)


def _request(request: Card) -> str:
    wanted = REQUESTS[request]
    return f"{goods_text(wanted.goods)} ({wanted.points} points)"


def _a(good: Good) -> str:
    return f"an {good}" if good[0] in "aeiou" else f"a {good}"


def _counted(good: Good, count: int) -> str:
    return _a(good) if count == 1 else f"{_COUNTS[count]} {good}s"
