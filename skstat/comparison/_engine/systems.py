"""Several systems on one data set: their pairs, judged together."""

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any, cast

import numpy as np

from skstat import stats
from skstat.comparison._engine.classes import beside_classes, beside_run
from skstat.comparison._engine.family import AskedPairs, pairs_at_once
from skstat.comparison._engine.joint import (
    Joint,
    check_joint,
    enough_draws,
    joint_of_law,
    joint_of_table,
)
from skstat.comparison._engine.pair import (
    ask_sample,
    describe_design,
    design_with_seed,
    facts_of_pairs,
    fixed_seeds,
    posteriors_of,
    run_facts,
    seeds_drawn_by,
)
from skstat.comparison._guide import choose, with_question
from skstat.comparison._procedures import Procedure, reads_rows, sample_taken
from skstat.comparison._question import Question
from skstat.evaluation import CrossValidationRun
from skstat.report import Recommendation
from skstat.report._doubts import Facts, by_code, find_doubts
from skstat.report._evidence import ByMetric, PairEvidence, SystemsEvidence, one_or_per_metric
from skstat.stats import (
    BestPosterior,
    DependenceWarning,
    OmnibusOutcome,
    PairwiseOutcome,
    Posterior,
    ScoreTable,
    StudentPosterior,
)
from skstat.stats._anova import largest_of
from skstat.stats._bootstrap_posterior import WeightedScores, is_right_or_wrong
from skstat.stats._common import resamples_option, rng_option, signature_of
from skstat.stats._family import alpha_of, family_of
from skstat.stats._joint_law import JointLaw, skewness_left
from skstat.stats._kernels import kernel_of_means
from skstat.stats._multiplicity import Adjustment
from skstat.stats._pairwise import pairs_of
from skstat.stats._posterior import best_of_pairs
from skstat.stats._resampling import DEFAULT_RESAMPLES


def ask_systems_run(
    run: CrossValidationRun,
    test: str | Procedure,
    question: Question,
    *,
    names: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    choice: Recommendation | None = None,
) -> SystemsEvidence | ByMetric:
    """Compare several estimators of a run, metric by metric.

    `choice` says why the test is the one, if it was chosen before.
    """
    metrics = run.metrics if metrics is None else metrics
    names = run.names if names is None else tuple(names)
    question = question.about(metrics)
    stable = None if run.unstable & set(names) else True
    reports: dict[str, SystemsEvidence] = {}
    for metric in metrics:
        table = select_systems(run.table(metric), names)
        procedure, chosen = choose(test, table, question, stable=stable)
        report = ask_systems(
            table,
            procedure,
            question,
            metric=metric,
            is_loss=metric in run.losses,
            design=describe_design(run, metric, by_rows=reads_rows(procedure)),
            facts=run_facts(run, names, metric),
            choice=choice if choice is not None else chosen,
            ignored_variance=partial(fixed_seeds, run),
            run=run,
        )
        reports[metric] = beside_classes(beside_run(report, run), run, names)
    return one_or_per_metric(reports)


def _draws_for(procedure: Procedure, n_pairs: int, question: Question) -> dict[str, Any]:
    """Ask a procedure that draws for as many draws as its pairs need, or the caller wants."""
    known = signature_of(procedure).parameters.get("n_resamples")
    if known is None:
        return {}
    least = enough_draws(n_pairs, alpha_of(question.confidence_level))
    if question.n_resamples is not None:
        return resamples_option(procedure, max(least, question.n_resamples))
    # None leaves it to the procedure whether it draws at all.
    usual = DEFAULT_RESAMPLES if known.default is None else known.default
    return {} if least <= usual else {"n_resamples": least}


def select_systems(table: ScoreTable, names: Sequence[str]) -> ScoreTable:
    """Return the table of some systems, in the order they are named."""
    return table if tuple(names) == table.names else table.take(names)


