"""What each event does to the state of a match of Trödler."""

from typing import assert_never

from howff.engine.games.troedler.data import FEED, VILLAGE_INDEX, Card, Cards, Village
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
from howff.engine.games.troedler.state import (
    NO_TURN,
    Delivery,
    Player,
    Stage,
    State,
    Supply,
    sorted_cards,
)
from howff.engine.multisets import without, without_all
from howff.engine.values import replace, with_item


def evolve(state: State, event: Event) -> State:  # noqa: C901, PLR0911, PLR0912, PLR0915
    """Return the state after *event*; an event that was recorded is never refused."""
    match event:
        case DealerCardRevealed():
            return _dealer_card_revealed(state, event)
        case CardPlayed():
            return _card_played(state, event)
        case CartMoved():
            return _cart_moved(state, event)
        case GoodTaken():
            return _good_taken(state, event)
        case GoodSubstituted():
            return _good_substituted(state, event)
        case GoodsDelivered():
            return _goods_delivered(state, event)
        case RequestFulfilled():
            return _request_fulfilled(state, event)
        case HandCardDiscarded():
            return _hand_card_discarded(state, event)
        case PlayedCardsStored():
            return _played_cards_stored(state, event)
        case TurnStarted(seat):
            return replace(state, stage="playing", active=seat, turn=NO_TURN)
        case TurnEnded(seat):
            return replace(state, turn=NO_TURN, turns_done=(*state.turns_done, seat))
        case GoodsLeft():
            return replace(state, stage="playing")
        case SurplusFeedStored():
            return _surplus_feed_stored(state, event)
        case DealerPileTaken():
            return _dealer_pile_taken(state, event)
        case DealerPileDiscarded():
            return _dealer_pile_discarded(state, event)
        case DealerPilesFormed(stage, seat):
            return replace(state, stage=stage, active=seat)
        case RoundStarted():
            return _round_started(state, event)
        case GameStarted() | RoundEnded():
            return state
        case HorsePassed(_, dealer) | StartingDealerChosen(dealer):
            return replace(state, dealer=dealer)
        case DiscardPileReshuffled(_, order):
            supply = replace(state.supply, round_pile=order, discard_pile=(), setup_discard=0)
            return replace(state, supply=supply)
        case GameEnded(_, scores):
            return replace(state, stage="finished", active=None, scores=scores)
        case StartVillagesAssigned(villages):
            players = tuple(Player(each.colour, each.village) for each in villages)
            return replace(state, players=players)
        case GoodsPlaced():
            return _goods_placed(state, event)
        case StartCardsTaken(seat, cards):
            player = replace(state.players[seat], hand=sorted_cards(cards))
            return replace(state, players=state.with_player(seat, player))
        case DiscardPileFormed(size, _, _, _, order):
            supply = replace(state.supply, discard_pile=order, setup_discard=size)
            return replace(state, supply=supply)
        case RoundPileShuffled(_, order):
            return replace(state, supply=replace(state.supply, round_pile=order))
        case _:
            assert_never(event)


def _goods_placed(state: State, event: GoodsPlaced) -> State:
    goods = dict.fromkeys(VILLAGE_INDEX, ()) | {each.village: each.goods for each in event.villages}
    return replace(state, goods=tuple(goods.values()))


def _round_started(state: State, event: RoundStarted) -> State:
    piles: tuple[Cards | None, ...] = ((),) * state.figures.piles
    return replace(
        state,
        stage="forming",
        active=event.dealer,
        round=event.round,
        dealer=event.dealer,
        supply=replace(state.supply, dealer_piles=piles),
        picked=(),
        turns_done=(),
    )


def _dealer_card_revealed(state: State, event: DealerCardRevealed) -> State:
    supply = state.supply
    pile = (*(supply.dealer_piles[event.pile] or ()), event.card)
    dealer_piles = with_item(supply.dealer_piles, event.pile, pile)
    return replace(
        state,
        supply=replace(supply, round_pile=supply.round_pile[1:], dealer_piles=dealer_piles),
    )


