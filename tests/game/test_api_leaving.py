"""Leaving a match, coming back, agreeing and ending it, as clients do it over HTTP."""

import asyncio
import json
import os
from functools import partial
from typing import Any, Final

import httpx
import pytest

from howff.contracts.matches import WORK
from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON
from howff.engine.seats import Seat, Viewer
from howff.match.clocks import SECOND
from howff.match.commit import Commit
from support.feeds import Told, followed
from support.leaving import asked, done, events_in, look, wait_until_scheduled
from support.messages import contents, start_by_queue, wait_for_messages
from support.running import run, until
from support.service import SERVED, Service, Table, new_key, wait_until
from support.web import problem_of

SLOW: Final[JSON] = {"move_seconds": 600}
BOTS: Final[dict[str, JSON]] = {"on_leave": "bot", "stand_in": "random"}
IS_LONG: Final = bool(os.environ.get("HOWFF_LONG"))
ALL_SIZES: Final = [
    (game, seats) for game in SERVED for seats in (3, 4) if seats in GAMES[game].seats
]
LARGER: Final = (
    ALL_SIZES if IS_LONG else [("troedler", 4), ("highland_clans", 3), ("highland_clans", 4)]
)


def told_end(table: Table) -> JSON:
    """Return the message that others get once the match is over."""
    kinds = ["match_started", "match_ended"]
    return wait_for_messages(table.service.nats, table.id, kinds)[1]


def test_a_match_of_two_ends_when_one_of_them_resigns(service: Service) -> None:
    table = service.table()
    table.advance(3)
    answer = asked(table, 1, "resign")
    assert [kind for kind, _ in done(answer)] == ["SeatResigned", "MatchEnded", "SeedRevealed"]
    assert answer.json()["receipt"]["version"] == answer.json()["version"] == 5
    seen = look(table)
    assert (seen["is_over"], seen["is_aborted"], seen["to_act"]) == (True, False, [])
    assert seen["outcome"] == {"places": [1, 2], "figures": [[], []]}
    assert [each["resigned"] for each in seen["standings"]] == [None, 1]
    assert seen["state"] is not None
    end = told_end(table)
    assert (end["reason"], end["rated"], end["version"]) == ("resigned", False, 5)
    assert end["outcome"] == seen["outcome"]
    problem_of(asked(table, 0, "resign"), 409, "match_over")


@pytest.mark.parametrize(("game", "seats"), LARGER)
def test_the_rest_play_on_to_the_end_while_the_rules_decide_for_who_has_resigned(
    service: Service, game: str, seats: int
) -> None:
    options: JSON = {"round_limit": 2} if game == "troedler" else {}
    table = service.table(game, seats, options=options)
    table.advance(7)
    gone = [table.match.to_act[0]]
    done(asked(table, gone[0], "resign"))
    play_without(table, gone, 25)
    if seats == 4 and not table.match.is_over:
        gone.append(next(Seat(each) for each in range(seats) if each not in gone))
        done(asked(table, gone[1], "resign"))
    play_without(table, gone, 100_000)
    check_places(table, gone)
    defaults = [each for each in table.commits if each.bot == {"policy": "default"}]
    assert defaults
    assert {each.seat for each in defaults} <= set(gone)
    assert {each.command for each in defaults} == {
        f"default-{each.version - 1}" for each in defaults
    }
    report = table.eyes(None).get(f"{table.path}/audit").json()
    assert report["is_sound"], report


def play_without(table: Table, gone: list[Seat], most: int) -> None:
    """Let the others make moves, as soon as all that the rules decide is decided."""

    def is_decided() -> bool:
        match = table.match
        return match.is_over or not set(match.to_act) & set(gone)

    for _ in range(most):
        wait_until(is_decided)
        match = table.match
        if match.is_over:
            return
        seat, move = table.chosen(match)
        assert table.send(seat, move).status_code == 200


def check_places(table: Table, gone: list[Seat]) -> None:
    """Check that who has resigned is behind all others, the last to leave best."""
    ((_, ended),) = events_in(table.commits, "MatchEnded")
    places = ended["outcome"]["places"]
    assert ended["reason"] == "finished"
    staying = [place for seat, place in enumerate(places) if seat not in gone]
    leaving = [places[seat] for seat in gone]
    assert max(staying) < min(leaving)
    assert leaving == sorted(leaving, reverse=True)
    assert len(set(leaving)) == len(leaving)
    assert look(table)["outcome"] == ended["outcome"]


