"""Who holds the other end of a pipe of ours, as Linux tells it; elsewhere nobody is found.

``/proc/PID/fd`` names each open pipe by its inode, ``/proc/PID/fdinfo`` whether it is written to
(https://man7.org/linux/man-pages/man5/proc_pid_fd.5.html). Nothing but what a child was given our
pipe by, directly or not, can write to it, so what is found was started by that child.
"""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PROC: Final = Path("/proc")
_ROUNDS: Final = 20
"""A process may start another while it is looked for; what outruns this many looks stays."""


class HasDescriptor(Protocol):
    """An open file."""

    def fileno(self) -> int:
        """Return its descriptor."""


def kill_holders(pipes: Sequence[HasDescriptor]) -> int:
    """Kill every process of ours that can write into one of ``pipes``; return how many."""
    if (
        not pipes
        or not hasattr(signal, "pidfd_send_signal")
        or not _PROC.joinpath("self/fdinfo").is_dir()
    ):
        return 0
    names = set()
    for pipe in pipes:
        with contextlib.suppress(OSError, ValueError):  # closed already
            names.add(f"pipe:[{os.fstat(pipe.fileno()).st_ino}]")
    killed: set[int] = set()
    for _ in range(_ROUNDS):
        found = {pid for pid in _processes() if pid not in killed and _kill(pid, names)}
        if not found:
            break
        killed |= found
    return len(killed)


def _processes() -> Iterator[int]:
    ours = os.getpid()
    for folder in _PROC.iterdir():
        if folder.name.isdecimal() and int(folder.name) != ours:
            yield int(folder.name)


def _kill(pid: int, names: set[str]) -> bool:
    """Kill a process if it holds one of the pipes.

    It is looked at through a handle that was opened before, so that the number of a process that
    has ended meanwhile cannot be another's.
    """
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        if not _writes(pid, names):
            return False
        signal.pidfd_send_signal(handle, signal.SIGKILL)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


def _writes(pid: int, names: set[str]) -> bool:
    folder = _PROC / str(pid)
    try:
        links = list((folder / "fd").iterdir())
    except OSError:  # another user's, or gone
        return False
    for link in links:
        with contextlib.suppress(OSError, ValueError, StopIteration):
            if str(link.readlink()) not in names:
                continue
            lines = (folder / "fdinfo" / link.name).read_text().splitlines()
            flags = next(line.split()[1] for line in lines if line.startswith("flags:"))
            if int(flags, 8) & os.O_ACCMODE != os.O_RDONLY:
                return True
    return False
