"""The pages of the site: plain HTML, and scripts that read the public API.

They need nothing from elsewhere, and are told to use nothing from there. What others have written
comes into them by scripts that make text of it, or by templates that escape it.
"""

import asyncio
import hashlib
import json
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from jinja2 import Environment, PackageLoader
from starlette.exceptions import HTTPException

from howff.contracts.channels import CHANNELS
from howff.engine.catalogue import GAMES
from howff.engine.codec import canonical
from howff.engine.game import AnyGame
from howff.engine.schema import schema_of, values_in_words
from howff.lobby.api.documents import Latest, services_told
from howff.lobby.application.channels import FEEDS
from howff.lobby.application.describing import IS_FOR, Described, described
from howff.servicekit.web.answers import unless_known
from howff.servicekit.web.merging import operations_of

pages = APIRouter(include_in_schema=False)

HTML: Final = "text/html; charset=utf-8"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""What pages may load and do: nothing but what this site has, and no markup made of text."""
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}
FOR_GOOD: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
"""Of files whose address changes with them."""
MEDIA: Final = {"css": "text/css", "mjs": "text/javascript", "svg": "image/svg+xml"}
_ASSETS: Final = {
    each.name: each.read_bytes() for each in (files("howff.lobby.api") / "site/assets").iterdir()
}
_EDITION: Final = hashlib.sha256(b"".join(_ASSETS[name] for name in sorted(_ASSETS))).hexdigest()[
    :12
]


@dataclass(frozen=True, slots=True)
class OptionTold:
    """An option of a game, its values as text."""

    name: str
    default: str
    values: str


@dataclass(frozen=True, slots=True)
class GameTold:
    """A game as the page tells it."""

    key: str
    title: str
    authors: str
    summary: str
    seats: str
    options: tuple[OptionTold, ...]


PROBES: Final = {
    "lobby": "/v1/lobby/tables?limit=1",
    "game": "/v1/games",
    "scoring": "/v1/projections",
}
"""What each service is asked to see whether it answers."""


@pages.get("/")
async def show_home(request: Request) -> Response:
    """Show what goes on, and what can be played."""
    return _page(request, _home())


@pages.get("/watch")
async def show_watching(request: Request) -> Response:
    """Show the page on which a match is followed."""
    return _page(request, _watching())


@pages.get("/docs")
async def show_documentation(request: Request) -> Response:
    """Show what can be asked."""
    services = await services_told(request)
    return _page(request, await asyncio.to_thread(_DOCUMENTATION.of, services))


@pages.get("/site/{edition}/{name}")
async def give_asset(request: Request, edition: str, name: str) -> Response:
    """Give a file that the pages load; its address changes when any of them does."""
    if edition != _EDITION or name not in _ASSETS:
        raise HTTPException(404)
    media = MEDIA[name.rpartition(".")[2]]
    return unless_known(request, _ASSETS[name], media, {**HEADERS, **FOR_GOOD})


def _page(request: Request, text: str) -> Response:
    return unless_known(request, text.encode(), HTML, HEADERS)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("howff.lobby.api", "site/templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["json"] = lambda plain: json.dumps(plain, ensure_ascii=False)
    environment.globals["assets"] = f"/site/{_EDITION}"
    return environment


@cache
def _home() -> str:
    games = [_game_told(game) for game in GAMES.values()]
    return (
        _environment().get_template("home.html").render(games=games, services=IS_FOR, probes=PROBES)
    )


@cache
def _watching() -> str:
    return _environment().get_template("watch.html").render()


def documentation(services: list[Described]) -> str:
    """Return the page that tells what *services* can be asked."""
    document = described(services)
    groups: dict[str, list[dict[str, Any]]] = {}
    for (path, method), operation in operations_of(document):
        told = {**_operation_told(operation), "path": path, "method": method}
        groups.setdefault(operation.get("tags", ["others"])[0], []).append(told)
    template = _environment().get_template("docs.html")
    return template.render(
        services=services,
        groups=list(groups.items()),
        channels=(*FEEDS, *CHANNELS),
        schemas=sorted(document["components"]["schemas"].items()),
    )


_DOCUMENTATION: Final = Latest(documentation)


def _operation_told(operation: dict[str, Any]) -> dict[str, Any]:
    """Return an operation as people read it: what it does in short, and all refusals at once."""
    short, _, more = operation.get("description", operation.get("summary", "")).partition("\n")
    answers = sorted(operation["responses"].items())
    return {
        **operation,
        "short": short,
        "more": more.strip(),
        "answers": [(status, each) for status, each in answers if status < "4"],
        "refusals": [status for status, _ in answers if status >= "4"],
    }


def _game_told(game: AnyGame) -> GameTold:
    properties = schema_of(game.options)["properties"]
    options = tuple(
        OptionTold(
            field.name,
            canonical(properties[field.name]["default"]),
            values_in_words(properties[field.name]),
        )
        for field in fields(game.options)
    )
    seats = f"{game.seats[0]} to {game.seats[-1]}"
    return GameTold(game.key, game.title, game.authors, game.summary, seats, options)
