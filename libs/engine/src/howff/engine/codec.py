"""The one JSON form of game values: states, moves, events, views, memories, options.

A type annotation is compiled once into a `Form`, which writes values of that type as plain JSON
(dict, list, str, int, bool, None) and reads them back strictly. A dataclass becomes an object of
its fields; where a union of dataclasses is expected, `{"type": "CardPlayed", "data": {…}}`.
Floats have no form: rules count in integers.
"""

import json
import re
import types
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from typing import (
    Annotated,
    Any,
    Literal,
    NewType,
    TypeGuard,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from howff.engine.errors import MalformedError
from howff.engine.once import once
from howff.engine.visibility import Sealed, Visibility

JSON = Any
"""Plain JSON; as an annotation of a field it lets any value through."""

T = TypeVar("T")
Encoder = Callable[[Any], JSON]
Decoder = Callable[[JSON, str], Any]


@dataclass(frozen=True, slots=True)
class Form:
    """How values of one type are written and read; *decode* takes the JSON and its path."""

    encode: Encoder
    decode: Decoder


def to_json(kind: Any, value: object) -> JSON:
    """Return *value*, which is of the type *kind*, as plain JSON."""
    return form_of(kind).encode(value)


def from_json(kind: Callable[..., T], plain: JSON) -> T:
    """Return the value of the type *kind* that *plain* tells.

    Raises:
        MalformedError: a key is missing or unknown, or a value has another type.
    """
    return cast("T", form_of(kind).decode(plain, ""))


def picked(kind: type[T], plain: JSON) -> T:
    """Return the dataclass *kind* from the part of *plain* that it knows.

    Raises:
        MalformedError: a key is missing, or a value has another type.
    """
    known = forms_of(kind)
    if _is_object(plain):
        plain = {name: value for name, value in plain.items() if name in known}
    return from_json(kind, plain)


def to_tagged(value: object) -> JSON:
    """Return the dataclass *value* with its class: `{"type": …, "data": …}`."""
    return {"type": type(value).__name__, "data": form_of(type(value)).encode(value)}


def from_tagged(union: Any, plain: JSON) -> Any:
    """Return the value that *plain* tells, of a class of *union* (a lone class will do).

    Raises:
        MalformedError: *plain* is not an object of type and data, or either is wrong.
    """
    return _tagged_form(classes_of(union)).decode(plain, "")


def canonical(plain: JSON) -> str:
    """Return *plain* as canonical JSON text: sorted keys, no spaces.

    With the keys and numbers of game values these are the bytes of RFC 8785.
    """
    return json.dumps(
        plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def classes_of(union: Any) -> tuple[type, ...]:
    """Return the classes of *union*; a union of one class is that class."""
    return cast("tuple[type, ...]", get_args(union) or (union,))


@once
def form_of(kind: Any) -> Form:  # noqa: PLR0911
    """Return the form of the type *kind*, compiled at the first call."""
    origin = get_origin(kind)
    if isinstance(kind, NewType):
        return form_of(_without_new_type(kind))
    if origin is Annotated:
        return _annotated_form(kind)
    if origin is Literal:
        return _literal_form(get_args(kind))
    if origin is tuple:
        return _tuple_form(get_args(kind))
    if origin in {Union, types.UnionType}:
        return _union_form(get_args(kind))
    if is_dataclass(kind):
        return _dataclass_form(cast("type", kind))
    return _plain_form(kind)


@once
def forms_of(kind: type) -> dict[str, Form]:
    """Return the form of each field of the dataclass *kind*, in order.

    Raises:
        TypeError: the values of a field have no form; says which.
    """
    hints = get_type_hints(kind, include_extras=True)
    forms: dict[str, Form] = {}
    for field in fields(kind):
        try:
            forms[field.name] = form_of(hints[field.name])
        except TypeError as error:
            message = f"{kind.__name__}.{field.name}: {error}"
            raise TypeError(message) from error
    return forms


def _plain_form(kind: Any) -> Form:
    if kind is Any:
        return Form(_same, lambda plain, _: plain)
    if kind not in {int, str, bool, type(None)}:
        message = f"no JSON form for {kind!r}"
        raise TypeError(message)

    def decode(plain: JSON, path: str) -> Any:
        # Not isinstance: true is no number.
        if type(plain) is kind and _is_canonical(plain):
            return plain
        raise MalformedError(path, expected=_NAMES[kind], found=shown(plain))

    return Form(_same, decode)


def _literal_form(values: tuple[Any, ...]) -> Form:
    expected = "one of " + ", ".join(json.dumps(value) for value in values)

    def decode(plain: JSON, path: str) -> Any:
        for value in values:
            if plain == value and type(plain) is type(value):
                return value
        raise MalformedError(path, expected=expected, found=shown(plain))

    return Form(_same, decode)


def _tuple_form(items: tuple[Any, ...]) -> Form:
    if len(items) != 2 or items[1] is not Ellipsis:  # noqa: PLR2004 — tuple[T, ...] has two
        return _fixed_tuple_form(tuple(form_of(item) for item in items))
    form = form_of(items[0])

    def encode(value: tuple[Any, ...]) -> JSON:
        return [form.encode(item) for item in value]

    def decode(plain: JSON, path: str) -> Any:
        if not _is_list(plain):
            raise MalformedError(path, expected="a list", found=shown(plain))
        return tuple(form.decode(item, f"{path}[{at}]") for at, item in enumerate(plain))

    return Form(list if form.encode is _same else encode, decode)


def _fixed_tuple_form(forms: tuple[Form, ...]) -> Form:
    def encode(value: tuple[Any, ...]) -> JSON:
        return [form.encode(item) for form, item in zip(forms, value, strict=True)]

    def decode(plain: JSON, path: str) -> Any:
        if not _is_list(plain) or len(plain) != len(forms):
            raise MalformedError(path, expected=f"a list of {len(forms)}", found=shown(plain))
        pairs = enumerate(zip(forms, plain, strict=True))
        return tuple(form.decode(item, f"{path}[{at}]") for at, (form, item) in pairs)

    return Form(encode, decode)


def _union_form(kinds: tuple[Any, ...]) -> Form:
    kinds = tuple(map(_without_new_type, kinds))
    if sum(get_origin(kind) is tuple for kind in kinds) > 1:
        message = f"values of {kinds} can't be told apart"
        raise TypeError(message)
    classes = tuple(kind for kind in kinds if is_dataclass(kind))
    forms = [(_json_types(kind), form_of(kind)) for kind in kinds if not is_dataclass(kind)]
    if len(classes) > 1:
        forms.insert(0, ({dict}, _tagged_form(cast("tuple[type, ...]", classes))))
    elif classes:
        forms.insert(0, ({dict}, form_of(classes[0])))
    decode_any = _decoder_of_any(tuple(form for _, form in forms))
    only = _only_forms(forms)

    def decode(plain: JSON, path: str) -> Any:
        form = only.get(plain.__class__)
        if form is not None:
            with suppress(MalformedError):  # and then told with all that was expected
                return form.decode(plain, path)
        return decode_any(plain, path)

    return Form(_union_encoder(kinds, len(classes) > 1), decode)


def _decoder_of_any(forms: tuple[Form, ...]) -> Decoder:
    """Return what reads a value by the first of *forms* that accepts it."""

    def decode(plain: JSON, path: str) -> Any:
        refusals: list[MalformedError] = []
        for form in forms:
            try:
                return form.decode(plain, path)
            except MalformedError as refusal:
                refusals.append(refusal)
        deepest = max(refusals, key=lambda refusal: len(refusal.path))
        if deepest.path != path:
            raise deepest
        expected = " or ".join(refusal.expected for refusal in refusals)
        raise MalformedError(path, expected=expected, found=shown(plain))

    return decode


def _only_forms(forms: list[tuple[set[type], Form]]) -> dict[type, Form]:
    """Return the form that alone reads values of a type of JSON, for those where one alone does."""
    counts = Counter(each for types_read, _ in forms for each in types_read)
    return {each: form for types_read, form in forms for each in types_read if counts[each] == 1}


def _json_types(kind: Any) -> set[type]:
    """Return the types of plain JSON that values of the type *kind* are read from."""
    origin = get_origin(kind)
    if origin is Annotated:
        return _json_types(get_args(kind)[0])
    if origin is Literal:
        return {type(value) for value in get_args(kind)}
    if origin is tuple:
        return {list}
    return {dict, list, str, int, bool, type(None)} if kind is Any else {kind}


def _without_new_type(kind: Any) -> Any:
    while isinstance(kind, NewType):
        kind = kind.__supertype__
    return kind


def _union_encoder(kinds: tuple[Any, ...], tagged: bool) -> Encoder:  # noqa: FBT001
    tuples = tuple(form_of(kind) for kind in kinds if get_origin(kind) is tuple)

    def encode(value: Any) -> JSON:
        if is_dataclass(value):
            return to_tagged(value) if tagged else form_of(type(value)).encode(value)
        return tuples[0].encode(value) if isinstance(value, tuple) else value

    return encode


def _tagged_form(classes: tuple[type, ...]) -> Form:
    known = {each.__name__: each for each in classes}

    def decode(plain: JSON, path: str) -> Any:
        if not _is_object(plain) or plain.keys() != {"type", "data"}:
            expected = 'an object of "type" and "data"'
            raise MalformedError(path, expected=expected, found=shown(plain))
        kind = known.get(plain["type"]) if isinstance(plain["type"], str) else None
        if kind is None:
            expected = "one of " + ", ".join(known)
            raise MalformedError(_at(path, "type"), expected=expected, found=shown(plain["type"]))
        return form_of(kind).decode(plain["data"], _at(path, "data"))

    return Form(to_tagged, decode)


def _dataclass_form(kind: type) -> Form:
    forms = forms_of(kind)
    required = frozenset(field.name for field in fields(kind) if not _has_default(field))

    def encode(value: object) -> JSON:
        return {name: form.encode(getattr(value, name)) for name, form in forms.items()}

    def decode(plain: JSON, path: str) -> Any:
        if not _is_object(plain):
            raise MalformedError(path, expected="an object", found=shown(plain))
        if not (required <= plain.keys() <= forms.keys()):
            raise _wrong_keys(path, plain, required, frozenset(forms))
        return kind(
            **{name: forms[name].decode(item, _at(path, name)) for name, item in plain.items()}
        )

    return Form(encode, decode)


def _annotated_form(kind: Any) -> Form:
    """Return the form of a field that may stand sealed in a redacted event."""
    form = form_of(get_args(kind)[0])
    if not any(isinstance(extra, Visibility) for extra in get_args(kind)[1:]):
        return form

    def encode(value: Any) -> JSON:
        if isinstance(value, Sealed):
            return {"sealed": value.commitment}
        return form.encode(value)

    def decode(plain: JSON, path: str) -> Any:
        if _is_object(plain) and plain.keys() == {"sealed"}:
            return Sealed(form_of(str).decode(plain["sealed"], _at(path, "sealed")))
        return form.decode(plain, path)

    return Form(encode, decode)


def _wrong_keys(
    path: str, found: dict[str, JSON], required: frozenset[str], known: frozenset[str]
) -> MalformedError:
    for name in sorted(required - found.keys()):
        return MalformedError(_at(path, name), expected="a value", found="nothing")
    unknown = min(map(str, found.keys() - known))
    expected = f"only {', '.join(sorted(known)) or 'an empty object'}"
    return MalformedError(_at(path, unknown), expected=expected, found=repr(unknown))


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _is_canonical(plain: JSON) -> bool:
    """Return whether RFC 8785 has a form for *plain*: no huge integer, no half of a character."""
    if type(plain) is int:
        return abs(plain) <= _LARGEST
    return type(plain) is not str or plain.isascii() or not _SURROGATE.search(plain)


def _is_list(plain: JSON) -> TypeGuard[list[JSON]]:
    return type(plain) is list


def _is_object(plain: JSON) -> TypeGuard[dict[str, JSON]]:
    return type(plain) is dict


def _same(value: Any) -> JSON:
    return value


def _at(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def shown(plain: JSON) -> str:
    """Return *plain* as short text for a message."""
    text = json.dumps(plain, ensure_ascii=False, default=repr)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


_SHOWN = 80
_LARGEST = 2**53 - 1
"""The largest integer that every reader of JSON keeps."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_NAMES = {
    int: "an integer below 2^53",
    str: "a string of Unicode",
    bool: "true or false",
    type(None): "null",
}
