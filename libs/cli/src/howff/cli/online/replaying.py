"""`howff replay`, of a match on a server."""

from howff.cli.local.replaying import Wanted, replay_whole
from howff.cli.online.exporting import fetch_whole
from howff.cli.server.admitting import calling
from howff.cli.server.callers import Caller
from howff.cli.terminal.names import names_of
from howff.match.events import Account


def replay_served(caller: Caller, match: str, wanted: Wanted) -> None:
    """Tell *match* again, once it is over.

    Raises:
        ClientError: the server refuses, or does not answer.
        MatchError: what it gives is no export, or can't be folded.
        CommandError: the match goes on or does not verify, or has not what is wanted.
    """
    with calling(caller) as server:
        export, game = fetch_whole(server, match)
        holders = export.header.seats
        accounts = [each.account if isinstance(each, Account) else None for each in holders]
        names = names_of(accounts, server.called(accounts))
    replay_whole(export, game, names, wanted, caller.console)
