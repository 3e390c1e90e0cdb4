"""Comparisons with the best against Student's t, Dunnett's tables, SciPy and brute force."""

import math
from functools import partial
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat import compare_scores
from skstat.stats import (
    PairedScores,
    ScoreTable,
    compare_with_best,
    corrected_t,
    largest_t,
    model_confidence_set,
    paired_t,
)
from tests.cases import refusals

several = settings(max_examples=settings.default.max_examples)
METHODS = ["auto", "t", "bootstrap", "studentized"]


def table(scores, unit="seed", **options):
    return ScoreTable(scores, unit=unit, **options)


def normal_scores(seed, n=12, k=4, means=0.0, sds=1.0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, k)) * sds + rng.standard_normal((n, 1)) + means


def uncorrelated(n, k, means):
    """Scores with exactly these means, sample variances of 1 and no correlation."""
    x = np.random.default_rng(n + k).standard_normal((n, k))
    x -= x.mean(axis=0)
    return np.linalg.qr(x)[0] * math.sqrt(n - 1) + means


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


SPLITS = {"unit": "split", "n_train": 90, "n_test": 10}
both_units = pytest.mark.parametrize(
    "units, test",
    [({"unit": "seed"}, paired_t), (SPLITS, corrected_t)],
    ids=["seeds", "splits"],
)


@both_units
def test_two_systems_are_a_one_sided_t_test(units, test):
    x = normal_scores(0, n=10, k=2, means=[0.3, 0.0])
    outcome = compare_with_best(table(x, **units), method="t", n_resamples=40_000, rng=0)
    for i, (a, b) in enumerate([("system 1", "system 2"), ("system 2", "system 1")]):
        alone = test(table(x, **units).pair(a, b), alternative="less")
        assert outcome.pvalues[i] == pytest.approx(alone.pvalue, abs=0.01)
        assert outcome.standard_errors[i, 1 - i] == pytest.approx(alone.standard_error)
        assert outcome.intervals(0.9)[i, 1] == pytest.approx(
            max(0, alone.confidence_interval(0.9).high), abs=0.02
        )
        assert outcome.intervals(0.9)[1 - i, 0] == pytest.approx(
            min(0, -alone.confidence_interval(0.9).high), abs=0.02
        )


@pytest.mark.parametrize(
    "k, df, alpha, value",
    [
        # Dunnett (1955), one-sided: k - 1 treatments and a control.
        (3, 5, 0.05, 2.44),
        (3, 10, 0.05, 2.15),
        (4, 10, 0.05, 2.34),
        (5, 20, 0.05, 2.30),
        (3, 10, 0.01, 3.11),
    ],
)
def test_dunnetts_tables(k, df, alpha, value):
    x = uncorrelated(df + 1, k, np.zeros(k))
    outcome = compare_with_best(table(x), method="t", n_resamples=50_000, rng=1)
    # By hand: the equations of the multivariate t with correlations of 1/2.
    law = stats.multivariate_t(shape=(np.eye(k - 1) + 1) / 2, df=df, seed=0)
    assert 1 - law.cdf(np.full(k - 1, value)) == pytest.approx(alpha, abs=0.002)
    assert outcome.critical_values(alpha) == pytest.approx(
        value, abs=0.07 if alpha < 0.05 else 0.04
    )


def test_equal_variances_give_hsus_intervals():
    # Hsu (1984): -(d - m)^- and (d + m)^+, d the score less the highest of the others.
    means = np.array([0.0, 1.6, 2.0, 1.9])
    outcome = compare_with_best(
        table(uncorrelated(21, 4, means)), method="t", n_resamples=50_000, rng=2
    )
    m = 2.19 * math.sqrt(2 / 21)  # Dunnett (1955): 3 treatments, 20 degrees of freedom
    d = means - np.array([2.0, 2.0, 1.9, 2.0])
    expected = np.column_stack([np.minimum(d - m, 0), np.maximum(d + m, 0)])
    assert outcome.intervals() == pytest.approx(expected, abs=0.02)
    assert outcome.may_be_best() == ("system 2", "system 3", "system 4")
    assert outcome.best() is None


