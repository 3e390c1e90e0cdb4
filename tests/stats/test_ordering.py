"""The order of numbers, and what is made of an array once."""

import pickle

import numpy as np
import pytest
from scipy.stats import rankdata

from skstat.stats import BinaryScores, delong
from skstat.stats._common import Known, Ordering, ordering_of
from skstat.stats._common.ordering import stable_order
from tests.cases import in_one_test


def _columns():
    rng = np.random.default_rng(5)
    n = 20_000
    normal = rng.normal(size=n)
    huge = np.array([1e308, -1e308, 5e-324, -5e-324])
    return {
        "distinct": normal,
        "few values": rng.integers(-3, 3, n) / 7,
        "both zeros": np.where(rng.random(n) < 0.5, 0.0, -0.0),
        "one value": np.zeros(n),
        "extremes": rng.choice(huge, n),
        "some in the last bits": np.where(rng.random(n) < 0.01, 1 + normal * 1e-15, normal),
        "last bits only": 1 + rng.integers(0, 1000, n) * np.finfo(float).eps,
        "infinite": np.where(rng.random(n) < 0.1, np.inf, normal),
        "nan": np.where(rng.random(n) < 0.1, np.nan, normal),
        "few": normal[:50].round(1),
        "none": normal[:0],
    }


COLUMNS = _columns()


@in_one_test("name", COLUMNS)
def test_the_order_is_that_of_a_stable_sort(name):
    values = COLUMNS[name]
    np.testing.assert_array_equal(stable_order(values), np.argsort(values, kind="stable"))


def test_neighbours_in_the_last_bits_are_mended():
    # The places take the last bits of the double, so these come out in the order of places.
    values = np.random.default_rng(0).normal(size=10_000)
    values[[10, 4000, 9000]] = 1 + np.array([2, 1, 2]) * np.finfo(float).eps
    order = stable_order(values).tolist()
    start = order.index(4000)
    assert order[start : start + 3] == [4000, 10, 9000]


@in_one_test("name", sorted(COLUMNS.keys() - {"nan", "none"}))
def test_an_ordering_is_what_sorting_anew_finds(name):
    values = COLUMNS[name]
    ordering = Ordering(values)
    np.testing.assert_array_equal(ordering.falling, np.argsort(-values, kind="stable"))
    np.testing.assert_array_equal(ordering.mid_ranks, rankdata(values))
    assert ordering.tied == (len(np.unique(values)) < len(values))
    assert ordering.sizes.tolist() == np.unique(values, return_counts=True)[1].tolist()


def test_what_is_known_of_an_array_is_made_once():
    known, made = Known(), []
    array = np.arange(3.0)
    for _ in range(2):
        known.once("sum", lambda: made.append(array.sum()), array)
    assert made == [3.0]
    table = np.array([[3.0, 1.0], [1.0, 2.0]])
    assert ordering_of(known, table, 0) is ordering_of(known, table, 0)
    assert ordering_of(known, table, 0).rising.tolist() == [1, 0]
    assert ordering_of(known, table, 1).rising.tolist() == [0, 1]
    assert ordering_of(known, table.copy(), 0) is not ordering_of(known, table, 0)


def test_a_copy_in_another_process_knows_nothing():
    # Arrays are known by where they are, and there other arrays may be.
    known = Known()
    array = np.arange(3.0)
    known.once("sum", array.sum, array)
    copy = pickle.loads(pickle.dumps(known))
    assert copy.once("sum", lambda: "made anew", array) == "made anew"


def test_an_array_is_kept_as_long_as_it_is_known():
    known = Known()
    for number in range(50):  # freed, the next would often be in the place of the last
        assert known.once("first", lambda n=number: n, np.full(100, number)) == number


@pytest.mark.parametrize("grouped", [False, True])
def test_a_sample_of_a_pair_is_that_of_its_scores(grouped):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 300)
    scores = {name: (y + rng.normal(size=300)).round(1) for name in "abc"}
    groups = rng.integers(0, 40, 300) if grouped else None
    everything = BinaryScores(y, scores, groups=groups)
    assert len(everything.areas.aucs) == 3
    for a, b in ("ab", "ca", "cb"):
        pair = BinaryScores(y, {a: scores[a], b: scores[b]}, groups=groups)
        assert everything.pair(a, b).to_dict() == pair.to_dict()
        assert delong(everything.pair(a, b)).to_dict() == delong(pair).to_dict()


@pytest.mark.parametrize("k", [2, 4])
def test_every_system_is_sorted_once_in_a_call(k, monkeypatch):
    from skstat import delong_test
    from skstat.stats._common import ordering

    sorted_lengths = []

    def counted(values):
        sorted_lengths.append(len(values))
        return stable_order(values)

    monkeypatch.setattr(ordering, "stable_order", counted)
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 900)
    # Probabilities of both classes, and single precision, which are read into other arrays.
    outputs = {f"s{i}": (y + rng.normal(size=900)).astype(np.float32) for i in range(k - 1)}
    outputs["both"] = np.column_stack([-outputs["s0"], outputs["s0"] + rng.normal(size=900)])
    report = delong_test(y, outputs)
    assert sorted_lengths == [900] * k
    assert np.isfinite(report.pvalue)
