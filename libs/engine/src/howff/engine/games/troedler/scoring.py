"""The final account of a match of Trödler, and the ranking."""

from howff.engine.games.troedler.data import FEED, REQUESTS, TWO_PLAYER_DAMAGE_GAP, Cards
from howff.engine.games.troedler.state import Player, Score, State
from howff.engine.outcome import Figure, Outcome, places_by

_FIGURES = ("total", "points", "requests", "goods_left", "feed_used", "damage", "total_damage")


def requests_of(cards: Cards) -> int:
    """Return how many of *cards* are requests."""
    return sum(card in REQUESTS for card in cards)


def points_of(cards: Cards) -> int:
    """Return what the requests among *cards* are worth."""
    return sum(REQUESTS[card].points for card in cards if card in REQUESTS)


def scores_of(players: tuple[Player, ...]) -> tuple[Score, ...]:
    """Return the account of every seat; hands count nothing."""
    damages = [_damage(player) for player in players]
    ruined = [_is_total(damage, damages) for damage in damages]
    # A seat with total damage is last whatever its total; fewer goods left win a tie.
    ranks = places_by(
        [
            (total_damage, -_total(player), len(player.collection))
            for player, total_damage in zip(players, ruined, strict=True)
        ]
    )
    return tuple(
        Score(
            requests=requests_of(player.value_pile),
            feed_used=player.value_pile.count(FEED),
            goods_left=len(player.collection),
            damage=damage,
            points=points_of(player.value_pile),
            total=_total(player),
            total_damage=total_damage,
            rank=rank,
        )
        for player, damage, total_damage, rank in zip(players, damages, ruined, ranks, strict=True)
    )


def outcome(state: State) -> Outcome | None:
    """Return the places and the figures of the final account, or None before the end."""
    if state.scores is None:
        return None
    return Outcome(
        tuple(score.rank for score in state.scores),
        tuple(
            tuple(Figure(name, int(getattr(score, name))) for name in _FIGURES)
            for score in state.scores
        ),
    )


def _total(player: Player) -> int:
    return points_of(player.value_pile) + len(player.collection)


def _damage(player: Player) -> int:
    return player.value_pile.count(FEED) + (len(player.collection) + 1) // 2


def _is_total(damage: int, damages: list[int]) -> bool:
    if len(damages) == 2:  # noqa: PLR2004 — the rules for two
        return damage - min(damages) >= TWO_PLAYER_DAMAGE_GAP
    # Ruling 21: the highest damage is total by any margin, if one seat alone has it.
    return damage == max(damages) and damages.count(damage) == 1
