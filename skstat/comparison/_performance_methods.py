"""Methods of estimating a performance: which splits they make and read, and how."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat.evaluation import BootstrapOutOfBag, CrossValidationRun, Design, NestedKFold
from skstat.evaluation import _splitters as splitters
from skstat.evaluation._data import Data, raveled
from skstat.report._doubts import EstimationMethod
from skstat.stats._estimates import counted_estimate
from skstat.stats._row_contributions import FEW_OF_CLASS
from skstat.stats._scores import FEWEST_REPEATS
from skstat.stats._t_tests import check_enough_groups

Numbers = NDArray[np.float64]
Systems = tuple[str, ...]  # an estimator, or the two whose difference is meant

_ALL = slice(None)
_SMALL, _FEW_GROUPS = 0.1, 30
_ALL_FITS = 100  # more splits than that narrow the corrected t interval no further
_SHIFTS = {"hits": 0.0, "misses": -1.0}  # of a share of right rows, or of wrong ones below 0


@dataclass(frozen=True, eq=False)
class Scored:
    """One metric of a run, as the methods read it.

    Attributes
    ----------
    run : CrossValidationRun
        Scores and outputs.
    metric : str
        Name of the metric in the run.
    rows : RowMetric or None
        What is known about the scores of rows.
    splitter : object
        What made the splits.
    interval : str
        Kind of interval of a share.
    seed : int
        Seed for what is drawn afterwards.
    """

    run: CrossValidationRun
    metric: str
    rows: Any
    splitter: Any
    interval: Any
    seed: int

    @property
    def design(self) -> Design:
        return self.run.design

    @cached_property
    def projects(self) -> bool:
        """Whether the splits are repeated partitions, with known contributions of rows."""
        run = self.run if self.run.halves is None else self.run.halves
        rows = run.rows(metric=self.metric)
        return rows is not None and rows.n_repeats >= FEWEST_REPEATS

    def quantity(self, systems: Systems) -> str:
        """Name what is estimated; of losses the negative value."""
        return self.metric if len(systems) == 1 else f"{self.metric}(A) - {self.metric}(B)"

    def of_splits(self, systems: Systems) -> Numbers:
        """Scores of every split, whatever these are."""
        return _difference([self.run.column(name, self.metric) for name in systems])

    def of_folds(self, systems: Systems) -> Any:
        """Scores of repeated partitions, with what every row contributed to them."""
        run = self.run
        sample = run.scores_of if len(systems) == 1 else run.sample
        return sample(*systems, metric=self.metric)

    def of_rows(self, split: int | None, systems: Systems, part: slice = _ALL) -> Numbers:
        """Scores of the rows that `outputs` returns."""
        scores = self.rows.scores(*self.outputs(split, systems, part))
        if scores is None:
            raise ValueError(
                f"there is no formula for the influence of each row on {self.metric} here. "
                "Use method='corrected_t' or 'holdout'."
            )
        return _difference(list(scores.T))

    def outputs(
        self, split: int | None, systems: Systems, part: slice = _ALL
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Truth and outputs of (a part of) the test rows of a split, or by fits to all rows."""
        run, found = self.run, {}
        for name in systems:
            held = (run.whole[name] if split is None else run.records[name][split]).outputs
            found[name] = raveled(np.asarray(held[self.rows.response]))[part]
        y = np.asarray(run.y)
        return (y if split is None else y[self.design.splits[split][1]])[part], found

    def agrees(self) -> bool:
        """Whether the rows' metric is the scorer's, on the first split."""
        name = self.run.names[0]
        y, outputs = self.outputs(0, (name,))
        found, known = self.rows.score(y, outputs[name]), self.of_splits((name,))[0]
        return bool(np.isclose(found, known, rtol=1e-7))

    def measured_coverage(self) -> str:
        """Say how often 95 % intervals contained the truth for such a metric and such data.

        Empty where nothing like it was simulated.
        """
        rows, design, (rarest, _) = self.rows, self.design, self.run.rarest
        n, rare = design.n_samples, rarest is not None and rarest < FEW_OF_CLASS
        if rows is None or (rare and n < _FEW_ROWS and not rows.is_mean):
            return ""  # fewer rows of a class than in the simulations, and doubted (SKS128)
        known = "whole area" if rows.metric.is_whole_auc else rows.metric.known
        place = 2 + (n >= _FEW_ROWS) + (n >= _MANY_ROWS)
        if design.groups is not None:
            place = 0
        elif rare and n >= _FEW_ROWS:
            place = 1
        for what, functions in _SIMULATED.items():
            if known in functions and (share := _SHARES[what][place]) is not None:
                return (
                    f"in simulations of {what}, on {_ROWS[place]}, its 95 % interval contained "
                    f"the truth in {share[0]} to {share[1]} % of all cases"
                )
        return ""


