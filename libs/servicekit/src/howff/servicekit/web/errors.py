"""Refusals at the edge of the web: what is wrong with a request before anybody decides on it."""

from collections.abc import Mapping
from typing import ClassVar

from howff.engine.errors import RefusalError


class WebError(RefusalError):
    """The base of the refusals that know which HTTP *status* they are."""

    status: ClassVar[int]
    headers: Mapping[str, str] = {}


class BodyTooLargeError(WebError):
    """A request has a larger body than anything that is asked for here."""

    code = "body_too_large"
    status = 413
    headers: Mapping[str, str] = {"Connection": "close"}

    def __init__(self, most_bytes: int) -> None:
        expected = f"at most {most_bytes} bytes"
        super().__init__("the body is too large", expected=expected, found="more")


class BodyTimeoutError(WebError):
    """The body of a request does not come to an end."""

    code = "body_timeout"
    status = 408
    headers: Mapping[str, str] = {"Connection": "close"}

    def __init__(self, seconds: float) -> None:
        expected = f"the whole body within {seconds:g} s"
        super().__init__("the body takes too long", expected=expected, found="a part of it")


class WrongMediaTypeError(WebError):
    """A request has a body that does not claim to be what is taken here, as a rule JSON."""

    code = "wrong_media_type"
    status = 415

    def __init__(self, expected: str, found: str) -> None:
        super().__init__("wrong media type", expected=expected, found=found)


class NotAcceptableError(WebError):
    """A client takes none of the forms that there are."""

    code = "not_acceptable"
    status = 406

    def __init__(self, forms: tuple[str, ...], found: str) -> None:
        super().__init__("not acceptable", expected=" or ".join(forms), found=repr(found[:80]))


class MalformedJsonError(WebError):
    """A body is not JSON as all readers of JSON understand it alike."""

    code = "malformed_json"
    status = 400

    def __init__(self, *, expected: str, found: str) -> None:
        super().__init__("malformed JSON", expected=expected, found=found)


class MalformedFormError(WebError):
    """A body is not a form as all readers of forms understand it alike."""

    code = "malformed_form"
    status = 400

    def __init__(self, *, expected: str, found: str) -> None:
        super().__init__("malformed form", expected=expected, found=found)


class TokenRequiredError(WebError):
    """A request that only somebody may make comes from nobody."""

    code = "token_required"
    status = 401
    headers: Mapping[str, str] = {"WWW-Authenticate": "Bearer"}

    def __init__(self) -> None:
        expected = "the header Authorization: Bearer with an access token"
        super().__init__("an access token is required", expected=expected, found="none")


class InvalidTokenError(WebError):
    """An access token proves nothing."""

    code = "invalid_token"
    status = 401
    headers: Mapping[str, str] = {"WWW-Authenticate": 'Bearer error="invalid_token"'}

    def __init__(self, *, expected: str, found: str) -> None:
        super().__init__("invalid access token", expected=expected, found=found)


class RevokedTokenError(WebError):
    """An access token was good, and has been taken back."""

    code = "token_revoked"
    status = 401
    headers: Mapping[str, str] = {"WWW-Authenticate": 'Bearer error="invalid_token"'}

    def __init__(self) -> None:
        expected, found = "a token that holds still", "one that was revoked"
        super().__init__("revoked access token", expected=expected, found=found)


class TrustNotReadyError(WebError):
    """By which keys tokens are signed, and which of them are revoked, is not known yet."""

    code = "trust_not_ready"
    status = 503
    retry_after = 1

    def __init__(self) -> None:
        expected, found = "the keys of the issuer of tokens", "none yet"
        super().__init__("tokens can't be verified yet", expected=expected, found=found)


class MissingScopeError(WebError):
    """An access token is not for what the caller wants to do with it."""

    code = "missing_scope"
    status = 403

    def __init__(self, wanted: str, found: frozenset[str]) -> None:
        expected = f"scope {wanted!r}"
        super().__init__(
            "missing scope", expected=expected, found=" ".join(sorted(found)) or "no scope"
        )
        challenge = f'Bearer error="insufficient_scope", scope="{wanted}"'
        self.headers = {"WWW-Authenticate": challenge}


class UnpassableError(WebError):
    """A request can't be said again to the service that it is for."""

    code = "malformed_request"
    status = 400

    def __init__(self) -> None:
        expected = "a request with one host, a path and headers in visible characters"
        super().__init__("malformed request", expected=expected, found="another")


class NoSuchPartError(WebError):
    """No service has the path that a request is for."""

    code = "no_such_route"
    status = 404

    def __init__(self) -> None:
        super().__init__("no such route", expected="the path of a service", found="another")


class PartAwayError(WebError):
    """Nobody listens where the service should be that a request is for."""

    code = "part_away"
    status = 503
    retry_after = 1

    def __init__(self) -> None:
        super().__init__("the service is away", expected="one that listens", found="none")


class PartBrokenError(WebError):
    """The service that a request is for has broken the line off; it may have acted."""

    code = "part_broken"
    status = 502
    retry_after = 1

    def __init__(self) -> None:
        super().__init__("no answer", expected="an answer of the service", found="a broken line")


class PartSilentError(WebError):
    """The service that a request is for does not answer; it may have acted."""

    code = "part_silent"
    status = 504
    retry_after = 1

    def __init__(self, seconds: float) -> None:
        expected = f"an answer of the service within {seconds:g} s"
        super().__init__("no answer", expected=expected, found="silence")


class RateLimitedError(WebError):
    """Somebody has asked more often than anybody may."""

    code = "rate_limited"
    status = 429

    def __init__(self, per_minute: int, at_once: int, retry_after: int) -> None:
        expected = f"at most {per_minute} points a minute, {at_once} at once"
        super().__init__("too many requests", expected=expected, found="more")
        self.retry_after = retry_after


class WrongKeysError(RefusalError):
    """A set of keys is none by which tokens could be verified."""

    code = "wrong_keys"

    def __init__(self, found: str) -> None:
        expected = "a JSON Web Key Set, its Ed25519 keys with an id each"
        super().__init__("wrong keys", expected=expected, found=found)


class WrongKeyError(RefusalError):
    """What should be a private key by which tokens are signed is none."""

    code = "wrong_key"

    def __init__(self, found: str) -> None:
        super().__init__("wrong key", expected="32 bytes in base64url", found=found)


class DevelopmentTokensError(RefusalError):
    """Tokens for anybody who asks are wanted where real people play."""

    code = "development_tokens"

    def __init__(self, mode: str) -> None:
        expected = "mode one_machine or test"
        super().__init__("no development tokens here", expected=expected, found=repr(mode))


class WrongAddressError(RefusalError):
    """A server can't listen where it should."""

    code = "wrong_address"

    def __init__(self, host: str, port: int, found: str) -> None:
        super().__init__(f"can't listen on {host}:{port}", expected="a free address", found=found)
