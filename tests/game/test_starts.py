import asyncio
import hashlib
import json
from typing import Any, Final

import pytest
from nats.js.api import ConsumerConfig

from howff.contracts.matches import CONTRACTS, SEED_DISCARDS, SEED_QUESTIONS, STARTS
from howff.engine.codec import JSON
from howff.game.adapters.commits import COMMIT_FORM, fold_commit
from howff.game.adapters.secrets import BucketSeeds
from howff.game.application.matches import Matches
from howff.game.application.ports import Told
from howff.game.application.starts import Starts
from howff.game.domain.errors import MatchStartedError, SeedDiscardedError
from howff.match.commit import MatchId
from howff.match.decisions import SEED_BYTES
from howff.match.export import read_export
from howff.match.signatures import Signer
from howff.match.verify import verify
from howff.servicekit import clock, ids
from howff.servicekit.aggregates import Aggregates
from howff.servicekit.eventstore.memory import MemoryStore
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import NatsUnavailableError
from howff.servicekit.nats.kv import open_bucket
from howff.servicekit.nats.reading import StreamReader
from support.running import run
from support.service import Service, Table, new_key, wait_until

TERMS: Final[dict[str, JSON]] = {
    "game": "troedler",
    "options": {"round_limit": 1},
    "seats": [{"account": "dora"}, {"account": "emil"}],
    "watch": "private",
    "rated": True,
    "entropies": ["heather", None],
}


def ask_to_start(service: Service, match: str, *contents: bytes) -> None:
    """Bring messages to the queue of starts, and wait until all are worked off."""

    async def publish(connection: Connection) -> None:
        stream = connection.jetstream
        await asyncio.gather(*(stream.publish(f"start.{match}", each) for each in contents))

    async def are_worked_off(connection: Connection) -> bool:
        return not (await connection.jetstream.stream_info(STARTS)).state.messages

    service.on_nats(publish)
    wait_until(lambda: service.on_nats(are_worked_off))


def order(match: str, **changes: JSON) -> bytes:
    return json.dumps({"match": match, "attempt": 7, **TERMS, **changes}).encode()


def new_match() -> str:
    return f"table-{new_key()}"


def told(service: Service, match: str, kind: str) -> list[Any]:
    """Return what stands in the stream of what happened about *match*, of one kind."""

    async def story(connection: Connection) -> list[Any]:
        start = ConsumerConfig(filter_subject=f"contract.{kind}.{match}")
        reader = await StreamReader.opened(connection, CONTRACTS, start)
        found: list[Any] = []
        while not reader.has_caught_up:
            found += [json.loads(each.payload) for each in await reader.more(1)]
        await reader.close()
        return found

    return service.on_nats(story)


def test_a_match_is_started_once_however_often_it_is_asked_for(service: Service) -> None:
    match = new_match()
    ask_to_start(service, match, *[order(match)] * 10)
    ask_to_start(service, match, order(match))
    eyes = service.eyes("dora")
    answer = eyes.get(f"/v1/matches/{match}").json()
    assert (answer["version"], answer["rated"], answer["watch"]) == (1, True, "private")
    assert answer["seats"] == TERMS["seats"]
    assert answer["options"]["round_limit"] == 1
    assert service.match(match).started.entropies == ("heather", None)
    assert len(service.log(match).commits) == 1
    wait_until(lambda: len(told(service, match, "match_started")) == 1)
    assert told(service, match, "match_refused") == []


def test_a_match_that_goes_on_is_not_started_again(service: Service) -> None:
    match = new_match()
    ask_to_start(service, match, order(match))
    answer = service.eyes("dora").get(f"/v1/matches/{match}")
    table = Table(service, match, ("dora", "emil"), answer)
    table.advance(3)
    ask_to_start(service, match, order(match), order(match, rated=False))
    ask_to_start(service, match, order(match, game="chess"), order(match, seats=None), b"{")
    assert table.match.version == 4
    assert told(service, match, "match_refused") == []


