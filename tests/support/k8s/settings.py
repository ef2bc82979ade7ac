"""Whether processes get the settings that they have, and all that a cluster must say."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from pydantic import ValidationError
from pydantic_settings import BaseSettings

from howff.bots.settings import Settings as BotsSettings
from howff.game.settings import Settings as GameSettings
from howff.lobby.settings import Settings as LobbySettings
from howff.scoring.settings import Settings as ScoringSettings
from support.k8s.rendering import Cluster, Object, Pod

SETTINGS: Final[dict[str, type[BaseSettings]]] = {
    "lobby": LobbySettings,
    "game": GameSettings,
    "scoring": ScoringSettings,
    "bots": BotsSettings,
}
MIGRATE: Final = frozenset({"HOWFF_LOBBY_DATABASE_URL", "HOWFF_SCORING_DATABASE_URL"})
"""What the image's entry wants for `migrate`."""
_PREFIX: Final = "HOWFF_"
_VARIABLE: Final = re.compile(r"\$\((\w+)\)")
_HERE: Final = ("127.0.0.1", "var/", "sqlite:")
"""What a default contains that means this machine or this folder."""
_BY_HAND: Final = frozenset(
    {"health_port", "mode", "processes", "replicas", "nats_user", "nats_password"}
)
"""Settings whose defaults are right nowhere but on one machine, though they don't show it."""


def setting_findings(cluster: Cluster) -> Iterator[str]:
    """Say which variables a process does not know, takes wrongly, or lacks."""
    for pod in cluster.pods:
        for container in pod.containers:
            run = (container.get("args") or [""])[0]
            variables = environment(cluster, container)
            if run in SETTINGS:
                yield from _of_service(pod, SETTINGS[run], variables)
            elif run == "migrate":
                ours = {name for name in variables if name.startswith(_PREFIX)}
                if ours != MIGRATE:
                    yield f"{pod.name}: expected {sorted(MIGRATE)}, found {sorted(ours)}"
            elif container["image"].rpartition("/")[2].startswith("howff:"):
                yield f"{pod.name}: expected one of {[*SETTINGS, 'migrate']}, found {run!r}"


def _somewhere(_: Object) -> str:
    return "postgresql://somebody:secret@somewhere/something"


def environment(
    cluster: Cluster, container: Object, value_from: Callable[[Object], str] = _somewhere
) -> dict[str, str]:
    """Return the variables of a container; *value_from* tells those that come from elsewhere."""
    found = dict[str, str]()
    for source in container.get("envFrom", []):
        each = cluster.named("ConfigMap", source.get("configMapRef", {}).get("name", ""))
        found |= each["data"] if each else {}
    for each in container.get("env", []):
        value = value_from(each["valueFrom"]) if "valueFrom" in each else each.get("value", "")
        found[each["name"]] = _VARIABLE.sub(lambda name: found.get(name[1], name[0]), value)
    return found


def _of_service(pod: Pod, settings: type[BaseSettings], variables: dict[str, str]) -> Iterator[str]:
    given = {
        name.removeprefix(_PREFIX).lower(): value
        for name, value in variables.items()
        if name.startswith(_PREFIX)
    }
    for name in sorted(given.keys() - settings.model_fields.keys()):
        yield f"{pod.name}: expected settings of {pod.app}, found {_PREFIX}{name.upper()}"
    for name, field in settings.model_fields.items():
        if name not in given and _is_of_one_machine(name, field.default):
            yield f"{pod.name}: expected {_PREFIX}{name.upper()} to be set, found its default"
    try:
        settings.model_validate(given)
    except ValidationError as error:
        for each in error.errors():
            name = str(each["loc"][0]).upper()
            yield f"{pod.name}: {_PREFIX}{name}: {each['msg']}, found {each['input']!r}"


def _is_of_one_machine(name: str, default: Any) -> bool:
    return name in _BY_HAND or any(sign in str(default) for sign in _HERE)
