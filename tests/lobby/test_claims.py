"""Tickets that several tables want, while what follows from commits comes late and again."""

import os
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from howff.engine.errors import RefusalError
from support.claims import Claims
from support.rng import LocalRng
from support.running import run

RUNS = 2000 if os.environ.get("HOWFF_LONG") else 40


async def played(seed: int) -> Claims:
    """Return the lobby after tickets were opened, wanted and taken back at random."""
    rng = LocalRng(seed)
    claims = Claims(rng)
    tickets = [f"{account}-{number}" for account in "ABCD" for number in range(2)]
    for ticket in tickets:
        await claims.open(ticket[0], ticket)
    for number in range(8):
        chosen = tuple(rng.shuffle("wanted", tickets))[: 2 + rng.roll("seats", range(2))]
        if len({each[0] for each in chosen}) == len(chosen):
            fate = rng.roll("start", ("", "", "-refused"))
            await claims.propose(f"table-{number}{fate}", chosen)
        if not rng.roll("cancel", range(4)):
            with suppress(RefusalError):
                await claims.cancel(rng.roll("cancelled", tickets))
        for _ in range(rng.roll("deliveries", range(6))):
            if claims.waiting:
                await claims.deliver()
    await claims.settle()
    return claims


@settings(max_examples=RUNS, deadline=None)
@given(st.integers(0, 2**32))
def test_a_ticket_leads_to_one_match_whatever_comes_late_or_twice(seed: int) -> None:
    async def story() -> None:
        claims = await played(seed)
        seated: dict[str, str] = {}
        for name in claims.tables:
            table = await claims.table(name)
            assert table.phase in {"playing", "closed"}
            assert (table.phase == "playing") == (name in claims.begun)
            if table.phase == "playing":
                for person in table.persons.values():
                    assert person.ticket is not None
                    assert seated.setdefault(person.ticket, name) == name
        for ticket, account in claims.tickets.items():
            known = await claims.known(account)
            assert known.claimed is None
            matched = {each.ticket.ticket: each.table for each in known.ended if each.table}
            assert matched.get(ticket) == seated.get(ticket)

    run(story)


@settings(max_examples=RUNS, deadline=None)
@given(st.integers(0, 2**32))
def test_nobody_waits_on_after_its_match_has_begun(seed: int) -> None:
    async def story() -> None:
        claims = await played(seed)
        for account in set(claims.tickets.values()):
            known = await claims.known(account)
            if any(each.table for each in known.ended):
                assert not known.waiting

    run(story)
