"""Results for people: one HTML page that needs nothing else, and Markdown.

Everything comes from files that others may have written, so all text is escaped; the page's
Content-Security-Policy lets it load nothing and run nothing.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, StrictUndefined

from corpusguard.measure.gate import page_items, page_judge
from corpusguard.measure.gate.items import Kind, Tier
from corpusguard.measure.gate.judge_figures import no_result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_HEADS: Final = ("", "Rate", "Cases", "95% interval (Wilson)", "by section (bootstrap)", "Bound")

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; --soft: #8881; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; }
h1, p { overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .7rem; border-bottom: 1px solid var(--line); }
thead th { background: var(--soft); } tbody th { font-weight: normal; }
td { white-space: nowrap; } td:has(code) { white-space: normal; }
.big { display: flex; flex-wrap: wrap; gap: 1rem; }
.big div { border: 1px solid var(--line); border-radius: .4rem; padding: .7rem 1rem; }
.big div { flex: 1 1 14rem; }
.nothing { border: 2px solid; padding: .7rem 1rem; }
.big b { display: block; font-size: 1.8rem; }
code { overflow-wrap: anywhere; }
"""

_PAGE: Final = (
    """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';
 style-src 'sha256-{{ style_hash }}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
<style>"""
    + _STYLE
    + """</style>
</head>
<body>
<main>
<h1>{{ title }}</h1>
<p>{{ scope }}</p>
{%- if nothing %}
<p role="note" class="nothing"><strong>This is no result:</strong> {{ nothing }}.</p>
{%- endif %}
<div class="big">
{%- for name, row in big %}
<div>{{ name }}<b>{{ row[1] }}</b>{{ row[2] }}; 95%: {{ row[3] }}
{%- if row[5] and row[1] == "0.0%" %}; bound {{ row[5] }}{% endif %}</div>
{%- endfor %}
</div>
{%- if bars %}
<h2 id="bars">Bars that were set before the run</h2>
<div class="scroll" role="region" aria-labelledby="bars" tabindex="0"><table>
<thead><tr><th scope="col">Figure</th><th scope="col">Bar</th><th scope="col">Came</th>
<th scope="col">Result</th></tr></thead>
<tbody>
{%- for bar in bars %}
<tr><th scope="row">{{ bar[0] }}</th>
{%- for cell in bar[1:] %}<td>{{ cell }}</td>{% endfor %}</tr>
{%- endfor %}
</tbody></table></div>
{%- endif %}
{%- for number, heading, note, rows in tables %}
<h2 id="t{{ number }}">{{ heading }}</h2>
<p>{{ note }}</p>
<div class="scroll" role="region" aria-labelledby="t{{ number }}" tabindex="0">
<table><thead><tr>
{%- for head in heads %}<th scope="col">{{ head or "Items" }}</th>{% endfor %}</tr></thead>
<tbody>
{%- for row in rows %}
<tr><th scope="row">{{ row[0] }}</th>{% for cell in row[1:] %}<td>{{ cell }}</td>{% endfor %}</tr>
{%- endfor %}
</tbody></table></div>
{%- endfor %}
{%- if items %}
<h2 id="items">{{ items_head }}</h2>
<p>{{ items_note }}</p>
<div class="scroll" role="region" aria-labelledby="items" tabindex="0"><table>
<thead><tr>
{%- for head in items_heads %}<th scope="col">{{ head }}</th>{% endfor %}</tr></thead>
<tbody>
{%- for row in items %}
<tr><th scope="row">{{ row[0] }}</th>{% for cell in row[1:] %}<td>{{ cell }}</td>{% endfor %}</tr>
{%- endfor %}
</tbody></table></div>
{%- endif %}
{%- if judge %}
<h2 id="judge">The judge</h2>
<div class="scroll" role="region" aria-labelledby="judge" tabindex="0"><table><tbody>
{%- for name, value in judge %}
<tr><th scope="row">{{ name }}</th><td>{{ value }}</td></tr>
{%- endfor %}
</tbody></table></div>
{%- endif %}
{%- if wrong %}
<h2 id="wrong">What the judge got wrong, or gave no verdict on</h2>
<div class="scroll" role="region" aria-labelledby="wrong" tabindex="0"><table>
<thead><tr>
{%- for head in wrong_heads %}<th scope="col">{{ head }}</th>{% endfor %}</tr></thead>
<tbody>
{%- for row in wrong %}
<tr><th scope="row">{{ row[0] }}</th>{% for cell in row[1:-1] %}<td>{{ cell }}</td>{% endfor %}
<td><code>{{ row[-1] }}</code></td></tr>
{%- endfor %}
</tbody></table></div>
{%- endif %}
<h2 id="run">What was measured</h2>
<div class="scroll" role="region" aria-labelledby="run" tabindex="0"><table><tbody>
{%- for name, value in facts %}
<tr><th scope="row">{{ name }}</th><td><code>{{ value }}</code></td></tr>
{%- endfor %}
</tbody></table></div>
</main>
</body>
</html>
"""
)


