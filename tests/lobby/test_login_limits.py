"""Guessing passwords is slow, whoever's they are."""

from support.lobby import own_lobby
from support.lobby_people import log_in
from support.nats import unique
from support.web import problem_of


def test_an_address_that_has_guessed_twenty_times_has_to_wait() -> None:
    with own_lobby(limits=True) as lobby:
        for _ in range(20):
            problem_of(log_in(lobby, unique("victim-"), "a guessed word"), 400, "invalid_grant")
        answer = log_in(lobby, unique("victim-"), "a guessed word")
        problem_of(answer, 429, "rate_limited")
        assert int(answer.headers["retry-after"]) >= 1
        assert lobby.nobody.get("/.well-known/jwks.json").status_code == 200
