"""Points: they are taken, they come back steadily, and of keys without number few are kept."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from howff.servicekit.web.limits import Limiter, Policy, Standing

POLICY = Policy(per_minute=60, at_once=10)


def test_what_may_be_taken_at_once_is_there_at_first_and_comes_back_steadily() -> None:
    limiter = Limiter(POLICY)
    left = [limiter.take("a", 1, 100.0).remaining for _ in range(10)]
    assert left == list(range(9, -1, -1))
    assert limiter.take("a", 1, 100.0) == Standing(POLICY, 0, 10, 1)
    assert not limiter.take("a", 1, 101.0).is_refused
    assert limiter.take("a", 1, 101.9).is_refused
    assert limiter.take("a", 10, 111.0) == Standing(POLICY, 0, 10, 0)


def test_who_is_refused_has_paid_nothing() -> None:
    limiter = Limiter(POLICY)
    limiter.take("a", 8, 0.0)
    for _ in range(5):
        assert limiter.take("a", 5, 0.0) == Standing(POLICY, 2, 8, 3)
    assert limiter.take("a", 2, 0.0) == Standing(POLICY, 0, 10, 0)


def test_who_waits_as_long_as_told_is_not_refused() -> None:
    limiter = Limiter(POLICY)
    limiter.take("a", 10, 0.5)
    wait = limiter.take("a", 7, 1.1).retry_after
    assert not limiter.take("a", 7, 1.1 + wait).is_refused


def test_what_costs_more_than_there_can_be_costs_all() -> None:
    limiter = Limiter(POLICY)
    assert limiter.take("a", 100, 0.0) == Standing(POLICY, 0, 10, 0)
    assert limiter.take("a", 100, 9.0).is_refused
    assert not limiter.take("a", 100, 10.0).is_refused


def test_one_key_takes_nothing_from_another() -> None:
    limiter = Limiter(POLICY)
    limiter.take("a", 10, 0.0)
    assert limiter.take("b", 1, 0.0).remaining == 9


def test_of_more_keys_than_may_be_kept_the_longest_silent_is_forgotten() -> None:
    limiter = Limiter(POLICY, most_kept=3)
    for key in ("a", "b", "c", "a", "d"):
        limiter.take(key, 5, 0.0)
    assert list(limiter._full_at) == ["c", "a", "d"]
    assert limiter.take("a", 5, 0.0).is_refused
    assert limiter.take("b", 5, 0.0).remaining == 5


def test_a_third_of_a_minute_is_there_at_once_unless_it_is_said() -> None:
    assert Policy.of(600) == Policy(600, 200)
    assert Policy.of(1) == Policy(1, 1)


@given(
    st.integers(1, 600),
    st.integers(1, 50),
    st.lists(st.tuples(st.integers(1, 60), st.integers(0, 30_000)), max_size=60),
)
def test_nobody_takes_more_than_the_policy_allows_and_nobody_less(
    per_minute: int, at_once: int, asked: list[tuple[int, int]]
) -> None:
    """A bucket that is counted exactly says the same."""
    limiter = Limiter(Policy(per_minute, at_once))
    points, before, now = Fraction(at_once), 0, 0
    for cost, milliseconds in asked:
        now += milliseconds
        points = min(Fraction(at_once), points + Fraction(per_minute * (now - before), 60_000))
        before = now
        wanted = min(cost, at_once)
        standing = limiter.take("a", cost, now / 1000)
        assert standing.is_refused == (points < wanted)
        if not standing.is_refused:
            points -= wanted
        assert standing.remaining == int(points)
