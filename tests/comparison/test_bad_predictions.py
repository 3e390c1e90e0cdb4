"""Predictions of any shape, type and order: compared as they are, or refused by name."""

import traceback
from functools import partial

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import roc_auc_score, zero_one_loss

import skstat
from skstat import metrics, stats
from tests.cases import in_one_test

N = 40
QUICK = {"n_resamples": 49, "n_jobs": 1, "random_state": 0}
rng = np.random.default_rng(0)
Y = np.arange(N) % 2
A, B = np.where(np.arange(N) % 4, Y, 1 - Y), np.where(np.arange(N) % 3, Y, 1 - Y)
S, T = Y + rng.normal(size=(2, N))
Y3 = np.arange(N) % 3
A3, B3 = np.where(np.arange(N) % 4, Y3, 0), np.where(np.arange(N) % 5, Y3, 1)
LARGE = Y3 + 2**53
P3 = rng.dirichlet([1, 1, 1], N)
P4 = np.column_stack([0.9 * P3, np.full(N, 0.1)])
COSTS = [[0, 1], [5, 0]]
NAN = np.where(np.arange(N) == 9, np.nan, S)


def ask(y_true=Y, a=A, b=B, **options):
    options = {"metric": "accuracy", **QUICK} | options
    return skstat.compare_predictions(y_true, {"a": a, "b": b}, **options)


def failing(y_true, y_pred):
    if len(np.unique(y_true)) != 2 or not np.array_equal(y_true, Y):
        raise IndexError("no such row")
    return float(np.mean(y_true == y_pred))


scores = partial(ask, a=S, b=T)
curves = partial(skstat.comparison.compare_curves, Y, {"a": S, "b": T})
cost_curves = partial(skstat.comparison.compare_cost_curves, Y, {"a": S, "b": T}, **QUICK)
swaps = partial(skstat.paired_permutation_test, Y, A, B, metric="f1", random_state=0)
boots = partial(skstat.paired_bootstrap_test, Y, A, B, metric="f1", **QUICK)
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
        for door in (metrics.cost_sensitive_scorer, cost_curves)
    ),
    *(
        (partial(skstat.mcnemar_test, table=table), "table=.* must hold 2 x 2 counts")
        for table in ("x", 5, [1, 2, 3, 4], [["a", "b"], ["c", "d"]], [[1, 2], [3, -4]])
    ),
    # Rows
    (partial(scores, a=NAN, metric="roc_auc"), r"predictions\['a'\]\[9\] is missing"),
    (partial(scores, NAN, metric="r2"), r"y_true\[9\] is missing"),
    (partial(ask, a=[1, "x"] * (N // 2), metric="r2"), "r2 needs numbers, and predictions"),
    (partial(ask, S, np.ones((N, 2)), S, metric="r2"), r"\['a'\] has shape \(40, 2\)"),
    (partial(scores, np.ones((N, 2), int), metric="roc_auc"), r"and y_true \(40, 2\)"),
    (partial(ask, a=[np.inf] * N), r"predictions\['a'\] holds inf: labels are finite"),
    (partial(ask, a=np.zeros(N, "V4")), r"predictions\['a'\] holds \|V4 values"),
    (partial(ask, a=A * 1j), r"predictions\['a'\] holds complex128 values"),
    (partial(ask, a=len), r"predictions\['a'\] must hold an entry per row"),
    (partial(ask, a=sparse.csr_array(A[None])), r"predictions\['a'\] has 1 rows"),
    (partial(ask, a=np.ma.masked_equal(Y3, 1)), r"predictions\['a'\]\[\d\] is masked"),
    (partial(ask, a=set(range(N))), r"predictions\['a'\] is a set, which has no order"),
    (partial(ask, a=b"0" * N), r"predictions\['a'\] must hold an entry per row, got bytes"),
    (partial(ask, a=dict(enumerate(Y))), r"predictions\['a'\] is a mapping.*y_true has no lab"),
    (partial(ask, a=[{"label": 1}] * N), r"predictions\['a'\] holds a dict of 1"),
    (partial(ask, a=Y.astype("S")), r"predictions\['a'\] holds bytes such as b'"),
    (partial(ask, *[Y.astype("S")] * 3), r"y_true holds bytes such as b'\d'; decode them"),
    *(
        (partial(ask, Y3, a, a), message)
        for form in (list, np.array)
        for a, message in (
            (form([Y3] * 5), r"5 rows but y_true has 40.*seeds='crossed'"),
            (np.transpose(form([Y3] * 5)), "several seeds pass seeds="),
        )
    ),
    # Labels that floats round
    (partial(ask, LARGE, *[LARGE.astype(float)] * 2),
     "holds 9007.*: labels are finite, and bey"),
    (partial(ask, LARGE.astype(float), LARGE, LARGE),
     "holds 9007.*: labels are finite, and bey"),
    (partial(ask, LARGE.astype(np.uint64), LARGE, LARGE, metric="f1_macro"),
     "labels are finite, and beyond"),
    (partial(ask, Y3, a=[2**63, *[-1] * (N - 1)]),
     r"predictions\['a'\] has numbers that no 64-bit type can hold"),
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
    (partial(skstat.binomial_test, constant=0.5), "give y_true and y_pred, or successes and n"),
    # Metrics of our own
    *(
        (partial(function, Y, S, sample_weight=weight), f"sample_weight.*{message}")
        for function in (metrics.cost_curve, metrics.rank_loss,
                         metrics.precision_recall_break_even)
        for weight, message in (
            ("x", "an entry per row"),
            ([1], "has 1 rows"),
            ([None] * N, "is missing"),
            (np.zeros(N), "0 on every row"),
            (-np.ones(N), ">= 0"),
        )
    ),
    (partial(metrics.cost_sensitive_error, Y, A, COSTS, sample_weight="x"),
     "sample_weight must hold"),
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
            ({"a": 1.5, "b": 0.5}, r"n_seeds\['a'\]=1.5 must be a whole number"),
            ((1, 1), r"n_seeds=\(1, 1\) must map"),
        )
    ),
    *(
        (lambda own=own: stats.SeedScores(own, runs=pair(mean)), "not those of runs")
        for own in ({"a": [0.1], "b": [0.2]}, {"a": [0.1, 0.2], "b": [0.3]})
    ),
    (lambda: skstat.compare_scores(stats.SeedScores.of_runs(pair(mean), {"a": 1, "b": 1})),
     "hold predictions: ask skstat.stats.seeded_bootstrap"),
    *(
        (partial(stats.paired_permutation, pair(mean), rng=seed), "rng=.* must be a whole")
        for seed in ("x", -1)
    ),
]  # fmt: skip


