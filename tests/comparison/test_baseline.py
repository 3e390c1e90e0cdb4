"""One estimator against guessing: the best guess for a metric, named guesses, constants."""

from functools import partial

import numpy as np
import pytest
import sklearn
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import accuracy_score, f1_score, make_scorer, mean_pinball_loss
from sklearn.model_selection import KFold, StratifiedKFold, StratifiedShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_to_baseline
from tests.cases import Column, codes, in_one_test, refusals, text_of
from tests.contract import check_report

TREE = DecisionTreeClassifier(random_state=0)
X = np.random.default_rng(3).normal(size=(150, 3))
RARE = (np.arange(150) % 5 == 0).astype(int)
THREE = np.repeat(["a", "b", "c"], [66, 54, 30])
NUMBERS = np.random.default_rng(1).exponential(size=150)
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def ask(scoring="accuracy", y=RARE, estimator=TREE, cv=FOLDS, **options):
    return compare_to_baseline(estimator, X[: len(y)], y, scoring=scoring, cv=cv, **options)


def of_numbers(scoring, **options):
    return ask(scoring, NUMBERS, LinearRegression(), cv=KFold(5), **options)


def guesses(report):
    """The scores of the baseline on every split."""
    return report.evidence.sample.b


def always(label):
    return DummyClassifier(strategy="constant", constant=label)


# The best guess


@in_one_test("y, words, metrics", [
    (RARE, "most_frequent", ["accuracy", "f1_micro", "f1_weighted", "roc_auc"]),
    (RARE, "always 1", ["f1", "jaccard", "precision", "recall"]),
    (RARE, "stratified", ["f1_macro"]),
    (RARE, "random order", ["average_precision"]),
    (RARE, "prior", ["neg_log_loss", "neg_brier_score"]),
    (1 - RARE, "most_frequent", ["f1"]),
    (np.arange(150) % 3, "uniform", ["f1_macro"]),
    (THREE, "stratified", ["f1_macro"]),
    (THREE, "most_frequent", ["matthews_corrcoef", "balanced_accuracy"]),
    (THREE, "prior", ["neg_log_loss"]),
    (NUMBERS, "mean", ["r2", "neg_mean_squared_error", "explained_variance"]),
    (NUMBERS, "median", ["neg_mean_absolute_error"]),
])  # fmt: skip
def test_the_guess_for_a_metric(y, words, metrics):
    for metric in metrics:
        report = of_numbers(metric) if y is NUMBERS else ask(metric, y)
        assert report.names[1] == f"{words} baseline", metric


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@in_one_test("metric, y", [
    ("f1", RARE),
    ("jaccard_macro", THREE),
    ("precision_weighted", THREE),
    ("f1_macro", THREE),
])  # fmt: skip
def test_no_other_guess_scores_higher(metric, y):
    others = ["most_frequent", "uniform", "stratified", *map(always, np.unique(y))]
    report = ask(metric, y, strategy=[None, *others])
    best, *means = (guesses(report[pair[:2]]).mean() for pair in report.pairs)
    assert max(means) < best + 0.02  # some are means of draws


def test_a_pinball_loss_takes_its_quantile():
    scorer = make_scorer(mean_pinball_loss, alpha=0.9, greater_is_better=False)
    report = of_numbers(scorer)
    assert report.names[1] == "quantile 0.9 baseline"
    of_folds = [(NUMBERS[a], NUMBERS[b]) for a, b in KFold(5).split(X)]
    said = [np.full(30, np.quantile(seen, 0.9)) for seen, _ in of_folds]
    truths = [truth for _, truth in of_folds]
    losses = [mean_pinball_loss(y, p, alpha=0.9) for y, p in zip(truths, said, strict=True)]
    np.testing.assert_allclose(-guesses(report), losses, rtol=0.05)