def test_a_bot_plays_on_for_who_has_resigned_if_the_match_says_so(
    played_service: Service,
) -> None:
    table = played_service.table("troedler", 3, options={"round_limit": 1}, **BOTS)
    gone = table.match.to_act[0]
    done(asked(table, gone, "resign"))
    play_without(table, [gone], 1000)
    check_places(table, [gone])
    decided = [each.bot for each in table.commits if each.seat == gone and each.bot is not None]
    assert decided
    assert {(each["policy"], each["level"]) for each in decided} == {("random", "random")}


def taken_over(service: Service, **terms: JSON) -> tuple[Table, Seat]:
    """Return a match of which a bot has just taken one seat over, that owes nothing now."""
    clock: JSON = {"match_seconds": 1, "increment_seconds": 600}
    table = service.table("troedler", 2, clock=clock, on_flag="bot", stand_in="random", **terms)
    seat = table.match.to_act[0]
    credit: JSON = {"seat": 1 - seat, "seconds": 600}  # that it may take its time
    eyes = service.eyes("an-administrator", "admin")
    done(eyes.post(f"{table.path}/credit", credit, new_key()))
    wait_until(lambda: bool(events_in(table.commits, "SeatTakenOver")))
    return table, seat


def test_who_was_taken_over_may_take_the_seat_back(played_service: Service) -> None:
    table, seat = taken_over(played_service)
    other = Seat(1 - seat)
    problem_of(asked(table, other, "take-back"), 409, "not_taken_over")
    wait_until(lambda: table.match.to_act == (other,))
    assert look(table)["standings"][seat]["stand_in"] == "random"
    problem_of(table.send(seat, table.chosen(table.match)[1]), 409, "seat_taken_over")
    problem_of(asked(table, seat, "abort"), 409, "seat_taken_over")
    key = new_key()
    answer = asked(table, seat, "take-back", key)
    assert done(answer) == [("SeatGivenBack", {"seat": seat})]
    assert asked(table, seat, "take-back", key).json()["version"] == answer.json()["version"]
    problem_of(asked(table, seat, "take-back"), 409, "not_taken_over")
    assert look(table)["standings"][seat]["stand_in"] is None
    while table.match.to_act != (seat,):
        table.play()
    before = table.match.version
    table.play()
    assert table.commits[before].bot is None


def test_seats_pause_and_go_on_by_agreement_and_bots_are_asked_after_it(service: Service) -> None:
    table = service.table("troedler", 2, clock=SLOW)
    assert done(asked(table, 0, "pause")) == [
        ("WishTold", {"seat": 0, "wish": "pause", "is_wanted": True})
    ]
    assert look(table)["standings"][0]["wants"] == ["pause"]
    problem_of(asked(table, 0, "pause"), 409, "nothing_told")
    done(asked(table, 1, "pause"))
    seat, move = table.to_act()
    problem_of(table.send(seat, move), 409, "match_paused")
    done(asked(table, 0, "pause", wanted=False))
    problem_of(table.send(seat, move), 409, "match_paused")
    assert done(asked(table, 1, "pause", wanted=False))[-1] == ("ClockStarted", {})
    assert table.send(seat, move).status_code == 200


def test_a_bot_moves_after_the_pause_and_not_in_it(played_service: Service) -> None:
    service, key, account = played_service, new_key(), "dora"
    seats: list[JSON] = [{"account": account}, {"bot": "random"}]
    content = {"game": "troedler", "seats": seats, "clock": SLOW}
    answer = service.eyes(account).post("/v1/matches", content, key)
    table = Table(service, answer.json()["match"], (account, "nobody"), answer)
    wait_until(lambda: Seat(0) in table.match.to_act)
    assert done(asked(table, 0, "pause"))[-1] == ("ClockPaused", {})
    wait_until_scheduled(table)
    version = table.match.version
    problem_of(table.send(0, table.chosen(table.match)[1]), 409, "match_paused")
    assert table.match.version == version
    assert done(asked(table, 0, "pause", wanted=False))[-1] == ("ClockStarted", {})
    while not any(each.seat == 1 and each.version > version for each in table.commits):
        wait_until(lambda: Seat(0) in table.match.to_act or table.match.is_over)
        if Seat(0) in table.match.to_act:
            table.send(0, table.chosen(table.match)[1])


