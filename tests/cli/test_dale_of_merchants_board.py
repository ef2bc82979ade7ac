from io import StringIO
from typing import Any, Final

import pytest
from rich.console import Console

from howff.cli.terminal.boards.dale_of_merchants import board
from howff.cli.terminal.boards.dale_of_merchants_cards import EFFECTS
from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.data import CARDS, SETS, Card, Cards
from howff.engine.games.dale_of_merchants.state import (
    Build,
    Change,
    Ending,
    HandCard,
    InPlay,
    Market,
    Options,
    Payment,
    Pick,
    Player,
    Private,
    Secret,
    State,
    Turn,
    sorted_hand,
)
from howff.engine.seats import Seat, Viewer
from howff.engine.values import replace
from support.cli import howff
from support.playouts import play_out

NAMES: Final = ("Ivy", "Freya", "Jack", "Scott")
IVY, FREYA = Seat(0), Seat(1)
ACORN, JUNK = HandCard(Card("acorn")), HandCard(Card("junk"))
REFLECTION: Final = HandCard(Card("reflection"))
HAGGLER: Final = HandCard(Card("bold_haggler"), None, (Change("add", 3, 1),), ("roll",))
COPY: Final = HandCard(Card("reflection"), Card("cookies"))


def cards(text: str) -> Cards:
    return tuple(map(Card, text.split()))


TURN: Final = Turn(IVY, techniques=1, changes=1)
TABLE: Final = State(
    options=Options(),
    seats=3,
    sets=("squirrels", "ocelots", "macaws", "chameleons"),
    first_seat=IVY,
    round=7,
    turn=TURN,
    players=(
        Player(
            deck=cards("junk") * 5,
            discard_pile=cards("junk charm spyglass"),
            hand=sorted_hand((ACORN, JUNK, JUNK, HAGGLER, COPY)),
            stall=(cards("swift_broker"), cards("stashing_vendor junk"), cards("charm")),
        ),
        Player(deck=cards("acorn") * 4, hand=(ACORN, ACORN, ACORN)),
        Player(deck=cards("acorn"), discard_pile=cards("gamble"), hand=(ACORN,)),
    ),
    market=Market(
        slots=(*cards("cookies gamble spyglass"), None, Card("empty_chest")),
        deck=cards("charm") * 30,
        discard_pile=cards("acorn charm"),
    ),
    junk_pile=2,
)


def shown(state: State, viewer: Viewer = IVY, width: int = 120, **settings: Any) -> str:
    screen = StringIO()
    console = Console(file=screen, width=width, **settings)
    console.print(board(GAME.view(state, viewer), NAMES[: state.seats]))
    return screen.getvalue()


def row(screen: str, *words: str) -> str:
    """Return the one row that begins with *words*, with single spaces."""
    rows = [" ".join(line.split()) for line in screen.splitlines()]
    (found,) = [each for each in rows if each.startswith(" ".join(words))]
    return found


def in_turn(**changes: Any) -> State:
    return replace(TABLE, turn=replace(TURN, **changes))


def test_the_title_tells_whose_turn_it_is_and_what_is_to_be_decided() -> None:
    assert row(shown(TABLE), "Round") == "Round 7 of at most 200: Ivy chooses an action"
    guess = InPlay(Card("blindfold"), Card("blindfold"), target=FREYA)
    secret = Secret(ACORN, None, None, 4, (), ())
    state = replace(in_turn(in_play=guess), private=Private(secret=secret))
    title = "Round 7 of at most 200: Freya guesses the value of the secret card"
    assert row(shown(state), "Round") == title


def test_the_market_is_told_slot_by_slot_with_prices_and_effects() -> None:
    screen = shown(TABLE)
    assert row(screen, "5 2+") == "5 2+4=6 Squ Empty Chest pass its stack may mix sets"
    assert row(screen, "4 ") == "4 empty"
    assert row(screen, "3 4+") == "3 4+2=6 Mac Spyglass tech+ see 3 of your deck, keep one"
    assert row(screen, "1 2+") == "1 2+0=2 Mac Cookies pass you refill to one card more"
    piles = "30 in the deck, 2 discarded, Charm on top; 2 in the junk pile"
    assert row(screen, "Market") == f"Market {piles}"


def test_rows_tell_of_each_player() -> None:
    screen = shown(TABLE)
    own = "> Ivy (you) 5 in hand, 5 in the deck, 3 discarded, Spyglass on top"
    assert row(screen, "> Ivy") == own
    assert row(screen, "stall") == "stall 1 Swift Broker 2 Stashing Vendor, junk 3 Charm"
    assert row(screen, "Freya") == "Freya 3 in hand, 4 in the deck, none discarded"
    assert row(screen, "Jack") == "Jack 1 in hand, 1 in the deck, 1 discarded, Gamble on top"
    assert row(screen, "Your discards") == "Your discards Spyglass, Charm, junk"


def test_the_own_hand_is_told_with_what_the_turn_has_made_of_it() -> None:
    screen = shown(TABLE)
    assert row(screen, "1 4 Squ") == "1 4 Squ Acorn tech+ swap it for a card in another's stall"
    assert row(screen, "1 4 Oce").startswith("1 4 Oce Bold Haggler worth 4, rolled pass once,")
    assert row(screen, "1 2 Mac").startswith("1 2 Mac Reflection as Cookies pass you refill")
    assert row(screen, "2 1") == "2 1 Junk pays 1"


