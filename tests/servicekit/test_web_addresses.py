"""Where requests come from: a header counts as far as proxies that are trusted have written it."""

from typing import Any

import pytest

from howff.servicekit.web.addresses import UNKNOWN, Proxies, networks_in

TRUSTED = Proxies(networks_in("127.0.0.1/32, 10.0.0.0/8,::1/128"))


def scope(peer: str | None, *forwarded: str) -> dict[str, Any]:
    headers = [(b"x-forwarded-for", each.encode("latin-1")) for each in forwarded]
    return {"client": None if peer is None else (peer, 4711), "headers": headers}


@pytest.mark.parametrize(
    ("peer", "forwarded", "source"),
    [
        ("192.0.2.1", [], "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.7"], "192.0.2.1"),
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        ("127.0.0.1", ["203.0.113.9, 198.51.100.7"], "198.51.100.7"),
        ("127.0.0.1", ["203.0.113.9", "198.51.100.7"], "198.51.100.7"),
        ("127.0.0.1", ["203.0.113.9, 198.51.100.7, 10.1.2.3"], "198.51.100.7"),
        ("10.9.9.9", ["10.1.2.3,10.1.2.4"], "10.1.2.3"),
        ("127.0.0.1", ["198.51.100.7, nonsense"], "127.0.0.1"),
        ("127.0.0.1", ["nonsense, 10.1.2.3"], "10.1.2.3"),
        ("127.0.0.1", [""], "127.0.0.1"),
        ("127.0.0.1", ["1" * 5000], "127.0.0.1"),
        ("127.0.0.1", ["é"], "127.0.0.1"),
        ("::ffff:192.0.2.1", [], "192.0.2.1"),
        ("::ffff:127.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        ("::1", ["2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", [], "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", [], "2001:db8:1:3::/64"),
        (None, ["198.51.100.7"], UNKNOWN),
        ("a socket", [], UNKNOWN),
    ],
)
def test_a_request_comes_from_the_last_hop_that_is_known(
    peer: str | None, forwarded: list[str], source: str
) -> None:
    assert TRUSTED.source_of(scope(peer, *forwarded)) == source


def test_without_trusted_proxies_only_the_peer_counts() -> None:
    for peer in ("127.0.0.1", "192.0.2.1"):
        assert Proxies().source_of(scope(peer, "198.51.100.7")) == peer


@pytest.mark.parametrize("text", ["here", "127.0.0.1/33", "10.0.0.1/8", "10.0.0.0/8 ::1"])
def test_what_is_no_network_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"host bits|not appear"):
        networks_in(text)
