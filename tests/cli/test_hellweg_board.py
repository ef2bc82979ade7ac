import re
from collections import Counter
from io import StringIO
from typing import Any, Final

import pytest
from rich.console import Console

from howff.cli.terminal.boards.hellweg import board
from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.data import (
    HOUSES,
    ROADS,
    TOWNS,
    House,
    MerchandiseCard,
    Road,
    TradingCard,
)
from howff.engine.games.hellweg.state import (
    LEFTOVER,
    AdditionalCarriages,
    Due,
    HeldPrivilege,
    Houses,
    Options,
    Pair,
    Player,
    Roads,
    Sales,
    Standing,
    State,
    Turn,
)
from howff.engine.seats import Seat
from howff.engine.values import replace
from support.cli import howff
from support.playouts import play_out

NAMES: Final = ("Ivy", "Freya", "Jack", "Scott")
IVY, FREYA, JACK = Seat(0), Seat(1), Seat(2)
MODULES: Final = Options(warehouse_and_privileges=True, passenger_transportation=True)
MATCHES: Final = (
    (2, Options(simultaneous_sales=True, short_game=True)),
    (3, Options()),
    (4, MODULES),
)
"""Numbers of seats with options."""


def houses(text: str) -> Houses:
    return tuple(map(House, text.split()))


def roads(text: str) -> Roads:
    return tuple(map(Road, text.split()))


def cards(text: str) -> tuple[MerchandiseCard, ...]:
    return tuple(map(MerchandiseCard, text.split()))


TABLE: Final = State(
    options=Options(),
    seats=3,
    stage="actions",
    starting_seat=FREYA,
    month=4,
    players=(
        Player(
            money=7,
            supply_tokens=9,
            supply_carriages=5,
            tokens=houses("essen_beer essen_beer dortmund_ironware"),
            carriages=roads("dortmund_essen duisburg_wesel hagen_olpe"),
            cards=cards("coal_salt herring_pair"),
            merchants=("market",),
        ),
        Player(
            money=12,
            supply_tokens=10,
            supply_carriages=4,
            tokens=houses("essen_beer soest_salt"),
            carriages=roads("dortmund_essen dortmund_essen duisburg_wesel paderborn_soest"),
            merchants=(2, "market"),
        ),
        Player(money=3, merchants=("market", 4)),
    ),
    for_sale=cards("coal_beer herring_removal wine_plain tobacco_1"),
    card=TradingCard("t09"),
    stack=(TradingCard("t01"), TradingCard("t02")),
    turn=Turn(IVY, 2),
)
EXPANSION: Final = replace(
    TABLE,
    options=MODULES,
    players=(
        replace(
            TABLE.players[IVY],
            warehouse_tokens=2,
            warehouse_carriages=1,
            privileges=(
                HeldPrivilege("storage"),
                HeldPrivilege("stock_up", "face_down"),
                HeldPrivilege("take_thaler", "locked"),
            ),
        ),
        replace(TABLE.players[FREYA], claims=2),
        TABLE.players[JACK],
    ),
    additional_carriages=AdditionalCarriages(JACK),
)
SALES: Final = replace(
    TABLE,
    stage="sales",
    turn=None,
    players=tuple(replace(each, merchants=(), sales=Sales()) for each in TABLE.players),
)


def shown(state: State, width: int = 80, **settings: Any) -> str:
    screen = StringIO()
    console = Console(file=screen, width=width, **settings)
    console.print(board(GAME.view(state, None), NAMES[: state.seats]))
    return screen.getvalue()


def rows(screen: str, *words: str) -> list[str]:
    """Return the rows that begin with *words*, with single spaces."""
    squeezed = [" ".join(line.split()) for line in screen.splitlines()]
    return [each for each in squeezed if each.startswith(" ".join(words))]


def row(screen: str, *words: str) -> str:
    """Return the one row that begins with *words*."""
    (found,) = rows(screen, *words)
    return found


def now(state: State) -> str:
    return row(shown(state, 120), "Now").removeprefix("Now ")


def pieces(state: State, place: str) -> str:
    """Return how the pieces in a house or on a road are to be shown."""
    counts = [(*player.tokens, *player.carriages).count(place) for player in state.players]
    return "".join(
        f"{letter}{count if count > 1 else ''}"
        for letter, count in zip("ABCD", counts, strict=False)
        if count
    )


