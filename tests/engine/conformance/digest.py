"""Print the hash of a match of every case, in the short run of every other one."""

import hashlib

from engine.conformance.subjects import CASES, IS_LONG, Case
from howff.engine.codec import canonical, to_json, to_tagged

MOST_STEPS = 100


def digest(case: Case) -> str:
    """Return the SHA-256 of all that is said and seen in one match."""
    text = hashlib.sha256()
    playout = case.play_out(seed=1)
    for step in playout.steps[:MOST_STEPS]:
        for event in step.events:
            text.update(canonical(to_tagged(event)).encode())
        text.update(canonical(to_json(case.game.state, step.after)).encode())
        for viewer in playout.viewers:
            view = case.game.view(step.after, viewer)
            text.update(canonical(to_json(case.game.view_type, view)).encode())
        for seat in case.game.to_act(step.after):
            moves = case.game.legal_moves(step.after, seat)
            text.update(canonical([to_tagged(move) for move in moves]).encode())
    return text.hexdigest()


if __name__ == "__main__":
    for each in CASES if IS_LONG else CASES[::2]:
        print(each.name, digest(each))  # noqa: T201 — this is what the caller reads