def html_page(results: Mapping[str, Any]) -> str:
    """Return results as one page of HTML."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    digest = b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    return environment.from_string(_PAGE).render(**_content(results), style_hash=digest)


def markdown_page(results: Mapping[str, Any]) -> str:
    """Return results as Markdown."""
    content = _content(results)
    lines = [f"# {_cell(content['title'])}", "", _cell(content["scope"]), ""]
    if content["nothing"]:
        lines += [f"**This is no result:** {_cell(content['nothing'])}.", ""]
    if content["bars"]:
        lines += ["## Bars that were set before the run", ""]
        lines += _table(("Figure", "Bar", "Came", "Result"), content["bars"])
    for _, heading, note, rows in content["tables"]:
        lines += [f"## {heading}", "", note, ""]
        lines += _table(("Items", *_HEADS[1:]), rows)
    if content["items"]:
        lines += [f"## {content['items_head']}", "", content["items_note"], ""]
        lines += _table(page_items.HEADS, content["items"])
    if content["judge"]:
        lines += ["## The judge", "", *_table(("", ""), content["judge"])]
    if content["wrong"]:
        lines += ["## What the judge got wrong, or gave no verdict on", ""]
        lines += _table(page_judge.WRONG_HEADS, content["wrong"])
    lines += ["## What was measured", ""]
    lines += _table(("", ""), content["facts"])
    return "\n".join(lines)


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    lines += [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows]
    return [*lines, ""]


def _cell(text: str) -> str:
    """Return foreign text as Markdown that shows it and does nothing."""
    plain = " ".join(text.split())
    return "".join(f"\\{one}" if one in "\\`*_{}[]<>|#!~&" else one for one in plain)


def _content(results: Mapping[str, Any]) -> dict[str, Any]:
    run, figures = results["run"], results["figures"]
    shares = figures["shares"]
    subject = str(run["subject"].get("subject", "?"))
    half = "Sealed half" if run["half"] == "sealed" else "Dev half (free to tune on)"
    items = figures["items"]
    scope = (
        f"{half} of the fixture {run['fixture']}, version {run['fixture_version']}: "
        f"{items} {'item' if items == 1 else 'items'}, of which {figures['set_aside']} "
        f"{'is' if figures['set_aside'] == 1 else 'are'} contested and set aside."
    )
    if run.get("attempt"):
        scope += f" Sealed run {run['attempt']} of at most 2 for the design {run['design']}."
    judged = results.get("judge")
    tables = [
        (
            "Both errors",
            page_items.BOTH_ERRORS,
            _rows(shares, ("false_pass", "false_strip", "lost", "errors", "paired")),
        ),
        (
            "Unsupported sentences that shipped, by kind",
            "What was wrong with the sentence.",
            _rows(shares, [f"kind.{kind}" for kind in Kind]),
        ),
        (
            "Supported sentences that were lost, by tier",
            "How far the sentence is from the words of the law.",
            _rows(shares, [f"tier.{tier}" for tier in Tier]),
        ),
        (
            "By origin, and where all labellers agree",
            "Natural: written freely. Constructed: made from the law by a rule.",
            _rows(
                shares,
                [
                    f"{part}.{what}"
                    for part in ("natural", "constructed", "unanimous")
                    for what in ("pass", "lost")
                ],
            ),
        ),
    ]
    if judged is not None:
        tables.append(
            (
                "What reached the judge",
                "The rest are quotations, or a veto objects: no judge is asked about them.",
                _rows(judged["shares"], ("false_pass", "false_strip", "errors")),
            )
        )
    return {
        "title": f"Error rates of {subject}",
        "scope": scope,
        "big": [
            (name, _row(name, shares[key]))
            for name, key in (("False pass", "false_pass"), ("False strip", "false_strip"))
        ]
        + [("Errors", _row("Errors", shares["errors"]))],
        "bars": [_bar(bar) for bar in results["bars"]],
        "tables": [(n, *table) for n, table in enumerate(tables, 1)],
        "heads": _HEADS,
        "facts": _facts(results),
        "items_head": page_items.HEAD,
        "items_heads": page_items.HEADS,
        "items_note": page_items.note(results),
        "items": page_items.rows(results),
        "nothing": no_result(results),
        "judge": [] if judged is None else page_judge.facts(judged),
        "wrong_heads": page_judge.WRONG_HEADS,
        "wrong": [] if judged is None else page_judge.wrong(judged),
    }


_NAMES: Final = {
    "false_pass": "False pass",
    "false_strip": "False strip",
    "lost": "Lost (false strip or error)",
    "errors": "Errors, of all",
    "paired": "False pass where the sound sentence ships",
}


def _rows(shares: Mapping[str, Any], names: Sequence[str]) -> list[tuple[str, ...]]:
    return [_row(_NAMES.get(name) or _name(name), shares[name]) for name in names]


def _name(name: str) -> str:
    kind, _, rest = name.partition(".")
    if kind in ("kind", "tier"):
        return rest.replace("_", " ")
    return f"{kind}: {'false pass' if rest == 'pass' else 'lost'}"


def _row(name: str, share: Mapping[str, Any]) -> tuple[str, ...]:
    if not share["total"]:
        return name, "no items", "0 of 0", "", "", ""
    if share["rule_of_three"] is not None:
        noun = "family" if share["families"] == 1 else "families"
        bound = f"≤ {_percent(share['upper'])}, of {share['families']} {noun} without a case"
    else:
        bound = f"≤ {_percent(share['upper'])}"
    return (
        name,
        _percent(share["rate"]),
        f"{share['hits']} of {share['total']}",
        _interval(share["wilson"]),
        _interval(share["bootstrap"]) if share["bootstrap"] else "degenerate",
        bound,
    )


def _bar(bar: Mapping[str, Any]) -> tuple[str, ...]:
    if bar["bar"] == "upper":
        promised, came = f"bound at most {_percent(bar['at_most'])}", _percent(bar["came"])
    else:
        promised, came = f"at most {bar['at_most']} cases", str(bar["came"])
    return str(bar["figure"]), promised, came, "held" if bar["held"] else "broken"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}%"


def _interval(bounds: list[float]) -> str:
    return f"{_percent(bounds[0])} to {_percent(bounds[1])}"


def _facts(results: Mapping[str, Any]) -> list[tuple[str, str]]:
    run = results["run"]
    facts = [(str(name), str(value)) for name, value in sorted(run["subject"].items())]
    keys = (
        ("subject_digest", "digest of the subject"),
        ("fixture_digest", "digest of the fixture"),
        ("half_digest", "digest of the half"),
        ("preregistration_digest", "digest of the preregistration"),
        ("design", "design"),
        ("ledger_head", "ledger, before the run"),
        ("started", "started"),
    )
    facts += [(name, str(run[key])) for key, name in keys if run.get(key)]
    return [*facts, ("digest of the verdicts", str(results["verdicts"]))]
