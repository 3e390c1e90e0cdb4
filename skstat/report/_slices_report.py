"""Two systems in slices of the rows: where they differ, and whether that varies."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from skstat._names import shown_name
from skstat._spelling import meant_by
from skstat.report._adapter import of_model
from skstat.report._adapter_of_grids import model_of_slices
from skstat.report._comparison_report import ComparisonReport
from skstat.report._doubts import CATALOGUE, Doubt, by_code, merged
from skstat.report._forms import SCHEMA_VERSION
from skstat.report._model import ReportGrid
from skstat.report._paper import PaperForms
from skstat.report._plan_of_report import plan
from skstat.report._plots import display_of
from skstat.report._words import ShownMetric, conclude
from skstat.stats import MinPOutcome, OmnibusOutcome, adjust_pvalues
from skstat.stats._common import Readers, Stored
from skstat.stats._outcomes import alpha_of


class AsOnAllRows:
    """What a report in slices shares with that on all rows."""

    overall: Any

    @property
    def metric(self) -> str:
        """Name of the score."""
        return self.overall.metric

    @property
    def is_loss(self) -> bool:
        """Whether the score is a negated loss."""
        return self.overall.is_loss

    @property
    def confidence_level(self) -> float:
        """Level of every interval and verdict."""
        return self.overall.confidence_level

    @property
    def margin(self) -> float | None:
        """The smallest difference that matters, in the unit of the score."""
        return self.overall.margin

    @property
    def _shown_metric(self) -> ShownMetric:
        return ShownMetric(self.metric, self.is_loss)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SlicesReport(AsOnAllRows, PaperForms, Stored):
    """What a comparison of two systems in slices of the rows found.

    Attributes
    ----------
    overall : ComparisonReport
        The comparison on all rows, as without slices.
    slices : tuple of str
        The slices that were compared.
    reports : tuple of ComparisonReport
        The comparison within every slice; p-values and intervals are adjusted for all slices.
    n_rows : tuple of int
        Rows of every slice.
    cut_by : tuple of str
        The columns that slices are made of.
    adjustment : str
        How p-values are adjusted: ``"min-p"``, by the joint distribution of the smallest one,
        or a method of :func:`skstat.stats.adjust_pvalues`.
    between : OmnibusOutcome or None
        Test of whether the difference differs between slices; None of a metric without a
        formula, or of one slice.
    shrunken : tuple of float or None
        Differences drawn towards their common mean, as far as they are noise.
    left_out : mapping of str to str
        Slices that were not compared, and why.
    explained_by : mapping of str to tuple of str
        Slices that differ through the rows which they share with others, which these are.
        Asked without the rows of these they do not differ significantly.
    n_outside : int
        Rows in no slice that was compared.
    notes : tuple of str
        How columns of numbers were cut.
    n_comparisons : int or None
        Comparisons that p-values are adjusted for, where there are other pairs of systems too.
    adjusted_between, adjusted_noninferior : float or None
        p-values of the test of variation, and of "worse by the margin in some slice", adjusted
        for the number of pairs (Holm), where there are others.
    """

    _by_name = True
    _readers: ClassVar[Readers] = {
        "between": lambda found: OmnibusOutcome.from_dict(found) if found else None,
        "left_out": dict,
        "explained_by": lambda found: {name: tuple(by) for name, by in found.items()},
    }

    overall: ComparisonReport
    slices: tuple[str, ...]
    reports: tuple[ComparisonReport, ...]
    n_rows: tuple[int, ...]
    cut_by: tuple[str, ...] = ()
    adjustment: str = "min-p"
    between: OmnibusOutcome | None = None
    shrunken: tuple[float, ...] | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)
    explained_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    n_outside: int = 0
    notes: tuple[str, ...] = ()
    n_comparisons: int | None = None
    adjusted_between: float | None = None
    adjusted_noninferior: float | None = None

    def __getitem__(self, name: str) -> ComparisonReport:
        """Return the comparison within one slice."""
        if name in self.slices:
            return self.reports[self.slices.index(name)]
        if name in self.left_out:
            raise KeyError(f"the slice {name!r} was left out: {self.left_out[name]}.")
        close = meant_by(str(name), list(self.slices), n=3)
        meant = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
        raise KeyError(f"no slice {name!r}; there are {list(self.slices)}.{meant}")

    def turned(self) -> "SlicesReport":
        """Return the same comparisons of the second system against the first.

        Returns
        -------
        SlicesReport
            The same numbers, from the other side.
        """
        drawn_in = self.shrunken
        return replace(
            self,
            overall=self.overall.turned(),
            reports=tuple(report.turned() for report in self.reports),
            shrunken=None if drawn_in is None else tuple(0.0 - one for one in drawn_in),
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self.slices)

    def __len__(self) -> int:
        return len(self.slices)

    @cached_property
    def _model(self) -> ReportGrid:
        return model_of_slices(self)

    @property
    def direction_assumed(self) -> str:
        """What to pass to say which way is better, where nothing says it; else empty."""
        return self.overall.direction_assumed

    def _part(self) -> tuple[str, Any] | None:
        overall = self.__dict__.get("overall")
        return None if overall is None else ("the report on all rows, report.overall", overall)

    @property
    def names(self) -> tuple[str, str]:
        """The two systems."""
        return self.overall.names

    @property
    def verdicts(self) -> dict[str, str]:
        """The verdict on the first system in every slice, by adjusted p-values."""
        each = zip(self.slices, self.reports, strict=True)
        return {name: report.verdict for name, report in each}

    @property
    def worse_in(self) -> tuple[str, ...]:
        """Slices in which the first system is significantly worse.

        Not those that are it through the rows of others alone: `explained_by`.
        """
        return self._with_verdict("worse")

    @property
    def better_in(self) -> tuple[str, ...]:
        """Slices in which the first system is significantly better, as `worse_in`."""
        return self._with_verdict("better")

    def _with_verdict(self, verdict: str) -> tuple[str, ...]:
        found = self.verdicts.items()
        return tuple(
            name for name, own in found if own == verdict and name not in self.explained_by
        )

    @cached_property
    def noninferior_pvalue(self) -> float | None:
        """p-value of "the first system is worse by the margin in at least one slice".

        The largest of the one-sided p-values of all slices, which needs no adjustment: to
        show that none is worse each of them must be rejected (an intersection-union test;
        Berger, 1982). Where there are other pairs of systems, it is adjusted for these. None
        without a margin, nan where a slice has no p-value, as one that was left out.
        """
        if self.adjusted_noninferior is not None:
            return self.adjusted_noninferior
        if self.margin is None:
            return None
        if self.left_out:
            return math.nan
        found = [report.equivalence for report in self.reports]
        return float(np.max([one.lower_pvalue for one in found if one is not None]))

    @property
    def not_worse_anywhere(self) -> bool | None:
        """Whether the first system was shown not to be worse by the margin in any slice.

        A slice that was left out, as those of few rows are, is open.
        """
        pvalue = self.noninferior_pvalue
        return None if pvalue is None else pvalue < alpha_of(self.confidence_level)

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """Doubts about all comparisons, each once; those of slices say of which."""
        own = self._of_slices
        told = {(doubt.code, doubt.advice) for doubt in own}
        left = [one for one in self.overall.doubts if (one.code, one.advice) not in told]
        return by_code(own, left)

    @cached_property
    def _of_slices(self) -> list[Doubt]:
        """Doubts about the comparisons within slices, each once."""
        found = (
            (name, doubt)
            for name, report in zip(self.slices, self.reports, strict=True)
            for doubt in report.doubts
            if not CATALOGUE[doubt.code].of_all_rows
        )
        return merged(found, len(self.slices), "slice")

    @property
    def conclusion(self) -> str:
        """Where the systems differ, whether that varies, and what holds over all rows."""
        return " ".join(conclude(self._model))

    plan = of_model(plan)

    def _known(self) -> dict[str, Any]:
        a, b = map(shown_name, self.names)
        return {
            "schema": "skstat.report",
            "schema_version": SCHEMA_VERSION,
            "kind": "slices",
            "title": f"{a} against {b}, in slices of the rows",
            "conclusion": self.conclusion,
            "sentences": conclude(self._model),
            "names": self.names,
            "metric": self.metric,
            "is_loss": self.is_loss,
            "confidence_level": self.confidence_level,
            "margin": self.margin,
            "noninferior_pvalue": self.noninferior_pvalue,
            "slices": self.slices,
            "verdicts": list(self.verdicts.values()),
            "n_rows": self.n_rows,
            "cut_by": self.cut_by,
            "adjustment": self.adjustment,
            "between": self.between,
            "shrunken": self.shrunken,
            "left_out": self.left_out,
            "explained_by": self.explained_by,
            "n_outside": self.n_outside,
            "notes": self.notes,
            "n_comparisons": self.n_comparisons,
            "adjusted_between": self.adjusted_between,
            "adjusted_noninferior": self.adjusted_noninferior,
            "overall": self.overall,
            "reports": self.reports,
            "doubts": self.doubts,
        }

    def _plain(self, last: dict[Any, Any]) -> dict[str, Any]:
        return without_minima(super()._plain(last))

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        return with_minima(state)

    def plot(self, ax: Any = None, *, width: float | str | None = None) -> Any:
        """Draw the difference in every slice with its interval, and that on all rows.

        Crosses are the differences drawn towards their common mean.

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


