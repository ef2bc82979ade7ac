from howff.engine.play import Draft, fold


def _append(state: str, event: str) -> str:
    return state + event


def test_a_fold_applies_events_in_order() -> None:
    assert fold(_append, "a", ["b", "c"]) == "abc"


def test_a_fold_of_nothing_is_the_state_itself() -> None:
    assert fold(_append, "a", []) == "a"


def test_what_is_decided_next_sees_what_was_decided_before() -> None:
    draft = Draft("a", _append)
    draft.add("b")
    assert draft.state == "ab"
    draft.add(draft.state)
    assert draft.state == "abab"
    assert draft.events == ["b", "ab"]
