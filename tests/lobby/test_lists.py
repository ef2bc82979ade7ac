"""Lists over HTTP: pages while rows change, filters, and who may see what."""

import base64
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import pytest

from howff.engine.codec import JSON
from howff.lobby.domain.tables.commands import CloseTable
from howff.servicekit.web.cursors import WrongCursorError, _check, cursor_of, place_of
from support.lists import Streams, match_ended, match_started, second, streams_on
from support.lobby import Lobby, Speaker
from support.nats import unique
from support.rng import LocalRng
from support.running import run
from support.service import wait_until
from support.web import problem_of

T = TypeVar("T")

PAGE: Final = 4
LISTS: Final = ("/v1/lobby/tables", "/v1/lobby/matches", "/v1/me/tables", "/v1/me/matches")


def written(lobby: Lobby, story: Callable[[Streams], Awaitable[T]]) -> T:
    """Return what a story gives that writes what the lobby reads."""

    async def connected() -> T:
        async with streams_on(lobby.nats) as streams:
            return await story(streams)

    return run(connected)


def page_of(speaker: Speaker, path: str, **query: JSON) -> JSON:
    asked = "&".join(f"{name}={value}" for name, value in query.items() if value is not None)
    answer = speaker.get(f"{path}?{asked}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def all_of(speaker: Speaker, path: str, limit: int = 100, **query: JSON) -> list[JSON]:
    items, cursor = list[JSON](), None
    while True:
        page = page_of(speaker, path, limit=limit, cursor=cursor, **query)
        items += page["items"]
        cursor = page["next"]
        if cursor is None:
            return items


def ids_of(items: list[JSON]) -> list[str]:
    return [each["id"] for each in items]


def wait_listed(speaker: Speaker, path: str, wanted: str, **query: JSON) -> JSON:
    """Return the item with the id *wanted*, once it is listed."""
    wait_until(lambda: wanted in ids_of(all_of(speaker, path, **query)))
    return next(each for each in all_of(speaker, path, **query) if each["id"] == wanted)


def test_pages_show_what_stays_open_once_while_tables_come_and_go(lobby: Lobby) -> None:
    rng = LocalRng(5)
    host = unique("host-")

    async def opened(streams: Streams) -> list[str]:
        return [await streams.open_table(host) for _ in range(20)]

    tables = written(lobby, opened)
    wait_listed(lobby.nobody, "/v1/lobby/tables", tables[-1])
    closed = set[str]()
    seen, cursor = list[str](), None
    while True:
        page = page_of(lobby.nobody, "/v1/lobby/tables", limit=PAGE, cursor=cursor)
        seen += ids_of(page["items"])
        assert len(page["items"]) <= PAGE
        cursor = page["next"]
        if cursor is None:
            break
        closed.add(_changed(lobby, host, rng.roll("closed", tuple(set(tables) - closed))))
    assert len(seen) == len(set(seen))
    assert set(tables) - closed <= set(seen)
    kept = [each for each in seen if each in tables]
    assert kept == sorted(kept, key=tables.index, reverse=True)


def _changed(lobby: Lobby, host: str, table: str) -> str:
    """Close *table*, open another, and wait until the lists have it."""

    async def change(streams: Streams) -> str:
        await streams.order(table, CloseTable(by=host), host)
        return await streams.open_table(host)

    wait_listed(lobby.nobody, "/v1/lobby/tables", written(lobby, change))
    return table


def test_a_list_of_one_game_shows_that_alone(lobby: Lobby) -> None:
    host = unique("host-")

    async def opened(streams: Streams) -> tuple[str, str]:
        of_clans = await streams.open_table(host, game="highland_clans", seats=3)
        return await streams.open_table(host), of_clans

    troedler, clans = written(lobby, opened)
    wait_listed(lobby.nobody, "/v1/lobby/tables", troedler, game="troedler")
    found = all_of(lobby.nobody, "/v1/lobby/tables", game="highland_clans")
    assert clans in ids_of(found)
    assert {each["game"] for each in found} == {"highland_clans"}


def test_only_matches_that_everybody_may_watch_are_listed_for_everybody(lobby: Lobby) -> None:
    player, stranger = lobby.guest(), lobby.guest()
    public, private, over = unique("match-"), unique("match-"), unique("match-")

    async def told(streams: Streams) -> None:
        await streams.tell(match_started(private, player.account, "", watch="private"))
        await streams.tell(match_started(over, player.account, ""))
        await streams.tell(match_ended(over, player.account, ""))
        await streams.tell(match_started(public, player.account, ""))

    written(lobby, told)
    wait_listed(stranger, "/v1/lobby/matches", public, state="playing")
    everybodys = ids_of(all_of(stranger, "/v1/lobby/matches"))
    assert {public, over} <= set(everybodys)
    assert private not in everybodys
    assert over in ids_of(all_of(stranger, "/v1/lobby/matches", state="ended"))
    assert over not in ids_of(all_of(stranger, "/v1/lobby/matches", state="playing"))
    assert set(ids_of(all_of(player, "/v1/me/matches"))) == {public, private, over}
    assert all_of(stranger, "/v1/me/matches") == []


def test_of_matches_that_are_over_those_come_first_that_have_ended_last(lobby: Lobby) -> None:
    player = lobby.guest()
    long, short, early = unique("match-"), unique("match-"), unique("match-")

    async def told(streams: Streams) -> None:
        for match, began, ended in ((long, 10, 900), (short, 200, 300), (early, 5, 15)):
            await streams.tell(match_started(match, player.account, "", at=began))
            await streams.tell(match_ended(match, player.account, "", at=ended))

    written(lobby, told)
    wait_listed(player, "/v1/me/matches", early, state="ended")
    for path in ("/v1/lobby/matches", "/v1/me/matches"):
        for state, order in (("ended", [long, short, early]), (None, [short, long, early])):
            listed = ids_of(all_of(player, path, limit=1, state=state))
            assert [each for each in listed if each in order] == order


def test_my_lists_are_mine(lobby: Lobby) -> None:
    me, other = lobby.guest(), lobby.guest()
    match, due = unique("match-"), second(3600)
    mine = {me.account.replace("-", "_"): due}

    async def told(streams: Streams) -> str:
        await streams.tell(match_started(match, me.account, other.account, watch="private"))
        await streams.tell_turn(match, 3, **mine)
        return await streams.open_table(me.account, "invitation")

    table = written(lobby, told)
    assert wait_listed(me, "/v1/me/tables", table)["visibility"] == "invitation"
    assert all_of(other, "/v1/me/tables") == []
    wait_until(lambda: wait_listed(me, "/v1/me/matches", match)["waits_for_me"])
    assert wait_listed(me, "/v1/me/matches", match)["due"] == due
    found = wait_listed(other, "/v1/me/matches", match)
    assert (found["waits_for_me"], found["due"]) == (False, None)


@pytest.mark.parametrize("path", [*LISTS[2:], "/v1/me/feed"])
def test_my_lists_need_a_token_that_is_for_reading(lobby: Lobby, path: str) -> None:
    problem_of(lobby.nobody.get(path), 401, "token_required")
    reader = lobby.person()
    answer = reader.post("/v1/me/tokens", {"name": "plays", "scopes": ["play"], "days": 1})
    player = lobby.speaker(answer.json()["token"])
    problem_of(player.get(path), 403, "missing_scope")


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("cursor", ["", "x", "AAAA", "%C3%A4", "a" * 400])
def test_a_cursor_that_nobody_gave_is_refused(lobby: Lobby, path: str, cursor: str) -> None:
    problem_of(lobby.guest().get(f"{path}?cursor={cursor}"), 422, "wrong_cursor")


@pytest.mark.parametrize("limit", ["0", "101", "-1", "many"])
def test_a_limit_that_is_none_is_refused(lobby: Lobby, limit: str) -> None:
    problem_of(lobby.nobody.get(f"/v1/lobby/tables?limit={limit}"), 422, "malformed")


@pytest.mark.parametrize(
    "place",
    ["1", "[]", '["a"]', '["a", "b", "c"]', "[1, 2]", '[["a"], "b"]', '["\\u0000", "b"]', "["],
)
def test_a_cursor_that_somebody_has_made_up_is_refused(lobby: Lobby, place: str) -> None:
    listed, content = "tables\n", place.replace(" ", "").encode()
    cursor = base64.urlsafe_b64encode(_check(listed, content) + content).decode().rstrip("=")
    answer = lobby.nobody.get(f"/v1/lobby/tables?cursor={cursor}")
    problem_of(answer, 422, "wrong_cursor")


def test_a_cursor_is_good_for_its_own_list_as_it_was_given_alone() -> None:
    place = ("2026-11-28T12:00:00.000Z", "7c9e6679")
    cursor = cursor_of("tables\ntroedler", place)
    assert place_of("tables\ntroedler", cursor) == place
    for listed in ("tables\n", "tables", "matches\ntroedler"):
        with pytest.raises(WrongCursorError):
            place_of(listed, cursor)
    for at in range(len(cursor)):
        for other in ("A", "_", "=", ""):
            changed: Any = cursor[:at] + other + cursor[at + 1 :]
            if changed != cursor:
                with pytest.raises(WrongCursorError):
                    place_of("tables\ntroedler", changed)
