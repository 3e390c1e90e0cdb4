"""Predictions on one test set: every kind of metric, and what may be known of its rows."""

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import fbeta_score, make_scorer

from skstat import compare_predictions
from skstat.metrics import cost_sensitive_error
from tools.net.case import Case, case
from tools.net.cases import data

N = 160
OF_LABELS = (
    "accuracy", "balanced_accuracy", "f1", "precision", "recall", "matthews_corrcoef",
    "f1_macro", "f1_weighted", "jaccard",
)  # fmt: skip
OF_PROBABILITIES = ("roc_auc", "average_precision", "neg_log_loss", "neg_brier_score")
OF_NUMBERS = (
    "r2", "neg_mean_squared_error", "neg_root_mean_squared_error", "neg_mean_absolute_error",
    "neg_median_absolute_error", "neg_max_error", "explained_variance",
    "neg_mean_absolute_percentage_error",
)  # fmt: skip
ROWS = {
    "groups": {"groups": data.groups(N)},
    "weights": {"sample_weight": 1 + np.arange(N) % 3},
    "strata": {"strata": np.arange(N) % 5},
}
ASKED = {
    "greater": {"alternative": "greater"},
    "margin": {"margin": 0.1},
    "rope": {"rope": 0.02},
    "level": {"confidence_level": 0.9},
}
DRAWN = {"n_resamples": 999}


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for k in (2, 3):
        for metric in OF_LABELS:
            yield _asked(f"{metric}, {k}", data.labels(k, N), metric=metric)
        for metric in OF_PROBABILITIES:
            yield _asked(f"{metric}, {k}", data.probabilities(k, N), metric=metric)
        for metric in OF_NUMBERS:
            slow = metric in ("neg_median_absolute_error", "neg_max_error")
            options = {"n_resamples": 199} if slow else {}
            yield _asked(f"{metric}, {k}", data.numbers(k, 90), metric=metric, **options)
    makers = {
        "accuracy": data.labels,
        "f1": data.labels,
        "roc_auc": data.probabilities,
        "neg_log_loss": data.probabilities,
        "neg_mean_absolute_error": data.numbers,
    }
    for metric, make in makers.items():
        for what, options in (ROWS | ASKED).items():
            yield _asked(f"{metric}, {what}", make(2, N), metric=metric, **options, **DRAWN)
        for what in ("groups", "margin"):
            name = f"{metric}, 3, {what}"
            yield _asked(name, make(3, N), metric=metric, **(ROWS | ASKED)[what], **DRAWN)
        yield _asked(f"{metric}, 3, control", make(3, N), metric=metric, control="old", **DRAWN)
        yield from _slices(metric, make)
    for test in (
        "mcnemar", "sign", "sign_flip", "paired_t", "clustered_t", "delong", "paired_bootstrap",
        "paired_permutation", "wilcoxon", "cost", "corrected_t",
    ):  # fmt: skip
        yield _asked(f"accuracy by {test}", data.labels(2, N), metric="accuracy", test=test)
        yield _asked(
            f"roc_auc by {test}", data.probabilities(2, N), metric="roc_auc", test=test
        )
    yield _asked("twenty systems", data.labels(20, N), metric="accuracy", **DRAWN)
    yield _asked("three classes", data.labels(2, N, classes=3), metric="f1_macro")
    yield _asked("classes by name", _named(), metric="f1", pos_label="yes")
    yield _asked("a fast law of many rows", data.labels(2, 2000), metric="accuracy")
    smooth = {"metric": "neg_mean_absolute_error", "test": "paired_bootstrap"}
    yield _asked("bootstrap of many rows", data.numbers(2, 900), **smooth)
    yield from _series()
    yield from _seeds()
    yield from _metrics()


def _asked(name: str, made, **options) -> Case:
    return case(name, compare_predictions, *made, **options)


def _named():
    truth, predicted = data.labels(2, N)
    words = np.array(["no", "yes"])
    return words[truth], {name: words[each] for name, each in predicted.items()}


