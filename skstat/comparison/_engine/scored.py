"""Comparison of scores on common units, and of the scores on the splits of a run."""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat.comparison import _question as questions
from skstat.comparison._engine.ask import Chosen, Compared, Influence, OfRope, ask
from skstat.comparison._engine.facts import with_guessing_doubts, with_label_doubts, with_run
from skstat.comparison._engine.joint import Joint, Pair, omnibus_of
from skstat.comparison._engine.slices import compare_in_slices
from skstat.comparison._guide import Situation, choose, procedure_for
from skstat.comparison._question import Procedure, Question
from skstat.evaluation import CrossValidationRun
from skstat.evaluation._evaluate import Partition
from skstat.evaluation._run import run_in_slice
from skstat.evaluation._slices import Slices
from skstat.report import Stability
from skstat.report._doubts import Doubts, Facts, merged
from skstat.report._evidence import ByMetric, ComparisonEvidence, one_or_per_metric
from skstat.report._terms import ShownMetric
from skstat.stats._bootstrap import WeightedScores, can_be_weighed, is_right_or_wrong
from skstat.stats._chance import DEFAULT_RESAMPLES
from skstat.stats._joint import JointLaw
from skstat.stats._kernels import kernel_of_means
from skstat.stats._procedure import declared


@dataclass(frozen=True, kw_only=True, eq=False)
class Scored(Compared):
    """Scores of one system, of two, or a table of several.

    Attributes
    ----------
    law : JointLaw, optional
        The joint distribution of all scores, where the caller knows it.
    rows : ndarray of int, optional
        The units of a slice.
    drawn : list of WeightedScores
        Cache of the draws that all pairs share; empty until they are made.
    """

    law: JointLaw | None = None
    rows: NDArray[np.int64] | None = None
    drawn: list[WeightedScores] = field(init=False, default_factory=list)

    def take(self, pair: Pair) -> Self:
        sample = self.sample
        if isinstance(sample, stats.ScoreTable | stats.SeedScores):
            sample = sample.pair(*pair)
        elif pair != self.names:
            kind = type(sample).__name__
            raise ValueError(
                f"control={pair[1]!r} is the first system of this {kind}, and a control must "
                f"be the second: pass {kind}(b, a)."
            )
        if (rows := self.rows) is not None:
            groups = sample.groups
            units = {"unit": "instance"} if groups is None else {"groups": groups[rows]}
            sample = stats.PairedScores(sample.a[rows], sample.b[rows], **units)
        return replace(self, sample=sample, names=pair, family=self, of_family=True)

    def as_pair(self, question: Question) -> Self:
        if self.constant is None:
            return super().as_pair(question)
        procedure, _ = chosen = self.choose(question)
        sample = self.sample
        if stats.Successes in questions.sample_types(procedure):
            sample = stats.Successes.from_scores(sample)
        elif procedure is stats.wilcoxon:
            # The report shows the constant by its name, as if it were a system.
            against = replace(sample.against(self.constant), constant=None)
            return replace(self, sample=against, constant=None, chosen=chosen)
        return replace(self, sample=sample, chosen=chosen)

    def choose(self, question: Question) -> Chosen:
        test = question.test
        if self.chosen is not None:
            return self.chosen
        if self.constant is None:
            if isinstance(self.sample, stats.SeedScores):
                _refuse_pairs(test)
            if self.run is None:
                return choose(test, self.sample, question)
            stable = None if self.run.unstable & set(self.names) else True
            return choose(test, self.sample, question, stable=stable)
        if test != "auto":
            procedure: Any = getattr(stats, str(test), None)
            if not declared(procedure).t_of_mean:
                raise ValueError(
                    f"test={test!r}: scores are compared with a constant by paired_t, those of "
                    "splits by corrected_t; use test='auto'."
                )
            return procedure, None
        facts = {"constant": self.constant, "by_rows": self.sample.rows is not None}
        situation = Situation.of(self.run or self.sample, n_systems=1, **facts)
        return procedure_for(situation), situation

    def for_procedure(self, procedure: Procedure) -> Self:
        table = self.table
        if table is None or table.rows is None or questions.reads_rows(procedure):
            return self
        return replace(self, sample=replace(table, rows=None))

    def sample_for(self, procedure: Procedure) -> Any:
        return questions.sample_taken(procedure, self.sample)

    def facts_for(self, procedure: Procedure, options: dict[str, Any]) -> Facts:
        if getattr(self.sample, "groups", None) is None:
            return self.facts
        return replace(self.facts, is_mean=True, n_weighed=self.sample.n_effective)

    def posterior(self, sample: Any, question: Question) -> OfRope | None:
        if not can_be_weighed(sample):
            return None
        if is_right_or_wrong(sample):
            return partial(stats.agreement_posterior, sample)
        if self.family is None or self.rows is not None:
            options: Any = {"n_draws": question.n_resamples, "rng": question.seed}
            return partial(stats.bootstrap_posterior, sample, **options)
        a, b = (self.family.names.index(name) for name in self.names)
        differing = int(np.count_nonzero(sample.differences))
        drawn = self.family.weighted(question)
        return lambda rope: drawn.posterior(a, b, rope, differing)

    def weighted(self, question: Question) -> WeightedScores:
        """Return draws of the scores of all systems, made once for all pairs."""
        if not self.drawn:
            n, seed = question.n_resamples, question.drawn_by
            units = questions.sample_taken(stats.sign_flip, self.sample)
            kernel = kernel_of_means(units.scores)
            self.drawn.append(WeightedScores.of(kernel, n or DEFAULT_RESAMPLES, seed))
        return self.drawn[0]

    def best(self, question: Question) -> Callable[[float], Any] | None:
        table = self.sample
        if table.unit not in ("instance", "group") or getattr(table, "ordered", False):
            return None
        return lambda rope: self.weighted(question).best(self.names, rope)

    def joint(self, pairs: Sequence[Pair], question: Question, all_pairs: bool) -> Joint | None:
        unpaired = isinstance(self.sample, stats.SeedScores)
        if question.adjustment == "max-t" and unpaired:
            raise ValueError(
                "adjustment='max-t' needs scores of all systems on the same units, which "
                "unpaired seeds do not give; use adjustment='holm', or paired_seeds=True if "
                "seed i of every system belongs together."
            )
        if unpaired or question.adjustment not in ("auto", "max-t"):
            return None
        if self.law is not None:
            return Joint.of(self.law, self.names, pairs, question, all_pairs=all_pairs)
        joint = Joint.of_table(self.sample, pairs, question, all_pairs=all_pairs)
        if joint is None and question.adjustment == "max-t":
            raise ValueError(
                "adjustment='max-t' needs the joint distribution of the scores, and so the "
                "sizes of the splits (n_train and n_test, or n_repeats) and three splits or "
                "more."
            )
        return joint

    def omnibus(self, joint: Joint | None, question: Question) -> stats.OmnibusOutcome | None:
        table = self.sample
        plain = isinstance(table, stats.ScoreTable) and table.unit != "split"
        if not plain or table.ordered or table.n_units < 2:
            return None
        if table.unit == "seed":
            return stats.repeated_measures_anova(table)
        right = bool(np.isin(table.scores, (0, 1)).all())
        return omnibus_of(table, joint, question, right=right)

    @property
    def table(self) -> stats.ScoreTable | None:
        return self.sample if isinstance(self.sample, stats.ScoreTable) else None

    def part(self, rows: NDArray[np.int64], *, one_by_one: bool) -> Self:
        # Facts and design describe all units, not this slice.
        fixed = {key: value for key, value in self.fixed.items() if key == "direction_assumed"}
        return replace(self, rows=rows, facts=Facts(), design={}, fixed=fixed)

    def influence(self) -> Influence | None:
        sample = self.sample
        d = sample.a - sample.b
        if sample.groups is None:
            return Influence(d - d.mean(), np.ones(len(d)))
        sizes = np.bincount(sample.groups)
        # Change of the mean when a group is left out.
        changes = np.bincount(sample.groups, d - d.mean()) / np.maximum(len(d) - sizes, 1)
        values = (sample.n_units - 1) * (changes - changes.mean())
        return Influence(values, np.ones(len(values)))


