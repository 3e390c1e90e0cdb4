"""The model confidence set against Student's t, the package arch and brute force."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import (
    ConfidenceSetOutcome,
    ScoreTable,
    corrected_t,
    model_confidence_set,
    paired_t,
)
from skstat.stats._joint.joint_law import law_of_replicates
from skstat.stats._joint.model_confidence_set import confidence_set_of
from tests.cases import in_one_test

several = settings(max_examples=settings.default.max_examples)
STATISTICS = ["max", "range"]
CHOICES = list(itertools.product(STATISTICS, ["t", "bootstrap"]))


def table(scores, unit="seed", **options):
    return ScoreTable(scores, unit=unit, **options)


def normal_scores(seed, n=12, k=4, means=0.0, sds=1.0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, k)) * sds + rng.standard_normal((n, 1)) + means


@st.composite
def few_levels(draw):
    """Small tables with ties, constant differences and systems that are the same."""
    n, k = draw(st.integers(2, 6)), draw(st.integers(2, 5))
    cells = draw(st.lists(st.integers(0, 3), min_size=n * k, max_size=n * k))
    x = np.array(cells, dtype=float).reshape(n, k)
    for column in range(1, k):
        if (step := draw(st.sampled_from([None, None, 0, 1]))) is not None:
            x[:, column] = x[:, column - 1] + step
    return x


def by_definition(means, errors, statistic):
    """The algorithm of Hansen, Lunde & Nason on losses, term by term."""
    losses, errors = -np.asarray(means), -errors
    left, largest, pvalues, order = list(range(len(losses))), 0.0, {}, []
    while len(left) > 1:
        t, drawn = {}, {}
        for i in left:
            rivals = [[i, j] for j in left if j != i] if statistic == "range" else [left]
            for these in rivals:
                behind = losses[i] - np.mean(losses[these])
                error = errors[:, i] - errors[:, these].mean(axis=1)
                scale = math.sqrt(np.mean(error**2))
                t[i] = max(t.get(i, -math.inf), behind / scale)
                drawn[i, *these] = error / scale
        worst = max(left, key=t.get)
        maxima = np.max(list(drawn.values()), axis=0)
        largest = max(largest, float(np.mean(maxima >= t[worst] - 1e-9)))
        pvalues[worst] = largest
        left.remove(worst)
        order.append(worst)
    pvalues[left[0]] = 1.0
    return [*order, left[0]], np.array([pvalues[i] for i in range(len(losses))])


@pytest.mark.parametrize("statistic", STATISTICS)
def test_bootstrap_by_listing_all_resamples(statistic):
    x = np.array(
        [[3.0, 1.0, 2.5, 2.2], [2.0, 2.5, 1.0, 2.1], [4.0, 1.5, 3.0, 2.6], [3.5, 3.0, 3.6, 1.8]]
    )
    x = np.vstack([x, [2.5, 2.4, 3.1, 2.0]])
    rows = np.array(list(itertools.product(range(5), repeat=5)))
    means = x.mean(axis=0)
    order, expected = by_definition(means, x[rows].mean(axis=1) - means, statistic)
    outcome = model_confidence_set(
        table(x), statistic=statistic, method="bootstrap", n_resamples=40_000, rng=0
    )
    assert outcome.elimination == tuple(f"system {i + 1}" for i in order)
    # Five units that agree show no less than 1/16.
    assert outcome.pvalues == pytest.approx(np.maximum(expected, 1 / 16), abs=0.01)
    assert np.sum(expected > 1 / 16) >= 3


@pytest.mark.parametrize(
    "statistic, expected",
    [
        # arch 8.0, MCS(losses, 0.05, reps=20_000, block_size=1, bootstrap="MBB", method=
        # "max" or "R"), mean of seeds 0 to 7.
        ("max", [1.0, 0.3139, 0.0455, 0.0185, 0.0026, 0.0006]),
        ("range", [1.0, 0.3139, 0.0443, 0.0044, 0.0002, 0.0000]),
    ],
)
def test_the_package_arch(statistic, expected):
    i = np.arange(40)
    losses = [np.sin((j + 2) * 1.7 * i + j) + 0.17 * j for j in range(6)]
    losses = np.column_stack(losses) + 0.3 * np.cos(0.9 * i)[:, None]
    outcome = model_confidence_set(
        table(losses, unit="instance", higher_is_better=False),
        statistic=statistic,
        method="bootstrap",
        n_resamples=40_000,
        rng=0,
    )
    assert outcome.elimination == tuple(f"system {j}" for j in (6, 5, 4, 3, 2, 1))
    error = np.sqrt(np.array(expected) * (1 - np.array(expected)) * (1 / 40_000 + 1 / 160_000))
    assert np.all(np.abs(outcome.pvalues - expected) <= 4 * error + 2e-4)
    assert outcome.may_be_best(0.05) == ("system 1", "system 2")


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize(
    "units, test",
    [({"unit": "seed"}, paired_t), ({"unit": None, "n_train": 90, "n_test": 10}, corrected_t)],
)
def test_two_systems_are_a_two_sided_t_test(statistic, units, test):
    scores = table(normal_scores(0, n=10, k=2, means=[0.3, 0.0]), **units)
    outcome = model_confidence_set(scores, statistic=statistic, n_resamples=40_000, rng=0)
    alone = test(scores.pair("system 2", "system 1"))
    worse = outcome.names.index(outcome.elimination[0])
    assert outcome.pvalues[worse] == pytest.approx(alone.pvalue, abs=0.01)
    assert outcome.steps[worse] == pytest.approx(abs(alone.statistic))
    assert outcome.pvalues[1 - worse] == 1


def test_the_range_of_equally_precise_systems_is_studentised():
    # Without correlation and with one variance, max |t_ij| is the range over sqrt(2).
    x = np.random.default_rng(1).standard_normal((31, 5))
    x = np.linalg.qr(x - x.mean(axis=0))[0] * math.sqrt(30) + [0.0, 0.1, 0.2, 0.5, 0.7]
    outcome = model_confidence_set(
        table(x), statistic="range", method="t", n_resamples=40_000, rng=0
    )
    assert outcome.elimination == tuple(f"system {i}" for i in range(1, 6))
    ranges = np.array([0.7, 0.6, 0.5, 0.2]) * math.sqrt(31)
    each = [stats.studentized_range.sf(q, 5 - i, 30) for i, q in enumerate(ranges)]
    assert outcome.pvalues[:4] == pytest.approx(np.maximum.accumulate(each), abs=0.01)
    assert outcome.steps[:4] == pytest.approx(ranges / math.sqrt(2))


@pytest.mark.parametrize("statistic", STATISTICS)
def test_any_metric_by_its_replicates(statistic):
    x = np.random.default_rng(5).exponential(size=(40, 3)) + np.array([0.5, 0.0, 0.2])
    rows = np.random.default_rng(6).integers(0, 40, (3999, 40))
    replicates = np.median(x[rows], axis=1)
    medians = np.median(x, axis=0)
    law = law_of_replicates(
        ("a", "b", "c"), medians, replicates, n_units=40, where="on such test sets", seed=6
    )
    outcome = confidence_set_of(law, statistic)
    centred = replicates - replicates.mean(axis=0)
    # The bias of the medians belongs to their law, but not to their standard errors.
    order, expected = by_definition(medians, replicates - medians, statistic)
    assert np.abs(centred - (replicates - medians)).max() > 0
    assert outcome.elimination == tuple("abc"[i] for i in order)
    assert outcome.pvalues == pytest.approx(expected, abs=0.03)
    assert outcome.null_hypothesis == "the system has the highest score, on such test sets"


@pytest.mark.long
@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize(
    "means, sds, k_best",
    [([0, 0, 0, 0], [1, 1, 1, 1], 4), ([0, 0, -1, -2], [2, 1, 1, 0.5], 2), ([0, 0, 0], 1, 3)],
)
def test_it_holds_all_best_systems(statistic, means, sds, k_best):
    held, single = [], []
    for seed in range(400):
        x = normal_scores(seed, n=15, k=len(means), means=means, sds=sds)
        outcome = model_confidence_set(table(x), statistic=statistic, n_resamples=199, rng=seed)
        kept = outcome.may_be_best(0.1)
        held.append(set(outcome.names[:k_best]) <= set(kept))
        single.append("system 1" in kept)
    error = 3 * math.sqrt(0.1 * 0.9 / 400)
    assert 0.9 - error <= np.mean(held) <= 0.9 + error
    assert np.mean(single) >= np.mean(held)


@pytest.mark.parametrize("statistic, method", CHOICES)
@several
@given(few_levels(), st.sampled_from([0.05, 0.1, 0.3]))
def test_no_table_breaks_it(statistic, method, x, alpha):
    outcome = model_confidence_set(
        table(x), statistic=statistic, method=method, n_resamples=99, rng=0
    )
    p, kept = outcome.pvalues, outcome.may_be_best(alpha)
    assert np.all(np.isnan(p) | ((p > 0) & (p <= 1)))
    assert np.isfinite(outcome.steps).all()
    assert sorted(outcome.elimination) == sorted(outcome.names)
    in_order = p[[outcome.names.index(name) for name in outcome.elimination]]
    there = ~np.isnan(in_order)
    assert np.all(np.diff(in_order[there]) >= 0)
    assert np.all(np.diff(there.astype(int)) <= 0)  # only the last ones have no p-value
    assert in_order[-1] == 1 or not there[-1]
    assert outcome.names[int(np.argmax(x.mean(axis=0)))] in kept
    assert set(kept) <= set(outcome.may_be_best(alpha / 2))
    for i, j in itertools.combinations(range(x.shape[1]), 2):
        if np.array_equal(x[:, i], x[:, j]):
            assert p[i] == p[j] or np.isnan(p[[i, j]]).all()
    restored = ConfidenceSetOutcome.from_dict(json.loads(json.dumps(outcome.to_dict())))
    assert restored.may_be_best(alpha) == kept
    assert restored.elimination == outcome.elimination


@pytest.mark.parametrize("statistic, method", CHOICES)
@several
@given(seed=st.integers(0, 999), data=st.data())
def test_names_order_and_scale_do_not_matter(statistic, method, seed, data):
    def numbers(y, **options):
        outcome = model_confidence_set(
            table(y, **options), statistic=statistic, method=method, n_resamples=199, rng=1
        )
        return outcome.pvalues, outcome.steps

    x = normal_scores(seed, n=8, means=[0.3, 0, 0.1, -0.5])
    p, steps = numbers(x)
    columns = data.draw(st.permutations(range(4)))
    transformed = [(x[:, columns], columns), (x * 1000, range(4)), (x / 7 - 3, range(4))]
    if method == "t":
        transformed.append((x[data.draw(st.permutations(range(8)))], range(4)))
    for y, order in transformed:
        there = numbers(y)
        assert there[0] == pytest.approx(p[list(order)], abs=1.5 / 200)
        assert there[1] == pytest.approx(steps[list(order)])
    assert numbers(-x, higher_is_better=False)[0].tolist() == p.tolist()


@pytest.mark.parametrize("statistic, method", CHOICES)
def test_a_constant_difference_claims_nothing(statistic, method):
    a = np.array([0.5, 0.7, 0.6, 0.65, 0.8, 0.7])
    choice = {"statistic": statistic, "method": method, "rng": 0}
    outcome = model_confidence_set(table({"a": a, "b": a + 0.01}), **choice)
    assert np.isnan(outcome.pvalues).all()
    assert outcome.may_be_best() == ("a", "b")
    assert outcome.steps.tolist() == [0, 0]
    twice = model_confidence_set(
        table({"a": a, "b": a + 0.01, "A": a, "B": a + 0.01}), **choice
    )
    assert np.isnan(twice.pvalues).all()
    far = a - [5.0, 5.1, 4.9, 5.05, 5.0, 4.9]
    outcome = model_confidence_set(table({"a": a, "far": far, "b": a + 0.01}), **choice)
    assert outcome.may_be_best() == ("a", "b")
    assert outcome.elimination == ("far", "a", "b")
    assert np.isnan(outcome.pvalues).tolist() == [True, False, True]
    assert outcome.best() is None


@in_one_test("statistic, method", CHOICES)
@in_one_test("noise", [0.0, 1e-16])
def test_systems_that_are_the_same_leave_together(statistic, method, noise):
    a = np.array([0.5, 0.7, 0.6, 0.65, 0.8, 0.7])
    far = a - [0.3, 0.31, 0.3, 0.32, 0.29, 0.3]
    choice = {"statistic": statistic, "method": method, "rng": 0}
    outcome = model_confidence_set(table({"x": far, "a": a, "y": far + noise}), **choice)
    assert outcome.best() == "a"
    assert outcome.pvalues[0] == outcome.pvalues[2] < 0.05
    assert outcome.steps[0] == outcome.steps[2] > 0
    outcome = model_confidence_set(table({"a": a, "b": a + noise, "x": far}), **choice)
    assert outcome.may_be_best() == ("a", "b")
    assert outcome.pvalues[:2].tolist() == [1, 1]
    outcome = model_confidence_set(table(np.full((6, 3), 0.7)), **choice)
    assert outcome.pvalues.tolist() == [1, 1, 1]


@pytest.mark.parametrize("statistic", STATISTICS)
def test_few_units_and_many_systems(statistic):
    x = normal_scores(7, n=2, k=50)
    outcome = model_confidence_set(table(x), statistic=statistic, n_resamples=499, rng=0)
    assert outcome.df == 1
    assert outcome.pvalues.max() == 1
    # Two units that agree show no less than a p-value of 1/2.
    drawn = model_confidence_set(
        table(x), statistic=statistic, method="bootstrap", n_resamples=499, rng=0
    )
    assert drawn.pvalues.min() >= drawn.smallest_pvalue == 1 / 2


def test_words():
    scores = table(normal_scores(0), unit=None, n_train=90, n_test=10)
    outcome = model_confidence_set(scores, rng=3)
    assert outcome.test == "model confidence set (Hansen, Lunde & Nason 2011), multivariate t"
    assert outcome.estimand == (
        "the expected scores of the systems, for training sets of 90 rows from the same "
        "population"
    )
    assert outcome.assumptions[0] == (
        "the differences of two splits have the correlation n_test/(n_train + n_test) = 0.100"
    )
    again = model_confidence_set(scores, rng=np.random.default_rng(3))
    assert again.pvalues.tolist() == outcome.pvalues.tolist()
    drawn = model_confidence_set(table(normal_scores(0)), method="bootstrap", rng=0)
    assert drawn.test.endswith(", bootstrap")
    assert drawn.df is None


def test_refusals():
    x = normal_scores(0)
    with pytest.raises(ValueError, match="statistic='T' is unknown; use 'max' or 'range'"):
        model_confidence_set(table(x), statistic="T")
    with pytest.raises(ValueError, match="model_confidence_set needs every score"):
        model_confidence_set(table([[1, 2], [None, 1], [2, 3]], unit="dataset"))
    with pytest.raises(ValueError, match="model_confidence_set needs the sizes of the splits"):
        model_confidence_set(table(x, unit="split"))
    with pytest.raises(ValueError, match="splits share training rows"):
        model_confidence_set(table(x, unit=None, n_repeats=1), method="bootstrap")
    with pytest.raises(ValueError, match="alpha=2 must lie between 0 and 1"):
        model_confidence_set(table(x), n_resamples=9).may_be_best(2)
