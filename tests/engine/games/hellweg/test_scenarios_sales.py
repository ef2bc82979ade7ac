"""The acceptance scenarios of sales."""

import pytest

from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.state import State
from support.hellweg import given, legal, moves, new_month, owned, texts, to_act, when

CLAUS = (
    "tokens moenster_ironware, olpe_ironware | carriages corbach_olpe, corbach_dortmund,"
    " hagen_olpe, dortmund_hagen, dortmund_moenster 2"
)
OVER_CORBACH = "sell olpe_ironware [corbach_dortmund, corbach_olpe]"
OVER_HAGEN = "sell olpe_ironware []"
FROM_MOENSTER = "sell moenster_ironware []"
IN_DORTMUND = "MerchandiseSold 0 2 dortmund ironware"
"""The slot of t03 that asks for ironware at 5 Thaler."""


def in_dortmund(text: str) -> State:
    """Return the position in which seat 0 stands before the second slot of t03."""
    return given(card="t03", slot=2, players={0: text})


def sales(state: State) -> list[str]:
    """Return what the one seat that is to act can sell now, sorted."""
    found = legal(state)
    assert found[-1] == "skip_town"
    return sorted(found[:-1])


def test_scenario_15_a_local_sale() -> None:
    state = in_dortmund("money 10 | tokens dortmund_ironware 2")
    assert legal(state) == ["sell dortmund_ironware []", "skip_town"]
    draft = when(state, "sell dortmund_ironware []")
    assert texts(draft.events)[:4] == [
        f"{IN_DORTMUND} dortmund_ironware [] [] 5 0 0 0 0 5",
        "TownPassed 0 3 true",
        "TownPassed 0 4 true",
        "SeatSalesEnded 0",
    ]
    assert owned(draft.state, 0) == "money 15 | supply 11/8 | tokens dortmund_ironware"


def test_scenario_16_three_ways_to_sell() -> None:
    state = in_dortmund(CLAUS)
    assert owned(state, 0).startswith("money 10 | supply 10/2 |")
    assert sales(state) == sorted([OVER_CORBACH, OVER_HAGEN, FROM_MOENSTER])
    draft = when(state, OVER_CORBACH)
    assert texts(draft.events)[0] == (
        f"{IN_DORTMUND} olpe_ironware [corbach_olpe, corbach_dortmund]"
        " [corbach_dortmund, corbach_olpe] 5 0 0 0 0 5"
    )
    assert owned(draft.state, 0) == (
        "money 15 | supply 11/4 | tokens moenster_ironware"
        " | carriages dortmund_hagen, dortmund_moenster 2, hagen_olpe"
    )


@pytest.mark.parametrize(
    ("move", "sold", "left"),
    [
        (OVER_HAGEN, "olpe_ironware [hagen_olpe, dortmund_hagen]", "moenster_ironware"),
        (FROM_MOENSTER, "moenster_ironware [dortmund_moenster]", "olpe_ironware"),
    ],
)
def test_scenario_16_two_of_the_ways_move_no_carriage(move: str, sold: str, left: str) -> None:
    draft = when(in_dortmund(CLAUS), move)
    assert texts(draft.events)[0] == f"{IN_DORTMUND} {sold} [] 5 0 0 0 0 5"
    assert owned(draft.state, 0) == (
        f"money 15 | supply 11/2 | tokens {left} | carriages corbach_dortmund, corbach_olpe,"
        " dortmund_hagen, dortmund_moenster 2, hagen_olpe"
    )


@pytest.mark.parametrize(
    ("move", "bonuses"),
    [(OVER_CORBACH, "5 1 2 0 0 8"), (OVER_HAGEN, "5 1 0 0 0 6"), (FROM_MOENSTER, "5 1 0 0 0 6")],
)
def test_scenario_17_merchandise_cards_pay_for_the_kind_and_for_carriages(
    move: str, bonuses: str
) -> None:
    state = in_dortmund(f"{CLAUS} | money 2 | cards herring_removal, coal_ironware")
    assert sales(state) == sorted([OVER_CORBACH, OVER_HAGEN, FROM_MOENSTER])
    draft = when(state, move)
    assert texts(draft.events)[0].endswith(f"] {bonuses}")
    money = 2 + int(bonuses.split()[-1])
    assert owned(draft.state, 0).startswith(f"money {money} |")


