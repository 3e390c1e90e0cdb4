"""Outcomes: levels, critical values, and the way through JSON."""

import dataclasses
import functools
import json
import math

import numpy as np
import pytest

from skstat import stats
from skstat.stats import (
    Comparison,
    ConfidenceInterval,
    Law,
    PairedScores,
    Scores,
    Student,
    bouckaert_t,
    corrected_t,
    five_by_two_f,
    five_by_two_t,
    one_sample_t,
    paired_t,
    sign,
    sign_flip,
    wilcoxon,
)
from skstat.stats._common import subclasses_of, to_plain
from skstat.stats._joint import JointMaxT, smallest_pvalues
from tests.cases import in_one_test

rng = np.random.default_rng(4)
A = rng.normal(0.8, 0.03, 100)
B = A - rng.normal(0.01, 0.02, 100)


def units(n, unit="instance"):
    return PairedScores(A[:n], B[:n], unit=unit)


def partitions(n, n_repeats):
    return PairedScores(A[:n], B[:n], n_repeats=n_repeats)


CONSTANT = PairedScores([0.75, 0.5, 0.25], [0.5, 0.25, 0.0], unit="seed")
IDENTICAL = PairedScores([0.75, 0.5, 0.25], [0.75, 0.5, 0.25], unit="seed")
TABLE = stats.AgreementTable(54, 18, 6, 22)
POSITIVE = np.arange(60) % 2
RANKED = stats.BinaryScores(POSITIVE, {"a": A[:60] + POSITIVE / 50, "b": B[:60]})
CROSSED = stats.CrossedScores(A[:60].reshape(3, 20), B[:60].reshape(3, 20))

CONSTANT_RUNS = stats.CrossedScores(np.full((3, 20), 0.75), np.full((3, 20), 0.5))


def error(y_true, y_pred):
    return -np.mean((y_true - y_pred) ** 2)


PREDICTED = stats.PairedPredictions(np.full(40, 0.8), {"a": A[:40], "b": B[:40]}, error)
MANY = PairedScores(*rng.normal(0.8, 0.03, (2, 600)), unit="instance")
MANY_PREDICTED = stats.PairedPredictions(np.full(600, 0.8), {"a": MANY.a, "b": MANY.b}, error)
RUNS = stats.Predictions(np.full(40, 0.8), {"a": A[:40], "b 1": B[:40], "b 2": B[40:80]}, error)
MAX_T = JointMaxT(pvalue=0.02, errors=0.01, maxima=np.abs(A), n_resamples=100, seed=0)
SIMULTANEOUS = dataclasses.replace(paired_t(units(12)), joint=MAX_T)
SMALLEST_P = smallest_pvalues([paired_t(units(12))] * 3, 0).judged(paired_t(units(12)), 0.02)
RANKS = stats.ScoreTable(np.stack([A[:30], B[:30], B[30:60]], axis=1), unit="dataset")


def fold_scores():
    rng = np.random.default_rng(5)
    folds = np.array([rng.permutation(24) % 2 for _ in range(6)])
    right = rng.random((2, 6, 24)) < np.array([0.8, 0.6])[:, np.newaxis, np.newaxis]
    return stats.PairedFoldScores.from_row_scores(*right, folds)


