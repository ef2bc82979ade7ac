"""Pods that a container engine runs as their manifests say, for want of a cluster.

An engine knows users, read-only file systems, capabilities, limits, variables, files and names as a
cluster does. It knows no probes, policies, volumes that stay, and nothing of scaling.
"""

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

import docker  # type: ignore[import-untyped]
from docker.errors import APIError, DockerException  # type: ignore[import-untyped]

from howff.servicekit import ids
from howff.servicekit.web.parts import key_pair
from support.k8s.rendering import Cluster, Object, Pod
from support.k8s.settings import expanded

IMAGE: Final = os.environ.get("HOWFF_IMAGE", "howff:dev")
READY_WITHIN: Final = 90.0
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
        self._given = made_secrets() | {
            each["metadata"]["name"]: each["data"] for each in cluster.of_kind("ConfigMap")
        }
        self._containers = dict[str, Any]()

    def __enter__(self) -> Self:
        self._network = self._client.networks.create(self._name)
        return self

    def __exit__(self, *_: object) -> None:
        for each in self._containers.values():
            each.remove(force=True, v=True)
        self._network.remove()

    def start(self, app: str) -> None:
        """Start the pods of a workload: of a StatefulSet all, of others one."""
        pod = next(each for each in self._cluster.pods if each.app == app)
        is_numbered = pod.owner["kind"] == "StatefulSet"
        for number in range(pod.owner["spec"]["replicas"] if is_numbered else 1):
            self._containers[f"{app}-{number}"] = self._started(pod, f"{app}-{number}")

    def kill(self, name: str) -> None:
        """Kill a pod for good."""
        self._containers[name].kill()

    def start_again(self, name: str) -> None:
        """Start a pod that has ended, as a cluster would."""
        time.sleep(POLL)
        self._containers[name].start()

    def log(self, name: str) -> str:
        return str(self._containers[name].logs().decode(errors="replace"))

    def address(self, name: str) -> str:
        """Return the address of a pod, which this machine can reach."""
        container = self._containers[name]
        container.reload()
        return str(container.attrs["NetworkSettings"]["Networks"][self._name]["IPAddress"])

    def wait_done(self, name: str) -> int:
        """Return the status with which a pod ends."""
        return int(self._containers[name].wait(timeout=READY_WITHIN)["StatusCode"])

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

    def _started(self, pod: Pod, name: str) -> Any:
        container, context = pod.spec["containers"][0], pod.spec["securityContext"]
        user, group = self._user(pod, container["image"]), context["runAsGroup"]
        limits, namespace = container["resources"]["limits"], pod.owner["metadata"]["namespace"]
        files, empty = self._mounts(pod, name, user)
        is_numbered = pod.owner["kind"] == "StatefulSet"
        names = [pod.app, *([f"{name}.{pod.app}"] if is_numbered else [])]
        created = self._client.containers.create(
            _image(container["image"]),
            container.get("args", container.get("command", [])[1:]),
            entrypoint=container["command"][:1] if "command" in container else None,
            name=f"{self._name}-{name}",
            user=f"{user}:{group}",
            read_only=container["securityContext"]["readOnlyRootFilesystem"],
            cap_drop=container["securityContext"]["capabilities"]["drop"],
            security_opt=["no-new-privileges"],
            mem_limit=int(limits["memory"][:-2]) * _UNITS[limits["memory"][-2:]],
            environment=self._variables(container, name, namespace),
            volumes=files,
            tmpfs=empty,
        )
        aliases = [*names, *(f"{each}.{namespace}.svc" for each in names)]
        self._client.networks.get("bridge").disconnect(created)
        self._network.connect(created, aliases=aliases)
        created.start()
        return created

    def _user(self, pod: Pod, image: str) -> int:
        """Return the user of a pod; an image that stands in for PostgreSQL's has another one."""
        user = int(pod.spec["securityContext"]["runAsUser"])
        if pod.app != "postgres":
            return user
        told = self._client.containers.run(image, ["-u", pod.app], entrypoint="id", remove=True)
        return int(told)

    def _variables(self, container: Object, name: str, namespace: str) -> dict[str, str]:
        found = dict[str, str]()
        for source in container.get("envFrom", []):
            found |= self._given[source["configMapRef"]["name"]]
        fields = {"metadata.name": name, "metadata.namespace": namespace}
        for each in container.get("env", []):
            source = each.get("valueFrom", {})
            if "secretKeyRef" in source:
                reference = source["secretKeyRef"]
                value = self._given[reference["name"]][reference["key"]]
            elif "fieldRef" in source:
                value = fields[source["fieldRef"]["fieldPath"]]
            else:
                value = each["value"]
            found[each["name"]] = expanded(value, found)
        return found

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
            for file, content in self._given[told.get("name") or told["secretName"]].items():
                (folder / file).write_text(content)
                (folder / file).chmod(0o444)


def _image(image: str) -> str:
    return IMAGE if "howff:" in image else image


@contextmanager
def running(client: Any, cluster: Cluster, folder: Path) -> Iterator[Running]:
    """Give the pods of a cluster; when that fails, their logs are printed."""
    with Running(client, cluster, folder) as pods:
        try:
            yield pods
        except (AssertionError, APIError, TimeoutError):
            for name in pods._containers:
                print(f"--- {name}\n{pods.log(name)[-3000:]}")  # noqa: T201 - the same
            raise
