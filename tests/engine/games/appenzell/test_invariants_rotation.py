"""No seat is a better one: a match with all seats moved on is the same match."""

from dataclasses import replace
from typing import Final, TypeVar

import pytest

from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.events import (
    Event,
    FloorLaid,
    GameEnded,
    GameSetUp,
    RoofsReplaced,
)
from howff.engine.games.appenzell.state import Options, State
from howff.engine.seats import Seat
from howff.engine.values import replace as changed
from support.rng import LocalRng

T = TypeVar("T")

TABLES: Final = (
    Options(start_seat=Seat(0)),
    Options(start_seat=Seat(1), board_side="b", open_setup=True, cheese_target=5),
    Options(start_seat=Seat(0), board_side="random", spare_tile="plain", round_limit=9),
)


class Rotation:
    """Gives every seat the number of another, so many places to the left."""

    def __init__(self, seats: int, places: int) -> None:
        self._seats, self._places = seats, places

    def seat(self, seat: Seat) -> Seat:
        return Seat((seat + self._places) % self._seats)

    def seats(self, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        return tuple(map(self.seat, seats))

    def by_seat(self, items: tuple[T, ...]) -> tuple[T, ...]:
        """Return *items*, one a seat, each in its new place."""
        return tuple(items[at - self._places] for at in range(self._seats))

    def options(self, options: Options) -> Options:
        assert options.start_seat != "random"
        return replace(options, start_seat=self.seat(options.start_seat))

    def event(self, event: Event) -> Event:
        match event:
            case GameSetUp():
                start_seat = self.seat(event.start_seat)
                return replace(event, options=self.options(event.options), start_seat=start_seat)
            case GameEnded():
                return replace(event, ranking=self.seats(event.ranking))
            case FloorLaid() | RoofsReplaced():
                return event
            case _:
                return replace(event, seat=self.seat(event.seat))

    def state(self, state: State) -> State:
        ending = state.ending
        return changed(
            state,
            options=self.options(state.options),
            start_seat=self.seat(state.start_seat),
            active=self.seat(state.active),
            players=self.by_seat(state.players),
            ending=ending and replace(ending, ranking=self.seats(ending.ranking)),
        )


@pytest.mark.parametrize("options", TABLES)
@pytest.mark.parametrize("seats", GAME.seats)
def test_rotating_the_seats_rotates_everything(options: Options, seats: int) -> None:
    rng = LocalRng(seats)
    rotation = Rotation(seats, 1 + rng.draw("places", seats - 1))
    draft = GAME.start(options, seats, LocalRng("luck"))
    other = GAME.start(rotation.options(options), seats, LocalRng("luck"))
    while True:
        assert other.events == [rotation.event(event) for event in draft.events]
        assert other.state == rotation.state(draft.state) != draft.state
        to_act = GAME.to_act(draft.state)
        assert GAME.to_act(other.state) == rotation.seats(to_act)
        if not to_act:
            break
        (seat,) = to_act
        move = rng.roll("move", GAME.legal_moves(draft.state, seat))
        draft = GAME.play(draft.state, seat, move, rng)
        other = GAME.play(other.state, rotation.seat(seat), move, rng)
    outcome, rotated = GAME.outcome(draft.state), GAME.outcome(other.state)
    assert outcome is not None
    assert rotated is not None
    assert rotated.places == rotation.by_seat(outcome.places)
    assert rotated.figures == rotation.by_seat(outcome.figures)