def ask_systems(
    table: ScoreTable,
    procedure: Procedure,
    question: Question,
    *,
    chosen_by_score: bool = False,
    metric: str = "score",
    is_loss: bool = False,
    design: dict[str, Any] | None = None,
    facts: Facts | None = None,
    choice: Recommendation | None = None,
    ignored_variance: Callable[[tuple[str, str]], tuple[str, ...]] | None = None,
    law: JointLaw | None = None,
    run: Any = None,
) -> SystemsEvidence:
    """Ask a procedure of every pair of a table of splits, instances or seeds.

    By default the pairs are judged by their joint distribution, where that is the law of the
    procedure; `choice` is given where the procedure was not the caller's. A control that was
    chosen by the scores is one end of any pair: p-values are then adjusted for all.
    `law` is the joint distribution, where the caller knows it. `question.n_resamples` are its
    draws, and those of a procedure that draws.
    """
    adjustment, control = question.adjustment, question.control
    check_joint(adjustment, control)
    pairs = pairs_of(table.names, control)
    seed = question.drawn_by
    if not reads_rows(procedure):
        table = table.without_rows()

    def sample_of(pair: tuple[str, str]) -> Any:
        return sample_taken(procedure, table.pair(*pair))

    joint = None
    if adjustment in ("auto", "max-t"):
        joint = (
            joint_of_table(table, pairs, question, everyone=chosen_by_score)
            if law is None
            else joint_of_law(law, pairs, question, everyone=chosen_by_score)
        )
        if joint is None and adjustment == "max-t":
            raise ValueError(
                "adjustment='max-t' needs the joint distribution of the scores, and so the "
                "sizes of the splits (n_train and n_test, or n_repeats) and three splits or "
                "more."
            )
    if joint is not None and adjustment == "auto" and choice is None:
        joint = joint if joint.suits(procedure, sample_of) else None
    draws = _draws_for(procedure, len(pairs), question)
    units = sample_taken(procedure, table)
    weighed = _WeighedPairs.of(units, pairs, question.n_resamples, seed)

    def ask(pair: tuple[str, str]) -> PairEvidence:
        return ask_sample(
            procedure if joint is None else joint.asking(pair, procedure),
            sample_of(pair),
            question,
            names=pair,
            metric=metric,
            is_loss=is_loss,
            design=design,
            facts=facts,
            options=draws,
            ignored_variance=() if ignored_variance is None else ignored_variance(pair),
            of_family=True,
            otherwise=None if weighed is None else partial(weighed.posterior, pair),
        )

    options = draws | rng_option(procedure, seed)
    family = pairs_at_once(
        units, pairs, joint, procedure, question, facts, options, ask, ignored_variance
    )
    compared = family or AskedPairs.of_reports([ask(pair) for pair in pairs])
    others = None
    if chosen_by_score and joint is None:
        others = _other_pvalues(table, procedure, question, options)
    omnibus = _omnibus(table, joint, question)
    drawn = [joint.found.drawn_by if joint else None, omnibus.seed if omnibus else None]
    if joint is None:
        outcomes = family_of(compared.outcomes)
        drawn += seeds_drawn_by(
            procedure, seed, *map(outcomes.__getitem__, outcomes.representatives)
        )
    if question.rope is not None and control is None:
        drawn.append(seed)
    report = report_on(
        table,
        compared,
        question,
        omnibus=omnibus,
        joint=joint,
        others=others,
        n_family=len(pairs) + _n_others(table, question) if chosen_by_score else None,
        skewness=skewness_left(table),
        choice=choice,
        design=design_with_seed(design or {}, seed, *drawn),
        run=run,
        otherwise=None if weighed is None else weighed.at,
        best=None if weighed is None else weighed.best,
    )
    return replace(report, samples=None)  # they are parts of the table


@dataclass(frozen=True, eq=False)
class _WeighedPairs:
    """Pairs of a table of rows or groups, read from common draws of their weights."""

    table: ScoreTable
    pairs: Sequence[tuple[str, str]]
    n_draws: int
    seed: int

    @classmethod
    def of(
        cls, table: Any, pairs: Sequence[tuple[str, str]], n_draws: int | None, seed: int
    ) -> "_WeighedPairs | None":
        """Return the pairs, if the units can be weighed."""
        rows = isinstance(table, ScoreTable) and table.unit in ("instance", "group")
        if not rows or table.ordered:
            return None
        return cls(table, pairs, DEFAULT_RESAMPLES if n_draws is None else n_draws, seed)

    @cached_property
    def _drawn(self) -> WeightedScores:
        return WeightedScores.of(kernel_of_means(self.table.scores), self.n_draws, self.seed)

    def posterior(self, pair: tuple[str, str], rope: float) -> Posterior:
        """Return the posterior of a pair by its names."""
        sample = self.table.pair(*pair)
        if is_right_or_wrong(sample):
            return stats.agreement_posterior(sample, rope)
        a, b = (self.table.names.index(name) for name in pair)
        differing = int(np.count_nonzero(sample.differences))
        return self._drawn.posterior(a, b, rope, differing)

    def best(self, rope: float) -> BestPosterior:
        """Return who is the best of all."""
        return self._drawn.best(self.table.names, rope)

    def at(self, place: int, rope: float) -> Posterior:
        """Return the posterior of a pair by its place."""
        return self.posterior(self.pairs[place], rope)