def test_the_report_says_which_guess_it_took_and_why():
    report = ask(["f1", "f1_macro"], THREE == "c")
    said = " ".join(report["f1"].details.split())
    assert "always True baseline: the highest expected f1 among" in said
    np.testing.assert_allclose(guesses(report["f1"]), 2 * 0.2 / 1.2)
    assert report["f1_macro"].names[1] == "stratified baseline"
    assert "the exact expectation over its guesses" in report["f1_macro"].design["notes"][0]
    for metric in report:  # as if asked alone
        alone = ask(metric, THREE == "c")
        np.testing.assert_array_equal(guesses(alone), guesses(report[metric]))


def test_test_rows_have_no_part_in_the_choice():
    y = np.array([0] * 40 + [1] * 90)
    splits = [(np.arange(n), np.arange(n, 130)) for n in (66, 68, 70)]
    assert not guesses(ask(y=y, cv=splits)).any()  # class 0, which no test row is of


def test_average_precision_is_compared_with_rows_in_random_order():
    # A row in place i is positive, and so are 1 + (i - 1) 5 / 29 of those down to it.
    places = np.arange(1, 31)
    expected = np.mean((1 + (places - 1) * 5 / 29) / places)
    np.testing.assert_allclose(guesses(ask("average_precision")), expected)
    named = ask("average_precision", strategy="prior")
    np.testing.assert_allclose(guesses(named), 0.2)
    assert f"(random order: {expected:.4g})" in text_of(named, "SKS303")


@in_one_test("scoring, strategy, better", [
    ("f1", "most_frequent", "always 1: 0.3333"),
    ("f1", always(0), "always 1: 0.3333"),
    ("f1", 0.25, "always 1: 0.3333"),
    ("f1", None, ""),
    ("f1", always(1), ""),
    ("f1", 0.4, ""),
    ("accuracy", "prior", ""),
    ("balanced_accuracy", "stratified", ""),
    ("neg_mean_absolute_error", "mean", "(median: 0."),
    ("neg_mean_absolute_error", None, ""),
])  # fmt: skip
def test_a_baseline_that_another_guess_beats_is_doubted(scoring, strategy, better):
    door = of_numbers if "error" in scoring else ask
    report = door(scoring, strategy=strategy)
    assert ("SKS303" in codes(report)) == bool(better)
    assert not better or better in text_of(report, "SKS303")


def test_a_baseline_near_the_top_is_doubted_in_any_metric():
    rare = (np.arange(150) % 15 == 0).astype(int)
    assert "scores 1.000 in recall" in text_of(ask("recall"), "SKS304")
    for scoring, y, raised in (
        ("accuracy", rare, True),
        ("f1", 1 - rare, True),
        ("f1", rare, False),
        ("neg_log_loss", rare, False),
        ("balanced_accuracy", rare, False),
    ):
        assert ("SKS304" in codes(ask(scoring, y))) is raised


def test_rows_that_favour_the_other_system_are_no_answer():
    """Always 0 is right in 80 % of the rows, always 1 in 20 %; its F1 is lower all the same."""
    report = ask("f1", estimator=always(0))
    assert report.names[1] == "always 1 baseline" and report.metric == "f1"
    assert report.estimate == pytest.approx(-1 / 3)
    assert np.isnan(report.pvalue) and report.verdict == "undecided"
    # Where both agree, the rows are asked.
    rows = ask("f1", 1 - RARE, always(1), strategy=always(0))
    assert rows.verdict == "better" and "Row by row" in rows.conclusion


def spam_f1(y_true, y_pred):
    return f1_score(y_true, y_pred, pos_label="spam")


def looks_at_features(estimator, X, y):
    return float(np.average(estimator.predict(X) == y, weights=np.exp(X[:, 2])))


def several_scores(estimator, X, y):
    hits = float(np.mean(estimator.predict(X) == y))
    return {"hits": hits, "misses": 1 - hits}


