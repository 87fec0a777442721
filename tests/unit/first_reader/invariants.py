"""What must hold for any Reading, whatever was read."""

from __future__ import annotations

from corpusguard.model import Channel, Reading, Status


def check(reading: Reading) -> None:
    """Every invariant of ``corpusguard.model``, asserted on one reading."""
    assert " ".join(reading.text.split()) == reading.text.replace("\n", " ")
    at = 0
    block = -1
    for segment in reading.segments:
        gap = reading.text[at : segment.start]
        first = not at
        assert gap == ("" if first else " " if segment.block == block else "\n")
        assert segment.start < segment.end
        assert segment.block in {block, block + 1}
        assert segment.provision >= 0 or segment.channel not in {Channel.BODY, Channel.MARKER}
        at, block = segment.end, segment.block
    assert at == len(reading.text)
    pids = [p.pid for p in reading.provisions]
    assert len(set(pids)) == len(pids)
    for index, provision in enumerate(reading.provisions):
        assert 0 <= provision.start < provision.end <= len(reading.text)
        assert provision.parent < index
        if provision.parent >= 0:
            parent = reading.provisions[provision.parent]
            assert parent.start <= provision.start
            assert provision.end <= parent.end
            assert parent.status is not Status.NOT_IN_FORCE or provision.status is not None
    for segment in reading.segments:
        if segment.provision >= 0:
            provision = reading.provisions[segment.provision]
            assert provision.start <= segment.start
            assert segment.end <= provision.end
    own = {i: [] for i in range(len(pids))}
    for segment in reading.segments:
        if segment.channel in {Channel.BODY, Channel.MARKER}:
            own[segment.provision].append(reading.text[segment.start : segment.end])
    for index, provision in enumerate(reading.provisions):
        assert provision.text.split() == " ".join(own[index]).split()
    for anomaly in reading.anomalies:
        assert len(anomaly.excerpt) <= 200
        assert anomaly.kept_with == "" or anomaly.kept_with in pids
