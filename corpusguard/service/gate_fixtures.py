"""Making a fixture: laws in, a draft, sheets for labellers, their votes, the published fixture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.errors import ConfigError
from corpusguard.measure.gate.build import Plan, build
from corpusguard.measure.gate.draft import Draft, load_draft, make_draft
from corpusguard.measure.gate.fixture import Fixture, load_fixture, seal
from corpusguard.measure.gate.items import checked_labeller
from corpusguard.measure.gate.labels import (
    INSTRUCTIONS,
    Agreement,
    agreement,
    read_audit,
    read_votes,
    sheets,
)
from corpusguard.measure.gate.law import read_law
from corpusguard.measure.gate.sealing import new_key
from corpusguard.report.files import check_target, write_bytes, write_file
from corpusguard.service.gate_files import key_in, locked, make_folder, read, write_private

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def build_draft(
    laws: tuple[Sequence[Path], Sequence[Path]],
    plans: tuple[Plan, Plan],
    target: Path,
    name: str,
    fixture_version: int = 1,
) -> Draft:
    """Build both halves, dev and sealed, and write them as a draft that does not exist yet.

    Raises:
        ConfigError: A law cannot be read, the halves overlap, or the draft is there already.
        StorageError: The draft cannot be written.
    """
    if not name.strip():
        raise ConfigError("--name is empty", hint="name the fixture, as --name harbour")
    if target.exists():
        raise ConfigError(
            f"{target} is there already", hint="a draft holds votes; name another file"
        )
    check_target(target, folder=False)
    halves = []
    for paths, plan in zip(laws, plans, strict=True):
        sections = [one for path in paths for one in read_law(read(path), str(path))]
        halves.append(build(sections, plan))
    draft = make_draft(name, fixture_version, *halves)
    write_private(target, draft.dump())
    return draft


def export_sheets(draft: Path, labellers: Sequence[str], folder: Path) -> int:
    """Write the sheets of each labeller, and what to do, into a folder; return how many sheets.

    Raises:
        ConfigError: The draft cannot be read, or a labeller's name is none.
        StorageError: The folder or a sheet cannot be written.
    """
    names = [checked_labeller(name) for name in labellers]
    found = load_draft(read(draft), str(draft))
    make_folder(folder)
    write_file(folder / "INSTRUCTIONS.md", INSTRUCTIONS)
    written = 0
    for labeller in names:
        for number, text in enumerate(sheets(found.items, labeller), 1):
            write_file(folder / f"{labeller}-{number}.jsonl", text)
            written += 1
    return written


def import_votes(draft: Path, labeller: str, files: Sequence[Path]) -> Draft:
    """Add one labeller's answers to a draft.

    Raises:
        ConfigError: An answer is missing, double or unreadable; the draft is as it was.
    """
    checked_labeller(labeller)
    with locked(draft):
        found = load_draft(read(draft), str(draft))
        votes = read_votes({str(path): read(path) for path in files}, found.items)
        changed = found.voted(labeller, votes)
        write_private(draft, changed.dump())
    return changed


def import_audit(draft: Path, files: Sequence[Path]) -> Draft:
    """Set aside what an audit of the labels disputes.

    Raises:
        ConfigError: The labels are not there yet, or a verdict is missing, double or unreadable;
            the draft is as it was.
    """
    with locked(draft):
        found = load_draft(read(draft), str(draft))
        if not all(item.votes for item in found.items):
            raise ConfigError(
                f"{draft} has items without a label, so there is nothing to audit",
                hint="`corpusguard measure gate label import` adds the labels",
            )
        changed = found.audited(read_audit({str(path): read(path) for path in files}, found.items))
        write_private(draft, changed.dump())
    return changed


def label_agreement(draft: Path) -> tuple[Agreement, Agreement]:
    """Return how far the labellers agree, on the dev half and on the sealed half.

    Raises:
        ConfigError: The draft cannot be read, or nobody has labelled it.
    """
    found = load_draft(read(draft), str(draft))
    if not any(item.votes for item in found.items):
        raise ConfigError(
            f"{draft} has no labels yet",
            hint="`corpusguard measure gate label export` writes the sheets to answer",
        )
    return agreement(found.dev), agreement(found.sealed)


def seal_draft(draft: Path, target: Path, key_file: Path) -> Fixture:
    """Publish a labelled draft; a key is made where the key file is not there yet.

    Raises:
        ConfigError: Labels are missing, or a fixture of this or a later version is there.
        StorageError: A file cannot be written.
    """
    for path, option in ((target, "--output"), (key_file, "--key-file")):
        check_target(path, folder=False, option=option)
    found = load_draft(read(draft), str(draft))
    previous = ""
    if target.exists():
        old = load_fixture(read(target), str(target))
        if old.version >= found.version:
            raise ConfigError(
                f"{target} is version {old.version} already",
                hint="a changed label is a new version: build with a higher --fixture-version",
            )
        previous = old.digest
    if key_file.exists():
        key = key_in(key_file)
        data = seal(found, key, previous)
    else:
        key = new_key()
        data = seal(found, key, previous)
        write_private(key_file, f"{key}\n".encode())
    write_bytes(target, data)
    return load_fixture(data, str(target))
