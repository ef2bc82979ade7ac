"""JSON Schema (2020-12) of the types that games exchange with the world."""

import types
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import (
    Annotated,
    Any,
    Literal,
    NewType,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from howff.engine.codec import JSON, canonical, classes_of, to_json
from howff.engine.visibility import Visibility

_PLAIN: dict[Any, str] = {int: "integer", str: "string", bool: "boolean", type(None): "null"}
_WORDS = {"integer": "a number", "string": "a text", "boolean": "true or false", "null": "null"}


def schema_of(kind: Any) -> JSON:  # noqa: PLR0911
    """Return the schema of the JSON form of the type *kind*; dataclasses are written in place."""
    origin = get_origin(kind)
    if isinstance(kind, NewType):
        return schema_of(kind.__supertype__)
    if origin is Annotated:
        return _annotated(kind)
    if origin is Literal:
        return {"enum": list(get_args(kind))}
    if origin is tuple:
        return _tuple(get_args(kind))
    if origin in {Union, types.UnionType}:
        return _union(get_args(kind))
    if is_dataclass(kind):
        return _object(cast("type", kind))
    return {} if kind is Any else {"type": _PLAIN[kind]}


def tagged_schema_of(union: Any) -> JSON:
    """Return the schema of `{"type": …, "data": …}` for the classes of *union*."""
    return {"oneOf": [_tagged(kind) for kind in classes_of(union)]}


def values_in_words(schema: JSON) -> str:
    """Return in short which values the *schema* of an option allows."""
    return " or ".join(_values(schema))


def _values(schema: JSON) -> Iterator[str]:
    for each in schema.get("anyOf", [schema]):
        if "enum" in each:
            yield from map(canonical, each["enum"])
        elif "items" in each:
            yield f"a list of {', '.join(_values(each['items']))}"
        else:
            yield _WORDS[each["type"]]


def _tagged(kind: type) -> JSON:
    return {
        "type": "object",
        "description": (kind.__doc__ or "").strip().partition("\n")[0],
        "properties": {"type": {"const": kind.__name__}, "data": schema_of(kind)},
        "required": ["type", "data"],
        "additionalProperties": False,
    }


def _object(kind: type) -> JSON:
    hints = get_type_hints(kind, include_extras=True)
    properties: dict[str, JSON] = {}
    required: list[str] = []
    for field in fields(kind):
        properties[field.name] = schema_of(hints[field.name])
        default = field.default if field.default_factory is MISSING else field.default_factory()
        if default is MISSING:
            required.append(field.name)
        else:
            properties[field.name]["default"] = to_json(hints[field.name], default)
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _tuple(items: tuple[Any, ...]) -> JSON:
    if items[-1] is Ellipsis:
        return {"type": "array", "items": schema_of(items[0])}
    forms = [schema_of(item) for item in items]
    return {"type": "array", "prefixItems": forms, "minItems": len(forms), "maxItems": len(forms)}


def _union(kinds: tuple[Any, ...]) -> JSON:
    classes = [kind for kind in kinds if is_dataclass(kind)]
    if len(classes) <= 1:
        return {"anyOf": [schema_of(kind) for kind in kinds]}
    others = [schema_of(kind) for kind in kinds if not is_dataclass(kind)]
    return {"anyOf": [*(_tagged(cast("type", kind)) for kind in classes), *others]}


def _annotated(kind: Any) -> JSON:
    value = schema_of(get_args(kind)[0])
    if not any(isinstance(extra, Visibility) for extra in get_args(kind)[1:]):
        return value
    sealed = {
        "type": "object",
        "properties": {"sealed": {"type": "string"}},
        "required": ["sealed"],
        "additionalProperties": False,
    }
    return {"anyOf": [value, sealed]}
