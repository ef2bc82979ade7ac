"""A whole match by bots, recorded, folded back and verified."""

from pathlib import Path

from rich.console import Console
from rich.status import Status

from howff.cli.errors import CommandError
from howff.cli.files import check_writable, load_export, save_export
from howff.cli.local.bots import ROUNDS, Bots
from howff.cli.local.matches import NAMES, STEADY, Seating, options_from, record
from howff.cli.local.verifying import check_and_show
from howff.cli.terminal.ranking import ranking
from howff.engine.catalogue import game_of
from howff.match.record import Recorder
from howff.match.replay import replay
from howff.servicekit import clock


class FoldedOtherwiseError(CommandError):
    """The written match leads to another state than the one that was played."""

    code = "folded_otherwise"

    def __init__(self, file: Path) -> None:
        expected = "the state at the table"
        super().__init__(f"folding {str(file)!r}", expected=expected, found="another one")


def demo(key: str, seats: int, settings: list[str], file: Path, console: Console) -> None:
    """Play a match of the game *key*, write it to *file* and check what was written."""
    game = game_of(key)
    check_writable(file)
    seating = Seating(seats, bots=seats, level=STEADY)
    recorder = record(game, options_from(game, settings, ROUNDS), seating)
    names = NAMES[:seats]
    with console.status("The match begins") as status:
        _play_out(recorder, names, status)
    save_export(recorder.export(), file)
    size = f"{file.stat().st_size:,}"
    console.print(f"Recorded {recorder.match.version} commits ({size} bytes) in {file}")
    export, game = load_export(file)
    *_, last = replay(export, game)
    if last.match.state != recorder.match.state:
        raise FoldedOtherwiseError(file)
    console.print("Folded back from the file: the state at the table")
    check_and_show(export, game, None, console)
    assert last.match.outcome is not None, "a match that was played out has an outcome"
    console.print(ranking(last.match.outcome, names))


def _play_out(recorder: Recorder, names: tuple[str, ...], status: Status) -> None:
    bots = Bots(recorder)
    while to_act := recorder.match.to_act:
        match = recorder.match
        seat = to_act[0]
        move, bot = bots.choose(seat)
        line = match.game.explain(match.game.view(match.state, None), seat, move, names)
        status.update(f"Move {match.version}: {line}")
        recorder.play(seat, move, at=clock.now(), bot=bot)
