"""All that is looked at in what an overlay is rendered to."""

from collections.abc import Callable, Iterator
from typing import Final

from support.k8s.nats import nats_findings
from support.k8s.network import network_findings
from support.k8s.pods import namespace_findings, pod_findings
from support.k8s.references import reference_findings, scaling_findings, selector_findings
from support.k8s.rendering import Cluster
from support.k8s.routing import routing_findings
from support.k8s.schemas import schema_findings
from support.k8s.settings import setting_findings

CHECKS: Final[tuple[Callable[[Cluster], Iterator[str]], ...]] = (
    namespace_findings,
    pod_findings,
    reference_findings,
    selector_findings,
    scaling_findings,
    network_findings,
    setting_findings,
    nats_findings,
    routing_findings,
)


def findings(cluster: Cluster) -> list[str]:
    """Return what is wrong, a line each; nothing if all is well."""
    return list(schema_findings(cluster)) or meaning_findings(cluster)


def meaning_findings(cluster: Cluster) -> list[str]:
    """Return what is wrong with objects of which each by itself keeps its schema."""
    return [text for check in CHECKS for text in check(cluster)]