def test_cards_are_worth_more_in_the_own_turn_alone() -> None:
    state = in_turn(all_up=(2,))
    screen = shown(state)
    assert row(screen, "All cards") == "All cards of Ivy are worth 1 more when used"
    assert row(screen, "1 5 Squ").startswith("1 5 Squ Acorn")
    assert row(shown(state, FREYA), "3 4 Squ").startswith("3 4 Squ Acorn")


def test_a_payment_is_told_as_far_as_it_has_come() -> None:
    payment = Payment(2, Card("spyglass"), 6)
    assert row(shown(in_turn(payment=payment)), "To pay") == "To pay Spyglass for 6; nothing yet"
    picks = (Pick(REFLECTION, None, Card("acorn"), 4), Pick(JUNK, None, None, 1))
    told = row(shown(in_turn(payment=replace(payment, picks=picks)), None), "To pay")
    assert told == "To pay Spyglass for 6; 5 so far: Reflection as Acorn (4), junk (1)"
    assert row(shown(in_turn(paid=picks)), "Paid") == "Paid Reflection as Acorn (4), junk (1)"


def test_a_stack_is_told_as_far_as_it_has_come() -> None:
    state = in_turn(build=Build(4, (Pick(JUNK, 0, None, 1),)), owed=1)
    screen = shown(state)
    assert row(screen, "Stack 4") == "Stack 4 1 so far: junk (1)"
    assert row(screen, "Extra stacks") == "Extra stacks 1"


def test_a_technique_in_play_is_told_with_what_it_has_come_to() -> None:
    in_play = InPlay(Card("reflection"), Card("blindfold"), target=FREYA, guess=2)
    assert row(shown(in_turn(in_play=in_play)), "In play") == (
        "In play Reflection as Blindfold, for Freya, 2 was guessed"
    )
    charm = InPlay(Card("charm"), Card("charm"), revealed=Card("acorn"))
    state = in_turn(in_play=charm, build=Build(4))
    assert row(shown(state), "In play") == "In play Charm, Acorn turned up"


def test_cards_looked_at_are_shown_to_the_active_seat_alone() -> None:
    spying = in_turn(in_play=InPlay(Card("spyglass"), Card("spyglass")))
    state = replace(spying, private=Private(looked_at=cards("cookies junk")))
    assert row(shown(state), "Looked at") == "Looked at Cookies, junk"
    for viewer in (FREYA, None):
        assert row(shown(state, viewer), "Looked at") == "Looked at 2 cards"


def test_a_secret_card_is_shown_to_the_active_seat_alone() -> None:
    secret = Secret(REFLECTION, Card("acorn"), None, 4, (), ())
    asking = in_turn(in_play=InPlay(Card("blindfold"), Card("blindfold")))
    state = replace(asking, private=Private(secret=secret))
    assert row(shown(state), "Secret") == "Secret Reflection as Acorn, worth 4"
    for viewer in (FREYA, None):
        assert row(shown(state, viewer), "Secret") == "Secret a hand card"


def test_a_spectator_sees_no_hand() -> None:
    screen = shown(TABLE, None)
    assert "Worth" not in screen
    assert "(you)" not in screen
    assert "Your discards" not in screen


def test_at_the_end_the_hands_lie_open_and_the_reason_is_told() -> None:
    ending = Ending("round_limit", (1, 2, 2))
    charm = InPlay(Card("charm"), Card("charm"))
    screen = shown(replace(in_turn(in_play=charm), ending=ending), None)
    assert ">" not in screen
    assert "In play" not in screen
    assert row(screen, "The end") == "The end the last round has been played"
    assert row(screen, "Hand of Freya") == "Hand of Freya 3 Acorn"
    assert row(screen, "Round") == "Round 7 of at most 200"


def test_a_set_is_told_by_letters_on_a_ground_of_its_own() -> None:
    screen = shown(replace(TABLE, sets=tuple(SETS)), force_terminal=True, color_system="256")
    for letters, name in zip(
        ("Mac", "Pan", "Rac", "Squ", "Oce", "Cha"), SETS.values(), strict=True
    ):
        at = screen.index(f"m{letters}\x1b[0m")
        style = screen[:at].rpartition("\x1b[")[2].split(";")
        assert {"30", "37"} & set(style), "the letters have a colour"
        assert len(style) > 1, "the ground has a colour"
        assert name in screen


def test_every_card_has_a_short_effect() -> None:
    assert set(EFFECTS) == set(CARDS)
    assert max(map(len, EFFECTS.values())) <= 64


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("width", [80, 120])
def test_no_line_is_too_wide_at_any_stage(seats: int, width: int) -> None:
    sets = tuple(SETS)[-seats - 1 :]
    playout = play_out(GAME, Options(sets=sets), seats, seed=1)
    states = {GAME.view(step.after, IVY).stage: step.after for step in playout.steps}
    assert "finished" in states
    for state in states.values():
        lines = shown(state, width=width).splitlines()
        assert max(map(len, lines)) <= width
        assert all(any(name in line for line in lines) for name in NAMES[:seats])


def test_a_person_can_play_at_the_terminal() -> None:
    result = howff("play", "dale_of_merchants", typed="1\n" * 30 + "q\n", columns=80)
    assert result.exit_code == 0, result.output
    assert result.stdout.count("Your move") == result.stdout.count("What it does") / 2 == 31
    assert " (you)" in result.stdout
