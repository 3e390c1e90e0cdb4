"""rope= and margin= through the doors: read as probabilities, and shown to be small."""

import inspect
import json
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import report_from_dict, stats
from tests.cases import Column, Untouched, codes, in_one_test, refusals, text_of
from tests.contract import check_report, reports_of
from tests.fitting import DOORS

PACKAGES = Path(__file__).parents[1] / "reference" / "packages"
X, Y = load_breast_cancer(return_X_y=True)
NAMED = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1, random_state=0)}
# Of the documentation of baycomp: ten folds of 150 rows.
A = [0.93, 0.87, 1.00, 0.93, 0.87, 0.93, 0.80, 0.93, 0.87, 0.93]
B = [0.87, 0.87, 0.93, 0.87, 0.87, 0.87, 0.80, 0.87, 0.87, 0.80]
FOLDS = {"n_train": 135, "n_test": 15}
READ = "Read as probabilities, with a flat prior (the same information, not more): "


def of_scores(**more):
    return skstat.compare_scores({"a": A, "b": B}, **FOLDS, **more)


def of_three(**more):
    return skstat.compare_scores(THREE, **FOLDS, random_state=0, **more)


TRUTH = np.random.default_rng(0).integers(0, 2, 120)
NOISE = np.random.default_rng(1).random((3, 120))
PREDICTED = {
    name: np.where(noise < wrong, 1 - TRUTH, TRUTH)
    for name, noise, wrong in zip("abc", NOISE, (0.1, 0.2, 0.25), strict=True)
}
TWO_PREDICTED = {name: PREDICTED[name] for name in "ab"}


def of_predictions(predictions=TWO_PREDICTED, metric="accuracy", **more):
    return skstat.compare_predictions(TRUTH, predictions, metric=metric, random_state=0, **more)


THREE = {"a": A, "b": B, "c": A[::-1]}
SEEDED = {"unit": "seed", "paired_seeds": True}
SETS = {"unit": "dataset", "random_state": 0}
CV = {"cv": 5, "random_state": 0}
SEARCH = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]}, cv=5)
ASKS = {
    "compare_predictions": of_predictions,
    "compare_predictions, three": partial(of_predictions, PREDICTED),
    "compare_scores": of_scores,
    "compare_scores, three": of_three,
    "compare_scores, units": partial(skstat.compare_scores, {"a": A, "b": B}, **SEEDED),
    "compare_estimators": partial(
        skstat.compare_estimators, NAMED, X, Y, test="corrected_t", **CV
    ),
    "paired_cv_ttest": partial(skstat.paired_cv_ttest, *NAMED.values(), X, Y, **CV),
    "compare_scores, data sets": partial(skstat.compare_scores, {"a": A, "b": B}, **SETS),
    "compare_scores, three over data sets": partial(skstat.compare_scores, THREE, **SETS),
    "compare_search_candidates": partial(
        skstat.compare_search_candidates, SEARCH.fit(X, Y), random_state=0
    ),
}


def probabilities(report):
    return report.evidence.posterior.probabilities


@pytest.mark.parametrize("ask", ASKS.values(), ids=ASKS)
def test_every_door_reads_its_comparison_as_probabilities(ask):
    report, without = ask(rope=0.01), ask()
    assert report.probabilities["rope"] == 0.01 and without.probabilities is None
    # What was found is the same, and is said first.
    assert report.conclusion.startswith(without.conclusion)
    found = []
    for pair, plain in zip(reports_of(report), reports_of(without), strict=True):
        assert pair.pvalue == plain.pvalue and pair.verdict == plain.verdict
        expected = stats.posterior(plain.evidence.outcome, 0.01, rng=0)
        assert probabilities(pair) == expected.probabilities
        assert_allclose(sum(expected.probabilities), 1)
        assert plain.evidence.posterior is None
        found.append(expected.probabilities)
    check_report(report)
    for text in (report.details, report.to_html(), report.to_markdown()):
        assert "as probabilities" in " ".join(text.split())
    assert "P(same)" in report.to_latex(**({} if report.is_pair else {"table": "pairs"}))
    pytest.importorskip("pandas")
    frame = report.to_frame()
    assert {*frame["rope"]} == {0.01}
    columns = [f"p_{of}" for of in ("better", "same", "worse")]
    assert_allclose(frame[columns].to_numpy(float), found)