REFUSED: Final[dict[str, tuple[dict[str, JSON], str]]] = {
    "an unknown game": ({"game": "chess"}, "unknown_game"),
    "a wrong option": ({"options": {"round_limit": "many"}}, "wrong_option"),
    "an unknown option": ({"options": {"cheating": True}}, "wrong_option"),
    "too few seats": ({"seats": [{"account": "a"}], "entropies": [None]}, "wrong_seat_count"),
    "entropies for others": ({"entropies": [None]}, "wrong_entropies"),
    "a clock": ({"clock": {"minutes": 5}}, "malformed"),
    "a clock of a name": ({"clock": "none"}, "malformed"),
    "a clock without time": ({"clock": {"move_seconds": 0}}, "malformed"),
    "two clocks": ({"clock": {"move_seconds": 9, "turn_days": 1}}, "malformed"),
    "a flag for no bot": ({"on_flag": "bot"}, "wrong_term"),
    "no bot for who leaves": ({"on_leave": "bot"}, "wrong_term"),
    "a bot for nothing": ({"stand_in": "random"}, "wrong_term"),
    "a field of others": ({"seed": "00" * 32}, "malformed"),
    "an account of a subject": ({"seats": [{"account": "a.>"}, {"bot": "x"}]}, "malformed"),
    "truth for a number": ({"rated": 1}, "malformed"),
    "no seats": ({"seats": None}, "malformed"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_match_that_can_not_be_started_is_refused_with_a_code(
    service: Service, case: str
) -> None:
    changes, code = REFUSED[case]
    match = new_match()
    ask_to_start(service, match, *[order(match, **changes)] * 3)
    refusals = told(service, match, "match_refused")
    assert len({each["order"] for each in refusals}) == 3
    for refusal in refusals:
        assert refusal.keys() == {"kind", "match", "order", "attempt", "code", "detail"}
        assert (refusal["match"], refusal["code"]) == (match, code)
        assert refusal["attempt"] == (0 if code == "malformed" else 7)
        assert refusal["detail"]
    assert told(service, match, "match_started") == []
    assert service.eyes("dora").get(f"/v1/matches/{match}").status_code == 404


def test_a_match_that_was_refused_can_still_be_started_by_another_order(service: Service) -> None:
    match = new_match()
    ask_to_start(service, match, order(match, game="chess"))
    assert [each["code"] for each in told(service, match, "match_refused")] == ["unknown_game"]
    ask_to_start(service, match, order(match))
    wait_until(lambda: len(told(service, match, "match_started")) == 1)
    assert service.eyes("dora").get(f"/v1/matches/{match}").status_code == 200
    assert len(told(service, match, "match_refused")) == 1


@pytest.mark.parametrize("match", ["a!b", "a" * 65, "ä", "$JS"])
def test_an_order_under_a_name_that_no_match_can_have_is_done_with(
    service: Service, match: str, caplog: pytest.LogCaptureFixture
) -> None:
    ask_to_start(service, match, order("a"))
    assert "asks for a match without an id" in caplog.text
    assert told(service, match, "match_refused") == []


def test_a_match_that_can_not_be_started_leaves_no_seed(service: Service) -> None:
    async def seeds(connection: Connection) -> int:
        return (await connection.jetstream.stream_info("KV_SEEDS")).state.messages

    before = service.on_nats(seeds)
    for case in ("too few seats", "entropies for others", "an unknown option"):
        changes, _ = REFUSED[case]
        ask_to_start(service, match := new_match(), order(match, **changes))
    assert service.on_nats(seeds) == before


@pytest.mark.parametrize(
    "content", [b"", b"{", b"null", b"[]", b'"x"', b"\xff", b"{}", b"[" * 5000, b'{"match":1}']
)
def test_what_is_no_order_at_all_is_refused_as_malformed(service: Service, content: bytes) -> None:
    match = new_match()
    ask_to_start(service, match, content)
    (refusal,) = told(service, match, "match_refused")
    assert refusal["code"] == "malformed"


class AwaySeeds:
    """A bucket of seeds that nobody can reach."""

    async def prepare(self, match: MatchId) -> bytes:
        raise NatsUnavailableError(f"seed of {match}", found="no answer")

    async def seed_of(self, match: MatchId) -> bytes | None:
        return await self.prepare(match)

    async def claim(self, match: MatchId) -> bytes:
        return await self.prepare(match)

    async def discard(self, match: MatchId) -> None:
        await self.prepare(match)


class Kept:
    """Keeps what is told to other services."""

    def __init__(self) -> None:
        self.messages: list[Told] = []

    async def publish(self, message: Told) -> None:
        self.messages.append(message)


def test_an_order_waits_for_stores_that_are_away_and_is_not_refused() -> None:
    aggregates = Aggregates(MemoryStore(COMMIT_FORM), fold_commit, most_kept=1)
    seeds, publisher = AwaySeeds(), Kept()
    matches = Matches(aggregates, seeds=seeds, signer=Signer.of(bytes(32)), now=clock.now)
    starts = Starts(matches, seeds=seeds, publisher=publisher)
    match = new_match()

    async def story() -> None:
        with pytest.raises(NatsUnavailableError):
            await starts.on_message(MatchId(match), order(match), 1)

    run(story)
    assert publisher.messages == []


def test_the_subject_names_the_match_whatever_the_content_says(service: Service) -> None:
    match, other = new_match(), new_match()
    ask_to_start(service, match, order(other))
    assert service.eyes("dora").get(f"/v1/matches/{match}").status_code == 200
    assert service.eyes("dora").get(f"/v1/matches/{other}").status_code == 404


def asked(service: Service, content: bytes, subject: str = SEED_QUESTIONS) -> Any:
    async def story(connection: Connection) -> Any:
        answer = await connection.client.request(subject, content, timeout=5)
        return json.loads(answer.data)

    return service.on_nats(story)


def test_the_commitment_that_was_asked_for_is_that_of_the_match(service: Service) -> None:
    match = new_match()
    question = json.dumps({"match": match}).encode()
    before = asked(service, question)
    assert before.keys() == {"match", "seed_commitment"}
    assert asked(service, question) == before
    ask_to_start(service, match, order(match))
    assert asked(service, question) == before
    answer = service.eyes("dora").get(f"/v1/matches/{match}")
    assert answer.json()["seed_commitment"] == before["seed_commitment"]
    table = Table(service, match, ("dora", "emil"), answer)
    assert table.advance().is_over
    seed = table.commits[-1].events[-1]["data"]["seed"]
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == before["seed_commitment"]
    export = read_export(service.eyes("dora").get(f"{table.path}/export").content)
    assert verify(export, table.match.game).failure is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b'{"match":"a.b"}',
        b'{"match":">"}',
        b'{"match":"a\\n"}',
        b'{"match":1}',
        b'{"match":"a","x":1}',
    ],
)
@pytest.mark.parametrize("subject", [SEED_QUESTIONS, SEED_DISCARDS])
def test_a_question_without_its_form_is_refused(
    service: Service, content: bytes, subject: str
) -> None:
    refusal = asked(service, content, subject)
    assert refusal.keys() == {"code", "detail"}
    assert refusal["code"] == "malformed"


