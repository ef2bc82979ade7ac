import re
from collections.abc import Iterator
from typing import Any, Final, Literal

import pytest

from howff.engine.codec import classes_of
from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.data import (
    MERCHANDISE_CARDS,
    TRADING_CARDS,
    House,
    MerchandiseCard,
    Road,
    Town,
    TradingCard,
)
from howff.engine.games.hellweg.events import (
    AdditionalCarriagesReceived,
    BonusCarriageDeclined,
    CarriagePlaced,
    CarriageTakenBack,
    Event,
    GameEnded,
    LeftoverSkipped,
    LeftoverSold,
    MerchandiseCardBought,
    MerchandiseCardsLaidOut,
    MerchandiseSold,
    MerchantPlaced,
    MerchantsRetrieved,
    MoneyPaid,
    MoneyReceived,
    MonthBegan,
    PieceForfeited,
    PiecesDue,
    PieceStored,
    PrivilegeClaimEarned,
    PrivilegeReceived,
    PrivilegesRevealed,
    PrivilegeUsed,
    SalesEnded,
    SeatSalesEnded,
    StartingPlayerChosen,
    StartingPlayerPassed,
    TokenPlaced,
    TokenTakenBack,
    TownPassed,
    TradingCardRemoved,
    TradingCardRevealed,
    TradingCardsSetAside,
    TradingDeckShuffled,
    TurnEnded,
    TurnStarted,
    WarehouseEmptied,
)
from howff.engine.games.hellweg.explain import explain
from howff.engine.games.hellweg.moves import (
    BuyInTown,
    BuyMerchandiseCard,
    ClaimPrivilege,
    DeclineBonusCarriage,
    EndTurn,
    ForfeitPiece,
    Move,
    PlaceCarriage,
    PlaceStartCarriage,
    PlaceStartToken,
    PlaceToken,
    Sell,
    SellLeftover,
    SkipLeftover,
    SkipTown,
    StockUpAll,
    StockUpOne,
    Store,
    TakeBackCarriage,
    TakeBackToken,
    TakeThaler,
    UsePrivilegeStockUp,
    UsePrivilegeStorage,
    UsePrivilegeTakeThaler,
)
from howff.engine.games.hellweg.state import (
    LEFTOVER,
    AdditionalCarriages,
    Due,
    HeldPrivilege,
    Houses,
    Options,
    Player,
    Roads,
    Sales,
    Slot,
    Standing,
    State,
    Turn,
)
from howff.engine.seats import Seat, Viewer
from howff.engine.values import replace
from support.playouts import play_out, told_live
from support.seals import redacted

NAMES: Final = ("Ivy", "Freya", "Jack", "Scott")
IVY, FREYA, JACK = Seat(0), Seat(1), Seat(2)
ALL_OPTIONS: Final = Options(
    warehouse_and_privileges=True,
    passenger_transportation=True,
    short_game=True,
    simultaneous_sales=True,
)
OPTIONS: Final = (
    Options(),
    Options(warehouse_and_privileges=True),
    Options(passenger_transportation=True),
    Options(warehouse_and_privileges=True, passenger_transportation=True),
    ALL_OPTIONS,
)


def houses(text: str) -> Houses:
    return tuple(map(House, text.split()))


def roads(text: str) -> Roads:
    return tuple(map(Road, text.split()))


def cards(text: str) -> tuple[MerchandiseCard, ...]:
    return tuple(map(MerchandiseCard, text.split()))


def trading_cards(text: str) -> tuple[TradingCard, ...]:
    return tuple(map(TradingCard, text.split()))


