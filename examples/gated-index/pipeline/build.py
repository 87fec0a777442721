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
GATE = ("verify", "--offline", "--quiet", "--format", "github")


def gate():
    """Ask corpusguard about the corpus as it lies there now; return its exit code."""
    command = [sys.executable, "-m", "corpusguard", "--config", str(HERE / "corpusguard.toml")]
    return subprocess.run([*command, *GATE], check=False, cwd=HERE).returncode


def build():
    """Index the corpus if the gate lets it through; return the exit code."""
    data = CORPUS.read_bytes()
    code = gate()
    if code:
        print(f"build: the gate refused (exit {code}); the index is as it was", file=sys.stderr)
        return code
    if CORPUS.read_bytes() != data:
        # What the gate read and what would be indexed must be the same bytes.
        print("build: the corpus changed while the gate looked at it; run again", file=sys.stderr)
        return 3
    rows = [json.loads(line) for line in data.decode().splitlines() if line.strip()]
    digest = hashlib.sha256(data).hexdigest()
    vectors.write(INDEX, rows, {"corpus_sha256": digest})
    print(f"build: indexed {len(rows)} passages of corpus sha256:{digest[:12]}…")
    return 0


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
