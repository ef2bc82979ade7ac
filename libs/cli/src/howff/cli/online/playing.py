"""`howff play --server`: a practice match on a server, with people at this terminal."""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from howff.cli.errors import WrongChoiceError, printable
from howff.cli.files import check_writable
from howff.cli.local.matches import Seating, options_from
from howff.cli.online.commanding import COMMANDS, obey, refusal_of
from howff.cli.online.exporting import save
from howff.cli.server.addresses import MatchAddress
from howff.cli.server.admitting import admitted_as
from howff.cli.server.callers import Caller
from howff.cli.server.followed import Followed
from howff.cli.server.matches import Seen
from howff.cli.server.servers import Server, asking
from howff.cli.terminal.choosing import Choice, Command, choose, show_beside, show_news
from howff.cli.terminal.drawing import nonsense_refused, show, show_board
from howff.cli.terminal.prompts import answer, mistaken
from howff.cli.terminal.ranking import ranking
from howff.cli.terminal.standings import Situation
from howff.client.errors import ClientError
from howff.engine.catalogue import game_of
from howff.engine.codec import JSON, to_json
from howff.engine.errors import RefusalError
from howff.engine.seats import Seat
from howff.match.clocks import milliseconds_of
from howff.match.commit import Commit, actor_of, time_text
from howff.match.match import misfits_refused
from howff.servicekit import clock


@dataclass(frozen=True, slots=True)
class Visit:
    """Whose people play, and where the finished match goes."""

    caller: Caller
    file: Path | None = None

    @property
    def console(self) -> Console:
        return self.caller.console


def play_new(
    visit: Visit, key: str, seating: Seating, settings: list[str], terms: dict[str, JSON]
) -> None:
    """Start a practice match of the game *key* by these *terms* and play it to its end.

    Raises:
        ClientError: the server refuses, or is away for too long.
        RefusalError: an option or an answer makes no sense, or the file can't be written.
    """
    game = game_of(key)
    options = to_json(game.options, options_from(game, settings))
    account, token = _arrive(visit)
    seats: list[JSON] = [{"account": account}] * (seating.seats - seating.bots)
    seats += [{"bot": seating.level}] * seating.bots
    with asking(visit.caller.server, token, visit.console) as server:
        now = server.start({"game": key, "seats": seats, "options": options, **terms})
        _play(visit, server, now, account, after=0)


def play_on(visit: Visit, key: str | None, match: str) -> None:
    """Go on with a *match* of the game *key*, or of any, and play it to its end.

    Raises:
        ClientError: the server refuses, or is away for too long.
        RefusalError: the account has no seat in it, it is a match of another game, an answer
            makes no sense, or the file can't be written.
    """
    account, token = _arrive(visit)
    with asking(visit.caller.server, token, visit.console) as server:
        now = server.look(match)
        if key not in {None, now.game.key}:
            raise WrongChoiceError(
                "match", expected=f"one of {key}", found=f"one of {now.game.key}"
            )
        _play(visit, server, now, account, after=now.version)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """A match on a server, and the people here who have a part in it."""

    followed: Followed
    people: tuple[Seat, ...]
    console: Console
    untold: list[Commit] = field(default_factory=list)
    """The commits of which nobody here was told yet."""
    notes: list[str] = field(default_factory=list)
    """What was not done, in lines that nobody was shown yet."""
    waited_out: set[tuple[Seat, Situation]] = field(default_factory=set[tuple[Seat, Situation]])
    """The situations in which somebody here was asked, and would rather wait."""

    @property
    def is_shared(self) -> bool:
        return len(self.people) > 1

    def catch_up(self) -> Seen:
        """Return the match as it is now, with all commits up to there read."""
        now = self.followed.look()
        while self.followed.version < now.version:
            self.wait()
        return now

    def wait(self) -> None:
        """Wait for the next commit, or for the end of the match."""
        commit = self.followed.next_commit()
        if commit is not None:
            self.untold.append(commit)

    def note(self, line: str | None) -> None:
        """Keep a *line* on what was not done until somebody is asked again, below the board."""
        if line is not None:
            self.notes.append(line)

    def beside(self, now: Seen) -> tuple[str, ...]:
        """Return how the seats stand beside the game by now, in lines."""
        at = milliseconds_of(time_text(clock.now()))
        return tuple(now.standings.after(at).lines(now.names))

    def news(self, now: Seen) -> list[str]:
        """Return what nobody was told yet, in lines."""
        lines: list[str] = []
        for commit in self.untold:
            with misfits_refused(commit):
                lines += map(printable, now.lines(commit))
        lines += self.notes
        self.untold.clear()
        self.notes.clear()
        return lines


