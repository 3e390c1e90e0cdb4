"""Predictions of systems for one test set, as what is compared."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat.comparison import _guide as guide
from skstat.comparison._engine.ask import Chosen, Compared, Influence, OfRope
from skstat.comparison._engine.facts import beside_largest_class, class_sizes_of, row_facts
from skstat.comparison._engine.joint import Joint, Pair, flips_of, joint_of, largest_of_family
from skstat.comparison._engine.test_set import (
    affordable,
    agreement_of,
    binary_scores,
    is_right_or_wrong,
    notes_of,
    part_of,
    sample_for,
)
from skstat.comparison._procedures import SAMPLES, Procedure, procedure_name, procedures_by_name
from skstat.comparison._question import Question
from skstat.metrics import row_scores
from skstat.metrics._metric import bounds_of
from skstat.metrics._sums import right_rows
from skstat.report._doubts import Facts
from skstat.report._evidence import ComparisonEvidence
from skstat.stats import _joint_law as laws
from skstat.stats._bootstrap import scores_drawn
from skstat.stats._bootstrap_posterior import WeightedScores
from skstat.stats._kernels import CallableKernel
from skstat.stats._posteriors import best_by_right_rows
from skstat.stats._resampling import draw_seed


@dataclass(frozen=True, kw_only=True, eq=False)
class Predicted(Compared):
    """Predictions of two systems or more for one test set.

    Attributes
    ----------
    in_slice : bool
        Whether these are some of the rows: of many slices replicates beside every test would
        take longer than the tests.
    """

    in_slice: bool = False
    kept: dict[Any, Any] = field(init=False, default_factory=dict)

    @classmethod
    def of(cls, predictions: stats.Predictions, **known: Any) -> Self:
        """Return the systems of predictions."""
        predictions.scores  # noqa: B018  refuses what cannot be scored before anything else
        metric = predictions.metric
        return cls(
            sample=predictions,
            names=predictions.names,
            metric=metric.name,
            is_loss=metric.is_loss,
            told={"direction_assumed": metric.direction_assumed, "bounds": bounds_of(metric)},
            **known,
        )

    # --- one pair ---

    def take(self, pair: Pair) -> Self:
        sample = self.sample.pair(*pair)
        if self.in_slice:
            sample.scores  # noqa: B018  refuses what cannot be scored before anything else
        return replace(self, sample=sample, names=pair, of_family=True)

    def choose(self, question: Question) -> Chosen:
        if len(self.names) == 2:
            return guide.choose(question.test, self.sample)
        control = question.control is not None
        return guide.choose(
            question.test, self.sample, control=control, adjustment=question.adjustment
        )

    def choose_of_pair(self, pair: Self, chosen: Chosen, question: Question) -> Chosen:
        _, choice = chosen
        if choice is None:
            return chosen
        jointly = question.adjustment in ("auto", "max-t")
        if jointly and choice.name in procedures_by_name(*SAMPLES):
            return chosen[0], None
        if self.rows is None:
            return pair.choose(question)
        # Where rows have scores, all pairs are in the same situation.
        if "chosen" not in self.kept:
            self.kept["chosen"] = pair.choose(question)
        found: Chosen = self.kept["chosen"]
        return found

    def sample_for(self, procedure: Procedure) -> Any:
        return sample_for(procedure, self.sample)

    def options(self, procedure: Procedure, question: Question) -> dict[str, Any]:
        if self.in_slice:
            question = replace(question, standard_error="jackknife")
        return super().options(procedure, question)

    def design_of(
        self, procedure: Procedure, outcome: stats.Comparison, question: Question
    ) -> Mapping[str, Any]:
        notes = notes_of(self.sample, outcome)
        if question.draws_note and (len(self.names) > 2 or outcome.by_itself.n_resamples):
            notes.append(question.draws_note)
        return {"kind": "one test set", "notes": notes}

    def facts_for(self, procedure: Procedure, options: dict[str, Any]) -> Facts:
        return row_facts(self.facts, self.sample, procedure, options)

    def posterior(self, sample: Any, question: Question) -> OfRope | None:
        pair = self.sample
        if is_right_or_wrong(pair):
            return partial(stats.agreement_posterior, agreement_of(pair))
        return partial(
            stats.bootstrap_posterior, pair, n_draws=question.n_draws,
            rng=question.seed, workers=question.workers,
        )  # fmt: skip

    def about_classes(self, report: ComparisonEvidence) -> ComparisonEvidence:
        return beside_largest_class(report, partial(class_sizes_of, self.sample))

    def affordable(self, question: Question) -> Question:
        return affordable(question, self.sample)

    # --- several systems ---

    def best(self, question: Question) -> Callable[[float], stats.BestPosterior]:
        predictions = self.sample
        if not is_right_or_wrong(predictions):
            weighing = question.n_draws, draw_seed(question.drawn_by), question.workers
            drawn = partial(WeightedScores.of_predictions, predictions, *weighing)
            return lambda rope: drawn()[0].best(self.names, rope)
        right, counts = np.column_stack(right_rows(predictions)), predictions.counts
        return partial(
            best_by_right_rows,
            self.names,
            right,
            np.ones(len(right), dtype=np.int64) if counts is None else counts,
            n_draws=question.n_draws,
            seed=question.drawn_by,
        )

    @cached_property
    def rows(self) -> list[NDArray[np.float64]] | None:
        """Scores of independent rows whose plain mean is the score."""
        predictions = self.sample
        weighted = predictions.sample_weight is not None or predictions.strata is not None
        if weighted or predictions.ordered or predictions.counts is not None:
            return None
        return row_scores(predictions)

    def table(self) -> stats.ScoreTable | None:
        rows, predictions = self.rows, self.sample
        if rows is None:
            return None
        if predictions.groups is None:
            return stats.ScoreTable(dict(zip(self.names, rows, strict=True)), unit="instance")
        share = predictions.n_units / predictions.n_rows
        values = {
            name: row.mean() + share * np.bincount(predictions.groups, row - row.mean())
            for name, row in zip(self.names, rows, strict=True)
        }
        return stats.ScoreTable(values, unit="group")

    def joint(
        self, pairs: Sequence[Pair], question: Question, *, everyone: bool
    ) -> Joint | None:
        # An interval of another kind that was asked for is that of each pair.
        adjustment, groups = question.adjustment, self.sample.groups
        if adjustment != "max-t" and (adjustment != "auto" or question.interval is not None):
            return None
        few = groups is not None and self.sample.n_units < guide.FEWEST_FLIPPED
        if self.rows is None or few:
            found = joint_of(self._law(question).max_t, self.names, pairs, question)
        else:
            scores, sizes = np.column_stack(self.rows), None
            if groups is not None:
                scores = np.column_stack([np.bincount(groups, row) for row in self.rows])
                sizes = np.bincount(groups).astype(float)
            found = joint_of(flips_of(question, scores, sizes), self.names, pairs, question)
        # Areas that differ without any variance have p-values by permutation.
        lost = adjustment == "auto" and np.isnan(found.found.pvalues).any()
        return None if lost else found

    def _law(self, question: Question) -> laws.JointLaw:
        predictions, table, n = self.sample, self.table(), question.n_draws
        if table is not None:
            return laws.law_of_means(
                table,
                "comparison of several systems",
                "t",
                n_resamples=n,
                rng=question.drawn_by,
                for_few=True,
            )
        if self._has_normal_areas:
            areas = binary_scores(predictions)
            return laws.law_of_areas(areas, n_resamples=n, seed=question.drawn_by)
        seed = draw_seed(question.drawn_by)
        drawn, *_ = scores_drawn(predictions, n, seed, question.workers)
        return laws.law_of_replicates(predictions, drawn)

    @property
    def _has_normal_areas(self) -> bool:
        return "normal-areas" in guide.Situation.of_predictions(self.sample).facts

    def suits(self, joint: Joint, procedure: Procedure, question: Question) -> bool:
        if procedure_name(procedure) == "paired_bootstrap":
            return self.table() is None and not self._has_normal_areas
        return super().suits(joint, procedure, question)

    def omnibus(self, joint: Joint | None, question: Question) -> stats.OmnibusOutcome | None:
        predictions, table = self.sample, self.table()
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

    # --- slices ---

    def part(self, rows: Any, *, one_by_one: bool) -> Self:
        part = part_of(self.sample, rows, one_by_one=one_by_one)
        return replace(self, sample=part, in_slice=True)

    def influence(self) -> Influence | None:
        # A metric without a formula, or one that is undefined without some unit, may say
        # anything, and nothing tells how much it varies.
        kernel = self.sample.kernel
        if isinstance(kernel, CallableKernel):
            return None
        times = kernel.plan.multiplicity
        apart = kernel.apart()
        if not np.isfinite(apart).all():  # one unit is all that there is of a class
            return None
        values = (times.sum() - 1) * apart
        # In a mean all rows weigh alike, whatever their class.
        sizes = [n for n in kernel.class_sizes or () if n and not self.sample.metric.is_mean]
        return Influence(np.asarray(values), times.astype(np.float64), min(sizes, default=None))
