"""What the service knows, in the form in which the API gives it."""

from howff.engine.codec import to_json, to_tagged
from howff.engine.outcome import Outcome
from howff.engine.seats import Seat, Viewer
from howff.game.api.schemas import (
    MatchAnswer,
    MoveLine,
    MovesAnswer,
    PlayedAnswer,
    Receipt,
    Tagged,
)
from howff.game.application.matches import Answer
from howff.game.application.orders import seat_message
from howff.match.commit import Commit, actor_of, commit_to_json
from howff.match.export import SPECTATOR
from howff.match.match import Match


def viewer_name(viewer: Viewer) -> str:
    """Return how *viewer* is named."""
    return SPECTATOR if viewer is None else actor_of(viewer)


def match_answer(match: Match, viewer: Viewer) -> MatchAnswer:
    """Return *match* as *viewer* may see it; the whole state too once it is over."""
    game, started = match.game, match.started
    return MatchAnswer(
        match=match.id,
        version=match.version,
        viewer=viewer_name(viewer),
        game=game.key,
        title=game.title,
        rules_version=match.rules.rules_version,
        options=started.options,
        seats=list(map(seat_message, started.seats)),
        watch=started.watch,
        rated=started.rated,
        seed_commitment=started.seed_commitment,
        to_act=list(match.to_act),
        is_over=match.is_over,
        view=to_json(game.view_type, game.view(match.state, viewer)),
        outcome=to_json(Outcome | None, match.outcome),
        state=to_json(game.state, match.state) if match.is_over else None,
    )


def moves_answer(match: Match, seat: Seat) -> MovesAnswer:
    """Return what *seat* may do now."""
    moves = () if match.is_over else match.game.legal_moves(match.state, seat)
    view = match.game.view(match.state, seat)
    names = tuple(f"Seat {each}" for each in range(len(match.started.seats)))
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
    """Return what answers a move."""
    told = answer.told
    return PlayedAnswer.model_construct(
        version=told.version, receipt=receipt_of(told), commit=commit_to_json(told)
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