def test_scenario_18_a_single_carriage_on_a_brown_road_goes() -> None:
    state = in_dortmund(CLAUS.replace("moenster 2", "moenster"))
    move = "sell moenster_ironware [dortmund_moenster]"
    assert sales(state) == sorted([OVER_CORBACH, OVER_HAGEN, move])
    assert owned(when(state, move).state, 0) == (
        "money 15 | supply 11/4 | tokens olpe_ironware | carriages corbach_dortmund, corbach_olpe,"
        " dortmund_hagen, hagen_olpe"
    )


def test_scenario_19_ways_that_come_to_the_same_are_one() -> None:
    state = in_dortmund(
        "tokens duisburg_ironware"
        " | carriages duisburg_essen, dortmund_essen, duisburg_hagen 2, dortmund_hagen"
    )
    assert legal(state) == ["sell duisburg_ironware []", "skip_town"]
    draft = when(state, "sell duisburg_ironware []")
    assert texts(draft.events)[0] == (
        f"{IN_DORTMUND} duisburg_ironware [duisburg_essen, dortmund_essen] [] 5 0 0 0 0 5"
    )


def test_scenario_19_ways_that_clear_other_roads_are_two() -> None:
    state = in_dortmund(
        "tokens duisburg_ironware"
        " | carriages duisburg_essen, dortmund_essen, duisburg_hagen, dortmund_hagen"
    )
    by_hagen = "sell duisburg_ironware [duisburg_hagen]"
    assert sales(state) == ["sell duisburg_ironware []", by_hagen]
    assert texts(when(state, by_hagen).events)[0] == (
        f"{IN_DORTMUND} duisburg_ironware [duisburg_hagen, dortmund_hagen] [duisburg_hagen]"
        " 5 0 0 0 0 5"
    )


def test_scenario_20_one_sale_after_the_other() -> None:
    text = (
        "tokens olpe_ironware 2"
        " | carriages hagen_olpe, duisburg_hagen, dortmund_hagen, dortmund_moenster"
    )
    state = given(card="t07", slot=2, players={0: text})
    assert legal(state) == ["sell olpe_ironware [dortmund_moenster]", "skip_town"]
    draft = when(state, "sell olpe_ironware [dortmund_moenster]")
    assert texts(draft.events) == [
        "MerchandiseSold 0 2 moenster ironware olpe_ironware"
        " [hagen_olpe, dortmund_hagen, dortmund_moenster] [dortmund_moenster] 5 0 0 0 0 5"
    ]
    assert legal(draft.state) == ["sell olpe_ironware [duisburg_hagen]", "skip_town"]
    draft = when(draft.state, "sell olpe_ironware [duisburg_hagen]")
    assert texts(draft.events)[:3] == [
        "MerchandiseSold 0 3 duisburg ironware olpe_ironware"
        " [hagen_olpe, duisburg_hagen] [duisburg_hagen] 3 0 0 0 0 3",
        "TownPassed 0 4 true",
        "SeatSalesEnded 0",
    ]
    assert owned(draft.state, 0) == (
        "money 18 | supply 12/6 | carriages dortmund_hagen, hagen_olpe"
    )


def test_scenario_21_towns_pass_by_and_the_leftover_remains() -> None:
    draft = new_month(card="t07", players={0: "tokens essen_beer"})
    begun = [each.split()[0] for each in texts(draft.events)].index("TradingCardRevealed")
    assert texts(draft.events)[begun + 1 :] == [
        "TownPassed 0 1 true",
        "TownPassed 0 2 true",
        "TownPassed 0 3 true",
        "TownPassed 0 4 true",
    ]
    assert legal(draft.state, 0) == ["sell_leftover essen_beer", "skip_leftover"]
    sold = when(draft.state, "sell_leftover essen_beer")
    assert texts(sold.events)[:2] == [
        "LeftoverSold 0 essen_beer beer 2 0 0 2",
        "SeatSalesEnded 0",
    ]
    assert owned(sold.state, 0) == "money 12 | supply 12/8"
    kept = when(draft.state, "skip_leftover")
    assert texts(kept.events)[:2] == ["LeftoverSkipped 0", "SeatSalesEnded 0"]
    assert owned(kept.state, 0) == "money 10 | supply 11/8 | tokens essen_beer"


