"""What was done, as sentences for the methods section of a paper, with the works behind it."""

import platform
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import zip_longest
from typing import Any

from skstat._names import one_line, shown_name
from skstat.report._evidence import SliceEvidence
from skstat.report._forms import escape_latex
from skstat.report._model import Report, ReportGrid
from skstat.report._words import (
    adjustment_name,
    good,
    good_best,
    join_names,
    percent,
    short,
    span_of,
    units_behind,
)
from skstat.stats import Outcome, Reference, equivalence, rank_intervals
from skstat.stats._common import declared
from skstat.stats._multiplicity import adjustment_facts
from skstat.stats._outcomes import unit_word

SCIKIT_LEARN = Reference(
    authors=(
        "Pedregosa, F.", "Varoquaux, G.", "Gramfort, A.", "Michel, V.", "Thirion, B.",
        "Grisel, O.", "Blondel, M.", "Prettenhofer, P.", "Weiss, R.", "Dubourg, V.",
        "Vanderplas, J.", "Passos, A.", "Cournapeau, D.", "Brucher, M.", "Perrot, M.",
        "Duchesnay, E.",
    ),
    year=2011,
    title="Scikit-learn: machine learning in Python",
    venue="Journal of Machine Learning Research",
    volume="12",
    pages="2825-2830",
)  # fmt: skip

# Between two of these stand the keys of the works that are cited there; no name has one.
_MARK = "\0"