TRADER: Final = Player(
    tokens=houses("olpe_ironware dortmund_ironware moenster_ironware"),
    carriages=roads(
        "corbach_dortmund corbach_olpe dortmund_hagen "
        "dortmund_moenster dortmund_moenster hagen_olpe"
    ),
    sales=Sales(slot=2),
)
SALES: Final = State(
    Options(),
    3,
    stage="sales",
    starting_seat=IVY,
    month=4,
    players=(TRADER, Player(), Player()),
    card=TradingCard("t03"),
    stack=trading_cards("t01 t02"),
)
BUYER: Final = replace(TRADER, sales=None, merchants=("market",))
ACTIONS: Final = replace(
    SALES, stage="actions", players=(BUYER, Player(), Player()), turn=Turn(IVY, 2)
)
STORER: Final = replace(
    BUYER,
    warehouse_tokens=2,
    warehouse_carriages=1,
    privileges=(
        HeldPrivilege("storage", "face_down"),
        HeldPrivilege("stock_up", "face_down"),
        HeldPrivilege("take_thaler"),
    ),
)
EXPANSION: Final = replace(
    ACTIONS,
    options=Options(warehouse_and_privileges=True),
    players=(STORER, Player(), Player()),
    additional_carriages=AdditionalCarriages(IVY),
)


def selling(slot: Slot | Literal["leftover"] = 2, owned: str = "", state: State = SALES) -> State:
    ivy = replace(TRADER, sales=Sales(slot=slot), cards=cards(owned))
    return replace(state, players=state.with_player(IVY, ivy))


def short_of(tokens: int, carriages: int) -> State:
    return replace(ACTIONS, due=Due(IVY, "purchase", House("hamm_beer"), tokens, carriages))


OVER_CORBACH: Final = Sell(House("olpe_ironware"), roads("corbach_dortmund corbach_olpe"))
OVER_HAGEN: Final = Sell(House("olpe_ironware"), ())
LAST: Final = replace(SALES, stack=())
MOVES: Final[tuple[tuple[State, Move, str], ...]] = (
    (SALES, PlaceStartToken(House("soest_salt")), "puts a token on the salt house of Soest"),
    (SALES, PlaceToken(House("hamm_beer")), "puts a token on the beer house of Hamm"),
    (
        SALES,
        PlaceStartCarriage(Road("hagen_olpe")),
        "puts a carriage on Hagen-Olpe (cobbled)",
    ),
    (
        SALES,
        PlaceCarriage(Road("duisburg_wesel")),
        "puts a carriage on Duisburg-Wesel (brown, village)",
    ),
    (
        SALES,
        Sell(House("dortmund_ironware"), ()),
        "sells ironware in Dortmund for 5 Thaler",
    ),
    (SALES, OVER_HAGEN, "sells ironware from Olpe in Dortmund for 5 Thaler"),
    (
        SALES,
        OVER_CORBACH,
        "sells ironware from Olpe in Dortmund for 5 Thaler, "
        "clearing Corbach-Dortmund and Corbach-Olpe",
    ),
    (
        selling(owned="coal_ironware herring_removal"),
        OVER_CORBACH,
        "sells ironware from Olpe in Dortmund for 8 Thaler "
        "(5, 1 for ironware and 2 for carriages removed), "
        "clearing Corbach-Dortmund and Corbach-Olpe",
    ),
    (
        selling(owned="coal_salt", state=LAST),
        OVER_HAGEN,
        "sells ironware from Olpe in Dortmund for 7 Thaler (5 and 2 for the last card)",
    ),
    (SALES, SkipTown(), "sells no ironware in Dortmund"),
    (
        selling(LEFTOVER),
        SellLeftover(House("moenster_ironware")),
        "sells leftover ironware in Mönster for 2 Thaler",
    ),
    (
        selling(LEFTOVER, "coal_ironware", LAST),
        SellLeftover(House("olpe_ironware")),
        "sells leftover ironware in Olpe for 5 Thaler (2, 1 for ironware and 2 for the last card)",
    ),
    (selling(LEFTOVER), SkipLeftover(), "sells nothing in this month"),
    (ACTIONS, BuyInTown(1), "buys 1 beer in Hamm for 1 Thaler"),
    (ACTIONS, BuyInTown(2), "buys 2 ironware and 1 carriage in Dortmund for 3 Thaler"),
    (ACTIONS, BuyInTown(4), "buys 1 ironware and 2 carriages in Duisburg for 3 Thaler"),
    (ACTIONS, StockUpOne("token"), "stocks up a token for 1 Thaler"),
    (ACTIONS, StockUpOne("carriage"), "stocks up a carriage for 1 Thaler"),
    (
        ACTIONS,
        BuyMerchandiseCard(MerchandiseCard("coal_beer")),
        "buys coal (+1 for beer) for 13 Thaler",
    ),
    (
        ACTIONS,
        BuyMerchandiseCard(MerchandiseCard("herring_removal")),
        "buys herring (+1 for each carriage removed) for 18 Thaler",
    ),
    (
        ACTIONS,
        BuyMerchandiseCard(MerchandiseCard("wine_pair")),
        "buys wine (herring with wine counts 64) for 23 Thaler",
    ),
    (
        ACTIONS,
        BuyMerchandiseCard(MerchandiseCard("wine_plain")),
        "buys plain wine for 23 Thaler",
    ),
    (
        ACTIONS,
        BuyMerchandiseCard(MerchandiseCard("tobacco_2")),
        "buys tobacco 2 (tobacco with tobacco counts 90) for 28 Thaler",
    ),
    (ACTIONS, TakeThaler(), "takes a Thaler"),
    (
        EXPANSION,
        TakeThaler(),
        "takes a Thaler and turns up the privileges of storage and stocking up",
    ),
    (EXPANSION, Store("token"), "stores a token"),
    (
        EXPANSION,
        StockUpAll(),
        "stocks up with 2 tokens, 1 carriage and 2 black carriages out of the warehouse",
    ),
    (EXPANSION, UsePrivilegeStorage("carriage"), "stores a carriage by privilege"),
    (
        replace(EXPANSION, additional_carriages=AdditionalCarriages(FREYA)),
        UsePrivilegeStockUp(),
        "stocks up by privilege with 2 tokens and 1 carriage out of the warehouse",
    ),
    (
        EXPANSION,
        UsePrivilegeTakeThaler(),
        "takes a Thaler by privilege and turns up the privileges of storage and stocking up",
    ),
    (EXPANSION, ClaimPrivilege("take_thaler"), "chooses the privilege of taking a Thaler"),
    (
        short_of(2, 1),
        TakeBackToken(House("soest_salt")),
        "takes a token back from the salt house of Soest",
    ),
    (short_of(2, 1), TakeBackToken("warehouse"), "takes a token back from the warehouse"),
    (
        short_of(0, 2),
        TakeBackCarriage(Road("corbach_olpe")),
        "takes a carriage back from Corbach-Olpe",
    ),
    (short_of(2, 1), ForfeitPiece(), "does without the token"),
    (short_of(0, 1), ForfeitPiece(), "does without the carriage"),
    (ACTIONS, DeclineBonusCarriage(), "does without the bonus carriage"),
    (EXPANSION, EndTurn(), "ends the turn"),
)


