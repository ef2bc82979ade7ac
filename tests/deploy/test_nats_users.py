"""The users of NATS, as servers are told them: what the services need, and nothing else."""

import itertools
import json
import subprocess
import sysconfig
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from nats.aio.msg import Msg

from conftest import IS_LONG
from howff.cli.machine.permissions import (
    BOTS,
    DRILL,
    FILES,
    SERVICES,
    content_of,
    fetched,
    looked_at,
    write_files,
)
from howff.contracts import matches, turns
from howff.engine.codec import JSON
from howff.game.adapters.streams import ensure_streams as ensure_streams_of_game
from howff.lobby.adapters.lists import NUDGES
from howff.lobby.adapters.streams import ensure_streams as ensure_streams_of_lobby
from howff.match import journal
from howff.servicekit.nats.accounts import Account
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import (
    JetStreamRefusedError,
    NatsUnavailableError,
    StreamDiffersError,
)
from howff.servicekit.nats.publishing import publish
from howff.servicekit.nats.pulling import Pulling
from howff.servicekit.nats.server import NatsServer, User
from howff.servicekit.nats.streams import durable, ensure_consumer
from howff.servicekit.web import trust
from support.nats import cluster_without_leader, own_server
from support.permitted import (
    FOLDER,
    accounts_of,
    answer_to_login,
    as_user,
    asked,
    kept,
    not_refused,
    opened,
    password_of,
    permitting_server,
    settled,
)
from support.running import WITHIN, eventually, run
from support.service import wait_until

SEED = b"what nobody else may know"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    """Give a server where all streams stand, with something in those that are secret."""
    with permitting_server(tmp_path_factory.mktemp("nats")) as server:
        make_streams(server)
        yield server


def make_streams(server: NatsServer) -> None:
    async def of_game(game: Connection) -> None:
        stores = await ensure_streams_of_game(game, 1)
        await stores.seeds.put("m", SEED)
        await publish(game, "match.m", b"a commit")
        await publish(game, "work.decision_due.m", b"a decision")

    async def of_lobby(lobby: Connection) -> None:
        stores = await ensure_streams_of_lobby(lobby, 1)
        await stores.keys.put("signing_k", SEED)
        await publish(lobby, "lobby.table.t", b"a commit")

    as_user(server, "game", of_game)
    as_user(server, "lobby", of_lobby)


def make_streams_of_game(server: NatsServer) -> None:
    async def story(game: Connection) -> None:
        await ensure_streams_of_game(game, 1)

    as_user(server, "game", story)


@pytest.mark.parametrize("name", FILES)
def test_the_files_say_what_the_table_says(name: str, tmp_path: Path) -> None:
    write_files(tmp_path)
    assert (tmp_path / name).read_text() == content_of(name)
    hint = "write it by `make nats-users`"
    assert (FOLDER / name).read_text() == content_of(name), hint


def test_no_password_stands_in_a_file_and_none_is_taken_for_granted(tmp_path: Path) -> None:
    configuration = tmp_path / "server.conf"
    configuration.write_text('include "users.conf"\n')
    (tmp_path / "users.conf").write_text((FOLDER / "users.conf").read_text())
    program = Path(sysconfig.get_path("scripts")) / "nats-server"
    tried = subprocess.run(  # noqa: S603 — our own program and file
        [program, "-c", configuration, "-t"], env={}, capture_output=True, text=True, check=False
    )
    assert tried.returncode == 1
    assert "HOWFF_NATS_LOBBY_PASSWORD" in tried.stderr


def test_the_table_names_what_the_services_name() -> None:
    subjects = {subject for each in SERVICES for subject in (*each.publish, *each.subscribe)}
    streams = (
        journal.MATCHES,
        matches.CONTRACTS,
        matches.STARTS,
        matches.WORK,
        f"KV_{turns.TURNS}",
        f"KV_{trust.BUCKET}",
    )
    assert {f"$JS.API.STREAM.CREATE.{each}" for each in streams} <= subjects
    named = {
        journal.SUBJECTS,
        f"{journal.COMMITTED}.{journal.SUBJECTS}",
        f"{NUDGES}>",
        matches.SEED_QUESTIONS,
        matches.SEED_DISCARDS,
    }
    assert named <= subjects


