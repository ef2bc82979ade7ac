"""Whether the Ingress hands paths to the same services as the front of `howff up`."""

from collections.abc import Iterator
from typing import Final

from howff.cli.machine.services import LOBBY_PATHS, SCORING_PATHS
from support.k8s.rendering import Cluster, Object, name_of

GAME_PATHS: Final = ("/v1/games", "/v1/matches", "/v1/whatever-comes", "/whatever-comes")
_ALONE: Final = "="
FEEDS: Final = {
    "nginx.ingress.kubernetes.io/proxy-buffering": "off",
    "nginx.ingress.kubernetes.io/proxy-read-timeout": "3600",
}
"""Without which a feed would come late, or break off in a pause."""


def routing_findings(cluster: Cluster) -> Iterator[str]:
    """Say which path comes to another service than it belongs to."""
    for ingress in cluster.of_kind("Ingress"):
        for rule in ingress["spec"]["rules"]:
            paths = rule["http"]["paths"]
            for path, expected in _expected():
                found = _service_of(paths, path)
                if found != expected:
                    yield f"{name_of(ingress)}: expected {path} at {expected}, found {found}"
            for each in paths:
                yield from _backend(cluster, ingress, each)
        found = ingress["metadata"].get("annotations", {})
        for name, value in FEEDS.items():
            if found.get(name) != value:
                yield f"{name_of(ingress)}: expected {name} to be {value}, found {found.get(name)}"


def _expected() -> Iterator[tuple[str, str]]:
    for paths, service in ((LOBBY_PATHS, "lobby"), (SCORING_PATHS, "scoring")):
        for path in paths:
            yield path.removeprefix(_ALONE), service
            if not path.startswith(_ALONE):
                yield f"{path}/more", service
    yield from ((path, "game") for path in GAME_PATHS)


def _service_of(paths: list[Object], path: str) -> str | None:
    """Return the service that a path comes to: that path alone, or the longest beginning."""

    def fits(each: Object) -> bool:
        told = str(each["path"])
        if each["pathType"] == "Exact":
            return path == told
        return f"{path}/".startswith(f"{told.rstrip('/')}/")

    fitting = sorted(
        filter(fits, paths), key=lambda each: (each["pathType"] == "Exact", len(each["path"]))
    )
    return str(fitting[-1]["backend"]["service"]["name"]) if fitting else None


def _backend(cluster: Cluster, ingress: Object, path: Object) -> Iterator[str]:
    backend = path["backend"]["service"]
    service = cluster.named("Service", backend["name"])
    ports = service["spec"]["ports"] if service else []
    wanted = backend["port"]
    if not any(wanted in ({"name": each.get("name")}, {"number": each["port"]}) for each in ports):
        yield f"{name_of(ingress)}: expected a Service and its port, found {backend}"
