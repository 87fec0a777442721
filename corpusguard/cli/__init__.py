"""The command line: arguments in, one service call, an exit code out.

Data goes to standard output, everything else to standard error. The exit codes are those of
``docs`` and of every ``--help``; when several hold, the order is 70, 4, 1, 3, 0.
"""

from corpusguard.cli.app import app, run

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line and leave the process with its exit code."""
    run()
