"""The pages of the site, as a browser shows them while matches are played."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

import pytest

from howff.client.client import HowffClient
from howff.engine.catalogue import GAMES
from support.browser import CHROMIUM, DRIVER, Browser, browser
from support.howff_up import Up
from support.online import asking_as

MOST_CONNECTIONS: Final = 6
"""So many does Chromium open to one site by HTTP/1.1."""

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None,
    reason="no chromium with chromedriver here (apt-get install -y chromium chromium-driver)",
)


@pytest.fixture(scope="module")
def page() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


class Freya:
    """Who plays while the page is watched."""

    def __init__(self, server: Up) -> None:
        self._server = server

    def does(self, story: Callable[[HowffClient], Awaitable[Any]]) -> Any:
        """Return what *story* gives, a function of her client."""

        async def whole() -> Any:
            async with asking_as(self._server, "freya") as howff:
                return await story(howff)

        return asyncio.run(whole())

    def starts(self, **terms: Any) -> str:
        """Start a match against a bot, and return its id."""

        async def story(howff: HowffClient) -> str:
            me: Any = await howff.accounts.me()
            seats = [{"account": me["account"]["id"]}, {"bot": "random"}]
            match: Any = await howff.start_match({"game": "troedler", "seats": seats, **terms})
            return str(match["match"])

        return str(self.does(story))

    def plays(self, match: str) -> int:
        """Make the first move that there is, as soon as there is one; return its version."""

        async def story(howff: HowffClient) -> int:
            owed: Any = await howff.moves(match, seat=0)
            while not owed["moves"]:
                await asyncio.sleep(0.05)
                owed = await howff.moves(match, seat=0)
            made: Any = await howff.play(match, owed["moves"][0]["move"], seat=0)
            return int(made["version"])

        return int(self.does(story))


@pytest.fixture
def freya(server: Up) -> Freya:
    return Freya(server)


def check_closed(server: Up, page: Browser) -> None:
    """Check that the pages had nothing to complain about, and asked nobody but their server."""
    assert page.complaints() == []
    assert {each for each in page.loaded() if not each.startswith(f"{server.url}/")} == set()


def test_what_goes_on_is_shown_as_it_changes(server: Up, page: Browser, freya: Freya) -> None:
    page.open(f"{server.url}/")
    assert page.texts(".game h3") == [game.title for game in GAMES.values()]
    page.wait_for(lambda: page.texts(".services .state") == ["answers"] * 3)

    table: Any = freya.does(lambda howff: howff.tables.open({"game": "hellweg", "seats": 3}))
    row = f'#tables li[data-of="{table["id"]}"]'
    page.wait_for_text(row, f"howff table join {server.url}/v1/tables/{table['id']}")
    page.wait_for_text(row, "2 of 3 seats free")
    page.wait_for_text(row, "Here: freya")
    freya.does(lambda howff: howff.tables.give_up(table["id"]))
    page.wait_for(lambda: not page.all(row))
    check_closed(server, page)


def test_a_match_in_play_is_watched_live_and_its_result_is_listed(
    server: Up, page: Browser, freya: Freya
) -> None:
    match = freya.starts()
    watch = f'a[href="/watch?match={match}"]'
    page.open(f"{server.url}/")
    page.wait_for_text(f"#matches li:has({watch})", "freya")
    page.all(watch)[0].click()
    page.wait_for(lambda: page.texts("#status") == ["Live"])
    page.wait_for_text("#log li", "A match of Die Trödler aus den Highlands starts")
    assert page.texts("#seats .seat") == ["freya", "bot (random)"]
    for _ in range(2):
        page.wait_for_text("#log .version", str(freya.plays(match)))
    told = [int(each) for each in page.texts("#log .version")]
    assert told == list(range(told[0], 0, -1)), "each once, the newest first"

    freya.does(lambda howff: howff.resign(match, seat=0))
    page.wait_for(lambda: page.texts("#status") == ["This match is over."])
    page.wait_for_text("#log li", "freya leaves the match for good")
    page.wait_for(lambda: len(page.texts("#places li")) == 2)
    assert page.texts("#places li")[0].startswith("bot (random)")
    page.open(f"{server.url}/")
    page.wait_for_text(f"#results li:has({watch})", "2. freya")
    check_closed(server, page)


def test_the_end_of_a_match_is_told_though_its_last_frame_was_lost(
    server: Up, page: Browser, freya: Freya
) -> None:
    match = freya.starts()
    freya.does(lambda howff: howff.resign(match, seat=0))
    lost = """
        const listen = EventSource.prototype.addEventListener;
        EventSource.prototype.addEventListener = function (kind, ...others) {
          if (kind !== "over") listen.call(this, kind, ...others);
        };
    """
    with page.running_first(lost):
        page.open(f"{server.url}/watch?match={match}")
        page.wait_for(lambda: page.texts("#status") == ["This match is over."])
    page.complaints()


def test_pages_in_the_background_leave_their_connections_to_others(
    server: Up, page: Browser, freya: Freya
) -> None:
    match = freya.starts()
    with page.beside():
        tabs = []
        for _ in range(MOST_CONNECTIONS + 1):
            tabs.append(page.open_tab(f"{server.url}/watch?match={match}"))
            page.wait_for(lambda: page.texts("#status") == ["Live"])
        newest = freya.plays(match)
        page.show_tab(tabs[0])
        page.wait_for_text("#log .version", str(newest))
    freya.does(lambda howff: howff.resign(match, seat=0))
    check_closed(server, page)


def test_results_that_can_not_be_read_are_not_said_to_be_none(server: Up, page: Browser) -> None:
    with page.blocking("*/v1/lobby/matches*"):
        page.open(f"{server.url}/")
        page.wait_for_text("#results-list li", "Can't be read just now")
    page.complaints()


def test_who_may_not_watch_is_told_why(server: Up, page: Browser, freya: Freya) -> None:
    match = freya.starts(watch="private")
    for address, why in (
        (f"/watch?match={match}", "only its seats may watch it"),
        ("/watch", "No match is named"),
    ):
        page.open(f"{server.url}{address}")
        page.wait_for_text("#trouble", why)
        assert not page.all("#match")[0].is_displayed()
    page.open(f"{server.url}/")
    page.wait_for(lambda: not page.all("[aria-busy]"))
    assert not page.all(f'a[href="/watch?match={match}"]')
    page.complaints()


def test_what_others_have_written_stays_text_and_scripts_in_it_do_not_run(
    server: Up, page: Browser
) -> None:
    page.open(f"{server.url}/watch")
    bad = "<img src=x onerror='document.title = 1'><script>document.title = 2</script>"
    found = page.told(
        """
        const modules = performance.getEntriesByType("resource").map((each) => each.name);
        const common = await import(modules.find((each) => each.endsWith("common.mjs")));
        const made = common.made("p", {}, arguments[0]);
        document.body.append(made);
        const planted = document.createElement("script");
        planted.append("document.title = 3");
        document.body.append(planted);
        let refused = "";
        try { made.innerHTML = arguments[0]; } catch (error) { refused = error.name; }
        return [made.children.length, made.textContent, refused, document.title];
        """,
        bad,
    )
    assert found == [0, bad, "TypeError", "Watching a match · Howff"]
    complaints = page.complaints()
    for form in ("TrustedScript", "TrustedHTML"):
        assert any(form in each for each in complaints), complaints


def test_a_form_that_is_looked_up_is_opened(server: Up, page: Browser) -> None:
    page.open(f"{server.url}/docs#schema-Problem")
    page.wait_for(lambda: page.all("#schema-Problem")[0].is_displayed())
    assert not page.all("#schema-game\\.KeysAnswer")[0].is_displayed()
    check_closed(server, page)


def test_the_pages_fit_a_phone_and_their_text_can_be_read_in_the_dark(
    server: Up, page: Browser
) -> None:
    size = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    page.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    for path in ("/", "/watch", "/docs"):
        page.open(f"{server.url}{path}")
        assert page.told("return document.documentElement.scrollWidth") <= 360, path
        ink, paper = page.told(
            "const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]"
        )
        assert ink == "rgb(236, 231, 241)"
        assert paper == "rgb(23, 20, 28)"
    page.complaints()
