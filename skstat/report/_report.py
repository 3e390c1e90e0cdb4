"""The results of comparisons: reports, and grids of reports by metric, slice or seed.

Tables and facts have the sign in which people read the metric. Text forms, tables and sentences
for a paper, plans and plots are made from them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from skstat._arguments import explains_arguments
from skstat._names import shown_name
from skstat._spelling import did_you_mean
from skstat.report import _model
from skstat.report._build import facts_of, in_slices
from skstat.report._conclude import conclude
from skstat.report._evidence import Evidence, SeedsEvidence, SliceEvidence, SlicesEvidence
from skstat.report._forms import Result, by_row, render_latex
from skstat.report._further import choose, sensitivity, sturdiness
from skstat.report._paper import (
    methods_text,
    paper_table,
    results_text,
    summary_table,
    to_bibtex,
)
from skstat.report._plan_from_report import plan, would_take
from skstat.report._plots import display_of
from skstat.report._records import metrics, records
from skstat.report._sections import document
from skstat.stats._stored import read_plain, restoring, to_plain
from skstat.stats._words import ConfidenceInterval

_COMPUTED = {*_model.FACTS, *_model.Kind.__annotations__}
_OF_SLICES = ("n_comparisons", "adjustment", "cut_by", "n_outside", "notes", "doubts")


def report_of(evidence: Any) -> Any:
    """Return the report of some evidence, or a grid if it is by metric, slice or seed."""
    if isinstance(evidence, SliceEvidence | Evidence):
        return Report(evidence)
    return ReportGrid(evidence=evidence)


class Shown(Result):
    """Base class of reports and grids of reports: text forms, plans and plots."""

    evidence: Any
    kind, _schema_version = "report", 4
    _document = document
    _records = records
    metrics = metrics
    methods_text = methods_text
    plan = plan
    results_text = results_text
    summary_table = summary_table
    to_bibtex = to_bibtex

    def __reduce__(self) -> Any:
        # Copies and other processes get the evidence, from which all else is computed.
        return report_of, (self.evidence,)

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        return {"evidence": super()._fields_of(state)["evidence"]}

    def to_dict(self) -> dict[str, Any]:
        """Return everything that is known as plain values.

        Returns
        -------
        dict
            Numbers, strings, lists and dictionaries only; undefined numbers are
            None, infinite ones ``"inf"`` or ``"-inf"``. What a reader sees stands under the
            names of the attributes, tables by column; all of it follows from ``"evidence"``,
            of which :func:`skstat.report_from_dict` makes the report again.
        """
        return self._plain() | {"evidence": to_plain(self.evidence)}

    def to_latex(
        self: Any,
        table: str = "",
        *,
        caption: str | None = None,
        label: str | None = None,
        booktabs: bool = True,
        stars: bool = False,
    ) -> str:
        r"""Return the report as a LaTeX table.

        Parameters
        ----------
        table : {"scores", "ranks", "pairs"}, optional
            ``"pairs"``: the comparisons, the default of two systems and of grids. Of several
            systems ``"scores"``, their scores, the best in bold; over data sets on each of
            these, with mean ranks, where systems that do not differ significantly from the
            best are underlined; ``"ranks"`` of a leaderboard is the same.
        caption : str, optional
            Caption of the table, in LaTeX. With a caption or a label the whole ``table``
            environment is written, otherwise the ``tabular`` alone.
        label : str, optional
            Label of the table, for ``\ref{...}``.
        booktabs : bool, default=True
            Use the rules of the booktabs package, which needs ``\usepackage{booktabs}``.
            Otherwise use ``\hline``, which needs no package.
        stars : bool, default=False
            Mark the systems that differ significantly from the best, or from the control, by
            stars; one at the level of the report, two and three at a fifth and a fiftieth of
            it: of adjusted p-values .05, .01 and .001.

        Returns
        -------
        str
            The table, with a note below it; conclusion and doubts are comments.

        Raises
        ------
        ValueError
            If stars are wanted for p-values that are not valid, or of a table of pairs.

        Examples
        --------
        >>> from skstat import compare_scores
        >>> scores = {"new": [0.8, 0.7, 0.9, 0.8], "old": [0.7, 0.6, 0.9, 0.7]}
        >>> report = compare_scores(scores, n_train=60, n_test=30)
        >>> table = report.to_latex(caption="New against old", label="tab:new")
        >>> lines = [line for line in table.splitlines() if not line.startswith("%")]
        >>> print(*lines[:4], sep="\n")
        \begin{table}
        \centering
        \caption{New against old}
        \label{tab:new}
        """
        blocks = self._document(True)
        shown = paper_table(self, blocks, table, stars=stars)
        return render_latex(blocks, shown, caption=caption, label=label, booktabs=booktabs)

    sentences = cached_property(conclude)

    @property
    def conclusion(self) -> str:
        """What was found, in a few plain sentences."""
        return " ".join(self.sentences)

    def plot(
        self: Any,
        ax: Any = None,
        *,
        kind: str | None = None,
        width: float | str | None = None,
        **options: Any,
    ) -> Any:
        """Draw the report.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        kind : str, optional
            Which picture; another one is refused with those that there are.

            - Of two systems: ``"differences"``, what the comparison rests on with estimate and
              interval (the default); ``"intervals"``; after ``rope=`` ``"law"``, the law of the
              difference, cut at the ends of the region; over data sets ``"simplex"``, draws of
              the chances that one system is better, both are the same, the other is, and
              ``"shrinkage"``, the difference on every data set as it was seen and drawn
              towards the others; after ``train_size=0.9`` ``"training sizes"``.
            - Of several: ``"best"``, how far every system may be from the best other one;
              ``"intervals"``, all pairs against zero; ``"pvalues"``, adjusted p of every pair.
            - Over data sets also ``"cd"``, mean ranks on a line, joined where there is no
              significant difference (critical difference diagram, the default), ``"wins"`` and
              ``"scores"``. Of rankings ``"leaderboard"``.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, with text of 8 points: ``"column"`` of
            most journals is 3.3, and ``"text"`` 6.9.
        **options
            For ``"cd"``: ``best="left"``, ``colors=`` and ``families=`` of
            :class:`~skstat.display.CriticalDifferenceDisplay`; for ``"scores"``:
            ``color_by=`` of :class:`~skstat.display.HeatmapDisplay`.

        Returns
        -------
        display
            With ``ax_`` and ``figure_``.
        """
        if isinstance(ax, str):  # plot("cd")
            ax, kind = None, ax
        return display_of(self, kind, **options).plot(ax=ax, width=width)


@dataclass(frozen=True, eq=False, repr=False)
class Report(Shown, _model.Report):
    """The answer to one question: tables of systems and pairs, the test, and doubts.

    All comparisons return it. Values have the sign in which people read the metric: a
    difference of losses is below 0 where the first system is better.

    Attributes
    ----------
    systems : Table of System
        A row per system, the best first (of two in the order of the question):
        ``report.systems["svm"].mean``, ``report.systems.column("mean_rank")``.
    pairs : Table of Pair
        A row per comparison.
    metric : str
        Name of the metric; a negated loss has the name of the loss.
    lower : bool
        Whether lower is better.
    direction_assumed : str
        Where it is not known whether higher is better: the argument to pass. Else empty.
    unit, n_units : str, int
        What one observation is, and how many there are.
    confidence_level, alternative, margin, control : float, str, float or None, str or None
        The options of the comparison.
    test, null_hypotheses : str, tuple of str
        The test, and what it assumes while p is computed.
    omnibus : mapping or None
        The test of all systems at once: ``report.omnibus["pvalue"]``.
    equivalence : mapping or None
        With a margin, of two systems: the p-value of equivalence, and those of its two
        one-sided tests.
    probabilities : mapping or None
        With a region of practical equivalence, of two systems: probabilities, an interval, and
        how to read them. For several systems they are in `pairs`.
    strengths : BradleyTerryPosterior or None
        Which of several systems is the best, by a model of wins.
    groups, critical_difference : sequence of tuple of str, float or None
        Over data sets: systems without a significant difference, as a diagram joins them; and
        the difference of mean ranks that is significant, of tests that have one.
    rank_stability : RankStability or None
        Of a leaderboard: ranks in resamples of the units.
    change : mapping or None
        How the difference changes with more training rows.
    stability : mapping of tuple of str to Stability
        Verdicts on other partitions of the rows, by pair.
    choice : Recommendation or None
        Why this test, where skstat chose it.
    doubts : tuple of Doubt
        Coded reasons to trust the conclusion less.
    design : mapping
        How the scores were obtained, as far as it is known.
    assumptions, ignored_variance, estimand : tuple of str, tuple of str, str
        What must hold, what is not covered, what is estimated.
    evidence : object
        The samples and outcomes behind it, in the sign of scores (higher is better).
    """

    _written = ("sentences", *_model.FACTS)
    __iter__ = None  # __getitem__ takes names, not indices: iterate over report.pairs instead

    evidence: Any

    if not TYPE_CHECKING:  # else a type checker would accept any attribute

        def __getattr__(self, name: str) -> Any:
            if name not in _COMPUTED or "evidence" not in vars(self):
                return super().__getattr__(name)
            if name == "choice":  # the reasons are computed only if they are read
                return getattr(self.evidence, "chosen", None)
            vars(self).update(facts_of(self.evidence))
            return vars(self)[name]

    def _part(self) -> tuple[str, Any] | None:
        return "what it rests on, report.evidence", vars(self).get("evidence")

    def _only(self, name: str) -> _model.Pair:
        """Return the only comparison, or raise an error if there are several."""
        if self.is_performance:
            raise AttributeError("a Report on performance tests nothing: it has intervals.")
        if not self.is_pair:
            a, b = next(iter(self.pairs))[:2] if self.pairs else ("a", "b")
            none = f"a Report on {len(self.pairs)} comparisons has no {name!r}"
            one = f"use the report of one pair, report[{a!r}, {b!r}].{name}"
            raise AttributeError(f"{none}; {one}.")
        return self.pairs[0]

    @property
    def verdict(self) -> str:
        """The verdict on the first system, as a candidate against the second.

        ``"better"`` or ``"worse"``: the difference is significant. ``"equivalent"``: it was
        shown to be smaller than the margin, whether or not it differs from zero. ``"not
        inferior"``: the difference is undecided, but the first system was shown not to be
        worse by the margin. Else ``"undecided"``. Where nothing says which way the metric is
        better, a significant difference is ``"higher"`` or ``"lower"``.
        """
        return self._only("verdict").verdict

    @property
    def better(self) -> str | None:
        """Name of the significantly better system; None if the verdict names none."""
        return self._only("better").better

    @property
    def estimate(self) -> float:
        """Estimated difference, the first system minus the second; or the performance."""
        return self.systems[0].mean if self.is_performance else self._only("estimate").estimate

    @property
    def standard_error(self) -> float:
        """Standard error of the estimate; nan where the procedure has none."""
        one = self.systems[0] if self.is_performance else self._only("standard_error")
        return one.standard_error

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Confidence interval of the estimate, with its sign.

        Parameters
        ----------
        confidence_level : float, optional
            Coverage, between 0 and 1; default the report's own. Among several comparisons
            the interval is then adjusted like the p-value, so that both say the same.

        Returns
        -------
        ConfidenceInterval
            Named tuple ``(low, high)`` in the unit of the score; nan if none exists.
        """
        one = self.systems[0] if self.is_performance else self._only("confidence_interval()")
        if confidence_level is None:
            return ConfidenceInterval(one.low, one.high)
        result, view = self.evidence.sample, self.evidence.shown_metric
        if self.is_pair:
            result, view = self.evidence.outcome, self.evidence.shown_difference
        return ConfidenceInterval(*view.interval(*result.confidence_interval(confidence_level)))

    @property
    def pvalue(self) -> float:
        """p-value of the comparison, not adjusted; of several systems that of all at once.

        Without such a test it is the smallest adjusted p-value of the pairs, which tests the
        same hypothesis: no two systems differ.
        """
        return float(self._main_test.pvalue)

    @property
    def adjusted_pvalue(self) -> float:
        """p-value adjusted for other comparisons, which decides about the verdict; else nan."""
        return self._only("adjusted_pvalue").adjusted

    @property
    def statistic(self) -> float:
        """Statistic of the test of `pvalue`; if it has a sign, it is that of the estimate."""
        return float(self._main_test.statistic)

    @property
    def df(self) -> float | tuple[float, float] | None:
        """Degrees of freedom of the test, if any."""
        return self._main_test.df

    @property
    def _main_test(self) -> Any:
        """The test whose statistic, p-value and df the report has."""
        if self.is_pair or self.is_performance:
            return self._only("pvalue")
        if self.omnibus is not None:
            return self.evidence.omnibus
        row = self.pairs[self.by_pvalue[0]]
        return row._replace(pvalue=row.adjusted)

    @property
    def effect_sizes(self) -> Mapping[str, float]:
        """Standardised effects by name; of several systems those of the test of all."""
        if self.is_pair:
            return self.pairs[0].effects
        return {} if self.omnibus is None else self.omnibus["effect_sizes"]

    def __getitem__(self, key: Any) -> Any:
        """Return the report on one pair, its first system against the second.

        With a control the name of one other system is enough. A report on performance returns
        the row of a system.
        """
        if self.is_performance:
            return self.systems[key]
        names, is_turned = self._pair_names(key)
        if self.is_pair and not is_turned:
            return self
        evidence = self.evidence[names[::-1] if is_turned else names]
        return Report(evidence.turned() if is_turned else evidence)

    def _pair_names(self, key: Any) -> tuple[tuple[str, ...], bool]:
        """Return the names of a pair, and whether it was compared in the other order."""
        names = tuple(map(str, key if isinstance(key, tuple | list) else (key,)))
        columns = map(self.pairs.column, ("first", "second"))
        pairs: list[tuple[str, ...]] = list(zip(*columns, strict=True))
        if isinstance(key, str) and self.control not in (None, key):
            names = next((pair for pair in pairs if key in pair), names)
        if names not in pairs and names[::-1] not in pairs:
            hint = did_you_mean(key, self.names)
            one = f"a pair of names is one: {pairs[:20]}"
            raise KeyError(f"no comparison {key!r}; {one}.{hint}")
        return names, names not in pairs

    choose = choose
    sensitivity = sensitivity
    sturdiness = sturdiness

    @property
    def title(self) -> str:
        """What it is about."""
        if self.is_performance:
            return f"Performance of {', '.join(map(shown_name, self.names))}"
        if self.is_pair:
            return " against ".join(map(shown_name, self.names))
        n = f"{len(self.systems)} systems"
        if self.is_leaderboard:
            n = f"Leaderboard of {n}"
        elif self.over_datasets:
            n += f" on {self.n_units} data sets"
        return n if self.control is None else f"{n} against {shown_name(self.control)}"

    would_take = cached_property(would_take)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ReportGrid(Shown, _model.ReportGrid):
    """Reports by metric, by slice of the rows, or by seed.

    Reports of your own can be put together: ``ReportGrid(by="metric", reports={"a": report})``.
    ``grid["accuracy"]``, ``grid["topic=maths"]`` and ``grid[1]`` are reports; of slices
    ``grid["a", "b"]`` has those of one pair of systems. Iterating gives the names; a loss has
    its own, ``"log_loss"``, and is found by that of its scorer, ``"neg_log_loss"``, too.

    Attributes
    ----------
    by : {"metric", "slice", "seed"}
        What the reports differ in.
    reports : mapping of str to Report or ReportGrid
        The reports by name. p-values are adjusted for all slices; not for metrics, and not
        for seeds, which describe how much depends on the seed.
    overall : Report or None
        By slice, the report on all rows.
    n_rows : mapping of str to int
        Rows of every slice.
    pairs : Table of InSlices
        By slice, a row per pair of systems: whether its difference varies between slices.
    left_out : mapping of str to str
        Slices that were not compared, and why.
    doubts : tuple of Doubt
        Doubts about all comparisons, each once; those about slices name the slice.
    evidence : object
        The samples and outcomes behind the reports, in the sign of scores.
    """

    _written = ("sentences", *_model.FACTS_OF_GRID)

    by: str = "metric"
    reports: Mapping[str, Any] = field(default_factory=dict)
    evidence: Any = None

    def __post_init__(self) -> None:
        if self.evidence is None:
            parts = {name: part.evidence for name, part in self.reports.items()}
            vars(self)["evidence"] = parts
        else:
            vars(self).update(_grid_of(self.evidence))
        if not self.reports:
            raise ValueError(f"a grid has a report by {self.by} or more.")
        if self.overall is None:
            doubts = (doubt for part in self.reports.values() for doubt in part.doubts)
            vars(self)["doubts"] = tuple(dict.fromkeys(doubts))

    def _part(self) -> tuple[str, Any] | None:
        reports = vars(self).get("reports") or {}
        name = next(iter(reports), None)
        return name and (f"the report of one {self.by}, report[{name!r}]", reports[name])

    def __getitem__(self: Any, name: Any) -> Any:
        """Return one of the reports; of slices also those of a pair of systems."""
        # A seed may be given by its number, and a loss by the name of its scorer.
        alias = {"seed": f"seed {name}", "metric": str(name).removeprefix("neg_")}
        key = name if name in self.reports else alias.get(self.by, name)
        if key in self.reports:
            return self.reports[key]
        if self.by == "slice":
            of_control = self.overall.control not in (None, name) and name in self.systems
            if of_control or isinstance(name, tuple):
                return report_of(self.evidence.of_pair(self.overall._pair_names(name)[0]))
        if name in self.left_out:
            raise KeyError(f"the slice {name!r} was left out: {self.left_out[name]}.")
        hint = did_you_mean(name, self.reports)
        raise KeyError(f"no {self.by} {name!r}; there are {list(self.reports)}.{hint}")

    def __iter__(self) -> Iterator[str]:
        return iter(self.reports)

    def __len__(self) -> int:
        return len(self.reports)

    @property
    def verdicts(self) -> dict[str, Any]:
        """The verdict of every report; of several systems those of its pairs."""
        return {name: _verdicts(part) for name, part in self.reports.items()}

    def _only_row(self) -> _model.InSlices:
        if self.by != "slice" or len(self.pairs) > 1:
            raise AttributeError("this is known of two systems in slices: report['a', 'b'].")
        return self.pairs[0]

    @property
    def better_in(self) -> tuple[str, ...]:
        """Slices in which the first of two systems is significantly better.

        Without slices whose difference comes only from rows that they share with others
        (`pairs[0].explained_by`).
        """
        return self._with_verdict("better")

    @property
    def worse_in(self) -> tuple[str, ...]:
        """Slices in which the first of two systems is significantly worse, as `better_in`."""
        return self._with_verdict("worse")

    def _with_verdict(self, verdict: str) -> tuple[str, ...]:
        row = self._only_row()
        parts = self.parts[row[:2]].items()
        names = (name for name, pair in parts if pair.verdict == verdict)
        return tuple(name for name in names if name not in row.explained_by)

    @property
    def not_worse_anywhere(self) -> bool | None:
        """Whether the first of two systems was shown not to be worse by the margin anywhere.

        False if a slice was left out, as those of few rows are. None without a margin.
        """
        shown = self._only_row().not_worse_p < self.first.alpha
        return None if self.first.margin is None else shown

    @property
    def title(self) -> str:
        """What it is about."""
        if self.by == "metric":
            return "Several metrics"
        if self.by == "slice" and len(self.systems) > 2:
            return f"{len(self.systems)} systems, in slices of the rows"
        names = " against ".join(map(shown_name, self.systems))
        return f"{names}, {'in slices of the rows' if self.by == 'slice' else 'seed by seed'}"


