"""Several systems on one test set: joint draws, pairs, and one family of p-values."""

from dataclasses import replace
from typing import Any

import numpy as np

from skstat import stats
from skstat.comparison._ask import Procedure, Question
from skstat.comparison._choice import choose_for_test_set
from skstat.comparison._test_set import Resampling, ask_pair, binary_scores
from skstat.metrics import row_scores
from skstat.report import ComparisonReport, Context, FamilyReport
from skstat.stats import (
    OmnibusOutcome,
    Outcome,
    PairedPredictions,
    Predictions,
    ScoreTable,
    SimultaneousOutcome,
)
from skstat.stats._bootstrap import Drawn, bootstrap_outcome, summarise
from skstat.stats._max_t import bootstrap_max_t, sign_flip_max_t
from skstat.stats._pairwise import pairs_of
from skstat.stats._permutation import permutation_outcome
from skstat.stats._replicates import bootstrap

ADJUSTMENTS = ("holm", "bonferroni", "max-t")


def ask_family(
    predictions: Predictions,
    test: str | Procedure,
    question: Question,
    resampling: Resampling,
    *,
    control: str | None,
    adjustment: str,
    context: Context,
) -> FamilyReport:
    """Compare several systems pair by pair, with p-values adjusted for their number."""
    pairs = pairs_of(predictions.names, control)
    samples = [predictions.pair(a, b) for a, b in pairs]
    asked = _Joint(predictions, resampling)
    reports = []
    for sample in samples:
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
    omnibus = omnibus_of(predictions, resampling)
    if adjustment == "max-t":
        return _max_t(reports, asked, question, resampling, omnibus)
    return FamilyReport.adjust(
        reports, adjustment, omnibus=omnibus, confidence_level=question.confidence_level
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
            self._resampling.interval,
            systems=(a, b),
            n_redrawn=drawn.n_redrawn,
            seed=drawn.seed,
            noise=pair.noise,
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
                return permutation_outcome(sample, drawn, False, alternative, workers)

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
        table = ScoreTable(dict(zip(predictions.names, rows, strict=True)), unit="instance")
        return stats.cochran_q(table, rng=resampling.seed)
    if predictions.metric.is_whole_auc:
        try:
            return stats.delong_wald(binary_scores(predictions))
        except ValueError:  # several classes, or too few instances of one
            return None
    return None


def _max_t(
    reports: list[ComparisonReport],
    asked: _Joint,
    question: Question,
    resampling: Resampling,
    omnibus: OmnibusOutcome | None,
) -> FamilyReport:
    """Adjust by the joint law of the largest statistic, intervals included."""
    predictions = asked.predictions
    names = predictions.names
    drawn = asked.replicates()
    scores = drawn.scores[0]
    index = [(names.index(r.names[0]), names.index(r.names[1])) for r in reports]
    estimates = np.array([report.estimate for report in reports])
    observed = predictions.scores
    for report, (a, b) in zip(reports, index, strict=True):
        if not np.isclose(report.estimate, observed[a] - observed[b], rtol=1e-6, atol=1e-9):
            raise ValueError(
                f"adjustment='max-t' compares differences in {predictions.metric.name}, and "
                f"the {report.test} estimates something else; use adjustment='holm'."
            )
    replicates = np.column_stack([scores[:, a] - scores[:, b] for a, b in index])
    joint = bootstrap_max_t(estimates, replicates, question.alternative)
    pvalues, law = joint.pvalues, "the centred bootstrap"
    rows = _units_of_a_mean(predictions)
    if rows is not None:
        pvalues = sign_flip_max_t(
            rows, index, resampling.n_resamples, resampling.seed, question.alternative
        )
        law = "joint sign flips"
    adjusted = [
        replace(
            report,
            outcome=SimultaneousOutcome(
                test=f"{report.test}; max-T by {law}",
                estimand=report.estimand,
                null_hypothesis=report.null_hypothesis,
                alternative=report.alternative,
                assumptions=report.assumptions,
                effect_sizes=report.effect_sizes,
                estimate=report.estimate,
                standard_error=float(error),
                marginal_pvalue=report.pvalue,
                joint_pvalue=float(pvalue),
                maxima=joint.maxima,
                n_resamples=resampling.n_resamples,
                seed=resampling.seed,
                how=predictions.kernel.how,
            ),
        )
        for report, pvalue, error in zip(reports, pvalues, joint.standard_errors, strict=True)
    ]
    return FamilyReport.joint(
        adjusted,
        pvalues.tolist(),
        omnibus=omnibus,
        confidence_level=question.confidence_level,
    )


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