@in_one_test(("call", "message"), CASES)
def test_refusals(call, message):
    with pytest.raises((ValueError, TypeError), match=message) as caught:
        call()
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert "skstat" in last.filename  # not an error of NumPy that a name happens to be in


def test_a_sparse_column_is_a_column():
    assert ask(a=sparse.csc_array(A[:, None])).estimate == ask().estimate


# Predictions of unusual shapes and types
def boxes(seed, fewest=0, most=4):
    rng = np.random.default_rng(seed)
    return [rng.random((rng.integers(fewest, most), 4)).tolist() for _ in range(N)]


def tokens(seed, most=5):
    rng = np.random.default_rng(seed)
    return [rng.choice(["x", "y"], rng.integers(most - 1, most + 1)).tolist() for _ in range(N)]


def as_many(y_true, y_pred):
    assert all(type(one) is type(other) for one, other in zip(y_true, y_pred, strict=True))
    return float(np.mean([len(t) == len(p) for t, p in zip(y_true, y_pred, strict=True)]))


@pytest.mark.parametrize(("truth", "a", "b"), [
    (boxes(0), boxes(1), boxes(2)),
    (boxes(0), boxes(1, 2, 3), boxes(2)),  # one of them would make an array
    (boxes(0, 2, 3), boxes(1, 2, 3), boxes(2)),
    (tokens(0), tokens(1), tokens(2)),
    (
        [np.array(b) for b in boxes(0, 1)],
        *([np.array(b) for b in boxes(i, 1)] for i in (1, 2)),
    ),
])  # fmt: skip
@pytest.mark.parametrize("test", ["paired_permutation", "paired_bootstrap"])
def test_lists_of_lists_are_kept_for_functions(truth, a, b, test):
    asked = {"metric": as_many, "test": test}
    report = ask(truth, a, b, **asked)
    assert report.estimate == pytest.approx(as_many(truth, a) - as_many(truth, b))
    assert ask(truth, a, list(a), **asked).pvalue == 1


def test_large_labels_are_told_apart():
    assert ask(LARGE, LARGE, LARGE + 1).estimate == 1
    # Functions get whole numbers as they are, whatever the other system says.
    assert ask(LARGE + 1, LARGE + 1, LARGE / 1.0, metric=mean).estimate == 1