def test_published_probabilities_of_folds_are_said():
    report = of_scores(rope=0.02)
    assert report.conclusion.endswith(
        f"{READ}0.871 that a is better by more than 0.02, 0.124 that they are practically "
        "the same, 0.005 that b is better by more than 0.02."
    )
    assert_allclose(probabilities(report), (0.871003, 0.123754, 0.005244), atol=1e-6)
    details = " ".join(report.details.split())
    assert "95% credible interval of the expected difference −0.0010 to +0.0890" in details


# Test sets


def test_instances_and_their_scores():
    right = {name: (values == TRUTH) * 1.0 for name, values in PREDICTED.items()}
    for names in ("ab", "abc"):
        asked = {name: right[name] for name in names}
        found = skstat.compare_scores(asked, unit="instance", rope=0.01, random_state=0)
        pair = found if names == "ab" else found["a", "b"]
        assert probabilities(pair) == probabilities(of_predictions(rope=0.01))


def test_few_that_differ_are_a_doubt():
    almost = {"a": TRUTH, "b": np.where(np.arange(120) < 4, 1 - TRUTH, TRUTH)}
    report = of_predictions(almost, "f1", rope=0.05)
    assert "differ on 4 instances, which the Bayesian" in " ".join(map(str, report.doubts))
    assert "SKS125" in codes(of_predictions(almost | {"c": TRUTH}, "f1", rope=0.05))
    for fine in (of_predictions(almost, rope=0.05), of_predictions(metric="f1", rope=0.05)):
        assert "SKS125" not in codes(fine)


# Which system is the best


def test_published_scores():
    # Five classifiers on "cmc", 10 x 10 folds: 100,000 draws of the multivariate t with the
    # covariance of the scores themselves, made elsewhere.
    with np.load(PACKAGES / "benavoli_2017.npz") as held:
        place = list(map(str, held["datasets"])).index("cmc")
        names = list(map(str, held["classifiers"]))
        scores = dict(zip(names, held["A"][:, place], strict=True))
    for adjustment in ("holm", "auto"):
        asked = {"n_repeats": 10, "test": "corrected_t", "rope": 1.0, "random_state": 0}
        report = skstat.compare_scores(scores, adjustment=adjustment, **asked)
        found = report.evidence.best_posterior
        assert found.names == tuple(names)
        assert_allclose(found.best, (0.0283, 0.1354, 0.8146, 0.0070, 0.0148), atol=0.005)
        assert_allclose(found.near, (0.2144, 0.4909, 0.9734, 0.1210, 0.1271), atol=0.005)
    assert "Taking all systems together: 0.81 that hnb is the best" in report.conclusion
    assert report.systems["hnb"].probability_best == found.probabilities["hnb"]


@pytest.mark.parametrize("metric", ["accuracy", "f1"])
def test_of_a_test_set(metric):
    report = of_predictions(PREDICTED, metric, rope=0.02)
    found = report.evidence.best_posterior
    assert_allclose(found.best.sum(), 1)
    assert (found.near >= found.best).all() and found.n_draws == 9999
    # With the third far behind, the better of two is the best.
    far = PREDICTED | {"c": 1 - TRUTH}
    pair = of_predictions(far, metric, rope=0)
    better = probabilities(pair["a", "b"]).better
    assert_allclose(pair.evidence.best_posterior.best, (better, 1 - better, 0), atol=0.02)
    again = report_from_dict(json.loads(report.to_json()))
    assert again.conclusion == report.conclusion
    assert_allclose(again.evidence.best_posterior.best, found.best)
    assert "P(best)" in str(report) and "P(within 0.02)" in report.to_markdown()


def test_only_where_all_pairs_were_asked():
    assert of_three(rope=0.01).evidence.best_posterior is not None
    assert of_three().evidence.best_posterior is None
    assert of_three(rope=0.01, control="a").evidence.best_posterior is None
    constant = {"a": A, "b": [x - 0.1 for x in A], "c": B}
    report = skstat.compare_scores(constant, **FOLDS, rope=0.01, random_state=0)
    assert report.evidence.best_posterior is None


# Without a law there are no probabilities


