"""How probable it is that A is better, that B is, and that both are practically the same."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from skstat.stats._common import LazySequence, procedure
from skstat.stats._literature import BENAVOLI_ET_AL_2017, CORANI_BENAVOLI_2015
from skstat.stats._outcomes import Outcome, Posterior, StudentPosterior, check_rope
from skstat.stats._paired.paired_t import corrected_t
from skstat.stats._samples import PairedScores


@procedure(when="of an outcome that you have", references=(BENAVOLI_ET_AL_2017,))
def posterior(
    outcome: Outcome,
    rope: float = 0.0,
    *,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> Posterior:
    """Read a comparison as probabilities: A is better, both are the same, B is better.

    The outcome of a Student t procedure is read by its own law, Student's t about the estimate
    with the standard error and the degrees of freedom of the test [1]_. That is the posterior
    of the expected difference with a flat prior: ``p(mu, sigma) = 1 / sigma`` for the paired
    and the corrected t test. The sign test and Wilcoxon's test are read by
    :func:`sign_posterior` and :func:`signed_rank_posterior`, McNemar's test by
    :func:`agreement_posterior`.

    Parameters
    ----------
    outcome : Outcome
        A comparison of two systems in the unit of their score, of either direction.
    rope : float, default=0.0
        Differences from -rope to rope are practically none (the region of practical
        equivalence), in the unit of the score. It is a matter of what the systems are for, to
        be fixed before the scores are seen. 0 is for no region: two probabilities are left.
    n_draws : int or None, default=None
        Number of draws, where the posterior is drawn; None leaves it to the posterior.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.

    Returns
    -------
    Posterior
        Its ``probabilities`` (``better``, ``same`` and ``worse``, of A); that of a Student t
        procedure has a ``credible_interval()`` too.

    Raises
    ------
    ValueError
        If `rope` is negative or not finite, or the comparison has no posterior: the law of its
        estimate is not known, or there are fewer than three units.

    See Also
    --------
    correlated_posterior : The same of scores over splits.
    bootstrap_posterior : That of any metric on a test set, whatever the test.
    equivalence : Tests of the same region, with a p-value.

    Notes
    -----
    Of a Student t test it is not more evidence than the test has, but the same, said
    otherwise. The credible interval is the confidence interval. The probability that A is
    better is 1 minus the one-sided p-value, and those beyond a region on either side are the
    two p-values of :func:`equivalence`. So "the same with a probability of 0.95" asks for more
    than equivalence at the level 0.05 does, and for less than at 0.025.

    The probabilities rest on all that the test rests on, the correlation that is assumed
    between splits among it. They are not adjusted where several comparisons are made.

    References
    ----------
    .. [1] Benavoli, A., Corani, G., Demšar, J. & Zaffalon, M. (2017). Time for a change: a
       tutorial for comparing multiple classifiers through Bayesian analysis. Journal of Machine
       Learning Research, 18(77), 1-36.

    Examples
    --------
    >>> from skstat.stats import PairedScores, paired_t, posterior
    >>> sample = PairedScores([5.1, 4.8, 6.0, 5.5], [4.7, 4.9, 5.2, 5.0], unit="seed")
    >>> found = posterior(paired_t(sample), rope=0.1)
    >>> [round(probability, 3) for probability in found.probabilities]
    [0.896, 0.066, 0.038]
    >>> [round(limit, 2) for limit in found.credible_interval(0.9)]
    [-0.04, 0.84]
    """
    rope = check_rope(rope)
    found = own_posterior(outcome, rope, n_draws=n_draws, rng=rng)
    if found is None:
        raise ValueError(
            f"{outcome.test} has no posterior: the law of its estimate is not known. {OTHERS}"
        )
    return found


def own_posterior(
    outcome: Outcome,
    rope: float,
    *,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> Posterior | None:
    """Read a comparison as probabilities; None if the law of its estimate is not known."""
    if outcome.scale != "score":
        raise ValueError(
            f"{outcome.test} compares {outcome.scale}s, and rope={rope!r} is in the unit of "
            "the score; use a test of the scores themselves."
        )
    found = outcome._posterior(rope, n_draws=n_draws, rng=rng)
    if isinstance(found, StudentPosterior) and found.df < 2:
        raise ValueError(
            f"{outcome.test} has {found.df:g} degree of freedom, which is too few for a "
            "posterior; give three units or more."
        )
    return found


class PosteriorFamily(LazySequence[Posterior]):
    """Posteriors of a family of comparisons, each built when it is asked for.

    Parameters
    ----------
    outcomes : sequence of Outcome
        The comparisons.
    rope : float
        Differences up to so much are practically none.
    seed : int, optional
        Seed of those that are drawn; the same for all, whose draws are common.
    otherwise : callable, optional
        From the place of a comparison to its posterior, where the law of its estimate is not
        known.
    """

    def __init__(
        self,
        outcomes: Sequence[Outcome],
        rope: float,
        seed: int | None = None,
        otherwise: Callable[[int], Posterior] | None = None,
    ) -> None:
        self._outcomes, self.rope, self._seed = outcomes, rope, seed
        self._otherwise = otherwise
        self._n_draws = _FEW_DRAWS if len(outcomes) > _MANY_PAIRS else None

    def __len__(self) -> int:
        return len(self._outcomes)

    def _built(self, place: int) -> Posterior:
        asked: dict[str, Any] = {"n_draws": self._n_draws, "rng": self._seed}
        if self._otherwise is not None:
            own = own_posterior(self._outcomes[place], self.rope, **asked)
            return self._otherwise(place) if own is None else own
        return posterior(self._outcomes[place], self.rope, **asked)


# What to ask instead of a test that has no posterior.
OTHERS = (
    "Use a Student t test: for splits corrected_t or projection_t, for independent units "
    "paired_t; or wilcoxon or sign. Independent rows or groups of a test set have that of "
    "bootstrap_posterior."
)
# Of more pairs than so many fewer draws are made for each.
_MANY_PAIRS, _FEW_DRAWS = 30, 20_000


@procedure(units=("split",), references=(CORANI_BENAVOLI_2015,))
def correlated_posterior(sample: PairedScores, rope: float = 0.0) -> StudentPosterior:
    """Posterior of the expected difference over splits, with their correlation.

    The differences d of J splits of one data set are normal about the expected difference mu,
    with the correlation ``rho = n_test / (n_train + n_test)`` between two splits and the flat
    prior ``p(mu, sigma) = 1 / sigma``. Then mu follows Student's t with J - 1 degrees of
    freedom about the mean of d, with the scale ``sd(d) * sqrt(1 / J + n_test / n_train)``
    [1]_, which is the standard error of :func:`corrected_t`.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on the same splits, with their sizes or `n_repeats`.
    rope : float, default=0.0
        Differences from -rope to rope are practically none, in the unit of the score.

    Returns
    -------
    StudentPosterior
        Its ``probabilities`` (``better``, ``same`` and ``worse``, of A), and
        ``credible_interval()``.

    Raises
    ------
    ValueError
        If the units are not splits, their sizes are unknown, or there are fewer than three; if
        `rope` is negative or not finite.

    See Also
    --------
    posterior : The same of any Student t test: of independent units, of the projection t test.

    Notes
    -----
    The correlation is assumed, as it is in :func:`corrected_t`, and fits some learners and
    metrics only. :func:`projection_t` estimates the variance instead: ``posterior`` of its
    outcome is the one that the doors give by default. baycomp has the same numbers as this
    function for K-fold cross-validation; its differences are B - A.

    References
    ----------
    .. [1] Corani, G. & Benavoli, A. (2015). A Bayesian approach for comparing cross-validated
       algorithms on multiple data sets. Machine Learning, 100, 285-304.
       :doi:`10.1007/s10994-015-5486-z`

    Examples
    --------
    >>> from skstat.stats import PairedScores, correlated_posterior
    >>> a = [0.72, 0.64, 0.68, 0.70, 0.72, 0.69, 0.73, 0.67, 0.76, 0.74]
    >>> sample = PairedScores(a, [0.7] * 10, n_train=900, n_test=100)
    >>> found = correlated_posterior(sample, rope=0.01)
    >>> better, same, worse = found.probabilities
    >>> round(better, 4), round(same, 4), round(worse, 4)
    (0.3846, 0.4215, 0.1939)
    """
    if sample.unit != "split":
        raise ValueError(
            f"correlated_posterior is for splits of one data set, whose scores are correlated, "
            f"and unit={sample.unit!r}; for independent units use posterior(paired_t(sample), "
            "rope)."
        )
    found = posterior(corrected_t(sample), rope)
    assert isinstance(found, StudentPosterior)
    return found
