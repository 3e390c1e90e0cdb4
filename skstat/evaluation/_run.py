"""Runs: scores of several estimators, on which any number of tests can be made."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._spelling import did_you_mean
from skstat._times import Times
from skstat.evaluation._baselines import RowScores
from skstat.evaluation._data import raveled
from skstat.evaluation._design import Design
from skstat.evaluation._fold import FoldRecord
from skstat.evaluation._splitters import DEFAULT_FOLDS
from skstat.stats import PairedScores, RowContributions, Scores, ScoreTable
from skstat.stats._row_contributions import FEW_IN_FOLD, FEW_OF_CLASS, effective_number


class _Run:
    """What all runs know: their metrics."""

    metrics: tuple[str, ...]

    def metric(self, metric: str | None = None) -> str:
        """Check the name of a metric; None names the only one."""
        names = list(self.metrics)
        if metric is None and len(names) == 1:
            return names[0]
        if metric is None:
            raise ValueError(f"scoring is missing: this run has {names}; name one.")
        if metric not in names:
            meant = did_you_mean(metric, names)
            raise ValueError(f"scoring={metric!r} is not in this run; it has {names}.{meant}")
        return metric


@dataclass(kw_only=True, eq=False)
class CrossValidationRun(_Run):
    """Scores of several estimators on the same splits.

    Attributes
    ----------
    records : mapping of str to sequence of FoldRecord
        By estimator, what the fit of every split gave.
    design : Design
        The splits, and what they are.
    losses : frozenset of str
        Metrics that are negated losses.
    means : frozenset of str
        Metrics that are means over rows.
    hits : frozenset of str
        Metrics that are the share of rows that are right.
    bounds : mapping of str to tuple of float or None
        Lowest and highest score that every metric can give; None where it is not known.
    by_formula : frozenset of str
        Metrics of which a formula says what every row contributes, if the splits allow it.
    unstable, unseeded, fixed_seeds : frozenset of str
        Estimators not known to be stable, that no second run can repeat, and whose
        seed was the same in every fit.
    is_classification : bool
        Whether the estimators predict classes.
    y : array-like or None
        The targets, as given.
    weighted : frozenset of str
        Metrics whose scores are weighted.
    sample_weight : ndarray of shape (n_samples,) or None
        Weights of the rows, if they were given by that argument.
    n_copies : int
        Rows that repeat another row, in X and in y, and are in another group.
    halves : CrossValidationRun or None
        The same estimators on repeated halves of the same rows, from which the variance of
        `scores` is found.
    whole : mapping of str to FoldRecord
        By estimator, outputs and scores of the model that was fitted to all rows, for the
        same rows; empty unless such a fit was asked for.
    names, metrics : tuple of str
        Labels of the estimators, and names of the metrics.
    scores : dict of str to ndarray of shape (n_splits, n_estimators)
        Scores by metric; higher is better.
    fit_times, score_times : ndarray of shape (n_splits, n_estimators)
        Seconds per fit, and per scoring.
    contributions : dict
        By metric and estimator, for every split what its test rows contributed to the score.
        Without estimators of which that is not known
        (:class:`~skstat.stats.RowContributions`).
    rows_known : bool
        Whether it is known, for all metrics, what every row contributed.
    """

    records: Mapping[str, Sequence[FoldRecord]]
    design: Design
    losses: frozenset[str]
    unstable: frozenset[str]
    unseeded: frozenset[str]
    fixed_seeds: frozenset[str]
    is_classification: bool
    y: Any
    weighted: frozenset[str]
    means: frozenset[str]
    hits: frozenset[str]
    by_formula: frozenset[str]
    sample_weight: np.ndarray | None
    bounds: Mapping[str, tuple[float | None, float | None]]
    n_copies: int
    halves: "CrossValidationRun | None" = None
    whole: Mapping[str, FoldRecord] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.names, shape = tuple(self.records), (self.design.n_splits, len(self.records))
        self.scores: dict[str, np.ndarray] = {}
        self.contributions: dict[str, dict[str, list[np.ndarray]]] = {}
        self.fit_times, self.score_times = np.empty((2, *shape))
        self.rows_known: bool = self.halves is None or self.halves.rows_known
        for index, (name, records) in enumerate(self.records.items()):
            times = np.transpose([(record.fit_time, record.score_time) for record in records])
            self.fit_times[:, index], self.score_times[:, index] = times
            for metric in records[0].scores:
                scores = self.scores.setdefault(metric, np.full(shape, np.nan))
                scores[:, index] = [record.scores.get(metric, np.nan) for record in records]
                rows = [r.contributions[metric] for r in records if metric in r.contributions]
                if len(rows) == len(records):
                    self.contributions.setdefault(metric, {})[name] = rows
                else:
                    self.rows_known = False
        self.metrics = tuple(self.scores)

    @cached_property
    def part_scores(self) -> dict[str, np.ndarray]:
        """Scores of the parts of test sets, of shape (n_splits, n_parts, n_estimators).

        Where splits are scored in parts; `scores` are then their means.
        """
        parts: dict[str, np.ndarray] = {}
        for metric in self.scores if self.records[self.names[0]][0].part_scores else ():
            columns = []
            for fits in self.records.values():
                columns.append([[p.get(metric, np.nan) for p in r.part_scores] for r in fits])
            parts[metric] = np.moveaxis(np.array(columns, dtype=float), 0, -1)
        return parts

    @property
    def predictions(self) -> dict[str, dict[int, Any]]:
        """Test-set predictions by estimator and split.

        Of every split when they were asked for, else of the first repeat only.
        """
        return {
            name: {n: r.outputs["predict"] for n, r in enumerate(run) if "predict" in r.outputs}
            for name, run in self.records.items()
        }

    @property
    def n_fits(self) -> int:
        """Fits of each estimator."""
        halves = self.design.halves
        return self.design.n_splits + bool(self.whole) + (halves.n_splits if halves else 0)

    @property
    def times(self) -> dict[str, Times] | None:
        """Mean seconds per fit and per scoring of every estimator, where all are known."""
        return Times.of(self.names, self.fit_times.mean(axis=0), self.score_times.mean(axis=0))

    def knows_rows(self, names: Iterable[str], metric: str) -> bool:
        """Whether it is known what every row contributed to the scores of some estimators.

        Parameters
        ----------
        names : iterable of str
            The estimators.
        metric : str
            Name of the metric.
        """
        known = set(names) <= set(self.contributions.get(metric, ()))
        return known and (self.halves is None or self.halves.knows_rows(names, metric))

    def column(self, name: str, metric: str | None = None) -> np.ndarray:
        """Scores of one estimator on every split.

        Parameters
        ----------
        name : str
            Label of the estimator.
        metric : str, optional
            Name of the metric; may be left out if there is only one.

        Returns
        -------
        ndarray of shape (n_splits,)
            The scores.
        """
        return self.scores[self.metric(metric)][:, _indices(self.names, [name])[0]]

    def merge(self, other: "CrossValidationRun") -> "CrossValidationRun":
        """Put the estimators of another run beside these.

        Parameters
        ----------
        other : CrossValidationRun
            Other estimators on the same splits of the same rows, scored by the same metrics;
            their features may be others.
        """
        return replace(
            self,
            records={**self.records, **other.records},
            unstable=self.unstable | other.unstable,
            unseeded=self.unseeded | other.unseeded,
            fixed_seeds=self.fixed_seeds | other.fixed_seeds,
            halves=self.halves.merge(other.halves) if self.halves and other.halves else None,
        )

    def sample(
        self, a: str | None = None, b: str | None = None, *, metric: str | None = None
    ) -> PairedScores:
        """Pair the scores of two estimators.

        Parameters
        ----------
        a, b : str, optional
            Labels; default the first and the second estimator.
        metric : str, optional
            Name of the metric; may be left out if there is only one.

        Returns
        -------
        PairedScores
            One row per split, with the sizes of the design. For a repeated K-fold
            cross-validation also what every row contributed, if that is known (`rows`). For
            splits that leave out every pair of blocks, the scores of the blocks (`n_blocks`).
        """
        a = self.names[0] if a is None else a
        b = self.names[1] if b is None else b
        return self.table(metric, (a, b)).pair(a, b)

    def rows(
        self, names: Sequence[str] | None = None, metric: str | None = None
    ) -> RowContributions | None:
        """Return what every row contributed to the scores of a repeated K-fold.

        Parameters
        ----------
        names : sequence of str, optional
            Some estimators; default all.
        metric : str, optional
            Name of the metric; may be left out if there is only one.

        Returns
        -------
        RowContributions or None
            By groups where these are kept together. None if the splits are not repeated
            partitions, or contributions are not known for the metric.
        """
        names = self.names if names is None else names
        rows, folds = self._rows_of(names, metric), self.design.folds
        if rows is None or folds is None or len(folds) < 2:
            return None
        n_folds = self.design.n_splits // len(folds)
        values = np.empty((*folds.shape, len(names)))
        for split, (_, test) in enumerate(self.design.splits):
            values[split // n_folds, test] = np.transpose([one[split] for one in rows])
        metric, classes = self.metric(metric), self._classes
        weight = self.sample_weight if metric in self.weighted else None
        table = RowContributions(
            values,
            folds,
            classes[1] if classes is not None and self.same_class_shares else None,
            of_mean=metric in self.means,
            n_effective=None
            if weight is None or not np.ptp(weight)
            else effective_number(weight),
        )
        if self.design.groups is not None and self.design.n_groups:
            table = table.by_group(self.design.groups, weight)
        halves = None if self.halves is None else self.halves.rows(names, metric)
        return replace(table, halves=halves)

    def _rows_of(self, names: Sequence[str], metric: str | None) -> list[list[Any]] | None:
        """Contributions of some estimators, if those of all of them are known."""
        metric = self.metric(metric)
        known = self.knows_rows(names, metric)
        return [self.contributions[metric][name] for name in names] if known else None

    def split_spread(self, a: str, b: str, *, metric: str | None = None) -> float | None:
        """How much more the differences of splits vary than their test rows explain.

        Test rows that are drawn without replacement, and models that do not change, would
        give 1 (:doc:`/any_metric`).

        Parameters
        ----------
        a, b : str
            Labels of two estimators.
        metric : str, optional
            Name of the metric; may be left out if there is only one.

        Returns
        -------
        float or None
            Variance of the differences over splits, over the mean of the variances that
            their test rows give; None if the rows' contributions are not known, rows come in
            groups, test sets have a single row, or there are fewer than ten splits.
        """
        rows, (n_train, sizes) = self._rows_of((a, b), metric), self.design.row_sizes
        grouped, few = self.design.groups is not None, sizes.min() < 2 or len(sizes) < 10
        if rows is None or grouped or few:
            return None
        by_rows = [np.var(x - y, ddof=1) / len(x) for x, y in zip(*rows, strict=True)]
        share = 1 - sizes.mean() / (sizes + n_train).mean()
        explained = float(np.mean(by_rows)) * share
        spread = float(np.var(self.column(a, metric) - self.column(b, metric), ddof=1))
        return spread / explained if explained > 0 else None

    def class_sizes_for(self, metric: str) -> np.ndarray | None:
        """Rows of every class, for a metric that is the share of rows that are right.

        Parameters
        ----------
        metric : str
            Name of the metric.

        Returns
        -------
        ndarray of shape (n_classes,) or None
            None for other metrics, where rows are weighted, and without classes.
        """
        if metric not in self.hits or metric in self.weighted or self._classes is None:
            return None
        return self._classes[2]

    @cached_property
    def tested_classes(self) -> tuple[np.ndarray, Mapping[str, np.ndarray]]:
        """How many rows of each class test sets hold, and on how many estimators name it.

        Both of shape (n_tests, n_classes). Of the test sets of the first repeat, and the
        estimators whose labels are known there; of halves where there are any, because they
        are larger.
        """
        if self.halves is not None:
            return self.halves.tested_classes
        if self._classes is None:
            return np.empty((0, 0)), {}
        labels, codes, _ = self._classes
        tests = self.design.splits[: self.design.n_splits // (self.design.n_repeats or 1)]
        held = np.array([np.bincount(codes[test], minlength=len(labels)) for _, test in tests])
        named = {}
        for name, fits in self.records.items():
            outputs: list[Any] = [fit.outputs.get("predict") for fit in fits[: len(held)]]
            if all(np.ndim(output) == 1 for output in outputs):
                counts = [[np.sum(output == label) for label in labels] for output in outputs]
                named[name] = np.array(counts)
        return held, named

    @cached_property
    def same_class_shares(self) -> bool:
        """Whether all splits that tell the variance hold the same share of every class."""
        design, classes = self.design.halves or self.design, self._classes
        return classes is not None and design.stratifies(classes[1])

    @property
    def rarest(self) -> tuple[int | None, str]:
        """Rows and label of the rarest class; None and empty if the targets are not classes."""
        if self._classes is None:
            return None, ""
        labels, _, sizes = self._classes
        return int(sizes.min()), str(labels[sizes.argmin()])

    def suits_folds(self, metric: str) -> bool:
        """Whether folds of a tenth of the rows have enough of them for a metric.

        Parameters
        ----------
        metric : str
            Name of the metric.
        """
        few = self.design.n_samples // DEFAULT_FOLDS < FEW_IN_FOLD
        return metric in self.means or not (few or (self.rarest[0] or np.inf) < FEW_OF_CLASS)

    @cached_property
    def _classes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Labels, the number from 0 of the class of each row, and the rows of each class."""
        y = raveled(np.asarray(self.y))
        if not self.is_classification or self.y is None or y.ndim != 1:
            return None
        return np.unique(y, return_inverse=True, return_counts=True)

    def table(
        self, metric: str | None = None, names: Sequence[str] | None = None
    ) -> ScoreTable:
        """Return the scores of estimators as a sample.

        Parameters
        ----------
        metric : str, optional
            Name of the metric; may be left out if there is only one.
        names : sequence of str, optional
            Some estimators; default all.

        Returns
        -------
        ScoreTable
            A row per split and a column per estimator, with the sizes of the design, and
            `rows` where what they contribute is known.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skstat import paired_cross_validate
        >>> from skstat.stats import compare_with_best
        >>> estimators = {
        ...     "NB": GaussianNB(),
        ...     "tree": DecisionTreeClassifier(random_state=0),
        ...     "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
        ... }
        >>> X, y = load_iris(return_X_y=True)
        >>> run = paired_cross_validate(estimators, X, y, random_state=0)
        >>> compare_with_best(run.table(), rng=0).may_be_best()
        ('NB', 'tree')
        """
        names, metric = self.names if names is None else names, self.metric(metric)
        columns = _indices(self.names, names)
        scores = self.part_scores.get(metric, self.scores[metric])[..., columns]
        return self.design.table(scores, names, self.rows(names, metric))

    def scores_of(self, name: str, *, metric: str | None = None) -> Scores:
        """Return the scores of one estimator as a sample."""
        scores, units = self.column(name, metric), self.design.units()
        return Scores(scores, rows=self.rows((name,), metric), **units)

    def instance_sample(self, a: str, b: str) -> PairedScores | None:
        """Pair per-instance scores on the test rows of the first repeat.

        1 and 0 for right and wrong labels, the negative squared error for
        regression. None if predictions are missing.
        """
        y, scores = raveled(np.asarray(self.y)), []
        tests = self.design.splits[: self.design.splits_per_repeat]
        for name in (a, b):
            outputs = [fit.outputs.get("predict") for fit in self.records[name][: len(tests)]]
            if self.y is None or any(predicted is None for predicted in outputs):
                return None
            pairs = [(y[rows], part) for (_, rows), part in zip(tests, outputs, strict=True)]
            each = [_instance_scores(*pair, self.is_classification) for pair in pairs]
            scores.append(np.concatenate(each))
        return PairedScores(*scores, unit="instance")

    def to_frame(self) -> Any:
        """Return scores and times as a pandas DataFrame, one row per split and estimator."""
        return _frame(self, self.names)

    def __repr__(self) -> str:
        means = []
        for name in self.names:
            scores = [f"{each} {self.column(name, each).mean():.3f}" for each in self.metrics]
            means.append(f"{name}: {', '.join(scores)}")
        return f"<CrossValidationRun of {self.design.kind}; mean scores: {', '.join(means)}>"


