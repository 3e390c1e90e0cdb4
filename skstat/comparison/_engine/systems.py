"""Several systems on one data set: their pairs, judged together."""

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, combinations
from typing import Any, cast

import numpy as np

from skstat import stats
from skstat.comparison._engine.classes import beside_classes, beside_run
from skstat.comparison._engine.joint import (
    Joint,
    Pair,
    check_joint,
    enough_draws,
    joint_of_law,
    joint_of_table,
)
from skstat.comparison._engine.pair import (
    ask_metric,
    ask_sample,
    describe_design,
    facts_of_pairs,
    fixed_seeds,
    posteriors_of,
    run_facts,
    with_seed,
)
from skstat.comparison._guide import choose, with_question
from skstat.comparison._procedures import Procedure, reads_rows, sample_taken
from skstat.comparison._question import Question
from skstat.evaluation import CrossValidationRun
from skstat.report import Recommendation
from skstat.report._doubts import Facts, by_code, find_doubts, merged
from skstat.report._evidence import ByMetric, ComparisonEvidence, one_or_per_metric
from skstat.stats import (
    BestPosterior,
    Comparison,
    DependenceWarning,
    OmnibusOutcome,
    PairedScores,
    Posterior,
    ScoreTable,
)
from skstat.stats._anova import largest_of
from skstat.stats._bootstrap_posterior import WeightedScores, is_right_or_wrong
from skstat.stats._common import resamples_option, signature_of, takes
from skstat.stats._family import OutcomeFamily, alpha_of
from skstat.stats._joint_law import JointLaw, skewness_left
from skstat.stats._kernels import kernel_of_means
from skstat.stats._multiplicity import Adjustment
from skstat.stats._pairwise import pairs_of
from skstat.stats._posterior import best_of_pairs
from skstat.stats._resampling import DEFAULT_RESAMPLES
from skstat.stats._samples import ScorePairs


def ask_run(
    run: CrossValidationRun,
    test: str | Procedure,
    question: Question,
    *,
    names: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    choice: Recommendation | None = None,
) -> ComparisonEvidence | ByMetric:
    """Compare two estimators of a run, or several, metric by metric.

    `choice` says why the test is the one, if it was chosen before.
    """
    metrics = run.metrics if metrics is None else metrics
    names = run.names if names is None else tuple(names)
    question, pair = question.about(metrics), pairs_of(names, question.control)[0]
    stable = None if run.unstable & set(names) else True
    reports: dict[str, ComparisonEvidence] = {}
    for metric in metrics:
        if several := len(names) > 2:
            compared: Any = select_systems(run.table(metric), names)
        else:
            compared = run.sample(*pair, metric=metric)
        procedure, chosen = choose(test, compared, question, stable=stable)
        chosen = chosen if choice is None else choice
        if several:
            report = ask_systems(
                compared,
                procedure,
                question,
                metric=metric,
                is_loss=metric in run.losses,
                design=describe_design(run, metric, by_rows=reads_rows(procedure)),
                facts=run_facts(run, names, metric),
                choice=chosen,
                ignored_variance=partial(fixed_seeds, run),
                run=run,
            )
            report = beside_run(report, run)
        else:
            report = ask_metric(
                run, procedure, question, names=pair, metric=metric, choice=chosen
            )
        reports[metric] = beside_classes(report, run, names if several else pair)
    return one_or_per_metric(reports)