def _grid_of(evidence: Any) -> dict[str, Any]:
    """Return the attributes of a grid from evidence by metric, seed or slice."""
    if isinstance(evidence, SeedsEvidence):
        reports = {f"seed {n}": Report(part) for n, part in enumerate(evidence.parts, 1)}
        return {"by": "seed", "reports": reports, "systems": evidence.names}
    if isinstance(evidence, SlicesEvidence):
        overall, pairs = Report(evidence.overall), evidence.pairs
        n_rows = {name: n for pair in pairs for name, n in pair.n_rows.items()}
        parts: Mapping[str, Any] = {name: SliceEvidence(evidence, name) for name in n_rows}
        if evidence.overall.kind == "pair":
            parts = pairs[0].parts
        left_out: dict[str, str] = {}
        for pair in pairs:
            left_out = {**left_out, **pair.left_out, **left_out}
        return {name: getattr(evidence, name) for name in _OF_SLICES} | {
            "by": "slice",
            "overall": overall,
            "systems": evidence.overall.names,
            "reports": {name: Report(part) for name, part in parts.items()},
            "n_rows": n_rows,
            "left_out": {name: why for name, why in left_out.items() if name not in n_rows},
            "pairs": in_slices(evidence),
        }
    reports = {}
    for name, part in evidence.items():
        report = report_of(part)
        # A negated loss has the name of the loss, unless that is another metric.
        is_loss = name == f"neg_{report.metric}" and report.metric not in evidence
        reports[report.metric if is_loss else name] = report
    return {"by": "metric", "reports": reports}


