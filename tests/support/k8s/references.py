"""Whether what objects name is there."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from support.k8s.rendering import REPOSITORY, Cluster, Object, Pod, is_selected, name_of

_MANUAL: Final = REPOSITORY / "docs" / "operations.md"
_ROW: Final = re.compile(r"^\| (Secret|ConfigMap) `([a-z-]+)` \| (.+?) \|", re.MULTILINE)

Needed = tuple[str, str, str]
"""Kind, name and key of something that a pod reads."""


def documented() -> set[Needed]:
    """Return what docs/operations.md says has to be made by hand, by kind, name and key."""
    return {
        (kind, name, key)
        for kind, name, keys in _ROW.findall(_MANUAL.read_text())
        for key in re.findall(r"`([^`]+)`", keys)
    }


def reference_findings(cluster: Cluster) -> Iterator[str]:
    """Say which Secret, ConfigMap, volume or claim is named that nobody makes."""
    known = documented() | {
        ("ConfigMap", each["metadata"]["name"], key)
        for each in cluster.of_kind("ConfigMap")
        for key in each["data"]
    }
    for each in cluster.of_kind("Secret"):
        yield f"{name_of(each)}: expected no secret in the repository, found one"
    for pod in cluster.pods:
        for kind, name, key in needed_by(pod):
            keys = _keys(known, kind, name)
            if not keys or (key and key not in keys):
                what = f"{kind} {name} with {key}" if key else f"{kind} {name}"
                yield f"{pod.name}: expected what is made or documented, found {what}"
        yield from _unknown_volumes(pod)
    for ingress in cluster.of_kind("Ingress"):
        for each in ingress["spec"].get("tls", []):
            secret = each["secretName"]
            if not _keys(known, "Secret", secret):
                yield f"{name_of(ingress)}: expected a documented secret, found {secret}"


def needed_by(pod: Pod) -> Iterator[Needed]:
    """Yield what a pod can't start without; without a key, all of it is read."""
    for container in pod.containers:
        yield from _of_environment(container)
    for volume in pod.spec.get("volumes", []):
        for source in (volume, *volume.get("projected", {}).get("sources", [])):
            yield from _of_volume(source)


def _of_environment(container: Object) -> Iterator[Needed]:
    for kind, one, all_of_it in (
        ("ConfigMap", "configMapKeyRef", "configMapRef"),
        ("Secret", "secretKeyRef", "secretRef"),
    ):
        for source in container.get("envFrom", []):
            if all_of_it in source:
                yield kind, source[all_of_it]["name"], ""
        for variable in container.get("env", []):
            reference = variable.get("valueFrom", {}).get(one)
            if reference is not None:
                yield kind, reference["name"], reference["key"]


def _of_volume(source: Object) -> Iterator[Needed]:
    for kind, field, name in (
        ("ConfigMap", "configMap", "name"),
        ("Secret", "secret", "secretName"),
    ):
        if field in source:
            named = source[field].get(name) or source[field].get("name")
            keys = [each["key"] for each in source[field].get("items", [])]
            for key in keys or [""]:
                yield kind, named, key


def _keys(known: set[Needed], kind: str, name: str) -> set[str]:
    return {key for its_kind, its_name, key in known if (its_kind, its_name) == (kind, name)}


def _unknown_volumes(pod: Pod) -> Iterator[str]:
    volumes = {each["name"] for each in pod.spec.get("volumes", [])}
    claims = {
        each["metadata"]["name"] for each in pod.owner["spec"].get("volumeClaimTemplates", [])
    }
    for container in pod.containers:
        for mount in container.get("volumeMounts", []):
            if mount["name"] not in volumes | claims:
                yield f"{pod.name}: expected a volume that there is, found {mount['name']}"


def selector_findings(cluster: Cluster) -> Iterator[str]:
    """Say which Service, workload or budget means no pod, or a port that none has."""
    for service in cluster.of_kind("Service"):
        yield from _of_service(cluster, service)
    budgets = cluster.of_kind("PodDisruptionBudget")
    for budget in budgets:
        if not cluster.pods_by(budget["spec"]["selector"]):
            yield f"{name_of(budget)}: expected a selector of pods, found one that means none"
    for pod in cluster.pods:
        if pod.is_lasting:
            yield from _of_workload(cluster, pod)
            if not any(is_selected(each["spec"]["selector"], pod.labels) for each in budgets):
                yield f"{pod.name}: expected a PodDisruptionBudget, found none"


def _of_service(cluster: Cluster, service: Object) -> Iterator[str]:
    pods = cluster.pods_by({"matchLabels": service["spec"]["selector"]})
    if not pods:
        yield f"{name_of(service)}: expected a selector of pods, found one that means none"
    for port in service["spec"]["ports"]:
        target = port.get("targetPort", port["port"])
        for pod in pods:
            if pod.port_named(target) is None:
                yield f"{name_of(service)}: expected a port of {pod.name}, found {target}"


def _of_workload(cluster: Cluster, pod: Pod) -> Iterator[str]:
    if not is_selected(pod.owner["spec"]["selector"], pod.labels):
        yield f"{pod.name}: expected to select its own pods, found that it does not"
    service = pod.owner["spec"].get("serviceName")
    if service is not None and cluster.named("Service", service) is None:
        yield f"{pod.name}: expected its Service, found no {service}"


def scaling_findings(cluster: Cluster) -> Iterator[str]:
    """Say what scales something that there is not, is scaled twice, or set by hand besides."""
    targets = list[tuple[str, str]]()
    for each in cluster.of_kind("HorizontalPodAutoscaler", "ScaledObject"):
        target = each["spec"]["scaleTargetRef"]
        kind, name = target.get("kind", "Deployment"), target["name"]
        found = cluster.named(kind, name)
        if found is None:
            yield f"{name_of(each)}: expected a target that there is, found {kind} {name}"
        elif "replicas" in found["spec"]:
            yield f"{name_of(found)}: expected no number beside {name_of(each)}, found one"
        targets.append((kind, name))
    for (kind, name), count in Counter(targets).items():
        if count > 1:
            yield f"{kind} {name}: expected one that scales it, found {count}"
