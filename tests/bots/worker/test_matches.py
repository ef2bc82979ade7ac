"""Workers on a real service: matches of bots to their end, whatever becomes of a worker."""

from pathlib import Path
from typing import Any, Final

import pytest

from conftest import IS_LONG
from howff.bots.application.errors import WrongServerError
from howff.bots.blindness import choose_again
from howff.bots.policies.catalogue import play_of
from howff.bots.policies.settings import Setting
from howff.engine.catalogue import GAMES, game_of
from howff.servicekit.nats.server import free_ports
from howff.servicekit.web.errors import WrongKeyError
from support.service import new_key, wait_until
from support.working_bots import Hall, Working, children_of

SHORT: Final[dict[str, Any]] = {"options": {"round_limit": 1}}


@pytest.mark.parametrize("game", tuple(GAMES) if IS_LONG else ["troedler"])
def test_every_move_of_whole_matches_follows_from_what_the_seats_of_bots_knew(
    played_hall: Hall, game: str
) -> None:
    terms = SHORT if game == "troedler" else {}
    match = played_hall.start("steady", "random", game=game, **terms)
    played_hall.wait_until_over(match)
    played_hall.wait_until_done()
    found = list(choose_again(played_hall.export(match), game_of(game), play_of(game)))
    assert len(found) > 5
    assert {each.verdict for each in found} == {"alike"}
    assert len({each["seed"] for each in played_hall.statements(match)}) == len(found)


def test_a_worker_that_searches_states_so(
    played_hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("howff.bots.application.deciding.setting_of", lambda *_: Setting("mcts", 2))
    match = played_hall.start("strong", "strong", **SHORT)
    played_hall.wait_until_over(match)
    policies = {(each["policy"], each["nodes"]) for each in played_hall.statements(match)}
    assert ("mcts", 2) in policies
    assert policies <= {("mcts", 2), ("greedy", 1)}  # where there is nothing to search for
    assert {each["level"] for each in played_hall.statements(match)} == {"strong"}


def test_what_a_worker_has_in_hand_goes_to_another_when_it_is_killed_or_stops(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each waits for a minute with the move that it has chosen; the last one does not."""
    monkeypatch.setattr("howff.bots.app.GRACE", 0.1)
    with hall.process(pace_milliseconds=60_000) as killed:
        match = hall.start("random", "random", **SHORT)
        wait_until(lambda: hall.waiting() == (0, 1))
        wait_until(lambda: len(children_of(killed.pid)) >= 2)  # one thinks, one keeps track
        children = children_of(killed.pid)
        with hall.working(pace_milliseconds=60_000) as stopped:
            killed.kill()
            wait_until(lambda: not any(Path(f"/proc/{each}").exists() for each in children))
            wait_until(lambda: hall.told_again() == 1)
            stopped.stop()
    assert hall.service.match(match).version == 1
    with hall.working():
        hall.wait_until_over(match)


def test_two_workers_play_each_move_once(played_hall: Hall) -> None:
    with played_hall.working():
        matches = [played_hall.start("random", "random", **SHORT) for _ in range(2)]
        for match in matches:  # and what is due is told twice
            (seat,) = played_hall.service.match(match).to_act
            played_hall.publish(match=match, version=1, seat=seat)
        played_hall.wait_until_over(*matches)
        played_hall.wait_until_done()
    for match in matches:
        assert {each["policy"] for each in played_hall.statements(match)} == {"random"}


@pytest.mark.parametrize("moot", ["past", "person", "unknown", "no message"])
def test_what_nobody_waits_for_is_dropped(played_hall: Hall, moot: str) -> None:
    table = played_hall.service.table()
    table.play()
    due = {"match": table.id, "version": 2, "seat": table.match.to_act[0]}
    match moot:
        case "past":
            played_hall.publish(**{**due, "version": 1})
        case "person":
            played_hall.publish(**due)
        case "unknown":
            played_hall.publish(**{**due, "match": "nobody-s"})
        case _:
            played_hall.publish_raw(b"{}")
    played_hall.wait_until_done()
    assert table.match.version == 2


def test_a_policy_that_fails_lets_the_default_moves_be_made(
    played_hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("howff.bots.application.deciding.setting_of", lambda *_: Setting("mcts", 0))
    match = played_hall.start("strong", "strong", **SHORT)
    played_hall.wait_until_over(match)
    stated = {(each["policy"], each["nodes"]) for each in played_hall.statements(match)}
    assert ("default", 0) in stated
    found = choose_again(played_hall.export(match), game_of("troedler"), play_of("troedler"))
    assert {each.verdict for each in found} == {"alike"}
    assert f"policy in match {match}: AssertionError, mcts.py:" in caplog.text


def test_a_seat_that_was_left_is_played_by_a_bot(played_hall: Hall) -> None:
    table = played_hall.service.table(seats=3, on_leave="bot", stand_in="casual", **SHORT)
    resigned = table.eyes(0).post(f"{table.path}/resign", {}, new_key())
    assert resigned.status_code == 200, resigned.text
    while not table.match.is_over:
        wait_until(lambda: table.match.to_act != (0,))
        if not table.match.is_over:
            table.play()
    stated = [each.bot["level"] for each in table.commits if each.bot is not None]
    assert len(stated) > 1
    assert set(stated) == {"casual"}


def test_a_worker_is_ready_while_it_hears_of_work_and_of_the_service(
    played_hall: Hall, worker: Working
) -> None:
    played_hall.wait_until_done()
    found = {name: (each.is_good, each.found) for name, each in worker.findings().items()}
    assert found == {
        "process": (True, "serving"),
        "nats": (True, "connected"),
        "decisions": (True, "none waits"),
        "game": (True, "answers"),
    }


@pytest.mark.skipif(not IS_LONG, reason="it takes as long as a service may be away")
def test_a_worker_without_its_service_is_not_ready_and_keeps_the_decision(hall: Hall) -> None:
    (port,) = free_ports(1)
    with hall.working(game_url=f"http://127.0.0.1:{port}") as worker:
        match = hall.start("random", "random", **SHORT)
        assert not worker.findings()["game"].is_good
    assert hall.waiting() != (0, 0)
    with hall.working():
        hall.wait_until_over(match)


def test_a_worker_without_a_key_or_with_a_wrong_address_does_not_start(hall: Hall) -> None:
    with pytest.raises(WrongKeyError), hall.working(bot_key_file=hall.folder / "none"):
        pass
    with pytest.raises(WrongServerError, match="HOWFF_GAME_URL"), hall.working(game_url="here"):
        pass