OUTCOMES = {
    "paired t": lambda: paired_t(units(12)),
    "paired t, less": lambda: paired_t(units(12), alternative="less"),
    "paired t, constant": lambda: paired_t(CONSTANT),
    "paired t, identical": lambda: paired_t(IDENTICAL),
    "corrected t": lambda: corrected_t(partitions(30, 3)),
    "bouckaert t": lambda: bouckaert_t(partitions(100, 10)),
    "one sample t": lambda: one_sample_t(Scores(A[:10], n_repeats=1), 0.75),
    "projection t": lambda: stats.projection_t(fold_scores()),
    "block jackknife t": (
        lambda: stats.block_jackknife_t(
            stats.PairedBlockScores.from_matrices(A[:16].reshape(4, 4), B[:16].reshape(4, 4))
        )
    ),
    "Diebold-Mariano": (
        lambda: stats.diebold_mariano(
            PairedScores(A[:40], B[:40], unit="instance", ordered=True)
        )
    ),
    "5x2 t": lambda: five_by_two_t(partitions(10, 5)),
    "5x2 F": lambda: five_by_two_f(partitions(10, 5)),
    "wilcoxon": lambda: wilcoxon(units(15)),
    "wilcoxon, greater": lambda: wilcoxon(units(15), alternative="greater"),
    "wilcoxon, identical": lambda: wilcoxon(IDENTICAL),
    "sign": lambda: sign(units(15)),
    "sign flip, counted": lambda: sign_flip(units(12)),
    "sign flip, drawn": lambda: sign_flip(units(50), n_resamples=500),
    "sign flip, smooth": lambda: sign_flip(MANY),
    "sign flip, open": lambda: sign_flip(units(3)),
    "mcnemar": lambda: stats.mcnemar(TABLE),
    "mcnemar, edwards": lambda: stats.mcnemar(TABLE, method="edwards", alternative="less"),
    "binomial": lambda: stats.binomial(stats.Successes(7, 10), 0.5),
    "delong": lambda: stats.delong(RANKED),
    "crossed t": lambda: stats.crossed_t(CROSSED),
    "crossed bootstrap": lambda: stats.crossed_bootstrap(CROSSED, n_resamples=99, rng=0),
    "crossed bootstrap, constant": (
        lambda: stats.crossed_bootstrap(CONSTANT_RUNS, n_resamples=99, rng=0)
    ),
    **{
        f"bootstrap, {interval}": (
            lambda interval=interval: stats.paired_bootstrap(
                PREDICTED, n_resamples=199, rng=0, interval=interval
            )
        )
        for interval in ("percentile", "basic", "bca")
    },
    "permutation": lambda: stats.paired_permutation(PREDICTED, n_resamples=199, rng=0),
    "permutation, smooth": lambda: stats.paired_permutation(MANY_PREDICTED, rng=0),
    "seeds": (
        lambda: stats.seeded_bootstrap(
            stats.SeededPredictions(RUNS, (1, 2)), n_resamples=99, rng=0
        )
    ),
    "simultaneous": lambda: SIMULTANEOUS,
    "smallest p": lambda: SMALLEST_P,
    "mean ranks": lambda: stats.pairwise_mean_ranks(RANKS).outcomes[0],
    "mean ranks, exact": (lambda: stats.pairwise_mean_ranks(RANKS, method="exact").outcomes[1]),
    "conover": lambda: stats.pairwise_conover(RANKS).outcomes[0],
    "nemenyi": lambda: stats.nemenyi(RANKS).outcomes[0],
    "bonferroni-dunn": lambda: stats.bonferroni_dunn(RANKS, "system 1").outcomes[1],
}


every = in_one_test("name", OUTCOMES)


@functools.cache
def outcome_of(name):
    return OUTCOMES[name]()


def through_json(outcome):
    return Comparison.from_dict(json.loads(json.dumps(outcome.to_dict(), allow_nan=False)))


def same(x, y):
    return x == y or (math.isnan(x) and math.isnan(y))


def test_every_law_is_tested():
    laws = {kind for kind in subclasses_of(Law) if kind.__module__.startswith("skstat.")}
    assert {type(outcome_of(name).law) for name in OUTCOMES} == laws


@every
def test_round_trip(name):
    outcome = outcome_of(name)
    restored = through_json(outcome)
    assert type(restored) is type(outcome)
    for name in ("test", "estimand", "null_hypothesis", "alternative", "assumptions"):
        assert getattr(restored, name) == getattr(outcome, name)
    assert (restored.df, restored.statistic_name) == (outcome.df, outcome.statistic_name)
    assert isinstance(restored.assumptions, tuple)
    assert (restored.seed, restored.n_resamples) == (outcome.seed, outcome.n_resamples)
    for name in ("statistic", "pvalue", "estimate", "smallest_pvalue", "monte_carlo_error"):
        assert same(getattr(restored, name), getattr(outcome, name))
    for level in (0.5, 0.8, 0.95, 0.99):
        expected = outcome.confidence_interval(level)
        assert all(map(same, restored.confidence_interval(level), expected))
    assert list(restored.effect_sizes) == list(outcome.effect_sizes)
    assert all(map(same, restored.effect_sizes.values(), outcome.effect_sizes.values()))
    assert restored.to_dict() == outcome.to_dict()


