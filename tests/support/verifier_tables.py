"""The data files of `tools/verify.mjs`: what it has to know of events, since it has no rules.

Write them anew, when a class of events has changed:

    PYTHONPATH=tests .venv/bin/python -m support.verifier_tables
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON, classes_of
from howff.engine.game import AnyGame
from howff.engine.schema import schema_of
from howff.engine.visibility import visibilities
from howff.match.events import PlatformEvent
from howff.match.redaction import CommandTold

TOOLS = Path(__file__).parents[2] / "tools"
FOLDER = TOOLS / "games"


def files() -> Mapping[Path, str]:
    """Return the content of each data file, by its path."""
    told = {f"{game.key}.json": _table_of(game) for game in GAMES.values()}
    told["platform.json"] = {
        "command": _covered(CommandTold),
        "events": _events(PlatformEvent),
    }
    return {FOLDER / name: _written(table) for name, table in told.items()}


def _table_of(game: AnyGame) -> dict[str, JSON]:
    return {
        "game": game.key,
        "rules_version": game.rules_version,
        "data_hash": game.data_hash,
        "seats": list(game.seats),
        "options": _bare(schema_of(game.options)),
        "events": _events(game.event),
    }


def _events(union: Any) -> dict[str, JSON]:
    return {
        kind.__name__: {"covered": _covered(kind), "form": _form(kind)}
        for kind in classes_of(union)
    }


def _covered(kind: type) -> dict[str, JSON]:
    """Return who may know each field of *kind* that is not public; null stands for everybody."""
    return {
        name: {
            "momentary": each.momentary,
            "seats": None if each.seats is None else list(each.seats),
        }
        for name, each in visibilities(kind).items()
    }


def _form(kind: type) -> JSON:
    """Return the schema of *kind* with open fields; which ones may stand sealed is said apart."""
    form = _bare(schema_of(kind))
    for name in visibilities(kind):
        form["properties"][name] = form["properties"][name]["anyOf"][0]
    return form


def _bare(schema: JSON) -> JSON:
    """Return *schema* without what says nothing of the form."""
    bare = {key: each for key, each in schema.items() if key not in _SAYS_NOTHING}
    for key in {"anyOf", "prefixItems"} & bare.keys():
        bare[key] = [_bare(each) for each in bare[key]]
    if "items" in bare:
        bare["items"] = _bare(bare["items"])
    if "properties" in bare:
        bare["properties"] = {name: _bare(each) for name, each in bare["properties"].items()}
    return bare


_SAYS_NOTHING = {"additionalProperties", "default", "description"}


def _written(table: dict[str, JSON]) -> str:
    """Return *table* as JSON with a line an event, so that a change is a line."""
    events = table["events"]
    lines = [f"  {json.dumps(name)}: {json.dumps(each)}" for name, each in events.items()]
    head = [f"{json.dumps(key)}: {json.dumps(table[key])},\n" for key in table if key != "events"]
    return "{" + "".join(head) + '"events": {\n' + ",\n".join(lines) + "\n}}\n"


if __name__ == "__main__":
    for path, content in files().items():
        path.write_text(content, "utf-8")