def road_label(state: State, road: Road) -> str:
    return f"({' '.join(filter(None, ['v' * ROADS[road].village, pieces(state, road)]))})"


def map_of(screen: str) -> str:
    return screen[screen.index("\n") : screen.index("cobbled")]


def test_the_title_tells_of_the_month_and_who_is_first() -> None:
    assert shown(TABLE).startswith("Month 4 of 12: actions in round 2, Freya is first")
    assert shown(SALES).startswith("Month 4 of 12: sales, Freya is first")
    start = replace(TABLE, stage="setup", month=0, card=None, turn=None)
    assert shown(start).startswith("The first pieces are placed, Freya is first")


def test_the_map_tells_whose_tokens_lie_in_a_house_and_what_it_pays() -> None:
    drawn = map_of(shown(TABLE))
    assert "beer A2B" in drawn
    assert "*4 ironware A" in drawn
    assert "*4 salt B" in drawn
    assert "*3 beer" in drawn
    assert "*5 salt" in drawn
    assert drawn.count("*") == 4


def test_the_map_tells_whose_carriages_are_on_a_road_and_where_villages_are() -> None:
    drawn = map_of(shown(TABLE))
    assert "(AB2)" in drawn
    assert "(v AB)" in drawn
    assert "(A)" in drawn
    assert "(B)" in drawn
    assert drawn.count("(v)") == sum(record.village for record in ROADS.values()) - 1
    assert drawn.count("(") == drawn.count("(v)") + 4


@pytest.mark.parametrize("width", [80, 95, 120, 200])
def test_nothing_on_the_map_covers_anything_else(width: int) -> None:
    playout = play_out(GAME, MODULES, 4, seed=3)
    for step in playout.steps[::30]:
        drawn = map_of(shown(step.after, width))
        labels = Counter(road_label(step.after, road) for road in ROADS)
        assert Counter(re.findall(r"\(.*?\)", drawn)) == Counter(labels) - Counter({"()": 28})
        assert all(f" {record.name} " in drawn for record in TOWNS.values())
        goods = Counter(
            " ".join(filter(None, [record.merchandise, pieces(step.after, house)]))
            for house, record in HOUSES.items()
        )
        found = re.findall(r"(?:beer|salt|ironware)(?: [A-D][A-D\d]*)?(?= )", drawn)
        assert Counter(found) == goods


def test_a_narrow_terminal_gets_a_list_of_towns_instead_of_the_map() -> None:
    screen = shown(TABLE, 60)
    assert row(screen, "Essen") == "Essen beer A2B"
    roads_of_essen = "=Dortmund(AB2) =Duisburg .Hagen(v) .Mönster =Wesel"
    assert row(screen, "=Dortmund(AB2)") == roads_of_essen
    assert row(screen, "Dortmund beer") == "Dortmund beer, *4 ironware A"
    assert row(screen, ".Corbach =Hagen") == ".Corbach =Hagen(A) .Siegen(v)"


def test_cards_for_sale_are_told_with_price_value_and_function() -> None:
    screen = shown(TABLE)
    assert row(screen, "For sale") == "For sale Price Value What it does"
    assert row(screen, "coal 15") == "coal 15 18 +1 for beer"
    assert row(screen, "herring 20") == "herring 20 24 +1 for each carriage removed"
    assert row(screen, "wine") == "wine 25 32 nothing more"
    assert row(screen, "tobacco") == "tobacco 1 30 37 tobacco with tobacco counts 90"
    assert row(shown(EXPANSION), "wine") == "wine 25 32 nothing more; a privilege"
    assert row(shown(EXPANSION), "coal 15") == "coal 15 18 +1 for beer"


def test_nothing_for_sale_is_not_told() -> None:
    assert "For sale" not in shown(replace(TABLE, for_sale=()))


def test_a_row_tells_what_a_player_has() -> None:
    screen = shown(TABLE)
    assert row(screen, "> A Ivy") == "> A Ivy 7 9t 5c 3t 3c coal (+1 for salt) 57"
    assert row(screen, "herring (") == "herring (coal with herring counts 50)"
    assert row(screen, "B Freya 12") == "B Freya 12 10t 4c 2t 4c 12"
    assert row(screen, "C Jack 3") == "C Jack 3 12t 8c 0t 0c 3"


