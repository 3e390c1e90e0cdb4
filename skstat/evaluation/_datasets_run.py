"""A run over many data sets: scores of several estimators on each of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skstat._times import Times
from skstat.evaluation._metric_names import unknown_metric
from skstat.stats import PairedScores, ScoreTable


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

    scores: Mapping[str, np.ndarray]
    fit_times: np.ndarray
    score_times: np.ndarray
    units: Mapping[str, Any]
    design: Mapping[str, Any]
    class_sizes: np.ndarray | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class DatasetsRun:
    """Scores of several estimators on many data sets.

    Attributes
    ----------
    names : tuple of str
        Labels of the estimators.
    metrics : tuple of str
        Names of the metrics.
    datasets : mapping of str to DatasetScores
        What was computed on every data set.
    asked : tuple of str
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
    asked: tuple[str, ...]
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
        fit = np.mean([part.fit_times.mean(axis=0) for part in whole], axis=0)
        score = np.mean([part.score_times.mean(axis=0) for part in whole], axis=0)
        return Times.of(self.names, fit, score)

    def metric(self, metric: str | None = None) -> str:
        """Check the name of a metric; None names the only one."""
        if metric is None and len(self.metrics) == 1:
            return self.metrics[0]
        if metric is None or metric not in self.metrics:
            raise unknown_metric(metric, self.metrics)
        return metric

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
        rows = [
            self.datasets[name].scores[metric].mean(axis=0)
            if name in self.datasets
            else missing
            for name in self.asked
        ]
        return ScoreTable(np.stack(rows), systems=self.names, datasets=self.asked)

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
        columns = []
        for name in (a, b):
            if name not in self.names:
                raise KeyError(f"no estimator {name!r} in this run; it has {self.names}.")
            columns.append(part.scores[self.metric(metric)][:, self.names.index(name)])
        return PairedScores(*columns, **part.units)

    def to_frame(self) -> Any:
        """Return scores and times as a pandas DataFrame, one row per fit."""
        import pandas as pd

        frames = []
        for name, part in self.datasets.items():
            n_splits = len(part.fit_times)
            index = pd.MultiIndex.from_product(
                [[name], range(n_splits), self.names], names=["dataset", "split", "estimator"]
            )
            columns = {metric: values.ravel() for metric, values in part.scores.items()}
            columns |= {
                "fit_time": part.fit_times.ravel(),
                "score_time": part.score_times.ravel(),
            }
            frames.append(pd.DataFrame(columns, index=index))
        return pd.concat(frames)

    def __repr__(self) -> str:
        failed = f", {len(self.failures)} failed" if self.failures else ""
        n = len(self.datasets)
        sets = "1 data set" if n == 1 else f"{n} data sets"
        return f"<DatasetsRun of {len(self.names)} estimators on {sets}{failed}>"
