"""The manifests: valid by the schemas of Kubernetes and KEDA, restricted, and connected to each other."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml

from mjsettle_workers.keys import GROUP, Keys
from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import quick_settings, stub_round
from tests.deploy.tools import DEPLOY, assert_is_command, needs, run
from tests.integration.shipped import shipped_server, users_for

MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
STREAM_SCALER = {
    *("address", "host", "port", "username", "password", "usernameFromEnv", "passwordFromEnv", "databaseIndex"),
    *("enableTLS", "unsafeSsl", "stream", "consumerGroup"),
    *("pendingEntriesCount", "streamLength", "lagCount", "activationLagCount"),
}
"""What KEDA's scaler `redis-streams` takes; its schema leaves every name free."""


def documents() -> list[tuple[str, dict[str, Any]]]:
    return [(path.name, found) for path in MANIFESTS for found in yaml.safe_load_all(path.read_text()) if found]


def of_kind(kind: str, name: str) -> dict[str, Any]:
    [found] = [each for _, each in documents() if each["kind"] == kind and each["metadata"]["name"] == name]
    return found


def templates() -> dict[str, dict[str, Any]]:
    """The pods that are made, by the name of what makes them."""
    found = [each for _, each in documents() if "template" in each.get("spec", {})]
    return {each["metadata"]["name"]: each["spec"]["template"] for each in found}


def test_manifests_follow_the_schema_of_kubernetes() -> None:
    validate = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed")
    for _, document in documents():
        if not document["apiVersion"].startswith(("keda.sh", "kustomize")):
            validate.validate(document, "1.30", strict=True)


def test_scaling_follows_the_schema_of_keda() -> None:
    keda = pytest.importorskip(
        "cloudcoil.models.keda.v1alpha1", reason="cloudcoil-models-keda and filelock are not installed"
    )
    checked = [document for _, document in documents() if document["apiVersion"] == "keda.sh/v1alpha1"]
    assert len(checked) == 2
    for document in checked:
        model = getattr(keda, document["kind"]).model_validate(document)
        # The models drop what they do not know.
        assert model.model_dump(by_alias=True, exclude_unset=True, mode="json") == document


def test_kustomize_builds_them() -> None:
    built = [found for found in yaml.safe_load_all(run(needs("kubectl"), "kustomize", "kubernetes")) if found]
    kinds = {(found["kind"], found["metadata"]["name"]) for found in built}
    assert {("Deployment", "worker"), ("ScaledObject", "worker"), ("Job", "prepare"), ("StatefulSet", "redis")} <= kinds
    assert all(found["metadata"].get("namespace", "mjsettle") == "mjsettle" for found in built)
    [settings] = [found["metadata"]["name"] for found in built if found["metadata"]["name"].startswith("mjsettle-")]
    named = re.findall(r"configMapRef:\s+name: (\S+)", yaml.safe_dump_all(built))
    assert named == [settings] * 3


def test_pods_are_restricted_and_run_commands_that_exist() -> None:
    assert set(templates()) == {"redis", "worker", "metrics", "prepare"}
    for pod in [template["spec"] for template in templates().values()]:
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        for container in pod["containers"]:
            context = container["securityContext"]
            assert context["allowPrivilegeEscalation"] is False
            assert context["readOnlyRootFilesystem"] is True
            assert context["capabilities"] == {"drop": ["ALL"]}
            assert "memory" in container["resources"]["limits"]
            if container["image"] == "mjsettle":
                assert_is_command(container["args"])
            if probe := container.get("livenessProbe"):
                assert_is_command(probe["exec"]["command"][1:])


def test_what_pods_mount_is_there() -> None:
    claimed = {claim["metadata"]["name"] for claim in of_kind("StatefulSet", "redis")["spec"]["volumeClaimTemplates"]}
    for name, template in templates().items():
        given = {volume["name"] for volume in template["spec"].get("volumes", ())}
        given |= claimed if name == "redis" else set()
        for container in template["spec"]["containers"]:
            assert {mount["name"] for mount in container.get("volumeMounts", ())} == given
    [server] = templates()["redis"]["spec"]["containers"]
    mounted = tuple(mount["mountPath"] + "/" for mount in server["volumeMounts"])
    config = of_kind("ConfigMap", "redis")["data"]["redis.conf"]
    paths = [server["args"][1], *re.findall(r"^aclfile (\S+)$", config, re.MULTILINE)]
    assert len(paths) == 2
    assert all(path.startswith(mounted) for path in paths)
    assert "dir /data\n" in config
    assert "/data/" in mounted


