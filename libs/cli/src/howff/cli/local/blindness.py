"""`howff verify --bots`: whether the bots of a match knew no more than their seats were told."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

import typer
from rich.console import Console
from rich.text import Text

from howff.bots.blindness import Finding, Verdict, choose_again
from howff.bots.policies.catalogue import play_of
from howff.cli.errors import printable
from howff.cli.local.verifying import show_checks
from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from howff.match.commit import actor_of
from howff.match.export import Export
from howff.match.report import Check, Result


def check_bots(export: Export, game: AnyGame, console: Console) -> None:
    """Show what choosing the moves of the bots in *export*, which is sound, again has found.

    A move that does not follow from what its bot states ends the command with status 1.

    Raises:
        NotInstalledError: nobody here knows how bots play the game.
        RefusalError: the export is redacted, or can't be replayed.
    """
    findings: list[Finding] = []
    with console.status("Choosing the moves of bots again") as status:
        for finding in choose_again(export, game, play_of(game.key)):
            findings.append(finding)
            status.update(f"Version {finding.version} of {export.header.commits}")
    if not findings:
        console.print("No bot has moved in this match")
        return
    seats = sorted({each.seat for each in findings})
    show_checks(tuple(_check(seat, findings) for seat in seats), console)
    wrong = [each for each in findings if each.verdict in _WRONG]
    for each in wrong:
        console.print(Text(printable(_line(each)), style="bold red"), soft_wrap=True)
    if wrong:
        raise typer.Exit(1)


_WRONG: Final[dict[Verdict, str]] = {
    "different": "another move",
    "malformed": "no proper statement",
}


def _check(seat: Seat, findings: Iterable[Finding]) -> Check:
    own = [each for each in findings if each.seat == seat]
    counts = Counter(each.verdict for each in own)
    parts = [f"{counts['alike']} of {len(own)} moves chosen again alike, from what the seat knew"]
    parts += [
        f"{counts[verdict]} with {text}" for verdict, text in _WRONG.items() if verdict in counts
    ]
    reasons = Counter(
        f"{each.expected}, found {each.found}" for each in own if each.verdict == "not run"
    )
    parts += [f"{count} NOT chosen again: expected {reason}" for reason, count in reasons.items()]
    return Check(f"bot of {actor_of(seat)}", _result(counts), "; ".join(parts))


def _result(counts: Counter[Verdict]) -> Result:
    if counts.keys() & _WRONG.keys():
        return "failed"
    return "not checked" if counts["not run"] else "passed"


def _line(finding: Finding) -> str:
    where = f"version {finding.version}, {actor_of(finding.seat)}"
    return f"{finding.verdict} at {where}: expected {finding.expected}, found {finding.found}"
