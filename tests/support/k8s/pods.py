"""Whether pods are confined, bounded and looked at."""

from collections.abc import Iterator
from typing import Final

from support.k8s.rendering import Cluster, Object, Pod, is_selected

PROBES: Final = ("startupProbe", "livenessProbe", "readinessProbe")
SPREAD_OVER: Final = ("kubernetes.io/hostname", "topology.kubernetes.io/zone")
SPARE_SECONDS: Final = 20
"""What a pod has beside the wait before it is told to end: its services need 5 for open answers,
those of bots 3, telemetry 3."""


def pod_findings(cluster: Cluster) -> Iterator[str]:
    """Say what any pod lacks."""
    for pod in cluster.pods:
        for text in (*_confinement(pod), *_isolation(pod), *_ending(pod), *_spread(cluster, pod)):
            yield f"{pod.name}: {text}"
        for each in pod.containers:
            checks = (_privileges(each), _image(each), _resources(each), _probes(pod, each))
            for texts in checks:
                for text in texts:
                    yield f"{pod.name}, container {each['name']}: {text}"


def namespace_findings(cluster: Cluster) -> Iterator[str]:
    """Say where pod security is not enforced, and what stands outside of the one namespace."""
    namespaces = cluster.of_kind("Namespace")
    names = {each["metadata"]["name"] for each in namespaces}
    for each in namespaces:
        found = each["metadata"].get("labels", {}).get("pod-security.kubernetes.io/enforce")
        if found != "restricted":
            yield f"Namespace {each['metadata']['name']}: expected restricted pods, found {found}"
    for each in cluster.objects:
        found = each["metadata"].get("namespace")
        if each["kind"] != "Namespace" and found not in names:
            name = each["metadata"]["name"]
            yield f"{each['kind']} {name}: expected a namespace of {sorted(names)}, found {found}"


def _confinement(pod: Pod) -> Iterator[str]:
    context = pod.spec.get("securityContext", {})
    if context.get("runAsNonRoot") is not True:
        yield "expected runAsNonRoot, found it unset"
    if not context.get("runAsUser"):
        yield f"expected a user other than root, found {context.get('runAsUser')}"
    if context.get("seccompProfile", {}).get("type") != "RuntimeDefault":
        yield "expected the seccomp profile RuntimeDefault, found another or none"
    if pod.spec.get("automountServiceAccountToken") is not False:
        yield "expected no token of a service account, found that one is mounted"


def _isolation(pod: Pod) -> Iterator[str]:
    for shared in ("hostNetwork", "hostPID", "hostIPC"):
        if pod.spec.get(shared):
            yield f"expected nothing of the host, found {shared}"
    for volume in pod.spec.get("volumes", []):
        if "hostPath" in volume:
            yield f"expected nothing of the host, found the volume {volume['name']}"


def _ending(pod: Pod) -> Iterator[str]:
    if not pod.is_lasting:
        return
    grace = pod.spec.get("terminationGracePeriodSeconds", 0)
    for each in pod.containers:
        wait = each.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
        if grace < wait + SPARE_SECONDS:
            yield f"expected {wait + SPARE_SECONDS} seconds or more to end, found {grace}"


def _spread(cluster: Cluster, pod: Pod) -> Iterator[str]:
    """Say of what there may be several where they would stand together."""
    rules = pod.spec.get("topologySpreadConstraints", [])
    if pod.owner["kind"] == "Deployment":
        for key in SPREAD_OVER:
            own = (each for each in rules if each["topologyKey"] == key)
            if not any(_means_alone(cluster, pod, each) for each in own):
                yield f"expected to be spread over {key}, found no rule for that"
    if pod.owner["spec"].get("replicas", 1) > 1:
        affinity = pod.spec.get("affinity", {}).get("podAntiAffinity", {})
        needed = affinity.get("requiredDuringSchedulingIgnoredDuringExecution", [])
        if not any(is_selected(each["labelSelector"], pod.labels) for each in needed):
            yield "expected each on a node of its own, found no rule for that"


def _means_alone(cluster: Cluster, pod: Pod, rule: Object) -> bool:
    """Return whether a rule of spread counts the pods of one workload, and no others."""
    same = {key: pod.labels[key] for key in rule.get("matchLabelKeys", []) if key in pod.labels}
    chosen = cluster.pods_by(rule["labelSelector"])
    return [each for each in chosen if same.items() <= each.labels.items()] == [pod]


def _privileges(container: Object) -> Iterator[str]:
    context = container.get("securityContext", {})
    if context.get("allowPrivilegeEscalation") is not False:
        yield "expected no privileges, found that they can be got"
    if context.get("readOnlyRootFilesystem") is not True:
        yield "expected a read-only root file system, found it writable"
    capabilities = context.get("capabilities", {})
    if capabilities.get("drop") != ["ALL"] or capabilities.get("add"):
        yield f"expected to drop all capabilities, found {capabilities or 'none dropped'}"
    if context.get("runAsUser", 1) == 0 or context.get("runAsNonRoot", True) is False:
        yield "expected a user other than root, found root"


def _image(container: Object) -> Iterator[str]:
    image = str(container.get("image", ""))
    tag = image.rpartition("/")[2].partition(":")[2]
    if not tag or tag.startswith("latest"):
        yield f"expected an image with a tag that stays, found {image!r}"


def _resources(container: Object) -> Iterator[str]:
    for kind in ("requests", "limits"):
        for resource in ("cpu", "memory"):
            if resource not in container.get("resources", {}).get(kind, {}):
                yield f"expected {kind} of {resource}, found none"


def _probes(pod: Pod, container: Object) -> Iterator[str]:
    if not pod.is_lasting:
        return
    for name in PROBES:
        probe = container.get(name)
        if probe is None:
            yield f"expected a {name}, found none"
            continue
        port = probe.get("httpGet", {}).get("port")
        if port is not None and pod.port_named(port) is None:
            yield f"expected {name} to ask a port that there is, found {port}"
