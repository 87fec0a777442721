"""The configuration that ``corpusguard init`` writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.config.sources import PUBLISHERS

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_DOCUMENTS: Final = 50
"""Documents that a first source file lists by itself."""
FILL_IN: Final = "FILL IN the title as the publisher prints it"
"""Stands for a title, and equals none: a fetch of the document is refused (CG502) until then."""

_TEMPLATE: Final = """\
# corpusguard: what is stored, where the official text is, and how old a result may be.
# Paths are relative to this file. An unknown key is an error.

[corpusguard]
history = "history.db"                    # results of every run
snapshots = "snapshots"                   # captured official bytes
sources = ["sources/ontario-elaws.toml"]  # publishers, and the documents in scope
# schedules = ["schedules/nightly.toml"]  # what runs when; see docs/schedules.md
# ignore_days = 90                        # most days that an ignore may last; see docs/ignores.md

[[corpus]]
name = "my-corpus"
reader = "jsonl"                          # jsonl, json, csv, sqlite, markdown, exec
path = "passages.jsonl"
# rows = "chunks"                         # json: dotted path to the array of passages
# query = "SELECT * FROM chunks"          # sqlite: one SELECT
# command = ["python", "dump.py"]         # exec: prints JSONL; ${NAME} reads the environment
document = "ca-on/statute/06r17@en"       # or { field = "metadata.document" }
recipe = "anchored"                       # or "section", "subsection", "mypkg.ingest:passages"
# template = "{heading}\\n\\n{text}"        # section, subsection: how ingestion builds the text

# Ours = theirs; a dotted path reaches into a row. What is not named here is looked up under its
# own name: id, document, section, subsection, heading, ordinal, text. "" says: there is none.
# fields = { id = "chunk_id", text = "content", section = "metadata.section_number" }
# status = "metadata.status"              # the field that says repealed, or not in force
# as_of = "2026-01-31"                    # the day on which the corpus was ingested
max_age = "36h"                           # older text than this counts for nothing
# strip_prefix = "{title}, s. {section}\\n"  # what ingestion puts before the words of the law

# Models that may be asked; without them the gate quotes only. See docs/check-claim.md.
# [[judge]]
# name = "small"
# kind = "openai"                         # openai, anthropic, command
# url = "http://127.0.0.1:8080/v1/chat/completions"
# key = "${JUDGE_KEY}"                    # only ever the name of a variable
# [[judge]]
# name = "large"
# kind = "command"
# command = ["my-judge", "--large"]       # JSON on standard input, the reply on standard output
# [gate]
# words = "equivalent"                    # "must" for "shall" ships, too; default: "own"
# cheap = "small"                         # verifiers of check-claim
# expensive = "large"                     # its adjudicator
# memory_files = ["CLAUDE.md", "memory/**"]  # what `hook memory-write` and `memory-check` guard
# memory_skip = [".git", "node_modules"]  # folders in which `memory-check` does not look for them
# memory_accepted = ".corpusguard-memory.json"  # what they said when last accepted

# Whom a run tells what. Addresses hold secrets: name the environment variables that hold them.
# [notify]                                # needs: pip install 'corpusguard-law[notify]'
# channels = ["${SLACK_URL}", "${MAIL_URL}"]  # each holds one apprise URL
# repeat_after = "7d"                     # what is still wrong is told again after this time
# [ping]                                  # a dead-man check in the manner of Healthchecks
# url = "${HEALTHCHECKS_URL}"
# [metrics]                               # for node_exporter's textfile collector
# path = "metrics/corpusguard.prom"
"""


def config_template() -> str:
    """Return the text of a first ``corpusguard.toml``, with every key shown and explained."""
    return _TEMPLATE


def listed(documents: Iterable[str], publisher: str = "ontario-elaws") -> tuple[str, ...]:
    """Return those ids that a publisher has the form of, each once, at most ``MOST_DOCUMENTS``."""
    known = PUBLISHERS[publisher].document
    found = [one for one in dict.fromkeys(documents) if known.fullmatch(one)]
    return tuple(found[:MOST_DOCUMENTS])


def source_listing(template: str, documents: Iterable[str]) -> str:
    """Return a source file that lists ``documents`` in place of the template's examples.

    An example that is one of them stays as it is; the others get a title to be filled in.

    Args:
        template: The file, its ``[[document]]`` tables last.
        documents: Ids, as ``listed`` returns them; none: the template is returned.
    """
    head, *examples = template.split("[[document]]\n")
    tables = []
    for document in documents:
        line = f'id = "{document}"\n'
        mine = [one for one in examples if one.startswith(line)]
        tables.append(mine[0].rstrip("\n") + "\n" if mine else f'{line}title = "{FILL_IN}"\n')
    if not tables:
        return template
    return head + "\n".join(f"[[document]]\n{table}" for table in tables)
