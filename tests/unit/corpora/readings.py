"""Readings built by hand: what the first reader would say of a small invented law."""

from itertools import count

from corpusguard.model import (
    Channel,
    Context,
    Identity,
    Kind,
    Provision,
    Reading,
    Rendition,
    Segment,
    Status,
)

MARKER, BODY, HISTORY, HEADNOTE = Channel.MARKER, Channel.BODY, Channel.HISTORY, Channel.HEADNOTE


class Builder:
    """Adds provisions and printed blocks in order; ``reading()`` checks nothing and hides nothing."""

    def __init__(self):
        self._provisions, self._segments, self._text = [], [], []
        self._length = 0
        self._blocks = count()

    def provision(
        self, pid, kind, section, subsection="", parent=-1, status=Status.IN_FORCE, heading=""
    ):
        number = pid.rsplit("_", 1)[-1]
        self._provisions.append(
            Provision(
                pid,
                kind,
                number,
                number,
                parent,
                section,
                subsection,
                heading,
                "",
                status,
                Context.BODY,
                0,
                0,
            )
        )
        return len(self._provisions) - 1

    def block(self, *runs, status=Status.IN_FORCE):
        """Print one block of ``(channel, text, provision)`` runs."""
        block = next(self._blocks)
        for number, (channel, text, provision) in enumerate(runs):
            if self._text:
                self._text.append(" " if number else "\n")
                self._length += 1
            self._segments.append(
                Segment(self._length, self._length + len(text), channel, provision, status, block)
            )
            self._text.append(text)
            self._length += len(text)

    def reading(self):
        return Reading(
            Rendition.PAYLOAD,
            Identity(),
            "".join(self._text),
            tuple(self._segments),
            tuple(self._provisions),
            (),
            (),
        )


def market_law():
    """Return a small law with each shape that a recipe must handle."""
    b = Builder()
    front = -1
    b.block((Channel.FRONT, "Stall Keeping Act", front))
    b.block((Channel.CONTENTS, "1 Stalls", front))
    pre1 = b.provision("preamble", Kind.PREAMBLE, "Preamble")
    b.block((BODY, "Whereas stalls are many;", pre1))
    pre2 = b.provision("preamble~2", Kind.PREAMBLE, "Preamble")
    b.block((BODY, "and quays are few:", pre2))
    part = b.provision("part_I", Kind.PART, "", heading="Stalls")
    b.block((Channel.HEADING, "PART I Stalls", part))

    s1 = b.provision("sec_1", Kind.SECTION, "1", parent=part, heading="Keeping")
    s1a = b.provision("sec_1__subsec_1", Kind.SUBSECTION, "1", "1", s1)
    b.block((HEADNOTE, "Keeping", s1))
    b.block(
        (MARKER, "1", s1),
        (MARKER, "(1)", s1a),
        (BODY, "A keeper shall,", s1a),
        (HISTORY, "2019, c. 31, s. 1.", s1a),
    )
    clause = b.provision("sec_1__subsec_1__cl_a", Kind.CLAUSE, "1", "1", s1a)
    b.block((MARKER, "(a)", clause), (BODY, "sweep; and", clause))
    s1b = b.provision("sec_1__subsec_2", Kind.SUBSECTION, "1", "2", s1, heading="Rain")
    b.block((HEADNOTE, "Rain", s1b))
    b.block((MARKER, "(2)", s1b), (BODY, "Not in rain.", s1b))
    flush = b.provision("sec_1__flush_1", Kind.FLUSH, "1", "", s1)
    b.block((BODY, "This is flush.", flush))
    future = b.provision("sec_1__subsec_3", Kind.SUBSECTION, "1", "3", s1, Status.NOT_IN_FORCE)
    b.block((Channel.NOTE, "Note: On a day to be named,", s1), status=Status.IN_FORCE)
    b.block((MARKER, "(3)", future), (BODY, "Future words.", future), status=Status.NOT_IN_FORCE)

    s2 = b.provision("sec_2", Kind.SECTION, "2", parent=part, status=Status.REPEALED)
    b.block(
        (MARKER, "2", s2),
        (BODY, "Repealed", s2),
        (HISTORY, "2021, c. 2, s. 3.", s2),
        status=Status.REPEALED,
    )
    s3 = b.provision("sec_3", Kind.SECTION, "3", parent=part, status=Status.NOT_IN_FORCE)
    b.block((MARKER, "3", s3), (BODY, "Future section.", s3), status=Status.NOT_IN_FORCE)
    for pid in ("sec_4", "sec_4~2"):
        s4 = b.provision(pid, Kind.SECTION, "4", parent=part)
        b.block((MARKER, "4", s4), (BODY, f"Words of {pid}.", s4))

    sched = b.provision("sched_2", Kind.SCHEDULE, "Sched. 2", heading="Dues")
    b.block((Channel.HEADING, "Schedule 2", sched))
    inner = b.provision("sched_2__sec_1", Kind.SECTION, "Sched. 2, 1", parent=sched)
    b.block((MARKER, "1.", inner), (BODY, "Dues are due.", inner))
    table = b.provision("sched_2__table_1", Kind.TABLE, "Sched. 2, Table 1", parent=sched)
    tr = b.provision("sched_2__table_1__row_1", Kind.ROW, "Sched. 2, Table 1", parent=table)
    b.block((BODY, "Stall", tr))
    b.block((BODY, "$5", tr))
    form = b.provision("form_1", Kind.FORM, "Form 1")
    b.block((Channel.HEADING, "Form 1", form))
    b.block((Channel.PLACEHOLDER, "[image: a form]", form))
    return b.reading()
