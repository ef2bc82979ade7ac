"""Many matches with every kind of trouble: live rows, rebuilt ones and a fold are the same."""

from pathlib import Path

from sqlmodel import update

from conftest import IS_LONG
from howff.servicekit.sql.checkpoints import CheckpointRow
from support.many_matches import FEW, MATCHES, World, first_matches, in_world
from support.scored import differing_from_rebuilt, scored, violations
from support.troubles import TROUBLES, match_number


def test_the_matches_have_every_kind_of_trouble() -> None:
    results = [match_number(number).result for number in range(MATCHES)]
    seats = [seat for each in results for seat in each.seats]
    places = [[seat.place for seat in each.seats] for each in results if each.is_rated]
    assert {match_number(number).trouble for number in range(len(TROUBLES))} == set(TROUBLES)
    assert len({each.game for each in results}) == 5
    assert {each.reason for each in results} == {"finished", "resigned", "aborted"}
    assert {each.speed for each in results} == {"live", "days"}
    assert {seat.stay for seat in seats} == {"stayed", "resigned", "replaced"}
    assert any(len(set(each)) < len(each) for each in places), "no ties"
    assert any(seat.flags and seat.stay == "stayed" for seat in seats), "nobody came back"
    assert any(each.is_branch for each in results)
    assert any(not each.is_public for each in results)


def test_live_rows_rebuilt_ones_and_those_of_a_fold_are_the_same(address: str) -> None:
    async def story(world: World) -> None:
        await world.hear_all()
        before = await scored(world.database)
        assert violations(before, world.expected()) == {}
        assert before.quarantine
        assert before.aside
        await world.mend()
        mended = await scored(world.database)
        assert violations(mended, world.expected()) == {}
        assert not mended.aside
        assert await differing_from_rebuilt(world.database) == []
        assert await scored(world.database) == mended

    is_short = not IS_LONG and address.startswith("postgresql")
    in_world(address, story, first_matches(FEW + 4) if is_short else None)


def test_everything_delivered_again_changes_nothing(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        await world.hear_all()
        before = await scored(world.database)
        for number, message in enumerate(world.messages):
            await world.hear(message, number + 1)
        assert await scored(world.database) == before
        for number, message in enumerate(world.messages):
            await world.hear(message, len(world.messages) + number + 1)
        again = await scored(world.database)
        assert (again.archive, again.rows, again.aside) == (
            before.archive,
            before.rows,
            before.aside,
        )

    in_world(f"sqlite:///{tmp_path / 'scoring.db'}", story, first_matches(FEW))


def test_a_checkpoint_that_was_put_back_changes_no_row(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        world.shelf.mend()
        await world.hear_all()
        before = await scored(world.database)
        async with world.database.writing() as session:
            await session.execute(update(CheckpointRow).values(position=0))
        await world.hear_all()
        assert await scored(world.database) == before

    in_world(f"sqlite:///{tmp_path / 'scoring.db'}", story, first_matches(FEW))
