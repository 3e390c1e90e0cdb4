"""Several systems on one test set: joint draws, pairs, and one family of p-values."""

from typing import Any

import numpy as np

from skstat import stats
from skstat.comparison._ask import Procedure, Question
from skstat.comparison._choice import choose_for_test_set
from skstat.comparison._guide import recommend
from skstat.comparison._situation import Situation
from skstat.comparison._systems import check_joint, joint_of, report_on
from skstat.comparison._test_set import Resampling, ask_pair, binary_scores, design
from skstat.metrics import row_scores
from skstat.report import Context, SystemsReport
from skstat.stats import (
    OmnibusOutcome,
    Outcome,
    PairedPredictions,
    Predictions,
    ScoreTable,
)
from skstat.stats._area_law import law_of_areas
from skstat.stats._bootstrap import Drawn, bootstrap_outcome, summarise
from skstat.stats._joint import JointLaw, law_of_replicates
from skstat.stats._mean_law import law_of_means
from skstat.stats._pairwise import pairs_of
from skstat.stats._permutation import permutation_outcome
from skstat.stats._replicates import bootstrap


def ask_family(
    predictions: Predictions,
    test: str | Procedure,
    question: Question,
    resampling: Resampling,
    *,
    control: str | None,
    adjustment: str,
    context: Context,
) -> SystemsReport:
    """Compare several systems pair by pair, with p-values adjusted for their number."""
    check_joint(adjustment, control)
    pairs = pairs_of(predictions.names, control)
    asked = _Joint(predictions, resampling)
    reports = []
    for a, b in pairs:
        sample = predictions.pair(a, b)
        procedure, choice = choose_for_test_set(test, sample)
        reports.append(
            ask_pair(
                sample,
                asked.procedure(procedure),
                question,
                resampling,
                context=context,
                choice=choice,
            )
        )
    joint = adjustment == "max-t"
    rows = _units_of_a_mean(predictions)
    choice = None
    if test == "auto":
        several = {"control": control is not None, "adjustment": adjustment}
        choice = recommend(Situation.of_predictions(predictions, **several))
    return report_on(
        predictions,
        reports,
        question,
        adjustment=adjustment,
        control=control,
        choice=choice,
        design=design(predictions, reports[0].outcome, resampling),
        omnibus=omnibus_of(predictions, resampling),
        law=asked.law() if control is None else None,
        joint=joint_of(asked.law(for_all_pairs=True), pairs, rows, question) if joint else None,
    )


