"""A toy aggregate for tests of servicekit: a ledger that adds up amounts and never goes below 0."""

import json
from dataclasses import asdict, dataclass, replace

from howff.engine.errors import RefusalError
from howff.servicekit.aggregates import Decided
from howff.servicekit.eventstore.store import CommitForm, EventStore, Mark, Recorded, StreamId


@dataclass(frozen=True, slots=True)
class Entry:
    version: int
    command: str
    amount: int


@dataclass(frozen=True, slots=True)
class Ledger:
    entries: tuple[Entry, ...] = ()

    @property
    def balance(self) -> int:
        return sum(entry.amount for entry in self.entries)


class OverdrawnError(RefusalError):
    code = "overdrawn"

    def __init__(self, balance: int, amount: int) -> None:
        super().__init__("overdrawn", expected=f"at least {-balance}", found=str(amount))


class ReusedError(RefusalError):
    code = "reused"


@dataclass(frozen=True, slots=True)
class Add:
    id: str
    amount: int

    @property
    def kind(self) -> str:
        return type(self).__name__

    def answered_by(self, aggregate: Ledger) -> int | None:
        return next((each.version for each in aggregate.entries if each.command == self.id), None)

    def check_repeated(self, aggregate: Ledger, commit: Entry) -> None:
        assert commit in aggregate.entries
        if commit.amount != self.amount:
            raise ReusedError("reused", expected=str(commit.amount), found=str(self.amount))

    def decide(self, aggregate: Ledger | None) -> Decided[Ledger, Entry]:
        ledger = aggregate or Ledger()
        if ledger.balance + self.amount < 0:
            raise OverdrawnError(ledger.balance, self.amount)
        entry = Entry(len(ledger.entries) + 1, self.id, self.amount)
        return Decided(entry, fold_entry(ledger, entry))


@dataclass(frozen=True, slots=True)
class AddAfterFee(Add):
    """Adds an amount, after a fee that is taken first, once, whatever becomes of the amount."""

    fee: int = 1

    def decide(self, aggregate: Ledger | None) -> Decided[Ledger, Entry]:
        ledger = aggregate or Ledger()
        fee = Add(f"fee-of-{self.id}", -self.fee)
        if fee.answered_by(ledger) is None:
            return replace(fee.decide(ledger), is_answer=False)
        return Add(self.id, self.amount).decide(ledger)


def fold_entry(ledger: Ledger | None, entry: Entry) -> Ledger:
    ledger = ledger or Ledger()
    return replace(ledger, entries=(*ledger.entries, entry))


def _decode(content: bytes) -> Entry:
    match json.loads(content):
        case {"version": int(version), "command": str(command), "amount": int(amount)}:
            return Entry(version, command, amount)
        case other:
            raise ValueError(f"no entry: {other!r}")


FORM: CommitForm[Entry] = CommitForm(lambda entry: json.dumps(asdict(entry)).encode(), _decode)


class SpiedStore:
    """A store that remembers what it was asked, call by call."""

    def __init__(self, store: EventStore[Entry]) -> None:
        self._store = store
        self.calls: list[str] = []

    async def append(self, stream: StreamId, commit: Entry, after: Mark) -> Mark:
        self.calls.append("append")
        return await self._store.append(stream, commit, after)

    async def tail(self, stream: StreamId, after: Mark) -> list[Recorded[Entry]]:
        self.calls.append("tail")
        return await self._store.tail(stream, after)

    async def read(self, stream: StreamId, at: Mark) -> Entry:
        self.calls.append("read")
        return await self._store.read(stream, at)
