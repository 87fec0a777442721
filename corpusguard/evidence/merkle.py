"""Merkle trees as RFC 9162, section 2.1, defines them (Certificate Transparency 2.0).

Leaves are hashed with a 0x00 before them and nodes with a 0x01, so that no node can be passed off
as a leaf. A tree of n leaves is split at the largest power of two below n; the root of no leaves is
the SHA-256 of nothing.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def leaf_hash(leaf: bytes) -> bytes:
    """Return the hash of one leaf."""
    return hashlib.sha256(b"\x00" + leaf).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def root(leaves: Iterable[bytes]) -> str:
    """Return the root of the tree over ``leaves``, in order, as 64 hex digits."""
    level = [leaf_hash(leaf) for leaf in leaves]
    if not level:
        return hashlib.sha256(b"").hexdigest()
    while len(level) > 1:
        level = _above(level)
    return level[0].hex()


def audit_path(leaves: Sequence[bytes], index: int) -> list[str]:
    """Return the hashes, lowest first, that lead from leaf ``index`` to the root.

    Raises:
        IndexError: There is no such leaf.
    """
    if not 0 <= index < len(leaves):
        raise IndexError(f"a tree of {len(leaves)} leaves has no leaf {index}")
    level = [leaf_hash(leaf) for leaf in leaves]
    path: list[str] = []
    while len(level) > 1:
        neighbour = index ^ 1
        if neighbour < len(level):
            path.append(level[neighbour].hex())
        level = _above(level)
        index //= 2
    return path


def root_from_path(leaf: bytes, index: int, size: int, path: Sequence[str]) -> str:
    """Return the root that a leaf and its path lead to (RFC 9162, section 2.1.3.2).

    Args:
        leaf: The leaf's bytes.
        index: Its place, from 0.
        size: Number of leaves of the tree.
        path: What ``audit_path`` gave.

    Raises:
        ValueError: The path does not fit a tree of that size, or is not made of hashes.
    """
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    place, last, found = index, size - 1, leaf_hash(leaf)
    for step in path:
        if last == 0:
            raise ValueError("the path is too long for its tree")
        other = bytes.fromhex(step)
        if place % 2 or place == last:
            found = _node(other, found)
            while not place % 2 and place:
                place, last = place // 2, last // 2
        else:
            found = _node(found, other)
        place, last = place // 2, last // 2
    if last:
        raise ValueError("the path is too short for its tree")
    return found.hex()


def _above(level: list[bytes]) -> list[bytes]:
    """Return the next level; a node without a neighbour goes up as it is.

    For a list from left to right this is the same tree as the split at powers of two.
    """
    pairs = [_node(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
    return pairs + level[len(pairs) * 2 :]