def sold(total: int, **parts: Any) -> MerchandiseSold:
    bonuses = ("type_bonus", "removal_bonus", "last_card_bonus", "passenger_bonus")
    return MerchandiseSold(
        seat=FREYA,
        slot=1,
        town=Town("hamm"),
        merchandise="beer",
        origin=parts.pop("origin", House("essen_beer")),
        route=parts.pop("route", roads("essen_moenster hamm_moenster")),
        removes=parts.pop("removes", ()),
        price=3,
        **(dict.fromkeys(bonuses, 0) | parts),
        total=total,
    )


def standing(money: int, card_value: int, rank: int) -> Standing:
    return Standing(money, card_value, (), money + card_value, 4, 5, rank)


EVENTS: Final[tuple[tuple[Event, str], ...]] = (
    (StartingPlayerChosen(FREYA), "Freya gets the starting player card"),
    (
        MerchandiseCardsLaidOut(cards("coal_salt wine_plain tobacco_1")),
        "For sale are coal (+1 for salt), plain wine "
        "and tobacco 1 (tobacco with tobacco counts 90)",
    ),
    (
        TradingDeckShuffled(trading_cards("t04 t11 t01")),
        "The trading cards are shuffled",
    ),
    (
        TradingCardsSetAside(2, trading_cards("t04 t11")),
        "2 trading cards leave the match unseen",
    ),
    (MonthBegan(3, JACK), "Month 3 begins, Jack is first"),
    (
        TradingCardRevealed(3, TradingCard("t03"), TRADING_CARDS[TradingCard("t03")], last=False),
        "Month 3 turns up trading card 3: beer in Hamm for 3 (1 token), "
        "ironware in Dortmund for 5 (2 tokens and 1 carriage), salt in Builefeld for 4 (2 tokens), "
        "ironware in Duisburg for 5 (1 token and 2 carriages)",
    ),
    (TownPassed(IVY, 2, forced=True), "Ivy can sell nothing on square 2"),
    (TownPassed(IVY, 2, forced=False), "Ivy sells nothing on square 2"),
    (sold(3, origin=House("hamm_beer"), route=()), "Freya sells beer in Hamm for 3 Thaler"),
    (
        sold(5, type_bonus=1, passenger_bonus=1),
        "Freya sells beer from Essen in Hamm for 5 Thaler (3, 1 for beer and 1 for passengers)",
    ),
    (
        sold(6, removal_bonus=1, last_card_bonus=2, removes=roads("essen_moenster")),
        "Freya sells beer from Essen in Hamm for 6 Thaler "
        "(3, 1 for carriages removed and 2 for the last card), clearing Essen-Mönster",
    ),
    (
        LeftoverSold(IVY, House("soest_salt"), "salt", 2, 0, 0, 2),
        "Ivy sells leftover salt in Soest for 2 Thaler",
    ),
    (
        LeftoverSold(IVY, House("soest_salt"), "salt", 2, 1, 0, 3),
        "Ivy sells leftover salt in Soest for 3 Thaler (2 and 1 for salt)",
    ),
    (LeftoverSkipped(IVY), "Ivy sells nothing in this month"),
    (SeatSalesEnded(JACK), "Jack has no more sales"),
    (SalesEnded(7), "The sales of month 7 are over"),
    (TurnStarted(JACK, 2), "Jack begins a turn, round 2"),
    (MerchantPlaced(JACK, 1, "market", None), "Jack sends a merchant to the market"),
    (MerchantPlaced(JACK, 1, 3, Town("moenster")), "Jack sends a merchant to Mönster"),
    (MoneyPaid(JACK, 3, "purchase"), "Jack pays 3 Thaler"),
    (MoneyReceived(JACK, 1, "take_thaler"), "Jack takes 1 Thaler"),
    (
        MerchandiseCardBought(IVY, MerchandiseCard("herring_pair"), 18),
        "Ivy buys herring (coal with herring counts 50) for 18 Thaler",
    ),
    (
        PiecesDue(IVY, "purchase", House("hamm_beer"), 2, 1),
        "Ivy has 2 tokens and 1 carriage to place in Hamm",
    ),
    (PiecesDue(IVY, "setup", None, 1, 0), "Ivy has 1 token to place"),
    (PiecesDue(IVY, "store", None, 0, 1), "Ivy has 1 carriage to store"),
    (PiecesDue(IVY, "bonus", None, 0, 1), "Ivy may place a bonus carriage"),
    (
        TokenPlaced(IVY, House("hamm_beer"), "supply"),
        "Ivy puts a token on the beer house of Hamm",
    ),
    (
        CarriagePlaced(IVY, Road("hagen_olpe"), "supply", 0),
        "Ivy puts a carriage on Hagen-Olpe",
    ),
    (
        CarriagePlaced(IVY, Road("olpe_siegen"), "hand", 1),
        "Ivy puts a carriage on Olpe-Siegen and gets 1 Thaler",
    ),
    (
        TokenTakenBack(IVY, House("hamm_beer")),
        "Ivy takes a token back from the beer house of Hamm",
    ),
    (CarriageTakenBack(IVY, "warehouse"), "Ivy takes a carriage back from the warehouse"),
    (PieceForfeited(IVY, "carriage"), "Ivy does without the carriage"),
    (BonusCarriageDeclined(IVY), "Ivy does without the bonus carriage"),
    (PieceStored(IVY, "token"), "Ivy stores a token"),
    (
        WarehouseEmptied(IVY, 1, 0, 2),
        "Ivy takes 1 token and 2 black carriages out of the warehouse",
    ),
    (PrivilegeClaimEarned(IVY, 1), "Ivy may choose 1 privilege"),
    (PrivilegeClaimEarned(IVY, 2), "Ivy may choose 2 privileges"),
    (
        PrivilegeReceived(IVY, "stock_up", "card", 0),
        "Ivy gets the privilege of stocking up for a merchandise card",
    ),
    (
        PrivilegeReceived(IVY, "take_thaler", "route", 0),
        "Ivy gets the privilege of taking a Thaler for joining Builefeld-Corbach",
    ),
    (PrivilegeUsed(IVY, "storage"), "Ivy uses the privilege of storage"),
    (
        PrivilegesRevealed(IVY, ("storage",)),
        "Ivy turns up the privilege of storage, to be used from the next turn on",
    ),
    (
        PrivilegesRevealed(IVY, ("storage", "stock_up")),
        "Ivy turns up the privileges of storage and stocking up, to be used from the next turn on",
    ),
    (
        AdditionalCarriagesReceived(IVY),
        "Ivy gets the 2 black carriages for joining Duisburg-Paderborn",
    ),
    (TurnEnded(IVY), "Ivy ends the turn"),
    (MerchantsRetrieved(5), "All merchants come back"),
    (TradingCardRemoved(5), "The trading card of month 5 is turned face down"),
    (StartingPlayerPassed(JACK), "The starting player card goes to Jack"),
    (
        GameEnded((standing(40, 18, 2), standing(30, 50, 1), standing(20, 0, 3))),
        "The match is over, Freya wins: Ivy 58 (40 and 18 for cards), "
        "Freya 80 (30 and 50 for cards) and Jack 20 (20 and 0 for cards)",
    ),
    (
        GameEnded((standing(40, 0, 1), standing(22, 18, 1), standing(20, 0, 3))),
        "The match is over, Ivy and Freya share the win: Ivy 40 (40 and 0 for cards), "
        "Freya 40 (22 and 18 for cards) and Jack 20 (20 and 0 for cards)",
    ),
)


