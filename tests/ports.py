"""A port at which nobody answers."""

from __future__ import annotations

import contextlib
import socket


@contextlib.contextmanager
def refusing_port():
    """A port of this machine that refuses: bound, so that nobody else takes it meanwhile."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]
