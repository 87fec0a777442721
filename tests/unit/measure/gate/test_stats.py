"""Intervals are those of the literature, and none is claimed where there is none."""

from __future__ import annotations

import math

import pytest

from corpusguard.measure.gate.stats import Z95, cluster_bootstrap, rule_of_three, share, wilson
from corpusguard.measure.kappa import cohen, fleiss_kappa


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [
        # Newcombe, Stat. Med. 17 (1998), table I, method 3: Wilson's score interval.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_agrees_with_published_tables(hits, total, low, high):
    """To four places."""
    assert [round(bound, 4) for bound in wilson(hits, total)] == [low, high]


@pytest.mark.parametrize("total", [1, 7, 60, 500])
def test_wilson_bounds_are_where_the_score_test_turns(total):
    """Each bound p solves (h/n - p)^2 = z^2 p(1 - p)/n, which is how the interval is defined."""
    for hits in range(total + 1):
        for bound in wilson(hits, total):
            if 0 < bound < 1:
                left = (hits / total - bound) ** 2
                right = Z95**2 * bound * (1 - bound) / total
                assert math.isclose(left, right, rel_tol=1e-9), (hits, total, bound)


def test_nothing_says_nothing():
    """Of no item there is no rate, and the bound is 1."""
    empty = share([])
    assert (empty.rate, empty.wilson, empty.upper) == (None, (0.0, 1.0), 1.0)


def test_the_bootstrap_draws_whole_sections():
    """Ten sections that fail as a whole are ten cases, not a thousand: the interval is wide."""
    together = cluster_bootstrap([(100, 100)] * 2 + [(0, 100)] * 8)
    apart = cluster_bootstrap([(20, 100)] * 10)
    assert together is not None
    assert apart is not None
    assert together[0] == 0.0
    assert together[1] >= 0.4
    assert apart == (0.2, 0.2)
    low, high = wilson(200, 1000)
    assert together[1] - together[0] > 5 * (high - low)


@pytest.mark.parametrize("clusters", [[], [(1, 4)], [(0, 5), (0, 7)], [(5, 5), (7, 7)]])
def test_a_degenerate_bootstrap_is_none(clusters):
    """Where every draw would give the same, no interval is claimed."""
    assert cluster_bootstrap(clusters) is None


def test_the_bootstrap_is_the_same_each_time():
    """It is seeded: who recomputes gets the same bounds."""
    clusters = [(1, 3), (0, 4), (2, 5), (0, 2)]
    assert cluster_bootstrap(clusters) == cluster_bootstrap(clusters)


def test_without_a_case_the_bound_goes_by_family():
    """Sixty sentences of six families bound a rate by 3/6, whatever Wilson says of sixty."""
    none = share([(f"s{n % 3}", f"f{n % 6}", False) for n in range(60)])
    assert none.rule_of_three == 0.5
    assert none.upper == 0.5
    assert none.wilson[1] < 0.07
    one = share([(f"s{n % 3}", f"f{n % 6}", n == 0) for n in range(60)])
    assert one.rule_of_three is None
    assert (rule_of_three(0), rule_of_three(2), rule_of_three(300)) == (1.0, 1.0, 0.01)


def test_fleiss_kappa_of_his_own_example():
    """Fourteen raters, ten subjects, five categories (Fleiss 1971, table 1): 0.210."""
    table = [
        (0, 0, 0, 0, 14),
        (0, 2, 6, 4, 2),
        (0, 0, 3, 5, 6),
        (0, 3, 9, 2, 0),
        (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0),
        (3, 2, 6, 3, 0),
        (2, 5, 3, 2, 2),
        (6, 5, 2, 1, 0),
        (0, 2, 2, 3, 7),
    ]
    rows = [[str(n) for n, count in enumerate(row) for _ in range(count)] for row in table]
    assert fleiss_kappa(rows) == pytest.approx(0.210, abs=0.0005)
    assert fleiss_kappa([["a", "a"], ["a", "a"]]) is None
    assert fleiss_kappa([["a"]]) is None


def test_agreement_by_chance_alone_is_undefined():
    """Also where floats would make it a little less than 1: each label of one kind, many times."""
    for count in range(1, 200):
        assert cohen([("y", "y")] * count).kappa is None
        assert fleiss_kappa([["y"] * 3] * count) is None


def test_cohen_kappa():
    """20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 0.7, by chance 0.5, kappa 0.4."""
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert cohen(pairs).kappa == pytest.approx(0.4)
    assert cohen([("y", "y")]).kappa is None
    assert cohen([]).kappa is None
