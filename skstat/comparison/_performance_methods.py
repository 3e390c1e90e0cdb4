"""Methods of estimating a performance, and the splits that each makes and accepts."""

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
Systems = tuple[str, ...]  # one estimator, or two for their difference

_ALL = slice(None)
_SMALL, _FEW_GROUPS = 0.1, 30
_ALL_FITS = 100  # more splits than that narrow the corrected t interval no further
_SHIFTS = {"hits": 0.0, "misses": -1.0}  # score of a wrong row, for accuracy and negated error


@dataclass(frozen=True, eq=False)
class Scored:
    """One metric of a run, as methods use it.

    Attributes
    ----------
    run : CrossValidationRun
        Scores and outputs.
    metric : str
        Name of the metric in the run.
    rows : RowMetric or None
        The metric as a function of rows, if it is one.
    splitter : object
        The splitter of the run.
    interval : str
        Kind of interval for a share.
    seed : int
        Seed of bootstrap draws.
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
        """Return words for the estimand."""
        return self.metric if len(systems) == 1 else f"{self.metric}(A) - {self.metric}(B)"

    def of_splits(self, systems: Systems) -> Numbers:
        """Return the score, or difference, on every split."""
        return _difference([self.run.column(name, self.metric) for name in systems])

    def of_folds(self, systems: Systems) -> Any:
        """Return the sample of scores on repeated partitions, with contributions of rows."""
        run = self.run
        sample = run.scores_of if len(systems) == 1 else run.sample
        return sample(*systems, metric=self.metric)

    def of_rows(self, split: int | None, systems: Systems, part: slice = _ALL) -> Numbers:
        """Return the scores, or differences, of the rows that `outputs` returns."""
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
        """Return truth and outputs of test rows of a split; for None, by fits to all rows."""
        run, outputs = self.run, {}
        for name in systems:
            record = (run.whole[name] if split is None else run.records[name][split]).outputs
            outputs[name] = raveled(np.asarray(record[self.rows.response]))[part]
        y = np.asarray(run.y)
        return (y if split is None else y[self.design.splits[split][1]])[part], outputs

    def agrees(self) -> bool:
        """Whether the metric of rows gives the same score as the scorer, on the first split."""
        name = self.run.names[0]
        y, outputs = self.outputs(0, (name,))
        by_rows, by_splits = self.rows.score(y, outputs[name]), self.of_splits((name,))[0]
        return bool(np.isclose(by_rows, by_splits, rtol=1e-7))

    def measured_coverage(self) -> str:
        """Return words for the simulated coverage of 95 % intervals on similar data.

        The text is empty where nothing similar was simulated.
        """
        rows, design, (rarest, _) = self.rows, self.design, self.run.rarest
        n, rare = design.n_samples, rarest is not None and rarest < FEW_OF_CLASS
        if rows is None or (rare and n < _FEW_ROWS and not rows.is_mean):
            return ""  # fewer rows of a class than in the simulations, and doubted (SKS128)
        function = "whole area" if rows.metric.is_whole_auc else rows.metric.known
        index = 2 + (n >= _FEW_ROWS) + (n >= _MANY_ROWS)
        if design.groups is not None:
            index = 0
        elif rare and n >= _FEW_ROWS:
            index = 1
        for kind, functions in _SIMULATED.items():
            if function in functions and (share := _SHARES[kind][index]) is not None:
                return (
                    f"in simulations of {kind}, on {_ROWS[index]}, its 95 % interval contained "
                    f"the truth in {share[0]} to {share[1]} % of all cases"
                )
        return ""


def _difference(columns: list[Numbers]) -> Numbers:
    return columns[0] if len(columns) == 1 else columns[0] - columns[1]


class Method(EstimationMethod):
    """A method of estimating a performance, with its requirements.

    Attributes
    ----------
    by_rows : bool
        Whether it needs the scores of rows.
    on_part : bool
        Whether the estimand is about training sets of the size of those in the splits.
    means_only : bool
        Whether the metric must be a mean over rows.
    grouped : bool
        Whether it can keep groups together.
    min_fits : int
        Fewest fits that it needs.
    reads : str
        The splits that it accepts, in words.
    """

    by_rows = True
    by_splits = corrected = on_part = means_only = grouped = False
    min_fits = 1
    reads = ""

    def splits(self, data: Data, seed: int, budget: int | None, stable: bool) -> Any:
        """Return the default splitter; `stable` if all estimators are known to be stable."""
        raise NotImplementedError

    def suits(self, design: Design, splitter: Any) -> bool:
        """Whether the method accepts a design; called before anything is fitted."""
        raise NotImplementedError

    def trains(self, splitter: Any, split: int) -> bool:
        """Whether training scores of a split belong to the models that are estimated."""
        return not self.fit_whole

    def estimate(self, scored: Scored, systems: Systems) -> stats.Estimate | None:
        """Return the estimate of a score, or of a difference; None if there is none."""
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
        right, kind = int((rows - shift).sum()), {"interval": scored.interval, "offset": shift}
        return counted_estimate(right, len(rows), quantity=quantity, **kind)


def _of_outcome(outcome: stats.Comparison, sample: Any, quantity: str) -> stats.Estimate:
    """Return the outcome of a test of two models on the same rows as an estimate."""
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
    """Repeated halves, or other repeated partitions, with contributions of rows."""

    by_rows = False
    by_splits = by_contributions = on_part = grouped = True
    min_fits = 10
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
    min_fits = 3
    reads = "three splits at least (of one split there is method='holdout')"

    def splits(self, data: Data, seed: int, budget: int | None, stable: bool) -> Any:
        """Return random splits with a tenth of the rows for stable learners, else a third.

        With a tenth the interval of an unstable learner contained the truth in 78 % of all
        simulations, with a third in 97 %. With few groups a tenth of them would be the same in
        many splits, and with few rows of a class a tenth would have none.
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
    """Nested cross-validation, whose inner folds give the error of the outer ones."""

    assumes_stability = True
    coverage_of_other_metrics = "as few as 70 % of cases"
    min_fits = 6
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
    min_fits = 2
    reads = "one partition of all rows, such as that of KFold or StratifiedKFold"

    def splits(self, data: Data, seed: int, budget: int | None, stable: bool) -> Any:
        k = max(2, _most_folds(data))
        k = k if budget is None else min(k, budget)
        return splitters.shuffled_folds(k, seed, by_class=data.stratifiable, by_group=False)

    def suits(self, design: Design, splitter: Any) -> bool:
        return design.n_repeats == 1

    def estimate(self, scored: Scored, systems: Systems) -> stats.Estimate | None:
        folds = [scored.of_rows(split, systems) for split in range(scored.design.n_splits)]
        fold_of_row = np.repeat(np.arange(len(folds)), [len(fold) for fold in folds])
        rows, quantity = np.concatenate(folds), scored.quantity(systems)
        return stats.cross_validation_estimate(rows, fold_of_row, quantity=quantity)


