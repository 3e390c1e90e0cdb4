"""Which splits a method makes, of the data and of a budget."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold

from skstat import stats
from skstat.evaluation import BootstrapOutOfBag, CrossValidationRun, Design, NestedKFold
from skstat.evaluation import _splitters as splitters
from skstat.evaluation._data import Data
from skstat.metrics._row_metric import RowMetric
from skstat.report._doubts import EstimationMethod
from skstat.stats._splits import FEWEST_REPEATS
from skstat.stats._test_set import check_enough_groups

_SMALL, _FEW_GROUPS = 0.1, 30
_ALL_FITS = 100  # more splits than that narrow the corrected t interval no further


@dataclass(frozen=True, kw_only=True)
class SplitRequest:
    """What the splits of a method depend on.

    Attributes
    ----------
    data : Data
        The rows.
    seed : int
        Seed of the splits.
    budget : int or None
        Number of fits that the caller can afford, if it was said.
    stable : bool
        Whether all estimators are known to be stable.
    """

    data: Data
    seed: int
    budget: int | None
    stable: bool


def one_split(request: SplitRequest) -> Any:
    return splitters.random_splits(request.data, request.seed, n_splits=1)


def halvings(request: SplitRequest) -> Any:
    n_repeats = splitters.affordable_halvings(request.budget)
    return splitters.repeated_halves(request.data, request.seed, n_repeats=n_repeats)


def random(request: SplitRequest) -> Any:
    n_splits = 25 if request.budget is None else min(request.budget, _ALL_FITS)
    size = _test_size(request)
    return splitters.random_splits(
        request.data, request.seed, n_splits=n_splits, test_size=size
    )


def _test_size(request: SplitRequest) -> float:
    """Share of the rows for testing: a tenth for what is known to be stable, else a third.

    With a tenth the interval of an unstable learner contained the truth in 78 % of all
    simulations, with a third in 97 %. A tenth of few groups would be drawn again and again,
    and of few rows of a class it is none.
    """
    data = request.data
    if not request.stable:
        return splitters.DEFAULT_TEST_SIZE
    if data.groups is not None:
        few = len(np.unique(np.asarray(data.groups))) < _FEW_GROUPS
        return splitters.DEFAULT_TEST_SIZE if few else _SMALL
    fewest = 2 / data.n_samples
    if data.class_counts is not None:
        n_classes, rarest = len(data.class_counts), min(data.class_counts.values())
        fewest = max(n_classes / data.n_samples, 1 / rarest)
    return min(max(_SMALL, fewest), 0.5)


def nested_folds(request: SplitRequest) -> Any:
    budget = 550 if request.budget is None else request.budget
    most = _most_folds(request.data)
    n_folds = max(k for k in range(3, max(4, most + 1)) if k * (k + 1) // 2 <= budget)
    n_repeats = budget // (n_folds * (n_folds + 1) // 2)
    stratify = request.data.stratifiable
    return NestedKFold(n_folds, n_repeats, stratify=stratify, random_state=request.seed)


def folds(request: SplitRequest) -> Any:
    folds = StratifiedKFold if request.data.stratifiable else KFold
    most = max(2, _most_folds(request.data))
    n_folds = most if request.budget is None else min(most, request.budget)
    return folds(n_folds, shuffle=True, random_state=request.seed)


def _most_folds(data: Data) -> int:
    """Ten folds, or as many as have a row of every class, and two rows."""
    rarest = data.n_samples if data.class_counts is None else min(data.class_counts.values())
    return min(10, rarest, data.n_samples // 2)


def bootstrap_samples(request: SplitRequest) -> Any:
    n_splits = 200 if request.budget is None else request.budget
    stratify = request.data.stratifiable
    return BootstrapOutOfBag(n_splits, stratify=stratify, random_state=request.seed)


def is_main_split(splitter: Any, split: int) -> bool:
    """Whether the training set of a split is of the size that the estimate is about."""
    if isinstance(splitter, NestedKFold):
        k = splitter.n_splits
        return bool(split % (k * (k + 1) // 2) < k)
    return True


Systems = tuple[str, ...]  # an estimator, or the two whose difference is meant


@dataclass(frozen=True, kw_only=True, eq=False)
class RunScores:
    """One metric of a run.

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
    method_name : str
        What is asked, of :data:`METHODS`.
    """

    run: CrossValidationRun
    metric: str
    rows: RowMetric | None
    splitter: Any
    interval: str
    seed: int
    method_name: str

    @property
    def method(self) -> "Method":
        """How the performance is estimated."""
        return METHODS[self.method_name]

    @property
    def design(self) -> Design:
        return self.run.design

    @property
    def training_share(self) -> float:
        """Share of the rows, or groups, in the training sets that an estimate is about."""
        design = self.design
        sizes = [
            size
            for split, size in enumerate(design.sizes[0])
            if is_main_split(self.splitter, split)
        ]
        return float(np.mean(sizes)) / (design.n_groups or design.n_samples)

    @property
    def names(self) -> tuple[str, ...]:
        return self.run.names

    @cached_property
    def y(self) -> NDArray[Any]:
        y = np.asarray(self.run.y)
        return y.ravel() if y.ndim == 2 and y.shape[1] == 1 else y

    def quantity(self, systems: Systems) -> str:
        """Name what is estimated; of losses the negative value."""
        if len(systems) == 1:
            return self.metric
        return f"{self.metric}(A) - {self.metric}(B)"

    def of_splits(self, systems: Systems) -> stats.Scores:
        """Scores of every split, with the sizes of the design."""
        return stats.Scores(self.columns(systems), **self.design.units())

    @cached_property
    def projects(self) -> bool:
        """Whether the splits are repeated partitions, with known contributions of rows."""
        run = self.run if self.run.halves is None else self.run.halves
        rows = run.rows(metric=self.metric)
        return rows is not None and rows.n_repeats >= FEWEST_REPEATS

    def of_folds(self, systems: Systems) -> stats.FoldScores | stats.PairedFoldScores:
        """Scores of repeated partitions, with what every row contributed to them."""
        run = self.run
        one = len(systems) == 1
        sample = (run.scores_of if one else run.sample)(*systems, metric=self.metric)
        assert isinstance(sample, stats.FoldScores | stats.PairedFoldScores)
        return sample

    def columns(self, systems: Systems) -> NDArray[np.float64]:
        """Scores of every split, whatever these are."""
        return _difference([self.run.column(name, self.metric) for name in systems])

    def of_rows(self, split: int, systems: Systems, part: slice | None = None) -> Any:
        """Scores of the test rows of a split, or of a part of them."""
        y, outputs = self.tested(split, systems, part)
        return self._scored(y, outputs)

    def of_whole(self, systems: Systems) -> Any:
        """Scores of all rows by the models that were fitted to them."""
        return self._scored(
            self.y, {name: self.output(self.run.whole[name].outputs) for name in systems}
        )

    def tested(
        self, split: int, systems: Systems, part: slice | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Truth and outputs of the test rows of a split, or of a part of them."""
        part = slice(None) if part is None else part
        rows = self.design.splits[split][1][part]
        return self.y[rows], {
            name: self.output(self.run.outputs[name][split])[part] for name in systems
        }

    def output(self, responses: Any) -> NDArray[Any]:
        """Take what the metric reads from the outputs of a model."""
        assert self.rows is not None
        output = np.asarray(responses[self.rows.response])
        return output.ravel() if output.ndim == 2 and output.shape[1] == 1 else output

    def _scored(self, y: NDArray[Any], outputs: dict[str, Any]) -> NDArray[np.float64]:
        assert self.rows is not None
        scores = self.rows.scores(y, outputs)
        if scores is None:
            raise ValueError(
                f"there is no formula for the influence of each row on {self.metric} here. "
                f"Use "
                "method='corrected_t' or 'holdout'."
            )
        return _difference(list(scores.T))

    def agrees(self) -> bool:
        """Whether the rows' metric is the scorer's, on the first split."""
        if self.rows is None:
            return False
        name = self.names[0]
        y, outputs = self.tested(0, (name,))
        found = self.rows.score(y, outputs[name])
        return bool(np.isclose(found, self.run.column(name, self.metric)[0], rtol=1e-7))


