"""Who may talk to whom: what the network policies allow, and what is needed."""

from collections.abc import Iterator
from ipaddress import ip_network
from typing import Final, NamedTuple

from support.k8s.rendering import Cluster, Object, Pod, is_selected, name_of

OUTSIDE: Final = {
    "ingress": {"howff/ingress": "true"},
    "keda": {"howff/keda": "true"},
    "monitoring": {"howff/monitoring": "true"},
    "names": {"kubernetes.io/metadata.name": "kube-system"},
    "anyone": {},
}
"""Namespaces beside ours, by their labels; `anyone` has none."""


class Way(NamedTuple):
    """That one may talk to another, at a port."""

    source: str
    target: str
    port: int


SERVICES: Final = ("lobby", "game", "scoring")
ALL: Final = (*SERVICES, "bots", "migrations", "nats")
WAYS: Final = frozenset(
    {
        *(Way("ingress", each, 8000) for each in SERVICES),
        *(Way(each, "nats", 4222) for each in (*SERVICES, "bots")),
        *(Way(each, "nats", 8222) for each in (*SERVICES, "keda", "monitoring")),
        Way("nats", "nats", 6222),
        Way("scoring", "game", 8000),  # logs
        Way("scoring", "lobby", 8000),  # names
        Way("bots", "game", 8000),  # moves
        Way("lobby", "game", 8000),  # what the root page describes
        Way("lobby", "scoring", 8000),  # the same
        *(Way("monitoring", each, 9000) for each in (*SERVICES, "bots")),
        *(Way(each, "monitoring", 4318) for each in (*SERVICES, "bots")),
        *(Way(each, "names", 53) for each in ALL),
    }
)
"""What is needed in every cluster."""
DATABASE_CLIENTS: Final = ("lobby", "scoring", "migrations")
DATABASE_PORT: Final = 5432


def needed_ways(cluster: Cluster) -> frozenset[Way]:
    """Return who has to talk to whom in this cluster."""
    if cluster.named("StatefulSet", "postgres") is None:
        target, inside = "database", frozenset[Way]()
    else:
        target, inside = "postgres", frozenset({Way("postgres", "names", 53)})
    return WAYS | inside | {Way(each, target, DATABASE_PORT) for each in DATABASE_CLIENTS}


def network_findings(cluster: Cluster) -> Iterator[str]:
    """Say where the policies allow more or less than is needed, or name what there is not."""
    allowed, needed = allowed_ways(cluster), needed_ways(cluster)
    for source, target, port in sorted(needed - allowed):
        yield f"NetworkPolicy: expected {source} to reach {target}:{port}, found it shut"
    for source, target, port in sorted(allowed - needed):
        yield f"NetworkPolicy: expected {source} not to reach {target}:{port}, found it open"
    for policy in cluster.of_kind("NetworkPolicy"):
        if "policyTypes" not in policy["spec"]:
            yield f"{name_of(policy)}: expected policyTypes, found that they are to be guessed"
        yield from _nameless(cluster, policy)
    for pod in cluster.pods:
        for direction in ("Ingress", "Egress"):
            if not _policies_of(cluster, pod, direction):
                yield f"{pod.name}: expected policies of {direction}, found none: all is allowed"


def allowed_ways(cluster: Cluster) -> frozenset[Way]:
    """Return who may talk to whom: within the namespace both policies have to allow it."""
    ports = {port for pod in cluster.pods for port in pod.ports} | set(_named_ports(cluster))
    return frozenset(
        way for pod in cluster.pods for port in ports for way in _ways_of(cluster, pod, port)
    )


def _ways_of(cluster: Cluster, pod: Pod, port: int) -> Iterator[Way]:
    """Yield whom a pod may talk to at a port, and who beyond the namespace may talk to it."""
    for other in cluster.pods:
        is_let_out = _lets_pod(cluster, pod, "Egress", other, port)
        if is_let_out and _lets_pod(cluster, other, "Ingress", pod, port):
            yield Way(pod.app, other.app, port)
    yield from (Way(pod.app, each, port) for each in _beyond(cluster, pod, "Egress", port))
    yield from (Way(each, pod.app, port) for each in _beyond(cluster, pod, "Ingress", port))


