"""Outcomes: levels, critical values, and the way through JSON."""

import dataclasses
import functools
import json
import math

import numpy as np
import pytest

from skstat import compare_scores, stats
from skstat.stats import Comparison, Law, PairedScores, Student, paired_t, sign_flip, wilcoxon
from tests.cases import in_one_test
from tests.stats.asked import PROCEDURES, A, B, error, units

CONSTANT = PairedScores([0.75, 0.5, 0.25], [0.5, 0.25, 0.0], unit="seed")
IDENTICAL = PairedScores([0.75, 0.5, 0.25], [0.75, 0.5, 0.25], unit="seed")
CONSTANT_RUNS = stats.SeedScores({"a": np.full((3, 20), 0.75), "b": np.full((3, 20), 0.5)})


MANY = PairedScores(*np.random.default_rng(4).normal(0.8, 0.03, (2, 600)), unit="instance")
MANY_PREDICTED = stats.Predictions(np.full(600, 0.8), {"a": MANY.a, "b": MANY.b}, error)
RANKS = stats.ScoreTable(np.stack([A[:30], B[:30], B[30:60]], axis=1), unit="dataset")


def fold_scores():
    rng = np.random.default_rng(5)
    folds = np.array([rng.permutation(24) % 2 for _ in range(6)])
    right = rng.random((2, 6, 24)) < np.array([0.8, 0.6])[:, np.newaxis, np.newaxis]
    return stats.PairedScores.from_row_scores(*right, folds)


def in_company(k=3, **options):
    scores = np.stack([A[:90], B[:90], B[:90][::-1]], axis=1)[:, :k]
    return compare_scores(scores, unit="instance", random_state=0, **options)


def laws_of(kind):
    return {kind}.union(*(laws_of(below) for below in kind.__subclasses__()))


OUTCOMES = {
    **PROCEDURES,
    "paired t, less": lambda: paired_t(units(12), alternative="less"),
    "paired t, constant": lambda: paired_t(CONSTANT),
    "paired t, identical": lambda: paired_t(IDENTICAL),
    "projection t": lambda: stats.projection_t(fold_scores()),
    "block jackknife t": (
        lambda: stats.block_jackknife_t(
            stats.PairedScores.from_matrices(A[:16].reshape(4, 4), B[:16].reshape(4, 4))
        )
    ),
    "wilcoxon, greater": lambda: wilcoxon(units(15), alternative="greater"),
    "wilcoxon, identical": lambda: wilcoxon(IDENTICAL),
    "sign flip, smooth": lambda: sign_flip(MANY),
    "sign flip, open": lambda: sign_flip(units(3)),
    "seeds, constant": lambda: stats.seeded_bootstrap(CONSTANT_RUNS, n_resamples=99, rng=0),
    "permutation, smooth": lambda: stats.paired_permutation(MANY_PREDICTED, rng=0),
    "simultaneous": lambda: in_company()["A", "B"].evidence.outcome,
    "smallest p": lambda: in_company(k=2, by=np.arange(90) % 3)["0"].evidence.outcome,
    "mean ranks": lambda: stats.pairwise_mean_ranks(RANKS).outcomes[0],
    "mean ranks, exact": lambda: stats.pairwise_mean_ranks(RANKS, method="exact").outcomes[1],
    "conover": lambda: stats.pairwise_mean_ranks(RANKS, method="t").outcomes[0],
    "nemenyi": lambda: stats.nemenyi(RANKS).outcomes[0],
    "bonferroni-dunn": lambda: stats.nemenyi(RANKS, control="system 1").outcomes[1],
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
    laws = {kind for kind in laws_of(Law) if kind.__module__.startswith("skstat.")}
    tested = {type(outcome_of(name).law) for name in OUTCOMES}
    assert {kind for kind in laws if not kind.__subclasses__()} <= tested <= laws


@every
def test_a_restored_outcome_answers_as_the_one_that_was_stored(name):
    outcome = outcome_of(name)
    restored = through_json(outcome)
    assert type(restored) is type(outcome)
    assert isinstance(restored.assumptions, tuple)
    for name in ("df", "statistic", "pvalue", "smallest_pvalue", "monte_carlo_error"):
        assert same(getattr(restored, name), getattr(outcome, name))
    for level in (0.5, 0.8, 0.95, 0.99):
        expected = outcome.confidence_interval(level)
        assert all(map(same, restored.confidence_interval(level), expected))
    assert list(restored.effect_sizes) == list(outcome.effect_sizes)
    state = outcome.to_dict()
    assert restored.to_dict() == state
    assert set(kinds_in(state)) <= {dict, list, str, int, float, bool, type(None)}
    with pytest.raises(dataclasses.FrozenInstanceError):
        outcome.estimate = 0.0


def kinds_in(value):
    """Yield the types of all that a stored state holds."""
    yield type(value)
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from kinds_in(item)


def test_unknown_type():
    state = paired_t(units(5)).to_dict() | {"type": "BayesFactor"}
    with pytest.raises(ValueError, match="'BayesFactor' is unknown"):
        Comparison.from_dict(state)
    state = paired_t(units(5)).to_dict()
    with pytest.raises(ValueError, match="'Cauchy' is unknown; import the module"):
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
