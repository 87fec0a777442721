"""Gate, then index: the step that must never put unverified law in front of a reader.

    python build.py                  # gate the corpus; index it if the gate lets it through
    python build.py --ask QUESTION   # the nearest passage of the index

Exits with the gate's code when the gate refuses; the index then stays as it was.
"""

import argparse
import hashlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import vectors

HERE = Path(__file__).parent
CORPUS = HERE / "passages.jsonl"
INDEX = HERE / "index.db"
ALLOWED = HERE / "state" / "allowed.jsonl"
SEEN = ("section", "subsection", "heading", "status", "ordinal", "digest")
GATE = ("check-corpus", "--max-age", "36h", "--passages", str(ALLOWED))


def gate():
    """Ask whether the corpus, as it lies there now, may be indexed; return the exit code."""
    ALLOWED.parent.mkdir(exist_ok=True)
    ALLOWED.unlink(missing_ok=True)
    command = [sys.executable, "-m", "corpusguard", "--config", str(HERE / "corpusguard.toml")]
    return subprocess.run([*command, *GATE], check=False, cwd=HERE).returncode


def build():
    """Index what the gate lets through; return the exit code."""
    code = gate()
    if code:
        print(f"build: the gate refused (exit {code}); the index is as it was", file=sys.stderr)
        return code
    listed = [json.loads(line) for line in ALLOWED.read_text("utf-8").split("\n") if line]
    rows = allowed_rows(listed)
    if rows is None:
        # Somebody wrote to the corpus after the gate read it.
        print("build: the corpus is not the one that the gate saw; run again", file=sys.stderr)
        return 3
    vectors.write(INDEX, rows)
    print(f"build: indexed {len(rows)} passages, which are all that the gate lets through")
    return 0


def allowed_rows(listed):
    """Return the rows of the gate's list, or None unless all are there just as the gate saw them.

    By document, id and occurrence: one row twice is not two rows. A label counts as the text does,
    since an answer that cites the wrong section is wrong too.
    """
    allowed = {(one["document"], one["id"], one["occurrence"]): one for one in listed}
    before = Counter()
    rows = []
    try:
        # Not splitlines: a text may hold U+2028, which ends no line of JSON.
        for line in filter(None, CORPUS.read_bytes().split(b"\n")):
            row = json.loads(line)
            name = (row["document"], row["id"])
            entry = allowed.pop((*name, before[name]), None)
            before[name] += 1
            if entry is None:
                continue
            if seen(row) != {key: entry[key] for key in SEEN}:
                return None
            rows.append(row)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
    return None if allowed else rows


def seen(row):
    """Return what the gate's list says of a row."""
    text = hashlib.sha256(row["text"].encode()).hexdigest()
    return {**{key: row.get(key) for key in SEEN}, "digest": f"sha256:{text}"}


def ask(question):
    """Print the nearest passage with its section; return the exit code."""
    if not INDEX.exists():
        print("build: there is no index yet; run build.py without --ask", file=sys.stderr)
        return 3
    if not vectors.words(question):
        print("build: the question holds no word to look for", file=sys.stderr)
        return 2
    ((distance, name, section, text),) = vectors.nearest(INDEX, question)
    print(f"s. {section} ({name}, distance {distance:.2f}): {text}")
    return 0


def main():
    """Build, or ask."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--ask", metavar="QUESTION", help="ask the index instead of building it")
    asked = parser.parse_args()
    sys.exit(build() if asked.ask is None else ask(asked.ask))


if __name__ == "__main__":
    main()
