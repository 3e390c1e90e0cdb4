"""Doubts about comparisons of several systems over many data sets."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from skstat.report import _table_rules as rules
from skstat.report._case import Case, Context, Doubt
from skstat.report._doubts import DOUBTS, DoubtKind
from skstat.report._pair_doubts import told_once
from skstat.stats import OmnibusOutcome, PairwiseOutcome, ScoreTable


@dataclass(frozen=True, kw_only=True)
class TableCase:
    """A comparison over a table, as the doubts look at it."""

    table: ScoreTable
    omnibus: OmnibusOutcome
    pairwise: PairwiseOutcome
    confidence_level: float
    context: Context = field(default_factory=Context)

    def suspicious_pairs(self) -> Iterator[tuple[tuple[str, str], Case]]:
        """Walk the pairs with many ties, or whose mean and wins point in two directions.

        There may be a thousand pairs, and few of them give any doubt.
        """
        names, scores = self.table.names, self.table.scores
        wins, ties = self.table.wins(), self.table.ties()
        for (a, b), outcome in zip(self.pairwise.pairs, self.pairwise.outcomes, strict=True):
            i, j = names.index(a), names.index(b)
            lead = int(wins[i, j] - wins[j, i])
            n_units = int(wins[i, j] + wins[j, i] + ties[i, j])
            signed = (lead, outcome.effect_sizes.get("rank-biserial", 0.0))
            mean = float(np.nanmean(scores[:, i] - scores[:, j]))
            if 2 * ties[i, j] >= n_units or any(mean * value < 0 for value in signed):
                yield (
                    (a, b),
                    Case(
                        sample=self.table.pair(a, b),
                        outcome=outcome,
                        confidence_level=self.confidence_level,
                        context=self.context,
                    ),
                )


def find_table_doubts(case: TableCase) -> tuple[Doubt, ...]:
    """Return the doubts that apply to a comparison over a table, by their codes.

    Parameters
    ----------
    case : TableCase
        The comparison, and what is known beside.

    Returns
    -------
    tuple of Doubt
        Those of :data:`TABLE_DOUBTS`, and of single pairs, that were found.

    Examples
    --------
    >>> from skstat.report import TableCase, find_table_doubts
    >>> from skstat.stats import ScoreTable, friedman, nemenyi
    >>> scores = [[9, 8, 7], [9, 7, 7], [9, 8, 7], [9, 8, 7]]
    >>> table = ScoreTable(scores, unit="dataset")
    >>> case = TableCase(
    ...     table=table, omnibus=friedman(table), pairwise=nemenyi(table), confidence_level=0.95
    ... )
    >>> [doubt.code for doubt in find_table_doubts(case)]
    ['SKS107', 'SKS119']
    """
    found = [
        Doubt(code=kind.code, title=kind.title, text=text)
        for kind in TABLE_DOUBTS
        if (text := kind.find(case)) is not None
    ]
    return tuple(sorted([*found, *_of_pairs(case)], key=lambda doubt: doubt.code))


def _of_pairs(case: TableCase) -> list[Doubt]:
    """Doubts about single pairs, each kind once, with the pairs that it is about."""
    kinds = [kind for kind in DOUBTS if kind.code in _ABOUT_PAIRS]
    found: dict[str, list[tuple[tuple[str, str], Doubt]]] = {}

    def add(kind: DoubtKind, pair: tuple[str, str], text: str | None) -> None:
        if text is not None:
            doubt = Doubt(code=kind.code, title=kind.title, text=text)
            found.setdefault(kind.code, []).append((pair, doubt))

    for place, pair in enumerate(case.pairwise.pairs):
        add(_KINDS["SKS206"], pair, rules.interval_disagrees(case, place))
    for pair, single in case.suspicious_pairs():
        for kind in kinds:
            add(kind, pair, kind.find(single))
    return [told_once(found[code]) for code in sorted(found)]


_ABOUT_PAIRS = ("SKS201", "SKS203", "SKS204")


_KINDS = {kind.code: kind for kind in DOUBTS}


NEW_TABLE_DOUBTS = (
    DoubtKind(
        code="SKS119",
        title="mean ranks depend on the pool",
        when="Pairs are compared by mean ranks (:func:`~skstat.stats.nemenyi`, "
        ":func:`~skstat.stats.bonferroni_dunn`, :func:`~skstat.stats.pairwise_mean_ranks`, "
        ":func:`~skstat.stats.pairwise_conover`).",
        advice="Draw the diagram with Nemenyi's test if readers expect it, and take the "
        "verdict on a pair from ``post_hoc='wilcoxon-holm'``, which compares two systems by "
        "their own scores (Benavoli, Corani & Mangili, 2016). On 30 data sets the same two "
        "systems had p = 0.068 alone, 1e-8 in one pool and 0.41 in another.",
        find=rules.pool_dependent,
    ),
    DoubtKind(
        code="SKS121",
        title="adjustment with assumptions",
        when="The p-values are adjusted by a method that needs independent or positively "
        "dependent tests, or (``shaffer``, ``bergmann-hommel``) an equality for which A = C "
        "follows from A = B and B = C: that of means does, that of medians of differences "
        "need not; or (``finner``) one that controls the family-wise error only where all null "
        "hypotheses are true.",
        advice="Use Holm's method, which assumes nothing and loses little. With one of six "
        "systems better and five equal, Finner's adjustment of Wilcoxon's tests told equal "
        "ones apart in 15 % of simulated tables at a nominal 0.05, Holm's in 3 to 5 %.",
        find=rules.adjustment_assumes,
    ),
    DoubtKind(
        code="SKS122",
        title="false discoveries are allowed",
        when="``fdr_bh`` or ``fdr_by`` was asked for.",
        advice="They bound the share of false ones among all differences found, not the "
        "chance of any. Use Holm's method for claims about single pairs.",
        find=rules.false_discoveries,
    ),
    DoubtKind(
        code="SKS123",
        title="scores on different scales",
        when="A test that compares sizes of differences across data sets (aligned ranks, "
        "Quade, repeated-measures ANOVA, t, sign-flip) was asked of three systems or more "
        "whose scores lie far apart on some data sets and close together on others: in the "
        "last tenth of the data sets more than ten times as far as in the first. For "
        "Wilcoxon's test, which ranks the sizes, more than a thousand times.",
        advice="Use Friedman's test and the sign test, which only rank within a data set, or a "
        "metric that means the same everywhere. Squared errors of different targets do not.",
        find=rules.incommensurable,
    ),
    DoubtKind(
        code="SKS124",
        title="data sets that repeat each other",
        when="A tenth of the data sets or more have the very scores of another one, for three "
        "systems or more, and the scores are not so coarse that chance would do it.",
        advice="Count every data set once. Versions of one data set (subsamples, binarised "
        "targets, other names) are not independent either; average them, or take one.",
        find=rules.repeated_rows,
    ),
    DoubtKind(
        code="SKS126",
        title="error controlled only where no systems differ",
        when="Pairs of three systems or more are compared by a procedure that declares so: "
        ":func:`~skstat.stats.pairwise_conover`, whose standard error shrinks for all pairs "
        "when any systems differ.",
        advice="Use ``post_hoc='wilcoxon-holm'``, or ``'mean-ranks-holm'`` for mean ranks. "
        "With three pairs of equal systems, far apart, Conover's test with Holm's method told "
        "equal ones apart in 28 % of simulated tables of 10 data sets and 16 % of 30, at a "
        "nominal 0.05.",
        find=rules.weak_control,
    ),
    DoubtKind(
        code="SKS211",
        title="the tests disagree",
        when="The test of all systems at once rejects and no pair does, or the reverse.",
        advice="They ask different questions. Where pairs are compared with adjusted p-values, "
        "as here, their verdicts stand without the other test.",
        find=rules.tests_disagree,
    ),
)

TABLE_DOUBTS = (
    replace(_KINDS["SKS107"], find=rules.few_units),
    replace(_KINDS["SKS120"], find=rules.left_out),
    *NEW_TABLE_DOUBTS,
    _KINDS["SKS401"],
    _KINDS["SKS501"],
)
