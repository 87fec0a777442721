"""Official files that a person brings: checked like a fetched one, and stored as imported.

When such a file was obtained is known to the person alone. What the record says of it decides how
old the text counts as, so it is never made younger by the mere act of importing: bytes that are
stored already keep the time of their last capture, unless the person says that they were obtained
again.
"""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

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


_MOMENT: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z)?", re.ASCII)
_AGE_FROM: Final = {
    "caller": "as old as {captured}, when it was obtained on your word (--captured)",
    "earlier capture": "as old as {captured}: these bytes were captured before, and importing them"
    " again makes them no younger; if they were obtained again, say when with --captured",
    "source": "as old as {captured}, when the source gave the same bytes",
    "import": "its age counts from now, {captured}, on your word: if it was obtained earlier, say"
    " when with --captured",
}
"""Where the age of a text comes from, as the record of an import says (``age_from``)."""


def moment(said: str) -> str:
    """Return when a file was obtained, UTC, ISO 8601, ``Z``; a day alone is its beginning.

    Raises:
        ConfigError: it is no such time, or in the future.
    """
    hint = "--captured takes YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ, UTC"
    wrong = ConfigError(f"{said[:40]!r} is not a time", hint=hint)
    if not _MOMENT.fullmatch(said):
        raise wrong
    try:
        found = datetime.fromisoformat(said).replace(tzinfo=UTC)
    except ValueError as error:
        raise wrong from error
    if found > datetime.now(UTC):
        raise ConfigError(f"{said} is in the future: nothing was obtained then", hint=hint)
    return found.strftime("%Y-%m-%dT%H:%M:%SZ")


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


def keep(  # noqa: PLR0913 - what is known of a file
    store: SnapshotStore,
    known: Known,
    accepted: Accepted,
    name: str,
    *,
    older: bool,
    obtained: str = "",
) -> Snapshot:
    """Store an accepted file; the caller holds the run lock.

    Args:
        store: Where.
        known: The document.
        accepted: The file, checked.
        name: Its name, for the record.
        older: Accept an older consolidation than one captured before.
        obtained: When it was obtained, as :func:`moment` returns it; empty where nobody says.

    Raises:
        ConfigError: it was obtained before the consolidation that it names began.
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
    if obtained and obtained[:10] < theirs:
        raise ConfigError(
            f"{name} is the consolidation from {theirs}: it cannot have been obtained on"
            f" {obtained[:10]}, before that",
            hint="say with --captured when the file was obtained from the publisher",
        )
    now = capture.now()
    captured, age_from = now, "import"
    digest = f"sha256:{hashlib.sha256(accepted.data).hexdigest()}"
    same = [one for one in held if one.digest == digest]
    if obtained:
        captured, age_from = obtained, "caller"
    elif same:
        captured, age_from = same[-1].captured, "earlier capture"
    return store.add(
        accepted.data,
        document=document,
        rendition=accepted.rendition,
        url=f"file:{name}",
        identity=accepted.identity,
        captured=captured,
        extra={
            "imported": True,
            "imported_at": now,
            "age_from": age_from,
            "identity_known": accepted.identity_known,
        },
    )


def told(store: SnapshotStore, snapshot: Snapshot) -> str:
    """Say how old an imported text counts as and on whose word, or that it is not the newest."""
    newest = capture.stored(store, snapshot.document).primary
    if newest is not None and snapshot.rendition in capture.PRIMARY:
        if newest.digest != snapshot.digest:
            return (
                "kept to compare with: runs go on with the text captured at"
                f" {newest.captured} ({newest.rendition}, consolidation from"
                f" {newest.identity.consolidated_from or 'no day named'})"
            )
        snapshot = newest if newest.captured > snapshot.captured else snapshot
    age_from = str(store.evidence(snapshot).get("age_from", "source"))
    return _AGE_FROM[age_from].format(captured=snapshot.captured)
