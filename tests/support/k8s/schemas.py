"""Whether objects are what the API of Kubernetes takes: unknown kinds and fields are refused."""

import json
from collections.abc import Iterator
from typing import Any, Final

import jsonschema  # type: ignore[import-untyped]
import kubernetes_validate  # type: ignore[import-untyped]

from support.k8s.rendering import REPOSITORY, Cluster, Object, name_of

VERSIONS: Final = ("1.32", "1.37")
"""The oldest version that we promise to work with, and the newest whose schemas are installed."""
_KEPT: Final = REPOSITORY / "deploy" / "k8s" / "schemas"


def schema_findings(cluster: Cluster) -> Iterator[str]:
    """Say where an object breaks its schema, or has none."""
    for each in cluster.objects:
        for version in VERSIONS:
            found = _finding(each, version)
            if found is not None:
                yield f"{name_of(each)}: {found} (Kubernetes {version})"


def _finding(each: Object, version: str) -> str | None:
    try:
        kubernetes_validate.validate(each, version, strict=True)
    except kubernetes_validate.SchemaNotFoundError:
        return _finding_by_kept(each)
    except kubernetes_validate.ValidationError as error:
        return _told(error)
    return None


def _finding_by_kept(each: Object) -> str | None:
    api = str(each["apiVersion"]).replace("/", "-")
    file = _KEPT / f"{each['kind'].lower()}-{api}.json"
    if not file.is_file():
        return f"expected a kind whose schema is known, found {each['apiVersion']} {each['kind']}"
    validator = jsonschema.Draft202012Validator(json.loads(file.read_text()))
    error = next(iter(validator.iter_errors(each)), None)
    return None if error is None else _told(error)


def _told(error: Any) -> str:
    return f"{'.'.join(str(step) for step in error.path)}: {error.message}"
