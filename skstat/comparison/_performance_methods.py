"""Methods of estimating a performance: what each fits, and what it reads of the fits."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold

from skstat import stats
from skstat.comparison._reading import Reading, Which
from skstat.evaluation import (
    DEFAULT_TEST_SIZE,
    BootstrapOutOfBag,
    Data,
    NestedKFold,
    PairedSubsampling,
    random_splits,
)
from skstat.stats import (
    AgreementTable,
    Estimate,
    PairedPredictions,
    PairedScores,
    SinglePredictions,
)

Read = Callable[[Reading, Which], Estimate | None]
_ALL_FITS = 100  # more splits than that narrow the corrected t interval no further


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What the splits of a method depend on.

    Attributes
    ----------
    data : Data
        The rows.
    seed : int
        Seed of the splits.
    budget : int or None
        Number of fits that can be afforded, if it was said.
    stable : bool
        Whether all estimators are known to be stable.
    """

    data: Data
    seed: int
    budget: int | None
    stable: bool


@dataclass(frozen=True, kw_only=True)
class Method:
    """A way to estimate a performance.

    Attributes
    ----------
    splits : callable
        From what splits depend on to a splitter.
    read : callable
        From a reading, and which estimators, to an estimate.
    by_rows : bool
        Whether it needs the scores of rows.
    means_only : bool
        Whether the metric must be a mean over rows.
    grouped : bool
        Whether it can keep groups together.
    fit_whole : bool
        Whether it needs a fit to all rows too.
    least : int
        Fewest fits that it can be made of.
    """

    splits: Callable[["Wanted"], Any]
    read: Read
    by_rows: bool = True
    means_only: bool = False
    grouped: bool = False
    fit_whole: bool = False
    least: int = 1


def _holdout(reading: Reading, which: Which) -> Estimate | None:
    if reading.design.n_splits != 1:
        raise ValueError(
            f"method='holdout' reads one split, and cv gives {reading.design.n_splits}."
        )
    assert reading.rows is not None
    groups, quantity = reading.groups_of(0), reading.quantity(which)
    y, outputs = reading.tested(0, which)
    if not reading.rows.is_mean:
        if len(which) == 2:
            pair = PairedPredictions(y, outputs, reading.rows.metric, groups=groups)
            return _of_outcome(stats.paired_bootstrap(pair, rng=reading.seed), pair, quantity)
        one = SinglePredictions(y, outputs, reading.rows.metric, groups=groups)
        return stats.holdout_bootstrap_estimate(one, rng=reading.seed, quantity=quantity)
    if len(which) == 2 and groups is None:
        a, b = (reading.of_rows(0, (name,)) for name in which)
        if np.isin([a, b], (0.0, 1.0)).all():
            table = AgreementTable.from_scores(PairedScores(a, b, unit="instance"))
            return _of_outcome(stats.mcnemar(table), table, quantity)
    return stats.holdout_estimate(
        reading.of_rows(0, which),
        groups=groups,
        interval=reading.interval,  # type: ignore[arg-type]
        quantity=quantity,
    )


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
        outcome=outcome,
    )


def _corrected_t(reading: Reading, which: Which) -> Estimate | None:
    return stats.corrected_t_estimate(
        reading.of_splits(which), quantity=reading.quantity(which)
    )


def _conservative_z(reading: Reading, which: Which) -> Estimate | None:
    values = reading.columns(which)
    n_splits = _pattern_of(reading, PairedSubsampling).n_splits
    halves = values[n_splits:].reshape(-1, 2, n_splits)
    return stats.conservative_z_estimate(
        values[:n_splits], halves, quantity=reading.quantity(which)
    )


def _nested_cv(reading: Reading, which: Which) -> Estimate | None:
    n_folds = _pattern_of(reading, NestedKFold).n_splits
    n_fits = n_folds * (n_folds + 1) // 2
    outer, inner = [], []
    for first in range(0, reading.design.n_splits, n_fits):
        folds = [reading.of_rows(first + k, which) for k in range(n_folds)]
        others: list[list[NDArray[np.float64]]] = [[] for _ in range(n_folds)]
        for number, (i, j) in enumerate(combinations(range(n_folds), 2)):
            split, size = first + n_folds + number, len(folds[i])
            # The model without folds i and j predicts j within outer fold i, and i within j.
            others[j].append(reading.of_rows(split, which, slice(None, size)))
            others[i].append(reading.of_rows(split, which, slice(size, None)))
        outer.append(folds)
        inner.append([np.concatenate(parts) for parts in others])
    return stats.nested_cv_estimate(outer, inner, quantity=reading.quantity(which))


