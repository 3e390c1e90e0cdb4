"""Recommendations of tests, and checks of how often tests reject true null hypotheses."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from skstat._names import shown_name
from skstat._site import page_url
from skstat.display import LinesDisplay
from skstat.report import _blocks as show
from skstat.report._forms import ReportForms, Result, escape_latex
from skstat.report._terms import ShownMetric, join_names, short, units
from skstat.stats import proportion_interval
from skstat.stats._stored import Stored
from skstat.stats._words import ConfidenceInterval

CONFIDENCE_LEVEL = 0.95
TOLERATED = 2  # largest ratio of the rejection rate to the level of a test that "holds"
_PRIOR_WEIGHT = 10  # experiments that a prior at the nominal level is worth, in an interval
_TONES: dict[str, show.Tone] = {"rejects too often": "worse", "holds": "better"}
_SAID = {
    "untested": "The time limit ended before the first experiment did, so nothing is known of "
    "{}. Give a longer time_limit=.",
    "rejects too often": "Do not use {}: too many true null hypotheses were rejected.",
    "holds": "The level is kept, or exceeded no more than twofold, by {}.",
    "not clear": "More experiments are needed to tell whether too many are rejected by {}.",
}


@dataclass(frozen=True, kw_only=True)
class Alternative(Stored):
    """Another test for the same situation, and when to take it."""

    name: str
    when: str

    def __str__(self) -> str:
        return f"{self.name} ({self.when})"


@dataclass(frozen=True, kw_only=True, repr=False)
class Recommendation(ReportForms, Stored):
    """The test that suits a situation, the reason, and the alternatives.

    Reports have one as ``choice`` unless the caller chose the test, and
    :func:`skstat.recommend_test` returns one.

    Attributes
    ----------
    name : str
        Name of the function: one of :mod:`skstat.stats`, or a top-level function.
    title : str
        Its name in words.
    ask : str
        The call that runs it.
    reason : str
        The reason, as the end of a sentence after "because".
    alternatives : tuple of Alternative
        Other tests, each with its ``name`` and ``when`` to take it.
    needs : tuple of str
        Data that would allow a better test, each as the end of a sentence after "would need".
    cautions : tuple of str
        What must not be concluded, or be overlooked.
    situation : str
        Stable id of the rule that applied.
    design : mapping or None
        Splits to fit estimators on: ``kind`` and ``n_splits``. None where nothing is to be
        fitted, or the splits were given.
    """

    name: str
    title: str
    ask: str
    reason: str
    situation: str
    alternatives: tuple[Alternative, ...] = ()
    needs: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    design: Mapping[str, Any] | None = field(default=None, hash=False)

    @property
    def url(self) -> str | None:
        """Row of the table that the rule is from; None while that is not online."""
        return page_url("choosing", self.situation)

    def _document(self, full: bool, *, screen: bool = False) -> list[show.Block]:
        rows = [
            ("Test", self.title.removesuffix(",")),
            ("Because", self.reason),
            ("Call", self.ask),
            ("Design", "" if self.design is None else self.design["kind"]),
            ("Alternatives", "; ".join(map(str, self.alternatives))),
            ("Would need", "; ".join(self.needs)),
            ("Caution", " ".join(self.cautions)),
            ("Situation", self.url or ""),
        ]
        return [show.nonempty(rows)]

    def _records(self) -> list[dict[str, Any]]:
        names = ("name", "title", "ask", "reason", "situation")
        return [{name: getattr(self, name) for name in names}]


@dataclass(frozen=True, kw_only=True)
class CheckedTest(Stored):
    """The rejections of one test of true null hypotheses about one learner.

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
        A p-value per experiment, in which the null hypothesis was true; nan where the test
        has none.
    replaced : float
        Share of the cells that were replaced.
    power_pvalues : tuple of float
        A p-value per experiment for a system with half as many replaced cells; empty if power
        was not asked for.
    gap : float or None
        The true difference of that system, as the mean over all experiments.
    """

    _extra = ("interval", "n_experiments", "n_rejected", "rate", "power", "verdict")

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

        See :func:`skstat.stats.proportion_interval`. It is shortest where the share is
        near the level.
        """
        if not self.pvalues:
            return ConfidenceInterval(0.0, 1.0)
        how: Any = {"method": "anytime", "expected": self.alpha, "weight": _PRIOR_WEIGHT}
        counts = self.n_rejected, self.n_experiments
        return proportion_interval(*counts, CONFIDENCE_LEVEL, **how)

    @property
    def power(self) -> float | None:
        """Share of experiments in which the difference `gap` was found."""
        rejected = [pvalue < self.alpha for pvalue in self.power_pvalues]
        return sum(rejected) / len(rejected) if rejected else None

    @property
    def verdict(self) -> str:
        """Whether the interval lies above the level, below twice the level, or neither.

        ``"rejects too often"``, ``"holds"`` or ``"not clear"``.
        """
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

    __test__ = False  # so that pytest does not collect it
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

    def __post_init__(self) -> None:
        if not self.rows:
            raise ValueError("rows is empty: a check is of one test or more.")

    def __getitem__(self, key: str | tuple[str, str]) -> CheckedTest:
        """Return the row of a learner, or of a learner and a test.

        Parameters
        ----------
        key : str, or tuple of (str, str)
            Label of the learner, and the test as it was asked for; default its first test.
        """
        for row in self.rows:
            if key in (row.name, (row.name, row.asked)):
                return row
        keys = [(row.name, row.asked) for row in self.rows]
        raise KeyError(f"no row {key!r}; there are {keys}.")

    @property
    def title(self) -> str:
        """The learners, the metric and the level."""
        return f"True null hypotheses about {self._about}, at {self.rows[0].alpha:g}"

    @property
    def _about(self) -> str:
        shown = ShownMetric(self.metric, self.is_loss).name
        return f"{join_names(dict.fromkeys(row.name for row in self.rows))} by {shown}"

    @property
    def conclusion(self) -> str:
        """What follows for the choice of a test, in a few sentences."""
        kinds: dict[str, list[str]] = {kind: [] for kind in _SAID}
        for row in self.rows:
            test = f"the {self._named(row)} (rejected {_counted(row)} at {row.alpha:g})"
            kinds[row.verdict if row.pvalues else "untested"].append(test)
        texts = [_SAID[kind].format(join_names(rows)) for kind, rows in kinds.items() if rows]
        drawn, n = units(self.n_drawn, self.unit), self.n_samples
        about = f"This is about data sets of {drawn}, drawn from the {n}, not about all {n}."
        return " ".join([*texts, about])

    def _named(self, row: CheckedTest) -> str:
        """Return the name of the test, with that of the learner if there are several."""
        several = len({other.name for other in self.rows}) > 1
        return f"{row.test} for {shown_name(row.name)}" if several else row.test

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
        pvalues = {self._named(row): row.pvalues for row in self.rows if row.pvalues}
        return LinesDisplay.from_pvalues(pvalues, self.rows[0].alpha).plot(ax)

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
        texts = [
            f"{self._named(row)} {_counted(row)} ({_percent(row.rate)}, 95% interval "
            f"{' to '.join(map(_percent, row.interval))})"
            for row in self.rows
            if row.pvalues
        ]
        text = (
            "We checked on our own data how often true null hypotheses about "
            f"{self._about} are rejected. {self._design} Rejected at {self.rows[0].alpha:g}: "
            f"{'; '.join(texts) or 'none, in that time'}. The intervals are valid at any "
            "number of experiments."
        )
        return escape_latex(text) if latex else text

    @property
    def _design(self) -> str:
        """Description of the experiments."""
        by = {shown_name(row.name): f"{100 * row.replaced:.0f}%" for row in self.rows}
        shares = [f"{share} ({name})" if len(by) > 1 else share for name, share in by.items()]
        return (
            f"Each experiment drew {units(self.n_drawn, self.unit)} without replacement from "
            f"{self.n_samples}. Two copies of a learner saw them with {join_names(shares)} of "
            "the cells replaced by those of random rows, others for each copy, so that both "
            "were equally good."
        )

    def _document(self, full: bool, *, screen: bool = False) -> list[show.Block]:
        def column(title: str, write: Any, kind: Any = "number") -> show.Column:
            return show.Column(title, [write(row) for row in self.rows], kind)

        def power(row: CheckedTest) -> str:
            return f"{_percent(row.power)} at {short(abs(row.gap))}" if row.gap else ""

        columns = [
            column("", self._named, "name"),
            column("rejected", _counted),
            column("share", lambda row: _percent(row.rate)),
            column("95% interval", lambda row: " to ".join(map(_percent, row.interval))),
            column("power", power),
            column("verdict", lambda row: row.verdict, "words"),
        ]
        end = " The time limit ended the experiments." if self.out_of_time else ""
        note = (
            f"{self._design} At most {self.n_experiments} experiments per learner and test; "
            f"the intervals allow for stopping early.{end} random_state={self.random_state}."
        )
        tones = [_TONES.get(row.verdict, "undecided") for row in self.rows]
        table = show.table(self.title, columns, [note], tones=tones)
        return [show.Summary([self.conclusion]), table]

    def _records(self) -> list[dict[str, Any]]:
        names = ("n_experiments", "n_rejected", "rate", "power", "verdict")
        return [
            asdict(row) | row.interval._asdict() | {name: getattr(row, name) for name in names}
            for row in self.rows
        ]


def _counted(row: CheckedTest) -> str:
    return f"{row.n_rejected} of {row.n_experiments}"


def _percent(share: float | None) -> str:
    return "" if share is None or math.isnan(share) else f"{100 * share:.1f}%"
