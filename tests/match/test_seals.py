from dataclasses import replace

import pytest

from howff.match.canonical import bytes_of_hex, canonical_bytes
from howff.match.draws import Draws
from howff.match.seals import SeedSeal, commitment_of, is_sealed
from howff.match.texts import is_salt
from support.played import NOTARY, SEED, SIGNER

SEAL = SeedSeal(SEED, "match-1", 3, 0)


def test_a_seal_never_changes() -> None:
    commitment = "89dda7a0ce40d9f94016eecba5eb935fcec51163d1fb7e6dab7655a562e38361"

    assert SEAL.salt("card") == "8e34d2801cf1bc51968910fecde1d2d0"
    assert SEAL.commitment("card", [1, 2]) == commitment


def test_a_salt_opens_its_commitment_to_one_value_alone() -> None:
    salt, commitment = SEAL.salt("card"), SEAL.commitment("card", None)

    assert commitment_of(salt, None) == commitment
    assert commitment_of(salt, 0) != commitment


def test_every_place_has_a_salt_of_its_own() -> None:
    places = (
        SEAL,
        replace(SEAL, event=None),
        replace(SEAL, event=1),
        replace(SEAL, version=4),
        replace(SEAL, match="match-2"),
        replace(SEAL, seed=bytes(32)),
    )
    salts = {seal.salt(field) for seal in places for field in ("card", "cards")}

    assert len(salts) == 12


def test_a_byte_cannot_wander_from_a_salt_into_its_value() -> None:
    salt = "00" * 15 + b"1".hex()
    shorter = salt[:-2]

    assert commitment_of(salt, 5) == commitment_of(shorter, 15)
    assert is_salt(salt)
    assert not is_salt(shorter)


@pytest.mark.parametrize(
    "value", [{"sealed": "ab"}, {"sealed": "AB" * 32}, {"sealed": 5}, {"sealed": "ab" * 32, "x": 1}]
)
def test_only_a_whole_commitment_counts_as_sealed(value: object) -> None:
    assert is_sealed({"sealed": "ab" * 32})
    assert not is_sealed(value)


@pytest.mark.parametrize(
    "keeper",
    [NOTARY, SIGNER, SEAL, Draws(SEED, "match-1", (), {})],
)
def test_what_keeps_a_seed_does_not_show_it(keeper: object) -> None:
    shown = repr(keeper)

    assert repr(SEED)[2:-1] not in shown
    assert SEED.hex() not in shown
    assert "private key" not in shown


@pytest.mark.parametrize("text", ["AB", "a b", "a", " ab", "ab\n", "zz"])
def test_hex_is_read_in_one_form_only(text: str) -> None:
    with pytest.raises(ValueError, match="hex"):
        bytes_of_hex(text)


def test_canonical_json_is_sorted_and_escapes_no_more_than_it_must() -> None:
    plain = {"ö": ['"\u2028\x07'], "a": {"z": None, "b": True}}

    assert canonical_bytes(plain) == '{"a":{"b":true,"z":null},"ö":["\\"\u2028\\u0007"]}'.encode()
