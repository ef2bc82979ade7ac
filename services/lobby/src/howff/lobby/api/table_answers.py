"""Tables in the form in which the API tells them."""

from typing import assert_never

from howff.lobby.api.table_schemas import InvitationView, RefusalView, SeatView, TableView
from howff.lobby.application.clocks import clock_message
from howff.lobby.application.tables import Found
from howff.lobby.domain.tables.table import Holder, Person, Table
from howff.match.events import Bot


def table_view(found: Found, viewer: str | None) -> TableView:
    """Return a table as the account *viewer* sees it."""
    table, terms = found.table, found.table.terms
    has_match = table.phase in {"playing", "over"}
    return TableView(
        id=found.id,
        version=found.folded.version,
        phase=table.phase,
        host=table.host,
        game=terms.game,
        options=terms.options,
        clock=clock_message(terms.clock),
        on_flag=terms.on_flag,
        on_leave=terms.on_leave,
        stand_in=terms.stand_in,
        visibility=table.visibility,
        watch=terms.watch,
        rated=terms.rated,
        seed_commitment=table.seed_commitment,
        seats=[_seat_view(table, at, each) for at, each in enumerate(table.seats)],
        invitations=_invitations(table) if viewer == table.host else None,
        attempt=table.attempt,
        refusal=_refusal(table),
        closed_because=table.closed_because,
        match=found.id if has_match else None,
        previous=table.previous,
        opened_at=found.folded.began_at,
    )


def _seat_view(table: Table, seat: int, holder: Holder) -> SeatView:
    view = SeatView(seat=seat, reserved_for=table.reserved[seat])
    match holder:
        case None:
            return view
        case Bot(level):
            return view.model_copy(update={"bot": level, "ready": True})
        case Person():
            told = {
                "account": holder.account,
                "ready": holder.is_ready,
                "entropy_hash": holder.entropy_hash,
                "entropy": holder.entropy,
            }
            return view.model_copy(update=told)
        case _:
            assert_never(holder)


def _invitations(table: Table) -> list[InvitationView]:
    return [InvitationView(id=each.invitation, seat=each.seat) for each in table.invitations]


def _refusal(table: Table) -> RefusalView | None:
    if table.refusal is None:
        return None
    return RefusalView(code=table.refusal.code, detail=table.refusal.detail)
