"""What guesses are expected to score, against every guess there is."""

import warnings
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from sklearn.metrics import (
    average_precision_score,
    cohen_kappa_score,
    f1_score,
    fbeta_score,
    get_scorer,
    make_scorer,
)

from skstat.metrics._chance import LabelChance, OrderChance
from skstat.metrics._guesses import chance_of, is_alike_for_guesses, is_share_of_hits
from tests.cases import in_one_test

TWO = np.array([0, 0, 0, 0, 1, 1, 1])
THREE = np.array([0, 0, 1, 1, 2])
FOUR_ROWS = np.array([0, 0, 1, 2])
BINARY = ("f1", "jaccard", "precision", "recall")
AVERAGED = [f"{name}_{how}" for name in BINARY for how in ("macro", "micro", "weighted")]
KAPPA = make_scorer(cohen_kappa_score, weights="linear")
HALF = make_scorer(fbeta_score, beta=0.5, pos_label=0)
OTHERS = ["accuracy", "balanced_accuracy", "matthews_corrcoef", KAPPA]


def enumerated(scorer, y, shares):
    """Mean score over all label vectors by their probabilities, for each of `shares`."""
    function, options, sign = scorer._score_func, scorer._kwargs, scorer._sign
    every = np.array(list(product(range(len(shares[0])), repeat=len(y))))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # precision without predictions, and the like
        scores = np.array([sign * function(y, guess, **options) for guess in every])
    return [float(np.prod(share[every], axis=1) @ scores) for share in shares]


def guesses(y):
    counts = np.bincount(y)
    k = len(counts)
    constants = list(np.eye(k))
    return constants, [np.full(k, 1 / k), counts / counts.sum()]


@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "scoring, y",
    [
        *((metric, TWO) for metric in (*BINARY, HALF, "f1_macro", *OTHERS)),
        *((metric, FOUR_ROWS) for metric in AVERAGED),
        *((metric, THREE) for metric in OTHERS),
        (make_scorer(f1_score, greater_is_better=False), TWO),
    ],
)
def test_expectations_are_those_of_all_guesses(scoring, y):
    scorer = get_scorer(scoring) if isinstance(scoring, str) else scoring
    chance = chance_of(scoring)
    assert isinstance(chance, LabelChance)
    constants, random = guesses(y)
    every = [*constants, *random]
    for shares, expected in zip(every, enumerated(scorer, y, every), strict=True):
        found = chance.expected(np.unique(y).tolist(), np.bincount(y), shares)
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("metric", BINARY)
def test_always_positive_is_better_than_any_guess_at_random(metric):
    """For F1 and its like: by enumeration of all guesses, at many probabilities."""
    scorer = get_scorer(metric)
    named = np.append(np.linspace(0, 0.9, 7), 1.0)
    *at_random, always = enumerated(scorer, TWO, np.column_stack([1 - named, named]))
    assert max(at_random) < always
    assert always == pytest.approx({"f1": 6 / 10, "recall": 1.0}.get(metric, 3 / 7))
    assert at_random[0] == 0  # the majority class


@in_one_test("metric", AVERAGED)
def test_no_constant_is_better_than_the_largest_class_for_averages(metric):
    chance, counts = chance_of(metric), np.bincount(THREE)
    scores = [chance.expected([0, 1, 2], counts, shares) for shares in np.eye(3)]
    assert max(scores) == scores[0] and all(a >= b for a, b in pairwise(scores))


def test_averages_over_classes_may_be_higher_for_guesses_at_random():
    constant, random = guesses(THREE)
    chance = chance_of("f1_macro")
    highest = max(enumerated(get_scorer("f1_macro"), THREE, constant))
    for shares in random:
        assert chance.expected([0, 1, 2], np.bincount(THREE), shares) > highest


def test_large_samples_are_near_the_formula_of_shares():
    counts = np.array([8e5, 2e5])
    for metric, limit in (("f1", 2 * 0.2 * 0.5 / 0.7), ("jaccard", 0.2 * 0.5 / (0.2 + 0.4))):
        found = chance_of(metric).expected([0, 1], counts, np.array([0.5, 0.5]))
        assert found == pytest.approx(limit, abs=1e-5)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("positives", [1, 2, 3, 4])
def test_average_precision_of_random_orders_is_that_of_all_orders(positives):
    n = 5
    truths = [np.isin(np.arange(n), chosen) for chosen in combinations(range(n), positives)]
    expected = np.mean([average_precision_score(truth, np.arange(n)) for truth in truths])
    found = chance_of("average_precision").expected([0, 1], [n - positives, positives])
    assert found == pytest.approx(expected, abs=1e-12)
    # No way of tying scores has more: not a constant score, which has the share of positives.
    assert average_precision_score(truths[0], np.zeros(n)) == pytest.approx(positives / n)
    for ties in product([0, 1], repeat=n - 1):
        tied = np.concatenate([[0], np.cumsum(ties)])
        scores = [average_precision_score(truth, tied) for truth in truths]
        assert np.mean(scores) <= expected + 1e-12


def test_average_precision_of_several_classes_is_averaged():
    counts = [3, 2, 1]
    each = [OrderChance().expected([0, 1], [6 - positives, positives]) for positives in counts]
    chance = chance_of("average_precision")
    assert chance.expected([0, 1, 2], counts) == pytest.approx(np.mean(each))
    weighted = chance_of(make_scorer(average_precision_score, average="weighted"))
    assert weighted is None or weighted.expected([0, 1, 2], counts) == pytest.approx(
        np.average(each, weights=counts)
    )


def test_what_has_no_formula_is_said_to_have_none():
    for scoring in (
        "neg_log_loss",
        "f1_samples",
        "rand_score",
        "score",
        make_scorer(f1_score, zero_division=1),
        lambda estimator, X, y: 0.0,
    ):
        assert chance_of(scoring) is None
    assert not chance_of("f1").fits(["ham", "spam"])
    assert not chance_of("f1").fits([0, 1, 2])
    assert chance_of("f1_macro").fits(["ham", "spam"])


def test_metrics_in_which_guesses_are_alike():
    alike = ("balanced_accuracy", "matthews_corrcoef", "roc_auc", "roc_auc_ovr", KAPPA)
    assert all(map(is_alike_for_guesses, alike))
    unlike = ("accuracy", "f1", "average_precision", "r2", "score")
    assert not any(map(is_alike_for_guesses, unlike))
    hits = ("accuracy", "f1_micro", "precision_micro", "recall_weighted")
    assert all(map(is_share_of_hits, hits))
    assert not any(map(is_share_of_hits, ("f1_weighted", "f1", "jaccard_micro", "recall")))
