"""The opening of a match of Trödler."""

from howff.engine.errors import WrongOptionError
from howff.engine.games.troedler.data import (
    COLOURS,
    DECK_OTHERS,
    DECK_REQUESTS,
    FEED,
    GOODS,
    PIECES_PER_GOOD,
    STARTING_SETS,
    VILLAGES,
    Cards,
    Colour,
)
from howff.engine.games.troedler.dealing import Decision, start_round
from howff.engine.games.troedler.events import (
    DiscardPileFormed,
    GameStarted,
    GoodsPlaced,
    RoundPileShuffled,
    StartCardsTaken,
    StartingDealerChosen,
    StartVillage,
    StartVillagesAssigned,
)
from howff.engine.games.troedler.evolve import evolve
from howff.engine.games.troedler.state import Options, State, VillageGoods
from howff.engine.multisets import without_all
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat


def initial(options: Options, seats: int) -> State:
    """Return the state before the opening draws.

    Raises:
        WrongOptionError: a seat, colour or limit that does not fit a match of *seats* seats.
    """
    _check_dealer(options, seats)
    _check_colours(options, seats)
    if options.round_limit is not None and options.round_limit < 1:
        found = str(options.round_limit)
        raise WrongOptionError("round_limit", expected="null or at least 1", found=found)
    return State(options, seats)


def setup(state: State, rng: Rng) -> Decision:
    """Draw colours, goods, the first discard pile, the round pile and the dealer, in this order."""
    decision = Draft(state, evolve)
    decision.add(GameStarted(state.seats, state.options))
    colours = _assign_colours(decision, rng)
    _place_goods(decision, rng)
    for seat, colour in enumerate(colours):
        decision.add(StartCardsTaken(Seat(seat), STARTING_SETS[colour].cards))
    _form_piles(decision, rng)
    dealer = state.options.starting_dealer
    if dealer == "random":
        dealer = Seat(rng.draw("starting dealer", state.seats))
    decision.add(StartingDealerChosen(dealer))
    start_round(decision, 1, dealer, rng)
    return decision


def _check_dealer(options: Options, seats: int) -> None:
    dealer = options.starting_dealer
    if dealer != "random" and dealer not in range(seats):
        expected = f'"random" or a seat from 0 to {seats - 1}'
        raise WrongOptionError("starting_dealer", expected=expected, found=str(dealer))


def _check_colours(options: Options, seats: int) -> None:
    colours = options.colours
    if colours != "random" and not (len(colours) == len(set(colours)) == seats):
        expected = f'"random" or {seats} different colours'
        raise WrongOptionError("colours", expected=expected, found=", ".join(colours) or "none")


def _assign_colours(decision: Decision, rng: Rng) -> tuple[Colour, ...]:
    colours = decision.state.options.colours
    if colours == "random":
        colours = rng.shuffle("colours", COLOURS)[: decision.state.seats]
    villages = tuple(
        StartVillage(Seat(seat), colour, STARTING_SETS[colour].village)
        for seat, colour in enumerate(colours)
    )
    decision.add(StartVillagesAssigned(villages))
    return colours


def _place_goods(decision: Decision, rng: Rng) -> None:
    pieces = iter(rng.shuffle("goods", GOODS * PIECES_PER_GOOD))
    decision.add(
        GoodsPlaced(
            tuple(
                VillageGoods(village, tuple(sorted(next(pieces) for _ in range(record.goods))))
                for village, record in VILLAGES.items()
                if record.goods
            )
        )
    )


def _form_piles(decision: Decision, rng: Rng) -> None:
    figures = decision.state.figures
    requests = rng.shuffle("requests", DECK_REQUESTS)
    feed: Cards = (FEED,) * figures.discard_feed
    aside = (*requests[: figures.discard_requests], *feed)
    order = rng.shuffle("first discard pile", aside)
    decision.add(
        DiscardPileFormed(
            len(order), figures.discard_requests, figures.discard_feed, order[-1], order
        )
    )
    others = (*without_all(DECK_OTHERS, feed), *requests[figures.discard_requests :])
    round_pile = rng.shuffle("round pile", others)
    decision.add(RoundPileShuffled(len(round_pile), round_pile))
