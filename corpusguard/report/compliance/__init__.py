"""The compliance report: evidence of a run -> neutral content -> HTML, PDF, Markdown or JSON.

Three stages, each pure. ``facts`` is what the service gathers from history and snapshots; ``build``
makes ``Content`` of it, plain and safe; a renderer makes text of that. No clock, no network, no
locale: the same facts give the same bytes.
"""
