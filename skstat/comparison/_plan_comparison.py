"""What a comparison takes, before there are any data."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

from skstat._arguments import explains_arguments
from skstat.comparison._guide import (
    FEWEST_FITS,
    Holds,
    Situation,
    described_splits,
    kind_of,
    recommend,
)
from skstat.comparison._planned import Facts, on_one_data_set, over_datasets, refuse_unit
from skstat.evaluation import RepeatedHalves
from skstat.evaluation._default_splits import affordable_halvings
from skstat.metrics import as_metric
from skstat.report import ComparisonPlan
from skstat.report._comparison_plan import OBSERVED_POWER
from skstat.stats import (
    MarginPlanner,
    McNemarPlanner,
    Planner,
    ProjectionPlanner,
    RepeatsPlanner,
    SeedsPlanner,
)
from skstat.stats._outcomes import check_alpha
from skstat.stats._planning import MeanTypePlanner, check_number, power_for_flips
from skstat.stats._samples import check_alternative, check_count

# What says how many units there are, by what a unit is.
_SIZES = {
    "row": "n",
    "item": "n",
    "group": "n_groups",
    "seed": "n_seeds",
    "split": "n_splits",
    "repetition": "n_repeats",
    "data set": "n_datasets",
}


@explains_arguments(
    observed_power=OBSERVED_POWER,
    observed_difference=OBSERVED_POWER,
    estimate=OBSERVED_POWER,
    effect=OBSERVED_POWER,
    scores="a plan is made before there are scores; report.plan() takes what varies from some.",
)
def plan_comparison(
    holds: Any,
    *,
    difference: float | None = None,
    power: float | None = None,
    n_systems: int | None = None,
    n_slices: int | None = None,
    n_datasets: int | None = None,
    unit: str | None = None,
    metric: Any = None,
    n: int | None = None,
    n_groups: int | None = None,
    group_size: float | Sequence[int] | None = None,
    icc: float | None = None,
    n_seeds: int | None = None,
    paired_seeds: bool = False,
    n_answers: int | None = None,
    cv: Any = None,
    n_splits: int | None = None,
    test_fraction: float | None = None,
    n_repeats: int | None = None,
    instability: float | None = None,
    discordant: float | None = None,
    error_rates: tuple[float, float] | None = None,
    sd: float | None = None,
    sd_answers: float | None = None,
    sd_seeds: float | None = None,
    sd_rest: float | None = None,
    test: str | None = None,
    control: Any = None,
    alternative: Literal["two-sided", "less", "greater"] = "two-sided",
    margin: float | None = None,
    flips: float | None = None,
    half_width: float | None = None,
    alpha: float = 0.05,
) -> ComparisonPlan:
    """Plan a comparison: how much it takes, or what can be found with what there is.

    Nothing is run, and no data are needed. Of three numbers you give two, and learn the third:
    how many units there are (rows, groups, splits, seeds, data sets), the `difference` that
    matters, and the `power`, the probability with which it is found. The plan also says what it
    assumes, and what the answer were if that is half of it or twice
    (:doc:`/planning`).

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
        where it is what you want to know.
    n_systems : int, default=2
        Number of systems.
    n_slices : int, optional
        Number of slices of the rows that the systems will be compared in (``by=``). The plan is
        then of the rows of one slice, at its share of the level.
    n_datasets : int, optional
        Number of data sets, if you have them already.
    unit : {"split", "instance", "group", "seed", "dataset"}, optional
        What one score is of; needed for ``"scores"``; ``"dataset"`` for estimators on many
        data sets, too.
    metric : str, callable or scorer, optional
        Name of a scorer, function of :mod:`sklearn.metrics`, ``make_scorer`` object, or any
        function ``(y_true, y_pred)`` to a number, corpus-level ones over lists of strings
        included; ``"cost"`` for costs of errors. Accuracy is planned exactly, by `discordant`
        or `error_rates`; all others by `sd`.
    n : int, optional
        Number of rows of the test set; for estimators, of all rows. With `difference` and
        `power` too, the number of repetitions is found.
    n_groups : int, optional
        Number of groups that rows come in.
    group_size : float or list of int, optional
        Rows per group: one number, if all groups have as many, or the sizes of such groups.
    icc : float, optional
        How alike rows of a group are: correlation of two differences in one group, from 0 to 1.
        :func:`skstat.stats.intraclass_correlation` finds it in a pilot.
    n_seeds : int, optional
        Seeds of each system.
    paired_seeds : bool, default=False
        Whether seed i means the same for every system, because it controls the same thing in
        all of them (the order of the data, the split).
    n_answers : int, optional
        Answers of each system to each item, if it is asked several times; default 1.
    cv : int or splitter, optional
        The splits, if they are chosen: a number of folds or a scikit-learn splitter. The
        corrected t test is then planned.
    n_splits, test_fraction : int and float, optional
        Random splits, instead of `cv`: their number, and the share of rows for testing.
    n_repeats : int, optional
        Complete partitions that the splits form: 10 for 10x10 cross-validation. In a plan they
        are halves, 15 by default.
    instability : float, optional
        Share of the variance of the difference of a row, from 0 to below 1, that comes from
        which rows the learners were trained on. 0 by default, which takes the most rows.
    discordant : float, optional
        For accuracy, the share of rows on which exactly one of both systems is right.
    error_rates : (float, float), optional
        Instead of it, what you expect of the error rates of both: the plan assumes that errors
        are independent, which takes more rows than systems that find the same rows hard.
    sd : float, optional
        Standard deviation of the difference of one unit: of a row, an item, a data set, or,
        with `cv` or `test_fraction`, of a split; for estimators without these of a row. For a
        metric that is not a mean over rows, the standard error of the difference in a pilot
        times the root of its number of rows.
    sd_answers : float, optional
        Standard deviation of the difference of one answer of each system to the same item.
    sd_seeds, sd_rest : float, optional
        Standard deviation over seeds of the difference of both scores, and that of single rows
        and seeds that neither explains.
    test : str, optional
        Over data sets, ``"wilcoxon"`` (the default), ``"sign"`` or ``"paired_t"``; for three
        systems or more ``"wilcoxon"`` or ``"nemenyi"``. For estimators ``"projection_t"``, the
        default without `cv` and `test_fraction`, or ``"corrected_t"``.
    control : bool or str, optional
        Whether one system is compared with each of the others; these are then not compared
        with each other.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the first system scores higher than the second; with `margin`, that it
        is not worse by the margin.
    margin : float, optional
        The smallest difference that matters, in the unit of the score, fixed before the scores
        are seen. The plan is then to show that the two are equivalent within it, or with
        ``alternative="greater"`` that the first is not worse by it: :doc:`/equivalence`.
    flips : float, optional
        Instead of `power`, with `margin`: how often two runs on new units may disagree, if both
        systems are as `difference` says.
    half_width : float, optional
        Instead of `difference`: half of the width that the interval of the difference is to
        have, such as 0.01 for plus and minus one percentage point.
    alpha : float, default=0.05
        Level of the test, as it will be.

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
    set are planned at ``alpha`` over the number of comparisons (Bonferroni), which takes
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
    if not isinstance(holds, str) or holds not in get_args(Holds):
        said = f"={holds!r}" if isinstance(holds, str) else f" is {type(holds).__name__}: it"
        raise ValueError(
            f"holds{said} must be 'predictions', 'estimators' or 'scores'; what you have "
            "already is planned with by report.plan(difference=...)."
        )
    check_alternative(alternative)
    check_alpha(alpha)
    if difference is not None:
        check_number("difference", difference)
    given = {
        "n": n,
        "n_groups": n_groups,
        "n_seeds": n_seeds,
        "n_splits": n_splits,
        "n_datasets": n_datasets,
        "n_repeats": n_repeats,
    }
    counts = {"n_systems": n_systems, "n_slices": n_slices, "n_answers": n_answers}
    for name, value in {**given, **counts}.items():
        if value is not None:
            check_count(name, value)
    systems = 2 if n_systems is None else n_systems
    if systems < 2:
        raise ValueError(f"n_systems={n_systems}: a comparison is of two systems or more.")
    splits = described_splits(cv, n_splits, test_fraction)
    given["n_splits"] = splits.get("n_splits")
    told: dict[str, Any] = {
        "group_size": group_size,
        "icc": icc,
        "n_answers": n_answers,
        "discordant": discordant,
        "error_rates": error_rates,
        "sd": sd,
        "sd_answers": sd_answers,
        "sd_seeds": sd_seeds,
        "sd_rest": sd_rest,
        "test": test,
        "test_fraction": test_fraction,
        "cv": cv,
        "instability": instability,
        "paired_seeds": paired_seeds or None,
    }
    facts = Facts(
        {name: value for name, value in {**given, **told}.items() if value is not None}
    )
    name, kind = _metric(metric)
    one_sided = alternative != "two-sided"
    family = systems - 1 if control not in (None, False) else math.comb(systems, 2)
    if n_slices is not None:
        over_data_sets = unit == "dataset" or n_datasets is not None
        if holds == "estimators" or over_data_sets or margin is not None:
            raise ValueError(
                "n_slices= is for a difference in slices of one test set; leave out margin=, "
                "and plan estimators and data sets without it."
            )
        family *= n_slices
    level: dict[str, Any] = {"alpha": float(alpha), "one_sided": one_sided}
    notes: list[str] = []
    about: dict[str, Any] = {"facts": facts, "level": level}
    planner: Planner
    if unit == "dataset" or n_datasets is not None:
        refuse_unit(unit, "dataset")
        planner = over_datasets(**about, systems=systems, control=control not in (None, False))
    else:
        if family > 1:
            level["alpha"] /= family
            where = "" if n_slices is None else f" in {n_slices} slices"
            notes.append(
                f"{family} comparisons of {systems} systems{where}, each at "
                f"{level['alpha']:.4g} (Bonferroni)"
            )
        if n_slices is not None:
            notes.append("counted in one slice: every slice needs as many")
        planner = on_one_data_set(
            holds, unit, splits, **about, kind=kind, notes=notes, difference=difference,
            has_margin=margin is not None, repetitions=None not in (n, difference, power),
        )  # fmt: skip
    if margin is not None:
        if alternative == "less":
            raise ValueError(
                "alternative='less' with margin=: name the systems the other way round, and "
                "say alternative='greater'."
            )
        if not isinstance(planner, MeanTypePlanner):
            raise ValueError(
                f"margin= is not planned for the {planner.test}; over data sets say "
                "test='paired_t'."
            )
        planner = MarginPlanner(of=replace(planner, one_sided=False), margin=margin, **level)
    if flips is not None:
        if margin is None:
            raise ValueError("flips= is for a gate with a margin: say margin= too.")
        if power is not None:
            raise ValueError("give flips or power, not both: one follows from the other.")
        power = power_for_flips(flips)
        notes.append(f"two runs that are as planned disagree in at most {100 * flips:g} %")
    size = facts.take(_SIZES[planner.unit])
    facts.refuse_rest(planner)
    plan = ComparisonPlan.of(
        planner,
        n=size,
        difference=difference,
        power=power,
        half_width=half_width,
        metric=name,
        notes=tuple(notes),
    )
    choice = None
    if plan.n is not None and n_slices is None:
        choice = _choice(holds, plan, kind, systems, splits, unit, margin, control=control)
        other = bool(planner.function) and planner.function != choice.name
        if systems == 2 and margin is None and other:
            title = choice.title.removesuffix(",")
            note = (
                f"with so many {plan.unit}s test='auto' takes {title}; this is the plan of "
                f"test={planner.function!r}"
            )
            plan = replace(plan, notes=(*plan.notes, note))
    return replace(plan, choice=choice)


