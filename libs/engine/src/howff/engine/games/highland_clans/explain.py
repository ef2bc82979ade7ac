"""What players read of a match of Highland Clans: one line for a move, one for an event."""

from collections import Counter
from typing import Any, Final, assert_never, cast

from howff.engine.game import Names
from howff.engine.games.highland_clans.data import (
    CLANS,
    Card,
    Cards,
    Clan,
    Colour,
    Cubes,
    Possession,
)
from howff.engine.games.highland_clans.events import (
    ActionsEnded,
    BagpiperRecruited,
    BardPlayed,
    BoardsPrepared,
    CardCommitted,
    CardsDiscarded,
    CardsDrawn,
    CastleBuilt,
    CattlePlaced,
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
    MonasteryBuilt,
    MonksRecruited,
    RaidDeclared,
    RaidResolved,
    RoundScore,
    RoundScored,
    RoundStarted,
    SpoilsDeclined,
    SpoilsTaken,
    StartSeatChosen,
    StartSeatPassed,
    TurnEnded,
    TurnStarted,
    WarriorRecruited,
)
from howff.engine.games.highland_clans.legality import payment
from howff.engine.games.highland_clans.moves import (
    AcquireEstate,
    BuildCastle,
    BuildMonastery,
    CommitCard,
    DiscardCards,
    EndActions,
    EndTurn,
    ExchangeCards,
    KeepCubes,
    Move,
    PlaceCattle,
    PlayBard,
    Raid,
    RecruitBagpiper,
    RecruitMonks,
    RecruitWarrior,
    RedrawCubes,
    Spoils,
    TakeSpoils,
)
from howff.engine.games.highland_clans.state import EndReason
from howff.engine.games.highland_clans.view import View
from howff.engine.seats import Seat
from howff.engine.visibility import told
from howff.engine.words import counted, listed

_PEOPLE: Final[dict[Colour, str]] = {"yellow": "warrior", "blue": "bagpiper", "green": "monk"}
_RAIDED: Final[dict[Possession, str]] = {
    "cattle": "takes cattle from",
    "castle": "tears down a castle of",
    "monastery": "tears down a monastery of",
}
_REASONS: Final[dict[EndReason, str]] = {
    "estate_number": "the number of the estate that left has been reached",
    "bag_exhausted": "the bag holds too few cubes for the next turn",
    "supply_exhausted": "no estate is left that could leave",
}


def explain(view: View, seat: Seat | None, subject: Any, names: Names) -> str:
    """Return one line on *subject*: a move of *seat*, or an event as redacted for the viewer."""
    if isinstance(subject, Move):
        assert seat is not None, "a move is somebody's"
        return f"{names[seat]} {_move_line(view, subject, names)}"
    return _event_line(cast("Event", subject), names)


def reason_text(reason: EndReason) -> str:
    """Return in words why the match has ended."""
    return _REASONS[reason]


def _move_line(view: View, move: Move, names: Names) -> str:  # noqa: C901, PLR0911, PLR0912
    match move:
        case KeepCubes():
            return "keeps the cubes"
        case RedrawCubes(yellow, blue, green, red):
            return f"puts {_cubes(Cubes(yellow, blue, green, red))} back and draws as many"
        case PlaceCattle():
            return "puts cattle on an estate"
        case BuildCastle():
            return "builds a castle"
        case BuildMonastery():
            return "builds a monastery"
        case RecruitWarrior():
            return "recruits a warrior and draws a card"
        case RecruitBagpiper():
            return "recruits a bagpiper"
        case RecruitMonks(count):
            return f"recruits {_some(count, 'monk')}"
        case AcquireEstate():
            return f"acquires an estate for {_payment(*payment(move))}"
        case PlayBard(target, taken, kept):
            return _bard(names[target], taken, kept)
        case EndActions():
            return "does no other action"
        case DiscardCards(cards):
            return f"discards {_cards(len(cards), cards)}"
        case Raid(target):
            return f"raids {names[target]}"
        case ExchangeCards(cards):
            return f"exchanges {_cards(len(cards), cards)}"
        case EndTurn():
            return "ends the turn"
        case CommitCard(value, bagpiper):
            return f"lays down {_fighter(value, bagpiper=bagpiper)}"
        case TakeSpoils(kind):
            assert view.raid is not None, "spoils are taken in a raid"
            has_room = view.players[view.raid.attacker].board.free_estates > 0
            return _spoils(kind, names[view.raid.defender], has_room=has_room)
        case _:
            assert_never(move)


