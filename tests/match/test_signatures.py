import pytest

from howff.engine.codec import JSON
from howff.engine.errors import MalformedError
from howff.match.signatures import PublicKey, Signer, public_key_from_jwk
from support.played import SIGNER

# The key pair, its thumbprint and nothing else are from RFC 8037, appendix A.
RFC_PRIVATE = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
RFC_X = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
RFC_THUMBPRINT = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"


def signed() -> str:
    return SIGNER.sign(match="match-1", version=3, commit_hash="ab" * 32)


def test_a_key_has_the_members_and_the_thumbprint_of_its_jwk() -> None:
    signer = Signer.of(bytes.fromhex(RFC_PRIVATE))

    assert signer.public_key == PublicKey("Ed25519", "OKP", RFC_X)
    assert signer.id == RFC_THUMBPRINT


def test_a_signature_is_of_match_version_and_hash() -> None:
    key = SIGNER.public_key

    assert key.has_signed(signed(), match="match-1", version=3, commit_hash="ab" * 32)
    assert not key.has_signed(signed(), match="match-2", version=3, commit_hash="ab" * 32)
    assert not key.has_signed(signed(), match="match-1", version=4, commit_hash="ab" * 32)
    assert not key.has_signed(signed(), match="match-1", version=3, commit_hash="ac" * 32)


def test_another_key_has_not_signed() -> None:
    key = Signer.of(bytes(32)).public_key

    assert not key.has_signed(signed(), match="match-1", version=3, commit_hash="ab" * 32)


@pytest.mark.parametrize("at", range(86))
def test_no_character_of_a_signature_can_change(at: int) -> None:
    signature = signed()
    # The last character has bits to spare: a lax reader takes its neighbour for the same.
    neighbour = chr(ord(signature[at]) + 1)
    changed = signature[:at] + neighbour + signature[at + 1 :]

    key = SIGNER.public_key
    assert not key.has_signed(changed, match="match-1", version=3, commit_hash="ab" * 32)


@pytest.mark.parametrize("x", ["", "=", "ü", "AAAA", "A" * 44, RFC_X + "="])
def test_a_key_that_is_none_has_signed_nothing(x: str) -> None:
    key = PublicKey("Ed25519", "OKP", x)

    assert not key.has_signed(signed(), match="match-1", version=3, commit_hash="ab" * 32)


def test_a_key_is_read_from_a_jwk_whatever_else_stands_in_it() -> None:
    jwk = {"crv": "Ed25519", "kty": "OKP", "x": RFC_X, "kid": "2026", "use": "sig", "alg": "EdDSA"}

    assert public_key_from_jwk(jwk) == PublicKey("Ed25519", "OKP", RFC_X)


@pytest.mark.parametrize(
    "plain",
    [
        None,
        [],
        "key",
        {},
        {"crv": "Ed25519", "kty": "OKP"},
        {"crv": "Ed25519", "kty": "RSA", "x": RFC_X},
        {"crv": "X25519", "kty": "OKP", "x": RFC_X},
        {"crv": ["Ed25519"], "kty": "OKP", "x": RFC_X},
        {"crv": "Ed25519", "kty": "OKP", "x": 7},
        {"crv": "Ed25519", "kty": "OKP", "x": ""},
        {"crv": "Ed25519", "kty": "OKP", "x": RFC_X + "="},
        {"crv": "Ed25519", "kty": "OKP", "x": RFC_X[:-1]},
        {"crv": "Ed25519", "kty": "OKP", "x": "\ud800" * 43},
        {"crv": "\ud800", "kty": "\x1b", "x": RFC_X},
    ],
)
def test_what_is_no_ed25519_key_is_refused_in_plain_words(plain: JSON) -> None:
    with pytest.raises(MalformedError) as refusal:
        public_key_from_jwk(plain)

    assert str(refusal.value).isascii()
    assert str(refusal.value).isprintable()
