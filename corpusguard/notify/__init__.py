"""Telling people and machines what a run found: messages, dead-man pings, metrics.

``before``, ``after`` and ``failed`` are all that a caller needs. What to say is decided by pure
functions (``decide``, ``message``, ``metrics.render``); only ``ping`` and ``sender`` open sockets.
"""

from __future__ import annotations

from corpusguard.notify.hooks import Begun, after, before, failed

__all__ = ["Begun", "after", "before", "failed"]
