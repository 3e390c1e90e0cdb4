"""Recommendation of a test, and planning of the sample size, before anything is run."""

import math
from collections.abc import Sequence
from dataclasses import replace
from numbers import Real
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from skstat import stats
from skstat._arguments import explains_arguments
from skstat.comparison import _guide as guide
from skstat.comparison import _situation as situations
from skstat.comparison._question import checked_adjustment
from skstat.evaluation import CrossValidationRun, DatasetsRun, RepeatedHalves
from skstat.evaluation._splitters import affordable_halvings
from skstat.metrics import as_metric
from skstat.report import ComparisonPlan, Recommendation
from skstat.report._comparison_plan import OBSERVED_POWER
from skstat.stats._family import alpha_of
from skstat.stats._plans import USUAL_REPEATS
from skstat.stats._plans_exact import PostHoc
from skstat.stats._posterior import check_rope
from skstat.stats._procedure import check_alternative, check_choice
from skstat.stats._read import shown
from skstat.stats._scores import UNITS, check_constant, check_count, check_number
from skstat.stats._words import check_level

_RUNS = CrossValidationRun | DatasetsRun
_SEEDS_TAKEN = ("crossed", "average", "means")
_UNIT_MISSING = (
    "unit is missing: scores of folds and of data sets need different tests. Say "
    f"unit={' | '.join(map(repr, UNITS))}."
)
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
    nine_tenths = guide.check_budget(budget, train_size, cv) or None
    checked_adjustment(adjustment, None if control in (None, False) else str(control))
    for name, value in {"n_systems": n_systems, "n": n}.items():
        if value is not None:
            check_count(name, value)
    if margin is not None and not (isinstance(margin, Real) and float(margin) > 0):
        raise ValueError(f"margin={margin!r} must be a number above 0.")
    check_choice("seeds", seeds, (None, *_SEEDS_TAKEN))
    of_cost = isinstance(metric, str) and metric == "cost"
    kind = metric if metric is None or of_cost else situations.kind_of(as_metric(metric))
    described: dict[str, Any] = {"n_systems": n_systems, "unit": unit, "n": n, "metric": kind}
    described |= {"ordered": ordered, "seeds": seeds, "paired_seeds": paired_seeds}
    if groups is not None:
        described |= situations.described_groups(groups)
    described |= situations.described_splits(cv, n)
    request: dict[str, Any] = {"budget": budget, "nine_tenths": nine_tenths, "margin": margin}
    request |= {"adjustment": adjustment, "one_sided": alternative != "two-sided"}
    if control is not None:
        request["control"] = control is not False
    if constant is not None:
        request["constant"] = check_constant(constant)
    if rope is not None:
        request["rope"] = check_rope(rope)
    facts = {name: value for name, value in (described | request).items() if value is not None}
    if isinstance(holds, stats.Predictions | situations.AnyScores | _RUNS):
        if extra := [name for name in described if name in facts]:
            raise ValueError(
                f"{extra[0]} describes data that you do not have yet; a {type(holds).__name__} "
                "already says it."
            )
        situation = guide.Situation.of(holds, **facts)
        if constant is not None and situation.n_systems != 1:
            raise ValueError(
                f"constant= is what one system is compared with; this {type(holds).__name__} "
                f"holds {situation.n_systems}."
            )
        return guide.recommend(situation)
    if not isinstance(holds, str) or holds not in get_args(situations.Holds):
        raise ValueError(
            f"holds={holds!r} must be 'estimators', 'predictions', 'scores', a sample of "
            "skstat.stats or a run."
        )
    _check_together(holds, facts)
    if constant is not None:
        facts["n_systems"] = 1
    # Scores of splits alone give no contributions of rows.
    of_splits = holds == "scores" and ("splits" in facts or unit == "split")
    by_formula = metric is None or of_cost or as_metric(metric).facts.kernel is not None
    if of_splits or (holds == "estimators" and not by_formula):
        facts["by_rows"] = False
    return guide.recommend(guide.Situation(holds=holds, **facts))  # type: ignore[arg-type]