def test_unequal_variances_by_scipy():
    x = normal_scores(3, n=9, k=4, means=[0.6, 0.4, 0.0, 0.1], sds=[1, 2, 0.5, 3])
    outcome = compare_with_best(table(x), method="t", n_resamples=50_000, rng=3)
    for i in range(4):
        d = np.delete(x, i, axis=1) - x[:, [i]]
        largest = np.max(d.mean(axis=0) / (d.std(axis=0, ddof=1) / 3))
        law = stats.multivariate_t(shape=np.corrcoef(d.T), df=8, seed=0)
        expected = 1 - law.cdf(np.full(3, largest))
        assert outcome.pvalues[i] == pytest.approx(expected, abs=0.008)


@pytest.mark.parametrize("method", ["bootstrap", "studentized"])
def test_the_bootstrap_by_listing_all_resamples(method):
    x = np.array([[3.0, 1.0, 2.5], [2.0, 2.5, 1.0], [4.0, 1.5, 3.0], [3.5, 3.0, 3.6]])
    outcome = compare_with_best(table(x), method=method, n_resamples=40_000, rng=4)
    rows = np.array(list(product(range(4), repeat=4)))
    for i in range(3):
        leads = np.delete(x, i, axis=1) - x[:, [i]]
        lead, drawn = leads.mean(axis=0), leads[rows]
        errors = drawn.mean(axis=1) - lead
        if method == "bootstrap":
            own, scale = (np.sqrt(np.mean(errors**2, axis=0)),) * 2
        else:
            own, scale = leads.std(axis=0, ddof=1) / 2, drawn.std(axis=1, ddof=1) / 2
        with np.errstate(divide="ignore"):  # four times the same row
            largest = (errors / scale).max(axis=1)
        expected = np.mean(largest >= np.max(lead / own) - 1e-9)
        if method == "bootstrap":  # four units that agree show no less than 1/16
            expected = max(expected, 1 / 16)
        assert outcome.pvalues[i] == pytest.approx(expected, abs=0.01)
    if method == "studentized":
        assert outcome.test.endswith("studentized bootstrap") and outcome.df is None


def test_the_default_is_the_more_careful_of_two_laws():
    x = np.random.default_rng(5).exponential(size=(40, 4)) + np.array([0.4, 0.3, 0, 0.1])
    by = {m: compare_with_best(table(x), method=m, n_resamples=999, rng=3) for m in METHODS}
    p = np.maximum(by["t"].pvalues, by["studentized"].pvalues)
    assert by["auto"].pvalues.tolist() == p.tolist()
    # Each of the two is the more careful one of some system.
    assert (p > by["t"].pvalues).any() and (p > by["studentized"].pvalues).any()
    critical = [by[m].critical_values() for m in ("t", "studentized")]
    assert by["auto"].critical_values().tolist() == np.maximum(*critical).tolist()
    d = x[:, [0]] - x[:, 1:]
    assert by["t"].skewness >= np.abs(stats.skew(d)).max() / math.sqrt(40) - 1e-12
    pairs = [x[:, a] - x[:, b] for a, b in combinations(range(4), 2)]
    assert by["auto"].skewness == pytest.approx(
        max(abs(stats.skew(d)) for d in pairs) / math.sqrt(40)
    )


@several
@given(few_levels())
def test_the_observed_best_may_be_best(x):
    outcome = compare_with_best(table(x), n_resamples=99, rng=0)
    assert outcome.names[int(np.argmax(x.mean(axis=0)))] in outcome.may_be_best(0.2)


@pytest.mark.parametrize("method", METHODS)
def test_a_constant_difference_claims_nothing(method):
    a = np.array([0.5, 0.7, 0.6, 0.65, 0.8, 0.7])
    outcome = compare_with_best(table({"a": a, "b": a + 0.01}), method=method, rng=0)
    assert np.isnan(outcome.pvalues).all()
    assert outcome.may_be_best() == ("a", "b")
    assert np.isnan(outcome.intervals()).all()
    assert np.isnan(outcome.critical_values(1e-9)).all()
    scores = {"a": a, "b": a + 0.01, "c": a - [5.0, 5.1, 4.9, 5.05, 5.0, 4.9]}
    third = compare_with_best(table(scores), method=method, rng=0)
    assert third.may_be_best() == ("a", "b")
    assert third.intervals()[2, 1] == 0 and third.intervals()[2, 0] < -4.5
    assert np.isnan(third.intervals()[:2, 0]).all()
    scores = {"a": a, "c": scores["c"], "d": scores["c"] - 0.01}
    behind = compare_with_best(table(scores), method=method, rng=0)
    assert behind.best() == "a"  # what c and d are to each other matters no more
    assert np.isfinite(behind.intervals()).all()