def test_a_seed_that_was_discarded_starts_no_match_ever(service: Service) -> None:
    match = new_match()
    question = json.dumps({"match": match}).encode()
    asked(service, question)
    for _ in range(2):
        assert asked(service, question, SEED_DISCARDS) == {"match": match}
    assert asked(service, question)["code"] == "seed_discarded"
    ask_to_start(service, match, order(match))
    (refusal,) = told(service, match, "match_refused")
    assert (refusal["code"], refusal["attempt"]) == ("seed_discarded", 7)
    assert service.eyes("dora").get(f"/v1/matches/{match}").status_code == 404
    assert seed_in_bucket(service, match) == b""


def test_a_seed_that_nobody_has_asked_for_can_be_discarded(service: Service) -> None:
    match = new_match()
    question = json.dumps({"match": match}).encode()
    assert asked(service, question, SEED_DISCARDS) == {"match": match}
    assert asked(service, question)["code"] == "seed_discarded"


def test_the_seed_of_a_match_that_has_started_is_kept(service: Service) -> None:
    match = new_match()
    question = json.dumps({"match": match}).encode()
    ask_to_start(service, match, order(match))
    before = asked(service, question)
    assert asked(service, question, SEED_DISCARDS)["code"] == "match_started"
    assert asked(service, question) == before
    assert service.eyes("dora").get(f"/v1/matches/{match}").status_code == 200


def test_the_seed_of_a_match_that_older_processes_have_started_is_kept(service: Service) -> None:
    """They have put no mark behind it."""
    match = new_match()
    question = json.dumps({"match": match}).encode()
    ask_to_start(service, match, order(match))
    seed = seed_in_bucket(service, match)[:SEED_BYTES]

    async def unmark(connection: Connection) -> None:
        await (await open_bucket(connection, "SEEDS", replicas=1)).put(match, seed)

    service.on_nats(unmark)
    assert asked(service, question, SEED_DISCARDS)["code"] == "match_started"
    assert seed_in_bucket(service, match) == seed


def seed_in_bucket(service: Service, match: str) -> bytes:
    async def story(connection: Connection) -> bytes:
        found = await (await open_bucket(connection, "SEEDS", replicas=1)).get(match)
        assert found is not None
        return found

    return service.on_nats(story)


def test_of_a_start_and_a_discard_at_once_one_wins(service: Service) -> None:
    """Each in a process of its own, that has the seed at hand."""

    async def outcome_of(seeds: BucketSeeds) -> str:
        match = MatchId(new_match())
        prepared = await seeds.prepare(match)
        others = BucketSeeds(seeds._bucket, ids.new_secret)
        assert await others.prepare(match) == prepared
        claimed, discarded = await asyncio.gather(
            seeds.claim(match), others.discard(match), return_exceptions=True
        )
        if isinstance(claimed, SeedDiscardedError):
            assert discarded is None
            assert await seeds._bucket.get(match) == b""
            return "discarded"
        assert claimed == prepared
        assert isinstance(discarded, MatchStartedError)
        assert await others.claim(match) == prepared
        return "claimed"

    async def story(connection: Connection) -> list[str]:
        seeds = BucketSeeds(await open_bucket(connection, "SEEDS", replicas=1), ids.new_secret)
        return [await outcome_of(seeds) for _ in range(20)]

    assert set(service.on_nats(story)) <= {"claimed", "discarded"}
