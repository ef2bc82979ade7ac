"""The acceptance scenarios of pieces that the supply does not have."""

from support.hellweg import given, legal, moves, owned, texts, when

ALL_ON_ROADS = (
    "tokens hagen_salt 3"
    " | carriages corbach_olpe 2, dortmund_hagen, dortmund_moenster, hagen_olpe 2, paderborn_soest"
)
TO_SIEGEN = moves("place_carriage", "corbach_siegen", "olpe_siegen")


NINE_AND_NONE = f"{ALL_ON_ROADS}, hamm_soest | cards herring_removal"


def test_scenario_26_a_missing_carriage_is_taken_back() -> None:
    state = given(card="t06", players={0: NINE_AND_NONE})
    assert owned(state, 0).startswith("money 10 | supply 9/0 |")
    draft = when(state, "buy_in_town 1")
    assert texts(draft.events) == [
        "MerchantPlaced 0 1 1 siegen",
        "MoneyPaid 0 5 purchase",
        "PiecesDue 0 purchase siegen_beer 1 2",
        "TokenPlaced 0 siegen_beer supply",
    ]
    assert legal(draft.state) == [
        *moves("take_back_carriage", "corbach_olpe", "dortmund_hagen", "dortmund_moenster"),
        *moves("take_back_carriage", "hagen_olpe", "hamm_soest", "paderborn_soest"),
        "forfeit_piece",
    ]
    draft = when(draft.state, "take_back_carriage dortmund_moenster")
    assert texts(draft.events) == ["CarriageTakenBack 0 dortmund_moenster"]
    assert owned(draft.state, 0).startswith("money 5 | supply 8/1 |")
    assert legal(draft.state) == TO_SIEGEN
    draft = when(draft.state, "place_carriage olpe_siegen")
    assert texts(draft.events) == ["CarriagePlaced 0 olpe_siegen supply 1"]


def test_scenario_26_a_missing_carriage_is_forfeited() -> None:
    state = when(
        given(card="t06", players={0: NINE_AND_NONE}),
        "buy_in_town 1",
        "take_back_carriage dortmund_moenster",
        "place_carriage olpe_siegen",
    ).state
    assert legal(state) == [
        *moves("take_back_carriage", "corbach_olpe", "dortmund_hagen", "hagen_olpe"),
        *moves("take_back_carriage", "hamm_soest", "olpe_siegen", "paderborn_soest"),
        "forfeit_piece",
    ]
    draft = when(state, "forfeit_piece")
    assert texts(draft.events) == ["PieceForfeited 0 carriage", "TurnEnded 0", "TurnStarted 1 1"]
    assert owned(draft.state, 0) == (
        "money 6 | supply 8/0 | tokens hagen_salt 3, siegen_beer | carriages corbach_olpe 2,"
        " dortmund_hagen, hagen_olpe 2, hamm_soest, olpe_siegen, paderborn_soest"
        " | cards herring_removal | merchants 1"
    )


def test_scenario_27_a_carriage_of_the_supply_has_to_be_placed() -> None:
    state = given(card="t06", players={0: ALL_ON_ROADS})
    assert owned(state, 0).startswith("money 10 | supply 9/1 |")
    state = when(state, "buy_in_town 1").state
    assert legal(state) == TO_SIEGEN
    draft = when(state, "place_carriage corbach_siegen")
    assert texts(draft.events) == ["CarriagePlaced 0 corbach_siegen supply 0"]
    assert legal(draft.state) == [
        *moves("take_back_carriage", "corbach_olpe", "corbach_siegen", "dortmund_hagen"),
        *moves("take_back_carriage", "dortmund_moenster", "hagen_olpe", "paderborn_soest"),
        "forfeit_piece",
    ]


ALL_ON_HOUSES = (
    "tokens soest_salt 4, hamm_beer 3, corbach_salt 2, olpe_ironware 3"
    " | carriages hamm_soest 2, paderborn_soest 2, hagen_olpe"
)
TAKE_BACKS = [
    "take_back_token olpe_ironware",
    "take_back_token hamm_beer",
    "take_back_token corbach_salt",
    "forfeit_piece",
]


def test_scenario_28_missing_tokens_may_be_forfeited() -> None:
    state = given(card="t09", players={0: ALL_ON_HOUSES})
    assert owned(state, 0).startswith("money 10 | supply 0/3 |")
    draft = when(state, "buy_in_town 1")
    assert texts(draft.events) == [
        "MerchantPlaced 0 1 1 soest",
        "MoneyPaid 0 4 purchase",
        "PiecesDue 0 purchase soest_salt 2 0",
    ]
    assert legal(draft.state) == TAKE_BACKS
    draft = when(draft.state, "forfeit_piece")
    assert texts(draft.events) == ["PieceForfeited 0 token"]
    assert legal(draft.state) == TAKE_BACKS
    draft = when(draft.state, "forfeit_piece")
    assert texts(draft.events) == ["PieceForfeited 0 token", "TurnEnded 0", "TurnStarted 1 1"]
    assert owned(draft.state, 0) == (
        "money 6 | supply 0/3 | tokens olpe_ironware 3, hamm_beer 3, soest_salt 4, corbach_salt 2"
        " | carriages hagen_olpe, hamm_soest 2, paderborn_soest 2 | merchants 1"
    )


def test_scenario_28_a_token_that_is_taken_back_is_placed_at_once() -> None:
    state = when(given(card="t09", players={0: ALL_ON_HOUSES}), "buy_in_town 1").state
    draft = when(state, "take_back_token hamm_beer")
    assert texts(draft.events) == [
        "TokenTakenBack 0 hamm_beer",
        "TokenPlaced 0 soest_salt supply",
    ]
    assert legal(draft.state) == TAKE_BACKS
    draft = when(draft.state, "take_back_token corbach_salt")
    assert texts(draft.events)[:2] == [
        "TokenTakenBack 0 corbach_salt",
        "TokenPlaced 0 soest_salt supply",
    ]
    assert owned(draft.state, 0).startswith(
        "money 6 | supply 0/3 | tokens olpe_ironware 3, hamm_beer 2, soest_salt 6, corbach_salt |"
    )


def test_a_purchase_forfeits_by_itself_what_is_nowhere() -> None:
    state = given(card="t09", players={0: "tokens soest_salt 12"})
    draft = when(state, "buy_in_town 1")
    assert texts(draft.events)[3:] == [
        "PieceForfeited 0 token",
        "PieceForfeited 0 token",
        "TurnEnded 0",
        "TurnStarted 1 1",
    ]
