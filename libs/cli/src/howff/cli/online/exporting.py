"""`howff export`: the log of a match on a server, as a file."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from howff.cli.errors import MatchNotOverError, printable
from howff.cli.files import check_writable, save_export
from howff.cli.server.admitting import calling
from howff.cli.server.callers import Caller
from howff.cli.server.followed import Followed
from howff.cli.server.servers import Server
from howff.engine.catalogue import game_of
from howff.engine.errors import MalformedError
from howff.engine.game import AnyGame
from howff.match.export import Export, Header, read_export


def export_match(caller: Caller, match: str, viewer: str | None, file: Path) -> None:
    """Save the log of *match*, as far as *viewer* may have it, in *file*.

    Raises:
        ClientError: the server refuses, or does not answer.
        MatchError: what it gives is no export.
        CommandError: the file can't be written.
    """
    check_writable(file)
    with calling(caller) as server, Followed(server, match, viewer) as followed:
        save(followed.export(), file, caller.console)


def fetch_whole(server: Server, match: str) -> tuple[Export, AnyGame]:
    """Return the whole of a *match* on a *server*, and its game.

    Raises:
        ClientError: the server refuses, or does not answer.
        MatchNotOverError: the match goes on.
        RefusalError: what the server gives is no export of it, or of a game that is not installed.
    """
    export = read_export(server.ask(server.client.export(match)))
    if export.header.match != match:
        raise MalformedError("match", expected=repr(match), found=repr(export.header.match))
    if not export.is_whole:
        raise MatchNotOverError
    return export, game_of(export.header.game)


def save(content: bytes, file: Path, console: Console) -> None:
    """Write the export with this *content* to *file*, and say what it holds.

    Raises:
        MatchError: it is no export.
        CommandError: the file can't be written.
    """
    export = read_export(content)
    save_export(export, file)
    console.print(Text(f"Written to {file}: {printable(_extent(export.header))}"), soft_wrap=True)


def _extent(header: Header) -> str:
    if header.viewer == "all":
        return f"the whole match, {header.commits} commits"
    return f"{header.commits} commits so far, redacted for {header.viewer}"
