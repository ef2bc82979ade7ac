"""One description of several services, made of the OpenAPI documents of each.

Components of the same name that mean the same are kept once; those that differ get the name of
their service in front, and whatever points to them follows. What two services would answer under
the same path and method stands as the first of them tells it.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from howff.engine.codec import JSON

_POINTER: Final = "#/components/{section}/{name}"
_SECURITY: Final = "securitySchemes"

Document = dict[str, Any]


class Component(NamedTuple):
    """Something that a document defines once and points to: where it stands in it."""

    section: str
    name: str

    @property
    def pointer(self) -> str:
        return _POINTER.format(section=self.section, name=self.name)


def merged(documents: Mapping[str, Document], info: JSON) -> Document:
    """Return one document of all *documents*, which are given by the names of their services.

    They stay as they are. Operations of the same id, and components that differ, are told apart by
    `SERVICE_` and `SERVICE.` in front of their names.
    """
    apart = _differing(documents)
    paths: Document = {}
    components: Document = {}
    for service, document in documents.items():
        renamed = _renamed(document, service, apart & _components(document).keys())
        for path, operations in renamed.get("paths", {}).items():
            paths[path] = operations | paths.get(path, {})
        for section, contents in renamed.get("components", {}).items():
            components.setdefault(section, {}).update(contents)
    version = _newest(documents.values())
    whole = {"openapi": version, "info": info, "paths": paths, "components": components}
    _tell_ids_apart(whole, documents)
    tags = (tag for _, operation in operations_of(whole) for tag in operation.get("tags", ()))
    return {**whole, "tags": [{"name": tag} for tag in dict.fromkeys(tags)]}


def operations_of(document: Document) -> Iterator[tuple[tuple[str, str], Document]]:
    """Yield each operation of *document* with its path and its method."""
    for path, operations in document.get("paths", {}).items():
        for method, operation in operations.items():
            if isinstance(operation, dict) and "responses" in operation:
                yield (path, method), operation


def _components(document: Document) -> dict[Component, JSON]:
    return {
        Component(section, name): content
        for section, contents in document.get("components", {}).items()
        for name, content in contents.items()
    }


def _differing(documents: Mapping[str, Document]) -> frozenset[Component]:
    """Return the components that several documents have, and that do not mean the same in all.

    Those that point to one of them do not mean the same either, however alike they read.
    """
    found: dict[Component, list[JSON]] = defaultdict(list)
    for document in documents.values():
        for component, content in _components(document).items():
            found[component].append(content)
    shared = {each: contents for each, contents in found.items() if len(contents) > 1}
    apart = {each for each, contents in shared.items() if len(set(map(_text, contents))) > 1}
    while True:
        pointers = {each.pointer for each in apart}
        following = {
            each
            for each, contents in shared.items()
            if each not in apart and not pointers.isdisjoint(_texts_in(contents))
        }
        if not following:
            return frozenset(apart)
        apart |= following


def _renamed(document: Document, service: str, apart: Iterable[Component]) -> Document:
    """Return *document* with the name of its service before those of the components *apart*."""
    new = {each: Component(each.section, f"{service}.{each.name}") for each in apart}
    pointers = {old.pointer: each.pointer for old, each in new.items()}
    changed: Document = _mapped(document, lambda text: pointers.get(text, text))
    for old, each in new.items():
        components = changed["components"][old.section]
        components[each.name] = components.pop(old.name)
    schemes = {old.name: each.name for old, each in new.items() if old.section == _SECURITY}
    for _, operation in operations_of(changed):
        if "security" in operation:
            operation["security"] = [
                {schemes.get(name, name): scopes for name, scopes in each.items()}
                for each in operation["security"]
            ]
    return changed


def _tell_ids_apart(whole: Document, documents: Mapping[str, Document]) -> None:
    owners = {
        place: service
        for service, document in reversed(tuple(documents.items()))
        for place, _ in operations_of(document)
    }
    named = [
        (place, operation)
        for place, operation in operations_of(whole)
        if "operationId" in operation
    ]
    counts = Counter(operation["operationId"] for _, operation in named)
    for place, operation in named:
        if counts[operation["operationId"]] > 1:
            operation["operationId"] = f"{owners[place]}_{operation['operationId']}"


def _newest(documents: Iterable[Document]) -> str:
    versions = (str(each["openapi"]) for each in documents)
    return max(versions, key=lambda text: [int(part) for part in text.split(".")])


def _mapped(plain: JSON, change: Callable[[str], str]) -> JSON:
    """Return a copy of *plain* in which each text, names of fields apart, is changed."""
    match plain:
        case dict():
            return {name: _mapped(value, change) for name, value in plain.items()}
        case list():
            return [_mapped(each, change) for each in plain]
        case str():
            return change(plain)
        case _:
            return plain


def _texts_in(plain: JSON) -> Iterator[str]:
    match plain:
        case dict():
            for value in plain.values():
                yield from _texts_in(value)
        case list():
            for each in plain:
                yield from _texts_in(each)
        case str():
            yield plain
        case _:
            pass


def _text(plain: JSON) -> str:
    return json.dumps(plain, sort_keys=True)
