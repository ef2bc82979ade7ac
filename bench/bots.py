"""Measure how fast bots decide: one JSON line a figure, medians of several runs, for one core."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from run import median_seconds, report

from howff.bots.policies.catalogue import play_of
from howff.bots.policies.luck import SearchRng
from howff.bots.policies.settings import Play, Setting, choose, setting_of
from howff.engine.catalogue import GAMES
from howff.engine.game import AnyGame
from support.two_worlds import Decision, decisions

DECISIONS: Final = 5
"""How many decisions of a match at random are taken again in each run."""
WALKS: Final = 20
LEVELS: Final = ("casual", "steady", "strong")
"""The level above takes so many times longer than `strong` as it has more nodes."""


def main() -> None:
    for game in GAMES.values():
        for line in (*searching(game, play_of(game.key)), *deciding(game, play_of(game.key))):
            report(game, game.seats[0], *line)


def searching(game: AnyGame, play: Play) -> Iterator[tuple[str, float, str]]:
    """How often a search walks down its tree and plays out from there."""
    found = tuple(decisions(game, DECISIONS))
    seconds = median_seconds(partial(decide, play, Setting("mcts", WALKS), found))
    yield "walks of a search", WALKS * len(found) / seconds, "walks/s"


def deciding(game: AnyGame, play: Play) -> Iterator[tuple[str, float, str]]:
    found = tuple(decisions(game, DECISIONS))
    for level in LEVELS:
        setting = setting_of(play, level)
        seconds = median_seconds(partial(decide, play, setting, found))
        yield f"decisions of a bot, {level}", len(found) / seconds, "decisions/s"
    master = setting_of(play, "master").nodes
    yield "nodes of a decision, master", master, "nodes"


def decide(play: Play, setting: Setting, found: tuple[Decision, ...]) -> None:
    for each in found:
        choose(play, setting, each.situation, SearchRng(b"bench"))


if __name__ == "__main__":
    main()