def line(event: Event, viewer: Viewer = IVY) -> str:
    (told,) = told_live((event,), viewer)
    return explain(GAME.view(SALES, viewer), None, told, NAMES[:3])


def lines_of_moves(state: State, seat: Seat) -> list[str]:
    view, moves = GAME.view(state, seat), GAME.legal_moves(state, seat)
    return [explain(view, seat, move, NAMES[: state.seats]) for move in moves]


def lines_of_a_match(options: Options, seats: int) -> Iterator[str]:
    """Yield all that anybody may read in a random match."""
    playout = play_out(GAME, options, seats, seed=1)
    for step in playout.steps:
        for told in (*told_live(step.events, None), *step.events):
            yield explain(GAME.view(step.after, None), None, told, NAMES[:seats])
        for seat in GAME.to_act(step.after):
            yield from lines_of_moves(step.after, seat)


@pytest.mark.parametrize(("state", "move", "expected"), MOVES)
def test_a_move_has_a_line(state: State, move: Move, expected: str) -> None:
    assert explain(GAME.view(state, IVY), IVY, move, NAMES[:3]) == f"Ivy {expected}"


def test_every_kind_of_move_was_tried() -> None:
    assert {type(move) for _, move, _ in MOVES} == set(classes_of(Move))


@pytest.mark.parametrize(("event", "expected"), EVENTS)
@pytest.mark.parametrize("viewer", [IVY, JACK, None])
def test_an_event_has_a_line_which_is_the_same_for_all(
    event: Event, expected: str, viewer: Viewer
) -> None:
    assert line(event, viewer) == expected


