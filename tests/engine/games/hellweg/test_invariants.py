"""No piece, card or Thaler of Hellweg Westfalicus appears or vanishes, whatever is played."""

from collections import Counter

from hypothesis import given

from howff.engine.games.hellweg.data import HOUSES, MERCHANDISE_CARDS, ROADS, Road, Town
from howff.engine.games.hellweg.events import (
    CarriagePlaced,
    Event,
    LeftoverSold,
    MerchandiseCardBought,
    MerchandiseSold,
    MoneyPaid,
    MoneyReceived,
)
from howff.engine.games.hellweg.state import Due, Player, State
from howff.engine.seats import Seat
from support.hellweg_playouts import Playout, playouts


def in_hand(state: State, seat: int) -> Due | None:
    """Return the pieces that *seat* has taken out of its warehouse and not placed yet."""
    due = state.due
    return due if due is not None and due.seat == seat and due.cause == "warehouse" else None


@given(match=playouts)
def test_invariant_01_every_seat_has_twelve_tokens(match: Playout) -> None:
    for moment in match.moments:
        for seat, player in enumerate(moment.after.players):
            held = in_hand(moment.after, seat)
            elsewhere = player.warehouse_tokens + (held.tokens if held else 0)
            assert player.supply_tokens + len(player.tokens) + elsewhere == 12
            assert min(player.supply_tokens, player.warehouse_tokens) >= 0


@given(match=playouts)
def test_invariant_02_every_seat_has_eight_carriages_or_ten(match: Playout) -> None:
    for moment in match.moments:
        black = moment.after.additional_carriages
        for seat, player in enumerate(moment.after.players):
            held = in_hand(moment.after, seat)
            elsewhere = player.warehouse_carriages + (held.carriages if held else 0)
            has_black = black is not None and black.owner == seat and black.waiting == 0
            total = player.supply_carriages + len(player.carriages) + elsewhere
            assert total == (10 if has_black else 8)
            assert min(player.supply_carriages, player.warehouse_carriages) >= 0


@given(match=playouts)
def test_invariant_02_black_carriages_wait_together(match: Playout) -> None:
    for moment in match.moments:
        black = moment.after.additional_carriages
        assert (black is not None) == match.options.warehouse_and_privileges
        if black is not None:
            assert black.waiting in {0, 2}
            assert black.waiting == 2 or black.owner is not None


def booked(event: Event) -> tuple[Seat, int] | None:
    """Return whose money *event* changes, and by how much."""
    match event:
        case MoneyPaid(seat, amount, _):
            return seat, -amount
        case MerchandiseCardBought(seat, _, paid):
            return seat, -paid
        case MoneyReceived(seat, amount, _):
            return seat, amount
        case MerchandiseSold() | LeftoverSold():
            return event.seat, event.total
        case CarriagePlaced():
            return event.seat, event.village_thaler
        case _:
            return None


@given(match=playouts)
def test_invariant_03_money_changes_by_what_the_events_tell(match: Playout) -> None:
    ledger = [10] * match.seats
    for moment in match.moments:
        if (booking := booked(moment.event)) is not None:
            seat, amount = booking
            ledger[seat] += amount
        assert [player.money for player in moment.after.players] == ledger
        assert min(ledger) >= 0


def discount(player: Player) -> int:
    """Return what the action costs less whose merchant has just been placed."""
    return 2 if len(player.merchants) == 2 and player.merchants[0] == "market" else 0


@given(match=playouts)
def test_invariant_03_everything_costs_its_price(match: Playout) -> None:
    for before, paid, _ in match.of(MoneyPaid):
        player = before.players[paid.seat]
        if paid.reason == "stock_up":
            assert paid.amount == 1
        else:
            slot = player.merchants[-1]
            assert slot != "market"
            assert paid.amount == before.square(slot).price - discount(player)
    for before, bought, _ in match.of(MerchandiseCardBought):
        price = MERCHANDISE_CARDS[bought.card].price
        assert bought.paid == price - discount(before.players[bought.seat])
    for _, received, _ in match.of(MoneyReceived):
        assert (received.amount, received.reason) == (1, "take_thaler")


