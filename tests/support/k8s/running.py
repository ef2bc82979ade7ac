"""Pods that a container engine runs as their manifests say, for want of a cluster.

An engine knows users, read-only file systems, capabilities, limits, variables, files and names as a
cluster does. It knows no probes, policies, volumes that stay, and nothing of scaling.
"""

import os
import secrets
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

import docker  # type: ignore[import-untyped]
from docker.errors import DockerException  # type: ignore[import-untyped]

from howff.servicekit import ids
from howff.servicekit.web.parts import key_pair
from support.k8s.rendering import Cluster, Object, Pod
from support.k8s.settings import environment

IMAGE: Final = os.environ.get("HOWFF_IMAGE", "howff:dev")
READY_WITHIN: Final = 180.0
"""Seconds that a pod has until it is ready: it may have to be started again until others are."""
POLL: Final = 0.5
_UNITS: Final = {"Mi": 2**20, "Gi": 2**30}


def engine() -> Any:
    """Return a client of the engine that is here and has our image; None if there is none."""
    try:
        client = docker.from_env(version="auto")
        client.images.get(IMAGE)
    except DockerException:
        return None
    return client


def made_secrets() -> dict[str, dict[str, str]]:
    """Return what docs/operations.md says has to be made by hand."""
    bots, scoring = key_pair(ids.new_secret()), key_pair(ids.new_secret())
    users = ("lobby", "game", "scoring", "bots", "routes")
    password = f"p{secrets.token_hex(8)}"
    return {
        "howff-nats": {user: f"p{secrets.token_hex(8)}" for user in users},
        "howff-postgres": {"password": password},
        **{
            f"howff-{each}-database": {"url": f"postgresql://howff:{password}@postgres/{each}"}
            for each in ("lobby", "scoring")
        },
        "howff-bots-key": {"bots.key": bots.private},
        "howff-scoring-key": {"scoring.key": scoring.private},
        "howff-part-keys": {"bots.jwks.json": bots.public, "scoring.jwks.json": scoring.public},
    }


