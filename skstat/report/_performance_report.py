"""The report on how good estimators are."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from skstat._names import shown_name
from skstat.report._adapter import model_of_performance, of_model
from skstat.report._doubts import Doubt, doubts_from_dicts
from skstat.report._forms import SCHEMA_VERSION
from skstat.report._model import Report
from skstat.report._own_scores import OwnScores
from skstat.report._paper import (
    PaperForms,
)
from skstat.report._plan_of_report import plan
from skstat.report._plots import display_of
from skstat.report._words import ShownMetric, conclude
from skstat.stats import ConfidenceInterval, Estimate
from skstat.stats._common import Readers, Stored, Written, plain_values


@dataclass(frozen=True, kw_only=True, eq=False)
class PerformanceRow(Written):
    """How good one estimator is, or how far two are apart.

    Attributes
    ----------
    name : str
        Label of the estimator, or ``"A - B"`` for two.
    estimate : Estimate
        The estimate, with its interval and what it means.
    training_score : float or None
        Mean score on the rows that the models were fitted to; None for a difference. It is
        optimistic, and not an estimate.
    """

    _written = ("name", "training_score", "estimate")

    name: str
    estimate: Estimate
    training_score: float | None = None

    @property
    def gap(self) -> float | None:
        """How much better the score is on rows that a model has seen."""
        if self.training_score is None:
            return None
        return self.training_score - self.estimate.estimate


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PerformanceReport(PaperForms, Stored):
    """How good one estimator is, or several, with intervals for a named estimand.

    ``report.estimate``, ``report.confidence_interval()`` and the like are about the first
    estimator. ``report["name"]`` has the others, and ``report.difference`` the difference
    of two.

    Attributes
    ----------
    rows : tuple of PerformanceRow
        The estimators, in the order they were given.
    difference : PerformanceRow or None
        First minus second estimator, where there are two and the method knows of it.
    metric : str
        Name of the score.
    is_loss : bool
        Whether the score is a negated loss; the words are then about the loss.
    confidence_level : float
        Level of the intervals.
    method : str
        Name of the method, as it is asked for.
    reason : str
        Why this method was chosen; empty if it was the caller who did.
    training_share : float or None
        Share of the rows, or of the groups, in the training sets that the estimate is for;
        None where it is not for training sets smaller than all.
    n_fits : int
        Fits that were made, of all estimators together.
    design : mapping
        The splits.
    doubts : tuple of Doubt
        Coded reasons to trust the intervals less.
    """

    kind: ClassVar[str] = "performance"
    _by_name = True
    _readers: ClassVar[Readers] = {"doubts": doubts_from_dicts}
    _newer = frozenset({"training_share"})

    rows: tuple[PerformanceRow, ...]
    difference: PerformanceRow | None = None
    metric: str = "score"
    is_loss: bool = False
    confidence_level: float = 0.95
    method: str = ""
    reason: str = ""
    training_share: float | None = None
    n_fits: int = 0
    design: Mapping[str, Any] = field(default_factory=dict)
    doubts: tuple[Doubt, ...] = ()

    @cached_property
    def _model(self) -> Report:
        return model_of_performance(self)

    @property
    def _own(self) -> OwnScores:
        estimates = {row.name: row.estimate for row in self.rows}
        return OwnScores.of_estimates(estimates, self.confidence_level)

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the estimators."""
        return tuple(row.name for row in self.rows)

    @property
    def _first(self) -> Estimate:
        return self.rows[0].estimate

    @property
    def estimate(self) -> float:
        """Estimated score of the first estimator; higher is better."""
        return self._first.estimate

    @property
    def standard_error(self) -> float | None:
        """Standard error of the estimate; None where the interval needs none."""
        return self._first.standard_error

    @property
    def training_score(self) -> float | None:
        """Score on the rows that the models were fitted to; not an estimate of performance."""
        return self.rows[0].training_score

    @property
    def estimand(self) -> str:
        """Quantity that is estimated."""
        return self._first.estimand

    @property
    def _shown_metric(self) -> ShownMetric:
        """How values of the metric are shown: losses under their own name and sign."""
        return ShownMetric(self.metric, self.is_loss)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What must hold for the interval to cover at its level."""
        return self._first.assumptions

    @property
    def ignored_variance(self) -> tuple[str, ...]:
        """Sources of variation that the interval does not cover."""
        return self._first.ignored_variance

    @property
    def unit(self) -> str:
        """What varies between the observations that the standard error comes from."""
        return self._first.unit

    @property
    def n_units(self) -> int:
        """Number of these observations."""
        return self._first.n_units

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Confidence interval of the score of the first estimator.

        Parameters
        ----------
        confidence_level : float, optional
            Coverage, between 0 and 1; default the report's own.

        Returns
        -------
        ConfidenceInterval
            Named tuple ``(low, high)`` in the unit of the score; nan if none exists.
        """
        level = self.confidence_level if confidence_level is None else confidence_level
        return self._first.confidence_interval(level)

    def __getitem__(self, name: str) -> PerformanceRow:
        """Return what was found of one estimator."""
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(f"no estimator {name!r}; there are {list(self.names)}.")

    def __iter__(self) -> Iterator[PerformanceRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def conclusion(self) -> str:
        """How good the estimators are, and what is estimated, in plain sentences."""
        return " ".join(conclude(self._model))

    plan = of_model(plan)

    def _state(self) -> dict[str, Any]:
        difference = self.difference
        state = {
            "names": self.names,
            "metric": self.metric,
            "is_loss": self.is_loss,
            "confidence_level": self.confidence_level,
            "method": self.method,
            "reason": self.reason,
            "training_share": self.training_share,
            "estimand": self.estimand,
            "unit": self.unit,
            "n_units": self.n_units,
            "assumptions": self.assumptions,
            "ignored_variance": self.ignored_variance,
            "n_fits": self.n_fits,
            "design": self.design,
            "rows": [self._row(row) for row in self.rows],
            "difference": None if difference is None else self._row(difference),
        }
        return plain_values(state)

    def _row(self, row: PerformanceRow) -> dict[str, Any]:
        low, high = row.estimate.confidence_interval(self.confidence_level)
        return {
            "name": row.name,
            "estimate": row.estimate.estimate,
            "low": low,
            "high": high,
            "standard_error": row.estimate.standard_error,
            "training_score": row.training_score,
            "gap": row.gap,
            "method": row.estimate.method,
            "estimand": row.estimate.estimand,
        }

    def _known(self) -> dict[str, Any]:
        return {
            "schema": "skstat.report",
            "schema_version": SCHEMA_VERSION,
            "kind": self.kind,
            "title": f"Performance of {', '.join(map(shown_name, self.names))}",
            "conclusion": self.conclusion,
            "sentences": conclude(self._model),
            **self._state(),
            "doubts": self.doubts,
            "estimates": [*self.rows, *filter(None, [self.difference])],
        }

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        rows = [
            PerformanceRow(
                name=found["name"],
                estimate=Estimate.from_dict(found["estimate"]),
                training_score=found["training_score"],
            )
            for found in state["estimates"]
        ]
        difference = rows.pop() if state["difference"] is not None else None
        return state | {"rows": rows, "difference": difference}

    def plot(self, ax: Any = None, *, width: float | str | None = None) -> Any:
        """Draw every estimate with its interval, and the training score beside it.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, with text of 8 points: ``"column"`` of
            most journals is 3.3, and ``"text"`` 6.9.

        Returns
        -------
        IntervalsDisplay
            The display, with ``ax_`` and ``figure_``.
        """
        return display_of(self._model).plot(ax=ax, width=width)
