"""What a user may write on the command line is never an internal error."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys

import pytest

from tests.unit.cli.conftest import call, start

TOO_LARGE = (2**63, 2**64, 10**30)
NUMBERS = (
    ("report", "--run", "{}"),
    ("baseline", "create", "--run", "{}"),
    ("findings", "list", "--run", "{}"),
    ("findings", "list", "--limit", "{}"),
    ("history", "prove", "--run", "{}", "--document", "d", "--passage", "p"),
    ("history", "prove", "--run", "1", "--document", "d", "--passage", "p", "--occurrence", "{}"),
    ("decisions", "list", "--limit", "{}"),
    ("decisions", "show", "{}"),
)
PATHS = (
    ("report", "-f", "json", "-o", "{}"),
    ("report", "-f", "json", "--check", "{}"),
    ("report", "--site", "{}"),
    ("verify", "--offline", "-f", "json", "-o", "{}"),
    ("verify", "--offline", "-f", "json", "-f", "markdown", "-o", "{}"),
    ("verify", "--offline", "--attest", "{}", "--key", "key"),
    ("verify", "--offline", "--attest", "new", "--key", "{}"),
    ("check-corpus", "--passages", "{}"),
    ("check-corpus", "--attestation", "{}", "--key", "key.pub"),
    ("check-corpus", "--attestation", "new", "--key", "key.pub", "--seen", "{}"),
    ("measure", "verifier", "--faults", "1", "-f", "json", "-o", "{}"),
    ("measure", "verifier", "--recompute", "{}"),
    ("measure", "gate", "recompute", "{}"),
    ("measure", "gate", "run", "--fixture", "{}", "--subject", "always-pass", "-o", "new"),
    ("measure", "gate", "label", "export", "{}", "--labeller", "a", "-o", "new"),
    ("measure", "gate", "ledger", "show", "{}"),
    ("snapshots", "export", "--warc", "{}"),
    ("snapshots", "import", "--warc", "{}"),
    ("snapshots", "add", "ca-on/statute/19h31@en", "{}"),
    ("history", "verify", "--token", "{}", "--roots", "key.pub"),
    ("schedule", "export", "cron", "-o", "{}"),
    ("trace", "label", "{}"),
    ("trace", "check", "{}"),
    ("labels", "check", "{}"),
    ("inspect", "{}"),
    ("status", "-c", "{}"),
    ("verify", "-c", "{}"),
)
_WITHOUT_CONFIG = {"measure gate", "trace label", "trace check", "labels check", "inspect {}"}


@pytest.fixture(scope="module")
def project(verified, tmp_path_factory):
    """A verified copy with a key, an attestation's place and paths that nothing can be done with."""
    folder = tmp_path_factory.mktemp("input") / "project"
    shutil.copytree(verified.parent, folder)
    assert call("keys", "new", folder / "key").exit_code == 0
    (folder / "loop").symlink_to("loop")
    config = folder / "corpusguard.toml"
    text = config.read_text().replace(
        "\n[[corpus]]", '\nschedules = ["nightly.toml"]\n\n[[corpus]]', 1
    )
    config.write_text(text)
    (folder / "nightly.toml").write_text(
        '[schedule]\nname = "nightly"\ncron = "0 3 * * *"\ntimezone = "UTC"\n'
    )
    return config


def _words(command, value, project):
    words = [word.format(value) for word in command]
    alone = " ".join(command[:2]) in _WITHOUT_CONFIG or "--recompute" in command or "-c" in command
    return words if alone else [*words, "-c", project]


@pytest.mark.parametrize("number", TOO_LARGE)
@pytest.mark.parametrize("command", NUMBERS, ids=" ".join)
def test_a_number_beyond_the_database_is_a_usage_error(project, command, number):
    """Exit 2, and the message says what is allowed."""
    done = call(*_words(command, number, project))
    assert done.exit_code == 2, done.output
    assert "Traceback" not in done.output
    assert "range" in done.output