def test_a_worker_may_finish_what_it_judges_and_is_not_drained_with_all_others() -> None:
    worker = of_kind("Deployment", "worker")["spec"]
    settings = Settings()
    grace = worker["template"]["spec"]["terminationGracePeriodSeconds"]
    assert grace > settings.judge_limit_s + settings.budget_s + settings.socket_timeout_s
    budget = of_kind("PodDisruptionBudget", "worker")["spec"]
    assert budget["selector"] == worker["selector"]
    assert worker["selector"]["matchLabels"].items() <= worker["template"]["metadata"]["labels"].items()
    assert "replicas" not in worker, "the autoscaler owns their number"


def test_the_server_lets_in_whoever_must_reach_it() -> None:
    policy = of_kind("NetworkPolicy", "redis")["spec"]
    assert policy["podSelector"]["matchLabels"].items() <= templates()["redis"]["metadata"]["labels"].items()
    assert policy["policyTypes"] == ["Ingress"], "names must be looked up: what leaves a pod is not limited"
    [rule] = policy["ingress"]
    assert [port["port"] for port in rule["ports"]] == [6379]
    let_in = [each["podSelector"]["matchLabels"] for each in rule["from"] if "podSelector" in each]
    for name in ("worker", "metrics", "prepare"):
        labels = templates()[name]["metadata"]["labels"]
        assert any(wanted.items() <= labels.items() for wanted in let_in), name
    spaces = [each["namespaceSelector"]["matchLabels"] for each in rule["from"] if "namespaceSelector" in each]
    assert {"kubernetes.io/metadata.name": "keda"} in spaces


def test_scaling_asks_for_the_group_that_prepare_makes() -> None:
    scaled = of_kind("ScaledObject", "worker")
    [trigger] = scaled["spec"]["triggers"]
    assert trigger["type"] == "redis-streams"
    assert set(trigger["metadata"]) <= STREAM_SCALER
    assert all(isinstance(value, str) for value in trigger["metadata"].values())
    assert trigger["metadata"]["stream"] == Keys().rounds
    assert trigger["metadata"]["consumerGroup"] == GROUP
    assert "activationLagCount" in trigger["metadata"], "KEDA wants it beside lagCount"
    assert scaled["spec"]["scaleTargetRef"]["name"] == "worker"
    secret = yaml.safe_load((DEPLOY / "kubernetes/secret.example.yaml").read_text())["stringData"]
    text = "".join(path.read_text() for path in MANIFESTS)
    assert set(re.findall(r"\bkey: (\w[\w.]*)", text)) <= set(secret)
    authentication = of_kind("TriggerAuthentication", trigger["authenticationRef"]["name"])["spec"]
    assert {each["parameter"] for each in authentication["secretTargetRef"]} == {"password"}


def test_the_secret_begins_as_the_file_of_users_does() -> None:
    """What `default` may do decides whether Redis 7.0 keeps its data over a restart."""
    secret = yaml.safe_load((DEPLOY / "kubernetes/secret.example.yaml").read_text())["stringData"]
    [line] = secret["users.acl"].splitlines()
    assert line == users_for("7.0").splitlines()[0]


def test_the_autoscaler_may_ask_what_it_asks(tmp_path: Path) -> None:
    """The commands of KEDA's scaler, by the user that its trigger names: the lag is that of rounds nobody has read."""
    from mjsettle_workers.client import Client
    from mjsettle_workers.drain import ensure_groups

    user = of_kind("ScaledObject", "worker")["spec"]["triggers"][0]["metadata"]["username"]
    with shipped_server(tmp_path) as server:
        url = f"unix://{{0}}:{{0}}-secret@{server.socket}?db=0"
        with closing(redis.Redis.from_url(url.format("worker"))) as worker:
            ensure_groups(worker, Keys())
        with closing(redis.Redis.from_url(url.format("room"))) as connection:
            Client(quick_settings(url.format("room")), connection=connection).submit(
                [stub_round(f"lag/{i}") for i in range(7)]
            )
        with closing(redis.Redis.from_url(url.format(user), protocol=3)) as opened:
            keda: Any = opened
            keda.execute_command("CLIENT", "SETNAME", "keda")
            assert keda.ping()
            assert int(str(keda.info()["redis_version"]).partition(".")[0]) >= 7
            [group] = [each for each in keda.xinfo_groups(Keys().rounds) if each["name"] == GROUP.encode()]
            assert group["lag"] == 7


def test_the_cluster_server_has_the_shipped_settings() -> None:
    def lines(text: str) -> set[str]:
        return {line for line in text.splitlines() if line and not line.startswith("#")}

    config = of_kind("ConfigMap", "redis")["data"]["redis.conf"]
    ours = lines((DEPLOY / "redis/redis.conf").read_text())
    needless = {"protected-mode yes", "min-replicas-to-write 0", "no-appendfsync-on-rewrite no"}
    assert ours - needless <= lines(config)
