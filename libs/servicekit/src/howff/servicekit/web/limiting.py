"""Limits on how often somebody may ask a service: the middleware, and stricter ones of routes.

Reading costs one point, all else five. Who brings a good token spends the points of the token and
of its account; everybody else those of the address, so that a wrong token opens nothing.
Parts of the platform have no limit: they ask as often as they have to.
"""

import time
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from howff.servicekit.web.addresses import Proxies
from howff.servicekit.web.auth import ASKED, Asked, asked_by
from howff.servicekit.web.errors import RateLimitedError
from howff.servicekit.web.limits import Limiter, Policy, Standing
from howff.servicekit.web.problems import refusal_problem
from howff.servicekit.web.tokens import Tokens

READING: Final = 1
WRITING: Final = 5
LIMITS: Final = "howff.limits"
"""Where the scope of a request has its `Spending`."""
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class RateLimits:
    """What is left to all who have asked this process."""

    def __init__(
        self,
        *,
        address: Policy,
        token: Policy,
        account: Policy,
        proxies: Proxies,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._addresses = Limiter(address)
        self._tokens = Limiter(token)
        self._accounts = Limiter(account)
        self._named: dict[str, Limiter] = {}
        self._proxies = proxies
        self._now = now

    def spend(self, scope: Scope, asked: Asked) -> "Spending":
        """Take the points of a request from whoever *asked*."""
        cost = READING if scope["method"] in _SAFE else WRITING
        now, caller = self._now(), asked.caller
        if caller is None:
            source = self._proxies.source_of(scope)
            return Spending(self, self._addresses.take(source, cost, now), source)
        standing = self._accounts.take(caller.account, cost, now)
        if caller.token and not standing.is_refused:
            standing = _tighter(standing, self._tokens.take(caller.token, cost, now))
        return Spending(self, standing)

    def spend_on(self, name: str, policy: Policy, source: str) -> Standing:
        """Take a point of what a *source* may do of what is called *name*."""
        limiter = self._named.get(name)
        if limiter is None:
            limiter = self._named[name] = Limiter(policy)
        return limiter.take(source, 1, self._now())

    def source_of(self, scope: Scope) -> str:
        """Return the address that a request comes from, for comparisons."""
        return self._proxies.source_of(scope)


class Spending:
    """What a request has cost, and what is left."""

    def __init__(self, limits: RateLimits, standing: Standing, source: str | None = None) -> None:
        self.standing = standing
        self._limits = limits
        self._source = source

    def spend_on(self, name: str, policy: Policy, scope: Scope) -> None:
        """Take a point of what the address of a request may do of what is called *name*.

        Raises:
            RateLimitedError: it has done it too often.
        """
        source = self._source or self._limits.source_of(scope)
        standing = self._limits.spend_on(name, policy, source)
        self.standing = _tighter(self.standing, standing)
        check_left(standing)


class Limited:
    """The middleware that takes points, refuses who has none, and tells how many are left.

    It verifies the token of a request once for all.
    """

    def __init__(self, app: ASGIApp, *, limits: RateLimits, tokens: Tokens) -> None:
        self._app = app
        self._limits = limits
        self._tokens = tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asked = scope[ASKED] = asked_by(scope, self._tokens)
        if asked.caller is not None and asked.caller.part is not None:
            await self._app(scope, receive, send)
            return
        spending = scope[LIMITS] = self._limits.spend(scope, asked)

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_headers(spending.standing)]
            await send(message)

        try:
            check_left(spending.standing)
        except RateLimitedError as refusal:
            await refusal_problem(refusal, {})(scope, receive, told)
            return
        await self._app(scope, receive, told)


class _Dependency(Protocol):
    """What a route depends on."""

    def __call__(self, request: Request) -> Awaitable[None]: ...


def limited(name: str, *, per_minute: int, at_once: int) -> _Dependency:
    """Return the dependency of a route by which an address may ask for it only so often.

    Routes with the same *name* share the limit. Where a service has no limits, it has none.
    """
    policy = Policy(per_minute, at_once)

    async def spend(request: Request) -> None:
        spending: Spending | None = request.scope.get(LIMITS)
        if spending is not None:
            spending.spend_on(name, policy, request.scope)

    return spend


def check_left(standing: Standing) -> None:
    """Refuse who has asked too often.

    Raises:
        RateLimitedError: it has.
    """
    if standing.is_refused:
        policy = standing.policy
        raise RateLimitedError(policy.per_minute, policy.at_once, standing.retry_after)


def _tighter(one: Standing, other: Standing) -> Standing:
    if one.is_refused or other.is_refused:
        return max(one, other, key=lambda each: each.retry_after)
    return min(one, other, key=lambda each: each.remaining)


def _headers(standing: Standing) -> list[tuple[bytes, bytes]]:
    return [
        (b"ratelimit-limit", b"%d" % standing.policy.at_once),
        (b"ratelimit-remaining", b"%d" % standing.remaining),
        (b"ratelimit-reset", b"%d" % standing.reset),
    ]
