"""Metrics with a kernel, rows to try them on, and the metric called on resamples and swaps."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.stats import rankdata
from sklearn import metrics as sk

from skstat import metrics as ours
from skstat.metrics import as_metric
from skstat.metrics._known import KNOWN
from skstat.stats import PairedPredictions, Predictions
from skstat.stats._resampling.plans import CellPlan
from tests.cases import in_one_test

EXACT = 0.0
FLOAT = 1e-12
KERNELS = {name for name, known in KNOWN.items() if known.kernel is not None}
RESAMPLES = 8  # of every metric, in each of several tests


@dataclass
class Spec:
    """A metric, rows to try it on, and how exactly its kernel must agree."""

    function: Any
    kind: str
    options: dict[str, Any] = field(default_factory=dict)
    error: float = FLOAT
    sign: float = 1.0
    as_asked: dict[str, Any] = field(default_factory=dict)
    n_outputs: int = 1

    @property
    def metric(self):
        return as_metric(partial(self.function, **self.options), **self.as_asked)

    def direct(self, y, p, weight=None):
        """Score as scikit-learn does, nan where it has no answer."""
        options = dict(self.options)
        if self.function is sk.log_loss and p.itemsize < 8:  # clipped in its own precision
            smallest = np.finfo(p.dtype).eps
            p = np.clip(p, smallest, 1 - smallest).astype(float)
        for key in ("labels", "pos_label"):
            if key in self.as_asked and self.kind == "labels":
                options[key] = self.as_asked[key]
        if self.function is sk.log_loss:  # the classes are those of the whole test set
            options["labels"] = [0, 1] if p.ndim == 1 else list(range(p.shape[1]))
        if options.get("multi_class"):
            options["labels"] = list(range(p.shape[1]))
        if self.function is sk.average_precision_score and not np.any(y == 1):
            return np.nan  # scikit-learn warns that it means nothing, and says 0
        if self.function in (sk.r2_score, sk.explained_variance_score) and np.ptp(y) == 0:
            return np.nan  # scikit-learn says 0 or 1, and documents that neither is meant
        if weight is not None:
            options["sample_weight"] = weight
        try:
            return self.sign * float(self.function(y, p, **options))
        except (ValueError, ZeroDivisionError):
            return np.nan


def label_spec(function, error=EXACT, sign=1.0, **options):
    return Spec(function, "labels", options, error, sign)


def asked(spec, **as_asked):
    spec.as_asked = as_asked
    return spec


def loss(function, kind="numbers", **options):
    return Spec(function, kind, options, FLOAT, -1.0)


AVERAGED = {
    f"{name} {average}": label_spec(function, average=average)
    for name, function in {
        "f1": sk.f1_score,
        "precision": sk.precision_score,
        "recall": sk.recall_score,
        "jaccard": sk.jaccard_score,
    }.items()
    for average in ("micro", "macro", "weighted")
}


BINARY = {
    f"{function.__name__} binary": Spec(function, "two labels", error=EXACT)
    for function in (sk.f1_score, sk.precision_score, sk.recall_score, sk.jaccard_score)
}


LABEL_SPECS = {
    "accuracy": label_spec(sk.accuracy_score),
    # 1 - share of hits in scikit-learn, share of misses here: the last bit of 1 differs.
    "zero_one_loss": label_spec(sk.zero_one_loss, 2e-16, -1.0),
    "hamming": label_spec(sk.hamming_loss, EXACT, -1.0),
    "balanced_accuracy": label_spec(sk.balanced_accuracy_score),
    "balanced_accuracy adjusted": label_spec(sk.balanced_accuracy_score, adjusted=True),
    "mcc": label_spec(sk.matthews_corrcoef),
    # A ratio of what is left of large sums, which scikit-learn adds up instead.
    "kappa": label_spec(sk.cohen_kappa_score, 4e-14),
    "fbeta .5 macro": label_spec(sk.fbeta_score, beta=0.5, average="macro"),
    "fbeta 2 weighted": label_spec(sk.fbeta_score, beta=2, average="weighted"),
    "f1 macro, labels": asked(label_spec(sk.f1_score, average="macro"), labels=[2, 0]),
    "f1 micro, labels": asked(label_spec(sk.f1_score, average="micro"), labels=[1, 2]),
    "recall weighted, labels": asked(
        label_spec(sk.recall_score, average="weighted"), labels=[0, 2]
    ),
    "precision macro, labels": asked(
        label_spec(sk.precision_score, average="macro"), labels=[0, 1, 2]
    ),
    "jaccard weighted, labels": asked(
        label_spec(sk.jaccard_score, average="weighted"), labels=[1, 0]
    ),
    "jaccard macro, zero_division": label_spec(
        sk.jaccard_score, average="macro", zero_division=0
    ),
    "costs": asked(
        label_spec(
            ours.cost_sensitive_error,
            FLOAT,
            -1.0,
            cost_matrix=[[0, 1, 4, 2], [2, 0, 1, 3], [9, 3, -0.5, 1], [1, 1, 7, 0]],
        ),
        labels=[0, 1, 2, 3],
    ),
    "fbeta binary": Spec(sk.fbeta_score, "two labels", {"beta": 2.0}, EXACT),
    **AVERAGED,
    **BINARY,
}


NUMBER_SPECS = {
    "mse": loss(sk.mean_squared_error),
    "mse, 3 outputs": Spec(sk.mean_squared_error, "numbers", {}, FLOAT, -1.0, n_outputs=3),
    "mae": loss(sk.mean_absolute_error),
    "mape": loss(sk.mean_absolute_percentage_error),
    "msle": loss(sk.mean_squared_log_error),
    "rmse": loss(sk.root_mean_squared_error),
    "rmsle": loss(sk.root_mean_squared_log_error),
    "pinball": loss(sk.mean_pinball_loss),
    "pinball .9": loss(sk.mean_pinball_loss, alpha=0.9),
    "pinball .2, 2 outputs": Spec(
        sk.mean_pinball_loss, "numbers", {"alpha": 0.2}, FLOAT, -1.0, n_outputs=2
    ),
    "poisson": loss(sk.mean_poisson_deviance),
    "gamma": loss(sk.mean_gamma_deviance),
    "r2": Spec(sk.r2_score, "numbers"),
    "explained variance": Spec(sk.explained_variance_score, "numbers"),
}


PROBABILITY_SPECS = {
    "log loss": loss(sk.log_loss, "probabilities"),
    "log loss, 3 classes": loss(sk.log_loss, "matrix"),
    "brier": loss(sk.brier_score_loss, "probabilities"),
    "roc_auc": Spec(sk.roc_auc_score, "scores"),
    "roc_auc_ovr": Spec(sk.roc_auc_score, "matrix", {"multi_class": "ovr"}),
    "roc_auc_ovr weighted": Spec(
        sk.roc_auc_score, "matrix", {"multi_class": "ovr", "average": "weighted"}
    ),
    "average precision": Spec(sk.average_precision_score, "scores"),
    "rank loss": loss(ours.rank_loss, "scores"),
    "break-even": Spec(ours.precision_recall_break_even, "scores"),
}
SPECS = {**LABEL_SPECS, **NUMBER_SPECS, **PROBABILITY_SPECS}
every = pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
every_at_once = in_one_test("spec", SPECS.values(), ids=SPECS)
every_label = pytest.mark.parametrize("spec", LABEL_SPECS.values(), ids=LABEL_SPECS)
every_label_at_once = in_one_test("spec", LABEL_SPECS.values(), ids=LABEL_SPECS)


@dataclass
class Rows:
    """A test set with the outputs of three systems."""

    y: Any
    outputs: dict[str, Any]

    @property
    def n(self):
        return len(self.y)

    def predictions(self, spec, systems="abc", **more):
        made = PairedPredictions if len(systems) == 2 else Predictions
        outputs = {name: self.outputs[name] for name in systems}
        return made(self.y, outputs, spec.metric, **more)


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
        outputs["a"][: min(n, 3)] = y[: min(n, 3)]
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
    for number in range(size // 4):
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
            scores[number, column] = spec.direct(
                rows.y[drawn], rows.outputs[name][drawn], weight
            )
    return scores


def atoms_of(predictions):
    """Cell of every row, where the kernel resamples cells."""
    (found,) = filter(None, predictions.work.cells.values())
    return found.of_row


def by_atom(weights, atom_of_row):
    size = atom_of_row.max() + 1
    return np.stack([np.bincount(atom_of_row, row, size) for row in weights]).astype(int)


def agree(found, expected, error, scale=1.0):
    np.testing.assert_allclose(found, expected, rtol=error, atol=error * scale)


def plan_weights(kernel, predictions, weights):
    """Weights of rows as the kernel's plan counts them."""
    if isinstance(kernel.plan, CellPlan):
        return by_atom(weights, atoms_of(predictions))
    return weights


