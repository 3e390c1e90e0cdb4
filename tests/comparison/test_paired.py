"""Two estimators on one data set, from the call to the report."""

from functools import partial

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import compare_estimators, five_by_two_cv_test, paired_cv_ttest, stats
from skstat.evaluation import RepeatedHalves
from tests.cases import Untouched, codes, refusals

NB = GaussianNB()
TREE = DecisionTreeClassifier(random_state=0)


def test_nadeau_bengio_is_the_corrected_t_on_thirty_splits(cancer):
    report = paired_cv_ttest(
        NB, TREE, *cancer, scoring="roc_auc", correction="nadeau-bengio", random_state=0
    )
    assert (report.n_units, report.unit, report.df) == (30, "split", 29)
    assert report.design["train_size"] == 160 and "160 rows" in report.estimand
    # By hand: mean over sqrt((1/J + n_test/n_train) * variance).
    d = report.evidence.sample.differences
    by_hand = d.mean() / np.sqrt((1 / 30 + 80 / 160) * d.var(ddof=1))
    assert report.statistic == pytest.approx(by_hand, rel=1e-12)


def test_a_run_against_a_constant(cancer):
    run = skstat.paired_cross_validate({"nb": NB, "tree": TREE}, *cancer, random_state=0)
    report = skstat.compare_scores(run, systems=("tree",), constant=0.5)
    assert report.names == ("tree", "constant 0.5")
    assert report.pvalue == stats.projection_t(run.scores_of("tree").against(0.5)).pvalue


class CountingClassifier(DummyClassifier):
    """Counts its fits, to show that nothing is fitted twice."""

    fits: list = []

    def fit(self, X, y, sample_weight=None):
        self.fits.append(len(y))
        return super().fit(X, y)


def test_unseeded_estimators_are_doubted_and_fixed_seeds_are_named(cancer):
    report = paired_cv_ttest(NB, DecisionTreeClassifier(), *cancer, cv=5)
    assert "SKS401" in codes(report)
    report = paired_cv_ttest(LogisticRegression(), TREE, *cancer, cv=5)
    assert "SKS401" not in codes(report)
    assert any("random_state of Decision" in text for text in report.ignored_variance)


def test_groups(cancer):
    X, y = cancer
    groups = np.arange(len(y)) // 3
    report = paired_cv_ttest(NB, TREE, X, y, groups=groups, random_state=0)
    assert "groups" in report.estimand
    assert report.evidence.sample.n_train[0] == 40
    assert report.evidence.sample.rows.n_units == 80
    assert "SKS105" not in codes(report)
    with pytest.warns(UserWarning, match="ignored"):
        ignoring = paired_cv_ttest(NB, TREE, X, y, groups=groups, cv=StratifiedKFold(5))
    assert "SKS105" in codes(ignoring)


@pytest.mark.long
def test_perfect_model_against_a_constant_baseline():
    X = np.arange(90.0)[:, np.newaxis] % 2
    y = (np.arange(90) % 2).astype(int)
    # Every row of the smaller class is better by 1, every other by 0: a share of a quarter.
    few = np.arange(120) % 4 == 0
    ask = partial(
        paired_cv_ttest, TREE, DummyClassifier(), few[:, np.newaxis], few, scoring="accuracy"
    )
    report = ask(random_state=0)
    of_share = np.sqrt(0.25 * 0.75 / (120 - 1))
    assert report.estimate == pytest.approx(0.25)
    assert of_share <= report.standard_error < 2 * of_share
    assert 0 < report.pvalue < 0.001 and report.verdict == "better"
    # Splits with the same shares know that part exactly, and nothing of others.
    report = ask(cv=RepeatedHalves(15, stratify=True, balanced=True, random_state=0))
    assert report.standard_error == pytest.approx(of_share)
    for scoring in ("accuracy", "roc_auc"):
        report = paired_cv_ttest(
            TREE, DummyClassifier(), X, y, scoring=scoring, random_state=0,
            correction="nadeau-bengio",
        )  # fmt: skip
        # 30 test rows of one split; the dummy is right on 15 of them, A on all.
        assert report.unit == "instance"
        assert report.metric == "accuracy"
        assert report.n_units == 30
        assert report.pvalue == pytest.approx(2 / 2**15)
        assert report.verdict == "better"
        assert "SKS202" in codes(report)
        assert "row by row" in report.doubts[0].text
    halves = five_by_two_cv_test(TREE, DummyClassifier(), X, y, random_state=0)
    assert halves.n_units == 90
    assert 0 < halves.pvalue < 1e-6


X, Y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2


def call(*, a=NB, b=TREE, **options):
    return paired_cv_ttest(a, b, X, Y, **options)


class NoProbabilities(DummyClassifier):
    @property
    def predict_proba(self):
        raise AttributeError("no probabilities here")


class Failing(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        raise ZeroDivisionError("three is a crowd")


HALVES = partial(five_by_two_cv_test, NB, NB, np.ones((9, 1)), np.arange(9) % 2)
test_wrong_arguments_are_named = refusals(
    [
        (partial(call, cv=2), "at least 3 splits, got 2"),
        (partial(call, a=Untouched(), correction="bouckaert", cv=5), "does not suit.*10 repea"),
        (partial(call, alpha=0.1), "Use confidence_level=, which is 1 - alpha"),
        (partial(HALVES, alternative="less"), "no direction"),
        (partial(HALVES, statistic="g"), "statistic='g'"),
        (partial(compare_estimators, [("x", NB), ("x", TREE)], X, Y), "the name 'x' twice"),
        (partial(compare_estimators, [NB, TREE], X, Y, test="corrected"),
         "test='corrected' is unknown; use 'auto'"),
    ],
    error=(ValueError, TypeError),
)  # fmt: skip


class Unpicklable(Exception):
    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


class FailingOddly(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        raise Unpicklable("this", "that")


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.long)])
def test_failures_name_estimator_and_split_and_chain(n_jobs):
    with pytest.raises(
        skstat.EvaluationError, match=r"Failing could not be fitted on split \d"
    ) as e:
        call(b=Failing(), n_jobs=n_jobs)
    assert isinstance(e.value.__cause__, ZeroDivisionError)
    with pytest.raises(skstat.EvaluationError, match="this and that"):
        call(b=FailingOddly(), n_jobs=n_jobs)


def test_failures_of_scores_name_estimator_metric_and_split():
    with pytest.raises(skstat.EvaluationError, match="needs probabilities") as e:
        call(b=NoProbabilities(), scoring="neg_log_loss")
    assert "NoProbabilities could not be scored on split 0" in str(e.value)
    assert "neg_log_loss" in str(e.value)


@pytest.mark.parametrize("statistic, df", [("f", (10, 5)), ("t", 5)])
def test_five_by_two(cancer, statistic, df):
    fits = CountingClassifier.fits = []
    report = five_by_two_cv_test(
        CountingClassifier(), NB, *cancer, statistic=statistic, random_state=0
    )
    assert (report.df, report.n_units, len(fits)) == (df, 10, 10)
    assert set(fits) == {120}
    assert ("SKS102" in codes(report)) == (statistic == "t")
    procedure = {"f": stats.five_by_two_f, "t": stats.five_by_two_t}[statistic]
    assert report.pvalue == procedure(report.evidence.sample).pvalue
    # The same fits serve both statistics.
    other = five_by_two_cv_test(NB, CountingClassifier(), *cancer, random_state=0)
    np.testing.assert_array_equal(other.evidence.sample.a, report.evidence.sample.b)