def _dealer_pile_discarded(state: State, event: DealerPileDiscarded) -> State:
    supply = _with_discarded(state.supply, event.cards)
    supply = replace(supply, dealer_piles=with_item(supply.dealer_piles, event.pile, None))
    return replace(state, stage="picking", active=event.next_seat, supply=supply)


def _dealer_pile_taken(state: State, event: DealerPileTaken) -> State:
    player = state.players[event.seat]
    hand = sorted_cards((*player.hand, *event.cards))
    dealer_piles = with_item(state.supply.dealer_piles, event.pile, None)
    return replace(
        state,
        stage="picking",
        active=event.next_seat,
        players=state.with_player(event.seat, replace(player, hand=hand)),
        supply=replace(state.supply, dealer_piles=dealer_piles),
        picked=(*state.picked, event.seat),
    )


def _card_played(state: State, event: CardPlayed) -> State:
    player = state.players[event.seat]
    player = replace(player, hand=without(player.hand, event.card))
    turn = replace(state.turn, played=(*state.turn.played, event.card))
    return replace(state, players=state.with_player(event.seat, player), turn=turn)


def _cart_moved(state: State, event: CartMoved) -> State:
    player = replace(state.players[event.seat], cart=event.to)
    stage: Stage = "arriving" if event.take_owed else "playing"
    return replace(state, stage=stage, players=state.with_player(event.seat, player))


def _good_taken(state: State, event: GoodTaken) -> State:
    player = state.players[event.seat]
    player = replace(player, collection=tuple(sorted((*player.collection, event.good))))
    left = without(state.goods_in(event.village), event.good)
    return replace(
        state,
        stage="playing",
        goods=state.with_goods(event.village, left),
        players=state.with_player(event.seat, player),
    )


def _good_substituted(state: State, event: GoodSubstituted) -> State:
    delivery = state.turn.delivery or Delivery(event.request)
    delivery = replace(
        delivery,
        replaced=tuple(sorted((*delivery.replaced, event.wanted))),
        substitutes=tuple(sorted((*delivery.substitutes, event.substitute))),
    )
    return replace(state, stage="delivering", turn=replace(state.turn, delivery=delivery))


def _goods_delivered(state: State, event: GoodsDelivered) -> State:
    player = state.players[event.seat]
    player = replace(player, collection=without_all(player.collection, event.goods))
    goods = tuple(sorted((*state.goods_in(event.village), *event.goods)))
    return replace(
        state,
        goods=state.with_goods(event.village, goods),
        players=state.with_player(event.seat, player),
    )


def _request_fulfilled(state: State, event: RequestFulfilled) -> State:
    villages: tuple[Village, ...] = (*state.turn.delivered_villages, event.village)
    turn = replace(state.turn, delivered_villages=villages, delivery=None)
    return replace(state, stage="playing", turn=turn)


def _played_cards_stored(state: State, event: PlayedCardsStored) -> State:
    player = _with_valuables(state.players[event.seat], event.to_value)
    return replace(
        state,
        stage="trimming",
        players=state.with_player(event.seat, player),
        supply=_with_discarded(state.supply, event.to_discard),
        turn=replace(state.turn, played=()),
    )


def _hand_card_discarded(state: State, event: HandCardDiscarded) -> State:
    player = state.players[event.seat]
    player = replace(player, hand=without(player.hand, event.card))
    return replace(
        state,
        players=state.with_player(event.seat, player),
        supply=_with_discarded(state.supply, (event.card,)),
    )


def _surplus_feed_stored(state: State, event: SurplusFeedStored) -> State:
    player = state.players[event.seat]
    surplus: tuple[Card, ...] = (FEED,) * min(event.count, len(player.hand))
    player = _with_valuables(player, surplus)
    player = replace(player, hand=without_all(player.hand, surplus))
    return replace(state, players=state.with_player(event.seat, player))


def _with_valuables(player: Player, cards: Cards) -> Player:
    return replace(player, value_pile=sorted_cards((*player.value_pile, *cards)))


def _with_discarded(supply: Supply, cards: Cards) -> Supply:
    return replace(supply, discard_pile=(*supply.discard_pile, *cards))
