"""``corpusguard check-corpus``: only what a run verified, exactly and recently, is let through."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from corpusguard.history import History
from corpusguard.locking import RunLock
from corpusguard.model import Verdict
from corpusguard.service import Asked
from tests.contract import gate_project as gp
from tests.unit.cli.conftest import call

FIRST = gp.LIGHTHOUSE.id


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """For each kind of store, a project that was verified once."""
    folder = tmp_path_factory.mktemp("made")
    for reader in ("jsonl", "csv", "sqlite"):
        config = gp.project(folder / reader, reader)
        assert call("verify", "--offline", "-q", "-c", config).exit_code == 0
    return folder


@pytest.fixture(params=["jsonl", "csv", "sqlite"])
def each(request, made, tmp_path):
    """A verified project with each kind of store."""
    shutil.copytree(made / request.param, tmp_path / "p")
    return tmp_path / "p" / "corpusguard.toml"


@pytest.fixture
def project(made, tmp_path):
    """A verified project with JSONL."""
    shutil.copytree(made / "jsonl", tmp_path / "p")
    return tmp_path / "p" / "corpusguard.toml"


def check(config, *options):
    """Exit code and answer."""
    done = call("check-corpus", "-c", config, "-q", "--format", "json", *options)
    return done.exit_code, json.loads(done.stdout) if done.stdout else done.stderr


def reasons(answer):
    return {(one["reason"], one["document"]) for one in answer["reasons"]}


def contents(folder):
    return {
        path.name: path.read_bytes() for path in folder.iterdir() if path.name.startswith("corpus")
    }


def spoil(config, *statements):
    with sqlite3.connect(config.parent / "history.db") as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            db.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            db.execute(statement)
    db.close()


def bad_ferry(config):
    """Store one wrong word of the ferry law."""
    rows = gp.rows_of(config)
    rows[-1]["text"] = rows[-1]["text"].replace("under six", "under sixteen")
    gp.store(config, rows)


# What passes


def test_a_corpus_that_a_run_verified_passes_and_is_not_touched(each):
    """Exit 0, with root and run; not a byte of the store changes."""
    before = contents(each.parent)
    code, answer = check(each)
    assert (code, answer["outcome"], answer["reasons"]) == (0, "pass", [])
    assert (answer["rows"], answer["run"], len(answer["documents"])) == (8, 1, 2)
    assert answer["root"].startswith("sha256:")
    assert contents(each.parent) == before


def test_a_person_reads_root_run_and_reason(project):
    """The console says the same, and what to do next."""
    passed = call("check-corpus", "-c", project)
    assert passed.stdout.startswith("✓ pass: 8 rows in 2 documents\n  root sha256:")
    assert "the source of 2 documents was not asked" in passed.stderr
    bad_ferry(project)
    refused = call("check-corpus", "-c", project)
    assert refused.exit_code == 3
    assert refused.stdout.startswith("✗ refused: 8 rows in 2 documents\n")
    assert "  corpus_changed (harbour: ca-on/statute/26f92@en): its 2 rows, or" in refused.stdout
    assert "next: run `corpusguard verify`" in refused.stdout


def test_one_corpus_has_one_root_whatever_stores_it(made):
    """Rows that say the same have the same root in files and in a database."""
    readers = ("jsonl", "csv", "sqlite")
    assert len({check(made / name / "corpusguard.toml")[1]["root"] for name in readers}) == 1


def test_the_root_is_what_the_documentation_says_byte_for_byte(project):
    """Computed again here from the file alone, with an id that comes twice."""
    rows = gp.rows_of(project)
    rows[-1]["id"] = rows[0]["id"]
    gp.store(project, rows)
    names = ("id", "text", "section", "subsection", "heading", "ordinal", "status")
    leaves = []
    for law in sorted({row["document"] for row in rows}):
        own = [row for row in rows if row["document"] == law]
        said = "".join(json.dumps([row.get(name) for name in names]) for row in own)
        for ident in [json.dumps(row["id"]) for row in own if row["id"] == rows[0]["id"]]:
            said += f"{len(ident)}:{ident}2:"
        digest = "sha256:" + hashlib.sha256(said.encode("ascii")).hexdigest()
        leaf = {"corpus": "harbour", "digest": digest, "document": law, "rows": len(own)}
        leaves.append(b"\0" + json.dumps(leaf, separators=(",", ":")).encode())
    node = b"\1" + b"".join(hashlib.sha256(leaf).digest() for leaf in leaves)
    assert check(project)[1]["root"] == "sha256:" + hashlib.sha256(node).hexdigest()


# The race


def one_byte(rows):
    rows[2]["text"] = rows[2]["text"].replace("lamp lit", "lamp lid", 1)


def white_space(rows):
    rows[2]["text"] += " "


def one_row_more(rows):
    rows.insert(3, rows[2] | {"id": "copied"})


def a_row_twice(rows):
    rows.insert(3, dict(rows[2]))


def one_row_less(rows):
    del rows[3]


def order_only(rows):
    rows[2], rows[3] = rows[3], rows[2]


def another_section(rows):
    rows[2]["section"] = "4"


def another_id(rows):
    rows[2]["id"] += "x"


@pytest.mark.parametrize(
    "change",
    [
        one_byte,
        white_space,
        one_row_more,
        a_row_twice,
        one_row_less,
        order_only,
        another_section,
        another_id,
    ],
    ids=lambda change: change.__name__,
)
def test_a_corpus_that_changed_after_the_run_is_refused(each, change):
    """Whatever changed, if only the order: exit 3, and the document is named."""
    rows = gp.rows_of(each)
    before = json.dumps(rows)
    change(rows)
    assert json.dumps(rows) != before
    gp.store(each, rows)
    code, answer = check(each)
    assert code == 3
    assert reasons(answer) == {("corpus_changed", FIRST)}


def test_documents_may_be_interleaved_in_another_way(each):
    """Order is that of the rows of a document; between documents it means nothing."""
    root = check(each)[1]["root"]
    rows = gp.rows_of(each)
    gp.store(each, rows[6:] + rows[:6])
    code, answer = check(each)
    assert (code, answer["root"]) == (0, root)


def test_a_document_that_is_gone_is_refused(each):
    """What is left was verified, but not as the whole corpus."""
    gp.store(each, gp.rows_of(each)[:6])
    code, answer = check(each)
    assert code == 3
    assert reasons(answer) == {("corpus_changed", gp.FERRY.id)}


def test_a_law_that_is_gone_since_the_newest_run_is_refused(each):
    """Although an older run verified exactly what is left; a newer whole run lets it through."""
    rows = gp.rows_of(each)
    for stored in (rows[:6], rows):
        gp.store(each, stored)
        assert call("verify", "--offline", "-q", "-c", each).exit_code == 0
        assert check(each)[0] == 0
    gp.store(each, rows[:6])
    code, answer = check(each)
    assert (code, reasons(answer)) == (3, {("corpus_changed", gp.FERRY.id)})
    assert call("verify", "--offline", "-q", "-c", each).exit_code == 0
    assert check(each)[0] == 0


def test_a_run_of_what_is_left_does_not_let_a_lost_law_pass(each):
    """It was told not to look for the other: only a whole run can say that it is gone for good."""
    only = ("verify", "--offline", "-q", "-c", each, "--doc", FIRST)
    assert call(*only).exit_code == 0
    rows = gp.rows_of(each)
    gp.store(each, rows[:6])
    code, answer = check(each)
    assert (code, reasons(answer)) == (3, {("corpus_changed", gp.FERRY.id)})
    assert call("verify", "--offline", "-q", "-c", each).exit_code == 0
    assert check(each)[0] == 0


def test_a_run_of_fewer_layers_saw_the_law_that_is_gone(project):
    """It can let nothing through, but what it saw was there."""
    rows = gp.rows_of(project)
    gp.store(project, rows[:6])
    assert call("verify", "--offline", "-q", "-c", project).exit_code == 0
    gp.store(project, rows)
    assert call("verify", "--offline", "-q", "-c", project, "--layer", "L1").exit_code == 0
    gp.store(project, rows[:6])
    code, answer = check(project)
    assert (code, reasons(answer)) == (3, {("corpus_changed", gp.FERRY.id)})


def test_a_listed_law_that_no_corpus_holds_is_named(project):
    """It cannot be indexed, so it is no reason against the rest; but nobody must overlook it."""
    assert check(project)[1]["not_stored"] == []
    gp.store(project, gp.rows_of(project)[:6])
    assert call("verify", "--offline", "-q", "-c", project).exit_code == 0
    code, answer = check(project)
    assert (code, answer["not_stored"]) == (0, [gp.FERRY.id])
    said = call("check-corpus", "-c", project).stderr
    assert f"1 listed document not stored in any corpus: {gp.FERRY.id}" in said


def test_a_row_of_another_corpus_with_the_same_id_is_seen(project):
    """How often an id comes in the whole store is part of each document."""
    rows = gp.rows_of(project)
    rows[-1]["id"] = rows[0]["id"]
    gp.store(project, rows)
    code, answer = check(project)
    assert code == 3
    assert {reason for reason, _ in reasons(answer)} == {"corpus_changed"}
    assert len(answer["reasons"]) == 2


def test_rows_put_back_after_a_newer_run_are_refused(project):
    """The law may have been amended since those rows were verified: the newest word counts."""
    gp.capture(project, amended())
    rows = gp.rows_of(project)
    old = (project.parent / "corpus.jsonl").read_bytes()
    gp.store(project, rows)
    assert call("verify", "--offline", "-q", "-c", project).exit_code == 0
    assert check(project)[0] == 0
    (project.parent / "corpus.jsonl").write_bytes(old)
    code, answer = check(project)
    assert code == 3
    assert reasons(answer) == {("corpus_changed", gp.FERRY.id)}


def amended():
    return gp.ferry_act(
        consolidated_from="2026-04-01",
        paragraphs=(
            *gp.section("1", "Every ferry shall post its toll in clear figures.", "Toll"),
            *gp.section("2", "A child under eight years of age travels free.", "Children"),
        ),
    )


# Which runs count


def test_without_a_run_nothing_passes(tmp_path):
    """An empty history proves nothing; none is made either."""
    config = gp.project(tmp_path / "p")
    code, answer = check(config)
    assert (code, reasons(answer)) == (3, {("no_run", "")})
    assert not (config.parent / "history.db").exists()


def test_verify_now(project):
    """--verify makes a run, and the gate decides by it; findings are exit 1."""
    gp.store(project, gp.rows_of(project)[:6] + gp.rows_of(project)[7:])
    code, answer = check(project, "--verify", "--offline")
    assert (code, answer["run"]) == (1, 2)
    assert reasons(answer) == {("violated", gp.FERRY.id)}
    gp.store(project, gp.rows_of(project))
    code, answer = check(project, "--verify", "--offline")
    assert (code, answer["run"]) == (0, 3)


def test_a_run_of_fewer_layers_lets_nothing_through(tmp_path):
    """L1 alone has not looked for what is missing."""
    config = gp.project(tmp_path / "p")
    assert call("verify", "--offline", "-q", "--layer", "L1,L2", "-c", config).exit_code == 0
    code, answer = check(config)
    assert (code, {reason for reason, _ in reasons(answer)}) == (3, {"missing_layers"})


def test_a_run_of_fewer_layers_takes_nothing_away_unless_it_finds_something(project):
    """L1 says that the law was amended: that is enough to refuse."""
    verify = ("verify", "--offline", "-q", "--layer", "L1", "-c", project)
    assert call(*verify).exit_code == 0
    assert check(project)[0] == 0
    gp.capture(project, amended())
    assert call(*verify).exit_code == 1
    code, answer = check(project)
    assert code == 1
    assert ("violated", gp.FERRY.id) in reasons(answer)


def test_runs_of_single_documents_make_no_verified_corpus(tmp_path):
    """Each is verified, and no run has looked at both; one that does is quick."""
    config = gp.project(tmp_path / "p")
    for law in (gp.LIGHTHOUSE, gp.FERRY):
        assert call("verify", "--offline", "-q", "-d", law.id, "-c", config).exit_code == 0
    code, answer = check(config)
    assert (code, reasons(answer)) == (3, {("no_single_run", "")})
    assert call("verify", "--offline", "-q", "-c", config).exit_code == 0
    assert check(config)[0] == 0


def test_a_document_that_no_run_looked_at_is_named(tmp_path):
    """All documents in scope, or none pass."""
    config = gp.project(tmp_path / "p")
    assert call("verify", "--offline", "-q", "-d", FIRST, "-c", config).exit_code == 0
    code, answer = check(config)
    assert (code, reasons(answer)) == (3, {("partial_scope", gp.FERRY.id)})


def test_a_run_that_died_lets_nothing_through_and_takes_away_what_it_found(project):
    """Aborted: its violations count, its silence does not."""
    with History.open(project.parent / "history.db") as history:
        (result,) = [
            one.result for one in history.document_results(1) if one.result.id == gp.FERRY.id
        ]
        for verdict in (Verdict.VERIFIED, Verdict.UNVERIFIABLE):
            run = history.begin_run(("L1", "L2", "L3"), "t", "0" * 64, "2026-03-02T00:00:00Z")
            changed = type(result)(
                **{name: getattr(result, name) for name in result.__dataclass_fields__}
                | {"verdict": verdict}
            )
            history.record_document(run, "harbour", changed)
            history.abort_run(run, "2026-03-02T00:00:01Z", 130)
            code, answer = check(project)
            if verdict is Verdict.VERIFIED:
                assert code == 0
    assert code == 3
    assert ("unverifiable", gp.FERRY.id) in reasons(answer)


def test_warnings_refuse_where_asked(project):
    """--fail-on warning; the default lets a verified document with a warning through."""
    rows = gp.rows_of(project)
    rows[-1]["heading"] = "Kids"
    gp.store(project, rows)
    assert check(project, "--verify", "--offline")[0] == 0
    code, answer = check(project, "--fail-on", "warning")
    assert (code, reasons(answer)) == (1, {("findings", gp.FERRY.id)})


def test_a_run_under_way_is_waited_for(project):
    """What it will say is not known: exit 75."""
    with RunLock(project.parent / "history.db.lock"):
        assert check(project)[0] == 75


# Evidence


TAMPERINGS = {
    "verdict of a result": "UPDATE results SET verdict = 'violated'",
    "end of the run": "UPDATE runs SET finished = '2099-01-01T00:00:00Z'",
    "record": "UPDATE chain SET record = replace(record, '\"verified\"', '\"violated\"')",
    "no record": "DELETE FROM chain",
    "body": "UPDATE payloads SET body = x'00'",
    "scope": "UPDATE runs SET scope = NULL",
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_history_that_was_altered_proves_nothing(project, name):
    """Exit 4, also for what would have been refused for another reason."""
    spoil(project, TAMPERINGS[name])
    code, answer = check(project)
    assert code == 4
    assert "evidence_broken" in {reason for reason, _ in reasons(answer)}
    assert not any(one["passes"] for one in answer["documents"])
    assert check(project, "--partial")[0] == 4


def test_rows_cannot_be_made_verified_by_writing_their_digest_into_history(project):
    """The forger changes the tables; the sealed record still tells of other rows."""
    bad_ferry(project)
    digest = next(
        one["digest"] for one in check(project)[1]["documents"] if one["document"] == gp.FERRY.id
    )
    spoil(
        project, f"UPDATE results SET corpus_digest = '{digest}' WHERE document = '{gp.FERRY.id}'"
    )
    assert check(project)[0] == 4


def test_an_older_run_that_was_altered_breaks_the_chain_too(project):
    """The pass rests on the newest run; the chain is one."""
    assert call("verify", "--offline", "-q", "-c", project).exit_code == 0
    spoil(project, "UPDATE runs SET tool = 'another' WHERE run = 1")
    assert check(project)[0] == 4


def test_official_bytes_that_are_gone_are_missed(project):
    """A result does not outlive its evidence."""
    for path in sorted((project.parent / "snapshots").rglob("*")):
        if path.is_file() and path.suffix != ".json":
            path.unlink()
            break
    code, answer = check(project)
    assert (code, reasons(answer)) == (4, {("evidence_broken", "")})
    assert "CG701" in answer["reasons"][0]["message"]


# Partly


def test_one_bad_law_blocks_its_own_passages_only(project, tmp_path):
    """--partial: exit 0, and the list holds exactly the rows of the law that stands well."""
    bad_ferry(project)
    assert call("verify", "--offline", "-q", "-c", project).exit_code == 1
    target = tmp_path / "may.jsonl"
    assert check(project, "--passages", target)[0] == 1
    assert not target.exists()
    code, answer = check(project, "--partial", "--passages", target)
    assert (code, answer["outcome"]) == (0, "partial")
    assert reasons(answer) == {("violated", gp.FERRY.id)}
    assert answer["passages"] == {"file": str(target), "listed": 6}
    listed = [json.loads(line) for line in target.read_text().splitlines()]
    rows = gp.rows_of(project)[:6]
    assert [one["id"] for one in listed] == [row["id"] for row in rows]
    assert [one["digest"] for one in listed] == [
        "sha256:" + hashlib.sha256(row["text"].encode()).hexdigest() for row in rows
    ]
    assert {one["document"] for one in listed} == {FIRST}
    for key in ("section", "subsection", "heading", "status", "ordinal"):
        assert [one[key] for one in listed] == [row.get(key) for row in rows], key


def test_a_changed_law_is_blocked_alone_too(project, tmp_path):
    """What was not verified as it is now is not in the list, even if it is right."""
    rows = gp.rows_of(project)
    rows[-1]["text"] += " "
    gp.store(project, rows)
    code, answer = check(project, "--partial", "--passages", tmp_path / "l")
    assert (code, answer["passages"]["listed"]) == (0, 6)


def test_partial_without_anything_to_let_through_is_refused(project, tmp_path):
    """Exit code and list as without it."""
    gp.store(project, [row | {"text": "x"} for row in gp.rows_of(project)])
    assert call("verify", "--offline", "-q", "-c", project).exit_code == 1
    keys = "corpus document id occurrence section subsection heading status ordinal digest"
    before = json.dumps(dict.fromkeys(keys.split(), "of last night")) + "\n"
    (tmp_path / "l").write_text(before)
    code, answer = check(project, "--partial", "--passages", tmp_path / "l")
    assert (code, answer["outcome"], answer["passages"]) == (1, "refused", None)
    assert (tmp_path / "l").read_text() == before


def test_rows_of_a_law_that_no_source_lists_are_never_let_through(project, tmp_path):
    """Nobody can verify them; --partial leaves them out."""
    rows = gp.rows_of(project)
    gp.store(project, [*rows, rows[-1] | {"document": "ca-on/statute/00x00@en", "id": "new"}])
    code, answer = check(project)
    assert code == 3
    assert ("unlisted_document", "ca-on/statute/00x00@en") in reasons(answer)
    assert call("verify", "--offline", "-q", "-c", project).exit_code == 1
    code, answer = check(project, "--partial", "--passages", tmp_path / "l")
    assert (code, answer["passages"]["listed"]) == (0, 8)


@pytest.mark.parametrize("name", ["corpus.jsonl", "history.db", "corpusguard.toml", "law.toml"])
def test_no_list_is_written_over_what_is_only_read(project, name):
    """Exit 2, and the file is as it was."""
    before = (project.parent / name).read_bytes()
    done = call("check-corpus", "-c", project, "--passages", project.parent / name)
    assert done.exit_code == 2
    assert "would overwrite" in done.stderr
    assert (project.parent / name).read_bytes() == before


BESIDE = [
    *(f"{name}{end}" for name in ("corpus.db", "history.db") for end in ("-wal", "-shm")),
    *("corpus.db-journal", "history.db-journal", "history.db.lock", "history.db.lock.holder"),
]


@pytest.mark.parametrize("there", [b"rows that are not in the main file yet", b"", None])
@pytest.mark.parametrize("name", BESIDE)
def test_no_list_is_written_beside_a_database(made, tmp_path, name, there):
    """SQLite would take it for its own: rows are lost, or the corpus cannot be read any more."""
    shutil.copytree(made / "sqlite", tmp_path / "p")
    target = tmp_path / "p" / name
    target.unlink(missing_ok=True)
    if there is not None:
        target.write_bytes(there)
    done = call("check-corpus", "-c", tmp_path / "p" / "corpusguard.toml", "--passages", target)
    assert (done.exit_code, "would overwrite" in done.stderr) == (2, True)
    assert (target.read_bytes() if target.exists() else None) == there


@pytest.mark.parametrize(
    "said",
    [
        b"-----BEGIN PRIVATE KEY-----\n",
        b'{"corpus": "harbour", "document": "x", "id": "y", "text": "z"}\n',
        b'{"payload": "e30=", "payloadType": "application/x", "signatures": []}\n',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_no_list_is_written_over_another_file(project, tmp_path, said):
    """Only over an earlier list, or over an empty file; through a link as well."""
    target = tmp_path / "kept"
    target.write_bytes(said)
    (tmp_path / "link").symlink_to(target)
    for name in (target, tmp_path / "link"):
        done = call("check-corpus", "-c", project, "--passages", name)
        assert (done.exit_code, "did not write" in done.stderr) == (2, True)
        assert target.read_bytes() == said
    target.write_bytes(b"")
    for _ in range(2):
        assert call("check-corpus", "-c", project, "--passages", target).exit_code == 0
    assert len(target.read_bytes().splitlines()) == 8


def test_no_list_is_written_over_a_hard_link_of_the_corpus(project, tmp_path):
    """It is the corpus, under another name."""
    (tmp_path / "twin").hardlink_to(project.parent / "corpus.jsonl")
    done = call("check-corpus", "-c", project, "--passages", tmp_path / "twin")
    assert (done.exit_code, "would overwrite" in done.stderr) == (2, True)


def test_no_attestation_is_written_over_another_file(project, tmp_path):
    """Before a run is made."""
    key, target = tmp_path / "key", tmp_path / "notes"
    assert call("keys", "new", key).exit_code == 0
    target.write_bytes(b"what I know")
    for name in (target, tmp_path / "key.pub", key):
        before = name.read_bytes()
        done = call("verify", "--offline", "-c", project, "--attest", name, "--key", key)
        assert (done.exit_code, "would overwrite" in done.stderr) == (2, True)
        assert name.read_bytes() == before
    for _ in range(2):
        made = call("verify", "--offline", "-c", project, "--attest", tmp_path / "a", "--key", key)
        assert made.exit_code == 0


# Nothing, and usage


def test_an_empty_store_is_no_pass(each):
    """Whatever the run said of it."""
    gp.store(each, [])
    assert call("verify", "--offline", "-q", "-c", each).exit_code == 3
    code, answer = check(each)
    assert code == 3
    assert ("nothing_in_scope", "") in reasons(answer)
    assert check(each, "--partial")[0] == 3


def test_a_store_that_cannot_be_read_is_not_verified(project):
    """Exit 3, with the line."""
    (project.parent / "corpus.jsonl").write_text("{")
    done = call("check-corpus", "-c", project)
    assert done.exit_code == 3
    assert "corpus.jsonl:1: not JSON" in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--max-age", "3 days"], "is not a duration"),
        (["--max-age", "0h"], "is not a duration"),
        (["--offline"], "--offline is about --verify"),
        (["--key", "k.pub"], "are about an attestation"),
        (["--seen", "seen"], "are about an attestation"),
        (["--verify", "--attestation", "a.json"], "contradict each other"),
        (["--attestation", "corpusguard.toml"], "keys of its allowed signers"),
        (["--passages", "no/such/folder/l"], "of --passages does not exist"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_asked_wrongly_is_exit_2(project, options, said):
    """The message names the option."""
    done = call("check-corpus", "-c", project, *options)
    assert done.exit_code == 2
    assert said in done.stderr


def ended(config, seconds):
    """A moment so long after the end of run 1."""
    with History.open(config.parent / "history.db") as history:
        return datetime.fromisoformat(history.run(1).finished) + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("max_age", "seconds", "expected"),
    [
        (0, 36 * 3600, ()),
        (0, 36 * 3600 + 1, ("too_old",)),
        (3600, 3600, ()),
        (3600, 3601, ("too_old",)),
        (0, -60, ()),
        (0, -61, ("from_the_future",)),
    ],
)
def test_a_run_counts_as_long_as_it_is_young(project, max_age, seconds, expected):
    """To the second; a run that ends in the future is a wrong clock, not a young one."""
    found = gp.service(project).gate.check(Asked(max_age=max_age), now=ended(project, seconds))
    assert {str(one.reason) for one in found.all_refusals} == set(expected)
    assert found.exit_code == (3 if expected else 0)


def test_the_run_that_verified_this_very_corpus_must_be_young_itself(tmp_path):
    """Newer runs of one document each saw the same rows, but none of them saw the whole corpus."""
    config = gp.project(tmp_path / "p")
    begun = datetime(2026, 3, 10, 3, 0, tzinfo=UTC)
    for hours, documents in ((0, ()), (30, (FIRST,)), (31, (gp.FERRY.id,))):
        with time_machine.travel(begun + timedelta(hours=hours), tick=False):
            done = gp.service(config).verify(offline=True, documents=documents)
            assert str(done.verdict) == "verified"
    gate = gp.service(config).gate
    found = gate.check(Asked(), now=begun + timedelta(hours=36))
    assert (found.outcome, found.run) == ("pass", 1)
    assert {one.run for one in found.standings} == {2, 3}
    found = gate.check(Asked(), now=begun + timedelta(hours=37))
    assert {str(one.reason) for one in found.all_refusals} == {"too_old"}
    assert found.exit_code == 3


def test_a_corpus_says_itself_how_old_a_run_may_be(project):
    """`max_age` of the configuration is the default; the option wins."""
    text = project.read_text()
    project.write_text(text.replace('recipe = "section"', 'recipe = "section"\nmax_age = "10m"'))
    gate, late = gp.service(project).gate, ended(project, 601)
    assert gate.check(Asked(), now=late).exit_code == 3
    assert gate.check(Asked(max_age=700), now=late).exit_code == 0


def test_hostile_names_do_not_reach_the_terminal(project):
    """A document id from the store is shown harmlessly."""
    rows = gp.rows_of(project)
    gp.store(project, [*rows, rows[-1] | {"document": "\x1b[31m\u202e::error::x", "id": "new"}])
    done = call("check-corpus", "-c", project)
    assert done.exit_code == 3
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
