"""corpusguard: proves that a stored legal corpus still says what the official source says."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("corpusguard-law")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"
