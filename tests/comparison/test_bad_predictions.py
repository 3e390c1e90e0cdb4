"""What cannot be compared is refused by the name of the argument, with what to do."""

import traceback
from functools import partial

import numpy as np
import pytest
from scipy import sparse

import skstat
from skstat import stats
from skstat.metrics import (
    cost_curve,
    cost_sensitive_error,
    cost_sensitive_scorer,
    precision_recall_break_even,
    rank_loss,
)
from tests.cases import in_one_test

N = 30
rng = np.random.default_rng(0)
Y = np.arange(N) % 2
A, B = np.where(np.arange(N) % 4, Y, 1 - Y), np.where(np.arange(N) % 3, Y, 1 - Y)
S, T = Y + rng.normal(size=(2, N))
Y3 = np.arange(N) % 3
A3, B3 = np.where(np.arange(N) % 4, Y3, 0), np.where(np.arange(N) % 5, Y3, 1)
P3 = rng.dirichlet([1, 1, 1], N)
P4 = np.column_stack([0.9 * P3, np.full(N, 0.1)])
COSTS = [[0, 1], [5, 0]]
NAN = np.where(np.arange(N) == 9, np.nan, S)


def ask(y_true=Y, a=A, b=B, **options):
    options = {
        "metric": "accuracy",
        "n_resamples": 49,
        "n_jobs": 1,
        "random_state": 0,
    } | options
    return skstat.compare_predictions(y_true, {"a": a, "b": b}, **{"n_jobs": 1, **options})


def failing(y_true, y_pred):
    if len(np.unique(y_true)) != 2 or not np.array_equal(y_true, Y):
        raise IndexError("no such row")
    return float(np.mean(y_true == y_pred))


scores = partial(ask, a=S, b=T)
curves = partial(skstat.comparison.compare_curves, Y, {"a": S, "b": T})
cost_curves = partial(
    skstat.comparison.compare_cost_curves,
    Y,
    {"a": S, "b": T},
    n_resamples=49,
    n_jobs=1,
    random_state=0,
)
swaps = partial(skstat.paired_permutation_test, Y, A, B, metric="f1", random_state=0)
boots = partial(
    skstat.paired_bootstrap_test, Y, A, B, metric="f1", random_state=0, n_resamples=99, n_jobs=1
)
pair = partial(stats.Predictions, Y, {"a": A, "b": B})


def mean(y_true, y_pred):
    return float(np.mean(y_true == y_pred))