def adjusted_for_pairs(reports: Sequence[SlicesReport]) -> list[SlicesReport]:
    """Adjust what is asked once of every pair, about all of its slices, for their number.

    Parameters
    ----------
    reports : sequence of SlicesReport
        One of each pair; what was adjusted of them for pairs is adjusted anew.
    """
    alone = [replace(report, adjusted_noninferior=None) for report in reports]
    between = [math.nan if one.between is None else one.between.pvalue for one in alone]
    margins = [one.noninferior_pvalue for one in alone]
    not_worse = adjust_pvalues([math.nan if p is None else p for p in margins], "holm")
    return [
        replace(
            report,
            n_comparisons=sum(map(len, alone)),
            adjusted_between=None if report.between is None else float(varies),
            adjusted_noninferior=None if report.margin is None else float(shown),
        )
        for report, varies, shown in zip(
            alone, adjust_pvalues(between, "holm"), not_worse, strict=True
        )
    ]


def without_minima(state: dict[str, Any]) -> dict[str, Any]:
    """Keep once what was drawn of the smallest p-value: it belongs to all that was compared."""
    drawn = [_minima_taken(part) for part in state["reports"]]
    return {**state, "minima": drawn[0]}


def _minima_taken(part: dict[str, Any]) -> Any:
    holder = part if "reports" in part else part["outcome"]
    return holder.pop("minima", None)


def with_minima(state: dict[str, Any]) -> dict[str, Any]:
    """Give every comparison what was drawn for all of them."""
    minima = state.get("minima")
    if minima is None:
        return state
    drawn = np.asarray(minima, dtype=float)
    return {**state, "reports": [_minima_given(part, drawn) for part in state["reports"]]}


def _minima_given(part: dict[str, Any], drawn: Any) -> dict[str, Any]:
    if "reports" in part:
        return {**part, "minima": drawn}
    if part["outcome"]["type"] != MinPOutcome.__name__:
        return part
    return {**part, "outcome": {**part["outcome"], "minima": drawn}}