def test_a_match_is_aborted_when_all_want_it(service: Service) -> None:
    table = service.table("troedler", 3)
    table.advance(2)
    for seat in (0, 2):
        assert [kind for kind, _ in done(asked(table, seat, "abort"))] == ["WishTold"]
    done(asked(table, 0, "abort", wanted=False))
    assert [kind for kind, _ in done(asked(table, 1, "abort"))] == ["WishTold"]
    answer = asked(table, 0, "abort")
    assert [kind for kind, _ in done(answer)] == ["WishTold", "MatchAborted", "SeedRevealed"]
    check_aborted(table, "agreement", None)


def check_aborted(table: Table, by: str, reason: str | None) -> None:
    seen = look(table)
    assert (seen["is_over"], seen["is_aborted"], seen["outcome"]) == (True, True, None)
    assert [data for _, data in events_in(table.commits, "MatchAborted")] == [
        {"by": by, "reason": reason}
    ]
    end = told_end(table)
    assert (end["reason"], end["outcome"], end["rated"]) == ("aborted", None, False)
    assert table.eyes(None).get(f"{table.path}/audit").json()["is_sound"]


def test_an_administrator_aborts_a_match_alone(service: Service) -> None:
    table = service.table()
    table.advance(2)
    wanted: JSON = {"as_administrator": True, "reason": "abuse"}
    ask = partial(service.eyes("an-administrator", "admin").post, f"{table.path}/abort", wanted)
    problem_of(table.eyes(0).post(f"{table.path}/abort", wanted, new_key()), 403, "missing_scope")
    key = new_key()
    answer = ask(key)
    assert [kind for kind, _ in done(answer)] == ["MatchAborted", "SeedRevealed"]
    assert answer.json()["commit"]["actor"] == "platform"
    assert ask(key).json()["version"] == answer.json()["version"]
    problem_of(ask(new_key()), 409, "match_over")
    check_aborted(table, "administrator", "abuse")
    eyes = service.eyes("an-administrator", "admin")
    other = {**wanted, "reason": "fault"}
    problem_of(eyes.post(f"{table.path}/abort", other, key), 409, "command_id_reused")


@pytest.mark.parametrize(
    "content",
    [
        {"as_administrator": True},
        {"as_administrator": True, "reason": None},
        {"as_administrator": True, "reason": "Loki cheats"},
        {"reason": "cheating"},
        {"as_administrator": False, "reason": "cheating"},
    ],
    ids=repr,
)
def test_administrators_and_nobody_else_give_one_of_few_reasons(
    service: Service, content: JSON
) -> None:
    table = service.table()
    eyes = service.eyes(table.accounts[0], "admin play")
    problem_of(eyes.post(f"{table.path}/abort", content, new_key()), 422, "malformed")
    assert not table.match.is_over


def test_an_administrator_who_wants_something_no_longer_aborts_nothing(service: Service) -> None:
    table = service.table()
    eyes = service.eyes("an-administrator", "admin play")
    content: JSON = {"as_administrator": True, "wanted": False, "reason": "other"}
    problem_of(eyes.post(f"{table.path}/abort", content, new_key()), 422, "malformed")
    assert not table.match.is_over


def test_an_administrator_gives_a_seat_time(service: Service) -> None:
    table, timeless = service.table(clock=SLOW), service.table()
    eyes = service.eyes("an-administrator", "admin")
    seat = table.match.to_act[0]
    content: JSON = {"seat": seat, "seconds": 60}
    ask = partial(eyes.post, f"{table.path}/credit", content)
    problem_of(table.eyes(0).post(f"{table.path}/credit", content, new_key()), 403, "missing_scope")
    key = new_key()
    answer = ask(key)
    assert done(answer) == [("TimeCredited", {"seat": seat, "milliseconds": 60 * SECOND})]
    assert ask(key).json()["version"] == answer.json()["version"]
    other: JSON = {"seat": seat, "seconds": 61}
    problem_of(eyes.post(f"{table.path}/credit", other, key), 409, "command_id_reused")
    problem_of(eyes.post(f"{timeless.path}/credit", content, new_key()), 409, "no_clock")
    waiting: JSON = {"seat": 1 - seat, "seconds": 60}
    problem_of(eyes.post(f"{table.path}/credit", waiting, new_key()), 409, "not_your_decision")
    absent: JSON = {"seat": 5, "seconds": 60}
    problem_of(eyes.post(f"{table.path}/credit", absent, new_key()), 422, "no_such_seat")
    problem_of(eyes.post("/v1/matches/unknown/credit", content, new_key()), 404, "no_such_match")