def test_scenario_22_who_could_have_sold_may_sell_a_leftover() -> None:
    state = new_month(card="t07", players={0: "tokens hagen_salt, essen_beer"}).state
    assert legal(state, 0) == ["sell hagen_salt []", "skip_town"]
    draft = when(state, "skip_town")
    assert texts(draft.events) == ["TownPassed 0 4 false"]
    leftovers = moves("sell_leftover", "essen_beer", "hagen_salt")
    assert legal(draft.state, 0) == [*leftovers, "skip_leftover"]
    draft = when(draft.state, "sell_leftover hagen_salt")
    assert texts(draft.events)[:2] == ["LeftoverSold 0 hagen_salt salt 2 0 0 2", "SeatSalesEnded 0"]
    assert owned(draft.state, 0) == "money 12 | supply 11/8 | tokens essen_beer"


def test_scenario_22_who_has_sold_sells_no_leftover() -> None:
    state = new_month(card="t07", players={0: "tokens hagen_salt, essen_beer"}).state
    draft = when(state, "sell hagen_salt []")
    assert texts(draft.events)[:2] == [
        "MerchandiseSold 0 4 hagen salt hagen_salt [] [] 4 0 0 0 0 4",
        "SeatSalesEnded 0",
    ]
    assert owned(draft.state, 0) == "money 14 | supply 11/8 | tokens essen_beer"
    assert draft.state.stage == "actions"


@pytest.mark.parametrize(
    ("month", "cards", "sold"),
    [
        (11, "", "2 0 0 2"),
        (11, "coal_beer", "2 1 0 3"),
        (11, "coal_salt, coal_ironware", "2 0 0 2"),
        (12, "", "2 0 2 4"),
        (12, "coal_beer", "2 1 2 5"),
    ],
)
def test_scenario_23_a_leftover_has_the_bonuses_of_a_sale(
    month: int, cards: str, sold: str
) -> None:
    text = f"money 1 | tokens essen_beer | cards {cards}"
    state = given(card="t07", month=month, slot="leftover", players={0: text})
    assert legal(state, 0) == ["sell_leftover essen_beer", "skip_leftover"]
    draft = when(state, "sell_leftover essen_beer")
    assert texts(draft.events)[0] == f"LeftoverSold 0 essen_beer beer {sold}"
    assert owned(draft.state, 0).startswith(f"money {1 + int(sold[-1])} | supply 12/8")


@pytest.mark.parametrize(("options", "months"), [("", 12), ("short_game", 10)])
def test_scenario_24_after_the_last_sales_the_match_is_over(options: str, months: int) -> None:
    players = {2: "money 3 | tokens dortmund_ironware"}
    state = given(card="t03", slot=2, last=True, active=2, options=options, players=players)
    draft = when(state, "sell dortmund_ironware []")
    assert texts(draft.events) == [
        "MerchandiseSold 2 2 dortmund ironware dortmund_ironware [] [] 5 0 0 2 0 7",
        "TownPassed 2 3 true",
        "TownPassed 2 4 true",
        "SeatSalesEnded 2",
        f"SalesEnded {months}",
        "GameEnded [{10 0 [] 10 0 0 1}, {10 0 [] 10 0 0 1}, {10 0 [] 10 0 0 1}]",
    ]
    assert owned(draft.state, 2) == "money 10 | supply 12/8"
    assert (GAME.to_act(draft.state), draft.state.stage) == ((), "finished")
    assert GAME.outcome(draft.state) is not None


def test_scenario_25_who_could_sell_in_the_place_may_transport() -> None:
    state = in_dortmund("tokens dortmund_ironware, moenster_ironware | carriages dortmund_moenster")
    transport = "sell moenster_ironware [dortmund_moenster]"
    assert sales(state) == ["sell dortmund_ironware []", transport]
    state = when(state, transport).state
    assert owned(state, 0) == "money 15 | supply 11/8 | tokens dortmund_ironware"


def test_seats_sell_one_after_the_other() -> None:
    players = {0: "tokens hagen_salt", 1: "tokens hagen_salt", 2: "tokens hagen_salt"}
    draft = new_month(card="t07", starting_seat=1, players=players)
    for seat in (1, 2, 0):
        assert to_act(draft.state) == seat
        draft = when(draft.state, "sell hagen_salt []")
    assert texts(draft.events)[-2:] == ["SalesEnded 2", "TurnStarted 1 1"]
