from collections import Counter
from hashlib import sha256

from howff.bots.policies.luck import SearchRng

ALL = 1 << 64


def splitmix(state: int) -> SearchRng:
    rng = SearchRng(b"")
    rng._state = state
    return rng


def test_it_draws_what_others_have_published() -> None:
    rng = splitmix(1234567)

    assert [rng.draw("any", ALL) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_a_seed_of_any_length_is_where_it_begins() -> None:
    for seed in (b"", b"howff", bytes(1000)):
        began = splitmix(int.from_bytes(sha256(seed).digest()[:8], "big"))
        rng = SearchRng(seed)
        assert [rng.draw("any", ALL) for _ in range(3)] == [
            began.draw("any", ALL) for _ in range(3)
        ]


def test_its_draws_stay_what_they_are() -> None:
    rng = SearchRng(b"howff")

    assert [rng.draw("any", 100) for _ in range(8)] == [96, 46, 19, 88, 5, 49, 92, 52]
    assert "".join(rng.shuffle("any", "abcdefgh")) == "bcfedagh"
    assert rng.roll("any", (1, 2, 3, 4, 5, 6)) == 4
    assert rng.draw("any", 1 << 40) == 980155804157
    assert rng.draw("any", 1) == 0


def test_names_make_no_difference() -> None:
    one, other = SearchRng(b"howff"), SearchRng(b"howff")

    assert [one.draw("deck", 9) for _ in range(20)] == [other.draw("die", 9) for _ in range(20)]


def test_all_numbers_are_as_likely() -> None:
    rng = SearchRng(b"even")
    counts = Counter(rng.draw("any", 10) for _ in range(20_000))

    # 2000 each, with a deviation of 42; none is further away than five of them.
    assert sorted(counts) == list(range(10))
    assert all(abs(count - 2000) < 5 * 43 for count in counts.values())


def test_all_orders_are_as_likely() -> None:
    rng = SearchRng(b"even")
    counts = Counter(rng.shuffle("any", "abc") for _ in range(6_000))

    assert len(counts) == 6
    assert all(abs(count - 1000) < 5 * 29 for count in counts.values())
