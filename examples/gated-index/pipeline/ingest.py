"""Fetch the law and cut it into passages: the part that is yours, and that corpusguard distrusts.

It has its own fetch, its own parser and its own way to cut: one passage a subsection, the heading
kept apart. Nothing here comes from corpusguard.
"""

import json
import os
import re
import sys
import tomllib
import urllib.request
from html.parser import HTMLParser
from pathlib import Path

HERE = Path(__file__).parent
CORPUS = HERE / "passages.jsonl"
_NUMBER = re.compile(r"(\d+(?:\.\d+)*)\s")
_MOST_BYTES = 50_000_000


class _Paragraphs(HTMLParser):
    """Gathers ``(class, text)`` of each paragraph."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        if tag == "p":
            self.found.append([dict(attrs).get("class") or "", ""])

    def handle_data(self, data):
        if self.found:
            self.found[-1][1] += data


def passages(markup, document):
    """Return one row for each subsection of the law, and for each section without any."""
    parser = _Paragraphs()
    parser.feed(markup)
    parser.close()
    rows, heading, section = [], "", ""
    for name, raw in parser.found:
        text = " ".join(raw.split())
        if not text:
            continue
        if name == "headnote":
            heading = text
        elif name in {"section", "subsection"}:
            number = _NUMBER.match(text) if name == "section" else None
            section = number.group(1) if number else section
            row = {"document": document, "section": section, "heading": heading, "text": text}
            rows.append(row)
        elif rows:
            rows[-1]["text"] += "\n" + text
    return [{"id": f"kites-{at}", **row, "ordinal": at} for at, row in enumerate(rows)]


def main():
    """Write ``passages.jsonl``, whole or not at all."""
    source = tomllib.loads((HERE / "sources" / "kites.toml").read_text("utf-8"))
    document = source["document"][0]["id"]
    law = document.removeprefix("ca-on/").removesuffix("@en")
    address = f"{source['source']['base_url']}/laws/api/v2/legislation/en/doc-search/{law}"
    with urllib.request.urlopen(address, timeout=30) as answer:  # noqa: S310 (from our own file)
        payload = json.loads(answer.read(_MOST_BYTES))
    rows = passages(payload["content"], document)
    if not rows:
        sys.exit("ingest: the law has no passage; nothing was written")
    part = CORPUS.with_suffix(".part")
    part.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    os.replace(part, CORPUS)  # noqa: PTH105 (the one atomic call)
    print(f"ingest: {len(rows)} passages in {CORPUS.name}")


if __name__ == "__main__":
    main()
