"""Wrong calls, arguments, scorers and scores: the error names them, and says what to write."""

import inspect
import re
from functools import partial

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import make_scorer, r2_score
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat.metrics import rank_loss
from tests.cases import Untouched, refusals
from tests.fitting import DOORS

X, y = make_classification(100, random_state=0)
NUMBERS = X[:, 0] + np.linspace(0, 1e-3, 100)
NB, TREE = GaussianNB(), DecisionTreeClassifier(random_state=0, max_depth=2)
PAIR = [NB, TREE]
quick = partial(skstat.compare_estimators, PAIR, X, cv=3, random_state=0)


def metric(y_true, y_pred):
    raise RuntimeError("no metric today")


WRONG = [
    ({"confidence_level": 95}, r"confidence_level=95 .* as 0\.95"),
    ({"confidence_level": "high"}, "confidence_level='high' must lie between 0 and 1"),
    ({"cv": "5"}, "(cv='5': Expected .?cv.? as an integer|cv must be a number of folds)"),
    ({"cv": True}, "cv=True: .* setting n_splits=2 or more"),
    ({"params": [1, 2]}, "params must map names to values, got list"),
    ({"params": "sample_weight"}, "params must map names"),
    ({"params": {1: 2}}, "params has the name 1"),
    ({"params": {"wight": 2}}, "unexpected keyword argument 'wight'"),
    ({"scoring": 1}, "scoring=1 is not a metric"),
    ({"scoring": "acuracy"}, "scoring='acuracy' is unknown. Did you mean 'accuracy'"),
    ({"scoring": metric}, r"a function of y_true and y_pred.*make_scorer\(metric\)"),
    ({"scoring": make_scorer(metric)}, r"no metric today \(scoring: metric\)"),
    ({"alternative": "two sided"}, "alternative='two sided' is unknown; use 'two-sided'"),
    ({"n_jobs": "all"}, "n_jobs='all' must be a whole number"),
    ({"random_state": "a"}, "random_state='a' must be an int >= 0"),
    ({"random_state": -1}, "random_state=-1 must be an int >= 0"),
    ({"verbose": "loud"}, "verbose='loud' must be"),
    ({"budget": "10"}, "budget='10' must be a whole number"),
    ({"stability": "yes"}, "stability='yes' must be a whole number"),
    ({"groups": "patient"}, "groups must be a sequence of rows, got 'patient'"),
    ({"groups": [1, 2]}, "groups has 2 rows but X has 100"),
    ({"groups": np.ones((100, 2))}, r"groups has shape \(100, 2\); give one group per row"),
    ({"groups": [None, *range(99)]}, "groups is missing for 1 row"),
    ({"groups": np.r_[np.nan, np.ones(99)]}, "groups is missing for 1 row"),
    ({"sample_weight": "balanced"}, "sample_weight must hold numbers"),
    ({"metric": "accuracy"}, r"takes no metric=\. Use scoring=\."),
    ({"scorer": "accuracy"}, r"takes no scorer=\. Use scoring=\."),
    ({"seed": 1}, r"takes no seed=\. Use random_state=\."),
    ({"weights": y}, r"takes no weights=\. Use sample_weight=\."),
    ({"verbos": 1}, r"takes no verbos=\. Use verbose=\."),
    ({"colour": "red"}, r"takes no colour=\. It takes estimator"),
    ({"y": NUMBERS}, "y holds numbers that are not classes .* GaussianNB.* learn classes"),
    ({"y": None}, "y is missing, and GaussianNB needs it"),
    ({"y": y[:50]}, "y has 50 rows but X has 100"),
    ({"y": np.where(y, b"a", b"b")}, "y cannot be read as a target: .*bytes"),
    ({"y": np.where(np.arange(100) == 50, np.nan, y)}, "y of row 50 is nan; leave out"),
    ({"y": [*range(99), None]}, "y of row 99 is None; leave out"),
    ({"y": y * 1j}, "y cannot be read as a target: Complex data not supported$"),
    ({"y": np.ones((100, 2, 2))}, r"y has shape \(100, 2, 2\)"),
    ({"y": np.ma.array(y, mask=y == 1)}, "y is a masked array"),
    ({"y": np.zeros(100)}, "y holds one class only"),
    ({"X": None}, "X must be a sequence of rows"),
    ({"X": "data.csv"}, "X must be a sequence of rows, got 'data.csv'"),
    ({"X": {"a": X[:, 0], "b": X[:, 1]}}, "X is a dict; pass a table"),
    ({"X": (row for row in X)}, "X must be a sequence of rows"),
    ({"X": X[:0], "y": y[:0]}, "X has no rows"),
    ({"X": np.ma.array(X, mask=X > 1)}, "X is a masked array"),
    ({"estimators": [GaussianNB, TREE]}, r"is the class GaussianNB; pass GaussianNB()"),
    ({"estimators": ["nb", "tree"]}, "estimator"),
    ({"estimators": [("nb", NB, 1), TREE]}, "estimator"),
    ({"estimators": [X, y]}, "estimator"),
    ({"groups": set(range(100))}, "groups must be a sequence of rows"),
]


