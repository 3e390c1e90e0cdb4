"""The metric of scikit-learn is called once per system, and its formula is shared by pairs."""

import pickle

import numpy as np
import pytest
from sklearn import metrics as sk

from skstat import compare_predictions
from skstat.metrics import _verified as verified
from skstat.metrics import as_metric, row_scores
from skstat.metrics._metric import ScoreMetric
from skstat.stats import PairedPredictions, Predictions
from skstat.stats._resampling.kernels import CallableKernel
from tests.cases import in_one_test

N, SYSTEMS = 300, ("a", "b", "c", "d")


@pytest.fixture
def calls(monkeypatch):
    """Names of the metrics that were called, in a process that knows none yet."""
    made = []
    call = ScoreMetric.__call__

    def counted(self, *args, **options):
        made.append(self.name)
        return call(self, *args, **options)

    monkeypatch.setattr(ScoreMetric, "__call__", counted)
    monkeypatch.setattr(verified, "_agreed", set())
    return made


def labels(rng, classes=(0, 1, 2), n=N):
    y = rng.choice(np.array(classes), n)
    noise = {name: rng.choice(np.array(classes), n) for name in SYSTEMS}
    return y, {name: np.where(rng.random(n) < 0.7, y, other) for name, other in noise.items()}


def numbers(rng, n=N):
    y = rng.normal(size=n)
    return y, {name: y + rng.normal(size=n) for name in SYSTEMS}


def chances(rng, n=N):
    y = rng.integers(0, 2, n)
    return y, {name: np.clip(y / 3 + rng.random(n) / 2, 0.01, 0.99) for name in SYSTEMS}


def test_a_metric_that_counts_is_called_once_in_a_process(calls):
    for seed in range(3):
        y, outputs = labels(np.random.default_rng(seed))
        compare_predictions(y, outputs, metric=["accuracy", "f1_macro"], n_jobs=1)
    assert sorted(calls) == ["accuracy", "f1_macro"]


@pytest.mark.parametrize(
    ("make", "metric"),
    [(numbers, "neg_mean_absolute_error"), (chances, "neg_log_loss"), (numbers, "r2")],
)
def test_a_metric_of_numbers_is_called_once_for_each_system(calls, make, metric):
    y, outputs = make(np.random.default_rng(0))
    compare_predictions(y, outputs, metric=metric, n_jobs=1, n_resamples=99)
    assert len(calls) == len(SYSTEMS)
    compare_predictions(y, outputs, metric=metric, n_jobs=1, n_resamples=99)
    assert len(calls) == 2 * len(SYSTEMS)


def test_other_options_and_other_kinds_of_data_are_verified_anew(calls):
    rng = np.random.default_rng(1)
    y, outputs = labels(rng)
    for metric, n_calls in (
        (as_metric("f1_macro"), 1),
        (as_metric("f1_macro"), 1),
        (as_metric("f1_macro", labels=[0, 1]), 2),
        (as_metric("f1_macro", labels=[0, 2]), 3),
        (as_metric("f1_micro"), 4),
    ):
        Predictions(y, outputs, metric).kernel  # noqa: B018
        assert len(calls) == n_calls
    metric = as_metric("f1_macro")
    Predictions(y, outputs, metric, sample_weight=rng.random(N) + 1).kernel  # noqa: B018
    assert len(calls) == 5
    without_two = {name: np.where(output == 2, 0, output) for name, output in outputs.items()}
    Predictions(y, without_two, metric).kernel  # noqa: B018
    assert len(calls) == 6
    Predictions(y.astype(str), {k: v.astype(str) for k, v in outputs.items()}, metric).kernel  # noqa: B018
    assert len(calls) == 7


