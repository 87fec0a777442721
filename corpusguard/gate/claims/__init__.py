"""Tiered verification of one claim against its source of record: ``check-claim``.

``check`` runs the calls in their order, each in a process of its own (``calls``, ``worker``);
``replies`` reads what comes back, strictly; ``trace`` keeps every call with its inputs.
"""