def _with_draws(question: Question, procedure: Procedure, n_pairs: int) -> Question:
    """Ask a procedure that draws for as many draws as its pairs need, or the caller wants."""
    known = signature_of(procedure).parameters.get("n_resamples")
    if known is None:
        return question
    least = enough_draws(n_pairs, alpha_of(question.confidence_level))
    # None leaves it to the procedure whether it draws at all.
    usual = DEFAULT_RESAMPLES if known.default is None else known.default
    if question.n_resamples is None and least <= usual:
        return question
    return replace(question, n_resamples=max(least, question.n_resamples or 0))


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
) -> ComparisonEvidence:
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
    of_pairs = _with_draws(question, procedure, len(pairs))
    units = sample_taken(procedure, table)
    weighed = _WeighedPairs.of(units, pairs, question.n_resamples, seed)

    def ask(pair: tuple[str, str]) -> ComparisonEvidence:
        return ask_sample(
            procedure if joint is None else joint.asking(pair, procedure),
            sample_of(pair),
            of_pairs,
            names=pair,
            metric=metric,
            is_loss=is_loss,
            design=design,
            facts=facts,
            ignored_variance=() if ignored_variance is None else ignored_variance(pair),
            of_family=True,
            otherwise=None if weighed is None else partial(weighed.posterior, pair),
        )

    family = pairs_at_once(
        units, pairs, joint, procedure, of_pairs, facts, ask, ignored_variance
    )
    compared, looked = family or (joined([ask(pair) for pair in pairs]), None)
    others: list[float] = []
    if chosen_by_score and joint is None:
        others = _other_pvalues(table, procedure, of_pairs)
    omnibus = _omnibus(table, joint, question)
    return judged(
        compared,
        table,
        question,
        procedure,
        joint=joint,
        looked=looked,
        others=others,
        n_family=len(pairs) + _n_others(table, question) if chosen_by_score else None,
        skewness=skewness_left(table),
        choice=choice,
        otherwise=None if weighed is None else weighed.at,
        best=None if weighed is None else weighed.best,
        omnibus=omnibus,
        design=design or {},
        run=run,
        samples=None,  # they are parts of the table
    )


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


def joined(reports: Sequence[ComparisonEvidence]) -> ComparisonEvidence:
    """Join pairs that were asked one by one; they await the adjustment for their number."""
    first, pairs = reports[0], tuple(report.pair for report in reports)
    read = [report.posterior for report in reports]
    ignored = chain.from_iterable(report.ignored_variance for report in reports)
    found = ((report.pair, doubt) for report in reports for doubt in report.doubts)
    constants = [report.constants for report in reports]
    return _several(
        first,
        pairs,
        tuple(report.outcome for report in reports),
        samples=tuple(report.sample for report in reports),
        constants={name: own for each in constants for name, own in each.items()},
        posteriors=None if any(own is None for own in read) else read,
        ignored_variance=tuple(dict.fromkeys(ignored)),
        doubts=tuple(merged(found, len(reports))),
    )


def _several(
    first: ComparisonEvidence,
    pairs: Sequence[Pair],
    outcomes: Sequence[Comparison] | Comparison,
    **known: Any,
) -> ComparisonEvidence:
    """Return several pairs, of which the first says what all have in common."""
    pairwise = replace(first.pairwise, pairs=tuple(pairs), outcomes=outcomes)
    own = {"sturdy": None, "times": None, "preface": ""}
    return replace(first, kind="systems", pairwise=pairwise, **own | known)


def pairs_at_once(
    table: ScoreTable,
    pairs: Sequence[Pair],
    joint: Joint | None,
    procedure: Procedure,
    question: Question,
    facts: Facts | None,
    ask: Callable[[Pair], ComparisonEvidence],
    ignored_variance: Callable[[Pair], tuple[str, ...]] | None = None,
) -> tuple[ComparisonEvidence, ScorePairs] | None:
    """Return the family of pairs of a table as arrays, where that says all; None elsewhere.

    It does for a test that takes all pairs at once, of complete scores, and finds the same of
    all, or is a pair's own.
    """
    guessed = facts is not None and facts.is_baseline
    if guessed or table.missing.any() or not takes(procedure, ScorePairs):
        return None
    pair = table.pair(*pairs[0])
    if not isinstance(pair, PairedScores) or pair.rows is not None or pair.n_blocks is not None:
        return None
    first = ask(pairs[0])
    sample = ScorePairs(table=table, pairs=pairs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DependenceWarning)  # it is said as a doubt
        asked = procedure if joint is None else joint.asking(None, procedure)
        options = {"alternative": question.alternative} | question.options(procedure)
        found = asked(sample, **options)
    if isinstance(found, OutcomeFamily):
        return None
    each = () if ignored_variance is None else map(ignored_variance, pairs)
    ignored = (*first.ignored_variance, *chain.from_iterable(each))
    differing = int(sample.identical.argmin())
    of_design = ask(pairs[differing]) if differing else first  # all pairs share it
    every = _several(
        first,
        pairs,
        found,
        posteriors=None,
        ignored_variance=tuple(dict.fromkeys(ignored)),
        doubts=tuple(one for one in of_design.doubts if not one.of_pair),
    )
    return every, sample