def _check_together(holds: str, facts: dict[str, Any]) -> None:
    """Refuse a description that is incomplete or contradicts itself."""
    unit, splits = facts.get("unit"), "splits" in facts
    if holds == "scores" and unit is None and not splits:
        raise ValueError(_UNIT_MISSING)
    check_choice("unit", unit, (None, *UNITS))
    if holds != "scores" and unit not in (None, "dataset"):
        raise ValueError(f"unit= is for scores, but you hold {holds}; leave it out.")
    if "paired_seeds" in facts and unit != "seed" and "seeds" not in facts:
        raise ValueError("paired_seeds= is for scores of seeds: say unit='seed' too.")
    if "seeds" in facts and holds != "predictions":
        raise ValueError("seeds= is for predictions; for one score per seed say unit='seed'.")
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
    if "budget" in facts and ("constant" in facts or facts.get("n_systems") == 1):
        raise ValueError(
            "budget= is for two estimators or more; compare_to_baseline takes the splits "
            "themselves, as cv=RepeatedHalves(20, balanced=True): leave budget out."
        )
    if splits and (holds == "predictions" or unit not in (None, "split")):
        raise ValueError("cv= is of splits of estimators, or of their scores: leave it out.")
    if facts.get("grouped") and facts.get("ordered"):
        raise ValueError("groups and ordered cannot be combined: which rows are alike?")


_SD = {
    "row": "the standard deviation of one row's difference; of a pilot, its standard error "
    "times the root of its number of rows.",
    "split": "the standard deviation of the differences of splits, from a pilot.",
    "data set": "the standard deviation of the differences of data sets; over benchmarks 0.02 "
    "to 0.1 of accuracy is usual.",
}
_SEEDS = (
    "seeds of systems on one test set are planned by "
    "skstat.report.ComparisonPlan.of(skstat.stats.plan_seeds(...), difference=...)."
)