def _difference(columns: list[Numbers]) -> Numbers:
    return columns[0] if len(columns) == 1 else columns[0] - columns[1]


class Method(EstimationMethod):
    """A way to estimate a performance, with all that must be known of it.

    Attributes
    ----------
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
    reads : str
        The splits that it reads.
    """

    by_rows = True
    by_splits = corrected = on_part = means_only = grouped = False
    least = 1
    reads = ""

    def splits(self, data: Data, seed: int, budget: int | None, stable: bool) -> Any:
        """Make its splits; `stable` says whether all estimators are known to be."""
        raise NotImplementedError

    def suits(self, design: Design, splitter: Any) -> bool:
        """Whether it reads a design, which is asked before anything is fitted."""
        raise NotImplementedError

    def trains(self, splitter: Any, split: int) -> bool:
        """Whether the estimate is about models trained as those of a split are."""
        return not self.fit_whole

    def estimate(self, scored: Scored, systems: Systems) -> stats.Estimate | None:
        """Estimate the score of a system, or the difference of two if it is known."""
        raise NotImplementedError


class HoldOut(Method):
    """One fitted model, on one test set."""

    grouped = one_model = True
    reads = "one split"

    def splits(self, data: Data, seed: int, budget: int | None, stable: bool) -> Any:
        return splitters.random_splits(data, seed, n_splits=1)

    def suits(self, design: Design, splitter: Any) -> bool:
        if design.n_splits == 1 and design.n_groups is not None:
            check_enough_groups(int(design.sizes[1][0]), "a test set of method='holdout'")
        return design.n_splits == 1

    def estimate(self, scored: Scored, systems: Systems) -> stats.Estimate | None:
        metric, quantity = scored.rows.metric, scored.quantity(systems)
        groups = scored.design.groups
        groups = None if groups is None else groups[scored.design.splits[0][1]]
        if not scored.rows.is_mean:
            sample = stats.Predictions(*scored.outputs(0, systems), metric, groups=groups)
            if len(systems) == 2:
                outcome = stats.paired_bootstrap(sample, rng=scored.seed)
                return _of_outcome(outcome, sample, quantity)
            return stats.holdout_estimate(sample, rng=scored.seed, quantity=quantity)
        shift = _SHIFTS.get(metric.facts.counts)
        rows = scored.of_rows(0, systems)
        if shift is None or groups is not None or (shift < 0) != metric.is_loss:
            return stats.holdout_estimate(rows, groups=groups, interval="t", quantity=quantity)
        if len(systems) == 2:
            a, b = (scored.of_rows(0, (name,)) - shift for name in systems)
            table = stats.AgreementTable.from_scores(stats.PairedScores(a, b, unit="instance"))
            return _of_outcome(stats.mcnemar(table), table, quantity)
        right, how = int((rows - shift).sum()), {"interval": scored.interval, "offset": shift}
        return counted_estimate(right, len(rows), quantity=quantity, **how)


def _of_outcome(outcome: stats.Comparison, sample: Any, quantity: str) -> stats.Estimate:
    """The interval of a test of two models on the same rows."""
    return stats.Estimate(
        method=f"hold-out, interval of the {outcome.test}",
        estimand=f"{quantity} of these fitted models on new {sample.unit}s",
        unit=str(sample.unit),
        n_units=sample.n_units,
        law=outcome.law,
        assumptions=outcome.assumptions,
        ignored_variance=("training rows",),
        references=outcome.references,
    )


class Projection(Method):
    """Repeated halves, or other repeated partitions, and what every row does in them."""

    by_rows = False
    by_splits = by_contributions = on_part = grouped = True
    least = 10
    reads = (
        f"{FEWEST_REPEATS} repeats of a K-fold or more, in each of which every row is tested "
        "once, such as those of RepeatedHalves, RepeatedKFold or RepeatedStratifiedKFold"
    )

    def splits(self, data: Data, seed: int, budget: int | None, stable: bool) -> Any:
        n_repeats = splitters.affordable_halvings(budget)
        return splitters.repeated_halves(data, seed, n_repeats=n_repeats)

    def suits(self, design: Design, splitter: Any) -> bool:
        folds = (design.halves or design).folds
        return folds is not None and len(folds) >= FEWEST_REPEATS

    def estimate(self, scored: Scored, systems: Systems) -> stats.Estimate | None:
        if not scored.projects:
            raise ValueError(
                f"method='projection' needs the contribution of every row to "
                f"scoring={scored.metric!r}, but the scorer gave scores that the rows do not "
                f"add up to, or has parameters of its own. Use 'corrected_t'."
            )
        quantity = scored.quantity(systems)
        return stats.t_estimate(scored.of_folds(systems), quantity=quantity)