def _refuse_pairs(test: str | Procedure) -> None:
    """Refuse a test of pairs for unpaired seeds."""
    procedure = getattr(stats, test, None) if isinstance(test, str) else test
    if not inspect.isfunction(procedure):
        return
    if stats.PairedScores in questions.sample_types(procedure):
        raise ValueError(
            f"test={procedure.__name__!r} compares pairs of scores, and seed i of one "
            "system has nothing to do with seed i of another. If it has (the seed "
            "controls the same thing in both), say paired_seeds=True; else leave test out."
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Fitted(Scored):
    """Scores on the splits of a run, which knows its estimators and its rows.

    Attributes
    ----------
    notes : sequence of str
        Further notes on the design.
    """

    notes: Sequence[str] = ()

    def __post_init__(self) -> None:
        fixed = [name for name in self.names if name in self.run.fixed_seeds]
        vars(self)["ignored"] = tuple(f"the random_state of {n}, held fixed" for n in fixed)

    @classmethod
    def of(cls, run: CrossValidationRun, metric: str, names: Any, **extra: Any) -> Self:
        """Return the comparison of some estimators of a run."""
        names = tuple(names)
        if len(names) > 2:
            sample: Any = run.table(metric, names)
        elif extra.get("constant") is None:
            sample = run.sample(*names, metric=metric)
        else:
            sample = run.scores_of(names[0], metric=metric)
            names = (*names, f"constant {extra['constant']:g}")
        is_loss = metric in run.losses
        return cls(sample=sample, names=names, metric=metric, is_loss=is_loss, run=run, **extra)

    def take(self, pair: Pair) -> Self:
        if len(self.names) > 2 and self.rows is None:
            return super().take(pair)
        sample = self.run.sample(*pair, metric=self.metric)
        return replace(self, sample=sample, names=pair)

    def design_of(self, procedure: Procedure, outcome: stats.Comparison) -> Mapping[str, Any]:
        design = self.run.design
        if not questions.reads_rows(procedure):
            return replace(design, halves=None).describe(self.notes)
        return design.describe(self.notes, nine_tenths=self.run.suits_folds(self.metric))

    def facts_for(self, procedure: Procedure, options: dict[str, Any]) -> Facts:
        run, spread, names = self.run, None, self.names
        if self.family is not None:
            names = self.family.names
        elif self.constant is None:
            spread = run.split_spread(*names, metric=self.metric)
        return replace(run_facts(run, names, self.metric, self.facts), split_spread=spread)

    def finished(self, report: ComparisonEvidence, question: Question) -> ComparisonEvidence:
        run = self.run
        if self.constant is not None:
            return replace(report, bounds=run.bounds.get(self.metric, (None, None)))
        if report.kind == "pair" and self.family is None and math.isnan(report.outcome.pvalue):
            by_rows = self._by_rows(report, question)
            in_table = self.of_family and self.rows is None  # a table has one metric
            report = report if in_table and by_rows.metric != self.metric else by_rows
        return with_run(report, run)

    def _by_rows(self, report: ComparisonEvidence, question: Question) -> ComparisonEvidence:
        """Test a difference that is the same on every split on the rows of one repeat.

        A perfect model and a constant baseline differ by the same amount on every split, which
        leaves no variance for a t test. The predictions of one repeat are then compared row by
        row, by accuracy or squared error. If these favour the other system, as the accuracy of
        a guess may where its F1 is higher, the report is returned without a test.
        """
        run = self.run
        sample = run.instance_sample(*report.pair)
        if sample is None or self.metric in run.weighted:
            return report
        metric = "accuracy" if run.is_classification else "neg_mean_squared_error"
        tested, shown = ShownMetric(metric, not run.is_classification), report.shown_metric
        same_metric = metric == report.metric
        if not same_metric and float(sample.differences.mean()) * report.outcome.estimate < 0:
            return report  # the rows favour the other system
        margin = question.margin_of(report.metric) if same_metric else None
        dropped = ""
        if report.margin is not None and margin is None:
            dropped = f" The margin is in {shown.name}, so it cannot be tested."
        if report.posterior is not None:
            dropped += " Without a variance there are no probabilities."
        size = report.shown_difference.value(report.outcome.estimate)
        difference = f"difference in {shown.name} is {size:+.4g} on every split"
        facts = self.facts_for(stats.sign_flip, {})
        by_rows = Scored(
            sample=sample,
            names=self.names,
            metric=metric,
            is_loss=tested.is_loss,
            design=report.design,
            facts=replace(
                facts,
                n_groups=None,
                min_test_rows=None,
                min_scored_rows=None,
                repeated_splits=0,
                degenerate=(
                    f"the {difference}, so that no t test is possible. Tested instead: "
                    f"{tested.name} of the fitted models on the {sample.n_units} test rows of "
                    "one repeat, row by row."
                ),
                unstable=(),
                better_guess=facts.better_guess if same_metric else None,
            ),
            of_family=self.of_family,
            fixed={
                "preface": f"The {difference}, which leaves no variance to test it against."
                f"{dropped} Row by row:"
            },
        )
        situation = Situation.of_design(run.design, varies=False)
        plain = replace(question, margin=margin, rope=None, n_resamples=None, seed=None)
        return ask(by_rows, (partial(stats.sign_flip, rng=0), situation), plain)

    def with_class_doubts(self, report: ComparisonEvidence) -> ComparisonEvidence:
        if self.of_family or self.constant is not None:
            return report
        report = with_guessing_doubts(report, self.run.class_sizes_for(report.metric))
        return with_label_doubts(report, self.run, report.names)

    def influence(self) -> None:
        return None

    def part(self, rows: NDArray[np.int64], *, one_by_one: bool) -> Self:
        run = run_in_slice(self.run, rows)
        return replace(self, sample=None, run=run, rows=rows, of_family=True)


def run_facts(
    run: CrossValidationRun, names: Sequence[str], metric: str, facts: Facts | None = None
) -> Facts:
    """Add what a run knows about its learners and splits to the facts."""
    design, is_mean, (rarest, label) = run.design, metric in run.means, run.rarest
    return replace(
        facts or Facts(),
        is_mean=is_mean,
        rows_unknown=metric not in run.by_formula,
        splits_groups=design.splits_groups,
        n_groups=design.n_groups,
        min_test_rows=design.fewest_tested,
        min_scored_rows=int(design.n_scored.min()),
        n_copies=run.n_copies,
        n_rows=design.n_samples,
        repeated_splits=design.repeated_splits if design.n_repeats is None else 0,
        same_class_shares=run.same_class_shares,
        rarest_class=None if is_mean else rarest,
        rarest_label=label,
        unstable=run.unstable & set(names),
        unseeded=(run.unseeded & set(names)) | ({"cv"} if design.unseeded else set()),
    )


def compare_run(
    run: CrossValidationRun, question: Question, slices: Slices | None = None, **extra: Any
) -> ComparisonEvidence | ByMetric:
    """Compare the estimators of a run, or one and a constant, metric by metric."""
    question = question.about(run.metrics)
    extra = {"names": run.names, "constant": question.constant} | extra
    reports = {}
    for metric in question.metrics:
        if metric in run.metrics:
            compared = Fitted.of(run, metric, **extra)
            reports[metric] = compare_in_slices(compared, slices, question)
    return one_or_per_metric(reports)


def with_seeds(report: Any, others: Sequence[Any], partitions: Sequence[Partition]) -> Any:
    """Add the results on other partitions to a report, and a doubt if verdicts disagree.

    The report may be on one pair, on several systems, or on several metrics.
    """
    if isinstance(report, Mapping):
        return {
            metric: with_seeds(part, [other[metric] for other in others], partitions)
            for metric, part in report.items()
        }
    stability, disagree = {}, []
    for pair in report.pairwise.pairs:
        again = [other[pair] for other in others]
        stability[pair] = Stability(
            verdict=report[pair].verdict,
            seeds=tuple(int(partition.random_state) for partition in partitions),
            estimates=tuple(one.shown_difference.value(one.outcome.estimate) for one in again),
            pvalues=tuple(one.pairwise.adjusted_pvalues.item() for one in again),
            verdicts=tuple(one.verdict for one in again),
        )
        disagree += [(pair, doubt) for doubt in Doubts(Facts(stability=stability[pair]))]
    doubts = Doubts(report.doubts, merged(disagree, len(stability)))
    return replace(report, stability=stability, doubts=doubts)
