"""Merkle trees as RFC 9162 has them: roots, paths, and paths that were tampered with."""

import hashlib

import pytest

from corpusguard.evidence import audit_path, root, root_from_path

# The test tree of Certificate Transparency (RFC 6962 and its successor): leaves, and the root over
# the first n of them.
LEAVES = [
    bytes.fromhex(leaf)
    for leaf in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def by_definition(leaves):
    """Section 2.1.1, word for word: split at the largest power of two below n."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    split = 1 << (len(leaves) - 1).bit_length() - 1
    left, right = by_definition(leaves[:split]), by_definition(leaves[split:])
    return hashlib.sha256(b"\x01" + left + right).digest()


@pytest.mark.parametrize("size", range(9))
def test_roots_are_those_of_the_published_test_tree(size):
    """Anyone with another implementation of the RFC gets the same roots."""
    assert root(LEAVES[:size]) == ROOTS[size]


def test_every_leaf_of_every_tree_leads_to_its_root():
    """Trees of 1 to 40 leaves, each leaf of each, and the recursive definition beside."""
    for size in range(1, 41):
        leaves = [f"leaf {number}".encode() for number in range(size)]
        expected = root(leaves)
        assert expected == by_definition(leaves).hex()
        for index, leaf in enumerate(leaves):
            path = audit_path(leaves, index)
            assert root_from_path(leaf, index, size, path) == expected


def test_another_leaf_place_size_or_path_leads_elsewhere():
    """Whatever is changed, the root is another or there is none."""
    for size in range(2, 20):
        leaves = [f"leaf {number}".encode() for number in range(size)]
        expected = root(leaves)
        for index, leaf in enumerate(leaves):
            path = audit_path(leaves, index)
            forged = [
                (b"another", index, size, path),
                (leaf, (index + 1) % size, size, path),
                (leaf, index, size, path[::-1] if path[::-1] != path else []),
                (leaf, index, size, [*path, expected]),
                (leaf, index, size, path[:-1]),
                (
                    leaf,
                    index,
                    size,
                    [path[0][:-1] + ("0" if path[0][-1] != "0" else "1"), *path[1:]],
                ),
            ]
            for claim in forged:
                try:
                    found = root_from_path(*claim)
                except ValueError:
                    continue
                assert found != expected, (size, index, claim)


@pytest.mark.parametrize("index", [-1, 3])
def test_a_leaf_that_is_not_there_is_refused(index):
    """Before any hash is computed."""
    with pytest.raises(IndexError, match="no leaf"):
        audit_path([b"a", b"b", b"c"], index)
    with pytest.raises(ValueError, match="no leaf"):
        root_from_path(b"a", index, 3, [])


def test_a_node_is_not_a_leaf():
    """Two leaves' hashes joined do not pass as one leaf: the second-preimage trap."""
    left, right = (hashlib.sha256(b"\x00" + leaf).digest() for leaf in (b"a", b"b"))

    assert root([left + right]) != root([b"a", b"b"])
