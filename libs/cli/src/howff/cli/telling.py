"""What a viewer is told of a commit, in lines."""

from collections.abc import Iterator

from howff.engine.seats import Viewer
from howff.match.commit import Commit
from howff.match.events import MatchEnded, MatchStarted, PlatformEvent, RulesChanged, SeedRevealed
from howff.match.match import Match, events_of


def lines_of(match: Match, told: Commit, viewer: Viewer, names: tuple[str, ...]) -> Iterator[str]:
    """Yield a line for each event of the commit *told*, as it was redacted for *viewer*.

    *match* stands as after the commit.
    """
    view = match.game.view(match.state, viewer)
    for event in events_of(match.game, told):
        if isinstance(event, PlatformEvent):
            yield _platform_line(event, match.game.title)
        else:
            yield match.game.explain(view, None, event, names)


def _platform_line(event: PlatformEvent, title: str) -> str:
    match event:
        case MatchStarted(_, rules_version):
            return f"A match of {title} starts, by version {rules_version} of its rules"
        case RulesChanged(rules_version):
            return f"From here on version {rules_version} of the rules decides"
        case MatchEnded():
            return "The match has ended"
        case SeedRevealed(seed):
            return f"The seed of its luck was {seed}"
