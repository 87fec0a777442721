"""A law, a corpus and a configuration in which every text tries to do something."""

from __future__ import annotations

import html
import json

from tests.replica.law import Law, section
from tests.unit.cli.conftest import call

PAYLOADS = (
    "<script>window.owned=1;alert(1)</script>",
    '"><img src=x onerror="window.owned=1">',
    "'><svg/onload=alert(1)>",
    "</style><style>body{display:none}</style>",
    "</title></textarea></details><iframe src=//127.0.0.1:9></iframe>",
    '<a href="javascript:alert(1)">javascript:alert(1)</a>',
    "{{ 7*7 }}{% raw %}",
    "::error::planted",
    '=HYPERLINK("http://127.0.0.1:9/x")',
    "]]> --> <!-- ⟦mark⟧ @someone",
    "\u202egnp.exe\u2066 \x1b[31mred\x1b[0m \u200b\u00ad",
)
EVERYTHING = " ".join(PAYLOADS)
PRINTABLE = " ".join(PAYLOADS[:-1])
"""What a configuration may hold: it refuses control characters."""
TITLE = 'Ferry <script>alert(1)</script> "Act", 2026'


def law():
    """An Act whose headings and sections carry the payloads, as its publisher would escape them."""
    paragraphs = tuple(
        pair
        for number, payload in enumerate(PAYLOADS[:-1], 1)
        for pair in section(
            str(number),
            f"Every ferry shall show {html.escape(payload)} at its bow.",
            html.escape(f"Duty {payload}"),
        )
    )
    return Law("statute", "26f92", TITLE, "S.O. 2026, c. 92", paragraphs)


def project(folder):
    """A verified configuration; every row differs from the law, and says more than it should."""
    act = law()
    payload = folder / "law.json"
    payload.write_text(json.dumps(act.payload()))
    (folder / "source.toml").write_text(
        '[source]\npublisher = "ontario-elaws"\nbase_url = "https://www.ontario.ca"\n'
        f"licence = {json.dumps(PRINTABLE)}\nacknowledgement = {json.dumps(PRINTABLE)}\n"
        f'[[document]]\nid = "{act.id}"\ntitle = {json.dumps(TITLE)}\n'
    )
    rows = [
        {
            "id": f"{payload}-{number}",
            "document": act.id,
            "section": str(number) if number % 3 else payload,
            "text": f"No ferry need show {payload} at its stern. {EVERYTHING}",
            "heading": payload,
        }
        for number, payload in enumerate(PAYLOADS, 1)
    ]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    config = folder / "corpusguard.toml"
    config.write_text(
        '[corpusguard]\nhistory = "history.db"\nsnapshots = "snapshots"\nsources = ["source.toml"]\n'
        '[[corpus]]\nname = "ferry"\nreader = "jsonl"\n'
        'path = "rows.jsonl"\ndocument = { field = "document" }\nrecipe = "anchored"\n'
    )
    added = call("snapshots", "add", act.id, payload, "--unnamed", "-c", config)
    assert added.exit_code == 0, added.output
    verified = call("verify", "--offline", "-q", "-c", config)
    assert verified.exit_code == 1, verified.output
    return config
