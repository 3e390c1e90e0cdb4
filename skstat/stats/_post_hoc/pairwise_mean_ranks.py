"""Systems compared in pairs by their mean ranks."""

from typing import Literal

import numpy as np

from skstat.stats._common import procedure
from skstat.stats._literature import (
    DEMSAR_2006,
    EISINGA_ET_AL_2017,
    HODGES_LEHMANN_1962,
    QUADE_1979,
)
from skstat.stats._multiplicity import Adjustment, adjust_pvalues
from skstat.stats._outcomes import unit_word
from skstat.stats._post_hoc.mean_ranks import (
    MeanRankOutcome,
    compare_mean_ranks,
    enough_units,
    friedman_error,
    smallest_adjusted,
)
from skstat.stats._post_hoc.pairwise import PairwiseOutcome, check_adjustment, pairs_of
from skstat.stats._post_hoc.rankings import RankingName, rank
from skstat.stats._samples import ScoreTable, check_complete, check_independent

_MOST_RANK_SUMS = 30_000  # differences of rank sums to count: about two seconds
_REFERENCES = {
    "friedman": (DEMSAR_2006,),
    "aligned": (HODGES_LEHMANN_1962,),
    "quade": (QUADE_1979,),
}


@procedure(
    variants={
        "exact_mean_ranks": {"method": "exact"},
        "aligned_ranks": {"ranking": "aligned"},
        "quade": {"ranking": "quade"},
    },
    references=(DEMSAR_2006,),
)
def pairwise_mean_ranks(
    table: ScoreTable,
    *,
    ranking: RankingName = "friedman",
    method: Literal["normal", "exact"] = "normal",
    control: str | None = None,
    adjustment: Adjustment = "holm",
) -> PairwiseOutcome:
    """Compare mean ranks in pairs, with adjusted p-values.

    ``z = (R_B - R_A) / se`` [4]_. The ranks of a pair depend on the other systems in the
    table: with others the verdict may change (Benavoli et al., 2016). Prefer
    :func:`pairwise_wilcoxon` unless a study needs mean ranks.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units.
    ranking : {"friedman", "aligned", "quade"}, default="friedman"
        ``"friedman"``: ranks within units. ``"aligned"``: all scores minus the mean of
        their unit, ranked together [1]_; scores of different units must be
        commensurable. ``"quade"``: ranks within units, weighted by the rank of the
        unit's range of scores [2]_.
    method : {"normal", "exact"}, default="normal"
        ``"exact"`` counts the differences of Friedman's rank sums [3]_.
    control : str, optional
        Compare every other system (A) with this one (B) only, instead of all pairs.
    adjustment : str, default="holm"
        A method of :func:`adjust_pvalues`.

    Returns
    -------
    PairwiseOutcome
        One :class:`MeanRankOutcome` per pair, and the adjusted p-values.

    Raises
    ------
    ValueError
        If scores are missing, the units are splits of one data set, an argument is
        unknown, or ``method="exact"`` meets ties, too many units, or other ranks than
        Friedman's.

    See Also
    --------
    nemenyi : All pairs, by one critical difference.
    pairwise_conover : More power, from the spread of the ranks at hand.

    Notes
    -----
    The standard error of Friedman's ranks is ``sqrt(k (k + 1) / (6 N))``, whether
    there are ties or not, as everywhere in the literature; ties make the test
    conservative. For aligned and Quade's ranks it is that of exchanging the systems
    within units, ties and all. The usual formula for aligned ranks, ``sqrt(k (k N + 1)
    / 6)``, takes all k N ranks for exchangeable, which they are within units only: it
    rejects 10 % of true hypotheses at a nominal 0.05 for three systems, 7 % for six.

    References
    ----------
    .. [1] Hodges, J. L. & Lehmann, E. L. (1962). Rank methods for combination of
       independent experiments in analysis of variance. Annals of Mathematical
       Statistics, 33(2), 482-497.
    .. [2] Quade, D. (1979). Using weighted rankings in the analysis of complete blocks
       with additive block effects. Journal of the American Statistical Association,
       74(367), 680-683.
    .. [3] Eisinga, R., Heskes, T., Pelzer, B. & Te Grotenhuis, M. (2017). Exact p-values
       for pairwise comparison of Friedman rank sums, with application to comparing
       classifiers. BMC Bioinformatics, 18, 68.
    .. [4] Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets.
       Journal of Machine Learning Research, 7, 1-30.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, pairwise_mean_ranks
    >>> scores = {"a": [9, 8, 9, 7, 8], "b": [5, 6, 4, 5, 3], "c": [1, 7, 2, 3, 4]}
    >>> outcome = pairwise_mean_ranks(ScoreTable(scores, unit="dataset"), method="exact")
    >>> outcome["a", "b"].estimate, outcome.adjusted_pvalues.round(3).tolist()
    (1.4, [0.073, 0.039, 0.887])
    """
    check_independent(table, "pairwise_mean_ranks")
    check_complete(table, "pairwise_mean_ranks")
    if method not in ("normal", "exact"):
        raise ValueError(f"method={method!r} is unknown; use 'normal' or 'exact'.")
    exact = method == "exact"
    pairs = pairs_of(table.names, control)
    check_adjustment(adjustment, control)
    found = rank(table, ranking)
    error = found.permutation_error
    assumptions = [f"scores of different {unit_word(table.unit)}s are commensurable"]
    if ranking == "friedman":
        error, assumptions = friedman_error(table.n_units, table.n_systems), []
    if exact:
        _check_exact(table, ranking)
    else:
        assumptions.append(enough_units(table))
    outcomes = compare_mean_ranks(
        MeanRankOutcome,
        table,
        found,
        pairs,
        error,
        test="exact rank-sum test" if exact else f"{found.label} z test",
        assumptions=tuple(assumptions),
        exact=exact,
    )
    return PairwiseOutcome(
        test=f"pairwise {outcomes[0].test}",
        names=table.names,
        pairs=tuple(pairs),
        outcomes=outcomes,
        adjusted_pvalues=adjust_pvalues([o.pvalue for o in outcomes], adjustment),
        adjustment=adjustment,
        control=control,
        pool_dependent=True,
        references=(EISINGA_ET_AL_2017,) if exact else _REFERENCES[ranking],
        least=smallest_adjusted(outcomes, found, adjustment, with_control=control is not None),
    )


def _check_exact(table: ScoreTable, ranking: str) -> None:
    if ranking != "friedman":
        raise ValueError(
            f"method='exact' counts Friedman's rank sums, not those of ranking={ranking!r}; "
            "use method='normal'."
        )
    if table.n_units * (table.n_systems - 1) > _MOST_RANK_SUMS:
        raise ValueError(
            f"method='exact' counts rank sums up to {_MOST_RANK_SUMS} apart, fewer than those "
            f"of {table.n_units} units and {table.n_systems} systems; use method='normal'."
        )
    tied = np.flatnonzero(np.any(np.diff(np.sort(table.ranks, axis=1), axis=1) == 0, axis=1))
    if tied.size:
        first, unit = int(tied[0]), unit_word(table.unit)
        where = first if table.datasets is None else repr(table.datasets[first])
        raise ValueError(
            f"method='exact' needs scores without ties, but {len(tied)} {unit}s have some, the "
            f"first is {unit} {where}; use method='normal'."
        )
