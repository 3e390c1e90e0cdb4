"""The block jackknife from estimators to a report."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge
from sklearn.metrics import accuracy_score, get_scorer, make_scorer, roc_auc_score
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat.evaluation import LeaveTwoBlocksOut, NestedKFold
from skstat.stats import PairedScores, block_jackknife_t
from tests.cases import Untouched, codes, in_one_test, refusals
from tests.contract import check_report

DATA = load_breast_cancer(return_X_y=True)
X, y = DATA[0][:160, :4], DATA[1][:160]
GROUPS = np.random.default_rng(0).permutation(160) // 8
NB, STUMP = GaussianNB(), DecisionTreeClassifier(max_depth=1, random_state=0)
TWO = {"NB": NB, "stump": STUMP}
ASK = partial(skstat.compare_estimators, test="block_jackknife_t", random_state=0)


def left_out_scores(estimator, score, cv, groups=None, X=X, y=y):
    """T by loops over the splits: a fit for each, and a score for each block."""
    K = cv.n_blocks
    T = np.full((K, K), np.nan)
    owner = np.empty(len(X), dtype=int)
    splits = list(cv.split(X, y, groups))
    pairs = list(combinations(range(K), 2))
    for g in range(K):
        mine = [set(test) for pair, (_, test) in zip(pairs, splits, strict=True) if g in pair]
        owner[list(set.intersection(*mine))] = g
    for (g, h), (train, _) in zip(pairs, splits, strict=True):
        fitted = clone(estimator).fit(X[train], y[train])
        for tested, other in ((g, h), (h, g)):
            rows = owner == tested
            T[other, tested] = score(fitted, X[rows], y[rows])
    return T


def share_of_ones(estimator, X, y):
    """A score that is no mean over rows."""
    return -abs(estimator.predict(X).mean() - y.mean())


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", share_of_ones, "neg_log_loss"])
@pytest.mark.parametrize("groups", [None, GROUPS], ids=["rows", "groups"])
def test_from_estimators_to_the_numbers(scoring, groups):
    report = ASK(TWO, X, y, scoring=scoring, groups=groups, random_state=3)
    score = get_scorer(scoring) if isinstance(scoring, str) else scoring
    cv = LeaveTwoBlocksOut(8, stratify=groups is not None, random_state=3)
    a, b = (left_out_scores(one, score, cv, groups) for one in TWO.values())
    expected = block_jackknife_t(PairedScores.from_matrices(a, b))
    assert report.evidence.outcome.estimate == pytest.approx(expected.estimate)
    assert report.pvalue == pytest.approx(expected.pvalue)
    assert 0 < report.pvalue < 1 and report.estimate != 0
    assert report.df == 7 and report.n_units == 56
    theta = [np.nanmean((a - b)[g]) for g in range(8)]
    V = sum((one - np.mean(theta)) ** 2 for one in theta)
    assert report.evidence.outcome.statistic == pytest.approx(np.mean(theta) / np.sqrt(V))
    assert report.evidence.sample.size_unit == ("row" if groups is None else "group")
    check_report(report)


def test_rows_of_parameters_and_kernels_follow_their_parts():
    weights = np.random.default_rng(1).uniform(0.1, 3, len(y))
    cv = LeaveTwoBlocksOut(4, stratify=True, random_state=0)
    with config_context(enable_metadata_routing=True):
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        learners = {"NB": GaussianNB().set_fit_request(sample_weight=False)}
        asked = {"scoring": scorer, "params": {"sample_weight": weights}}
        run = skstat.paired_cross_validate(learners, X, y, cv=cv, **asked)
    found = next(iter(run.part_scores.values()))[:, :, 0]
    K = X @ X.T / 1e4
    svc = SVC(kernel="precomputed")
    kernel = skstat.paired_cross_validate({"SVC": svc}, K, y, cv=cv, scoring="roc_auc")
    of_kernel = kernel.part_scores["roc_auc"][:, :, 0]
    for (train, test), *scores in zip(cv.split(X, y), found, of_kernel, strict=True):
        bayes = GaussianNB().fit(X[train], y[train])
        svc.fit(K[np.ix_(train, train)], y[train])
        for rows, share, area in zip((test[:40], test[40:]), *scores, strict=True):
            right = bayes.predict(X[rows]) == y[rows]
            assert share == pytest.approx(np.average(right, weights=weights[rows]))
            decided = svc.decision_function(K[np.ix_(rows, train)])
            assert area == pytest.approx(roc_auc_score(y[rows], decided))


# How many blocks


@in_one_test(
    "n_rare, n_groups, n_blocks",
    [(80, None, 8), (8, None, 8), (6, None, 6), (5, None, 5), (80, 20, 8), (80, 6, 6)],
)
def test_a_rare_class_and_few_groups_make_fewer_blocks(n_rare, n_groups, n_blocks):
    rare = (np.arange(160) < n_rare).astype(int)
    groups = None if n_groups is None else np.arange(160) % n_groups
    report = ASK(TWO, X, rare, groups=groups)
    assert report.evidence.sample.n_blocks == n_blocks and report.df == n_blocks - 1
    assert ("SKS107" in codes(report)) == (n_groups == 6)


@in_one_test("n_rare, dealt", [(63, True), (64, False)])
def test_blocks_are_independent_where_no_class_is_rare(n_rare, dealt):
    """Blocks that all hold the same class shares depend on each other."""
    labels = (np.arange(160) < n_rare).astype(int)
    report = ASK(TWO, X, labels)
    assert f"stratify={dealt}" in report.design["splitter"]


def test_whoever_asks_for_fewer_blocks_gets_them():
    four = LeaveTwoBlocksOut(4, random_state=0)
    assert ASK(TWO, X, y, cv=four, groups=np.arange(160) % 4).df == 3


# What does not suit


NEVER = dict.fromkeys(TWO, Untouched())
BLOCKS = LeaveTwoBlocksOut(random_state=0)
ADVISED = ["corrected_t", "five_by_two_f", "paired_t", "wilcoxon"]
OTHERS = [*ADVISED, "projection_t", "sign_flip", "sign", "five_by_two_t", "diebold_mariano"]


@in_one_test("test", OTHERS)
def test_other_tests_are_refused_by_name_before_the_first_fit(test):
    with pytest.raises(ValueError, match="does not suit the test") as refused:
        skstat.compare_estimators(NEVER, X, y, cv=BLOCKS, test=test)
    sample = PairedScores.from_matrices(*np.random.default_rng(0).random((2, 4, 4)))
    with pytest.raises(ValueError) as alone:
        getattr(skstat.stats, test)(sample)
    for error in (refused, alone):
        assert test in str(error.value)
    if test in ADVISED:
        assert "use block_jackknife_t" in str(refused.value)


RARE, RUN = np.repeat([0, 1], [90, 4]), skstat.paired_cross_validate(TWO, X, y, cv=BLOCKS)
MADE_FOR = "test='block_jackknife_t'|use block_jackknife_t"
test_what_does_not_suit_is_refused_before_the_first_fit = refusals([
    (partial(ASK, NEVER, np.zeros((94, 2)), RARE), "class 1 is 4, .* 5 blocks.* Collect more"),
    (partial(ASK, NEVER, X, y, groups=np.arange(160) % 4), "groups is 4, .*LeaveTwoBlocksOut"),
    (partial(ASK, {"a": Ridge(), "b": Ridge()}, X[:3], X[:3, 0]), "rows is 3, "),
    *(
        (partial(ASK, NEVER, X, y, cv=cv), "LeaveTwoBlocksOut|estimate_performance")
        for cv in (5, KFold(4), NestedKFold(4))
    ),
    (partial(ASK, NEVER, X, y, budget=40), "budget=40 chooses the splits, and test="),
    *(
        (partial(door, *systems, cv=BLOCKS), MADE_FOR)
        for door, *systems in (
            (skstat.compare_to_baseline, Untouched(), X, y),
            (skstat.compare_over_datasets, NEVER, {"a": (X, y), "b": (X, y)}),
            (partial(skstat.estimate_performance, method="corrected_t"), Untouched(), X, y),
        )
    ),
    # A run of blocks is no sample of one system
    (partial(RUN.scores_of, "NB"), "two of . blocks left out"),
    (partial(skstat.compare_scores, RUN, constant=0.5, systems=("NB",)), "two of . blocks"),
    (partial(skstat.compare_scores, RUN, test="wilcoxon"), "use block_jackknife_t"),
])  # fmt: skip


def test_a_difference_without_variance_is_judged_by_rows():
    perfect = np.arange(160) % 2
    named = {"tree": DecisionTreeClassifier(random_state=0), "dummy": DummyClassifier()}
    cv = LeaveTwoBlocksOut(8, stratify=True, random_state=0)
    report = ASK(named, perfect[:, None], perfect, cv=cv)
    assert "SKS202" in codes(report) and report.unit == "instance"
    assert report.n_units == 40  # of the first split
    assert report.verdict == "better"
    twice = ASK([GaussianNB(), GaussianNB()], X, y)
    assert twice.pvalue == 1 and "SKS201" in codes(twice)