def test_a_row_tells_what_the_expansion_has_brought_a_player() -> None:
    screen = shown(EXPANSION, 120)
    assert row(screen, "> A Ivy") == "> A Ivy 7 9t 5c 3t 3c 2t 1c coal (+1 for salt) 57"
    assert rows(screen, "storage") == ["storage: ready"]
    assert row(screen, "stocking up") == "stocking up: used"
    assert row(screen, "taking a Thaler") == "taking a Thaler: from next turn"
    assert row(screen, "B Freya 12") == "B Freya 12 10t 4c 2t 4c 0t 0c may choose 2 privileges 12"
    assert row(screen, "C Jack 3") == "C Jack 3 12t 8c 0t 0c 0t 0c 2 black carriages stored 3"
    entered = replace(EXPANSION, additional_carriages=AdditionalCarriages(JACK, waiting=0))
    assert "2 black carriages in play" in shown(entered)


def test_the_trading_card_is_told_square_by_square_with_its_merchants() -> None:
    screen = shown(TABLE)
    assert row(screen, "Square").startswith("Square Trading card 9 Price")
    assert row(screen, "1 salt") == "1 salt in Soest 4 2 tokens"
    assert row(screen, "2 salt") == "2 salt in Builefeld 5 1 token and 2 carriages B Freya"
    assert row(screen, "3 ironware") == "3 ironware in Dortmund 4 1 token and 1 carriage"
    assert row(screen, "4 beer") == "4 beer in Siegen 3 1 token and 1 carriage C Jack"


def test_the_market_tells_its_merchants_and_who_buys_for_less() -> None:
    market = "Market A Ivy (buys for 2 less), B Freya, C Jack"
    assert row(shown(TABLE), "Market") == market
    nobody = replace(TABLE, players=tuple(replace(each, merchants=()) for each in TABLE.players))
    assert row(shown(nobody), "Market") == "Market no merchants"
    assert not rows(shown(SALES), "Market")


def test_the_stack_is_counted_and_the_last_card_is_marked() -> None:
    assert row(shown(TABLE), "To come") == "To come 2 trading cards in the stack"
    last = row(shown(replace(SALES, stack=())), "To come")
    assert last == "To come this card is the last one: every sale brings 2 Thaler more"


def test_routes_are_told_with_the_expansion_alone() -> None:
    assert not rows(shown(TABLE), "Routes")
    routes = (
        "Routes storage Hagen-Wesel, stocking up Mönster-Olpe, taking a Thaler Builefeld-Corbach"
    )
    assert row(shown(EXPANSION, 120), "Routes") == routes
    free = replace(EXPANSION, additional_carriages=AdditionalCarriages())
    black = ", 2 black carriages Duisburg-Paderborn"
    assert row(shown(free, 140), "Routes") == routes + black


def test_what_is_decided_is_told() -> None:
    assert now(TABLE) == "A Ivy chooses an action"
    assert now(SALES) == "B Freya may sell salt in Soest for 4 on square 1"
    freya = replace(SALES.players[FREYA], sales=Sales(slot=LEFTOVER))
    leftover = replace(SALES, players=SALES.with_player(FREYA, freya))
    assert now(leftover) == "B Freya has sold nothing, and may sell one thing where it lies"
    done = replace(EXPANSION, turn=Turn(IVY, 2, is_main_done=True))
    assert now(done) == "A Ivy may use or choose privileges before the turn ends"


@pytest.mark.parametrize(
    ("due", "expected"),
    [
        (
            Due(IVY, "setup", None, 1, 1),
            "A Ivy places one of the first tokens (to place: 1 token and 1 carriage)",
        ),
        (
            Due(IVY, "setup", House("hamm_beer"), 0, 1),
            "A Ivy places a carriage on a road to the new token (to place in Hamm: 1 carriage)",
        ),
        (
            Due(IVY, "purchase", House("hamm_beer"), 0, 2),
            "A Ivy places a carriage (to place in Hamm: 2 carriages)",
        ),
        (
            Due(IVY, "warehouse", None, 1, 2),
            "A Ivy places a token where one lies already (to place: 1 token and 2 carriages)",
        ),
        (
            Due(IVY, "bonus", None, 0, 1),
            "A Ivy may place a bonus carriage (to place: 1 carriage)",
        ),
    ],
)
def test_pieces_to_place_are_told(due: Due, expected: str) -> None:
    assert now(replace(TABLE, due=due)) == expected


