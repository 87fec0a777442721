"""A small invented law as a reading, and what is asked of it."""

from __future__ import annotations

from corpusguard.layers import Inputs, check_document
from corpusguard.model import (
    Channel,
    Context,
    DocumentSpec,
    Identity,
    Kind,
    Passage,
    Provision,
    Reading,
    Rendition,
    Segment,
    Status,
)

ACT = DocumentSpec("ca-on/statute/99z02@en", "Toll Bridges Act")
H, M, B, N = Channel.HEADNOTE, Channel.MARKER, Channel.BODY, Channel.HISTORY
NOW, LATER, GONE = Status.IN_FORCE, Status.NOT_IN_FORCE, Status.REPEALED

BRIDGES = (
    ("1", "", H, NOW, "Duty of the toll keeper"),
    ("1", "", M, NOW, "1"),
    ("1", "1", M, NOW, "(1)"),
    ("1", "1", B, NOW, "The toll keeper shall open the bridge within 30 minutes of a request."),
    ("1", "1", N, NOW, "2011, c. 4, s. 1 (1)."),
    ("1", "2", H, NOW, "Night"),
    ("1", "2", M, NOW, "(2)"),
    ("1", "2", B, NOW, "At night the “lamp” on the north pier must not be put out."),
    ("1", "2", N, NOW, "2011, c. 4, s. 1 (2)."),
    ("1", "2", M, LATER, "(2)"),
    ("1", "2", B, LATER, "At night every lamp on both piers shall burn until the sun is up."),
    ("2", "", H, NOW, "Tolls"),
    ("2", "", M, NOW, "2"),
    ("2", "", B, NOW, "A toll of $4 is payable for a cart, except a cart that carries the post."),
    ("2", "", N, NOW, "2011, c. 4, s. 2."),
    ("3", "", M, GONE, "3"),
    ("3", "", B, GONE, "Repealed:"),
    ("3", "", N, GONE, "2019, c. 2, s. 8."),
    ("4", "", H, NOW, "Boats"),
    ("4", "", M, NOW, "4"),
    ("4", "", B, NOW, "No boat may lie under the bridge for longer than one hour on a market day."),
    ("4", "", N, NOW, "2011, c. 4, s. 4."),
)


def reading(rows=BRIDGES, consolidated_from="2024-05-01"):
    """One block a row; a section is a provision, and so is each numbered subsection."""
    text = ""
    segments, provisions, known = [], [], {}
    for block, (section, subsection, channel, status, words) in enumerate(rows):
        text += "\n" if text else ""
        for key in ((section, ""), (section, subsection)):
            if (*key, status is LATER) not in known:
                known[*key, status is LATER] = len(provisions)
                provisions.append(_provision(*key, status, len(text)))
        owner = known[section, subsection, status is LATER]
        segments.append(Segment(len(text), len(text) + len(words), channel, owner, status, block))
        text += words
    heads = {}
    own = {}
    for segment in segments:
        words = text[segment.start : segment.end]
        if segment.channel is H:
            heads.setdefault(segment.provision, []).append(words)
        elif segment.channel in (M, B):
            own.setdefault(segment.provision, []).append(words)
    done = tuple(
        Provision(
            **{
                **{name: getattr(node, name) for name in node.__slots__},
                "heading": " / ".join(heads.get(n, [])),
                "text": " ".join(own.get(n, [])),
            }
        )
        for n, node in enumerate(provisions)
    )
    identity = Identity(title="Toll Bridges Act", consolidated_from=consolidated_from)
    return Reading(Rendition.PAYLOAD, identity, text, tuple(segments), done, (), ())


def _provision(section, subsection, status, start):
    return Provision(
        pid=f"sec_{section}" + (f"__subsec_{subsection}" if subsection else ""),
        kind=Kind.SUBSECTION if subsection else Kind.SECTION,
        number=subsection or section,
        label=subsection or section,
        parent=-1,
        section=section,
        subsection=subsection,
        heading="",
        text="",
        status=status,
        context=Context.BODY,
        start=start,
        end=start,
    )


def stored(section, rows=BRIDGES, *, subsection="", channels=(M, B), status=NOW):
    """The text of a section as a corpus stores it: numbers and law, line by line."""
    return "\n".join(
        words
        for where, inner, channel, state, words in rows
        if where == section
        and channel in channels
        and state in (status, GONE)
        and (not subsection or inner == subsection)
    )


def passage(text, section="1", row=0, **fields):
    return Passage(row, fields.pop("id", f"row-{row}"), ACT.id, text, section=section, **fields)


def check(passages, rows=BRIDGES, layers=("L1",), **fields):
    """The result of checking passages against the small law."""
    inputs = Inputs(
        document=ACT,
        corpus="small",
        reading=reading(rows),
        passages=passages,
        layers=layers,
        **fields,
    )
    return check_document(inputs)


def told(result):
    return [(f.rule, f.section) for f in result.findings]
