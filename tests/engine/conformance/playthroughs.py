"""Golden playthroughs: matches kept in files, with hashes of all that was seen.

There is one for each number of seats, and one for each set of options. A file holds a header and
then a line a step: who moved, the move, the events, and the first 12 digits of the SHA-256 of the
state after it, of the view of each seat, and of a spectator's. A file of an earlier version of the
rules, kept under another name, is folded and not played again.

`pytest tests/engine/conformance --write-playthroughs -k KEY` writes the files of one game.
"""

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from engine.conformance.subjects import Case, cases_of
from howff.engine.codec import JSON, canonical, from_json, from_tagged, to_json, to_tagged
from howff.engine.game import AnyGame
from howff.engine.outcome import Outcome
from howff.engine.play import fold
from howff.engine.seats import Seat
from support.playouts import Playout, Step

FOLDER: Final = Path(__file__).parents[1] / "playthroughs"


def cases_kept(game: AnyGame) -> tuple[Case, ...]:
    """Return the cases with a playthrough: every number of seats, and each choice of options."""
    usual = tuple(case for case in cases_of(game) if case.options == game.options())
    unusual = (case for case in cases_of(game) if case.options != game.options())
    kept: dict[tuple[str, ...], Case] = {}
    for case in unusual:
        kept.setdefault(_chosen(case), case)
    return (*usual, *kept.values())


def _chosen(case: Case) -> tuple[str, ...]:
    """Return the names of the options that are not by default."""
    defaults = to_json(case.game.options, case.game.options())
    options = to_json(case.game.options, case.options)
    return tuple(name for name in options if options[name] != defaults[name])


def path_of(name: str) -> Path:
    """Return the file of the playthrough of the case called *name*."""
    return FOLDER / f"{name}.jsonl"


def paths_of(game: AnyGame) -> tuple[Path, ...]:
    """Return all files of *game*, those of earlier rules among them."""
    return tuple(sorted(FOLDER.glob(f"{game.key}-*.jsonl")))


def text_of(case: Case) -> str:
    """Return the playthrough of a case as the rules decide it now."""
    playout = case.play_out(case.entry.playthrough_seed)
    lines = [_header(case, playout), *(_line(playout, step) for step in playout.steps)]
    return "".join(f"{canonical(line)}\n" for line in lines)


def lines_of(path: Path) -> list[str]:
    """Return the lines of a file."""
    key = path.stem.partition("-")[0]
    assert path.exists(), (
        f"{path.name}: no golden playthrough: write it with "
        f"pytest tests/engine/conformance --write-playthroughs -k {key}"
    )
    return path.read_text("utf-8").splitlines()


def check_folds(game: AnyGame, path: Path) -> None:
    """Check that the events of a file still lead to the same states, views and outcome."""
    header, *lines = map(json.loads, lines_of(path))
    seats = header["seats"]
    state = game.initial(from_json(game.options, header["options"]), seats)
    for version, line in enumerate(lines, start=1):
        events = [from_tagged(game.event, event) for event in line["events"]]
        state = fold(game.evolve, state, events)
        found = _hashes(game, seats, state)
        assert found == line["hashes"], f"{path.name} looks different at version {version}"
    outcome = to_json(Outcome, game.outcome(state))
    assert outcome == header["outcome"], f"{path.name} ends otherwise"


def _header(case: Case, playout: Playout) -> JSON:
    game = case.game
    return {
        "game": game.key,
        "rules_version": game.rules_version,
        "data_hash": game.data_hash,
        "options": to_json(game.options, playout.options),
        "seats": playout.seats,
        "seed": case.entry.playthrough_seed,
        "outcome": to_json(Outcome, game.outcome(playout.final)),
    }


def _line(playout: Playout, step: Step) -> JSON:
    return {
        "seat": step.seat,
        "move": None if step.move is None else to_tagged(step.move),
        "events": [to_tagged(event) for event in step.events],
        "hashes": _hashes(playout.game, playout.seats, step.after),
    }


def _hashes(game: AnyGame, seats: int, state: Any) -> JSON:
    views = [game.view(state, viewer) for viewer in (*map(Seat, range(seats)), None)]
    seen = [_hash(to_json(game.view_type, view)) for view in views]
    return [_hash(to_json(game.state, state)), *seen]


def _hash(plain: JSON) -> str:
    return hashlib.sha256(canonical(plain).encode()).hexdigest()[:12]