# Of short cases, one in nearly as many as there are doors: every argument, of doors by turns.
@pytest.mark.long(keep=len(WRONG) + len(DOORS))
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("given", "words"), WRONG, ids=[str(words) for _, words in WRONG])
def test_wrong_arguments(door, given, words):
    known = inspect.signature(getattr(skstat, door)).parameters
    data = {"estimators": [NB, TREE], "X": X, "y": y}
    extra = {name: value for name, value in given.items() if name not in data}
    meant = {"metric", "scorer", "seed", "verbos", "colour"}
    meant |= {"weights"} if "sample_weight" in known else set()
    if any(name not in known and name not in meant for name in extra):
        pytest.skip("this door has no such argument")
    pair, table, target = ({**data, **given}[name] for name in data)
    with pytest.raises((TypeError, ValueError, skstat.EvaluationError), match=words) as raised:
        DOORS[door](pair, table, target, **extra)
    assert len(str(raised.value)) < 500


def test_every_door_explains_its_arguments():
    for name in skstat.__all__:
        door = getattr(skstat, name)
        if inspect.isfunction(door):
            with pytest.raises(TypeError, match=f"{name} takes no colour=. (It takes|Use) "):
                door(colour="red")


# Functions that return several scores: the same ones every time, or an error

BLOCKS = partial(skstat.compare_estimators, test="block_jackknife_t")
ASKS = {name: ask for name, ask in DOORS.items() if name != "check_test"} | {"blocks": BLOCKS}


class Naming:
    """A metric whose names depend on how often it was called."""

    __name__ = "naming"

    def __init__(self, names):
        self.names, self.calls = names, 0

    def __call__(self, estimator, X, y):
        self.calls += 1
        return dict.fromkeys(self.names(self.calls), estimator.score(X, y))


CHANGING = {
    "changing": lambda call: [f"m{call % 2}", "b"],
    "missing": lambda call: ["a", "b"] if call < 5 else ["a"],
    "more": lambda call: ["a", "b"] if call > 5 else ["a"],
}


@pytest.mark.parametrize("door", ASKS)
@pytest.mark.parametrize("names", CHANGING)
def test_names_that_change(door, names):
    with pytest.raises(ValueError, match="must name the same scores every time"):
        ASKS[door](PAIR, X, y, scoring=Naming(CHANGING[names]), random_state=0)


NO_SCORES = {
    "no scores": ({}, "returned no scores"),
    "words": ({"a": "high"}, "the score a is 'high', not a number"),
    "nothing": (None, "the score metric is None, not a number"),
    "nested": ({"a": {"b": 1.0}}, "the score a is .*, not a number"),
    "names are numbers": ({1: 0.5}, "the name of the score 1 must be a string"),
    "not finite": ({"a": 1.0, "b": np.nan}, "the score b is nan"),
}


@pytest.mark.parametrize("door", ASKS)
@pytest.mark.parametrize("case", NO_SCORES)
def test_what_is_no_score(door, case):
    returned, words = NO_SCORES[case]

    def metric(estimator, X, y):
        return returned

    with pytest.raises(ValueError, match=words):
        ASKS[door](PAIR, X, y, scoring=metric, random_state=0)


def test_several_scores_over_datasets():
    def metric(estimator, X, y):
        right = estimator.predict(X) == y
        return {"hits": right.mean(), "misses": -np.mean(~right)}

    datasets = {str(n): (X[n:], y[n:]) for n in range(6)}
    ask = partial(skstat.cross_validate_over_datasets, PAIR, datasets, random_state=0)
    run, plain = (ask(scoring=scoring) for scoring in (metric, "accuracy"))
    assert run.metrics == ("hits", "misses")
    np.testing.assert_allclose(run.table("hits").scores, plain.table().scores)
    np.testing.assert_allclose(run.table("misses").scores, plain.table().scores - 1)
    assert set(skstat.compare_scores(run).reports) == {"hits", "misses"}


def test_metrics_that_a_run_does_not_have():
    scoring = ["accuracy", "f1_macro"]
    of_one = skstat.paired_cross_validate(PAIR, X, y, scoring=scoring, random_state=0)
    of_many = skstat.cross_validate_over_datasets(PAIR, {"a": (X, y)}, scoring=scoring)
    for run in (of_one, of_many):
        with pytest.raises(ValueError, match=r"scoring='f1macro' .*Did you mean 'f1_macro'\?"):
            skstat.compare_scores(run, scoring="f1macro")