def _difference(columns: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    return columns[0] if len(columns) == 1 else columns[0] - columns[1]


Read = Callable[[RunScores, Systems], stats.Estimate | None]


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


def _holdout(scores: RunScores, systems: Systems) -> stats.Estimate | None:
    assert scores.rows is not None
    groups, quantity = scores.design.groups, scores.quantity(systems)
    groups = None if groups is None else groups[scores.design.splits[0][1]]
    y, outputs = scores.tested(0, systems)
    if not scores.rows.is_mean:
        if len(systems) == 2:
            pair = stats.PairedPredictions(y, outputs, scores.rows.metric, groups=groups)
            return _of_outcome(stats.paired_bootstrap(pair, rng=scores.seed), pair, quantity)
        one = stats.Predictions(y, outputs, scores.rows.metric, groups=groups)
        return stats.holdout_bootstrap_estimate(one, rng=scores.seed, quantity=quantity)
    rows = scores.of_rows(0, systems)
    offset = {"hits": 0.0, "misses": -1.0}.get(scores.rows.metric.facts.counts)
    if offset is None or groups is not None or (offset < 0) != scores.rows.metric.is_loss:
        return stats.holdout_estimate(rows, groups=groups, interval="t", quantity=quantity)
    if len(systems) == 2:
        a, b = (scores.of_rows(0, (name,)) - offset for name in systems)
        table = stats.AgreementTable.from_scores(stats.PairedScores(a, b, unit="instance"))
        return _of_outcome(stats.mcnemar(table), table, quantity)
    counted = stats.holdout_estimate(
        rows - offset,
        interval=scores.interval,  # type: ignore[arg-type]
        quantity=quantity,
    )
    assert isinstance(counted, stats.ShareEstimate)
    return replace(counted, estimate=counted.estimate + offset, offset=offset)


def _of_outcome(outcome: stats.Comparison, sample: Any, quantity: str) -> stats.OutcomeEstimate:
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


def _corrected_t(scores: RunScores, systems: Systems) -> stats.Estimate | None:
    return stats.corrected_t_estimate(
        scores.of_splits(systems), quantity=scores.quantity(systems)
    )


def _nested_cv(scores: RunScores, systems: Systems) -> stats.Estimate | None:
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


def _cross_validation(scores: RunScores, systems: Systems) -> stats.Estimate | None:
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


def _projection(scores: RunScores, systems: Systems) -> stats.Estimate | None:
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
    def read(scores: RunScores, systems: Systems) -> stats.Estimate | None:
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
            output = scores.output(scores.run.whole[systems[0]].outputs)
            nothing = scores.rows.no_information(scores.y, output)
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


_of_samples = partial(
    Method, splits=bootstrap_samples, check=_check_bootstrap, means_only=True, least=50
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
    "bootstrap": _of_samples(read=_bootstrap("oob")),
    "bootstrap632": _of_samples(read=_bootstrap("632"), fit_whole=True),
    "bootstrap632+": _of_samples(read=_bootstrap("632+"), fit_whole=True),
}
