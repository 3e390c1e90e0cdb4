"""Estimators on one data set, from the call to the report."""

from functools import partial

import numpy as np
import pytest
from sklearn import model_selection as ms
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import five_by_two_cv_test, paired_cv_ttest, stats
from skstat.evaluation import RepeatedHalves
from skstat.report import Stability, Times
from skstat.stats import Comparison, PairedScores, procedure
from tests.cases import Untouched, codes, refusals, text_of
from tests.contract import changed, check_report
from tests.timeless import timeless

NB, TREE, LR = GaussianNB(), DecisionTreeClassifier(random_state=0), LogisticRegression()
PAIR = {"nb": NB, "tree": TREE}
THREE = {**PAIR, "stump": DecisionTreeClassifier(max_depth=1, random_state=0)}
RNG = np.random.default_rng(1)
Y = RNG.integers(0, 2, 120)
X = RNG.normal(size=(120, 3)) + 0.7 * Y[:, None]


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


class Counting(DummyClassifier):
    """Counts its fits, to show that nothing is fitted twice."""

    fits: list = []

    def fit(self, X, y, sample_weight=None):
        self.fits.append(len(y))
        return super().fit(X, y)


def test_unseeded_estimators_are_doubted_and_fixed_seeds_are_named(cancer):
    report = paired_cv_ttest(NB, DecisionTreeClassifier(), *cancer, cv=5)
    assert "SKS401" in codes(report)
    report = paired_cv_ttest(LR, TREE, *cancer, cv=5)
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
        ignoring = paired_cv_ttest(NB, TREE, X, y, groups=groups, cv=ms.StratifiedKFold(5))
    assert "SKS105" in codes(ignoring)


@pytest.mark.long
def test_perfect_model_against_a_constant_baseline():
    X = np.arange(90.0)[:, np.newaxis] % 2
    y = (np.arange(90) % 2).astype(int)
    # Every row of the smaller class is better by 1, every other by 0: a share of a quarter.
    few = np.arange(120) % 4 == 0
    data = few[:, np.newaxis], few
    ask = partial(paired_cv_ttest, TREE, DummyClassifier(), *data, scoring="accuracy")
    report = ask(random_state=0)
    of_share = np.sqrt(0.25 * 0.75 / (120 - 1))
    assert report.estimate == pytest.approx(0.25)
    assert of_share <= report.standard_error < 2 * of_share
    assert 0 < report.pvalue < 0.001 and report.verdict == "better"
    # Splits with the same shares know that part exactly, and nothing of others.
    report = ask(cv=RepeatedHalves(15, stratify=True, balanced=True, random_state=0))
    assert report.standard_error == pytest.approx(of_share)
    for scoring in ("accuracy", "roc_auc"):
        asked = {"scoring": scoring, "correction": "nadeau-bengio", "random_state": 0}
        report = paired_cv_ttest(TREE, DummyClassifier(), X, y, **asked)
        # 30 test rows of one split; the dummy is right on 15 of them, A on all.
        assert (report.unit, report.metric, report.n_units) == ("instance", "accuracy", 30)
        assert report.pvalue == pytest.approx(2 / 2**15) and report.verdict == "better"
        assert "SKS202" in codes(report) and "row by row" in report.doubts[0].text
    halves = five_by_two_cv_test(TREE, DummyClassifier(), X, y, random_state=0)
    assert halves.n_units == 90 and 0 < halves.pvalue < 1e-6


def call(*, a=NB, b=TREE, **options):
    return paired_cv_ttest(a, b, X, Y, **options)


class NoProbabilities(DummyClassifier):
    @property
    def predict_proba(self):
        raise AttributeError("no probabilities here")


