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
from pathlib import Path

import vectors

HERE = Path(__file__).parent
CORPUS = HERE / "passages.jsonl"
INDEX = HERE / "index.db"
ALLOWED = HERE / "state" / "allowed.jsonl"
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
    listed = [json.loads(line) for line in ALLOWED.read_text("utf-8").splitlines()]
    allowed = {(one["id"], one["digest"]) for one in listed}
    lines = CORPUS.read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if (row["id"], digest(row["text"])) in allowed]
    if len(rows) != len(listed):
        # Somebody wrote to the corpus after the gate read it.
        print("build: the corpus is not the one that the gate saw; run again", file=sys.stderr)
        return 3
    vectors.write(INDEX, rows)
    print(f"build: indexed {len(rows)} of {len(lines)} passages")
    return 0


def digest(text):
    """Return a text's digest as the gate's list gives it."""
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def ask(question):
    """Print the nearest passage with its section; return the exit code."""
    if not INDEX.exists():
        print("build: there is no index yet; run build.py without --ask", file=sys.stderr)
        return 3
    ((distance, name, section, text),) = vectors.nearest(INDEX, question)
    print(f"s. {section} ({name}, distance {distance:.2f}): {text}")
    return 0


def main():
    """Build, or ask."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--ask", metavar="QUESTION", help="ask the index instead of building it")
    asked = parser.parse_args()
    sys.exit(ask(asked.ask) if asked.ask else build())


if __name__ == "__main__":
    main()
