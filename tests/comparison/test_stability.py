"""Other partitions of the same rows: what they say, and how it is reported."""

import json

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import (
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import (
    compare_estimators,
    compare_scores,
    five_by_two_cv_test,
    paired_cv_ttest,
    report_from_dict,
)
from skstat.comparison._engine.stability import with_stability
from skstat.evaluation import FiveByTwo
from skstat.evaluation._evaluate import evaluate
from skstat.evaluation._partitions import Partition, partitions_of
from skstat.evaluation._plan import Fits
from skstat.report import Stability
from tests.contract import changed
from tests.timeless import timeless

NB = GaussianNB()
TREE = DecisionTreeClassifier(random_state=0)
SEEDED = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=3)


def codes(report):
    return {doubt.code for doubt in report.doubts}


@pytest.mark.long
def test_the_other_partitions_are_those_of_their_seeds(cancer):
    report = paired_cv_ttest(NB, TREE, *cancer, random_state=7, stability=2)
    alone = paired_cv_ttest(NB, TREE, *cancer, random_state=7)
    assert report.pvalue == alone.pvalue and not alone.stability
    found = report.evidence.stability
    assert len(set(found.seeds)) == 2 and 7 not in found.seeds
    for seed, estimate, pvalue, verdict in zip(
        found.seeds, found.estimates, found.pvalues, found.verdicts, strict=True
    ):
        other = paired_cv_ttest(NB, TREE, *cancer, random_state=seed)
        assert (other.estimate, other.pvalue, other.verdict) == (estimate, pvalue, verdict)
    again = paired_cv_ttest(NB, TREE, *cancer, random_state=7, stability=2, n_jobs=2)
    assert timeless(again.to_dict()) == timeless(report.to_dict())


@pytest.mark.long
def test_an_unseeded_call_can_be_repeated_from_its_seed(cancer):
    report = paired_cv_ttest(NB, TREE, *cancer, stability=1)
    seed = report.design["random_state"]
    repeated = paired_cv_ttest(NB, TREE, *cancer, random_state=seed, stability=1)
    assert repeated.stability == report.stability


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("cv", [SEEDED, ShuffleSplit(10, test_size=0.3, random_state=1)])
def test_a_splitter_with_a_seed_is_drawn_anew(cancer, cv):
    report = paired_cv_ttest(NB, TREE, *cancer, cv=cv, stability=2)
    for seed, pvalue in zip(
        report.evidence.stability.seeds, report.evidence.stability.pvalues, strict=True
    ):
        other = type(cv)(**{**vars_of(cv), "random_state": seed})
        assert paired_cv_ttest(NB, TREE, *cancer, cv=other).pvalue == pvalue
    assert cv.random_state in (1, 3)  # the caller's own is as it was


def vars_of(cv):
    if cv is SEEDED:
        return {"n_splits": 5, "n_repeats": 2}
    return {"n_splits": 10, "test_size": 0.3}


def test_halves_are_drawn_anew(cancer):
    report = five_by_two_cv_test(NB, TREE, *cancer, random_state=0, stability=2)
    for seed, pvalue in zip(
        report.evidence.stability.seeds, report.evidence.stability.pvalues, strict=True
    ):
        assert five_by_two_cv_test(NB, TREE, *cancer, random_state=seed).pvalue == pvalue


def test_fits_are_one_list_and_progress_knows_the_total(cancer):
    steps = []
    fits = Counting.fits = []
    five_by_two_cv_test(
        Counting(), NB, *cancer, random_state=0, stability=2,
        verbose=lambda done, total: steps.append((done, total)),
    )  # fmt: skip
    assert len(fits) == 30
    assert steps[-1] == (60, 60) and {total for _, total in steps} == {60}


class Counting(DummyClassifier):
    fits: list = []

    def fit(self, X, y, sample_weight=None):
        self.fits.append(len(y))
        return super().fit(X, y)


class Failing(DummyClassifier):
    """Fails on its 14th fit, which is the fourth of the second partition."""

    fits: list = []

    def fit(self, X, y, sample_weight=None):
        self.fits.append(len(y))
        if len(self.fits) == 14:
            raise RuntimeError("no")
        return super().fit(X, y)


