"""Learners trained on nine tenths of the rows, by every door: folds, and halves beside them."""

import re
from functools import partial

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer, median_absolute_error
from sklearn.model_selection import (
    LeaveOneOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import (
    compare_estimators,
    compare_scores,
    compare_to_baseline,
    estimate_performance,
    paired_cross_validate,
    paired_cv_ttest,
    report_from_dict,
    stats,
)
from skstat.evaluation import RepeatedGroupKFold, RepeatedHalves
from tests.cases import codes, in_one_test
from tests.contract import check_report

LR, NB = LogisticRegression(C=0.01), GaussianNB()
TREE = DecisionTreeClassifier(max_depth=1, random_state=0)
TWO, THREE = {"lr": LR, "nb": NB}, {"lr": LR, "nb": NB, "stump": TREE}
RIDGES = {"strong": Ridge(1000.0), "weak": Ridge(1.0)}
ask = partial(compare_estimators, random_state=0, train_size=0.9)
close = partial(pytest.approx, rel=1e-7)  # a second fit may have other last digits


def data(n=60, share=0.5, seed=0):
    rng = np.random.default_rng(seed)
    y = (np.arange(n) < round(share * n)).astype(int)
    return rng.normal(size=(n, 3)) + 0.6 * y[:, None], y


X, y = data()


def numbers(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, X.sum(axis=1) + rng.normal(size=n)


def sample_by_hand(estimators, X, y, folds, halves):
    """Row scores of accuracy, from scikit-learn and NumPy alone."""

    def of(cv):
        n_repeats = cv.get_n_splits(X, y) // (10 if cv is folds else 2)
        scores = np.empty((n_repeats, len(y), 2))
        tested = np.empty((n_repeats, len(y)), dtype=int)
        for split, (train, test) in enumerate(cv.split(X, y)):
            repeat, fold = divmod(split, cv.get_n_splits(X, y) // n_repeats)
            tested[repeat, test] = fold
            for place, model in enumerate(estimators):
                hits = model.fit(X[train], y[train]).predict(X[test]) == y[test]
                scores[repeat, test, place] = hits
        return stats.PairedFoldScores.from_row_scores(scores[..., 0], scores[..., 1], tested)

    on_folds, on_halves = of(folds), of(halves)
    return stats.PairedFoldScores(
        on_folds.a, on_folds.b, rows=on_folds.rows, n_repeats=2, halves=on_halves,
        unit="split", n_train=on_folds.n_train, n_test=on_folds.n_test,
    )  # fmt: skip


@pytest.fixture(scope="module")
def at_nine_tenths():
    return ask(TWO, X, y)


# The numbers


def test_the_door_gives_what_fits_by_hand_give(at_nine_tenths):
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
    halves = RepeatedHalves(15, stratify=False, balanced=True, random_state=0)
    expected = stats.projection_t(sample_by_hand([LR, NB], X, y, folds, halves))
    assert at_nine_tenths.pvalue == close(expected.pvalue)
    assert at_nine_tenths.confidence_interval() == close(expected.confidence_interval())
    assert at_nine_tenths.evidence.outcome.law.change() == tuple(
        map(close, expected.law.change())
    )
    mean = (
        cross_val_score(LR, X, y, cv=folds).mean() - cross_val_score(NB, X, y, cv=folds).mean()
    )
    assert at_nine_tenths.estimate == close(mean)
    check_report(at_nine_tenths)


def test_who_gains_with_more_rows():
    """Ridge with a penalty that is too strong for few rows catches up, in errors too."""
    X, y = numbers(120)
    systems = {"strong": Ridge(300.0), "weak": Ridge(1.0)}
    scoring = "neg_mean_squared_error"
    half, larger = (
        np.subtract(
            *(cross_val_score(m, X, y, cv=cv, scoring=scoring) for m in systems.values())
        )
        for cv in (RepeatedKFold(n_splits=k, n_repeats=10, random_state=1) for k in (2, 10))
    )
    assert larger.mean() > half.mean()
    for first, second in (("strong", "weak"), ("weak", "strong")):
        report = ask({name: systems[name] for name in (first, second)}, X, y, scoring=scoring)
        low, high = report.evidence.outcome.law.change().interval
        assert low > 0 if first == "strong" else high < 0
        found = " ".join(str(report).split())
        assert "More rows strong gains on weak from half of the rows" in found
        expected = report.estimate - report.change["half"]
        assert report.change["change"] == pytest.approx(expected)


def test_three_systems_have_the_variance_of_one_matrix():
    X, y = data(80)
    asked = {"scoring": ["accuracy", "roc_auc"], "train_size": 0.9, "random_state": 0}
    report = compare_estimators(THREE, X, y, **asked)
    run = paired_cross_validate(THREE, X, y, **asked)
    for metric, part in report.reports.items():
        assert "max-T by the multivariate t" in " ".join(str(part).split())
        table = run.table(metric)
        matrix = table.parts.total
        i, j = table.names.index("lr"), table.names.index("nb")
        expected = matrix[i, i] + matrix[j, j] - 2 * matrix[i, j]
        assert part["lr", "nb"].standard_error ** 2 == close(expected)
    check_report(report["accuracy"])


def test_a_run_is_asked_as_often_as_one_likes(at_nine_tenths):
    run = paired_cross_validate(TWO, X, y, train_size=0.9, random_state=0)
    assert (run.design.n_splits, run.halves.design.n_splits) == (20, 30)
    again = compare_scores(run)
    assert again.estimate == close(at_nine_tenths.estimate)
    assert again.pvalue == close(at_nine_tenths.pvalue)
    other = compare_scores(run, test="corrected_t")
    assert "halves" not in other.design and "More rows" not in str(other)


# Beside the default


def test_the_details_say_how_to_ask_of_nine_tenths(at_nine_tenths):
    """In every form, where the argument works; a report that was stored earlier lacks it."""
    said = "train_size=0.9 trains on 90% of the rows, by 50 fits"
    report = compare_estimators(TWO, X, y, random_state=0)
    for door in (
        report,
        compare_estimators(THREE, X, y, random_state=0),
        compare_to_baseline(LR, X, y, random_state=0),
        estimate_performance(LR, X, y, random_state=0),
    ):
        assert "train_size" not in str(door)
        for text in (door.details, door.to_html(), door.to_markdown()):
            assert said in " ".join(text.replace("\\_", "_").split())
    assert report.design["larger"]["n_fits"] == at_nine_tenths.choice.design["n_splits"]
    state = report.to_dict()
    assert report_from_dict(state).to_text() == report.to_text()
    del state["evidence"]["design"]["larger"]
    assert "Larger training sets" not in report_from_dict(state).details


@in_one_test(
    "why, options",
    [
        ("other splits", {"cv": RepeatedKFold(n_splits=2, n_repeats=15, random_state=0)}),
        (
            "another test",
            {"cv": RepeatedHalves(15, random_state=0), "test": "corrected_t"},
        ),
        ("folds of six rows, and no mean", {"scoring": "f1"}),
        ("rows that are not known", {"scoring": make_scorer(median_absolute_error)}),
        ("nine groups", {"groups": np.arange(60) % 9}),
        ("a class that folds cannot share out", {"y": data(share=0.15)[1]}),
    ],
)
def test_it_is_not_said_where_it_would_not_do(why, options):
    report = compare_estimators(TWO, X, **{"y": y, "random_state": 0, **options})
    assert "train_size" not in str(report) and "larger" not in report.design, why


def test_metrics_other_than_means_need_more_rows_of_a_class():
    X, y = data(210, share=0.09)
    for scoring, suits in (("accuracy", True), ("f1", False)):
        report = compare_estimators(TWO, X, y, scoring=scoring, random_state=0)
        assert ("Larger training sets" in report.details) is suits


# Every door


def test_the_other_doors_ask_the_same(at_nine_tenths):
    named = paired_cv_ttest(("lr", LR), ("nb", NB), X, y, train_size=0.9, random_state=0)
    assert named.pvalue == close(at_nine_tenths.pvalue)
    baseline = compare_to_baseline(("lr", LR), X, y, train_size=0.9, random_state=0)
    assert "15 halvings" in baseline.test and baseline.design["halves"]["n_splits"] == 30
    constant = compare_to_baseline(
        ("lr", LR), X, y, strategy=0.5, train_size=0.9, random_state=0
    )
    assert "one-sample projection t test on 2 x 10 folds" in constant.test


def folds_of_own(*, known=0, **options):
    """The folds that are made without cv, and other ones."""
    options = {"n_splits": 10, "n_repeats": 2} | options
    return RepeatedStratifiedKFold(**options, random_state=known)


@in_one_test("door", [compare_estimators, compare_to_baseline, estimate_performance])
def test_folds_of_ones_own_have_the_variance_of_halves(door):
    systems = THREE if door is compare_estimators else ("nb", NB)
    asked = partial(door, systems, X, y, train_size=0.9, random_state=0)
    same, other = asked(cv=folds_of_own()), asked(cv=folds_of_own(known=5))
    timeless = partial(re.sub, r" +\d[\d.]* [mµ]?s", "")
    assert timeless(str(same)) == timeless(str(asked()))
    assert "2 x 10 folds, with the variance of 15 halvings" in " ".join(str(other).split())
    assert other.design["halves"] == same.design["halves"]
    assert timeless(str(other)) != timeless(str(same))


def test_folds_of_ones_own_may_be_repeated_more_often_or_be_lists(at_nine_tenths):
    cv = folds_of_own(n_repeats=4)
    report = ask(TWO, X, y, cv=cv)
    assert report.test == "projection t test on 4 x 10 folds, with the variance of 15 halvings"
    listed = ask(TWO, X, y, cv=list(cv.split(X, y)))
    assert (listed.estimate, listed.pvalue) == close((report.estimate, report.pvalue))
    run = paired_cross_validate(TWO, X, y, cv=cv, train_size=0.9, random_state=0)
    assert compare_scores(run).pvalue == close(report.pvalue)
    # The instability of the mean of more repetitions is less, all else is as it was.
    fewer = at_nine_tenths
    assert (
        report.evidence.outcome.law.instability_error
        < fewer.evidence.outcome.law.instability_error
    )


def test_the_score_of_one_estimator(at_nine_tenths):
    report = estimate_performance(("lr", LR), X, y, train_size=0.9, random_state=0)
    run = paired_cross_validate({"lr": LR}, X, y, train_size=0.9, random_state=0)
    expected = stats.projection_estimate(run.scores_of("lr")).within(0, 1)
    assert report.estimate == close(expected.estimate)
    assert report.confidence_interval() == close(expected.confidence_interval())
    assert report.n_fits == 50
    assert "90%\nof the rows" in str(report) or "90% of the rows" in str(report)
    both = estimate_performance(TWO, X, y, train_size=0.9, random_state=0)
    assert both.pairs[0].estimate == close(at_nine_tenths.estimate)


# Rows of every kind


def test_groups_are_kept_together():
    X, y = numbers(80)
    groups = np.arange(80) // 4
    report = ask(RIDGES, X, y, groups=groups)
    assert report.df == 15 and report.design["train_groups"] == 18
    run = paired_cross_validate(RIDGES, X, y, groups=groups, train_size=0.9, random_state=0)
    for part in (run, run.halves):
        for train, test in part.design.splits:
            assert np.intersect1d(groups[train], groups[test]).size == 0
    assert "RepeatedGroupKFold" in run.design.splitter
    given = paired_cross_validate(
        RIDGES, X, y, groups=groups, cv=RepeatedGroupKFold(10, 2, random_state=0)
    )
    assert report.estimate == close(compare_scores(given, test="corrected_t").estimate)


def test_few_rows_of_a_class_are_dealt_out_to_halves_evenly():
    """Ten of 60: the variance then lacks what class shares do, and the report says so."""
    X, y = data(share=1 / 6)
    report = ask(TWO, X, y, scoring="f1")
    assert "with these class shares" in report.estimand
    assert "SKS128" in codes(report)


# The fits


def test_fits_are_shared_with_those_of_halves(tmp_path, fits):
    known = {"memory": tmp_path, "verbose": False}
    compare_estimators(TWO, X, y, random_state=0, **known)
    fits.clear()
    first = ask(TWO, X, y, **known)
    assert len(fits) == 2 * 20  # only those of the folds
    fits.clear()
    assert ask(TWO, X, y, **known).pvalue == first.pvalue
    assert len(fits) == 0


def test_stability_repeats_folds_and_halves():
    report = ask(TWO, X, y, stability=1)
    ((seed,), (pvalue,)) = (getattr(report.evidence.stability, n) for n in ("seeds", "pvalues"))
    other = compare_estimators(TWO, X, y, train_size=0.9, random_state=seed)
    assert pvalue == close(other.pvalue)


def test_a_budget_pays_for_folds_first():
    report = ask(TWO, X, y, budget=44)
    assert report.df == 12 and report.design["halves"]["n_splits"] == 24
    performance = estimate_performance(LR, X, y, train_size=0.9, budget=44, random_state=0)
    assert performance.n_fits == 44


# Refusals

LISTED = list(RepeatedKFold(n_splits=10, n_repeats=2, random_state=0).split(np.zeros(60)))


@pytest.mark.parametrize(
    "options, said",
    [
        ({"train_size": 0.7}, "train_size=0.7 must be 0.5"),
        ({"train_size": True}, "train_size=True must be 0.5"),
        ({"cv": 5, "train_size": 0.5}, "train_size=0.5 chooses the splits, and cv= gives them"),
        ({"cv": 10}, "one repetition does not tell how much of what a row contributes"),
        ({"cv": RepeatedKFold(n_splits=5, n_repeats=2)}, "no valid test is known for 2x5-fold"),
        ({"cv": ShuffleSplit(20, test_size=0.1)}, "no valid test is known for 20 random"),
        ({"cv": LeaveOneOut()}, "no valid test is known for leave-one-out"),
        ({"cv": LISTED, "groups": np.arange(60) // 2}, "the folds split groups"),
        (
            {"cv": RepeatedKFold(n_splits=10, n_repeats=2), "budget": 60},
            "budget=60 chooses the splits",
        ),
        ({"budget": 39}, "budget=39: train_size=0.9 needs 40 fits at least"),
        ({"test": "corrected_t"}, "train_size=0.9 is for test='projection_t'"),
    ],
)
def test_what_does_not_fit_is_refused(options, said):
    with pytest.raises(ValueError, match=said):
        ask(TWO, X, y, **options)


def test_what_does_not_fit_is_refused_by_other_doors_too():
    X, y = numbers()
    scoring = make_scorer(median_absolute_error, greater_is_better=False)
    unknown = {"scoring": scoring, "train_size": 0.9}
    for door, said in (
        (partial(compare_estimators, RIDGES, X, y, **unknown), "what every row contributes"),
        (partial(compare_to_baseline, Ridge(), X, y, **unknown), "what every row contributes"),
        (partial(estimate_performance, Ridge(), X, y, **unknown), "contribution"),
        (partial(ask, TWO, *data(share=0.15)), "class 1 9 times. Leave train_size out"),
        (
            partial(ask, TWO, *data(), groups=np.arange(60) // 10),
            "needs 10 groups for 10 folds, and groups holds 6",
        ),
        (
            partial(paired_cv_ttest, LR, NB, *data(), correction="bouckaert", train_size=0.9),
            "is for correction='projection'",
        ),
        (
            partial(estimate_performance, LR, *data(), method="corrected_t", train_size=0.9),
            "is for method='projection'",
        ),
    ):
        with pytest.raises(ValueError, match=said):
            door()
