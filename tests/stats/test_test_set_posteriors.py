"""Test sets as probabilities by quadrature and draws, and what ArviZ is given to draw."""

import itertools
import math
import sys
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate
from scipy import stats as scipy_stats
from sklearn import metrics as sk

from skstat.metrics import as_metric
from skstat.stats import (
    AgreementTable,
    DatasetSplits,
    PairedScores,
    Posterior,
    Predictions,
    agreement_posterior,
    bootstrap_posterior,
    corrected_t,
    hierarchical_posterior,
    mcnemar,
    posterior,
    sign_posterior,
    signed_rank_posterior,
)
from tests.cases import in_one_test, refusals
from tests.predicted import right

TABLE = AgreementTable(both=54, only_a=18, only_b=6, neither=22)
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 150)
OUTPUTS = {
    name: np.where(RNG.random(150) < share, Y, RNG.integers(0, 3, 150))
    for name, share in (("a", 0.8), ("b", 0.65))
}
SCORED = {name: RNG.random(150) + (Y == 1) * lead for name, lead in (("a", 0.4), ("b", 0.3))}


def by_quadrature(a, b, same, bound):
    """P(p - q > bound) by adaptive quadrature over the share of rows on which one is right."""
    mean = (a + b) / (a + b + same)
    sd = math.sqrt(mean * (1 - mean) / (a + b + same + 1))
    steps = (mean + step * sd for step in (-30, -9, -4, -2, -1, 0, 1, 2, 4, 9, 30, 90))
    ends = sorted({bound, 1.0, *(min(1.0, max(bound, step)) for step in steps)})

    def height(s):
        above = scipy_stats.beta.sf((1 + bound / s) / 2, a, b)
        return scipy_stats.beta.pdf(s, a + b, same) * above

    parts = itertools.pairwise(ends)
    return sum(integrate.quad(height, *part, epsabs=1e-14, limit=200)[0] for part in parts)


class TestRightAndWrong:
    @pytest.mark.parametrize(
        "only_a, only_b, same, bound",
        [
            *((18, 6, 76, 0.02), (0, 0, 30, 0.01), (3, 0, 27, 0.05), (6, 0, 2, 0.5)),
            *((100, 10, 9000, 0.009), (10000, 1, 90000, 0.1), (0, 10, 19, 0.02)),
            (2, 0, 1, 0.9),
        ],
    )
    def test_by_quadrature(self, only_a, only_b, same, bound):
        table = AgreementTable(both=same, only_a=only_a, only_b=only_b, neither=0)
        found = agreement_posterior(table, bound).probabilities.better
        expected = by_quadrature(only_a + 0.5, only_b + 0.5, same + 1, bound)
        assert_allclose(found, expected, atol=3e-11)

    def test_it_is_that_of_mcnemars_test(self):
        found = posterior(mcnemar(TABLE), 0.02)
        assert found.probabilities == agreement_posterior(TABLE, 0.02).probabilities
        rows = PairedScores([1, 1, 0, 1], [1, 0, 0, 0], unit="instance")
        found = agreement_posterior(rows)
        assert (found.only_a, found.only_b, found.n) == (2, 0, 4)

    @pytest.mark.parametrize("rope", [0, 0.01, 0.3, 1.0, 2.0])
    @pytest.mark.parametrize(
        "counts", [(30, 0, 0, 0), (0, 30, 0, 0), (0, 0, 1, 0), (0, 15, 15, 0), (10**6, 3, 0, 0)]
    )
    def test_extremes_are_regular(self, counts, rope):
        found = agreement_posterior(AgreementTable(*counts), rope)
        assert_allclose(sum(found.probabilities), 1, atol=1e-12)
        assert all(0 <= p <= 1 for p in found.probabilities)
        low, high = found.lowest, found.highest
        for ends in zip(low, found.probabilities, high, strict=True):
            assert list(ends) == sorted(ends)
        start, end = found.credible_interval()
        assert -1 <= start <= end <= 1
        if rope >= 1:
            assert found.probabilities == (0, 1, 0)


