"""The files that travel with the program: the sample, and the sources to start from."""

from pathlib import Path
from typing import Final

import corpusguard

_PACKAGE: Final = Path(corpusguard.__file__).parent
_SAMPLE: Final = _PACKAGE / "sample"


def sample_folder() -> Path:
    """Return the folder with the sample's configuration, corpora and plants."""
    return _SAMPLE


def snapshots_folder() -> Path:
    """Return the sample's snapshot store."""
    return _first(_SAMPLE / "snapshots", _PACKAGE.parent / "snapshots" / "sample")


def sources_folder() -> Path:
    """Return the folder with the bundled ``sources/*.toml``."""
    return _first(_SAMPLE / "sources", _PACKAGE.parent / "sources")


def _first(packaged: Path, checkout: Path) -> Path:
    """Return the wheel's own copy where there is one, else the repository's original."""
    return packaged if packaged.is_dir() else checkout
