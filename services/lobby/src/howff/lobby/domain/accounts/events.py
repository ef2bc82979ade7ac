"""What happens to an account beside its name and its credentials, which no stream holds."""

from dataclasses import dataclass

from howff.lobby.domain.reasons import Reason


@dataclass(frozen=True, slots=True)
class AdministratorMade:
    """The account may do what administrators do; *by* is null for whoever has the host."""

    by: str | None


@dataclass(frozen=True, slots=True)
class AccountSuspended:
    """An administrator has suspended the account."""

    by: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class AccountReinstated:
    """An administrator has taken the suspension back."""

    by: str


@dataclass(frozen=True, slots=True)
class AccountErased:
    """The person is gone; the account stays as somebody who has played."""


AccountEvent = AdministratorMade | AccountSuspended | AccountReinstated | AccountErased
