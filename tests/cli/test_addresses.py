"""Where things are on a server, and who shows a token."""

import base64

import pytest

from howff.cli.errors import WrongChoiceError
from howff.cli.server.addresses import (
    MatchAddress,
    TableAddress,
    account_in,
    match_address,
    table_address,
)

HERE = "http://localhost:8000"


@pytest.mark.parametrize(
    ("place", "address"),
    [
        ("t-1", TableAddress(HERE, "t-1")),
        ("https://howff.example/v1/tables/t", TableAddress("https://howff.example", "t")),
        (
            "http://h/v1/tables/t?invitation=ey.J-_.x",
            TableAddress("http://h", "t", "ey.J-_.x"),
        ),
    ],
)
def test_a_table_is_named_by_its_address_or_by_its_id(place: str, address: TableAddress) -> None:
    assert table_address(place, HERE) == address


@pytest.mark.parametrize(
    "place", ["", "a b", "http://h/v1/tables/", "http://h/v1/matches/m", "/v1/tables/t", "a" * 65]
)
def test_what_names_no_table_is_refused(place: str) -> None:
    with pytest.raises(WrongChoiceError):
        table_address(place, HERE)


@pytest.mark.parametrize("path", ["/v1/matches/m-1", "/v1/matches/m-1/", "/watch?match=m-1"])
def test_a_match_is_named_by_its_address_or_by_the_page_that_shows_it(path: str) -> None:
    assert match_address(f"http://h:8000{path}") == MatchAddress("http://h:8000", "m-1")


def test_the_id_of_a_match_alone_names_it_where_its_server_is_known() -> None:
    assert match_address("m-1", f"{HERE}/") == MatchAddress(HERE, "m-1")
    for place, server in (("m-1", None), ("http://h/v1/tables/t", HERE), ("watch?match=", None)):
        with pytest.raises(WrongChoiceError):
            match_address(place, server)


def test_an_invitation_stays_out_of_what_is_shown() -> None:
    address = table_address("http://h/v1/tables/t?invitation=secret", HERE)
    assert "secret" not in f"{address} {address!r}"


def test_a_token_names_its_account() -> None:
    claims = base64.urlsafe_b64encode(b'{"sub":"freya"}').decode().rstrip("=")
    assert account_in(f"head.{claims}.signature") == "freya"
    for token in ("", "a.b", "a.b.c", f"a.{base64.urlsafe_b64encode(b'{}').decode()}.c"):
        with pytest.raises(WrongChoiceError) as refusal:
            account_in(token)
        assert not token or token not in str(refusal.value)