class Failing(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        raise ZeroDivisionError("three is a crowd")


SEARCH = ms.GridSearchCV(TREE, {"max_depth": [1, 3]}, scoring="roc_auc", cv=3)
PARTS = [(np.arange(9) + 0.9, np.arange(9, 20) + 0.9)] * 3
HALVES = partial(five_by_two_cv_test, NB, NB, np.ones((9, 1)), np.arange(9) % 2)
test_wrong_arguments_are_named = refusals([
    (partial(call, cv=2), "at least 3 splits, got 2"),
    (partial(call, a=Untouched(), correction="bouckaert", cv=5), "does not suit.*10 repea"),
    (partial(call, alpha=0.1), "Use confidence_level=, which is 1 - alpha"),
    (partial(HALVES, alternative="less"), "no direction"),
    (partial(HALVES, statistic="g"), "statistic='g'"),
    (partial(skstat.compare_estimators, [("x", NB), ("x", TREE)], X, Y), "the name 'x' twice"),
    (partial(skstat.compare_estimators, [NB, TREE], X, Y, test="corrected"),
     "test='corrected' is unknown; use 'auto'"),
    (partial(paired_cv_ttest, NB, TREE, X, np.array([1, "a"] * 60, object)), "^y "),
    (partial(call, a=SVC(kernel="precomputed")), "X must be a square"),
    (partial(call, correction="bouckaert"), "Pass cv=RepeatedStratifiedKFold"),
    (partial(call, cv=ms.StratifiedShuffleSplit), "cv is the class Stratified.*; pass"),
    (partial(call, cv=PARTS), "split 0 names rows by float64"),
    (partial(call, cv=[(np.arange(9) > 4, np.arange(9) < 5)] * 3), "mask of split 0 has 9"),
    (partial(call, cv=[(range(60), [99])] * 2 + [([-1], [3])]), "split 2 names row -1"),
    (partial(call, a=LR, b=LinearRegression()), "scoring is missing.*accuracy.*r2"),
    (partial(call, a=SEARCH), "'roc_auc'"),
    (partial(skstat.compare_to_baseline, NB, X, Y, strategy=DummyRegressor()), "scoring is"),
    (partial(call, scoring=["accuracy", "accuracy"]), "names .* twice.*dict"),
    (partial(call, scoring=[make_scorer(f1_score, pos_label=label) for label in (0, 1)]),
     "names .* twice.*dict"),
], error=(ValueError, TypeError))  # fmt: skip


class Unpicklable(Exception):
    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


class FailingOddly(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        raise Unpicklable("this", "that")


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.long)])
def test_failures_name_estimator_and_split_and_chain(n_jobs):
    words = r"Failing could not be fitted on split \d"
    with pytest.raises(skstat.EvaluationError, match=words) as e:
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
    fits = Counting.fits = []
    report = five_by_two_cv_test(Counting(), NB, *cancer, statistic=statistic, random_state=0)
    assert (report.df, report.n_units, len(fits)) == (df, 10, 10)
    assert set(fits) == {120}
    assert ("SKS102" in codes(report)) == (statistic == "t")
    procedure = {"f": stats.five_by_two_f, "t": stats.five_by_two_t}[statistic]
    assert report.pvalue == procedure(report.evidence.sample).pvalue
    # The same fits serve both statistics.
    other = five_by_two_cv_test(NB, Counting(), *cancer, random_state=0)
    np.testing.assert_array_equal(other.evidence.sample.a, report.evidence.sample.b)


# Every metric keeps its test and its splits, whatever else is asked

TWO = {"lr": LR, "nb": NB}
OWN_F1 = make_scorer(lambda y, p: f1_score(y, p))
ALL = {"own": OWN_F1, "average_precision": "average_precision", "log": "neg_log_loss"}
ASK = {"random_state": 0, "verbose": False}


DOORS = {
    "two": partial(skstat.compare_estimators, TWO, X, Y, **ASK),
    "three": partial(skstat.compare_estimators, THREE, X, Y, **ASK),
    "by cv": partial(paired_cv_ttest, LR, NB, X, Y, **ASK),
    "baseline": partial(skstat.compare_to_baseline, NB, X, Y, **ASK),
    "performance": partial(skstat.estimate_performance, NB, X, Y, **ASK),
}


def numbers(report):
    state = report.to_dict()
    kept = ("outcome", "pairwise", "design", "sample", "choice", "rows", "method", "reason")
    return {key: state.get(key) for key in kept}


