"""Each command, end to end, on the bundled sample."""

from __future__ import annotations

import json
import shutil
import tomllib
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import pytest
import time_machine

from corpusguard.cli.demo import found_by, plants
from corpusguard.cli.verify import _layers
from corpusguard.rules import RULES
from tests.unit.cli.conftest import call

ACT = "ca-on/statute/19h31@en"
NIGHT = datetime(2026, 2, 9, 12, tzinfo=UTC)


def test_demo_finds_all_that_was_planted(tmp_path, monkeypatch):
    """The first command a newcomer runs: offline, in a new folder, everything found, exit 0."""
    monkeypatch.chdir(tmp_path)
    result = call("demo")
    assert result.exit_code == 0, result.output
    assert "✗ missed" not in result.stdout
    assert result.stdout.count("✓ found") == len(plants(tmp_path / "corpusguard-demo/plants.json"))
    assert "The same corpus without the faults: ✓ verified." in result.stdout
    assert "How to go on:" in result.stdout


def test_demo_never_overwrites(tmp_path, monkeypatch):
    """A second demo takes the next free number; a named folder that exists is refused."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpusguard-demo").mkdir()
    (tmp_path / "corpusguard-demo" / "mine").write_text("kept")
    call("demo", "-q")
    assert [path.name for path in (tmp_path / "corpusguard-demo").iterdir()] == ["mine"]
    assert (tmp_path / "corpusguard-demo-2" / "corpusguard.toml").is_file()
    refused = call("demo", "--to", tmp_path / "corpusguard-demo")
    assert refused.exit_code == 2
    assert "is there already" in refused.stderr


def test_demo_says_when_a_plant_was_missed(sample):
    """A plant that no finding explains is not found: the table can fail."""
    planted = plants(sample / "plants.json")
    assert planted
    assert all(found_by(plant, []) == () for plant in planted)
    assert all(rule in RULES for plant in planted for rule in plant.rules)


@pytest.mark.parametrize(
    "name", ["json", "jsonl", "sarif", "junit", "markdown", "html", "github", "console"]
)
def test_verify_writes_one_report_to_a_file(verified, tmp_path, name):
    """--output gets the data, standard output nothing, standard error a line about it."""
    target = tmp_path / "report"
    result = call("verify", "--offline", "-f", name, "-o", target, "-c", verified)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "written to" in result.stderr
    assert target.stat().st_size > 500


def test_verify_writes_several_reports_to_a_folder(verified, tmp_path):
    """Each format becomes a file that its readers can read."""
    out = tmp_path / "out"
    formats = [part for name in ("json", "junit", "sarif", "console") for part in ("-f", name)]
    assert call("verify", "--offline", *formats, "-o", out, "-c", verified).exit_code == 1
    names = sorted(path.name for path in out.iterdir())
    assert names == ["junit.xml", "report.json", "report.sarif", "report.txt"]
    assert json.loads((out / "report.json").read_text())["verdict"] == "violated"
    assert ET.parse(out / "junit.xml").getroot().get("failures") != "0"


def test_several_formats_need_a_place(verified):
    """Two formats on one stream would be neither."""
    result = call("verify", "--offline", "-f", "json", "-f", "junit", "-c", verified)
    assert result.exit_code == 2
    assert "--output" in result.stderr


def test_a_bad_place_stops_the_run_before_it_starts(verified, tmp_path):
    """A report that could not be written is refused before the work is done."""
    runs = json.loads(call("status", "-f", "json", "-c", verified).stdout)
    result = call("verify", "--offline", "-o", tmp_path / "no/such/report", "-c", verified)
    assert result.exit_code == 2
    after = json.loads(call("status", "-f", "json", "-c", verified).stdout)
    assert after["documents"][0]["last_run"] == runs["documents"][0]["last_run"]


def test_options_may_stand_before_the_command(verified):
    """--config and --quiet work on both sides of the command's name."""
    result = call("-q", "-c", verified, "verify", "--offline", "-f", "json")
    assert result.exit_code == 1
    assert result.stderr == ""


