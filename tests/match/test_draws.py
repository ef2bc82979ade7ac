import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from howff.match.draws import Draws

SEED = bytes(range(32))
MATCH = "match-1"
ENTROPIES = ("salt of seat 0", None, "x" * 64)
names = st.sampled_from(["deck", "market", "ocelot die"])


def plain_numbers(name: str, number: int) -> Iterator[int]:
    """Read the 64-bit numbers of a draw as docs tell, with nothing of the code under test."""
    block = 0
    while True:
        text = json.dumps(
            ["draw", MATCH, list(ENTROPIES), name, number, block],
            separators=(",", ":"),
            ensure_ascii=False,
        )
        digest = hmac.new(SEED, text.encode("utf-8"), hashlib.sha256).hexdigest()
        yield from (int(digest[at : at + 16], 16) for at in range(0, 64, 16))
        block += 1


def plain_below(n: int, numbers: Iterator[int]) -> int:
    while True:
        number = next(numbers)
        if number < 2**64 - 2**64 % n:
            return number % n


def plain_shuffle(items: list[int], numbers: Iterator[int]) -> list[int]:
    place = len(items) - 1
    while place >= 1:
        other = plain_below(place + 1, numbers)
        items[place], items[other] = items[other], items[place]
        place -= 1
    return items


def draws(counts: dict[str, int] | None = None) -> Draws:
    return Draws(SEED, MATCH, ENTROPIES, counts or {})


@given(names, st.integers(0, 1000), st.integers(1, 2**64))
def test_a_draw_is_read_as_an_independent_reader_reads_it(name: str, number: int, n: int) -> None:
    expected = plain_below(n, plain_numbers(name, number))

    assert draws({name: number}).draw(name, n) == expected


@given(names, st.integers(0, 1000), st.integers(0, 120))
def test_a_shuffle_reads_on_through_the_blocks_of_its_own_draw(
    name: str, number: int, size: int
) -> None:
    expected = plain_shuffle(list(range(size)), plain_numbers(name, number))

    assert draws({name: number}).shuffle(name, range(size)) == tuple(expected)


def test_a_roll_is_the_face_that_one_number_tells() -> None:
    faces = ("red", "red", "blue")

    assert draws().roll("die", faces) == faces[plain_below(3, plain_numbers("die", 0))]


def test_what_is_drawn_never_changes() -> None:
    luck = Draws(SEED, MATCH, (None, "entropy"), {})

    assert hex(luck.draw("deck", 2**64)) == "0x970f9e6667419d40"
    assert hex(luck.draw("deck", 2**64)) == "0x58d7bfe1ba4ee316"
    assert luck.shuffle("market", range(10)) == (6, 8, 4, 7, 1, 0, 9, 2, 5, 3)
    assert [luck.roll("die", range(1, 7)) for _ in range(8)] == [2, 6, 3, 1, 3, 6, 3, 4]


def test_numbers_over_the_last_whole_multiple_are_thrown_away() -> None:
    n = 2**63 + 1  # every second number is too big
    firsts = [next(plain_numbers("deck", number)) for number in range(20)]
    assert any(first >= n for first in firsts)

    drawn = [draws({"deck": number}).draw("deck", n) for number in range(20)]

    assert drawn == [plain_below(n, plain_numbers("deck", number)) for number in range(20)]


def test_every_call_counts_as_one_draw_even_if_it_reads_nothing() -> None:
    luck = draws()
    luck.shuffle("deck", [])
    luck.shuffle("deck", ["only"])
    luck.draw("deck", 1)
    luck.roll("die", [6])

    assert luck.made == {"deck": 3, "die": 1}


def test_draws_of_a_name_go_on_where_the_match_has_left_them() -> None:
    at_once = draws()
    numbers = [at_once.draw("deck", 1000) for _ in range(4)]
    later = draws({"deck": 2})
    later.draw("market", 1000)

    assert [later.draw("deck", 1000) for _ in range(2)] == numbers[2:]
    assert later.made == {"market": 1, "deck": 2}


def test_all_orders_are_about_equally_likely() -> None:
    luck = draws()
    orders = Counter(luck.shuffle("deck", "abc") for _ in range(3000))

    assert len(orders) == 6
    assert all(400 < count < 600 for count in orders.values())
