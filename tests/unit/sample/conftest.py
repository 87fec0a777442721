from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corpusguard.config.sources import load_source
from corpusguard.model import Rendition
from corpusguard.snapshots import SnapshotStore

ROOT = Path(__file__).resolve().parents[3]
SAMPLE = ROOT / "corpusguard" / "sample"
ACT = "ca-on/statute/19h31@en"
REGULATION = "ca-on/regulation/190902@en"


@pytest.fixture(scope="session")
def store():
    return SnapshotStore(ROOT / "snapshots" / "sample")


@pytest.fixture(scope="session")
def captured(store):
    """Bytes by name: the sample's renditions, the Act's older consolidation among them."""
    older, act = (s for s in store.list(ACT) if s.rendition is Rendition.PAYLOAD)
    (word,) = (s for s in store.list(ACT) if s.rendition is Rendition.DOCX)
    (regulation,) = store.list(REGULATION)
    named = {"older": older, "act": act, "word": word, "regulation": regulation}
    return {name: store.read(snapshot.digest) for name, snapshot in named.items()}


@pytest.fixture(scope="session")
def documents():
    specs = load_source(ROOT / "sources" / "sample.toml", "sources/sample.toml").documents
    return {spec.id: spec for spec in specs}


@pytest.fixture
def demo(tmp_path):
    """The sample laid out as the demo lays it out."""
    for source in SAMPLE.glob("*.*"):
        if source.suffix in {".toml", ".json", ".jsonl"}:
            shutil.copyfile(source, tmp_path / source.name)
    shutil.copytree(ROOT / "snapshots" / "sample", tmp_path / "snapshots")
    shutil.copytree(ROOT / "sources", tmp_path / "sources")
    return tmp_path