def _named_ports(cluster: Cluster) -> Iterator[int]:
    for policy in cluster.of_kind("NetworkPolicy"):
        for rule in (*policy["spec"].get("ingress", []), *policy["spec"].get("egress", [])):
            numbers = (each.get("port") for each in rule.get("ports", []))
            yield from (each for each in numbers if isinstance(each, int))


def _beyond(cluster: Cluster, pod: Pod, direction: str, port: int) -> Iterator[str]:
    """Yield with whom beyond the namespace a pod may talk, one way, at a port."""
    peers = [*_peers(cluster, pod, direction, port)]
    for outside, labels in OUTSIDE.items():
        if any(_means_namespace(peer, labels) for peer in peers):
            yield outside
    networks = [peer["ipBlock"]["cidr"] for peer in peers if peer and "ipBlock" in peer]
    if networks:
        yield "database" if direction == "Egress" else "network"
    if any(ip_network(each).prefixlen == 0 for each in networks):
        yield "anyone"


def _means_namespace(peer: Object | None, labels: dict[str, str]) -> bool:
    if peer is None:
        return True
    return "namespaceSelector" in peer and is_selected(peer["namespaceSelector"], labels)


def _peers(cluster: Cluster, pod: Pod, direction: str, port: int) -> Iterator[Object | None]:
    """Yield the peers that rules of a pod name for a *port*; None is everybody."""
    side = "from" if direction == "Ingress" else "to"
    for policy in _policies_of(cluster, pod, direction):
        for rule in policy["spec"].get(direction.lower(), []):
            ports = rule.get("ports")
            if ports is None or any(each.get("port") == port for each in ports):
                yield from rule.get(side) or [None]


def _policies_of(cluster: Cluster, pod: Pod, direction: str) -> list[Object]:
    return [
        each
        for each in cluster.of_kind("NetworkPolicy")
        if direction in each["spec"].get("policyTypes", ())
        and is_selected(each["spec"]["podSelector"], pod.labels)
    ]


def _lets_pod(cluster: Cluster, pod: Pod, direction: str, other: Pod, port: int) -> bool:
    return any(
        peer is None
        or (
            "podSelector" in peer
            and "namespaceSelector" not in peer
            and is_selected(peer["podSelector"], other.labels)
        )
        for peer in _peers(cluster, pod, direction, port)
    )


def _nameless(cluster: Cluster, policy: Object) -> Iterator[str]:
    """Say which ports and pods a policy names that are nobody's."""
    spec = policy["spec"]
    chosen = cluster.pods_by(spec["podSelector"])
    if not chosen:
        yield f"{name_of(policy)}: expected to mean pods, found that it means none"
    for rule in (*spec.get("ingress", []), *spec.get("egress", [])):
        for each in rule.get("ports", []):
            if not isinstance(each.get("port"), int) or "endPort" in each:
                yield f"{name_of(policy)}: expected ports by their numbers, found {each}"
    for rule in spec.get("ingress", []):
        yield from _ports_of_nobody(policy, rule, chosen)
    for rule in spec.get("egress", []):
        inside = [peer for peer in rule.get("to", []) if "podSelector" in peer]
        if inside:
            reached = [pod for peer in inside for pod in cluster.pods_by(peer["podSelector"])]
            yield from _ports_of_nobody(policy, rule, reached)


def _ports_of_nobody(policy: Object, rule: Object, pods: list[Pod]) -> Iterator[str]:
    for each in rule.get("ports", []):
        if not any(each["port"] in pod.ports for pod in pods):
            yield f"{name_of(policy)}: expected a port of whom it means, found {each['port']}"
