"""The report on tests: how often do they reject true null hypotheses on data like these?"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

from skstat._names import shown_name
from skstat.report._blocks import Block, Cells, Says, Tone
from skstat.report._forms import ReportForms, escape_latex
from skstat.report._words import ShownMetric, fixed, join_names, units
from skstat.stats import anytime_proportion_interval
from skstat.stats._common import Readers, Stored, numbers_of
from skstat.stats._outcomes import ConfidenceInterval

CONFIDENCE_LEVEL = 0.95
TOLERATED = 2  # times the level: what a test may be found to reject at most, to hold
_PRIOR_WEIGHT = 10  # experiments that the nominal level is worth when an interval is made

CheckVerdict = Literal["rejects too often", "holds", "not clear"]


def share_interval(n_rejected: int, n_experiments: int, alpha: float) -> ConfidenceInterval:
    """Interval of a share of rejections; shortest where that is near the level."""
    if not n_experiments:
        return ConfidenceInterval(0.0, 1.0)
    return anytime_proportion_interval(
        n_rejected, n_experiments, CONFIDENCE_LEVEL, expected=alpha, weight=_PRIOR_WEIGHT
    )


@dataclass(frozen=True, kw_only=True)
class CheckedTest(Stored):
    """What one test did with true null hypotheses about one learner.

    Attributes
    ----------
    name : str
        Label of the learner.
    asked : str
        The test as it was asked for, such as ``"auto"``.
    test : str
        Its name.
    alpha : float
        Its nominal level.
    pvalues : tuple of float
        A p-value per experiment, in which the null hypothesis was true; nan where a test
        could say nothing.
    replaced : float
        Share of the cells that were replaced.
    power_pvalues : tuple of float
        A p-value per experiment for a system with half as many replaced cells; empty if power
        was not asked for.
    gap : float or None
        The true difference then, as the mean over all experiments; higher is better.
    """

    _by_name = True
    _readers: ClassVar[Readers] = {
        "pvalues": numbers_of,
        "power_pvalues": numbers_of,
    }

    name: str
    asked: str
    test: str
    alpha: float
    pvalues: tuple[float, ...]
    replaced: float
    power_pvalues: tuple[float, ...] = ()
    gap: float | None = None

    @property
    def n_experiments(self) -> int:
        """How many true null hypotheses were tested."""
        return len(self.pvalues)

    @property
    def n_rejected(self) -> int:
        """How many of them were rejected."""
        return sum(pvalue < self.alpha for pvalue in self.pvalues)

    @property
    def rate(self) -> float:
        """Share of true null hypotheses that were rejected; nan where none was tested."""
        return self.n_rejected / self.n_experiments if self.pvalues else math.nan

    @property
    def interval(self) -> ConfidenceInterval:
        """95 % interval of that share, which may be looked at after every experiment.

        See :func:`skstat.stats.anytime_proportion_interval`.
        """
        return share_interval(self.n_rejected, self.n_experiments, self.alpha)

    @property
    def power(self) -> float | None:
        """Share of experiments in which the difference `gap` was found."""
        if not self.power_pvalues:
            return None
        found = sum(pvalue < self.alpha for pvalue in self.power_pvalues)
        return found / len(self.power_pvalues)

    @property
    def verdict(self) -> CheckVerdict:
        """Whether the interval lies above the level, below twice the level, or neither."""
        low, high = self.interval
        if low > self.alpha:
            return "rejects too often"
        return "holds" if high <= TOLERATED * self.alpha else "not clear"


@dataclass(frozen=True, kw_only=True, repr=False)
class TestCheck(ReportForms, Stored):
    """How often tests reject true null hypotheses about learners, on data like one's own.

    Attributes
    ----------
    rows : tuple of CheckedTest
        One per learner and test.
    metric : str
        Name of the score.
    n_samples : int
        Rows of the data, or groups.
    n_drawn : int
        Rows, or groups, of each experiment's data set.
    unit : {"row", "group"}
        What was drawn.
    n_experiments : int
        Experiments that were asked for, for each learner.
    random_state : int
        The seed that repeats the result.
    is_loss : bool
        Whether the score is a negated loss.
    out_of_time : bool
        Whether the time limit ended the experiments.
    """

    __test__ = False  # not a test of ours, whatever pytest makes of the name

    _by_name = True

    rows: tuple[CheckedTest, ...]
    metric: str
    n_samples: int
    n_drawn: int
    n_experiments: int
    random_state: int
    unit: str = "row"
    is_loss: bool = False
    out_of_time: bool = False
    # What from_dict() reads.
    _schema_version: ClassVar[int] = 1

    @property
    def _shown(self) -> ShownMetric:
        return ShownMetric(self.metric, self.is_loss)

    def __getitem__(self, key: str | tuple[str, str]) -> CheckedTest:
        """Return what was found of a learner, or of a learner and a test.

        Parameters
        ----------
        key : str, or tuple of (str, str)
            Label of the learner, and the test as it was asked for. Without it the first one.
        """
        name, asked = key if isinstance(key, tuple) else (key, None)
        for row in self.rows:
            if row.name == name and asked in (None, row.asked):
                return row
        known = [(row.name, row.asked) for row in self.rows]
        raise KeyError(f"no row {key!r}; there are {known}.")

    @property
    def conclusion(self) -> str:
        """What follows for the choice of a test, in a few sentences."""
        found: dict[CheckVerdict, list[CheckedTest]] = {}
        for row in self.rows:
            found.setdefault(row.verdict, []).append(row)
        sentences = []
        if untested := [f"the {row.test}" for row in self.rows if not row.pvalues]:
            sentences.append(
                "The time limit ended before the first experiment did, so nothing is known of "
                f"{join_names(list(dict.fromkeys(untested)))}. Give a longer time_limit=."
            )
        for row in found.get("rejects too often", ()):
            low, high = row.interval
            sentences.append(
                f"Do not use the {row.test} for {shown_name(row.name)} by {self._shown.name}: "
                f"it rejected {row.n_rejected} of {row.n_experiments} true null hypotheses at "
                f"{row.alpha:g} ({_percent(row.rate)}, 95% interval {_percent(low)} to "
                f"{_percent(high)})."
            )
        if "holds" in found:
            several = len(found["holds"]) > 1
            listed = self._listed(found["holds"])
            sentences.append(
                f"{listed[0].upper()}{listed[1:]} {'reject' if several else 'rejects'} at most "
                f"twice as often as {'they' if several else 'it'} should."
            )
        if unclear := [row for row in found.get("not clear", ()) if row.pvalues]:
            sentences.append(
                "More experiments are needed to tell whether too many were rejected: "
                f"{self._listed(unclear)}."
            )
        sentences.append(
            f"This is about data sets of {units(self.n_drawn, self.unit)}, drawn from the "
            f"{self.n_samples}, not about all {self.n_samples}."
        )
        return " ".join(sentences)

    def _listed(self, rows: Sequence[CheckedTest]) -> str:
        """Name tests, with what they rejected."""
        said = []
        for row in rows:
            of = f" for {shown_name(row.name)}" if len(self._names) > 1 else ""
            said.append(
                f"the {row.test}{of} (rejected {row.n_rejected or 'none'} of "
                f"{row.n_experiments} at {row.alpha:g})"
            )
        *first, last = said
        return f"{', '.join(first)} and {last}" if first else last

    def plot(self, ax: Any = None) -> Any:
        """Draw the share of rejections against the nominal level, with the diagonal.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.

        Returns
        -------
        skstat.display.LinesDisplay
            The display, which has been drawn.
        """
        from skstat.display import LinesDisplay

        found = {self._row_name(row): row.pvalues for row in self.rows if row.pvalues}
        return LinesDisplay.from_pvalues(found, alpha=self.rows[0].alpha).plot(ax)

    def methods_text(self, *, latex: bool = False) -> str:
        """Return what was measured as a paragraph for the methods section of a paper.

        Parameters
        ----------
        latex : bool, default=False
            Whether to escape names for LaTeX.

        Returns
        -------
        str
            One paragraph.
        """
        tests = join_names(list(dict.fromkeys(f"the {row.test}" for row in self.rows)))
        names = join_names(self._names)
        shares = sorted({row.replaced for row in self.rows})
        replaced = " and ".join(f"{100 * share:.0f}" for share in shares)
        found = "; ".join(
            f"{shown_name(row.name)}, {row.test}: {row.n_rejected} of {row.n_experiments} "
            f"({_percent(row.rate)}, 95% interval {_percent(row.interval.low)} to "
            f"{_percent(row.interval.high)})"
            for row in self.rows
            if row.pvalues
        )
        drawn = units(self.n_drawn, self.unit)
        text = (
            f"We checked on our own data how often {tests} reject true null hypotheses about "
            f"{names} by {self._shown.name}. Each experiment drew {drawn} without replacement "
            f"from {self.n_samples}. Two copies of a learner saw them, each with {replaced} % "
            "of the cells replaced by the value of the same column in a random row, "
            "independently of the other copy, so that both are equally good. Hypotheses "
            f"rejected at {self.rows[0].alpha:g}, with confidence intervals that are valid at "
            f"any number of experiments: {found or 'none, in the time that there was'}."
        )
        return escape_latex(text) if latex else text

    def _document(self, full: bool, *, screen: bool = False) -> list[Block]:
        with_power = any(row.power is not None for row in self.rows)
        header = ["", "rejected", "share", "95% interval"]
        header += ["power", "difference"] if with_power else []
        rows = []
        for row in self.rows:
            low, high = row.interval
            cells = [
                self._row_name(row),
                f"{row.n_rejected} of {row.n_experiments}",
                _percent(row.rate),
                f"{_percent(low)} to {_percent(high)}",
            ]
            if row.power is not None:
                cells += [_percent(row.power), fixed(self._shown.value(row.gap), 3)]
            rows.append([*cells, row.verdict])
        return [
            Says([self.conclusion]),
            Cells(
                self._title(),
                [*header, "verdict"],
                rows,
                words=len(header),
                tones=[_TONES[row.verdict] for row in self.rows],
                note=self._note(),
            ),
        ]

    @property
    def _names(self) -> list[str]:
        return list(dict.fromkeys(shown_name(row.name) for row in self.rows))

    def _row_name(self, row: CheckedTest) -> str:
        return row.test if len(self._names) == 1 else f"{shown_name(row.name)}, {row.test}"

    def _title(self) -> str:
        return (
            f"True null hypotheses about {join_names(self._names)} by {self._shown.name}, at "
            f"{self.rows[0].alpha:g}"
        )

    def _note(self) -> str:
        shares = {shown_name(row.name): f"{100 * row.replaced:.0f}%" for row in self.rows}
        replaced = next(iter(shares.values()))
        if len(set(shares.values())) > 1:
            replaced = join_names([f"{share} ({name})" for name, share in shares.items()])
        end = " The time limit ended the experiments." if self.out_of_time else ""
        return (
            f"Data sets of {units(self.n_drawn, self.unit)}, drawn without replacement from "
            f"{self.n_samples}. Two copies of a learner see them with {replaced} of the cells "
            "replaced by those of random rows, others for each copy, so that both are equally "
            f"good. At most {self.n_experiments} experiments per learner and test; the "
            f"intervals allow for stopping early.{end} random_state={self.random_state}."
        )

    def _records(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.to_dict()["rows"]
        return rows

    def _known(self) -> dict[str, Any]:
        return {
            "schema": "skstat.test_check",
            "schema_version": self._schema_version,
            "kind": "test_check",
            "title": self._title(),
            "conclusion": self.conclusion,
            "rows": [
                asdict(row)
                | {
                    "n_experiments": row.n_experiments,
                    "n_rejected": row.n_rejected,
                    "rate": row.rate,
                    "low": row.interval.low,
                    "high": row.interval.high,
                    "power": row.power,
                    "verdict": row.verdict,
                }
                for row in self.rows
            ],
            **{name: getattr(self, name) for name in _SETTINGS},
        }

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        if state.get("schema") != "skstat.test_check":
            raise ValueError("state lacks schema 'skstat.test_check'.")
        return state


_SETTINGS = (
    *("metric", "n_samples", "n_drawn", "unit", "n_experiments", "random_state"),
    *("is_loss", "out_of_time"),
)
_TONES: dict[CheckVerdict, Tone] = {
    "rejects too often": "worse",
    "holds": "better",
    "not clear": "undecided",
}


def _percent(share: float) -> str:
    return "" if math.isnan(share) else f"{100 * share:.1f}%"
