"""What kustomize makes of an overlay."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import yaml  # type: ignore[import-untyped]

REPOSITORY: Final = Path(__file__).parents[3]
OVERLAYS: Final = REPOSITORY / "deploy" / "k8s" / "overlays"
NAMES: Final = ("dev", "prod")
OLDEST: Final = 5
"""The major version of kustomize that the overlays need; kubectl has had it since 1.27."""
_COMMANDS: Final = {
    ("kubectl", "kustomize"): ("version", "--client", "--output", "json"),
    ("kustomize", "build"): ("version",),
}
_VERSION: Final = re.compile(r'(?:"kustomizeVersion": "|^)v(\d+)\.')
_WORKLOADS: Final = ("Deployment", "StatefulSet", "Job")

Object = dict[str, Any]


class NotRenderedError(Exception):
    """An overlay could not be rendered."""


@cache
def kustomize_command() -> tuple[str, ...] | None:
    """Return the command that renders a folder, if one of the two that can is here."""
    for rendering, telling in _COMMANDS.items():
        program = shutil.which(rendering[0])
        if program and _told_version(program, *telling) >= OLDEST:
            return rendering
    return None


def _told_version(*command: str) -> int:
    done = subprocess.run(  # noqa: S603 - one of the two
        command, capture_output=True, text=True, check=False
    )
    found = _VERSION.search(done.stdout)
    return int(found[1]) if found else 0


def rendered(folder: Path) -> list[Object]:
    """Return the objects that *folder* is rendered to.

    Raises:
        NotRenderedError: there is no kustomize, or it refuses.
    """
    command = kustomize_command()
    if command is None:
        raise NotRenderedError("expected kubectl 1.27 or kustomize 5 or later, found neither")
    done = subprocess.run(  # noqa: S603 - our own folder
        [*command, str(folder)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NotRenderedError(done.stderr.strip())
    return [each for each in yaml.safe_load_all(done.stdout) if each]


def name_of(each: Object) -> str:
    """Return what a finding calls an object."""
    return f"{each['kind']} {each['metadata']['name']}"


@dataclass(frozen=True)
class Pod:
    """A pod as a workload makes it."""

    owner: Object
    template: Object

    @property
    def name(self) -> str:
        return name_of(self.owner)

    @property
    def app(self) -> str:
        return str(self.labels.get("app.kubernetes.io/name"))

    @property
    def is_lasting(self) -> bool:
        return str(self.owner["kind"]) != "Job"

    @cached_property
    def labels(self) -> dict[str, str]:
        return dict(self.template["metadata"].get("labels", {}))

    @cached_property
    def spec(self) -> Object:
        return dict(self.template["spec"])

    @cached_property
    def containers(self) -> list[Object]:
        return [*self.spec["containers"], *self.spec.get("initContainers", [])]

    @cached_property
    def ports(self) -> set[int]:
        return {port["containerPort"] for each in self.containers for port in each.get("ports", [])}

    def port_named(self, name: int | str) -> int | None:
        """Return the number of a port, which may be told by its name; None if there is none."""
        for each in self.containers:
            for port in each.get("ports", []):
                if name in {port["containerPort"], port.get("name")}:
                    return int(port["containerPort"])
        return None


@dataclass(frozen=True)
class Cluster:
    """All objects of an overlay."""

    objects: list[Object]

    def of_kind(self, *kinds: str) -> list[Object]:
        return [each for each in self.objects if each["kind"] in kinds]

    def named(self, kind: str, name: str) -> Object | None:
        found = (each for each in self.of_kind(kind) if each["metadata"]["name"] == name)
        return next(found, None)

    @cached_property
    def pods(self) -> list[Pod]:
        return [Pod(each, each["spec"]["template"]) for each in self.of_kind(*_WORKLOADS)]

    def pods_by(self, selector: Object) -> list[Pod]:
        """Return the pods that a label selector means."""
        return [each for each in self.pods if is_selected(selector, each.labels)]

    def configuration(self, stem: str) -> dict[str, str]:
        """Return the content of the ConfigMap that is called *stem*, but for its hash.

        Raises:
            NotRenderedError: there is none.
        """
        for each in self.of_kind("ConfigMap"):
            if each["metadata"]["name"].rpartition("-")[0] == stem:
                return dict(each["data"])
        raise NotRenderedError(f"expected a ConfigMap {stem}, found none")


def is_selected(selector: Object, labels: dict[str, str]) -> bool:
    """Return whether *labels* are among those that a label selector means."""
    wanted = selector.get("matchLabels", {}).items()
    are_equal = all(labels.get(key) == value for key, value in wanted)
    return are_equal and all(_is_met(each, labels) for each in selector.get("matchExpressions", []))


def _is_met(expression: Object, labels: dict[str, str]) -> bool:
    value = labels.get(expression["key"])
    match expression["operator"]:
        case "In":
            return value in expression["values"]
        case "NotIn":
            return value not in expression["values"]
        case "Exists":
            return value is not None
        case _:
            return value is None
