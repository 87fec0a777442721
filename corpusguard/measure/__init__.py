"""Error rates: faults planted on purpose, and what a verifier makes of them."""