def test_a_metric_of_the_user_is_asked_on_the_training_rows():
    y = np.where(RARE == 1, "spam", "ham")
    report = ask(make_scorer(spam_f1), y)
    assert report.names[1] == "always spam baseline"
    assert "on the training rows, of always one class" in report.design["notes"][0]
    named = ask(make_scorer(spam_f1), y, strategy="most_frequent")
    assert "(always spam: 0.3333)" in text_of(named, "SKS303")


def test_what_cannot_be_scored_alone_is_compared_with_the_majority_class():
    report = ask(looks_at_features)
    assert report.names[1] == "most_frequent baseline"
    assert "cannot be scored in looks_at_features alone" in report.design["notes"][0]
    several = ask(several_scores)
    assert list(several) == ["hits", "misses"]
    assert several["hits"].names[1] == "most_frequent baseline"
    np.testing.assert_allclose(guesses(several["hits"]), 0.8)
    outputs = np.column_stack([RARE, 1 - RARE])
    uniform = DummyClassifier(strategy="uniform", random_state=0)
    assert ask(None, outputs, uniform, cv=KFold(5)).names[1] == "most_frequent baseline"


# Named guesses


@pytest.mark.parametrize("strategy, expected", [("uniform", 1 / 3), ("stratified", None)])
def test_random_guessing_is_exact_for_accuracy(strategy, expected):
    report = ask(y=THREE, strategy=strategy, cv=StratifiedKFold(3))
    expected = expected or np.sum((np.array([22, 18, 10]) / 50) ** 2)
    np.testing.assert_allclose(guesses(report), expected, rtol=1e-12)
    exact = f"{strategy} baseline: the exact expectation over its guesses"
    assert report.design["notes"] == [exact]


def test_what_is_exact_is_known_of_the_scorer_whatever_its_name():
    scoring = {"accuracy": "balanced_accuracy", "hits": make_scorer(accuracy_score)}
    reports = ask(scoring, THREE, strategy="uniform")
    exact = "uniform baseline: the exact expectation over its guesses"
    assert reports["hits"].design["notes"] == [exact]
    where = f"{exact} where the test rows hold every class, else the mean of draws"
    assert reports["accuracy"].design["notes"] == [where]
    # Exact and drawn metrics of one scorer keep their own kind, and all draw the same.
    mixed = ask(["accuracy", "f1_macro"], THREE, strategy="uniform", random_state=0)
    np.testing.assert_allclose(guesses(mixed["accuracy"]), 1 / 3, rtol=1e-12)
    alone = ask("f1_macro", THREE, strategy="uniform", random_state=0)
    np.testing.assert_array_equal(guesses(mixed["f1_macro"]), guesses(alone))
    own = ask(several_scores, THREE, strategy="uniform", random_state=0)
    assert guesses(own["hits"]).mean() == pytest.approx(1 / 3, abs=0.03)


@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true")
def test_where_test_rows_lack_a_class_the_guesses_are_drawn():
    whole = np.arange(150)
    cv = [(whole[rows:], whole[:rows]) for rows in (40, 50, 60)]
    report = ask("balanced_accuracy", THREE, strategy="uniform", cv=cv)
    np.testing.assert_allclose(guesses(report), 1 / 3, atol=0.03)
    assert len(set(guesses(report))) == 3


def of_perfect(**options):
    y = np.arange(90) % 2
    return compare_to_baseline(Column(), y[:, np.newaxis], y, **options)