@pytest.mark.parametrize("command", NUMBERS[:5], ids=" ".join)
def test_the_largest_number_is_looked_for(project, command):
    """2^63 - 1 is a number like any other: there is no such run; as a limit it limits nothing."""
    done = call(*_words(command, 2**63 - 1, project))
    assert done.exit_code == (0 if "--limit" in command else 2), done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize("path", ["x" * 300, "loop", "loop/in", "corpusguard.toml/in"])
@pytest.mark.parametrize("command", PATHS, ids=" ".join)
def test_a_path_that_cannot_be_is_a_usage_error(project, command, path, monkeypatch):
    """Too long a name, a link to itself, a file as a folder: exit 2, one cause, one next step."""
    monkeypatch.chdir(project.parent)
    done = call(*_words(command, path, project))
    assert done.exit_code == 2, done.output
    assert "Traceback" not in done.output
    assert path[:20] in done.stderr


_AS_OTHERS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
"""Root may enter every folder; without these capabilities it may what its files' modes say."""


@pytest.mark.skipif(
    os.geteuid() == 0 and shutil.which("setpriv") is None, reason="root may enter every folder"
)
@pytest.mark.parametrize("command", PATHS, ids=" ".join)
def test_a_folder_that_may_not_be_entered_is_a_usage_error(project, command):
    """Permission denied, as an unprivileged user sees it."""
    denied = project.parent / "denied"
    if not denied.exists():
        denied.mkdir()
        (denied / "file").write_text("{}")
    denied.chmod(0)
    words = [str(word) for word in _words(command, denied / "file", project)]
    run = [sys.executable, "-c", "from corpusguard.cli import main; main()", *words]
    prefix = _AS_OTHERS if os.geteuid() == 0 else ()
    try:
        done = subprocess.run(
            [*prefix, *run], cwd=project.parent, capture_output=True, text=True, check=False
        )
    finally:
        denied.chmod(0o700)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "denied" in done.stderr


def test_a_baseline_with_a_number_beyond_json_is_refused(project, tmp_path):
    """What canonical JSON cannot hold is refused when the file is read, not when a run is sealed."""
    copy = tmp_path / "copy"
    shutil.copytree(project.parent, copy, symlinks=True, ignore=shutil.ignore_patterns("denied"))
    config = copy / "corpusguard.toml"
    assert call("baseline", "create", "-q", "-c", config).exit_code == 0
    path = copy / "corpusguard-baseline.json"
    stored = json.loads(path.read_text())
    path.write_text(json.dumps({**stored, "run": 2**53 + 1}))
    assert json.loads(path.read_text())["run"] == 2**53 + 1
    done = call("verify", "--offline", "-c", config)
    assert done.exit_code == 2, done.output
    assert "not a baseline" in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("measure", "verifier", "--faults", "1", "--seed"),
        ("findings", "list", "--doc"),
        ("diff",),
        ("verify", "--offline", "--doc"),
        ("explain",),
        ("history", "prove", "--run", "1", "--passage", "p", "--document"),
    ],
    ids=" ".join,
)
def test_words_that_are_no_utf8_are_a_usage_error(project, command):
    """Bytes that no record could hold are refused before any work."""
    words = [*command, os.fsdecode(b"a\xff"), *([] if command == ("explain",) else ["-c", project])]
    done = call(*words)
    assert done.exit_code == 2, done.output
    assert "is not UTF-8" in done.stderr


@pytest.mark.parametrize(
    "command", [("check-answer",), ("check-claim", "-"), ("hook", "memory-write")], ids=" ".join
)
def test_a_terminal_is_told_what_is_waited_for(project, command):
    """Nobody sits before an empty line and takes the command for slow."""
    ours, theirs = pty.openpty()
    process = start(
        *command, "-c", project, stdin=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    os.close(theirs)
    first = process.stderr.readline()
    os.write(ours, b"\x04")
    process.communicate(timeout=60)
    os.close(ours)
    assert "from standard input; Ctrl-D on a line of its own ends it" in first