def test_one_document_and_one_layer(verified):
    """A verdict names the layers that gave it; other documents stay out."""
    result = call("verify", "--offline", "-d", ACT, "-l", "l1", "-f", "json", "-c", verified)
    record = json.loads(result.stdout)
    assert [document["id"] for document in record["documents"]] == [ACT]
    assert list(record["documents"][0]["layers"]) == ["L1"]


def test_layers_in_any_spelling():
    """Commas, repetition and case are all understood; none means all, in order."""
    assert _layers([]) == ("L1", "L2", "L3")
    assert _layers(["L3,l1"]) == ("L1", "L3")
    assert _layers(["L2", " L2 "]) == ("L2",)


def test_an_unknown_document_is_a_usage_error(verified):
    """A document that no source lists is not quietly nothing."""
    result = call("verify", "--offline", "-d", "ca-on/statute/00x00@en", "-c", verified)
    assert result.exit_code == 2


def test_console_shows_texts_with_their_difference(verified):
    """The report names the next command, with the configuration that it needs."""
    text = call("verify", "--offline", "-c", verified).stdout
    assert "✗ VIOLATED" in text
    assert f"-c {verified}" in text
    assert "[-" in text


def test_status_exits_with_the_worst(verified, sample):
    """Violated is 1; a history that is not there yet is 3, never 0."""
    result = call("status", "-c", verified)
    assert result.exit_code == 1
    assert "✗ violated" in result.stdout
    assert "never" in result.stdout
    assert call("status", "-c", sample / "corpusguard.toml").exit_code == 3


def test_status_as_json(verified):
    """Programs get each document with its verdict and age."""
    record = json.loads(call("status", "--format", "json", "-c", verified).stdout)
    assert record["schema"] == "corpusguard/status/1"
    assert {"document", "verdict", "last_good", "too_old", "open_errors"} <= set(
        record["documents"][0]
    )


def test_findings_are_listed_filtered_and_shown(verified):
    """List, filter by a rule's name, show one by the beginning of its fingerprint."""
    every = json.loads(call("findings", "list", "-f", "json", "-c", verified).stdout)["findings"]
    some = json.loads(
        call("findings", "list", "--rule", "misfiled", "-f", "json", "-c", verified).stdout
    )["findings"]
    assert 0 < len(some) < len(every)
    assert {found["rule"] for found in some} == {"CG203"}
    shown = call("findings", "show", some[0]["fingerprint"][:10], "-c", verified)
    assert shown.exit_code == 0
    assert some[0]["message"] in " ".join(shown.stdout.split())
    assert "corpusguard explain CG203" in shown.stderr
    listed = call("findings", "list", "--limit", "2", "-c", verified)
    assert "at most 2 are listed" in listed.stderr
    assert call("findings", "show", "ffffffffffff", "-c", verified).exit_code == 2


def test_snapshots_are_listed_and_shown(verified):
    """A digest, or its beginning, leads to all that is known of a capture."""
    record = json.loads(call("snapshots", "list", ACT, "-f", "json", "-c", verified).stdout)
    digest = record["snapshots"][0]["digest"]
    shown = call("snapshots", "show", digest[:20], "-c", verified)
    assert shown.exit_code == 0
    assert "consolidated_from" in shown.stdout
    assert call("snapshots", "show", "sha256:", "-c", verified).exit_code == 2
    assert ACT in call("snapshots", "list", "-c", verified).stdout


def test_a_snapshot_is_added_by_hand(sample, tmp_path):
    """The digest alone is data; another law under the document's name is refused."""
    folder = tmp_path / "sample"
    shutil.copytree(sample, folder)
    config = folder / "corpusguard.toml"
    stored = json.loads(call("snapshots", "list", ACT, "-f", "json", "-c", config).stdout)
    digest = stored["snapshots"][-1]["digest"].removeprefix("sha256:")
    file = folder / "snapshots" / "objects" / digest[:2] / digest
    added = call("snapshots", "add", ACT, file, "-c", config)
    assert added.exit_code == 0, added.stderr
    assert added.stdout == f"sha256:{digest}\n"
    other = call("snapshots", "add", "ca-on/regulation/190902@en", file, "-c", config)
    assert other.exit_code == 3
    assert "CG502" in other.stderr