def swap_rows(spec, rows, flips, sample_weight=None):
    """Change places on some rows, and call the metric; of mid-ranks for rank metrics."""
    a, b = rows.outputs["a"], rows.outputs["b"]
    if KNOWN[spec.function.__name__].output == "scores":
        a, b = (rankdata(output, axis=0) for output in (a, b))
    scores = np.empty((len(flips), 2))
    ones = np.ones(rows.n, dtype=int)
    for number, flip in enumerate(flips.astype(bool)):
        flip = flip.reshape((-1,) + (1,) * (a.ndim - 1))
        swapped = Rows(rows.y, {"a": np.where(flip, b, a), "b": np.where(flip, a, b)})
        if spec.options.get("multi_class"):
            scores[number] = mean_auc(spec, swapped)
        else:
            scores[number] = called(spec, swapped, ones[None], "ab", sample_weight)[0]
    return scores


def mean_auc(spec, rows):
    """One-vs-rest AUC of mid-ranks, which scikit-learn refuses as probabilities."""
    classes = range(3)
    shares = [np.mean(rows.y == label) for label in classes]
    weights = shares if spec.options.get("average") == "weighted" else None
    return [
        np.average(
            [sk.roc_auc_score(rows.y == label, output[:, label]) for label in classes],
            weights=weights,
        )
        for output in rows.outputs.values()
    ]
