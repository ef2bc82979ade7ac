"""A server, for commands that do one thing after the other.

Whatever waits for the server can be interrupted; whatever waits for a person is outside of it, so
that Ctrl-C works in both.
"""

import asyncio
import inspect
from collections.abc import Coroutine, Generator, Iterable
from contextlib import contextmanager
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final, TypeVar

from rich.console import Console
from rich.text import Text

from howff.cli.server.interrupting import Interrupts
from howff.cli.server.logins import LoginEndedError, login_by
from howff.cli.server.matches import Seen, seen
from howff.cli.server.profiles import called
from howff.client.admission import TOKEN_ENDED
from howff.client.client import HowffClient
from howff.client.errors import ClientError, ProblemError
from howff.client.patience import Patience
from howff.engine.codec import JSON
from howff.servicekit import ids

T = TypeVar("T")

AT_FIRST: Final = Patience(trying=3.0, starting=120.0)
"""With a server that was not reached before: if none answers, its address is more likely wrong."""
LATER: Final = Patience(trying=120.0)
"""With one that was: it may be starting anew."""


class Server:
    """A server of matches, asked in the name of one account or of nobody."""

    def __init__(self, runner: asyncio.Runner, client: HowffClient, interrupts: Interrupts) -> None:
        self._runner = runner
        self._interrupts = interrupts
        self.client = client
        self._called: dict[str, str] = {}
        """What accounts are called, of those that were asked for."""

    def ask(self, question: Coroutine[Any, Any, T]) -> T:
        """Return the answer to *question*.

        Raises:
            ClientError: the server refuses, or does not answer.
            KeyboardInterrupt: Ctrl-C came meanwhile.
        """
        loop = self._runner.get_loop()

        def cancel() -> None:
            task.cancel()

        try:
            with self._interrupts.ending(lambda: loop.call_soon_threadsafe(cancel)):
                # Made within: one that Ctrl-C left behind would begin together with the next.
                task = loop.create_task(question)
                return loop.run_until_complete(task)
        finally:
            if inspect.getcoroutinestate(question) == inspect.CORO_CREATED:
                question.close()

    def finish(self, question: Coroutine[Any, Any, None]) -> None:
        """Do what has to be done at the end, also because of Ctrl-C.

        Raises:
            KeyboardInterrupt: Ctrl-C came meanwhile.
        """
        self._interrupts.forget()
        self.ask(question)

    def start(self, order: JSON) -> Seen:
        """Return the practice match that *order* starts.

        Raises:
            ClientError: the server refuses, or does not answer.
        """
        return self._named(seen(self.ask(self.client.start_match(order))))

    def branch(self, match: str, at: int, seats: JSON) -> Seen:
        """Return the practice match with these *seats* that goes on from version *at* of *match*.

        Raises:
            ClientError: the server refuses, or does not answer.
        """
        return self._named(seen(self.ask(self.client.branch(match, at, seats))))

    def look(self, match: str, viewer: str | None = None) -> Seen:
        """Return *match* as *viewer* sees it now.

        Raises:
            ClientError: the server refuses, or does not answer.
            RefusalError: what it tells of is not known here.
        """
        return self._named(seen(self.ask(self.client.match(match, viewer=viewer))))

    def called(self, accounts: Iterable[str | None]) -> dict[str, str]:
        """Return what *accounts* are called, of those that the server knows.

        Raises:
            ClientError: the server refuses, or does not answer.
            MalformedError: what it tells are no profiles.
        """
        unknown = {each for each in accounts if each is not None} - self._called.keys()
        if unknown:
            self._called |= {each: each for each in unknown}
            self._called |= dict(map(called, self._profiles(sorted(unknown))))
        return self._called

    def _profiles(self, accounts: list[str]) -> list[JSON]:
        try:
            return self.ask(self.client.accounts.profiles(accounts))
        except ProblemError as error:
            if error.status != HTTPStatus.NOT_FOUND:
                raise
            return []  # a match service alone knows no names

    def _named(self, match: Seen) -> Seen:
        return replace(match, called=self.called(match.accounts))


@contextmanager
def asking(
    address: str, token: str | None, console: Console, patience: Patience = LATER
) -> Generator[Server, None, None]:
    """Give the server at *address*, asked with *token*, as long as the context is open.

    Somebody who has to wait for it reads that at the *console*.

    Raises:
        WrongSettingError: it is no address, or no token, or there is no way to it.
        LoginEndedError: *token* is that of a login which the server takes no more.
    """

    def tell(_: ClientError) -> None:
        console.print(Text("Waiting for the server", style="dim"))

    client = HowffClient(address, token, ids=ids.new_id, patience=patience, when_away=tell)
    with Interrupts() as interrupts, asyncio.Runner() as runner:
        server = Server(runner, client, interrupts)
        try:
            yield server
        except ProblemError as error:
            login = login_by(address, token) if error.code in TOKEN_ENDED else None
            if login is None:
                raise
            raise LoginEndedError(login, error) from error
        finally:
            server.finish(client.close())