def _instance_scores(y_true: np.ndarray, y_pred: Any, classification: bool) -> np.ndarray:
    if isinstance(y_pred, RowScores):
        return y_pred.values
    predicted = raveled(np.asarray(y_pred))
    if classification:
        right = y_true == predicted
        return np.asarray(right.all(axis=1) if right.ndim == 2 else right, dtype=float)
    squares = -np.square(np.asarray(y_true, dtype=float) - predicted)
    return squares.mean(axis=1) if squares.ndim == 2 else squares


# Rows of a slice in every test set, from which on its scores are compared.
_FEWEST_TESTED = 5


def run_in_slice(run: CrossValidationRun, rows: NDArray[np.int64]) -> CrossValidationRun:
    """Return the scores of a run on some of the rows, as a run of its own.

    Every model is the one that was fitted to all of its training rows. A score on a slice is a
    weighted mean over the test rows, with the weight 0 outside; what a row contributes follows
    from that.

    Parameters
    ----------
    run : CrossValidationRun
        A run of which the contributions of rows are known.
    rows : ndarray of int
        Numbers of the rows of the slice.

    Raises
    ------
    ValueError
        If some test set has too few rows of the slice.
    """
    inside = np.zeros(run.design.n_samples, dtype=bool)
    inside[rows] = True
    tests = [test for _, test in run.design.splits]
    tested = np.array([int(inside[test].sum()) for test in tests])
    if tested.min() < _FEWEST_TESTED:
        raise ValueError(f"a test set has {tested.min()} of them, fewer than {_FEWEST_TESTED}")
    records: dict[str, list[FoldRecord]] = {name: [] for name in run.records}
    for name, whole in run.records.items():
        for record, test in zip(whole, tests, strict=True):
            part, scores, contributions = inside[test], {}, {}
            for metric in record.scores:
                rows_of = record.contributions[metric]
                mean = scores[metric] = float(rows_of[part].mean())
                weight = len(part) / part.sum()
                contributions[metric] = np.where(part, mean + weight * (rows_of - mean), mean)
            record = replace(record, scores=scores, contributions=contributions)
            records[name].append(replace(record, outputs={}, part_scores=()))
    return replace(
        run,
        records=records,
        weighted=run.weighted | set(run.metrics),
        sample_weight=inside.astype(float),
        y=None,  # class shares within a slice were not held
        halves=None if run.halves is None else run_in_slice(run.halves, rows),
    )


