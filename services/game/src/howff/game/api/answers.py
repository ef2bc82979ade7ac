"""What the service knows, in the form in which the API gives it."""

from typing import Literal, get_args

from howff.engine.codec import to_json, to_tagged
from howff.engine.outcome import Outcome
from howff.engine.seats import Seat, Viewer
from howff.game.api.schemas import (
    AuditAnswer,
    CheckAnswer,
    Clocks,
    MatchAnswer,
    MomentAnswer,
    MoveLine,
    MovesAnswer,
    Parent,
    PlayedAnswer,
    Receipt,
    Standing,
    Tagged,
)
from howff.game.application.looking_back import Moment
from howff.game.application.matches import Answer
from howff.game.application.orders import seat_message
from howff.game.domain.seating import Asker, may_move
from howff.game.domain.telling import plain_of, seat_names
from howff.match.clocks import time_at
from howff.match.commit import Commit, time_text
from howff.match.export import WHOLE, viewer_name
from howff.match.match import Match
from howff.match.presence import Wish
from howff.match.report import Report


def match_answer(match: Match, viewer: Viewer) -> MatchAnswer:
    """Return *match* as *viewer* may see it; the whole state too once it is over."""
    game, started = match.game, match.started
    return MatchAnswer(
        match=match.id,
        version=match.version,
        viewer=viewer_name(viewer),
        game=game.key,
        title=game.title,
        rules_version=game.rules_version,
        options=started.options,
        seats=list(map(seat_message, started.seats)),
        watch=started.watch,
        rated=started.rated,
        seed_commitment=started.seed_commitment,
        clock=None if started.clock is None else to_json(type(started.clock), started.clock),
        on_flag=started.on_flag,
        on_leave=started.on_leave,
        stand_in=started.stand_in,
        parent=_parent(match),
        to_act=list(match.to_act),
        standings=standings_of(match),
        clocks=clocks_of(match),
        is_over=match.is_over,
        is_aborted=match.is_aborted,
        view=to_json(game.view_type, game.view(match.state, viewer)),
        outcome=to_json(Outcome | None, match.outcome),
        state=to_json(game.state, match.state) if match.is_over else None,
    )


def moment_answer(moment: Moment, viewer: Viewer | Literal["all"]) -> MomentAnswer:
    """Return a *moment* of a match that is over, as *viewer* saw it then."""
    match, game = moment.match, moment.match.game
    is_all = viewer == WHOLE
    eyes = None if viewer == WHOLE else viewer
    return MomentAnswer(
        match=match.id,
        version=match.version,
        viewer=WHOLE if is_all else viewer_name(eyes),
        game=game.key,
        at=match.at,
        commit=plain_of(moment.commit if is_all else moment.told(eyes)),
        to_act=list(match.to_act),
        standings=standings_of(match),
        clocks=clocks_of(match),
        view=to_json(game.view_type, game.view(match.state, eyes)),
        state=to_json(game.state, match.state) if is_all or match.is_over else None,
    )


def audit_answer(match: Match, viewer: Viewer, report: Report) -> AuditAnswer:
    """Return what an audit of *match*, as *viewer* may read it, has found."""
    return AuditAnswer(
        match=match.id,
        version=match.version,
        viewer=WHOLE if match.is_over else viewer_name(viewer),
        is_sound=report.failure is None,
        checks=[
            CheckAnswer(name=each.name, result=each.result, detail=each.detail)
            for each in report.checks
        ],
        keys=list(report.keys),
    )


def standings_of(match: Match) -> list[Standing]:
    """Return how each seat stands beside the game."""
    return [_standing(match, Seat(seat)) for seat in range(len(match.started.seats))]


def clocks_of(match: Match) -> Clocks | None:
    """Return the clocks of *match*, if it has some."""
    clocks = match.clocks
    if clocks is None:
        return None
    due = None if match.due is None else time_text(time_at(match.due))
    return Clocks(at=time_text(time_at(clocks.at)), is_paused=match.is_paused, due=due)


def _standing(match: Match, seat: Seat) -> Standing:
    presence, clocks = match.presence, match.clocks
    return Standing(
        resigned=presence.resigned.get(seat),
        stand_in=presence.stand_ins.get(seat),
        wants=[wish for wish in get_args(Wish) if seat in presence.wish(wish) & match.voters],
        milliseconds_left=None if clocks is None else clocks.left[seat],
        is_running=clocks is not None and seat in clocks.owing and not match.is_paused,
    )


def _parent(match: Match) -> Parent | None:
    if match.parent is None:
        return None
    parent, version = match.parent
    return Parent(match=parent, version=version)


def moves_answer(match: Match, seat: Seat, asker: Asker) -> MovesAnswer:
    """Return what *asker* may do now for *seat*."""
    moves = match.game.legal_moves(match.state, seat) if may_move(match, seat, asker) else ()
    view, names = match.game.view(match.state, seat), seat_names(match)
    return MovesAnswer(
        version=match.version,
        seat=seat,
        moves=[
            MoveLine(
                move=Tagged.model_construct(**to_tagged(move)),
                text=match.game.explain(view, seat, move, names),
            )
            for move in moves
        ],
    )


def played_answer(answer: Answer) -> PlayedAnswer:
    """Return what answers a command."""
    told = answer.told
    return PlayedAnswer.model_construct(
        version=told.version, receipt=receipt_of(told), commit=plain_of(told)
    )


def receipt_of(commit: Commit) -> Receipt:
    """Return the promise that the log holds *commit*."""
    return Receipt(
        match=commit.match,
        version=commit.version,
        hash=commit.hash,
        key=commit.key,
        signature=commit.signature,
    )