def test_every_kind_of_event_was_tried() -> None:
    assert {type(event) for event, _ in EVENTS} == set(classes_of(Event))


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        (False, "Month 3 turns up a trading card"),
        (True, "Month 3 turns up a trading card, the last one"),
    ],
)
def test_the_face_of_a_trading_card_is_not_read_again(last: bool, expected: str) -> None:  # noqa: FBT001
    card = TradingCard("t03")
    event = TradingCardRevealed(3, card, TRADING_CARDS[card], last=last)
    again: Any = redacted(event, IVY, told_live=False)
    assert explain(GAME.view(SALES, IVY), None, again, NAMES[:3]) == expected


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            TradingDeckShuffled(trading_cards("t04 t11 t01")),
            "The trading cards are shuffled: 4, 11 and 1",
        ),
        (
            TradingCardsSetAside(2, trading_cards("t04 t11")),
            "2 trading cards leave the match unseen: 4 and 11",
        ),
    ],
)
def test_the_stack_is_told_once_the_match_is_over(event: Event, expected: str) -> None:
    assert explain(GAME.view(SALES, None), None, event, NAMES[:3]) == expected


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seats", GAME.seats)
def test_no_two_moves_have_the_same_line_in_a_match(seats: int, options: Options) -> None:
    playout = play_out(GAME, options, seats, seed=1)
    for step in playout.steps:
        for seat in GAME.to_act(step.after):
            lines = lines_of_moves(step.after, seat)
            assert len(set(lines)) == len(lines)