@pytest.mark.long
@pytest.mark.parametrize("door", [*DOORS, "two, 12 fits", "performance, 12 fits"])
def test_of_each_metric_the_report_is_the_same_as_alone(door):
    name, _, limited = door.partition(", ")
    ask = partial(DOORS[name], **({"budget": 12} if limited else {}))
    together = ask(scoring=ALL)
    assert list(together) == list(ALL)
    for metric, source in ALL.items():
        assert numbers(together[metric]) == numbers(ask(scoring={metric: source}))
        assert not limited or together[metric].design["n_splits"] <= 12
    assert limited or together["own"].design["kind"] != together["log"].design["kind"]
    if name != "performance":  # which asks no question
        check_report(together)
        assert "not adjusted for the number of metrics" in together.conclusion


# Other partitions of the same rows

BY_T, BY_HALVES = (partial(door, NB, TREE) for door in (paired_cv_ttest, five_by_two_cv_test))


def by_splitter(splitter, *data, random_state, **options):
    return BY_T(*data, cv=splitter(random_state=random_state), **options)


ASKS = {
    "halves": BY_HALVES,
    "the default": BY_T,
    "repeats": partial(
        by_splitter, partial(ms.RepeatedStratifiedKFold, n_splits=5, n_repeats=2)
    ),
    "random": partial(by_splitter, partial(ms.ShuffleSplit, 10, test_size=0.3)),
}


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("ask", ASKS.values(), ids=ASKS)
def test_the_other_partitions_are_those_of_their_seeds(cancer, ask):
    report, alone = (ask(*cancer, random_state=7, stability=n) for n in (2, 0))
    assert report.pvalue == alone.pvalue and not alone.stability
    (found,) = report.stability.values()
    assert len(set(found.seeds)) == 2 and 7 not in found.seeds
    told = zip(found.seeds, found.estimates, found.pvalues, found.verdicts, strict=True)
    for seed, *expected in told:
        other = ask(*cancer, random_state=seed)
        assert [other.estimate, other.pvalue, other.verdict] == expected
    again = ask(*cancer, random_state=7, stability=2, n_jobs=2)
    assert timeless(again.to_dict()) == timeless(report.to_dict())


test_what_has_no_other_partitions_is_refused = refusals([
    ({"cv": 5}, "cv=5 depends on none"),
    ({"cv": ms.KFold(5)}, "depends on none"),
    ({"cv": ms.StratifiedKFold(5, shuffle=False)}, "depends on none"),
    ({"cv": [(range(60), range(60, 120))] * 3}, "a list of splits"),
    *(({"stability": wrong}, "stability=") for wrong in (-1, True, 1.5, "3")),
], partial(BY_T, X, Y, stability=2))  # fmt: skip


def test_stability_is_a_value():
    state = {
        "type": "Stability", "verdict": "better", "seeds": [1], "estimates": [None],
        "pvalues": [None], "verdicts": ["undecided"],
    }  # fmt: skip
    found = Stability.from_dict(state)
    assert np.isnan(found.estimates[0])
    assert found.to_dict() == state | {"n_same": 0, "share": 0.0}
    for wrong in ({"seeds": [1, 2]}, {key: [] for key in [*state][2:]}):
        with pytest.raises(ValueError, match="must be equally long"):
            Stability.from_dict(state | wrong)


def test_pairs_that_depend_are_told_once(cancer):
    cv = ms.ShuffleSplit(6, test_size=1 / 3, random_state=0)
    report = skstat.compare_estimators(
        THREE, *cancer, cv=cv, scoring="roc_auc", random_state=0, stability=4
    )
    shares = [found.share for found in report.stability.values()]
    assert min(shares) < 0.8
    assert text_of(report, "SKS214")


def test_the_least_steady_are_shown_first():
    scores = {name: np.arange(12.0) ** power for power, name in enumerate("pqrst")}
    known = {name: tuple(range(9)) for name in ("seeds", "estimates", "pvalues")}
    report = skstat.compare_scores(scores, n_train=90, n_test=10)
    found = {}
    for n, pair in zip(range(9, 0, -1), report.pairs, strict=False):
        verdicts = ("better",) * n + ("worse",) * (9 - n)
        found[pair[:2]] = Stability(verdict="better", verdicts=verdicts, **known)
    said = " ".join(changed(report, stability=found).details.split())
    least = [f"{' and '.join(pair)} ({n} of 9)" for n, pair in enumerate(reversed(found), 1)]
    assert f"same verdict in: {'; '.join(least[:6])}; 3 more" in said