@dataclass(frozen=True, kw_only=True)
class FailedFit:
    """What could not be computed in a run over many data sets.

    Attributes
    ----------
    dataset : str
        Name of the data set.
    estimator : str or None
        Label of the estimator; None when the data set itself could not be used.
    message : str
        The error, with the split it occurred on.
    """

    dataset: str
    estimator: str | None
    message: str

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, kw_only=True, eq=False)
class DatasetScores:
    """Scores of several estimators on the splits of one data set.

    Attributes
    ----------
    scores : mapping of str to ndarray of shape (n_splits, n_estimators)
        Scores by metric; higher is better, nan where a fit failed.
    fit_times, score_times : ndarray of shape (n_splits, n_estimators)
        Seconds per fit and per scoring.
    units : mapping
        Sizes of the splits, as :class:`~skstat.stats.PairedScores` takes them.
    design : mapping
        The design in words and numbers.
    class_sizes : ndarray of shape (n_classes,) or None
        Rows of every class; None where the targets are numbers.
    """

    scores: dict[str, np.ndarray]
    fit_times: np.ndarray
    score_times: np.ndarray
    units: Mapping[str, Any]
    design: Mapping[str, Any]
    class_sizes: np.ndarray | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class DatasetsRun(_Run):
    """Scores of several estimators on many data sets.

    Attributes
    ----------
    names : tuple of str
        Labels of the estimators.
    metrics : tuple of str
        Names of the metrics.
    datasets : mapping of str to DatasetScores
        What was computed on every data set.
    all_datasets : tuple of str
        Names of all data sets, in the order given.
    failures : tuple of FailedFit
        What was not, with ``error_score="collect"``.
    losses : frozenset of str
        Metrics that are negated losses.
    hits : frozenset of str
        Metrics that are the share of rows that are right, on rows without weights.
    bounds : mapping of str to tuple of float or None
        Lowest and highest score that every metric can give; None where it is not known.
    unseeded, fixed_seeds : frozenset of str
        Estimators that no second run can repeat, and whose seed was the same in every
        fit.
    random_state : int
        Seed of the default splits.
    """

    names: tuple[str, ...]
    metrics: tuple[str, ...]
    datasets: Mapping[str, DatasetScores]
    all_datasets: tuple[str, ...]
    failures: tuple[FailedFit, ...]
    losses: frozenset[str]
    unseeded: frozenset[str]
    fixed_seeds: frozenset[str]
    random_state: int
    hits: frozenset[str] = frozenset()
    bounds: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)

    @property
    def times(self) -> dict[str, Times] | None:
        """Mean seconds per fit and per scoring of every estimator.

        Means over the data sets on which every fit succeeded: others would favour those
        who failed where fits take long. None if there is no such data set.
        """
        whole = [part for part in self.datasets.values() if np.isfinite(part.fit_times).all()]
        if not whole:
            return None
        means = [[p.fit_times.mean(axis=0), p.score_times.mean(axis=0)] for p in whole]
        return Times.of(self.names, *np.mean(means, axis=0))

    def table(self, metric: str | None = None) -> ScoreTable:
        """Return one score per data set and estimator: the mean over the splits.

        Parameters
        ----------
        metric : str, optional
            Name of the metric; may be left out if there is only one.

        Returns
        -------
        ScoreTable
            A row per data set, a column per estimator; a score is missing where a fit
            failed.
        """
        metric = self.metric(metric)
        missing = np.full(len(self.names), np.nan)
        means = {name: part.scores[metric].mean(axis=0) for name, part in self.datasets.items()}
        rows = np.stack([means.get(name, missing) for name in self.all_datasets])
        return ScoreTable(rows, systems=self.names, datasets=self.all_datasets)

    def sample(
        self, dataset: str, a: str, b: str, *, metric: str | None = None
    ) -> PairedScores:
        """Pair the scores of two estimators on the splits of one data set.

        Parameters
        ----------
        dataset : str
            Name of the data set.
        a, b : str
            Labels of the estimators.
        metric : str, optional
            Name of the metric; may be left out if there is only one.

        Returns
        -------
        PairedScores
            One row per split, with the sizes of the design.
        """
        if dataset not in self.datasets:
            raise KeyError(
                f"no data set {dataset!r} in this run; it has {list(self.datasets)}."
            )
        part = self.datasets[dataset]
        scores = part.scores[self.metric(metric)][:, _indices(self.names, (a, b))]
        return PairedScores(*scores.T, **part.units)

    def to_frame(self) -> Any:
        """Return scores and times as a pandas DataFrame, one row per fit."""
        import pandas as pd

        frames = {name: _frame(part, self.names) for name, part in self.datasets.items()}
        return pd.concat(frames, names=["dataset"])

    def __repr__(self) -> str:
        failed = f", {len(self.failures)} failed" if self.failures else ""
        n = len(self.datasets)
        sets = "1 data set" if n == 1 else f"{n} data sets"
        return f"<DatasetsRun of {len(self.names)} estimators on {sets}{failed}>"


def _indices(names: Sequence[str], chosen: Iterable[str]) -> list[int]:
    indices = []
    for name in chosen:
        if name not in names:
            raise KeyError(f"no estimator {name!r} in this run; it has {names}.")
        indices.append(names.index(name))
    return indices


def _frame(run: "CrossValidationRun | DatasetScores", names: Sequence[str]) -> Any:
    """Return scores and times as a pandas DataFrame, one row per split and estimator."""
    import pandas as pd

    columns = {**run.scores, "fit_time": run.fit_times, "score_time": run.score_times}
    levels = [range(len(run.fit_times)), names]
    index = pd.MultiIndex.from_product(levels, names=["split", "estimator"])
    return pd.DataFrame({name: values.ravel() for name, values in columns.items()}, index=index)
