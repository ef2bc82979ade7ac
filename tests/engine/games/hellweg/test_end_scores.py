"""Ends of whole matches, worked by hand."""

from dataclasses import dataclass

import pytest

from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.state import State
from support.hellweg import given, owned, texts, when


@dataclass(frozen=True)
class End:
    """The end of a match: what each seat owns, and its account.

    An account has money, value of cards, pairs, score, tokens, carriages, rank, as it is told.
    """

    table: tuple[tuple[str, str], ...]
    winners: tuple[int, ...]
    options: str = ""


# Seat 0: 64 + 18 = 82 is more than 50 + 30 = 80. Seat 1 has no banner of coal and herring, and a
# single card of tobacco: 18 + 24 + 37 = 79.
A_HERRING_THAT_TWO_BANNERS_WANT = End(
    table=(
        (
            "money 12 | tokens hamm_beer 2 | carriages dortmund_hamm"
            " | cards coal_salt, herring_pair, wine_pair",
            "{12 82 [{herring_pair wine_pair 64}] 94 2 1 2}",
        ),
        (
            "money 20 | cards coal_ironware, herring_removal, tobacco_1",
            "{20 79 [] 99 0 0 1}",
        ),
    ),
    winners=(1,),
)
# Seat 0: 50 + 64 + 18 = 132 is more than 50 + 50 + 30 = 130; each of two cards of coal and of two
# herrings does it, so the first in the order of the table are told. 3 + 132 = 66 + 32 + 37: as both
# have three tokens on houses, the carriages decide.
EQUAL_WAYS_TO_PAIR = End(
    table=(
        (
            "money 3 | tokens hamm_beer 2, soest_salt | carriages hamm_soest 2"
            " | cards coal_salt, coal_beer, herring_removal, herring_pair, wine_pair",
            "{3 132 [{coal_salt herring_removal 50}, {herring_pair wine_pair 64}] 135 3 2 2}",
        ),
        (
            "money 66 | tokens corbach_salt 3 | carriages corbach_olpe, corbach_siegen, hagen_olpe"
            " | cards wine_plain, tobacco_1",
            "{66 69 [] 135 3 3 1}",
        ),
        (
            "money 40 | tokens essen_beer 7 | carriages essen_wesel 7 | cards coal_ironware",
            "{40 18 [] 58 7 7 3}",
        ),
    ),
    winners=(1,),
)
# Seat 2: tobacco 90, and of the two herrings one with the wine of 30 (64, which is 10 more than
# both), while the other gains 8 with coal (50) as with the wine of 32 (64). The pair of coal comes
# first in the order. 50 + 64 + 90, and singly 18 + 18 + 32.
ALL_CARDS_IN_ONE_HAND = End(
    table=(
        ("money 120 | tokens hagen_salt 4", "{120 0 [] 120 4 0 2}"),
        ("money 95 | tokens hagen_salt | carriages essen_hagen", "{95 0 [] 95 1 1 3}"),
        (
            "money 0 | cards coal_salt, coal_ironware, coal_beer, herring_removal, herring_pair,"
            " wine_pair, wine_plain, tobacco_1, tobacco_2",
            "{0 272 [{coal_salt herring_removal 50}, {herring_pair wine_pair 64},"
            " {tobacco_1 tobacco_2 90}] 272 0 0 1}",
        ),
        ("money 95 | tokens essen_beer | carriages duisburg_essen", "{95 0 [] 95 1 1 3}"),
    ),
    winners=(2,),
)
# All have 100. Seat 0: of two wines the cheaper one goes with the herring, 64 + 32. Seat 1:
# 50 + 18, and nine carriages on roads, as the black ones count for their owner. What lies in the
# warehouse does not count: seat 2 has eight tokens, of which three lie on houses.
BLACK_CARRIAGES_AND_A_WAREHOUSE = End(
    table=(
        (
            "money 4 | tokens hamm_beer 4 | carriages hamm_soest 2, hamm_moenster 4 | warehouse 0/2"
            " | cards herring_removal, wine_pair, wine_plain",
            "{4 96 [{herring_removal wine_pair 64}] 100 4 6 2}",
        ),
        (
            "money 32 | tokens soest_salt 4 | carriages hamm_soest 5, paderborn_soest 4"
            " | black entered | cards coal_salt, coal_ironware, herring_pair"
            " | privileges storage, take_thaler face_down | claims 1",
            "{32 68 [{coal_salt herring_pair 50}] 100 4 9 1}",
        ),
        (
            "money 63 | tokens corbach_salt 3 | carriages corbach_siegen 8 | warehouse 5/0"
            " | cards tobacco_1",
            "{63 37 [] 100 3 8 3}",
        ),
    ),
    winners=(1,),
    options="warehouse_and_privileges",
)


