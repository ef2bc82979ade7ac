"""The pages as they are served: whole without a script, and closed to everybody else's."""

import re
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from typing import Final

import httpx
import pytest

from howff.engine.catalogue import GAMES
from howff.lobby.api.pages import documentation
from howff.lobby.application.describing import Described
from support.lobby import Lobby
from support.web import problem_of

SITE: Final = files("howff.lobby.api") / "site"
ASSETS: Final = tuple(sorted(each.name for each in (SITE / "assets").iterdir()))
MARKUP: Final = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|"
    r"DOMParser|\beval\b|new Function|setHTML"
)
FOREIGN: Final = re.compile(r"""(?:https?:)?//(?!localhost)[a-z0-9-]+\.[a-z]|@import""")


class Links(HTMLParser):
    """What a page links to and how it is built; and elements that could run something in place."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: set[str] = set()
        self.running: list[str] = []
        self.ids: list[str] = []
        self.levels: list[int] = []
        """Of headings."""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.addresses |= {told[name] or "" for name in ("href", "src") if name in told}
        self.running += [name for name in told if name.startswith("on") or name == "style"]
        if tag == "style" or (tag == "script" and "src" not in told):
            self.running.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        if "id" in told:
            self.ids.append(told["id"] or "")


def page(lobby: Lobby, path: str) -> httpx.Response:
    answer = lobby.http.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return answer


@pytest.mark.parametrize("path", ["/", "/watch", "/docs"])
def test_pages_are_in_order_and_may_load_and_run_nothing_but_what_the_site_has(
    lobby: Lobby, path: str
) -> None:
    answer = page(lobby, path)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    links = Links(answer.text)
    assert links.running == []
    assert all(re.match(r"/(?!/)|#", each) for each in links.addresses if each), links.addresses
    assert len(links.ids) == len(set(links.ids))
    assert links.levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(links.levels))
    again = lobby.http.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_games_can_be_read_without_a_script(lobby: Lobby) -> None:
    text = page(lobby, "/").text
    for game in GAMES.values():
        assert f">{game.title}</h3>" in text
        assert game.summary.replace("'", "&#39;") in text
        assert f"{game.seats[0]} to {game.seats[-1]} seats · {game.authors}" in text
        for option in game.options.__dataclass_fields__:
            assert f"<code>{option}</code>" in text
    assert "true or false" in text
    assert "built-in" not in text


def test_files_may_be_kept_for_good_for_their_address_changes_with_them(lobby: Lobby) -> None:
    found = {each for each in Links(page(lobby, "/").text).addresses if each.startswith("/site/")}
    folder = next(iter(found)).rpartition("/")[0]
    for name in ASSETS:
        answer = lobby.http.get(f"{folder}/{name}")
        assert answer.status_code == 200
        assert answer.content == (SITE / "assets" / name).read_bytes()
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-type"].startswith(("text/javascript", "text/css", "image/"))
    for path in ("/site/another/style.css", f"{folder}/pages.py", f"{folder}/..%2f..%2fpages.py"):
        problem_of(lobby.http.get(path), 404, "no_such_route")


@pytest.mark.parametrize("name", ASSETS)
def test_no_file_names_another_site_or_makes_markup_of_text(name: str) -> None:
    text = (SITE / "assets" / name).read_text().replace("http://www.w3.org/2000/svg", "")
    assert FOREIGN.search(text) is None
    assert MARKUP.search(text) is None


def test_what_makes_markup_or_names_another_site_is_noticed() -> None:
    assert MARKUP.search("list.innerHTML = name")
    for bad in ("https://cdn.example.org/a.js", "url(//fonts.example.com/a)", "@import 'a.css'"):
        assert FOREIGN.search(bad)
    assert FOREIGN.search("http://localhost:8000/v1") is None


def test_the_documentation_tells_every_operation_and_what_is_missing(lobby: Lobby) -> None:
    text = page(lobby, "/docs").text
    paths = lobby.http.get("/openapi.json").json()["paths"]
    for path in paths:
        assert f'<span class="path">{path}</span>' in text
    ids = set(Links(text).ids)
    wanted = {each[1:] for each in Links(text).addresses if each.startswith("#")}
    assert wanted <= ids, "all links lead somewhere"
    assert "contract.match_ended.{match}" in text


def test_parts_of_two_words_can_be_pointed_to() -> None:
    operation = {"tags": ["looking back"], "responses": {}}
    paths = {"/a": {"get": operation}}
    document = {"openapi": "3.1.0", "paths": paths, "components": {"schemas": {}}}
    text = documentation([Described("game", document)])
    assert '<section aria-labelledby="tag-looking-back">' in text
    assert "tag-looking-back" in Links(text).ids
    assert "#tag-looking-back" in Links(text).addresses


def test_what_services_tell_of_themselves_is_escaped() -> None:
    bad = "<script>alert(1)</script>"
    schema = {"type": "object", "properties": {bad: {"const": bad}}, "description": bad}
    operation = {
        "operationId": bad,
        "tags": [bad],
        "description": bad,
        "parameters": [{"name": bad, "in": "query", "schema": {"enum": [bad]}}],
        "responses": {"200": {"description": bad}},
    }
    document = {
        "openapi": "3.1.0",
        "paths": {f"/{bad}": {"get": operation}},
        "components": {"schemas": {bad: schema}},
    }
    text = documentation([Described("game", document, bad)])
    assert text.count("&lt;script&gt;") > 10
    assert Links(text).running == []
    assert "<script>" not in text
