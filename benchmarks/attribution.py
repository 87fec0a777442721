"""How many provisions of a law must be attributed, because the law takes from them elsewhere?

    python benchmarks/attribution.py ../shared/data/elaws/06r17_e.docx --title "Residential …, 2006"

Prints, of the provisions in force, how many another subsection of their section takes from, how
many another section takes from besides, and which sections do.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from corpusguard import first_reader
from corpusguard.gate.derogations import derogations, taken
from corpusguard.gate.limits import excepted
from corpusguard.model import Rendition
from corpusguard.service.provisions import Law, whole_provisions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("law", type=Path, help="a document as e-Laws gives it (.docx or .json)")
    parser.add_argument("--title", default="", help="of the law, to tell its own sections apart")
    asked = parser.parse_args()
    rendition = Rendition.DOCX if asked.law.suffix == ".docx" else Rendition.PAYLOAD
    law = Law(asked.title, whole_provisions(first_reader.read(asked.law.read_bytes(), rendition)))
    force = [one for one in law.provisions if one.in_force]
    found = derogations(((one.section, one.subsection, one.law) for one in force), asked.title)
    beside, elsewhere = 0, Counter[str]()
    for one in force:
        around = law.around((one.section,))
        if around and excepted(around, one.section, one.subsection):
            beside += 1
        elif said := taken(found, one.section, one.subsection):
            elsewhere[said.partition(":")[0]] += 1
    print(f"provisions in force: {len(force)}")
    print(f"another subsection of their section takes from: {beside}")
    print(f"another section takes from, besides: {elsewhere.total()}")
    for place, times in elsewhere.most_common():
        print(f"  {place}: {times}")


if __name__ == "__main__":
    main()
