"""The facts in the table of metrics, against the metrics themselves."""

import inspect
import warnings
from functools import partial
from itertools import combinations

import numpy as np
import pytest
import sklearn
from sklearn import metrics as sk
from sklearn.metrics import get_scorer, get_scorer_names, make_scorer

from skstat import metrics as ours
from skstat.metrics import as_metric, is_linear_in_labels, row_scores
from skstat.stats import Predictions
from tests.cases import in_one_test

N = 40
NEEDED = {
    "cost_sensitive_error": {"cost_matrix": [[0.0, 3.0], [1.0, -0.5]]},
    "fbeta_score": {"beta": 2},
}


def function_of(name):
    found = getattr(ours if name in ours.__all__ else sk, name)
    return partial(found, **NEEDED[name]) if name in NEEDED else found


def facts_of():
    """What is known of each function of scikit-learn and ours, if more than by its ending."""
    by_ending = [as_metric(sk.rand_score).facts, as_metric(sk.hinge_loss).facts]
    for name in sorted({*sk.__all__, *ours.__all__}):
        found = getattr(ours if name in ours.__all__ else sk, name, None)
        if inspect.isfunction(found) and "y_true" in inspect.signature(found).parameters:
            facts = as_metric(function_of(name)).facts
            if facts not in by_ending:
                yield name, facts


KNOWN = dict(facts_of())
# Of functions of scorers that have no entry, why nothing is known.
CLUSTERS = "two partitions of the rows are compared, not predictions with a truth"
UNKNOWN = {
    **dict.fromkeys(
        (
            "adjusted_mutual_info_score", "adjusted_rand_score", "completeness_score",
            "fowlkes_mallows_score", "homogeneity_score", "mutual_info_score",
            "normalized_mutual_info_score", "rand_score", "v_measure_score",
        ),
        CLUSTERS,
    ),
    "negative_likelihood_ratio": "a function that scikit-learn keeps to itself",
    "positive_likelihood_ratio": "a function that scikit-learn keeps to itself",
}  # fmt: skip
AVERAGES = ("binary", "macro", "micro", "weighted")
# Several numbers, of which no score is made here.
NO_SCORE = {"class_likelihood_ratios"}
SCORED = [n for n in KNOWN if n not in NO_SCORE]
scored = pytest.mark.parametrize("name", SCORED)
scored_at_once = in_one_test("name", SCORED)


def of_scorer(name):
    return get_scorer(name)._score_func.__name__


def truth_and_outputs(name, n_outputs=30):
    """A truth and outputs for a metric, from good to hopeless."""
    output, rng = KNOWN[name].output, np.random.default_rng(7)
    if output == "numbers":
        y = rng.gamma(2.0, size=N) + 0.1
        return y, [y * np.exp(rng.normal(0, spread, N)) for spread in shares(n_outputs, 4)]
    y = rng.permutation(np.arange(N) % 2)
    if output == "labels":
        return y, [np.where(rng.random(N) < p, 1 - y, y) for p in shares(n_outputs, 1)]
    mixed = [y * (1 - p) + p * rng.random(N) for p in shares(n_outputs, 1)]
    return y, [np.clip(out, 1e-3, 1 - 1e-3) for out in [*mixed, 1.0 - y]]


def shares(n, highest):
    return np.linspace(0, highest, n)