def overlap(one: str, other: str) -> bool:
    """Tell whether there is a subject that both mean."""
    for left, right in itertools.zip_longest(one.split("."), other.split(".")):
        if ">" in (left, right):
            return True
        if left != right and "*" not in (left, right):
            return False
        if None in (left, right):
            return False
    return True


@pytest.mark.parametrize("account", [*SERVICES, DRILL], ids=lambda each: each.user)
def test_no_request_is_imported_twice_and_so_answered_twice(account: Account) -> None:
    for one, other in itertools.combinations(account.publish, 2):
        assert not overlap(one, other), (one, other)


def test_nobody_connects_without_a_password(server: NatsServer) -> None:
    for login in ({}, {"user": "game"}, {"user": "game", "password": "game"}):
        assert "Authorization Violation" in answer_to_login(server.url, **login)
    assert answer_to_login(server.url, user="game", password=password_of("game")) == ""


SECRET = ("MATCHES", "KV_SEEDS", "KV_GAME_KEYS", "LOBBY", "KV_LOBBY_KEYS", "DEADLINES", "CLOCKED")
OWNERS = {"LOBBY": "lobby", "KV_LOBBY_KEYS": "lobby"}
READING = (
    "STREAM.INFO.{}",
    "STREAM.MSG.GET.{}",
    "DIRECT.GET.{}",
    "DIRECT.GET.{}.match.m",
    "CONSUMER.CREATE.{}",
    "CONSUMER.CREATE.{}.mine",
    "CONSUMER.DURABLE.CREATE.{}.mine",
    "CONSUMER.MSG.NEXT.{}.outbox",
    "STREAM.SNAPSHOT.{}",
    "STREAM.CREATE.{}",
)
USERS = [each.user for each in SERVICES]


@pytest.mark.parametrize("user", USERS)
def test_nobody_reads_what_is_the_secret_of_another(server: NatsServer, user: str) -> None:
    requests = [
        (f"$JS.API.{request.format(stream)}", {"seq": 1})
        for stream in SECRET
        if user != OWNERS.get(stream, "game")
        for request in READING
    ]
    assert not_refused(server, user, requests) == []


