"""`howff branch`: a practice match that goes on from where one that is over once stood."""

from rich.text import Text

from howff.cli.server.addresses import MatchAddress
from howff.cli.server.admitting import admitted_as
from howff.cli.server.callers import Caller
from howff.cli.server.servers import Server, asking
from howff.cli.server.terms import STAND_IN
from howff.engine.codec import JSON


def branch_match(caller: Caller, match: str, at: int, seats: str | None) -> None:
    """Start a branch of *match* from its version *at*, and tell where it is.

    *seats* names who sits where, separated by commas: `me`, `bot` or the id of an account. By
    default the caller takes all that people had.

    Raises:
        ClientError: the server refuses, or does not answer.
        RefusalError: its answer makes no sense.
    """
    console = caller.console
    account, token = admitted_as(caller)
    with asking(caller.server, token, console) as server:
        words = _usual(server, match) if seats is None else seats.split(",")
        holders = [_holder(word.strip(), account) for word in words]
        branch = server.branch(match, at, holders)
    place = MatchAddress(caller.server, branch.match)
    console.print(Text(str(place)), soft_wrap=True)
    console.print(Text(branch.title))
    command = f"howff play {branch.game.key} --server {caller.server} --match {branch.match}"
    console.print(Text(f"`{command}` goes on with it"), soft_wrap=True)


def _usual(server: Server, match: str) -> list[str]:
    accounts = server.look(match).accounts
    return ["bot" if account is None else "me" for account in accounts]


def _holder(word: str, account: str) -> JSON:
    match word:
        case "me":
            return {"account": account}
        case "bot":
            return {"bot": STAND_IN}
        case _:
            return {"account": word}
