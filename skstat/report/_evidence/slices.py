"""What reports on slices of the rows, and on seeds, rest on."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from skstat import stats
from skstat.report._doubts import CATALOGUE, Doubt, Doubts, merged
from skstat.report._evidence.question import ComparisonEvidence
from skstat.stats._stored import Stored

One = TypeVar("One")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PairInSlices(Stored):
    """What two systems come to in slices of the rows.

    Attributes
    ----------
    names : tuple of str
        The two systems.
    parts : mapping of str to ComparisonEvidence
        The comparison within every slice; p-values and intervals are adjusted for all slices.
    n_rows : mapping of str to int
        Rows of every slice.
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
    adjusted_between, adjusted_noninferior : float or None
        p-values of the test of variation, and of "worse by the margin in some slice", adjusted
        for the number of pairs (Holm), where there are others.
    """

    names: tuple[str, str]
    parts: Mapping[str, ComparisonEvidence]
    n_rows: Mapping[str, int]
    between: stats.OmnibusOutcome | None = None
    shrunken: tuple[float, ...] | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)
    explained_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    adjusted_between: float | None = None
    adjusted_noninferior: float | None = None

    def turned(self) -> "PairInSlices":
        """Return the same comparisons of the second system against the first."""
        drawn_in = self.shrunken
        return replace(
            self,
            names=self.names[::-1],
            parts={name: part.turned() for name, part in self.parts.items()},
            shrunken=None if drawn_in is None else tuple(0.0 - one for one in drawn_in),
        )

    @property
    def noninferior_pvalue(self) -> float | None:
        """p-value of "the first system is worse by the margin in at least one slice".

        The largest of the one-sided p-values of all slices, which needs no adjustment: to
        show that none is worse each of them must be rejected (an intersection-union test;
        Berger, 1982). Where there are other pairs of systems, it is adjusted for these. None
        without a margin, nan where a slice has no p-value, as one that was left out.
        """
        if self.adjusted_noninferior is not None:
            return self.adjusted_noninferior
        found = [part.equivalence for part in self.parts.values()]
        pvalues = [one.lower_pvalue for one in found if one is not None]
        if not pvalues:
            return None
        return math.nan if self.left_out else float(np.max(pvalues))

    @property
    def doubts(self) -> list[Doubt]:
        """Doubts about the comparisons within slices, each once."""
        found: list[tuple[str, Doubt]] = []
        for name, part in self.parts.items():
            found += [(name, one) for one in part.doubts if not CATALOGUE[one.code].of_all_rows]
        return merged(found, len(self.parts), "slice")


def adjusted_for_pairs(pairs: Sequence[PairInSlices]) -> tuple[PairInSlices, ...]:
    """Adjust what is asked once of every pair, about all of its slices, for their number.

    What was adjusted of them for pairs is adjusted anew.
    """
    pairs = [replace(pair, adjusted_noninferior=None) for pair in pairs]
    between = [math.nan if one.between is None else one.between.pvalue for one in pairs]
    margins = [one.noninferior_pvalue for one in pairs]
    not_worse = stats.adjust_pvalues([math.nan if p is None else p for p in margins], "holm")
    return tuple(
        replace(
            pair,
            adjusted_between=None if pair.between is None else float(varies),
            adjusted_noninferior=None if margin is None else float(shown),
        )
        for pair, varies, shown, margin in zip(
            pairs, stats.adjust_pvalues(between, "holm"), not_worse, margins, strict=True
        )
    )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SlicesEvidence(Stored):
    """What the comparison of systems in slices of the rows rests on.

    Attributes
    ----------
    overall : ComparisonEvidence
        The comparison on all rows, as without slices.
    pairs : tuple of PairInSlices
        Every pair of systems in its slices.
    cut_by : tuple of str
        The columns that slices are made of.
    adjustment : str
        How p-values are adjusted: ``"min-p"``, by the joint distribution of the smallest one,
        or a method of :func:`skstat.stats.adjust_pvalues`.
    n_comparisons : int
        Comparisons that p-values are adjusted for.
    n_outside : int
        Rows in no slice that was compared.
    notes : tuple of str
        How columns of numbers were cut.
    """

    overall: ComparisonEvidence
    pairs: tuple[PairInSlices, ...]
    cut_by: tuple[str, ...] = ()
    adjustment: str = "min-p"
    n_comparisons: int
    n_outside: int = 0
    notes: tuple[str, ...] = ()

    def of_pair(self, names: tuple[str, str]) -> "SlicesEvidence":
        """Return that of one pair of systems, its first against the second."""
        stored = [pair.names for pair in self.pairs]
        is_turned = names not in stored
        place = stored.index(names[::-1] if is_turned else names)
        overall = self.overall[stored[place]]
        if not is_turned:
            return replace(self, overall=overall, pairs=(self.pairs[place],))
        pairs = [*self.pairs]
        pairs[place] = pairs[place].turned()
        if len(pairs) > 1:
            pairs = [*adjusted_for_pairs(pairs)]
        return replace(self, overall=overall.turned(), pairs=(pairs[place],))

    @property
    def doubts(self) -> Doubts:
        """Doubts about all comparisons, each once; those of slices say of which."""
        own = self.pairs[0].doubts
        if len(self.pairs) > 1:
            each = ((pair.names, one) for pair in self.pairs for one in pair.doubts)
            own = merged(each, len(self.pairs))
        told = {(doubt.code, doubt.advice) for doubt in own}
        left = [one for one in self.overall.doubts if (one.code, one.advice) not in told]
        return Doubts(own, left)


@dataclass(frozen=True, eq=False, repr=False)
class SliceEvidence(Stored):
    """What several systems in one slice rest on.

    Attributes
    ----------
    whole : SlicesEvidence
        That of all slices, for which p-values are adjusted.
    slice : str
        The slice.
    """

    whole: SlicesEvidence
    slice: str

    @property
    def parts(self) -> dict[tuple[str, str], ComparisonEvidence]:
        """Every pair that was compared in the slice."""
        found = [pair for pair in self.whole.pairs if self.slice in pair.parts]
        return {pair.names: pair.parts[self.slice] for pair in found}

    def __getitem__(self, pair: tuple[str, str]) -> ComparisonEvidence:
        return self.parts[pair]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SeedsEvidence(Stored):
    """One comparison of two systems per seed, which describes how much depends on the seed.

    It is not a test: all seeds share the test set, and no p-value is adjusted for their number.

    Attributes
    ----------
    names : tuple of str
        The two systems.
    parts : tuple of ComparisonEvidence
        The comparisons, in the order of the seeds.
    """

    names: tuple[str, str]
    parts: tuple[ComparisonEvidence, ...]


ByMetric = Mapping[str, Any]


def one_or_per_metric(found: Mapping[str, One]) -> One | Mapping[str, One]:
    """Return what the only metric rests on, or what each does."""
    return next(iter(found.values())) if len(found) == 1 else found