def test_pvalue_and_limits_agree_at_every_level():
    outcome = compare_with_best(
        table(normal_scores(9, means=[0, 0.2, 0.4, 0.5])), n_resamples=199, rng=0
    )
    for alpha in np.concatenate([outcome.pvalues, np.arange(1, 40) / 200]):
        alpha = float(min(alpha, 0.3))
        leads = -np.array(
            [
                np.delete((outcome.estimates[i] - outcome.estimates), i)
                / np.delete(outcome.standard_errors[i], i)
                for i in range(4)
            ]
        ).min(axis=1)
        within = leads <= outcome.critical_values(alpha) + 1e-12
        assert within.tolist() == (outcome.pvalues >= alpha).tolist()


def test_ordered_units_are_drawn_in_blocks():
    # Errors that last for 5 units: drawing single units would rule out far too much.
    rng = np.random.default_rng(10)
    x = np.repeat(rng.standard_normal((12, 2)), 5, axis=0)
    ordered = table(x, unit="instance", ordered=True)
    single, blocks = (
        compare_with_best(
            ordered, method="bootstrap", block_length=length, rng=0
        ).standard_errors[0, 1]
        for length in (1, 5)
    )
    d = x[:, 0] - x[:, 1]
    assert single == pytest.approx(d.std() / math.sqrt(60), rel=0.03)
    assert blocks == pytest.approx(d.std() / math.sqrt(12), rel=0.25)
    default = compare_with_best(ordered, method="bootstrap", rng=0)
    # The outer units come in few blocks, but are no less of the mean.
    x[[0, -1], 0] += 30
    outer = compare_with_best(
        table(x, unit="instance", ordered=True), method="bootstrap", block_length=15, rng=0
    )
    assert abs(outer.maxima[:, 0].mean()) < 0.05
    assert "instances further apart than 4 are independent of each other" in default.assumptions


X = normal_scores(0)
IN_ORDER = table(X, unit="instance", ordered=True)
FOUND = compare_with_best(table(X), n_resamples=9)


def refused_by(ask):
    gaps, splits = table([[1, 2], [None, 1], [2, 3]], unit="dataset"), table(X, unit="split")
    yield lambda: ask(gaps), f"{ask.__name__} needs every score, and 1"
    yield lambda: ask(splits), f"{ask.__name__} needs n_train and n_test"
    folds = table(X, unit=None, n_repeats=1)
    yield lambda: ask(folds, method="bootstrap"), "splits share training rows"


test_refusals = refusals([
    *refused_by(compare_with_best),
    *refused_by(model_confidence_set),
    (lambda: compare_with_best(table(X[:1])),
     "compare_with_best needs at least 2 seeds, got 1"),
    (lambda: compare_with_best(table(X[:2], unit=None, n_train=9, n_test=1)),
     "needs at least 3 splits, got 2"),
    (lambda: compare_with_best(table(X), method="z"), "method='z' is unknown; use 'auto', 't'"),
    (lambda: compare_with_best(table(X), n_resamples=0), "n_resamples=0 must be a whole"),
    (lambda: compare_with_best(IN_ORDER, method="t"), "instances in time order"),
    (lambda: compare_with_best(IN_ORDER, method="studentized"), "instances in time order"),
    (lambda: compare_with_best(table(X), method="bootstrap", block_length=2),
     "block_length needs order"),
    (lambda: compare_with_best(IN_ORDER, method="bootstrap", block_length=7),
     r"block_length=7 must .* from 1 to 6"),
    (lambda: type(FOUND).from_dict(FOUND.to_dict() | {"type": "OmnibusOutcome"}),
     "'OmnibusOutcome' is not a BestOutcome"),
    (lambda: model_confidence_set(table(X), statistic="T"),
     "statistic='T' is unknown; use 'max' or 'range'"),
    (lambda: model_confidence_set(table(X), n_resamples=9).may_be_best(2),
     "alpha=2 must lie between 0 and 1"),
])  # fmt: skip


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


