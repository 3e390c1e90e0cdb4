"""Metrics with a formula, rows to try them on, and scikit-learn called on the same rows."""

from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np
from scipy.stats import rankdata
from sklearn import metrics as sk

from skstat import metrics as ours
from skstat.metrics import as_metric
from skstat.stats import Predictions
from tests.cases import in_one_test

CALLED = "the metric called anew on every resample"
COSTS = [[0, 1, 4, 2], [2, 0, 1, 3], [9, 3, -0.5, 1], [1, 1, 7, 0]]


@dataclass
class Spec:
    """A metric, and the kind of rows that it is for."""

    function: Any
    kind: str = "labels"
    options: dict[str, Any] = field(default_factory=dict)
    as_asked: dict[str, Any] = field(default_factory=dict)  # by the call, not the function
    n_outputs: int = 1

    @cached_property
    def metric(self):
        return as_metric(partial(self.function, **self.options), **self.as_asked)

    def direct(self, y, p, weight=None):
        """Score as scikit-learn does, nan where it has no answer."""
        options = {**self.options, **self.as_asked}
        if self.function is sk.log_loss:
            if p.itemsize < 8:  # clipped in its own precision
                smallest = np.finfo(p.dtype).eps
                p = np.clip(p, smallest, 1 - smallest).astype(float)
            options["labels"] = [0, 1] if p.ndim == 1 else [0, 1, 2]
        if options.get("multi_class"):
            options["labels"] = [0, 1, 2]
        if self.function is sk.average_precision_score and not np.any(y == 1):
            return np.nan  # scikit-learn warns that it means nothing, and says 0
        if self.function in (sk.r2_score, sk.explained_variance_score) and np.ptp(y) == 0:
            return np.nan  # scikit-learn says 0 or 1, and documents that neither is meant
        sign = -1.0 if self.metric.is_loss else 1.0
        try:
            return sign * float(self.function(y, p, sample_weight=weight, **options))
        except (ValueError, ZeroDivisionError):
            return np.nan


OF_CLASSES = {
    "f1": sk.f1_score, "precision": sk.precision_score, "recall": sk.recall_score,
    "jaccard": sk.jaccard_score,
}  # fmt: skip
LABEL_SPECS = {
    "accuracy": Spec(sk.accuracy_score),
    "zero-one loss": Spec(sk.zero_one_loss),
    "Hamming": Spec(sk.hamming_loss),
    "balanced accuracy": Spec(sk.balanced_accuracy_score),
    "balanced accuracy, adjusted": Spec(
        sk.balanced_accuracy_score, options={"adjusted": True}
    ),
    "MCC": Spec(sk.matthews_corrcoef),
    "MCC, two": Spec(sk.matthews_corrcoef, "two labels"),
    "kappa": Spec(sk.cohen_kappa_score),
    "kappa, two": Spec(sk.cohen_kappa_score, "two labels"),
    "F2, two": Spec(sk.fbeta_score, "two labels", {"beta": 2.0}),
    "F.5 macro": Spec(sk.fbeta_score, options={"beta": 0.5, "average": "macro"}),
    "F2 weighted": Spec(sk.fbeta_score, options={"beta": 2, "average": "weighted"}),
    "f1 of 0": Spec(sk.f1_score, "two labels", {"pos_label": 0}),
    "jaccard, zero_division": Spec(
        sk.jaccard_score, options={"average": "macro", "zero_division": 0}
    ),
    "costs": Spec(
        ours.cost_sensitive_error, "labels", {"cost_matrix": COSTS}, {"labels": [0, 1, 2, 3]}
    ),
    **{f"{name}, two": Spec(function, "two labels") for name, function in OF_CLASSES.items()},
    **{
        f"{name} {average}": Spec(function, options={"average": average})
        for name, function in OF_CLASSES.items()
        for average in ("micro", "macro", "weighted")
    },
    **{
        f"{name} {average} of {labels}": Spec(
            OF_CLASSES[name], "labels", {"average": average}, {"labels": labels}
        )
        for name, average, labels in (
            ("f1", "macro", [2, 0]), ("f1", "micro", [1, 2]), ("recall", "weighted", [0, 2]),
            ("precision", "macro", [0, 1, 2]), ("jaccard", "weighted", [1, 0]),
        )
    },
}  # fmt: skip
NUMBER_SPECS = {
    **{
        function.__name__: Spec(function, "numbers")
        for function in (
            sk.mean_squared_error, sk.mean_absolute_error, sk.mean_absolute_percentage_error,
            sk.mean_squared_log_error, sk.root_mean_squared_error,
            sk.root_mean_squared_log_error, sk.mean_pinball_loss, sk.mean_poisson_deviance,
            sk.mean_gamma_deviance, sk.r2_score, sk.explained_variance_score,
        )
    },
    "pinball .9": Spec(sk.mean_pinball_loss, "numbers", {"alpha": 0.9}),
    "mse, 3 outputs": Spec(sk.mean_squared_error, "numbers", n_outputs=3),
    "pinball .2, 2 outputs": Spec(sk.mean_pinball_loss, "numbers", {"alpha": 0.2}, n_outputs=2),
}  # fmt: skip
SCORE_SPECS = {
    "log loss": Spec(sk.log_loss, "probabilities"),
    "Brier": Spec(sk.brier_score_loss, "probabilities"),
    "AUC": Spec(sk.roc_auc_score, "scores"),
    "average precision": Spec(sk.average_precision_score, "scores"),
    "rank loss": Spec(ours.rank_loss, "scores"),
    "break-even": Spec(ours.precision_recall_break_even, "scores"),
}
MATRIX_SPECS = {
    "log loss, 3 classes": Spec(sk.log_loss, "matrix", {}, {"labels": [0, 1, 2]}),
    **{
        f"AUC ovr {average}": Spec(
            sk.roc_auc_score, "matrix", {"multi_class": "ovr", "average": average}
        )
        for average in ("macro", "weighted")
    },
}
SPECS = {**LABEL_SPECS, **NUMBER_SPECS, **SCORE_SPECS, **MATRIX_SPECS}
every = in_one_test("spec", SPECS.values(), ids=list(SPECS))
every_label = in_one_test("spec", LABEL_SPECS.values(), ids=list(LABEL_SPECS))