ONCE: Final[dict[str, JSON]] = {"resign": {}, "pause": {}, "abort": {}}


@pytest.mark.parametrize("what", ONCE)
def test_what_is_sent_again_is_done_once_and_its_key_is_good_for_nothing_else(
    service: Service, what: str
) -> None:
    table = service.table("troedler", 3, clock=SLOW)
    key = new_key()
    answers = [asked(table, 0, what, key) for _ in range(3)]
    first, *others = [each.json() for each in answers]
    for other in others:
        assert (other["version"], other["receipt"]) == (first["version"], first["receipt"])
        assert other["commit"]["events"] == first["commit"]["events"]
    assert sum(each.command == str(key) for each in table.commits) == 1
    for another in ONCE.keys() - {what}:
        problem_of(asked(table, 0, another, key), 409, "command_id_reused")
    seat, move = table.to_act()
    if seat == 0:
        problem_of(table.send(0, move, key), 409, "command_id_reused")
    if what != "resign":
        problem_of(asked(table, 0, what, key, wanted=False), 409, "command_id_reused")


@pytest.mark.parametrize("what", ["resign", "pause", "abort", "take-back"])
def test_nobody_but_the_holder_of_a_seat_speaks_for_it(service: Service, what: str) -> None:
    table = service.table(clock=SLOW)
    stranger = service.eyes("a-stranger")
    problem_of(stranger.post(f"{table.path}/{what}", {}, new_key()), 404, "no_such_match")
    problem_of(asked(table, 0, what, seat=1), 404, "no_such_match")
    problem_of(asked(table, None, what), 401, "token_required")
    reader = service.eyes(table.accounts[0], "read")
    problem_of(reader.post(f"{table.path}/{what}", {}, new_key()), 403, "missing_scope")
    assert table.match.version == 1


def test_a_match_without_a_clock_can_not_be_paused(service: Service) -> None:
    problem_of(asked(service.table(), 0, "pause"), 409, "no_clock")


def test_wishes_may_not_flood_a_match(service: Service) -> None:
    table = service.table()
    for number in range(20):
        done(asked(table, 0, "abort", wanted=number % 2 == 0))
    problem_of(asked(table, 0, "abort"), 409, "too_many_wishes")
    table.play()
    done(asked(table, 0, "abort"))


def ordered(service: Service, people: int, **terms: JSON) -> Table:
    """Return a rated match of so many people that another service has asked for."""
    match = f"ordered-{new_key()}"
    accounts = ("dora", "emil", "fritz")[:people]
    seats: list[JSON] = [{"account": account} for account in accounts]
    more: dict[str, JSON] = {"seats": seats, "entropies": [None] * people, "rated": True, **terms}
    start_by_queue(service, match, **more)
    return Table(service, match, accounts, service.eyes("dora").get(f"/v1/matches/{match}"))


def is_asked(table: Table, due: JSON) -> bool:
    """Return whether a decision was brought before the workers."""
    return due in [content for _, content in contents(table.service.nats, WORK, table.id)]


def decision(table: Table, version: int, seat: int) -> JSON:
    """Return how workers are told what the stand-in of a seat owes."""
    rest = {"seat": seat, "game": "troedler", "level": "strong"}
    return {"match": table.id, "version": version, **rest}


def test_a_stand_in_of_another_level_is_asked_through_the_queue(service: Service) -> None:
    table = ordered(service, 3, on_leave="bot", stand_in="strong")
    seat = table.match.to_act[0]
    version = asked(table, seat, "resign").json()["version"]
    wait_until(partial(is_asked, table, decision(table, version, seat)))
    assert table.match.version == version


