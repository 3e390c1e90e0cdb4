"""The one report: plain tables in the reader's sign, and what it answers."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from skstat._names import shown_name
from skstat._spelling import meant_by
from skstat.report import _model
from skstat.report._choosing import choose
from skstat.report._model import Pair
from skstat.report._sensitivity import sensitivity
from skstat.report._shown import Shown
from skstat.report._sturdiness import sturdiness
from skstat.report._would_take import would_take
from skstat.stats import ConfidenceInterval


class Report(Shown, _model.Report):
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
    test, null_hypotheses : str, tuple of str
        The test, and what it assumes while p is computed.
    omnibus : mapping or None
        The test of all systems at once: ``report.omnibus["pvalue"]``.
    equivalence : mapping or None
        With a margin, of two systems: the p-value of equivalence, and those of its two
        one-sided tests.
    probabilities : mapping or None
        With a region of practical equivalence, of two systems: probabilities, their interval,
        and what they must not be read without. `pairs` has those of several.
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
        What other partitions of the rows said, by pair.
    choice : Recommendation or None
        Why this test, where skstat chose it.
    doubts : tuple of Doubt
        Coded reasons to trust the conclusion less.
    design : mapping
        How the scores came about, as far as it is known.
    assumptions, ignored_variance, estimand : tuple of str, tuple of str, str
        What must hold, what is not covered, what is estimated.
    evidence : object
        The samples and outcomes that it rests on, in the sign of scores (higher is better).
    """

    __iter__ = None  # report.pairs has the rows: names are asked for, not places

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

    @property
    def title(self) -> str:
        """What it is about."""
        names = [*map(shown_name, self.names)]
        if self.is_performance:
            return f"Performance of {', '.join(names)}"
        if self.is_pair:
            return " against ".join(names)
        n = f"{len(names)} systems"
        if self.is_leaderboard:
            n = f"Leaderboard of {n}"
        elif self.over_datasets:
            n += f" on {self.n_units} data sets"
        return n if self.control is None else f"{n} against {shown_name(self.control)}"

    @cached_property
    def would_take(self) -> str:
        """What would decide what is open; empty where that cannot be said at once."""
        return "; ".join(filter(None, would_take(self)))
