"""Multiple comparisons with the best: how far is each system from the best other?"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import procedure
from skstat.stats._joint.candidates import Candidates, share_as_large
from skstat.stats._joint.joint_law import JointLaw
from skstat.stats._joint.law_of_means import Law, law_of_means
from skstat.stats._joint.max_t import MAXIMA_DECIMALS
from skstat.stats._literature import HSU_1984, HSU_1996
from skstat.stats._outcomes import check_alpha, check_level
from skstat.stats._samples import ScoreTable


@dataclass(frozen=True, kw_only=True, eq=False)
class BestOutcome(Candidates):
    """Outcome of multiple comparisons with the best.

    The p-value of a system is that of the hypothesis that no other one is better.

    Attributes
    ----------
    standard_errors : ndarray of shape (n_systems, n_systems)
        Standard errors of the differences between two systems: 0 for systems that are
        the same on all units, nan where a constant difference leaves nothing to test it
        against.
    maxima : ndarray of shape (n_resamples, n_systems)
        Largest studentised error by which another system seems better than each one.
    """

    standard_errors: NDArray[np.float64]
    maxima: NDArray[np.float64]

    def critical_values(self, alpha: float = 0.05) -> NDArray[np.float64]:
        """Quantile of the maxima of every system, as compared with all others.

        Parameters
        ----------
        alpha : float, default=0.05
            Level of the test of one system.

        Returns
        -------
        ndarray of shape (n_systems,)
            Largest t of another system's lead that does not rule the system out;
            infinite for a level that this many draws, or units, cannot judge.
        """
        check_alpha(alpha)
        # That many draws may be larger for the p-value to stay below alpha.
        n_larger = math.ceil(round((self.n_resamples + 1) * alpha, 9)) - 1
        if n_larger == 0 or alpha <= self.smallest_pvalue:
            return np.where(np.isnan(self.maxima[0]), math.nan, math.inf)
        return np.asarray(np.sort(self.maxima, axis=0)[-n_larger])

    def intervals(self, confidence_level: float = 0.95) -> NDArray[np.float64]:
        """Simultaneous intervals of each score minus the highest of the others.

        An upper limit of 0 rules a system out. A lower limit of 0 shows that it is the best,
        or as good as the best.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Chance that all intervals hold.

        Returns
        -------
        ndarray of shape (n_systems, 2)
            Lower and upper limits, in the order of `names`; nan where there is no variance to
            test a difference against.
        """
        check_level(confidence_level)
        kept = self._kept(1 - confidence_level)
        errors = self.standard_errors
        with np.errstate(invalid="ignore"):
            half_widths = self.critical_values(1 - confidence_level)[:, None] * errors
        half_widths[errors == 0] = 0.0  # even where the critical value is infinite
        differences = self.estimates[:, None] - self.estimates
        differences[errors == 0] = 0.0
        # The most that the row's system is ahead of the column's, if the row's is the best.
        ahead = differences + half_widths
        np.fill_diagonal(ahead, math.nan)
        upper = np.where(kept, np.maximum(np.fmin.reduce(ahead, axis=1), 0.0), 0.0)
        np.fill_diagonal(ahead, 0.0)
        lower = -np.max(ahead, axis=0, where=kept[:, None], initial=0.0)
        return np.column_stack([lower, upper])


@procedure(references=(HSU_1984, HSU_1996))
def compare_with_best(
    table: ScoreTable,
    *,
    method: Law = "auto",
    block_length: int | None = None,
    n_resamples: int = 9_999,
    rng: int | np.random.Generator | None = None,
) -> BestOutcome:
    """Multiple comparisons with the best: which of k systems may have the highest mean?

    A system is ruled out where another one is better by more than chance explains. The p-value
    of system i is the chance that the largest of its k - 1 studentised errors reaches its
    largest t, ``max_j (mean_j - mean_i) / SE(mean_j - mean_i)``: Dunnett's one-sided
    comparison with i as the control. No p-value needs an adjustment, as only the test of
    the best system can go wrong. The simultaneous intervals of each mean minus the highest
    of the others are Hsu's ([1]_, [2]_ section 4.2), here with a standard error and a
    quantile for every system.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units.
    method : {"auto", "t", "bootstrap", "studentized"}, default="auto"
        Joint law of the means. ``"t"``: the multivariate t of their sample covariance,
        which for splits is that of Nadeau & Bengio [3]_: multiplied by 1/J +
        n_test/n_train instead of 1/J. ``"bootstrap"``: units drawn with replacement; no
        p-value is below what the signs of that many units can show. ``"studentized"``:
        the same, every error divided by the standard error of its resample, which follows
        skewed scores ([4]_ section 3.3). ``"auto"``: ``"t"`` for splits, ``"bootstrap"`` for
        ordered units, and else the larger p-value of ``"t"`` and ``"studentized"``; see
        Notes.
    block_length : int, optional
        Length of the moving blocks that the bootstrap draws of ordered units; default
        the cube root of their number.
    n_resamples : int, default=9999
        Draws from the joint distribution.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.

    Returns
    -------
    BestOutcome
        p-values, ``may_be_best(alpha)`` and ``intervals(confidence_level)``.

    Raises
    ------
    ValueError
        If scores are missing, there is one unit (two splits), the sizes of the splits
        are unknown, or `method` does not fit the units.

    See Also
    --------
    model_confidence_set : The same question, by tests of equality.
    pairwise : Which systems differ, rather than which is the best.

    Notes
    -----
    By default, with fewer than 30 independent units, the t errors of every pair are drawn
    together with their own standard error. With fewer than 10 units, or where the skewness of
    all differences is below 0.05 sqrt(n), only these t errors are used.

    How often the best of four systems of equal means was ruled out, at a nominal 0.05, in
    250 to 1000 simulations each. *Skewed*: one system has lognormal scores or minus
    lognormal ones, the others normal ones a fifth as spread; the larger rate of any system.

    ========================== ===== ===== ===== =====
    Scores, units              auto  t     boot. stud.
    ========================== ===== ===== ===== =====
    normal, 5                  .05   .06   .19   .03
    normal, 10                 .04   .05   .10   .04
    normal, 30                 .06   .06   .07   .05
    skewed, 20                 .10   .17   .21   .10
    skewed, 50                 .08   .13   .14   .08
    skewed, 100                .09   .14   .16   .09
    ========================== ===== ===== ===== =====

    The skewness that was found is an attribute of the outcome, and reports use it to raise a
    doubt.

    References
    ----------
    .. [1] Hsu, J. C. (1984). Constrained simultaneous confidence intervals for multiple
       comparisons with the best. Annals of Statistics, 12(3), 1136-1144.
       :doi:`10.1214/aos/1176346732`
    .. [2] Hsu, J. C. (1996). Multiple Comparisons: Theory and Methods. Chapman & Hall.
    .. [3] Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning, 52, 239-281. :doi:`10.1023/A:1024068626366`
    .. [4] Hall, P. (1992). The Bootstrap and Edgeworth Expansion. Springer.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, compare_with_best
    >>> a, b = [3.1, 2.9, 4.0, 3.4, 3.6], [3.0, 3.1, 3.8, 3.3, 3.9]
    >>> table = ScoreTable({"a": a, "b": b, "c": [2.0, 2.2, 3.1, 2.3, 2.4]}, unit="seed")
    >>> outcome = compare_with_best(table, rng=0)
    >>> outcome.may_be_best()
    ('a', 'b')
    >>> outcome.intervals().round(1).tolist()
    [[-0.3, 0.3], [-0.3, 0.3], [-1.4, 0.0]]
    """
    return best_of(
        law_of_means(
            table,
            "compare_with_best",
            method=method,
            block_length=block_length,
            n_resamples=n_resamples,
            rng=rng,
        )
    )


def best_of(law: JointLaw) -> BestOutcome:
    """Compare every system with the best other one, by their joint distribution."""
    differences, errors = law.differences, law.standard_errors
    fields = law.fields("greater")
    smallest = fields["smallest_pvalue"]
    maxima = np.empty_like(law.errors)
    pvalues = np.empty(len(law.names))
    for i in range(len(law.names)):
        judged = errors[i] > 0
        leads = -differences[i, judged] / errors[i, judged]
        largest = law.largest((int(j), i) for j in np.flatnonzero(judged))
        lead = float(np.max(leads, initial=-math.inf))
        same = errors[i] == 0
        same[i] = False
        if same.any():  # their lead is 0, without error
            largest, lead = np.maximum(largest, 0.0), max(lead, 0.0)
        if math.isinf(lead):
            largest, lead = np.full_like(largest, math.nan), math.nan
        maxima[:, i] = largest
        pvalues[i] = max(share_as_large(largest, lead), smallest)
    return BestOutcome(
        test=f"multiple comparisons with the best (Hsu 1984), {law.how}",
        estimand=f"the {law.quantity} of each system minus the highest of the others, "
        f"{law.where}",
        null_hypothesis=f"no other system has a higher {law.quantity}, {law.where}",
        pvalues=pvalues,
        standard_errors=errors,
        maxima=np.round(maxima, MAXIMA_DECIMALS),
        **fields,
    )
