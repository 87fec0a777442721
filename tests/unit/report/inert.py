"""What a reader that acts on text would act on: one check a format, by real parsers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import junitparser
from lxml import etree, html
from markdown_it import MarkdownIt

HERE = Path(__file__).parent
XSD = etree.XMLSchema(etree.parse(HERE / "junit.xsd"))
SARIF = jsonschema.Draft7Validator(
    json.loads((HERE / "sarif-subset.json").read_text("utf-8")),
    format_checker=jsonschema.Draft7Validator.FORMAT_CHECKER,
)
RAW = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
"""Controls, C1, bidi, zero-width and line separators: in no report as they are, but line breaks."""
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
"""GitHub's dialect: tables, and HTML passed through, so that any that got in would be there."""
COMMAND = re.compile(r"::(error|warning|notice) ((?:[a-z]+=[^,:\r\n]*)(?:,[a-z]+=[^,:\r\n]*)*)::.*")
"""A workflow command as ``actions/toolkit`` writes one: properties hold no raw colon or comma."""
TAGS = frozenset(
    "h1 h2 p strong em table thead tbody tr th td pre code ul ol li hr br div html body".split()
)


def is_inert(name, text):
    """Assert that the text of a report does nothing but say what it says."""
    assert text.endswith("\n")
    assert RAW.search(text) is None, f"{name}: {RAW.search(text)!r}"
    text.encode("utf-8")
    if name != "github":
        for line in text.splitlines():
            # actions/runner: TryParseV2 trims white space first, TryParse looks anywhere.
            assert not line.lstrip().startswith("::"), line[:200]
    assert "##[" not in text or name == "github"
    CHECKS[name](text)


def _json(text):
    assert json.loads(text)["schema"] == "corpusguard/run/1"


def _jsonl(text):
    kinds = [json.loads(line)["type"] for line in text.splitlines()]
    assert kinds[0] == "run"
    assert kinds[-1] == "summary"
    assert set(kinds[1:-1]) <= {"document", "finding"}


def _junit(text):
    XSD.assertValid(etree.fromstring(text.encode()))
    suites = list(junitparser.JUnitXml.fromstring(text.encode()))
    assert suites
    assert sum(len(list(suite)) for suite in suites) == sum(suite.tests for suite in suites)


def _sarif(text):
    SARIF.validate(json.loads(text))
    for result in json.loads(text)["runs"][0]["results"]:
        # A bracket without a backslash before it begins a link.
        words = result["message"]["text"].replace("\\\\", "")
        assert not re.search(r"(?<!\\)[\[\]]", words)


def _markdown(text):
    page = html.fromstring(MARKDOWN.render(text))
    elements = list(page.iter(etree.Element))
    assert {element.tag for element in elements} <= TAGS
    assert all(set(element.attrib) <= {"class", "style"} for element in elements)
    assert len(page.findall(".//h1")) == 1
    for table in page.findall(".//table"):
        width = len(table.findall(".//th"))
        assert {len(row.findall("td")) for row in table.findall(".//tbody/tr")} <= {width}
    for comment in page.iter(etree.Comment):
        assert comment.text == " "

    for token in MARKDOWN.parse(text):
        # Whatever another dialect makes of it: the only bracket is that of our own comment.
        source = token.content if token.type == "inline" else ""
        assert "<" not in source.replace("<!-- -->", "")
        # GitHub notifies whoever a text mentions.
        assert not re.search(r"@(?!<!-- -->)", source)


def _github(text):
    lines = text.splitlines()
    assert len(lines) <= 11
    for line in lines:
        assert COMMAND.fullmatch(line), line[:300]
        assert not re.search(r"%(?!25|0A|0D|3A|2C)", line)


def _html(text):
    page = html.document_fromstring(text)
    assert not page.xpath("//script|//iframe|//object|//embed|//form|//base|//img|//link")
    for element in page.iter(etree.Element):
        assert not [name for name in element.attrib if name.lower().startswith("on")]
        for name in ("href", "src", "action", "xlink:href"):
            assert element.get(name, "#").startswith("#"), element.get(name)
    (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert "default-src 'none'" in policy


def _console(text):
    assert "\x1b" not in text


CHECKS = {
    "json": _json,
    "jsonl": _jsonl,
    "junit": _junit,
    "sarif": _sarif,
    "markdown": _markdown,
    "github": _github,
    "html": _html,
    "console": _console,
}