class Methods:
    """What was done, from who was compared to the software: a paragraph with its works.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.
    """

    def __init__(self, r: Report | ReportGrid) -> None:
        self._works: dict[str, Reference] = {}
        first = _first(r)
        parts, given = [first], first.evidence.names  # as they were given
        if isinstance(r, ReportGrid):
            given = r.systems if r.by == "seed" else given
            parts = list(map(_first, r.reports.values())) if r.by == "metric" else parts
        metrics = [one_line(each.metric) + " (lower is better)" * each.lower for each in parts]
        names = join_names(map(one_line, given))
        who = f"{names} were compared"
        if first.is_performance:
            who = f"The performance of {names} was measured"
        opening = f"{who} by {' and by '.join(dict.fromkeys(metrics))}."
        fitted = first.is_performance or "splitter" in first.design
        said = [opening, *self._done(r), self._software(fitted=fitted)]
        self._parts = re.split(f"{_MARK}(.*?){_MARK}", " ".join(said))

    def text(self, *, latex: bool) -> str:
        """Return the paragraph; in LaTeX works are cited by their keys."""
        said = ""
        for words, keys in zip_longest(self._parts[::2], self._parts[1::2], fillvalue=""):
            if latex:
                said += " " * words.startswith(" ") + escape_latex(words)
                said += rf"~\citep{{{keys}}}" * bool(keys)
            else:
                cited = "; ".join(self._works[key].cited for key in keys.split(",") if key)
                said += words + f" ({cited})" * bool(keys)
        return said

    @property
    def works(self) -> list[Reference]:
        """The works that are cited, each once, in their order."""
        keys = ",".join(self._parts[1::2]).split(",")
        return [self._works[key] for key in dict.fromkeys(keys)]

    def _cite(self, works: Iterable[Reference | Mapping[str, Any]]) -> str:
        """Cite works, or what is written of them."""
        found = (Reference.from_dict(one) if isinstance(one, Mapping) else one for one in works)
        known = {work.key: work for work in found}
        self._works |= known
        return f"{_MARK}{','.join(known)}{_MARK}" if known else ""

    def _done(self, r: Report | ReportGrid) -> list[str]:
        """Say what was done, but who was compared and by which software."""
        if isinstance(r, Report):
            how = self._performance if r.is_performance else self._comparison
            n_fitted = len(r.names) - len(r.constants)
            design = [*self._design(r.design, n_fitted)] if r.design else []
            return [*design, f"The units of observation were {units_behind(r)}.", *how(r)]
        if r.overall is not None:
            return [*self._done(r.overall), *self._in_slices(r)]
        # What several reports share is said once.
        rows = zip_longest(*map(self._done, r.reports.values()), fillvalue="")
        found = dict.fromkeys(said for row in rows for said in row if said)
        last = f"The p-values are not adjusted for the number of {r.by}s ({len(r.reports)})."
        if _first(r).is_performance:
            last = f"Each interval holds for its {r.by} alone."
        return [*found, last]

    def _performance(self, r: Report) -> Iterator[str]:
        """Say how the scores of systems were estimated."""
        rows = (*r.evidence.rows, *filter(None, [r.evidence.difference]))
        works = {row.estimate.method: row.estimate.references for row in rows}
        methods = " and by ".join(method + self._cite(of) for method, of in works.items())
        level = f"{percent(r.confidence_level)} confidence intervals"
        yield f"The estimates and their {level} were computed by {methods}."
        yield f"The number of fits was {r.n_fits}."

    def _comparison(self, r: Report) -> Iterator[str]:
        """Say how systems were compared, in pairs and at once."""
        if r.omnibus is not None:
            works = self._cite(r.omnibus["references"])
            yield f"All were tested at once with the {r.omnibus['test']}{works}."
        if r.is_pair:
            outcome = r.evidence.outcome
            yield f"The difference was tested with the {self._tests(r, [outcome])}."
            if r.adjustment:
                yield f"The p-value was {r.adjustment}."
        else:
            pairwise, who = r.evidence.pairwise, "Every pair was tested"
            if r.control is not None:
                who = f"Every other system was tested against {join_names([r.control])}"
            outcome = pairwise.outcomes[0]
            outcomes = pairwise.family.distinct("by_itself")
            if len({one.test for one in outcomes}) > 1:
                outcomes = pairwise.outcomes
            yield f"{who} with the {self._tests(r, outcomes, pairwise.references)}."
            facts = adjustment_facts(r.adjustment)
            error = "false discovery rate" if facts.false_discoveries else "family-wise error"
            how = self._adjusted(r.adjustment)
            family = f"{r.n_family} pair{'s' * (r.n_family > 1)}"
            yield f"The p-values of {family} were {how}, which controls the {error}."
        at_once = ", for all pairs at once" * (r.simultaneous and not r.is_pair)
        yield (
            f"The significance level was {r.alpha:g}; confidence intervals had a level of "
            f"{percent(r.confidence_level)}{at_once}."
        )
        if outcome.n_drawn:
            yield f"The test used {outcome.n_drawn} random draws."
        yield from self._beyond_tests(r)
        if r.is_leaderboard:
            works = self._cite(declared(rank_intervals).references)
            yield (
                "The ranks that every system may have follow from the significant pairs"
                f"{works}; they hold for all systems at once, at the same level."
            )
        if (ranks := r.rank_stability) is not None:
            drawn = f"{ranks.n_resamples} bootstrap resamples of the {unit_word(ranks.unit)}s"
            yield f"How stable the ranks are was seen from {drawn}."

    def _beyond_tests(self, r: Report) -> Iterator[str]:
        """Say how a margin, probabilities and other partitions were asked."""
        if r.margin is not None:
            works = self._cite(declared(equivalence).references)
            yield (
                f"Differences smaller than {short(r.margin)} in {one_line(r.metric)} were "
                "taken to be too small to matter; equivalence was tested with two one-sided "
                f"tests{works} at a level of {r.alpha:g} each."
            )
        if r.probabilities is not None:
            found = r.evidence.posterior if r.is_pair else r.evidence.posteriors[0]
            of, about = (f" {one} every pair" * (not r.is_pair) for one in ("of", "for"))
            words = {"works": self._cite(found.references), "unit": unit_word(r.unit)}
            done = found.done.format(of_pairs=of, for_pairs=about, **words)
            size = f"{short(found.rope)} in {one_line(r.metric)}"
            region = f"; differences up to {size} were taken to be practically none"
            yield f"{done}{region * bool(found.rope)}."
        if (best := r.strengths) is not None:
            works, shares = map(self._cite, (best.references[:-1], best.references[-1:]))
            beside = f", and beside it by shares of wins with a Bayesian bootstrap{shares}"
            yield (
                f"The probability of each to be the {good_best(r)} was computed by a "
                f"Bradley-Terry model{works} in which a comparison counted {best.weight:.2f}, "
                f"since those of one {unit_word(r.unit)} are not independent"
                f"{beside * (best.shares is not None)}."
            )
        if r.stability:
            n = len(next(iter(r.stability.values())).seeds)
            times = "once" if n == 1 else f"{n} times"
            yield f"The whole comparison was repeated {times} on other random partitions."

    def _in_slices(self, grid: ReportGrid) -> Iterator[str]:
        """Say how systems were compared in slices, behind how they were on all rows."""
        parts = [part.evidence for _, part in grid.each()]
        found = [
            one
            for part in parts
            for one in (part.parts.values() if isinstance(part, SliceEvidence) else [part])
        ]
        tests = self._tests(grid.first, [one.outcome for one in found])
        n, cut = len(parts), one_line(join_names(grid.cut_by or ["one column"]))
        rows = f"{n} slice{'s' * (n > 1)} of the rows, by {cut}"
        yield f"They were also compared in {rows}, with the {tests}."
        if len(found) > 1:
            how = self._adjusted(grid.adjustment)
            yield f"The p-values of all {len(found)} comparisons in slices were {how}."
        if grid.between:
            test, adjusted = grid.between[0].test, ", with p-values adjusted by Holm's method"
            adjusted *= len(grid.between) > 1
            named = f"{test['test']}{self._cite(test['references'])}{adjusted}"
            yield f"Whether the difference varies between slices was tested with {named}."

    def _adjusted(self, method: str) -> str:
        works = self._cite(adjustment_facts(method).references)
        return f"adjusted by {adjustment_name(method)}{works}"

    def _tests(
        self, r: Report, outcomes: Iterable[Outcome], works: Sequence[Reference] = ()
    ) -> str:
        """Name tests, each with its works, and of several how often each was used."""
        asked = [outcome.by_itself for outcome in outcomes]
        counts, known = Counter(one.test for one in asked), {one.test: one for one in asked}
        said = []
        for test, n in counts.items():
            used = f" for {n} comparison{'s' * (n > 1)}" * (len(counts) > 1)
            said.append(f"{test}{self._cite((*known[test].references, *works))}{used}")
        sides = "two-sided" if r.alternative == "two-sided" else "one-sided"
        if r.is_pair and r.alternative != sides:
            better = f" is {good(r, r.alternative == 'greater')} than "
            claim = better.join(one_line(shown_name(name)) for name in r.names)
            sides += f" (the alternative is that {claim})"
        return f"{' and the '.join(said)}, {sides}"

    def _design(self, design: Mapping[str, Any], n_systems: int) -> Iterator[str]:
        """Say what the scores were computed on, and how many fits that took."""
        works = self._cite(design.get("references", ()))
        rows = f" of {design['n_samples']} rows" if "n_samples" in design else ""
        notes = "; ".join([*design.get("notes", ()), *design.get("read", ())])
        notes = f" ({notes})" * bool(notes)
        yield f"The design was {design.get('kind', 'given')}{works}{rows}{notes}."
        n = design.get("n_splits", design.get("fits_each"))
        if n is not None:
            who = f"Each of the {n_systems} systems" if n_systems > 1 else "The system"
            fits = f"{who} was fitted {'once' if n == 1 else f'{n} times'}"
            fits += f" ({n * n_systems} fits)" * (n_systems > 1)
            if "n_splits" in design:
                train, test = span_of(design["train_size"]), span_of(design["test_size"])
                fits += ", on the same splits" * (n_systems > 1)
                fits += f", with {train} rows for training and {test} for testing"
            if "train_groups" in design:
                train, test = span_of(design["train_groups"]), span_of(design["test_groups"])
                fits += f" ({train} groups against {test}; no group was on both sides)"
            yield f"{fits}."
        if (halves := design.get("halves")) is not None:
            rows = f"{span_of(halves['train_size'])} rows for training"
            yield (
                f"The variance of these scores was found on a {halves['kind']} of the same "
                f"rows ({halves['n_splits']} further fits each, with {rows})."
            )
        if "random_state" in design:
            yield f"The splits were drawn with the random seed {design['random_state']}."

    def _software(self, *, fitted: bool) -> str:
        """Name the software that is running; scikit-learn where it fitted."""
        # Asked of the module, not imported: the package knows all that is made of reports.
        own = str(sys.modules["skstat"].__version__)
        skstat = Reference(
            authors=("The skstat developers",),
            year=2026,
            title="skstat: statistical comparison of scikit-learn estimators",
            venue=f"Python package, version {own}",
            kind="misc",
        )
        said = f"The analysis was done with skstat {own}{self._cite([skstat])}"
        if fitted:
            said += f" and scikit-learn {version('scikit-learn')}{self._cite([SCIKIT_LEARN])}"
        return f"{said} in Python {platform.python_version()}."


def _first(r: Report | ReportGrid) -> Report:
    return r if isinstance(r, Report) else r.first