def test_without_variance_there_are_none():
    constant = {"a": A, "b": [x - 0.1 for x in A]}
    report = skstat.compare_scores(constant, **FOLDS, rope=0.01)
    said = "Nor are there probabilities: nothing varies to test the difference against."
    assert report.conclusion.endswith(said)
    assert np.isnan(report.pairs[0].p_better)
    assert report_from_dict(json.loads(report.to_json())).conclusion == report.conclusion


def test_rows_that_are_tested_in_place_of_splits_have_none():
    # A perfect model against its opposite: no variance over splits, so that rows decide.
    truth = np.arange(120) % 2
    pair = {"right": Column(0), "wrong": Column(1)}
    asked = {"scoring": "accuracy", "rope": 0.01, "random_state": 0}
    report = skstat.compare_estimators(pair, np.c_[truth, 1 - truth], truth, **asked)
    assert report.evidence.posterior is None and report.verdict == "better"
    assert "Without a variance there are no probabilities." in report.conclusion


def test_probable_by_luck_and_not_significant():
    rng = np.random.default_rng(0)
    scores = rng.normal(0.8, 0.03, 10)[:, None] + rng.normal(0, 0.01, (4, 10)).T
    asked = {"n_train": 90, "n_test": 10, "random_state": 0}
    report = skstat.compare_scores(scores, **asked, rope=0)
    n = sum(
        max(pair.p_better, pair.p_same, pair.p_worse) >= 0.95 and pair.verdict == "undecided"
        for pair in report.pairs
    )
    assert n == 1 or f" The same holds for {n - 1} more pair" in text_of(report, "SKS218")
    assert "SKS218" not in codes(skstat.compare_scores(scores, **asked))


OVER_SETS = np.random.default_rng(5).normal([0.8, 0.78, 0.7], 0.05, size=(14, 3))
TWO_OVER = dict(zip("ab", OVER_SETS.T[:2], strict=True))
THREE_OVER = dict(zip("abc", OVER_SETS.T, strict=True))


def over(scores=TWO_OVER, **more):
    return skstat.compare_scores(scores, unit="dataset", random_state=0, **more)


# Many data sets


def test_beside_the_sign_test_the_sign_posterior():
    report = over(rope=0.01, test="sign")
    assert report.test == "sign test"
    found = stats.sign_posterior(report.evidence.sample, 0.01)
    assert probabilities(report) == found.probabilities
    assert "random_state=0" not in report.design.get("notes", ())
    counts = found.weights
    expected = [f"{part / sum(counts):.2f}" for part in counts]
    said = "On one new data set their probabilities are {}, {} and {}".format(*expected)
    assert said in " ".join(report.details.split())


SIX = {f"d{i}": (X[i::11], Y[i::11]) for i in range(6)}
ABOUT = {"cv": 4, "random_state": 0, "scoring": "accuracy"}


@pytest.fixture(scope="module")
def run():
    return skstat.cross_validate_over_datasets(NAMED, SIX, **ABOUT)


def test_doubts_of_the_model(run):
    rng = np.random.default_rng(0)

    def asked(samples):
        def model(_splits: stats.DatasetSplits, rope, *, rng):
            given = stats.DatasetSplits(samples)
            return stats.hierarchical_posterior(given, rope, n_chains=8, n_draws=250, rng=0)

        doubts = skstat.compare_scores(run, test=model, rope=0.01, random_state=0).doubts
        return {doubt.code for doubt in doubts if "are few" not in doubt.text}

    def samples(scale=1.0):
        drawn = {f"d{i}": scale**i * rng.normal(0.1, 0.1, 10) for i in range(12)}
        return {name: stats.PairedScores(d, 0 * d, n_repeats=1) for name, d in drawn.items()}

    usual = samples()
    assert not {"SKS107", "SKS202", "SKS123"} & asked(usual)
    constant = stats.PairedScores([0.3] * 10, [0.2] * 10, n_repeats=1)
    assert "SKS202" in asked(usual | {"d3": constant})
    assert "SKS123" in asked(samples(3.0))
    assert "SKS107" in asked({name: usual[name] for name in list(usual)[:9]})


