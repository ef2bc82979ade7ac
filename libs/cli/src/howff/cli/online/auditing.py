"""`howff audit`: what a server finds in its own log, and whether it is found here too."""

from dataclasses import dataclass
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from howff.cli.errors import CommandError, printable
from howff.cli.local.verifying import load_keys, show_checks, show_report
from howff.cli.online.exporting import fetch_whole
from howff.cli.server.admitting import calling
from howff.cli.server.callers import Caller
from howff.engine.codec import JSON, picked
from howff.engine.errors import MalformedError
from howff.engine.game import AnyGame
from howff.match.export import WHOLE, Export
from howff.match.report import Check, Report, Result
from howff.match.signatures import PublicKey
from howff.match.verify import verify


class AuditDiffersError(CommandError):
    """A server tells something else of its log than the log itself."""

    code = "audit_differs"


@dataclass(frozen=True, slots=True)
class _Told:
    match: str
    version: int
    viewer: str
    is_sound: bool
    checks: tuple[JSON, ...]


@dataclass(frozen=True, slots=True)
class _CheckTold:
    name: str
    result: Result
    detail: str


@dataclass(frozen=True, slots=True)
class _Audit:
    """A server's report on its own log as it was at *version*."""

    version: int
    is_whole: bool
    is_sound: bool
    checks: tuple[Check, ...]


def audit_match(caller: Caller, match: str, viewer: str | None, keys: Path | None) -> None:
    """Show the report of the server on *match*; once that is over, check it here.

    Where either of both has found something wrong, the command ends with status 1.

    Raises:
        ClientError: the server refuses, or does not answer.
        MatchError: the export that it gives is none.
        AuditDiffersError: the export says something else than the report.
        RefusalError: the report is none.
    """
    pinned = None if keys is None else load_keys(keys)
    console = caller.console
    with calling(caller) as server:
        audit = _audit(server.ask(server.client.audit(match, viewer=viewer)), match)
        console.print(f"What the server finds in its log, {audit.version} commits")
        _show(audit, console)
        if audit.is_whole:
            _check_here(audit, *fetch_whole(server, match), pinned, console)
        else:
            console.print("The match goes on: at its end its export can be checked here too")
    if not audit.is_sound:
        raise typer.Exit(1)


def _check_here(
    audit: _Audit,
    export: Export,
    game: AnyGame,
    pinned: tuple[PublicKey, ...] | None,
    console: Console,
) -> None:
    console.print("What is found here in the export")
    report = verify(export, game, pinned)
    show_report(report, are_pinned=pinned is not None, console=console)
    _compare(audit, export, report)
    console.print("The server and this command agree")


def _compare(audit: _Audit, export: Export, report: Report) -> None:
    """Refuse an *audit* that leaves out or contradicts what the *report* on the *export* says.

    Which decisions can be checked depends on the rules that are installed, so what one of both has
    not checked is no contradiction.
    """
    found = export.header.commits
    if found != audit.version:
        expected = f"the {audit.version} commits of the server's report"
        raise AuditDiffersError("export", expected=expected, found=str(found))
    told = {check.name: check.result for check in audit.checks}
    for check in report.checks:
        result = told.get(check.name, "nothing")
        if result == "nothing" or (result == "failed") != (check.result == "failed"):
            expected = f"{result!r} as the server says"
            raise AuditDiffersError(f"check {check.name!r}", expected=expected, found=check.result)


def _audit(plain: JSON, match: str) -> _Audit:
    told = picked(_Told, plain)
    if told.match != match:
        raise MalformedError("match", expected=repr(match), found=repr(told.match))
    each = (picked(_CheckTold, check) for check in told.checks)
    checks = tuple(Check(check.name, check.result, check.detail) for check in each)
    is_sound = all(check.result != "failed" for check in checks)
    if told.is_sound != is_sound:
        found = str(told.is_sound).lower()
        raise MalformedError("is_sound", expected="what the checks say", found=found)
    return _Audit(told.version, told.viewer == WHOLE, is_sound, checks)


def _show(audit: _Audit, console: Console) -> None:
    show_checks(audit.checks, console)
    for check in audit.checks:
        if check.result == "failed":
            told = Text(printable(f"{check.name}: {check.detail}"), style="bold red")
            console.print(told, soft_wrap=True)