def test_diff_shows_the_amendment(verified):
    """Two consolidations, provision by provision, the changed words marked."""
    text = call("diff", ACT, "-c", verified).stdout
    assert "[-$250-]" in text
    assert "{+$400+}" in text
    changes = json.loads(call("diff", ACT, "-f", "json", "-c", verified).stdout)["changes"]
    assert {"added", "changed"} <= {change["kind"] for change in changes}


def test_passages_are_read_back_as_they_are(verified):
    """One JSON object a line, with the fields that every reader knows."""
    result = call("passages", ACT, "-r", "subsection", "--accept-anomalies", "-c", verified)
    assert result.exit_code == 0, result.stderr
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(rows) > 50
    assert {"id", "document", "section", "subsection", "heading", "ordinal", "text"} == set(rows[0])


def test_doctor_checks_and_fails_loudly(verified, sample, tmp_path):
    """A sound copy passes; one whose corpus is gone does not."""
    assert call("doctor", "-c", verified).exit_code == 0
    folder = tmp_path / "broken"
    shutil.copytree(sample, folder)
    (folder / "faulty.jsonl").unlink()
    result = call("doctor", "-f", "json", "-c", folder / "corpusguard.toml")
    assert result.exit_code == 3
    assert any(check["ok"] is False for check in json.loads(result.stdout)["checks"])


def doctored(config, **environment):
    """Exit code, and check -> (ok, detail and hint)."""
    result = call("doctor", "-f", "json", "-c", config, **environment)
    checks = json.loads(result.stdout)["checks"]
    return result.exit_code, {
        one["name"]: (one["ok"], f"{one['detail']} {one['hint']}") for one in checks
    }


def test_doctor_names_documents_that_no_source_lists(sample, tmp_path):
    """Sound files with which nothing can verify are a failed check, with the next step."""
    folder = tmp_path / "unlisted"
    shutil.copytree(sample, folder)
    rows = [json.loads(line) for line in (folder / "faulty.jsonl").read_text().splitlines()]
    text = (folder / "faulty.jsonl").read_text()
    (folder / "faulty.jsonl").write_text(text + json.dumps(rows[0] | {"document": "nobody@en"}))

    code, checks = doctored(folder / "corpusguard.toml")

    (corpus,) = [found for name, found in checks.items() if name.startswith("corpus ")]
    assert (code, corpus[0]) == (3, False)
    assert "1 of them no source lists: 'nobody@en'" in corpus[1]
    assert "[[document]]" in corpus[1]


def test_doctor_warns_of_captures_contacts_and_addresses_that_are_not_there(sample, tmp_path):
    """None of them is broken, so the exit code stays 0; each has its next step."""
    folder = tmp_path / "fresh"
    shutil.copytree(sample, folder)
    shutil.rmtree(folder / "snapshots")
    (folder / "snapshots").mkdir()
    config = folder / "corpusguard.toml"
    text = config.read_text().replace("sources = [", 'sources = ["sources/ontario-elaws.toml", ')
    tables = (
        '[notify]\nchannels = ["${SLACK_URL}"]\n[ping]\nurl = "${PING_URL}"\n'
        '[[judge]]\nname = "small"\nkind = "openai"\nmodel = "m"\nkey = "${JUDGE_KEY}"\n'
        'url = "http://127.0.0.1:9/v1/chat/completions"\n[gate]\njudge = "small"\n'
        '[[judge]]\nname = "idle"\nkind = "command"\ncommand = ["true"]\n'
    )
    config.write_text(text + tables)

    code, checks = doctored(config)
    _, set_ = doctored(config, SLACK_URL="json://x", PING_URL="http://x", JUDGE_KEY="x")

    assert code == 0, checks
    wanted = {
        "captures": "corpusguard fetch",
        "source sources/ontario-elaws.toml": "user_agent_contact",
        "[notify]": "SLACK_URL is not set",
        "[ping]": "PING_URL is not set",
        "[[judge]] small": "is [gate] judge; environment variable JUDGE_KEY is not set",
        "[[judge]] idle": "[gate] names it for nothing",
    }
    for name, said in wanted.items():
        assert checks[name][0] is None
        assert said in checks[name][1]
    assert [set_[name][0] for name in ("[notify]", "[ping]", "[[judge]] small")] == [True] * 3
    assert "source sources/sample.toml" not in checks, "a loopback address needs no contact"


