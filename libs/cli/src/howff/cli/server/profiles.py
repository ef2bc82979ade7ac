"""What everybody may know of an account."""

from dataclasses import dataclass
from typing import Final

from howff.engine.codec import JSON, picked

_UNNAMED: Final = {"guest": "guest", "former": "former player"}


@dataclass(frozen=True, slots=True)
class Profile:
    """An account; guests have no name, and neither has one that was erased."""

    id: str
    name: str | None
    kind: str

    @property
    def called(self) -> str:
        return self.name or _UNNAMED.get(self.kind, self.id)


def called(plain: JSON) -> tuple[str, str]:
    """Return the id and the name of the account that a server tells of as *plain*.

    Raises:
        MalformedError: it is no profile.
    """
    profile = picked(Profile, plain)
    return profile.id, profile.called
