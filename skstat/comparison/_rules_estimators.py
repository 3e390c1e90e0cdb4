"""The guide for estimators that are still to be fitted, on one data set."""

from typing import Any

from skstat.comparison._rule import Rule, other
from skstat.comparison._situation import Situation

_FEWEST_FITS = 10
_MOST_SPLITS = 100
_30_FITS = "30 fits per estimator for the default design"


def _on_two(s: Situation) -> bool:
    return s.planned and s.n_systems == 2


def _fits(s: Situation, low: int, high: int | None = None) -> bool:
    return s.budget is not None and s.budget >= low and (high is None or s.budget < high)


def random_splits(n_splits: int, test_size: float = 1 / 3) -> dict[str, Any]:
    """Describe random splits, which are stratified for classifiers."""
    return {"kind": "random splits", "n_splits": n_splits, "test_size": test_size}


def _share(s: Situation) -> float:
    """Share of the rows for testing, of few splits."""
    return 1 / 10 if s.stable else 1 / 3


def _unlike_the_guide(s: Situation) -> str:
    if s.stable:
        return ""
    return (
        "One third of the rows tests, and not the one tenth that is often advised for so few "
        "splits: with one tenth, learners that select or tune were measured to reject 9 to "
        "20 % of true null hypotheses at a nominal 0.05."
    )


def _for_10x10(s: Situation) -> str:
    """Say what is missing for 10x10 folds, if that can be had."""
    if not s.foldable:
        return ""
    missing = [] if _fits(s, _MOST_SPLITS) else ["100 fits per estimator"]
    missing += [] if s.stable else ["stable learners"]
    return f"{' and '.join(missing)} for 10x10 cross-validation"


def _for_stable(s: Situation) -> str:
    if s.stable:
        return ""
    return (
        "It is for learners that are stable: with the nearest neighbour it was measured to "
        "reject 12 % of true null hypotheses at a nominal 0.05."
    )


_TWO: dict[str, Any] = {
    "systems": "2",
    "data": "one data set",
    "ask": "compare_estimators(estimators, X, y)",
}
_BUDGET: dict[str, Any] = {
    "systems": "2",
    "data": "one data set",
    "ask": lambda s: f"compare_estimators(estimators, X, y, budget={s.budget or 'fits'})",
    "example": "guide_budget.py",
}
_CORRECTED: dict[str, Any] = {
    "name": "corrected_t",
    "title": "the corrected resampled t test",
}

FEW_FITS = (
    Rule(
        **_TWO | {"ask": "compare_predictions(y_test, predictions, metric=metric)"},
        id="estimators-few-fits",
        situation="fewer than 10 fits per estimator: large data, slow training",
        test="the tests of fitted systems on one test set; several seeds of each",
        report="that it is about these fitted systems, not about the learners",
        applies=lambda s: s.planned and s.n_systems > 1 and _fits(s, 0, _FEWEST_FITS),
        name="compare_predictions",
        title="the tests of fitted systems on one test set",
        reason=lambda s: (
            f"with {s.budget} fit{'s' * (s.budget != 1)} per estimator no test about learners "
            "is valid"
        ),
        alternatives=(
            other("mcnemar", "accuracy"),
            other("delong", "ROC AUC"),
            other("paired_permutation", "any metric"),
            other("crossed_t", "several seeds of each"),
        ),
        needs=("10 fits per estimator for the 5x2cv F test, which is about learners",),
        cautions=(
            "The answer is about these fitted systems: two learners that are equally good "
            "give fitted systems that are not.",
        ),
        example="guide_budget.py",
    ),
)

