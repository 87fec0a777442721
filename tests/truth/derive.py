"""Turn a table written by eye into hashed truth: ``python derive.py TABLE.txt DATA_DIR``.

The table says, for every printed paragraph of one official document, what a person read there:
which provision it opens, under which section, and with which words its own text begins and ends.
This program adds nothing to that judgement. It numbers the printed paragraphs, counts the words
between the two ends that the table names, and hashes the ends, so that the words of the law stay
outside this repository. It refuses a table that

* leaves a printed paragraph unexplained;
* names words that do not stand in that paragraph, in that order;
* leaves anything but the printed numbers before the first word.

It is deliberately not a reader: it knows no class, no element but ``<p>``, ``<br>`` and ``<img>``,
and no rule about sections, status, headnotes or citations. See README.md for the table's form.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
import sys
import unicodedata
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PARAGRAPH = re.compile(r"<p\b[^>]*>(.*?)</p>", re.DOTALL)
IMAGE = re.compile(r'<img\b[^>]*?\balt="([^"]*)"[^>]*>')
# Words that stand for a number in a heading are part of its title, not a marker before it.
TITLED = {"part", "heading", "schedule", "form", "table", "row", "image"}


class TableError(ValueError):
    """The table and the document do not fit; the message names the line."""


def hashed(words: list[str]) -> str:
    """The first 16 hex digits of the SHA-256 of the words joined by one space; "" for none."""
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:16] if words else ""


def printed(source: bytes, name: str) -> list[str]:
    """The text of every ``<p>`` in canonical form, empty ones included."""
    text = source.decode("utf-8")
    if name.endswith(".json"):
        text = json.loads(text)["content"]
    paragraphs = []
    for match in PARAGRAPH.finditer(text):
        inner = IMAGE.sub(r"[image: \1]", match[1])
        inner = re.sub(r"<[^<>]*>", "", re.sub(r"<br\s*/?>", " ", inner))
        paragraphs.append(" ".join(unicodedata.normalize("NFC", html.unescape(inner)).split()))
    return paragraphs


def own_text(text: str, ends: str) -> tuple[str, str]:
    """Cut the own text out of a paragraph: (what stands before it, the text)."""
    first, tilde, last = (part.strip() for part in ends.partition("~"))
    start = text.find(first)
    stop = text.rfind(last) + len(last) if tilde else start + len(first)
    if start < 0 or stop < start + len(first) or (tilde and last not in text):
        raise TableError(f"{ends!r} does not stand in {text!r}")
    return text[:start], text[start:stop]


def bare(marker: str) -> str:
    """A printed number without brackets, periods at its end, and spaces."""
    return re.sub(r"[()\s]|\.(?=,|$|\s|\()", "", marker)


def provision(line: str, place: list[str], paragraphs: list[str], used: set[int]) -> dict[str, Any]:
    """Read one provision line of the table."""
    head, _, ends = (part.strip() for part in line.partition("|"))
    blocks, kind, number = head.split()
    number, _, status = number.partition("!")
    number = "" if number == "-" else number.replace("_", " ")
    first, _, last = blocks.partition("-")
    span = range(int(first), int(last or first) + 1)
    again = used.intersection(span)
    used.update(span)
    before, text = own_text(" ".join(paragraphs[i] for i in span), ends) if ends else ("", "")
    if (
        ends
        and kind not in TITLED
        and bare(before).replace(" ", "") != before_expected(place, number, kind, opens=not again)
    ):
        raise TableError(f"before the words of {line!r} stands {before!r}")
    words = text.split()
    return {
        "section": place[0],
        "subsection": place[1],
        "kind": kind,
        "number": number,
        "status": status or "in_force",
        "first": hashed(words[:3]),
        "last": hashed(words[-3:]),
        "words": len(words),
        "block": span[0],
        "cells": len(span),
    }


def before_expected(place: list[str], number: str, kind: str, *, opens: bool) -> str:
    """The numbers that must be all that is printed before a provision's first word."""
    tight = number.replace(" ", "")
    if kind == "subsection" and not opens:
        return place[0].replace(" ", "") + tight
    return tight


def derive(table: Path, data: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Read a table; return provision rows and headnote rows, a header row before the first."""
    lines = [line for line in table.read_text(encoding="utf-8").splitlines() if line.strip()]
    _, name, rendition = lines[0].split()
    source = (data / name).read_bytes()
    paragraphs = printed(source, name)
    place, used = ["", ""], set[int]()
    digest = hashlib.sha256(source).hexdigest()
    rows: list[dict[str, Any]] = [{"document": name, "rendition": rendition, "sha256": digest}]
    headnotes: list[dict[str, Any]] = []
    for line in lines[1:]:
        tag, _, rest = line.partition(" ")
        if tag == "=":
            place = [part.strip() for part in rest.split(";")]
        elif tag == "x":
            used.update(int(block) for block in rest.split())
        elif tag == "h":
            head, _, text = (part.strip() for part in rest.partition("|"))
            block, _, bound = head.partition(" ")
            section, subsection = bound.split(";")
            used.add(int(block))
            if paragraphs[int(block)] != text:
                raise TableError(f"headnote {line!r} is printed as {paragraphs[int(block)]!r}")
            headnotes.append(
                {
                    "headnote": hashed(text.split()),
                    "binds_section": section,
                    "binds_subsection": subsection,
                }
            )
        else:
            rows.append(provision(line, place, paragraphs, used))
    missed = [i for i, text in enumerate(paragraphs) if text and i not in used]
    if missed:
        raise TableError(f"{name}: printed paragraphs {missed} are not explained")
    return rows, headnotes


def main(arguments: list[str]) -> int:
    """Write ``NAME.jsonl`` and ``NAME.headnotes.jsonl`` beside this file."""
    table, data = Path(arguments[0]), Path(arguments[1])
    rows, headnotes = derive(table, data)
    for name, content in ((".jsonl", rows), (".headnotes.jsonl", headnotes)):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content)
        (HERE / (table.stem + name)).write_text(text, encoding="utf-8")
    print(f"{table.stem}: {len(rows) - 1} provisions, {len(headnotes)} headnotes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
