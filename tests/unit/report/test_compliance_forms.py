"""The forms of a compliance report: the same content, whole, and harmless in each."""

from __future__ import annotations

import io
import json
import logging
import re
import socketserver
import threading
import tomllib
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path

import pytest
import weasyprint
from pdfminer.high_level import extract_text
from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdfparser import PDFParser

from corpusguard.evidence import canonical
from corpusguard.model import Severity
from corpusguard.report import FORMATS as OF_VERIFY
from corpusguard.report.compliance.content import to_json
from corpusguard.report.compliance.formats import FORMATS, compare
from corpusguard.report.compliance.pages import measured, rule_page, statements
from corpusguard.report.compliance.pdf import _Refuse
from corpusguard.report.compliance.roles import duty
from corpusguard.rules import RULES
from tests.unit.cli.conftest import call
from tests.unit.report.results import HOSTILE, clean, document, finding, run

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def made(verified, tmp_path_factory):
    """Each form of the report of the bundled sample, as bytes."""
    folder = tmp_path_factory.mktemp("forms")
    for name in FORMATS:
        result = call("report", "-f", name, "-o", folder / name, "-c", verified)
        assert result.exit_code == 0, result.output
    return {name: (folder / name).read_bytes() for name in FORMATS}


def squeezed(text):
    return "".join(text.split())


def test_each_form_is_made_again_byte_for_byte(made, verified, tmp_path):
    """`--check` proves each; a single byte more is seen."""
    for name, data in made.items():
        file = tmp_path / name
        file.write_bytes(data)
        assert call("report", "-f", name, "--check", file, "-c", verified).exit_code == 0
        file.write_bytes(data + b"\n")
        assert call("report", "-f", name, "--check", file, "-c", verified).exit_code == 1


def test_every_form_says_the_same(made):
    """Head, verdict, snapshot, both texts of each finding, and what is not claimed are in all."""
    content = json.loads(made["json"])
    texts = {
        "html": squeezed(_Words.of(made["html"].decode())),
        "markdown": squeezed(re.sub(r"\\(?=[^a-z ])|<!-- -->", "", made["markdown"].decode())),
    }
    paper = set(re.findall(r"\w+", extract_text(io.BytesIO(made["pdf"]))))
    wanted = [content["run"]["head"], content["answer"]["short"], *content["not_claimed"]]
    wanted += [one["asks"] for one in content["duties"]]
    wanted += [one["says"] for one in content["measured"]]
    wanted += [one["acknowledgement"] for one in content["publishers"]]
    for one in content["documents"]:
        wanted += [one["snapshot"], one["consolidated_from"], one["currency_date"]]
        for rule in one["faults"]:
            for section in rule["sections"]:
                for fault in section["faults"]:
                    wanted += [
                        piece["text"] for piece in fault["stored"] if len(piece["text"]) < 60
                    ]
    assert len(wanted) > 50
    for words in wanted:
        for name, text in texts.items():
            assert squeezed(words) in text, (name, words)
        # The lines of a table's cells come out of a PDF row by row: word by word, then.
        assert set(re.findall(r"\w+", words)) <= paper, words


class _Words(HTMLParser):
    """The text of a page, style and title apart."""

    def __init__(self):
        super().__init__()
        self.words = []
        self.skipping = False

    def handle_starttag(self, tag, attrs):
        self.skipping = tag in {"style", "title"} and not dict(attrs).get("id")

    def handle_data(self, data):
        if not self.skipping:
            self.words.append(data)

    @classmethod
    def of(cls, page):
        parser = cls()
        parser.feed(page)
        return "".join(parser.words)


def test_a_pdf_carries_the_run_and_no_clock(made):
    """Its dates are the run's, its text can be taken out, its findings are not folded away."""
    content = json.loads(made["json"])
    stamp = re.sub(r"\D", "", content["run"]["finished"])
    (info,) = PDFDocument(PDFParser(io.BytesIO(made["pdf"]))).info
    assert info["CreationDate"] == info["ModDate"] == f"D:{stamp}Z".encode()
    assert content["run"]["head"].encode() in info["Subject"]
    text = extract_text(io.BytesIO(made["pdf"]))
    assert "Harbour Markets Act, 2019" in text
    assert text.count("Stored:") >= 15


def test_a_pdf_fetches_nothing(tmp_path):
    """A picture, a style sheet or an import in the page ask nobody, not even a loopback server."""
    asked = []

    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            asked.append(self.request.recv(100))

    with socketserver.TCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        page = (
            f"<img src='{address}/a.png' alt='x'><link rel='stylesheet' href='{address}/b.css'>"
            f"<style>@import '{address}/c.css'; p {{ background: url({address}/d.png) }}</style><p>x"
        )
        logging.getLogger("weasyprint").setLevel(logging.CRITICAL)
        assert weasyprint.HTML(string=page, url_fetcher=_Refuse()).write_pdf()
        assert asked == []
        server.shutdown()


def test_without_the_extra_a_pdf_is_a_usage_error(verified, tmp_path, monkeypatch):
    """The message names the extra, and what can be had without it."""
    monkeypatch.setitem(__import__("sys").modules, "weasyprint", None)
    result = call("report", "-f", "pdf", "-o", tmp_path / "r.pdf", "-c", verified)
    assert result.exit_code == 2
    assert "corpusguard-law[pdf]" in result.stderr
    assert not (tmp_path / "r.pdf").exists()