PLANNED = (
    Rule(
        **_TWO | {"ask": "compare_predictions(y_test, predictions, metric=metric, order=time)"},
        id="estimators-time-order",
        situation="rows in time order",
        test="test of Diebold and Mariano, on the forecasts for a last stretch",
        report="autocorrelation, number of forecasts",
        applies=lambda s: s.planned and s.ordered,
        name="diebold_mariano",
        title="the test of Diebold and Mariano",
        reason="no correction was derived for splits of rows in time order",
        alternatives=(
            other("paired_bootstrap", "a metric that is no mean: draws blocks"),
            other("corrected_t", "cv=TimeSeriesSplit(): a rough guide"),
        ),
        example="guide_groups_time_seeds.py",
    ),
    Rule(
        **_BUDGET,
        **_CORRECTED | {"title": "the corrected repeated K-fold t test on 10x10 folds"},
        id="two-estimators-100-fits-stable",
        situation="100 fits or more per estimator, all learners known to be stable",
        test="corrected repeated K-fold t test on 10x10 stratified folds",
        report="n_train, splits, difference and interval",
        applies=lambda s: (
            _on_two(s) and _fits(s, _MOST_SPLITS) and s.stable is True and s.foldable
        ),
        reason=lambda s: (
            f"{s.budget} fits per estimator are enough for 10x10 folds, and the learners are "
            "known to be stable"
        ),
        alternatives=(other("bouckaert_t", "10x10 folds: its own calibration"),),
        design=lambda s: {"kind": "10x10 folds", "n_splits": 100},
    ),
    Rule(
        **_BUDGET,
        **_CORRECTED,
        id="two-estimators-30-to-100-fits",
        situation="30 fits or more per estimator, stability unknown",
        test="corrected resampled t test on up to 100 random splits, one third for testing",
        report="n_train, number of splits, difference and interval",
        applies=lambda s: _on_two(s) and _fits(s, 30),
        reason=lambda s: (
            f"{min(s.budget or 0, _MOST_SPLITS)} random splits with one third for testing hold "
            "their level for learners of most kinds"
            + ("" if s.stable else ", also where these are not known to be stable")
        ),
        alternatives=(
            other("five_by_two_f", "10 fits"),
            other("learner_stability", "first: whether 10x10 folds suit the learners"),
        ),
        needs=(_for_10x10,),
        design=lambda s: random_splits(min(s.budget or 0, _MOST_SPLITS)),
    ),
    Rule(
        **_BUDGET,
        **_CORRECTED,
        id="two-estimators-15-fits",
        situation="15 to 29 fits per estimator",
        test="corrected resampled t test on as many random splits; one third for testing, one "
        "tenth if all learners are known to be stable",
        report="n_train, number of splits, difference and interval",
        applies=lambda s: _on_two(s) and _fits(s, 15),
        reason=lambda s: (
            f"{s.budget} random splits, {'one tenth' if s.stable else 'one third'} for "
            "testing, are what the fits allow"
        ),
        alternatives=(other("five_by_two_f", "10 fits"),),
        needs=(_30_FITS,),
        cautions=(_unlike_the_guide,),
        design=lambda s: random_splits(s.budget or 0, _share(s)),
    ),
    Rule(
        **_BUDGET,
        **_CORRECTED,
        id="two-estimators-10-fits-one-sided",
        situation="10 to 14 fits per estimator, one-sided question",
        test="corrected resampled t test on as many random splits, one third for testing",
        report="n_train, number of splits, one-sided limit",
        applies=lambda s: _on_two(s) and _fits(s, _FEWEST_FITS) and s.one_sided,
        reason=lambda s: (
            f"{s.budget} fits per estimator are too few for more, and the 5x2cv F test is "
            "two-sided only"
        ),
        alternatives=(other("five_by_two_f", "two-sided"),),
        needs=(_30_FITS,),
        design=lambda s: random_splits(s.budget or 0),
    ),
    Rule(
        **_BUDGET,
        id="two-estimators-10-fits",
        situation="10 to 14 fits per estimator",
        test="5x2cv F test",
        report="that the learners were trained on half of the rows",
        applies=lambda s: _on_two(s) and _fits(s, _FEWEST_FITS),
        name="five_by_two_f",
        title="the 5x2cv F test",
        reason=lambda s: f"{s.budget} fits per estimator are enough for five times two halves",
        alternatives=(
            other("corrected_t", "one-sided; safe with 10 folds too, but with a power of 0.16"),
        ),
        needs=(_30_FITS,),
        cautions=(_for_stable,),
        design=lambda s: {"kind": "5x2 halves", "n_splits": 10},
    ),
    Rule(
        **_TWO,
        **_CORRECTED,
        id="two-estimators-30-fits",
        situation="nothing said of the fits",
        test="corrected resampled t test on 30 random splits, one third for testing",
        report="n_train, number of splits, difference and interval",
        applies=_on_two,
        reason="30 random splits with one third for testing hold their level for learners of "
        "most kinds",
        alternatives=(other("five_by_two_f", "budget=10"),),
        needs=(_for_10x10,),
        design=lambda s: random_splits(30),
        example="guide_two_estimators.py",
    ),
)
