"""The way to a service: its address, proxies and certificates of the environment."""

import ipaddress
import os
import ssl
from urllib.parse import urlsplit

import httpx

from howff.client.errors import WrongSettingError

_PROTOCOLS = {"http", "https"}


def connected(base_url: str) -> httpx.AsyncClient:
    """Return what sends requests to the service at *base_url*; nothing is sent yet.

    Proxies and certificates are those that the environment names, but this machine itself is
    never asked through a proxy.

    Raises:
        WrongSettingError: the address, a proxy or the certificates make no sense.
    """
    host = _checked_host(base_url)
    certificates = _certificates()
    try:
        return httpx.AsyncClient(
            base_url=base_url,
            verify=certificates,
            trust_env=not _is_this_machine(host),
            timeout=None,  # noqa: S113 — every wait is bounded as a whole, which httpx can't
        )
    except (ImportError, ValueError, httpx.InvalidURL) as error:
        # What was found stays out of messages, which end in logs: it may hold a password.
        expected = "HTTP_PROXY and the like to be addresses such as http://proxy:3128"
        raise WrongSettingError("proxy", expected=expected, found="another one") from error


def _checked_host(base_url: str) -> str:
    expected = "an address such as http://localhost:8000"
    try:
        parts = urlsplit(base_url)
        is_address = parts.scheme in _PROTOCOLS and parts.port != 0
        httpx.URL(base_url)
    except (ValueError, httpx.InvalidURL) as error:
        raise WrongSettingError("address", expected=expected, found=str(error)) from error
    if not is_address or not parts.hostname:
        raise WrongSettingError("address", expected=expected, found=repr(base_url))
    return parts.hostname


def _certificates() -> ssl.SSLContext:
    """Return the certificates to trust, those of SSL_CERT_FILE or SSL_CERT_DIR before others."""
    try:
        return httpx.create_ssl_context()
    except OSError as error:
        file = os.environ.get("SSL_CERT_FILE", "")
        found = f"{file!r}, {(error.strerror or str(error)).lower()}"
        expected = "SSL_CERT_FILE to be a file of them"
        raise WrongSettingError("certificates", expected=expected, found=found) from error


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