# Times are known, and nothing else depends on them

CV = ms.KFold(3, shuffle=True, random_state=0)


def test_results_of_cross_validate_bring_their_times():
    results = {
        name: ms.cross_validate(learner, X, Y, cv=CV, return_indices=True)
        for name, learner in THREE.items()
    }
    report = skstat.compare_scores(results)
    for name, found in results.items():
        means = (found[f"{what}_time"].mean() for what in ("fit", "score"))
        assert report.evidence.times[name] == Times(*means)
    two = skstat.compare_scores(results, systems=("tree", "nb"))
    assert set(two.evidence.times) == {"tree", "nb"}
    del results["tree"]["score_time"]
    assert skstat.compare_scores(results).evidence.times is None


def test_a_search_measured_its_candidates():
    search = ms.GridSearchCV(THREE["tree"], {"max_depth": [1, 2, 4]}, cv=CV).fit(X, Y)
    found = skstat.compare_search_candidates(search, random_state=0).evidence.times
    of_search = search.cv_results_["mean_fit_time"].tolist()
    assert [times.fit for times in found.values()] == of_search
    assert list(found) == ["max_depth=1", "max_depth=2", "max_depth=4"]
    search.cv_results_ = {k: v for k, v in search.cv_results_.items() if "time" not in k}
    assert skstat.compare_search_candidates(search, random_state=0).evidence.times is None


class FailsOnFew(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        if len(X) < 40:
            raise ValueError("too few")
        return super().fit(X, y, sample_weight)


def test_over_data_sets_failures_do_not_make_a_system_fast():
    sets = {f"n{n}": (X[:n], Y[:n]) for n in (50, 70, 80, 90, 100, 110, 120)}
    named = {**PAIR, "fails": FailsOnFew()}
    report = skstat.compare_over_datasets(
        named, sets, scoring="accuracy", cv=CV, error_score="collect", random_state=0
    )
    run = report.evidence.run
    whole = [part for name, part in run.datasets.items() if name != "n50"]
    assert np.isnan(run.datasets["n50"].fit_times).any()
    expected = np.mean([part.fit_times.mean(axis=0) for part in whole], axis=0)
    assert [times.fit for times in report.evidence.times.values()] == pytest.approx(expected)
    assert skstat.report_from_dict(report.to_dict()).evidence.times == report.evidence.times
    two = skstat.compare_over_datasets(PAIR, sets, scoring="accuracy", cv=CV, random_state=0)
    assert set(two.evidence.times) == set(PAIR)


# What doors make of the facts that a test of one's own declares


def test_a_declared_test_is_asked_before_the_first_fit():
    @procedure(suited_splits="Pass cv=KFold(4).")
    def four(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
        if sample.n_units != 4:
            raise ValueError(f"four wants 4 splits, got {sample.n_units}.")
        return stats.corrected_t(sample, alternative=alternative)

    never = {"a": Untouched(), "b": Untouched()}
    words = "does not suit the test: four wants 4 .*, got 3. Pass cv=KFold"
    with pytest.raises(ValueError, match=words):
        skstat.compare_estimators(never, X, Y, test=four, cv=ms.KFold(3))


def predictions():
    return {"a": Y ^ (RNG.random(120) < 0.2), "b": Y ^ (RNG.random(120) < 0.4)}


def test_independent_units_in_time_order_are_a_doubt():
    def raised(test):
        asked = {"metric": "accuracy", "order": range(120), "test": test}
        return codes(skstat.compare_predictions(Y, predictions(), **asked))

    def plain(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
        return stats.paired_t(sample, alternative=alternative)

    assert "SKS104" in raised(procedure(independent_units=True)(plain))
    assert "SKS104" not in raised(procedure()(plain))
    assert "SKS104" not in raised(plain)


def test_a_test_of_ordered_units_needs_an_order():
    @procedure(ordered_units=True)
    def in_time(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
        return stats.diebold_mariano(sample, alternative=alternative)

    with pytest.raises(ValueError, match="in_time needs rows in time order: pass order="):
        skstat.compare_predictions(Y, predictions(), metric="accuracy", test=in_time)
