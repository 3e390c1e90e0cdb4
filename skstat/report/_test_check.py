"""The report on tests: how often do they reject true null hypotheses on data like these?"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

from skstat._names import shown_name
from skstat.report._blocks import Block, Cells, Says, Tone
from skstat.report._forms import Result, escape_latex
from skstat.report._words import ShownMetric, fixed, join_names, units
from skstat.stats import anytime_proportion_interval
from skstat.stats._common import Readers, Stored, numbers_of
from skstat.stats._outcomes import ConfidenceInterval

CONFIDENCE_LEVEL = 0.95
TOLERATED = 2  # times the level: what a test may be found to reject at most, to hold
_PRIOR_WEIGHT = 10  # experiments that the nominal level is worth when an interval is made

CheckVerdict = Literal["rejects too often", "holds", "not clear"]
_TONES: dict[CheckVerdict, Tone] = {
    "rejects too often": "worse",
    "holds": "better",
    "not clear": "undecided",
}


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
    _readers: ClassVar[Readers] = dict.fromkeys(("pvalues", "power_pvalues"), numbers_of)

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
        found = [pvalue < self.alpha for pvalue in self.power_pvalues]
        return sum(found) / len(found) if found else None

    @property
    def verdict(self) -> CheckVerdict:
        """Whether the interval lies above the level, below twice the level, or neither."""
        low, high = self.interval
        if low > self.alpha:
            return "rejects too often"
        return "holds" if high <= TOLERATED * self.alpha else "not clear"


@dataclass(frozen=True, kw_only=True, repr=False)
class TestCheck(Result, Stored):
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
    kind: ClassVar[str] = "test_check"

    rows: tuple[CheckedTest, ...]
    metric: str
    n_samples: int
    n_drawn: int
    n_experiments: int
    random_state: int
    unit: str = "row"
    is_loss: bool = False
    out_of_time: bool = False

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
    def title(self) -> str:
        """Of what true null hypotheses were tested, at which level."""
        return (
            f"True null hypotheses about {join_names(self._names)} by {self._shown.name}, at "
            f"{self.rows[0].alpha:g}"
        )

    @property
    def conclusion(self) -> str:
        """What follows for the choice of a test, in a few sentences."""
        found: dict[str, list[CheckedTest]] = {}
        for row in self.rows:
            found.setdefault(row.verdict if row.pvalues else "untested", []).append(row)
        sentences = []
        if "untested" in found:
            names = join_names(_tests(found["untested"]))
            sentences.append(
                "The time limit ended before the first experiment did, so nothing is known of "
                f"{names}. Give a longer time_limit=."
            )
        sentences += [
            f"Do not use the {row.test} for {shown_name(row.name)} by {self._shown.name}: it "
            f"rejected {row.n_rejected} of {row.n_experiments} true null hypotheses at "
            f"{row.alpha:g} ({_share(row)})."
            for row in found.get("rejects too often", ())
        ]
        if "holds" in found:
            listed = self._listed(found["holds"])
            verb, they = ("reject", "they") if len(found["holds"]) > 1 else ("rejects", "it")
            sentences.append(
                f"{listed[0].upper()}{listed[1:]} {verb} at most twice as often as {they} "
                "should."
            )
        if "not clear" in found:
            sentences.append(
                "More experiments are needed to tell whether too many were rejected: "
                f"{self._listed(found['not clear'])}."
            )
        drawn = units(self.n_drawn, self.unit)
        sentences.append(
            f"This is about data sets of {drawn}, drawn from the {self.n_samples}, not about "
            f"all {self.n_samples}."
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

        lines, level = {}, self.rows[0].alpha
        for row in self.rows:
            if row.pvalues:
                at = sorted(p for p in row.pvalues if p <= 1)  # nan is never a rejection
                counts = [*range(len(at) + 1), len(at)]
                shares = [n / len(row.pvalues) for n in counts]
                lines[self._row_name(row)] = ([0.0, *at, 1.0], shares)
        return LinesDisplay(
            lines=lines,
            xlabel="nominal level",
            ylabel="true null hypotheses rejected",
            guides={
                "as many as its level says": ([0, 1], [0, 1]),
                f"level {level:g}": ([level, level], [0, 1]),
            },
            xlim=(0.0, 1.0),
            ylim=(0.0, 1.0),
            steps=True,
        ).plot(ax)

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
        tests = join_names(_tests(self.rows))
        found = "; ".join(
            f"{shown_name(row.name)}, {row.test}: {row.n_rejected} of {row.n_experiments} "
            f"({_share(row)})"
            for row in self.rows
            if row.pvalues
        )
        text = (
            f"We checked on our own data how often {tests} reject true null hypotheses about "
            f"{join_names(self._names)} by {self._shown.name}. {self._design} Rejected at "
            f"{self.rows[0].alpha:g}: {found or 'none, in the time that there was'}; the "
            "intervals are valid at any number of experiments."
        )
        return escape_latex(text) if latex else text

    @property
    def _design(self) -> str:
        """What the experiments were."""
        shares = {shown_name(row.name): f"{100 * row.replaced:.0f}%" for row in self.rows}
        replaced = next(iter(shares.values()))
        if len(set(shares.values())) > 1:
            replaced = join_names([f"{share} ({name})" for name, share in shares.items()])
        return (
            f"Each experiment drew {units(self.n_drawn, self.unit)} without replacement from "
            f"{self.n_samples}. Two copies of a learner saw them with {replaced} of the cells "
            "replaced by those of random rows, others for each copy, so that both were equally "
            "good."
        )

    def _document(self, full: bool, *, screen: bool = False) -> list[Block]:
        header = ["", "rejected", "share", "95% interval"]
        if with_power := any(row.power_pvalues for row in self.rows):
            header += ["power", "difference"]
        rows = []
        for row in self.rows:
            low, high = map(_percent, row.interval)
            counted = f"{row.n_rejected} of {row.n_experiments}"
            cells = [self._row_name(row), counted, _percent(row.rate), f"{low} to {high}"]
            if with_power:
                cells += [_percent(row.power), fixed(self._shown.value(row.gap), 3)]
            rows.append([*cells, row.verdict])
        end = " The time limit ended the experiments." if self.out_of_time else ""
        note = (
            f"{self._design} At most {self.n_experiments} experiments per learner and test; "
            f"the intervals allow for stopping early.{end} random_state={self.random_state}."
        )
        tones = [_TONES[row.verdict] for row in self.rows]
        header.append("verdict")
        return [
            Says([self.conclusion]),
            Cells(self.title, header, rows, words=len(header) - 1, tones=tones, note=note),
        ]

    @property
    def _shown(self) -> ShownMetric:
        return ShownMetric(self.metric, self.is_loss)

    @property
    def _names(self) -> list[str]:
        return list(dict.fromkeys(shown_name(row.name) for row in self.rows))

    def _row_name(self, row: CheckedTest) -> str:
        return row.test if len(self._names) == 1 else f"{shown_name(row.name)}, {row.test}"

    def _records(self) -> list[dict[str, Any]]:
        names = ("n_experiments", "n_rejected", "rate", "power", "verdict")
        return [
            asdict(row) | row.interval._asdict() | {name: getattr(row, name) for name in names}
            for row in self.rows
        ]

    def _known(self) -> dict[str, Any]:
        return super()._known() | {"rows": self._records()}


def _tests(rows: Sequence[CheckedTest]) -> list[str]:
    return list(dict.fromkeys(f"the {row.test}" for row in rows))


def _percent(share: float | None) -> str:
    return "" if share is None or math.isnan(share) else f"{100 * share:.1f}%"


def _share(row: CheckedTest) -> str:
    low, high = map(_percent, row.interval)
    return f"{_percent(row.rate)}, 95% interval {low} to {high}"
