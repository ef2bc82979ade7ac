"""What is checked before something happens at a table."""

import hashlib

from howff.lobby.domain.errors import (
    NoSuchSeatError,
    NoSuchTableError,
    NotHostError,
    RatedWithBotsError,
    WrongEntropyError,
    WrongPhaseError,
)
from howff.lobby.domain.tables.table import Person, Phase, Table
from howff.lobby.domain.terms import Terms
from howff.match.terms import MOST_ENTROPY
from howff.match.texts import is_hash


def check_known(table: Table, account: str) -> None:
    """Refuse an *account* that may not know of the table, as if there were none."""
    if not table.is_known_to(account):
        raise NoSuchTableError


def check_host(table: Table, account: str) -> None:
    """Refuse an *account* that is not the host."""
    check_known(table, account)
    if account != table.host:
        raise NotHostError


def check_phase(table: Table, *expected: Phase) -> None:
    """Refuse what can only be done in one of the *expected* phases."""
    if table.phase not in expected:
        raise WrongPhaseError(" or ".join(expected), table.phase)


def check_seat(seats: int, seat: int) -> None:
    """Refuse a *seat* that a table of so many *seats* has not."""
    if seat not in range(seats):
        raise NoSuchSeatError(seats, seat)


def check_bots(terms: Terms, has_bots: bool) -> None:  # noqa: FBT001
    """Refuse bots where the match counts."""
    if terms.rated and has_bots:
        raise RatedWithBotsError


def check_hash(entropy_hash: str | None) -> None:
    """Refuse what is no SHA-256 in lower-case hex."""
    if entropy_hash is not None and not is_hash(entropy_hash):
        expected = "SHA-256 in lower-case hex"
        raise WrongEntropyError(expected=expected, found=repr(entropy_hash[:80]))


def check_no_hash(entropy_hash: str | None) -> None:
    """Refuse the hash of an entropy of somebody who sits nowhere."""
    if entropy_hash is not None:
        raise WrongEntropyError(expected="a seat beside the hash", found="none")


def check_entropy(person: Person, entropy: str | None) -> None:
    """Refuse an *entropy* that is not what *person* has told the hash of."""
    if person.entropy_hash is None:
        if entropy is not None:
            expected = "a hash that was told when sitting down"
            raise WrongEntropyError(expected=expected, found="none")
        return
    if entropy is None:
        raise WrongEntropyError(expected="the entropy of the hash that was told", found="none")
    if len(entropy) > MOST_ENTROPY or not entropy.isascii():
        raise WrongEntropyError(
            expected=f"at most {MOST_ENTROPY} ASCII characters", found="another"
        )
    if hashlib.sha256(entropy.encode()).hexdigest() != person.entropy_hash:
        raise WrongEntropyError(
            expected=f"one with the hash {person.entropy_hash}", found="another"
        )