@given(match=playouts)
def test_invariant_03_a_sale_brings_its_price_and_bonuses(match: Playout) -> None:
    for before, sold, _ in match.of(MerchandiseSold):
        cards = [MERCHANDISE_CARDS[card] for card in before.players[sold.seat].cards]
        square = before.square(sold.slot)
        assert (sold.town, sold.merchandise) == town_and_kind(square.house)
        is_over_village = any(ROADS[road].village for road in sold.route)
        is_passenger = match.options.passenger_transportation and is_over_village
        is_paid = any(card.removal_plus_one for card in cards)
        expected = (
            square.price,
            sum(card.plus_one == sold.merchandise for card in cards),
            len(sold.removes) if is_paid else 0,
            0 if before.stack else 2,
            int(is_passenger),
        )
        bonuses = (sold.type_bonus, sold.removal_bonus, sold.last_card_bonus, sold.passenger_bonus)
        assert (sold.price, *bonuses) == expected
        assert sold.total == sum(expected)


@given(match=playouts)
def test_invariant_03_a_leftover_sale_brings_two_and_its_bonuses(match: Playout) -> None:
    for before, sold, _ in match.of(LeftoverSold):
        cards = [MERCHANDISE_CARDS[card] for card in before.players[sold.seat].cards]
        assert sold.merchandise == HOUSES[sold.origin].merchandise
        type_bonus = sum(card.plus_one == sold.merchandise for card in cards)
        last_card_bonus = 0 if before.stack else 2
        assert (sold.price, sold.type_bonus, sold.last_card_bonus) == (
            2,
            type_bonus,
            last_card_bonus,
        )
        assert sold.total == 2 + type_bonus + last_card_bonus


@given(match=playouts)
def test_invariant_03_every_carriage_on_a_village_road_brings_a_thaler(match: Playout) -> None:
    for _, placed, _ in match.of(CarriagePlaced):
        assert placed.village_thaler == int(ROADS[placed.road].village)


def town_and_kind(house: str) -> tuple[str, str]:
    town, _, merchandise = house.partition("_")
    return town, merchandise


def towns_of(start: Town, route: tuple[Road, ...]) -> list[Town]:
    """Return the towns on a *route* that begins in *start*; it fails if the roads do not join."""
    towns = [start]
    for road in route:
        (following,) = set(ROADS[road].ends) - {towns[-1]}
        towns.append(following)
    return towns


@given(match=playouts)
def test_invariant_04_a_sale_removes_the_single_carriages_of_its_brown_roads(
    match: Playout,
) -> None:
    for before, sold, after in match.of(MerchandiseSold):
        carriages = Counter(before.players[sold.seat].carriages)
        singles = [
            road for road in sold.route if ROADS[road].surface == "brown" and carriages[road] == 1
        ]
        assert list(sold.removes) == sorted(singles)
        assert Counter(after.players[sold.seat].carriages) == carriages - Counter(singles)


@given(match=playouts)
def test_invariant_04_a_route_leads_over_own_carriages_to_the_town_of_the_sale(
    match: Playout,
) -> None:
    for before, sold, _ in match.of(MerchandiseSold):
        player, wanted = before.players[sold.seat], before.square(sold.slot).house
        assert sold.origin in player.tokens
        assert HOUSES[sold.origin].merchandise == sold.merchandise
        assert set(sold.route) <= set(player.carriages)
        towns = towns_of(HOUSES[sold.origin].town, sold.route)
        assert towns[-1] == sold.town
        assert len(towns) == len(set(towns))
        assert bool(sold.route) == (sold.origin != wanted)


@given(match=playouts)
def test_invariant_08_every_merchandise_card_is_for_sale_or_with_one_seat(match: Playout) -> None:
    expected = Counter(
        card for card, each in MERCHANDISE_CARDS.items() if each.seats <= match.seats
    )
    assert expected.total() == {2: 6, 3: 8, 4: 9}[match.seats]
    for state in match.states:
        owned = [card for player in state.players for card in player.cards]
        assert Counter((*state.for_sale, *owned)) == expected