@pytest.mark.parametrize("statistic", ["max", "range"])
def test_the_set_by_listing_all_resamples(statistic):
    x = np.array(
        [[3.0, 1.0, 2.5, 2.2], [2.0, 2.5, 1.0, 2.1], [4.0, 1.5, 3.0, 2.6], [3.5, 3.0, 3.6, 1.8]]
    )
    x = np.vstack([x, [2.5, 2.4, 3.1, 2.0]])
    rows = np.array(list(product(range(5), repeat=5)))
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


largest_lead = partial(compare_with_best, method="lead")
RNG = np.random.default_rng(6)
SCORES = RNG.normal(0.8, 0.02, (12, 40)) + np.linspace(0, 0.06, 40)


@both_units
def test_of_two_systems_it_is_the_t_test(units, test):
    a, b = SCORES[:, 20], SCORES[:, 22]
    alone = test(PairedScores(a, b, **units), alternative="less")
    found = largest_lead(ScoreTable({"a": a, "b": b}, **units), n_resamples=40_000, rng=0)
    # In one direction, and the best of the two is never ruled out.
    behind = int(np.argmin(found.estimates))
    expected = alone.pvalue if behind == 0 else 1 - alone.pvalue
    assert found.pvalues[behind] == pytest.approx(expected, abs=0.01)
    assert found.pvalues[1 - behind] == 1


def test_it_agrees_with_a_standard_error_for_every_pair_where_all_vary_alike():
    table = ScoreTable(SCORES[:, ::8], unit="dataset")
    found = largest_lead(table, rng=0).pvalues
    other = compare_with_best(table, method="t", rng=0).pvalues
    np.testing.assert_allclose(found[other < 0.5], other[other < 0.5], atol=0.12)
    assert largest_lead(table, rng=0).may_be_best(0.05)[-1] == "system 5"


def test_what_does_not_vary_is_not_judged():
    first = SCORES[:, 39]
    scores = np.column_stack([first, first, first - 0.1, SCORES[:, 0] - 1])
    found = largest_lead(ScoreTable(scores, unit="dataset"), rng=0)
    assert found.pvalues[:2].tolist() == [1, 1]
    assert np.isnan(found.pvalues[2]) and found.pvalues[3] < 0.001
    assert found.may_be_best() == ("system 1", "system 2", "system 3")


def test_ten_thousand_systems_need_no_pairs():
    scores = RNG.normal(0.8, 0.01, (10, 10_000))
    scores[:, 7] += 0.1
    table = ScoreTable(scores, unit="dataset")
    assert largest_lead(table, n_resamples=999, rng=0).best() == "system 8"
    with pytest.raises(ValueError, match="49995000 pairs, too many"):
        compare_scores(table)


NINE = np.random.default_rng(4).normal(size=(9, 3)) + np.array([0.0, 0.3, 1.0])


def by_enumeration(scores):
    pairs = list(combinations(range(scores.shape[1]), 2))
    d = np.column_stack([scores[:, a] - scores[:, b] for a, b in pairs])

    def largest(signs):
        flipped = d * np.asarray(signs)[:, None]
        return np.abs(stats.ttest_1samp(flipped, 0).statistic).max()

    observed = largest(np.ones(len(d)))
    drawn = [largest(signs) for signs in product((1, -1), repeat=len(d))]
    return observed, np.mean(np.array(drawn) >= observed - 1e-9)


def test_by_listing_all_sign_patterns():
    observed, expected = by_enumeration(NINE)
    outcome = largest_t(table(NINE), n_resamples=40_000, rng=0)
    assert outcome.statistic == pytest.approx(observed)
    assert outcome.pvalue == pytest.approx(expected)
    assert outcome.n_resamples == 2 ** len(NINE) - 1 and outcome.seed is None
    drawn = largest_t(table(NINE), n_resamples=400, rng=0)
    assert drawn.pvalue == pytest.approx(expected, abs=4 * drawn.monte_carlo_error)
    assert outcome.effect_sizes["range of means"] == pytest.approx(np.ptp(NINE.mean(axis=0)))
