"""Tables over HTTP, and how they come to matches."""

import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from pydantic import ValidationError

from howff.contracts.matches import LEVELS
from howff.engine.codec import JSON
from howff.lobby.application.ports import Seeds
from howff.lobby.application.tables import Found, Tables
from howff.lobby.settings import Settings
from howff.match.commit import MatchId
from howff.servicekit.nats.connection import Connection
from support.lobby import Lobby, Speaker
from support.service import Service, new_key, service_on, wait_until
from support.web import problem_of


@pytest.fixture(scope="module")
def game(lobby: Lobby) -> Iterator[Service]:
    """Give the match service beside the lobby."""
    with service_on(lobby.nats) as service:
        yield service


def opened(host: Speaker, **terms: JSON) -> JSON:
    answer = host.post("/v1/tables", {"game": "troedler", "seats": 2, **terms}, new_key())
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_table_comes_to_a_match_by_its_id(lobby: Lobby, game: Service) -> None:
    host, other = lobby.person(), lobby.person()
    entropy = "a word of mine"
    hashed = hashlib.sha256(entropy.encode()).hexdigest()
    table = opened(host, entropy_hash=hashed)
    path = f"/v1/tables/{table['id']}"
    assert other.put(f"{path}/seats/1", {}, new_key()).status_code == 200
    assert host.put(f"{path}/seats/0/ready", {"entropy": entropy}).status_code == 200
    assert other.put(f"{path}/seats/1/ready", {}).status_code == 200
    started = host.post(f"{path}/start", {}, new_key())
    assert started.status_code == 202, started.text
    wait_until(lambda: host.get(path).json()["phase"] == "playing")
    match = game.match(table["id"])
    assert match.started.entropies == (entropy, None)
    assert match.started.seed_commitment == table["seed_commitment"]


def test_a_cancelled_table_throws_its_seed_away(lobby: Lobby, game: Service) -> None:
    host = lobby.person()
    table = opened(host)
    assert host.delete(f"/v1/tables/{table['id']}").json()["phase"] == "closed"
    seeds = game.parts.matches._seeds

    def is_gone() -> bool:
        return not game.call(seeds.seed_of(MatchId(table["id"])))

    wait_until(is_gone)


@pytest.mark.usefixtures("game")
def test_two_hundred_want_the_last_seat_and_one_gets_it(lobby: Lobby) -> None:
    host = lobby.person()
    path = f"/v1/tables/{opened(host)['id']}/seats/1"
    others = lobby.guests(200)
    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(lambda each: each.put(path, {}, new_key()), others))
    won = [each for each in answers if each.status_code == 200]
    refused = Counter(each.json()["code"] for each in answers if each.status_code == 409)
    assert len(won) == 1
    assert refused == {"seat_taken": 199}


@pytest.mark.usefixtures("game")
def test_bots_of_every_level_may_be_seated_and_of_no_other(lobby: Lobby) -> None:
    host = lobby.guest()
    path = f"/v1/tables/{opened(host)['id']}"
    for level in LEVELS:
        assert host.put(f"{path}/seats/1/bot", {"level": level}, new_key()).status_code == 200
        assert host.get(path).json()["seats"][1]["bot"] == level
        assert host.delete(f"{path}/seats/1", {}, new_key()).status_code == 200
    answer = host.put(f"{path}/seats/1/bot", {"level": "sharp"}, new_key())
    assert (answer.status_code, answer.json()["code"]) == (422, "unknown_level")


