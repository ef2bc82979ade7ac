"""How raids are likely to go."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Final

from howff.bots.policies.games.highland_clans.standing import Change, Standing, pip_of, standing_of
from howff.engine.games.highland_clans.data import (
    FIGHTS,
    MADE_OF,
    RAID_POINTS,
    REFRESH_DISCARDED,
    Card,
    Cards,
    Possession,
)
from howff.engine.games.highland_clans.moves import CommitCard
from howff.engine.games.highland_clans.state import Board, RunningRaid, State
from howff.engine.multisets import without
from howff.engine.once import once
from howff.engine.seats import Seat

SIXTHS: Final = 6
"""All ways in which three cards meet three."""
_REFRESHED: Final = 880
"""The pips that five new cards bring to a hand for three, in hundredths."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What the results of a raid are worth to a seat."""

    win: int
    draw: int
    loss: int

    def expected(self, odds: tuple[int, int, int]) -> int:
        """Return what is to be expected, in sixths."""
        win, draw, loss = odds
        return self.win * win + self.draw * draw + self.loss * loss


@once
def odds_of(own: Cards, other: Cards, ahead: int) -> tuple[int, int, int]:
    """Return in how many of six cases one wins, draws and loses.

    Who has won *ahead* fights more plays the cards *own* against as many of the *other*, all in
    any order.
    """
    won = drawn = lost = 0
    for cards in permutations(other):
        margin = ahead + sum((a > b) - (a < b) for a, b in zip(own, cards, strict=True))
        won += margin > 0
        drawn += margin == 0
        lost += margin < 0
    share = SIXTHS // (won + drawn + lost)
    return won * share, drawn * share, lost * share


def robbed(
    standing: Standing, attacker: Seat, defender: Seat, kind: Possession, *, is_room: bool
) -> Standing:
    """Return how the seats stand once *attacker* has taken a thing of that *kind*."""
    cubes = MADE_OF[kind]
    loss = Change(green=-cubes.green, blue=-cubes.blue, herd=-cubes.red, free_estates=1)
    after = standing.after(defender, loss)
    if kind == "cattle" and is_room:
        return after.after(attacker, Change(herd=1, free_estates=-1))
    return after


@dataclass(frozen=True, slots=True)
class Raiders:
    """A raid, and whether it is worth more to win it from a seat that owns nothing."""

    attacker: Seat
    defender: Seat
    is_doubled: bool


def raiders_of(state: State, attacker: Seat, defender: Seat) -> Raiders:
    """Return who raids whom."""
    return Raiders(attacker, defender, state.options.edition == "consolidated")


@lru_cache(maxsize=1 << 12)
def results_of(boards: tuple[Board, ...], raiders: Raiders) -> tuple[Sequence[int], ...]:
    """Return what each seat would have and expect if the attacker won, drew, and lost."""
    attacker, defender = raiders.attacker, raiders.defender
    standing = standing_of(boards)
    is_doubled = raiders.is_doubled and boards[defender].owns_nothing
    points = RAID_POINTS.attacker_wins_nothing if is_doubled else RAID_POINTS.attacker_wins
    room = min(-RAID_POINTS.attacker_loses, boards[attacker].score)
    won = with_spoils(boards, attacker, defender).after(attacker, Change(points=100 * points))
    drawn = standing.after(attacker, Change(points=100 * RAID_POINTS.attacker_draws))
    lost = standing.after(attacker, Change(points=-100 * room))
    lost = lost.after(defender, Change(points=100 * RAID_POINTS.defender_wins))
    return won.values(), drawn.values(), lost.values()


@lru_cache(maxsize=1 << 12)
def stakes_of(boards: tuple[Board, ...], raiders: Raiders, seat: Seat) -> Stakes:
    """Return what the results of a raid are worth to *seat*."""
    now = standing_of(boards).lead(seat)
    results = results_of(boards, raiders)
    return Stakes(*(values[seat] * len(values) - sum(values) - now for values in results))


def with_spoils(boards: tuple[Board, ...], attacker: Seat, defender: Seat) -> Standing:
    """Return how the seats stand once *attacker* has taken what is best for it, if anything."""
    standing = standing_of(boards)
    board = boards[defender]
    owned: dict[Possession, int] = {
        "castle": board.castles,
        "monastery": board.monasteries,
        "cattle": board.cattle,
    }
    is_room = boards[attacker].free_estates > 0
    choices = [standing]
    choices += [
        robbed(standing, attacker, defender, kind, is_room=is_room)
        for kind, count in owned.items()
        if count
    ]
    return max(choices, key=lambda each: each.lead(attacker))


