"""Cochran's Q: are several classifiers right equally often on the same instances?"""

from collections import defaultdict
from itertools import combinations
from math import comb
from typing import Literal

import numpy as np

from skstat.stats._common import procedure, tails
from skstat.stats._literature import COCHRAN_1950
from skstat.stats._outcomes import OmnibusOutcome, above_zero
from skstat.stats._resampling import draw_seed
from skstat.stats._samples import ScoreTable, check_count, zero_one

_STEPS = 500_000  # states times arrangements to visit for an exact p-value: a second
_BLOCK = 1 << 22  # cells drawn at once; fixed, so that results never depend on memory


@procedure(title="Cochran's Q", references=(COCHRAN_1950,))
def cochran_q(
    table: ScoreTable,
    *,
    method: Literal["auto", "chi2", "permutation"] = "auto",
    n_resamples: int = 9_999,
    rng: int | np.random.Generator | None = None,
) -> OmnibusOutcome:
    """Cochran's Q test of equal accuracy of k classifiers on the same instances.

    ``Q = (k - 1) (k sum(G^2) - T^2) / (k T - sum(L^2))`` with G the number of
    instances that each system is right on, L the number of systems that are right on
    each instance, and T the sum of either [1]_. Instances on which all systems are
    right, or all wrong, say nothing and change nothing. For two systems Q is the
    McNemar chi-squared statistic.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units: 1 (right) and 0 (wrong), a row per instance.
    method : {"auto", "chi2", "permutation"}, default="auto"
        ``"chi2"``: chi-squared with k - 1 degrees of freedom. ``"permutation"``: the systems
        are permuted within each instance; all arrangements are counted if that is feasible,
        else some are drawn and ``p = (1 + count) / (1 + n_resamples)``. ``"auto"``:
        chi-squared from four instances and 24 cells on, not counting instances that say
        nothing (the rule of [2]_), else permutation.
    n_resamples : int, default=9999
        Arrangements to draw when they are too many to count.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.

    Returns
    -------
    OmnibusOutcome
        The test's numbers. Effect sizes: eta squared, which is Q over its largest
        possible value n (k - 1) [3]_, and the range of the accuracies.

    Raises
    ------
    ValueError
        If a score is neither 0 nor 1, the units are splits, or an argument is unknown.

    See Also
    --------
    mcnemar : The test of two systems, to follow this one up.

    References
    ----------
    .. [1] Cochran, W. G. (1950). The comparison of percentages in matched samples.
       Biometrika, 37(3/4), 256-266. :doi:`10.1093/biomet/37.3-4.256`
    .. [2] Tate, M. W. & Brown, S. M. (1970). Note on the Cochran Q test. Journal of
       the American Statistical Association, 65(329), 155-160.
    .. [3] Serlin, R. C., Carr, J. & Marascuilo, L. A. (1982). A measure of association
       for selected nonparametric procedures. Psychological Bulletin, 92(3), 786-790.
       :doi:`10.1037/0033-2909.92.3.786`

    Examples
    --------
    >>> from skstat.stats import ScoreTable, cochran_q
    >>> a, b, c = [1] * 9 + [0], [1, 0, 1, 1, 0, 1, 0, 0, 1, 0], [0, 0, 1] + [0] * 7
    >>> table = ScoreTable({"A": a, "B": b, "C": c}, unit="instance")
    >>> outcome = cochran_q(table)
    >>> outcome.statistic, outcome.df, round(outcome.pvalue, 4)
    (12.0, 2, 0.0025)
    """
    if method not in ("auto", "chi2", "permutation"):
        raise ValueError(f"method={method!r} is unknown; use 'auto', 'chi2' or 'permutation'.")
    check_count("n_resamples", n_resamples)
    if table.unit == "split":
        raise ValueError("cochran_q needs independent units, but unit='split'.")
    right = np.column_stack([zero_one(name, table.scores_of(name)) for name in table.names])
    k = table.n_systems
    per_unit = right.sum(axis=1)
    # A unit that all systems agree on stays as it is in every arrangement.
    right = right[(per_unit > 0) & (per_unit < k)]
    per_unit = right.sum(axis=1)
    q = _statistic(right.sum(axis=0), per_unit)
    if method == "auto":
        method = "chi2" if len(right) >= 4 and right.size >= 24 else "permutation"
    seed = None
    if method == "chi2":
        how = "chi-squared"
        pvalue = above_zero(tails.chi2_sf(q, k - 1))
    else:
        how, exact = "exact permutation", _exact_pvalue(right)
        if exact is None:
            how = "drawn permutations"
            seed = draw_seed(rng)
            exact = _drawn_pvalue(right, n_resamples, seed)
        pvalue = exact
    accuracies = table.scores.mean(axis=0)
    where = f"over {table.unit}s, for these {k} fitted systems"
    assumptions = [f"the {table.unit}s are independent of each other"]
    if method == "chi2":
        assumptions.append(
            f"the systems differ on enough {table.unit}s for the chi-squared distribution"
        )
    else:
        assumptions.append(
            f"under the null hypothesis the systems are exchangeable on every {table.unit}"
        )
    return OmnibusOutcome(
        test=f"Cochran Q test ({how})",
        estimand=f"the accuracies {where}",
        null_hypothesis=f"all accuracies are equal, {where}",
        statistic=q,
        pvalue=pvalue,
        names=table.names,
        n_units=table.n_units,
        statistic_name="Q",
        df=k - 1 if method == "chi2" else None,
        assumptions=tuple(assumptions),
        effect_sizes={
            "eta squared": q / (table.n_units * (k - 1)),
            "range of accuracies": float(np.ptp(accuracies)),
        },
        n_resamples=None if seed is None else n_resamples,
        seed=seed,
    )


