"""The manifests for Kubernetes are what they have to be, and the checks would see if not."""

import shutil
import subprocess
import sysconfig
from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest

from support.k8s.checks import findings, meaning_findings
from support.k8s.nats import configuration_files
from support.k8s.planted import PLANTS, SCHEMAS
from support.k8s.references import reference_findings
from support.k8s.rendering import (
    NAMES,
    OVERLAYS,
    Cluster,
    NotRenderedError,
    Object,
    kustomize_command,
    name_of,
    rendered,
)
from support.k8s.schemas import schema_findings
from support.k8s.settings import environment

pytestmark = pytest.mark.skipif(
    kustomize_command() is None, reason="there is no kubectl 1.27 or kustomize 5, or later"
)


@cache
def rendered_once(name: str) -> Cluster:
    return Cluster(rendered(OVERLAYS / name))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found_in_an_overlay(name: str) -> None:
    assert findings(rendered_once(name)) == []


@pytest.mark.parametrize("mistake", PLANTS)
def test_a_mistake_is_found(mistake: str) -> None:
    plant = PLANTS[mistake]
    cluster = Cluster(deepcopy(rendered_once("prod").objects))
    plant.spoil(cluster)
    found = schemas_of_changed(cluster) if mistake in SCHEMAS else meaning_findings(cluster)
    assert any(plant.told in text for text in found), found


def schemas_of_changed(cluster: Cluster) -> list[str]:
    """Look at what was spoiled alone: schemas take their time."""
    good = rendered_once("prod").objects
    return list(schema_findings(Cluster([each for each in cluster.objects if each not in good])))


def test_of_an_object_without_its_parts_that_alone_is_told() -> None:
    broken = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}, "spec": {}}
    found = findings(Cluster([broken]))
    assert found
    assert all("Deployment a: spec: " in text for text in found), found


@pytest.mark.parametrize("name", NAMES)
def test_a_server_of_nats_takes_its_configuration(name: str, tmp_path: Path) -> None:
    cluster = rendered_once(name)
    for file, content in configuration_files(cluster).items():
        (tmp_path / file).write_text(content)
    servers = cluster.named("StatefulSet", "nats")
    assert servers is not None
    container = servers["spec"]["template"]["spec"]["containers"][0]
    values = environment(cluster, container, lambda _: "p0")
    program = shutil.which("nats-server", path=sysconfig.get_path("scripts"))
    assert program is not None
    command = [program, "-t", "-c", str(tmp_path / "nats.conf")]
    done = subprocess.run(  # noqa: S603 - our own program and file
        command, capture_output=True, text=True, check=False, env=values
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("name", "host"), [("dev", "postgres"), ("prod", None)])
def test_what_is_applied_first_needs_nothing_of_the_rest(name: str, host: str | None) -> None:
    whole = rendered_once(name)
    first = Cluster([each for each in whole.objects if goes_first(each)])
    assert [each.app for each in first.pods if not each.is_lasting] == ["migrations"]
    assert list(reference_findings(first)) == []
    assert first.of_kind("NetworkPolicy") == [], "one without the others would shut out DNS"
    assert host is None or first.named("Service", host) is not None


@pytest.mark.parametrize("name", NAMES)
def test_all_else_is_upgraded_before_the_match_service(name: str) -> None:
    left_out = [each for each in rendered_once(name).objects if label_of(each) == "game"]
    assert [name_of(each) for each in left_out] == ["Deployment game"]


def goes_first(each: Object) -> bool:
    """Return whether the first of the commands in docs/operations.md applies it."""
    return label_of(each) in {"migrations", "postgres"}


def label_of(each: Object) -> str | None:
    """Return what the commands in docs/operations.md choose objects by."""
    name: str | None = each["metadata"].get("labels", {}).get("app.kubernetes.io/name")
    return name


def test_an_overlay_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotRenderedError, match="kustomization"):
        rendered(tmp_path)
