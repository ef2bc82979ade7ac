"""Dale of Merchants in the terminal."""

from collections import Counter
from collections.abc import Iterable, Iterator

from rich.box import SIMPLE_HEAD
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from howff.cli.terminal.boards.dale_of_merchants_cards import EFFECTS
from howff.cli.terminal.boards.lines import Line, grid_of
from howff.engine.games.dale_of_merchants.card_names import as_copy, card_name, marks_of
from howff.engine.games.dale_of_merchants.copying import changed_value
from howff.engine.games.dale_of_merchants.data import CARDS, SETS, SURCHARGES, Card, Cards, SetId
from howff.engine.games.dale_of_merchants.event_lines import reason_text
from howff.engine.games.dale_of_merchants.stages import Stage
from howff.engine.games.dale_of_merchants.state import Hand, HandCard, InPlay, Pick, Turn
from howff.engine.games.dale_of_merchants.view import PlayerView, View
from howff.engine.seats import Seat

_SETS: dict[SetId, tuple[str, str]] = {
    "macaws": ("Mac", "white on dark_red"),
    "pandas": ("Pan", "black on grey93"),
    "raccoons": ("Rac", "white on grey30"),
    "squirrels": ("Squ", "white on orange4"),
    "ocelots": ("Oce", "black on yellow"),
    "chameleons": ("Cha", "black on green"),
}
"""Letters on a ground of its own, so that it can be read on light and dark terminals alike."""
_KINDS = {"technique": "tech", "passive": "pass", "rubbish": ""}
_DOINGS: dict[Stage, str] = {
    "choose_action": "chooses an action",
    "choose_bonus_action": "may do a bonus action",
    "pay": "pays",
    "throw_paid_junk": "may throw away junk that paid",
    "build": "builds a stack",
    "choose_extra_stack": "may build an extra stack",
    "inventory": "discards what is not wanted",
    "copy_cookies": "may let a card count as Cookies",
    "discard_next": "discards the hand, card by card",
    "throw_hand_card": "throws away a hand card",
    "keep_card": "takes one of the cards looked at",
    "return_card": "puts cards back on the deck",
    "throw_looked_card": "throws away a card looked at",
    "throw_market_card": "throws away the market, card by card",
    "take_market_card": "takes a card of the market",
    "choose_victims": "chooses who has to discard",
    "place_on_deck": "puts a card on another deck",
    "choose_opponent": "chooses an opponent",
    "give_back": "gives a card back",
    "take_from_discard": "takes from a discard pile",
    "swap_with_stall": "chooses a card in a stall",
    "throw_from_discard": "throws away a discarded card",
    "choose_secret_card": "chooses a secret card",
    "guess_value": "guesses the value of the secret card",
    "set_value": "sets the value of the secret card",
    "swap_with_market": "chooses a card in the market",
    "finished": "has finished",
}


def board(view: View, names: tuple[str, ...]) -> RenderableType:
    """Return the market, what belongs to each seat, the turn, and the own hand."""
    title = Text(_title(view, names), style="bold")
    parts: list[RenderableType] = [
        title,
        _legend(view),
        _market(view),
        grid_of(_lines(view, names)),
    ]
    if view.hand is not None and view.revelation is None:
        parts.append(_hand(view, view.hand))
    return Group(*parts)


def _title(view: View, names: tuple[str, ...]) -> str:
    doing = " and ".join(f"{names[seat]} {_DOINGS[view.stage]}" for seat in view.to_act)
    return f"Round {view.round} of at most {view.options.round_limit}{doing and ': '}{doing}"


def _legend(view: View) -> Columns:
    sets = [Text.assemble(_mark(each), f" {SETS[each]}") for each in view.sets]
    kinds = ("tech a technique", "tech+ brings a bonus action", "pass a passive effect")
    return Columns([*sets, *kinds], padding=(0, 3))


def _market(view: View) -> Table:
    table = _card_table("Slot", "Price")
    for slot in reversed(range(len(SURCHARGES))):
        card = view.market.slots[slot]
        if card is None:
            table.add_row(f"{slot + 1}", "", "", "empty")
        else:
            value, surcharge = CARDS[card].value, SURCHARGES[slot]
            price = f"{value}+{surcharge}={value + surcharge}"
            table.add_row(f"{slot + 1}", price, *_card_row(card, Text(CARDS[card].name)))
    return table


def _hand(view: View, hand: Hand) -> Table:
    table = _card_table("Hand", "Worth")
    for held, count in Counter(hand).items():
        marks = "" if view.turn is None else marks_of(view.turn, held)
        name = Text.assemble(CARDS[held.card].name, (f" {marks}" if marks else "", "bold"))
        table.add_row(f"{count}", f"{_worth(view, held)}", *_card_row(held.current, name))
    return table


def _card_table(first: str, second: str) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for title in (first, second):
        table.add_column(title, justify="right", no_wrap=True)
    for title in ("Set", "Card", "Kind"):
        table.add_column(title, no_wrap=title != "Card")
    table.add_column("What it does")
    return table


