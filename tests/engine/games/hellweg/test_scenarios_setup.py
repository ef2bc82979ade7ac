"""The acceptance scenarios of the setup."""

import pytest

from howff.engine.errors import IllegalMoveError
from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.events import CarriagePlaced, PiecesDue
from howff.engine.seats import Seat
from support.hellweg import NOTATION, given, legal, moves, owned, started, texts, to_act, when
from support.rng import LocalRng
from support.texts import kinds, of

START_TOKENS = moves(
    "place_start_token",
    "wesel_salt",
    "duisburg_ironware",
    "essen_beer",
    "hagen_salt",
    "olpe_ironware",
    "siegen_beer",
    "moenster_salt",
    "moenster_ironware",
    "hamm_beer",
    "soest_salt",
    "lippstadt_ironware",
    "builefeld_salt",
    "paderborn_beer",
    "corbach_salt",
)
"""All but the two of Dortmund."""
NINE_PAIRS = [
    "1: wesel_salt duisburg_wesel",
    "2: hamm_beer hamm_soest",
    "0: siegen_beer olpe_siegen",
    "1: moenster_ironware hamm_moenster",
    "2: soest_salt dortmund_soest",
    "0: olpe_ironware corbach_olpe",
    "1: essen_beer dortmund_essen",
    "2: lippstadt_ironware lippstadt_soest",
    "0: corbach_salt corbach_paderborn",
]
"""The first tokens and carriages of three seats."""


def moves_of(pair: str) -> tuple[str, str]:
    """Return the two moves of a seat that places a token and a carriage."""
    seat, house, road = pair.split()
    return f"{seat} place_start_token {house}", f"{seat} place_start_carriage {road}"


def test_scenario_01_the_starting_player_places_first() -> None:
    state = started(3, starting_seat=1).state
    assert to_act(state) == 1
    assert legal(state) == START_TOKENS
    assert len(START_TOKENS) == 14
    for house in ("dortmund_beer", "dortmund_ironware"):
        with pytest.raises(IllegalMoveError):
            when(state, f"place_start_token {house}")
    draft = when(state, "1: place_start_token wesel_salt")
    assert texts(draft.events) == ["TokenPlaced 1 wesel_salt supply"]
    assert legal(draft.state, 1) == moves(
        "place_start_carriage", "duisburg_wesel", "essen_wesel", "moenster_wesel"
    )
    draft = when(draft.state, "1: place_start_carriage duisburg_wesel")
    assert texts(draft.events) == [
        "CarriagePlaced 1 duisburg_wesel supply 1",
        "PiecesDue 2 setup null 1 1",
    ]
    assert owned(draft.state, 1) == (
        "money 11 | supply 11/7 | tokens wesel_salt | carriages duisburg_wesel"
    )


def test_scenario_01_the_others_follow_clockwise_again_and_again() -> None:
    state = started(3, starting_seat=1).state
    for pair in NINE_PAIRS:
        assert to_act(state) == int(pair[0])
        assert legal(state) == START_TOKENS
        state = when(state, *moves_of(pair)).state
    assert state.month == 1


def test_scenario_02_after_the_setup_every_seat_has_three_tokens_and_three_carriages() -> None:
    draft = started(3, starting_seat=1, deck=["t08"])
    for pair in NINE_PAIRS:
        draft = when(draft.state, *moves_of(pair))
    assert owned(draft.state, 0) == (
        "money 12 | supply 9/5 | tokens olpe_ironware, siegen_beer, corbach_salt"
        " | carriages corbach_olpe, corbach_paderborn, olpe_siegen"
    )
    assert owned(draft.state, 1) == (
        "money 12 | supply 9/5 | tokens wesel_salt, essen_beer, moenster_ironware"
        " | carriages dortmund_essen, duisburg_wesel, hamm_moenster"
    )
    assert owned(draft.state, 2) == (
        "money 11 | supply 9/5 | tokens hamm_beer, soest_salt, lippstadt_ironware"
        " | carriages dortmund_soest, hamm_soest, lippstadt_soest"
    )
    assert texts(draft.events)[:3] == [
        "CarriagePlaced 0 corbach_paderborn supply 1",
        "MonthBegan 1 1",
        "TradingCardRevealed 1 t08 [{olpe_ironware 3 1 0}, {hamm_beer 4 2 0},"
        " {hagen_salt 3 1 0}, {moenster_salt 5 2 1}] false",
    ]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_scenario_02_money_is_ten_and_a_thaler_a_village(seats: int) -> None:
    rng = LocalRng(seats)
    draft = GAME.start(GAME.read_options({}), seats, rng)
    events = list(draft.events)
    while draft.state.stage == "setup":
        found = GAME.legal_moves(draft.state, to_act(draft.state))
        draft = GAME.play(draft.state, to_act(draft.state), rng.roll("move", found), rng)
        events += draft.events
    assert len(of(events, PiecesDue)) == 3 * seats
    for seat, player in enumerate(draft.state.players):
        placed = [event for event in of(events, CarriagePlaced) if event.seat == seat]
        villages = sum(event.village_thaler for event in placed)
        assert (len(player.tokens), len(player.carriages)) == (3, 3)
        assert (player.supply_tokens, player.supply_carriages) == (9, 5)
        assert player.money == 10 + villages