@explains_arguments(
    scores="a plan is made before there are scores; report.plan() takes what varies from some.",
    n_datasets="n= is the number of data sets, with unit='dataset'.",
    n_groups="with group_size= and icc= the units are groups, and n= is their number.",
    n_splits="with cv=, a share of rows for testing, the units are splits: n= of them.",
    test_fraction="cv= takes the share of rows for testing, such as cv=0.1.",
    n_answers="n_repeats= is the number of answers to each item, beside sd_answers=.",
    n_slices="the slices share the level: confidence_level=1 - 0.05 / n_slices, n= is of one.",
    flips="two runs disagree in 2 * power * (1 - power) of cases: for 5 % power=0.974.",
    **dict.fromkeys(("n_seeds", "sd_seeds", "sd_rest", "paired_seeds"), _SEEDS),
    **dict.fromkeys(("observed_power", "observed_difference", "estimate"), OBSERVED_POWER),
    effect=OBSERVED_POWER,
)
def plan_comparison(
    holds: Literal["estimators", "predictions", "scores"] | None = None,
    *,
    difference: float | None = None,
    power: float | None = None,
    half_width: float | None = None,
    n: int | None = None,
    unit: str | None = None,
    n_systems: int = 2,
    control: Any = None,
    metric: Any = None,
    discordant: float | None = None,
    error_rates: tuple[float, float] | None = None,
    sd: float | None = None,
    group_size: float | Sequence[int] | None = None,
    icc: float | None = None,
    sd_answers: float | None = None,
    n_repeats: int | None = None,
    cv: Any = None,
    instability: float | None = None,
    test: str | None = None,
    alternative: Literal["two-sided", "less", "greater"] = "two-sided",
    margin: float | None = None,
    confidence_level: float = 0.95,
) -> ComparisonPlan:
    """Plan a comparison: how much it takes, or what can be found with what there is.

    Nothing is run, and no data are needed. Of three numbers you give two, and learn the third:
    how many units there are (rows, groups, splits, data sets), the `difference` that matters,
    and the `power`, the probability with which it is found. The plan also says what it assumes,
    and what the answer were if that is half of it or twice (:doc:`/planning`).

    Parameters
    ----------
    holds : {"estimators", "predictions", "scores"}
        What you will have: estimators and data to fit them on, the outputs of fitted systems
        for one test set, or scores.
    difference : float, optional
        The smallest difference that matters to you, in the unit of the score: 0.02 is two
        percentage points of accuracy. It is not the one that was seen in a trial. With `margin`
        it is the true difference of the first system from the second, 0 by default.
    power : float, optional
        Probability with which the difference is to be found, 0.8 by default. Leave it out
        where it is what you want to know. Two runs of a gate disagree in
        ``2 * power * (1 - power)`` of cases.
    half_width : float, optional
        Instead of `difference`: half of the width that the interval of the difference is to
        have, such as 0.01 for plus and minus one percentage point.
    n : int, optional
        Number of units: rows of the test set (of estimators, all rows; with `group_size`,
        groups; with `cv`, splits), or what `unit` says. For estimators with `difference` and
        `power` too, the number of repetitions is found.
    unit : {"split", "instance", "group", "seed", "dataset"}, optional
        What one score is of; needed for ``"scores"``; ``"dataset"`` for estimators on many
        data sets, too.
    n_systems : int, default=2
        Number of systems.
    control : bool or str, optional
        Whether one system is compared with each of the others; these are then not compared
        with each other.
    metric : str, callable or scorer, optional
        Name of a scorer, function of :mod:`sklearn.metrics`, ``make_scorer`` object, or any
        function ``(y_true, y_pred)`` to a number, corpus-level ones over lists of strings
        included; ``"cost"`` for costs of errors. Accuracy is planned exactly, by `discordant`
        or `error_rates`; all others by `sd`.
    discordant : float, optional
        For accuracy, the share of rows on which exactly one of both systems is right.
    error_rates : (float, float), optional
        Instead of it, what you expect of the error rates of both: the plan assumes that errors
        are independent, which takes more rows than systems that find the same rows hard.
    sd : float, optional
        Standard deviation of the difference of one unit: of a row, an item, a data set, or,
        with `cv`, of a split; for estimators without it of a row. For a metric that is not a
        mean over rows, the standard error of the difference in a pilot times the root of its
        number of rows.
    group_size : float or list of int, optional
        Rows per group: one number, if all groups have as many, or the sizes of such groups.
    icc : float, optional
        How alike rows of a group are: correlation of two differences in one group, from 0 to 1.
        :func:`skstat.stats.intraclass_correlation` finds it in a pilot.
    sd_answers : float, optional
        Standard deviation of the difference of one answer of each system to the same item.
    n_repeats : int, optional
        Repetitions on the same rows. With `sd_answers` answers of each system to each item, 1
        by default; for estimators complete partitions of the rows into halves, 15 by default.
    cv : int, float or splitter, optional
        The splits, if they are chosen: a number of folds, a scikit-learn splitter, or the
        share of rows that random splits have for testing. The corrected t test is then planned.
    instability : float, optional
        Share of the variance of the difference of a row, from 0 to below 1, that comes from
        which rows the learners were trained on. 0 by default, which takes the most rows.
    test : str, optional
        Over data sets, ``"wilcoxon"`` (the default), ``"sign"`` or ``"paired_t"``; for three
        systems or more ``"wilcoxon"`` or ``"nemenyi"``. For estimators ``"projection_t"``, the
        default without `cv`, or ``"corrected_t"``.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the first system scores higher than the second; with `margin`, that it
        is not worse by the margin.
    margin : float, optional
        The smallest difference that matters, in the unit of the score, fixed before the scores
        are seen. The plan is then to show that the two are equivalent within it, or with
        ``alternative="greater"`` that the first is not worse by it: :doc:`/equivalence`.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.

    Returns
    -------
    ComparisonPlan
        The answer, what it assumes, and how it depends on that.

    Raises
    ------
    ValueError
        If an argument makes no sense, something is missing, or nothing is left to be found.

    See Also
    --------
    recommend_test : Which test suits the data.

    Notes
    -----
    McNemar's test and the sign test are planned exactly, t tests by the noncentral t, and the
    projection t test by the law of its own standard error. Wilcoxon's test and several systems
    are simulated, and the standard error of that is given. Three systems or more on one data
    set are planned at the level over the number of comparisons (Bonferroni), which takes
    slightly more than their joint distribution does.

    Examples
    --------
    >>> from skstat import plan_comparison
    >>> plan = plan_comparison(
    ...     "predictions", metric="accuracy", difference=0.03, discordant=0.1
    ... )
    >>> plan.n
    862
    >>> print(plan.conclusion)
    862 rows show a difference of 0.03 in accuracy with power 0.80.

    What can be found on 300 rows, and how surely is a difference of 0.03?

    >>> plan = plan_comparison("predictions", metric="accuracy", n=300, discordant=0.1)
    >>> print(round(plan.difference, 3))
    0.05
    >>> plan = plan_comparison(
    ...     "predictions", metric="accuracy", n=300, discordant=0.1, difference=0.03
    ... )
    >>> print(round(plan.power, 2))
    0.36
    """
    if not isinstance(holds, str) or holds not in get_args(situations.Holds):
        raise ValueError(
            f"holds={shown(holds)} must be 'predictions', 'estimators' or 'scores'; what you "
            "have already is planned with by report.plan(difference=...)."
        )
    check_alternative(alternative)
    check_level(confidence_level)
    if confidence_level <= 0.5:
        raise ValueError(f"confidence_level={confidence_level!r} must be above 0.5 in a plan.")
    if difference is not None:
        check_number("difference", difference)
    check_choice("unit", unit, (None, *UNITS))
    for name, value in (("n", n), ("n_repeats", n_repeats)):
        if value is not None:
            check_count(name, value)
    check_count("n_systems", n_systems, least=2)
    arguments: dict[str, Any] = {"n": n, "n_repeats": n_repeats, "discordant": discordant}
    arguments |= {"error_rates": error_rates, "sd": sd, "group_size": group_size, "icc": icc}
    arguments |= {"sd_answers": sd_answers, "cv": cv, "instability": instability, "test": test}
    facts = {fact: value for fact, value in arguments.items() if value is not None}
    one_sided, with_control = alternative != "two-sided", control not in (None, False)
    name = kind = metric
    if metric is not None and not (isinstance(metric, str) and metric == "cost"):
        resolved = as_metric(metric)
        name, kind = resolved.name, situations.kind_of(resolved)
    expected = 0.0 if margin is not None or difference is None else difference
    level = {"alpha": alpha_of(confidence_level), "one_sided": one_sided}
    query = _Query(kind, expected, level, situations.described_splits(cv, n), facts, [])
    planner: stats.Plan
    if unit == "dataset":
        planner = _over_datasets(query, n_systems, control=with_control)
    else:
        n_pairs = n_systems - 1 if with_control else math.comb(n_systems, 2)
        if n_pairs > 1:
            level["alpha"] /= n_pairs
            share = f"each at {level['alpha']:.4g} (Bonferroni)"
            query.notes.append(f"{n_pairs} comparisons of {n_systems} systems, {share}")
        if holds == "predictions":
            if unit is not None:
                raise ValueError("unit= is for scores, but you hold predictions; leave it out.")
            planner = _on_test_set(query)
        elif holds == "scores" and unit != "split" and not query.splits:
            if unit is None:
                raise ValueError(_UNIT_MISSING)
            word = "row" if unit == "instance" else unit
            sd_unit = query.need("sd", f"the standard deviation of the differences of {word}s.")
            planner = stats.plan_units(sd=sd_unit, unit=word, **level)
        elif unit not in (None, "split"):
            raise ValueError(f"unit={unit!r} contradicts the rest: leave it out.")
        elif holds == "estimators" and _projects(query):
            planner = _on_halves(query, repetitions=None not in (n, difference, power))
        else:
            planner = _on_splits(query)
    if margin is not None:
        if alternative == "less":
            raise ValueError(
                "alternative='less' with margin=: name the systems the other way round, and "
                "say alternative='greater'."
            )
        planner = planner.within(margin)
    size = "n_repeats" if planner.unit == "repetition" else "n"
    n = query.facts.pop(size, query.splits.get("n_splits"))
    if query.facts:
        raise ValueError(
            f"{next(iter(query.facts))}= has no part in this plan ({planner.test}), whose "
            f"units are {planner.unit}s; leave it out."
        )
    goals: Any = {"n": n, "difference": difference, "power": power, "half_width": half_width}
    notes = tuple(query.notes)
    plan = ComparisonPlan.of(planner, metric=name or "", notes=notes, **goals)
    if plan.n is None:
        return plan
    situation = _size_of(plan, query.splits, unit)
    situation |= {"control": with_control, "one_sided": one_sided, "margin": margin}
    situation["metric"] = kind or ("accuracy" if planner.function == "mcnemar" else "other")
    choice = guide.recommend(guide.Situation(holds=holds, n_systems=n_systems, **situation))
    differs = bool(planner.function) and planner.function != choice.name
    if n_systems == 2 and margin is None and differs:
        note = (
            f"with so many {plan.unit}s test='auto' takes {choice.title.removesuffix(',')}; "
            f"this is the plan of test={planner.function!r}"
        )
        plan = replace(plan, notes=(*plan.notes, note))
    return replace(plan, choice=choice)


