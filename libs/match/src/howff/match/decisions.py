"""What a command causes: events, and the draws that they took. Nothing is recorded here."""

from dataclasses import dataclass
from typing import Any, assert_never

from howff.engine.codec import to_json
from howff.engine.game import AnyGame
from howff.match.canonical import sha256_hex
from howff.match.commands import Command, PlayMove, StartMatch
from howff.match.draws import Draws, Entropies
from howff.match.errors import WrongEntropiesError, WrongSeedError
from howff.match.events import MatchEnded, MatchStarted, RulesChanged, SeedRevealed
from howff.match.match import Match

MOST_ENTROPY = 64
SEED_BYTES = 32


@dataclass(frozen=True, slots=True)
class Decision:
    """What a command causes; *state* is that of the game after it."""

    events: tuple[object, ...]
    draws: dict[str, int]
    state: Any


def check_start(game: AnyGame, command: StartMatch) -> None:
    """Refuse a start that would be refused whatever the seed.

    Raises:
        WrongEntropiesError: there is not one entropy a seat, or one is too long.
        EngineError: the game is not for so many seats, or not for these options.
    """
    check_entropies(command.entropies, len(command.seats))
    game.opening(command.options, len(command.seats))


def decide_start(game: AnyGame, command: StartMatch, seed: bytes) -> Decision:
    """Return the opening of a match.

    Raises:
        WrongSeedError: the seed has not its 32 bytes.
        WrongEntropiesError: there is not one a seat, or one is too long.
        EngineError: the game is not for so many seats, or not for these options.
    """
    if len(seed) != SEED_BYTES:
        raise WrongSeedError(expected=f"{SEED_BYTES} bytes", found=str(len(seed)))
    check_entropies(command.entropies, len(command.seats))
    draws = Draws(seed, command.match, command.entropies, {})
    draft = game.start(command.options, len(command.seats), draws)
    events = (started(game, command, seed), *draft.events, *_ending(game, draft.state, seed))
    return Decision(events, draws.made, draft.state)


def started(game: AnyGame, command: StartMatch, seed: bytes) -> MatchStarted:
    """Return the event that opens the match, which tells its terms."""
    return MatchStarted(
        game.key,
        game.rules_version,
        game.data_hash,
        to_json(game.options, command.options),
        command.seats,
        command.watch,
        command.rated,
        sha256_hex(seed),
        command.entropies,
    )


def decide(match: Match, command: Command, seed: bytes) -> Decision:
    """Return what *command* causes in *match*.

    Raises:
        WrongSeedError: the seed is of another match.
        EngineError: the rules do not allow it.
    """
    match command:
        case PlayMove():
            return _decide_move(match, command, seed)
        case _:
            assert_never(command)


def _decide_move(match: Match, command: PlayMove, seed: bytes) -> Decision:
    if sha256_hex(seed) != match.started.seed_commitment:
        raise WrongSeedError(expected="the seed of the match", found="that of another")
    game = match.game
    draws = Draws(seed, match.id, match.started.entropies, match.draws)
    draft = game.play(match.state, command.seat, command.move, draws)
    installed = RulesChanged(game.rules_version, game.data_hash)
    changed = () if installed == match.rules else (installed,)
    events = (*changed, *draft.events, *_ending(game, draft.state, seed))
    return Decision(events, draws.made, draft.state)


def _ending(game: AnyGame, state: Any, seed: bytes) -> tuple[object, ...]:
    outcome = game.outcome(state)
    if outcome is None:
        return ()
    return MatchEnded("finished", outcome), SeedRevealed(seed.hex())


def check_entropies(entropies: Entropies, seats: int) -> None:
    """Refuse entropies that are not one a seat, each short or null.

    Raises:
        WrongEntropiesError: they are not.
    """
    given = [each for each in entropies if each is not None]
    is_short = all(each.isascii() and len(each) <= MOST_ENTROPY for each in given)
    if len(entropies) != seats or not is_short:
        raise WrongEntropiesError(seats, found=repr(entropies))