def _event_line(event: Event, names: Names) -> str:  # noqa: C901, PLR0911, PLR0912, PLR0915
    match event:
        case GameStarted(seats, options, clans):
            edition = ", by the Dutch rules" if options.edition == "dutch" else ""
            return f"The match begins with {seats} seats{edition}: {_leaders(clans, names)}"
        case CubesSetAside(yellow, blue):
            aside = Cubes(yellow=yellow, blue=blue)
            return f"{_cubes(aside)} are set aside" if aside.total else "No cubes are set aside"
        case BoardsPrepared(warriors, bagpipers, estates, cattle, score):
            court = f"{counted(warriors, 'warrior')} and {counted(bagpipers, 'bagpiper')}"
            land = f"{cattle} cattle on {counted(estates, 'estate')}"
            return f"Each clan has {court}, {land}, and {counted(score, 'point')}"
        case HandDealt(seat, count, cards):
            return f"{names[seat]} is dealt {_cards(count, told(cards))}"
        case StartSeatChosen(seat):
            return f"{names[seat]} gets the start card"
        case RoundStarted(number, seat):
            return f"Round {number} begins, {names[seat]} is first"
        case TurnStarted(seat, _, _, limit, may_redraw):
            redraw = ", and may redraw cubes" if may_redraw else ""
            return f"{names[seat]} begins a turn with {counted(limit, 'action')}{redraw}"
        case CubesDrawn(seat, cubes):
            return f"{names[seat]} draws {_cubes(cubes)}"
        case CubesKept(seat):
            return f"{names[seat]} keeps the cubes"
        case CubesRedrawn(seat, returned, drawn):
            return f"{names[seat]} puts {_cubes(returned)} back and draws {_cubes(drawn)}"
        case CattlePlaced(seat):
            return f"{names[seat]} puts cattle on an estate"
        case CastleBuilt(seat):
            return f"{names[seat]} builds a castle"
        case MonasteryBuilt(seat):
            return f"{names[seat]} builds a monastery"
        case WarriorRecruited(seat):
            return f"{names[seat]} recruits a warrior"
        case BagpiperRecruited(seat):
            return f"{names[seat]} recruits a bagpiper"
        case MonksRecruited(seat, count):
            return f"{names[seat]} recruits {_some(count, 'monk')}"
        case EstateAcquired(seat, drawn, court):
            return f"{names[seat]} acquires an estate for {_payment(drawn, court)}"
        case BardPlayed(seat, target, taken, kept):
            return f"{names[seat]} {_bard(names[target], taken, kept)}"
        case CardsDrawn(seat, _, count, cards):
            return f"{names[seat]} draws {_cards(count, told(cards))}"
        case DeckReshuffled(size):
            return f"The discard pile becomes a deck of {counted(size, 'card')}"
        case DiscardRequired(seat, count, _):
            return f"{names[seat]} has to discard {_cards(count, None)}"
        case CardsDiscarded(seat, _, count, cards):
            return f"{names[seat]} discards {_cards(count, told(cards))}"
        case ActionsEnded(seat, returned):
            return f"{names[seat]} puts {_cubes(returned)} back into the bag"
        case RaidDeclared(attacker, defender):
            return f"{names[attacker]} raids {names[defender]}"
        case CardCommitted(seat, _, bagpiper, value):
            return f"{names[seat]} lays down {_fighter(told(value), bagpiper=bagpiper)}"
        case FightResolved():
            return _fight(event, names)
        case RaidResolved():
            return f"{_raid_result(event, names)}: {_raid_points(event, names)}"
        case SpoilsTaken(attacker, defender, kind, placed):
            return f"{names[attacker]} {_spoils(kind, names[defender], has_room=placed)}"
        case SpoilsDeclined(attacker, defender):
            return f"{names[attacker]} {_spoils('none', names[defender], has_room=False)}"
        case TurnEnded(seat):
            return f"{names[seat]} ends the turn"
        case FollowingAssigned(seat, previous):
            return _following(seat, previous, names)
        case RoundScored(number, scores):
            shown = [
                f"{name} {_round_score(each)}" for name, each in zip(names, scores, strict=True)
            ]
            return f"Round {number} scores for green, red and blue: {listed(shown)}"
        case EstateRemoved(number):
            seen = " unseen" if number is None else f", its number is {number}"
            return f"An estate leaves the match{seen}"
        case StartSeatPassed(seat):
            return f"The start card goes to {names[seat]}"
        case GameEnded(reason, ranking):
            winners = [name for name, place in zip(names, ranking, strict=True) if place == 1]
            verb = "wins" if len(winners) == 1 else "share the win"
            return f"The match is over, as {reason_text(reason)}: {listed(winners)} {verb}"
        case _:
            assert_never(event)