def _card_row(card: Card, name: Text) -> Iterator[RenderableType]:
    record = CARDS[card]
    yield "" if record.set is None else _mark(record.set)
    yield name
    yield f"{_KINDS[record.kind]}{'+' if record.plus else ''}"
    yield EFFECTS[card]


def _worth(view: View, held: HandCard) -> int:
    if view.turn is None or view.turn.seat != view.seat:
        return CARDS[held.current].value
    return changed_value(view.turn, held.current, held.changes)


def _lines(view: View, names: tuple[str, ...]) -> Iterator[Line]:
    market = view.market
    decks = f"{market.deck_size} in the deck, {_pile(market.discard_pile)}"
    yield "Market", f"{decks}; {view.junk_pile} in the junk pile"
    for at, (name, player) in enumerate(zip(names, view.players, strict=True)):
        yield from _player_lines(view, Seat(at), name, player)
    if view.ending is None and view.turn is not None:
        yield from _turn_lines(view, view.turn, names)
    if view.ending is not None and view.revelation is not None:
        yield "The end", reason_text(view.ending.reason)
        for name, hand in zip(names, view.revelation.hands, strict=True):
            yield f"Hand of {name}", _together(held.card for held in hand)


def _player_lines(view: View, seat: Seat, name: str, player: PlayerView) -> Iterator[Line]:
    has_turn = view.ending is None and view.turn is not None and view.turn.seat == seat
    sign = ">" if has_turn else " "
    own = " (you)" if seat == view.seat else ""
    decks = f"{player.deck_size} in the deck, {_pile(player.discard_pile)}"
    yield f"{sign} {name}{own}", f"{player.hand_size} in hand, {decks}"
    if player.stall:
        yield "    stall", Columns(list(_stall(player.stall)), padding=(0, 3))


def _stall(stall: tuple[Cards, ...]) -> Iterator[Text]:
    for number, stack in enumerate(stall, start=1):
        yield Text.assemble((f"{number} ", "bold"), _together(stack))


def _pile(cards: Cards) -> str:
    return f"{len(cards)} discarded, {card_name(cards[-1])} on top" if cards else "none discarded"


def _turn_lines(view: View, turn: Turn, names: tuple[str, ...]) -> Iterator[Line]:
    if turn.payment is not None:
        wanted = f"{card_name(turn.payment.card)} for {turn.payment.price}"
        yield "To pay", f"{wanted}; {_so_far(turn.payment.picks)}"
    if turn.paid:
        yield "Paid", _picked(turn.paid)
    if turn.build is not None:
        yield f"Stack {turn.build.number}", _so_far(turn.build.picks)
    if turn.owed:
        yield "Extra stacks", f"{turn.owed}"
    if turn.in_play is not None:
        yield "In play", _in_play(turn.in_play, names)
    if turn.all_up:
        yield "All cards", f"of {names[turn.seat]} are worth {len(turn.all_up)} more when used"
    yield from _private_lines(view)
    yield from _own_pile(view)


def _so_far(picks: tuple[Pick, ...]) -> str:
    if not picks:
        return "nothing yet"
    return f"{sum(pick.value for pick in picks)} so far: {_picked(picks)}"


def _picked(picks: tuple[Pick, ...]) -> str:
    return ", ".join(f"{as_copy(pick.card, pick.as_type)} ({pick.value})" for pick in picks)


def _in_play(in_play: InPlay, names: tuple[str, ...]) -> str:
    copied = None if in_play.effect == in_play.card else in_play.effect
    parts = [as_copy(HandCard(in_play.card), copied)]
    if in_play.target is not None:
        parts.append(f"for {names[in_play.target]}")
    if in_play.revealed is not None:
        parts.append(f"{card_name(in_play.revealed)} turned up")
    if in_play.guess is not None:
        parts.append(f"{in_play.guess} was guessed")
    return ", ".join(parts)


def _private_lines(view: View) -> Iterator[Line]:
    if view.private is None:
        if view.looked_at:
            yield "Looked at", f"{view.looked_at} cards"
        if view.has_secret:
            yield "Secret", "a hand card"
        return
    if view.private.looked_at:
        yield "Looked at", _listed(view.private.looked_at)
    secret = view.private.secret
    if secret is not None:
        yield "Secret", f"{as_copy(secret.card, secret.as_type)}, worth {secret.value}"


def _own_pile(view: View) -> Iterator[Line]:
    """Yield the whole of the own discard pile, which some cards search."""
    if view.seat is not None and len(view.players[view.seat].discard_pile) > 1:
        yield "Your discards", _listed(reversed(view.players[view.seat].discard_pile))


def _together(cards: Iterable[Card]) -> str:
    counts = Counter(map(card_name, cards)).items()
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in counts) or "none"


def _listed(cards: Iterable[Card]) -> str:
    return ", ".join(map(card_name, cards))


def _mark(set_id: SetId) -> Text:
    letters, style = _SETS[set_id]
    return Text(letters, style=style)