def _statistic(per_system: np.ndarray, per_unit: np.ndarray) -> float:
    k, total = len(per_system), int(per_unit.sum())
    if not total:  # no unit is left that tells the systems apart
        return 0.0
    squares = int(np.sum(per_system.astype(np.int64) ** 2))
    spread = k * total - int(np.sum(per_unit.astype(np.int64) ** 2))
    return (k - 1) * (k * squares - total**2) / spread


def _exact_pvalue(right: np.ndarray) -> float | None:
    """Share of all arrangements within units with at least this Q; None if too many."""
    # Q grows with sum(G^2), a whole number: no float noise can break a tie. Only the
    # sorted G matter, because a unit's arrangements treat all systems alike.
    k = right.shape[1]
    states = {(0,) * k: 1}
    steps = 0
    for successes in sorted(right.sum(axis=1).tolist()):
        steps += len(states) * comb(k, successes)
        if steps > _STEPS:
            return None
        chosen = list(combinations(range(k), successes))
        following: defaultdict[tuple[int, ...], int] = defaultdict(int)
        for state, ways in states.items():
            for systems in chosen:
                counts = list(state)
                for system in systems:
                    counts[system] += 1
                following[tuple(sorted(counts))] += ways
        states = dict(following)
    observed = sum(int(count) ** 2 for count in right.sum(axis=0))
    extreme = sum(
        ways
        for state, ways in states.items()
        if sum(count * count for count in state) >= observed
    )
    return extreme / sum(states.values())


def _drawn_pvalue(right: np.ndarray, n_resamples: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    observed = int(np.sum(right.sum(axis=0) ** 2))
    at_once = max(1, _BLOCK // right.size)
    count = 0
    for start in range(0, n_resamples, at_once):
        size = min(at_once, n_resamples - start)
        drawn = rng.permuted(np.broadcast_to(right, (size, *right.shape)), axis=2)
        count += int(np.sum(np.sum(drawn.sum(axis=1) ** 2, axis=1) >= observed))
    return (1 + count) / (1 + n_resamples)
