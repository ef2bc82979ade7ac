"""`howff play --server`: a practice match on a server, with people at this terminal."""

from dataclasses import dataclass, field
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from howff.cli.addresses import Credentials, MatchAddress, account_in, own_account
from howff.cli.choosing import Choice, choose, show_news
from howff.cli.drawing import nonsense_refused, show
from howff.cli.errors import WrongChoiceError, printable
from howff.cli.exporting import save
from howff.cli.files import check_writable
from howff.cli.offline import Seating, options_from
from howff.cli.ranking import ranking
from howff.cli.seen import Seen
from howff.cli.served import Served, Server, admitted, asking
from howff.client.errors import ClientError, ProblemError
from howff.engine.catalogue import game_of
from howff.engine.codec import JSON, to_json
from howff.engine.errors import RefusalError
from howff.engine.seats import Seat
from howff.match.commit import Commit, actor_of
from howff.match.match import misfits_refused


@dataclass(frozen=True, slots=True)
class Visit:
    """Whose people play on which server, and where the finished match goes."""

    server: str
    credentials: Credentials
    file: Path | None
    console: Console


def play_new(visit: Visit, key: str, seating: Seating, settings: list[str]) -> None:
    """Start a practice match of the game *key* and play it to its end.

    Raises:
        ClientError: the server refuses, or is away for too long.
        RefusalError: an option or an answer makes no sense, or the file can't be written.
    """
    game = game_of(key)
    options = to_json(game.options, options_from(game, settings))
    account, token = _arrive(visit)
    seats: list[JSON] = [{"account": account}] * (seating.seats - seating.bots)
    seats += [{"bot": "random"}] * seating.bots
    with asking(visit.server, token, visit.console) as server:
        now = server.start({"game": key, "seats": seats, "options": options})
        _play(visit, server, now, account, after=0)


def play_on(visit: Visit, key: str, match: str) -> None:
    """Go on with a *match* of the game *key* and play it to its end.

    Raises:
        ClientError: the server refuses, or is away for too long.
        RefusalError: the account has no seat in it, it is a match of another game, an answer
            makes no sense, or the file can't be written.
    """
    account, token = _arrive(visit)
    with asking(visit.server, token, visit.console) as server:
        now = server.look(match)
        if now.game.key != key:
            raise WrongChoiceError(
                "match", expected=f"one of {key}", found=f"one of {now.game.key}"
            )
        _play(visit, server, now, account, after=now.version)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """A match on a server, and the people here who have a part in it."""

    served: Served
    people: tuple[Seat, ...]
    console: Console
    untold: list[Commit] = field(default_factory=list)
    """The commits of which nobody here was told yet."""

    @property
    def is_shared(self) -> bool:
        return len(self.people) > 1

    def catch_up(self) -> Seen:
        """Return the match as it is now, with all commits up to there read."""
        now = self.served.look()
        while self.served.version < now.version:
            self.wait()
        return now

    def wait(self) -> None:
        """Wait for the next commit, or for the end of the match."""
        commit = self.served.next_commit()
        if commit is not None:
            self.untold.append(commit)

    def news(self, now: Seen) -> list[str]:
        """Return what nobody was told yet, in lines."""
        lines: list[str] = []
        for commit in self.untold:
            with misfits_refused(commit):
                lines += map(printable, now.lines(commit))
        self.untold.clear()
        return lines


def _arrive(visit: Visit) -> tuple[str, str]:
    """Return the account that plays, and its token."""
    if visit.file is not None:
        check_writable(visit.file)
    credentials = visit.credentials
    if credentials.token is None and credentials.account is None:
        credentials = Credentials(None, own_account())
    token = admitted(visit.server, credentials, visit.console)
    assert token is not None, "an account is admitted by a token"
    return credentials.account or account_in(token), token


def _play(visit: Visit, server: Server, now: Seen, account: str, *, after: int) -> None:
    people = tuple(Seat(seat) for seat, each in enumerate(now.accounts) if each == account)
    if not people:
        expected = f"a match with a seat of {account!r}"
        raise WrongChoiceError("match", expected=expected, found="one without")
    # On a shared screen the news must not tell what one person alone may know.
    viewer = actor_of(people[0]) if len(people) == 1 else "spectator"
    visit.console.print(Text(str(MatchAddress(visit.server, now.match))), soft_wrap=True)
    visit.console.print(Text(now.title))
    with Served(server, now.match, viewer, after=after) as served:
        table = _Table(served=served, people=people, console=visit.console)
        try:
            _play_out(table)
        except (typer.Exit, KeyboardInterrupt, RefusalError, ClientError):
            visit.console.print(Text(f"It goes on with --match {now.match}"), soft_wrap=True)
            raise
        _keep(visit, served)


def _play_out(table: _Table) -> None:
    while not (now := table.catch_up()).is_over:
        seat = next((seat for seat in now.to_act if seat in table.people), None)
        if seat is None:
            table.wait()
        else:
            _move(table, now, seat)
    show_news(table.news(now), table.console)
    assert now.outcome is not None, "a match that is over has an outcome"
    show(ranking(now.outcome, now.names), table.console)


def _move(table: _Table, now: Seen, seat: Seat) -> None:
    """Let the person in *seat* move, unless something has happened since *now*."""
    moves = table.served.moves(seat)
    own = table.served.look(actor_of(seat)) if table.is_shared else now
    if not moves.version == own.version == now.version:
        return
    choice = Choice(
        game=now.game,
        seat=seat,
        view=own.view,
        moves=moves.of(now.game),
        names=now.names,
        news=table.news(now),
        is_shared=table.is_shared,
    )
    with nonsense_refused():
        chosen = choose(choice, table.console)
    try:
        table.served.play(seat, chosen, now.version)
    except ProblemError as error:
        if error.code != "stale_version":
            raise
        table.console.print(Text("Something has happened meanwhile", style="red"))


def _keep(visit: Visit, served: Served) -> None:
    if visit.file is None:
        address = MatchAddress(visit.server, served.match)
        visit.console.print(Text(f"`howff export {address}` writes it to a file"), soft_wrap=True)
    else:
        save(served.export(), visit.file, visit.console)
