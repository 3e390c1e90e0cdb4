"""Reports by metric, slice or seed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from skstat._names import shown_name
from skstat._spelling import meant_by
from skstat.report import _model
from skstat.report._shown import Shown
from skstat.stats._outcomes import alpha_of

Name = Any  # of a metric or slice, or the number of a seed


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
        What they differ in.
    reports : mapping of str to Report or ReportGrid
        The reports by name. p-values are adjusted for all slices; not for metrics, and not
        for seeds, which describe how much depends on the seed.
    overall : Report or None
        That on all rows, of slices.
    n_rows : mapping of str to int
        Rows of every slice.
    between : sequence of Between
        By pair, whether its difference varies between slices; those where nobody can tell
        are missing.
    not_worse : sequence of NotWorse
        By pair, with a margin, whether the first system is not worse by it in any slice.
    shrunken : mapping of tuple of str to mapping of str to float
        By pair and slice the difference drawn towards their common mean, as far as it is
        noise.
    left_out : mapping of str to str
        Slices that were not compared, and why.
    explained_by : mapping of tuple of str to mapping of str to tuple of str
        By pair, slices that differ through the rows which they share with others.
    doubts : tuple of Doubt
        Doubts about all comparisons, each once; those of slices say of which.
    evidence : object
        The samples and outcomes that the reports rest on, in the sign of scores.
    """

    def __post_init__(self) -> None:
        if self.evidence is None:  # reports that somebody puts together
            parts = self.reports.values()
            doubts = tuple(dict.fromkeys(doubt for part in parts for doubt in part.doubts))
            evidence = {name: part.evidence for name, part in self.reports.items()}
            vars(self).update(doubts=doubts, evidence=evidence)

    def _part(self) -> tuple[str, Any] | None:
        reports = vars(self).get("reports") or {}
        name = next(iter(reports), None)
        return name and (f"the report of one {self.by}, report[{name!r}]", reports[name])

    def __getitem__(self, name: Name) -> Any:
        """Return one of the reports; of slices also those of a pair of systems."""
        if isinstance(name, tuple) and self.by == "slice":
            return self._of_pair(name)
        # A seed is known by its number, a loss by its scorer too.
        other = {"seed": f"seed {name}", "metric": str(name).removeprefix("neg_")}
        key: Any = name if name in self.reports else other.get(self.by, name)
        if key in self.reports:
            return self.reports[key]
        if self.overall is not None and self.overall.control not in (None, name):
            pairs = (pair[:2] for pair in self.overall.pairs)
            found = next((pair for pair in pairs if name in pair), None)
            if found is not None:
                return self._of_pair(found)
        if name in self.left_out:
            raise KeyError(f"the slice {name!r} was left out: {self.left_out[name]}.")
        close = meant_by(str(name), list(self.reports), n=3)
        meant = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
        raise KeyError(f"no {self.by} {name!r}; there are {list(self.reports)}.{meant}")

    def _of_pair(self, names: tuple[Any, ...]) -> "ReportGrid":
        from skstat.report._build import report_of

        pairs = [pair.names for pair in self.evidence.pairs]
        if names not in pairs and names[::-1] not in pairs:
            raise KeyError(f"no comparison {names!r}; a pair of names is one: {pairs}.")
        found: ReportGrid = report_of(self.evidence.of_pair(names))
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.reports)

    def __len__(self) -> int:
        return len(self.reports)

    @property
    def verdicts(self) -> dict[str, Any]:
        """The verdict of every report; of several systems those of its pairs."""
        return {name: _verdicts(part) for name, part in self.reports.items()}

    def _in_slices(self) -> _model.InSlices:
        if self.by != "slice" or len(self.pairs_in_slices) > 1:
            raise AttributeError("this is known of two systems in slices: report['a', 'b'].")
        return self.pairs_in_slices[0]

    @property
    def better_in(self) -> tuple[str, ...]:
        """Slices in which the first of two systems is significantly better.

        Not those that are it through the rows of others alone: `explained_by`.
        """
        return self._with_verdict("better")

    @property
    def worse_in(self) -> tuple[str, ...]:
        """Slices in which the first of two systems is significantly worse, as `better_in`."""
        return self._with_verdict("worse")

    def _with_verdict(self, verdict: str) -> tuple[str, ...]:
        one = self._in_slices()
        found = ((name, pair) for name, pair in one.parts.items() if pair.verdict == verdict)
        return tuple(name for name, _ in found if name not in one.explained_by)

    @property
    def not_worse_anywhere(self) -> bool | None:
        """Whether the first of two systems was shown not to be worse by the margin anywhere.

        A slice that was left out, as those of few rows are, is open. None without a margin.
        """
        found = self._in_slices().not_worse
        return found and found.pvalue < alpha_of(self.first.confidence_level)

    @property
    def may_be_best(self) -> dict[str, tuple[str, ...]]:
        """Systems that no other one is significantly better than, report by report.

        True of all slices at once with the confidence level. Empty if that was not asked: with
        a control, or in one direction.
        """
        return {
            name: tuple(part.may_be_best)
            for name, part in self.each()
            if "may_be_best" in part.systems
        }

    @property
    def may_be_best_everywhere(self) -> tuple[str, ...]:
        """Systems that may be the best in every slice; empty if that was not asked."""
        found = self.may_be_best.values()
        return tuple(
            name for name in self.first.names if found and all(name in best for best in found)
        )

    @property
    def title(self) -> str:
        """What it is about."""
        if self.by == "metric":
            return "Several metrics"
        if self.by == "slice" and len(self.systems) > 2:
            return f"{len(self.systems)} systems, in slices of the rows"
        names = " against ".join(map(shown_name, self.systems))
        return f"{names}, {'in slices of the rows' if self.by == 'slice' else 'seed by seed'}"


def _verdicts(part: Any) -> Any:
    if isinstance(part, ReportGrid):
        return part.verdicts
    return part.verdict if part.is_pair else {pair[:2]: pair.verdict for pair in part.pairs}