def test_a_formula_that_disagrees_with_one_system_is_used_of_none(monkeypatch):
    y, outputs = labels(np.random.default_rng(2))

    def other(y_true, y_pred, **options):
        wrong = np.array_equal(y_pred, outputs["d"])
        return sk.accuracy_score(y_true, y_pred) + wrong

    metric = as_metric("accuracy")
    object.__setattr__(metric, "function", other)
    monkeypatch.setattr(verified, "_kind_of_data", lambda *_: None)
    everything = Predictions(y, outputs, metric)
    assert isinstance(everything.kernel, CallableKernel)
    assert not isinstance(everything.pair("a", "b").kernel, CallableKernel)
    assert isinstance(everything.pair("a", "d").kernel, CallableKernel)


def test_what_is_kept_is_bounded(calls, monkeypatch):
    monkeypatch.setattr(verified, "_MOST_KEPT", 2)
    y, outputs = labels(np.random.default_rng(3))
    for beta in (0.5, 1.5, 2.5, 3.5, 4.5):
        metric = as_metric(sk.fbeta_score, labels=[0, 1])
        options = {**metric.options, "beta": beta, "average": "macro"}
        object.__setattr__(metric, "options", options)
        Predictions(y, outputs, metric).kernel  # noqa: B018
        assert len(verified._agreed) <= 2
    assert len(calls) == 5


METRICS = (
    (labels, "accuracy"),
    (labels, "f1_macro"),
    (labels, "matthews_corrcoef"),
    (chances, "neg_log_loss"),
    (chances, "roc_auc"),
    (chances, "average_precision"),
    (numbers, "r2"),
    (numbers, "neg_mean_absolute_error"),
)


@in_one_test(("make", "name"), METRICS)
@in_one_test("beside", ["", "groups", "sample_weight", "strata"])
def test_a_pair_taken_from_all_systems_is_the_pair_alone(make, name, beside):
    rng = np.random.default_rng(4)
    y, outputs = make(rng)
    of_rows = {
        "groups": np.arange(N) % 40,
        "sample_weight": rng.integers(1, 4, N).astype(float),
        "strata": rng.integers(0, 3, N),
    }
    options = {beside: of_rows[beside]} if beside else {}
    metric = as_metric(name)
    everything = Predictions(y, outputs, metric, **options)
    everything.scores  # noqa: B018
    row_scores(everything)
    taken = everything.pair("d", "b")
    alone = PairedPredictions(y, {k: outputs[k] for k in ("d", "b")}, metric, **options)
    ours, theirs = taken.kernel, alone.kernel
    np.testing.assert_array_equal(ours.scores, theirs.scores)
    np.testing.assert_array_equal(ours.differing, theirs.differing)
    assert (ours.how, ours.class_sizes) == (theirs.how, theirs.class_sizes)
    np.testing.assert_array_equal(ours.plan.multiplicity, theirs.plan.multiplicity)
    rng, again = np.random.default_rng(5), np.random.default_rng(5)
    weights = ours.plan.weights(rng, 20)
    np.testing.assert_array_equal(weights, theirs.plan.weights(again, 20))
    np.testing.assert_allclose(ours.weighted(weights), theirs.weighted(weights), rtol=1e-12)
    swaps = ours.plan.swaps(rng, 20)
    np.testing.assert_allclose(ours.swapped(swaps), theirs.swapped(swaps), rtol=1e-12)
    mine, other = row_scores(taken), row_scores(alone)
    assert (mine is None) == (other is None)
    if mine is not None:
        np.testing.assert_array_equal(mine, other)


def test_a_pair_does_not_carry_all_systems_to_another_process():
    y, outputs = labels(np.random.default_rng(6))
    everything = Predictions(y, outputs, as_metric("accuracy"))
    everything.scores  # noqa: B018
    pair = everything.pair("c", "a")
    assert pair.family is everything
    restored = pickle.loads(pickle.dumps(pair))
    assert restored.family is None
    np.testing.assert_array_equal(restored.scores, pair.scores)
    assert len(pickle.dumps(pair)) < 0.8 * len(pickle.dumps(everything))
