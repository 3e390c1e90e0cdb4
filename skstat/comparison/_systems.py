"""Several systems on one data set: their pairs, and who may be the best."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, permutations
from typing import Any, Literal, NamedTuple, cast, get_args

import numpy as np

from skstat import stats
from skstat.comparison._ask import (
    Procedure,
    Question,
    ask_sample,
    fixed_seeds,
    reads_rows,
    run_context,
)
from skstat.comparison._choice import choose
from skstat.comparison._guide import with_margin
from skstat.evaluation import CrossValidationRun
from skstat.report import (
    ComparisonReport,
    Context,
    MetricsReport,
    Recommendation,
    SystemsReport,
)
from skstat.report._pair_doubts import by_code, doubts_of_pairs
from skstat.report._systems_doubts import find_systems_doubts
from skstat.stats import (
    ConfidenceSetOutcome,
    OmnibusOutcome,
    Outcome,
    PairwiseOutcome,
    ScoreTable,
    SimultaneousOutcome,
)
from skstat.stats._adjust import Adjustment
from skstat.stats._best import best_of
from skstat.stats._confidence_set import confidence_set_of
from skstat.stats._joint import JointLaw
from skstat.stats._max_t import MaxT, joint_max_t, max_t_against, sign_flip_max_t
from skstat.stats._mean_law import law_of_means
from skstat.stats._outcomes import smallest_of_signs
from skstat.stats._pairwise import check_adjustment, pairs_of

AnyAdjustment = Adjustment | Literal["max-t"]
ADJUSTMENTS = (*get_args(Adjustment), "max-t")
N_RESAMPLES = 9_999
_UNITS_PER_SYSTEM = 3


class Joint(NamedTuple):
    """Joint p-values and maxima of a family of comparisons, and what they come from."""

    law: JointLaw
    max_t: MaxT
    how: str
    least: float | None = None


def check_joint(adjustment: str, control: str | None) -> None:
    """Refuse an adjustment that is unknown, or does not suit a control."""
    if adjustment not in ADJUSTMENTS:
        raise ValueError(
            f"adjustment={adjustment!r} is unknown; use one of {', '.join(ADJUSTMENTS)}."
        )
    check_adjustment(adjustment, control)


def ask_systems_run(
    run: CrossValidationRun,
    test: str | Procedure,
    question: Question,
    *,
    names: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    adjustment: str = "holm",
    control: str | None = None,
    seed: int = 0,
    choice: Recommendation | None = None,
) -> SystemsReport | MetricsReport:
    """Compare several estimators of a run, metric by metric.

    `choice` says why the test is the one, if it was chosen before.
    """
    metrics = run.metrics if metrics is None else metrics
    names = run.names if names is None else tuple(names)
    question.check_metrics(metrics)
    context = run_context(run, tuple(names), Context(n_unadjusted=len(metrics)))
    stable = None if run.unstable & set(names) else True
    reports: dict[str, SystemsReport] = {}
    for metric in metrics:
        table = some_of(run.table(metric), names)
        procedure, chosen = choose(
            test, table, question, stable=stable, control=control is not None,
            adjustment=adjustment,
        )  # fmt: skip
        reports[metric] = ask_systems(
            table,
            procedure,
            question,
            adjustment=adjustment,
            control=control,
            metric=metric,
            is_loss=metric in run.losses,
            design=run.design.describe(),
            context=context,
            choice=choice if choice is not None else chosen,
            ignored_variance=partial(fixed_seeds, run),
            seed=seed,
            run=run,
        )
    return reports[metrics[0]] if len(metrics) == 1 else MetricsReport(reports=reports)


def drawing(procedure: Procedure, seed: int) -> dict[str, Any]:
    """Hand the seed to a procedure that draws."""
    takes_it = "rng" in inspect.signature(procedure).parameters
    return {"rng": seed} if takes_it else {}


def some_of(table: ScoreTable, names: Sequence[str]) -> ScoreTable:
    """Return the table of some systems, in the order they are named."""
    if tuple(names) == table.names:
        return table
    return table.take(names)


def ask_systems(
    table: ScoreTable,
    procedure: Procedure,
    question: Question,
    *,
    adjustment: str = "holm",
    control: str | None = None,
    chosen_by_score: bool = False,
    metric: str = "score",
    is_loss: bool = False,
    design: dict[str, Any] | None = None,
    context: Context | None = None,
    choice: Recommendation | None = None,
    ignored_variance: Callable[[tuple[str, str]], tuple[str, ...]] | None = None,
    seed: int = 0,
    run: Any = None,
) -> SystemsReport:
    """Ask a procedure of every pair of a table of splits, instances or seeds.

    There is no test of all systems at once over splits: none is valid for units that
    share training rows. Of independent units the means are tested. A control that was
    chosen by the scores is one end of any pair: p-values are then adjusted for all.
    """
    check_joint(adjustment, control)
    pairs = pairs_of(table.names, control)
    if not reads_rows(procedure):
        table = table.without_rows()
    reports = [
        ask_sample(
            procedure,
            table.pair(a, b),
            question,
            names=(a, b),
            metric=metric,
            is_loss=is_loss,
            design=design,
            context=context,
            options=drawing(procedure, seed),
            ignored_variance=() if ignored_variance is None else ignored_variance((a, b)),
        )
        for a, b in pairs
    ]
    max_t, seeks_best = adjustment == "max-t", control is None or chosen_by_score
    joint = None
    if max_t:
        joint_law = _law(table, seed, for_all_pairs=True)
        if joint_law is None:
            raise ValueError(
                "adjustment='max-t' needs the joint law of the scores, and so the sizes of the "
                "splits (n_train and n_test, or n_repeats) and three splits or more."
            )
        # Of few units no pattern of signs is rare enough: their law is Student's t.
        by_signs = table.unit in ("instance", "group") and not table.ordered
        rows = table.scores if by_signs else None
        joint = joint_of(joint_law, pairs, rows, question, everyone=chosen_by_score)
    report = report_on(
        table,
        reports,
        question,
        adjustment=adjustment,
        control=control,
        omnibus=_omnibus(table, seed),
        law=_law(table, seed, for_all_pairs=False) if seeks_best else None,
        joint=joint,
        others=_other_pvalues(table, procedure, question, control) if chosen_by_score else None,
        choice=choice,
        run=run,
    )
    return replace(report, samples=None)  # they are parts of the table


def report_on(
    sample: Any,
    reports: Sequence[ComparisonReport],
    question: Question,
    *,
    adjustment: str,
    control: str | None,
    omnibus: OmnibusOutcome | None = None,
    law: JointLaw | None = None,
    joint: Joint | None = None,
    others: Sequence[float] | None = None,
    choice: Recommendation | None = None,
    design: dict[str, Any] | None = None,
    run: Any = None,
) -> SystemsReport:
    """Put the comparisons of pairs under one roof, adjusted for their number.

    `law` is given where the question is who may be the best. `others` are p-values of
    pairs that are not shown but belong to the family.
    """
    outcomes: list[Outcome] = [report.outcome for report in reports]
    if joint is not None:
        outcomes = [*_simultaneous(reports, joint)]
        reports = [
            replace(report, outcome=outcome)
            for report, outcome in zip(reports, outcomes, strict=True)
        ]
        adjusted = joint.max_t.pvalues
    else:
        pvalues = [*(outcome.pvalue for outcome in outcomes), *(others or ())]
        method = cast(Adjustment, adjustment)
        adjusted = stats.adjust_pvalues(pvalues, method)[: len(outcomes)]
    first = reports[0]
    best = None if law is None else best_of(law)
    pairwise = PairwiseOutcome(
        test=f"pairwise {_common_name([outcome.test for outcome in outcomes])}",
        names=tuple(sample.names),
        pairs=tuple(report.names for report in reports),
        outcomes=tuple(outcomes),
        adjusted_pvalues=np.asarray(adjusted),
        adjustment=adjustment,
        control=control,
        n_family=None if others is None else len(outcomes) + len(others),
    )
    return SystemsReport(
        sample=sample,
        pairwise=pairwise,
        omnibus=omnibus,
        best=best,
        confidence_set=None if law is None else _confidence_set(law),
        metric=first.metric,
        is_loss=first.is_loss,
        confidence_level=question.confidence_level,
        design=first.design if design is None else design,
        ignored_variance=tuple(
            dict.fromkeys(item for report in reports for item in report.ignored_variance)
        ),
        doubts=by_code(
            doubts_of_pairs(reports, np.asarray(adjusted).tolist()),
            find_systems_doubts(best, str(sample.unit)),
        ),
        choice=first.choice
        if choice is None
        else with_margin(choice, first.margin, question.confidence_level),
        samples=tuple(report.sample for report in reports),
        margin=question.margin_of(first.metric),
        run=run,
    )


def _confidence_set(law: JointLaw) -> ConfidenceSetOutcome:
    """Eliminate by pairs; with few units by the distance from the mean of all.

    One good system among many that are alike hardly lies above their mean, and the set
    would keep them all. Pairs tell it, but claim too much of few units: with 10 systems
    alike the set held all in 70, 90 and 94 % of simulations on 5, 10 and 30 units.
    """
    enough = law.n_units >= _UNITS_PER_SYSTEM * len(law.names)
    return confidence_set_of(law, "range" if enough else "max")


def _law(table: ScoreTable, seed: int, *, for_all_pairs: bool) -> JointLaw | None:
    """Joint law of the mean scores, where one is known."""
    split = table.unit == "split"
    if table.n_units < (3 if split else 2) or (split and table.test_train_ratio is None):
        return None
    return law_of_means(
        table,
        "comparison with the best",
        method="auto" if split or table.ordered or not for_all_pairs else "t",
        block_length=None,
        n_resamples=N_RESAMPLES,
        rng=seed,
        for_few=for_all_pairs or table.ordered,
    )


def _other_pvalues(
    table: ScoreTable, procedure: Procedure, question: Question, control: str | None
) -> list[float]:
    """p-values of the pairs without the control, in both directions if that matters."""
    pairs = combinations([name for name in table.names if name != control], 2)
    both = list(pairs)
    if question.alternative != "two-sided":
        both += [(b, a) for a, b in both]
    return [
        procedure(table.pair(a, b), alternative=question.alternative).pvalue for a, b in both
    ]


def _omnibus(table: ScoreTable, seed: int) -> OmnibusOutcome | None:
    """Test of all systems at once, of units that are independent of each other."""
    if table.unit == "split" or table.ordered or table.n_units < 2:
        return None
    if np.isin(table.scores, (0, 1)).all() and table.unit == "instance":
        return stats.cochran_q(table, rng=seed)
    if table.unit == "seed":  # too few, mostly, for any pattern of signs to be rare
        return stats.repeated_measures_anova(table)
    return stats.largest_t(table, rng=seed)


def joint_of(
    law: JointLaw,
    pairs: Sequence[tuple[str, str]],
    rows: Any,
    question: Question,
    *,
    everyone: bool = False,
) -> Joint:
    """Take p-values and maxima of a family from the joint law of the scores.

    The family are the pairs, or with `everyone` all pairs of systems in both directions.

    `rows` are scores of independent units whose means are compared, if there are any:
    flipping their signs is exact, and gives the p-values.
    """
    index = [(law.names.index(a), law.names.index(b)) for a, b in pairs]
    found = joint_max_t(law, index, question.alternative)
    if everyone:
        both = question.alternative != "two-sided"
        all_pairs = list((permutations if both else combinations)(range(len(law.names)), 2))
        maxima = joint_max_t(law, all_pairs, question.alternative).maxima
        found = max_t_against(found, maxima)
    if rows is None:
        return Joint(law, found, f"the {law.how}")
    pvalues = sign_flip_max_t(rows, index, len(law.errors), law.seed, question.alternative)
    differ = np.ptp(rows, axis=1) > 1e-10 * np.abs(rows).max(initial=0.0)
    least = smallest_of_signs(question.alternative, int(differ.sum()))
    return Joint(law, replace(found, pvalues=pvalues), "joint sign flips", least)


def _simultaneous(
    reports: Sequence[ComparisonReport], joint: Joint
) -> list[SimultaneousOutcome]:
    """Give every comparison the interval that holds for all of them at once."""
    law, found = joint.law, joint.max_t
    for report in reports:
        a, b = (law.names.index(name) for name in report.names)
        if not np.isclose(report.estimate, law.differences[a, b], rtol=1e-6, atol=1e-9):
            raise ValueError(
                f"adjustment='max-t' compares differences in {report.metric}, and the "
                f"{report.test} estimates something else; use adjustment='holm'."
            )
    outcomes = [report.outcome for report in reports]
    return [
        SimultaneousOutcome(
            test=f"{outcome.test}; max-T by {joint.how}",
            estimand=outcome.estimand,
            null_hypothesis=outcome.null_hypothesis,
            alternative=outcome.alternative,
            assumptions=outcome.assumptions,
            effect_sizes=outcome.effect_sizes,
            df=None,
            estimate=outcome.estimate,
            standard_error=0.0 if np.isnan(error) else float(error),
            joint_pvalue=float(pvalue),
            maxima=found.maxima,
            n_resamples=len(found.maxima),
            seed=law.seed,
            own=outcome,
            least=joint.least,
        )
        for outcome, pvalue, error in zip(
            outcomes, found.pvalues, found.standard_errors, strict=True
        )
    ]


def _common_name(tests: Sequence[str]) -> str:
    """Name the test of the pairs; one that adapts to a pair may have several names."""
    return " / ".join(dict.fromkeys(tests))
