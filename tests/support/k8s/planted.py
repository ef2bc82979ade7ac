"""Mistakes that somebody might make in an overlay, and what has to be said of each."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from support.k8s.rendering import Cluster, Object


class Plant(NamedTuple):
    """A mistake, and a part of the line that names it."""

    spoil: Callable[[Cluster], Any]
    told: str


def _one(cluster: Cluster, kind: str, name: str) -> Object:
    found = cluster.named(kind, name)
    assert found is not None, f"there is a {kind} {name}"
    return found


def _pod(cluster: Cluster, name: str = "game", kind: str = "Deployment") -> Object:
    spec: Object = _one(cluster, kind, name)["spec"]["template"]["spec"]
    return spec


def _container(cluster: Cluster, name: str = "game", kind: str = "Deployment") -> Object:
    container: Object = _pod(cluster, name, kind)["containers"][0]
    return container


def _configured(cluster: Cluster, stem: str) -> Object:
    """Return the data of a ConfigMap, to be changed."""
    maps = cluster.of_kind("ConfigMap")
    found = next(each for each in maps if each["metadata"]["name"].rpartition("-")[0] == stem)
    data: Object = found["data"]
    return data


def _variable(cluster: Cluster, deployment: str, name: str) -> Object:
    variables = _container(cluster, deployment)["env"]
    found: Object = next(each for each in variables if each["name"] == name)
    return found


def _policy(cluster: Cluster, name: str) -> Object:
    spec: Object = _one(cluster, "NetworkPolicy", name)["spec"]
    return spec


def _remove(cluster: Cluster, kind: str, name: str) -> None:
    cluster.objects.remove(_one(cluster, kind, name))


def _another_scaler(cluster: Cluster) -> None:
    scaler = _one(cluster, "HorizontalPodAutoscaler", "game")
    target = {**scaler["spec"]["scaleTargetRef"], "name": "bots"}
    spec = {**scaler["spec"], "scaleTargetRef": target}
    cluster.objects.append(
        {**scaler, "metadata": {**scaler["metadata"], "name": "b"}, "spec": spec}
    )


def _secret(cluster: Cluster) -> None:
    metadata = {"name": "howff-nats", "namespace": "howff"}
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": metadata,
        "stringData": {"game": "x"},
    }
    cluster.objects.append(secret)


def _unknown_kind(cluster: Cluster) -> None:
    metadata = {"name": "whatever", "namespace": "howff"}
    cluster.objects.append({"apiVersion": "a.example/v1", "kind": "Novelty", "metadata": metadata})


def _paths(cluster: Cluster) -> list[Object]:
    paths: list[Object] = _one(cluster, "Ingress", "howff")["spec"]["rules"][0]["http"]["paths"]
    return paths


def _path(cluster: Cluster, path: str) -> Object:
    return next(each for each in _paths(cluster) if each["path"] == path)


def _let_to_monitor(cluster: Cluster) -> None:
    _policy(cluster, "to-monitor-of-nats").update(podSelector={})
    _policy(cluster, "nats")["ingress"][1].update({"from": [{"podSelector": {}}]})


def _trigger(cluster: Cluster) -> Object:
    metadata: Object = _one(cluster, "ScaledObject", "bots")["spec"]["triggers"][0]["metadata"]
    return metadata


_LOBBY: Final = [{"podSelector": {"matchLabels": {"app.kubernetes.io/name": "lobby"}}}]

SCHEMAS: Final = {
    "an unknown field deep inside": Plant(
        lambda all_: _container(all_).update(livenessprobe={}), "livenessprobe"
    ),
    "a number in place of a text": Plant(
        lambda all_: _configured(all_, "howff").update(HOWFF_HEALTH_PORT=9000), "9000"
    ),
    "an unknown kind": Plant(
        _unknown_kind, "Novelty whatever: expected a kind whose schema is known"
    ),
    "an unknown version": Plant(
        lambda all_: _one(all_, "Ingress", "howff").update(apiVersion="networking.k8s.io/v1beta1"),
        "Ingress howff: expected a kind whose schema is known",
    ),
    "an unknown field of a kept schema": Plant(
        lambda all_: _one(all_, "ScaledObject", "bots")["spec"].update(minReplicas=1), "minReplicas"
    ),
    "an unknown field of a trigger": Plant(
        lambda all_: _trigger(all_).update(lagTreshold="8"), "lagTreshold"
    ),
}

PODS: Final = {
    "a pod as root": Plant(
        lambda all_: _pod(all_)["securityContext"].update(runAsUser=0),
        "Deployment game: expected a user other than root, found 0",
    ),
    "a pod that may be root": Plant(
        lambda all_: _pod(all_)["securityContext"].pop("runAsNonRoot"), "expected runAsNonRoot"
    ),
    "a container that may be root": Plant(
        lambda all_: _container(all_)["securityContext"].update(runAsNonRoot=False), "found root"
    ),
    "a container as root": Plant(
        lambda all_: _container(all_)["securityContext"].update(runAsUser=0), "found root"
    ),
    "a job as root": Plant(
        lambda all_: _pod(all_, "migrations-0.1.0", "Job").pop("securityContext"),
        "Job migrations-0.1.0: expected runAsNonRoot",
    ),
    "no seccomp profile": Plant(
        lambda all_: _pod(all_)["securityContext"].pop("seccompProfile"), "seccomp"
    ),
    "a token of a service account": Plant(
        lambda all_: _pod(all_).pop("automountServiceAccountToken"), "service account"
    ),
    "the network of the host": Plant(
        lambda all_: _pod(all_).update(hostNetwork=True), "found hostNetwork"
    ),
    "a folder of the host": Plant(
        lambda all_: _pod(all_)["volumes"].append({"name": "x", "hostPath": {"path": "/"}}),
        "found the volume x",
    ),
    "privileges that can be got": Plant(
        lambda all_: _container(all_)["securityContext"].pop("allowPrivilegeEscalation"),
        "expected no privileges",
    ),
    "capabilities that are kept": Plant(
        lambda all_: _container(all_)["securityContext"].pop("capabilities"), "all capabilities"
    ),
    "a capability that is added": Plant(
        lambda all_: _container(all_)["securityContext"]["capabilities"].update(add=["NET_RAW"]),
        "all capabilities",
    ),
    "a root file system that can be written": Plant(
        lambda all_: _container(all_)["securityContext"].pop("readOnlyRootFilesystem"), "read-only"
    ),
    "no limit of memory": Plant(
        lambda all_: _container(all_, "nats", "StatefulSet")["resources"]["limits"].pop("memory"),
        "StatefulSet nats, container nats: expected limits of memory",
    ),
    "no request of processors": Plant(
        lambda all_: _container(all_)["resources"]["requests"].pop("cpu"), "requests of cpu"
    ),
    "no resources of a job": Plant(
        lambda all_: _container(all_, "migrations-0.1.0", "Job").pop("resources"), "Job migrations"
    ),
    "no probe": Plant(
        lambda all_: _container(all_, "bots").pop("readinessProbe"),
        "Deployment bots, container howff: expected a readinessProbe",
    ),
    "a probe of a port that there is not": Plant(
        lambda all_: _container(all_)["livenessProbe"]["httpGet"].update(port="helth"), "helth"
    ),
    "the tag latest": Plant(
        lambda all_: _container(all_).update(image="registry.example.org:5000/howff:latest"),
        "a tag that stays",
    ),
    "no tag": Plant(
        lambda all_: _container(all_).update(image="registry.example.org:5000/howff"),
        "a tag that stays",
    ),
    "too little time to end": Plant(
        lambda all_: _pod(all_).update(terminationGracePeriodSeconds=5), "seconds or more to end"
    ),
    "pods that may all stand on one node": Plant(
        lambda all_: _pod(all_)["topologySpreadConstraints"].pop(0),
        "Deployment game: expected to be spread over kubernetes.io/hostname",
    ),
    "pods that are spread beside others": Plant(
        lambda all_: _pod(all_)["topologySpreadConstraints"][0].pop("matchLabelKeys"),
        "Deployment game: expected to be spread over kubernetes.io/hostname",
    ),
    "pods that are not among those spread": Plant(
        lambda all_: _pod(all_)["topologySpreadConstraints"][1].update(
            labelSelector={"matchLabels": {"app": "game"}}
        ),
        "Deployment game: expected to be spread over topology.kubernetes.io/zone",
    ),
    "servers that may share a node": Plant(
        lambda all_: _pod(all_, "nats", "StatefulSet").pop("affinity"),
        "StatefulSet nats: expected each on a node of its own",
    ),
    "a namespace that confines nothing": Plant(
        lambda all_: _one(all_, "Namespace", "howff")["metadata"].pop("labels"), "restricted"
    ),
    "an object in another namespace": Plant(
        lambda all_: _one(all_, "Service", "game")["metadata"].update(namespace="default"),
        "Service game: expected a namespace",
    ),
}

REFERENCES: Final = {
    "a secret in the repository": Plant(_secret, "no secret in the repository"),
    "a secret that nobody makes": Plant(
        lambda all_: _pod(all_, "bots")["volumes"][1]["secret"].update(secretName="bots"),
        "found Secret bots",
    ),
    "a key that a secret has not": Plant(
        lambda all_: _variable(all_, "game", "HOWFF_NATS_PASSWORD")["valueFrom"][
            "secretKeyRef"
        ].update(key="gmae"),
        "found Secret howff-nats with gmae",
    ),
    "a key that a ConfigMap has not": Plant(
        lambda all_: _pod(all_, "lobby")["volumes"][1]["configMap"]["items"][0].update(key="a"),
        "found ConfigMap howff-part-keys with a",
    ),
    "a ConfigMap that nobody makes": Plant(
        lambda all_: _container(all_)["envFrom"][0]["configMapRef"].update(name="howf"),
        "found ConfigMap howf",
    ),
    "a certificate that nobody makes": Plant(
        lambda all_: _one(all_, "Ingress", "howff")["spec"]["tls"][0].update(secretName="tls"),
        "documented secret, found tls",
    ),
    "a volume that there is not": Plant(
        lambda all_: _container(all_)["volumeMounts"][0].update(name="temp"), "found temp"
    ),
    "a Service of no pod": Plant(
        lambda all_: _one(all_, "Service", "game")["spec"].update(selector={"app": "game"}),
        "Service game: expected a selector of pods",
    ),
    "a Service of a port that there is not": Plant(
        lambda all_: _one(all_, "Service", "game")["spec"]["ports"][0].update(targetPort="web"),
        "Service game: expected a port of Deployment game",
    ),
    "a workload that selects other pods": Plant(
        lambda all_: _one(all_, "Deployment", "game")["spec"]["selector"]["matchLabels"].update(
            x="y"
        ),
        "expected to select its own pods",
    ),
    "servers without their Service": Plant(
        lambda all_: _remove(all_, "Service", "nats"), "expected its Service, found no nats"
    ),
    "a budget of no pod": Plant(
        lambda all_: _one(all_, "PodDisruptionBudget", "game")["spec"]["selector"].update(
            matchLabels={"app": "game"}
        ),
        "PodDisruptionBudget game: expected a selector of pods",
    ),
    "no budget": Plant(
        lambda all_: _remove(all_, "PodDisruptionBudget", "nats"), "expected a PodDisruptionBudget"
    ),
    "a scaler of nothing": Plant(
        lambda all_: _one(all_, "ScaledObject", "bots")["spec"]["scaleTargetRef"].update(name="b"),
        "ScaledObject bots: expected a target that there is",
    ),
    "two scalers of one thing": Plant(_another_scaler, "Deployment bots: expected one that scales"),
    "a number beside a scaler": Plant(
        lambda all_: _one(all_, "Deployment", "bots")["spec"].update(replicas=3),
        "Deployment bots: expected no number",
    ),
}

NETWORK: Final = {
    "no denial": Plant(
        lambda all_: _remove(all_, "NetworkPolicy", "nothing"),
        "Job migrations-0.1.0: expected policies of Ingress, found none",
    ),
    "everybody let in": Plant(
        lambda all_: _policy(all_, "to-game").update(ingress=[{}]),
        "expected anyone not to reach game:8000, found it open",
    ),
    "workers let to NATS's settings": Plant(
        _let_to_monitor,
        "expected bots not to reach nats:8222",
    ),
    "workers let to the database": Plant(
        lambda all_: _policy(all_, "to-database").update(podSelector={}),
        "expected bots not to reach database:5432",
    ),
    "scoring not let to the match service": Plant(
        lambda all_: _policy(all_, "to-game")["ingress"][0].update({"from": _LOBBY}),
        "expected scoring to reach game:8000, found it shut",
    ),
    "scoring not let out": Plant(
        lambda all_: _remove(all_, "NetworkPolicy", "out-of-scoring"),
        "expected scoring to reach game:8000, found it shut",
    ),
    "nobody let ask for names": Plant(
        lambda all_: _remove(all_, "NetworkPolicy", "names"), "expected game to reach names:53"
    ),
    "KEDA shut out": Plant(
        lambda all_: _policy(all_, "nats")["ingress"][1]["from"].pop(1),
        "expected keda to reach nats:8222",
    ),
    "the whole world in place of the database": Plant(
        lambda all_: _policy(all_, "to-database")["egress"][0]["to"][0].update(
            ipBlock={"cidr": "0.0.0.0/0"}
        ),
        "expected lobby not to reach anyone:5432",
    ),
    "a network let in": Plant(
        lambda all_: _policy(all_, "to-game")["ingress"][0]["from"].append(
            {"ipBlock": {"cidr": "10.0.0.0/8"}}
        ),
        "expected network not to reach game:8000",
    ),
    "a port that nothing else names": Plant(
        lambda all_: _policy(all_, "names")["egress"][0]["ports"].append({"port": 443}),
        "expected bots not to reach names:443",
    ),
    "a range of ports": Plant(
        lambda all_: _policy(all_, "names")["egress"][0]["ports"][0].update(endPort=9999),
        "NetworkPolicy names: expected ports by their numbers",
    ),
    "a policy whose directions are guessed": Plant(
        lambda all_: _policy(all_, "out-of-bots").pop("policyTypes"),
        "NetworkPolicy out-of-bots: expected policyTypes",
    ),
    "a port by its name": Plant(
        lambda all_: _policy(all_, "from-outside")["ingress"][0]["ports"][0].update(port="http"),
        "NetworkPolicy from-outside: expected ports by their numbers",
    ),
    "a port that nobody has": Plant(
        lambda all_: _policy(all_, "from-outside")["ingress"][0]["ports"].append({"port": 8080}),
        "NetworkPolicy from-outside: expected a port",
    ),
    "a port that nobody who is asked has": Plant(
        lambda all_: _policy(all_, "out-of-bots")["egress"][0]["ports"].append({"port": 6222}),
        "NetworkPolicy out-of-bots: expected a port",
    ),
    "a policy for nobody": Plant(
        lambda all_: _policy(all_, "out-of-bots").update(
            podSelector={"matchLabels": {"app.kubernetes.io/name": "bot"}}
        ),
        "NetworkPolicy out-of-bots: expected to mean pods",
    ),
}

SETTINGS: Final = {
    "a setting that there is not": Plant(
        lambda all_: _variable(all_, "bots", "HOWFF_PROCESSES").update(name="HOWFF_PROCESESS"),
        "expected settings of bots, found HOWFF_PROCESESS",
    ),
    "a setting of another service": Plant(
        lambda all_: _container(all_, "bots")["env"].append(
            {"name": "HOWFF_PASSWORD_KIBIBYTES", "value": "8192"}
        ),
        "expected settings of bots, found HOWFF_PASSWORD_KIBIBYTES",
    ),
    "a value that is refused": Plant(
        lambda all_: _configured(all_, "howff-services").update(HOWFF_MODE="many_machines"),
        "HOWFF_MODE: Input should be",
    ),
    "a default of one machine": Plant(
        lambda all_: _variable(all_, "scoring", "HOWFF_GAME_URL").update(name="GAME_URL"),
        "Deployment scoring: expected HOWFF_GAME_URL to be set",
    ),
    "a mode that is right on one machine alone": Plant(
        lambda all_: _configured(all_, "howff-services").pop("HOWFF_MODE"),
        "Deployment game: expected HOWFF_MODE to be set",
    ),
    "a service that there is not": Plant(
        lambda all_: _container(all_).update(args=["games"]), "found 'games'"
    ),
    "migrations without a database": Plant(
        lambda all_: _container(all_, "migrations-0.1.0", "Job")["env"].pop(),
        "found ['HOWFF_LOBBY_DATABASE_URL']",
    ),
}

NATS: Final = {
    "no servers": Plant(
        lambda all_: _remove(all_, "StatefulSet", "nats"), "StatefulSet nats: expected one"
    ),
    "servers that lose what they have acknowledged": Plant(
        lambda all_: _configured(all_, "nats").update({"nats.conf": "sync_interval: 2m"}),
        "expected 'sync_interval: always'",
    ),
    "a user that there is not": Plant(
        lambda all_: _variable(all_, "game", "HOWFF_NATS_USER").update(value="gmae"),
        "expected a user gmae in users.conf",
    ),
    "a variable without a value": Plant(
        lambda all_: _container(all_, "nats", "StatefulSet")["env"].pop(4),
        "expected a value of $HOWFF_NATS_",
    ),
    "a server that services don't know": Plant(
        lambda all_: _one(all_, "StatefulSet", "nats")["spec"].update(replicas=5),
        "HOWFF_NATS_URL: expected nats://nats-0.nats:4222,nats://nats-1.nats:4222,"
        "nats://nats-2.nats:4222,nats://nats-3.nats:4222,nats://nats-4.nats:4222 for 5 servers",
    ),
    "fewer replicas than servers": Plant(
        lambda all_: _configured(all_, "howff-services").update(HOWFF_REPLICAS="1"),
        "HOWFF_REPLICAS: expected 3",
    ),
    "another stream": Plant(
        lambda all_: _trigger(all_).update(stream="STARTS"), "stream to be WORK"
    ),
    "another consumer": Plant(
        lambda all_: _trigger(all_).update(consumer="workers"), "consumer to be bots"
    ),
    "another account": Plant(lambda all_: _trigger(all_).update(account="A"), "expected account"),
    "another namespace": Plant(
        lambda all_: _trigger(all_).update(natsServerMonitoringEndpoint="nats.other.svc:8222"),
        "to be nats.howff.svc:8222",
    ),
}

ROUTING: Final = {
    "a path of the lobby that is missing": Plant(
        lambda all_: _paths(all_).remove(_path(all_, "/v1/tickets")),
        "expected /v1/tickets at lobby, found game",
    ),
    "a path at another service": Plant(
        lambda all_: _path(all_, "/v1/players")["backend"]["service"].update(name="game"),
        "expected /v1/players at scoring, found game",
    ),
    "a path alone that should be a beginning": Plant(
        lambda all_: _path(all_, "/v1/tables").update(pathType="Exact"),
        "expected /v1/tables/more at lobby, found game",
    ),
    "no rest": Plant(lambda all_: _paths(all_).pop(), "expected /v1/matches at game, found None"),
    "a port that a Service has not": Plant(
        lambda all_: _path(all_, "/docs")["backend"]["service"].update(port={"number": 80}),
        "expected a Service and its port",
    ),
    "feeds that are held back": Plant(
        lambda all_: _one(all_, "Ingress", "howff")["metadata"].pop("annotations"),
        "proxy-buffering to be off",
    ),
}

PLANTS: Final = SCHEMAS | PODS | REFERENCES | NETWORK | SETTINGS | NATS | ROUTING
