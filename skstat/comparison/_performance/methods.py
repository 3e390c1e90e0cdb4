"""Methods of estimating a performance: what each fits, and what it reads of the fits."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat.comparison._performance.run_scores import RunScores, Systems
from skstat.comparison._performance.splits import (
    SplitRequest,
    bootstrap_samples,
    folds,
    halvings,
    nested_folds,
    one_split,
    random,
)
from skstat.evaluation import Design, NestedKFold
from skstat.report._doubts import EstimationMethod
from skstat.stats import (
    AgreementTable,
    Estimate,
    PairedPredictions,
    PairedScores,
    ShareEstimate,
    SinglePredictions,
)
from skstat.stats._splits import FEWEST_REPEATS
from skstat.stats._test_set import check_enough_groups

Read = Callable[[RunScores, Systems], Estimate | None]


@dataclass(frozen=True, kw_only=True)
class Method(EstimationMethod):
    """A way to estimate a performance, with all that must be known of it.

    Attributes
    ----------
    splits : callable
        From what splits depend on to a splitter.
    check : callable
        Refuses a design that the method does not read, before anything is fitted.
    read : callable
        From the scores of a run, and which systems, to an estimate.
    by_rows : bool
        Whether it needs the scores of rows.
    on_part : bool
        Whether the estimand is of training sets as small as those of the splits.
    means_only : bool
        Whether the metric must be a mean over rows.
    grouped : bool
        Whether it can keep groups together.
    least : int
        Fewest fits that it can be made of.
    """

    splits: Callable[[SplitRequest], Any]
    check: Callable[[Design, Any], None]
    read: Read
    by_rows: bool = True
    on_part: bool = False
    means_only: bool = False
    grouped: bool = False
    least: int = 1


def _check_one(design: Design, splitter: Any) -> None:
    if design.n_splits != 1:
        raise ValueError(f"method='holdout' reads one split, and cv gives {design.n_splits}.")
    if design.n_groups is not None:
        check_enough_groups(int(design.sizes[1][0]), "a test set of method='holdout'")


def _holdout(scores: RunScores, systems: Systems) -> Estimate | None:
    assert scores.rows is not None
    groups, quantity = scores.groups_of(0), scores.quantity(systems)
    y, outputs = scores.tested(0, systems)
    if not scores.rows.is_mean:
        if len(systems) == 2:
            pair = PairedPredictions(y, outputs, scores.rows.metric, groups=groups)
            return _of_outcome(stats.paired_bootstrap(pair, rng=scores.seed), pair, quantity)
        one = SinglePredictions(y, outputs, scores.rows.metric, groups=groups)
        return stats.holdout_bootstrap_estimate(one, rng=scores.seed, quantity=quantity)
    rows = scores.of_rows(0, systems)
    offset = {"hits": 0.0, "misses": -1.0}.get(scores.rows.metric.facts.counts)
    if offset is None or groups is not None or (offset < 0) != scores.rows.metric.is_loss:
        return stats.holdout_estimate(rows, groups=groups, interval="t", quantity=quantity)
    if len(systems) == 2:
        a, b = (scores.of_rows(0, (name,)) - offset for name in systems)
        table = AgreementTable.from_scores(PairedScores(a, b, unit="instance"))
        return _of_outcome(stats.mcnemar(table), table, quantity)
    counted = stats.holdout_estimate(
        rows - offset,
        interval=scores.interval,  # type: ignore[arg-type]
        quantity=quantity,
    )
    assert isinstance(counted, ShareEstimate)
    return replace(counted, estimate=counted.estimate + offset, offset=offset)


def _of_outcome(outcome: stats.Outcome, sample: Any, quantity: str) -> stats.OutcomeEstimate:
    """The interval of a test of two models on the same rows."""
    return stats.OutcomeEstimate(
        method=f"hold-out, interval of the {outcome.test}",
        estimand=f"{quantity} of these fitted models on new {sample.unit}s",
        unit=str(sample.unit),
        n_units=sample.n_units,
        estimate=outcome.estimate,
        standard_error=outcome.standard_error,
        assumptions=outcome.assumptions,
        ignored_variance=("training rows",),
        references=outcome.references,
        outcome=outcome,
    )


def _check_several(design: Design, splitter: Any) -> None:
    design.units()  # refuses splits of several kinds
    if design.n_splits < 3:
        raise ValueError(
            f"cv gives {design.n_splits} splits; method='corrected_t' needs three at least. "
            "For one split there is method='holdout'."
        )


def _corrected_t(scores: RunScores, systems: Systems) -> Estimate | None:
    return stats.corrected_t_estimate(
        scores.of_splits(systems), quantity=scores.quantity(systems)
    )


def _nested_cv(scores: RunScores, systems: Systems) -> Estimate | None:
    n_folds = scores.splitter.n_splits
    n_fits = n_folds * (n_folds + 1) // 2
    outer, inner = [], []
    for first in range(0, scores.design.n_splits, n_fits):
        folds = [scores.of_rows(first + k, systems) for k in range(n_folds)]
        others: list[list[NDArray[np.float64]]] = [[] for _ in range(n_folds)]
        for number, (i, j) in enumerate(combinations(range(n_folds), 2)):
            split, size = first + n_folds + number, len(folds[i])
            # The model without folds i and j predicts j within outer fold i, and i within j.
            others[j].append(scores.of_rows(split, systems, slice(None, size)))
            others[i].append(scores.of_rows(split, systems, slice(size, None)))
        outer.append(folds)
        inner.append([np.concatenate(parts) for parts in others])
    return stats.nested_cv_estimate(outer, inner, quantity=scores.quantity(systems))


def _check_partition(design: Design, splitter: Any) -> None:
    if design.mixed or design.n_repeats != 1:
        raise ValueError(
            f"method='cross_validation' reads one partition of all rows, and cv gives "
            f"{design.kind}; use KFold or StratifiedKFold."
        )


def _cross_validation(scores: RunScores, systems: Systems) -> Estimate | None:
    folds = [scores.of_rows(split, systems) for split in range(scores.design.n_splits)]
    return stats.cross_validation_estimate(
        np.concatenate(folds),
        np.repeat(np.arange(len(folds)), [len(fold) for fold in folds]),
        quantity=scores.quantity(systems),
    )


def _check_partitions(design: Design, splitter: Any) -> None:
    """Refuse splits that are not complete partitions of the rows, three of them or more."""
    folds = design.for_variance.folds
    n_repeats = 0 if folds is None else len(folds)
    if n_repeats < FEWEST_REPEATS:
        raise ValueError(
            f"method='projection' reads {FEWEST_REPEATS} repeats of a K-fold or more, in each "
            f"of which every row is tested once, and cv={design.splitter} gives {design.kind}. "
            "Leave cv out, or use RepeatedStratifiedKFold, RepeatedKFold or RepeatedHalves."
        )


def _projection(scores: RunScores, systems: Systems) -> Estimate | None:
    """Estimate from the scores of the folds, with what every row contributed to them."""
    if not scores.projects:
        raise ValueError(
            f"method='projection' needs the contribution of every row to "
            f"scoring={scores.metric!r}, but the scorer gave scores that the rows do not add "
            f"up to, or has parameters of its own. Use 'corrected_t'."
        )
    return stats.projection_estimate(
        scores.of_folds(systems), quantity=scores.quantity(systems)
    )


def _check_bootstrap(design: Design, splitter: Any) -> None:
    if not design.out_of_bag:
        raise ValueError(
            f"cv={design.splitter} does not suit the method, which reads bootstrap samples "
            "that are tested on the rows that they lack: use BootstrapOutOfBag."
        )
    tested = np.unique(np.concatenate([test for _, test in design.splits]))
    if len(tested) < design.n_samples:
        raise ValueError(
            f"{design.n_samples - len(tested)} rows are in each of the {design.n_splits} "
            "bootstrap samples, and would never be tested; take more of them (budget=, or "
            "BootstrapOutOfBag(n_splits))."
        )


def _bootstrap(kind: str) -> Read:
    def read(scores: RunScores, systems: Systems) -> Estimate | None:
        if kind == "632+" and len(systems) == 2:
            return None  # each has a weight of its own
        design = scores.design
        n = design.n_samples
        by_row = np.full((design.n_splits, n), np.nan)
        counts = np.empty((design.n_splits, n), dtype=np.int32)
        for split, (train, test) in enumerate(design.splits):
            counts[split] = np.bincount(train, minlength=n)
            by_row[split, test] = scores.of_rows(split, systems)
        training = None if kind == "oob" else scores.of_whole(systems)
        nothing = None
        if kind == "632+":
            assert scores.rows is not None
            nothing = scores.rows.no_information(scores.y, scores.whole_output(systems[0]))
        return stats.out_of_bag_estimate(
            by_row,
            counts,
            kind=kind,  # type: ignore[arg-type]
            training_scores=training,
            no_information=nothing,
            quantity=scores.quantity(systems),
        )

    return read


def _check_nested(design: Design, splitter: Any) -> None:
    if not isinstance(splitter, NestedKFold):
        raise ValueError(
            f"cv={design.splitter} does not suit the method, which reads the splits of "
            "NestedKFold."
        )
    if int(design.n_test_rows.min()) < 2:
        raise ValueError(
            "method='nested_cv' needs two rows in every fold, and one has a single row; "
            "use fewer folds."
        )


METHODS = {
    "holdout": Method(
        splits=one_split, check=_check_one, read=_holdout, grouped=True, one_model=True
    ),
    "projection": Method(
        splits=halvings,
        check=_check_partitions,
        read=_projection,
        by_rows=False,
        by_splits=True,
        by_contributions=True,
        on_part=True,
        grouped=True,
        least=10,
    ),
    "corrected_t": Method(
        splits=random,
        check=_check_several,
        read=_corrected_t,
        by_rows=False,
        by_splits=True,
        corrected=True,
        assumes_stability=True,
        stable_from=0.3,
        coverage_of_other_metrics="50 to 94 % of cases",
        on_part=True,
        grouped=True,
        least=3,
    ),
    "nested_cv": Method(
        splits=nested_folds,
        check=_check_nested,
        read=_nested_cv,
        assumes_stability=True,
        coverage_of_other_metrics="as few as 70 % of cases",
        least=6,
    ),
    "cross_validation": Method(
        splits=folds,
        check=_check_partition,
        read=_cross_validation,
        assumes_stability=True,
        least=2,
    ),
    "bootstrap": Method(
        splits=bootstrap_samples,
        check=_check_bootstrap,
        read=_bootstrap("oob"),
        means_only=True,
        least=50,
    ),
    "bootstrap632": Method(
        splits=bootstrap_samples,
        check=_check_bootstrap,
        read=_bootstrap("632"),
        means_only=True,
        least=50,
        fit_whole=True,
    ),
    "bootstrap632+": Method(
        splits=bootstrap_samples,
        check=_check_bootstrap,
        read=_bootstrap("632+"),
        means_only=True,
        least=50,
        fit_whole=True,
    ),
}