def _metric(metric: Any) -> tuple[str, str | None]:
    if metric is None:
        return "", None
    if isinstance(metric, str) and metric == "cost":
        return "cost", "cost"
    found = as_metric(metric)
    return found.name, kind_of(found)


def _halves(n_repeats: int) -> dict[str, Any]:
    """Say how a call gets so many repetitions: by default, by its budget, or by its splits."""
    if n_repeats == ProjectionPlanner.n_repeats:
        return {}
    fits = 2 * n_repeats
    if fits >= FEWEST_FITS and affordable_halvings(fits) == n_repeats:
        return {"budget": fits}
    return described_splits(RepeatedHalves(max(n_repeats, 1)), None, None)


def _choice(
    holds: Any,
    plan: ComparisonPlan,
    kind: str | None,
    systems: int,
    splits: Mapping[str, Any],
    unit: str | None,
    margin: float | None,
    *,
    control: Any,
) -> Any:
    """Return the test that is recommended for data of the planned size."""
    planner = plan.planner.of if isinstance(plan.planner, MarginPlanner) else plan.planner
    facts: dict[str, Any] = {
        "holds": holds,
        "n_systems": systems,
        "metric": kind or ("accuracy" if isinstance(planner, McNemarPlanner) else "other"),
        "control": control not in (None, False),
        "one_sided": plan.planner.one_sided,
        "margin": margin,
    }
    size = plan.n
    if planner.unit == "data set":
        facts["n_datasets"] = max(2, size or 2)
    elif planner.unit == "split":
        facts |= {**splits, "n_splits": size, "unit": unit}
    elif planner.unit == "group":
        facts |= {"n_groups": size, "grouped": True, "unit": unit}
    elif planner.unit == "seed" and isinstance(planner, SeedsPlanner):
        facts |= {"n_seeds": size, "n": planner.n_rows, "paired_seeds": planner.paired_seeds}
    elif isinstance(planner, ProjectionPlanner):
        facts |= {"n": size, **_halves(planner.n_repeats)}
    elif isinstance(planner, RepeatsPlanner):
        facts |= {"n": planner.n_rows, **_halves(size or 0)}
    else:
        facts |= {"n": size, "unit": unit}
    return recommend(Situation(**facts))
