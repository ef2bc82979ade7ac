"""Accounts in PostgreSQL: what holds with SQLite holds there as well."""

import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.lobby import PASSWORD, Lobby, lobby_on
from support.lobby_people import check_life_of_a_person, log_in, refresh, told
from support.nats import own_server, unique
from support.postgres import postgres_address
from support.postgres_kinds import postgres_kind


@pytest.fixture(scope="module", params=[f"postgresql of {postgres_kind()}"])
def replicas() -> Iterator[tuple[Lobby, Lobby]]:
    """Give two processes of the lobby on one database."""
    with (
        tempfile.TemporaryDirectory(prefix="howff-lobby-") as folder,
        own_server(Path(folder) / "nats") as nats,
    ):
        address = postgres_address()
        with (
            lobby_on(nats, Path(folder), database_url=address) as one,
            lobby_on(nats, Path(folder), database_url=address) as other,
        ):
            yield one, other


def test_a_person_lives_in_postgresql(replicas: tuple[Lobby, Lobby]) -> None:
    check_life_of_a_person(replicas[0])


def test_a_token_of_one_replica_is_good_at_the_other(replicas: tuple[Lobby, Lobby]) -> None:
    one, other = replicas
    keys = [each.nobody.get("/.well-known/jwks.json").json() for each in replicas]
    assert keys[0] == keys[1]
    assert len(keys[0]["keys"]) == 1
    guest = one.guest()
    assert told(other.speaker(guest.token or "").get("/v1/me"))["account"]["id"] == guest.account


def test_of_many_who_want_a_name_one_gets_it(replicas: tuple[Lobby, Lobby]) -> None:
    body = {"name": unique("contested-"), "password": PASSWORD}
    with ThreadPoolExecutor(8) as threads:
        answers = threads.map(lambda n: replicas[n % 2].nobody.post("/v1/accounts", body), range(8))
        assert sorted(each.status_code for each in answers) == [201, *[409] * 7]


def test_a_refresh_token_that_many_bring_at_once_is_good_once(
    replicas: tuple[Lobby, Lobby],
) -> None:
    name = unique("hasty-")
    replicas[0].person(name)
    token = told(log_in(replicas[0], name))["refresh_token"]
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda n: refresh(replicas[n % 2], token), range(8)))
    assert sorted(each.status_code for each in answers) == [200, *[400] * 7]
