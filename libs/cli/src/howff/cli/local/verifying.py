"""`howff verify`: what checking an export has found."""

import json
from pathlib import Path
from typing import Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from howff.cli.errors import WrongChoiceError, printable
from howff.cli.files import load_export, read_file
from howff.engine.codec import from_json
from howff.engine.errors import MalformedError
from howff.engine.game import AnyGame
from howff.match.export import Export
from howff.match.report import Check, Report
from howff.match.signatures import PublicKey, public_key_from_jwk
from howff.match.verify import verify

_STYLES = {"passed": "green", "failed": "bold red", "not checked": "yellow"}


def verify_file(file: Path, keys: Path | None, console: Console) -> tuple[Export, AnyGame]:
    """Check the export in *file*, say what was found, and return it with its game.

    *keys* pins whose signatures count. A failure ends the command with status 1.
    """
    export, game = load_export(file)
    check_and_show(export, game, None if keys is None else load_keys(keys), console)
    return export, game


def check_and_show(
    export: Export, game: AnyGame, keys: tuple[PublicKey, ...] | None, console: Console
) -> None:
    """Show what checking *export* has found; a failure ends the command with status 1."""
    report = verify(export, game, keys)
    show_report(report, are_pinned=keys is not None, console=console)
    if report.failure is not None:
        raise typer.Exit(1)


def show_report(report: Report, *, are_pinned: bool, console: Console) -> None:
    """Show all of *report*; *are_pinned* tells whether its keys are those of whoever reads it."""
    show_checks(report.checks, console)
    if report.failure is not None:
        console.print(Text(printable(str(report.failure)), style="bold red"), soft_wrap=True)
        return
    source = "a key you trust" if are_pinned else "the file itself names this key"
    for key in report.keys:
        console.print(Text(f"Signed by {key} ({source})", style="dim"), soft_wrap=True)


def show_checks(checks: tuple[Check, ...], console: Console) -> None:
    """Show *checks* and what they have found, as a table."""
    table = Table(box=SIMPLE_HEAD)
    for title in ("Check", "Result", "Detail"):
        table.add_column(title)
    for check in checks:
        # A failure is told in full below the table, where it is not cut.
        detail = check.failure.code if check.failure else check.detail
        result = Text(check.result, style=_STYLES[check.result])
        table.add_row(Text(printable(check.name)), result, Text(printable(detail)))
    console.print(table)


def load_keys(file: Path) -> tuple[PublicKey, ...]:
    """Return the public keys in *file*: a JSON list of JWKs, or an object with it as `keys`.

    Raises:
        UnreadableFileError: the file can't be read.
        WrongChoiceError: it holds something else.
    """
    try:
        plain = json.loads(read_file(file))
        jwks = plain["keys"] if isinstance(plain, dict) else plain
        return tuple(map(public_key_from_jwk, from_json(tuple[Any, ...], jwks)))
    except (ValueError, KeyError, RecursionError, MalformedError) as error:
        expected = "a list of Ed25519 keys as JWK"
        raise WrongChoiceError(
            f"keys in {str(file)!r}", expected=expected, found=str(error)
        ) from error
