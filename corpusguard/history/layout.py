"""What a history file is made of, against what the migrations make: foreign parts are refused.

A trigger that ignores inserts, a view in place of a table or a table without STRICT lets a run say
that it stored what it did not. So tables, indexes, views and triggers are compared, word for word,
whenever a history is opened. Whether one is *missing* is left to `history verify`: without a
trigger nothing is stored wrongly, and a missing table or index of a table is met at once.
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sqlite_utils import Database

from corpusguard.history.schema import KNOWN, MIGRATIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

Layout = dict[tuple[str, str], str]
"""Kind and name -> the table that it belongs to, and its statement."""

_MOST: Final = 5
"""Parts that are named."""


def layout(db: Database) -> Layout:
    """Return what tables, views, indexes and triggers are made of.

    The list of migrations, which sqlite-utils makes, and what SQLite makes for itself
    (``sqlite_…``) are not ours; a trigger on the list is nobody's.
    """
    rows = db.execute(
        "SELECT type, name, tbl_name || ': ' || coalesce(sql, '') FROM sqlite_master"
        " WHERE substr(name, 1, 7) != 'sqlite_' AND NOT"
        " (type IN ('table', 'index') AND tbl_name = '_sqlite_migrations')"
    )
    return {(kind, name): sql for kind, name, sql in rows.fetchall()}


@cache
def expected(migrations: frozenset[str] = KNOWN) -> Mapping[tuple[str, str], str]:
    """Return the layout after these migrations, in their order; by default after all."""
    with Database(memory=True, execute_plugins=False, strict=True) as fresh:
        for migration in MIGRATIONS.pending(fresh):
            if migration.name in migrations:
                migration.fn(fresh)
        return MappingProxyType(layout(fresh))


def foreign(db: Database) -> str:
    """Return, in words, the parts of a file that no migration made; empty where there is none."""
    ours = expected(frozenset(one.name for one in MIGRATIONS.applied(db)))
    wrong = sorted(
        " ".join(key) for key, statement in layout(db).items() if ours.get(key) != statement
    )
    more = f" and {len(wrong) - _MOST} more" if len(wrong) > _MOST else ""
    return ", ".join(repr(name)[:120] for name in wrong[:_MOST]) + more
