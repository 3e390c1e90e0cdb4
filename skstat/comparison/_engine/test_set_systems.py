"""Several systems on one test set: joint draws, pairs, and one law for all of them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat.comparison import _guide as guide
from skstat.comparison._engine import joint as joints
from skstat.comparison._engine.classes import beside_largest_class, class_sizes_of
from skstat.comparison._engine.systems import joined, judged, largest_of_family
from skstat.comparison._engine.test_set import (
    affordable,
    ask_pair,
    binary_scores,
    design,
    is_right_or_wrong,
    sample_for,
)
from skstat.comparison._procedures import SAMPLES, Procedure, procedures_by_name
from skstat.comparison._question import Question
from skstat.metrics import row_scores
from skstat.metrics._sums import right_rows
from skstat.report._evidence import ComparisonEvidence
from skstat.stats import _joint_law as laws
from skstat.stats._bootstrap import bootstrap_outcome, differences_of
from skstat.stats._bootstrap_posterior import WeightedScores, best_by_right_rows, n_differing
from skstat.stats._common import declare, declared
from skstat.stats._family import alpha_of
from skstat.stats._kernels import bootstrap
from skstat.stats._max_t import JointFlips
from skstat.stats._pairwise import pairs_of
from skstat.stats._permutation import permutation_outcome
from skstat.stats._replicates import in_short


def ask_family(predictions: stats.Predictions, question: Question) -> ComparisonEvidence:
    """Compare several systems pair by pair, with p-values adjusted for their number."""
    test, control, adjustment = question.test, question.control, question.adjustment
    joints.check_joint(adjustment, control)
    pairs = pairs_of(predictions.names, control)
    asked = _SharedDraws(predictions, question)
    by_default = test == "auto" and adjustment in ("auto", "max-t")
    choice = None
    if test == "auto":
        several = {"control": control is not None, "adjustment": adjustment}
        choice = guide.recommend(guide.Situation.of_predictions(predictions, **several))
    # An interval of another kind that was asked for is that of each pair.
    wanted = adjustment == "max-t" or (adjustment == "auto" and question.interval is None)
    joint = asked.family(pairs, question) if wanted else None
    if joint is not None and adjustment == "auto" and np.isnan(joint.found.pvalues).any():
        joint = None  # areas that differ without any variance have p-values by permutation

    of_pairs = by_default and choice is not None and choice.name in procedures_by_name(*SAMPLES)
    # Where rows have scores, all pairs are in the same situation.
    chosen_once: list[tuple[Procedure, Any]] = []

    def procedure_of_pair(sample: stats.PairedPredictions) -> tuple[Procedure, Any]:
        if chosen_once:
            return chosen_once[0]
        if of_pairs and choice is not None:
            found: tuple[Procedure, Any] = (guide.procedure_of(choice), None)
        else:
            found = guide.choose_for_test_set(test, sample)
        if of_pairs or asked.rows is not None:
            chosen_once.append(found)
        return found

    if joint is not None and adjustment == "auto" and test != "auto":
        first, _ = procedure_of_pair(predictions.pair(*pairs[0]))
        if not asked.suits(joint, first):
            joint = None
    if joint is None:
        needed = joints.enough_draws(len(pairs), alpha_of(question.confidence_level))
        if needed > question.n_draws:
            question = replace(question, n_resamples=needed)
            asked = _SharedDraws(predictions, question)
    reports = []
    for pair in pairs:
        sample = predictions.pair(*pair)
        procedure, chosen = procedure_of_pair(sample)
        procedure = asked.procedure(procedure)
        reports.append(
            ask_pair(
                sample,
                procedure if joint is None else joint.asking(pair, procedure),
                question,
                choice=chosen,
                of_family=True,
                otherwise=partial(asked.posterior, sample),
            )
        )
    table = asked.table()
    omnibus = omnibus_of(asked, joint, question)
    described = design(predictions, reports[0].outcome.by_itself)
    if question.draws_note:
        described["notes"].append(question.draws_note)
    return judged(
        joined(reports),
        predictions,
        question,
        procedure,
        joint=joint,
        skewness=None if table is None else laws.skewness_left(table),
        choice=choice,
        best=asked.best,
        omnibus=omnibus,
        design=described,
    )


class _SharedDraws:
    """Bootstrap replicates of all systems from one set of draws, made when first needed."""

    def __init__(self, predictions: stats.Predictions, question: Question) -> None:
        self.predictions = predictions
        self._question = question
        self._drawn: Any = None

    def replicates(self) -> Any:
        """Scores of all systems on the resamples: (n_resamples, n_systems)."""
        if self._drawn is None:
            wanted, kernel = self._question, self.predictions.kernel
            self._drawn = bootstrap(
                [kernel], wanted.n_draws, wanted.drawn_by, workers=wanted.workers
            )
        return self._drawn

    @cached_property
    def weighted(self) -> WeightedScores:
        """Scores of all systems with weights of the units."""
        wanted = self._question
        kernel = self.predictions.kernel
        return WeightedScores.of(kernel, wanted.n_draws, wanted.drawn_by, wanted.workers)

    def best(self, rope: float) -> stats.BestPosterior:
        """Say who is the best of all systems, with what probability."""
        predictions, wanted = self.predictions, self._question
        if not is_right_or_wrong(predictions):
            return self.weighted.best(predictions.names, rope)
        right = np.column_stack(right_rows(predictions))
        counts = predictions.counts
        return best_by_right_rows(
            predictions.names,
            right,
            np.ones(len(right), dtype=np.int64) if counts is None else counts,
            rope,
            n_draws=wanted.n_draws,
            seed=wanted.drawn_by,
        )

    def posterior(self, pair: stats.PairedPredictions, rope: float) -> stats.Posterior:
        """Probabilities of one pair, whose units are weighed as those of all pairs."""
        if pair.ordered:
            return stats.bootstrap_posterior(pair, rope)  # says why there are none
        a, b = (self.predictions.names.index(name) for name in pair.names)
        return self.weighted.posterior(a, b, rope, n_differing(pair.kernel))

    def differences(self, pair: stats.PairedPredictions) -> dict[str, Any]:
        """Replicates of one pair's difference."""
        first, second = map(self.predictions.names.index, pair.names)
        return differences_of(
            self.predictions.kernel,
            self.replicates(),
            self._question.interval or "percentile",
            systems=(first, second),
            noise=pair.noise,
        )

    @cached_property
    def rows(self) -> list[NDArray[np.float64]] | None:
        """Scores of the rows whose plain mean is the score, where they are independent."""
        predictions = self.predictions
        weighted = predictions.sample_weight is not None or predictions.strata is not None
        if weighted or predictions.ordered or predictions.counts is not None:
            return None
        return row_scores(predictions)

    def family(self, pairs: Sequence[tuple[str, str]], question: Question) -> joints.Joint:
        """All pairs by one law: flips of rows or groups if the score is a mean of them."""
        predictions, rows = self.predictions, self.rows
        few = predictions.groups is not None and predictions.n_units < guide.FEWEST_FLIPPED
        if rows is None or few:
            return joints.joint_of_law(self.law(), pairs, question)
        scores, sizes = np.column_stack(rows), None
        if predictions.groups is not None:
            scores = np.column_stack([np.bincount(predictions.groups, row) for row in rows])
            sizes = np.bincount(predictions.groups).astype(float)
        return joints.joint_of_flips(
            JointFlips(scores, sizes), predictions.names, pairs, question
        )

    def suits(self, joint: joints.Joint, procedure: Procedure) -> bool:
        """Whether the law of a family is that of a procedure."""
        if procedure is stats.paired_bootstrap:
            return self._drawn is not None
        shared = self.procedure(procedure)
        return joint.suits(
            shared, lambda pair: sample_for(shared, self.predictions.pair(*pair))
        )

    def table(self) -> stats.ScoreTable | None:
        """Scores of rows or groups whose means are the scores; None if there are none."""
        return None if self.rows is None else _table_of(self.predictions, self.rows)

    def law(self) -> laws.JointLaw:
        """Joint law of the scores of all systems: by a formula where there is one."""
        predictions, wanted = self.predictions, self._question
        table = self.table()
        if table is not None:
            return laws.law_of_means(
                table,
                "comparison of several systems",
                method="t",
                n_resamples=wanted.n_draws,
                rng=wanted.drawn_by,
                for_few=True,
            )
        if "normal-areas" in guide.Situation.of_predictions(predictions).facts:
            areas = binary_scores(predictions)
            return laws.law_of_areas(areas, n_resamples=wanted.n_draws, seed=wanted.drawn_by)
        drawn = self.replicates()
        unit = predictions.unit
        return laws.law_of_replicates(
            predictions.names,
            predictions.scores,
            drawn.scores[0],
            n_units=predictions.n_units,
            where=f"over {unit}s, for these {len(predictions.names)} fitted systems",
            seed=drawn.seed,
            quantity=predictions.metric.name,
            assumptions=(
                f"there are enough {unit}s for the bootstrap",
                f"{unit}s further apart than the blocks that are drawn are independent"
                if predictions.ordered
                else f"the {unit}s are independent of each other",
            ),
            widened=True,
        )

    def procedure(self, procedure: Procedure) -> Procedure:
        """The same procedure on the shared draws, where it resamples."""
        if procedure is stats.paired_bootstrap:

            def paired_bootstrap(
                sample: stats.PairedPredictions, *, alternative: str
            ) -> stats.Comparison:
                if sample.identical:
                    own: Any = self._question.interval or "percentile"
                    return procedure(sample, alternative=alternative, rng=0, interval=own)
                drawn = self.differences(sample)
                found = bootstrap_outcome(
                    sample, drawn, pvalue="shift", alternative=alternative
                )
                # Limits by bca also rest on how many replicates are below the estimate.
                law: Any = found.law
                if law.limits_by == "bca":
                    return found
                return replace(found, law=replace(law, replicates=in_short(law.replicates)))

            return declare(paired_bootstrap, declared(procedure))
        if procedure is stats.paired_permutation:

            def paired_permutation(
                sample: stats.PairedPredictions, *, alternative: str
            ) -> stats.Comparison:
                wanted = self._question
                if sample.identical:
                    return procedure(sample, alternative=alternative, rng=wanted.drawn_by)
                return permutation_outcome(
                    sample,
                    lambda: self.differences(sample),
                    n_resamples=wanted.n_draws,
                    seed=wanted.drawn_by,
                    must_draw=wanted.n_resamples is not None,
                    interval=wanted.interval or "permutation",
                    alternative=alternative,
                    workers=wanted.workers,
                )

            return declare(paired_permutation, declared(procedure))
        return procedure


