"""Official files that a person brings: checked like a fetched one, and stored as imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard import first_reader
from corpusguard.errors import ConfigError, Unreadable, WrongDocument
from corpusguard.official import WentBackwards, publisher_of
from corpusguard.service import capture
from corpusguard.snapshots import newest_consolidation

if TYPE_CHECKING:
    from pathlib import Path

    from corpusguard.model import Snapshot
    from corpusguard.official import Accepted
    from corpusguard.service.scope import Known
    from corpusguard.snapshots import SnapshotStore


def accepted_file(known: Known, path: Path, *, unnamed: bool) -> Accepted:
    """Read a file and check that it is a rendition of the document.

    Raises:
        ConfigError: the file cannot be read.
        SourceError: it is not a rendition of the document, or does not say so.
    """
    try:
        size = path.stat().st_size
        if size > known.source.max_decoded_bytes:
            raise Unreadable(
                f"{path} has {size} bytes, over the limit of {known.source.max_decoded_bytes}",
                hint="raise max_decoded_bytes of the source if the file is genuine",
            )
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    accepted = publisher_of(known.source.publisher).accept_import(data, known.document)
    if not accepted.identity_known and accepted.rendition in capture.PRIMARY and not unnamed:
        raise WrongDocument(
            f"{path.name} does not say which law it is: neither title, number nor alias",
            hint=f"if it is {known.document.id} beyond doubt, add --unnamed: it is then on your"
            " word",
        )
    if accepted.rendition in capture.PRIMARY:
        # What no reader can read is refused now, not at three in the morning.
        first_reader.read(data, accepted.rendition)
    return accepted


def keep(
    store: SnapshotStore, known: Known, accepted: Accepted, name: str, *, older: bool
) -> Snapshot:
    """Store an accepted file; the caller holds the run lock.

    Args:
        store: Where.
        known: The document.
        accepted: The file, checked.
        name: Its name, for the record.
        older: Accept an older consolidation than one captured before.

    Raises:
        WentBackwards: it is one, and ``older`` is not said.
        StorageError: it cannot be stored.
    """
    document = known.document.id
    held = store.list(document)
    newest, theirs = newest_consolidation(held), accepted.identity.consolidated_from
    if theirs and theirs < newest and not older:
        raise WentBackwards(
            f"{name} is the consolidation from {theirs}, and that from {newest} is captured"
            " already: nothing was stored",
            hint="add --older to keep it for comparison; runs go on comparing with the newest"
            " consolidation",
        )
    return store.add(
        accepted.data,
        document=document,
        rendition=accepted.rendition,
        url=f"file:{name}",
        identity=accepted.identity,
        captured=capture.now(),
        extra={"imported": True, "identity_known": accepted.identity_known},
    )
