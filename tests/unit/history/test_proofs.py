"""Inclusion proofs, checked by corpusguard and by the script that needs nothing of it."""

import copy
import hashlib
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from corpusguard.errors import ConfigError, HistoryBroken
from corpusguard.evidence import check_proof
from corpusguard.history import History

from .conftest import CORPUS, drop_triggers, result, state
from .sealed import BUOY, PIER, build

SCRIPT = Path(__file__).parents[3] / "docs" / "verify_proof.py"


@pytest.fixture(scope="module")
def sealing(tmp_path_factory):
    return build(tmp_path_factory.mktemp("proofs"))


@pytest.fixture
def opened(sealing):
    with History.open(sealing.path) as history:
        yield history


def by_script(folder, proof, head):
    """Run the script in an interpreter that sees no installed package."""
    path = folder / "proof.json"
    path.write_text(json.dumps(proof), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-I", "-S", str(SCRIPT), str(path), head],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONIOENCODING": "utf-8"},
    )


def test_the_script_has_no_more_than_forty_lines():
    """Short enough to be read whole by whoever is asked to trust it."""
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) <= 40


@pytest.mark.parametrize("document", [PIER, BUOY])
@pytest.mark.parametrize(("passage", "occurrence"), [("a", 0), ("b", 0), ("b", 1), ("é\ud800", 0)])
def test_every_passage_of_a_run_is_proven(opened, sealing, tmp_path, document, passage, occurrence):
    """Duplicates each by itself, and an id that no text can hold, by both checkers."""
    proof = opened.proof(2, document, passage, occurrence=occurrence)
    head = sealing.heads[1]

    leaf = check_proof(proof, head)
    said = by_script(tmp_path, proof, head)

    assert proof["head"] == head
    assert (leaf["document"], leaf["occurrence"]) == (document, occurrence)
    assert leaf["verified"] is (document == BUOY or passage != "b")
    assert said.returncode == (0 if leaf["verified"] else 3), said.stdout + said.stderr
    assert said.stdout.startswith(
        "run 2: verified: " if leaf["verified"] else "run 2: NOT verified"
    )


@pytest.mark.parametrize("arguments", [[], ["proof.json"], ["a", "b", "c"]])
def test_the_script_says_how_it_is_used(arguments):
    """One line, and exit 2: a wrong call is not a proof that failed."""
    command = [sys.executable, "-I", "-S", str(SCRIPT), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "usage: python verify_proof.py proof.json sha256:HEAD\n"


@pytest.mark.parametrize(
    ("text", "code"), [(None, 2), ("", 1), ("[]", 1), ("{}", 1), ("[" * 100_000, 1), ("null", 1)]
)
def test_a_file_that_is_no_proof_is_said_without_a_traceback(tmp_path, text, code):
    """Not there (2), or of any other shape (1)."""
    path = tmp_path / "proof.json"
    if text is not None:
        path.write_text(text)
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(path), "sha256:" + "0" * 64]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (code, "")
    assert ("cannot read" if code == 2 else "no proof") in done.stdout


def test_the_digest_of_a_leaf_is_that_of_the_text_as_utf_8(history, nights):
    """As the script says, so that whoever holds the text can compare."""
    text = "Dues are due at noon; les droits sont dûs à midi."
    nights.run(result(states=[state(0, "a", text)]))

    leaf = json.loads(history.proof(1, result().id, "a")["leaf"])

    assert leaf["digest"] == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def forgeries(proof, rng):
    """Changes of every part of a proof that matters, and what each is."""
    for key in ("leaf", "record"):
        for _ in range(8):
            forged = copy.deepcopy(proof)
            place = rng.randrange(len(proof[key]))
            other = chr(ord(proof[key][place]) ^ 1)
            forged[key] = proof[key][:place] + other + proof[key][place + 1 :]
            yield f"{key} at {place}", forged
    for key, value in (
        ("leaf", proof["leaf"].replace("false", "true")),
        ("index", proof["index"] + 1),
        ("index", -1),
        ("size", proof["size"] + 1),
        ("size", 1),
        ("path", []),
        ("path", proof["path"][::-1]),
        ("path", [*proof["path"], "00" * 32]),
        ("corpus", "another"),
        ("record", json.dumps(json.loads(proof["record"]))),
    ):
        yield f"{key} = {str(value)[:20]}", {**proof, key: value}


def test_a_tampered_proof_proves_nothing(opened, sealing, tmp_path):
    """By neither checker, whichever part was changed."""
    proof = opened.proof(2, PIER, "b")
    head = sealing.heads[1]
    for name, forged in forgeries(proof, random.Random(5)):
        with pytest.raises(ValueError, match=r"\w"):
            check_proof(forged, head)
        said = by_script(tmp_path, forged, head)
        assert (said.returncode, said.stderr) == (1, ""), name


def test_a_proof_does_not_hold_for_another_run_s_head(opened, sealing, tmp_path):
    """Each run has its own."""
    proof = opened.proof(2, PIER, "a")

    with pytest.raises(ValueError, match="not the one that the head stands for"):
        check_proof(proof, sealing.heads[0])
    said = by_script(tmp_path, proof, sealing.heads[0])
    assert said.returncode == 1
    assert "not the one that the head stands for" in said.stdout


@pytest.mark.parametrize("value", [{}, {"record": 7, "leaf": []}, {"schema": "x", "record": "{}"}])
def test_what_is_no_proof_is_refused(value):
    """Whatever its shape."""
    with pytest.raises(ValueError, match=r"proof|schema"):
        check_proof(value, "sha256:" + "0" * 64)


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ((99, PIER, "a"), "run 99 has no record"),
        ((2, "ca-on/statute/00z01@en", "a"), "no document 'ca-on/statute/00z01@en'"),
        ((2, PIER, "nowhere"), "no passage 'nowhere'"),
    ],
)
def test_what_is_not_there_is_named(opened, named, said):
    """Run, document or passage, with the next step."""
    with pytest.raises(ConfigError, match=said) as caught:
        opened.proof(*named)
    assert caught.value.hint


def test_a_later_row_that_is_not_there_is_refused(opened):
    """``b`` stands twice, not three times."""
    with pytest.raises(ConfigError, match="no passage 'b'"):
        opened.proof(2, PIER, "b", occurrence=2)


def test_a_passage_in_two_corpora_asks_which(history, nights):
    """One law may be in several."""
    run = nights.begin()
    for corpus in (CORPUS, "second"):
        history.record_document(run, corpus, result(states=[state(0, "a", corpus)]))
    nights.finish(run)
    document = result().id

    with pytest.raises(ConfigError, match="2 corpora: harbour, second"):
        history.proof(run, document, "a")
    assert history.proof(run, document, "a", corpus="second")["corpus"] == "second"


def test_passages_that_were_changed_are_not_proven(history, nights):
    """No proof comes out of rows that are not those that were sealed."""
    nights.run(result(states=[state(0, "a", "x")]))
    drop_triggers(history._db)
    history._db.execute("UPDATE results SET corpus_root = 'x'")

    with pytest.raises(HistoryBroken, match="not those that were sealed"):
        history.proof(1, result().id, "a")