FORBIDDEN: dict[str, tuple[tuple[str, JSON], ...]] = {
    "all": (
        ("$JS.API.INFO", None),
        ("$JS.API.STREAM.NAMES", None),
        ("$JS.API.STREAM.LIST", None),
        ("$JS.API.STREAM.CREATE.MINE", {"name": "MINE", "sources": [{"name": "MATCHES"}]}),
        ("$JS.API.STREAM.CREATE.MINE", {"name": "MINE", "mirror": {"name": "KV_SEEDS"}}),
        ("$JS.API.STREAM.UPDATE.CONTRACTS", {"name": "CONTRACTS", "subjects": ["contract.>"]}),
        ("$JS.API.STREAM.DELETE.MATCHES", None),
        ("$JS.API.STREAM.DELETE.LOBBY", None),
        ("$JS.API.STREAM.DELETE.CONTRACTS", None),
        ("$JS.API.STREAM.PURGE.WORK", None),
        ("$JS.API.STREAM.PURGE.KV_TOKENS", None),
        ("$JS.API.STREAM.MSG.DELETE.MATCHES", {"seq": 1}),
        ("$JS.API.STREAM.RESTORE.MATCHES", {}),
        ("$JS.API.CONSUMER.DELETE.WORK.bots", None),
        ("$JS.API.CONSUMER.DELETE.MATCHES.outbox", None),
        ("$JS.API.CONSUMER.PAUSE.MATCHES.outbox", {}),
        ("$SYS.REQ.SERVER.PING", None),
        ("committed.match.m", {}),
        ("deadline.due.m", {}),
        ("_INBOX_game.x", {}),
    ),
    "lobby": (
        ("match.m", {}),
        ("contract.match_ended.m", {}),
        ("contract.rated.m", {}),
        ("work.decision_due.m", {}),
        ("deadline.at.m", {}),
        ("clocked.m", {}),
        ("$KV.SEEDS.m", {}),
        ("$KV.TURNS.m", {}),
        ("$JS.ACK.MATCHES.outbox.1.1.1.1.1", {}),
        ("$JS.API.CONSUMER.MSG.NEXT.WORK.bots", {"batch": 1}),
    ),
    "game": (
        ("lobby.table.t", {}),
        ("start.m", {}),
        ("contract.rated.m", {}),
        ("fed.lobby.x", {}),
        ("$KV.TOKENS.key_k", {}),
        ("$KV.LOBBY_KEYS.signing_k", {}),
        ("$JS.API.CONSUMER.MSG.NEXT.WORK.bots", {"batch": 1}),
        ("$JS.API.STREAM.MSG.GET.CONTRACTS", {"seq": 1}),
        ("$JS.API.STREAM.PURGE.MATCHES", None),
    ),
    "bots": (
        ("match.m", {}),
        ("work.decision_due.m", {}),
        ("contract.match_ended.m", {}),
        ("start.m", {}),
        ("game.seed_commitment", {"match": "m"}),
        ("$JS.API.STREAM.INFO.WORK", None),
        ("$JS.API.STREAM.MSG.GET.WORK", {"seq": 1}),
        ("$JS.ACK.MATCHES.outbox.1.1.1.1.1", {}),
        ("$JS.API.CONSUMER.CREATE.WORK", {}),
        ("$JS.API.CONSUMER.CREATE.WORK.mine", {}),
        ("$JS.API.CONSUMER.CREATE.WORK.bots", {}),
        ("$JS.API.CONSUMER.DURABLE.CREATE.WORK.bots", {}),
        ("$JS.API.CONSUMER.MSG.NEXT.WORK.others", {"batch": 1}),
        ("$JS.API.STREAM.INFO.CONTRACTS", None),
        ("$JS.API.CONSUMER.CREATE.KV_TOKENS", {}),
    ),
    "scoring": (
        ("match.m", {}),
        ("contract.match_ended.m", {}),
        ("start.m", {}),
        ("game.seed_commitment", {"match": "m"}),
        ("$KV.TOKENS.key_k", {}),
        ("$JS.API.STREAM.MSG.GET.KV_TOKENS", {"seq": 1}),
        ("$JS.API.CONSUMER.CREATE.CONTRACTS", {}),
        ("$JS.API.CONSUMER.CREATE.CONTRACTS.lobby", {}),
        ("$JS.API.CONSUMER.CREATE.CONTRACTS.lobby.contract.>", {}),
        ("$JS.API.CONSUMER.DURABLE.CREATE.CONTRACTS.lobby", {}),
        ("$JS.API.CONSUMER.MSG.NEXT.CONTRACTS.lobby", {"batch": 1}),
        ("$JS.ACK.CONTRACTS.lobby.1.1.1.1.1", {}),
        ("$JS.API.CONSUMER.CREATE.KV_TURNS", {}),
    ),
}


@pytest.mark.parametrize("user", USERS)
def test_nobody_asks_for_or_tells_what_is_not_theirs(server: NatsServer, user: str) -> None:
    assert not_refused(server, user, (*FORBIDDEN["all"], *FORBIDDEN[user])) == []


@pytest.mark.parametrize("user", USERS)
def test_nobody_hears_what_is_not_theirs(server: NatsServer, user: str) -> None:
    inboxes = [f"_INBOX_{each}.>" for each in USERS if each != user]
    broad = [">", "committed.>", "$JS.>", "$KV.>", "$SYS.>", "_INBOX.>", "_R_.>", "fed.>", "game.>"]
    told = ["match.>", "lobby.>", "contract.>", "start.>", "work.>", "deadline.>"]
    assert not_refused(server, user, subscribe=[*broad, *told, *inboxes]) == []


DIVERTED = [
    ("bots", "$JS.API.CONSUMER.MSG.NEXT.WORK.bots", {"batch": 1, "no_wait": True}),
    ("bots", "$JS.API.CONSUMER.MSG.NEXT.WORK.bots", {"batch": 1}),
    ("bots", "$JS.API.CONSUMER.INFO.WORK.bots", None),
    ("scoring", "$JS.API.STREAM.MSG.GET.CONTRACTS", {"seq": 1}),
    ("scoring", "contract.rated.diverted", {}),
    ("lobby", "$JS.API.DIRECT.GET.LOBBY", {"seq": 99}),
    ("lobby", "$JS.API.DIRECT.GET.LOBBY", {"seq": 1}),
    ("lobby", "$JS.API.CONSUMER.MSG.NEXT.CONTRACTS.lobby", {"batch": 1, "no_wait": True}),
    ("lobby", "game.seed_commitment", {"match": "m"}),
    ("game", "$JS.API.CONSUMER.MSG.NEXT.MATCHES.outbox", {"batch": 1, "no_wait": True}),
    ("game", "$JS.API.DIRECT.GET.MATCHES", {"seq": 99}),
]
"""Requests that are allowed, whose answers would do harm elsewhere."""
HARMED = (
    "$JS.API.STREAM.DELETE.MATCHES",
    "$JS.API.STREAM.DELETE.KV_LOBBY_KEYS",
    "$JS.API.STREAM.PURGE.KV_TOKENS",
    "$JS.API.CONSUMER.DELETE.WORK.bots",
    "match.forged",
    "start.forged",
    "lobby.table.forged",
    "$KV.SEEDS.forged",
)