def test_a_stand_in_that_does_not_answer_holds_up_no_match(service: Service) -> None:
    table = ordered(service, 2, on_flag="bot", stand_in="strong", clock={"move_seconds": 1})
    wait_until(lambda: table.match.is_over)
    (_, taken), *others = events_in(table.commits, "SeatTakenOver")
    assert not others
    assert is_asked(table, decision(table, 2, taken["seat"]))
    flags = [data for _, data in events_in(table.commits, "FlagFallen")]
    assert flags == [{"seat": taken["seat"]}] * 2
    end = told_end(table)
    assert (end["reason"], end["rated"]) == ("resigned", True)


def test_a_rated_match_that_is_aborted_counts_for_nothing(service: Service) -> None:
    table = ordered(service, 2)
    assert look(table)["rated"]
    for seat in (0, 1):
        done(asked(table, seat, "abort"))
    check_aborted(table, "agreement", None)


def leave_and_wish(table: Table) -> None:
    """Let seats do all that is no move, to the end of the match."""
    for is_wanted in (True, False):
        for seat in range(3):
            done(asked(table, seat, "pause", wanted=is_wanted))
    done(asked(table, 0, "abort"))
    for seat in (0, 2):
        done(asked(table, seat, "resign"))


def test_all_viewers_are_told_alike_of_who_leaves_and_wishes(service: Service) -> None:
    table = service.table("troedler", 3, clock=SLOW)
    told: dict[Viewer, list[Told]] = {viewer: [] for viewer in table.viewers}

    async def follow(http: httpx.AsyncClient, viewer: Viewer) -> None:
        await followed(http, f"{table.path}/events", table.eyes(viewer).headers, told[viewer])

    async def story() -> None:
        async with (
            httpx.AsyncClient(base_url=service.url) as http,
            asyncio.TaskGroup() as group,
        ):
            for viewer in told:
                group.create_task(follow(http, viewer))
            await until(lambda: all(told.values()))
            await asyncio.to_thread(leave_and_wish, table)

    run(story)
    commits = [each for each in table.commits if "WishTold" in kinds_of(each)]
    commits += [each for each in table.commits if "SeatResigned" in kinds_of(each)]
    assert len(commits) == 9
    for frames in told.values():
        live = {each.version: each.content for each in frames if each.kind == "commit"}
        for commit in commits:
            assert live[commit.version]["events"] == list(commit.events)
        assert frames[-1].kind == "over"


def kinds_of(commit: Commit) -> set[str]:
    return {event["type"] for event in commit.events}


def test_standings_and_clocks_are_told_as_they_are(service: Service) -> None:
    table = service.table("troedler", 3, clock=SLOW)
    seat = table.match.to_act[0]
    table.play()
    done(asked(table, (seat + 1) % 3, "abort"))
    seen: Any = look(table)
    match = table.match
    assert match.clocks is not None
    assert [each["milliseconds_left"] for each in seen["standings"]] == list(match.clocks.left)
    running = [each for each in range(3) if seen["standings"][each]["is_running"]]
    assert running == sorted(match.to_act) == sorted(seen["to_act"])
    assert seen["standings"][(seat + 1) % 3]["wants"] == ["abort"]
    assert seen["clocks"]["at"] == match.at == table.commits[-1].at
    assert seen["clock"] == SLOW
    assert (seen["on_flag"], seen["on_leave"], seen["stand_in"]) == (
        "resign",
        "default_moves",
        None,
    )
    assert {json.dumps(look(table, viewer)["standings"]) for viewer in table.viewers} == {
        json.dumps(seen["standings"])
    }


WRONG_TERMS: Final[tuple[dict[str, JSON], ...]] = (
    {"on_leave": "bot"},
    {"on_flag": "bot", "clock": SLOW},
    {"stand_in": "random"},
)


@pytest.mark.parametrize("terms", WRONG_TERMS)
def test_terms_that_do_not_fit_each_other_are_refused(
    service: Service, terms: dict[str, JSON]
) -> None:
    content = {"game": "troedler", "seats": [{"account": "dora"}, {"account": "emil"}], **terms}
    problem_of(service.eyes("dora").post("/v1/matches", content, new_key()), 422, "wrong_term")


def test_a_stand_in_that_nobody_plays_is_refused_in_practice(service: Service) -> None:
    terms: dict[str, JSON] = {"on_leave": "bot", "stand_in": "sharp"}
    content = {"game": "troedler", "seats": [{"account": "dora"}, {"account": "emil"}], **terms}
    problem_of(service.eyes("dora").post("/v1/matches", content, new_key()), 422, "unknown_level")