@pytest.mark.parametrize("scoring", [None, "r2", "explained_variance", make_scorer(r2_score)])
def test_nothing_is_explained_of_a_constant_y(scoring):
    """Scikit-learn gives 0, or 1 without errors."""
    target = X[:, 0].copy()
    target[:25] = 1.0
    asked = {"scoring": scoring, "cv": KFold(4), "test": "corrected_t"}
    with pytest.raises(ValueError, match="undefined: y is the same for all 25 test rows"):
        skstat.compare_estimators([Ridge(), Ridge(9)], X[:, 1:], target, **asked)
    weights = np.ones(len(y))
    weights[26:49] = 0
    target[:25], target[25], target[49] = X[:25, 0], 2.0, 2.0
    with pytest.raises(ValueError, match="on split 1 is undefined: y is the same"):
        skstat.paired_cross_validate(
            [Ridge()], X, target, scoring=scoring, cv=KFold(4), sample_weight=weights
        )


def test_who_asks_for_a_finite_share_has_it():
    target = np.where(np.arange(100) < 25, 1.0, X[:, 0])
    finite = make_scorer(r2_score, force_finite=True)
    run = skstat.paired_cross_validate([Ridge()], X, target, scoring=finite, cv=KFold(4))
    assert run.column("Ridge")[0] == 0.0


# Scorers that give a metric what it is not made for

WORDS = np.where(y == 1, "yes", "no")
OF_LABELS = {
    "roc_auc_score": make_scorer(sk.roc_auc_score),
    "roc_auc_score, ": make_scorer(sk.roc_auc_score, max_fpr=0.2),
    "average_precision_score": make_scorer(sk.average_precision_score),
    "log_loss": make_scorer(sk.log_loss, greater_is_better=False),
    "log_loss ": make_scorer(sk.log_loss),
    "brier_score_loss": make_scorer(sk.brier_score_loss, greater_is_better=False),
    "d2_log_loss_score": make_scorer(sk.d2_log_loss_score),
    "rank_loss": make_scorer(rank_loss, greater_is_better=False),
}


@pytest.mark.parametrize("metric", OF_LABELS)
def test_a_probability_metric_of_labels_is_refused_with_the_line_to_pass(metric):
    never = {"a": Untouched(), "b": Untouched()}
    for scoring in (OF_LABELS[metric], {"mine": OF_LABELS[metric]}, [OF_LABELS[metric]]):
        with pytest.raises(ValueError, match="labels of predict") as caught:
            skstat.compare_estimators(never, X, y, scoring=scoring)
    line = re.search(r"scoring=(make_scorer\(.*\)), with", str(caught.value))[1]
    names = {**vars(sk), "rank_loss": rank_loss, "make_scorer": make_scorer}
    scorer = eval(line, names)  # the line itself is what is tested
    report = skstat.compare_estimators(PAIR, X, y, scoring=scorer, cv=3, random_state=0)
    losses = metric.strip() in ("log_loss", "brier_score_loss", "rank_loss")
    assert report.lower is losses
    # The value is that of scikit-learn's own scorer of probabilities.
    known = {"roc_auc_score": "roc_auc", "log_loss": "neg_log_loss"}.get(metric)
    if known is not None:
        own = skstat.compare_estimators(PAIR, X, y, scoring=known, cv=3, random_state=0)
        assert report.estimate == pytest.approx(own.estimate)


ONE_CLASS = {
    "f1": "f1_score",
    "precision": "precision_score",
    "recall": "recall_score",
    "jaccard": "jaccard_score",
    "average_precision": "average_precision_score",
    "neg_brier_score": "brier_score_loss",
}


@pytest.mark.parametrize("metric", ONE_CLASS)
def test_labels_in_words_are_refused_with_the_line_to_pass(metric):
    function = getattr(sk, ONE_CLASS[metric])
    probabilities = metric in ("average_precision", "neg_brier_score")
    how = {"response_method": "predict_proba"} if probabilities else {}
    if metric == "neg_brier_score":
        how["greater_is_better"] = False
    for scoring in (metric, make_scorer(function, **how)):
        with pytest.raises(ValueError, match="positive class") as caught:
            quick(WORDS, scoring=scoring)
    line = re.search(r"scoring=(make_scorer\(.*?\)), or 'no'", str(caught.value))[1]
    scorer = eval(line, {**vars(sk), "make_scorer": make_scorer})  # the line is what is tested
    words, numbers = (
        quick(targets, scoring=used) for targets, used in ((WORDS, scorer), (y, metric))
    )
    assert words.estimate == pytest.approx(numbers.estimate)