def values(name, y, outputs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.array([function_of(name)(y, output) for output in outputs])


@in_one_test("scorer", get_scorer_names())
def test_the_function_of_every_scorer_has_an_entry_or_a_reason(scorer):
    name = of_scorer(scorer)
    assert (name in KNOWN) != (name in UNKNOWN)


@in_one_test("scorer", get_scorer_names())
def test_scorers_have_the_sign_and_the_outputs_of_the_entry(scorer):
    name, made = of_scorer(scorer), repr(get_scorer(scorer))
    if name not in KNOWN:
        return
    metric = as_metric(scorer)
    assert metric.facts is KNOWN[name]
    assert metric.facts.is_loss == ("greater_is_better=False" in made)
    asked = {"labels": "'predict'", "numbers": "'predict'", "probabilities": "'predict_proba'"}
    response = asked.get(metric.kind, "('decision_function', 'predict_proba')")
    assert f"response_method={response}" in made


@pytest.mark.long(keep=3)
@scored
def test_no_value_is_outside_the_bounds_and_some_reach_them(name):
    y, outputs = truth_and_outputs(name, 100)
    metric = as_metric(function_of(name), pos_label=None)
    low, high = metric.facts.bounds_for(metric.options)
    found = values(name, y, outputs)
    assert low is None or found.min() >= low - 1e-12
    assert high is None or found.max() <= high + 1e-12
    # What is best is a bound of all but costs.
    best = found.min() if metric.is_loss else found.max()
    reached = 0.0 if metric.is_loss else 1.0
    if not metric.is_cost:
        assert (low if metric.is_loss else high) == reached
        assert best == pytest.approx(reached, abs=0.01)
    if low is None:  # worse than any number
        awful = y + 1e3 * (1 + np.arange(N)) if metric.kind == "numbers" else outputs[-1]
        assert values(name, y, [awful])[0] < 0


# Means of which the scores of rows have no formula.
NO_FORMULA = {"mean_tweedie_deviance", "top_k_accuracy_score"}


@scored_at_once
def test_means_over_rows_are_means_of_the_means_of_parts(name):
    y, outputs = truth_and_outputs(name)
    output = outputs[22]  # whose scores do not tell the classes apart
    metric = as_metric(function_of(name))
    rows = row_scores(Predictions(y, {"a": output, "b": outputs[25]}, metric))
    halves = [np.arange(N) < N / 4, np.arange(N) >= N / 4]
    parts = [values(name, y[half], [output[half]])[0] for half in halves]
    whole = values(name, y, [output])[0]
    adds_up = bool(
        np.isclose(np.average(parts, weights=[half.sum() for half in halves]), whole)
    )
    assert KNOWN[name].is_mean == (rows is not None)
    assert KNOWN[name].is_mean == (adds_up and name not in NO_FORMULA)
    if rows is not None:
        sign = -1 if metric.is_loss else 1
        assert sign * rows[0].mean() == pytest.approx(whole)


@pytest.mark.parametrize("name", [n for n in KNOWN if KNOWN[n].counts])
def test_rows_are_hits_or_misses(name):
    y, outputs = truth_and_outputs(name)
    right = np.mean(outputs[10] == y)
    expected = right if KNOWN[name].counts == "hits" else 1 - right
    assert values(name, y, [outputs[10]])[0] == pytest.approx(expected)


def of_labels():
    for name in KNOWN:
        if KNOWN[name].output != "labels" or name in NO_SCORE:
            continue
        function, needed = function_of(name), NEEDED.get(name, {})
        averaged = "average" in inspect.signature(function).parameters
        for average in AVERAGES if averaged else ("",):
            options = {"average": average} if average else {}
            yield f"{name} {average}".strip(), partial(function, **options, **needed)


LABELLED = dict(of_labels())
labelled = pytest.mark.parametrize("function", LABELLED.values(), ids=LABELLED)


@pytest.mark.long(keep=3)
@labelled
def test_linear_metrics_are_those_in_which_changed_labels_add_up(function):
    y = np.array([0, 0, 0, 0, 1, 1, 1])
    start = np.array([0, 1, 0, 0, 1, 0, 1])

    def change(*rows):
        p = start.copy()
        p[list(rows)] = 1 - p[list(rows)]
        return function(y, p)

    alone = [change(row) - change() for row in range(7)]
    adds_up = all(
        np.isclose(change(i, j) - change(), alone[i] + alone[j])
        for i, j in combinations(range(7), 2)
    )
    assert is_linear_in_labels(make_scorer(function.func, **function.keywords)) == adds_up


@scored_at_once
def test_scores_of_probabilities_are_proper_and_best_at_the_class_shares(name):
    if KNOWN[name].output != "probabilities":
        return
    y = np.array([0, 0, 0, 1] * 5)
    found = values(name, y, [np.full(20, p) for p in (0.05, 0.15, 0.25, 0.35, 0.45)])
    best = np.argmin(found) if KNOWN[name].is_loss else np.argmax(found)
    assert best == 2


@scored_at_once
def test_quantile_options_name_the_best_constant(name):
    y = np.arange(1.0, 22.0)
    option = KNOWN[name].quantile_option
    if not option:
        assert "pinball" not in name
        return
    for quantile in (0.2, 0.7):
        found = [
            function_of(name)(y, np.full(21, constant), **{option: quantile}) for constant in y
        ]
        best = np.argmin(found) if KNOWN[name].is_loss else np.argmax(found)
        assert y[best] == pytest.approx(np.quantile(y, quantile), abs=1)


@scored_at_once
def test_logarithms_and_columns(name):
    if KNOWN[name].output != "probabilities":
        assert not KNOWN[name].is_logarithm
        return
    # The loss of certain and wrong rows depends on the precision if it is a logarithm.
    y, wrong = np.array([0, 1, 1]), np.array([1.0, 0.5, 0.5])
    single, double = (function_of(name)(y, wrong.astype(t)) for t in (np.float32, np.float64))
    assert KNOWN[name].is_logarithm == (abs(single - double) > 0.1)
    if name == "d2_log_loss_score" and sklearn.__version__.startswith("1.6."):
        return  # it counts the classes of y_true, whatever the labels
    if KNOWN[name].is_logarithm:
        rows = np.array([[0.2, 0.3, 0.5], [0.5, 0.3, 0.2]])
        assert np.isfinite(function_of(name)([0, 2], rows, labels=[0, 1, 2]))
        with pytest.raises(ValueError, match="labels|classes"):
            function_of(name)([0, 2], rows)