def report_on(
    sample: Any,
    compared: AskedPairs,
    question: Question,
    *,
    omnibus: OmnibusOutcome | None = None,
    joint: Joint | None = None,
    others: Sequence[float] | None = None,
    n_family: int | None = None,
    skewness: float | None = None,
    choice: Recommendation | None = None,
    design: dict[str, Any] | None = None,
    run: Any = None,
    posteriors: Sequence[Posterior | None] = (),
    otherwise: Callable[[int, float], Posterior] | None = None,
    best: Callable[[float], BestPosterior] | None = None,
) -> SystemsEvidence:
    """Report on several systems by the comparisons of their pairs, adjusted for their number.

    `others` are p-values of pairs that are not shown but belong to the family, and
    `n_family` says how many there are with those that are shown. `posteriors` are those of the
    pairs, where they are known; `otherwise` makes that of a pair by its place, where no law of
    its estimate is known.
    `best` says by a region who is the best of all, where that does not follow from the pairs.
    """
    outcomes, adjustment = family_of(compared.outcomes), question.adjustment
    if joint is not None:
        adjustment = "max-t"
        adjusted = joint.found.pvalues
    else:
        adjustment = "holm" if adjustment == "auto" else adjustment
        pvalues = [*outcomes.pvalues.tolist(), *(others or ())]
        method = cast(Adjustment, adjustment)
        adjusted = stats.adjust_pvalues(pvalues, method)[: len(outcomes)]
    first = compared.first
    known = tuple(each for each in posteriors if each is not None)
    pairwise = PairwiseOutcome(
        # One that adapts to a pair may have several names.
        test=f"pairwise {' / '.join(outcomes.distinct('test'))}",
        names=tuple(sample.names),
        pairs=compared.pairs,
        outcomes=compared.outcomes,
        adjusted_pvalues=np.asarray(adjusted),
        adjustment=adjustment,
        control=question.control,
        n_family=n_family,
    )
    read = known or posteriors_of(outcomes, question, first.metric, otherwise)
    report = SystemsEvidence(
        sample=sample,
        pairwise=pairwise,
        omnibus=omnibus,
        metric=first.metric,
        is_loss=first.is_loss,
        direction_assumed=first.direction_assumed,
        bounds=first.bounds,
        confidence_level=question.confidence_level,
        design=first.design if design is None else design,
        ignored_variance=compared.ignored_variance,
        choice=first.choice
        if choice is None
        else with_question(choice, question, first.metric),
        samples=compared.samples,
        margin=question.margin_of(first.metric),
        posteriors=read,
        best_posterior=_best_of(compared.pairs, sample.names, read, best, question.seed),
        run=run,
    )
    facts = facts_of_pairs(
        report,
        Facts(),
        identical=compared.identical,
        scored=compared.scored,
        sample=sample if report.unit == "dataset" else None,
        skewness=skewness if report.may_be_best else None,
    )
    return replace(report, doubts=by_code(compared.doubts, find_doubts(facts)))


def _best_of(
    pairs: Sequence[tuple[str, str]],
    names: Sequence[str],
    posteriors: Sequence[Posterior] | None,
    best: Callable[[float], BestPosterior] | None,
    seed: int | None,
) -> BestPosterior | None:
    """Say who is the best with what probability, if all pairs were asked with a region."""
    if not posteriors or len(names) < 3 or len(pairs) != math.comb(len(names), 2):
        return None
    if best is not None and not isinstance(posteriors[0], StudentPosterior):
        return best(posteriors[0].rope)
    return best_of_pairs(names, pairs, posteriors, 0 if seed is None else seed)


def _n_others(table: ScoreTable, question: Question) -> int:
    """Pairs without the control, in both directions if that matters."""
    both = question.alternative != "two-sided"
    return math.comb(len(table.names) - 1, 2) * (2 if both else 1)


def _other_pvalues(
    table: ScoreTable,
    procedure: Procedure,
    question: Question,
    options: dict[str, Any],
) -> list[float]:
    """p-values of the pairs without the control, in both directions if that matters."""
    pairs = combinations([name for name in table.names if name != question.control], 2)
    both = list(pairs)
    if question.alternative != "two-sided":
        both += [(b, a) for a, b in both]
    options = {"alternative": question.alternative, **options}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DependenceWarning)  # it is said as a doubt
        samples = (sample_taken(procedure, table.pair(a, b)) for a, b in both)
        return [procedure(sample, **options).pvalue for sample in samples]


def _omnibus(
    table: ScoreTable, joint: Joint | None, question: Question
) -> OmnibusOutcome | None:
    """Test of all systems at once, of units that are independent of each other.

    The largest t of all pairs is taken from their own law, where they are judged by it.
    """
    if table.unit == "split" or table.ordered or table.n_units < 2:
        return None
    draws, seed = question.n_resamples, question.seed
    if np.isin(table.scores, (0, 1)).all() and table.unit == "instance":
        return stats.cochran_q(table, **resamples_option(stats.cochran_q, draws), rng=seed)
    if table.unit == "seed":
        return stats.repeated_measures_anova(table)
    if joint is None:
        return stats.largest_t(table, **resamples_option(stats.largest_t, draws), rng=seed)
    return largest_of_family(joint, table, question)


def largest_of_family(
    joint: Joint, table: ScoreTable, question: Question
) -> OmnibusOutcome | None:
    """Test of all systems at once by the family of all pairs; None if that is another."""
    if question.control is not None or question.alternative != "two-sided":
        return None
    return largest_of(joint.found, table)
