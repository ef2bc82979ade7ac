"""`howff watch`: a match on a server, as it is played."""

from rich.text import Text

from howff.cli.server.admitting import calling
from howff.cli.server.callers import Caller
from howff.cli.server.followed import Followed
from howff.cli.terminal.choosing import show_beside
from howff.cli.terminal.commits import show_commit
from howff.cli.terminal.drawing import nonsense_refused, show, show_board
from howff.cli.terminal.ranking import ranking
from howff.match.match import misfits_refused


def watch_match(caller: Caller, match: str, viewer: str | None, *, with_boards: bool) -> None:
    """Tell *match* from its beginning, and as it goes on, until it is over.

    *with_boards* shows the board after each commit, as long as there is none newer.

    Raises:
        ClientError: the server refuses, is away for too long, or ends the feed before the match.
        RefusalError: it tells of something that is not known here.
    """
    console = caller.console
    with calling(caller) as server, Followed(server, match, viewer) as followed:
        now = followed.look()
        console.print(Text(now.title))
        while (commit := followed.next_commit()) is not None:
            if commit.version > now.version:
                now = followed.look()
            with misfits_refused(commit):
                show_commit(commit, now.lines(commit), now.names, console)
                if commit.version == now.version and not now.is_over:
                    show_beside(now.standings.clock_lines(now.names), console)
                if with_boards and commit.version == now.version and not now.is_over:
                    show_board(now.game, now.view, now.names, console)
        now = followed.look()
        with nonsense_refused():
            show_board(now.game, now.view, now.names, console)
        if now.outcome is not None:
            show(ranking(now.outcome, now.names), console)
