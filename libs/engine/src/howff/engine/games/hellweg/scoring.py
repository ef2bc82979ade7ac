"""The final account of a match of Hellweg Westfalicus, and the ranking."""

from collections.abc import Iterator, Mapping, Sequence

from howff.engine.games.hellweg.data import CARD_ORDER, MERCHANDISE_CARDS, Kind, MerchandiseCard
from howff.engine.games.hellweg.state import Pair, Player, Standing, State
from howff.engine.once import once
from howff.engine.outcome import Figure, Outcome, places_by

Cards = tuple[MerchandiseCard, ...]
Pairs = tuple[Pair, ...]
Kinds = tuple[Kind, Kind]
"""Two kinds, sorted."""
_FIGURES = ("score", "money", "card_value", "tokens", "carriages")


def standings(players: Sequence[Player]) -> tuple[Standing, ...]:
    """Return the account of every seat; of equal scores more tokens, then more carriages win."""
    pairs = [best_pairs(player.cards) for player in players]
    values = [card_value(player.cards, each) for player, each in zip(players, pairs, strict=True)]
    scores = [player.money + value for player, value in zip(players, values, strict=True)]
    ranks = places_by(
        [
            (-score, -len(player.tokens), -len(player.carriages))
            for player, score in zip(players, scores, strict=True)
        ]
    )
    return tuple(
        Standing(
            money=player.money,
            card_value=values[seat],
            pairs=pairs[seat],
            score=scores[seat],
            tokens=len(player.tokens),
            carriages=len(player.carriages),
            rank=ranks[seat],
        )
        for seat, player in enumerate(players)
    )


def outcome(state: State) -> Outcome | None:
    """Return the places and the figures of the final account, or None before the end."""
    if state.standings is None:
        return None
    return Outcome(
        tuple(standing.rank for standing in state.standings),
        tuple(
            tuple(Figure(name, getattr(standing, name)) for name in _FIGURES)
            for standing in state.standings
        ),
    )


def card_value(cards: Cards, pairs: Pairs) -> int:
    """Return what *cards* are worth when these *pairs* of them count together."""
    paired = {card for pair in pairs for card in (pair.card, pair.other)}
    singles = sum(MERCHANDISE_CARDS[card].value for card in cards if card not in paired)
    return singles + sum(pair.value for pair in pairs)


@once
def best_pairs(cards: Cards) -> Pairs:
    """Return the pairs of *cards* that make them worth most, in the order of the table.

    Ruling 31: one banner serves every pair of its kinds, and its card need not be in the pair.
    Of equally good ways the one is meant whose pairs come first in that order.
    """
    ways = _ways_to_pair(cards, _pays(cards))
    return min(ways, key=lambda pairs: (-card_value(cards, pairs), _order(pairs)))


def _pays(cards: Cards) -> dict[Kinds, int]:
    """Return what a pair of two kinds pays whoever owns *cards*; of two banners the better one."""
    banners = [banner for card in cards if (banner := MERCHANDISE_CARDS[card].banner)]
    return {
        _kinds(*banner.kinds): banner.pays
        for banner in sorted(banners, key=lambda banner: banner.pays)
    }


def _ways_to_pair(cards: Cards, pays: Mapping[Kinds, int]) -> Iterator[Pairs]:
    """Yield every way to split *cards* into pairs that pay something, and singles."""
    if not cards:
        yield ()
        return
    card, *others = cards
    yield from _ways_to_pair(tuple(others), pays)
    for at, other in enumerate(others):
        kinds = _kinds(MERCHANDISE_CARDS[card].kind, MERCHANDISE_CARDS[other].kind)
        if kinds in pays:
            pair = Pair(card, other, pays[kinds])
            for pairs in _ways_to_pair((*others[:at], *others[at + 1 :]), pays):
                yield (pair, *pairs)


def _kinds(kind: Kind, other: Kind) -> Kinds:
    return (min(kind, other), max(kind, other))


def _order(pairs: Pairs) -> tuple[tuple[int, int], ...]:
    return tuple((CARD_ORDER[pair.card], CARD_ORDER[pair.other]) for pair in pairs)
