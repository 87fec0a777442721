"""Plays the example from beginning to end, offline, and checks each step as it goes.

    python story.py                  # in a temporary folder
    python story.py --keep FOLDER    # in a new folder, which is left to look at

Exits 0 when every step did what it should, 1 with the reason otherwise.
"""

import argparse
import hashlib
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from elaws import PORT, Publisher

HERE = Path(__file__).parent
NEEDED = ("corpusguard", "apsw", "sqlite_vec")
QUESTION = "How many months is a kite licence valid?"


class Unexpected(Exception):
    """A step did not do what it should."""


@dataclass
class Story:
    """The user's repository, and the steps taken in it."""

    folder: Path
    steps: int = field(default=0)

    def tell(self, text):
        """Begin the next step."""
        self.steps += 1
        print(f"\n{self.steps}. {text}", flush=True)

    def run(self, *words, exits=0):
        """Run a Python program in the repository, show what it says, insist on its exit code."""
        done = subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            check=False,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
        )
        said = done.stdout + done.stderr
        print("".join(f"   | {line[:160]}\n" for line in said.splitlines()), end="", flush=True)
        print(f"   exit {done.returncode}", flush=True)
        name = " ".join(words[:3]).removeprefix("-m ")
        expect(done.returncode == exits, f"{name} exits {exits}, not {done.returncode}")
        return said

    def verify(self, exits):
        """Verify as every night; return the report."""
        report = self.folder / "report.json"
        options = ("verify", "--quiet", "--format", "json", "--output", str(report))
        self.run("-m", "corpusguard", *options, exits=exits)
        found = json.loads(report.read_text("utf-8"))
        for finding in found["findings"]:
            print(f"   {finding['severity']} {finding['rule']} s. {finding['section']}: ", end="")
            print(finding["message"][:160], flush=True)
        return found

    def index_digest(self):
        """Return the digest of the index file."""
        return hashlib.sha256((self.folder / "index.db").read_bytes()).hexdigest()


def expect(held, what):
    """Insist that something holds.

    Raises:
        Unexpected: it does not.
    """
    if not held:
        raise Unexpected(what)


def play(folder, publisher):
    """Play the story; raises Unexpected at the first step that goes another way."""
    shutil.copytree(HERE / "pipeline", folder, ignore=shutil.ignore_patterns("__pycache__"))
    source = folder / "sources" / "kites.toml"
    text = source.read_text("utf-8")
    source.write_text(text.replace(f"http://127.0.0.1:{PORT}", publisher.base_url), "utf-8")
    story = Story(folder)

    story.tell("Ingest: fetch the Act and cut it into passages.")
    story.run("ingest.py")

    story.tell("Build before anything was verified: the gate refuses.")
    story.run("build.py", exits=3)
    expect(not (folder / "index.db").exists(), "nothing was indexed")

    story.tell("Verify against the publisher: every word is there, and nothing else.")
    report = story.verify(exits=0)
    expect(report["verdict"] == "verified", "the corpus is verified")

    story.tell("Build: the gate lets it through.")
    story.run("build.py")
    answer = story.run("build.py", "--ask", QUESTION)
    expect(answer.startswith("s. 4 ") and "24 months" in answer, "section 4 (1) answers: 24 months")
    before = story.index_digest()

    story.tell("Somebody changes one figure in the stored corpus, after it was verified.")
    corpus = folder / "passages.jsonl"
    sound = corpus.read_text("utf-8")
    expect(sound.count("24 months") == 1, "the figure is stored once")
    corpus.write_text(sound.replace("24 months", "34 months"), "utf-8")
    story.run("build.py", exits=3)
    expect(story.index_digest() == before, "the index is as it was")
    corpus.write_text(sound, "utf-8")

    story.tell("The legislature amends section 4. The next night finds it.")
    publisher.amend()
    report = story.verify(exits=1)
    amended = {(row["rule"], row["section"]) for row in report["findings"]}
    expect(("CG106", "4") in amended, "the finding is CG106, source_amended, in section 4")

    story.tell("Build: the gate refuses, and the index stays as it was.")
    story.run("build.py", exits=1)
    expect(story.index_digest() == before, "the index is as it was")

    story.tell("Ingest again, verify, build: the new law is in the index.")
    story.run("ingest.py")
    report = story.verify(exits=0)
    expect(report["verdict"] == "verified", "the corpus is verified again")
    story.run("build.py")
    answer = story.run("build.py", "--ask", QUESTION)
    expect("12 months" in answer, "section 4 (1) answers: 12 months")
    expect(story.index_digest() != before, "the index is a new one")


def main():
    """Play the story in the folder asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="a new folder to play it in")
    asked = parser.parse_args()
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        sys.exit(f"story: not installed: {', '.join(missing)}; see requirements.txt")
    if asked.keep and asked.keep.exists():
        sys.exit(f"story: {asked.keep} is there already; name a new folder")
    with tempfile.TemporaryDirectory() as scratch, Publisher() as publisher:
        try:
            play(asked.keep or Path(scratch) / "pipeline", publisher)
        except Unexpected as error:
            sys.exit(f"\nstory: expected that {error}")
    print("\nEvery step did what it should.")


if __name__ == "__main__":
    main()
