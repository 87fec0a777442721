"""Recipe ``module:function``: the user's own ingestion code, called on the official reading."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from corpusguard.corpora import mapping
from corpusguard.corpora.interface import LIMITS, Row
from corpusguard.errors import ConfigError, CorpusUnreadable
from corpusguard.model import CorpusSpec, DocumentSpec, Passage, Reading

if TYPE_CHECKING:
    from collections.abc import Callable

KEYS: Final = ("id", "document", "section", "subsection", "heading", "ordinal", "text")


def call_recipe(name: str, reading: Reading, document: DocumentSpec) -> list[Passage]:
    """Call a user's recipe and return its passages.

    Args:
        name: ``module:function``, importable where corpusguard runs.
        reading: its first argument.
        document: its second argument.

    Raises:
        ConfigError: it cannot be imported or is no function.
        CorpusUnreadable: it fails, or yields something that is no passage of this document.
    """
    function = _imported(name)
    try:
        result = function(reading, document)
        is_rows = isinstance(result, Iterable) and not isinstance(result, (str, bytes, Mapping))
        items = list(islice(result, LIMITS.recipe_items + 1)) if is_rows else None
    except Exception as error:
        # The user's code may raise anything; none of it is an internal error of ours.
        raise CorpusUnreadable(
            f"recipe {name}: {type(error).__name__}: {error}",
            hint="Call the function by hand on this document; its traceback says where.",
        ) from error
    if items is None:
        raise CorpusUnreadable(
            f"recipe {name}: returned {type(result).__name__}, expected an iterable of dicts",
            hint="Return a list, or yield one dict for each passage.",
        )
    if len(items) > LIMITS.recipe_items:
        raise CorpusUnreadable(
            f"recipe {name}: more than {LIMITS.recipe_items} passages",
            hint="Does the function end?",
        )
    spec = CorpusSpec(name=name, reader="", document=document.id)
    rows = mapping.Mapping(spec)
    return [
        rows.passage(_row(item, f"{name} item {number}", document), number)
        for number, item in enumerate(items)
    ]


def _imported(name: str) -> Callable[..., Any]:
    module_name, _, attribute = name.partition(":")
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        # Importing runs the user's module, which may raise anything.
        raise ConfigError(
            f"recipe {name}: cannot import {module_name}: {type(error).__name__}: {error}",
            hint="Install the module where corpusguard runs, or put its folder on PYTHONPATH.",
        ) from error
    function = getattr(module, attribute, None)
    if not callable(function):
        found = "is not there" if function is None else "is not a function"
        close = difflib.get_close_matches(attribute, dir(module), n=1)
        raise ConfigError(
            f"recipe {name}: {attribute} {found} in {module_name}",
            hint=f"Did you mean `{close[0]}`?" if close else "Check the name after the colon.",
        )
    return function  # type: ignore[no-any-return]


def _row(item: object, where: str, document: DocumentSpec) -> Row:
    if not isinstance(item, Mapping):
        raise CorpusUnreadable(
            f"{where}: must be a dict, not {type(item).__name__}",
            hint=f"Yield dicts with the keys {', '.join(KEYS)}.",
        )
    unknown = [str(key) for key in item if key not in KEYS]
    if unknown:
        close = difflib.get_close_matches(unknown[0], KEYS, n=1)
        raise CorpusUnreadable(
            f"{where}: unknown key {unknown[0]!r}",
            hint=f"Did you mean `{close[0]}`?" if close else f"Keys: {', '.join(KEYS)}.",
        )
    if item.get("document", document.id) != document.id:
        raise CorpusUnreadable(
            f"{where}: document is {item['document']!r}, expected {document.id!r}",
            hint="Yield passages of the document that the function was given.",
        )
    return Row(where, dict(item))
