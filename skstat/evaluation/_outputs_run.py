"""Runs that keep the outputs for every test row, and the training scores."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skstat.evaluation._design import Design
from skstat.evaluation._evaluate import assemble_all, by_metric, make_plans, run_plan
from skstat.evaluation._fold import FoldTask
from skstat.evaluation._plan import Fits, RunPlan, failure_of
from skstat.evaluation._run import CrossValidationRun


@dataclass(frozen=True, kw_only=True, eq=False)
class OutputsRun:
    """A run with the outputs for the test rows of every split.

    Attributes
    ----------
    run : CrossValidationRun
        Scores of the splits.
    outputs : mapping of str to list
        By estimator, for every split the outputs by the response that gave them.
    training_scores : mapping of str to ndarray of shape (n_splits, n_estimators)
        Scores on the training rows, by metric; nan where they were not wanted.
    whole : mapping of str to mapping
        By estimator, the outputs for all rows by the model that was fitted to all rows;
        empty unless such a fit was asked for.
    whole_scores : mapping of str to ndarray of shape (n_estimators,)
        Scores of these models on the same rows, by metric.
    """

    run: CrossValidationRun
    outputs: Mapping[str, list[Mapping[str, Any]]]
    training_scores: Mapping[str, np.ndarray]
    whole: Mapping[str, Mapping[str, Any]]
    whole_scores: Mapping[str, np.ndarray]

    @property
    def n_fits(self) -> int:
        """Fits of each estimator."""
        return self.run.design.n_fits + bool(self.whole)


def evaluate_outputs(
    fits: Fits,
    *,
    scoring: Any,
    cv: Any,
    responses: Collection[str],
    fit_whole: bool,
    scores_training: Callable[[int], bool],
    accept: Callable[[Design], None],
    keep_rows: bool = False,
    halves: Any = None,
) -> OutputsRun:
    """Run named estimators, and keep the outputs by which test rows can be scored.

    `responses` are "predict", "predict_proba", or "scores" for what ranks rows. With
    `fit_whole` each estimator is also fitted to all rows. `scores_training` tells of a split,
    by its number, whether models are scored on their training rows too; `accept` may refuse
    the design. With `keep_rows` what every test row contributes to the scores is kept too.
    `halves` makes halves of the rows, from which the variance of the scores is found.
    """
    named = fits.named
    plan, *beside = make_plans(
        fits,
        halves=halves,
        scoring=scoring,
        cv=cv,
        kept_splits=None if keep_rows else 0,  # of one repeat, to see which classes are named
        accept=accept,
        keep_rows=keep_rows,
    )
    kept = tuple(sorted(responses))
    tasks = [
        replace(task, kept_responses=kept, score_training=scores_training(task.split))
        for task in plan.tasks
    ]
    n_splits = plan.design.n_splits
    whole = [_on_all_rows(task, n_splits, plan) for task in tasks[: len(named) * fit_whole]]
    # Behind the splits come the fits to all rows, then those on halves.
    on_halves = [replace(t, split=t.split + n_splits + 1) for h in beside for t in h.tasks]
    everything = replace(plan, tasks=[*tasks, *whole, *on_halves])
    records = run_plan(everything, fits)
    split = [record for record in records if record.split < n_splits]
    of_all = [record for record in records if record.split == n_splits]
    of_halves = [
        replace(record, split=record.split - n_splits - 1)
        for record in records
        if record.split > n_splits
    ]
    (run,) = assemble_all([plan, *beside], [split, of_halves][: 1 + len(beside)])
    for record in of_all:
        if record.failure is not None:
            raise failure_of(record, list(named), plan.scoring, split="all rows")
    names = list(named)
    outputs: dict[str, list[Mapping[str, Any]]] = {name: [] for name in names}
    training = {metric: np.full_like(values, np.nan) for metric, values in run.scores.items()}
    for record in split:
        outputs[names[record.estimator_index]].append(record.outputs or {})
        if record.training_scores is None:
            continue
        found = by_metric(record.training_scores, plan.scoring)
        for metric, value in found.items():
            training[metric][record.split, record.estimator_index] = value
    return OutputsRun(
        run=run,
        outputs=outputs,
        training_scores=training,
        whole={names[record.estimator_index]: record.outputs or {} for record in of_all},
        whole_scores={
            metric: np.array([by_metric(r.scores, plan.scoring)[metric] for r in of_all])
            for metric in run.metrics
        },
    )


def _on_all_rows(task: FoldTask, number: int, plan: RunPlan) -> FoldTask:
    """The same estimator, fitted to all rows and asked about them."""
    rows = np.arange(plan.data.n_samples)
    return replace(task, split=number, train=rows, test=rows, score_training=False)
