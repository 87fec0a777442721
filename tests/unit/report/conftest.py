"""A verified copy of the bundled sample, as the tests of the command line have it."""

from tests.unit.cli.conftest import sample, verified

__all__ = ["sample", "verified"]
