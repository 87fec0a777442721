"""Error rates of a sentence gate: fixtures, blind labels, sealed runs, figures."""
