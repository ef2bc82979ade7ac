"""The lobby runs, and answers."""

from support.lobby import Lobby
from support.web import problem_of


def test_the_lobby_is_served_with_its_database(lobby: Lobby) -> None:
    problem_of(lobby.nobody.get("/v1/nothing"), 404, "no_such_route")
    assert (lobby.folder / "lobby.db").exists()
