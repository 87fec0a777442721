"""``python -m corpusguard``."""

from corpusguard.cli import main

main()