def _slices(metric: str, make) -> Iterator[Case]:
    by = np.array(["north", "south"])[np.arange(240) % 2]
    options = {"metric": metric, "by": by, **DRAWN}
    yield _asked(f"{metric}, slices", make(2, 240), **options)
    yield _asked(f"{metric}, slices, margin", make(2, 240), margin=0.1, **options)
    yield _asked(f"{metric}, slices, 3", make(3, 240), **options)
    yield _asked(f"{metric}, slices, groups", make(2, 240), groups=data.groups(240), **options)


def _series() -> Iterator[Case]:
    truth, predicted = data.numbers(2, 80)
    for horizon in (1, 3):
        options = {"order": np.arange(80)[::-1], "horizon": horizon}
        for metric in ("neg_mean_absolute_error", "neg_mean_squared_error"):
            name = f"{metric}, {horizon} ahead"
            yield _asked(name, (truth, predicted), metric=metric, **options)
    blocks = {"metric": "neg_mean_absolute_error", "test": "paired_bootstrap", **DRAWN}
    yield _asked("series in blocks", (truth, predicted), order=np.arange(80), **blocks)


def _seeds() -> Iterator[Case]:
    truth, _ = data.labels(2, N)
    runs = {
        name: np.array(
            [data.labels(2, N, seed=seed)[1][name] == truth for seed in (0, 3, 4, 5)]
        )
        for name in ("new", "old")
    }
    runs = {name: np.where(each, truth, 1 - truth) for name, each in runs.items()}
    for seeds in ("crossed", "average", "means", "per-seed", "pooled"):
        yield _asked(f"seeds, {seeds}", (truth, runs), metric="accuracy", seeds=seeds, **DRAWN)
    yield _asked("seeds, crossed, f1", (truth, runs), metric="f1", seeds="crossed", **DRAWN)
    yield _asked("seeds, paired", (truth, runs), metric="accuracy", seeds="crossed",
                 paired_seeds=True, **DRAWN)  # fmt: skip
    yield _asked("seeds, margin", (truth, runs), metric="accuracy", margin=0.1,
                 seeds="crossed", **DRAWN)  # fmt: skip


def _metrics() -> Iterator[Case]:
    both = ["accuracy", "f1"]
    yield _asked("two metrics", data.labels(2, N), metric=both, **DRAWN)
    yield _asked("two metrics, 3", data.labels(3, N), metric=both, **DRAWN)
    yield _asked("two metrics, margins", data.labels(2, N), metric=both,
                 margin={"accuracy": 0.1, "f1": 0.12}, **DRAWN)  # fmt: skip
    by = np.arange(N) % 2
    yield _asked("two metrics, slices", data.labels(2, N), metric=both, by=by, **DRAWN)
    losses = ["neg_log_loss", "roc_auc"]
    yield _asked("a loss and a score", data.probabilities(2, N), metric=losses, **DRAWN)

    def within_one(y_true, y_pred):
        return float(np.mean(np.abs(np.asarray(y_true) - np.asarray(y_pred)) <= 1))

    own = {"metric": within_one, "higher_is_better": True, **DRAWN}
    yield _asked("a metric of one's own", data.numbers(2, 90), **own)
    wrong = {"metric": within_one, "higher_is_better": False, **DRAWN}
    yield _asked("a loss of one's own", data.numbers(2, 90), **wrong)
    yield _asked("a metric of no direction", data.numbers(2, 90), metric=within_one, **DRAWN)
    scorer = make_scorer(fbeta_score, beta=2)
    yield _asked("a scorer", data.labels(2, N), metric=scorer, **DRAWN)
    costs = make_scorer(
        cost_sensitive_error, greater_is_better=False, cost_matrix=[[0, 1], [5, 0]]
    )
    yield _asked("costs", data.labels(2, N), metric=costs, **DRAWN)
    yield _asked("an unknown metric", data.labels(2, N), metric="acurracy")
    yield _asked("a metric of other outputs", data.labels(2, N), metric="r2")