def test_what_is_right_goes_on():
    fine = [
        make_scorer(sk.roc_auc_score, response_method="predict_proba"),
        make_scorer(sk.accuracy_score),
        make_scorer(sk.f1_score, pos_label="yes"),
        make_scorer(sk.f1_score, average="macro", pos_label=None),
        "roc_auc",
        "f1_macro",
        None,
    ]
    for scoring in fine:
        quick(WORDS, scoring=scoring, cv=3, random_state=0)
    # What a regressor predicts is a score.
    pair = {"ols": LinearRegression(), "ridge": Ridge()}
    scorer = make_scorer(sk.roc_auc_score)
    report = skstat.compare_estimators(pair, X, y, scoring=scorer, cv=3, random_state=0)
    assert report.unit == "split"


# Calls as other packages spell them

TRUTH = np.arange(80) % 2
ONE, TWO = np.arange(80) // 2 % 2, np.arange(80) // 4 % 2
NUMBERS_OF_TWO = [0.81, 0.79, 0.84, 0.8], [0.78, 0.77, 0.79, 0.8]
IN_A_MAPPING = r"give {} of all systems in one mapping, \{{'name': ...\}}, and write the others"

test_wrong_calls_say_what_is_taken = refusals([
    *(
        (call, IN_A_MAPPING.format(together))
        for call, together in (
            (lambda: skstat.compare_estimators(NB, TREE, X, y), "estimators"),
            (lambda: skstat.compare_estimators([NB, TREE], X, y, 5), "estimators"),
            (lambda: skstat.compare_over_datasets(NB, TREE, {"a": (X, y)}), "estimators"),
            (lambda: skstat.paired_cross_validate(NB, TREE, X, y), "estimators"),
            (lambda: skstat.estimate_performance(NB, TREE, X, y), "estimator"),
            (lambda: skstat.check_test(NB, TREE, X, y), "estimator"),
            (lambda: skstat.compare_predictions(TRUTH, ONE, TWO, metric="f1"), "predictions"),
            (lambda: skstat.compare_predictions(TRUTH, {"one": ONE}, "f1"), "predictions"),
            (lambda: skstat.cochran_q_test(TRUTH, ONE, TWO, ONE), "predictions"),
            (lambda: skstat.comparison.compare_curves(TRUTH, ONE, TWO), "predictions"),
            (lambda: skstat.compare_scores(*NUMBERS_OF_TWO, unit="seed"), "scores"),
            (lambda: skstat.compare_scores({"a": NUMBERS_OF_TWO[0]}, "seed"), "scores"),
            (lambda: skstat.rank_systems(*NUMBERS_OF_TWO, unit="seed"), "results"),
        )
    ),
    (partial(skstat.paired_cross_validate, PAIR, X, y, cv=[1, 2, 3]),
     r"cv=\[1, 2, 3\] must hold pairs of training"),
    (partial(quick, y, scoring={1: "accuracy"}), "scoring has the name 1"),
    # Which scikit-learn refuses too: an average over classes has no positive one.
    (partial(quick, WORDS, scoring=make_scorer(sk.f1_score, average="macro")),
     "average='macro', pos_label=None"),
    (lambda: skstat.compare_estimators(NB, X, y), "estimators must be a mapping"),
    (lambda: skstat.paired_cv_ttest([NB, TREE], X, y), "estimator_a is a list; pass an"),
    (lambda: skstat.paired_cv_ttest({"a": NB, "b": TREE}, X, y), "pass an estimator, or a p"),
    (lambda: skstat.paired_permutation_test(TRUTH, {"a": ONE}, metric="f1"), "lacks b"),
    (lambda: skstat.delong_test(TRUTH, ONE, TWO, ONE), "takes 3 arguments by position"),
    (lambda: skstat.binomial_test(8, 10, 0.5), "takes 2 arguments by position"),
    (lambda: skstat.binomial_test(8, 10, constant=0.5), "y_true must hold an entry per"),
    (lambda: skstat.compare_predictions(TRUTH, ONE, metric="f1"), "must be a mapping"),
    (lambda: skstat.paired_cv_ttest(NB, TREE, X, y, random_seed=1), "Use random_state="),
    (lambda: skstat.compare_predictions(TRUTH, {}, metric="f1", verbose=1), "by themselves"),
    (lambda: skstat.plan_comparison("scores", alpha=0.1), "Use confidence_level=, which is 1"),
    (lambda: skstat.five_by_two_cv_test(estimator1=NB, estimator2=TREE, X=X, y=y),
     r"takes no estimator1=\. Use estimator_a="),
    *(
        (partial(skstat.mcnemar_test, *given), "give y_true, a and b, or a table of counts")
        for given in ((TRUTH, {"a": ONE, "b": TWO}), ([[54, 18], [6, 22]],))
    ),
], error=(TypeError, ValueError))  # fmt: skip
