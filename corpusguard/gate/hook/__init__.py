"""The memory-write gate: what an agent may write down to believe next time.

``toolcall`` reads an agent's pre-write hook JSON, ``writes`` and ``shell`` say what it would put
into which file, ``statements`` which of that is a claim, ``checker`` whether the verified corpus
bears it out, and ``memory`` decides. Whatever is not a pass blocks. ``afterwards`` asks the same of
the files as they are then (``present``), against the texts last accepted (``accepted``).
"""
