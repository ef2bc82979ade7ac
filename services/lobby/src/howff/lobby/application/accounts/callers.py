"""What the token of a caller is good for, beside its scopes."""

from howff.lobby.application.accounts.issuing import ACCESS_LIFETIME
from howff.lobby.domain.accounts.errors import PersonalTokenError
from howff.lobby.domain.accounts.scopes import usual_scopes
from howff.servicekit.web.errors import MissingScopeError
from howff.servicekit.web.tokens import Caller


def is_kept(caller: Caller) -> bool:
    """Tell whether the token of *caller* is a personal one: others live for an hour."""
    lifetime = caller.expires_at - caller.issued_at
    return lifetime.total_seconds() > ACCESS_LIFETIME


def check_login(caller: Caller) -> None:
    """Refuse a personal token, but that of a bot, which has no other.

    Raises:
        PersonalTokenError: it is one.
    """
    if is_kept(caller) and not caller.is_bot:
        raise PersonalTokenError


def check_scopes(caller: Caller) -> None:
    """Refuse a token that was made for less than a guest may do.

    Raises:
        MissingScopeError: it has not all scopes that a login of anybody gives.
    """
    for scope in sorted(usual_scopes("guest") - caller.scopes):
        raise MissingScopeError(scope, caller.scopes)


def check_whole(caller: Caller) -> None:
    """Refuse a token that was made for less than all of its account, where no password tells more.

    Raises:
        PersonalTokenError: it is a personal one.
        MissingScopeError: it has not all scopes that a login of anybody gives.
    """
    check_login(caller)
    check_scopes(caller)