class CorrectedT(Method):
    """Scores of random splits, with a variance corrected by their sizes."""

    by_rows = False
    by_splits = corrected = assumes_stability = on_part = grouped = True
    stable_from = 0.3
    coverage_of_other_metrics = "50 to 94 % of cases"
    least = 3
    reads = "three splits at least (of one split there is method='holdout')"

    def splits(self, data: Data, seed: int, budget: int | None, stable: bool) -> Any:
        """Test a tenth of the rows with what is known to be stable, else a third.

        With a tenth the interval of an unstable learner contained the truth in 78 % of all
        simulations, with a third in 97 %. A tenth of few groups would be drawn again and
        again, and of few rows of a class it is none.
        """
        size = splitters.TEST_SIZE
        if stable and data.groups is None:
            counts = data.class_counts or {None: data.n_samples}
            fewest = max(max(len(counts), 2) / data.n_samples, 1 / min(counts.values()))
            size = min(max(_SMALL, fewest), 0.5)
        elif stable and data.scarcest[0] >= _FEW_GROUPS:
            size = _SMALL
        n_splits = 25 if budget is None else min(budget, _ALL_FITS)
        return splitters.random_splits(data, seed, n_splits=n_splits, test_size=size)

    def suits(self, design: Design, splitter: Any) -> bool:
        design.units()  # refuses splits of several kinds
        return design.n_splits >= 3

    def estimate(self, scored: Scored, systems: Systems) -> stats.Estimate | None:
        sample = stats.Scores(scored.of_splits(systems), **scored.design.units())
        return stats.t_estimate(sample, quantity=scored.quantity(systems))


