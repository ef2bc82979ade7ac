"""The end of a turn: hand and market are filled, and the next seat begins its turn."""

from howff.engine.games.dale_of_merchants.copying import Use
from howff.engine.games.dale_of_merchants.data import HAND, SLOTS, Cards
from howff.engine.games.dale_of_merchants.events import (
    CardBound,
    GameEnded,
    HandCardsShown,
    JunkTaken,
    MarketShifted,
    Shift,
    ShowCause,
    TurnEnded,
    TurnStarted,
)
from howff.engine.games.dale_of_merchants.legality import COOKIES, could_be_cookies
from howff.engine.games.dale_of_merchants.piles import Decision, draw_cards, fill_market
from howff.engine.games.dale_of_merchants.scoring import ranking
from howff.engine.games.dale_of_merchants.state import Player
from howff.engine.rng import Rng
from howff.engine.seats import Seat, seat_after


def clean_up(decision: Decision, rng: Rng) -> None:
    """End the active turn, as far as nobody has to decide whether a card counts as Cookies."""
    turn = decision.state.turn
    assert turn is not None, "only a turn that has begun is cleaned up"
    if _is_hand_filled(decision, turn.seat, rng):
        _take_junk(decision, turn.seat)
        _show_cookies(decision, turn.seat)
        _shift_market(decision)
        fill_market(decision, rng)
        _end_turn(decision, turn.seat)


def bind(decision: Decision, seat: Seat, use: Use, cause: ShowCause) -> None:
    """Make a hand card the copy that it is used as, and show by which cards it got there."""
    if use.copy_of is not None:
        decision.add(
            CardBound(
                seat,
                use.card,
                use.used_as,
                use.copy_of,
                use.taken_changes,
                use.taken_abilities,
            )
        )
    show_chain(decision, seat, use, cause)


def show_chain(decision: Decision, seat: Seat, use: Use, cause: ShowCause) -> None:
    """Show the hand cards by which a copier came to what it copies."""
    if use.shown:
        decision.add(HandCardsShown(seat, use.shown, cause))


def hand_limit(player: Player) -> int:
    """Return up to how many cards a hand is filled."""
    return HAND + sum(held.current == COOKIES for held in player.hand)


def _is_hand_filled(decision: Decision, seat: Seat, rng: Rng) -> bool:
    """Fill the hand; return False if a copier may count as Cookies and its seat has to say so."""
    while True:
        _draw_up_to_limit(decision, seat, rng)
        player = decision.state.players[seat]
        if len(player.hand) > hand_limit(player):
            return True
        candidates = list(could_be_cookies(decision.state, seat))
        if not candidates:
            return True
        _, use, must = candidates[0]
        if not must:
            return False
        bind(decision, seat, use, "copy")


def _draw_up_to_limit(decision: Decision, seat: Seat, rng: Rng) -> None:
    while True:
        player = decision.state.players[seat]
        missing = hand_limit(player) - len(player.hand)
        if missing <= 0 or not (player.deck or player.discard_pile):
            return
        draw_cards(decision, seat, _enough(player.deck, missing), rng)


def _enough(deck: Cards, missing: int) -> int:
    """Return how many cards fill a hand, as each Cookies among them makes room for another."""
    count = missing
    while count < missing + deck[:count].count(COOKIES):
        count += 1
    return count


def _take_junk(decision: Decision, seat: Seat) -> None:
    player = decision.state.players[seat]
    missing = hand_limit(player) - len(player.hand)
    if missing > 0:
        substitutes = max(0, missing - decision.state.junk_pile)
        decision.add(JunkTaken(seat, missing, substitutes))


def _show_cookies(decision: Decision, seat: Seat) -> None:
    """Show why the hand is larger than usual, if cards were drawn for that."""
    turn = decision.state.turn
    hand = decision.state.players[seat].hand
    cookies = tuple(held for held in hand if held.current == COOKIES)
    if turn is not None and turn.drew_beyond and cookies:
        decision.add(HandCardsShown(seat, cookies, "cookies"))


def _shift_market(decision: Decision) -> None:
    filled = [slot for slot in SLOTS if decision.state.market.slots[slot] is not None]
    moves = tuple(Shift(slot, to) for to, slot in enumerate(filled) if slot != to)
    if moves:
        decision.add(MarketShifted(moves))


def _end_turn(decision: Decision, seat: Seat) -> None:
    state = decision.state
    decision.add(TurnEnded(seat, state.round))
    following = seat_after(seat, state.seats)
    is_round_over = following == state.first_seat
    if is_round_over and state.round == state.options.round_limit:
        decision.add(GameEnded("round_limit", ranking(state)))
        return
    decision.add(TurnStarted(following, state.round + is_round_over))
