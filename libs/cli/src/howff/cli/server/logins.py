"""The logins that are kept on this machine, in a file that only its user can read."""

import fcntl
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from howff.cli.errors import CommandError
from howff.cli.files import read_file, unreadable
from howff.client.errors import ProblemError
from howff.engine.codec import from_json, to_json
from howff.engine.errors import MalformedError

_PLACE: Final = "a place where logins can be kept"


class WrongLoginsError(CommandError):
    """The file of logins has not their form."""

    code = "wrong_logins"

    def __init__(self, path: Path, found: str) -> None:
        expected = "logins as `howff login` keeps them"
        super().__init__(f"file {str(path)!r}", expected=expected, found=found)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptLogin:
    """An account on a server, and the token that lets it in; guests have no *name*."""

    server: str
    account: str
    name: str | None
    token: str = field(repr=False)


class LoginEndedError(CommandError):
    """A server takes a login no more that is kept for it, or is another one than it was."""

    code = "login_ended"

    def __init__(self, login: KeptLogin, refusal: ProblemError) -> None:
        who = "" if login.name is None else f" --name {login.name}"
        forgets = f"`howff logout --server {login.server}{who}` forgets the login"
        found = f"{refusal.found}; {forgets}"
        super().__init__("login refused", expected=refusal.expected, found=found)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptEntropy:
    """What an account adds to the luck of a table, of which so far only the hash is told."""

    server: str
    account: str
    table: str
    entropy: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Kept:
    """The content of the file, the newest last."""

    logins: tuple[KeptLogin, ...] = ()
    entropies: tuple[KeptEntropy, ...] = ()


def login_for(server: str, name: str | None = None) -> KeptLogin | None:
    """Return the newest login for *server*, or the one of the account called *name* there.

    Raises:
        CommandError: what is kept can't be read.
    """
    fitting = (each for each in reversed(_read(_path()).logins) if each.server == server)
    return next((each for each in fitting if name in {None, each.name}), None)


def login_by(server: str, token: str | None) -> KeptLogin | None:
    """Return the login for *server* whose token is *token*.

    Raises:
        CommandError: what is kept can't be read.
    """
    wanted = (server, token)
    return next(
        (each for each in _read(_path()).logins if (each.server, each.token) == wanted), None
    )


def keep_login(login: KeptLogin) -> None:
    """Keep *login*, in the place of an older one of its account.

    Raises:
        CommandError: it can't be kept.
    """
    _change(lambda kept: replace(kept, logins=(*_others(kept, login), login)))


def drop_login(login: KeptLogin) -> None:
    """Keep *login* no longer.

    Raises:
        CommandError: what is kept can't be changed.
    """
    _change(lambda kept: replace(kept, logins=_others(kept, login)))


def entropy_for(server: str, account: str, table: str) -> str | None:
    """Return what is kept of the luck that *account* adds to *table*.

    Raises:
        CommandError: what is kept can't be read.
    """
    wanted = (server, account, table)
    found = (each.entropy for each in _read(_path()).entropies if _place_of(each) == wanted)
    return next(found, None)


def keep_entropy(entropy: KeptEntropy) -> None:
    """Keep *entropy* until it is told.

    Raises:
        CommandError: it can't be kept.
    """
    place = _place_of(entropy)
    _change(lambda kept: replace(kept, entropies=(*_elsewhere(kept, place), entropy)))


def drop_entropy(server: str, account: str, table: str) -> None:
    """Keep what *account* adds to *table* no longer.

    Raises:
        CommandError: what is kept can't be changed.
    """
    place = (server, account, table)
    _change(lambda kept: replace(kept, entropies=_elsewhere(kept, place)))


def _others(kept: _Kept, login: KeptLogin) -> tuple[KeptLogin, ...]:
    place = (login.server, login.account)
    return tuple(each for each in kept.logins if (each.server, each.account) != place)


def _elsewhere(kept: _Kept, place: tuple[str, str, str]) -> tuple[KeptEntropy, ...]:
    return tuple(each for each in kept.entropies if _place_of(each) != place)


def _place_of(entropy: KeptEntropy) -> tuple[str, str, str]:
    return entropy.server, entropy.account, entropy.table


def _path() -> Path:
    """Return where logins are, by the XDG Base Directory Specification."""
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(folder) if Path(folder).is_absolute() else Path.home() / ".config"
    return base / "howff" / "logins.json"


def _change(changed: Callable[[_Kept], _Kept]) -> None:
    """Keep from now on what *changed* makes of what is kept.

    Commands that do so at the same time wait for each other.
    """
    path = _path()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(path.with_suffix(".lock"), os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            before = _read(path)
            if (after := changed(before)) != before:
                _write(path, after)
        finally:
            os.close(lock)
    except OSError as error:
        raise unreadable(Path(error.filename or path), _PLACE, error) from error


def _read(path: Path) -> _Kept:
    if not path.exists():
        return _Kept()
    try:
        plain: Any = json.loads(read_file(path))
        return from_json(_Kept, plain)
    except (ValueError, RecursionError, MalformedError) as error:
        raise WrongLoginsError(path, type(error).__name__) from error


def _write(path: Path, kept: _Kept) -> None:
    """Write *kept*; whatever happens, the file is the old one or the new one, and private."""
    unfinished = path.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(to_json(_Kept, kept), file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
