"""What a player may wish for by a ticket."""

from dataclasses import replace
from typing import Final, TypeVar

from howff.engine.codec import shown
from howff.engine.errors import RefusalError
from howff.lobby.domain.errors import WrongWishError
from howff.lobby.domain.terms import Terms, resolved
from howff.lobby.domain.tickets.events import GameWished, Wish
from howff.match.clocks import Clock

T = TypeVar("T")

MOST_NAMED: Final = 8
"""Games, clocks, and numbers of seats that one wish may name, each."""


def checked(wish: Wish) -> Wish:
    """Return *wish* with all that it leaves open told.

    Raises:
        WrongWishError: it names nothing, too much, or a number of seats that fits no game; or bots
            are asked for in a match that must count, or without their level.
        RefusalError: a game is not known, or not with these options or clocks.
    """
    _check_named("games", wish.games)
    _check_named("clocks", wish.clocks)
    _check_named("seats", wish.seats)
    _check_bots(wish)
    games = tuple(_fitting(each, wish) for each in wish.games)
    _check_named("games", games)
    unused = set(wish.seats).difference(*(each.seats for each in games))
    if unused:
        found = ", ".join(map(str, sorted(unused)))
        raise WrongWishError("seats", expected="numbers that a game wished for has", found=found)
    return replace(wish, games=games, seats=tuple(sorted(wish.seats)))


def terms_of(game: GameWished, seats: int, clock: Clock | None, *, rated: bool) -> Terms:
    """Return the terms of the match that these parts of a wish make.

    Who leaves is decided for by the game's default moves, and whose flag falls has resigned.
    """
    return Terms(game=game.game, options=game.options, seats=seats, clock=clock, rated=rated)


def _check_named(field: str, named: tuple[object, ...]) -> None:
    if not 1 <= len(named) <= MOST_NAMED or any(named.count(each) > 1 for each in named):
        expected = f"1 to {MOST_NAMED}, each once"
        raise WrongWishError(field, expected=expected, found=str(len(named)))


def _check_bots(wish: Wish) -> None:
    if (wish.bots_after is None) != (wish.bot_level is None):
        expected = "the level of bots if and only if they may fill up"
        raise WrongWishError("bot_level", expected=expected, found=shown(wish.bot_level))
    if wish.bots_after is None:
        return
    if wish.bots_after < 0:
        expected = "0 seconds or more"
        raise WrongWishError("bots_after", expected=expected, found=str(wish.bots_after))
    if wish.rated == "yes":
        expected = "no or either where bots may fill up"
        raise WrongWishError("rated", expected=expected, found="yes")


def _fitting(game: GameWished, wish: Wish) -> GameWished:
    """Return *game* with its options as resolved and the numbers of seats that it is for."""
    refusals: list[RefusalError] = []
    terms: list[Terms] = []
    for seats in sorted(wish.seats):
        try:
            for clock in wish.clocks:
                resolved(terms_of(game, seats, clock, rated=False))
            terms.append(resolved(terms_of(game, seats, None, rated=False)))
        except RefusalError as refusal:
            refusals.append(refusal)
    if not terms:
        raise refusals[0]
    return GameWished(game.game, terms[0].options, tuple(each.seats for each in terms))
