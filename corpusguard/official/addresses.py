"""Where e-Laws keeps a document, built from templates that a source file may override.

Nobody has published the paths of the French API, nor the exact names of all Word downloads, so
every template is data: ``[source.paths]`` may set ``document``, ``currency``, ``versions`` and
``word``, each also for one language (``document.fr``). Places: ``{lang}`` en or fr, ``{l}`` e or
f, ``{kind}`` statute or regulation, ``{id}`` as the API writes it, ``{file}`` as file names do
(capital S or R for source law). ``word`` may list several templates, separated by spaces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from corpusguard.errors import ConfigError

if TYPE_CHECKING:
    from corpusguard.model import DocumentSpec, SourceSpec

HOSTS: Final = frozenset({"www.ontario.ca", "ontario.ca"})
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
DEFAULT_PATHS: Final = {
    "document": "/laws/api/v2/legislation/{lang}/doc-search/{kind}/{id}",
    "currency": "/laws/api/v2/legislation/{lang}/currency-date",
    "versions": "/laws/api/v2/legislation/{lang}/act-versions/{kind}/{id}",
    "word": "/laws/docs/{file}_{l}.docx /laws/docs/{file}_{l}.doc"
    " /laws/docs/elaws_statutes_{file}_{l}.doc",
}
_ID: Final = re.compile(r"ca-on/(statute|regulation)/([0-9a-z]{1,20})@(en|fr)")
_SOURCE_LAW: Final = re.compile(r"[sr]\d{5}[0-9a-z]*")
_LETTERED: Final = re.compile(r"(\d{2}[a-z]\d{2})[a-z]")
_PATH: Final = re.compile(r"/[\w/.{}~-]*", re.ASCII)
_PLACES: Final = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class LawId:
    """The parts of ``ca-on/statute/06r17@en``."""

    kind: str
    """``statute`` or ``regulation``."""
    code: str
    """``06r17``."""
    language: str
    """``en`` or ``fr``."""

    @property
    def source_law(self) -> bool:
        """Whether it is a law as enacted or filed (``s21021``, ``r24163``), not consolidated."""
        return _SOURCE_LAW.fullmatch(self.code) is not None

    @property
    def codes(self) -> tuple[str, ...]:
        """The id, and the id without its letter: the API knows ``97w16a`` as ``97w16`` only.

        The shorter one could be a sibling; only its title tells, which is always checked.
        """
        short = _LETTERED.fullmatch(self.code) if self.kind == "statute" else None
        return (self.code, short.group(1)) if short else (self.code,)


def law_id(document: str) -> LawId:
    """Take a document id apart.

    Raises:
        ConfigError: It is not an id of Ontario's e-Laws.
    """
    match = _ID.fullmatch(document)
    if match is None:
        raise ConfigError(
            f"{document!r} is not a document of e-Laws",
            hint="write it as ca-on/statute/06r17@en or ca-on/regulation/120332@fr",
        )
    return LawId(*match.groups())


def addresses(source: SourceSpec, spec: DocumentSpec, name: str) -> tuple[str, ...]:
    """Return the addresses under template ``name``, in the order in which to try them.

    Raises:
        ConfigError: The id, the base address or a template is wrong.
    """
    law = law_id(spec.id)
    base = _base(source)
    found = [
        base + _fill(template, law, code)
        for code in (law.codes if name == "document" else (law.code,))
        for template in _templates(source, name, law.language)
    ]
    return tuple(dict.fromkeys(found))


def _base(source: SourceSpec) -> str:
    parts = urlsplit(source.base_url)
    host = parts.hostname or ""
    if parts.scheme == "https" and host in HOSTS:
        return source.base_url.rstrip("/")
    if parts.scheme in {"http", "https"} and host in LOOPBACK:
        return source.base_url.rstrip("/")
    raise ConfigError(
        f"base_url {source.base_url!r} in {source.path or 'the source file'} is not allowed",
        hint="use https://www.ontario.ca, or http on a loopback address for a mirror of your own",
    )


def _templates(source: SourceSpec, name: str, language: str) -> list[str]:
    known = {key for bare in DEFAULT_PATHS for key in (bare, f"{bare}.en", f"{bare}.fr")}
    if unknown := sorted(set(source.paths) - known):
        raise ConfigError(
            f"unknown path template {unknown[0]!r} in {source.path or 'the source file'}",
            hint=f"known: {', '.join(sorted(known))}",
        )
    text = source.paths.get(f"{name}.{language}", source.paths.get(name, DEFAULT_PATHS[name]))
    templates = text.split()
    for template in templates:
        strange = set(_PLACES.findall(template)) - {"lang", "l", "kind", "id", "file"}
        if strange or not _PATH.fullmatch(template) or ".." in template or "//" in template:
            raise ConfigError(
                f"path template {template!r} for {name!r} is not usable",
                hint="begin with one /, and use only {lang} {l} {kind} {id} {file} as places",
            )
    if not templates:
        raise ConfigError(f"the path template for {name!r} is empty", hint="remove the key")
    return templates


def _fill(template: str, law: LawId, code: str) -> str:
    # Plain replacement: str.format would let a template reach into attributes.
    places = {
        "lang": law.language,
        "l": law.language[0],
        "kind": law.kind,
        "id": code,
        "file": code[0].upper() + code[1:] if law.source_law else code,
    }
    return _PLACES.sub(lambda match: places[match.group(1)], template)
