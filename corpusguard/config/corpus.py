"""``[[corpus]]``: where a stored corpus is, how its rows are read, how it was made."""

from __future__ import annotations

import re
from string import Formatter
from typing import TYPE_CHECKING, Final

from corpusguard.config.sources import PUBLISHERS, is_document_id
from corpusguard.config.table import nearest
from corpusguard.model import CorpusSpec

if TYPE_CHECKING:
    from corpusguard.config.table import Table

READERS: Final = {
    "jsonl": ("path",),
    "json": ("path", "rows"),
    "csv": ("path",),
    "sqlite": ("path", "query"),
    "markdown": ("path",),
    "exec": ("command",),
}
"""Reader -> the keys that say what it reads; the others are refused beside it."""

FIELDS: Final = ("id", "text", "section", "subsection", "heading", "ordinal")
"""What `fields` may map. `document` and `status` have keys of their own."""

TEMPLATE_NAMES: Final = ("title", "section", "subsection", "heading", "text")
PREFIX_NAMES: Final = ("title", "citation", "code", "id", "section", "subsection", "heading")

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_CALLABLE: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*", re.ASCII)
_MAX_AGE_LIMIT: Final = 3_650 * 86_400
"""Ten years, in seconds: an archive may be content with old captures, a mistyped zero is not."""
_EXAMPLE: Final = next(iter(PUBLISHERS.values())).example


def load_corpus(table: Table) -> CorpusSpec:
    """Turn one ``[[corpus]]`` table into its spec.

    Raises:
        ConfigError: a key is unknown, missing, of the wrong type, out of range, or does not
            belong to the reader or recipe chosen.
    """
    name = table.text("name")
    if not _NAME.fullmatch(name):
        raise table.fail("name", name, "1 to 64 letters, digits, '.', '_' or '-'")
    table.name = f'[[corpus]] "{name}"'
    reader = table.choice("reader", tuple(READERS))
    path, rows, query = table.text("path", ""), table.text("rows", ""), table.text("query", "")
    command = table.texts("command", expand=True)
    _check_reader_keys(
        table, reader, {"path": path, "rows": rows, "query": query, "command": command}
    )
    document, document_field = _document(table)
    recipe = table.text("recipe", "anchored")
    spec = CorpusSpec(
        name=name,
        reader=reader,
        path=path,
        rows=rows,
        query=query,
        command=command,
        document=document,
        document_field=document_field,
        recipe=_recipe(table, recipe),
        template=_template(table, recipe),
        fields=table.mapping("fields", FIELDS),
        status_field=table.text("status", ""),
        as_of=table.day("as_of"),
        max_age_seconds=table.duration("max_age", "36h", _MAX_AGE_LIMIT),
        strip_prefix=_checked_template(table, "strip_prefix", PREFIX_NAMES),
    )
    table.done()
    return spec


def _check_reader_keys(table: Table, reader: str, given: dict[str, object]) -> None:
    wanted = READERS[reader]
    for key, value in given.items():
        if value and key not in wanted:
            shown = "(a value)" if key == "command" else value
            raise table.fail(key, shown, f"no `{key}` beside reader = {reader!r}")
        # rows may be absent: the file can be the array itself.
        if not value and key in wanted and key != "rows":
            raise table.fail(key, value, f"a value, which reader = {reader!r} needs")


def _document(table: Table) -> tuple[str, str]:
    """Read ``document``; return the fixed id and the field, one of which at least is empty."""
    value = table.take("document")
    if value is None:
        return "", ""
    expected = f'a document id such as "{_EXAMPLE}", or {{ field = "…" }}'
    if isinstance(value, dict):
        if set(value) != {"field"}:
            wrong = next((key for key in value if key != "field"), "")
            raise table.fail("document", value, expected, nearest(wrong, ("field",)))
        field = table.checked_text("document.field", value["field"])
        if not field:
            raise table.fail("document", value, expected)
        return "", field
    identifier = table.checked_text("document", value)
    if not is_document_id(identifier):
        raise table.fail("document", identifier, expected)
    return identifier, ""


def _recipe(table: Table, recipe: str) -> str:
    known = ("anchored", "section", "subsection")
    if recipe not in known and not _CALLABLE.fullmatch(recipe):
        raise table.fail(
            "recipe",
            recipe,
            "'anchored', 'section', 'subsection' or 'module:function'",
            nearest(recipe, known),
        )
    return recipe


def _template(table: Table, recipe: str) -> str:
    template = _checked_template(table, "template", TEMPLATE_NAMES)
    if template and recipe not in {"section", "subsection"}:
        raise table.fail("template", template, "no template beside this recipe")
    if template and "{text}" not in template:
        raise table.fail("template", template, "a template that holds {text}")
    return template


def _checked_template(table: Table, key: str, names: tuple[str, ...]) -> str:
    """Take a template; only plain names in braces are allowed (no attribute, index or format)."""
    template = table.text(key, "")
    expected = "text with " + ", ".join(f"{{{name}}}" for name in names)
    try:
        parts = list(Formatter().parse(template))
    except ValueError as error:
        raise table.fail(key, template, expected, f"In the template: {error}.") from error
    for _, name, spec, conversion in parts:
        if name is not None and (name not in names or spec or conversion):
            raise table.fail(key, template, expected, nearest(name, names))
    return template
