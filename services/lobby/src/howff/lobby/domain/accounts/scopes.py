"""What tokens may be for, by the kind of account."""

from typing import Final, Literal

from howff.lobby.domain.accounts.errors import InvalidScopeError

Kind = Literal["guest", "person", "bot", "former"]
"""Of an account; a former one was erased."""
_ADMIN: Final = "admin"
_BY_KIND: Final[dict[Kind, frozenset[str]]] = {
    "guest": frozenset({"play", "table", "read"}),
    "person": frozenset({"play", "table", "bot", "read"}),
    "bot": frozenset({"play", "table", "bot", "read"}),
    "former": frozenset(),
}


def usual_scopes(kind: Kind) -> frozenset[str]:
    """Return what the tokens of such accounts are for unless something else is asked for."""
    return _BY_KIND[kind]


def most_scopes(kind: Kind, *, is_administrator: bool) -> frozenset[str]:
    """Return what the tokens of such an account may be for."""
    return usual_scopes(kind) | (frozenset({_ADMIN}) if is_administrator else frozenset[str]())


def scopes_wanted(text: str | None, usual: frozenset[str], most: frozenset[str]) -> frozenset[str]:
    """Return the scopes that *text* asks for, words with a space between each two; None: *usual*.

    Raises:
        InvalidScopeError: there are none, or some that are not among the *most* that may be given.
    """
    if text is None:
        return usual
    wanted = frozenset(text.split(" "))
    if not wanted <= most:
        raise InvalidScopeError(most)
    return wanted
