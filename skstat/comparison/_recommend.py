"""Which test suits a situation, before anything is run."""

from numbers import Integral, Real
from typing import Any, get_args

from skstat._arguments import explains_arguments
from skstat.comparison import _guide as guide
from skstat.comparison._question import checked_adjustment
from skstat.evaluation import CrossValidationRun, DatasetsRun
from skstat.evaluation._splitters import check_train_size
from skstat.metrics import as_metric
from skstat.report import Recommendation
from skstat.stats import Predictions
from skstat.stats._posterior import check_rope
from skstat.stats._procedure import check_alternative
from skstat.stats._read import group_codes
from skstat.stats._scores import UNITS, check_constant, check_count, effective_groups

_RUNS = CrossValidationRun | DatasetsRun
_SEEDS = ("crossed", "average", "means")
_KNOWN_BY_PREDICTIONS = "it is read from predictions: pass a stats.Predictions as holds."


@explains_arguments(
    n_datasets="n= is the number of data sets, with unit='dataset'.",
    n_groups="groups= takes their number, or the group of every row.",
    n_seeds="seeds='crossed' says that each system has several.",
    n_splits="cv= takes a splitter, or the share of rows for testing; n= is then the number of "
    "random splits.",
    test_fraction="cv= takes the share of rows for testing, such as cv=0.1.",
    stable="it is read from a run: pass one of paired_cross_validate as holds.",
    smallest_class=_KNOWN_BY_PREDICTIONS,
    weighted=_KNOWN_BY_PREDICTIONS,
    difference="plan_comparison(holds, difference=...) says how much data it takes.",
)
def recommend_test(
    holds: Any,
    *,
    n_systems: int | None = None,
    unit: str | None = None,
    n: int | None = None,
    metric: Any = None,
    groups: Any = None,
    ordered: bool | None = None,
    seeds: str | None = None,
    paired_seeds: bool | None = None,
    cv: Any = None,
    budget: int | None = None,
    train_size: float | None = None,
    control: Any = None,
    adjustment: str = "auto",
    constant: float | None = None,
    alternative: str = "two-sided",
    margin: float | None = None,
    rope: float | None = None,
) -> Recommendation:
    """Say which test suits a situation, and why. Nothing is fitted or tested.

    It uses the same table of rules as ``test="auto"``: :ref:`choosing-table`.

    Parameters
    ----------
    holds : {"estimators", "predictions", "scores"}, sample or run
        What you have. From a sample of :mod:`skstat.stats` or a run of
        :func:`paired_cross_validate` or :func:`cross_validate_over_datasets` the rest is
        read, as far as it is known.
    n_systems : int, default=2
        Number of systems; 1 is compared with a constant or with guessing. With `constant`
        the default is 1.
    unit : {"split", "instance", "group", "seed", "dataset"}, optional
        What one score is of; needed for ``"scores"``; ``"dataset"`` for estimators on many
        data sets, too.
    n : int, optional
        Number of rows of the test set, or of units.
    metric : str, callable or scorer, optional
        Name of a scorer, function of :mod:`sklearn.metrics`, ``make_scorer`` object, or any
        function ``(y_true, y_pred)`` to a number, corpus-level ones over lists of strings
        included; ``"cost"`` for costs of errors.
    groups : int or array-like of shape (n_samples,), optional
        Number of groups that rows come in, or the group of every row.
    ordered : bool, default=False
        Whether rows stand in time order.
    seeds : {"crossed", "average", "means"}, optional
        Each system has predictions of several seeds, which are treated so. ``"crossed"`` treats
        seeds and rows as random. The others are in common use and ignore some variance; the
        report says which.
    paired_seeds : bool, default=False
        Whether seed i means the same for every system, because it controls the same thing in
        all of them (the order of the data, the split).
    cv : int, float or splitter, optional
        The splits, if they are chosen: a number of folds, a scikit-learn splitter, or the
        share of rows that `n` random splits have for testing.
    budget : int, optional
        Number of fits per estimator that you can afford.
    train_size : {0.5, 0.9}, default=0.5
        Share of the rows that train each model. With 0.9 the scores are those of twice 10
        folds, and their variance is found on 15 halvings (:ref:`nine-tenths`).
    control : bool or str, optional
        Whether one system is compared with each of the others.
    adjustment : str, default="auto"
        How p-values and intervals of three systems or more are adjusted. ``"auto"`` is
        ``"max-t"``, the joint distribution of all comparisons, where the test has one, and
        else ``"holm"``: :doc:`/several`. Or a method of :func:`skstat.stats.adjust_pvalues`.
    constant : float, optional
        Compare one system with this score, which was known in advance.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the first system scores higher than the second.
    margin : float, optional
        The smallest difference that matters, in the unit of the score, fixed before the scores
        are seen. The report then says whether the two are equivalent, or one is not inferior
        to the other: :doc:`/equivalence`.
    rope : float, optional
        Read the comparison as probabilities too: that one system is better by more than this,
        that the other is, that they are practically the same (:doc:`/probabilities`). In the
        unit of the score, fixed before the scores are seen; 0 is for no such region.

    Returns
    -------
    Recommendation
        The test, the reason, the call, alternatives, and what would be needed for more.

    Raises
    ------
    ValueError
        If an argument makes no sense, or contradicts what the sample or run says.

    Examples
    --------
    >>> from skstat import recommend_test
    >>> recommend_test("estimators", budget=12)
    Test          the projection t test
    Because       12 fits are enough for 6 x 2 halves, and this test measures the part of
                  each row in the variance
    Call          compare_estimators(estimators, X, y, budget=12)
    Design        6 x 2 halves
    Alternatives  block_jackknife_t (nothing should be assumed about learners and metric);
                  five_by_two_f (accuracy on 5x2 halves, to compare with older results)
    Would need    30 fits per estimator for the default design

    >>> recommend_test("predictions", metric="f1_macro", groups=12).situation
    'groups-other'
    """
    check_alternative(alternative)
    guide.check_budget(budget, nine_tenths=check_train_size(train_size, cv=cv))
    checked_adjustment(adjustment, None if control in (None, False) else str(control))
    for name, value in {"n_systems": n_systems, "n": n}.items():
        if value is not None:
            check_count(name, value)
    if margin is not None and not (isinstance(margin, Real) and float(margin) > 0):
        raise ValueError(f"margin={margin!r} must be a number above 0.")
    if seeds not in (None, *_SEEDS):
        raise ValueError(f"seeds={seeds!r} is unknown; use one of {', '.join(_SEEDS)}.")
    of_cost = isinstance(metric, str) and metric == "cost"
    described = {
        "n_systems": n_systems,
        "unit": unit,
        "n": n,
        "metric": metric if metric is None or of_cost else guide.kind_of(as_metric(metric)),
        "ordered": ordered,
        "seeds": seeds,
        "paired_seeds": paired_seeds,
        **({} if groups is None else _groups(groups)),
        **guide.described_splits(cv, n),
    }
    asked = {
        "budget": budget,
        "nine_tenths": train_size == 0.9 or None,
        "control": None if control is None else control is not False,
        "adjustment": adjustment,
        "constant": None if constant is None else check_constant(constant),
        "one_sided": alternative != "two-sided",
        "margin": margin,
        "rope": None if rope is None else check_rope(rope),
    }
    facts = {name: value for name, value in (described | asked).items() if value is not None}
    if isinstance(holds, Predictions | guide.AnyScores | _RUNS):
        if told := [name for name in described if name in facts]:
            raise ValueError(
                f"{told[0]} describes data that you do not have yet; a {type(holds).__name__} "
                "already says it."
            )
        situation = guide.Situation.of(holds, **facts)
        if constant is not None and situation.n_systems != 1:
            raise ValueError(
                f"constant= is what one system is compared with; this {type(holds).__name__} "
                f"holds {situation.n_systems}."
            )
        return guide.recommend(situation)
    if not isinstance(holds, str) or holds not in get_args(guide.Holds):
        raise ValueError(
            f"holds={holds!r} must be 'estimators', 'predictions', 'scores', a sample of "
            "skstat.stats or a run."
        )
    _check_together(holds, facts)
    if constant is not None:
        facts["n_systems"] = 1
    # Bare scores of splits say nothing of rows.
    of_splits = holds == "scores" and ("splits" in facts or unit == "split")
    known = metric is None or of_cost or as_metric(metric).facts.kernel is not None
    if of_splits or (holds == "estimators" and not known):
        facts["by_rows"] = False
    return guide.recommend(guide.Situation(holds=holds, **facts))  # type: ignore[arg-type]