@every
def test_stored_numbers_are_plain(name):
    outcome = outcome_of(name)
    state = outcome.to_dict()
    assert state["type"] == type(outcome).__name__
    kinds = set()

    def walk(value):
        kinds.add(type(value))
        for item in value.values() if isinstance(value, dict) else value:
            if isinstance(item, dict | list):
                walk(item)
            else:
                kinds.add(type(item))

    walk(state)
    assert kinds <= {dict, list, str, int, float, bool, type(None)}


def test_unknown_type():
    state = paired_t(units(5)).to_dict() | {"type": "BayesFactor"}
    with pytest.raises(ValueError, match="not that of a Comparison"):
        Comparison.from_dict(state)
    state = paired_t(units(5)).to_dict()
    with pytest.raises(ValueError, match="law 'Cauchy' is unknown here; import the module"):
        Comparison.from_dict(state | {"law": state["law"] | {"type": "Cauchy"}})


def test_outcomes_of_others_are_restored_once_they_are_imported():
    @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    class Halved(Student):
        def pvalue(self, alternative):
            return super().pvalue(alternative) / 2

    state = paired_t(units(8)).to_dict()
    halved = Comparison.from_dict(state | {"law": state["law"] | {"type": "Halved"}})
    assert isinstance(halved.law, Halved)
    assert halved.pvalue == paired_t(units(8)).pvalue / 2


@every
def test_outcomes_are_frozen(name):
    outcome = outcome_of(name)
    with pytest.raises(dataclasses.FrozenInstanceError):
        outcome.estimate = 0.0


@every
@in_one_test("level", [0, 1, -0.5, 95, math.nan])
def test_levels_are_shares(name, level):
    outcome = outcome_of(name)
    with pytest.raises(ValueError, match="confidence_level=.* must lie between 0 and 1"):
        outcome.confidence_interval(level)


@every
def test_interval_has_names_and_widens(name):
    outcome = outcome_of(name)
    narrow, wide = outcome.confidence_interval(0.8), outcome.confidence_interval(0.99)
    assert isinstance(narrow, ConfidenceInterval)
    assert narrow == (narrow.low, narrow.high) or math.isnan(narrow.low)
    if not math.isnan(narrow.low):
        assert wide.low <= narrow.low <= outcome.estimate <= narrow.high <= wide.high


# Tables of Student's t: 9 degrees of freedom.
@pytest.mark.parametrize(
    "alternative, alpha, critical",
    [
        ("two-sided", 0.05, 2.262),
        ("two-sided", 0.01, 3.250),
        ("greater", 0.05, 1.833),
        ("less", 0.01, 2.821),
    ],
)
def test_critical_values(alternative, alpha, critical):
    outcome = paired_t(units(10), alternative=alternative)
    assert outcome.critical_value(alpha) == pytest.approx(critical, abs=5e-4)


@in_one_test("procedure", [wilcoxon, sign, sign_flip])
@in_one_test("alternative, patterns", [("two-sided", 2), ("less", 1)])
@in_one_test("n", [1, 2, 7])
def test_smallest_pvalue_is_that_of_a_clean_sweep(procedure, alternative, patterns, n):
    # Ties are no evidence: three of them change nothing.
    sweep = PairedScores([*range(n), 0, 0, 0], [*range(1, n + 1), 0, 0, 0], unit="seed")
    outcome = procedure(sweep, alternative=alternative)
    assert outcome.smallest_pvalue == min(1, patterns / 2**n)
    assert outcome.pvalue == pytest.approx(outcome.smallest_pvalue, rel=1e-12)


def test_plain_values():
    found = to_plain(
        {
            1: np.array([1.5, math.nan]),
            "deep": ({"x": np.float64(-math.inf)}, np.int64(3), np.bool_(True)),
            "text": "A",
            "none": None,
        }
    )
    assert found == {
        "1": [1.5, None],
        "deep": [{"x": None}, 3, True],
        "text": "A",
        "none": None,
    }
    assert type(found["deep"][1]) is int
    assert type(found["deep"][2]) is bool


def test_an_error_inside_a_property_is_not_hidden():
    class Odd(Comparison):
        @property
        def broken(self):
            return self.no_such_thing

    known = {"test": "t", "estimand": "e", "null_hypothesis": "n"}
    outcome = Odd(**known, law=Student(estimate=1.0, standard_error=1.0, df=3))
    with pytest.raises(AttributeError, match="no_such_thing"):
        outcome.broken  # noqa: B018
