"""The `howff` command, and matches for it to work on."""

from datetime import UTC, datetime
from functools import cache

from typer.testing import CliRunner, Result

from howff.cli.app import app
from howff.engine.catalogue import game_of
from howff.engine.seats import Seat
from howff.match.commands import StartMatch
from howff.match.commit import CommandId, MatchId
from howff.match.events import Account, Bot
from howff.match.export import Export, export_for
from howff.match.notary import Notary
from howff.match.record import Recorder
from howff.match.signatures import Signer
from support.forging import changed, rechained, with_event, with_header
from support.rng import LocalRng

AT = datetime(2026, 11, 27, 21, 14, 3, 120000, UTC)
SEED = bytes(range(32))
SIGNER = Signer.of(bytes(reversed(range(32))))


def howff(*arguments: str, typed: str = "", columns: int = 120) -> Result:
    """Return how the command ends when *typed* is all that is entered."""
    return CliRunner(env={"COLUMNS": str(columns)}).invoke(app, list(arguments), input=typed)


@cache
def played_export() -> Export:
    """Return a short match of two that was played to its end."""
    recorder = _recorder()
    rng = LocalRng(1)
    while to_act := recorder.match.to_act:
        _play_one(recorder, to_act[0], rng)
    return recorder.export()


@cache
def redacted_export() -> Export:
    """Return a match that goes on, as seat 0 may read it."""
    recorder = _recorder()
    rng = LocalRng(1)
    for _ in range(40):
        _play_one(recorder, recorder.match.to_act[0], rng)
    return export_for(recorder.match, recorder.commits, Seat(0), SEED, (SIGNER.public_key,))


@cache
def export_of_unknown_rules() -> Export:
    """Return a signed match in the name of rules that nobody has, with a seat that is none."""
    export = played_export()
    renamed = with_event(0, rules_version="9")
    export = changed(with_header(export, rules_version="9"), 1, renamed)
    version, at = next(
        (commit.version, at)
        for commit in export.commits
        for at, event in enumerate(commit.events)
        if event["type"] == "HorsePassed"
    )
    strange = changed(export, version, with_event(at, from_seat=77))
    return rechained(strange, SIGNER, SEED, game_of("troedler"))


def _recorder() -> Recorder:
    game = game_of("troedler")
    command = StartMatch(
        id=CommandId("start"),
        match=MatchId("a-match"),
        options=game.read_options({"round_limit": 3}),
        seats=(Account("ivy"), Bot("random")),
        entropies=(None, "heather"),
    )
    return Recorder(game, command, at=AT, notary=Notary(SEED, SIGNER))


def _play_one(recorder: Recorder, seat: Seat, rng: LocalRng) -> None:
    moves = recorder.match.game.legal_moves(recorder.match.state, seat)
    recorder.play(seat, rng.roll("move", moves), at=AT)
