"""What the environment says of proxies and certificates."""

from pathlib import Path

import pytest

from howff.client.errors import WrongSettingError
from support.clients import client
from support.running import run
from support.wire import Asked, Line, answer, answering

ELSEWHERE = "http://howff.example.org"


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


async def answer_games(_: Asked, line: Line) -> None:
    await line.send(answer(200, ["troedler"]))


@pytest.mark.parametrize(
    ("name", "proxy"),
    [
        ("ALL_PROXY", "socks5://localhost:1080"),
        ("HTTP_PROXY", "ftp://proxy"),
        ("HTTP_PROXY", "http://proxy:secret"),
        ("HTTPS_PROXY", "http://freya:secret/1@proxy:3128"),
        ("HTTP_PROXY", "http://\udcff"),
    ],
)
def test_a_proxy_that_is_none_is_refused_and_kept_out_of_the_message(
    name: str, proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, proxy)
    with pytest.raises(WrongSettingError, match=r"^proxy: ") as refusal:
        client(ELSEWHERE)
    assert "secret" not in str(refusal.value)


def test_a_service_elsewhere_is_asked_through_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with answering(answer_games) as wire:
            monkeypatch.setenv("HTTP_PROXY", wire.url)
            async with client(ELSEWHERE) as howff:
                assert await howff.games() == ["troedler"]
            assert wire.asked[0].target == f"{ELSEWHERE}/v1/games"

    run(story)


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:1", "foo", "ftp://proxy"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST"])
def test_this_machine_is_not_asked_through_a_proxy(
    host: str, proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", proxy)

    async def story() -> None:
        async with answering(answer_games) as wire:
            howff = client(wire.url.replace("127.0.0.1", host))
            async with howff:
                assert await howff.games() == ["troedler"]

    run(story)


@pytest.mark.parametrize("name", ["missing", "poem"])
def test_certificates_that_are_none_are_refused_and_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "poem").write_text("My heart is in the Highlands")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / name))
    with pytest.raises(WrongSettingError, match=f"^certificates: .*{tmp_path / name}"):
        client(ELSEWHERE)
