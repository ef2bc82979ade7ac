"""A Chromium that nobody sees, and what it has loaded and complained about."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from selenium.common.exceptions import TimeoutException
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from support.running import WITHIN

CHROMIUM: Final = shutil.which("chromium")
DRIVER: Final = shutil.which("chromedriver")
FLAGS: Final = (
    "--headless=new",
    "--no-sandbox",  # in a container it can't have one, and it opens pages of ours alone
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--window-size=1280,1000",
)


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser with one page open."""

    chrome: Chrome

    def open(self, address: str) -> None:
        self.chrome.get(address)

    def all(self, selector: str) -> list[WebElement]:
        return self.chrome.find_elements(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        return [str(each) for each in self.told(_TEXTS, selector)]

    def told(self, script: str, *arguments: Any) -> Any:
        """Return what a *script* returns, or what it promises."""
        return self.chrome.execute_script(script, *arguments)

    def wait_for(self, is_so: Callable[[], Any]) -> None:
        """Wait until it is so; fail with what the page, and the console, say then."""
        try:
            WebDriverWait(self.chrome, WITHIN, 0.05).until(lambda _: is_so())
        except TimeoutException as error:
            page = "\n".join(each.text for each in self.all("main"))
            raise AssertionError(f"{page}\n{self.complaints()}") from error

    def wait_for_text(self, selector: str, text: str) -> None:
        """Wait until something that *selector* finds has this *text* in it."""
        self.wait_for(lambda: any(text in each for each in self.texts(selector)))

    @contextmanager
    def running_first(self, script: str) -> Iterator[None]:
        """Let a *script* run before those of each page."""
        told = self.chrome.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument", {"source": script}
        )
        try:
            yield
        finally:
            self.chrome.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", told)

    @contextmanager
    def blocking(self, *addresses: str) -> Iterator[None]:
        """Let what fits *addresses* not be loaded."""
        try:
            self.chrome.execute_cdp_cmd("Network.setBlockedURLs", {"urls": addresses})
            yield
        finally:
            self.chrome.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Close all tabs at the end that were opened meanwhile."""
        first = self.chrome.current_window_handle
        try:
            yield
        finally:
            for each in self.chrome.window_handles:
                if each != first:
                    self.chrome.switch_to.window(each)
                    self.chrome.close()
            self.chrome.switch_to.window(first)

    def open_tab(self, address: str) -> str:
        """Open a page in a new tab, which hides the others; return its name."""
        self.chrome.switch_to.new_window("tab")
        self.open(address)
        return self.chrome.current_window_handle

    def show_tab(self, name: str) -> None:
        self.chrome.switch_to.window(name)

    def complaints(self) -> list[str]:
        """Return what the console says since the last time, in full."""
        return [each["message"] for each in self._log("browser")]

    def loaded(self) -> set[str]:
        """Return the addresses that were asked for since the last time."""
        entries = (json.loads(each["message"]) for each in self._log("performance"))
        events = (each["message"] for each in entries)
        return {
            each["params"]["request"]["url"]
            for each in events
            if each["method"] == "Network.requestWillBeSent"
        }

    def _log(self, kind: str) -> Any:
        return self.chrome.execute("getLog", {"type": kind})["value"]


_TEXTS: Final = "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)"


@contextmanager
def browser() -> Iterator[Browser]:
    """Give a browser until the context ends; whoever calls has looked whether there is one."""
    options = ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    chrome = Chrome(options=options, service=Service(DRIVER))
    try:
        yield Browser(chrome)
    finally:
        chrome.quit()