def _most_folds(data: Data) -> int:
    """Return at most 10 folds, with two rows or more and a row of every class in each."""
    rarest = data.n_samples if data.class_counts is None else min(data.class_counts.values())
    return min(10, rarest, data.n_samples // 2)


class Bootstrap(Method):
    """Bootstrap samples, tested on out-of-bag rows."""

    means_only = True
    min_fits = 50
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
            return None  # the two estimates have different weights
        n, splits = scored.design.n_samples, scored.design.splits
        row_scores = np.full((len(splits), n), np.nan)
        for split, (_, test) in enumerate(splits):
            row_scores[split, test] = scored.of_rows(split, systems)
        baseline = None
        if self.kind == "632+":
            y, outputs = scored.outputs(None, systems)
            baseline = scored.rows.no_information(y, outputs[systems[0]])
        return stats.out_of_bag_estimate(
            row_scores,
            np.array([np.bincount(train, minlength=n) for train, _ in splits], dtype=np.int32),
            kind=self.kind,
            training_scores=scored.of_rows(None, systems) if self.fit_whole else None,
            no_information=baseline,
            quantity=scored.quantity(systems),
        )


def tested_rows(design: Design) -> NDArray[np.intp]:
    """Return the rows that are tested in any split."""
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

# Simulated coverage of the interval of the projection: the kinds of metrics, the functions that
# compute them, and for each of `_ROWS` the lowest and the highest coverage over the cells of
# calibration/results/losses.json, in per cent. Learners that predict one class at times, and
# noise without a variance, are left out, since they have doubts of their own.
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