@pytest.mark.parametrize("options", [Options(), Options(passenger_transportation=True)])
def test_sales_are_told_as_in_the_example_of_the_rules(options: Options) -> None:
    trader = Player(
        tokens=houses("essen_beer siegen_beer"),
        carriages=roads(
            "corbach_dortmund corbach_dortmund corbach_siegen corbach_soest "
            "dortmund_essen dortmund_hamm hamm_soest"
        ),
        sales=Sales(slot=4),
    )
    players = (trader, Player(), Player())
    state = replace(SALES, options=options, players=players, card=TradingCard("t01"))
    by_soest = (
        "6 Thaler (5 and 1 for passengers)" if options.passenger_transportation else "5 Thaler"
    )
    assert lines_of_moves(state, IVY) == [
        f"Ivy sells beer from Essen in Hamm for {by_soest}, clearing Corbach-Soest and Hamm-Soest",
        "Ivy sells beer from Essen in Hamm for 5 Thaler, clearing Dortmund-Hamm",
        f"Ivy sells beer from Siegen in Hamm for {by_soest}, clearing Corbach-Soest and Hamm-Soest",
        "Ivy sells beer from Siegen in Hamm for 5 Thaler, clearing Dortmund-Hamm",
        "Ivy sells no beer in Hamm",
    ]


def test_no_two_actions_have_the_same_line_where_all_can_be_done() -> None:
    rich = replace(
        STORER,
        money=99,
        privileges=(HeldPrivilege("storage"), HeldPrivilege("take_thaler")),
        claims=1,
    )
    players = (rich, Player(), Player(), Player())
    state = replace(EXPANSION, seats=4, players=players, for_sale=tuple(MERCHANDISE_CARDS))
    lines = lines_of_moves(state, IVY)
    assert len(set(lines)) == len(lines) == 4 + len(MERCHANDISE_CARDS) + 8


@pytest.mark.parametrize("options", OPTIONS)
def test_a_sale_is_foretold_as_it_is_told(options: Options) -> None:
    playout = play_out(GAME, options, 4, seed=2)
    sales = [step for step in playout.steps if isinstance(step.move, Sell | SellLeftover)]
    for step in sales:
        foretold = explain(GAME.view(step.before, step.seat), step.seat, step.move, NAMES)
        assert foretold == explain(GAME.view(step.after, None), None, step.events[0], NAMES)
    assert sales


@pytest.mark.parametrize("options", OPTIONS)
def test_no_line_holds_words_of_the_machinery(options: Options) -> None:
    strange = re.compile(r"[a-z][A-Z]|_|\bt\d|\b(None|True|False|Sealed)\b|[\[\]{}'\"]")
    for each in lines_of_a_match(options, 4):
        assert not strange.search(each), each
        assert each[0].isupper() or each[0].isdigit(), each


@pytest.mark.parametrize("options", OPTIONS)
def test_nouns_agree_with_their_numbers(options: Options) -> None:
    wrong = re.compile(
        r"\b1 (tokens|carriages|black carriages|privileges)\b"
        r"|\b(0|[2-9]|1\d) (token|carriage|black carriage|privilege)\b"
    )
    assert not [each for each in lines_of_a_match(options, 3) if wrong.search(each)]
