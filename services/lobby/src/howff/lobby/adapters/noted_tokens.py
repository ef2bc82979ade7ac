"""Tokens whose use is noted."""

from collections.abc import Callable, Mapping
from typing import Any

from howff.servicekit.web.tokens import Caller, KeySource, Tokens


class NotedTokens(Tokens):
    """Verifies tokens as all services do, and tells *note* of each that is good."""

    def __init__(
        self, issuers: Mapping[str, KeySource], note: Callable[[Caller], None], **terms: Any
    ) -> None:
        super().__init__(issuers, **terms)
        self._note = note

    def verify(self, token: str) -> Caller:
        """Return whom *token* names; see `Tokens`."""
        caller = super().verify(token)
        self._note(caller)
        return caller