def _arrive(visit: Visit) -> tuple[str, str]:
    """Return the account that plays, and its token."""
    if visit.file is not None:
        check_writable(visit.file)
    return admitted_as(visit.caller)


def _play(visit: Visit, server: Server, now: Seen, account: str, *, after: int) -> None:
    people = tuple(Seat(seat) for seat, each in enumerate(now.accounts) if each == account)
    if not people:
        expected = f"a match with a seat of {account!r}"
        raise WrongChoiceError("match", expected=expected, found="one without")
    # On a shared screen the news must not tell what one person alone may know.
    viewer = actor_of(people[0]) if len(people) == 1 else "spectator"
    visit.console.print(Text(str(MatchAddress(visit.caller.server, now.match))), soft_wrap=True)
    visit.console.print(Text(now.title))
    with Followed(server, now.match, viewer, after=after) as followed:
        table = _Table(followed=followed, people=people, console=visit.console)
        try:
            _play_out(table)
        except (typer.Exit, KeyboardInterrupt, RefusalError, ClientError):
            visit.console.print(Text(f"It goes on with --match {now.match}"), soft_wrap=True)
            raise
        _keep(visit, followed)


def _play_out(table: _Table) -> None:
    while not (now := table.catch_up()).is_over:
        if (seat := _mover(table, now)) is not None:
            _move(table, now, seat)
        elif (seat := _voter(table, now)) is not None:
            _hear(table, now, seat)
        else:
            _wait(table, now)
    show_news(table.news(now), table.console)
    with nonsense_refused():
        show_board(now.game, now.view, now.names, table.console)
    if now.outcome is not None:
        show(ranking(now.outcome, now.names), table.console)


def _wait(table: _Table, now: Seen) -> None:
    """Wait for what happens next; what no question will tell soon is told before."""
    seats = now.standings.seats
    if all(seats[seat].resigned is not None for seat in table.people):
        show_news(table.news(now), table.console)
    show_news(table.notes, table.console)
    table.notes.clear()
    table.wait()


def _mover(table: _Table, now: Seen) -> Seat | None:
    """Return a seat of the people here that owes a decision and may take it."""
    seats = (seat for seat in now.to_act if seat in table.people)
    movers = (seat for seat in seats if now.standings.seats[seat].is_there)
    return None if now.standings.is_paused else next(movers, None)


def _voter(table: _Table, now: Seen) -> Seat | None:
    """Return a seat of the people here whose word may be wanted though it owes no decision."""
    situation = now.standings.situation
    voters = (seat for seat in table.people if now.standings.has_a_say(seat))
    return next((seat for seat in voters if (seat, situation) not in table.waited_out), None)


def _move(table: _Table, now: Seen, seat: Seat) -> None:
    """Let the person in *seat* move, unless something has happened since *now*."""
    moves = table.followed.moves(seat)
    own = table.followed.look(actor_of(seat)) if table.is_shared else now
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
        beside=table.beside(now),
        commands=COMMANDS,
    )
    with nonsense_refused():
        chosen = choose(choice, table.console)
    if isinstance(chosen, Command):
        table.note(obey(chosen.word, table.followed, now, seat, table.console))
    else:
        table.note(refusal_of(partial(table.followed.play, seat, chosen, now.version)))


def _hear(table: _Table, now: Seen, seat: Seat) -> None:
    """Ask the person in *seat* for a command; who gives none will not be asked the same again."""
    show_news(table.news(now), table.console)
    show_beside(table.beside(now), table.console)
    question = f"{now.names[seat]}: Enter waits (q quits, /help tells more): "
    word = answer(table.console, question)
    if not word:
        table.waited_out.add((seat, now.standings.situation))
    elif word in COMMANDS:
        table.note(obey(word, table.followed, now, seat, table.console))
        # It may be long until somebody is asked again.
        show_news(table.news(table.catch_up()), table.console)
    else:
        expected = f"Enter or {', '.join(COMMANDS)}"
        mistaken(table.console, "answer", expected=expected, found=word)


def _keep(visit: Visit, followed: Followed) -> None:
    if visit.file is None:
        address = MatchAddress(visit.caller.server, followed.match)
        visit.console.print(Text(f"`howff export {address}` writes it to a file"), soft_wrap=True)
    else:
        save(followed.export(), visit.file, visit.console)
