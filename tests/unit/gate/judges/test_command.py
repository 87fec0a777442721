"""A judge that is a command: no shell, a scrubbed environment, caps, and nothing left behind."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

import pytest

from corpusguard.config.gate import JudgeSpec
from corpusguard.gate.judges import ModelError, make_judge
from corpusguard.gate.judging import JudgeError, Question, parse_reply

QUESTION = Question("A lamp is lit.", (("p_1", "3 A lamp is lit at dusk."),))


def ask(folder, code, *, arguments=(), timeout=20.0, environment=(), program=sys.executable):
    script = folder / "judge.py"
    script.write_text(code, encoding="utf-8")
    spec = JudgeSpec(
        "local",
        "command",
        command=(program, str(script), *arguments),
        environment=environment,
        timeout_seconds=timeout,
    )
    return asyncio.run(make_judge(spec, folder).judge(QUESTION))


def test_the_question_comes_on_standard_input(tmp_path):
    """Framed for a model, and as data for a program of rules."""
    code = (
        "import json, sys; q = json.load(sys.stdin); json.dump(q, open('seen.json', 'w'));"
        "print('SUPPORTED' if q['data']['sentence'] in q['data']['passages'][0] else"
        " 'NOT_SUPPORTED')"
    )
    assert parse_reply(ask(tmp_path, code)) == "NOT_SUPPORTED"
    seen = json.loads((tmp_path / "seen.json").read_text())
    assert seen["schema"] == "corpusguard/question/1"
    assert seen["task"] == "judge"
    assert seen["data"] == {"sentence": "A lamp is lit.", "passages": ["3 A lamp is lit at dusk."]}
    assert '"A lamp is lit."' in seen["user"]
    assert "A lamp is lit." not in seen["system"]


def test_only_what_is_named_is_in_the_environment(tmp_path, monkeypatch):
    """The keys of others stay here."""
    monkeypatch.setenv("OTHER_SECRET", "sk-1")
    monkeypatch.setenv("MY_KEY", "sk-2")
    code = "import json, os; json.dump(dict(os.environ), open('env.json', 'w')); print('SUPPORTED')"
    assert parse_reply(ask(tmp_path, code, environment=("MY_KEY",))) == "SUPPORTED"
    seen = json.loads((tmp_path / "env.json").read_text())
    assert seen["MY_KEY"] == "sk-2"
    assert "OTHER_SECRET" not in seen
    assert set(seen) <= {
        "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SYSTEMROOT", "MY_KEY",
    }  # fmt: skip


@pytest.mark.parametrize(
    "code",
    [
        "import os, sys; sys.stderr.write('key ' + os.environ['MY_KEY']); sys.exit(3)",
        (
            "import os, sys; k = os.environ['MY_KEY']; sys.stderr.write(f'{k} {k} ' + 'x' * 3_965);"
            "sys.exit(3)"
        ),
        "import os; print('no: ' + os.environ['MY_KEY'])",
        "import os; print(os.environ['MY_KEY'] * 40)",
    ],
)
def test_a_key_that_it_tells_is_in_no_message_and_no_reply(tmp_path, monkeypatch, code):
    """What it says is kept with the decision; the name of the model that it was given is told."""
    monkeypatch.setenv("MY_KEY", "a-key-of-ours-0123456789")
    monkeypatch.setenv("MODEL_HOME", "a-folder-of-models")
    names = ("MY_KEY", "MODEL_HOME")
    try:
        told = ask(tmp_path, code, environment=names)
    except ModelError as error:
        told = f"{error} {error.hint}"
    assert "23456789" not in told
    assert "***" in told
    shown = "import os; print(os.environ['MODEL_HOME'])"
    assert ask(tmp_path, shown, environment=names).strip() == "a-folder-of-models"


def test_there_is_no_shell(tmp_path):
    """An argument is an argument."""
    code = "import json, sys; json.dump(sys.argv[1:], open('argv.json', 'w')); print('SUPPORTED')"
    hostile = ("; touch pwned", "$(touch pwned)", "`touch pwned`", "a b")
    ask(tmp_path, code, arguments=hostile)
    assert json.loads((tmp_path / "argv.json").read_text()) == list(hostile)
    assert not (tmp_path / "pwned").exists()


FAILURES = {
    "exit code": "import sys; print('SUPPORTED'); sys.exit(3)",
    "crash": "print('SUPPORTED', flush=True); raise RuntimeError('no')",
    "killed": "import os; print('SUPPORTED', flush=True); os.kill(os.getpid(), 9)",
    "too much": "print('SUPPORTED' * 100_000)",
    "without end": "import sys\nwhile True: sys.stdout.write('SUPPORTED' * 10_000)",
    "not UTF-8": "import sys; sys.stdout.buffer.write(b'\\xff')",
}


@pytest.mark.parametrize("code", FAILURES.values(), ids=FAILURES)
def test_a_failed_run_says_nothing(tmp_path, code):
    """What a failing command printed is not used."""
    with pytest.raises(ModelError, match="local: "):
        ask(tmp_path, code)


@pytest.mark.parametrize("code", ["", "print('SUPPORTED? No.')", "print('maybe')"])
def test_an_off_schema_reply_is_no_verdict(tmp_path, code):
    """Silence and chatter are errors in the gate."""
    with pytest.raises(JudgeError):
        parse_reply(ask(tmp_path, code))


def test_a_command_that_reads_nothing_still_answers(tmp_path):
    """A closed pipe is no error."""
    assert parse_reply(ask(tmp_path, "print('NOT_SUPPORTED')")) == "NOT_SUPPORTED"


def test_the_time_is_over_for_what_it_started_too(tmp_path):
    """The whole process group ends."""
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "open('child', 'w').write(str(child.pid))\n"
        "time.sleep(60)\n"
    )
    begun = time.monotonic()
    with pytest.raises(ModelError, match="more than 2 s"):
        ask(tmp_path, code, timeout=2.0)
    assert time.monotonic() - begun < 50
    assert deserted(tmp_path)


def deserted(folder):
    """Whether all processes that run in a folder end within a minute (zombies have ended).

    Not only one whose number it has written down: where the machine was too busy to let it come
    that far before its time was over, there is nothing written, and nothing may be left either.
    """
    end = time.monotonic() + 60
    while found := [pid for pid in Path("/proc").glob("[0-9]*") if _runs_in(pid, folder)]:
        if time.monotonic() > end:
            return found == []
        time.sleep(0.02)
    return True


def _runs_in(process, folder):
    try:
        state = (process / "stat").read_text().rsplit(")", 1)[1].split()[0]
        return state != "Z" and (process / "cwd").samefile(folder)
    except OSError:  # it has ended, or is another user's
        return False


def test_a_program_that_is_not_there_is_named(tmp_path):
    """Cause and next step."""
    with pytest.raises(ModelError, match="no-such-judge") as caught:
        ask(tmp_path, "", program="no-such-judge")
    assert "command" in caught.value.hint