def raid_gain(state: State, boards: tuple[Board, ...], attacker: Seat, defender: Seat) -> int:
    """Return what a raid promises its *attacker*."""
    own, other = state.players[attacker].hand[-FIGHTS:], state.players[defender].hand[-FIGHTS:]
    stakes = stakes_of(boards, raiders_of(state, attacker, defender), attacker)
    refreshed = (_REFRESHED - 100 * sum(own)) * (state.seats - 1) - _REFRESHED + 100 * sum(other)
    pip = pip_of(standing_of(boards).later)
    return stakes.expected(odds_of(own, other, 0)) // SIXTHS + refreshed * pip // 100


def expected_of(state: State, boards: tuple[Board, ...], raid: RunningRaid) -> list[int]:
    """Return what each seat has and may expect while a raid goes on, the hands left out."""
    left = FIGHTS - len(raid.fights)
    own, other = (state.players[seat].hand for seat in (raid.attacker, raid.defender))
    cards = own[-left:] if left else ()
    if raid.commitments:
        strength = Card(raid.commitments[0].strength)
        cards = (strength, *own[len(own) - left + 1 :])
    ahead = raid.wins(raid.attacker) - raid.wins(raid.defender)
    win, draw, loss = odds_of(cards, other[-left:] if left else (), ahead)
    won, drawn, lost = results_of(boards, raiders_of(state, raid.attacker, raid.defender))
    return [
        (win * first + draw * second + loss * third) // SIXTHS
        for first, second, third in zip(won, drawn, lost, strict=True)
    ]


def pips_of(state: State, seat: Seat) -> int:
    """Return what the hand of *seat* will add up to when the turn is over, in hundredths."""
    hand = state.players[seat].hand
    if state.stage == "refresh":
        owes = any(debt.seat == seat for debt in state.owed)
        return 100 * sum(hand[REFRESH_DISCARDED:] if owes else hand)
    raid = state.raid
    if raid is None or seat not in (raid.attacker, raid.defender):
        return 100 * sum(hand)
    to_play = FIGHTS - len(raid.fights)
    if seat == raid.attacker:
        to_play -= len(raid.commitments)
    return 100 * sum(hand[: len(hand) - to_play]) + _REFRESHED


def weigh_commitments(state: State, seat: Seat, moves: Sequence[CommitCard]) -> list[int]:
    """Return what the cards promise that *seat* may lay down, in sixths of a hundredth."""
    raid = state.raid
    assert raid is not None, "cards are committed in a raid"
    boards = tuple(player.board for player in state.players)
    outlook = _outlook(state, boards, raid, seat)
    price = _price_of_bagpiper(boards, seat) * SIXTHS
    pip = pip_of(standing_of(boards).later) * (state.seats - 1) * SIXTHS
    is_piped = any(each.bagpiper for each in raid.commitments)
    return [
        outlook.expected(move.value, move.bagpiper - is_piped)
        - pip * move.value
        - price * move.bagpiper
        for move in moves
    ]


@dataclass(frozen=True, slots=True)
class _Outlook:
    """The fights of a raid that are left, as one of both sees them."""

    hand: Cards
    replies: Cards
    """The best cards of the other, any of which may come now."""
    ahead: int
    stakes: Stakes

    def expected(self, value: Card, more: int) -> int:
        """Return what is to be expected of a card that is by so much *more* stronger, in sixths."""
        left = len(self.replies)
        rest = without(self.hand, value)[len(self.hand) - left :]
        total = 0
        for at, reply in enumerate(self.replies):
            ahead = self.ahead + (value + more > reply) - (value + more < reply)
            others = self.replies[:at] + self.replies[at + 1 :]
            total += self.stakes.expected(odds_of(rest, others, ahead))
        return total // left


def _outlook(state: State, boards: tuple[Board, ...], raid: RunningRaid, seat: Seat) -> _Outlook:
    stakes = stakes_of(boards, raiders_of(state, raid.attacker, raid.defender), seat)
    rival = raid.defender
    if seat == raid.defender:
        stakes, rival = Stakes(stakes.loss, stakes.draw, stakes.win), raid.attacker
    # What lies face down could as well be any other of the best.
    cards = (*state.players[rival].hand, *(each.value for each in raid.commitments))
    replies = tuple(sorted(cards)[len(raid.fights) - FIGHTS :])
    ahead = raid.wins(seat) - raid.wins(rival)
    return _Outlook(state.players[seat].hand, replies, ahead, stakes)


@lru_cache(maxsize=1 << 12)
def _price_of_bagpiper(boards: tuple[Board, ...], seat: Seat) -> int:
    standing = standing_of(boards)
    return standing.lead(seat) - standing.after(seat, Change(blue=-1)).lead(seat)
