"""The guide for estimators that are still to be fitted, on one data set."""

from typing import Any

from skstat.comparison._guide.rule import Rule, other
from skstat.comparison._guide.situation import Situation
from skstat.evaluation._default_splits import (
    DEFAULT_FOLDS,
    FEWEST_BESIDE_FOLDS,
    FITS_OF_FOLDS,
    affordable_halvings,
)

_FEWEST_FITS = 10
FEWEST_AT_NINE_TENTHS = FITS_OF_FOLDS + 2 * FEWEST_BESIDE_FOLDS
_MOST_BLOCKS = 8
_30_FITS = "30 fits per estimator for the default design"


def _on_two(s: Situation) -> bool:
    return s.planned and s.n_systems == 2


def _fits(s: Situation, low: int, high: int | None = None) -> bool:
    return s.budget is not None and s.budget >= low and (high is None or s.budget < high)


def halvings(s: Situation) -> dict[str, Any]:
    """Describe halves of the rows, with balanced overlaps."""
    n = affordable_halvings(s.budget)
    return {"kind": f"{n} x 2 halves", "n_splits": 2 * n, "n_halvings": n}


def blocks(s: Situation) -> dict[str, Any]:
    """Describe blocks of which every pair is left out once."""
    n = _MOST_BLOCKS
    while s.budget is not None and n * (n - 1) // 2 > s.budget:
        n -= 1
    return {"kind": f"{n} blocks, each pair left out", "n_splits": n * (n - 1) // 2,
            "n_blocks": n}  # fmt: skip


def _folds_and_halvings(s: Situation) -> dict[str, Any]:
    """Describe folds that train on nine tenths of the rows, and halves for their variance."""
    n = affordable_halvings(s.budget, beside_folds=True)
    return {
        "kind": f"2 x {DEFAULT_FOLDS} folds, and {n} x 2 halves for their variance",
        "n_splits": FITS_OF_FOLDS + 2 * n,
        "n_halvings": n,
        "n_folds": DEFAULT_FOLDS,
    }


def _with_scoring(s: Situation) -> str:
    budget = "" if s.budget is None else f", budget={s.budget}"
    return f"compare_estimators(estimators, X, y, scoring=scoring{budget})"


def _larger_training_sets(s: Situation) -> str:
    """Say what training on nine tenths of the rows takes, beside training on half."""
    n = max(_folds_and_halvings(s)["n_splits"], FEWEST_AT_NINE_TENTHS)
    on_folds = FITS_OF_FOLDS * (1 - 1 / DEFAULT_FOLDS)
    times = (on_folds + (n - FITS_OF_FOLDS) / 2) / (halvings(s)["n_splits"] / 2)
    return (
        f"{n} fits per estimator for learners trained on nine tenths of the rows "
        f"(train_size=0.9): {times:.1f} times as many training rows in all"
    )


def _fits_left(s: Situation) -> str:
    n = affordable_halvings(s.budget)
    if s.budget is None or s.budget < 2 * n + 2:
        return ""
    return (
        f"{2 * n} of the {s.budget} fits are made: balanced overlaps are known for {n} "
        "halvings, and more would hardly narrow the interval."
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
_PROJECTION: dict[str, Any] = {
    "name": "projection_t",
    "title": "the projection t test",
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
        needs=("10 fits per estimator for the projection t test, which is about learners",),
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
        reason="no correction is known for splits of rows in time order",
        alternatives=(
            other("paired_bootstrap", "a metric that is not a mean: draws blocks"),
            other("corrected_t", "cv=TimeSeriesSplit(): a rough guide"),
        ),
        example="guide_groups_time_seeds.py",
    ),
    Rule(
        **_BUDGET | {"ask": _with_scoring},
        id="two-estimators-any-metric",
        situation="the contribution of a row to the metric is not known: a function of your "
        "own, a median",
        test="block jackknife t test, each pair of up to 8 blocks left out",
        report="n_train, number of blocks, difference and interval",
        applies=lambda s: _on_two(s) and not s.by_rows,
        name="block_jackknife_t",
        title="the block jackknife t test",
        reason="the contribution of a row to the metric is not known, and leaving out blocks "
        "needs only scores",
        alternatives=(
            other("projection_t", "a metric of scikit-learn that has a formula"),
            other("corrected_t", "metrics and learners for which its level was measured"),
        ),
        cautions=(
            "It is conservative: in simulations it found a quarter of the differences that "
            "the projection t test finds in the median case, and about half of them in "
            "one case of four.",
        ),
        design=blocks,
    ),
    Rule(
        **_TWO
        | _PROJECTION
        | {
            "ask": lambda s: (
                "compare_estimators(estimators, X, y, train_size=0.9"
                + ("" if s.budget is None else f", budget={s.budget}")
                + ")"
            )
        },
        id="two-estimators-nine-tenths",
        situation="learners trained on nine tenths of the rows",
        test="projection t test on 2 x 10 folds, with the variance of 15 halvings",
        report="n_train, folds and halvings, difference and interval",
        applies=lambda s: _on_two(s) and s.nine_tenths,
        reason="scores come from folds that train on nine tenths of the rows, whose variance "
        "only halves can tell",
        alternatives=(
            other(
                "compare_estimators",
                "without train_size: learners trained on half of the rows, 30 fits, more power",
            ),
            other("block_jackknife_t", "nothing should be assumed about learners and metric"),
        ),
        design=_folds_and_halvings,
        example="guide_two_estimators.py",
    ),
    Rule(
        **_BUDGET,
        **_PROJECTION,
        id="two-estimators-budget",
        situation="10 fits or more per estimator",
        test="projection t test on half as many halvings of the rows, up to 23",
        report="n_train, number of halvings, difference and interval",
        applies=lambda s: _on_two(s) and _fits(s, _FEWEST_FITS),
        reason=lambda s: (
            f"{s.budget} fits per estimator are enough for {halvings(s)['kind']}, and it "
            f"keeps its level for most of the learners and metrics that were tried"
        ),
        alternatives=(
            other("block_jackknife_t", "nothing should be assumed about learners and metric"),
            other("five_by_two_f", "10 fits, accuracy, to compare with older results"),
        ),
        needs=(lambda s: _larger_training_sets(s) if _fits(s, 30) else _30_FITS,),
        cautions=(_fits_left,),
        design=halvings,
    ),
    Rule(
        **_TWO,
        **_PROJECTION,
        id="two-estimators-30-fits",
        situation="nothing said of the fits",
        test="projection t test on 15 x 2 balanced halves",
        report="n_train, number of halvings, difference and interval",
        applies=_on_two,
        reason="on 15 x 2 halves it kept its level for most of the learners and metrics that "
        "were tried",
        alternatives=(
            other("block_jackknife_t", "nothing should be assumed about learners and metric"),
            other("corrected_t", "training on two thirds of the rows, accuracy"),
        ),
        needs=(_larger_training_sets,),
        design=halvings,
        example="guide_two_estimators.py",
    ),
)
