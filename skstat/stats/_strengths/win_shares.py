"""Shares of wins on other units, of any dependence between systems: a Bayesian bootstrap."""

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import procedure
from skstat.stats._literature import BENAVOLI_ET_AL_2015, RUBIN_1981
from skstat.stats._outcomes import check_rope
from skstat.stats._resampling import draw_seed, stream
from skstat.stats._samples import ScoreTable, check_count, check_independent
from skstat.stats._strengths.contests import Contests, check_sets, contests_of_table
from skstat.stats._strengths.win_chances import WinChances, win_chances_of

Numbers = NDArray[np.float64]

_MOST_DRAWS, _LEAST_DRAWS = 20_000, 4000
_NUMBERS = 4_000_000  # draws of chances
STRENGTH = 1.0


@procedure(missing_scores=True, references=(BENAVOLI_ET_AL_2015, RUBIN_1981))
def win_shares(
    table: ScoreTable,
    rope: float = 0.0,
    *,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> WinChances:
    """Shares of units on which each system wins against each other one, without a model.

    The units have weights that follow a Dirichlet law, with 1 for every unit, and 1 for one
    that was not seen, on which all systems tie [1]_ [2]_. The share of a pair is the weight of
    the units on which the first wins, ties counted half. Nothing is assumed of how systems
    depend on each other: A may win against B, B against C, and C against A.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units, which are independent of each other.
    rope : float, default=0.0
        Differences from -rope to rope are ties, in the unit of the score.
    n_draws : int or None, default=None
        Number of draws; None for 20 000, and fewer where there are many pairs.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.

    Returns
    -------
    WinChances
        Of every pair the expected share, and how probable it is that it is above one half;
        of every system how probable it is that its mean share is the largest.

    Raises
    ------
    ValueError
        If `rope` is negative or not finite, units are splits, there are fewer than two, or some
        systems have no unit in common with others, not even through further ones.

    See Also
    --------
    bradley_terry : A model with one strength for every system.
    sign_posterior : Of two systems, with a probability of a tie.

    Notes
    -----
    With fewer than ten units the intervals are too narrow. Where a score is missing the shares
    of a pair are those of the units that both have scores on.

    References
    ----------
    .. [1] Benavoli, A., Corani, G., Mangili, F. & Zaffalon, M. (2015). A Bayesian nonparametric
       procedure for comparing algorithms. ICML, 1264-1272.
    .. [2] Rubin, D. B. (1981). The Bayesian bootstrap. The Annals of Statistics, 9(1), 130-134.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, win_shares
    >>> scores = {"a": [5, 7, 6, 8, 9, 7, 6, 5, 8, 7], "b": [4, 6, 7, 7, 8, 6, 5, 4, 7, 6]}
    >>> found = win_shares(ScoreTable(scores, unit="dataset"), rng=0)
    >>> round(found.pair("a", "b").mean, 2)  # (9 + 1/2) / 11
    0.86
    """
    contests = contests_asked(table, rope, "win_shares")
    return shares_of(contests, table.names, n_draws, draw_seed(rng))


def contests_asked(table: ScoreTable, rope: float, procedure_name: str) -> Contests:
    """Read the contests of a table, and refuse what cannot be compared."""
    check_independent(table, procedure_name)
    found = contests_of_table(table, check_rope(rope))
    if len(found.results) < 2:
        raise ValueError(
            f"{procedure_name} needs two units or more with scores of two systems, got "
            f"{len(found.results)}."
        )
    check_sets(found.sets_apart(), table.names)
    return found


def shares_of(
    contests: Contests, names: tuple[str, ...], n_draws: int | None, seed: int
) -> WinChances:
    """Draw the weights of the units, and sum up the shares."""
    results, there = np.nan_to_num(contests.results), ~np.isnan(contests.results)
    n_units, n_pairs = results.shape
    if n_draws is None:
        n_draws = int(np.clip(_NUMBERS // n_pairs, _LEAST_DRAWS, _MOST_DRAWS))
    n_draws = check_count("n_draws", n_draws)
    rng = stream(np.random.SeedSequence(seed))
    units = rng.standard_exponential((n_draws, n_units))
    unseen = rng.standard_gamma(STRENGTH, (n_draws, 1))
    complete = bool(there.all())

    def chances(places: slice) -> Numbers:
        total = units.sum(axis=1, keepdims=True) if complete else units @ there[:, places]
        return np.asarray((units @ results[:, places] + unseen / 2) / (total + unseen))

    # What every system wins, of all that it meets.
    first, second = contests.ends
    k = contests.n_systems
    won, met = np.zeros((n_units, k)), np.zeros((n_units, k))
    for place in range(k):
        of_first, of_second = first == place, second == place
        won[:, place] = results[:, of_first].sum(axis=1)
        won[:, place] += (there[:, of_second] - results[:, of_second]).sum(axis=1)
        met[:, place] = (there[:, of_first | of_second]).sum(axis=1)
    levels = (units @ won + unseen * (k - 1) / 2) / (units @ met + unseen * (k - 1))
    return win_chances_of(names, chances, levels, None)
