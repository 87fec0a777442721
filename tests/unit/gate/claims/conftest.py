"""The fixtures of ``tests.unit.gate.tiers``."""

from tests.unit.gate.tiers import configured, corpus, verified_sample

__all__ = ["configured", "corpus", "verified_sample"]