class _Query(NamedTuple):
    """Arguments of a plan; facts are removed as they are used, and none may be left."""

    kind: str | None
    difference: float
    level: dict[str, Any]
    splits: dict[str, Any]
    facts: dict[str, Any]
    notes: list[str]

    def need(self, name: str, why: str) -> Any:
        """Remove and return a fact; refuse if it is missing."""
        if name not in self.facts:
            raise ValueError(f"{name} is missing: {why}")
        return self.facts.pop(name)


def _over_datasets(query: _Query, n_systems: int, *, control: bool) -> stats.Plan:
    test, sd = query.facts.pop("test", "wilcoxon"), query.need("sd", _SD["data set"])
    if n_systems == 2:
        return stats.plan_units(sd, test=test, **query.level)
    check_choice("test", test, get_args(PostHoc))
    if query.level.pop("one_sided"):
        raise ValueError("alternative= is for two systems; leave it out.")
    return stats.plan_systems(
        sd=sd, n_systems=n_systems, post_hoc=test, with_control=control, **query.level
    )


def _on_test_set(query: _Query) -> stats.Plan:
    names = query.facts.keys()
    grouped, answers = names & {"group_size", "icc"}, names & {"sd_answers", "n_repeats"}
    if grouped and answers:
        raise ValueError("groups and several answers are planned one at a time: tell one.")
    planner = _plan_rows(query)
    sd_row = planner.standard_error(1, query.difference)
    if grouped:
        size = _mean_size(query.need("group_size", "the number of rows per group."), query)
        icc = "the correlation of two differences in one group; 0 to 0.3 is usual."
        return stats.plan_groups(sd=sd_row, icc=query.need("icc", icc), **size, **query.level)
    if answers:
        sd = "the standard deviation of the difference of one answer of each system."
        return stats.plan_answers(
            sd_items=sd_row, sd_answers=query.need("sd_answers", sd),
            n_answers=query.facts.pop("n_repeats", 1), **query.level,
        )  # fmt: skip
    return planner


