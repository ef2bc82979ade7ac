"""Groups of matches on the same draws, in which every entrant sits everywhere."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any, Final

from howff.bots.arena.matches import Clock, Course, LineUp, play_match
from howff.bots.policies.catalogue import play_of
from howff.bots.policies.settings import Setting, setting_of
from howff.contracts.matches import LEVELS, ROUNDS_OF_BOTS
from howff.engine.catalogue import game_of
from howff.engine.errors import RefusalError


class WrongEntrantsError(RefusalError):
    """Those who are to take part are too few, or somebody among them is nobody."""

    code = "wrong_entrants"


FEWEST: Final = 2
"""How many entrants it takes."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who takes part: a name, and how it plays."""

    name: str
    setting: Setting


@dataclass(frozen=True, slots=True)
class Tournament:
    """Who plays what against whom; everything in it can go to another process."""

    game: str
    options: dict[str, Any]
    seats: int
    entrants: tuple[Entrant, ...]
    groups: int
    seed: str

    @property
    def seatings(self) -> Sequence[tuple[int, ...]]:
        """Who sits where in the matches of a group."""
        return seatings(len(self.entrants), self.seats)

    @property
    def pairings(self) -> Iterator["Pairing"]:
        """The matches, group by group."""
        for group in range(self.groups):
            for seating in self.seatings:
                yield Pairing(group, seating)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match of a *group*: by seat, the number of its entrant."""

    group: int
    seating: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played."""

    pairing: Pairing
    course: Course


def tournament_of(  # noqa: PLR0913 — that is all that makes one
    game: str,
    texts: Sequence[str],
    *,
    options: dict[str, Any],
    seats: int | None,
    groups: int,
    seed: str,
) -> Tournament:
    """Return the tournament of *game* between the entrants that *texts* name.

    By default there are as many *seats* as entrants, if the game is for so many. An entrant that
    takes part twice is told apart by a number.

    Raises:
        UnknownGameError: the catalogue has no such game.
        WrongEntrantsError: there is no such entrant, or fewer than two.
        WrongSeatCountError: the game is not for so many.
        WrongOptionError: it is not for these options.
    """
    rules = game_of(game)
    if len(texts) < FEWEST:
        found = str(len(texts))
        raise WrongEntrantsError("entrants", expected=f"at least {FEWEST}", found=found)
    if seats is None:
        seats = min(max(len(texts), rules.seats[0]), rules.seats[-1])
    bounded = rules.bounded(options, ROUNDS_OF_BOTS)
    rules.opening(rules.read_options(bounded), seats)
    return Tournament(game, bounded, seats, _entrants(game, texts), groups, seed)


def _entrants(game: str, texts: Sequence[str]) -> tuple[Entrant, ...]:
    entrants: list[Entrant] = []
    before = Counter[str]()
    for text in texts:
        before[text] += 1
        name = text if before[text] == 1 else f"{text} ({before[text]})"
        entrants.append(Entrant(name, entrant_of(game, text).setting))
    return tuple(entrants)


def entrant_of(game: str, text: str) -> Entrant:
    """Return the entrant that *text* names: a level, or a policy with its nodes (`mcts:200`).

    Raises:
        WrongEntrantsError: there is no such.
    """
    name, colon, nodes = text.partition(":")
    if not colon and name in LEVELS:
        return Entrant(text, setting_of(play_of(game), name))
    if name == "random" and not colon:
        return Entrant(text, Setting("random", 0))
    if name in {"greedy", "mcts"} and nodes.isascii() and nodes.isdecimal() and int(nodes) > 0:
        return Entrant(text, Setting("greedy" if name == "greedy" else "mcts", int(nodes)))
    expected = f"{', '.join(LEVELS)}, greedy:WORLDS or mcts:NODES"
    raise WrongEntrantsError("entrant", expected=expected, found=repr(text))


def seatings(entrants: int, seats: int) -> Sequence[tuple[int, ...]]:
    """Return who sits where in the matches of a group.

    All ways in which every entrant has a seat; with more entrants than seats, all in which each
    has at most one.
    """
    if entrants > seats:
        return tuple(permutations(range(entrants), seats))
    everywhere = product(range(entrants), repeat=seats)
    return tuple(each for each in everywhere if len(set(each)) == entrants)


def play_pairing(tournament: Tournament, pairing: Pairing, clock: Clock) -> Played:
    """Play one match of *tournament*."""
    game = game_of(tournament.game)
    line_up = LineUp(
        game,
        game.read_options(tournament.options),
        play_of(tournament.game),
        tuple(tournament.entrants[each].setting for each in pairing.seating),
    )
    seed = f"{tournament.seed} group {pairing.group}"
    course = play_match(line_up, seed.encode(), clock)
    return Played(pairing, course)
