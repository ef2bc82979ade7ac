"""Forms are read strictly."""

from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from howff.servicekit.web.errors import MalformedFormError
from howff.servicekit.web.strict_forms import MOST_FIELDS, strict_form

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
FIELDS = st.dictionaries(TEXTS.filter(bool), TEXTS, max_size=MOST_FIELDS)


@given(FIELDS)
def test_what_is_written_as_a_form_is_read_as_it_was(fields: dict[str, str]) -> None:
    assert strict_form(urlencode(fields).encode()) == fields


@given(st.binary(max_size=40))
def test_what_is_taken_is_read_as_other_readers_do(raw: bytes) -> None:
    try:
        fields = strict_form(raw)
    except MalformedFormError:
        return
    assert list(fields.items()) == parse_qsl(raw.decode(), keep_blank_values=True)


@pytest.mark.parametrize(
    "raw",
    [b"a=1&a=2", b"a=1&%61=2", b"a", b"=1", b"a=1&", b"&", b"a=%ff", b"a=%00", b"a=%4", b"a=%zz"],
)
def test_what_two_readers_understand_in_two_ways_is_refused(raw: bytes) -> None:
    with pytest.raises(MalformedFormError):
        strict_form(raw)


@pytest.mark.parametrize("raw", [b"a=\xc3\xa4", b"a=b c", b"a=\n", b"a=<b>", b"a;b=1&c=\x7f"])
def test_what_is_not_encoded_is_refused(raw: bytes) -> None:
    with pytest.raises(MalformedFormError):
        strict_form(raw)


def test_a_form_has_no_more_than_twenty_fields() -> None:
    fields = {f"field{number}": "" for number in range(MOST_FIELDS + 1)}
    with pytest.raises(MalformedFormError):
        strict_form(urlencode(fields).encode())
    fields.popitem()
    assert strict_form(urlencode(fields).encode()) == fields
