"""The file of logins: private, whole at any time, and no business of others."""

import json
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from howff.cli.errors import UnreadableFileError
from howff.cli.server.logins import (
    KeptEntropy,
    KeptLogin,
    WrongLoginsError,
    drop_entropy,
    drop_login,
    entropy_for,
    keep_entropy,
    keep_login,
    login_for,
)

SERVER = "http://localhost:8000"
FREYA = KeptLogin(server=SERVER, account="a1", name="freya", token="secret-1")  # noqa: S106
GUEST = KeptLogin(server=SERVER, account="a2", name=None, token="secret-2")  # noqa: S106
ADDED = KeptEntropy(server=SERVER, account="a1", table="t", entropy="luck")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "howff"


def test_the_newest_login_of_a_server_is_found_or_that_of_a_name() -> None:
    assert login_for(SERVER) is None
    keep_login(FREYA)
    keep_login(GUEST)
    assert login_for(SERVER) == GUEST
    assert login_for(SERVER, "freya") == FREYA
    assert login_for(SERVER, "jack") is None
    assert login_for("http://localhost:8001") is None


def test_an_account_has_one_login_which_may_get_a_name() -> None:
    keep_login(GUEST)
    keep_login(FREYA)
    named = replace(GUEST, name="isla", token="secret-3")  # noqa: S106
    keep_login(named)
    assert login_for(SERVER) == named
    drop_login(named)
    assert login_for(SERVER) == FREYA
    assert login_for(SERVER, "isla") is None


def test_what_is_kept_is_for_its_user_alone(folder: Path) -> None:
    keep_login(FREYA)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for file in folder.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (folder / "logins.json").chmod(0o644)
    keep_login(GUEST)
    assert stat.S_IMODE((folder / "logins.json").stat().st_mode) == 0o600


def test_secrets_stay_out_of_what_is_shown() -> None:
    assert "secret" not in repr(FREYA)
    assert "luck" not in repr(ADDED)


def test_an_entropy_is_kept_until_it_is_dropped() -> None:
    keep_login(FREYA)
    keep_entropy(ADDED)
    keep_entropy(replace(ADDED, table="other"))
    keep_entropy(replace(ADDED, entropy="more luck"))
    assert entropy_for(SERVER, "a1", "t") == "more luck"
    drop_entropy(SERVER, "a1", "t")
    assert entropy_for(SERVER, "a1", "t") is None
    assert entropy_for(SERVER, "a1", "other") == "luck"
    assert login_for(SERVER) == FREYA


@pytest.mark.parametrize("content", [b"", b"[]", b'{"logins": [{}]}', b"\xff", b"[" * 100_000])
def test_a_file_of_another_form_is_refused_and_left_as_it_is(folder: Path, content: bytes) -> None:
    folder.mkdir()
    file = folder / "logins.json"
    file.write_bytes(content)
    with pytest.raises(WrongLoginsError, match="logins"):
        login_for(SERVER)
    with pytest.raises(WrongLoginsError):
        keep_login(FREYA)
    assert file.read_bytes() == content


def test_a_place_where_nothing_can_be_kept_is_named(folder: Path) -> None:
    folder.touch()
    with pytest.raises(UnreadableFileError, match="howff"):
        keep_login(FREYA)


def test_what_a_crash_has_left_unfinished_counts_for_nothing(folder: Path) -> None:
    keep_login(FREYA)
    (folder / "logins.unfinished").write_text('{"logins": [')
    assert login_for(SERVER) == FREYA
    keep_login(GUEST)
    assert login_for(SERVER) == GUEST


def test_commands_that_keep_logins_at_the_same_time_lose_none(folder: Path) -> None:
    keeping = (
        "import sys\n"
        "from howff.cli.server.logins import KeptLogin, keep_login\n"
        "for n in range(20):\n"
        f"    keep_login(KeptLogin(server={SERVER!r}, account=f'{{sys.argv[1]}}-{{n}}',"
        " name=None, token='t'))\n"
    )
    keepers = [
        subprocess.Popen([sys.executable, "-c", keeping, str(number)])  # noqa: S603
        for number in range(3)
    ]
    assert [keeper.wait(60) for keeper in keepers] == [0, 0, 0]
    kept = json.loads((folder / "logins.json").read_text())["logins"]
    assert len({each["account"] for each in kept}) == 60