def _cross_validation(reading: Reading, which: Which) -> Estimate | None:
    if reading.design.n_repeats != 1:
        raise ValueError(
            f"method='cross_validation' reads one partition of all rows, and cv gives "
            f"{reading.design.kind}; use KFold or StratifiedKFold."
        )
    folds = [reading.of_rows(split, which) for split in range(reading.design.n_splits)]
    return stats.cross_validation_estimate(
        np.concatenate(folds),
        np.repeat(np.arange(len(folds)), [len(fold) for fold in folds]),
        quantity=reading.quantity(which),
    )


def _bootstrap(kind: str) -> Read:
    def read(reading: Reading, which: Which) -> Estimate | None:
        if kind == "632+" and len(which) == 2:
            return None  # each has a weight of its own
        design = reading.design
        n = design.n_samples
        scores = np.full((design.n_splits, n), np.nan)
        counts = np.empty((design.n_splits, n), dtype=np.int32)
        for split, (train, test) in enumerate(design.splits):
            counts[split] = np.bincount(train, minlength=n)
            scores[split, test] = reading.of_rows(split, which)
        training = None if kind == "oob" else reading.of_whole(which)
        nothing = None
        if kind == "632+":
            assert reading.rows is not None
            nothing = reading.rows.no_information(reading.y, reading.whole_output(which[0]))
        return stats.out_of_bag_estimate(
            scores,
            counts,
            kind=kind,  # type: ignore[arg-type]
            training_scores=training,
            no_information=nothing,
            quantity=reading.quantity(which),
        )

    return read


def _pattern_of(reading: Reading, kind: type) -> Any:
    """The splitter of a run, which must be of the kind that the method reads."""
    if not isinstance(reading.splitter, kind):
        raise ValueError(
            f"cv={reading.design.splitter} does not suit the method, which reads the splits of "
            f"{kind.__name__}."
        )
    return reading.splitter


def _one_split(wanted: Wanted) -> Any:
    return random_splits(wanted.data, wanted.seed, n_splits=1)


def _random(wanted: Wanted) -> Any:
    n_splits = 25 if wanted.budget is None else min(wanted.budget, _ALL_FITS)
    # With a tenth for testing the interval of a learner that selects was measured to hold
    # the truth in 78 % of all cases, with a third in 97 %.
    test_size = 0.1 if wanted.stable else DEFAULT_TEST_SIZE
    return random_splits(wanted.data, wanted.seed, n_splits=n_splits, test_size=test_size)


def _halvings(wanted: Wanted) -> Any:
    n_halvings = 10 if wanted.budget is None else (wanted.budget // 5 - 1) // 2
    stratify = wanted.data.stratifiable and wanted.data.groups is None
    return PairedSubsampling(5, n_halvings, stratify=stratify, random_state=wanted.seed)


def _nested_folds(wanted: Wanted) -> Any:
    budget = 550 if wanted.budget is None else wanted.budget
    n_folds = max(k for k in range(3, 11) if k * (k + 1) // 2 <= budget)
    n_repeats = budget // (n_folds * (n_folds + 1) // 2)
    stratify = wanted.data.stratifiable
    return NestedKFold(n_folds, n_repeats, stratify=stratify, random_state=wanted.seed)


def _folds(wanted: Wanted) -> Any:
    folds = StratifiedKFold if wanted.data.stratifiable else KFold
    n_folds = 10 if wanted.budget is None else min(10, wanted.budget)
    return folds(n_folds, shuffle=True, random_state=wanted.seed)


def _samples(wanted: Wanted) -> Any:
    n_splits = 200 if wanted.budget is None else wanted.budget
    stratify = wanted.data.stratifiable
    return BootstrapOutOfBag(n_splits, stratify=stratify, random_state=wanted.seed)


METHODS = {
    "holdout": Method(splits=_one_split, read=_holdout, grouped=True),
    "corrected_t": Method(
        splits=_random,
        read=_corrected_t,
        by_rows=False,
        grouped=True,
        least=3,
    ),
    "conservative_z": Method(
        splits=_halvings,
        read=_conservative_z,
        by_rows=False,
        grouped=True,
        least=25,
    ),
    "nested_cv": Method(splits=_nested_folds, read=_nested_cv, least=6),
    "cross_validation": Method(splits=_folds, read=_cross_validation, least=2),
    "bootstrap": Method(
        splits=_samples,
        read=_bootstrap("oob"),
        means_only=True,
        least=20,
    ),
    "bootstrap632": Method(
        splits=_samples,
        read=_bootstrap("632"),
        means_only=True,
        least=20,
        fit_whole=True,
    ),
    "bootstrap632+": Method(
        splits=_samples,
        read=_bootstrap("632+"),
        means_only=True,
        least=20,
        fit_whole=True,
    ),
}