def test_other_containers():
    for same in (np.ma.array(Y3), sparse.csr_array(Y3[:, None])):
        assert ask(Y3, same, (Y3 + 1) % 3).estimate == 1


def test_rows_of_several_labels_are_right_if_all_their_labels_are():
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 2, (N, 5))
    wrong = rng.random((2, N, 5)) < np.array([0.1, 0.3])[:, None, None]
    a, b = np.where(wrong, 1 - labels, labels)
    shares = 1 - wrong.any(axis=2).mean(axis=1)
    for metric in ("accuracy", zero_one_loss):
        report = ask(labels, a, b, metric=metric, groups=np.arange(N) // 4)
        assert report.n_units == N // 4
        assert report.evidence.outcome.estimate == pytest.approx(shares[0] - shares[1])
    share = skstat.binomial_test(labels, a, constant=0.3)
    assert share.estimate == pytest.approx(shares[0] - 0.3) and share.n_units == N


# Rows with labels, at every door: in any order the answer is the same


@pytest.fixture
def rows():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    index = [f"id {i}" for i in range(N)]
    y = np.arange(N) % 2

    def labels(wrong):
        return pd.Series(np.where(np.arange(N) % wrong, y, 1 - y), index=index)

    def scores(noise):
        return pd.Series(y + noise * rng.normal(size=N), index=index)

    return {
        "y": pd.Series(y, index=index),
        "a": labels(7),
        "b": labels(4),
        "score_a": scores(0.8),
        "score_b": scores(1.4),
        "groups": pd.Series(np.arange(N) // 5, index=index),
        "weight": pd.Series(rng.random(N), index=index),
    }


def shuffled(values, seed=1):
    return values.sample(frac=1, random_state=seed)


DOORS = {
    "compare_predictions": lambda r, y, a: ask(y, a, r["b"]),
    "a frame": lambda r, y, a: skstat.compare_predictions(
        y, a.to_frame("a").assign(b=r["b"]), metric="accuracy"
    ),
    "groups": lambda r, y, a: ask(y, a, r["b"], groups=shuffled(r["groups"], 3)),
    "sample_weight": lambda r, y, a: ask(y, a, r["b"], sample_weight=shuffled(r["weight"], 3)),
    "seeds": lambda r, y, a: ask(y, [a, r["b"]], [r["b"], shuffled(r["b"])], seeds="average"),
    "cochran_q_test": lambda r, y, a: skstat.cochran_q_test(
        y, {"a": a, "b": r["b"], "c": shuffled(r["y"], 5)}
    )["a", "b"],
    "binomial_test": lambda r, y, a: skstat.binomial_test(y, a, constant=0.5),
}


@pytest.mark.parametrize("door", DOORS)
def test_doors_of_labels_match_rows(rows, door):
    expected = DOORS[door](rows, rows["y"], rows["a"])
    for y, a in (
        (shuffled(rows["y"]), rows["a"]),
        (rows["y"], shuffled(rows["a"])),
        (shuffled(rows["y"]), shuffled(rows["a"], 2)),
    ):
        assert DOORS[door](rows, y, a).estimate == pytest.approx(expected.estimate)
    with pytest.raises(ValueError, match="no row for"):
        DOORS[door](rows, rows["y"].reset_index(drop=True), rows["a"])


def test_doors_of_scores_match_rows(rows):
    y, other = rows["y"], shuffled(rows["y"])
    named = {"a": rows["score_a"], "b": rows["score_b"]}
    areas = [roc_auc_score(y, score) for score in named.values()]
    for truth in (y, other):
        report = skstat.delong_test(truth, named)
        assert report.evidence.outcome.law.aucs == pytest.approx(areas)
        curves = skstat.comparison.compare_curves(truth, named)
        assert list(curves.areas.values()) == pytest.approx(areas)
        assert metrics.rank_loss(truth, rows["score_a"]) == pytest.approx(1 - areas[0])
    expected, found = (
        skstat.comparison.compare_cost_curves(truth, named, groups=groups, **QUICK)
        for truth, groups in ((y, rows["groups"]), (other, shuffled(rows["groups"], 3)))
    )
    assert found.band.difference == pytest.approx(expected.band.difference)
    ours, theirs = (metrics.cost_curve(truth, rows["score_a"]).area for truth in (other, y))
    assert ours == pytest.approx(theirs)
