"""Worlds that fit what a seat knows of a match of Dale of Merchants.

Hidden cards are dealt anew until the hand of another seat explains what that seat has to decide.
Hands of others bear the marks that are known; who remembers nothing may think of any. Any are drawn
too where no hand explains a decision without.
"""

from collections.abc import Iterator
from itertools import count, islice
from typing import Final

from howff.engine.games.dale_of_merchants.agreement import agrees
from howff.engine.games.dale_of_merchants.clean_up import hand_limit
from howff.engine.games.dale_of_merchants.copying import COPIERS, uses_of, value_of
from howff.engine.games.dale_of_merchants.data import CARDS, Cards
from howff.engine.games.dale_of_merchants.dealt import Deal, deal
from howff.engine.games.dale_of_merchants.known import MARKET, Memory, SeatMemory
from howff.engine.games.dale_of_merchants.legality import COOKIES, highest_guess, moves_at
from howff.engine.games.dale_of_merchants.seen import held_of, looked_at_of, with_seen
from howff.engine.games.dale_of_merchants.stages import Stage
from howff.engine.games.dale_of_merchants.state import (
    NOTHING_PRIVATE,
    Change,
    Hand,
    HandCard,
    Market,
    Player,
    Private,
    Secret,
    State,
    Turn,
    plain,
    sorted_hand,
)
from howff.engine.games.dale_of_merchants.view import Revelation, View
from howff.engine.multisets import without, without_all
from howff.engine.rng import Rng
from howff.engine.seats import Seat
from howff.engine.values import replace, with_item

_EXPLAINED: Final[frozenset[Stage]] = frozenset(
    {"pay", "build", "copy_cookies", "discard_next", "throw_looked_card"}
)
"""Where a seat is asked only if its hidden cards leave it two moves at least."""
_PATIENCE: Final = 50
"""After so many deals that explain nothing, cards are marked at random."""


def sample_world(view: View, memory: Memory, rng: Rng) -> State:
    """Return a state that *view* and *memory* allow, drawn evenly from the deals that fit.

    The real world is among the deals, at the latest with marks; so some deal will do.
    """
    if view.revelation is not None:
        return _revealed(view, view.revelation)
    known, patience = with_seen(memory, view), _PATIENCE if memory.seats else 0
    # A card seen in a hand may be a stray or not; then less is known than is remembered.
    is_vague = any(map(_knows_less, known.seats, memory.seats))
    return next(
        world
        for world in _worlds(view, known, patience, rng)
        if _is_explained(world, view) and (not is_vague or agrees(memory, world))
    )


def _knows_less(known: SeatMemory, remembered: SeatMemory) -> bool:
    return known.held_strays < remembered.held_strays


def _worlds(view: View, known: Memory, patience: int, rng: Rng) -> Iterator[State]:
    is_looked_at = view.private is None and looked_at_of(view) == MARKET
    looked_at = view.looked_at if is_looked_at else 0
    for attempt in count():
        dealt = deal(known, view.market.deck_size + looked_at, rng)
        world = _world(view, dealt)
        if view.private is None and view.turn is not None:
            world = _with_marked_cards(world, held_of(view, known))
            if attempt >= patience:
                world = _with_any_marks(world, view.turn, held_of(view, known), rng)
            if view.has_secret:
                world = _with_secret(world, view, known, rng)
        yield world


def _is_explained(world: State, view: View) -> bool:
    """Return whether the active seat, if it is not the viewer, has to decide what it decides."""
    turn = world.turn
    if turn is None or view.private is not None:
        return True
    secret, in_play = world.private.secret, turn.in_play
    if secret is not None and in_play is not None and in_play.guess == secret.value:
        return False
    if view.stage not in _EXPLAINED:
        return True
    if view.stage == "copy_cookies" and not _has_drawn_all(world.players[turn.seat]):
        return False
    return len(tuple(islice(moves_at(world, view.stage, turn.seat), 2))) > 1


def _has_drawn_all(player: Player) -> bool:
    """Return whether a clean-up would draw no more: Cookies are asked about only then."""
    missing = hand_limit(player) - len(player.hand)
    return missing == 0 or (missing > 0 and not (player.deck or player.discard_pile))