class Running:
    """The pods of a cluster, on a network of their own until the context ends."""

    def __init__(self, client: Any, cluster: Cluster, folder: Path) -> None:
        self._client = client
        self._cluster = cluster
        self._folder = folder
        self._name = f"howff-k8s-{secrets.token_hex(4)}"
        self._given: dict[str, dict[str, str]] = made_secrets() | {
            each["metadata"]["name"]: each["data"] for each in cluster.of_kind("ConfigMap")
        }
        self._containers = dict[str, Any]()

    def __enter__(self) -> Self:
        self._network = self._client.networks.create(self._name)
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        for name in self._containers if failed is not None else ():
            print(f"--- {name}\n{self.log(name)[-3000:]}")  # noqa: T201 - shown with the failure
        for each in self._containers.values():
            each.remove(force=True, v=True)
        self._network.remove()

    def start(self, app: str) -> None:
        """Start the pods of a workload: of a StatefulSet all, of others one."""
        pod = next(each for each in self._cluster.pods if each.app == app)
        is_numbered = pod.owner["kind"] == "StatefulSet"
        for number in range(pod.owner["spec"]["replicas"] if is_numbered else 1):
            name = f"{app}-{number}"
            self._containers[name] = self._created(pod, name)
            self._join(pod, name)
            self._containers[name].start()

    def kill(self, name: str) -> None:
        """Kill a pod for good."""
        self._containers[name].kill()

    def log(self, name: str) -> str:
        return str(self._containers[name].logs().decode(errors="replace"))

    def address(self, name: str) -> str:
        """Return the address of a pod, which this machine can reach."""
        container = self._containers[name]
        container.reload()
        return str(container.attrs["NetworkSettings"]["Networks"][self._name]["IPAddress"])

    def wait_done(self, name: str) -> None:
        """Wait until a pod has ended well, starting it again whenever it has not."""
        deadline = time.monotonic() + READY_WITHIN
        while self._containers[name].wait(timeout=READY_WITHIN)["StatusCode"]:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{name} does not end well: {self.log(name)[-2000:]}")
            time.sleep(POLL)
            self._containers[name].start()

    def wait_until(self, name: str, is_ready: Callable[[str], bool]) -> None:
        """Wait until a pod is ready, starting it again whenever it ends before."""
        deadline = time.monotonic() + READY_WITHIN
        while time.monotonic() < deadline:
            container = self._containers[name]
            container.reload()
            if container.status == "exited":
                container.start()
            elif container.status == "running" and is_ready(self.address(name)):
                return
            time.sleep(POLL)
        raise TimeoutError(f"{name} is not ready: {self.log(name)[-2000:]}")

    def _created(self, pod: Pod, name: str) -> Any:
        container, context = pod.spec["containers"][0], pod.spec["securityContext"]
        user, group = self._user(pod, container["image"]), context["runAsGroup"]
        memory = container["resources"]["limits"]["memory"]
        fields = {"metadata.name": name, "metadata.namespace": _namespace(pod)}
        files, empty = self._mounts(pod, name, user)
        return self._client.containers.create(
            _image(container["image"]),
            container.get("args", container.get("command", [])[1:]),
            entrypoint=container["command"][:1] if "command" in container else None,
            name=f"{self._name}-{name}",
            user=f"{user}:{group}",
            read_only=container["securityContext"]["readOnlyRootFilesystem"],
            cap_drop=container["securityContext"]["capabilities"]["drop"],
            security_opt=["no-new-privileges"],
            mem_limit=int(memory[:-2]) * _UNITS[memory[-2:]],
            environment=environment(self._cluster, container, partial(self._value, fields)),
            volumes=files,
            tmpfs=empty,
        )

    def _join(self, pod: Pod, name: str) -> None:
        """Put a pod on the network, by the names that its Service gives it."""
        is_numbered = pod.owner["kind"] == "StatefulSet"
        names = [pod.app, *([f"{name}.{pod.app}"] if is_numbered else [])]
        aliases = [*names, *(f"{each}.{_namespace(pod)}.svc" for each in names)]
        container = self._containers[name]
        self._client.networks.get("bridge").disconnect(container)
        self._network.connect(container, aliases=aliases)

    def _user(self, pod: Pod, image: str) -> int:
        """Return the user of a pod; an image that stands in for PostgreSQL's has another one."""
        user = int(pod.spec["securityContext"]["runAsUser"])
        if pod.app != "postgres":
            return user
        told = self._client.containers.run(image, ["-u", pod.app], entrypoint="id", remove=True)
        return int(told)

    def _value(self, fields: dict[str, str], source: Object) -> str:
        """Return what a variable has from a field of its pod, or from a secret."""
        if "fieldRef" in source:
            return fields[source["fieldRef"]["fieldPath"]]
        reference = source["secretKeyRef"]
        return self._given[reference["name"]][reference["key"]]

    def _mounts(self, pod: Pod, name: str, user: int) -> tuple[dict[str, Object], dict[str, str]]:
        """Return the folders that a pod reads, and those that are empty at first."""
        volumes = {each["name"]: each for each in pod.spec.get("volumes", [])}
        files, empty = dict[str, Object](), dict[str, str]()
        for mount in pod.spec["containers"][0].get("volumeMounts", []):
            volume = volumes.get(mount["name"], {"emptyDir": {}})
            if "emptyDir" in volume:
                empty[mount["mountPath"]] = f"uid={user},mode=0700"
            else:
                folder = self._folder / name / mount["name"]
                self._write(folder, volume)
                files[str(folder)] = {"bind": mount["mountPath"], "mode": "ro"}
        return files, empty

    def _write(self, folder: Path, volume: Object) -> None:
        folder.mkdir(parents=True)
        for source in volume.get("projected", {}).get("sources", [volume]):
            told = source.get("configMap") or source["secret"]
            given = self._given[told.get("name") or told["secretName"]]
            items = told.get("items", [{"key": key, "path": key} for key in given])
            for each in items:
                (folder / each["path"]).write_text(given[each["key"]])
                (folder / each["path"]).chmod(0o444)


def _namespace(pod: Pod) -> str:
    return str(pod.owner["metadata"]["namespace"])


def _image(image: str) -> str:
    return IMAGE if "howff:" in image else image
