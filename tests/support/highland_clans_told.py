"""What a seat would note on paper while the events of Highland Clans are told to it.

Nothing here knows the state or how the rules evolve it; the notes must come to the same view.
"""

from collections import Counter
from typing import Any

from howff.engine.games.highland_clans.data import ALL_CUBES, Card, Cards, Cubes
from howff.engine.games.highland_clans.events import (
    ActionsEnded,
    BardPlayed,
    BoardsPrepared,
    CardCommitted,
    CardsDiscarded,
    CardsDrawn,
    CubesDrawn,
    CubesKept,
    CubesRedrawn,
    CubesSetAside,
    DeckReshuffled,
    DiscardRequired,
    EstateAcquired,
    EstateRemoved,
    Event,
    FightResolved,
    FollowingAssigned,
    GameEnded,
    GameStarted,
    HandDealt,
    MonksRecruited,
    RaidDeclared,
    RaidResolved,
    RoundScored,
    RoundStarted,
    SpoilsDeclined,
    SpoilsTaken,
    StartSeatChosen,
    StartSeatPassed,
    TurnEnded,
    TurnStarted,
)
from howff.engine.games.highland_clans.state import Board, Commitment, Debt, Ending, Fight, Turn
from howff.engine.games.highland_clans.view import CommitmentView, PlayerView, RaidView, View
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import told

ACTIONS = {
    "CattlePlaced": ("place_cattle", "cattle", Cubes(red=1)),
    "CastleBuilt": ("build_castle", "castles", Cubes(blue=2)),
    "MonasteryBuilt": ("build_monastery", "monasteries", Cubes(green=3)),
    "WarriorRecruited": ("recruit_warrior", "warriors", Cubes(yellow=1)),
    "BagpiperRecruited": ("recruit_bagpiper", "bagpipers", Cubes(blue=1)),
}
"""The name of an action, what there is one more of, and the drawn cubes that it takes."""
SPOILS = {
    "castle": ("castles", Cubes(blue=2)),
    "monastery": ("monasteries", Cubes(green=3)),
    "cattle": ("cattle", Cubes(red=1)),
}
COURT = {"yellow": "warriors", "blue": "bagpipers", "green": "monks"}
CARDS = 67
TILES = 25


