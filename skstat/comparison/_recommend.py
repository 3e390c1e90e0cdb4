"""Which test suits a situation, before anything is run."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from numbers import Real
from typing import Any, get_args

from skstat._arguments import explains_arguments
from skstat.comparison._engine import check_joint
from skstat.comparison._guide import (
    Holds,
    Situation,
    check_budget,
    described_splits,
    kind_of,
    recommend,
)
from skstat.evaluation import CrossValidationRun, DatasetsRun
from skstat.evaluation._default_splits import check_train_size
from skstat.evaluation._inputs import is_known_stable
from skstat.metrics import as_metric
from skstat.metrics._row_metric import has_row_formula
from skstat.report import Recommendation
from skstat.stats import (
    ClusteredScores,
    PairedScores,
    Predictions,
    Scores,
    ScoreTable,
    SeedScores,
    SeedScoreTable,
)
from skstat.stats._outcomes import check_rope
from skstat.stats._samples import (
    UNITS,
    check_alternative,
    check_constant,
    check_count,
    effective_groups,
    group_codes,
)

_OBJECTS = (
    PairedScores
    | ClusteredScores
    | Scores
    | ScoreTable
    | SeedScores
    | SeedScoreTable
    | CrossValidationRun
    | DatasetsRun
    | Predictions
)
_SEEDS = ("crossed", "average", "means")


@explains_arguments
def recommend_test(
    holds: Any,
    *,
    n_systems: int | None = None,
    n_datasets: int | None = None,
    unit: str | None = None,
    metric: Any = None,
    n: int | None = None,
    n_groups: int | None = None,
    groups: Any = None,
    smallest_class: int | None = None,
    ordered: bool | None = None,
    weighted: bool | None = None,
    n_seeds: int | None = None,
    seeds: str | None = None,
    paired_seeds: bool | None = None,
    cv: Any = None,
    n_splits: int | None = None,
    test_fraction: float | None = None,
    stable: Any = None,
    budget: int | None = None,
    train_size: float | None = None,
    control: Any = None,
    adjustment: str = "auto",
    constant: float | None = None,
    alternative: str = "two-sided",
    margin: float | None = None,
    rope: float | None = None,
    difference: float | None = None,
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
    n_datasets : int, default=1
        Number of data sets.
    unit : {"split", "instance", "group", "seed", "dataset"}, optional
        What one score is of; needed for ``"scores"``.
    metric : str, callable or scorer, optional
        Name of a scorer, function of :mod:`sklearn.metrics`, ``make_scorer`` object, or any
        function ``(y_true, y_pred)`` to a number, corpus-level ones over lists of strings
        included; ``"cost"`` for costs of errors.
    n : int, optional
        Number of rows of the test set, or of scores.
    n_groups : int, optional
        Number of groups that rows come in.
    groups : array-like of shape (n_samples,), optional
        Group of every row, instead of `n_groups`.
    smallest_class : int, optional
        Rows of the rarest class.
    ordered : bool, default=False
        Whether rows stand in time order.
    weighted : bool, default=False
        Whether rows have weights, or strata of a fixed size.
    n_seeds : int, default=1
        Seeds of each system.
    seeds : {"crossed", "average", "means"}, default="crossed"
        How several seeds of each system are treated. ``"crossed"`` treats seeds and rows as
        random. The others are in common use and ignore some variance; the report says which.
    paired_seeds : bool, default=False
        Whether seed i means the same for every system, because it controls the same thing in
        all of them (the order of the data, the split).
    cv : int or splitter, optional
        The splits, if they are chosen: a number of folds or a scikit-learn splitter.
    n_splits, test_fraction : int and float, optional
        Random splits, instead of `cv`: their number, and the share of rows for testing.
    stable : bool, estimator, or mapping or list of estimators, optional
        Whether small changes of the training data change the learners little: known, or
        looked up for estimators.
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
    difference : float, optional
        The smallest difference that matters to you, in the unit of the score. What would be
        needed then names the call that says how much data it takes (:doc:`/planning`).

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
    >>> recommend_test("estimators", budget=12, stable=True)
    Test          the projection t test
    Because       12 fits are enough for 6 x 2 halves, and this test measures the part of
                  each row in the variance
    Call          compare_estimators(estimators, X, y, budget=12)
    Design        6 x 2 halves
    Alternatives  block_jackknife_t (nothing should be assumed about learners and metric);
                  five_by_two_f (accuracy on 5x2 halves, to compare with older results)
    Would need    30 fits per estimator for the default design

    >>> recommend_test("predictions", metric="f1_macro", n_groups=12).situation
    'groups-other'
    """
    check_alternative(alternative)
    nine_tenths = check_train_size(train_size, cv=cv)
    check_budget(budget, nine_tenths=nine_tenths)
    numbers = {
        "n_systems": n_systems,
        "n_datasets": n_datasets,
        "n": n,
        "n_groups": n_groups,
        "smallest_class": smallest_class,
        "n_seeds": n_seeds,
        "n_splits": n_splits,
    }
    for name, value in numbers.items():
        if value is not None:
            check_count(name, value)
    if rope is not None:
        rope = check_rope(rope)
    numbers_above_0 = {
        "margin": margin,
        "test_fraction": test_fraction,
        "difference": difference,
    }
    for name, number in numbers_above_0.items():
        if number is not None and not (isinstance(number, Real) and float(number) > 0):
            raise ValueError(f"{name}={number!r} must be a number above 0.")
    if constant is not None:
        constant = check_constant(constant)
    check_joint(adjustment, None if control in (None, False) else str(control))
    if seeds is not None and seeds not in _SEEDS:
        raise ValueError(f"seeds={seeds!r} is unknown; use one of {', '.join(_SEEDS)}.")
    n_effective = None
    if groups is not None:
        if n_groups is not None:
            raise ValueError("give groups or n_groups, not both: one is counted in the other.")
        codes = group_codes(groups, len(groups))
        n_groups, n_effective = int(codes.max()) + 1, effective_groups(codes)
    described = {
        "n_systems": n_systems,
        "n_datasets": n_datasets,
        "unit": unit,
        "metric": None if metric is None else _metric(metric),
        "n": n,
        "n_groups": n_groups,
        "n_effective_groups": n_effective,
        "grouped": None if n_groups is None else True,
        "smallest_class": smallest_class,
        "ordered": ordered,
        "weighted": weighted,
        "n_seeds": n_seeds,
        "seeds": seeds,
        "paired_seeds": paired_seeds,
        **described_splits(cv, n_splits, test_fraction),
    }
    asked = {
        "stable": _stable(stable),
        "budget": budget,
        "nine_tenths": nine_tenths or None,
        "control": None if control is None else control is not False,
        "adjustment": adjustment,
        "constant": constant,
        "one_sided": alternative != "two-sided",
        "margin": margin,
        "rope": rope,
    }
    described, asked = (_known(facts) for facts in (described, asked))
    if isinstance(holds, _OBJECTS):
        if described:
            raise ValueError(
                f"{next(iter(described))} describes data that you do not have yet; a "
                f"{type(holds).__name__} already says it."
            )
        situation = _of_object(holds, asked)
        if constant is not None and situation.n_systems != 1:
            raise ValueError(
                f"constant= is what one system is compared with; this {type(holds).__name__} "
                f"holds {situation.n_systems}."
            )
        return _with_size(recommend(situation), holds, difference)
    if not isinstance(holds, str) or holds not in get_args(Holds):
        raise ValueError(
            f"holds={holds!r} must be 'estimators', 'predictions', 'scores', a sample of "
            "skstat.stats or a run."
        )
    _check_together(holds, described | asked)
    if constant is not None:
        described["n_systems"] = 1
    if holds == "estimators" and metric not in (None, "cost") and not has_row_formula(metric):
        described["by_rows"] = False
    if holds == "scores" and ("splits" in described or unit == "split"):
        described["by_rows"] = False  # bare scores of splits say nothing of rows
    found = recommend(Situation(holds=holds, **described | asked))  # type: ignore[arg-type]
    return _with_size(found, holds, difference)


