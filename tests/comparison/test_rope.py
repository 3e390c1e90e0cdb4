"""rope= through the doors: the same report, read as probabilities."""

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import report_from_dict
from skstat.stats import (
    DatasetSplits,
    PairedScores,
    hierarchical_posterior,
    posterior,
    sign_posterior,
)
from tests.cases import Column, Untouched, codes, refusals
from tests.contract import check_report, reports_of

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


LABELS = np.random.default_rng(0).integers(0, 2, 120)
NOISE = np.random.default_rng(1).random((3, 120))
PREDICTED = {
    name: np.where(noise < wrong, 1 - LABELS, LABELS)
    for name, noise, wrong in zip("abc", NOISE, (0.1, 0.2, 0.25), strict=True)
}
TWO_PREDICTED = {name: PREDICTED[name] for name in "ab"}


def of_predictions(predictions=TWO_PREDICTED, metric="accuracy", **more):
    return skstat.compare_predictions(
        LABELS, predictions, metric=metric, random_state=0, **more
    )


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
    "compare_search_candidates": lambda **more: skstat.compare_search_candidates(
        SEARCH.fit(X, Y), random_state=0, **more
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
        expected = posterior(plain.evidence.outcome, 0.01, rng=0)
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


class TestTestSets:
    def test_instances_and_their_scores(self):
        right = {name: (values == LABELS) * 1.0 for name, values in PREDICTED.items()}
        for names in ("ab", "abc"):
            asked = {name: right[name] for name in names}
            found = skstat.compare_scores(asked, unit="instance", rope=0.01, random_state=0)
            pair = found if names == "ab" else found["a", "b"]
            expected = probabilities(of_predictions(rope=0.01))
            assert probabilities(pair) == expected

    def test_few_that_differ_are_a_doubt(self):
        almost = {"a": LABELS, "b": np.where(np.arange(120) < 4, 1 - LABELS, LABELS)}
        report = of_predictions(almost, "f1", rope=0.05)
        assert "differ on 4 instances, which the Bayesian" in " ".join(map(str, report.doubts))
        several = of_predictions(almost | {"c": LABELS}, "f1", rope=0.05)
        assert "SKS125" in codes(several)
        for fine in (of_predictions(almost, rope=0.05), of_predictions(metric="f1", rope=0.05)):
            assert "SKS125" not in codes(fine)


class TestTheBest:
    def test_published_scores(self):
        # Five classifiers on "cmc", 10 x 10 folds: 100,000 draws of the multivariate t with the
        # covariance of the scores themselves, made elsewhere.
        with np.load(PACKAGES / "benavoli_2017.npz") as held:
            place = list(map(str, held["datasets"])).index("cmc")
            names = list(map(str, held["classifiers"]))
            scores = dict(zip(names, held["A"][:, place], strict=True))
        for adjustment in ("holm", "auto"):
            report = skstat.compare_scores(
                scores, n_repeats=10, test="corrected_t", rope=1.0, adjustment=adjustment,
                random_state=0,
            )  # fmt: skip
            found = report.evidence.best_posterior
            assert found.names == tuple(names)
            assert_allclose(found.best, (0.0283, 0.1354, 0.8146, 0.0070, 0.0148), atol=0.005)
            assert_allclose(found.near, (0.2144, 0.4909, 0.9734, 0.1210, 0.1271), atol=0.005)
        assert "Taking all systems together: 0.81 that hnb is the best" in report.conclusion
        assert report.systems["hnb"].probability_best == found.probabilities["hnb"]

    @pytest.mark.parametrize("metric", ["accuracy", "f1"])
    def test_of_a_test_set(self, metric):
        report = of_predictions(PREDICTED, metric, rope=0.02)
        found = report.evidence.best_posterior
        assert_allclose(found.best.sum(), 1)
        assert (found.near >= found.best).all() and found.n_draws == 9999
        # With the third far behind, the better of two is the best.
        far = PREDICTED | {"c": 1 - LABELS}
        pair = of_predictions(far, metric, rope=0)
        better = probabilities(pair["a", "b"]).better
        assert_allclose(pair.evidence.best_posterior.best, (better, 1 - better, 0), atol=0.02)
        again = report_from_dict(json.loads(report.to_json()))
        assert again.conclusion == report.conclusion
        assert_allclose(again.evidence.best_posterior.best, found.best)
        assert "P(best)" in str(report) and "P(within 0.02)" in report.to_markdown()

    def test_only_where_all_pairs_were_asked(self):
        assert of_three(rope=0.01).evidence.best_posterior is not None
        assert of_three().evidence.best_posterior is None
        assert of_three(rope=0.01, control="a").evidence.best_posterior is None
        constant = {"a": A, "b": [x - 0.1 for x in A], "c": B}
        report = skstat.compare_scores(constant, **FOLDS, rope=0.01, random_state=0)
        assert report.evidence.best_posterior is None


class TestWithoutALaw:
    def test_without_variance_there_are_none(self):
        constant = {"a": A, "b": [x - 0.1 for x in A]}
        report = skstat.compare_scores(constant, **FOLDS, rope=0.01)
        assert report.conclusion.endswith(
            "Nor are there probabilities: nothing varies to test the difference against."
        )
        assert np.isnan(report.pairs[0].p_better)
        again = report_from_dict(json.loads(report.to_json()))
        assert again.conclusion == report.conclusion

    def test_rows_that_are_tested_in_place_of_splits_have_none(self):
        # A perfect model against its opposite: no variance over splits, so that rows decide.
        truth = np.arange(120) % 2
        report = skstat.compare_estimators(
            {"right": Column(0), "wrong": Column(1)}, np.c_[truth, 1 - truth], truth,
            scoring="accuracy", rope=0.01, random_state=0,
        )  # fmt: skip
        assert report.evidence.posterior is None and report.verdict == "better"
        assert "Without a variance there are no probabilities." in report.conclusion


class TestDoubt:
    def test_probable_by_luck_and_not_significant(self):
        rng = np.random.default_rng(0)
        scores = rng.normal(0.8, 0.03, 10)[:, None] + rng.normal(0, 0.01, (4, 10)).T
        asked = {"n_train": 90, "n_test": 10, "random_state": 0}
        report = skstat.compare_scores(scores, **asked, rope=0)
        (doubt,) = (found for found in report.doubts if found.code == "SKS218")
        n = sum(
            max(pair.p_better, pair.p_same, pair.p_worse) >= 0.95
            and pair.verdict == "undecided"
            for pair in report.pairs
        )
        assert n == 1 or f" The same holds for {n - 1} more pair" in doubt.text
        assert "SKS218" not in {
            found.code for found in skstat.compare_scores(scores, **asked).doubts
        }


DATASETS = np.random.default_rng(5).normal([0.8, 0.78, 0.7], 0.05, size=(14, 3))
TWO_OVER = dict(zip("ab", DATASETS.T[:2], strict=True))
THREE_OVER = dict(zip("abc", DATASETS.T, strict=True))


def over(scores=TWO_OVER, **more):
    return skstat.compare_scores(scores, unit="dataset", random_state=0, **more)


class TestManyDataSets:
    def test_beside_the_sign_test_the_sign_posterior(self):
        report = over(rope=0.01, test="sign")
        assert report.test == "sign test"
        found = sign_posterior(report.evidence.sample, 0.01)
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


class TestHierarchical:
    def test_doubts_of_the_model(self, run):
        rng = np.random.default_rng(0)

        def asked(samples):
            def model(_splits: DatasetSplits, rope, *, rng):
                given = DatasetSplits(samples)
                return hierarchical_posterior(given, rope, n_chains=8, n_draws=250, rng=0)

            doubts = skstat.compare_scores(run, test=model, rope=0.01, random_state=0).doubts
            return {doubt.code for doubt in doubts if "are few" not in doubt.text}

        def samples(scale=1.0):
            return {
                f"d{i}": PairedScores(
                    scale**i * rng.normal(0.1, 0.1, 10), np.zeros(10), n_repeats=1
                )
                for i in range(12)
            }

        usual = samples()
        assert not {"SKS107", "SKS202", "SKS123"} & asked(usual)
        constant = PairedScores([0.3] * 10, [0.2] * 10, n_repeats=1)
        assert "SKS202" in asked(usual | {"d3": constant})
        assert "SKS123" in asked(samples(3.0))
        assert "SKS107" in asked({name: usual[name] for name in list(usual)[:9]})


PAIR, TRIPLE = {"a": Untouched(), "b": Untouched()}, {name: Untouched() for name in "abc"}
HIERARCHICAL = partial(skstat.compare_over_datasets, PAIR, test="hierarchical")
BOTH = {"scoring": ["accuracy", "roc_auc"]}
test_what_cannot_be_asked_costs_no_fit = refusals([
    *(
        (partial(ask, test=test), f"test={test!r}.*rope=0.01, or rope=0 for no")
        for test in ("bayes", "Bayesian sign test", "sign_posterior")
        for ask in (of_scores, partial(skstat.compare_estimators, PAIR, X, Y))
    ),
    *(
        (partial(door, *data, rope=rope, **BOTH), words)
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


class TestDoubtsOfPriors:
    def test_few_data_sets(self):
        few = {name: scores[:4] for name, scores in TWO_OVER.items()}
        found = over({"a": [1, 2, 3, 4], "b": [0] * 4}, rope=0)
        assert "SKS219" in codes(found) and rests_on_a_prior(found)
        assert rests_on_a_prior(over(few, rope=0.01))
        assert "SKS219" not in codes(over(few)) and not rests_on_a_prior(over(few))
        three = {name: scores[:5] for name, scores in THREE_OVER.items()}
        assert rests_on_a_prior(over(three, rope=0.01))


def rests_on_a_prior(report):
    return any(doubt.text.endswith("and a prior.") for doubt in report.doubts)
