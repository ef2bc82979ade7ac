from hypothesis import given
from hypothesis import strategies as st

from howff.match.answered import MARK_BYTES, AnsweredCommands
from howff.match.commit import CommandId

actors = st.sampled_from(["platform", "seat:0", "seat:1", "seat:11"])
ids = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=100)
commands_sent = st.lists(st.tuples(actors, ids), unique=True, max_size=40)


def answered(*sent: tuple[str, str]) -> AnsweredCommands:
    commands = AnsweredCommands()
    for actor, command in sent:
        commands = commands.after(actor, CommandId(command))
    return commands


def test_of_no_commands_none_is_known() -> None:
    assert AnsweredCommands().version_of("seat:0", CommandId("bid")) is None


@given(commands_sent)
def test_every_command_is_known_by_the_version_that_has_answered_it(
    sent: list[tuple[str, str]],
) -> None:
    commands = answered(*sent)
    found = [commands.version_of(actor, CommandId(command)) for actor, command in sent]

    assert found == list(range(1, len(sent) + 1))


@given(commands_sent, actors, ids)
def test_a_command_is_new_until_it_is_answered(
    sent: list[tuple[str, str]], actor: str, command: str
) -> None:
    commands = answered(*(each for each in sent if each != (actor, command)))
    last = len(commands.marks) // MARK_BYTES

    assert commands.version_of(actor, CommandId(command)) is None
    known = commands.after(actor, CommandId(command))
    assert known.version_of(actor, CommandId(command)) == last + 1


def test_an_actor_does_not_run_into_an_id() -> None:
    commands = answered(("seat:1", "1"))

    assert commands.version_of("seat:11", CommandId("")) is None
    assert commands.version_of("seat:", CommandId("11")) is None


def test_a_mark_is_found_in_its_place_alone() -> None:
    mark = answered(("seat:0", "bid")).marks
    half = bytes(MARK_BYTES // 2)
    astride = AnsweredCommands(half + mark + half)

    assert astride.version_of("seat:0", CommandId("bid")) is None
    assert astride.after("seat:0", CommandId("bid")).version_of("seat:0", CommandId("bid")) == 3


def test_a_commit_costs_a_mark_however_long_its_command_id() -> None:
    commands = answered(("seat:0", "x" * 100), ("seat:1", "y"))

    assert len(commands.marks) == 2 * MARK_BYTES


def test_an_id_that_is_no_unicode_can_be_asked_for() -> None:
    assert answered(("seat:0", "bid")).version_of("seat:0", CommandId("\ud800")) is None
