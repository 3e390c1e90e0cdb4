"""The joint distribution of a family of comparisons, and the outcome of a pair."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from itertools import combinations, permutations
from typing import Any

import numpy as np

from skstat import stats
from skstat.comparison._guide import FEWEST_FLIPPED
from skstat.comparison._procedures import Procedure
from skstat.comparison._question import Question
from skstat.stats._chance import DEFAULT_RESAMPLES
from skstat.stats._family import MaxT, OutcomeFamily, taken
from skstat.stats._flips import flipped_outcome
from skstat.stats._joint import JointFlips, law_of_means
from skstat.stats._omnibus import largest_of
from skstat.stats._ordering import RELATIVE_RESOLUTION, with_all_digits
from skstat.stats._procedure import declared

# A covariance keeps no digits of differences that are by so much smaller than the noise of
# the largest.
_LOST = 1e-2

Pair = tuple[str, str]


@dataclass(frozen=True, kw_only=True, eq=False)
class Joint:
    """What the joint distribution of a family says of every pair.

    p-values are the shares of draws whose largest statistic over the family is at least
    that of the pair, and intervals have the critical value of the same draws: single-step
    max-T. A step-down would reject more, but has no intervals that agree with it.

    Attributes
    ----------
    places : dict of tuple of str to int
        The comparisons.
    found : MaxT
        Statistics, p-values and maxima.
    noise : float
        Difference of two estimates that float noise in the scores may make.
    """

    places: dict[Pair, int]
    found: MaxT
    noise: float = 0.0

    def asking(self, pair: Pair | None, procedure: Procedure) -> Procedure:
        """Return the procedure of one pair, or of all, judged within the family."""
        place = slice(None) if pair is None else self.places[pair]

        @wraps(procedure)
        def asked(sample: Any, **options: Any) -> Any:
            found = taken(self.found, place, self.found.pvalue.shape)
            if found.alone is not None and procedure is stats.sign_flip:
                alone = found.alone, found.n_asked, found.drawn_by
                own: Any = flipped_outcome(sample, *alone, options["alternative"])
            else:
                own = procedure(sample, **options)
            family = isinstance(own, OutcomeFamily)  # of several kinds
            return own if family else self._within_family(found, own)

        return asked

    def suits(self, procedure: Procedure, sample_of: Any, question: Question) -> bool:
        """Whether the law is that of the estimates and standard errors of a procedure.

        `sample_of` gives the sample of a pair.
        """
        if procedure is stats.sign_flip:
            return self.found.alone is not None
        if declared(procedure).side_effects:
            return False
        found = self.found
        judged = np.flatnonzero(found.errors > 0)
        if not judged.size:
            return True
        place = int(judged[0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", stats.DependenceWarning)  # it is said as a doubt
            options = question.options(procedure) | {"alternative": "two-sided"}
            own = procedure(sample_of(list(self.places)[place]), **options)
        numbers = (own.estimate, own.standard_error)
        return None not in numbers and np.allclose(
            np.array(numbers, dtype=float),
            [found.estimates[place], found.errors[place]],
            rtol=1e-6,
        )

    def _within_family(self, found: MaxT, own: stats.Comparison) -> stats.Comparison:
        """Judge what a comparison, or all, found alone within the family."""
        allowed = self.noise + 1e-9 + 1e-6 * np.abs(found.estimates)
        if not np.all(np.abs(own.estimate - found.estimates) <= allowed):
            raise ValueError(
                "adjustment='max-t' compares differences in the score, and the "
                f"{own.test} estimates something else; use adjustment='holm'."
            )
        joint = replace(found, own_test=own.test)
        return replace(own, test=f"{own.test}; max-T by {found.how}", joint=joint)


def joint_of(
    max_t: Callable[..., MaxT],
    names: Sequence[str],
    pairs: Sequence[Pair],
    question: Question,
    *,
    everyone: bool = False,
    noise: float = 0.0,
) -> Joint:
    """Take the family from a joint distribution of the scores, which judges pairs by `max_t`.

    The family are the pairs, or with `everyone` all pairs of systems, in both directions if
    that matters.
    """
    place = dict(zip(names, range(len(names)), strict=True))
    family = None
    if everyone:
        every = combinations if question.alternative == "two-sided" else permutations
        family = list(every(range(len(names)), 2))
    index = [(place[a], place[b]) for a, b in pairs]
    found = max_t(index, alternative=question.alternative, family=family)
    places = dict(zip(pairs, range(len(pairs)), strict=True))
    return Joint(places=places, found=found, noise=noise)


def joint_of_table(
    table: stats.ScoreTable,
    pairs: Sequence[Pair],
    question: Question,
    *,
    everyone: bool = False,
) -> Joint | None:
    """Find the joint distribution of the mean scores of a table; None where none is known.

    Splits: the multivariate t of their corrected covariance. Rows and groups: flips of
    their signs. Seeds, and groups too few for flips: the multivariate t, each pair with a
    standard error of its own. Ordered units: the bootstrap of blocks.
    """
    split = table.unit == "split"
    if table.n_units < (3 if split else 2) or (split and table.test_train_ratio is None):
        return None
    sizes = np.abs(table.scores).max(axis=1)
    # Of scores in a chain each may be practically equal to the next.
    noise = RELATIVE_RESOLUTION * float(sizes.mean()) * len(table.names)
    few_groups = table.unit == "group" and table.n_units < FEWEST_FLIPPED
    n_resamples = question.n_resamples or DEFAULT_RESAMPLES
    if split or table.ordered or table.unit == "seed" or few_groups:
        scores = with_all_digits(table.scores)
        if scores is not table.scores:
            table = replace(table, scores=scores, systems=table.names, higher_is_better=True)
        law = law_of_means(
            table,
            "comparison of several systems",
            "auto" if split or table.ordered else "t",
            n_resamples=n_resamples,
            rng=question.drawn_by,
            for_few=True,
        )
        if law.resolution:
            # One score, or those of one system, may be much larger than the others.
            largest = np.abs(scores).max(axis=0)
            share = np.maximum(largest / largest.max(), _LOST)
            law = replace(law, resolution=law.resolution * share)
        max_t: Callable[..., MaxT] = law.max_t
    else:
        seed = question.drawn_by
        max_t = JointFlips(*table.flipped, n_resamples=n_resamples, seed=seed).max_t
    return joint_of(max_t, table.names, pairs, question, everyone=everyone, noise=noise)


def largest_of_family(
    joint: Joint, table: stats.ScoreTable, question: Question
) -> stats.OmnibusOutcome | None:
    """Return the largest difference as the test of all systems, where all pairs are asked."""
    if question.control is not None or question.alternative != "two-sided":
        return None
    return largest_of(joint.found, table)