@pytest.mark.usefixtures("game")
def test_the_tag_of_a_table_is_its_version_and_spares_the_rest(lobby: Lobby) -> None:
    host = lobby.person()
    path = f"/v1/tables/{opened(host)['id']}"
    assert host.get(path).headers["etag"] == '"1"'
    for tags in ('"1"', 'W/"1"', '"7", "1"', '"7",W/"1"', "*"):
        same = host.get(path, **{"If-None-Match": tags})
        assert (same.status_code, same.content) == (304, b"")
        assert same.headers["etag"] == '"1"'
    assert host.put(f"{path}/seats/1/bot", {"level": LEVELS[0]}, new_key()).status_code == 200
    for tags in ('"1"', "2", '"21"', 'W/"1"'):
        newer = host.get(path, **{"If-None-Match": tags})
        assert (newer.status_code, newer.headers["etag"]) == (200, '"2"')


def test_no_level_is_offered_that_nobody_plays() -> None:
    assert Settings(bot_levels="random,master").bot_levels == "random,master"
    for wrong in ("sharp", "random, master", ""):
        with pytest.raises(ValidationError, match="some of random, casual"):
            Settings(bot_levels=wrong)


@pytest.mark.usefixtures("game")
def test_sitting_down_again_where_one_sits_is_no_mistake(lobby: Lobby) -> None:
    host = lobby.person()
    table = opened(host)
    again = host.put(f"/v1/tables/{table['id']}/seats/0", {}, new_key())
    assert (again.status_code, again.json()) == (200, table)


@pytest.mark.usefixtures("game")
def test_an_entropy_is_not_bound_for_somebody_who_sits_nowhere(lobby: Lobby) -> None:
    order = {"game": "troedler", "seats": 2, "seat": None, "entropy_hash": "0" * 64}
    problem_of(lobby.person().post("/v1/tables", order, new_key()), 422, "wrong_entropy")


@pytest.mark.usefixtures("game")
def test_a_command_that_is_sent_again_does_nothing_more(lobby: Lobby) -> None:
    host, key = lobby.person(), new_key()
    order = {"game": "troedler", "seats": 2}
    first, again = (host.post("/v1/tables", order, key) for _ in range(2))
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    other = host.post("/v1/tables", {**order, "seats": 3}, key)
    assert (other.status_code, other.json()["code"]) == (409, "command_id_reused")


@pytest.mark.usefixtures("game")
def test_a_table_by_invitation_is_there_for_the_invited_alone(lobby: Lobby) -> None:
    host, invited, stranger = lobby.person(), lobby.guest(), lobby.guest()
    path = f"/v1/tables/{opened(host, visibility='invitation')['id']}"
    made = host.post(f"{path}/invitations", {"seat": 1}, new_key()).json()
    assert invited.get(made["url"]).status_code == 200
    refusals = [
        stranger.get(path),
        stranger.put(f"{path}/seats/1", {}, new_key()),
        stranger.post(f"{path}/start", {}, new_key()),
        stranger.get("/v1/tables/no-such-table"),
        lobby.nobody.get(path),
    ]
    assert {(each.status_code, each.json()["code"]) for each in refusals} == {
        (404, "no_such_table")
    }
    sat = invited.put(f"{path}/seats/1", {"invitation": made["token"]}, new_key())
    assert sat.json()["seats"][1]["account"] == invited.account


@pytest.mark.usefixtures("game")
def test_an_invitation_is_good_for_its_table_until_it_is_revoked(lobby: Lobby) -> None:
    host, guest = lobby.person(), lobby.guest()
    one, other = (f"/v1/tables/{opened(host, visibility='invitation')['id']}" for _ in range(2))
    made = host.post(f"{one}/invitations", {}, new_key()).json()
    elsewhere = guest.put(f"{other}/seats/1", {"invitation": made["token"]}, new_key())
    assert elsewhere.status_code in {403, 404}
    forged = made["token"][:-4] + "AAAA"
    assert guest.put(f"{one}/seats/1", {"invitation": forged}).status_code in {403, 404}
    host.delete(f"{one}/invitations/{made['id']}")
    revoked = guest.put(f"{one}/seats/1", {"invitation": made["token"]}, new_key())
    assert revoked.status_code in {403, 404}
    assert guest.get(made["url"]).status_code == 404


