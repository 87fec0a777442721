"""What is not shown as it was stored, and a judge that is not asked."""

from __future__ import annotations

import sqlite3
from subprocess import DEVNULL, PIPE

import pytest

from corpusguard.config import load_config
from corpusguard.errors import HistoryBroken
from corpusguard.serve.desk import Desk
from tests.unit.cli.conftest import call, start
from tests.unit.serve.conftest import FALSE


def test_a_judge_that_is_not_asked_is_named_once_at_the_start(project):
    """`serve` and `mcp` ask none, though `check-answer` with the same configuration does."""
    config = project / "corpusguard.toml"
    with config.open("a", encoding="utf-8") as stream:
        stream.write('[[judge]]\nname = "j"\nkind = "command"\ncommand = ["true"]\n')
        stream.write('[gate]\njudge = "j"\n')
    done = start("mcp", "-c", config, stdin=DEVNULL, stdout=PIPE, stderr=PIPE)
    _, told = done.communicate(timeout=60)
    assert done.returncode == 0
    assert told.count("no judge is asked here") == 1
    desk = Desk(load_config(config))
    assert "let a judge" not in desk.explain("not_quoted")["page"]
    assert desk.explain("escalated")["outcome"] == "escalated"


def test_a_forged_decision_is_an_error_everywhere(project):
    config = project / "corpusguard.toml"
    (project / "answer.txt").write_text(FALSE, "utf-8")
    assert call("check-answer", project / "answer.txt", "-c", config).exit_code == 1
    with sqlite3.connect(load_config(config).history) as db:
        (sql,) = db.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'decisions_never_update'"
        ).fetchone()
        db.execute("DROP TRIGGER decisions_never_update")
        db.execute("UPDATE decisions SET outcome = 'shipped', reason = ''")
        db.execute(sql)
    db.close()

    for arguments in (("show", 1), ("show", 1, "-f", "json"), ("list",), ("list", "-f", "json")):
        done = call("decisions", *arguments, "-c", config)
        assert (done.exit_code, done.stdout) == (4, "")
        assert "decision 1 is not what was stored" in " ".join(done.stderr.split())
        assert "history verify" in done.stderr
    desk = Desk(load_config(config))
    for ask in (lambda: desk.decision(1), lambda: desk.explain("1")):
        with pytest.raises(HistoryBroken):
            ask()
