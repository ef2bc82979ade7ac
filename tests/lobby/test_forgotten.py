"""Who has played and is erased: nothing tells the name, and what was played still holds."""

import tempfile
from pathlib import Path

from howff.engine.codec import canonical
from howff.match.export import read_export
from howff.match.verify import verify
from support.lobby import Lobby, Speaker, lobby_on
from support.lobby_people import told
from support.nats import own_server
from support.service import Service, new_key, service_on, wait_until
from support.telemetry import Captured, captured

NAME = "Planted-Name-0815"
PASSWORD = "a planted word 4711"  # noqa: S105 — of nobody but tests


def played(lobby: Lobby, game: Service, host: Speaker, other: Speaker) -> str:
    """Let two people meet at a table and play a match until one of them resigns."""
    order = {"game": "troedler", "seats": 2}
    table = told(host.post("/v1/tables", order, new_key()), 201)["id"]
    path = f"/v1/tables/{table}"
    told(other.put(f"{path}/seats/1", {}, new_key()))
    for seat, each in enumerate((host, other)):
        told(each.put(f"{path}/seats/{seat}/ready", {}, new_key()))
    told(host.post(f"{path}/start", {}, new_key()), 202)
    wait_until(lambda: host.get(path).json()["phase"] == "playing")
    player = Speaker(game.http, host.account, host.token)
    told(player.post(f"/v1/matches/{table}/resign", {}, new_key()))
    wait_until(lambda: told(lobby.nobody.get(f"/v1/accounts/{host.account}"))["name"] == NAME)
    return str(table)


def telemetry_of(watched: Captured) -> str:
    """Return all that was told of the process, as text."""
    spans = "\n".join(each.to_json() for each in watched.spans)
    # Services log from INFO on.
    logged = canonical([each for each in watched.logged() if each["level"] != "DEBUG"])
    return "\n".join((spans, canonical(watched.metrics()), logged))


def test_nothing_tells_of_who_was_erased_and_the_match_still_verifies() -> None:
    with tempfile.TemporaryDirectory(prefix="howff-lobby-") as name, captured() as watched:
        folder = Path(name)
        with (
            own_server(folder / "nats") as nats,
            lobby_on(nats, folder) as lobby,
            service_on(nats) as game,
        ):
            person, other = lobby.person(NAME, PASSWORD), lobby.guest()
            table = played(lobby, game, person, other)
            assert person.delete("/v1/me", {"password": PASSWORD}).status_code == 204
            former = told(other.get(f"/v1/accounts/{person.account}"))
            assert (former["name"], former["kind"]) == (None, "former")
            export = read_export(game.http.get(f"/v1/matches/{table}/export").content)
            report = verify(export, game.match(table).game)
        held = [each for each in folder.rglob("*") if each.is_file() and is_in(each.read_bytes())]
        said = telemetry_of(watched)
    assert [each.name for each in held] == []
    assert watched.spans
    assert not is_in(said.encode())
    assert report.failure is None
    assert person.account in canonical([each.events for each in export.commits])


def is_in(content: bytes) -> bool:
    """Tell whether *content* names who was erased, or the password."""
    lower = content.lower()
    return NAME.lower().encode() in lower or PASSWORD.encode() in lower