def omnibus_of(
    asked: _SharedDraws,
    joint: joints.Joint | None,
    question: Question,
) -> stats.OmnibusOutcome | None:
    """Test of all systems at once, where there is one for the metric."""
    predictions, table = asked.predictions, asked.table()
    weighted = predictions.sample_weight is not None or predictions.strata is not None
    if weighted or predictions.ordered:
        return None
    if predictions.metric.is_accuracy and predictions.groups is None:
        return None if table is None else stats.cochran_q(table, rng=question.seed)
    if predictions.metric.is_whole_auc:
        try:
            return stats.delong_wald(binary_scores(predictions))
        except ValueError:  # several classes, or too few instances of one
            return None
    if table is None or table.n_units < 2:
        return None
    if joint is not None:
        return largest_of_family(joint, table, question)
    return stats.largest_t(table, n_resamples=question.n_draws, rng=question.seed)


def _table_of(predictions: stats.Predictions, rows: Any) -> stats.ScoreTable:
    """Scores of rows or groups, whose means are the scores.

    The value of a group is the mean over all rows, and what its rows add to the sum: the
    sample variance of such values is the cluster-robust one (CR1).
    """
    if predictions.groups is None:
        return stats.ScoreTable(
            dict(zip(predictions.names, rows, strict=True)), unit="instance"
        )
    share = predictions.n_units / predictions.n_rows
    values = {
        name: row.mean() + share * np.bincount(predictions.groups, row - row.mean())
        for name, row in zip(predictions.names, rows, strict=True)
    }
    return stats.ScoreTable(values, unit="group")


def ask_test_set(predictions: stats.Predictions, question: Question) -> ComparisonEvidence:
    """Ask about one metric of systems on one test set."""
    predictions.scores  # noqa: B018  refuses what cannot be scored before anything else
    question = affordable(question, predictions)
    class_sizes = class_sizes_of(predictions)
    if len(predictions.names) > 2:
        several = ask_family(predictions, question)
        return beside_largest_class(several, class_sizes)
    ((a, b),) = pairs_of(predictions.names, question.control)
    pair: stats.PairedPredictions = predictions.pair(a, b)
    procedure, choice = guide.choose_for_test_set(question.test, pair)
    report = ask_pair(pair, procedure, question, choice=choice)
    return beside_largest_class(report, class_sizes)