PAIR, TRIPLE = {"a": Untouched(), "b": Untouched()}, {name: Untouched() for name in "abc"}
HIERARCHICAL = partial(skstat.compare_over_datasets, PAIR, test="hierarchical")
METRICS = ["accuracy", "roc_auc"]
test_what_cannot_be_asked_costs_no_fit = refusals([
    *(
        (partial(ask, test=test), f"test={test!r}.*rope=0.01, or rope=0 for no")
        for test in ("bayes", "Bayesian sign test", "sign_posterior")
        for ask in (of_scores, partial(skstat.compare_estimators, PAIR, X, Y))
    ),
    *(
        (partial(door, *data, rope=rope, scoring=METRICS), words)
        for door, *data in ((skstat.compare_estimators, PAIR, X, Y),
                            (skstat.paired_cv_ttest, *PAIR.values(), X, Y))
        for rope, words in (
            (0.01, r"rope=0.01 is one number for 2 metrics.*mapping of metric to rope"),
            ({"accuracy": 0.01}, "rope lacks 'roc_auc': what is practically no difference"),
            ({}, "rope is empty"),
        )
    ),
    *(
        (partial(of_predictions, named, "f1", order=np.arange(120), rope=0.01),
         "stand in time order: use")
        for named in (TWO_PREDICTED, PREDICTED)
    ),
    (partial(over, THREE_OVER, rope=0.01, test="nemenyi"), "compares mean ranks.*unit of the"),
    (partial(skstat.compare_over_datasets, TRIPLE, SIX, rope=0.01, post_hoc="nemenyi"),
     "compares mean ranks.*unit of the score"),
    (partial(skstat.compare_over_datasets, PAIR, SIX, rope=0.01, test="sign_flip"),
     "has no posterior"),
    (partial(HIERARCHICAL, SIX), "test='hierarchical'.*rope=0.01"),
    (partial(skstat.compare_over_datasets, TRIPLE, SIX, test="hierarchical", rope=0),
     "a model of two systems"),
    (partial(HIERARCHICAL, dict.fromkeys("xyz", (X, Y)), rope=0), "4 data sets or more"),
    (partial(skstat.compare_estimators, PAIR, X, Y, test="hierarchical", rope=0.01),
     "scores on every split of many data sets"),
    (partial(over, test="hierarchical", rope=0.01), "scores on every split of many data sets"),
])  # fmt: skip


def test_few_data_sets():
    few = {name: scores[:4] for name, scores in TWO_OVER.items()}
    found = over({"a": [1, 2, 3, 4], "b": [0] * 4}, rope=0)
    assert "SKS219" in codes(found) and rests_on_a_prior(found)
    assert rests_on_a_prior(over(few, rope=0.01))
    assert "SKS219" not in codes(over(few)) and not rests_on_a_prior(over(few))
    three = {name: scores[:5] for name, scores in THREE_OVER.items()}
    assert rests_on_a_prior(over(three, rope=0.01))


def rests_on_a_prior(report):
    return any(doubt.text.endswith("and a prior.") for doubt in report.doubts)


# A margin, on every question that has one answer in the unit of a score

LOADERS = {"cancer": load_breast_cancer, "iris": load_iris, "wine": load_wine}
RNG = np.random.default_rng(2)
BY_SEEDS = {
    name: [np.where(RNG.random(120) < 0.1, 1 - TRUTH, TRUTH) for _ in range(3)] for name in "ab"
}
WITH_MARGIN = {
    "paired_cv_ttest": partial(skstat.paired_cv_ttest, *NAMED.values(), X, Y, **CV),
    "five_by_two_cv_test": partial(
        skstat.five_by_two_cv_test, *NAMED.values(), X, Y, random_state=0
    ),
    "compare_estimators": partial(skstat.compare_estimators, NAMED, X, Y, **CV),
    "compare_to_baseline": partial(skstat.compare_to_baseline, GaussianNB(), X, Y, **CV),
    "compare_scores": partial(skstat.compare_scores, {"a": A, "b": B}, unit="seed"),
    "compare_predictions": of_predictions,
    "compare_predictions, seeds": partial(of_predictions, BY_SEEDS, seeds="crossed"),
    "compare_over_datasets": partial(skstat.compare_over_datasets, NAMED, LOADERS, **CV),
    "binomial_test": partial(skstat.binomial_test, successes=70, n=100, constant=0.7),
}


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("ask", WITH_MARGIN.values(), ids=WITH_MARGIN)
def test_every_question_takes_a_margin(ask):
    report = ask(margin=0.9)
    assert report.margin == 0.9 and report.equivalence["pvalue"] > 0
    # Three data sets are too few to show it by ranks.
    few = report.unit == "dataset"
    assert report.verdict == ("undecided" if few else "equivalent")
    assert "the margin of 0.9" in report.conclusion
    without = ask()
    assert without.margin is None and "argin" not in without.conclusion
    # The difference has a sentence of its own: the whole one, or what the other leaves out.
    sentences = re.split(r"\.\s+|\.$", without.conclusion)
    short = "No significant difference was found (" in report.conclusion
    assert short or all(sentence in report.conclusion for sentence in sentences)
    evidence = re.search(r"\d+% interval[^;)]*; p [=<] [\d.]+\d", without.conclusion)
    assert evidence is None or evidence[0] in report.conclusion
    assert without.pvalue == report.pvalue


