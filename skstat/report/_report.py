"""The one report: plain tables in the reader's sign, and what can be asked of it."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import cached_property
from typing import Any

from skstat._names import shown_name
from skstat._spelling import meant_by
from skstat.report import _model
from skstat.report._choosing import choose
from skstat.report._evidence import evidence_to_dict
from skstat.report._forms import SCHEMA_VERSION, TableStyle, report_latex
from skstat.report._model import Pair
from skstat.report._paper import PaperForms
from skstat.report._plan_of_report import plan
from skstat.report._plots import display_of
from skstat.report._sensitivity import sensitivity
from skstat.report._sturdiness import sturdiness
from skstat.report._words import conclude
from skstat.stats import ConfidenceInterval, Quantity
from skstat.stats._common import names_of_fields, to_plain


def readable(r: Any) -> dict[str, Any]:
    """Return what a reader sees of a report, or of a grid of them, as plain values."""
    found: dict[str, Any] = {"title": r._title(), "conclusion": r.conclusion}
    kind: Any = type(r)
    for name in names_of_fields(kind):
        if name not in r.of_evidence:
            found[name] = _plain(getattr(r, name))
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, _Shown):
        return readable(value)
    if isinstance(value, _model.Table):
        columns = value.columns.items()
        return {name: to_plain(list(column)) for name, column in columns}
    if isinstance(value, Quantity):
        return asdict(value)
    if isinstance(value, Mapping):
        return {_key(key): _plain(item) for key, item in value.items()}
    return to_plain(value)


def _key(key: Any) -> str:
    return " against ".join(key) if isinstance(key, tuple) else str(key)


class _Shown(PaperForms):
    """What a report and a grid of reports share: forms, plans and pictures."""

    evidence: Any
    plan = plan

    def __reduce__(self) -> Any:
        # Columns may be computed when they are read: copies and other processes get what they
        # are computed from.
        from skstat.report._build import report_of

        return report_of, (self.evidence,)

    def to_dict(self) -> dict[str, Any]:
        """Return everything that is known as plain values.

        Returns
        -------
        dict
            Numbers, strings, lists and dictionaries only; undefined and infinite numbers are
            None. What a reader sees stands under the names of the attributes, tables by
            column. ``"evidence"`` is what it rests on, from which
            :func:`skstat.report_from_dict` restores the report.
        """
        head = {"schema": "skstat.report", "schema_version": SCHEMA_VERSION}
        return head | readable(self) | {"evidence": evidence_to_dict(self.evidence)}

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
            Mark what differs significantly by stars: ``*`` p < .05, ``**`` p < .01, ``***``
            p < .001; adjusted p-values where there are several comparisons, in a table of
            systems those against the best, or the control.

        Returns
        -------
        str
            The table; conclusion and doubts are comments.

        Raises
        ------
        ValueError
            If stars are wanted for p-values that are not valid, or of a table without any.

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
        style = TableStyle(caption, label, booktabs, stars)
        return report_latex(self._document(True), self, table, style)

    @cached_property
    def sentences(self: Any) -> list[str]:
        """What was found, in a few plain sentences."""
        return conclude(self)

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


class Report(_Shown, _model.Report):
    """What one question found: tables of systems and pairs, what was tested, what to doubt.

    All doors return it. Values have the sign in which people read the metric: a difference of
    losses is below 0 where the first system is better.

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
        Where nothing says which way is better: what to pass to say it. Else empty.
    unit, n_units : str, int
        What one observation is, and how many there are.
    confidence_level, alternative, margin, control : float, str, float or None, str or None
        What was asked.
    doubts : tuple of Doubt
        Coded reasons to trust the conclusion less.
    design : mapping
        How the scores came about, as far as it is known.
    assumptions, ignored_variance, estimand : tuple of str, tuple of str, str
        What must hold, what is not covered, what is estimated.
    evidence : object
        The samples and outcomes that it rests on, in the sign of scores (higher is better).
    """

    def _part(self) -> tuple[str, Any] | None:
        evidence = vars(self).get("evidence")
        return evidence and ("what it rests on, report.evidence", evidence)

    def _one(self, name: str) -> Pair:
        """Return the only comparison; of several there is no such thing."""
        if self.is_performance:
            raise AttributeError("a Report on performance tests nothing: it has intervals.")
        if not self.is_pair:
            a, b = next(iter(self.pairs))[:2] if self.pairs else ("a", "b")
            raise AttributeError(
                f"a Report on {len(self.pairs)} comparisons has no {name!r}; use the report of "
                f"one pair, report[{a!r}, {b!r}].{name}."
            )
        return self.pairs[0]

    @property
    def verdict(self) -> str:
        """What was found about the first system, as a candidate against the second.

        ``"better"`` or ``"worse"``: the difference is significant. ``"equivalent"``: it was
        shown to be smaller than the margin, whether or not it differs from zero. ``"not
        inferior"``: the difference is undecided, but the first system was shown not to be
        worse by the margin. Else ``"undecided"``. Where nothing says which way the metric is
        better, a significant difference is ``"higher"`` or ``"lower"``.
        """
        return self._one("verdict").verdict

    @property
    def better(self) -> str | None:
        """Name of the significantly better system; None if the verdict names none."""
        return self._one("better").better

    @property
    def estimate(self) -> float:
        """Estimated difference, the first system minus the second; or the performance."""
        if self.is_performance:
            return self.systems[0].mean
        return self._one("estimate").estimate

    @property
    def standard_error(self) -> float:
        """Standard error of the estimate; nan where the procedure has none."""
        if self.is_performance:
            return self.systems[0].standard_error
        return self._one("standard_error").standard_error

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
        one = self.systems[0] if self.is_performance else self._one("confidence_interval()")
        if confidence_level is None:
            return ConfidenceInterval(one.low, one.high)
        return self.evidence.shown_interval(confidence_level)

    @property
    def pvalue(self) -> float:
        """p-value of the comparison, not adjusted; of several that of all systems at once.

        Without such a test it is the smallest adjusted one, a p-value of the same hypothesis:
        no two systems differ.
        """
        return self._asked[1]

    @property
    def adjusted_pvalue(self) -> float:
        """p-value adjusted for other comparisons, on which the verdict rests; else nan."""
        return self._one("adjusted_pvalue").adjusted

    @property
    def statistic(self) -> float:
        """Statistic of that test; what has a sign has that of the estimate."""
        return self._asked[0]

    @property
    def df(self) -> float | tuple[float, float] | None:
        """Its degrees of freedom, if any."""
        return self._asked[2]

    @property
    def _asked(self) -> tuple[float, float, Any]:
        """Statistic, p-value and degrees of freedom of the one test that leads the report."""
        if self.is_pair or self.is_performance:
            pair = self._one("pvalue")
            return pair.statistic, pair.pvalue, pair.df
        if self.omnibus is not None:
            test = self.evidence.omnibus
            return test.statistic, test.pvalue, test.df
        surest = self.pairs[self.surest[0]]
        return surest.statistic, surest.adjusted, surest.df

    @property
    def effect_sizes(self) -> Mapping[str, float]:
        """Standardised effects by name; of several systems those of the test of all."""
        if self.is_pair:
            return self.pairs[0].effects
        return {} if self.omnibus is None else self.omnibus["effect_sizes"]

    def __getitem__(self, wanted: Any) -> Any:
        """Return the report on one pair, its first system against the second.

        Of systems that are compared with a control the name of one is enough. Of performance
        a name gives the row of the system.
        """
        if self.is_performance:
            return self.systems[wanted]
        names = tuple(map(str, wanted if isinstance(wanted, tuple | list) else (wanted,)))
        known = list(
            zip(*(self.pairs.columns[end] for end in ("first", "second")), strict=True)
        )
        if isinstance(wanted, str) and self.control not in (None, wanted):
            names = next((pair for pair in known if wanted in pair), names)
        if names not in known and names[::-1] not in known:
            close = meant_by(str(wanted), self.names, n=3)
            meant = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
            raise KeyError(
                f"no comparison {wanted!r}; a pair of names is one: {known[:20]}.{meant}"
            )
        turned = names not in known
        evidence = self.evidence
        if not self.is_pair:
            evidence = evidence[names[::-1] if turned else names]
        elif not turned:
            return self
        from skstat.report._build import report_of

        return report_of(evidence.turned() if turned else evidence)

    choose = choose
    sensitivity = sensitivity
    sturdiness = sturdiness

    def _title(self) -> str:
        names = [*map(shown_name, self.names)]
        if self.is_performance:
            return f"Performance of {', '.join(names)}"
        if self.is_pair:
            return " against ".join(names)
        if self.is_leaderboard:
            return f"Leaderboard of {len(names)} systems"
        where = f" on {self.n_units} data sets" if self.over_datasets else ""
        return f"{len(names)} systems{where}"
