"""What the rules and the API say to an order, judged without the service."""

from howff.engine.codec import from_tagged, to_tagged
from howff.engine.errors import MalformedError
from howff.match.commit import CommandId, actor_of
from howff.match.errors import CommandIdReusedError
from howff.match.match import Match
from support.histories.course import Course
from support.histories.history import Order


def refusal_at(course: Course, version: int, order: Order) -> str | None:
    """Return the code by which *order* is refused at *version* of a match, None if it is not."""
    match = course.state(version)
    try:
        move = from_tagged(match.game.move, order.move)
    except MalformedError as error:
        return error.code
    known = match.commands.version_of(actor_of(order.seat), CommandId(order.command))
    if known is not None:
        is_same = course.commits[known - 1].move == order.move
        return None if is_same else CommandIdReusedError.code
    if order.expected_version not in {None, version}:
        return "stale_version"
    return _refusal_of_rules(match, order, to_tagged(move))


def _refusal_of_rules(match: Match, order: Order, move: object) -> str | None:
    if not match.to_act:
        return "match_over"
    if order.seat in match.presence.resigned:
        return "resigned"
    if order.seat not in match.to_act:
        return "not_your_decision"
    legal = map(to_tagged, match.game.legal_moves(match.state, order.seat))
    return None if move in legal else "illegal_move"
