"""One comparison per seed: how much depends on the seed."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from skstat._names import shown_name
from skstat.report._adapter import of_model
from skstat.report._adapter_of_grids import model_of_seeds
from skstat.report._comparison_report import ComparisonReport
from skstat.report._doubts import Doubt
from skstat.report._forms import SCHEMA_VERSION
from skstat.report._model import ReportGrid
from skstat.report._paper import PaperForms
from skstat.report._plan_of_report import plan
from skstat.report._plots import display_of
from skstat.report._words import conclude
from skstat.stats._common import Stored


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SeedsReport(PaperForms, Stored):
    """One comparison of two systems per seed, which describes how much depends on the seed.

    It is not a test: all seeds share the test set, and no p-value is adjusted for their number.

    Attributes
    ----------
    names : tuple of str
        The two systems.
    reports : tuple of ComparisonReport
        The comparisons, in the order of the seeds.
    """

    _by_name = True

    names: tuple[str, str]
    reports: tuple[ComparisonReport, ...]

    def __getitem__(self, seed: int) -> ComparisonReport:
        """Return the comparison of one seed, counted from 1 as in the names of its systems."""
        if seed not in range(1, len(self) + 1):
            raise KeyError(f"no seed {seed!r}; they are numbered from 1 to {len(self)}.")
        return self.reports[seed - 1]

    def _part(self) -> tuple[str, Any] | None:
        reports = self.__dict__.get("reports")
        return ("the report of one seed, report[1]", reports[0]) if reports else None

    def __iter__(self) -> Iterator[ComparisonReport]:
        return iter(self.reports)

    def __len__(self) -> int:
        return len(self.reports)

    @cached_property
    def _model(self) -> ReportGrid:
        return model_of_seeds(self)

    @property
    def metric(self) -> str:
        """Name of the score."""
        return self.reports[0].metric

    @property
    def confidence_level(self) -> float:
        """Level of every interval and verdict."""
        return self.reports[0].confidence_level

    @property
    def direction_assumed(self) -> str:
        """What to pass to say which way is better, where nothing says it; else empty."""
        return self.reports[0].direction_assumed

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The verdict of every seed."""
        return tuple(report.verdict for report in self.reports)

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """Doubts about all comparisons, each once."""
        return tuple(dict.fromkeys(doubt for report in self.reports for doubt in report.doubts))

    @property
    def conclusion(self) -> str:
        """With how many seeds which system is better, then one sentence per seed."""
        return " ".join(conclude(self._model))

    plan = of_model(plan)

    def _known(self) -> dict[str, Any]:
        return {
            "schema": "skstat.report",
            "schema_version": SCHEMA_VERSION,
            "kind": "seeds",
            "title": " against ".join(map(shown_name, self.names)) + ", seed by seed",
            "names": self.names,
            "metric": self.metric,
            "verdicts": self.verdicts,
            "reports": self.reports,
            "doubts": [doubt for report in self.reports for doubt in report.doubts],
            "conclusion": self.conclusion,
            "sentences": conclude(self._model),
        }

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        a, b = state["names"]
        return state | {"names": (a, b)}

    def plot(self, ax: Any = None, *, width: float | str | None = None) -> Any:
        """Draw every seed's estimate and interval against zero.

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