class NestedCV(Method):
    """Folds, and within them folds again, whose errors tell that of the outer ones."""

    assumes_stability = True
    coverage_of_other_metrics = "as few as 70 % of cases"
    least = 6
    reads = "the splits of NestedKFold, with two rows or more in every fold"

    def splits(self, data: Data, seed: int, budget: int | None, stable: bool) -> Any:
        budget = 550 if budget is None else budget
        folds = range(3, max(4, _most_folds(data) + 1))
        k = max(k for k in folds if k * (k + 1) // 2 <= budget)
        n_repeats = budget // (k * (k + 1) // 2)
        return NestedKFold(k, n_repeats, stratify=data.stratifiable, random_state=seed)

    def suits(self, design: Design, splitter: Any) -> bool:
        return isinstance(splitter, NestedKFold) and int(design.row_sizes[1].min()) >= 2

    def trains(self, splitter: Any, split: int) -> bool:
        """The first splits of a repeat leave out one fold, the others two."""
        k = splitter.n_splits
        return bool(split % (k * (k + 1) // 2) < k)

    def estimate(self, scored: Scored, systems: Systems) -> stats.Estimate | None:
        k = scored.splitter.n_splits
        outer, inner = [], []
        for first in range(0, scored.design.n_splits, k * (k + 1) // 2):
            folds = [scored.of_rows(first + fold, systems) for fold in range(k)]
            others: list[list[Numbers]] = [[] for _ in range(k)]
            for split, (i, j) in enumerate(combinations(range(k), 2), start=first + k):
                size = len(folds[i])
                # The model without folds i and j predicts j within outer fold i, and i in j.
                others[j].append(scored.of_rows(split, systems, slice(None, size)))
                others[i].append(scored.of_rows(split, systems, slice(size, None)))
            outer.append(folds)
            inner.append([np.concatenate(parts) for parts in others])
        return stats.nested_cv_estimate(outer, inner, quantity=scored.quantity(systems))


class CrossValidation(Method):
    """One partition of all rows."""

    assumes_stability = True
    least = 2
    reads = "one partition of all rows, such as that of KFold or StratifiedKFold"

    def splits(self, data: Data, seed: int, budget: int | None, stable: bool) -> Any:
        k = max(2, _most_folds(data))
        k = k if budget is None else min(k, budget)
        return splitters.shuffled_folds(k, seed, by_class=data.stratifiable, by_group=False)

    def suits(self, design: Design, splitter: Any) -> bool:
        return design.n_repeats == 1

    def estimate(self, scored: Scored, systems: Systems) -> stats.Estimate | None:
        folds = [scored.of_rows(split, systems) for split in range(scored.design.n_splits)]
        of_row = np.repeat(np.arange(len(folds)), [len(fold) for fold in folds])
        rows, quantity = np.concatenate(folds), scored.quantity(systems)
        return stats.cross_validation_estimate(rows, of_row, quantity=quantity)


def _most_folds(data: Data) -> int:
    """Ten folds, or as many as have a row of every class, and two rows."""
    rarest = data.n_samples if data.class_counts is None else min(data.class_counts.values())
    return min(10, rarest, data.n_samples // 2)


class Bootstrap(Method):
    """Bootstrap samples, tested on the rows that they lack."""

    means_only = True
    least = 50
    reads = (
        "bootstrap samples that are tested on the rows that they lack, of BootstrapOutOfBag, "
        "and so many that every row is tested"
    )

    def __init__(self, kind: Any) -> None:
        self.kind, self.fit_whole = kind, kind != "oob"

    def splits(self, data: Data, seed: int, budget: int | None, stable: bool) -> Any:
        n_splits = 200 if budget is None else budget
        return BootstrapOutOfBag(n_splits, stratify=data.stratifiable, random_state=seed)

    def suits(self, design: Design, splitter: Any) -> bool:
        return design.out_of_bag and len(tested_rows(design)) == design.n_samples

    def estimate(self, scored: Scored, systems: Systems) -> stats.Estimate | None:
        if self.kind == "632+" and len(systems) == 2:
            return None  # each has a weight of its own
        n, splits = scored.design.n_samples, scored.design.splits
        by_row = np.full((len(splits), n), np.nan)
        for split, (_, test) in enumerate(splits):
            by_row[split, test] = scored.of_rows(split, systems)
        nothing = None
        if self.kind == "632+":
            y, outputs = scored.outputs(None, systems)
            nothing = scored.rows.no_information(y, outputs[systems[0]])
        return stats.out_of_bag_estimate(
            by_row,
            np.array([np.bincount(train, minlength=n) for train, _ in splits], dtype=np.int32),
            kind=self.kind,
            training_scores=scored.of_rows(None, systems) if self.fit_whole else None,
            no_information=nothing,
            quantity=scored.quantity(systems),
        )


def tested_rows(design: Design) -> NDArray[np.intp]:
    """Rows that are tested in some split."""
    return np.unique(np.concatenate([test for _, test in design.splits]))


METHODS: Mapping[str, Method] = {
    "holdout": HoldOut(),
    "projection": Projection(),
    "corrected_t": CorrectedT(),
    "nested_cv": NestedCV(),
    "cross_validation": CrossValidation(),
    "bootstrap": Bootstrap("oob"),
    "bootstrap632": Bootstrap("632"),
    "bootstrap632+": Bootstrap("632+"),
}

# How often the interval of the projection contained the truth in simulations of similar data:
# what was simulated, the functions that compute it, and on each of `_ROWS` the lowest and the
# highest share over the cells of calibration/results/losses.json, in per cent. Left out are
# learners that name one class at times and noise without a variance, which have doubts of
# their own.
_LABELS, _AUC = "metrics of predicted labels", "the area under the ROC curve"
_PROBABILITIES, _ERRORS = "losses of probabilities", "errors and R² with normal noise"
_SIMULATED = {
    _LABELS: ("accuracy_score", "balanced_accuracy_score", "f1_score"),
    _AUC: ("whole area",),
    _PROBABILITIES: ("log_loss", "brier_score_loss"),
    _ERRORS: ("mean_squared_error", "mean_absolute_error", "r2_score"),
}
_FEW_ROWS, _MANY_ROWS = 70, 300
_ROWS = (
    "groups of rows",
    "a dozen rows of a class",
    "40 rows",
    "100 to 210 rows",
    "300 rows or more",
)
_SHARES: Mapping[str, Sequence[tuple[int, int] | None]] = {
    _LABELS: ((94, 98), (83, 100), (91, 100), (91, 100), (96, 100)),
    _AUC: ((95, 96), (91, 98), (97, 100), (96, 100), (94, 99)),
    _PROBABILITIES: ((92, 98), (94, 100), (91, 100), (94, 100), (96, 100)),
    _ERRORS: (None, None, (94, 99), (95, 100), (96, 99)),
}
