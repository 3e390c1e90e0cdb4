"""Every kernel against the metric itself, called on the rows of many tiny resamples."""

import warnings
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.stats import rankdata
from sklearn import config_context
from sklearn import metrics as sk
from sklearn.metrics import get_scorer_names

from skstat import metrics as ours
from skstat.metrics import as_metric
from skstat.metrics._known import KNOWN
from skstat.metrics._rank_kernel import RankedRows, RankKernel
from skstat.stats import PairedPredictions, Predictions, SumKernel
from skstat.stats._resampling.kernels import CallableKernel, weighted_sums
from skstat.stats._resampling.plans import CellPlan, UnitPlan

EXACT = 0.0
FLOAT = 1e-12
KERNELS = {name for name, known in KNOWN.items() if known.kernel is not None}
RESAMPLES = 12  # of every metric, in each of several tests


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
every_label = pytest.mark.parametrize("spec", LABEL_SPECS.values(), ids=LABEL_SPECS)


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


@pytest.fixture(autouse=True)
def quick():
    """Spare scikit-learn the checks of arguments, and the user its warnings."""
    with config_context(skip_parameter_validation=True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def atoms_of(predictions):
    """Cell of every row, where the kernel resamples cells."""
    (found,) = [
        value
        for key, value in predictions.shared.items()
        if str(key).startswith("cells of") and value is not None
    ]
    return found[1]


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


def test_every_kernel_is_tried():
    assert {spec.function.__name__ for spec in SPECS.values()} == KERNELS


@every
@pytest.mark.parametrize("n", [3, 20])
def test_resamples_score_as_scikit_learn_scores_them(spec, n):
    rng = np.random.default_rng(n)
    rows = rows_for(spec, rng, n)
    predictions = rows.predictions(spec)
    kernel = predictions.kernel
    assert isinstance(kernel, SumKernel | RankKernel)
    weights = resamples(rng, RESAMPLES, n)
    found = kernel.weighted(plan_weights(kernel, predictions, weights))
    agree(found, called(spec, rows, weights), spec.error)


@every
def test_two_rows(spec):
    if spec.kind == "matrix":
        pytest.skip("three classes need three rows")
    if 2 in spec.as_asked.get("labels", []):
        pytest.skip("its labels need three rows")
    rng = np.random.default_rng(1)
    for _ in range(3):
        rows = rows_for(spec, rng, 2)
        predictions = rows.predictions(spec)
        weights = np.array([[1, 1], [2, 0], [0, 2]])
        found = predictions.kernel.weighted(
            plan_weights(predictions.kernel, predictions, weights)
        )
        agree(found, called(spec, rows, weights), spec.error)


@every
@pytest.mark.parametrize("kinds", ["few", "many"])
def test_weights_of_rows(spec, kinds):
    rng = np.random.default_rng(4)
    rows = rows_for(spec, rng, 30)
    weight = rng.choice([0.5, 2.0], rows.n) if kinds == "few" else rng.random(rows.n) + 0.1
    predictions = rows.predictions(spec, sample_weight=weight)
    kernel = predictions.kernel
    assert isinstance(kernel, SumKernel | RankKernel)
    weights = resamples(rng, RESAMPLES // 2, rows.n)
    found = kernel.weighted(plan_weights(kernel, predictions, weights))
    agree(found, called(spec, rows, weights, sample_weight=weight), 1e-11)


@every
@pytest.mark.parametrize("weighted", [False, True])
def test_groups_count_as_all_of_their_rows(spec, weighted):
    rng = np.random.default_rng(6)
    rows = rows_for(spec, rng, 36)
    groups = np.concatenate([np.arange(8), rng.integers(0, 8, 28)])
    weight = rng.random(rows.n) + 0.1 if weighted else None
    predictions = rows.predictions(spec, groups=groups, sample_weight=weight)
    kernel = predictions.kernel
    assert isinstance(kernel, SumKernel | RankKernel)
    assert kernel.plan.n_units == predictions.n_units == 8
    weights = resamples(rng, 6, 8)
    expected = called(spec, rows, weights[:, groups], "ab", sample_weight=weight)
    agree(kernel.weighted(weights)[:, :2], expected, 1e-11)


@every
def test_jackknife_leaves_a_row_out(spec):
    rng = np.random.default_rng(8)
    rows = rows_for(spec, rng, 14)
    predictions = rows.predictions(spec)
    kernel = predictions.kernel
    expected = called(spec, rows, 1 - np.eye(rows.n, dtype=int), "ac")
    found = kernel.jackknife()[:, [0, 2]]
    if isinstance(kernel.plan, CellPlan):
        assert len(found) == kernel.plan.n_atoms
        found = found[atoms_of(predictions)]
    agree(found, expected, max(spec.error, FLOAT))


@every
def test_jackknife_leaves_a_group_out(spec):
    rng = np.random.default_rng(9)
    rows = rows_for(spec, rng, 24)
    groups = np.arange(24) % 7
    kernel = rows.predictions(spec, groups=groups).kernel
    without = (groups[None, :] != np.arange(7)[:, None]).astype(int)
    agree(kernel.jackknife(), called(spec, rows, without), 1e-11)


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


@every
@pytest.mark.parametrize("n", [5, 33])
def test_swaps_are_outputs_that_changed_places(spec, n):
    rng = np.random.default_rng(n)
    rows = rows_for(spec, rng, n)
    predictions = rows.predictions(spec, "ab")
    kernel = predictions.kernel
    flips = np.concatenate([np.eye(n, dtype=int)[:2], rng.integers(0, 2, (6, n))])
    flips = np.concatenate([np.zeros((1, n), int), np.ones((1, n), int), flips])
    found = kernel.swapped(plan_weights(kernel, predictions, flips))
    agree(found, swap_rows(spec, rows, flips), max(spec.error, FLOAT))
    agree(found[0], kernel.scores, FLOAT)
    agree(found[1], kernel.scores[::-1], FLOAT)


@every
def test_swaps_of_weighted_rows_leave_no_noise(spec):
    # A class that is nowhere predicted once its rows have swapped has a share of
    # exactly 0, whatever the weights sum up to.
    if spec.options.get("multi_class"):
        pytest.skip("mid-ranks of several classes have no weighted call here")
    rng = np.random.default_rng(11)
    rows = rows_for(spec, rng, 12)
    for weight in (rng.random(12), rng.choice([0.1, 0.7, 1.3], 12)):
        predictions = rows.predictions(spec, "ab", sample_weight=weight)
        kernel = predictions.kernel
        flips = np.concatenate([rng.integers(0, 2, (7, 12)), np.ones((1, 12), int)])
        found = kernel.swapped(plan_weights(kernel, predictions, flips))
        agree(found, swap_rows(spec, rows, flips, weight), 1e-11)


@every
def test_swaps_of_groups(spec):
    rng = np.random.default_rng(12)
    rows = rows_for(spec, rng, 24)
    groups = rng.permutation(24) % 6
    kernel = rows.predictions(spec, "ab", groups=groups).kernel
    flips = rng.integers(0, 2, (6, 6))
    codes = Predictions(rows.y, rows.outputs, spec.metric, groups=groups).groups
    agree(kernel.swapped(flips), swap_rows(spec, rows, flips[:, codes]), 1e-11)


@every
def test_terms_of_swaps_add_up_to_swapped_differences(spec):
    rows = rows_for(spec, np.random.default_rng(13), 400)
    predictions = rows.predictions(spec, "ab")
    kernel = predictions.kernel
    m = kernel.plan.multiplicity
    swaps = kernel.plan.swaps(np.random.default_rng(0), 200)
    differences = np.subtract(*kernel.swapped(swaps).T)
    sums = (m - 2 * swaps) @ kernel.swap_terms()
    if kernel.mean_differences is not None:
        agree(sums, differences, 1e-9)
    assert np.corrcoef(sums, differences)[0, 1] > 0.95
    assert 0.9 < sums.std() / differences.std() < 1.1


MEANS = {
    sk.accuracy_score, sk.zero_one_loss, sk.hamming_loss, sk.mean_squared_error,
    sk.mean_absolute_error, sk.mean_absolute_percentage_error, sk.mean_squared_log_error,
    sk.mean_pinball_loss, sk.mean_poisson_deviance, sk.mean_gamma_deviance, sk.log_loss,
    sk.brier_score_loss, ours.cost_sensitive_error,
}  # fmt: skip


@every
@pytest.mark.parametrize("weighted", [False, True])
def test_differences_of_means_add_up(spec, weighted):
    rng = np.random.default_rng(29)
    rows = rows_for(spec, rng, 20)
    weight = rng.random(20) if weighted else None
    predictions = rows.predictions(spec, "ab", sample_weight=weight)
    kernel = predictions.kernel
    terms = kernel.mean_differences
    assert (terms is not None) == (spec.function in MEANS)
    assert rows.predictions(spec, sample_weight=weight).kernel.mean_differences is None
    if terms is None:
        return
    a, b = kernel.scores
    assert kernel.plan.multiplicity @ terms == pytest.approx(a - b, abs=1e-14)
    flips = rng.integers(0, 2, (5, kernel.plan.n_atoms))
    swapped = kernel.swapped(flips)
    found = a - b - 2 * flips @ terms
    np.testing.assert_allclose(swapped[:, 0] - swapped[:, 1], found, atol=1e-12)


@every
def test_atoms_that_differ(spec):
    rows = rows_for(spec, np.random.default_rng(14), 20)
    predictions = rows.predictions(spec, "ab")
    kernel = predictions.kernel
    one_each = np.eye(kernel.plan.n_atoms, dtype=int)
    unchanged = np.isclose(kernel.swapped(one_each), kernel.scores, rtol=1e-12).all(axis=1)
    assert kernel.differing[~unchanged].all()
    same = PairedPredictions(
        rows.y, {"a": rows.outputs["a"], "b": rows.outputs["a"]}, spec.metric
    )
    assert same.identical
    assert not predictions.identical


@every_label
def test_paths_agree(spec):
    # Rows, cells, cells shared with other metrics, and groups of one row each.
    rng = np.random.default_rng(15)
    rows = rows_for(spec, rng, 30)
    if spec.kind == "labels":  # few kinds of rows
        rows.outputs = {
            name: np.where(output == 3, 0, output) for name, output in rows.outputs.items()
        }
        rows.y = np.where(rows.y == 3, 0, rows.y)
    weights = resamples(rng, 30, 30)
    flips = rng.integers(0, 2, (30, 30))
    cells = rows.predictions(spec, "ab")
    joint = rows.predictions(spec, "ab", shared={"joint": True})
    single = rows.predictions(spec, "ab", shared={"rows": True})
    grouped = rows.predictions(spec, "ab", groups=np.arange(30))
    assert isinstance(cells.kernel.plan, CellPlan)
    assert isinstance(joint.kernel.plan, CellPlan)
    assert joint.kernel.plan.n_atoms >= cells.kernel.plan.n_atoms
    assert isinstance(single.kernel.plan, UnitPlan)
    expected = single.kernel.weighted(weights), single.kernel.swapped(flips)
    for predictions in (cells, joint, grouped):
        kernel = predictions.kernel
        found = (
            kernel.weighted(plan_weights(kernel, predictions, weights)),
            kernel.swapped(plan_weights(kernel, predictions, flips)),
        )
        np.testing.assert_array_equal(found[0], expected[0])
        np.testing.assert_array_equal(found[1], expected[1])
    for predictions in (cells, joint):
        plan, atom = predictions.kernel.plan, atoms_of(predictions)
        assert plan.n_units == 30
        np.testing.assert_array_equal(plan.multiplicity, np.bincount(atom))
        np.testing.assert_allclose(
            predictions.kernel.jackknife()[atom], single.kernel.jackknife(), rtol=1e-14
        )


def test_metrics_of_one_call_share_their_draws():
    spec = LABEL_SPECS["accuracy"]
    rows = rows_for(spec, np.random.default_rng(16), 200)
    shared = rows.predictions(spec, "ab", shared={"joint": True})
    f1 = shared.with_metric(as_metric("f1_macro"))
    assert shared.kernel.plan is f1.kernel.plan
    alone = rows.predictions(spec, "ab")
    assert (
        alone.kernel.plan.n_atoms < alone.with_metric(as_metric("f1_macro")).kernel.plan.n_atoms
    )
    both = rows.predictions(spec, "ab", shared={"rows": True})
    assert both.kernel.plan is both.with_metric(as_metric("f1_macro")).kernel.plan
    assert both.kernel.plan is both.plan


@every_label
def test_strata_are_part_of_the_cells(spec):
    rng = np.random.default_rng(17)
    n = 400
    y = rng.integers(0, 2, n)
    y[:2] = [0, 1]
    outputs = {name: np.where(rng.random(n) < 0.6, y, 1 - y) for name in "ab"}
    if "labels" in spec.as_asked and "cost_matrix" not in spec.options:
        spec = Spec(spec.function, spec.kind, spec.options, as_asked={"labels": [1, 0]})
    strata = np.where(rng.random(n) < 0.3, "few", "many")
    predictions = PairedPredictions(y, outputs, spec.metric, strata=strata)
    plan = predictions.kernel.plan
    assert isinstance(plan, CellPlan)
    atom = atoms_of(predictions)
    for cell in range(plan.n_atoms):
        assert len(set(strata[atom == cell])) == 1
    drawn = plan.weights(np.random.default_rng(0), 50)
    for code, name in enumerate(dict.fromkeys(strata.tolist())):
        assert (drawn[:, plan.strata == code].sum(axis=1) == np.sum(strata == name)).all()
    weights = resamples(rng, 10, n)
    expected = called(spec, Rows(y, outputs), weights, "ab")
    agree(predictions.kernel.weighted(by_atom(weights, atom)), expected, 1e-12)


@every_label
def test_many_classes(spec):
    # One class per row or two: sums of sparse terms.
    if spec.kind == "two labels" or "cost_matrix" in spec.options:
        pytest.skip("a few classes only")
    rng = np.random.default_rng(18)
    n = 90
    y = np.concatenate([np.arange(40), rng.integers(0, 40, n - 40)])
    outputs = {name: np.where(rng.random(n) < 0.5, y, rng.integers(0, 45, n)) for name in "ab"}
    rows = Rows(y, outputs)
    predictions = rows.predictions(spec, "ab")
    kernel = predictions.kernel
    if spec.function not in (sk.accuracy_score, sk.zero_one_loss, sk.hamming_loss):
        assert isinstance(kernel.plan, UnitPlan)
        assert not isinstance(kernel.common, np.ndarray)
    weights = resamples(rng, 8, n)
    flips = rng.integers(0, 2, (6, n))
    error = max(spec.error, FLOAT)
    found = kernel.weighted(plan_weights(kernel, predictions, weights))
    agree(found, called(spec, rows, weights, "ab"), error)
    found = kernel.swapped(plan_weights(kernel, predictions, flips))
    agree(found, swap_rows(spec, rows, flips), error)
    left_out = kernel.jackknife()
    if isinstance(kernel.plan, CellPlan):
        left_out = left_out[atoms_of(predictions)]
    agree(left_out[:5], called(spec, rows, 1 - np.eye(n, dtype=int)[:5], "ab"), error)
    groups = rng.permutation(n) % 60
    grouped = rows.predictions(spec, "ab", groups=groups)
    weights = resamples(rng, 5, 60)
    expected = called(spec, rows, weights[:, grouped.groups], "ab")
    agree(grouped.kernel.weighted(weights), expected, error)
    weight = rng.random(n)
    weighted = rows.predictions(spec, "ab", sample_weight=weight).kernel
    found = weighted.swapped(flips)
    agree(found, swap_rows(spec, rows, flips, weight), 1e-11)


@every_label
def test_labels_may_be_strings(spec):
    rng = np.random.default_rng(19)
    rows = rows_for(spec, rng, 30)
    names = np.array(["ant", "bee", "cicada", "dragonfly"])
    as_asked = dict(spec.as_asked)
    if "labels" in as_asked:
        as_asked["labels"] = names[as_asked["labels"]].tolist()
    if spec.kind == "two labels":
        as_asked["pos_label"] = "bee"
    metric = as_metric(partial(spec.function, **spec.options), **as_asked)
    outputs = {name: names[output] for name, output in rows.outputs.items()}
    numbered = rows.predictions(spec)
    named = Predictions(names[rows.y].tolist(), outputs, metric)
    weights = resamples(rng, 20, 30)
    np.testing.assert_array_equal(
        named.kernel.weighted(plan_weights(named.kernel, named, weights)),
        numbered.kernel.weighted(plan_weights(numbered.kernel, numbered, weights)),
    )
    direct = [metric(named.y_true, output) for output in named.outputs.values()]
    agree(named.kernel.scores, direct, 1e-14)


@pytest.mark.parametrize("function", [sk.f1_score, sk.precision_score, sk.recall_score])
def test_the_other_class_may_be_the_positive_one(function):
    rng = np.random.default_rng(20)
    rows = rows_for(BINARY["f1_score binary"], rng, 25)
    spec = Spec(function, "two labels", {"pos_label": 0}, EXACT)
    predictions = rows.predictions(spec)
    weights = resamples(rng, 30, 25)
    found = predictions.kernel.weighted(by_atom(weights, atoms_of(predictions)))
    np.testing.assert_array_equal(found, called(spec, rows, weights))


def test_present_classes_are_those_of_truth_or_of_the_systems_own_predictions():
    # Class 2 is only in b's predictions: it lowers b's macro F1 and leaves a's alone.
    outputs = {"a": [0, 1, 1, 0], "b": [0, 1, 2, 0]}
    predictions = PairedPredictions([0, 1, 1, 0], outputs, as_metric("f1_macro"))
    a, b = predictions.kernel.scores
    assert a == 1
    assert b == pytest.approx((1 + 2 / 3 + 0) / 3)
    fixed = predictions.with_metric(as_metric("f1_macro", labels=[0, 1, 2]))
    assert fixed.kernel.scores[0] == pytest.approx(2 / 3)


def test_a_class_of_rows_without_weight_is_left_to_scikit_learn():
    # It counts in a macro average although no sum shows it: here in a resample, where the
    # other row of class 2 is missing.
    y, weight = np.array([0, 1, 1, 2, 2]), np.array([1.0, 1.0, 2.0, 0.0, 1.0])
    outputs = {"a": np.array([0, 1, 0, 1, 2]), "b": np.array([0, 1, 1, 1, 2])}
    for name in ("f1_macro", "precision_weighted", "f1_micro", "balanced_accuracy"):
        metric = as_metric(name)
        predictions = PairedPredictions(y, outputs, metric, sample_weight=weight)
        assert isinstance(predictions.kernel, CallableKernel) == (name == "f1_macro")
        if isinstance(predictions.kernel, CallableKernel):
            drawn = np.array([0, 1, 1, 2, 3])
            found = predictions.kernel.weighted(np.array([[1, 2, 1, 1, 0]]))[0]
            direct = [metric(y[drawn], out[drawn], weight[drawn]) for out in outputs.values()]
            assert found.tolist() == direct
        direct = [metric(y, out, weight) for out in outputs.values()]
        assert predictions.kernel.scores.tolist() == direct


@pytest.mark.parametrize("name", ["matthews_corrcoef", "kappa"])
def test_constant_labels_under_weights(name):
    # Truth and predictions of one class in a resample: 0 and undefined, not float noise.
    metric = as_metric(sk.cohen_kappa_score if name == "kappa" else name)
    y = np.array([0] * 9 + [1])
    outputs = {"a": np.array([0] * 10), "b": np.array([0] * 8 + [1, 1])}
    rng = np.random.default_rng(21)
    predictions = PairedPredictions(y, outputs, metric, sample_weight=rng.random(10))
    weights = np.zeros((50, 10), dtype=int)
    weights[:, :8] = rng.multinomial(10, np.full(8, 1 / 8), 50)
    scores = predictions.kernel.weighted(weights)
    expected = 0.0 if name == "matthews_corrcoef" else np.nan
    np.testing.assert_array_equal(scores, np.full((50, 2), expected))


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
def test_rank_metrics_are_undefined_without_a_class(metric):
    y = np.array([0, 0, 1, 1])
    outputs = {"a": np.array([0.1, 0.4, 0.3, 0.4]), "b": np.array([0.2, 0.2, 0.2, 0.9])}
    kernel = PairedPredictions(y, outputs, as_metric(metric)).kernel
    scores = kernel.weighted(np.array([[2, 2, 0, 0], [0, 0, 1, 3], [0, 0, 0, 0]]))
    assert np.isnan(scores[[0, 2]]).all()
    assert np.isnan(scores[1]).all() == (metric == "roc_auc")
    ovr = as_metric("roc_auc_ovr_weighted")
    P = np.eye(3)[[0, 1, 2, 0]] * 0.5 + 1 / 6
    three = PairedPredictions([0, 1, 2, 0], {"a": P, "b": P[::-1]}, ovr).kernel
    # As in scikit-learn a class that is not there weighs nothing in the weighted mean,
    # and a class alone has no AUC; in the plain mean every class counts.
    weights = np.array([[2, 2, 0, 0], [2, 0, 0, 2], [0, 0, 0, 0]])
    found = three.weighted(weights)
    drawn = np.array([0, 0, 1, 1])
    by_hand = [
        np.mean([sk.roc_auc_score(drawn == label, out[drawn, label]) for label in (0, 1)])
        for out in (P, P[::-1])
    ]
    np.testing.assert_allclose(found[0], by_hand)
    assert np.isnan(found[1:]).all()
    plain = PairedPredictions(
        [0, 1, 2, 0], {"a": P, "b": P[::-1]}, as_metric("roc_auc_ovr")
    ).kernel
    assert np.isnan(plain.weighted(weights)).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_ranking_counts_pairs(weighted):
    # AUC is the share of pairs of a positive and a negative that are in order, ties half.
    rng = np.random.default_rng(22)
    for _ in range(20):
        n = rng.integers(4, 30)
        positive = rng.random(n) < 0.4
        positive[:2] = True, False
        scores = rng.integers(0, 6, n).astype(float)
        weights = rng.random((5, n)) if weighted else rng.integers(0, 4, (5, n))
        found = RankedRows(positive, scores).auc(weights)
        difference = scores[positive][:, None] - scores[~positive]
        wins = (difference > 0) + 0.5 * (difference == 0)
        for w, auc in zip(weights, found, strict=True):
            above, below = w[positive], w[~positive]
            total = above.sum() * below.sum()
            expected = above @ wins @ below / total if total else np.nan
            np.testing.assert_allclose(auc, expected, rtol=1e-13)


def test_scores_far_apart_keep_their_order():
    # Ranks must tell neighbouring floats apart, and take any real number.
    y = np.array([0, 1, 0, 1, 0, 1])
    a = np.array([0.5, np.nextafter(0.5, 1), 0.5, -1e300, -5.0, 1e300])
    outputs = {"a": a, "b": -a}
    predictions = PairedPredictions(y, outputs, as_metric("roc_auc"))
    expected = [sk.roc_auc_score(y, out) for out in outputs.values()]
    assert predictions.kernel.scores == pytest.approx(expected, abs=1e-15)


def test_large_counts_do_not_overflow():
    # Weights come as bytes; their products and sums must not stay bytes.
    n = 3000
    y = np.arange(n) % 2
    outputs = {"a": np.linspace(0, 1, n), "b": np.linspace(1, 0, n) ** 2}
    for metric in ("roc_auc", "average_precision", "neg_brier_score"):
        kernel = PairedPredictions(y, outputs, as_metric(metric)).kernel
        hundred = kernel.weighted(np.full((2, n), 100, dtype=np.uint8))
        np.testing.assert_allclose(hundred, [kernel.scores] * 2, rtol=1e-12)
    accuracy = PairedPredictions(
        y, {"a": y, "b": 1 - y}, as_metric("accuracy"), shared={"rows": True}
    )
    bytes_ = np.full((2, n), 200, dtype=np.uint8)
    assert accuracy.kernel.weighted(bytes_).tolist() == [[1, 0], [1, 0]]


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize(
    "spec",
    [
        spec
        for spec in SPECS.values()
        if spec.kind in ("numbers", "probabilities", "scores") and spec.n_outputs == 1
    ],
    ids=lambda spec: spec.function.__name__,
)
def test_single_precision_has_a_kernel_too(spec, dtype):
    rng = np.random.default_rng(23)
    rows = rows_for(spec, rng, 30)
    rows.outputs = {name: out.astype(dtype) for name, out in rows.outputs.items()}
    if spec.kind == "numbers":
        rows.y = rows.y.astype(dtype)
    kernel = rows.predictions(spec).kernel
    assert isinstance(kernel, SumKernel | RankKernel)
    in_double = Rows(
        rows.y.astype(float) if spec.kind == "numbers" else rows.y,
        {name: out.astype(float) for name, out in rows.outputs.items()},
    )
    weights = resamples(rng, 20, 30)
    # The log loss clips at the precision of the probabilities it is given.
    expected = called(spec, rows if spec.function is sk.log_loss else in_double, weights)
    agree(kernel.weighted(weights), expected, 1e-11)


def test_probabilities_of_0_and_1_are_clipped_as_in_scikit_learn():
    y = np.array([0, 1, 1, 0])
    for dtype in (np.float64, np.float32):
        p = np.array([0, 1, 0, 1], dtype=dtype)
        for outputs in (p, np.column_stack([1 - p, p])):
            both = {"a": outputs, "b": np.full_like(outputs, 0.5)}
            predictions = PairedPredictions(y, both, as_metric("neg_log_loss"))
            assert isinstance(predictions.kernel, SumKernel)
            direct = -sk.log_loss(y, p)
            error = 1e-12 if dtype == np.float64 else 1e-6
            assert predictions.kernel.scores[0] == pytest.approx(direct, rel=error)


def test_one_hot_probabilities_may_be_whole_numbers():
    y = [0, 1, 2, 1]
    outputs = {"a": np.eye(3, dtype=int)[y], "b": np.full((4, 3), 1 / 3)}
    a, b = PairedPredictions(y, outputs, as_metric("neg_log_loss")).kernel.scores
    assert a == pytest.approx(0, abs=1e-15)
    assert b == pytest.approx(-np.log(3))


def test_constant_truth_in_a_resample():
    # Undefined, and no float noise: .1 has no exact mean, and no variance.
    y = np.array([0.1, 0.1, 0.1, 0.7])
    outputs = {"a": np.array([0.1, 0.1, 0.1, 0.2]), "b": np.array([0.3, 0.2, 0.1, 0.7])}
    for metric in ("r2", "explained_variance"):
        kernel = PairedPredictions(y, outputs, as_metric(metric)).kernel
        found = kernel.weighted(np.array([[1, 2, 1, 0], [0, 0, 0, 4], [3, 3, 3, 0]]))
        assert np.isnan(found).all()


@pytest.mark.parametrize("shift", [0, 1e6, -1e6])
def test_variance_shares_survive_a_large_mean(shift):
    rng = np.random.default_rng(24)
    y = rng.integers(0, 80, 30) / 8 + shift
    outputs = {name: y + rng.integers(-8, 9, 30) / 8 for name in "ab"}
    outputs["b"] += shift  # an error that is large, and constant but for a little
    for function in (sk.r2_score, sk.explained_variance_score):
        kernel = PairedPredictions(y, outputs, as_metric(function)).kernel
        weights = resamples(rng, 20, 30)
        weights = weights[(weights > 0).sum(axis=1) > 3]
        spec = Spec(function, "numbers")
        agree(kernel.weighted(weights), called(spec, Rows(y, outputs), weights, "ab"), 1e-11)


def test_rmse_of_all_losses_swapped_is_zero_and_defined():
    # Sums that lose all their terms must not be left with noise, below 0 or above it.
    rng = np.random.default_rng(25)
    for n in (9, 997):
        errors = rng.random(n)
        outputs = {"a": np.zeros(n), "b": errors}
        metric = as_metric("neg_root_mean_squared_error")
        kernel = PairedPredictions(np.zeros(n), outputs, metric).kernel
        found = kernel.swapped(np.ones((50, n), dtype=np.uint8))
        assert (found[:, 1] == 0).all()
        np.testing.assert_allclose(found[:, 0], -np.sqrt(np.mean(errors**2)))


@pytest.mark.parametrize("kinds", ["few", "many"])
def test_classes_that_all_swap_away_are_gone(kinds):
    # What is left of float weights when a class is no more predicted is no prediction of it.
    rng = np.random.default_rng(0)
    n = 1000  # the order in which a product adds up depends on its size
    weight = rng.random(n) if kinds == "many" else rng.choice([0.1, 0.7, 1.3], n)
    y, a, b = rng.integers(0, 2, (3, n))
    a[rng.random(n) < 0.3] = 2  # of which b knows nothing
    rows = Rows(y, {"a": a, "b": b})
    spec = AVERAGED["f1 macro"]
    predictions = rows.predictions(spec, "ab", sample_weight=weight)
    flips = np.where(a == 2, 1, rng.integers(0, 2, (200, n)))
    found = predictions.kernel.swapped(plan_weights(predictions.kernel, predictions, flips))
    agree(found, swap_rows(spec, rows, flips, weight), 1e-12)


@pytest.mark.parametrize("sparse", [False, True])
def test_weighted_sums(sparse):
    from scipy.sparse import csr_array

    rng = np.random.default_rng(26)
    terms = rng.integers(0, 3, (700, 4)).astype(float)
    for size, dtype in ((1, np.int64), (3000, np.uint8)):  # the second in several steps
        weights = rng.integers(0, 200, (size, 700)).astype(dtype)
        found = weighted_sums(weights, csr_array(terms) if sparse else terms)
        np.testing.assert_array_equal(found, weights.astype(float) @ terms)


class Called:
    """Metrics of any objects, for the kernel that calls them."""

    @staticmethod
    def equal(y, p):
        return float(np.mean([truth == output for truth, output in zip(y, p, strict=True)]))

    @staticmethod
    def overlap(y, p):
        return float(
            np.mean(
                [len(set(t) & set(o)) / len(set(t) | set(o)) for t, o in zip(y, p, strict=True)]
            )
        )

    @staticmethod
    def distance(y, p):
        return -float(np.abs(np.asarray(y, float) - np.asarray(p, float)).max())


TEXTS = ["a b", "b", "c d e", "a", "d", "e f"]
OBJECTS = {
    "strings": (Called.equal, TEXTS, TEXTS[::-1], ["a b", "x", "c d e", "longer", "d", "e"]),
    "arrays of strings": (
        Called.equal, np.array(TEXTS), np.array(TEXTS[::-1]), np.array(["much longer"] * 6),
    ),
    "lists": (
        Called.overlap,
        [text.split() for text in TEXTS],
        [text.split() for text in TEXTS[::-1]],
        [["a"], ["b"], ["c", "d"], ["a", "z"], ["d"], ["q"]],
    ),
    "lists of one length": (
        Called.overlap, [["a", "b"]] * 6, [["a", "c"]] * 6, [["a", "b"], ["x", "y"]] * 3,
    ),
    "a matrix of strings": (
        Called.overlap,
        np.array([["a", "b"]] * 6),
        np.array([["a", "c"]] * 6),
        np.array([["a", "b"], ["xx", "y"]] * 3),
    ),
    "arrays of different lengths": (
        Called.overlap,
        [np.arange(k + 1) for k in range(6)],
        [np.arange(k + 2) for k in range(6)],
        [np.arange(6 - k) for k in range(6)],
    ),
    "two columns": (
        Called.distance, np.zeros((6, 2)), np.arange(12.0).reshape(6, 2), np.ones((6, 2)),
    ),
    "whole and other numbers": (
        Called.distance, np.zeros(6), np.arange(6), np.arange(6) / 4,
    ),
    "flags and numbers": (
        Called.distance, np.zeros(6), np.arange(6) > 2, np.linspace(0, 9, 6),
    ),
}  # fmt: skip


@pytest.mark.parametrize("metric, y, a, b", OBJECTS.values(), ids=OBJECTS)
def test_any_objects_can_be_resampled_and_swapped(metric, y, a, b):
    predictions = PairedPredictions(y, {"a": a, "b": b}, metric)
    kernel = predictions.kernel
    assert isinstance(kernel, CallableKernel)
    rng = np.random.default_rng(27)
    as_list = [list(column) for column in (y, a, b)]
    truth, first, second = as_list
    for counts, flips in zip(resamples(rng, 20, 6), rng.integers(0, 2, (20, 6)), strict=True):
        rows = np.repeat(np.arange(6), counts)
        expected = [
            metric([truth[i] for i in rows], [out[i] for i in rows]) for out in (first, second)
        ]
        assert kernel.weighted(counts[None])[0].tolist() == expected
        mixed = [
            [(u, v)[flip] for u, v, flip in zip(one, other, flips, strict=True)]
            for one, other in ((first, second), (second, first))
        ]
        assert kernel.swapped(flips[None])[0].tolist() == [metric(truth, out) for out in mixed]
    same = [np.array_equal(u, v) for u, v in zip(first, second, strict=True)]
    assert kernel.differing.tolist() == [not equal for equal in same]


def test_a_called_metric_gets_whole_groups():
    y = np.arange(12.0)
    outputs = {"a": y + 1, "b": y * 2}
    groups = np.arange(12) % 6
    seen = []

    def metric(truth, predicted):
        seen.append((truth.copy(), predicted.copy()))
        return float(np.mean(predicted - truth))

    kernel = PairedPredictions(y, outputs, metric, groups=groups).kernel
    kernel.weighted(np.array([[2, 0, 1, 0, 0, 3]]))
    truth, predicted = seen[-2]
    assert sorted(truth) == sorted([0, 6] * 2 + [2, 8] + [5, 11] * 3)
    np.testing.assert_array_equal(predicted, truth + 1)
    kernel.swapped(np.array([[1, 0, 0, 0, 0, 0]]))
    truth, predicted = seen[-2]
    np.testing.assert_array_equal(truth, y)
    np.testing.assert_array_equal(predicted, np.where(groups == 0, 2 * y, y + 1))
    kernel.swapped(np.zeros((1, 6), dtype=int))
    np.testing.assert_array_equal(seen[-1][1], 2 * y)
    assert kernel.jackknife()[:, 0].tolist() == [1.0] * 6
    assert len(kernel.differing) == 6


def test_a_called_metric_gets_weights():
    def metric(y, p, sample_weight):
        return float(np.average(p, weights=sample_weight))

    outputs = {"a": [1.0, 2.0, 3.0], "b": [3.0, 3.0, 3.0]}
    kernel = PairedPredictions([0, 0, 0], outputs, metric, sample_weight=[1, 2, 4]).kernel
    assert kernel.scores.tolist() == [17 / 7, 3.0]
    assert kernel.weighted(np.array([[2, 1, 0]]))[0, 0] == 1.5


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in get_scorer_names()
        if name not in ("roc_auc_ovo", "roc_auc_ovo_weighted")
    ],
)
def test_scorers_with_a_kernel_have_it_by_name(name):
    # Which names have a kernel is a promise of speed.
    metric = as_metric(name)
    if metric.facts.kernel is None or "samples" in name:
        return
    spec = next(spec for spec in SPECS.values() if spec.function is metric.function)
    kind = "two labels" if metric.kind == "labels" else spec.kind
    kind = "matrix" if metric.options.get("multi_class") else kind
    rows = rows_for(Spec(spec.function, kind), np.random.default_rng(28), 30)
    predictions = Predictions(rows.y, rows.outputs, metric)
    assert isinstance(predictions.kernel, SumKernel | RankKernel)
    direct = [metric(rows.y, output) for output in rows.outputs.values()]
    agree(predictions.kernel.scores, direct, 1e-12)
