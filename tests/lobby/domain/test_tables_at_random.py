"""What is so at every table, whatever several accounts and the platform ask in whatever order."""

from typing import Final, TypeVar

from hypothesis import given, note, settings
from hypothesis import strategies as st

from conftest import IS_LONG
from howff.engine.errors import RefusalError
from howff.lobby.application.ledgers import TABLES
from howff.lobby.domain.tables.commands import (
    CloseTable,
    DissolveTable,
    LeaveSeat,
    MakeInvitation,
    MatchTickets,
    NoteBegun,
    NoteOver,
    NoteRefused,
    OpenRematch,
    OpenTable,
    RemoveAccount,
    RevokeInvitation,
    SeatBot,
    SettleMatched,
    StartTable,
    TableCommand,
    TakeSeat,
    TellReady,
    WithdrawReady,
)
from howff.lobby.domain.tables.events import (
    SeatReadied,
    SeatTaken,
    TableEvent,
    TableStarted,
    Visibility,
)
from howff.lobby.domain.tables.table import Person, Table
from howff.servicekit.eventstore.commits import PlainCommit
from support.given import NOW, folded
from support.lobby_domain import COMMITMENT, TERMS, hash_of, matched
from support.rng import LocalRng

T = TypeVar("T")

ACCOUNTS: Final = ("ada", "bea", "cid", "dan")
INVITATIONS: Final = ("one", "two", "three")
TEXTS: Final = (None, "red", "green", "blue")
HASHES: Final = {each: None if each is None else hash_of(each) for each in TEXTS}
TEXTS_OF: Final = {hashed: text for text, hashed in HASHES.items()}
STEPS: Final = 150


class Evening:
    """A table of three seats and four accounts, each of which knows all that was told to any."""

    def __init__(self, seed: int) -> None:
        self.rng = LocalRng(seed)
        self.state: Table | None = None
        self.events: list[TableEvent] = []
        self.fixed: dict[int, int] = {}
        """By seat, how many events there were when its player sat down or fixed an entropy."""
        self.told: dict[int, int] = {}
        """By seat, how many there were when that entropy was told."""

    @property
    def table(self) -> Table:
        assert self.state is not None
        return self.state

    def order(self, command: TableCommand) -> None:
        before = self.state
        try:
            caused = TABLES.decide(before, command, NOW)
        except RefusalError:
            return
        assert caused, "what changes nothing is refused"
        assert before is None or before.phase not in {"closed", "over"}
        for event in caused:
            self._note(event)
            self.events.append(event)
        self.state = folded(TABLES, before, caused)
        if before is not None and before.phase != "open":
            assert self.table.holders == before.holders
        if self.table.phase in {"starting", "playing", "over"}:
            assert not self.table.free or self.table.refusal is not None
        check_seats(self.table)
        self._check_entropies()

    def _note(self, event: TableEvent) -> None:
        match event:
            case SeatTaken(seat):
                self.fixed[seat] = len(self.events)
                self.told.pop(seat, None)
            case SeatReadied(seat, str()):
                self.told.setdefault(seat, len(self.events))
            case TableStarted() if not self.table.is_matched:
                assert not self.table.free
                assert all(each.is_ready for each in self.table.persons.values())
            case _:
                pass

    def _check_entropies(self) -> None:
        """Those that count were told to a full table, after all had fixed theirs."""
        for seat, person in self.table.persons.items():
            if person.entropy is not None:
                assert hash_of(person.entropy) == person.entropy_hash
                assert not self.table.free
                assert self.told[seat] > max(self.fixed[each] for each in self.table.persons)

    def opening(self) -> TableCommand:
        visibility: Visibility = self._one_of(("public", "invitation"))
        seat = self._one_of((None, 0, 1, 2))
        hashed = None if seat is None else HASHES[self._one_of(TEXTS)]
        bots = self._one_of(((None, None, "random"), (None, None, None)))
        opened = OpenTable(
            by="ada",
            terms=TERMS,
            visibility=visibility,
            seed_commitment=COMMITMENT,
            seat=seat,
            entropy_hash=hashed,
        )
        rematch = OpenRematch(
            by="bea",
            terms=TERMS,
            visibility=visibility,
            seed_commitment=COMMITMENT,
            reserved=("ada", "bea", None if bots[2] else "cid"),
            bots=bots,
            previous="former",
        )
        tickets = MatchTickets(terms=TERMS, seed_commitment=COMMITMENT, seats=matched().seats)
        openings: tuple[TableCommand, ...] = (opened, opened, rematch, rematch, tickets)
        return self._one_of(openings)

    def anything(self) -> TableCommand:
        """Return what anybody may ask, or what somebody with a seat is likely to ask."""
        by, seat, entropy = self._one_of(ACCOUNTS), self._one_of((0, 1, 2)), self._one_of(TEXTS)
        invitation = self._one_of(INVITATIONS)
        person = self.table.persons.get(seat)
        if person is not None and self.rng.draw("likely", 3):
            by, entropy = person.account, TEXTS_OF[person.entropy_hash]
        fixed = HASHES[self._one_of(TEXTS)]
        host = self.table.host or by
        menu: tuple[TableCommand, ...] = (
            *(TakeSeat(by=by, seat=seat, entropy_hash=fixed, invitation=invitation),) * 6,
            *(TellReady(by=by, seat=seat, entropy=entropy),) * 9,
            *(StartTable(by=host), SettleMatched()) * 2,
            *(MakeInvitation(by=host, invitation=invitation),) * 2,
            NoteRefused(self._one_of((0, 1, 2)), "code", "detail"),
            LeaveSeat(by=by, seat=seat),
            LeaveSeat(by=host, seat=seat),
            SeatBot(by=host, seat=seat, level="random"),
            WithdrawReady(by=by, seat=seat),
            RevokeInvitation(by=host, invitation=invitation),
            self._rare(by),
        )
        return self._one_of(menu)

    def _rare(self, by: str) -> TableCommand:
        menu: tuple[TableCommand, ...] = (
            RemoveAccount(account=by, because="suspended"),
            CloseTable(by=by),
            DissolveTable(because="expired"),
            NoteBegun(),
            NoteOver(),
            *(StartTable(by=by),) * 5,
        )
        return self._one_of(menu)

    def _one_of(self, options: tuple[T, ...]) -> T:
        return self.rng.roll("any", options)


def check_seats(table: Table) -> None:
    """Nobody has two seats, or one that is kept for somebody else."""
    accounts = [each.account for each in table.persons.values()]
    assert len(accounts) == len(set(accounts))
    for holder, kept in zip(table.seats, table.reserved, strict=True):
        if kept is not None and holder is not None:
            assert isinstance(holder, Person)
            assert holder.account == kept


@settings(max_examples=5000 if IS_LONG else 40)
@given(seed=st.integers(0, 2**32))
def test_a_table_keeps_its_promises_whatever_is_asked_of_it(seed: int) -> None:
    evening = Evening(seed)
    evening.order(evening.opening())
    for _ in range(STEPS):
        evening.order(evening.anything())
    events = tuple(evening.events)
    note("\n".join(map(str, events)))
    assert folded(TABLES, None, events) == evening.state
    commit = PlainCommit("lobby.table.t", 1, "c", "a", "ada", "now", events)
    assert TABLES.form.read(TABLES.form.encode(commit)) == commit
