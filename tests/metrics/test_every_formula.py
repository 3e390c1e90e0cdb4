"""Every formula against scikit-learn, called on the rows: resamples, swaps, rows left out."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, multinomial
from sklearn import metrics as sk
from sklearn.metrics import get_scorer_names

from skstat import metrics as ours
from skstat.metrics import as_metric, row_scores
from skstat.stats import Predictions
from tests.cases import in_one_test
from tests.metrics.specs import (
    CALLED,
    SPECS,
    Rows,
    Spec,
    agree,
    called,
    every,
    every_label,
    resamples,
    rows_for,
    swapped,
)

pytestmark = pytest.mark.usefixtures("quick")


def named(name):
    return as_metric(getattr(ours if name in ours.__all__ else sk, name, None))


def test_every_formula_is_tried():
    # A metric says itself whether it has one: of scikit-learn's functions and ours.
    tried = {spec.function.__name__ for spec in SPECS.values()}
    names = [n for n in {*sk.__all__, *ours.__all__} if n.endswith(("score", "loss", "error",
        "coef", "deviance", "break_even")) and n != "cost_sensitive_error"]  # fmt: skip
    assert {n for n in names if named(n).facts.kernel} == tried - {"cost_sensitive_error"}


@in_one_test("name", get_scorer_names())
def test_scorers_with_a_formula_have_it_by_name(name):
    # Which names have one is a promise of speed.
    metric = as_metric(name)
    if metric.facts.kernel is None or name.startswith("roc_auc_ovo") or "samples" in name:
        return
    spec = next(spec for spec in SPECS.values() if spec.function is metric.function)
    kind = "two labels" if metric.kind == "labels" else spec.kind
    kind = "matrix" if metric.options.get("multi_class") else kind
    rows = rows_for(Spec(spec.function, kind), np.random.default_rng(28), 30)
    kernel = Predictions(rows.y, rows.outputs, metric).kernel
    assert kernel.how != CALLED
    agree(kernel.scores, [metric(rows.y, output) for output in rows.outputs.values()])


def beside_rows(beside, rng, n):
    options = {}
    if "weights" in beside:
        few = rng.choice([0.1, 0.7, 1.3], n)
        options["sample_weight"] = few if "few" in beside else rng.random(n) + 0.1
    if "groups" in beside:
        options["groups"] = np.arange(n) % 6
    return options


BESIDE = ["groups and many weights", "few weights", "", "many weights", "groups"]


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("beside", BESIDE)
@every
def test_resamples_and_swaps_are_those_of_scikit_learn(spec, beside):
    rng = np.random.default_rng(BESIDE.index(beside))
    few_rows = 3 if spec.kind in ("labels", "matrix") else 2
    for n in (few_rows, 20) if not beside else (24,):
        rows, options = rows_for(spec, rng, n), beside_rows(beside, rng, n)
        pair = rows.predictions(spec, "ab", **options)
        kernel, weight = pair.kernel, options.get("sample_weight")
        units = pair.groups if "groups" in beside else np.arange(n)
        n_units = units.max() + 1
        assert kernel.how != CALLED and kernel.plan.n_units == n_units
        weights = resamples(rng, 4, n_units)
        expected = called(spec, rows, weights[:, units], "ab", weight)
        agree(kernel.weighted(weights), expected)
        three = rows.predictions(spec, **options).kernel
        agree(three.weighted(weights)[:, :2], expected)
        without = 1 - np.eye(n_units, dtype=int)
        agree(kernel.left_out[:2], called(spec, rows, without[:2, units], "ab", weight))
        if spec.options.get("multi_class") and weight is not None:
            continue  # mid-ranks of several classes have no weighted call here
        flips = rng.integers(0, 2, (3, n_units))
        flips[:2] = [[0], [1]]
        found = kernel.swapped(flips)
        agree(found, swapped(spec, rows, flips[:, units], weight))
        agree(found[:2], [kernel.scores, kernel.scores[::-1]])
        one_each = np.eye(n_units, dtype=int)
        moved = ~np.isclose(kernel.swapped(one_each), kernel.scores, rtol=1e-12).all(axis=1)
        assert kernel.differing[moved].all()


@every
@in_one_test("weighted", [False, True])
def test_differences_of_means_add_up_and_rows_have_scores_of_their_own(spec, weighted):
    rng = np.random.default_rng(29)
    rows = rows_for(spec, rng, 20)
    options = beside_rows("weights" * weighted, rng, 20)
    pair = rows.predictions(spec, "ab", **options)
    kernel, terms, own = pair.kernel, pair.kernel.mean_differences, row_scores(pair)
    assert (terms is not None) == (own is not None) == spec.metric.is_mean
    assert rows.predictions(spec, **options).kernel.mean_differences is None
    swaps = rng.integers(0, 2, (200, 20))
    differences = np.subtract(*kernel.swapped(swaps).T)
    sums = (1 - 2 * swaps) @ kernel.swap_terms()
    assert np.corrcoef(sums, differences)[0, 1] > 0.8
    if terms is None:
        return
    a, b = kernel.scores
    agree([terms.sum(), *(a - b - 2 * swaps @ terms)], [a - b, *differences])
    agree(differences, sums)
    if not weighted and spec.kind not in ("matrix", "probabilities"):
        alone = [spec.direct(rows.y[[i, i]], rows.outputs["b"][[i, i]]) for i in range(20)]
        agree(own[1], alone)


# Influences: derivatives in the weight of a row


def derivative(spec, rows, weight, step=1e-4):
    """Derivative in the weight of each row, that weight being 1, by two calls."""
    slopes = []
    for row in range(rows.n):
        change = step * weight * (np.arange(rows.n) == row)
        up, down = (
            spec.direct(rows.y, rows.outputs["a"], weight + sign * change) for sign in (1, -1)
        )
        slopes.append((up - down) / (2 * step))
    return rows.n * np.array(slopes)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("beside", ["weights", "one row of a class", ""])
@every
def test_the_influence_is_the_derivative_in_the_weight_of_a_row(spec, beside):
    rng = np.random.default_rng(3)
    rows = rows_for(spec, rng, 10)
    if spec.kind in ("probabilities", "scores") and "class" in beside:
        rows.y = (np.arange(10) == 5).astype(int)
    options = beside_rows(beside, rng, 10)
    pair = rows.predictions(spec, "ab", **options)
    found = pair.kernel.influence()[:, 0]
    expected = derivative(spec, rows, options.get("sample_weight", np.ones(10)))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
    # The score does not change when all weights are multiplied; break-even has kinks.
    kinks = spec.function is ours.precision_recall_break_even
    assert found.mean() == pytest.approx(0, abs=1e-4 if kinks else 1e-7)
    groups = np.arange(10) % 7
    of_groups = rows.predictions(spec, "ab", groups=groups, **options).kernel.influence()
    together = np.bincount(groups, found) * 7 / 10
    np.testing.assert_allclose(of_groups[:, 0], together, rtol=1e-4, atol=1e-4)


TIED = st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=1, max_size=9)


@given(TIED, st.sampled_from(["AUC", "average precision", "rank loss"]))
def test_formulas_of_ranks_are_the_derivative_for_any_ties(drawn, name):
    # Without weights they are other code than with weights, and may be wrong where few tie.
    spec, (y, scores) = SPECS[name], np.array([*drawn, (False, 1), (True, 2)]).T
    rows = Rows(y, {"a": scores / 4, "b": scores[::-1] / 4})
    kernel = rows.predictions(spec, "ab").kernel
    expected = derivative(spec, rows, np.ones(rows.n))
    np.testing.assert_allclose(kernel.influence()[:, 0], expected, rtol=1e-5, atol=1e-5)
    agree(kernel.scores[0], spec.direct(y, scores / 4))
    if name == "AUC":  # DeLong's placements, by counting
        own = np.where(y == 1, 1, -1)
        ahead = own[:, None] * (scores[:, None] - scores)
        sides = ((ahead > 0) + 0.5 * (ahead == 0)) * (y[:, None] != y)
        n_others = (y[:, None] != y).sum(axis=1)
        apart = sides.sum(axis=1) / n_others - kernel.scores[0]
        agree(kernel.influence()[:, 0], rows.n / (rows.n - n_others) * apart, 1e-9)


# Rows that are alike are drawn together


def law(kernel):
    """How probable all scores of resamples and of swaps are."""
    m, found = kernel.plan.multiplicity, []
    n = m.sum()
    bars = np.array(list(combinations(range(n + len(m) - 1), len(m) - 1))).reshape(
        -1, len(m) - 1
    )
    edges = np.column_stack([np.full(len(bars), -1), bars, np.full(len(bars), n + len(m) - 1)])
    counts = np.diff(edges) - 1
    swaps = np.array(list(product(*(range(size + 1) for size in m))))
    for scores, chances in (
        (kernel.weighted(counts), multinomial(n, m / n).pmf(counts)),
        (kernel.swapped(swaps), binom(m, 0.5).pmf(swaps).prod(axis=1)),
    ):
        together = Counter()
        for score, chance in zip(scores, chances, strict=True):
            together[str(score.round(9) + 0.0)] += chance
        found.append({score: pytest.approx(p) for score, p in together.items() if p > 1e-12})
    return found


@every_label
def test_cells_of_rows_that_are_alike_have_the_law_of_their_rows(spec):
    rows = rows_for(spec, np.random.default_rng(15), 3).take([0, 0, 1, 2, 2])
    rows.outputs["b"][2:] = rows.y[[1, 4, 4]]
    by_row = rows.predictions(spec, "ab").kernel
    for draw in ("cells", "joint"):
        kernel = rows.predictions(spec, "ab", draw=draw).kernel
        assert kernel.how.startswith("counts of") and kernel.plan.n_atoms <= 4
        assert law(kernel) == law(by_row)
        places = [kernel.plan.multiplicity.tolist(), kernel.left_out, kernel.influence()]
        expanded = np.repeat(np.column_stack(places[1:]), places[0], axis=0)
        whole = np.column_stack([by_row.left_out, by_row.influence()])
        agree(np.sort(expanded, axis=0), np.sort(whole, axis=0), 1e-4)


@every_label
def test_strata_are_part_of_the_cells(spec):
    rng = np.random.default_rng(17)
    rows = rows_for(spec, rng, 400)
    rows.outputs = {name: np.where(out > 2, 0, out) for name, out in rows.outputs.items()}
    strata = np.where(rng.random(400) < 0.3, 0, 1)
    plan = rows.predictions(spec, "ab", draw="cells", strata=strata).kernel.plan
    assert plan.n_atoms < 400
    drawn = plan.weights(rng, 20)
    for code in (0, 1):
        sizes = {np.sum(strata == 0), np.sum(strata == 1)}
        (size,) = set(drawn[:, plan.strata == code].sum(axis=1))
        assert size in sizes and plan.multiplicity[plan.strata == code].sum() == size


# Other labels, and other numbers


@every_label
def test_labels_may_be_strings_and_many(spec):
    rng = np.random.default_rng(19)
    rows = rows_for(spec, rng, 30)
    names = np.array(["ant", "bee", "cicada", "dragonfly"])
    as_asked, options = dict(spec.as_asked), dict(spec.options)
    if "labels" in as_asked:
        as_asked["labels"] = names[as_asked["labels"]].tolist()
    if spec.kind == "two labels":
        options["pos_label"] = names[options.get("pos_label", 1)]
    if spec.function in (sk.matthews_corrcoef, sk.cohen_kappa_score):
        options.pop("pos_label", None)
    of_names = Spec(spec.function, spec.kind, options, as_asked)
    outputs = {name: names[output] for name, output in rows.outputs.items()}
    weights = resamples(rng, 20, 30)
    found = Rows(names[rows.y], outputs).predictions(of_names).kernel.weighted(weights)
    agree(found, rows.predictions(spec).kernel.weighted(weights), 1e-14)
    if spec.kind == "two labels" or "cost_matrix" in spec.options:
        return
    # One class per row or two: sums of sparse terms.
    y = np.concatenate([np.arange(40), rng.integers(0, 40, 50)])
    outputs = {s: np.where(rng.random(90) < 0.5, y, rng.integers(0, 45, 90)) for s in "ab"}
    rows, flips = Rows(y, outputs), rng.integers(0, 2, (2, 90))
    for options in ({}, {"sample_weight": rng.random(90)}):
        kernel, weight = (
            rows.predictions(spec, "ab", **options).kernel,
            options.get("sample_weight"),
        )
        weights = resamples(rng, 2, 90)
        agree(kernel.weighted(weights), called(spec, rows, weights, "ab", weight))
        agree(kernel.swapped(flips), swapped(spec, rows, flips, weight))
        agree(
            kernel.left_out[:1],
            called(spec, rows, 1 - np.eye(90, dtype=int)[:1], "ab", weight),
        )


def test_large_counts_do_not_overflow():
    # Weights come as bytes; their products and sums must not stay bytes.
    n = 3000
    y = np.arange(n) % 2
    outputs = {"a": np.linspace(0, 1, n), "b": np.linspace(1, 0, n) ** 2}
    for metric in ("roc_auc", "average_precision", "neg_brier_score"):
        kernel = Predictions(y, outputs, as_metric(metric)).kernel
        agree(kernel.weighted(np.full((2, n), 100, dtype=np.uint8)), [kernel.scores] * 2, 1e-12)
    accuracy = Predictions(y, {"a": y, "b": 1 - y}, as_metric("accuracy"), draw="rows")
    bytes_ = np.full((2, n), 200, dtype=np.uint8)
    assert accuracy.kernel.weighted(bytes_).tolist() == [[1, 0], [1, 0]]
