"""Tokens of the lobby: good by its keys alone, until it says that they are not."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from nats.js.api import ConsumerInfo

from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.kv import open_bucket
from howff.servicekit.web.errors import InvalidTokenError, RevokedTokenError, TrustNotReadyError
from howff.servicekit.web.issuer import ISSUER, DevelopmentIssuer
from howff.servicekit.web.tokens import (
    AUDIENCE,
    LOBBY_ISSUER,
    FixedKeys,
    KeySource,
    Tokens,
    keys_of,
)
from howff.servicekit.web.trust import TokenTrust, token_entry
from support.lobby_tokens import LobbyBucket, LobbyKey
from support.nats import shared_server, unique
from support.running import eventually, run, until
from support.web import START, HandClock

KEY: Final = LobbyKey(bytes(32))
NEXT_KEY: Final = LobbyKey(bytes(range(1, 33)))
DEVELOPMENT: Final = DevelopmentIssuer(bytes(range(32)), mode="test")
SCOPES: Final = frozenset({"play"})
SECOND: Final = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _soon_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("howff.servicekit.nats.kv.READ_WITHIN", 0.2)


@dataclass
class World:
    """A lobby that tells of its tokens, and somebody who trusts it."""

    connection: Connection
    lobby: LobbyBucket
    trust: TokenTrust
    tokens: Tokens
    clock: HandClock

    @asynccontextmanager
    async def followed(self) -> AsyncIterator[None]:
        following = asyncio.create_task(self.trust.run())
        await self.trust.wait_until_known()
        yield
        await self.trust.stop()
        await following

    async def refused(self, token: str, error: type[Exception]) -> None:
        """Wait until *token* is refused so."""
        await until(lambda: self._refusal(token) is error)

    async def taken(self, token: str) -> None:
        """Wait until *token* is good."""
        await eventually(lambda: self._verified(token), InvalidTokenError, RevokedTokenError)

    async def _verified(self, token: str) -> None:
        self.tokens.verify(token)

    def _refusal(self, token: str) -> type[Exception] | None:
        try:
            self.tokens.verify(token)
        except (InvalidTokenError, RevokedTokenError, TrustNotReadyError) as error:
            return type(error)
        return None


def tell(story: Callable[[World], Awaitable[None]]) -> None:
    async def connected() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            lobby = await LobbyBucket.on(connection, unique("tokens"))
            trust, clock = TokenTrust(lobby.bucket), HandClock()
            issuers: dict[str, KeySource] = {
                LOBBY_ISSUER: trust,
                ISSUER: FixedKeys(keys_of(DEVELOPMENT.jwks())),
            }
            tokens = Tokens(issuers, audience=AUDIENCE, now=clock.now, revocations=trust)
            await story(World(connection, lobby, trust, tokens, clock))

    run(connected)


def test_a_token_of_the_lobby_is_neither_good_nor_bad_before_its_keys_are_known() -> None:
    async def story(world: World) -> None:
        await world.lobby.tell(KEY)
        token = KEY.token("freya", "t-1", START)
        with pytest.raises(TrustNotReadyError):
            world.tokens.verify(token)
        of_development = DEVELOPMENT.issue("loki", SCOPES, START)
        assert world.tokens.verify(of_development).account == "loki"
        async with world.followed():
            caller = world.tokens.verify(token)
            assert (caller.account, caller.token, caller.key_id) == ("freya", "t-1", KEY.jwk["kid"])

    tell(story)


def test_a_new_key_is_taken_and_a_withdrawn_one_is_not() -> None:
    async def story(world: World) -> None:
        await world.lobby.tell(KEY)
        first, second = KEY.token("freya", "t-1", START), NEXT_KEY.token("freya", "t-2", START)
        async with world.followed():
            world.tokens.verify(first)
            with pytest.raises(InvalidTokenError):
                world.tokens.verify(second)
            await world.lobby.tell(NEXT_KEY)
            await world.taken(second)
            await world.lobby.withdraw(KEY)
            await world.refused(first, InvalidTokenError)
            world.tokens.verify(second)

    tell(story)


def test_a_token_signed_by_a_key_of_another_issuer_is_refused() -> None:
    async def story(world: World) -> None:
        await world.lobby.tell(KEY)
        async with world.followed():
            for claimed, key in ((ISSUER, KEY), (LOBBY_ISSUER, LobbyKey(bytes(range(32))))):
                own = LOBBY_ISSUER if claimed == ISSUER else ISSUER
                world.tokens.verify(key.token("freya", "t-1", START, issuer=own))
                with pytest.raises(InvalidTokenError):
                    world.tokens.verify(key.token("freya", "t-1", START, issuer=claimed))
            with pytest.raises(InvalidTokenError):
                world.tokens.verify(KEY.token("freya", "t-1", START, issuer="else"))

    tell(story)


def test_a_revoked_token_is_refused_and_no_other_of_its_account() -> None:
    async def story(world: World) -> None:
        await world.lobby.tell(KEY)
        revoked, other = (KEY.token("freya", each, START) for each in ("t-1", "t-2"))
        async with world.followed():
            world.tokens.verify(revoked)
            await world.lobby.revoke("t-1", START + 60 * SECOND)
            await world.refused(revoked, RevokedTokenError)
            world.tokens.verify(other)

    tell(story)


def test_all_tokens_of_an_account_up_to_a_second_are_refused_and_later_ones_are_not() -> None:
    async def story(world: World) -> None:
        world.clock.go(10 * SECOND)
        await world.lobby.tell(KEY)
        await world.lobby.revoke_all("freya", START + 2 * SECOND)
        old = [KEY.token("freya", "t-1", START + each * SECOND) for each in (0, 2)]
        new = KEY.token("freya", "t-2", START + 3 * SECOND)
        async with world.followed():
            for each in old:
                with pytest.raises(RevokedTokenError):
                    world.tokens.verify(each)
            world.tokens.verify(new)
            world.tokens.verify(KEY.token("loki", "t-3", START))
            await world.lobby.revoke_all("freya", START + 3 * SECOND)
            await world.refused(new, RevokedTokenError)

    tell(story)


def test_what_was_taken_away_while_the_line_was_down_is_forgotten() -> None:
    async def story(world: World) -> None:
        for key in (KEY, NEXT_KEY):
            await world.lobby.tell(key)
        await world.lobby.revoke("t-2", START + 60 * SECOND)
        gone, stays = KEY.token("freya", "t-1", START), NEXT_KEY.token("freya", "t-2", START)
        async with world.followed():
            world.tokens.verify(gone)
            # All at once, and without a word of what is gone.
            name = world.lobby.bucket._stream
            await world.connection.jetstream.delete_stream(name)
            await open_bucket(world.connection, name.removeprefix("KV_"), replicas=1)
            await world.lobby.tell(NEXT_KEY)
            await world.connection.client.force_reconnect()
            await world.refused(gone, InvalidTokenError)
            await world.taken(stays)

    tell(story)


def test_what_is_known_holds_until_all_is_read_again() -> None:
    async def story(world: World) -> None:
        await world.lobby.tell(KEY)
        token = KEY.token("freya", "t-1", START)
        async with world.followed():
            world.trust._begin()
            world.tokens.verify(token)
            await world.trust._change(token_entry("t-1"), b"1")
            world.tokens.verify(token)
            await world.trust._change(KEY.entry, json.dumps(KEY.jwk).encode())
            world.trust._catch_up()
            with pytest.raises(RevokedTokenError):
                world.tokens.verify(token)

    tell(story)


def test_an_entry_that_can_not_be_read_takes_nothing_else_away(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story(world: World) -> None:
        wrong = {
            "key_a": b"{",
            "key_b": json.dumps(KEY.jwk).encode(),
            "key_c": b"[]",
            "account_freya": b"soon",
            "token_": b"1",
            "else_a": b"1",
            "else": b"1",
        }
        for entry, value in wrong.items():
            await world.lobby.bucket.put(entry, value)
        await world.lobby.tell(KEY)
        async with world.followed():
            world.tokens.verify(KEY.token("freya", "t-1", START))
            assert world.trust.current().keys() == {KEY.jwk["kid"]}
            assert not world.trust.is_revoked("", "freya", START)
        assert len([each for each in caplog.records if "can't be read" in each.message]) == 7
        assert "freya" not in caplog.text

    tell(story)


@dataclass
class End:
    """Whether an end was told."""

    is_told: bool = False

    def __call__(self) -> None:
        self.is_told = True


def test_who_waits_is_told_when_its_token_is_revoked_and_nobody_else_is() -> None:
    async def story(world: World) -> None:
        await world.lobby.tell(KEY)
        async with world.followed():
            callers = [
                world.tokens.verify(KEY.token(account, token, START))
                for account, token in (("freya", "t-1"), ("freya", "t-2"), ("loki", "t-3"))
            ]
            by_token, by_account, by_key = End(), End(), End()
            with (
                world.tokens.ending(callers[0], by_token),
                world.tokens.ending(callers[1], by_account),
                world.tokens.ending(callers[2], by_key),
            ):
                await world.lobby.revoke("t-1", START + 60 * SECOND)
                await until(lambda: by_token.is_told)
                assert not by_account.is_told
                await world.lobby.revoke_all("freya", START)
                await until(lambda: by_account.is_told)
                assert not by_key.is_told
                await world.lobby.withdraw(KEY)
                await until(lambda: by_key.is_told)
        assert not world.tokens._ending

    tell(story)


def test_who_comes_with_a_token_that_was_revoked_meanwhile_is_told_at_once() -> None:
    async def story(world: World) -> None:
        await world.lobby.tell(KEY)
        async with world.followed():
            token = KEY.token("freya", "t-1", START)
            caller = world.tokens.verify(token)
            await world.lobby.revoke("t-1", START + 60 * SECOND)
            await world.refused(token, RevokedTokenError)
            end = End()
            with world.tokens.ending(caller, end):
                assert end.is_told

    tell(story)


def test_who_waits_is_told_when_its_token_expires() -> None:
    async def story(world: World) -> None:
        await world.lobby.tell(KEY)
        async with world.followed():
            world.clock.time = datetime(2026, 11, 27, 21, 14, 59, 800_000, UTC)
            caller = world.tokens.verify(KEY.token("freya", "t-1", START))
            later = world.tokens.verify(KEY.token("freya", "t-2", START, 120 * SECOND))
            soon, not_yet = End(), End()
            with world.tokens.ending(caller, soon), world.tokens.ending(later, not_yet):
                assert not soon.is_told
                await until(lambda: soon.is_told)
                assert not not_yet.is_told

    tell(story)


async def consumer_of(world: World) -> ConsumerInfo:
    stream = world.lobby.bucket._stream
    (consumer,) = await world.connection.jetstream.consumers_info(stream)
    return consumer


def test_who_has_not_read_everything_is_not_ready() -> None:
    async def story(world: World) -> None:
        check = world.trust.check(world.connection)
        assert not (await check()).is_good
        async with world.followed():
            assert (await check()).is_good
            await world.lobby.tell(KEY)
            await world.taken(KEY.token("freya", "t-1", START))
            assert (await check()).found == "up to date"

    tell(story)


def test_who_is_not_told_what_is_new_is_not_ready_though_the_server_is_heard() -> None:
    async def story(world: World) -> None:
        patient, impatient = (world.trust.check(world.connection, each) for each in (60, 0.5))
        async with world.followed():
            stream = world.lobby.bucket._stream
            pause = json.dumps({"pause_until": "2099-01-01T00:00:00Z"}).encode()
            subject = f"$JS.API.CONSUMER.PAUSE.{stream}.{(await consumer_of(world)).name}"
            await world.connection.client.request(subject, pause)
            await world.lobby.tell(KEY)

            async def is_behind() -> None:
                found = (await impatient()).found
                assert found.startswith("behind"), found
                assert not (await impatient()).is_good

            await eventually(is_behind, AssertionError)
            assert (await patient()).is_good

    tell(story)


def test_who_hears_nothing_of_the_server_is_not_ready() -> None:
    async def story(world: World) -> None:
        check = world.trust.check(world.connection, 0.5)
        async with world.followed():
            assert (await check()).is_good

        async def is_silent() -> None:
            assert (await check()).found.startswith("nothing heard")

        await eventually(is_silent, AssertionError)
        assert not (await check()).is_good

    tell(story)
