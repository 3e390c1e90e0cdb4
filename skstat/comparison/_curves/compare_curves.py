"""ROC or precision-recall curves of two systems: does one enclose the other?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import (
    average_precision_score,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)

from skstat._arguments import explains_arguments
from skstat._names import shown_name
from skstat.comparison._engine import named_predictions
from skstat.display import CurvesDisplay
from skstat.metrics._output_kinds import binary_scores_of, sorted_labels
from skstat.report._contents import Contents, Grid, Section
from skstat.report._forms import ReportForms
from skstat.stats._common import rows_together, weights_of

Kind = Literal["roc", "precision_recall"]
_Path = tuple[NDArray[np.float64], NDArray[np.float64]]

# Rates of any test set differ by more than float noise.
_NOISE = 1e-12
_AXES = {
    "roc": ("false positive rate", "true positive rate"),
    "precision_recall": ("recall", "precision"),
}
_TITLES = {"roc": "ROC", "precision_recall": "precision-recall"}
_AREAS = {"roc": "AUC", "precision_recall": "average precision"}
_MOST_NAMED = 3


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CurveComparison(ReportForms):
    """Whether one of two curves encloses the other, or where they cross.

    Attributes
    ----------
    kind : {"roc", "precision_recall"}
        Which curves.
    curves : mapping of str to (x, y)
        Points of both curves; they are joined by straight lines.
    encloses : str or None
        Name of the system whose curve is nowhere below the other, and above it somewhere.
    crossings : tuple of (float, float)
        Coordinates of the points where the curves cross.
    areas : mapping of str to float
        Area under the ROC curve, or average precision.
    pos_label : object
        The positive class.
    n_rows, n_positive : int
        Rows, and rows of the positive class.
    """

    kind: Kind
    curves: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]]
    encloses: str | None
    crossings: tuple[tuple[float, float], ...]
    areas: Mapping[str, float]
    pos_label: Any
    n_rows: int
    n_positive: int

    @property
    def names(self) -> tuple[str, str]:
        """Labels of the two systems."""
        a, b = self.curves
        return a, b

    @property
    def conclusion(self) -> str:
        """What was found on these rows, in a sentence."""
        a, b = map(shown_name, self.names)
        x, y = _AXES[self.kind]
        title = _TITLES[self.kind]
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
        more = ", ..." if n > _MOST_NAMED else ""
        times = "once" if n == 1 else f"{n} times"
        return (
            f"The {title} curves of {a} and {b} cross {times} (at {x} {places}{more}): which "
            f"is better depends on the threshold."
        )

    def plot(self) -> CurvesDisplay:
        """Draw both curves, and where they cross.

        Returns
        -------
        CurvesDisplay
            The display, already drawn; ``display.figure_`` is the figure.
        """
        x, y = _AXES[self.kind]
        share = self.n_positive / self.n_rows
        chance = ([0, 1], [0, 1]) if self.kind == "roc" else ([0, 1], [share, share])
        return CurvesDisplay(
            curves=self.curves,
            notes={
                name: f" ({_AREAS[self.kind]} {area:.3f})" for name, area in self.areas.items()
            },
            reference=chance,
            reference_name="scores that say nothing",
            crossings=self.crossings,
            xlabel=f"{x} (positive class: {shown_name(str(self.pos_label))})",
            ylabel=y,
        ).plot()

    def _known(self) -> dict[str, Any]:
        return {
            "schema": "skstat.curve_comparison",
            "schema_version": 1,
            "kind": "curve_comparison",
            "title": self._title(),
            "conclusion": self.conclusion,
            "curve": self.kind,
            "names": self.names,
            "encloses": self.encloses,
            "crossings": self.crossings,
            "areas": self.areas,
            "curves": {name: {"x": x, "y": y} for name, (x, y) in self.curves.items()},
            "pos_label": str(self.pos_label),
            "n_rows": self.n_rows,
            "n_positive": self.n_positive,
        }

    def _contents(self) -> Contents:
        rows = [[shown_name(name), f"{area:.4f}"] for name, area in self.areas.items()]
        grid = Grid(self._title(), ["", _AREAS[self.kind]], rows, note=self._notes())
        records = [
            {"name": name, _AREAS[self.kind]: area, "encloses": name == self.encloses}
            for name, area in self.areas.items()
        ]
        section = Section(title=grid.title, grids=[grid], records=records)
        return Contents(conclusion=self.conclusion, sections=[section])

    def _title(self) -> str:
        a, b = map(shown_name, self.names)
        return f"{_TITLES[self.kind]} curves of {a} and {b}"

    def _notes(self) -> str:
        test = "delong_test" if self.kind == "roc" else "paired_bootstrap_test"
        return (
            f"{self.n_rows} rows, {self.n_positive} of the positive class "
            f"{shown_name(str(self.pos_label))}. This describes these rows only, and says "
            f"nothing about chance: {test} compares the areas, compare_cost_curves the "
            "costs."
        )


@explains_arguments
def compare_curves(
    y_true: Any,
    predictions: Any,
    *,
    kind: Kind = "roc",
    pos_label: Any = None,
    sample_weight: Any = None,
) -> CurveComparison:
    """Say whether the ROC or precision-recall curve of one of two systems encloses the other.

    A system whose curve encloses the other's is at least as good with every trade-off. If the
    curves cross, each system is better somewhere. ROC curves are joined by straight lines,
    which random choices between two thresholds reach. Precision has no such line: at recalls
    between two thresholds it is that of the lower one, as in the average precision.

    The answer describes these rows. With other rows of the same kind the curves may cross
    elsewhere: use :func:`delong_test`, :func:`paired_bootstrap_test` or
    :func:`compare_cost_curves` to judge differences.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels, of two classes.
    predictions : mapping or DataFrame of str to array-like
        Scores of two systems, as floats, higher for more likely positive; or what
        ``predict_proba`` returns.
    kind : {"roc", "precision_recall"}, default="roc"
        Which curves.
    pos_label : object, optional
        Positive class, where there are two; needed unless the labels are 0/1 or -1/1.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows.

    Returns
    -------
    CurveComparison
        Who encloses whom, the crossings, both areas; ``plot()``.

    Raises
    ------
    ValueError
        If there are not two systems or two classes, or labels were given instead of scores.

    References
    ----------
    .. [1] Provost, F. & Fawcett, T. (2001). Robust classification for imprecise environments.
       Machine Learning, 42(3), 203-231. :doi:`10.1023/A:1007601015854`
    .. [2] Davis, J. & Goadrich, M. (2006). The relationship between precision-recall and ROC
       curves. Proceedings of the 23rd International Conference on Machine Learning, 233-240.
       :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> from skstat import compare_curves
    >>> result = compare_curves(
    ...     [0, 0, 1, 0, 1, 1],
    ...     {"A": [0.1, 0.2, 0.5, 0.4, 0.8, 0.9], "B": [0.1, 0.6, 0.5, 0.4, 0.8, 0.3]},
    ... )
    >>> result.encloses
    'A'
    """
    if kind not in _AXES:
        raise ValueError(f"kind={kind!r} is unknown; use 'roc' or 'precision_recall'.")
    named = named_predictions(predictions)
    if len(named) != 2:
        raise ValueError(f"predictions holds {len(named)} systems; two are compared here.")
    truth, outputs, beside = rows_together(y_true, named, {"sample_weight": sample_weight})
    weight = beside["sample_weight"]
    weight = None if weight is None else weights_of(weight)
    paths, areas = {}, {}
    for name, output in outputs.items():
        positive, scores = binary_scores_of(
            truth, output, pos_label, "a curve", f"predictions[{name!r}]"
        )
        area = roc_auc_score if kind == "roc" else average_precision_score
        paths[name] = _path(kind, positive, scores, weight)
        areas[name] = float(area(positive, scores, sample_weight=weight))
    side, crossings = _order(*paths.values())
    a, b = named
    return CurveComparison(
        kind=kind,
        curves=paths,
        encloses={1: a, -1: b, 0: None}[side],
        crossings=crossings,
        areas=areas,
        pos_label=sorted_labels(truth)[1] if pos_label is None else pos_label,
        n_rows=len(truth),
        n_positive=int(positive.sum()),
    )


def _path(kind: Kind, positive: Any, scores: Any, sample_weight: Any) -> _Path:
    """Points of a curve from the left to the right, joined by straight lines."""
    if kind == "roc":
        x, y, _ = roc_curve(positive, scores, sample_weight=sample_weight)
        return np.asarray(x), np.asarray(y)
    precision, recall, _ = precision_recall_curve(positive, scores, sample_weight=sample_weight)
    # By falling threshold; the first of several with one recall is that with the precision.
    precision, recall = precision[-2::-1], recall[-2::-1]
    gains = np.diff(recall, prepend=0.0) > 0
    precision, recall = precision[gains], recall[gains]
    x = np.concatenate([[0.0], np.repeat(recall, 2)[:-1]])
    return x, np.repeat(precision, 2)


def _order(first: _Path, second: _Path) -> tuple[int, tuple[tuple[float, float], ...]]:
    """Which path is nowhere below the other (1, -1; 0 for neither), and where they cross."""
    places = np.unique(np.concatenate([first[0], second[0]]))
    before, after = zip(*(_values(path, places) for path in (first, second)), strict=True)
    # Along the axis: left and right value at each place. Between two places all is straight.
    x = np.repeat(places, 2)
    a, b = (np.column_stack(pair).ravel() for pair in zip(before, after, strict=True))
    gap = np.where(np.abs(a - b) < _NOISE, 0.0, a - b)
    apart = np.flatnonzero(gap)
    signs = np.sign(gap[apart])
    crossings = [
        _crossing(x, a, b, gap, apart[i], apart[i + 1])
        for i in np.flatnonzero(signs[1:] != signs[:-1])
    ]
    side = int(signs[0]) if len(signs) and not crossings else 0
    return side, tuple(crossings)


def _values(path: _Path, places: NDArray[np.float64]) -> Any:
    """Heights of a path on the left and on the right of each place, where it may jump."""
    x, y = path
    first = np.searchsorted(x, places, side="left")
    last = np.searchsorted(x, places, side="right") - 1
    met = first <= last
    between = np.interp(places, x, y)
    return np.where(met, y[np.minimum(first, len(x) - 1)], between), np.where(
        met, y[last], between
    )


def _crossing(
    x: NDArray[np.float64],
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    gap: NDArray[np.float64],
    i: int,
    j: int,
) -> tuple[float, float]:
    """Where the paths cross between two points at which they are apart."""
    if j > i + 1:  # they run together for a while: where they part
        return float(x[j - 1]), float(a[j - 1])
    if x[j] > x[i]:
        share = gap[i] / (gap[i] - gap[j])
        return float(x[i] + share * (x[j] - x[i])), float(a[i] + share * (a[j] - a[i]))
    # One or both of them rise or fall at this place: the middle of what both go through.
    low = max(min(a[i], a[j]), min(b[i], b[j]))
    high = min(max(a[i], a[j]), max(b[i], b[j]))
    return float(x[i]), float((low + high) / 2)
