"""One description of several services."""

from copy import deepcopy
from typing import Any, Final

import httpx
from openapi_spec_validator import validate

from howff.servicekit.web.merging import merged, operations_of
from support.running import run
from support.web import Shop

INFO: Final = {"title": "All of it", "version": "1"}


def described(**schemas: Any) -> dict[str, Any]:
    """Return a document with these *schemas*, all of which one operation answers with."""
    forms = [{"$ref": f"#/components/schemas/{name}"} for name in schemas]
    answers = {"200": {"description": "OK", "content": {"a/b": {"schema": {"oneOf": forms}}}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "A part", "version": "1"},
        "paths": {"/a": {"get": {"operationId": "look", "tags": ["a"], "responses": answers}}},
        "components": {"schemas": schemas},
    }


def at(path: str, document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "paths": {path: document["paths"]["/a"]}}


def pointers_in(document: dict[str, Any], path: str) -> list[str]:
    answers = document["paths"][path]["get"]["responses"]["200"]["content"]["a/b"]
    return [each["$ref"].rpartition("/")[2] for each in answers["schema"]["oneOf"]]


def description(shop: Shop, **headers: str) -> httpx.Response:
    async def story() -> httpx.Response:
        async with shop.client() as client:
            return await client.get("/openapi.json", headers=headers)

    return run(story)


TEXT: Final = {"type": "string"}
NUMBER: Final = {"type": "integer"}


def test_components_that_are_alike_are_kept_once() -> None:
    one, other = described(Name=TEXT), at("/b", described(Name=TEXT))
    whole = merged({"one": one, "other": other}, INFO)
    validate(whole)
    assert whole["components"]["schemas"] == {"Name": TEXT}
    assert pointers_in(whole, "/a") == pointers_in(whole, "/b") == ["Name"]


def test_components_that_differ_are_told_apart_and_what_points_to_them_follows() -> None:
    one, other = described(Name=TEXT, Own=TEXT), at("/b", described(Name=NUMBER))
    whole = merged({"one": one, "other": other}, INFO)
    validate(whole)
    expected = {"one.Name": TEXT, "Own": TEXT, "other.Name": NUMBER}
    assert whole["components"]["schemas"] == expected
    assert pointers_in(whole, "/a") == ["one.Name", "Own"]
    assert pointers_in(whole, "/b") == ["other.Name"]


def test_components_that_point_to_what_differs_are_told_apart_however_alike_they_read() -> None:
    name, page = "#/components/schemas/Name", "#/components/schemas/Page"
    pages = {"Page": {"items": {"$ref": name}}, "Book": {"items": {"$ref": page}}}
    one, other = described(Name=TEXT, **pages), at("/b", described(Name=NUMBER, **pages))
    schemas = merged({"one": one, "other": other}, INFO)["components"]["schemas"]
    assert schemas["one.Book"] == {"items": {"$ref": "#/components/schemas/one.Page"}}
    assert schemas["other.Page"] == {"items": {"$ref": "#/components/schemas/other.Name"}}
    assert len(schemas) == 6


def test_components_that_point_to_themselves_in_a_circle_are_kept_once() -> None:
    tree = {"Tree": {"items": {"$ref": "#/components/schemas/Tree"}}}
    whole = merged({"one": described(**tree), "other": at("/b", described(**tree))}, INFO)
    assert whole["components"]["schemas"] == tree


def test_security_schemes_that_differ_are_named_apart_where_they_are_wanted() -> None:
    def secured(path: str, scheme: dict[str, Any]) -> dict[str, Any]:
        document = deepcopy(at(path, described(Name=TEXT)))
        document["components"]["securitySchemes"] = {"key": scheme}
        document["paths"][path]["get"]["security"] = [{}, {"key": []}]
        return document

    bearer, basic = ({"type": "http", "scheme": each} for each in ("bearer", "basic"))
    whole = merged({"one": secured("/a", bearer), "other": secured("/b", basic)}, INFO)
    validate(whole)
    assert whole["components"]["securitySchemes"] == {"one.key": bearer, "other.key": basic}
    assert whole["paths"]["/b"]["get"]["security"] == [{}, {"other.key": []}]
    same = merged({"one": secured("/a", bearer), "other": secured("/b", bearer)}, INFO)
    assert same["components"]["securitySchemes"] == {"key": bearer}


def test_operations_of_the_same_id_are_named_by_their_services() -> None:
    whole = merged({"one": described(Name=TEXT), "other": at("/b", described(Name=TEXT))}, INFO)
    ids = {path: operation["operationId"] for (path, _), operation in operations_of(whole)}
    assert ids == {"/a": "one_look", "/b": "other_look"}
    assert whole["tags"] == [{"name": "a"}]


def test_of_two_services_at_one_path_the_first_tells_what_is_there() -> None:
    other = described(Name=TEXT)
    other["paths"]["/a"]["get"]["tags"] = ["b"]
    other["paths"]["/a"]["put"] = other["paths"]["/a"]["get"] | {"operationId": "put"}
    whole = merged({"one": described(Name=TEXT), "other": other}, INFO)
    assert whole["paths"]["/a"].keys() == {"get", "put"}
    assert whole["paths"]["/a"]["get"]["tags"] == ["a"]


def test_the_documents_stay_as_they_are() -> None:
    documents = {"one": described(Name=TEXT), "other": described(Name=NUMBER)}
    before = deepcopy(documents)
    merged(documents, INFO)
    assert documents == before


def test_a_description_is_sent_once_to_who_keeps_it() -> None:
    shop = Shop()
    first = description(shop)
    tag = first.headers["ETag"]
    assert first.status_code == 200
    for known, status in ((tag, 304), (f'"a", W/{tag}', 304), ("*", 304), ('"a"', 200)):
        again = description(shop, **{"If-None-Match": known})
        assert (again.status_code, again.headers["ETag"]) == (status, tag)
        assert bool(again.content) == (status == 200)


def test_what_a_service_tells_of_itself_is_valid() -> None:
    validate(description(Shop()).json())