def _leaders(clans: tuple[Clan, ...], names: Names) -> str:
    return listed([f"{name} ({CLANS[clan].name})" for name, clan in zip(names, clans, strict=True)])


def _cubes(cubes: Cubes) -> str:
    return listed([f"{count} {colour}" for colour, count in Counter(cubes.each).items()])


def _payment(drawn: Cubes, court: Cubes) -> str:
    paid = {
        "warrior": court.yellow,
        "monk": court.green,
        "drawn yellow cube": drawn.yellow,
        "drawn green cube": drawn.green,
        "drawn red cube": drawn.red,
    }
    return listed([_some(count, what) for what, count in paid.items() if count])


def _bard(target: str, taken: tuple[Colour, ...], kept: Colour | None) -> str:
    lost = [f"a {_PEOPLE[colour]}" for colour in taken if colour != kept]
    gained = "" if kept is None else f"keeps a {_PEOPLE[kept]}, "
    goes = "goes" if len(lost) == 1 else "go"
    return f"sends a bard to {target}: {gained}{listed(lost)} {goes} into the bag"


def _cards(count: int, cards: Cards | None) -> str:
    if cards is None:
        return "a card" if count == 1 else f"{count} cards"
    return f"a {cards[0]}" if count == 1 else f"{count} cards: {', '.join(map(str, cards))}"


def _fighter(value: Card | None, *, bagpiper: bool) -> str:
    card = "a card" if value is None else f"a {value}"
    return f"{card} with a bagpiper" if bagpiper else card


def _fight(event: FightResolved, names: Names) -> str:
    attack = _fighter(told(event.attacker_value), bagpiper=event.attacker_bagpiper)
    defence = _fighter(told(event.defender_value), bagpiper=event.defender_bagpiper)
    winner = "nobody" if event.winner is None else names[event.winner]
    return f"Fight {event.fight}, {attack} against {defence}: {winner} wins"


def _raid_result(event: RaidResolved, names: Names) -> str:
    attack, defence = event.attacker_wins, event.defender_wins
    match event.result:
        case "attacker":
            return f"{names[event.attacker]} wins the raid by {attack} to {defence}"
        case "defender":
            return f"{names[event.defender]} beats off the raid by {defence} to {attack}"
        case "draw":
            return f"The raid is drawn, {attack} to {defence}"
        case _:
            assert_never(event.result)


def _raid_points(event: RaidResolved, names: Names) -> str:
    deltas = {event.attacker: event.attacker_delta, event.defender: event.defender_delta}
    return listed(
        [
            f"{names[seat]} {'gets' if delta > 0 else 'loses'} {counted(abs(delta), 'point')}"
            for seat, delta in deltas.items()
            if delta
        ]
    )


def _spoils(kind: Spoils, loser: str, *, has_room: bool) -> str:
    if kind == "none":
        return f"takes nothing from {loser}"
    lost = ", but has no room for it" if kind == "cattle" and not has_room else ""
    return f"{_RAIDED[kind]} {loser}{lost}"


def _following(seat: Seat | None, previous: Seat | None, names: Names) -> str:
    if seat is None:
        return "Nobody has the largest following"
    if seat == previous:
        return f"{names[seat]} keeps the marker of the largest following"
    return f"{names[seat]} gets the marker of the largest following"


def _round_score(score: RoundScore) -> str:
    return f"{score.green}+{score.cattle + score.cattle_bonus}+{score.blue} (now {score.score})"


def _some(count: int, noun: str) -> str:
    return f"a {noun}" if count == 1 else counted(count, noun)
