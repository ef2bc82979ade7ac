"""`howff up` lets nobody into NATS but its services, and these do what they may."""

import json
import stat
from pathlib import Path

import pytest

from howff.cli.machine.permissions import SERVICES
from howff.cli.machine.stores import TwoStoresError, adopt_streams
from howff.game.adapters.streams import ensure_streams
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.publishing import publish
from support.cli import howff
from support.howff_up import Up
from support.nats import own_server
from support.online import FREYA
from support.permitted import accounts_of, answer_to_login, as_user, asked, kept
from support.service import on_nats, wait_until

FULL = ("troedler", "--seats", "3", "--bots", "2", "-o", "round_limit=1", "-o", "dealing=auto")


def is_projected(server: Up) -> bool:
    """Tell whether scoring has archived and projected a match of people and bots."""
    asked_for = ("statistics", "troedler", "--seats", "3", "--who", "mixed")
    shown = howff(*asked_for, "--server", server.url, *FREYA)
    assert shown.exit_code == 0, shown.output
    return "Moves" in shown.stdout


def test_a_whole_story_asks_for_nothing_that_is_not_allowed(server: Up) -> None:
    at = ("--server", server.url, *FREYA)
    played = howff("table", "create", *FULL, "--wait", *at, typed="1\n" * 60)
    assert played.exit_code == 0, played.output
    assert "Ranking" in played.stdout
    wait_until(lambda: is_projected(server))
    assert howff("admin", "grant", "jack", "--data", str(server.data)).exit_code == 0
    assert server.violations == []


def test_nobody_connects_to_nats_without_the_password_of_a_service(server: Up) -> None:
    url = f"nats://127.0.0.1:{server.ports[1]}"
    for login in ({}, *({"user": each.user, "password": each.user} for each in SERVICES)):
        assert "Authorization Violation" in answer_to_login(url, **login)


def test_nobody_else_on_the_machine_reads_passwords_or_streams(server: Up) -> None:
    nats = server.data / "nats"
    stored = nats / "store" / "jetstream" / "HOWFF" / "streams"
    for secret in (nats / "server.conf", server.data / "running.json", stored):
        assert stat.S_IMODE(secret.stat().st_mode) & 0o077 == 0, secret
    passwords = json.loads((nats / "server.conf").read_text())["accounts"]
    written = {passwords[each.name]["users"][0]["password"] for each in SERVICES}
    assert len(written) == len(SERVICES)
    shown = server.output + "".join(each.read_text() for each in server.data.glob("log/*"))
    assert not any(password in shown for password in written)


def test_streams_from_before_there_were_users_stay_where_they_are_found(tmp_path: Path) -> None:
    async def begin(anybody: Connection) -> None:
        stores = await ensure_streams(anybody, 1)
        await stores.seeds.put("m", b"a seed")
        await publish(anybody, "match.m", b"a commit")
        await publish(anybody, "work.decision_due.m", b"a decision")

    async def go_on(game: Connection) -> None:
        stores = await ensure_streams(game, 1)
        assert await stores.seeds.get("m") == b"a seed"
        stored = await asked(game, "STREAM.MSG.GET.MATCHES", {"last_by_subj": "match.m"})
        assert stored["message"]["seq"] == 1
        waiting = await asked(game, "CONSUMER.INFO.WORK.bots")
        assert waiting["num_pending"] == 1

    adopt_streams(tmp_path)  # there are none yet
    with own_server(tmp_path) as before:
        on_nats(before, begin)
        streams = kept(before)
    for _ in range(2):
        adopt_streams(tmp_path)
        with own_server(tmp_path, accounts=accounts_of(*SERVICES)) as since:
            as_user(since, "game", go_on)
            assert kept(since) == streams


def test_streams_of_two_times_are_named_and_none_is_lost(tmp_path: Path) -> None:
    folders = [tmp_path / "store" / "jetstream" / account for account in ("$G", "HOWFF")]
    for folder in folders:
        (folder / "streams" / "MATCHES").mkdir(parents=True)
    with pytest.raises(TwoStoresError, match=r"\$G.*HOWFF.*both"):
        adopt_streams(tmp_path)
    (folders[1] / "streams" / "MATCHES").rmdir()
    adopt_streams(tmp_path)
    assert not folders[0].exists()
    assert (folders[1] / "streams" / "MATCHES").is_dir()
