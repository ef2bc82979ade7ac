"""What a viewer may know of a state of Highland Clans: all but hands, piles and covered cards.

Once the match has ended everything lies open.
"""

from dataclasses import dataclass

from howff.engine.games.highland_clans.data import Card, Cards, Clan, Cubes
from howff.engine.games.highland_clans.state import (
    Board,
    Debt,
    Ending,
    Fight,
    Options,
    RunningRaid,
    Stage,
    State,
    Turn,
)
from howff.engine.seats import Seat, Viewer


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What everybody sees of a seat."""

    clan: Clan
    board: Board
    hand_size: int


@dataclass(frozen=True, slots=True)
class CommitmentView:
    """The attacker's card in the running fight; its value is for the attacker alone."""

    bagpiper: bool
    value: Card | None


@dataclass(frozen=True, slots=True)
class RaidView:
    """A raid, with the cards of the fights that are over."""

    attacker: Seat
    defender: Seat
    fights: tuple[Fight, ...]
    commitment: CommitmentView | None


@dataclass(frozen=True, slots=True)
class Revelation:
    """All that was secret, once the match has ended."""

    hands: tuple[Cards, ...]
    deck: Cards
    discard_pile: Cards


@dataclass(frozen=True, slots=True)
class View:
    """A state as one viewer may know it; `hand` and `fresh` are the viewer's own."""

    seat: Viewer
    options: Options
    stage: Stage
    round: int
    start_seat: Seat | None
    turn: Turn | None
    players: tuple[PlayerView, ...]
    marker: Seat | None
    bag: Cubes
    set_aside: Cubes
    deck_size: int
    discard_size: int
    supply: int
    revealed: tuple[int, ...]
    removed: int
    raid: RaidView | None
    owed: tuple[Debt, ...]
    ending: Ending | None
    hand: Cards | None
    fresh: Cards | None
    """The cards of which alone the viewer has to discard, where its hand holds others too."""
    revelation: Revelation | None


def view(state: State, viewer: Viewer) -> View:
    """Return what *viewer* may know of *state*."""
    own = None if viewer is None else state.players[viewer]
    return View(
        seat=viewer,
        options=state.options,
        stage=state.stage,
        round=state.round,
        start_seat=state.start_seat,
        turn=state.turn,
        players=tuple(
            PlayerView(player.clan, player.board, len(player.hand)) for player in state.players
        ),
        marker=state.marker,
        bag=state.bag,
        set_aside=state.set_aside,
        deck_size=len(state.deck),
        discard_size=len(state.discard_pile),
        supply=state.supply,
        revealed=state.revealed,
        removed=state.removed,
        raid=None if state.raid is None else _raid_view(state.raid, viewer),
        owed=state.owed,
        ending=state.ending,
        hand=None if own is None else own.hand,
        fresh=None if own is None or not own.fresh else own.fresh,
        revelation=None if state.ending is None else _revelation(state),
    )


def _raid_view(raid: RunningRaid, viewer: Viewer) -> RaidView:
    commitment = None
    if raid.commitments:
        card = raid.commitments[0]
        value = card.value if viewer == raid.attacker else None
        commitment = CommitmentView(card.bagpiper, value)
    return RaidView(raid.attacker, raid.defender, raid.fights, commitment)


def _revelation(state: State) -> Revelation:
    hands = tuple(player.hand for player in state.players)
    return Revelation(hands, state.deck, state.discard_pile)
