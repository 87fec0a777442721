"""docs/recipes, played against the example's publisher: sound law, then the law amended."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/gated-index"
RECIPES = ROOT / "docs/recipes"
INPUTS = set(yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"])


@pytest.fixture
def publisher():
    """The stand-in that examples/gated-index uses."""
    spec = importlib.util.spec_from_file_location("elaws", EXAMPLE / "elaws.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with module.Publisher() as running:
        yield running


@pytest.fixture
def repository(tmp_path, publisher):
    """An ingested corpus whose state lies where the recipes look for it."""
    folder = shutil.copytree(EXAMPLE / "pipeline", tmp_path / "repository")
    source = folder / "sources" / "kites.toml"
    text = source.read_text("utf-8")
    source.write_text(text.replace("http://127.0.0.1:8931", publisher.base_url), "utf-8")
    config = folder / "corpusguard.toml"
    config.write_text(config.read_text("utf-8").replace("state/", ""), "utf-8")
    subprocess.run([sys.executable, "ingest.py"], cwd=folder, check=True, capture_output=True)
    return folder


def environment(**more):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, **more}


def gitlab(job, cwd):
    """Run a job's script as a GitLab shell does, and stop at the first line that fails."""
    script = yaml.safe_load((RECIPES / "gitlab-ci.yml").read_text("utf-8"))[job]["script"]
    words = ["bash", "-eo", "pipefail", "-c", "\n".join(script)]
    return subprocess.run(
        words, cwd=cwd, env=environment(), capture_output=True, text=True, check=False
    )


def test_the_gitlab_jobs_verify_gate_and_refuse(repository, publisher):
    """The first night has no history; the second finds the amendment and lists nothing."""
    done = gitlab("verify:nightly", repository)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (repository / "reports").iterdir()} >= {"junit.xml"}
    assert len((repository / "allowed.jsonl").read_text().splitlines()) == 10
    assert gitlab("verify:merge-request", repository).returncode == 0

    publisher.amend()
    (repository / "allowed.jsonl").unlink()
    assert gitlab("verify:nightly", repository).returncode == 1
    assert not (repository / "allowed.jsonl").exists()
    assert gitlab("verify:merge-request", repository).returncode == 1


def test_gitlab_refuses_an_altered_cache(repository):
    """Before anything is asked or compared: exit 4."""
    assert gitlab("verify:nightly", repository).returncode == 0
    captured = next(path for path in repository.glob("snapshots/objects/*/*"))
    captured.chmod(0o644)
    captured.write_bytes(captured.read_bytes()[:-1] + b" ")

    done = gitlab("verify:nightly", repository)

    assert done.returncode == 4
    assert "CG701" in done.stdout + done.stderr


def test_the_github_recipes_name_inputs_that_the_action_has():
    """actionlint cannot look into an action of another repository."""
    used = 0
    for recipe in RECIPES.glob("github-*.yml"):
        jobs = yaml.safe_load(recipe.read_text("utf-8"))["jobs"]
        for job in jobs.values():
            for step in job["steps"]:
                if step.get("uses", "").startswith("OWNER/corpusguard@"):
                    used += 1
                    assert set(step.get("with", {})) <= INPUTS, recipe.name
    assert used == 5


def test_the_page_names_every_input():
    """docs/ci.md and action.yml agree."""
    page = (ROOT / "docs/ci.md").read_text("utf-8")
    table = page.partition("| input |")[2].partition("\n\n")[0]
    rows = [line.split("|")[1] for line in table.splitlines()[2:]]
    assert {name for row in rows for name in re.findall(r"`([a-z-]+)`", row)} == INPUTS


def test_the_dagster_check_blocks_the_index(repository, publisher):
    """Sound: both assets are made. Amended: the check fails, the index is not touched."""
    pytest.importorskip("dagster", reason="dagster is not installed")
    code = (
        "import json, sys, dagster as dg\n"
        f"sys.path.insert(0, {str(RECIPES)!r})\n"
        "import dagster_law as law\n"
        "parts = [law.stored_law, law.verified_against_the_source, law.index]\n"
        "done = dg.materialize(parts, raise_on_error=False)\n"
        "made = [event.asset_key.path[-1] for event in done.get_asset_materialization_events()]\n"
        "print(json.dumps([done.success, made]))\n"
    )

    def play():
        words = [sys.executable, "-c", code]
        env = environment(CORPUSGUARD_CONFIG=str(repository / "corpusguard.toml"))
        done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
        return json.loads(done.stdout.splitlines()[-1])

    assert play() == [True, ["stored_law", "index"]]
    publisher.amend()
    assert play() == [False, ["stored_law"]]


@pytest.mark.parametrize("recipe", sorted(RECIPES.glob("*.py")), ids=lambda path: path.stem)
def test_a_recipe_calls_commands_and_options_that_there_are(recipe):
    """Its scheduler may not be installed here; what it asks of corpusguard can be looked up."""
    calls = [
        [word.value for word in node.args if isinstance(word, ast.Constant)]
        for node in ast.walk(ast.parse(recipe.read_text("utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_corpusguard"
    ]
    assert {words[0] for words in calls} == {"verify", "check-corpus"}
    for command, *words in calls:
        done = subprocess.run(
            [sys.executable, "-m", "corpusguard", command, "--help"],
            env=environment(COLUMNS="200", NO_COLOR="1"),
            capture_output=True,
            text=True,
            check=True,
        )
        for option in (word for word in words if word.startswith("--")):
            assert f"{option} " in done.stdout, (command, option)