class _Joint:
    """Bootstrap replicates of all systems from one set of draws, made when first needed."""

    def __init__(self, predictions: Predictions, resampling: Resampling) -> None:
        self.predictions = predictions
        self._resampling = resampling
        self._drawn: Any = None

    def replicates(self) -> Any:
        """Scores of all systems on the resamples: (n_resamples, n_systems)."""
        if self._drawn is None:
            wanted = self._resampling
            self._drawn = bootstrap(
                [self.predictions.kernel],
                wanted.n_resamples,
                wanted.seed,
                workers=wanted.workers,
            )
        return self._drawn

    def differences(self, pair: PairedPredictions) -> Drawn:
        """Replicates of one pair's difference."""
        names = self.predictions.names
        a, b = names.index(pair.names[0]), names.index(pair.names[1])
        drawn = self.replicates()
        scores = drawn.scores[0]
        return summarise(
            self.predictions.kernel,
            scores[:, a] - scores[:, b],
            self._resampling.interval or "percentile",
            systems=(a, b),
            n_redrawn=drawn.n_redrawn,
            seed=drawn.seed,
            noise=pair.noise,
        )

    def law(self, *, for_all_pairs: bool = False) -> JointLaw:
        """Joint law of the scores of all systems: by a formula where there is one."""
        predictions, wanted = self.predictions, self._resampling
        plain = predictions.sample_weight is None and predictions.strata is None
        rows = row_scores(predictions) if plain and not predictions.ordered else None
        if rows is not None:
            return law_of_means(
                _table_of(predictions, rows),
                "comparison with the best",
                method="t" if for_all_pairs else "auto",
                block_length=None,
                n_resamples=wanted.n_resamples,
                rng=wanted.seed,
                for_few=for_all_pairs or predictions.groups is not None,
            )
        if predictions.metric.is_whole_auc and plain and not predictions.ordered:
            try:
                areas = binary_scores(predictions)
                return law_of_areas(areas, n_resamples=wanted.n_resamples, seed=wanted.seed)
            except ValueError:  # several classes, or too few instances of one
                pass
        drawn = self.replicates()
        unit = predictions.unit
        return law_of_replicates(
            predictions.names,
            predictions.scores,
            drawn.scores[0],
            n_units=predictions.n_units,
            where=f"over {unit}s, for these {len(predictions.names)} fitted systems",
            seed=drawn.seed,
            quantity=predictions.metric.name,
            assumptions=(
                f"the {unit}s are many enough for the bootstrap",
                f"{unit}s further apart than the blocks that are drawn are independent"
                if predictions.ordered
                else f"the {unit}s are independent of each other",
            ),
            widened=True,
        )

    def procedure(self, procedure: Procedure) -> Procedure:
        """The same procedure on the shared draws, where it resamples."""
        if self._resampling.interval == "studentized":
            return procedure  # needs sums of its own over every resample
        workers = self._resampling.workers
        if procedure is stats.paired_bootstrap:

            def paired_bootstrap(sample: PairedPredictions, *, alternative: str) -> Outcome:
                if sample.identical:
                    return procedure(sample, alternative=alternative, rng=0)
                drawn = self.differences(sample)
                return bootstrap_outcome(sample, drawn, pvalue="shift", alternative=alternative)

            return paired_bootstrap
        if procedure is stats.paired_permutation:

            def paired_permutation(sample: PairedPredictions, *, alternative: str) -> Outcome:
                if sample.identical:
                    return procedure(sample, alternative=alternative, rng=0)
                drawn = self.differences(sample)
                interval = self._resampling.interval or "permutation"
                return permutation_outcome(sample, drawn, False, alternative, workers, interval)

            return paired_permutation
        return procedure


def omnibus_of(predictions: Predictions, resampling: Resampling) -> OmnibusOutcome | None:
    """Test of all systems at once, where there is one for the metric."""
    plain = predictions.sample_weight is None and predictions.strata is None
    if not plain or predictions.ordered:
        return None
    if predictions.metric.known == "accuracy_score" and predictions.groups is None:
        rows = row_scores(predictions)
        if rows is None:
            return None
        return stats.cochran_q(_table_of(predictions, rows), rng=resampling.seed)
    if predictions.metric.is_whole_auc:
        try:
            return stats.delong_wald(binary_scores(predictions))
        except ValueError:  # several classes, or too few instances of one
            return None
    units = _units_of_a_mean(predictions)
    if units is None or len(units) < 2:
        return None
    unit: stats.Unit = "group" if predictions.groups is not None else "instance"
    table = ScoreTable(units, algorithms=predictions.names, unit=unit)
    return stats.largest_t(table, n_resamples=resampling.n_resamples, rng=resampling.seed)


def _table_of(predictions: Predictions, rows: Any) -> ScoreTable:
    """Scores of rows or groups, whose means are the scores.

    The value of a group is the mean over all rows, and what its rows add to the sum: the
    sample variance of such values is the cluster-robust one (CR1).
    """
    if predictions.groups is None:
        return ScoreTable(dict(zip(predictions.names, rows, strict=True)), unit="instance")
    share = predictions.n_units / predictions.n_rows
    values = {
        name: row.mean() + share * np.bincount(predictions.groups, row - row.mean())
        for name, row in zip(predictions.names, rows, strict=True)
    }
    return ScoreTable(values, unit="group")


def _units_of_a_mean(predictions: Predictions) -> Any:
    """Per-unit scores whose means are the scores, shape (n_units, n_systems); else None."""
    if predictions.sample_weight is not None or predictions.ordered:
        return None
    rows = row_scores(predictions)
    if rows is None:
        return None
    if predictions.groups is None:
        return np.column_stack(rows)
    a_group = [np.bincount(predictions.groups, row) for row in rows]
    return np.column_stack(a_group) * (predictions.n_units / predictions.n_rows)