CASES = [
    # Metrics
    (partial(ask, metric="acuracy"), "metric='acuracy' is unknown. Did you mean 'accuracy'"),
    (partial(ask, metric=None), "metric=None must be a scorer or its name"),
    (partial(ask, metric=lambda t: 1), r"metric failed: TypeError: .* called as metric\(y_tr"),
    (partial(ask, metric=lambda t, p: "high"), "metric gives 'high', not one number"),
    (partial(ask, metric=lambda t, p: [1, 2]), "metric gives 2 numbers, not one"),
    (partial(ask, metric=lambda t, p: t.no), "metric failed: AttributeError: .*'no'"),
    (partial(ask, metric=lambda t, p: np.nan), "metric is undefined .* one class or one value"),
    (partial(ask, metric="classification_report"), "classification_report gives ' .*one num"),
    (partial(ask, metric="f1_samples"), "f1_samples failed: ValueError: Samplewise"),
    (partial(boots, metric=failing), "failing failed: IndexError: no such row.*resamples"),
    # Classes
    *(
        (partial(ask, Y3, A3, B3, metric=m), f"{m} is the score of one class .*'{m}_macro'")
        for m in ("f1", "precision", "recall", "jaccard")
    ),
    (partial(ask, Y3, P3, P3, metric="roc_auc"), "holds 3 classes, .*use roc_auc_ovr"),
    *(
        (partial(ask, Y3, P4, P4, metric=m), r"4 columns, and there are 3 classes in y_true")
        for m in ("neg_log_loss", "roc_auc_ovr", "d2_log_loss_score", "roc_auc")
    ),
    (partial(ask, Y3, P4, P4, metric="neg_log_loss", labels=[0, 1, 2]), "3 classes in labels"),
    (partial(ask, Y, P3, P3, metric="neg_log_loss"), "3 columns, and there are 2 classes"),
    (partial(ask, metric="f1_macro", labels=[]), r"labels=\[\] must be a list of classes"),
    (partial(ask, metric="f1_macro", labels=[0, 0]), r"labels=\[0, 0\] names a class twice"),
    (partial(ask, metric="f1_macro", labels=[7]), "7 is in neither y_true nor the predictions"),
    (partial(ask, metric="f1", pos_label=np.array([0, 1])), "pos_label=.* must be one class"),
    (partial(scores, metric="roc_auc", pos_label=[1]), r"pos_label=\[1\] must be one class"),
    (partial(curves, pos_label=[1]), r"pos_label=\[1\] must be one class"),
    # Costs
    *(
        (partial(door, cost_matrix=costs), "cost_matrix=.* must hold numbers, one row for each")
        for costs in ("words", [["a", "b"], ["c", "d"]], [[0, 1], [1]], {})
        for door in (cost_sensitive_scorer, cost_curves)
    ),
    *(
        (partial(skstat.mcnemar_test, table=table), "table=.* must hold 2 x 2 counts")
        for table in ("x", 5, [1, 2, 3, 4], [["a", "b"], ["c", "d"]], [[1, 2], [3, -4]])
    ),
    # Rows
    (partial(scores, a=NAN, metric="roc_auc"), r"predictions\['a'\]\[9\] is missing"),
    (partial(scores, NAN, metric="r2"), r"y_true\[9\] is missing"),
    (partial(ask, a=[1, "x"] * (N // 2), metric="r2"), "r2 needs numbers, and predictions"),
    (partial(ask, S, np.ones((N, 2)), S, metric="r2"), r"\['a'\] has shape \(30, 2\)"),
    (partial(scores, np.ones((N, 2), int), metric="roc_auc"), r"and y_true \(30, 2\)"),
    (partial(ask, a=[np.inf] * N), r"predictions\['a'\] holds inf: labels are finite"),
    (partial(ask, a=np.zeros(N, "V4")), r"predictions\['a'\] holds \|V4 values"),
    (partial(ask, a=A * 1j), r"predictions\['a'\] holds complex128 values"),
    (partial(ask, a=len), r"predictions\['a'\] must hold an entry per row"),
    (partial(ask, a=sparse.csr_array(A[None])), r"predictions\['a'\] has 1 rows"),
    (partial(ask, groups=[{}] * N), "groups must hold one label per row"),
    (partial(ask, strata=[{}] * N), "strata must hold one label per row"),
    (partial(ask, order=[{}] * N), "order must hold times, numbers or dates"),
    (partial(ask, order=["a", 1] * (N // 2)), "order must hold times, numbers or dates"),
    (partial(ask, order=Y * 1j), "must hold a number or date per row, not complex128"),
    (partial(ask, order=np.arange(N), horizon="x"), "horizon='x' must be a whole number"),
    (partial(ask, order=np.arange(N), horizon=[1]), r"horizon=\[1\] must be a whole number"),
    (partial(ask, test=len), "test=<built-in function len> cannot be used"),
    (partial(ask, test=lambda sample: 3), "test=<function .* cannot be used: got an unex"),
    (partial(swaps, names=5), "names=5 must be two different labels"),
    (partial(swaps, names="ab"), "names='ab' must be two different labels"),
    (partial(skstat.binomial_test, Y, A, constant=0.5, successes=3, n=5), "give y_true and"),
    # Metrics of our own
    *(
        (partial(function, Y, S, sample_weight=weight), f"sample_weight.*{message}")
        for function in (cost_curve, rank_loss, precision_recall_break_even)
        for weight, message in (
            ("x", "an entry per row"),
            ([1], "has 1 rows"),
            ([None] * N, "is missing"),
            (np.zeros(N), "0 on every row"),
            (-np.ones(N), ">= 0"),
        )
    ),
    (partial(cost_sensitive_error, Y, A, COSTS, sample_weight="x"), "sample_weight must hold"),
    (partial(curves, sample_weight=-np.ones(N)), "sample_weight must hold one finite number"),
    # Samples by hand
    *(
        (partial(stats.Predictions, Y, outputs, mean), "outputs must map names")
        for outputs in (None, 5, [A, B])
    ),
    (partial(pair, "accuracy"), r"metric='accuracy' must be a function.*as_metric"),
    (partial(pair, None), "metric=None must be a function"),
    (lambda: pair(mean).pair("a", "z"), "'z' is not one of the systems"),
    *(
        (lambda n=n: stats.SeedScores.of_runs(pair(mean), n), message)
        for n, message in (
            ({"a": 1}, "n_seeds=.* must make up 2 runs"),
            ({"a": -1, "b": 3}, r"n_seeds\['a'\]=-1 must be a whole number"),
            ({"a": 1.0, "b": 1.0}, r"n_seeds\['a'\]=1.0 must be a whole number"),
            ((1, 1), r"n_seeds=\(1, 1\) must map"),
        )
    ),
    *(
        (lambda own=own: stats.SeedScores(own, runs=pair(mean)), "not those of runs")
        for own in ({"a": [0.1], "b": [0.2]}, {"a": [0.1, 0.2], "b": [0.3]})
    ),
    (
        lambda: skstat.compare_scores(
            stats.SeedScores.of_runs(pair(mean), {"a": 1, "b": 1}), random_state=0
        ),
        "hold predictions: ask skstat.stats.seeded_bootstrap",
    ),
    *(
        (partial(stats.paired_permutation, pair(mean), rng=seed), "rng=.* must be a whole")
        for seed in ("x", -1)
    ),
]


@in_one_test(("call", "message"), CASES)
def test_refusals(call, message):
    with pytest.raises((ValueError, TypeError), match=message) as caught:
        call()
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert "skstat" in last.filename  # not an error of NumPy that a name happens to be in


def test_a_sparse_column_is_a_column():
    assert ask(a=sparse.csc_array(A[:, None])).estimate == ask().estimate
