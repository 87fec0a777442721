"""The bundled sample: an invented Act and regulation, a clean and a faulty corpus of them.

* ``law/``: the masters, which people read and write; two consolidations of the Act in one file.
* ``clean.jsonl``: the passages that ingestion should store, by the recipe ``subsection``.
* ``faulty.jsonl``: the same with the faults that ``plants.json`` describes, each with the rules
  of which at least one must report it.
* ``corpusguard.toml`` and ``corpusguard-clean.toml``: the demo's two configurations.

The captured official answers are in ``snapshots/sample`` of the repository and travel in the wheel.
All of it but the masters is written by ``python -m benchmarks.build_sample`` in a checkout.
"""