class TestWeights:
    @staticmethod
    def drawn(n_draws, y=Y, metric=right, **options):
        sample = Predictions(y, {"a": y, "b": 1 - y}, metric, **options)
        plan = sample.plan if metric is right else sample.kernel.plan
        return plan.smooth_weights(np.random.default_rng(0), n_draws)

    def test_of_rows_and_of_cells_are_a_dirichlet_law(self):
        y = np.array([0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
        of_rows, of_cells = self.drawn(20_000, y), self.drawn(20_000, y, as_metric("f1"))
        assert_allclose(of_rows.sum(axis=1), 10)
        assert of_cells.shape[1] == 2
        for drawn, counts in ((of_rows, [1] * 10), (of_cells, [9, 1])):
            for part, count in zip((drawn / 10).T, counts, strict=True):
                law = scipy_stats.beta(count, 10 - count)
                assert scipy_stats.kstest(part, law.cdf).pvalue > 1e-4

    def test_strata_keep_their_sizes(self):
        strata = np.array([0, 1, 1, 0, 1])
        drawn = self.drawn(50, np.zeros(5, dtype=int), strata=strata)
        assert_allclose(drawn[:, strata == 0].sum(axis=1), 2)
        assert_allclose(drawn[:, strata == 1].sum(axis=1), 3)


@in_one_test(
    "metric, direct, outputs",
    [
        ("f1_macro", lambda *a, **k: sk.f1_score(*a, average="macro", **k), OUTPUTS),
        ("balanced_accuracy", sk.balanced_accuracy_score, OUTPUTS),
        ("matthews_corrcoef", sk.matthews_corrcoef, OUTPUTS),
        ("roc_auc", sk.roc_auc_score, SCORED),
        ("average_precision", sk.average_precision_score, SCORED),
        ("r2", sk.r2_score, SCORED),
        (
            "neg_mean_absolute_error",
            lambda *a, **k: -sk.mean_absolute_error(*a, **k),
            SCORED,
        ),
    ],
)
def test_kernels_take_weights_that_are_not_whole(metric, direct, outputs):
    y = (Y == 1).astype(int) if outputs is SCORED else Y
    sample = Predictions(y, outputs, as_metric(metric), draw="rows")
    weights = sample.plan.smooth_weights(np.random.default_rng(1), 4)
    expected = [
        [direct(y, output, sample_weight=row) for output in outputs.values()] for row in weights
    ]
    assert_allclose(sample.kernel.weighted(weights), expected, rtol=1e-9)


class TestBootstrap:
    def test_f1_by_hand(self):
        sample = Predictions(Y, OUTPUTS, as_metric("f1_macro"))
        found = bootstrap_posterior(sample, 0.05, n_draws=20_000, rng=0)
        weights = np.random.default_rng(5).dirichlet(np.ones(150), 20_000)

        def f1(output):
            of_classes = []
            for k in range(3):
                named, true = output == k, k == Y
                hits = weights @ (named & true)
                of_classes.append(2 * hits / (weights @ named + weights @ true))
            return np.mean(of_classes, axis=0)

        d = f1(OUTPUTS["a"]) - f1(OUTPUTS["b"])
        shares = [np.mean(d > 0.05), np.mean(np.abs(d) <= 0.05), np.mean(d < -0.05)]
        assert_allclose(found.probabilities, shares, atol=0.015)
        assert_allclose(found.credible_interval(), np.quantile(d, [0.025, 0.975]), atol=0.004)

    def test_kinds_of_rows_are_as_good_as_rows(self):
        of_cells, of_rows = (
            bootstrap_posterior(
                Predictions(Y, OUTPUTS, as_metric("f1_macro"), draw=draw), 0.05, rng=1
            )
            for draw in ("cells", "rows")
        )
        assert_allclose(of_cells.probabilities, of_rows.probabilities, atol=0.02)
        assert of_cells.n_units == of_rows.n_units == 150
        assert of_cells.n_telling == np.sum(OUTPUTS["a"] != OUTPUTS["b"])

    def test_groups_are_the_units(self):
        rng = np.random.default_rng(3)
        groups = np.repeat(np.arange(15), 10)
        effect = np.repeat(rng.random(15) < 0.5, 10)  # all of a group is right, or nothing
        y = np.ones(150, dtype=int)
        outputs = {"a": effect.astype(int), "b": np.repeat(rng.random(15) < 0.5, 10) * 1}
        of_rows = bootstrap_posterior(Predictions(y, outputs, as_metric("accuracy")), rng=0)
        sample = Predictions(y, outputs, as_metric("accuracy"), groups=groups)
        of_groups = bootstrap_posterior(sample, rng=0)
        lengths = [np.subtract(*p.credible_interval()[::-1]) for p in (of_rows, of_groups)]
        assert lengths[1] > 2.5 * lengths[0]  # of the square root of 10, with a small sample
        assert of_groups.n_units == 15

    def test_a_function_of_rows_is_called_on_copies(self):
        def balanced(y_true, y_pred):
            return np.mean([np.mean(y_pred[y_true == label] == label) for label in range(3)])

        called = bootstrap_posterior(
            Predictions(Y, OUTPUTS, balanced), 0.05, n_draws=2_000, rng=0
        )
        by_formula = bootstrap_posterior(
            Predictions(Y, OUTPUTS, as_metric("balanced_accuracy")), 0.05, rng=0
        )
        assert_allclose(called.probabilities, by_formula.probabilities, atol=0.035)
        assert_allclose(called.credible_interval(), by_formula.credible_interval(), atol=0.012)


def total(y_true, y_pred):
    return float(np.sum(y_true == y_pred))


ORDERED = Predictions(Y, OUTPUTS, as_metric("f1_macro"), order=np.arange(150))
test_what_is_refused = refusals([
    (lambda: agreement_posterior(TABLE, -1), "rope=-1"),
    (lambda: agreement_posterior(PairedScores([0.5, 1.0], [0, 1], unit="instance")),
     "not 1 .right. or 0"),
    (lambda: bootstrap_posterior(ORDERED), "stand in time order: use"),
    (lambda: bootstrap_posterior(ORDERED, -0.1), "rope="),
    (lambda: bootstrap_posterior(ORDERED, math.nan), "rope="),
    (lambda: bootstrap_posterior(ORDERED, "0.1"), "rope="),
    (lambda: bootstrap_posterior(PairedScores([1, 2, 3], [1, 1, 2], n_repeats=1)),
     "sample.per_group.*no splits"),
    (lambda: bootstrap_posterior(Predictions(Y, OUTPUTS, total)),
     "not the same when all rows come 4 times"),
    (lambda: bootstrap_posterior(
        PairedScores([1, 2.0] * 6, [1, 1] * 6, groups=[*range(6)] * 2)
    ), "sample.per_group"),
])  # fmt: skip


DRAWN = np.random.default_rng(1)
SCORES = {"a": 0.82 + 0.05 * DRAWN.random(10), "b": 0.8 + 0.05 * DRAWN.random(10)}
OVER = {"a": DRAWN.normal(0.81, 0.04, 12), "b": DRAWN.normal(0.78, 0.04, 12)}


@cache
def posteriors():
    return list(made())


def made():
    sample = PairedScores(SCORES["a"], SCORES["b"], n_repeats=1)
    rows = PairedScores(SCORES["a"], SCORES["b"], unit="instance")
    over = PairedScores(OVER["a"], OVER["b"], unit="dataset")
    splits = DatasetSplits(
        {
            str(i): PairedScores(0.8 + DRAWN.normal(0.02, 0.03, 10), [0.8] * 10, n_repeats=1)
            for i in range(8)
        }
    )
    yield posterior(corrected_t(sample), 0.01)
    yield agreement_posterior(AgreementTable(54, 18, 6, 22), 0.01)
    yield bootstrap_posterior(rows, 0.01, rng=0)
    yield sign_posterior(over, 0.01)
    yield hierarchical_posterior(splits, 0.01, n_chains=8, n_draws=600, rng=0)


def before_1(posterior=None, **_):
    return SimpleNamespace(posterior=posterior)


def from_1(data, **_):
    return SimpleNamespace(**data)


@pytest.mark.parametrize("from_dict", [before_1, from_1])
def test_draws_for_arviz(monkeypatch, from_dict):
    monkeypatch.setitem(sys.modules, "arviz", SimpleNamespace(from_dict=from_dict))
    for found in posteriors():
        draws = found.to_arviz().posterior
        assert {array.shape for array in draws.values()} in (
            {(4, 1000)},
            {(8, getattr(found, "n_draws", 0))},
        )
        if "difference" in draws:
            above = np.mean(draws["difference"] > found.rope)
            assert_allclose(above, found.probabilities.better, atol=0.03)
        else:
            shares = [draws[name].mean() for name in ("better", "same", "worse")]
            expected = (
                found.expected if "chains" not in found.how_drawn else found.probabilities
            )
            assert_allclose(shares, expected, atol=0.02)


def test_without_arviz_it_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz", None)
    with pytest.raises(ImportError, match="to_arviz.. needs ArviZ.*pip install arviz"):
        agreement_posterior(AgreementTable(54, 18, 6, 22)).to_arviz()


def test_without_draws_it_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz", SimpleNamespace(from_dict=from_1))
    *_, modelled = posteriors()
    restored = Posterior.from_dict(modelled.to_dict())
    with pytest.raises(ValueError, match="a restored posterior has no chains"):
        restored.to_arviz()
    over = PairedScores(OVER["a"], OVER["b"], unit="dataset")
    with pytest.raises(ValueError, match="does not hold the differences"):
        signed_rank_posterior(over, n_draws=100, rng=0).to_arviz()


@pytest.mark.ecosystem
def test_arviz_finds_what_the_model_says():
    arviz = pytest.importorskip("arviz")
    *_, modelled = posteriors()
    summary = arviz.summary(modelled.to_arviz(), var_names=["location"], round_to=6)
    assert_allclose(summary["mean"].iloc[0], modelled.location, atol=1e-5)
