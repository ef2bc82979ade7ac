"""How a service is set up: environment variables that begin with HOWFF_."""

from typing import Annotated, Final

from pydantic import AfterValidator, Field

from howff.servicekit.settings import Port, ProcessSettings
from howff.servicekit.web.addresses import Proxies, networks_in
from howff.servicekit.web.issuer import Mode
from howff.servicekit.web.limiting import RateLimits
from howff.servicekit.web.limits import Policy

_THIS_MACHINE: Final = "127.0.0.1/32,::1/128"


def _checked(networks: str | None) -> str | None:
    networks_in(networks or "")
    return networks


class ServiceSettings(ProcessSettings):
    """The settings of all services; the defaults are those of one machine."""

    port: Port
    nats_monitor_urls: str = "http://127.0.0.1:8222"
    """The monitoring addresses of all servers, separated by commas."""
    replicas: Annotated[int, Field(ge=1, le=5)] = 1
    """Of each stream."""
    mode: Mode = "one_machine"
    limits: bool = True
    """Whether there are any on how often one may ask."""
    address_points: Annotated[int, Field(ge=1)] = 600
    """A minute, of an address, for requests without a good token; a third of it at once."""
    token_points: Annotated[int, Field(ge=1)] = 9_000
    """A minute, of a token: twenty moves a second, with a look at the match and its moves each."""
    account_points: Annotated[int, Field(ge=1)] = 18_000
    """A minute, of an account with all its tokens."""
    trusted_proxies: Annotated[str | None, AfterValidator(_checked)] = None
    """The networks, separated by commas, that tell by `X-Forwarded-For` where a request comes
    from. Left out, that is this machine in mode one_machine, and nobody else."""

    @property
    def monitor_urls(self) -> list[str]:
        """The monitoring addresses of all servers of NATS."""
        return self.nats_monitor_urls.split(",")

    @property
    def migrates(self) -> bool:
        """Whether the service brings its tables to their form itself; in a cluster others do."""
        return self.mode != "cluster"

    def rate_limits(self) -> RateLimits | None:
        """Return the limits, with nothing taken yet; None if there are none."""
        if not self.limits:
            return None
        proxies = self.trusted_proxies
        if proxies is None:
            proxies = _THIS_MACHINE if self.mode == "one_machine" else ""
        return RateLimits(
            address=Policy.of(self.address_points),
            token=Policy.of(self.token_points),
            account=Policy.of(self.account_points),
            proxies=Proxies(networks_in(proxies)),
        )
