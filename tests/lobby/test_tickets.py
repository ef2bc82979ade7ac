"""Tickets over HTTP, and how they come to matches."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from howff.engine.codec import JSON
from howff.lobby.api.deps import Parts
from howff.lobby.application.tables import Opening
from howff.lobby.domain.terms import Terms
from howff.lobby.domain.tickets.events import GameWished, Wish
from howff.match.events import Account
from support.lobby import Lobby, Speaker
from support.service import Service, new_key, service_on, wait_until

PAGE: Final = Path(__file__).parents[2] / "docs" / "lobby.md"


@pytest.fixture(scope="module", autouse=True)
def game(lobby: Lobby) -> Iterator[Service]:
    """Give the match service beside the lobby."""
    with service_on(lobby.nats) as service:
        yield service


def ticket(player: Speaker, *games: str, seats: tuple[int, ...] = (2,), **terms: JSON) -> JSON:
    wish = {"games": [{"game": each} for each in games], "seats": list(seats), **terms}
    answer = player.post("/v1/tickets", wish, new_key())
    assert answer.status_code == 201, answer.text
    return answer.json()


def state(player: Speaker, opened: JSON) -> str:
    return str(player.get(f"/v1/tickets/{opened['id']}").json()["state"])


def test_two_who_would_play_the_same_come_to_one_match(lobby: Lobby, game: Service) -> None:
    freya, sven = lobby.guest(), lobby.guest()
    first = ticket(freya, "highland_clans", "troedler", seats=(2, 3), clocks=[{"turn_days": 3}])
    second = ticket(sven, "troedler", clocks=[{"turn_days": 3}, None])
    assert second["window"] is not None
    wait_until(lambda: state(freya, first) == state(sven, second) == "matched")
    told = [
        each.get(f"/v1/tickets/{opened['id']}").json()["table"]
        for each, opened in ((freya, first), (sven, second))
    ]
    assert told[0] == told[1]
    match = game.match(told[0])
    assert match.game.key == "troedler"
    assert set(match.started.seats) == {Account(freya.account), Account(sven.account)}


def test_the_ticket_that_the_page_shows_is_taken(lobby: Lobby) -> None:
    (shown,) = re.findall(r"```\n(\{.*?)```", PAGE.read_text(), re.DOTALL)
    freya = lobby.guest()
    answer = freya.post("/v1/tickets", json.loads(shown), new_key())
    assert answer.status_code == 201, answer.text
    freya.delete(f"/v1/tickets/{answer.json()['id']}", key=new_key())


def test_other_tickets_end_when_one_is_matched(lobby: Lobby) -> None:
    freya, sven = lobby.guest(), lobby.guest()
    wanted = ticket(freya, "appenzell", seats=(3,))
    also = ticket(freya, "hellweg", clocks=[{"move_seconds": 77}])
    ticket(sven, "hellweg", clocks=[{"move_seconds": 77}])
    wait_until(lambda: state(freya, also) == "matched")
    ended = freya.get(f"/v1/tickets/{wanted['id']}").json()
    assert (ended["state"], ended["ended_because"]) == ("ended", "matched_elsewhere")


def test_bots_fill_up_for_who_lets_them(lobby: Lobby, game: Service) -> None:
    freya = lobby.guest()
    alone = ticket(freya, "troedler", seats=(3,), bots_after=0, bot_level="random")
    wait_until(lambda: state(freya, alone) == "matched")
    match = game.match(freya.get(f"/v1/tickets/{alone['id']}").json()["table"])
    assert len(match.started.seats) == 3
    assert not match.started.rated


def test_a_ticket_is_there_for_its_account_alone(lobby: Lobby) -> None:
    freya, sven = lobby.guest(), lobby.guest()
    opened = ticket(freya, "dale_of_merchants", seats=(4,))
    for answer in (
        sven.get(f"/v1/tickets/{opened['id']}"),
        sven.delete(f"/v1/tickets/{opened['id']}", key=new_key()),
        freya.get("/v1/tickets/no-such-ticket"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_ticket")
    cancelled = freya.delete(f"/v1/tickets/{opened['id']}", key=new_key()).json()
    assert (cancelled["state"], cancelled["ended_because"]) == ("ended", "cancelled")


def test_a_wish_that_nobody_could_fulfil_is_refused_with_what_is_wrong(lobby: Lobby) -> None:
    freya = lobby.guest()
    wish = {"games": [{"game": "troedler"}], "seats": [9]}
    answer = freya.post("/v1/tickets", wish, new_key())
    assert (answer.status_code, answer.json()["code"]) == (422, "wrong_seat_count")
    bots = {**wish, "seats": [2], "rated": "yes", "bots_after": 3, "bot_level": "random"}
    answer = freya.post("/v1/tickets", bots, new_key())
    assert (answer.status_code, answer.json()["code"]) == (422, "wrong_wish")


def test_who_is_erased_waits_for_nothing_and_sits_nowhere(lobby: Lobby) -> None:
    freya, host = lobby.guest(), lobby.guest()
    ticket(freya, "dale_of_merchants", seats=(4,))
    table = host.post("/v1/tables", {"game": "troedler", "seats": 2}, new_key()).json()
    path = f"/v1/tables/{table['id']}"
    assert freya.put(f"{path}/seats/1", {}, new_key()).status_code == 200
    assert freya.delete("/v1/me", {}).status_code == 204
    wait_until(lambda: host.get(path).json()["seats"][1]["account"] is None)
    desk = lobby.app.state.parts.tickets
    wait_until(lambda: not lobby.call(desk.all(by=freya.account)).waiting)


def test_who_is_suspended_waits_for_nothing_and_sits_nowhere(lobby: Lobby) -> None:
    freya, host, chief = lobby.person(), lobby.guest(), lobby.administrator()
    table = host.post("/v1/tables", {"game": "troedler", "seats": 2}, new_key()).json()
    path = f"/v1/tables/{table['id']}"
    assert freya.put(f"{path}/seats/1", {}, new_key()).status_code == 200
    suspension = f"/v1/accounts/{freya.account}/suspension"
    assert host.put(suspension, {"reason": "abuse"}).status_code == 403
    assert chief.put(suspension, {"reason": "abuse"}).status_code in {200, 204}
    wait_until(lambda: host.get(path).json()["seats"][1]["account"] is None)
    wait_until(lambda: freya.get("/v1/tickets").status_code == 401)


def test_bots_of_who_is_suspended_wait_for_nothing_and_sit_nowhere(lobby: Lobby) -> None:
    owner, host, chief = lobby.person(), lobby.guest(), lobby.administrator()
    bot = lobby.bot(owner)
    ticket(bot, "appenzell", seats=(4,))
    table = host.post("/v1/tables", {"game": "troedler", "seats": 3}, new_key()).json()
    path = f"/v1/tables/{table['id']}"
    for seat, each in ((1, owner), (2, bot)):
        assert each.put(f"{path}/seats/{seat}", {}, new_key()).status_code == 200
    suspension = f"/v1/accounts/{owner.account}/suspension"
    assert chief.put(suspension, {"reason": "abuse"}).status_code == 204
    wait_until(lambda: not others_at(host, path))
    ledger = lobby.app.state.parts.tickets
    wait_until(lambda: not lobby.call(ledger.all(by=bot.account)).waiting)


def others_at(host: Speaker, path: str) -> list[str]:
    seats = host.get(path).json()["seats"]
    return [each["account"] for each in seats[1:] if each["account"] is not None]


def test_what_a_suspension_overtakes_comes_to_nothing(lobby: Lobby) -> None:
    freya, chief = lobby.person(), lobby.administrator()
    chief.put(f"/v1/accounts/{freya.account}/suspension", {"reason": "abuse"})
    wait_until(lambda: freya.get("/v1/tickets").status_code == 401)
    parts: Parts = lobby.app.state.parts
    terms = Terms(game="troedler", options={}, seats=2)
    opening = Opening(terms=terms, visibility="public", seat=0, entropy_hash=None)
    opened = lobby.call(parts.tables.open(opening, by=freya.account, key="begun before"))
    wish = Wish(games=(GameWished("troedler", {}),), seats=(4,), clocks=(None,), rated="no")
    lobby.call(parts.tickets.open(wish, 600, by=freya.account, key="begun before"))
    wait_until(lambda: lobby.call(parts.tables.find(opened.id)).table.phase == "closed")
    wait_until(lambda: not lobby.call(parts.tickets.all(by=freya.account)).waiting)
