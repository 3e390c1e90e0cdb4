"""The result of comparing two cost curves: where which system is cheaper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skstat._names import shown_name
from skstat.display import CurveDifferenceDisplay, CurvesDisplay
from skstat.metrics import CostCurve
from skstat.report._contents import Contents, Grid, Section
from skstat.report._forms import ReportForms

X_LABEL = "P(+)cost"
Y_LABEL = "normalised expected cost"


class CostRegion(NamedTuple):
    """A stretch of P(+)cost with one verdict.

    Attributes
    ----------
    low, high : float
        Its ends. A cheaper system is cheaper on all points of the grid between them.
    cheaper : str or None
        Name of the cheaper system; None where no difference was found.
    """

    low: float
    high: float
    cheaper: str | None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CostCurveComparison(ReportForms):
    """Two cost curves, their difference, and where it is more than chance.

    Attributes
    ----------
    curves : mapping of str to CostCurve
        The curves of both systems.
    probability_cost : ndarray of shape (n_points,)
        P(+)cost at which they were compared.
    difference : ndarray of shape (n_points,)
        Cost of the second system minus that of the first; above 0 the first is cheaper.
    low, high : ndarray of shape (n_points,)
        Limits of the simultaneous band.
    regions : tuple of CostRegion
        Verdicts, from P(+)cost 0 to 1.
    operating_point : float or None
        P(+)cost of the test set with the costs that were given.
    pos_label : object
        The positive class.
    confidence_level : float
        Level of the band.
    n_resamples, n_redrawn : int
        Bootstrap resamples, and those drawn anew because they held one class only.
    random_state : int
        The seed that repeats the result.
    n_rows, n_positive : int
        Rows, and rows of the positive class.
    n_groups : int or None
        Groups, if groups were drawn.
    """

    curves: Mapping[str, CostCurve]
    probability_cost: NDArray[np.float64]
    difference: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    regions: tuple[CostRegion, ...]
    operating_point: float | None
    pos_label: Any
    confidence_level: float
    n_resamples: int
    n_redrawn: int
    random_state: int
    n_rows: int
    n_positive: int
    n_groups: int | None

    @property
    def names(self) -> tuple[str, str]:
        """Labels of the two systems."""
        a, b = self.curves
        return a, b

    @property
    def areas(self) -> dict[str, float]:
        """Expected total cost of each system, if every P(+)cost is equally likely."""
        return {name: curve.area for name, curve in self.curves.items()}

    @property
    def conclusion(self) -> str:
        """Where which system is cheaper, in a sentence or two."""
        a, b = map(shown_name, self.names)
        if not np.any(self.low) and not np.any(self.high):
            return f"{a} and {b} cost the same at every {X_LABEL} on these rows and resamples."
        parts = []
        for name, other in (self.names, self.names[::-1]):
            spans = [_span(region) for region in self.regions if region.cheaper == name]
            if spans:
                parts.append(
                    f"{shown_name(name)} is cheaper than {shown_name(other)} for {_and(spans)}"
                )
        level = f"{100 * self.confidence_level:g}% band for all {X_LABEL} at once"
        if not parts:
            return f"Neither {a} nor {b} was found to be cheaper at any {X_LABEL} ({level})."
        rest = [_span(region) for region in self.regions if region.cheaper is None]
        undecided = f" No difference was found for {_and(rest)}." if rest else ""
        return f"{', and '.join(parts)} ({level}).{undecided}"

    def plot(self, *, kind: Literal["difference", "curves"] = "difference") -> Any:
        """Draw the difference with its band, or both curves.

        Parameters
        ----------
        kind : {"difference", "curves"}, default="difference"
            What to draw. Bars show where one system is cheaper in both.

        Returns
        -------
        CurveDifferenceDisplay or CurvesDisplay
            The display, already drawn; ``display.figure_`` is the figure.

        Raises
        ------
        ValueError
            If `kind` is unknown.
        """
        spans = [(low, high, name) for low, high, name in self.regions if name is not None]
        if kind == "curves":
            display = curves_display(self.curves, mark=self.operating_point, spans=spans)
            return display.plot()
        if kind != "difference":
            raise ValueError(f"kind={kind!r} is unknown; use 'difference' or 'curves'.")
        return CurveDifferenceDisplay(
            x=self.probability_cost,
            difference=self.difference,
            low=self.low,
            high=self.high,
            confidence_level=self.confidence_level,
            names=self.names,
            spans=spans,
            xlabel=_x_label(self.pos_label),
            ylabel="difference in cost (B \N{MINUS SIGN} A)",
            better="cheaper",
        ).plot()

    def _known(self) -> dict[str, Any]:
        return {
            "schema": "skstat.cost_curve_comparison",
            "schema_version": 1,
            "kind": "cost_curve_comparison",
            "title": self._title(),
            "conclusion": self.conclusion,
            "names": self.names,
            "regions": [region._asdict() for region in self.regions],
            "areas": self.areas,
            "probability_cost": self.probability_cost,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "curves": {
                name: {
                    "probability_cost": curve.probability_cost,
                    "cost": curve.cost,
                    "thresholds": curve.thresholds,
                    "fpr": curve.fpr,
                    "fnr": curve.fnr,
                }
                for name, curve in self.curves.items()
            },
            "operating_point": self.operating_point,
            "pos_label": str(self.pos_label),
            "confidence_level": self.confidence_level,
            "n_resamples": self.n_resamples,
            "n_redrawn": self.n_redrawn,
            "random_state": self.random_state,
            "n_rows": self.n_rows,
            "n_positive": self.n_positive,
            "n_groups": self.n_groups,
        }

    def _contents(self) -> Contents:
        rows, records = [], []
        for region in self.regions:
            widest = self._at_widest(region)
            found = {
                name: float(values[widest])
                for name, values in (
                    ("difference", self.difference),
                    ("low", self.low),
                    ("high", self.high),
                )
            }
            who = shown_name(region.cheaper) if region.cheaper is not None else "undecided"
            span = f"{region.low:.2f} to {region.high:.2f}"
            rows.append([who, span, *map(_signed, found.values())])
            ends: dict[str, Any] = {
                "low_probability_cost": region.low,
                "high_probability_cost": region.high,
            }
            records.append({"cheaper": region.cheaper, **ends, **found})
        header = ["cheaper", X_LABEL, "largest difference", "low", "high"]
        grid = Grid(self._title(), header, rows, note=self._notes())
        section = Section(title=grid.title, grids=[grid], records=records)
        return Contents(conclusion=self.conclusion, sections=[section])

    def _title(self) -> str:
        a, b = map(shown_name, self.names)
        return f"Cost curves of {a} and {b}"

    def _at_widest(self, region: CostRegion) -> int:
        """Point of a region at which the difference is largest."""
        inside = (self.probability_cost >= region.low) & (self.probability_cost <= region.high)
        if region.cheaper is None:  # its ends belong to the neighbours
            undecided = (self.low <= 0) & (self.high >= 0)
            inside &= undecided | ~np.any(inside & undecided)
        return int(np.argmax(np.where(inside, np.abs(self.difference), -1)))

    def _notes(self) -> str:
        areas = ", ".join(f"{shown_name(name)} {area:.4g}" for name, area in self.areas.items())
        groups = "" if self.n_groups is None else f" in {self.n_groups} groups"
        here = self.operating_point
        where = "" if here is None else f"With the costs given these rows are at {here:.3g}. "
        again = f" ({self.n_redrawn} drawn anew)" if self.n_redrawn else ""
        return (
            f"Differences are cost(B) \N{MINUS SIGN} cost(A), as shares of the largest cost "
            f"possible. Areas (expected cost if every {X_LABEL} is equally likely): {areas}. "
            f"{where}{self.n_rows} rows{groups}, {self.n_positive} of the positive class "
            f"{shown_name(str(self.pos_label))}; {self.n_resamples} paired bootstrap "
            f"resamples{again}, random_state={self.random_state}. The threshold of each system "
            f"is the best one on these rows at every {X_LABEL}, which is optimistic for both."
        )


def curves_display(
    curves: Mapping[str, CostCurve],
    *,
    mark: float | None = None,
    spans: Sequence[tuple[float, float, str]] = (),
) -> CurvesDisplay:
    """Return the display of cost curves beside the two constant classifiers."""
    first = next(iter(curves.values()))
    return CurvesDisplay(**drawn_as(curves, first.pos_label), mark=mark, spans=spans)


def drawn_as(curves: Mapping[str, CostCurve], pos_label: Any) -> dict[str, Any]:
    """Fields of a display of cost curves."""
    return {
        "curves": {name: (c.probability_cost, c.cost) for name, c in curves.items()},
        "notes": {name: f" (area {c.area:.3f})" for name, c in curves.items()},
        "reference": ([0.0, 0.5, 1.0], [0.0, 0.5, 0.0]),
        "reference_name": "always one class",
        "xlabel": _x_label(pos_label),
        "ylabel": Y_LABEL,
        "mark_name": "these rows, these costs",
        "spans_name": "cheaper",
    }


def _x_label(pos_label: Any) -> str:
    return f"{X_LABEL} (positive class: {shown_name(str(pos_label))})"


def _span(region: CostRegion) -> str:
    if region.low == region.high:
        return f"{X_LABEL} {region.low:.2f}"
    return f"{X_LABEL} {region.low:.2f} to {region.high:.2f}"


def _and(parts: list[str]) -> str:
    first, *others = parts
    return " and ".join([first, *(part.removeprefix(f"{X_LABEL} ") for part in others)])


def _signed(value: float) -> str:
    return f"{value:+.4f}".replace("-", "\N{MINUS SIGN}")
