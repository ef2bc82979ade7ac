"""Who plays each seat: who has left, whom a bot stands in for, and what the seats agree on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from howff.engine.outcome import Outcome, places_by
from howff.engine.seats import Seat
from howff.engine.values import replace

Wish = Literal["pause", "abort"]
"""What seats may agree on: to stop the clocks for a while, or to end the match without places."""
MOST_WISHES: Final = 20
"""How often a seat may tell a wish, or withdraw one, until it may only withdraw before a move."""

NO_SEATS: Final[frozenset[Seat]] = frozenset()


@dataclass(frozen=True)
class Presence:
    """Who has left, who is stood in for, and who wishes what."""

    resigned: Mapping[Seat, int] = field(default_factory=dict[Seat, int])
    """The seats that have resigned: the how-manieth to leave each was, from 1.

    Those that leave at the same moment share a number.
    """
    stand_ins: Mapping[Seat, str] = field(default_factory=dict[Seat, str])
    """The levels of the bots that have taken over seats."""
    were_taken_over: frozenset[Seat] = NO_SEATS
    """The seats for which a bot has stood in, now or before."""
    wishes: Mapping[Wish, frozenset[Seat]] = field(default_factory=dict[Wish, frozenset[Seat]])
    wishes_told: Mapping[Seat, int] = field(default_factory=dict[Seat, int])
    """How often each seat has told or withdrawn one since the last move."""

    def wish(self, wish: Wish) -> frozenset[Seat]:
        """Return the seats that have this *wish*."""
        return self.wishes.get(wish, NO_SEATS)

    def resigned_as(self, seat: Seat, order: int) -> "Presence":
        """Return who is there after *seat* has resigned, as the *order*-th."""
        stand_ins = {other: level for other, level in self.stand_ins.items() if other != seat}
        return replace(self, resigned={**self.resigned, seat: order}, stand_ins=stand_ins)

    def taken_over(self, seat: Seat, level: str) -> "Presence":
        """Return who is there after a bot of this *level* has taken *seat* over."""
        return replace(
            self,
            stand_ins={**self.stand_ins, seat: level},
            were_taken_over=self.were_taken_over | {seat},
            wishes={wish: seats - {seat} for wish, seats in self.wishes.items()},
        )

    def given_back(self, seat: Seat) -> "Presence":
        """Return who is there after *seat* was given back to its account."""
        stand_ins = {other: level for other, level in self.stand_ins.items() if other != seat}
        return replace(self, stand_ins=stand_ins)

    def wishing(self, seat: Seat, wish: Wish, *, is_wanted: bool) -> "Presence":
        """Return who is there after *seat* has told a *wish*, or withdrawn it."""
        seats = self.wish(wish) | {seat} if is_wanted else self.wish(wish) - {seat}
        told = {**self.wishes_told, seat: self.wishes_told.get(seat, 0) + 1}
        return replace(self, wishes={**self.wishes, wish: seats}, wishes_told=told)

    def without_wish(self, wish: Wish) -> "Presence":
        """Return who is there once nobody has this *wish* any more."""
        return replace(self, wishes={**self.wishes, wish: NO_SEATS})

    def after_move(self) -> "Presence":
        """Return who is there after a move, when wishes may be told anew."""
        return replace(self, wishes_told={}) if self.wishes_told else self


EVERYBODY: Final = Presence()
"""All are there, as when a match begins."""


def final_outcome(of_game: Outcome | None, presence: Presence, seats: int) -> Outcome | None:
    """Return how a match ends, or None while it goes on.

    *of_game* is what its game says. A match also ends when one seat is left that has not resigned,
    and then there are no figures. First come the seats that have not resigned, as the game orders
    them, then those that have, the last to leave best.
    """
    staying = [seat for seat in range(seats) if seat not in presence.resigned]
    if of_game is None and len(staying) > 1:
        return None
    figures = ((),) * seats if of_game is None else of_game.figures
    last = max(presence.resigned.values(), default=0)

    def key(seat: int) -> tuple[int, int]:
        order = presence.resigned.get(Seat(seat))
        if order is not None:
            return 1, last - order
        return 0, 0 if of_game is None else of_game.places[seat]

    return Outcome(places_by([key(seat) for seat in range(seats)]), figures)