@pytest.mark.parametrize(("user", "subject", "content"), DIVERTED)
def test_no_answer_is_led_to_where_it_would_do_harm(
    server: NatsServer, user: str, subject: str, content: JSON
) -> None:
    before = kept(server)

    async def story(connection: Connection) -> None:
        for harmed in HARMED:
            await connection.client.publish(subject, json.dumps(content).encode(), harmed)
        await settled(connection)

    as_user(server, user, story)
    assert before.keys() >= {"MATCHES", "KV_SEEDS", "LOBBY", "KV_LOBBY_KEYS"}
    told = {"CONTRACTS": before["CONTRACTS"] + len(HARMED)} if "rated" in subject else {}
    wait_until(lambda: kept(server) == before | told)

    async def bots(connection: Connection) -> Any:
        return await asked(connection, "CONSUMER.INFO.WORK.bots")

    assert as_user(server, "bots", bots)["config"]["durable_name"] == "bots"


def test_no_trace_is_led_to_where_it_would_do_harm(server: NatsServer) -> None:
    before = kept(server)

    async def story(bots: Connection) -> None:
        for harmed in HARMED:
            traced = {"Nats-Trace-Dest": harmed}
            await bots.client.publish(looked_at("WORK", "bots"), b"", "", headers=traced)
        await settled(bots)

    as_user(server, "bots", story)
    assert kept(server) == before


def test_in_one_account_such_an_answer_deletes_a_stream(tmp_path: Path) -> None:
    """Why each user has an account of its own."""
    limited = User("bots", password_of("bots"), BOTS.publish, BOTS.subscribe)
    with own_server(tmp_path, users=(limited, User("game", password_of("game")))) as server:
        make_streams_of_game(server)

        async def story(connection: Connection) -> None:
            taken = json.dumps({"batch": 1, "no_wait": True}).encode()
            deletion = "$JS.API.STREAM.DELETE.MATCHES"
            await connection.client.publish(fetched("WORK", "bots"), taken, deletion)
            await connection.client.flush()

        assert "MATCHES" in kept(server)
        as_user(server, "bots", story)
        wait_until(lambda: "MATCHES" not in kept(server))


@pytest.mark.parametrize(
    ("user", "stream"),
    [("scoring", "CONTRACTS"), ("lobby", "LOBBY"), ("lobby", "STARTS"), ("game", "KV_TOKENS")],
)
def test_a_stream_that_stands_there_is_not_made_to_take_what_others_hold(
    server: NatsServer, user: str, stream: str
) -> None:
    async def story(connection: Connection) -> None:
        for more in (
            {"sources": [{"name": "MATCHES"}]},
            {"mirror": {"name": "KV_SEEDS"}},
            {"republish": {"src": ">", "dest": f"_INBOX_{user}.all.>"}},
        ):
            wanted = {"name": stream, "storage": "file", "retention": "limits", **more}
            refused = await asked(connection, f"STREAM.CREATE.{stream}", wanted)
            assert refused["error"]["err_code"] in (10058, 10052), refused
            mine = {**wanted, "name": "MINE"}
            mismatch = await asked(connection, f"STREAM.CREATE.{stream}", mine)
            assert mismatch["error"]["err_code"] == 10056, mismatch

    as_user(server, user, story)
    assert "MINE" not in kept(server)


def test_a_reader_makes_no_consumer_of_another_stream(server: NatsServer) -> None:
    async def story(scoring: Connection) -> None:
        elsewhere = {"stream_name": "MATCHES", "config": {"name": "mine", "ack_policy": "none"}}
        refused = await asked(scoring, "CONSUMER.CREATE.CONTRACTS.mine", elsewhere)
        assert "does not match" in refused["error"]["description"]

    as_user(server, "scoring", story)


