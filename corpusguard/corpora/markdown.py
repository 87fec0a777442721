"""Reader ``markdown``: a folder of Markdown files, front matter as fields, body as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import yaml

from corpusguard.corpora.interface import LIMITS, Row, first_repeated, store_path, unreadable
from corpusguard.corpora.lines import decode
from corpusguard.errors import CorpusUnreadable

if TYPE_CHECKING:
    from collections.abc import Generator, Hashable
    from pathlib import Path

    from corpusguard.model import CorpusSpec

_SUFFIXES: Final = frozenset({".md", ".markdown"})
_MAX_DEPTH: Final = 12
_FENCE: Final = re.compile(r"---[ \t]*\r?\n")
_CLOSING: Final = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE)


class _FrontMatter(yaml.SafeLoader):
    """YAML whose plain scalars stay text, as printed.

    YAML would turn ``section: 36.10`` into 36.1, ``010`` into 8 and ``no`` into false. Only null
    is still recognised. Duplicate keys are refused: the last would silently win.
    """

    def construct_mapping(
        self,
        node: yaml.MappingNode,
        deep: bool = False,  # noqa: FBT001, FBT002 -- yaml's own
    ) -> dict[Hashable, Any]:
        twice = first_repeated(
            key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)
        )
        if twice is not None:
            raise yaml.constructor.ConstructorError(
                None, None, f"the key {twice!r} comes twice", node.start_mark
            )
        return super().construct_mapping(node, deep=deep)


_NULL: Final = "tag:yaml.org,2002:null"
_FrontMatter.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag == _NULL]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read(spec: CorpusSpec, root: Path) -> Generator[Row, None, None]:
    """Yield one row a file, by path: its front matter, ``text`` (the body) and ``id`` (its path).

    ``id`` is the file's path inside the folder unless the front matter has one.

    Raises:
        CorpusUnreadable: a file is too large, not UTF-8, or has front matter that is not a plain
            YAML mapping.
    """
    path = store_path(spec, root, folder=True)
    try:
        for file in [path] if path.is_file() else _files(path):
            name = file.name if path.is_file() else file.relative_to(path).as_posix()
            shown = spec.path if path.is_file() else f"{spec.path.rstrip('/')}/{name}"
            with file.open("rb") as stream:
                data = stream.read(LIMITS.markdown_file + 1)
            yield _row(data, name, shown)
    except OSError as error:
        raise unreadable(spec.path, error) from error


def _files(folder: Path) -> list[Path]:
    """Return the Markdown files below a folder in an order that no file system decides."""
    found = (file for file in folder.rglob("*") if file.suffix.lower() in _SUFFIXES)
    return sorted((file for file in found if file.is_file()), key=lambda file: file.parts)


def _row(data: bytes, name: str, shown: str) -> Row:
    if len(data) > LIMITS.markdown_file:
        raise CorpusUnreadable(
            f"{shown}: more than {LIMITS.markdown_file} bytes", hint="Split the file."
        )
    text = decode(data, shown)
    fields: dict[str, Any] = {}
    opening = _FENCE.match(text)
    if opening:
        closing = _CLOSING.search(text, opening.end())
        if closing is None:
            raise CorpusUnreadable(
                f"{shown}: the front matter is never closed",
                hint="End it with a line of three hyphens.",
            )
        fields = _front_matter(text[opening.end() : closing.start()], shown)
        text = text[closing.end() :]
    if "text" in fields:
        raise CorpusUnreadable(
            f"{shown}: the front matter has a `text` of its own",
            hint="Rename it: `text` is the body of the file.",
        )
    return Row(shown, {"id": name} | fields | {"text": text})


def _refuse_bombs(source: str, shown: str) -> None:
    """Refuse what makes a small text cost much, before anything is built from it.

    An alias can multiply a value without end ("billion laughs"), and the scanner's time grows with
    the square of the depth: 30,000 brackets take minutes.
    """
    depth = 0
    for event in yaml.parse(source, Loader=yaml.SafeLoader):
        if getattr(event, "anchor", None):
            raise CorpusUnreadable(
                f"{shown}: the front matter uses an anchor or alias", hint="Write the values out."
            )
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _MAX_DEPTH:
            raise CorpusUnreadable(
                f"{shown}: front matter nested more than {_MAX_DEPTH} deep",
                hint="Write one `key: value` a line.",
            )


def _front_matter(source: str, shown: str) -> dict[str, Any]:
    if len(source) > LIMITS.front_matter:
        raise CorpusUnreadable(
            f"{shown}: front matter of more than {LIMITS.front_matter} characters",
            hint="Is the closing line of three hyphens missing?",
        )
    try:
        _refuse_bombs(source, shown)
        value = yaml.load(source, Loader=_FrontMatter)  # noqa: S506 -- a SafeLoader
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise CorpusUnreadable(
            f"{shown}: front matter is not plain YAML: {' '.join(str(error).split())[:300]}",
            hint="Write one `key: value` a line.",
        ) from error
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise CorpusUnreadable(
            f"{shown}: front matter must be a mapping", hint="Write one `key: value` a line."
        )
    return value
