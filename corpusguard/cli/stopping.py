"""A command that ends with 0 or 2, whatever happens to its process.

What cannot be caught: SIGKILL, SIGSTOP, a fault of the processor (SIGSEGV and its like), and any
signal while the interpreter is still starting.
"""

import os
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Final, NoReturn

BLOCKS: Final = 2
_LEFT_ALONE: Final = frozenset(
    getattr(signal, name)
    for name in (
        "SIGKILL SIGSTOP SIGSEGV SIGBUS SIGFPE SIGILL SIGCHLD SIGCONT SIGTSTP SIGTTIN SIGTTOU "
        "SIGURG SIGWINCH SIGPIPE SIGXFSZ"
    ).split()
    if hasattr(signal, name)
)
"""Not to be caught; or a fault, after which going on repeats it; or no end of the process. SIGPIPE
and SIGXFSZ are errors of the write, which are handled there: Python ignores both signals."""
_HOOKS: Final = frozenset({"memory-write", "memory-check"})
_COMPLETION: Final = "_CORPUSGUARD_COMPLETE"
"""With this variable a command line prints its completions and ends with 0, whatever it says."""
_IN_CHARGE: Final = threading.Event()
"""Set where the process is ours to end: not in a program that calls the commands."""
_GRACE: Final = 2.0
"""Seconds for what ends by itself when its time is over, and for saying so."""


class Stopped(BaseException):
    """A signal; an exception, so that processes that were started are ended."""


def is_hook(arguments: list[str]) -> bool:
    """Tell whether the arguments are those of ``hook memory-write`` or ``hook memory-check``."""
    return "hook" in arguments and not _HOOKS.isdisjoint(arguments)


def run_blocking(command: Callable[[], None]) -> NoReturn:
    """Run ``command`` and leave the process: 0 where it ends with 0, and 2 otherwise.

    The interpreter's own end is left out: it would write what is still in the streams, and make
    120 of the code where a disk is full.
    """
    stopped: list[int] = []
    code = BLOCKS
    _IN_CHARGE.set()

    def stop(number: int, _frame: FrameType | None) -> None:
        if stopped:  # the first one has been raised, and whoever sends a second will not wait
            os._exit(BLOCKS)
        stopped.append(number)
        raise Stopped(f"stopped by signal {number} ({signal.strsignal(number)})")

    try:
        os.environ.pop(_COMPLETION, None)
        _open_streams()
        _take_signals(stop)
        command()
        code = 0
    except SystemExit as error:
        code = BLOCKS if error.code else 0
    except BaseException as error:  # noqa: BLE001 (whatever it is, it is no pass)
        with suppress(BaseException):
            _say(f"corpusguard: blocked: {traceback.format_exception_only(error)[-1].strip()}")
    with suppress(BaseException):
        _flush()
    os._exit(BLOCKS if stopped else code)


def end_after(seconds: float) -> None:
    """Leave the process with 2 when it is still there soon after ``seconds``.

    An exception raised by a signal does not end everything: a call into C goes on until it returns,
    an object's end swallows it, and a message that nobody reads is written after it.
    """
    if not _IN_CHARGE.is_set():
        return

    def end() -> None:
        time.sleep(seconds + _GRACE)
        with suppress(BaseException):
            if select.select([], [2], [], 0)[1]:
                os.write(2, b"corpusguard: blocked: it did not end when its time was over\n")
        os._exit(BLOCKS)

    with suppress(RuntimeError):  # no thread is to be had; the signal is left
        threading.Thread(target=end, daemon=True).start()


def _open_streams() -> None:
    """Put nothing in the place of closed streams, or a database would get their numbers."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _take_signals(stop: Callable[[int, FrameType | None], None]) -> None:
    for number in signal.valid_signals() - _LEFT_ALONE:
        with suppress(OSError, ValueError):  # some the system keeps for itself
            signal.signal(number, stop)
    # Signals that the parent held back, too: the time limit is one.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())


def _say(text: str) -> None:
    with suppress(OSError):
        os.write(2, f"{text}\n".encode("utf-8", "backslashreplace"))


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            if stream is not None:
                stream.flush()
