"""Damage to exports, one kind at a time: to bytes and lines, and forgeries signed anew."""

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

from howff.engine.codec import JSON
from howff.match.canonical import canonical_line
from howff.match.commit import Commit
from howff.match.export import Export, write_export
from howff.match.report import differ
from support.exports import Played, told_of, whole_of
from support.forging import Change, changed, rechained, with_event, with_header
from support.rng import LocalRng

Damage = Callable[[Played, Export, LocalRng], bytes]
"""Returns a damaged file of a match; what it does not need is left unread."""

LUCKY = {
    "GameStarted": ("clans", "sets"),
    "GoodsPlaced": ("villages",),
    "DiscardPileFormed": ("order",),
    "RoundPileShuffled": ("order",),
    "StartingDealerChosen": ("seat",),
    "DiscardPileReshuffled": ("order",),
    "DealerCardRevealed": ("card",),
    "StartingPlayerChosen": ("seat",),
    "TradingDeckShuffled": ("order",),
    "TradingCardRevealed": ("card",),
    "GameSetUp": ("board_side", "start_seat"),
    "FloorLaid": ("spare", "floor"),
    "HandDealt": ("cards",),
    "StartSeatChosen": ("seat",),
    "CubesDrawn": ("cubes",),
    "CubesRedrawn": ("drawn",),
    "CardsDrawn": ("cards",),
    "EstateRemoved": ("number",),
    "PlayerDeckShuffled": ("order",),
    "MarketDeckShuffled": ("order",),
    "MarketFilled": ("placements",),
    "CardsLookedAt": ("cards",),
    "DieRolled": ("face",),
}
"""The fields of events that luck alone has made."""


def flipped(_: Played, export: Export, rng: LocalRng) -> bytes:
    """Change a bit or more of one byte."""
    content = bytearray(write_export(export))
    content[rng.draw("place", len(content))] ^= 1 + rng.draw("bits", 255)
    return bytes(content)


def swapped(_: Played, export: Export, rng: LocalRng) -> bytes:
    """Let two commits that follow each other change places."""
    at = rng.draw("commit", len(export.commits) - 1)
    before, first, second, after = (
        export.commits[:at],
        export.commits[at],
        export.commits[at + 1],
        export.commits[at + 2 :],
    )
    return write_export(replace(export, commits=(*before, second, first, *after)))


def left_out(_: Played, export: Export, rng: LocalRng) -> bytes:
    """Leave out a commit, and say so in the header."""
    at = rng.draw("commit", len(export.commits))
    return _counted(export, (*export.commits[:at], *export.commits[at + 1 :]))


def doubled(_: Played, export: Export, rng: LocalRng) -> bytes:
    """Tell a commit twice, and say so in the header."""
    at = rng.draw("commit", len(export.commits))
    return _counted(export, (*export.commits[: at + 1], *export.commits[at:]))


def other_seed(played: Played, _: Export, rng: LocalRng) -> bytes:
    """Reveal another seed, with hashes that follow from it."""
    seed = sha256(bytes([rng.draw("seed", 256)])).digest()
    whole = whole_of(played)
    forged = changed(whole, len(whole.commits), with_event(-1, seed=seed.hex()))
    return write_export(rechained(forged, seed=seed, game=played.game))


def seed_changed_throughout(played: Played, _: Export, rng: LocalRng) -> bytes:
    """Commit to another seed after the match, everywhere: only the draws do not follow."""
    seed = sha256(bytes([rng.draw("seed", 256)])).digest()
    commitment = sha256(seed).hexdigest()
    whole = whole_of(played)
    forged = changed(whole, len(whole.commits), with_event(-1, seed=seed.hex()))
    forged = changed(forged, 1, with_event(0, seed_commitment=commitment))
    forged = with_header(forged, seed_commitment=commitment)
    return write_export(rechained(forged, seed=seed, game=played.game))


def other_salt(_: Played, export: Export, rng: LocalRng) -> bytes:
    """Change a salt, where there is one, else a signature."""
    plain = _lines_of(export)
    salts = [
        each["salts"] for line in plain[1:] for each in (line, *line["events"]) if "salts" in each
    ]
    if not salts:
        return other_signature(_, export, rng)
    chosen = rng.roll("salts", salts)
    chosen[rng.roll("field", sorted(chosen))] = f"{rng.draw('salt', 2**30):032x}"
    return _written(plain)


def other_signature(_: Played, export: Export, rng: LocalRng) -> bytes:
    """Give a commit the signature of another, or one of nothing."""
    at = rng.draw("commit", len(export.commits))
    others = ["A" * 86, *(each.signature for each in export.commits if each.version != at + 1)]
    signature = rng.roll("signature", others)
    return write_export(changed(export, at + 1, lambda each: replace(each, signature=signature)))


def other_header(_: Played, export: Export, rng: LocalRng) -> bytes:
    """Change a field of the header."""
    plain = _lines_of(export)
    field = rng.roll("field", sorted(plain[0].keys() - {"keys"}))
    values: tuple[JSON, ...] = (
        "spectator",
        "all",
        "seat:0",
        "seat:9",
        "x",
        0,
        2,
        None,
        "ab" * 32,
        {},
    )
    plain[0][field] = rng.roll("value", [each for each in values if each != plain[0][field]])
    return _written(plain)


def other_viewer(played: Played, _: Export, rng: LocalRng) -> bytes:
    """Say that a log was told to another viewer than it was."""
    told = rng.roll("told", tuple(told_of(played)))
    viewers = ["spectator", *(f"seat:{seat}" for seat in range(len(told.header.seats)))]
    viewer = rng.roll("viewer", [each for each in viewers if each != told.header.viewer])
    return write_export(with_header(told, viewer=viewer))