def ending(end: End) -> State:
    """Return the position before the last seat passes the last town."""
    seats = len(end.table)
    return given(
        seats=seats,
        options=end.options,
        last=True,
        active=seats - 1,
        slot=4,
        sold=1,
        players={seat: text for seat, (text, _) in enumerate(end.table)},
    )


@pytest.mark.parametrize(
    "end",
    [
        A_HERRING_THAT_TWO_BANNERS_WANT,
        EQUAL_WAYS_TO_PAIR,
        ALL_CARDS_IN_ONE_HAND,
        BLACK_CARRIAGES_AND_A_WAREHOUSE,
    ],
)
def test_a_match_ends_as_worked_by_hand(end: End) -> None:
    draft = when(ending(end), "skip_town")
    assert texts(draft.events)[-1] == f"GameEnded [{', '.join(row for _, row in end.table)}]"
    outcome = GAME.outcome(draft.state)
    assert outcome is not None
    assert outcome.places == tuple(int(row.removesuffix("}").split()[-1]) for _, row in end.table)
    assert outcome.winners == end.winners
    standings = draft.state.standings
    assert standings is not None
    for standing, figures in zip(standings, outcome.figures, strict=True):
        told = {figure.name: figure.value for figure in figures}
        assert told["score"] == standing.score == standing.money + standing.card_value


def test_the_last_sale_counts_before_the_account() -> None:
    # Two carriages leave the roads: 5 + 1 (coal) + 2 (removals) + 2 (last card) = 10 for the token,
    # 20 + 10 + 18 + 24 = 72, and both have a token and a carriage left: they share the victory.
    players = {
        0: "money 72 | tokens soest_salt | carriages hamm_soest",
        1: "money 50 | tokens essen_beer 3",
        2: (
            "money 20 | tokens olpe_ironware, hamm_beer"
            " | carriages corbach_olpe, corbach_dortmund, hamm_soest"
            " | cards coal_ironware, herring_removal"
        ),
    }
    state = given(card="t03", last=True, active=2, slot=2, players=players)
    draft = when(state, "sell olpe_ironware [corbach_dortmund, corbach_olpe]")
    assert owned(draft.state, 2).startswith("money 30 | supply 11/7 |")
    assert texts(draft.events) == [
        "MerchandiseSold 2 2 dortmund ironware olpe_ironware [corbach_olpe, corbach_dortmund]"
        " [corbach_dortmund, corbach_olpe] 5 1 2 2 0 10",
        "TownPassed 2 3 true",
        "TownPassed 2 4 true",
        "SeatSalesEnded 2",
        "SalesEnded 12",
        "GameEnded [{72 0 [] 72 1 1 1}, {50 0 [] 50 3 0 3}, {30 42 [] 72 1 1 1}]",
    ]
    outcome = GAME.outcome(draft.state)
    assert outcome is not None
    assert outcome.winners == (0, 2)


@pytest.mark.parametrize(
    ("cards", "account"),
    [
        # The banner's own card need not be in the pair, if that is the same.
        ("coal_salt, herring_removal, herring_pair", "74 [{coal_salt herring_removal 50}]"),
        # One banner serves two pairs; the other wine is worth more than the one it hangs on.
        (
            "herring_removal, herring_pair, wine_pair, wine_plain",
            "128 [{herring_removal wine_pair 64}, {herring_pair wine_plain 64}]",
        ),
        # Without its banner a pair is none.
        ("herring_removal, wine_plain", "56 []"),
        ("coal_salt, herring_removal, wine_plain", "74 []"),
        # A banner whose kinds are not both there is worth nothing.
        ("coal_salt, coal_beer, wine_pair", "66 []"),
        ("wine_pair, wine_plain", "62 []"),
        ("herring_removal, herring_pair", "48 []"),
    ],
)
def test_cards_are_worth_what_the_best_pairs_make_them(cards: str, account: str) -> None:
    state = given(
        last=True, active=2, slot=4, sold=1, players={0: f"money 0 | cards {cards}"}, seats=3
    )
    told = texts(when(state, "skip_town").events)[-1]
    value = account.split()[0]
    assert told.startswith(f"GameEnded [{{0 {account} {value} 0 0 ")
