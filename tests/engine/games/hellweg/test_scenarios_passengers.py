"""The acceptance scenarios of passengers, who pay for a way through a village."""

import pytest

from support.hellweg import given, legal, owned, texts, when

PASSENGERS = "passenger_transportation"


@pytest.mark.parametrize(
    ("options", "route", "money"),
    [
        (PASSENGERS, "[lippstadt_soest, dortmund_soest] [] 5 0 0 0 1 6", 16),
        ("", "[hamm_lippstadt, dortmund_hamm] [] 5 0 0 0 0 5", 15),
    ],
)
def test_scenario_37_passengers_prefer_the_village(options: str, route: str, money: int) -> None:
    text = (
        "tokens lippstadt_ironware"
        " | carriages lippstadt_soest, dortmund_soest, hamm_lippstadt 2, dortmund_hamm 2"
    )
    state = given(card="t03", slot=2, options=options, players={0: text})
    assert legal(state) == ["sell lippstadt_ironware []", "skip_town"]
    draft = when(state, "sell lippstadt_ironware []")
    assert texts(draft.events)[0] == (
        f"MerchandiseSold 0 2 dortmund ironware lippstadt_ironware {route}"
    )
    assert owned(draft.state, 0) == (
        f"money {money} | supply 12/2"
        " | carriages dortmund_hamm 2, dortmund_soest, hamm_lippstadt 2, lippstadt_soest"
    )


@pytest.mark.parametrize(
    ("options", "bonuses", "money"), [(PASSENGERS, "0 0 0 1 6", 16), ("", "0 0 0 0 5", 15)]
)
def test_scenario_38_two_villages_pay_one_thaler(options: str, bonuses: str, money: int) -> None:
    text = "tokens wesel_salt | carriages moenster_wesel 2, hamm_moenster, hamm_soest 2"
    state = given(card="t06", slot=4, options=options, players={0: text})
    assert legal(state) == ["sell wesel_salt []", "skip_town"]
    draft = when(state, "sell wesel_salt []")
    assert texts(draft.events)[0] == (
        "MerchandiseSold 0 4 soest salt wesel_salt [moenster_wesel, hamm_moenster, hamm_soest] []"
        f" 5 {bonuses}"
    )
    assert owned(draft.state, 0).startswith(f"money {money} |")


@pytest.mark.parametrize(
    ("options", "route"),
    [
        ("", "[hagen_olpe, dortmund_hagen] [] 5 0 0 0 0 5"),
        (PASSENGERS, "[corbach_olpe, corbach_soest, dortmund_soest] [] 5 0 0 0 1 6"),
    ],
)
def test_of_equal_ways_the_shortest_is_told_but_for_the_village(options: str, route: str) -> None:
    text = (
        "tokens olpe_ironware | carriages hagen_olpe, dortmund_hagen, corbach_olpe 2,"
        " corbach_soest 2, dortmund_soest"
    )
    state = given(card="t03", slot=2, options=options, players={0: text})
    assert legal(state) == ["sell olpe_ironware []", "skip_town"]
    draft = when(state, "sell olpe_ironware []")
    assert texts(draft.events)[0] == (
        f"MerchandiseSold 0 2 dortmund ironware olpe_ironware {route}"
    )


def test_scenario_38_a_local_sale_has_no_passengers() -> None:
    text = "tokens soest_salt | carriages dortmund_soest 2, corbach_soest 2"
    state = given(card="t06", slot=4, options=PASSENGERS, players={0: text})
    draft = when(state, "sell soest_salt []")
    assert texts(draft.events)[0] == ("MerchandiseSold 0 4 soest salt soest_salt [] [] 5 0 0 0 0 5")
    assert owned(draft.state, 0).startswith("money 15 |")


def test_scenario_38_a_leftover_has_no_passengers() -> None:
    text = "tokens soest_salt | carriages dortmund_soest 2"
    state = given(card="t06", slot="leftover", options=PASSENGERS, players={0: text})
    draft = when(state, "sell_leftover soest_salt")
    assert texts(draft.events)[0] == "LeftoverSold 0 soest_salt salt 2 0 0 2"


@pytest.mark.parametrize(
    ("removes", "route", "left"),
    [
        (
            "[essen_hagen]",
            "[essen_hagen, essen_wesel] [essen_hagen] 5 0 0 0 1 6",
            "money 16 | supply 12/4 | carriages duisburg_essen, duisburg_hagen 2, essen_wesel",
        ),
        (
            "[]",
            "[duisburg_hagen, duisburg_essen, essen_wesel] [] 5 0 0 0 0 5",
            "money 15 | supply 12/3"
            " | carriages duisburg_essen, duisburg_hagen 2, essen_hagen, essen_wesel",
        ),
    ],
)
def test_scenario_39_a_village_may_cost_the_carriage(removes: str, route: str, left: str) -> None:
    text = (
        "tokens hagen_salt | carriages essen_hagen, essen_wesel, duisburg_hagen 2, duisburg_essen"
    )
    state = given(card="t11", slot=3, options=PASSENGERS, players={0: text})
    assert sorted(legal(state)) == [
        "sell hagen_salt []",
        "sell hagen_salt [essen_hagen]",
        "skip_town",
    ]
    draft = when(state, f"sell hagen_salt {removes}")
    assert texts(draft.events)[0] == f"MerchandiseSold 0 3 wesel salt hagen_salt {route}"
    assert owned(draft.state, 0) == left
