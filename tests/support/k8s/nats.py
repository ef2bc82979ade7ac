"""Whether the servers of NATS are what services expect of them."""

import re
from collections.abc import Iterator
from typing import Final

from howff.contracts.matches import WORK, WORKERS
from howff.servicekit.nats.server import MAX_MEMORY, MAX_PAYLOAD
from support.k8s.rendering import Cluster, Object, name_of
from support.k8s.settings import environment

_VARIABLE: Final = re.compile(r"\$([A-Z][A-Z0-9_]*)")
_QUOTED_OR_REMARK: Final = re.compile(r'"[^"]*"|#.*')
_LINES: Final = (
    "sync_interval: always",
    f"max_payload: {MAX_PAYLOAD}",
    f"max_memory_store: {MAX_MEMORY}",
)
_HAS_STREAMS: Final = re.compile(r"^\s*(\w+)\s*:?\s*\{\s*jetstream\b", re.MULTILINE)
MOST_REPLICAS: Final = 3
"""One may be lost, and two still agree; more servers share the streams, and don't copy them all."""
_NO_ACCOUNT: Final = "$G"
"""That of all users who are given none."""


def nats_findings(cluster: Cluster) -> Iterator[str]:
    """Say where the servers, their configuration and who uses them don't fit together."""
    servers = cluster.named("StatefulSet", "nats")
    if servers is None:
        yield "StatefulSet nats: expected one, found none"
        return
    files = configuration_files(cluster)
    yield from _configuration(cluster, servers, files)
    yield from _addresses(cluster, servers)
    for each in cluster.of_kind("ScaledObject"):
        yield from _scaled(each, account_in(files["users.conf"]))


def configuration_files(cluster: Cluster) -> dict[str, str]:
    """Return the files that a server reads, by name."""
    return {**cluster.configuration("nats"), **cluster.configuration("nats-users")}


def _configuration(cluster: Cluster, servers: Object, files: dict[str, str]) -> Iterator[str]:
    lines = {line.strip() for line in files["nats.conf"].splitlines()}
    for line in _LINES:
        if line not in lines:
            yield f"{name_of(servers)}: expected {line!r} in nats.conf, found it missing"
    for user in sorted(_users_of(cluster)):
        if re.search(rf"\buser:\s*\"?{user}\b", files["users.conf"]) is None:
            yield f"{name_of(servers)}: expected a user {user} in users.conf, found none"
    container = servers["spec"]["template"]["spec"]["containers"][0]
    known = environment(cluster, container)
    for file, content in files.items():
        told = _QUOTED_OR_REMARK.sub("", content)
        for name in sorted(set(_VARIABLE.findall(told)) - known.keys()):
            yield f"{name_of(servers)}: expected a value of ${name} in {file}, found none"


def _users_of(cluster: Cluster) -> set[str]:
    containers = [each for pod in cluster.pods for each in pod.containers]
    variables = [environment(cluster, each) for each in containers]
    return {each["HOWFF_NATS_USER"] for each in variables if "HOWFF_NATS_USER" in each}


def _addresses(cluster: Cluster, servers: Object) -> Iterator[str]:
    count = servers["spec"]["replicas"]
    names = [f"nats-{number}.nats" for number in range(count)]
    all_settings = cluster.configuration("howff") | cluster.configuration("howff-services")
    expected = {
        "HOWFF_NATS_URL": ",".join(f"nats://{name}:4222" for name in names),
        "HOWFF_NATS_MONITOR_URLS": ",".join(f"http://{name}:8222" for name in names),
        "HOWFF_REPLICAS": str(min(count, MOST_REPLICAS)),
    }
    for name, value in expected.items():
        found = all_settings.get(name)
        if found != value:
            yield f"{name}: expected {value} for {count} servers, found {found}"


def account_in(users: str) -> str:
    """Return the account whose streams the services use, by the configuration of users."""
    found = _HAS_STREAMS.search(users)
    return _NO_ACCOUNT if found is None else found.group(1)


def _scaled(each: Object, account: str) -> Iterator[str]:
    namespace = each["metadata"].get("namespace")
    expected = {
        "stream": WORK,
        "consumer": WORKERS,
        "account": account,
        "natsServerMonitoringEndpoint": f"nats.{namespace}.svc:8222",
    }
    for trigger in each["spec"]["triggers"]:
        for name, value in expected.items():
            found = trigger["metadata"].get(name)
            if found != value:
                yield f"{name_of(each)}: expected {name} to be {value}, found {found}"