def test_a_failure_names_the_split_of_its_partition(cancer):
    Failing.fits = []
    with pytest.raises(RuntimeError, match="Failing could not be fitted on split 3"):
        five_by_two_cv_test(NB, Failing(), *cancer, random_state=0, stability=1)


@pytest.mark.parametrize(
    "cv, what",
    [
        (5, "cv=5 depends on none"),
        (KFold(5), "depends on none"),
        (StratifiedKFold(5, shuffle=False), "depends on none"),
        ([(range(100), range(100, 240))] * 3, "a list of splits"),
    ],
)
def test_splits_without_a_seed_are_refused(cancer, cv, what):
    with pytest.raises(ValueError, match=what):
        paired_cv_ttest(NB, TREE, *cancer, cv=cv, stability=2)


@pytest.mark.parametrize("stability", [-1, True, 1.5, "3"])
def test_what_is_no_number_of_partitions(cancer, stability):
    with pytest.raises(ValueError, match="stability="):
        paired_cv_ttest(NB, TREE, *cancer, stability=stability)


def test_a_shuffling_splitter_without_a_seed_gets_its_others_from_random_state():
    cv = KFold(5, shuffle=True)
    first, second = (partitions_of(cv, 0, 2) for _ in range(2))
    assert [p.random_state for p in first[1:]] == [p.random_state for p in second[1:]]
    assert cv.random_state is None and first[0].cv is cv
    assert [p.cv.random_state for p in first[1:]] == [p.random_state for p in first[1:]]


@pytest.mark.long
def test_every_form_shows_it(cancer):
    report = paired_cv_ttest(NB, TREE, *cancer, random_state=0, stability=4)
    same = report.evidence.stability.n_same
    text = f"{same} of 4 gave the same verdict"
    for form in (report.details, report.to_html(), report.to_markdown(), report.to_latex()):
        assert text in " ".join(form.split())
    restored = report_from_dict(json.loads(report.to_json()))
    assert restored.stability == report.stability
    assert restored.to_json() == report.to_json()


def test_a_frame_has_the_share(cancer):
    pytest.importorskip("pandas")
    report = five_by_two_cv_test(NB, TREE, *cancer, random_state=0, stability=2)
    assert report.to_frame()["same_verdict"].item() == report.evidence.stability.share
    alone = five_by_two_cv_test(NB, TREE, *cancer, random_state=0)
    assert alone.to_frame()["same_verdict"].isna().all()


@pytest.mark.long
def test_a_verdict_that_depends_is_doubted(cancer):
    X, y = cancer
    report = five_by_two_cv_test(NB, TREE, X, y, scoring="roc_auc", random_state=0)
    assert report.verdict == "undecided"
    own, *others = (
        five_by_two_cv_test(NB, TREE, X, y, scoring="roc_auc", random_state=seed).evidence
        for seed in range(5)
    )
    seeds = list(range(1, 5))
    split, steady = (with_stability(own, each, seeds) for each in (others, [own] * 4))
    assert split.stability.share < 0.8
    assert "SKS214" in codes(split) and "SKS214" not in codes(steady)
    assert steady.stability.share == 1
    other = next(one for one in others if one.verdict != own.verdict)
    almost = with_stability(own, [own] * 4 + [other], list(range(1, 6)))
    assert almost.stability.share == 0.8 and "SKS214" not in codes(almost)
    assert {doubt.code for doubt in split.doubts} - {"SKS214"} == codes(report)


@pytest.mark.long
def test_several_metrics_each_have_theirs(cancer):
    report = five_by_two_cv_test(
        NB, TREE, *cancer, scoring=["accuracy", "roc_auc"], random_state=0, stability=2
    )
    assert report.by == "metric"
    alone = five_by_two_cv_test(
        NB, TREE, *cancer, scoring="roc_auc", random_state=0, stability=2
    )
    assert report["roc_auc"].stability == alone.stability


STUMP = ("stump", DecisionTreeClassifier(max_depth=1, random_state=0))