@in_one_test("ask", WITH_MARGIN.values(), ids=WITH_MARGIN)
@in_one_test("margin", [0, -1.0, float("nan"), "0.1 %"])
def test_margins_are_checked(ask, margin):
    with pytest.raises(ValueError, match="margin=.* must be a positive, finite number"):
        ask(margin=margin)


NEVER = [*PAIR.items()]
FITTING = [
    partial(ask, NEVER, X, Y)
    for name, ask in DOORS.items()
    if "margin" in inspect.signature(getattr(skstat, name)).parameters
]


@in_one_test("margin, scoring, message", [
    ({"f2": 0.1}, None, "margin names 'f2'.*use 'accuracy'"),
    (0.01, METRICS, r"margin=0.01 is one number for 2 metrics.*mapping of metric to margin"),
    ({"accuracy": 0.01, "f2": 0.1}, METRICS, "margin names 'f2'.*use 'accuracy', 'roc_auc'"),
    ({"accuracy": -0.01}, METRICS, r"margin\['accuracy'\]=-0.01 must be a positive"),
    ({}, METRICS, "margin is empty"),
])  # fmt: skip
def test_margins_that_do_not_fit_the_metrics_cost_no_fit(margin, scoring, message):
    for door in FITTING:
        with pytest.raises(ValueError, match=message):
            door(margin=margin, scoring=scoring)
    with pytest.raises(ValueError, match=message):
        of_predictions(metric=scoring or "accuracy", margin=margin)


def test_other_wrong_arguments_cost_no_fit():
    for n_jobs in ("two", 1.5, 0, True):
        for door in (*FITTING, of_predictions):
            with pytest.raises(ValueError, match=f"n_jobs={n_jobs!r} must be a whole number"):
                door(n_jobs=n_jobs)
    for scoring in ("acuracy", ["f1", "acuracy"], {"x": "acuracy"}):
        with pytest.raises(ValueError, match="'acuracy' is unknown. Did you mean 'accuracy'"):
            skstat.compare_estimators(NEVER, X, Y, scoring=scoring)
    with pytest.raises(ValueError, match="confidence_level=0.5 must be above 0.5"):
        WITH_MARGIN["compare_scores"](margin=1, confidence_level=0.5)
    for test in ("wilcoxon", "sign"):
        with pytest.raises(ValueError, match=r"max-t' compares mean differences, and the .*h"):
            skstat.compare_estimators(TRIPLE, X, Y, test=test, adjustment="max-t")


def test_where_rows_are_tested_instead_a_margin_of_the_metric_stays():
    known = np.column_stack([Y, X])
    asked = {"scoring": "balanced_accuracy", "margin": 0.1, **CV}
    constant = skstat.compare_to_baseline(Column(), known, Y, **asked)
    # The balanced accuracy is better by 0.5 on every split; rows have an accuracy.
    assert constant.metric == "accuracy" and constant.margin is None
    assert "The margin is in balanced_accuracy, so it cannot be" in str(constant.conclusion)


def test_where_no_direction_is_known_nobody_is_called_not_inferior():
    steps = np.tile([0.01, -0.01], 6)
    scores = {"a": 0.5 + steps / 2, "b": 0.507 - steps, "c": 0.51 - steps}
    options = {"unit": "seed", "margin": 0.012, "control": "a"}
    known = skstat.compare_scores(scores, scoring="accuracy", **options)
    assert known.against("b")["a"].verdict == "not inferior"
    unknown = skstat.compare_scores(scores, scoring="zorp", **options)
    assert unknown.against("b")["a"].verdict == "undecided"
    assert "not inferior" not in str(unknown)