class Notes:
    """The table as one viewer has followed it."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._open: dict[str, Any] = {
            "stage": "actions",
            "round": 0,
            "start_seat": None,
            "marker": None,
            "bag": ALL_CUBES,
            "set_aside": Cubes(),
            "supply": TILES,
            "revealed": (),
            "removed": 0,
            "ending": None,
        }
        self._boards: list[Counter[str]] = []
        self._hand_sizes: list[int] = []
        self._turn: dict[str, Any] | None = None
        self._raid: dict[str, Any] | None = None
        self._owed: list[Debt] = []
        self._hand: list[Card] = []
        self._fresh: list[Card] = []
        self._deck_size, self._discard_size = CARDS, 0

    def view(self) -> View:
        """Return what the viewer sees, as far as the match has not ended."""
        own = self._viewer is not None
        return View(
            seat=self._viewer,
            options=self._options,
            turn=None if self._turn is None else Turn(**self._turn),
            players=tuple(
                PlayerView(clan, Board(**board), size)
                for clan, board, size in zip(
                    self._clans, self._boards, self._hand_sizes, strict=True
                )
            ),
            deck_size=self._deck_size,
            discard_size=self._discard_size,
            raid=None if self._raid is None else RaidView(**self._raid),
            owed=tuple(self._owed),
            hand=tuple(sorted(self._hand)) if own else None,
            fresh=tuple(sorted(self._fresh)) or None,
            revelation=None,
            **self._open,
        )

    def read(self, event: Event) -> None:  # noqa: C901, PLR0912, PLR0915
        """Note what *event* tells."""
        match event:
            case GameStarted(seats, options, clans):
                self._options, self._clans = options, clans
                self._boards = [Counter() for _ in range(seats)]
                self._hand_sizes = [0] * seats
            case CubesSetAside(yellow, blue):
                self._open["set_aside"] = Cubes(yellow=yellow, blue=blue)
                self._open["bag"] -= self._open["set_aside"]
            case BoardsPrepared():
                self._prepare_boards(event)
            case HandDealt(seat, count, cards):
                self._take_cards(seat, count, told(cards))
            case CardsDrawn(seat, reason, count, cards):
                self._take_cards(seat, count, told(cards))
                self._fresh += told(cards) or () if self._is_refresh(reason) else ()
            case StartSeatChosen(seat) | StartSeatPassed(seat):
                self._open["start_seat"] = seat
            case RoundStarted(number, _):
                self._open["round"] = number
            case TurnStarted(seat, _, position, action_limit, may_redraw):
                self._turn = {"seat": seat, "position": position, "action_limit": action_limit}
                self._turn |= {"may_redraw": may_redraw, "cubes": Cubes(), "used": 0, "done": ()}
            case CubesDrawn(_, drawn):
                assert self._turn is not None
                self._swap_cubes(Cubes(), drawn)
                self._open["stage"] = "redraw" if self._turn["may_redraw"] else "actions"
            case CubesRedrawn(_, returned, drawn):
                self._swap_cubes(returned, drawn)
                self._open["stage"] = "actions"
            case CubesKept():
                self._open["stage"] = "actions"
            case ActionsEnded(_, returned):
                self._swap_cubes(returned, Cubes())
                self._open["stage"] = "raid_or_exchange"
            case MonksRecruited(seat, count):
                self._act("recruit_monks", Cubes(green=count))
                self._boards[seat]["monks"] += count
            case EstateAcquired():
                self._acquire_estate(event)
            case BardPlayed():
                self._play_bard(event)
            case DeckReshuffled(deck_size):
                self._deck_size, self._discard_size = deck_size, 0
            case DiscardRequired(seat, count, reason):
                self._owed.append(Debt(seat, count, reason))
                self._open["stage"] = "refresh" if reason == "raid" else "hand_limit"
            case CardsDiscarded():
                self._discard(event)
            case RaidDeclared(attacker, defender):
                self._raid = {"attacker": attacker, "defender": defender, "fights": ()}
                self._raid["commitment"] = None
                self._open["stage"] = "attacker_commit"
            case CardCommitted():
                self._commit(event)
            case FightResolved():
                self._end_fight(event)
            case RaidResolved():
                self._boards[event.attacker]["score"] += event.attacker_delta
                self._boards[event.defender]["score"] += event.defender_delta
                if event.spoils:
                    self._open["stage"] = "spoils"
            case SpoilsTaken():
                self._take_spoils(event)
            case SpoilsDeclined():
                pass
            case TurnEnded():
                self._turn = self._raid = None
            case FollowingAssigned(seat, _):
                self._open["marker"] = seat
            case RoundScored(_, seats):
                for board, each in zip(self._boards, seats, strict=True):
                    board["score"] += each.total
            case EstateRemoved(number):
                self._open["supply"] -= 1
                self._open["removed"] += 1
                self._open["revealed"] += () if number is None else (number,)
            case GameEnded(reason, ranking):
                self._open |= {"stage": "finished", "ending": Ending(reason, ranking)}
            case _:
                name, field, cubes = ACTIONS[type(event).__name__]
                self._act(name, cubes)
                self._boards[event.seat][field] += 1

    def _prepare_boards(self, event: BoardsPrepared) -> None:
        for board in self._boards:
            board.update(warriors=event.warriors, bagpipers=event.bagpipers)
            board.update(estates=event.estates, cattle=event.cattle, score=event.score)
            on_board = Cubes(yellow=event.warriors, blue=event.bagpipers, red=event.cattle)
            self._open["bag"] -= on_board

    def _take_cards(self, seat: Seat, count: int, cards: Cards | None) -> None:
        self._hand_sizes[seat] += count
        self._deck_size -= count
        self._hand += cards or ()

    def _is_refresh(self, reason: str) -> bool:
        """Return whether the viewer may discard only of what it draws."""
        return reason == "raid" and self._options.edition == "dutch"

    def _discard(self, event: CardsDiscarded) -> None:
        self._hand_sizes[event.seat] -= event.count
        self._discard_size += event.count
        for card in told(event.cards) or ():
            self._hand.remove(card)
        if event.seat == self._viewer:
            self._fresh = []
        self._owed = [debt for debt in self._owed if debt.seat != event.seat]
        if event.reason == "hand_limit":
            self._open["stage"] = "actions"

    def _swap_cubes(self, returned: Cubes, drawn: Cubes) -> None:
        assert self._turn is not None
        self._turn["cubes"] += drawn - returned
        self._open["bag"] += returned - drawn

    def _act(self, name: str, cubes: Cubes) -> None:
        assert self._turn is not None
        self._turn["cubes"] -= cubes
        self._turn["used"] += cubes.total
        self._turn["done"] += (name,)

    def _acquire_estate(self, event: EstateAcquired) -> None:
        self._act("acquire_estate", event.from_drawn)
        board = self._boards[event.seat]
        board["warriors"] -= event.from_court.yellow
        board["monks"] -= event.from_court.green
        board["estates"] += 1
        self._open["bag"] += event.from_drawn + event.from_court
        self._open["supply"] -= 1

    def _play_bard(self, event: BardPlayed) -> None:
        self._act("play_bard", Cubes(blue=1))
        self._open["bag"] += Cubes(blue=1)
        for colour in event.taken:
            self._boards[event.target][COURT[colour]] -= 1
            if colour == event.kept:
                self._boards[event.seat][COURT[colour]] += 1
            else:
                self._open["bag"] += Cubes(**{colour: 1})

    def _commit(self, event: CardCommitted) -> None:
        assert self._raid is not None
        self._hand_sizes[event.seat] -= 1
        self._boards[event.seat]["bagpipers"] -= event.bagpiper
        value = told(event.value)
        if event.seat == self._viewer:
            assert value is not None
            self._hand.remove(value)
        if event.seat == self._raid["attacker"]:
            self._raid["commitment"] = CommitmentView(event.bagpiper, value)
            self._open["stage"] = "defender_commit"

    def _end_fight(self, event: FightResolved) -> None:
        assert self._raid is not None
        fight = Fight(
            Commitment(event.attacker_value, event.attacker_bagpiper),
            Commitment(event.defender_value, event.defender_bagpiper),
            event.winner,
        )
        self._raid |= {"fights": (*self._raid["fights"], fight), "commitment": None}
        self._discard_size += 2
        self._open["bag"] += Cubes(blue=event.attacker_bagpiper + event.defender_bagpiper)
        self._open["stage"] = "attacker_commit"

    def _take_spoils(self, event: SpoilsTaken) -> None:
        name, cubes = SPOILS[event.kind]
        self._boards[event.defender][name] -= 1
        if event.cattle_placed:
            self._boards[event.attacker]["cattle"] += 1
        else:
            self._open["bag"] += cubes