def _plan_rows(query: _Query) -> stats.Plan:
    """Return a plan of rows: by McNemar's test, or by the standard deviation of differences."""
    facts = query.facts
    if "sd" in facts or query.kind not in (None, "accuracy"):
        return stats.plan_rows(sd=query.need("sd", _SD["row"]), **query.level)
    rates = facts.pop("error_rates", None)
    if rates is None:
        share = query.need(
            "discordant",
            "the share of rows on which exactly one system is right; or say error_rates=, "
            "or sd= for a metric that is not the share of right answers.",
        )
        return stats.plan_mcnemar(discordant=share, **query.level)
    if "discordant" in facts:
        raise ValueError("give discordant or error_rates, not both.")
    pair = rates if isinstance(rates, tuple | list) else ()
    if len(pair) != 2 or not all(isinstance(rate, Real) for rate in pair):
        raise ValueError(f"error_rates={rates!r} must be two shares, such as (0.12, 0.10).")
    share = _independent_errors(*pair)
    if abs(query.difference) > share:
        raise ValueError(
            f"error_rates={rates!r} cannot differ by difference={query.difference!r}."
        )
    query.notes.append(
        f"errors are independent, so that exactly one system is right on {share:.4g} of the "
        "rows; fewer if they find the same rows hard"
    )
    return stats.plan_mcnemar(discordant=share, **query.level)


