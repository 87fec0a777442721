"""Look at an unknown store and propose its ``[[corpus]]`` table.

A proposal is a guess for a person to check: it names what it took, what else it could have taken,
how full each field is, and what looks wrong. It changes nothing and verifies nothing.
"""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final

from corpusguard.corpora import guess, stores
from corpusguard.corpora.load import load_rows
from corpusguard.corpora.profile import documents_named, is_document_id, profile
from corpusguard.errors import CorpusUnreadable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed mapping of one store, with what it rests on."""

    name: str
    """Proposed name of the corpus, from the file's name."""
    reader: str
    path: str
    """As given to ``propose``."""
    rows: str = ""
    """json: dotted path to the array."""
    query: str = ""
    """sqlite: a SELECT of the likeliest table."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Ours -> dotted path in the row."""
    document: str = ""
    """The one document that the sample names, or empty."""
    document_field: str = ""
    """The field that holds document ids, or empty."""
    documents: tuple[str, ...] = ()
    """Ids of the documents that the sample holds, in order: those of ``document_field``, else what
    any field names."""
    status_field: str = ""
    sampled: int = 0
    """Rows looked at."""
    candidates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Ours -> every path that could be meant, likeliest first."""
    filled: Mapping[str, float] = field(default_factory=dict)
    """Path -> share of sampled rows that have a value, 0 to 1."""
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Path -> up to three values, shortened to 80 code points."""
    warnings: tuple[str, ...] = ()
    """Plain sentences."""

    def to_toml(self) -> str:
        """Return the ``[[corpus]]`` table, which ``load_config`` reads."""
        lines = ["[[corpus]]"]
        for key in ("name", "reader", "path", "rows", "query"):
            value = getattr(self, key)
            if value:
                lines.append(f"{key} = {_quoted(value)}")
        if self.document_field:
            lines.append(f"document = {{ field = {_quoted(self.document_field)} }}")
        elif self.document:
            lines.append(f"document = {_quoted(self.document)}")
        else:
            lines.append('# document = "ca-on/statute/…@en"   # not found in the sample: say which')
        lines.append('recipe = "anchored"')
        pairs = ", ".join(f"{ours} = {_quoted(path)}" for ours, path in self.fields.items())
        lines.append(f"fields = {{ {pairs} }}")
        if self.status_field:
            lines.append(f"status = {_quoted(self.status_field)}")
        lines.append('max_age = "36h"')
        return "\n".join(lines) + "\n"


def propose(path: Path, sample: int = 200) -> Proposal:
    """Sample a store and propose how to read it.

    Args:
        path: a file (JSONL, JSON, CSV, SQLite, Markdown) or a folder of Markdown files.
        sample: how many rows to look at.

    Raises:
        CorpusUnreadable: it is of no known kind, has no rows, or the sample cannot be read.
    """
    store = stores.recognise(path)
    with closing(load_rows(store.spec, path.parent)) as stream:
        rows = list(islice(stream, sample))
    if not rows:
        raise CorpusUnreadable(f"{path}: no rows", hint="Is this the store, or an empty export?")
    fields = profile(rows)
    candidates = guess.candidates(fields, len(rows))
    mapping = {ours: paths[0] for ours, paths in candidates.items() if paths}
    document_field = next((known.path for known in fields.values() if is_document_id(known)), "")
    named = documents_named(
        [value for known in fields.values() for value in known.values] + store.remarks
    )
    document = named[0] if len(named) == 1 else ""
    if document_field:
        # Texts name other laws too, of which the corpus may hold nothing.
        documents = dict.fromkeys(map(str, fields[document_field].values))
    else:
        documents = dict.fromkeys(named)
    chosen = guess.chosen(fields, mapping)
    return Proposal(
        name=_name(path),
        reader=store.spec.reader,
        path=str(path),
        rows=store.spec.rows,
        query=store.spec.query,
        fields=chosen,
        document="" if document_field else document,
        document_field=document_field,
        documents=tuple(documents),
        status_field=next(iter(candidates.get("status", ())), ""),
        sampled=len(rows),
        candidates=candidates,
        filled={known.path: round(len(known.values) / len(rows), 4) for known in fields.values()},
        examples={known.path: known.examples() for known in fields.values()},
        warnings=(
            *store.warnings,
            *guess.warnings(fields, chosen, len(rows)),
            *_document_warnings(named, document_field),
        ),
    )


def _document_warnings(named: list[str], document_field: str) -> list[str]:
    if document_field or len(named) == 1:
        return []
    if named:
        shown = ", ".join(named[:3])
        return [f"The rows name {len(named)} documents ({shown} …), but no field holds their ids."]
    return ["No document is named in the sample: set `document`."]


def _name(path: Path) -> str:
    stem = re.sub(r"[^A-Za-z0-9_.-]+", "-", path.stem or path.name).strip("-._")[:64]
    return stem or "corpus"


def _quoted(value: str) -> str:
    """Return a TOML basic string."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", escaped) + '"'