def test_a_perfect_model_is_judged_by_rows_beside_other_baselines():
    report = of_perfect(strategy=["most_frequent", "uniform", 0.9], cv=3)
    by_rows = report["most_frequent baseline"]
    assert by_rows.unit == "instance" and by_rows.n_units == 90 and by_rows.verdict == "better"
    assert {*report.pairs.column("n")} == {3, 90}
    texts = [doubt.text for doubt in report.doubts if doubt.code == "SKS202"]
    assert ["row by row" in text for text in texts] == [True, False]  # of rows, of splits
    assert "No p-value" in report.details
    assert "for constant 0.9 the corrected one-sample t test" in report.choice.reason
    # The rows have an accuracy, which says nothing of what another metric differs by.
    two = ["most_frequent", "uniform"]
    other = of_perfect(strategy=two, cv=3, scoring="balanced_accuracy")
    assert {other[pair[:2]].unit for pair in other.pairs} == {"split"}
    assert np.isnan(other.pvalue)
    check_report(report)
    check_report(other)


def test_perfect_model_never_gets_p_zero_and_no_test_against_a_constant():
    for cv in (None, StratifiedShuffleSplit(10, test_size=1 / 3, random_state=0)):
        assert 0 < of_perfect(strategy="most_frequent", cv=cv).pvalue < 0.01
    report = of_perfect(strategy=0.9)
    assert np.isnan(report.pvalue) and report.statistic == np.inf
    assert "No test is possible between Column and constant 0.9: " in report.conclusion
    assert "SKS202" in codes(report)
    assert of_perfect(strategy=1).pvalue == 1


def test_sample_weights_reach_the_dummies():
    weights = np.where(THREE == "c", 100.0, 1.0)
    report = ask(y=THREE, strategy=["most_frequent", None], params={"sample_weight": weights})
    named, best = (report[pair[:2]] for pair in report.pairs)
    np.testing.assert_allclose(guesses(named), 1 / 5)  # the weighted majority is c
    assert "SKS303" in codes(named)
    # No score is weighted here: the best guess is the class that most rows are of.
    np.testing.assert_allclose(guesses(best), 0.44, atol=0.03)
    assert best.names[1] == "best guess baseline (most_frequent)"


@pytest.mark.parametrize("strategy", ["most_frequent", "uniform", None])
def test_baselines_ask_for_the_weights_of_the_estimator(cancer, strategy):
    X, y = cancer
    weights = np.where(y == 0, 50.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        weighted = GaussianNB().set_fit_request(sample_weight=True)
        weighted.set_score_request(sample_weight=True)
        report = compare_to_baseline(
            weighted, X, y, strategy=strategy, params={"sample_weight": weights}, cv=5
        )
    if strategy != "uniform":  # class 0 by weight, and scored by weight
        assert np.mean(report.evidence.sample.b) > 0.9
    pipeline = make_pipeline(StandardScaler(), GaussianNB())
    step = {"gaussiannb__sample_weight": weights}
    unrouted = compare_to_baseline(
        pipeline, X, y, strategy="most_frequent", params=step, cv=5, random_state=0
    )
    assert np.mean(unrouted.evidence.sample.b) < 0.5  # class 0, the rarer one, by weight


def test_a_default_score_is_named(cancer):
    assert compare_to_baseline(AdaBoostClassifier(n_estimators=2), *cancer).metric == "accuracy"


def test_dummies_of_one_strategy_are_numbered(cancer):
    constants = [always(0), always(1)]
    report = compare_to_baseline(GaussianNB(), *cancer, strategy=constants, random_state=0)
    assert report.pairs.column("second") == ("constant baseline 1", "constant baseline 2")
    named = ask(estimator=GaussianNB(), strategy=["most_frequent", 0.5])
    assert named["most_frequent baseline"].names == ("GaussianNB", "most_frequent baseline")


test_wrong_strategies_are_named = refusals([
    ({"strategy": "mean"}, "strategy='mean' is unknown for GaussianNB; use one of"),
    ({"strategy": "uniform", "estimator": Ridge()}, "use one of mean, median"),
    ({"strategy": []}, "strategy is empty"),
    ({"strategy": ["prior", "prior"]}, "same baseline twice"),
    ({"strategy": float("nan")}, "must be finite"),
], partial(ask, None, THREE, estimator=GaussianNB()))  # fmt: skip
