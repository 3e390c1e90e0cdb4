"""The result of comparing curves of two systems: which is better, and where."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skstat._names import shown_name
from skstat.display import CurvesDisplay
from skstat.metrics import CostCurve
from skstat.report._blocks import Block, Cells, Says
from skstat.report._forms import ReportForms

Kind = Literal["roc", "precision_recall", "cost"]
Points = tuple[NDArray[np.float64], NDArray[np.float64]]

_MOST_NAMED = 3


class _Words(NamedTuple):
    """What a kind of curve, its axes and its area are called."""

    title: str
    x: str
    y: str
    area: str
    constant: str = "scores that say nothing"  # the curve of such scores


_WORDS = {
    "roc": _Words("ROC", "false positive rate", "true positive rate", "AUC"),
    "precision_recall": _Words("precision-recall", "recall", "precision", "average precision"),
    "cost": _Words("Cost", "P(+)cost", "normalised expected cost", "area", "always one class"),
}


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


class CostBand(NamedTuple):
    """The difference of two cost curves, with a band that holds everywhere at once.

    Attributes
    ----------
    probability_cost : ndarray of shape (n_points,)
        P(+)cost at which they were compared.
    difference : ndarray of shape (n_points,)
        Cost of the second system minus that of the first; above 0 the first is cheaper.
    low, high : ndarray of shape (n_points,)
        Limits of the band.
    confidence_level : float
        Its level.
    n_resamples, n_redrawn : int
        Bootstrap resamples, and those drawn anew because they held one class only.
    random_state : int
        The seed that repeats the result.
    """

    probability_cost: NDArray[np.float64]
    difference: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    confidence_level: float
    n_resamples: int
    n_redrawn: int
    random_state: int

    def at_widest(self, region: CostRegion) -> dict[str, float]:
        """Difference and limits where the difference is largest in a region."""
        inside = (self.probability_cost >= region.low) & (self.probability_cost <= region.high)
        if region.cheaper is None:  # its ends belong to the neighbours
            undecided = (self.low <= 0) & (self.high >= 0)
            inside &= undecided | ~np.any(inside & undecided)
        widest = int(np.argmax(np.where(inside, np.abs(self.difference), -1)))
        found = {"difference": self.difference, "low": self.low, "high": self.high}
        return {name: float(values[widest]) for name, values in found.items()}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CurveComparison(ReportForms):
    """Curves of two systems: whether one encloses the other, or where one is cheaper.

    Attributes
    ----------
    kind : {"roc", "precision_recall", "cost"}
        Which curves.
    curves : mapping of str to (x, y) or CostCurve
        Points of both curves, which are joined by straight lines; cost curves also know their
        thresholds.
    areas : mapping of str to float
        Area under the ROC curve, average precision, or the area under the cost curve: the
        expected cost if every P(+)cost is equally likely.
    pos_label : object
        The positive class.
    n_rows, n_positive : int
        Rows, and rows of the positive class.
    encloses : str or None
        Of ROC and precision-recall curves: name of the system whose curve is nowhere below
        the other, and above it somewhere.
    crossings : tuple of (float, float)
        Of the same curves: coordinates of the points where they cross.
    regions : tuple of CostRegion
        Of cost curves: verdicts, from P(+)cost 0 to 1.
    band : CostBand or None
        Of cost curves: their difference, ``difference``, and the simultaneous band from
        ``low`` to ``high`` at the places ``probability_cost``.
    operating_point : float or None
        P(+)cost of the test set with the costs that were given.
    n_groups : int or None
        Groups, if groups were drawn.
    """

    kind: Kind
    curves: Mapping[str, Points | CostCurve]
    areas: Mapping[str, float]
    pos_label: Any
    n_rows: int
    n_positive: int
    encloses: str | None = None
    crossings: tuple[tuple[float, float], ...] = ()
    regions: tuple[CostRegion, ...] = ()
    band: CostBand | None = None
    operating_point: float | None = None
    n_groups: int | None = None

    @property
    def names(self) -> tuple[str, str]:
        """Labels of the two systems."""
        a, b = self.curves
        return a, b

    @property
    def conclusion(self) -> str:
        """What was found, in a sentence or two."""
        return self._order() if self.band is None else self._cheaper(self.band)

    def plot(self, *, kind: Literal["difference", "curves"] | None = None) -> CurvesDisplay:
        """Draw both curves, or their difference with its band.

        Parameters
        ----------
        kind : {"difference", "curves"}, optional
            What to draw; default the difference of cost curves, which alone have a band, and
            both curves of the other kinds.

        Returns
        -------
        CurvesDisplay
            The display, already drawn; ``display.figure_`` is the figure.

        Raises
        ------
        ValueError
            If `kind` is unknown, or a difference is wanted where there is no band.
        """
        if kind not in (None, "difference", "curves"):
            raise ValueError(f"kind={kind!r} is unknown; use 'difference' or 'curves'.")
        if kind == "difference" and self.band is None:
            raise ValueError(
                "kind='difference' is for cost curves, whose difference has a band: use "
                "kind='curves' here, or compare_cost_curves."
            )
        words = _WORDS[self.kind]
        share = self.n_positive / self.n_rows
        constant: dict[str, Any] = {
            "roc": ([0, 1], [0, 1]),
            "precision_recall": ([0, 1], [share, share]),
            "cost": ([0, 0.5, 1], [0, 0.5, 0]),
        }
        options: dict[str, Any] = {"ylabel": words.y, "mark": self.operating_point}
        if self.band is not None and kind != "curves":
            options = {
                "ylabel": "difference in cost (B \N{MINUS SIGN} A)",
                "band": (self.band.probability_cost, self.band.low, self.band.high),
                "confidence_level": self.band.confidence_level,
            }
        return CurvesDisplay(
            curves={name: _points(curve) for name, curve in self.curves.items()},
            notes={name: f" ({words.area} {area:.3f})" for name, area in self.areas.items()},
            reference=constant[self.kind],
            reference_name=words.constant,
            crossings=self.crossings,
            spans=[(low, high, name) for low, high, name in self.regions if name is not None],
            spans_name="cheaper",
            mark_name="these rows, these costs",
            xlabel=f"{words.x} (positive class: {shown_name(str(self.pos_label))})",
            **options,
        ).plot()

    def _known(self) -> dict[str, Any]:
        found: dict[str, Any] = {"encloses": self.encloses, "crossings": self.crossings}
        if self.band is not None:
            found = {
                "regions": [region._asdict() for region in self.regions],
                **self.band._asdict(),
                "operating_point": self.operating_point,
                "n_groups": self.n_groups,
            }
        return {
            "schema": "skstat.curve_comparison",
            "schema_version": 1,
            "kind": "curve_comparison",
            "title": self._title(),
            "conclusion": self.conclusion,
            "curve": self.kind,
            "names": self.names,
            **found,
            "areas": self.areas,
            "curves": {name: _numbers(curve) for name, curve in self.curves.items()},
            "pos_label": str(self.pos_label),
            "n_rows": self.n_rows,
            "n_positive": self.n_positive,
        }

    def _document(self, full: bool, *, screen: bool = False) -> list[Block]:
        rows: list[list[str]] = []
        if self.band is None:
            header, note = ["", _WORDS[self.kind].area], self._notes()
            rows = [[shown_name(name), f"{area:.4f}"] for name, area in self.areas.items()]
        else:
            header = ["cheaper", _WORDS["cost"].x, "largest difference", "low", "high"]
            note = self._notes_on_band(self.band)
            for region in self.regions:
                who = "undecided" if region.cheaper is None else shown_name(region.cheaper)
                span = f"{region.low:.2f} to {region.high:.2f}"
                widest = self.band.at_widest(region)
                rows.append([who, span, *map(_signed, widest.values())])
        return [Says([self.conclusion]), Cells(self._title(), header, rows, note=note)]

    def _records(self) -> list[dict[str, Any]]:
        if self.band is None:
            word = _WORDS[self.kind].area
            found = [{"name": name, word: area} for name, area in self.areas.items()]
            return [row | {"encloses": row["name"] == self.encloses} for row in found]
        return [
            {
                "cheaper": region.cheaper,
                "low_probability_cost": region.low,
                "high_probability_cost": region.high,
                **self.band.at_widest(region),
            }
            for region in self.regions
        ]

    def _title(self) -> str:
        a, b = map(shown_name, self.names)
        return f"{_WORDS[self.kind].title} curves of {a} and {b}"

    def _order(self) -> str:
        """Which curve encloses the other, or how often they cross."""
        a, b = map(shown_name, self.names)
        title, x, y, *_ = _WORDS[self.kind]
        if self.encloses is not None:
            inner = next(name for name in self.names if name != self.encloses)
            return (
                f"The {title} curve of {shown_name(self.encloses)} encloses that of "
                f"{shown_name(inner)}: on these rows its {y} is nowhere lower at the same {x}."
            )
        if not self.crossings:
            return f"The {title} curves of {a} and {b} are the same on these rows."
        n = len(self.crossings)
        places = ", ".join(f"{place:.3g}" for place, _ in self.crossings[:_MOST_NAMED])
        times = "once" if n == 1 else f"{n} times"
        return (
            f"The {title} curves of {a} and {b} cross {times} (at {x} {places}"
            f"{', ...' * (n > _MOST_NAMED)}): which is better depends on the threshold."
        )

    def _cheaper(self, band: CostBand) -> str:
        """Where which system is cheaper."""
        a, b = map(shown_name, self.names)
        x = _WORDS["cost"].x
        if not np.any(band.low) and not np.any(band.high):
            return f"{a} and {b} cost the same at every {x} on these rows and resamples."
        parts = [
            f"{first} is cheaper than {second} for {x} {self._spans(name)}"
            for first, second, name in zip((a, b), (b, a), self.names, strict=True)
            if self._spans(name)
        ]
        level = f"{100 * band.confidence_level:g}% band for all {x} at once"
        if not parts:
            return f"Neither {a} nor {b} was found to be cheaper at any {x} ({level})."
        return (
            f"{', and '.join(parts)} ({level}). No difference was found for {x} "
            f"{self._spans(None)}."
        )

    def _spans(self, cheaper: str | None) -> str:
        """List the regions with one verdict."""
        return " and ".join(
            f"{low:.2f}" if low == high else f"{low:.2f} to {high:.2f}"
            for low, high, name in self.regions
            if name == cheaper
        )

    def _rows(self) -> str:
        groups = "" if self.n_groups is None else f" in {self.n_groups} groups"
        positive = f"{self.n_positive} of the positive class {shown_name(str(self.pos_label))}"
        return f"{self.n_rows} rows{groups}, {positive}"

    def _notes(self) -> str:
        test = "delong_test" if self.kind == "roc" else "paired_bootstrap_test"
        return (
            f"{self._rows()}. This describes these rows only, and says nothing about chance: "
            f"{test} compares the areas, compare_cost_curves the costs."
        )

    def _notes_on_band(self, band: CostBand) -> str:
        x = _WORDS["cost"].x
        areas = ", ".join(f"{shown_name(name)} {area:.4g}" for name, area in self.areas.items())
        here = self.operating_point
        where = "" if here is None else f"With the costs given these rows are at {here:.3g}. "
        again = f" ({band.n_redrawn} drawn anew)" if band.n_redrawn else ""
        return (
            f"Differences are cost(B) \N{MINUS SIGN} cost(A), as shares of the largest cost "
            f"possible. Areas (expected cost if every {x} is equally likely): {areas}. "
            f"{where}{self._rows()}; {band.n_resamples} paired bootstrap resamples{again}, "
            f"random_state={band.random_state}. The threshold of each system is the best one "
            f"on these rows at every {x}, which is optimistic for both."
        )


def _points(curve: Points | CostCurve) -> Points:
    return (curve.probability_cost, curve.cost) if isinstance(curve, CostCurve) else curve


def _numbers(curve: Points | CostCurve) -> dict[str, NDArray[np.float64]]:
    """Arrays of a curve by their names."""
    if isinstance(curve, CostCurve):
        arrays = ("probability_cost", "cost", "thresholds", "fpr", "fnr")
        return {name: getattr(curve, name) for name in arrays}
    return dict(zip("xy", curve, strict=True))


def _signed(value: float) -> str:
    return f"{value:+.4f}".replace("-", "\N{MINUS SIGN}")
