"""The default baseline: the guess that is best for the metric."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.metrics import f1_score, get_scorer, make_scorer, mean_pinball_loss
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_to_baseline
from skstat.comparison._baselines import Random, choice_for
from skstat.evaluation._baselines import ChosenGuess
from skstat.metrics import as_metric
from tests.cases import codes, in_one_test

TREE = DecisionTreeClassifier(random_state=0)
rng = np.random.default_rng(3)
X = rng.normal(size=(150, 3))
RARE = (np.arange(150) % 5 == 0).astype(int)
THREE = np.repeat(["a", "b", "c"], [66, 54, 30])
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def doubt_of(report, code):
    (doubt,) = (doubt for doubt in report.doubts if doubt.code == code)
    return doubt.text


def choice(metric, source=None, *, classifier=True):
    source = metric if source is None else source
    random = Random({metric: source}, several_outputs=False)
    return choice_for(metric, source, random, classifier=classifier)


@in_one_test(
    "metric, y, words",
    [
        ("accuracy", RARE, "most_frequent"),
        ("f1", RARE, "always 1"),
        ("jaccard", RARE, "always 1"),
        ("precision", RARE, "always 1"),
        ("recall", RARE, "always 1"),
        ("f1", 1 - RARE, "most_frequent"),
        ("f1_micro", RARE, "most_frequent"),
        ("f1_weighted", RARE, "most_frequent"),
        ("f1_macro", RARE, "stratified"),
        ("f1_macro", np.arange(150) % 3, "uniform"),
        ("f1_macro", THREE, "stratified"),
        ("matthews_corrcoef", THREE, "most_frequent"),
        ("balanced_accuracy", THREE, "most_frequent"),
        ("roc_auc", RARE, "most_frequent"),
        ("average_precision", RARE, "random order"),
        ("neg_log_loss", RARE, "prior"),
        ("neg_log_loss", THREE, "prior"),
        ("neg_brier_score", RARE, "prior"),
    ],
)
def test_the_choice_for_a_metric(metric, y, words):
    guess = choice(metric)(y)
    assert guess.words == words
    assert metric.removeprefix("neg_") in guess.reason


@in_one_test("metric", ["f1", "jaccard_macro", "precision_weighted", "f1_macro"])
@in_one_test("y", [RARE, THREE], ids=["rare", "three"])
def test_no_other_guess_has_a_higher_expectation(metric, y):
    classes, counts = np.unique(y, return_counts=True)
    known = as_metric(metric)
    chance = known.facts.chance(known.options, known.is_loss, known.pos_label)
    if not chance.fits(classes.tolist()):
        assert (metric, len(classes)) == ("f1", 3)
        return
    k = len(classes)
    others = [*np.eye(k), np.full(k, 1 / k), counts / counts.sum()]
    best = max(chance.expected(classes.tolist(), counts, shares) for shares in others)
    fitted = choice(metric)(y).estimator.fit(np.zeros((len(y), 1)), y)
    scorer = get_scorer(metric)
    if hasattr(fitted, "expected_score"):
        score = fitted.expected_score(scorer, np.zeros((len(y), 1)), y)[metric]
    else:
        score = scorer(fitted, np.zeros((len(y), 1)), y)
    assert score == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize(
    "metric, words",
    [
        ("r2", "mean"),
        ("neg_mean_squared_error", "mean"),
        ("neg_mean_absolute_error", "median"),
        ("explained_variance", "mean"),
    ],
)
def test_the_choice_for_a_metric_of_numbers(metric, words):
    y = np.random.default_rng(1).exponential(size=60)
    assert choice(metric, classifier=False)(y).words == words


def test_a_pinball_loss_takes_its_quantile():
    y = np.random.default_rng(1).exponential(size=60)
    scorer = make_scorer(mean_pinball_loss, alpha=0.9, greater_is_better=False)
    guess = choice("neg_mean_pinball_loss", scorer, classifier=False)(y)
    assert guess.words == "quantile 0.9"
    report = compare_to_baseline(LinearRegression(), X[:60], y, scoring=scorer, cv=KFold(5))
    assert report.names[1] == "quantile 0.9 baseline"
    losses = [
        mean_pinball_loss(
            y[test], np.full(len(test), np.quantile(y[train], 0.9, method="linear")), alpha=0.9
        )
        for train, test in KFold(5).split(X[:60])
    ]
    np.testing.assert_allclose(-report.evidence.sample.b, losses, rtol=0.05)


def test_the_report_says_which_guess_it_took_and_why():
    report = compare_to_baseline(TREE, X, RARE, scoring="f1", cv=FOLDS)
    assert report.names[1] == "always 1 baseline"
    words = " ".join(report.details.split())
    assert "always 1 baseline: the highest expected f1 among" in words
    np.testing.assert_allclose(report.evidence.sample.b, 2 * 0.2 / 1.2)
    assert report.verdict == "undecided"
    macro = compare_to_baseline(TREE, X, THREE, scoring="f1_macro", cv=FOLDS)
    assert macro.names[1] == "stratified baseline"
    assert "the exact expectation over its guesses" in macro.design["notes"][0]


@pytest.mark.long
def test_splits_may_choose_differently():
    skewed = np.array([0] * 30 + [1, 2])
    even = np.repeat([0, 1, 2], [4, 14, 14])
    assert choice("jaccard_macro")(skewed).words == "most_frequent"
    assert choice("jaccard_macro")(even).words != "most_frequent"
    both = np.concatenate([skewed, even])
    given = [
        (np.r_[0:32, 33, 37, 51], np.arange(52, 64)),
        (np.r_[30:64, 0:3], np.arange(3, 30)),
        (np.r_[30:64, 3:6], np.arange(6, 30)),
    ]
    report = compare_to_baseline(TREE, X[:64], both, scoring="jaccard_macro", cv=given)
    assert report.names[1] == "best guess baseline"
    assert "on 2 of 3 splits" in report.design["notes"][0]
    assert "most_frequent on 1 of 3 splits" in report.design["notes"][0]


def test_test_rows_have_no_part_in_the_choice():
    y = np.array([0] * 40 + [1] * 30 + [1] * 60)
    splits = [(np.arange(n), np.arange(n, 130)) for n in (66, 68, 70)]
    report = compare_to_baseline(TREE, X[:130], y, scoring="accuracy", cv=splits)
    np.testing.assert_array_equal(
        report.evidence.sample.b, 0
    )  # class 0, which no test row is of


def test_every_metric_has_its_own_best_guess():
    report = compare_to_baseline(
        TREE, X, RARE, scoring=["accuracy", "f1", "average_precision", "f1_macro"], cv=FOLDS
    )
    taken = {metric: found.names[1] for metric, found in report.reports.items()}
    assert taken == {
        "accuracy": "most_frequent baseline",
        "f1": "always 1 baseline",
        "average_precision": "random order baseline",
        "f1_macro": "stratified baseline",
    }
    for metric in report:
        alone = compare_to_baseline(TREE, X, RARE, scoring=metric, cv=FOLDS)
        np.testing.assert_array_equal(alone.evidence.sample.b, report[metric].evidence.sample.b)


def test_average_precision_is_compared_with_rows_in_random_order():
    report = compare_to_baseline(TREE, X, RARE, scoring="average_precision", cv=FOLDS)
    # A row in place i is positive, and so are 1 + (i - 1) 5 / 29 of those down to it.
    places = np.arange(1, 31)
    expected = np.mean((1 + (places - 1) * 5 / 29) / places)
    np.testing.assert_allclose(report.evidence.sample.b, expected)
    assert expected > 0.2  # what a constant score has
    named = compare_to_baseline(
        TREE, X, RARE, scoring="average_precision", cv=FOLDS, strategy="prior"
    )
    np.testing.assert_allclose(named.evidence.sample.b, 0.2)
    assert f"(random order: {expected:.4g})" in doubt_of(named, "SKS303")


@pytest.mark.long
def test_random_order_falls_back_to_draws():
    scorer = get_scorer("average_precision")
    fitted = choice("average_precision")(RARE).estimator.fit(X, RARE)
    weights = np.ones(150)
    exact = fitted.expected_score(scorer, X, RARE)["average_precision"]
    drawn = fitted.expected_score(scorer, X, RARE, sample_weight=weights)["average_precision"]
    assert drawn != exact and drawn == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize(
    "strategy, words",
    [
        ("most_frequent", "always 1: 0.3333"),
        ("uniform", "always 1: 0.3333"),
        (DummyClassifier(strategy="constant", constant=0), "always 1: 0.3333"),
        (0.25, "always 1: 0.3333"),
    ],
)
def test_a_named_baseline_that_another_guess_beats_is_doubted(strategy, words):
    report = compare_to_baseline(TREE, X, RARE, scoring="f1", strategy=strategy, cv=FOLDS)
    assert words in doubt_of(report, "SKS303")


@pytest.mark.long(keep=2)
@pytest.mark.parametrize(
    "scoring, strategy",
    [
        ("f1", None),
        ("f1", DummyClassifier(strategy="constant", constant=1)),
        ("f1", 0.4),
        ("accuracy", "most_frequent"),
        ("accuracy", "prior"),
        ("roc_auc", "uniform"),
        ("balanced_accuracy", "stratified"),
        ("neg_log_loss", "prior"),
    ],
)
def test_a_baseline_that_no_guess_beats_is_not(scoring, strategy):
    report = compare_to_baseline(TREE, X, RARE, scoring=scoring, strategy=strategy, cv=FOLDS)
    assert "SKS303" not in codes(report)


def test_regression_is_doubted_too():
    y = np.random.default_rng(2).exponential(size=150)
    options = {"scoring": "neg_mean_absolute_error", "cv": KFold(5)}
    named = compare_to_baseline(LinearRegression(), X, y, strategy="mean", **options)
    assert "(median: 0." in doubt_of(named, "SKS303")
    best = compare_to_baseline(LinearRegression(), X, y, **options)
    assert best.names[1] == "median baseline" and "SKS303" not in codes(best)
    by_hand = compare_to_baseline(
        LinearRegression(), X, y, strategy=DummyRegressor(strategy="median"), **options
    )
    np.testing.assert_array_equal(by_hand.evidence.sample.b, best.evidence.sample.b)


def test_a_baseline_near_the_top_is_doubted_in_any_metric():
    rare = (np.arange(150) % 15 == 0).astype(int)
    recall = compare_to_baseline(TREE, X, RARE, scoring="recall", cv=FOLDS)
    assert "scores 1.000 in recall" in doubt_of(recall, "SKS304")
    assert "SKS304" in codes(compare_to_baseline(TREE, X, rare, cv=FOLDS))
    assert "SKS304" in codes(compare_to_baseline(TREE, X, 1 - rare, scoring="f1", cv=FOLDS))
    for scoring in ("f1", "neg_log_loss", "balanced_accuracy"):
        report = compare_to_baseline(TREE, X, rare, scoring=scoring, cv=FOLDS)
        assert "SKS304" not in codes(report)


def spam_f1(y_true, y_pred):
    return f1_score(y_true, y_pred, pos_label="spam")


def test_rows_that_favour_the_other_system_are_no_answer():
    """Always 0 is right in 80 % of the rows, always 1 in 20 %; its F1 is lower all the same."""
    never = DummyClassifier(strategy="constant", constant=0)
    report = compare_to_baseline(never, X, RARE, scoring="f1", cv=FOLDS)
    assert report.names[1] == "always 1 baseline" and report.metric == "f1"
    assert report.estimate == pytest.approx(-1 / 3)
    assert np.isnan(report.pvalue) and report.verdict == "undecided"
    # Where both agree, the rows are asked.
    always = DummyClassifier(strategy="constant", constant=1)
    rows = compare_to_baseline(
        always,
        X,
        1 - RARE,
        scoring="f1",
        cv=FOLDS,
        strategy=DummyClassifier(strategy="constant", constant=0),
    )
    assert rows.verdict == "better" and "Row by row" in rows.conclusion


def test_a_metric_of_the_user_is_asked_on_the_training_rows():
    y = np.where(RARE == 1, "spam", "ham")
    report = compare_to_baseline(TREE, X, y, scoring=make_scorer(spam_f1), cv=FOLDS)
    assert report.names[1] == "always spam baseline"
    assert "on the training rows, of always one class" in report.design["notes"][0]
    named = compare_to_baseline(
        TREE, X, y, scoring=make_scorer(spam_f1), cv=FOLDS, strategy="most_frequent"
    )
    assert "(always spam: 0.3333)" in doubt_of(named, "SKS303")


def looks_at_features(estimator, X, y):
    return float(np.average(estimator.predict(X) == y, weights=np.exp(X[:, 2])))


def several_scores(estimator, X, y):
    hits = float(np.mean(estimator.predict(X) == y))
    return {"hits": hits, "misses": 1 - hits}


def test_what_cannot_be_scored_alone_is_compared_with_the_majority_class():
    report = compare_to_baseline(TREE, X, RARE, scoring=looks_at_features, cv=FOLDS)
    assert report.names[1] == "most_frequent baseline"
    assert "cannot be scored in looks_at_features alone" in report.design["notes"][0]
    several = compare_to_baseline(TREE, X, RARE, scoring=several_scores, cv=FOLDS)
    assert list(several) == ["hits", "misses"]
    assert several["hits"].names[1] == "most_frequent baseline"
    np.testing.assert_allclose(several["hits"].evidence.sample.b, 0.8)
    both = np.column_stack([RARE, 1 - RARE])
    outputs = compare_to_baseline(
        DummyClassifier(strategy="uniform", random_state=0), X, both, cv=KFold(5)
    )
    assert outputs.names[1] == "most_frequent baseline"


def test_a_chosen_guess_is_a_classifier():
    fitted = ChosenGuess(choice("f1")).fit(X, RARE)
    assert set(fitted.predict(X)) == {1}
    assert fitted.predict_proba(X).shape == (150, 2)
    np.testing.assert_array_equal(fitted.row_scores(RARE).values, RARE)
    random = ChosenGuess(choice("f1_macro")).fit(X, RARE)
    np.testing.assert_array_equal(random.row_scores(RARE).values, np.where(RARE, 0.2, 0.8))


def test_the_best_guess_stands_beside_named_baselines():
    report = compare_to_baseline(
        TREE, X, RARE, scoring="accuracy", strategy=[None, "most_frequent", 0.9], cv=FOLDS
    )
    assert list(report.pairs.column("second")) == [
        "best guess baseline (most_frequent)",
        "most_frequent baseline",
        "constant 0.9",
    ]
    best, named = (report[pair[:2]] for pair in report.pairs[:2])
    np.testing.assert_array_equal(best.evidence.sample.b, named.evidence.sample.b)