@dataclass
class Rows:
    """A test set with the outputs of three systems."""

    y: Any
    outputs: dict[str, Any]

    @property
    def n(self):
        return len(self.y)

    def predictions(self, spec, systems="abc", **more):
        if "groups" not in more:  # of labels else cells of rows that are alike are drawn
            more = {"draw": "rows", **more}
        return Predictions(self.y, {s: self.outputs[s] for s in systems}, spec.metric, **more)

    def take(self, rows):
        return Rows(self.y[rows], {name: out[rows] for name, out in self.outputs.items()})


def rows_for(spec, rng, n):
    """Draw a test set: classes are rare, scores tie, numbers are multiples of 1/8."""
    if spec.kind in ("labels", "two labels"):
        classes = 2 if spec.kind == "two labels" else 4
        shares = rng.dirichlet(np.ones(classes))
        y = rng.choice(classes, n, p=shares)
        y[:3] = [1, 0, min(2, classes - 1)][:n]  # classes that a spec asks for
        outputs = {
            name: np.where(rng.random(n) < right, y, rng.choice(classes, n, p=shares))
            for name, right in (("a", 0.7), ("b", 0.5), ("c", 0.1))
        }
        outputs["a"][:3] = y[:3]
        return Rows(y, outputs)
    if spec.kind == "numbers":
        shape = (n,) if spec.n_outputs == 1 else (n, spec.n_outputs)
        # Of exact sums, so that a constant truth has no variance by float noise either.
        y = rng.integers(1, 24, shape) / 8
        outputs = {name: np.abs(y + rng.normal(0.1, 0.4, shape)) + 0.01 for name in "abc"}
        outputs["b"][: n // 2] = y[: n // 2]
        return Rows(y, outputs)
    if spec.kind == "matrix":
        y = np.concatenate([[0, 1, 2], rng.integers(0, 3, max(0, n - 3))])
        outputs = {}
        for name in "abc":
            counts = rng.integers(1, 9, (len(y), 3)) + 2 * (y[:, None] == np.arange(3))
            outputs[name] = counts / counts.sum(axis=1, keepdims=True)
        return Rows(y, outputs)
    y = (rng.random(n) < rng.uniform(0.1, 0.9)).astype(int)
    y[:2] = [1, 0]
    outputs = {
        name: np.clip(rng.integers(0, levels, n) / levels + 0.2 * (y - 0.5), 0, 1)
        for name, levels in (("a", 4), ("b", 1000), ("c", 2))
    }
    return Rows(y, outputs)


def resamples(rng, size, n):
    """Bootstrap resamples; a few of them are of some rows only, or of one row twice."""
    weights = rng.multinomial(n, np.full(n, 1 / n), size)
    for number in range(max(1, size // 4)):
        few = rng.choice(n, min(n, rng.integers(1, 4)), replace=False)
        weights[number] = 0
        weights[number, few] = rng.integers(1, 4, len(few))
        weights[number, few[0]] += weights[number].sum() < 2
    return weights


def called(spec, rows, weights, systems="abc", sample_weight=None):
    """Call the metric on the rows of every resample."""
    scores = np.empty((len(weights), len(systems)))
    for number, counts in enumerate(weights):
        drawn = np.repeat(np.arange(rows.n), counts)
        weight = None if sample_weight is None else sample_weight[drawn]
        for column, name in enumerate(systems):
            p = rows.outputs[name][drawn]
            scores[number, column] = spec.direct(rows.y[drawn], p, weight)
    return scores


def swapped(spec, rows, flips, sample_weight=None):
    """Change places on some rows, and call the metric; of mid-ranks for rank metrics."""
    a, b = rows.outputs["a"], rows.outputs["b"]
    if spec.metric.facts.output == "scores":
        a, b = (rankdata(output, axis=0) for output in (a, b))
    scores = np.empty((len(flips), 2))
    for number, flip in enumerate(flips.astype(bool)):
        flip = flip.reshape((-1,) + (1,) * (a.ndim - 1))
        both = Rows(rows.y, {"a": np.where(flip, b, a), "b": np.where(flip, a, b)})
        if spec.options.get("multi_class"):  # scikit-learn refuses ranks as probabilities
            shares = [np.mean(rows.y == label) for label in range(3)]
            by = shares if spec.options["average"] == "weighted" else None
            scores[number] = [
                np.average(
                    [sk.roc_auc_score(rows.y == k, out[:, k]) for k in range(3)], weights=by
                )
                for out in both.outputs.values()
            ]
        else:
            ones = np.ones((1, rows.n), dtype=int)
            scores[number] = called(spec, both, ones, "ab", sample_weight)[0]
    return scores


def agree(found, expected, error=1e-11):
    np.testing.assert_allclose(found, expected, rtol=error, atol=error)