def _world(view: View, dealt: Deal) -> State:
    """Return the world of a deal, as far as all can see."""
    owner, private = looked_at_of(view), view.private or NOTHING_PRIVATE
    decks, market = dealt.decks, dealt.market
    if owner is not None and not isinstance(owner, str):
        looked_at, deck = decks[owner][: view.looked_at], decks[owner][view.looked_at :]
        decks = with_item(decks, owner, deck)
        private = replace(private, looked_at=looked_at)
    elif owner is not None and view.private is None:
        private = replace(private, looked_at=market[: view.looked_at])
        market = market[view.looked_at :]
    hands = tuple(map(plain, dealt.hands))
    if view.seat is not None and view.hand is not None:
        hands = with_item(hands, view.seat, view.hand)
    return _state(view, hands, decks, market, private)


def _with_marked_cards(world: State, marked: Hand) -> State:
    """Return the world once these cards are in the active hand, instead of unmarked ones."""
    if world.turn is None or not marked:
        return world
    seat = world.turn.seat
    rest = without_all(world.players[seat].hand, (HandCard(held.card) for held in marked))
    return _with_hand(world, seat, (*rest, *marked))


def _with_secret(world: State, view: View, known: Memory, rng: Rng) -> State:
    """Return the world with the secret card of Blindfold; once it was shown, it is bound."""
    secret = known.secret or _secret(world, rng)
    if view.stage == "set_value" and view.turn is not None and known.secret is None:
        rest = without(world.players[view.turn.seat].hand, secret.card)
        world = _with_hand(world, view.turn.seat, (*rest, secret.as_bound))
    return replace(world, private=replace(world.private, secret=secret))


def _with_hand(world: State, seat: Seat, hand: Hand) -> State:
    player = replace(world.players[seat], hand=sorted_hand(hand))
    return replace(world, players=world.with_player(seat, player))


def _secret(world: State, rng: Rng) -> Secret:
    """Return any card of the active hand as a secret, in any of its uses."""
    assert world.turn is not None, "a secret card is chosen in a turn"
    seat = world.turn.seat
    held = rng.roll("secret card", world.players[seat].hand)
    use = rng.roll("use", uses_of(world, seat, held))
    return Secret(
        held,
        use.as_type,
        use.copy_of,
        value_of(world.turn, use),
        use.taken_changes,
        use.taken_abilities,
    )


def _with_any_marks(world: State, turn: Turn, known: Hand, rng: Rng) -> State:
    """Return the world with random marks on the cards of the active hand, but for *known* ones."""
    rest = without_all(world.players[turn.seat].hand, known)
    types = tuple(card for card, each in CARDS.items() if each.set in {None, *world.sets})
    if turn.phase == "clean_up":
        types = (*types, *(COOKIES,) * len(types))  # Copies of others explain nothing there.
    marked = (_marked(held, turn, types, rng) for held in rest)
    return _with_hand(world, turn.seat, (*known, *marked))


def _marked(held: HandCard, turn: Turn, types: Cards, rng: Rng) -> HandCard:
    as_type, changes = held.as_type, held.changes
    if held.card in COPIERS and rng.draw("is bound", 2):
        as_type = rng.roll("copied type", types)
    if turn.changes > len(turn.all_up) and rng.draw("is changed", 2):
        value = 1 + rng.draw("changed value", highest_guess(turn))
        changes = (Change("set", value, turn.changes),)
    return HandCard(held.card, as_type, changes, held.used)


def _state(
    view: View,
    hands: tuple[Hand, ...],
    decks: tuple[Cards, ...],
    market: Cards,
    private: Private,
) -> State:
    players = tuple(
        Player(deck, seen.discard_pile, hand, seen.stall)
        for seen, hand, deck in zip(view.players, hands, decks, strict=True)
    )
    return State(
        options=view.options,
        seats=len(players),
        sets=view.sets,
        first_seat=view.first_seat,
        round=view.round,
        turn=view.turn,
        private=private,
        players=players,
        market=Market(view.market.slots, market, view.market.discard_pile),
        junk_pile=view.junk_pile,
        substitutes=view.substitutes,
        removed=view.removed,
        ending=view.ending,
    )


def _revealed(view: View, seen: Revelation) -> State:
    private = view.private or NOTHING_PRIVATE
    return _state(view, seen.hands, seen.decks, seen.market_deck, private)
