"""Measure the engine and the match core: one JSON line a figure, medians of several runs.

Times are of this process alone (`time.process_time`), so that a busy machine disturbs less; the
figures are for one core.
"""

import gc
import json
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from howff.engine.catalogue import GAMES
from howff.engine.game import AnyGame
from howff.engine.play import fold
from howff.match.canonical import canonical_bytes
from howff.match.commands import StartMatch
from howff.match.commit import CommandId, MatchId, commit_from_json, commit_to_json
from howff.match.events import Bot
from howff.match.export import Export, read_export, write_export
from howff.match.match import Match, match_of
from howff.match.notary import Notary
from howff.match.record import Recorder
from howff.match.signatures import Signer
from howff.match.verify import verify
from support.rng import LocalRng

RUNS = 5
MATCHES = 12
"""How many matches a run plays or folds."""
CACHED = 6
"""How many matches are kept to see how much memory one takes."""
AT = datetime(2026, 1, 1, tzinfo=UTC)


def main() -> None:
    for game in GAMES.values():
        for seats in game.seats:
            for line in (*playouts(game, seats), *folding(game, seats)):
                report(game, seats, *line)
        most = game.seats[-1]
        for line in (*recording(game, most), *caching(game, most)):
            report(game, most, *line)


def report(game: AnyGame, seats: int, figure: str, value: float, unit: str) -> None:
    rounded = round(value, 4) if value < 1 else round(value, 1)
    line = {"figure": figure, "game": game.key, "seats": seats, "value": rounded, "unit": unit}
    print(json.dumps(line), flush=True)


def playouts(game: AnyGame, seats: int) -> Iterator[tuple[str, float, str]]:
    """Random matches by the functions that search uses, without the check of `Game.play`."""
    moves = sum(play_out(game, seats, seed)[0] for seed in range(MATCHES))
    seconds = median_seconds(lambda: [play_out(game, seats, seed) for seed in range(MATCHES)])
    yield "random playouts", moves / seconds, "moves/s"
    yield "random matches", MATCHES / seconds, "matches/s"
    yield "length of a random match", moves / MATCHES, "moves"


def folding(game: AnyGame, seats: int) -> Iterator[tuple[str, float, str]]:
    initial = game.initial(game.options(), seats)
    logs = [play_out(game, seats, seed)[1] for seed in range(MATCHES)]
    seconds = median_seconds(lambda: [fold(game.evolve, initial, log) for log in logs])
    yield "folding", sum(map(len, logs)) / seconds, "events/s"


def recording(game: AnyGame, seats: int) -> Iterator[tuple[str, float, str]]:
    """One match recorded as offline play does: decided, sealed, hashed, signed, folded."""
    seconds = median_seconds(lambda: record(game, seats))
    export = record(game, seats)
    content = write_export(export)
    commits = len(export.commits)
    yield "recording", commits / seconds, "commits/s"
    yield "bytes of a match", len(content), "bytes"
    yield "bytes of a commit", len(content) / commits, "bytes"
    yield "verifying a match", median_seconds(lambda: check(content, game)), "s"


def caching(game: AnyGame, seats: int) -> Iterator[tuple[str, float, str]]:
    """What a folded match takes in memory: several, each read from its own bytes."""
    logs = [lines_of(record(game, seats, seed)) for seed in range(CACHED)]
    folded(game, logs[0])
    tracemalloc.start()
    kept = [folded(game, log) for log in logs]
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    yield "commits of a cached match", sum(match.version for match in kept) / CACHED, "commits"
    yield "bytes of a cached match", size / CACHED, "bytes"


def lines_of(export: Export) -> list[bytes]:
    return [canonical_bytes(commit_to_json(commit)) for commit in export.commits]


def folded(game: AnyGame, lines: list[bytes]) -> Match:
    return match_of(game, [commit_from_json(json.loads(line)) for line in lines])


def play_out(game: AnyGame, seats: int, seed: int) -> tuple[int, tuple[Any, ...]]:
    """Return how many moves a random match took, and all its events."""
    rng = LocalRng(seed)
    draft = game.start(game.options(), seats, rng)
    state, events, moves = draft.state, draft.events, 0
    while to_act := game.to_act(state):
        legal = game.legal_moves(state, to_act[0])
        draft = game.decide(state, to_act[0], legal[rng.draw("move", len(legal))], rng)
        state, moves = draft.state, moves + 1
        events += draft.events
    return moves, tuple(events)


def record(game: AnyGame, seats: int, seed: int = 0) -> Export:
    command = StartMatch(
        id=CommandId("0"),
        match=MatchId(f"bench-{seed}"),
        options=game.options(),
        seats=(Bot("random"),) * seats,
        entropies=(None,) * seats,
    )
    recorder = Recorder(game, command, at=AT, notary=Notary(bytes(32), Signer.of(bytes(32))))
    rng = LocalRng(seed)
    while to_act := recorder.match.to_act:
        move = rng.roll("move", game.legal_moves(recorder.match.state, to_act[0]))
        recorder.play(to_act[0], move, at=AT)
    return recorder.export()


def check(content: bytes, game: AnyGame) -> None:
    failure = verify(read_export(content), game).failure
    assert failure is None, failure


def median_seconds(work: Callable[[], object]) -> float:
    work()
    seconds: list[float] = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)


if __name__ == "__main__":
    main()