def test_a_page_has_one_style_one_policy_and_no_script(made):
    """Everything in one file: no address is loaded, nothing is styled by attribute."""
    page = made["html"].decode()
    assert page.count("<style>") == page.count('http-equiv="Content-Security-Policy"') == 1
    for never in ("<script", " style=", " onclick", "<img", "<link", "<iframe", "@import", "url("):
        assert never not in page
    assert re.search(r"default-src &#39;none&#39;; style-src &#39;sha256-[A-Za-z0-9+/]{43}=", page)


def test_verify_writes_a_page_too():
    """`verify --format html` is the same report of a result at hand, and says what it lacks."""
    page = OF_VERIFY["html"].render(
        run(document(finding(), finding("CG203", section="9")), clean())
    )
    words = _Words.of(page)
    assert "A stall licence lasts" in words
    assert '<mark class="official">30</mark>' in page
    assert '<mark class="stored">90</mark>' in page
    assert "written from a result at hand" in words
    assert "Not shown: corpusguard report draws it" in words
    assert OF_VERIFY["html"].render(run(clean(), verdict="verified")) != page


def test_verify_of_nothing_is_no_pass():
    """No document, no green."""
    page = OF_VERIFY["html"].render(run(verdict="unverifiable"))
    assert "Not proven" in page
    assert "An empty run is never a pass" in page
    assert "answer verified" not in page


def test_hostile_text_is_shown_not_acted_upon():
    """In a page and in Markdown what is invisible or acts is spelt out, also lone surrogates."""
    bad = HOSTILE + "</style><script>alert(1)</script>"
    page = OF_VERIFY["html"].render(
        run(
            document(
                finding(
                    message=bad,
                    section=bad,
                    passage=bad,
                    where=bad,
                    official=bad,
                    stored=bad,
                    diff=f"[-{bad}-]{{+{bad}+}}",
                    fingerprint=bad,
                    provision=bad,
                ),
                id=bad,
                snapshot=bad,
                currency_date=bad,
                captured=bad,
                consolidated_from=bad,
            )
        )
    )
    assert "<script" not in page
    assert page.count("</style>") == 1
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", page
    )
    assert "&lt;U+202E&gt;gnp.exe" in page
    assert page.encode("utf-8")


def test_every_rule_has_its_page_and_somebody_to_act():
    """Meaning, reason and steps are read from the pages that `explain` prints."""
    for rule in RULES:
        page = rule_page(rule)
        assert page.meaning
        assert page.why
        assert len(page.steps) >= 2
        who = duty(finding(rule, cause=None, severity=Severity.ERROR))
        assert who.who
        assert who.what.endswith(".")


def test_measured_figures_are_those_of_the_measurements():
    """Each figure is quoted from docs/measurements.md, of the day and by the command it names."""
    text = " ".join((ROOT / "docs/measurements.md").read_text().replace("**", "").split())
    assert len(measured()) >= 3
    for one in measured():
        assert " ".join(one["quote"].split()) in text, one["topic"]
        assert one["date"] in text
        assert one["command"] in text


def test_statements_are_whole():
    """What a report must say beside its run is there."""
    held = statements()
    assert {one["source"].split()[0] for one in held["duty"]} == {"EU", "ISO/IEC", "NIST"}
    assert all(held[name] for name in ("method", "independence", "limits", "not_claimed"))
    text = resources.files("corpusguard.report.compliance").joinpath("data/statements.toml")
    assert tomllib.loads(text.read_text("utf-8")) == held


def test_two_reports_are_told_apart():
    """The place of the first difference is named."""
    assert compare(b"same\n", b"same\n") == ""
    assert "in line 2 (byte 4)" in compare(b"a\nbc", b"a\nbd")
    assert "after the 4 bytes" in compare(b"a\nbc", b"a\nbcd")
    assert "empty" in compare(b"a", b"")


def test_no_line_of_a_report_is_a_workflow_command():
    """Printed into a log of GitHub Actions, law text gives no orders."""
    bad = "law\n::error::planted\n  ::add-mask::x\n##[error]planted"
    result = run(document(finding(message=bad, official=bad, stored="::stop::x", diff="")))
    for name in ("html", "markdown"):
        text = OF_VERIFY[name].render(result)
        assert "planted" in text
        assert not [line for line in text.splitlines() if line.lstrip().startswith("::")]
        assert "##[" not in text
    assert "::error::planted" in _Words.of(OF_VERIFY["html"].render(result))


@pytest.mark.parametrize(
    ("finished", "words"),
    [
        ("2026-11-29T03:00:02.500Z", "at 2026-11-29 03:00 UTC"),
        ("2026-11-29T03:02:00.000Z", "from 2026-11-29 03:00 UTC to 2026-11-29 03:02 UTC"),
        ("", "from 2026-11-29 03:00 UTC until it was stopped"),
    ],
)
def test_a_run_within_one_minute_has_one_time(finished, words):
    """Not "from 03:00 to 03:00"; a longer one has both, and one that was stopped says so."""
    page = OF_VERIFY["html"].render(run(document(finding()), finished=finished))
    assert f"run 12, {words}</caption>" in page


def test_canonical_json_gives_no_orders_either():
    """It is altered before it is made canonical: the bytes are still those of what it holds."""
    text = to_json({"##[a]": ["x ##[error]y", {"b": "##[##["}], "::error::": "::error::z"})
    assert "##[" not in text
    assert not text.startswith("::")
    held = json.loads(text)
    assert canonical(held) == text.encode().rstrip()
    assert held["##\\[a]"] == ["x ##\\[error]y", {"b": "##\\[##\\["}]