def test_fetch_without_a_source_is_exit_3(sample, tmp_path):
    """A refused connection is said for each document, with its rule, and is no success."""
    folder = tmp_path / "sample"
    shutil.copytree(sample, folder)
    source = folder / "sources" / "sample.toml"
    lines = [
        'base_url = "http://127.0.0.1:9"\nattempts = 1\nmin_delay_seconds = 0.0'
        if line.startswith("base_url")
        else line
        for line in source.read_text().splitlines()
        if not line.startswith(("attempts", "min_delay_seconds"))
    ]
    source.write_text("\n".join(lines))
    result = call("fetch", ACT, "-q", "-c", folder / "corpusguard.toml")
    assert result.exit_code == 3, result.output
    assert "CG501" in result.stdout


@pytest.mark.parametrize("name", ["CG203", "cg203", "misfiled", "MISFILED"])
def test_explain_by_id_and_name(name):
    """A rule is found by either, in any case; a pipe gets the page as it was written."""
    result = call("explain", name)
    assert result.exit_code == 0
    assert result.stdout.startswith("# CG203 misfiled")


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_can_be_explained(rule):
    """No finding leads to a page that is not there."""
    assert call("explain", rule).stdout.startswith(f"# {rule} {RULES[rule].name}")


def test_explain_names_the_nearest():
    """A slip is answered with what was probably meant."""
    result = call("explain", "text_difers")
    assert result.exit_code == 2
    assert "CG101 text_differs" in result.stderr


def test_explain_on_a_terminal_is_rendered():
    """A person gets headings, not hash marks."""
    text = call("explain", "CG203", FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR=None).stdout
    assert not text.startswith("# CG203")
    assert "\x1b[" in text


def test_no_color_means_none():
    """NO_COLOR wins over a terminal that could."""
    text = call("explain", "CG203", FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="1").stdout
    assert "\x1b" not in text


def test_init_writes_what_verify_can_load(tmp_path, monkeypatch):
    """The configuration and the source that it names; never over a file that is there."""
    monkeypatch.chdir(tmp_path)
    assert call("init").exit_code == 0
    assert (tmp_path / "sources" / "ontario-elaws.toml").is_file()
    (tmp_path / "passages.jsonl").write_text("")
    checked = call("doctor")
    assert checked.exit_code in {0, 3}, checked.stderr
    before = (tmp_path / "corpusguard.toml").read_text()
    again = call("init")
    assert again.exit_code == 2
    assert (tmp_path / "corpusguard.toml").read_text() == before


def test_init_from_a_store_maps_it(sample, tmp_path, monkeypatch):
    """The proposal replaces the example, and its path is read from the new file's folder."""
    (tmp_path / "conf").mkdir()
    monkeypatch.chdir(tmp_path)
    shutil.copyfile(sample / "clean.jsonl", tmp_path / "clean.jsonl")
    result = call("init", "--from", "clean.jsonl", "--path", "conf/corpusguard.toml")
    assert result.exit_code == 0, result.stderr
    text = (tmp_path / "conf" / "corpusguard.toml").read_text()
    assert text.count("[[corpus]]") == 1
    assert 'path = "../clean.jsonl"' in text
    checks = json.loads(call("doctor", "-f", "json", "-c", "conf/corpusguard.toml").stdout)
    corpus = next(check for check in checks["checks"] if check["name"].startswith("corpus "))
    assert corpus["ok"] is True