def test_pieces_that_the_supply_does_not_have_are_told() -> None:
    ivy = replace(TABLE.players[IVY], supply_tokens=0, supply_carriages=0)
    state = replace(TABLE, players=TABLE.with_player(IVY, ivy))
    token = replace(state, due=Due(IVY, "purchase", House("hamm_beer"), 2, 1))
    missing = "A Ivy has no token in supply, and may take one back"
    assert now(token) == f"{missing} (to place in Hamm: 2 tokens and 1 carriage)"
    carriage = replace(state, due=Due(IVY, "store", None, 0, 1))
    missing = "A Ivy has no carriage in supply, and may take one back"
    assert now(carriage) == f"{missing} (to store: 1 carriage)"


def test_all_who_sell_at_the_same_time_are_told() -> None:
    screen = shown(replace(SALES, options=Options(simultaneous_sales=True)))
    assert len(rows(screen, "Now")) == 3
    assert all(len(rows(screen, ">", letter)) == 1 for letter in "ABC")


def test_at_the_end_the_final_account_is_told() -> None:
    pair = Pair(MerchandiseCard("coal_salt"), MerchandiseCard("herring_pair"), 50)
    told = (
        Standing(7, 50, (pair,), 57, 3, 3, 1),
        Standing(12, 0, (), 12, 2, 4, 2),
        Standing(3, 0, (), 3, 0, 0, 3),
    )
    finished = replace(
        TABLE, options=Options(short_game=True), stage="finished", turn=None, standings=told
    )
    screen = shown(replace(finished, set_aside=(TradingCard("t03"), TradingCard("t12"))))
    assert screen.startswith("The match is over after 10 months")
    assert row(screen, "1 A Ivy") == "1 A Ivy 7 50 57 3 3 coal with herring 50"
    assert row(screen, "2 B Freya") == "2 B Freya 12 0 12 2 4 none"
    assert row(screen, "3 C Jack") == "3 C Jack 3 0 3 0 0 none"
    assert row(screen, "Set aside") == "Set aside 3 and 12"
    assert "*" not in map_of(screen)
    assert "Trading card" not in screen
    assert "Now" not in screen


def test_a_seat_is_told_by_its_letter_and_by_its_colour() -> None:
    screen = shown(TABLE, force_terminal=True, color_system="standard")
    assert "\x1b[37;44mA\x1b[0m Ivy" in screen
    assert "\x1b[30;43mB\x1b[0m Freya" in screen
    assert "\x1b[37;41mC\x1b[0m Jack" in screen
    assert "\x1b[37;44mA\x1b[0m\x1b[37;44m2\x1b[0m\x1b[30;43mB\x1b[0m" in screen


@pytest.mark.parametrize(("seats", "options"), MATCHES)
@pytest.mark.parametrize("width", [80, 120])
def test_each_decision_fits_into_the_terminal(width: int, seats: int, options: Options) -> None:
    playout = play_out(GAME, options, seats, seed=1)
    latest = {
        each.decision: step.after
        for step in playout.steps
        for each in GAME.view(step.after, None).decisions
    }
    for state in (*latest.values(), playout.final):
        lines = shown(state, width).splitlines()
        assert max(map(len, lines)) <= width
        assert not [line for line in lines if "…" in line]
        for letter, name in zip("ABCD", NAMES[:seats], strict=False):
            assert any(f"{letter} {name} " in line for line in lines)


def test_a_person_can_play_to_the_end() -> None:
    modules = ("warehouse_and_privileges", "passenger_transportation", "short_game")
    settings = [word for module in modules for word in ("-o", f"{module}=true")]
    arguments = ("play", "hellweg", "--seats", "3", "--bots", "2", *settings)
    result = howff(*arguments, typed="1\n" * 2000, columns=80)
    assert result.exit_code == 0, result.output
    assert "The first pieces are placed" in result.stdout
    assert "every sale brings 2 Thaler more" in result.stdout
    assert "The match is over after 10 months" in result.stdout
    assert "Ranking" in result.stdout