def test_stability_is_a_value():
    state = {
        "verdict": "better", "seeds": [1], "estimates": [None], "pvalues": [None],
        "verdicts": ["undecided"],
    }  # fmt: skip
    found = Stability.from_dict(state)
    assert np.isnan(found.estimates[0]) and found.to_dict() == state | {
        "n_same": 0,
        "share": 0.0,
    }
    with pytest.raises(ValueError, match="must be equally long"):
        Stability(
            verdict="better",
            seeds=(1, 2),
            estimates=(1.0,),
            pvalues=(1.0,),
            verdicts=("better",),
        )
    with pytest.raises(ValueError, match="must be equally long"):
        Stability(verdict="better", seeds=(), estimates=(), pvalues=(), verdicts=())


def test_one_partition_is_the_run_of_before(cancer):
    X, y = cancer
    partitions = [Partition(FiveByTwo(stratify=True, random_state=0))]
    fits = Fits(named={"nb": NB, "tree": TREE}, X=X, y=y)
    (run,) = evaluate(fits, scoring=None, partitions=partitions)
    report = five_by_two_cv_test(NB, TREE, *cancer, random_state=0, stability=1)
    np.testing.assert_array_equal(run.sample().a, report.evidence.sample.a)
    assert len(run.predictions["nb"]) == 2  # those of the first repeat


@pytest.mark.long
def test_regression(cancer):
    X, _ = cancer
    report = paired_cv_ttest(
        LinearRegression(), ("mean", LinearRegression(fit_intercept=False)), X, X[:, 0] ** 2,
        random_state=0, stability=2,
    )  # fmt: skip
    assert len(report.evidence.stability.seeds) == 2


@pytest.mark.long
def test_three_estimators_by_pair(cancer):
    named = {"nb": NB, "tree": TREE, "stump": STUMP[1]}
    cv = ShuffleSplit(8, test_size=1 / 3, random_state=0)
    report = compare_estimators(named, *cancer, cv=cv, random_state=0, stability=3)
    found = report.stability["nb", "tree"]
    for seed, pvalue in zip(found.seeds, found.pvalues, strict=True):
        other = ShuffleSplit(8, test_size=1 / 3, random_state=seed)
        alone = compare_estimators(named, *cancer, cv=other, random_state=0)
        assert alone["nb", "tree"].adjusted_pvalue == pvalue
    assert set(report.stability) == {pair[:2] for pair in report.pairs}
    restored = report_from_dict(json.loads(report.to_json()))
    assert restored.stability == report.stability
    text = f"nb and tree ({found.n_same} of 3)"
    for form in (report.details, report.to_html(), report.to_markdown()):
        assert "same verdict in: " in " ".join(form.split())
        assert text in " ".join(form.split())


def test_pairs_that_depend_are_told_once(cancer):
    named = {"nb": NB, "tree": TREE, "stump": STUMP[1]}
    cv = ShuffleSplit(6, test_size=1 / 3, random_state=0)
    report = compare_estimators(named, *cancer, cv=cv, scoring="roc_auc", random_state=0)
    undecided = compare_estimators(
        named, *cancer, cv=cv, random_state=0, confidence_level=1 - 1e-9
    )
    assert {*report.verdicts} != {"undecided"}
    report, undecided = report.evidence, undecided.evidence
    split = with_stability(report, [undecided] * 2, [1, 2])
    (doubt,) = (doubt for doubt in split.doubts if doubt.code == "SKS214")
    assert "0 of 2 gave the same verdict" in doubt.text
    assert "SKS214" not in codes(with_stability(report, [report] * 2, [1, 2]))


def test_many_pairs_are_shown_the_least_steady_first():
    scores = {name: np.arange(12.0) ** power for power, name in enumerate("pqrst")}
    report = compare_scores(scores, n_train=90, n_test=10)
    found = {}
    for n, pair in zip(range(9, 0, -1), report.pairs, strict=False):
        verdicts = ("better",) * n + ("worse",) * (9 - n)
        other = {"seeds": range(9), "estimates": range(9), "pvalues": range(9)}
        found[pair[:2]] = Stability(verdict="better", verdicts=verdicts, **other)
    said = " ".join(changed(report, stability=found).details.split())
    least = [f"{' and '.join(pair)} ({n} of 9)" for n, pair in enumerate(reversed(found), 1)]
    assert f"same verdict in: {'; '.join(least[:6])}; 3 more" in said