def stored(path, documents):
    """A JSONL store with two rows of each document; the text names a law that is not stored."""
    rows = [
        {"id": f"{document} {n}", "document": document, "section": str(n), "text": "As ca-on."}
        for document in documents
        for n in (1, 2)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_init_from_lists_each_document_of_the_sample_once(tmp_path, monkeypatch):
    """With a title to be filled in, which it says; a known example keeps its title."""
    monkeypatch.chdir(tmp_path)
    ids = ["ca-on/statute/19h31@en", "ca-on/statute/06r17@en", "ca-on/regulation/190902@en"]
    stored(tmp_path / "rows.jsonl", ids)

    result = call("init", "--from", "rows.jsonl")

    assert result.exit_code == 0, result.stderr
    found = tomllib.loads((tmp_path / "sources" / "ontario-elaws.toml").read_text())
    titles = {one["id"]: one["title"] for one in found["document"]}
    assert list(titles) == ids
    assert [title.startswith("FILL IN") for title in titles.values()] == [True, False, True]
    said = " ".join(result.stderr.split())
    assert "lists 3 documents" in said
    assert "fill in 2 titles" in said
    assert doctored(tmp_path / "corpusguard.toml")[0] == 0


def test_init_from_lists_fifty_documents_and_says_what_it_left_out(tmp_path, monkeypatch):
    """Of 60 that the sample names, and one that is no id of the publisher."""
    monkeypatch.chdir(tmp_path)
    stored(
        tmp_path / "rows.jsonl", [*(f"ca-on/statute/{n:02}a1@en" for n in range(60)), "us/x/1@en"]
    )

    result = call("init", "--from", "rows.jsonl")

    text = (tmp_path / "sources" / "ontario-elaws.toml").read_text()
    assert len(tomllib.loads(text)["document"]) == 50
    assert "11 more documents" in result.stderr
    code, checks = doctored(tmp_path / "corpusguard.toml")
    assert code == 3
    assert "11 of them no source lists" in checks["corpus rows"][1]


def test_init_from_leaves_sources_that_are_there(tmp_path, monkeypatch):
    """And says what they must list."""
    monkeypatch.chdir(tmp_path)
    stored(tmp_path / "rows.jsonl", ["ca-on/statute/19h31@en"])
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "ontario-elaws.toml").write_text("# mine")

    result = call("init", "--from", "rows.jsonl")

    assert (tmp_path / "sources" / "ontario-elaws.toml").read_text() == "# mine"
    assert "must list: ca-on/statute/19h31@en" in " ".join(result.stderr.split())


def test_inspect_gives_toml_alone_as_data(sample):
    """Standard output can be appended to a configuration; the reasons are beside it."""
    result = call("inspect", sample / "clean.jsonl")
    assert result.exit_code == 0
    assert result.stdout.startswith("[[corpus]]\n")
    assert "Taken as" in result.stderr
    assert "could also be" not in result.stderr  # the field of the document is taken
    assert call("inspect", sample / "clean.jsonl", "-q").stderr == ""


@pytest.fixture
def night():
    """Some hours after the sample's snapshots were captured: its text is young."""
    with time_machine.travel(NIGHT, tick=True):
        yield


@pytest.mark.parametrize("known", [False, True], ids=["", "with a baseline"])
def test_status_counts_what_no_document_holds(night, sample, tmp_path, known):
    """Rows of a document that no source lists: 1 as `verify` said, shown, until they are gone."""
    folder = tmp_path / "p"
    shutil.copytree(sample, folder)
    name = "corpusguard.toml" if known else "corpusguard-clean.toml"
    corpus = folder / ("faulty.jsonl" if known else "clean.jsonl")
    verify = ("verify", "--offline", "-q", "-c", folder / name)
    assert call(*verify).exit_code == (1 if known else 0)
    if known:
        assert call("baseline", "create", "-c", folder / name).exit_code == 0
        assert call(*verify).exit_code == 0
    assert call("status", "-c", folder / name).exit_code == 0
    before = corpus.read_text("utf-8")
    row = json.loads(before.splitlines()[0]) | {"id": "x", "document": "ca-on/statute/00x00@en"}
    corpus.write_text(before + json.dumps(row) + "\n", "utf-8")
    assert call(*verify).exit_code == 1
    told = call("status", "-c", folder / name)
    assert told.exit_code == 1
    assert "CG309 1 row of corpus" in told.stdout
    record = json.loads(call("status", "-f", "json", "-c", folder / name).stdout)
    assert [(one["rule"], one["layer"]) for one in record["errors"]] == [("CG309", "L3")]
    corpus.write_text(before, "utf-8")
    assert call(*verify).exit_code == 0
    assert call("status", "-c", folder / name).exit_code == 0