def other_keys(_: Played, export: Export, rng: LocalRng) -> bytes:
    """Take away the keys, or put one there that has signed nothing."""
    plain = _lines_of(export)
    x = "A" * 43 if rng.draw("key", 2) else plain[0]["keys"][0]["x"][:-1]
    plain[0]["keys"] = [{"crv": "Ed25519", "kty": "OKP", "x": x}] if rng.draw("none", 3) else []
    return _written(plain)


def other_draws(played: Played, export: Export, rng: LocalRng) -> bytes:
    """Say that a commit has made other draws than it has, and sign that."""
    version = 1 + rng.draw("commit", len(export.commits))
    name = rng.roll(
        "name",
        ["discard pile", "trading deck", "floor tiles", "cards", "cubes", "reshuffle", "die"],
    )

    def change(commit: Commit) -> Commit:
        draws = commit.draws | {name: commit.draws.get(name, 0) + 1}
        return replace(commit, draws=draws)

    return _signed(played, changed(export, version, change))


def other_luck(played: Played, _: Export, rng: LocalRng) -> bytes:
    """Let luck have made something else than the seed says, and sign that."""
    whole = whole_of(played)
    places = [
        (commit.version, at, field)
        for commit in whole.commits
        for at, event in enumerate(commit.events)
        for field in LUCKY.get(event["type"], ())
        if event["data"].get(field)
    ]
    version, at, field = rng.roll("place", places)
    value = whole.commits[version - 1].events[at]["data"][field]
    event = with_event(at, **{field: _otherwise(value)})
    return _signed(played, changed(whole, version, event))


def other_move(played: Played, _: Export, rng: LocalRng) -> bytes:
    """Tell another move than the one that was made, and sign that: only the rules know better."""
    whole = whole_of(played)
    version = 2 + rng.draw("commit", len(whole.commits) - 1)
    move: JSON = {"type": "Pass", "data": {"x": rng.draw("x", 9)}}
    return _signed(played, changed(whole, version, lambda each: replace(each, move=move)))


def other_value(played: Played, export: Export, rng: LocalRng) -> bytes:
    """Put something else into a field of an event, and sign that."""
    version = 1 + rng.draw("commit", len(export.commits))
    events = export.commits[version - 1].events
    if not events:
        return flipped(played, export, rng)
    at = rng.draw("event", len(events))
    field = rng.roll("field", sorted(events[at]["data"]) or ["x"])
    values: tuple[JSON, ...] = (None, True, -1, 0, 1, 3, "x", "feed", [], [0], {}, {"sealed": "ab"})
    old = events[at]["data"].get(field)
    value = rng.roll("value", [each for each in values if differ(each, old)])
    return _signed(played, changed(export, version, with_event(at, **{field: value})))


def made_up_rules(played: Played, _: Export, rng: LocalRng) -> bytes:
    """Say that the match was played by rules that nobody has, and sign that."""
    rules = {"rules_version": f"{2 + rng.draw('version', 9)}"}
    forged = changed(whole_of(played), 1, with_event(0, **rules))
    return _signed(played, with_header(forged, **rules))


def rules_changed(played: Played, export: Export, rng: LocalRng) -> bytes:
    """Say that other rules have decided a commit, and sign that."""
    version = 2 + rng.draw("commit", len(export.commits) - 1)
    data = {"rules_version": "9", "data_hash": "ab" * 32}
    change: Change = lambda commit: replace(  # noqa: E731
        commit, events=({"type": "RulesChanged", "data": data}, *commit.events)
    )
    return _signed(played, changed(export, version, change))


KINDS: dict[str, Damage] = {
    damage.__name__: damage
    for damage in (
        *(flipped, swapped, left_out, doubled, other_seed, seed_changed_throughout, other_salt),
        *(
            other_signature,
            other_header,
            other_viewer,
            other_keys,
            other_draws,
            other_luck,
            other_move,
        ),
        *(other_value, made_up_rules, rules_changed),
    )
}
"""All kinds of damage, by name."""
AGAINST_LUCK = {"other_luck", "seed_changed_throughout"}
"""Those after which draws do not follow from the seed, though all else is in order."""
UNPROVEN = {"made_up_rules", "rules_changed", "other_viewer"}
"""Those that may be what they claim: a match by rules that are not installed, or a log in which all
that was told to one viewer alone has closed again, so that it could be another's."""
UNPROVEN_BEFORE_THE_END = {*UNPROVEN, "other_draws", "other_value"}
"""Those that nobody can tell from a match that goes on: what was drawn is a secret still."""


def _signed(played: Played, export: Export) -> bytes:
    return write_export(rechained(export, seed=played.seed, game=played.game))


def _counted(export: Export, commits: tuple[Commit, ...]) -> bytes:
    header = replace(export.header, commits=len(commits))
    return write_export(replace(export, header=header, commits=commits))


def _lines_of(export: Export) -> list[JSON]:
    return list(map(json.loads, write_export(export).splitlines()))


def _written(plain: list[JSON]) -> bytes:
    return b"".join(canonical_line(line) + b"\n" for line in plain)


def _otherwise(value: JSON) -> JSON:
    """Return another value of the same form."""
    if isinstance(value, dict):
        if len(set(map(type, value.values()))) == 1:
            return dict(zip(value, _otherwise(list(value.values())), strict=True))
        first = min(value)
        return value | {first: _otherwise(value[first])}
    if isinstance(value, list):
        turned = value[::-1]
        return turned if turned != value else [_otherwise(value[0]), *value[1:]]
    if isinstance(value, str):
        return "feed" if value != "feed" else "bridge"
    return value + 1