def _verdicts(part: Any) -> Any:
    if isinstance(part, ReportGrid):
        return part.verdicts
    return part.verdict if part.is_pair else {pair[:2]: pair.verdict for pair in part.pairs}


@explains_arguments()
def report_from_dict(state: Mapping[str, Any]) -> Any:
    """Restore any report from its ``to_dict()``, which may have been written to JSON and read.

    A recommendation alone is not a report: ``Recommendation.from_dict`` restores it.

    Parameters
    ----------
    state : mapping
        What ``to_dict()`` returned.

    Returns
    -------
    Report or ReportGrid
        An equal report; or an equal TestCheck or ComparisonPlan.

    Raises
    ------
    ValueError
        If `state` is not a report of this schema version.

    Examples
    --------
    >>> import skstat
    >>> scores = {"a": [0.8, 0.7, 0.9, 0.8], "b": [0.7, 0.6, 0.9, 0.7]}
    >>> report = skstat.compare_scores(scores, n_train=60, n_test=30)
    >>> skstat.report_from_dict(report.to_dict()).pvalue == report.pvalue
    True
    """
    with restoring("report", state):
        result = read_plain(by_row(state), Result)
        if isinstance(result, Shown):
            result.details  # noqa: B018  so that damaged data raise an error here
    return result