def judged(
    compared: ComparisonEvidence,
    sample: Any,
    question: Question,
    procedure: Procedure | None = None,
    *,
    joint: Joint | None = None,
    looked: ScorePairs | None = None,
    others: Sequence[float] = (),
    n_family: int | None = None,
    skewness: float | None = None,
    choice: Recommendation | None = None,
    otherwise: Callable[[int, float], Posterior] | None = None,
    best: Callable[[float], BestPosterior] | None = None,
    **known: Any,
) -> ComparisonEvidence:
    """Adjust the comparisons of pairs for their number, and find the doubts about all verdicts.

    `others` are p-values of pairs that are not shown but belong to the family, and
    `n_family` says how many there are with those that are shown. Unless the posteriors of the
    pairs are known, `otherwise` makes that of a pair by its place, where no law of its estimate
    is known. `best` says by a region who is the best of all, where that does not follow from
    the pairs. What else is known stands in the place of what the first pair says.
    """
    family, pairs, names = compared.pairwise.outcomes, compared.pairwise.pairs, sample.names
    adjustment = "holm" if question.adjustment == "auto" else question.adjustment
    if joint is not None:
        adjustment, adjusted = "max-t", joint.found.pvalues
    else:
        every = [*family.pvalues.tolist(), *others]
        adjusted = stats.adjust_pvalues(every, cast(Adjustment, adjustment))[: len(pairs)]
    read = compared.posteriors
    if read is None:
        read = posteriors_of(family, question, compared.metric, otherwise)
    report = replace(
        compared,
        sample=sample,
        pairwise=replace(
            compared.pairwise,
            # One that adapts to a pair may have several names.
            test=f"pairwise {' / '.join(family.distinct('test'))}",
            names=tuple(names),
            adjusted_pvalues=np.asarray(adjusted),
            adjustment=adjustment,
            control=question.control,
            n_family=n_family,
        ),
        posteriors=read,
        best_posterior=_best_of(pairs, names, read, best, question.seed),
        choice=compared.choice
        if choice is None
        else with_question(choice, question, compared.metric),
        **known,
    )
    facts = facts_of_pairs(
        report,
        Facts(),
        identical=np.array([one.identical for one in report.compared_pairs()])
        if looked is None
        else looked.identical,
        scored=looked,
        sample=sample if report.unit == "dataset" else None,
        skewness=skewness if report.may_be_best else None,
    )
    report = replace(report, doubts=by_code(report.doubts, find_doubts(facts)))
    drawn_by = None if joint is None else joint.found.drawn_by
    return with_seed(report, question.seed, procedure, drawn_by)


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
    if best is not None and not isinstance(posteriors[0], stats.StudentPosterior):
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
) -> list[float]:
    """p-values of the pairs without the control, in both directions if that matters."""
    pairs = combinations([name for name in table.names if name != question.control], 2)
    both = list(pairs)
    if question.alternative != "two-sided":
        both += [(b, a) for a, b in both]
    options = {"alternative": question.alternative} | question.options(procedure)
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