def _with_size(found: Recommendation, holds: Any, difference: float | None) -> Recommendation:
    """Name the call that says how much data it takes to find a difference."""
    if difference is None:
        return found
    call = f"report.plan(difference={difference:g})"
    if isinstance(holds, str):
        call = f"plan_comparison({holds!r}, difference={difference:g}, ...)"
    need = f"as much data as {call} says, to find a difference of {difference:g}"
    return replace(found, needs=(*found.needs, need))


def _known(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value is not None}


def _of_object(held: Any, asked: dict[str, Any]) -> Situation:
    if isinstance(held, Predictions):
        return Situation.of_predictions(held, **asked)
    if isinstance(held, CrossValidationRun | DatasetsRun):
        return Situation.of_run(held, **asked)
    return Situation.of_scores(held, **asked)


def _check_together(holds: str, facts: Mapping[str, Any]) -> None:
    """Refuse a description that leaves out what decides, or contradicts itself."""
    of_datasets = facts.get("n_datasets", 1) > 1
    if holds == "scores" and not (of_datasets or "unit" in facts or "splits" in facts):
        raise ValueError(
            "unit is missing: scores of folds and of data sets need different tests. Say "
            f"unit={' | '.join(map(repr, UNITS))}."
        )
    if "unit" in facts and facts["unit"] not in UNITS:
        raise ValueError(
            f"unit={facts['unit']!r} is unknown; use one of {', '.join(map(repr, UNITS))}."
        )
    if holds != "scores" and "unit" in facts:
        raise ValueError(f"unit= is for scores, but you hold {holds}; leave it out.")
    if of_datasets and facts.get("unit", "dataset") != "dataset":
        raise ValueError(
            f"unit={facts['unit']!r} is of one data set, and n_datasets={facts['n_datasets']}; "
            "over several data sets the units are the data sets: leave unit out."
        )
    if "paired_seeds" in facts and facts.get("unit") != "seed":
        raise ValueError("paired_seeds= is for scores of seeds: say unit='seed' too.")
    if "constant" in facts and facts.get("n_systems", 1) != 1:
        raise ValueError(
            f"constant= is what one system is compared with, and n_systems="
            f"{facts['n_systems']}; leave one of the two out."
        )
    if "budget" in facts and holds != "estimators":
        raise ValueError(
            f"budget= is for estimators that are still to be fitted, but you hold {holds}; "
            f"leave it out."
        )
    if "nine_tenths" in facts and (holds != "estimators" or of_datasets or "splits" in facts):
        raise ValueError(
            "train_size= is for estimators that are still to be fitted on one data set, whose "
            "splits are recommended: leave it out, or cv and n_splits."
        )
    if "budget" in facts and "splits" in facts:
        raise ValueError(
            "budget= chooses the splits, and cv or n_splits give them: leave one of them out."
        )
    if holds != "estimators" and facts.get("unit", "split") != "split" and "splits" in facts:
        raise ValueError(f"cv and n_splits describe splits, but unit={facts['unit']!r}.")
    if holds == "predictions" and "splits" in facts:
        raise ValueError("cv and n_splits are for estimators or scores, not for predictions.")
    if facts.get("grouped") and facts.get("ordered"):
        raise ValueError("groups and ordered cannot be combined: which rows are alike?")
    if facts.get("n_seeds", 1) > 1 and holds != "predictions":
        raise ValueError(
            "n_seeds= is for predictions of every seed; for one score per seed say "
            "recommend_test('scores', unit='seed')."
        )


def _metric(metric: Any) -> str:
    return (
        "cost" if isinstance(metric, str) and metric == "cost" else kind_of(as_metric(metric))
    )


def _stable(stable: Any) -> bool | None:
    """Whether learners are stable; of estimators only that they are known to be."""
    if stable is None or isinstance(stable, bool):
        return stable
    if isinstance(stable, Mapping):
        estimators = list(stable.values())
    elif hasattr(stable, "fit") or not isinstance(stable, Iterable):
        estimators = [stable]
    else:
        estimators = [item[1] if isinstance(item, tuple) else item for item in stable]
    strange = next((item for item in estimators if not hasattr(item, "fit")), None)
    if strange is not None or not estimators:
        raise ValueError(
            f"stable={stable!r} must be True, False, None, or hold estimators to look up."
        )
    return True if all(map(is_known_stable, estimators)) else None
