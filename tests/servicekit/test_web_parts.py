from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

from howff.servicekit.web.errors import InvalidTokenError, WrongKeyError, WrongKeysError
from howff.servicekit.web.issuer import ISSUER
from howff.servicekit.web.parts import PartTokens, key_pair, private_key_in, public_keys_in
from howff.servicekit.web.signing import SigningKey
from howff.servicekit.web.tokens import AUDIENCE, WORKERS, Claims, FixedKeys, Tokens, keys_of
from support.web import START, HandClock

SECRET: Final = bytes(range(32))
KEY: Final = SigningKey(SECRET)
KEYS: Final = FixedKeys(keys_of({"keys": [KEY.jwk]}))


def tokens_at(clock: HandClock, **issuers: FixedKeys) -> Tokens:
    """Return what trusts workers, and further issuers."""
    return Tokens({WORKERS.issuer: KEYS, **issuers}, audience=AUDIENCE, now=clock.now)


def worker_tokens(clock: HandClock) -> PartTokens:
    numbers = map(str, count())
    return PartTokens(WORKERS, KEY, now=clock.now, new_id=lambda: next(numbers))


def signed(**changes: Any) -> str:
    """Return a token of a worker with other claims."""
    second = int(START.timestamp())
    times = {"iat": second, "nbf": second, "exp": second + 60}
    claims = {"iss": WORKERS.issuer, "aud": AUDIENCE, "sub": "bots", "scope": "bot", **times}
    return KEY.sign(Claims(**{**claims, **changes}))


def test_a_token_of_workers_says_that_it_is_one_for_five_minutes() -> None:
    clock = HandClock()
    caller = tokens_at(clock).verify(worker_tokens(clock).current())
    assert caller.is_worker
    assert (caller.account, set(caller.scopes), caller.is_bot) == ("bots", {"bot"}, True)
    assert (caller.token, caller.issuer) == ("0", "howff-bots")
    assert caller.expires_at - caller.issued_at == timedelta(minutes=5)


def test_a_token_is_another_one_before_it_ends() -> None:
    clock = HandClock()
    tokens, verifier = worker_tokens(clock), tokens_at(clock)
    first = tokens.current()
    clock.go(timedelta(minutes=4, microseconds=-1))
    assert tokens.current() == first
    clock.go(timedelta(microseconds=1))
    second = tokens.current()
    assert [verifier.verify(each).token for each in (first, second)] == ["0", "1"]
    assert verifier.verify(second).expires_at == clock.now() + timedelta(minutes=5)


def test_the_key_of_workers_is_good_for_nothing_else() -> None:
    caller = tokens_at(HandClock()).verify(signed(scope="admin play read bot"))
    assert caller.scopes == {"bot"}
    assert tokens_at(HandClock()).verify(signed(sub="freya")).account == "bots"
    assert not tokens_at(HandClock()).verify(signed(scope="admin play read")).is_worker


def test_the_same_scope_in_a_token_of_somebody_else_makes_no_worker() -> None:
    tokens = tokens_at(HandClock(), **{ISSUER: KEYS})
    assert not tokens.verify(signed(iss=ISSUER, bot=True)).is_worker


def test_who_trusts_no_workers_refuses_their_tokens() -> None:
    clock = HandClock()
    tokens = Tokens({ISSUER: KEYS}, audience=AUDIENCE, now=clock.now)
    with pytest.raises(InvalidTokenError, match="known issuer"):
        tokens.verify(worker_tokens(clock).current())


def test_a_pair_of_files_gives_the_keys_that_belong_together(tmp_path: Path) -> None:
    pair = key_pair(SECRET)
    private, public = tmp_path / "private", tmp_path / "public"
    private.write_text(pair.private + "\n")
    public.write_text(pair.public)
    assert private_key_in(private) == KEY
    assert public_keys_in(public) == KEYS.keys
    assert pair.private not in pair.public + repr(pair)


@pytest.mark.parametrize("content", ["", "AAAA", "!" * 43, "ä" * 43, key_pair(SECRET).public])
def test_a_file_without_a_private_key_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "private"
    path.write_text(content)
    with pytest.raises(WrongKeyError) as refused:
        private_key_in(path)
    assert not content or content not in str(refused.value)


@pytest.mark.parametrize("content", ["", "[]", "{}", key_pair(SECRET).private])
def test_a_file_without_a_key_set_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "public"
    path.write_text(content)
    with pytest.raises(WrongKeysError):
        public_keys_in(path)


def test_files_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongKeyError):
        private_key_in(tmp_path / "none")
    with pytest.raises(WrongKeysError):
        public_keys_in(tmp_path / "none")