def over(host: Speaker, other: Speaker, game: Service) -> str:
    """Return the path of a table of the two whose match is over."""
    table = opened(host)
    path = f"/v1/tables/{table['id']}"
    other.put(f"{path}/seats/1", {}, new_key())
    for seat, each in enumerate((host, other)):
        each.put(f"{path}/seats/{seat}/ready", {}, new_key())
    host.post(f"{path}/start", {}, new_key())
    wait_until(lambda: host.get(path).json()["phase"] == "playing")
    player = Speaker(game.http, host.account, host.token)
    resigned = player.post(f"/v1/matches/{table['id']}/resign", {}, new_key())
    assert resigned.status_code == 200, resigned.text
    wait_until(lambda: host.get(path).json()["phase"] == "over")
    return path


@dataclass(frozen=True, slots=True)
class Overtaken:
    """Seeds of which the answer comes when another has done something first."""

    seeds: Seeds
    other: Callable[[], Awaitable[object]]

    async def commitment(self, match: str) -> str:
        await self.other()
        return await self.seeds.commitment(match)

    async def discard(self, match: str) -> None:
        await self.seeds.discard(match)


def test_two_who_want_a_rematch_at_once_sit_at_one_table(lobby: Lobby, game: Service) -> None:
    host, other = lobby.person(), lobby.person()
    table = over(host, other, game).rpartition("/")[2]
    tables: Tables = lobby.app.state.parts.tables

    async def again(tables: Tables, by: str) -> Found:
        return await tables.rematch(table, by=by, key=str(new_key()))

    overtaken = Overtaken(tables._seeds, lambda: again(tables, other.account))
    found = lobby.call(again(Tables(tables._ledger, overtaken, ()), host.account))
    assert found.table.host == other.account
    assert {each.account for each in found.table.persons.values()} == {host.account, other.account}


def test_a_match_is_played_again_each_in_the_next_seat(lobby: Lobby, game: Service) -> None:
    host, other = lobby.person(), lobby.person()
    path = over(host, other, game)
    first = other.post(f"{path}/rematch", {}, new_key())
    assert first.status_code == 201, first.text
    second = host.post(f"{path}/rematch", {}, new_key()).json()
    assert second["id"] == first.json()["id"]
    assert [each["account"] for each in second["seats"]] == [other.account, host.account]


def test_a_refused_match_opens_its_table_again(lobby: Lobby, game: Service) -> None:
    host, other = lobby.person(), lobby.person()
    table = opened(host)
    path = f"/v1/tables/{table['id']}"
    other.put(f"{path}/seats/1", {}, new_key())
    for seat, each in enumerate((host, other)):
        each.put(f"{path}/seats/{seat}/ready", {}, new_key())
    game.call(game.parts.matches._seeds.discard(MatchId(table["id"])))
    host.post(f"{path}/start", {}, new_key())
    wait_until(lambda: host.get(path).json()["phase"] == "open")
    now = host.get(path).json()
    assert now["refusal"]["code"] == "seed_discarded"
    assert [each["ready"] for each in now["seats"]] == [False, False]


@pytest.mark.parametrize(
    "terms", [{"game": "chess"}, {"options": {"luck": 1}}, {"seats": 7}, {"seat": 5}]
)
@pytest.mark.usefixtures("game")
def test_a_table_that_is_refused_makes_no_seed(lobby: Lobby, terms: dict[str, JSON]) -> None:
    before = seeds(lobby)
    answer = lobby.guest().post("/v1/tables", {"game": "troedler", "seats": 2, **terms})
    assert answer.status_code in {404, 422}
    assert seeds(lobby) == before


def seeds(lobby: Lobby) -> int:
    """Return how many seeds are kept."""

    async def story(connection: Connection) -> int:
        return (await connection.jetstream.stream_info("KV_SEEDS")).state.messages

    return lobby.on_nats(story)
