"""Where a request comes from, also where a proxy stands between."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final

Network = IPv4Network | IPv6Network
Address = IPv4Address | IPv6Address

FORWARDED: Final = b"x-forwarded-for"
UNKNOWN: Final = "unknown"
_LONGEST: Final = 45
"""Characters of the longest address."""
_OF_ONE: Final = 64
"""Bits of an address of IPv6 that tell one customer from another."""


def networks_in(text: str) -> tuple[Network, ...]:
    """Return the networks that *text* names, separated by commas.

    Raises:
        ValueError: one of them is none.
    """
    return tuple(ip_network(each.strip()) for each in text.split(",") if each.strip())


class Proxies:
    """The *networks* whose word on where a request comes from counts."""

    def __init__(self, networks: Sequence[Network] = ()) -> None:
        self._networks = tuple(networks)

    def source_of(self, scope: Mapping[str, Any]) -> str:
        """Return the address that a request of this ASGI *scope* comes from, for comparisons.

        That is the peer's. What a trusted one has added to `X-Forwarded-For` counts instead, and
        if that is a trusted one again, what stands before it; whatever else stands there may be
        the client's own invention. The addresses of one network of IPv6 (/64) count as one.
        """
        peer = scope.get("client") or ("", 0)
        address = _address(peer[0])
        if self._networks and address is not None and self._is_trusted(address):
            address = self._forwarded(scope, address)
        return UNKNOWN if address is None else _key(address)

    def _forwarded(self, scope: Mapping[str, Any], peer: Address) -> Address:
        lists = [value for name, value in scope["headers"] if name == FORWARDED]
        address = peer
        for hop in reversed(b",".join(lists).decode("latin-1").split(",")):
            found = _address(hop.strip())
            if found is None:
                break
            address = found
            if not self._is_trusted(address):
                break
        return address

    def _is_trusted(self, address: Address) -> bool:
        return any(address in each for each in self._networks)


@lru_cache(maxsize=4096)
def _address(text: str) -> Address | None:
    if len(text) > _LONGEST:
        return None
    try:
        found = ip_address(text)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


@lru_cache(maxsize=4096)
def _key(address: Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    return str(IPv6Network((int(address) >> _OF_ONE << _OF_ONE, _OF_ONE)))