def _independent_errors(error_a: float, error_b: float) -> float:
    """Return the share of rows on which exactly one of two systems is right.

    Errors are assumed to be independent. Most systems find the same rows hard, and the share is
    then smaller.
    """
    for name, value in (("error_a", error_a), ("error_b", error_b)):
        check_number(name, value, least=0, most=1, what="a share from 0 to 1")
    return error_a * (1 - error_b) + error_b * (1 - error_a)


def _mean_size(group_size: Any, query: _Query) -> dict[str, Any]:
    """Return the mean size of groups, and how unequal they are."""
    sizes = np.asarray(group_size)
    if sizes.ndim == 0:
        note = "groups of one size are assumed; group_size= takes a list of sizes, too"
        query.notes.append(note)
        return {"group_size": group_size}
    if sizes.ndim > 1 or len(sizes) < 2 or sizes.dtype.kind not in "iuf" or sizes.min() < 1:
        what = "the rows per group, at least 1: a number, or a list of all groups"
        raise ValueError(f"group_size={group_size!r} must be {what}.")
    mean = float(sizes.mean())
    return {"group_size": mean, "unequal": float((sizes.astype(float) ** 2).mean()) / mean**2}


def _projects(query: _Query) -> bool:
    """Whether the plan is of the projection t test, and not of the corrected t test."""
    usual = "corrected_t" if query.splits else "projection_t"
    test = query.facts.pop("test", usual)
    if query.splits and test != usual:
        raise ValueError(
            f"test={test!r} is not planned on these splits: use {usual!r}; or leave cv out and "
            "say n_repeats=, for repeated halves."
        )
    check_choice("test", test, (usual, "corrected_t"))
    return bool(test == "projection_t")


def _on_halves(query: _Query, *, repetitions: bool) -> stats.Plan:
    """Return a plan of rows, or of the repetitions on a given number of rows."""
    facts, rows = query.facts, _plan_rows(query)
    if abs(query.difference) >= rows.largest:
        where = f"where exactly one system is right on a share of {rows.largest:g} of the rows"
        raise ValueError(f"difference={query.difference!r} is more than is possible {where}.")
    if "instability" not in facts:
        query.notes.append(
            "how much of a row's difference changes with the training rows is not known; "
            "instability 0 is assumed, which takes the most rows"
        )
    n_repeats = facts.pop("n_repeats", None)
    return stats.plan_projection(
        rows.standard_error(1, query.difference),
        instability=facts.pop("instability", 0.0),
        of_mean=query.kind in (None, "accuracy", "mean", "cost"),
        n_repeats=USUAL_REPEATS if n_repeats is None else n_repeats,
        n_rows=facts.pop("n") if repetitions and n_repeats is None else None,
        **query.level,
    )


def _on_splits(query: _Query) -> stats.Plan:
    ratio, _ = query.splits.get("ratio"), query.facts.pop("cv", None)
    if ratio is None:
        what = "the splits, or the share of rows that each has for testing"
        raise ValueError(f"cv is missing: {what}, such as cv=0.1.")
    return stats.plan_splits(query.need("sd", _SD["split"]), ratio, **query.level)


def _size_of(plan: ComparisonPlan, splits: dict[str, Any], unit: str | None) -> dict[str, Any]:
    """Return facts about data of the planned size, for the choice of the test."""
    planner = plan.planner
    if planner.unit == "data set":
        return {"n": max(2, plan.n or 2), "unit": unit}
    if planner.unit == "split":
        return {**splits, "n_splits": plan.n, "unit": unit}
    if planner.unit == "group":
        return {"n_groups": plan.n, "grouped": True, "unit": unit}
    if planner.unit == "repetition":
        return {"n": planner.assumed["n_rows"], **_halves(plan.n or 0)}
    if planner.function == "projection_t":
        return {"n": plan.n, **_halves(planner.assumed["n_repeats"])}
    return {"n": plan.n, "unit": unit}


def _halves(n_repeats: int) -> dict[str, Any]:
    """Return facts about a call with this number of repetitions: by budget, or by splits."""
    if n_repeats == USUAL_REPEATS:
        return {}
    fits = 2 * n_repeats
    if fits >= situations.FEWEST_FITS and affordable_halvings(fits) == n_repeats:
        return {"budget": fits}
    return situations.described_splits(RepeatedHalves(max(n_repeats, 1)))