def test_scenario_03_with_the_expansion_only_the_first_round_has_a_carriage() -> None:
    draft = started(2, starting_seat=1, options="warehouse_and_privileges", deck=["t08"])
    pieces = [
        "1: place_start_token wesel_salt",
        "1: place_start_carriage essen_wesel",
        "0: place_start_token corbach_salt",
        "0: place_start_carriage corbach_soest",
        "1: place_start_token builefeld_salt",
        "0: place_start_token paderborn_beer",
        "1: place_start_token essen_beer",
        "0: place_start_token siegen_beer",
    ]
    assert len(pieces) == 2 * (2 + 1 + 1)
    for move in pieces:
        assert draft.state.stage == "setup"
        assert to_act(draft.state) == int(move[0])
        if "token" in move:
            assert legal(draft.state) == START_TOKENS
        draft = when(draft.state, move)
    assert kinds(draft.events)[:3] == ["TokenPlaced", "MonthBegan", "TradingCardRevealed"]
    assert owned(draft.state, 0) == (
        "money 11 | supply 9/7 | tokens siegen_beer, paderborn_beer, corbach_salt"
        " | carriages corbach_soest"
    )
    assert owned(draft.state, 1) == (
        "money 10 | supply 9/7 | tokens wesel_salt, essen_beer, builefeld_salt"
        " | carriages essen_wesel"
    )


def test_scenario_04_a_road_to_dortmund_may_be_the_first() -> None:
    state = when(started(3).state, "place_start_token hagen_salt").state
    assert legal(state) == moves(
        "place_start_carriage", "dortmund_hagen", "duisburg_hagen", "essen_hagen", "hagen_olpe"
    )
    state = when(state, "place_start_carriage dortmund_hagen").state
    assert (
        owned(state, 0) == "money 10 | supply 11/7 | tokens hagen_salt | carriages dortmund_hagen"
    )


@pytest.mark.parametrize(
    ("options", "carriages"), [("", 1), ("warehouse_and_privileges passenger_transportation", 1)]
)
def test_the_opening_tells_its_events_in_order(options: str, carriages: int) -> None:
    draft = started(2, starting_seat=1, options=options, deck=["t05", "t02"])
    found = texts(draft.events)
    assert found[0] == "StartingPlayerChosen 1"
    assert found[1] == (
        "MerchandiseCardsLaidOut [coal_salt, coal_ironware, herring_removal, herring_pair,"
        " wine_pair, tobacco_1]"
    )
    assert found[2].startswith("TradingDeckShuffled [t05, t02, ")
    assert found[3:] == [f"PiecesDue 1 setup null 1 {carriages}"]


def test_in_a_short_game_two_cards_are_set_aside_first() -> None:
    draft = started(2, options="short_game", deck=["t05", "t02", "t11"])
    assert texts(draft.events)[3:] == [
        "TradingCardsSetAside 2 [t05, t02]",
        "PiecesDue 0 setup null 1 1",
    ]
    assert len(draft.state.stack) == 10
    assert draft.state.stack[0] == "t11"
    assert GAME.view(draft.state, None).set_aside is None


def test_the_setup_goes_on_to_the_first_choice_of_the_first_month() -> None:
    draft = when(
        started(2, options="warehouse_and_privileges", deck=["t07"]).state,
        "0: place_start_token hagen_salt",
        "0: place_start_carriage essen_hagen",
        "1: place_start_token wesel_salt",
        "1: place_start_carriage essen_wesel",
        "0: place_start_token essen_beer",
    )
    assert texts(draft.events) == ["TokenPlaced 0 essen_beer supply", "PiecesDue 1 setup null 1 0"]
    draft = when(
        draft.state,
        "1: place_start_token hamm_beer",
        "0: place_start_token hagen_salt",
        "1: place_start_token soest_salt",
    )
    assert texts(draft.events) == [
        "TokenPlaced 1 soest_salt supply",
        "MonthBegan 1 0",
        "TradingCardRevealed 1 t07 [{paderborn_beer 4 1 1}, {moenster_ironware 5 2 1},"
        " {duisburg_ironware 3 1 1}, {hagen_salt 4 1 1}] false",
        "TownPassed 0 1 true",
        "TownPassed 0 2 true",
        "TownPassed 0 3 true",
    ]
    assert legal(draft.state, 0) == ["sell hagen_salt []", "skip_town"]


def test_positions_are_written_as_they_are_read() -> None:
    text = (
        "money 7 | supply 4/3 | tokens olpe_ironware 2, hamm_beer 3"
        " | carriages corbach_olpe, dortmund_moenster 2 | warehouse 3/4 | black entered"
        " | cards coal_salt, wine_pair | merchants market, 3"
        " | privileges storage, stock_up face_down, take_thaler locked | claims 1"
    )
    state = given(options="warehouse_and_privileges", players={1: text})
    assert owned(state, 1) == text
    assert owned(state, Seat(0)) == "money 10 | supply 12/8"
    move = "sell olpe_ironware [corbach_dortmund, corbach_olpe]"
    assert NOTATION.text_of(NOTATION.move(move)) == move