def _groups(groups: Any) -> dict[str, Any]:
    """Describe groups by their number, or by the group of every row."""
    if isinstance(groups, Integral):
        return {"grouped": True, "n_groups": check_count("groups", groups)}
    codes = group_codes(groups, len(groups))
    known = {"n_groups": int(codes.max()) + 1, "n_effective_groups": effective_groups(codes)}
    return {"grouped": True, **known}


def _check_together(holds: str, facts: dict[str, Any]) -> None:
    """Refuse a description that leaves out what decides, or contradicts itself."""
    unit, splits = facts.get("unit"), "splits" in facts
    if holds == "scores" and unit is None and not splits:
        raise ValueError(
            "unit is missing: scores of folds and of data sets need different tests. Say "
            f"unit={' | '.join(map(repr, UNITS))}."
        )
    if unit not in (None, *UNITS):
        raise ValueError(f"unit={unit!r} is unknown; use one of {', '.join(map(repr, UNITS))}.")
    if holds != "scores" and unit not in (None, "dataset"):
        raise ValueError(f"unit= is for scores, but you hold {holds}; leave it out.")
    if "paired_seeds" in facts and unit != "seed" and "seeds" not in facts:
        raise ValueError("paired_seeds= is for scores of seeds: say unit='seed' too.")
    if "seeds" in facts and holds != "predictions":
        raise ValueError(
            "seeds= is for predictions of every seed; for one score per seed say unit='seed'."
        )
    if "constant" in facts and facts.get("n_systems", 1) != 1:
        raise ValueError(
            f"constant= is what one system is compared with, and n_systems="
            f"{facts['n_systems']}; leave one of the two out."
        )
    for fact, argument in (("budget", "budget"), ("nine_tenths", "train_size")):
        if fact in facts and (holds != "estimators" or unit == "dataset" or splits):
            raise ValueError(
                f"{argument}= is for estimators that are still to be fitted on one data set, "
                "whose splits are recommended: leave it out, or cv."
            )
    if splits and (holds == "predictions" or unit not in (None, "split")):
        raise ValueError(
            "cv= describes splits of estimators, or of their scores: leave it out."
        )
    if facts.get("grouped") and facts.get("ordered"):
        raise ValueError("groups and ordered cannot be combined: which rows are alike?")