def test_a_reader_does_not_change_the_consumer_of_another_by_a_name_of_its_own(
    server: NatsServer,
) -> None:
    """Or the lobby would pass over whatever is told while its consumer leaves that out."""

    async def found(lobby: Connection) -> Any:
        await ensure_consumer(lobby, "CONTRACTS", durable("lobby"))
        return (await asked(lobby, "CONSUMER.INFO.CONTRACTS.lobby"))["config"]

    before = as_user(server, "lobby", found)

    async def story(scoring: Connection) -> None:
        leaving_out = {**before, "filter_subject": "contract.rated.*"}
        for kept_names in (("name",), ("durable_name",), ("name", "durable_name")):
            dropped = {"name", "durable_name"}.difference(kept_names)
            config = {name: each for name, each in leaving_out.items() if name not in dropped}
            wanted = {"stream_name": "CONTRACTS", "config": config}
            answer = await asked(scoring, "CONSUMER.CREATE.CONTRACTS.mine", wanted)
            assert answer.get("name") != "lobby"

    as_user(server, "scoring", story)
    assert as_user(server, "lobby", found) == before


def test_a_consumer_that_pushes_brings_nothing_to_streams_of_others(server: NatsServer) -> None:
    before = kept(server)

    async def story(scoring: Connection) -> None:
        for number, place in enumerate(
            ("$JS.API.STREAM.CREATE.MINE", "committed.match.m", *HARMED)
        ):
            name = f"pushing-{number}"
            config = {"name": name, "ack_policy": "none", "deliver_policy": "new"}
            wanted = {"stream_name": "CONTRACTS", "config": {**config, "deliver_subject": place}}
            made = await asked(scoring, f"CONSUMER.CREATE.CONTRACTS.{name}", wanted)
            assert made["config"]["deliver_subject"] == place
        stream = {"name": "MINE", "storage": "file", "sources": [{"name": "MATCHES"}]}
        for content in (json.dumps(stream).encode(), b""):
            await publish(scoring, "contract.rated.pushed", content)
        await settled(scoring)

    as_user(server, "scoring", story)
    assert kept(server) == before | {"CONTRACTS": before["CONTRACTS"] + 2}


def test_a_service_refuses_a_stream_that_was_made_to_take_what_it_holds(tmp_path: Path) -> None:
    with permitting_server(tmp_path) as server:

        async def early(scoring: Connection) -> None:
            made = {
                "name": "CONTRACTS",
                "subjects": ["contract.>"],
                "storage": "file",
                "retention": "limits",
                "sources": [{"name": "MATCHES"}],
            }
            assert "error" not in await asked(scoring, "STREAM.CREATE.CONTRACTS", made)

        as_user(server, "scoring", early)
        with pytest.raises(StreamDiffersError):
            make_streams_of_game(server)


@pytest.mark.skipif(not IS_LONG, reason="three servers more; one alone shows it too")
def test_a_cluster_holds_to_the_same(tmp_path: Path) -> None:
    with cluster_without_leader(tmp_path, accounts=accounts_of(*SERVICES)) as servers:

        async def story() -> None:
            async with await opened(servers[0], "game") as game:
                making = partial(ensure_streams_of_game, game, 3)
                await eventually(making, JetStreamRefusedError, NatsUnavailableError)
                for number, server in enumerate(servers, 1):
                    await publish(game, f"work.decision_due.{number}", b"a decision")
                    await fetch_and_divert(server)
                assert (await asked(game, "STREAM.INFO.MATCHES"))["state"]["messages"] == 0

        run(story, 3 * WITHIN)


async def fetch_and_divert(server: NatsServer) -> None:
    """Let a worker at *server* take what there is, and lead the next answer elsewhere."""
    fetching = fetched("WORK", "bots")
    async with await opened(server, "bots") as bots:
        pulling = await Pulling.opened(bots, "WORK", "bots")
        taken: list[Msg] = []
        while not taken:
            taken = await pulling.more(1, 1.0)
        await taken[0].ack_sync()
        for harmed in HARMED:
            await bots.client.publish(fetching, b'{"batch": 1, "no_wait": true}', harmed)
        await settled(bots)
