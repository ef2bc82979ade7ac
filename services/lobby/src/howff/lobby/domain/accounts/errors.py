"""Refusals about accounts, their names and their tokens."""

from typing import ClassVar

from howff.lobby.domain.errors import LobbyError


class NoSuchAccountError(LobbyError):
    """There is no such account, or none any more."""

    code = "no_such_account"

    def __init__(self) -> None:
        super().__init__("no such account", expected="an account", found="none")


class NameTakenError(LobbyError):
    """Somebody has the name, or nobody may have it."""

    code = "name_taken"

    def __init__(self) -> None:
        expected = "a name that nobody has and that is not reserved"
        super().__init__("the name is taken", expected=expected, found="another")


class PasswordFormError(LobbyError):
    """A password is too easy to guess, or too long."""

    code = "password_form"

    def __init__(self, expected: str, found: str) -> None:
        super().__init__("unfit password", expected=expected, found=found)


class WrongPasswordError(LobbyError):
    """The password of the account is another one."""

    code = "wrong_password"

    def __init__(self) -> None:
        super().__init__("wrong password", expected="the password of the account", found="another")


class WrongKindError(LobbyError):
    """An account is of a kind that can't do this."""

    code = "wrong_kind"

    def __init__(self, expected: str, found: str) -> None:
        super().__init__("wrong kind of account", expected=expected, found=found)


class TooManyTokensError(LobbyError):
    """An account has as many personal tokens as it may have."""

    code = "too_many_tokens"

    def __init__(self, most: int) -> None:
        super().__init__("too many tokens", expected=f"at most {most}", found="one more")


class TooManyBotsError(LobbyError):
    """A person has as many bots as one may have."""

    code = "too_many_bots"

    def __init__(self, most: int) -> None:
        super().__init__("too many bots", expected=f"at most {most}", found="one more")


class NoSuchTokenError(LobbyError):
    """The account has no such personal token, or none any more."""

    code = "no_such_token"

    def __init__(self) -> None:
        super().__init__("no such token", expected="a personal token of one's own", found="none")


class PersonalTokenError(LobbyError):
    """A personal token is to do what only whoever has logged in may do."""

    code = "personal_token"

    def __init__(self) -> None:
        expected, found = "a token from logging in", "a personal token"
        super().__init__("this is not done by a personal token", expected=expected, found=found)


class GrantError(LobbyError):
    """The base of what the token endpoint refuses, with the members that RFC 6749 asks for."""

    error: ClassVar[str]

    def __init__(self, what: str, *, expected: str, found: str) -> None:
        super().__init__(what, expected=expected, found=found)
        self.members = {"error": self.error, "error_description": str(self)}


class InvalidGrantError(GrantError):
    """A name and a password, or a refresh token, prove nothing."""

    code = error = "invalid_grant"

    def __init__(self, expected: str) -> None:
        super().__init__("nobody is known by that", expected=expected, found="another")


class SuspendedGrantError(GrantError):
    """An account that was suspended wants a token."""

    code = "suspended"
    error = "invalid_grant"

    def __init__(self) -> None:
        expected, found = "an account in good standing", "a suspended one"
        super().__init__("suspended", expected=expected, found=found)


class InvalidRequestError(GrantError):
    """A request for a token lacks something."""

    code = error = "invalid_request"

    def __init__(self, *, expected: str, found: str) -> None:
        super().__init__("the request has not its form", expected=expected, found=found)


class UnsupportedGrantTypeError(GrantError):
    """A token is asked for in a way that there is not."""

    code = error = "unsupported_grant_type"

    def __init__(self) -> None:
        expected = "grant_type password or refresh_token"
        super().__init__("no such grant", expected=expected, found="another")


class InvalidScopeError(GrantError):
    """A token is asked for scopes that there are not, or that the account has not."""

    code = error = "invalid_scope"

    def __init__(self, allowed: frozenset[str]) -> None:
        expected = f"some of {' '.join(sorted(allowed))}"
        super().__init__("wrong scope", expected=expected, found="others")
