"""`howff play`: people and bots at one terminal."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from howff.cli.files import check_writable, save_export
from howff.cli.local.bots import Bots
from howff.cli.local.matches import NAMES, Seating, options_from, record
from howff.cli.terminal.choosing import Choice, choose, show_news
from howff.cli.terminal.commits import lines_of
from howff.cli.terminal.drawing import show_board
from howff.cli.terminal.prompts import LEFT
from howff.cli.terminal.ranking import ranking
from howff.engine.catalogue import game_of
from howff.engine.seats import Seat, Viewer
from howff.match.events import Account
from howff.match.record import Recorder
from howff.servicekit import clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A match at a terminal, with the people and bots around it."""

    recorder: Recorder
    names: tuple[str, ...]
    people: tuple[Seat, ...]
    bots: Bots
    console: Console

    @property
    def is_shared(self) -> bool:
        """Whether several people share the screen, one after the other."""
        return len(self.people) > 1

    @property
    def viewer(self) -> Viewer:
        """Whose eyes the screen is for while others move: a lone person's, else nobody's."""
        return self.people[0] if len(self.people) == 1 else None


def play(
    key: str, seating: Seating, *, settings: list[str], file: Path | None, console: Console
) -> None:
    """Play a match of the game *key*; the finished match goes to *file*, if one is named.

    Raises:
        EngineError: there is no such game, or not with these options.
        CommandError: a setting or an answer makes no sense, or the file can't be written.
    """
    if file is not None:
        check_writable(file)
    sitting = _sit_down(key, seating, settings, console)
    try:
        _play_out(sitting)
    except KeyboardInterrupt:
        console.print(LEFT)
        raise
    recorder = sitting.recorder
    match = recorder.match
    show_board(match.game, match.game.view(match.state, sitting.viewer), sitting.names, console)
    assert match.outcome is not None, "a match that is over has an outcome"
    console.print(ranking(match.outcome, sitting.names))
    if file is None:
        console.print("Not written; with --out FILE it would have been kept")
    else:
        save_export(recorder.export(), file)
        console.print(Text(f"Written to {file}"), soft_wrap=True)


def _play_out(sitting: Sitting) -> None:
    recorder = sitting.recorder
    news = _news(sitting)
    while to_act := recorder.match.to_act:
        seat = next((seat for seat in to_act if seat in sitting.people), to_act[0])
        if seat in sitting.people:
            move, bot, news = _ask(sitting, seat, news), None, []
        else:
            move, bot = sitting.bots.choose(seat)
        recorder.play(seat, move, at=clock.now(), bot=bot)
        news += _news(sitting)
    show_news(news, sitting.console)


def _sit_down(key: str, seating: Seating, settings: list[str], console: Console) -> Sitting:
    game = game_of(key)
    recorder = record(game, options_from(game, settings), seating)
    holders = enumerate(recorder.match.started.seats)
    return Sitting(
        recorder=recorder,
        names=NAMES[: seating.seats],
        people=tuple(Seat(seat) for seat, holder in holders if isinstance(holder, Account)),
        bots=Bots(recorder),
        console=console,
    )


def _news(sitting: Sitting) -> list[str]:
    """Return what the newest commit tells those at the screen."""
    told = sitting.recorder.told(sitting.viewer)
    return list(lines_of(sitting.recorder.match, told, sitting.viewer, sitting.names))


def _ask(sitting: Sitting, seat: Seat, news: list[str]) -> Any:
    """Return the move that the person in *seat* chooses, knowing the *news* and the board."""
    match = sitting.recorder.match
    choice = Choice(
        game=match.game,
        seat=seat,
        view=match.game.view(match.state, seat),
        moves=match.game.legal_moves(match.state, seat),
        names=sitting.names,
        news=news,
        is_shared=sitting.is_shared,
    )
    return choose(choice, sitting.console)
