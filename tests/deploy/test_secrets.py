"""`howff secrets`: made once, by chance, for one reader."""

import stat
from pathlib import Path

from howff.cli.machine.secret_file import secrets_from
from howff.servicekit import ids
from howff.servicekit.web.parts import private_key_in, public_keys_in
from support.cli import howff


def values(text: str) -> dict[str, str]:
    pairs = (line.partition("=") for line in text.splitlines() if not line.startswith("#"))
    return {name: value.strip("'") for name, _, value in pairs}


def test_secrets_are_for_their_owner_alone_and_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    assert howff("secrets", "--file", str(file)).exit_code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.read_bytes()
    again = howff("secrets", "--file", str(file))
    assert again.exit_code == 1
    assert "secrets_there" in again.output
    assert file.read_bytes() == before


def test_where_nothing_can_be_written_one_line_says_so(tmp_path: Path) -> None:
    refused = howff("secrets", "--file", str(tmp_path / "nowhere" / ".env"))
    assert refused.exit_code == 1
    assert "unreadable_file" in refused.output


def test_no_secret_is_made_twice() -> None:
    one, other = (values(secrets_from(ids.new_secret)) for _ in range(2))
    assert not set(one.values()) & set(other.values())
    assert len(set(one.values())) == len(one)


def test_the_keys_of_a_part_belong_together(tmp_path: Path) -> None:
    made = values(secrets_from(ids.new_secret))
    for part in ("BOT", "SCORING"):
        private, public = tmp_path / f"{part}.key", tmp_path / f"{part}.jwks.json"
        private.write_text(made[f"HOWFF_{part}_KEY"])
        public.write_text(made[f"HOWFF_{part}_KEYS"])
        assert [*public_keys_in(public)] == [private_key_in(private).jwk["kid"]]
