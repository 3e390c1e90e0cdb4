"""The joint distribution of a family of comparisons, and the outcome of a pair."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import wraps
from itertools import combinations, permutations
from typing import Any, Self

import numpy as np

from skstat import stats
from skstat.comparison._question import Procedure, Question, procedure_name
from skstat.comparison._situation import FEWEST_FLIPPED
from skstat.stats._chance import DEFAULT_RESAMPLES
from skstat.stats._family import MaxT, OutcomeFamily, take
from skstat.stats._flips import flipped_outcome
from skstat.stats._joint import Errors, JointFlips, JointLaw, law_of_means, root_of_covariance
from skstat.stats._kernels import Draws
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
    bootstrap : bool
        Whether the law is drawn as ``paired_bootstrap`` draws.
    """

    places: dict[Pair, int]
    found: MaxT
    noise: float = 0.0
    bootstrap: bool = False

    def asking(self, pair: Pair | None, procedure: Procedure) -> Procedure:
        """Return the procedure of one pair, or of all, judged within the family."""
        place = slice(None) if pair is None else self.places[pair]

        @wraps(procedure)
        def within_family(sample: Any, **options: Any) -> Any:
            found = take(self.found, place, self.found.pvalue.shape)
            if found.alone is not None and procedure is stats.sign_flip:
                alone = found.alone, found.n_requested, found.drawn_by
                own: Any = flipped_outcome(sample, *alone, options["alternative"])
            else:
                own = procedure(sample, **options)
            family = isinstance(own, OutcomeFamily)  # of several kinds
            return own if family else self._within_family(found, own)

        return within_family

    def suits(self, procedure: Procedure, sample_of: Any, question: Question) -> bool:
        """Whether the law is that of the estimates and standard errors of a procedure.

        `sample_of` gives the sample of a pair.
        """
        if procedure is stats.sign_flip:
            return self.found.alone is not None
        if procedure_name(procedure) == "paired_bootstrap":
            return self.bootstrap
        if declared(procedure).side_effects:
            return False
        found, place = self.found, int(np.argmax(self.found.errors > 0))
        if not found.errors[place] > 0:
            return True
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", stats.DependenceWarning)  # it is said as a doubt
            options = question.options(procedure) | {"alternative": "two-sided"}
            own = procedure(sample_of(list(self.places)[place]), **options)
        numbers, known = (own.estimate, own.standard_error), (found.estimates, found.errors)
        return None not in numbers and all(
            np.isclose(float(number), of_law[place], rtol=1e-6)
            for number, of_law in zip(numbers, known, strict=True)
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

    @classmethod
    def of(
        cls,
        law: Any,
        names: Sequence[str],
        pairs: Sequence[Pair],
        question: Question,
        *,
        everyone: bool = False,
        **known: Any,
    ) -> Self:
        """Take the family from the law of all scores.

        The family are the pairs, or with `everyone` all pairs of systems, in both directions
        if that matters.
        """
        every = combinations if question.alternative == "two-sided" else permutations
        family = list(every(range(len(names)), 2)) if everyone else None
        index = [(names.index(a), names.index(b)) for a, b in pairs]
        found = law.max_t(index, alternative=question.alternative, family=family)
        places = dict(zip(pairs, range(len(pairs)), strict=True))
        return cls(places=places, found=found, **known)

    @classmethod
    def of_table(
        cls, table: stats.ScoreTable, pairs: Sequence[Pair], question: Question, **family: bool
    ) -> Self | None:
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
        draws, seed = question.n_resamples or DEFAULT_RESAMPLES, question.drawn_by
        if not (split or table.ordered or table.unit == "seed" or few_groups):
            law: Any = JointFlips(*table.flipped, n_resamples=draws, seed=seed)
            return cls.of(law, table.names, pairs, question, noise=noise, **family)
        scores = with_all_digits(table.scores)
        if scores is not table.scores:
            table = replace(table, scores=scores, systems=table.names, higher_is_better=True)
        method: Any = "auto" if split or table.ordered else "t"
        how: dict[str, Any] = {"n_resamples": draws, "rng": seed, "for_few": True}
        law = law_of_means(table, "comparison of several systems", method, **how)
        if law.resolution:
            # One score, or those of one system, may be much larger than the others.
            largest = np.abs(scores).max(axis=0)
            share = np.maximum(largest / largest.max(), _LOST)
            law = replace(law, resolution=law.resolution * share)
        return cls.of(law, table.names, pairs, question, noise=noise, **family)


def omnibus_of(
    table: stats.ScoreTable, joint: Joint | None, question: Question, *, right: bool
) -> stats.OmnibusOutcome | None:
    """Test all systems at once by scores, which may say who is `right`, or by their law."""
    draws: dict[str, Any] = {"n_resamples": question.n_draws or DEFAULT_RESAMPLES}
    if right and table.unit == "instance":
        return stats.cochran_q(table, rng=question.seed, **draws)
    if joint is None:
        return stats.largest_t(table, rng=question.seed, **draws)
    # The largest difference is that of all systems where all pairs are asked.
    all_asked = question.control is None and question.alternative == "two-sided"
    return largest_of(joint.found, table) if all_asked else None


def law_of_replicates(sample: stats.Predictions, drawn: Draws) -> JointLaw:
    """Take the law of any metric of several systems from bootstrap replicates of all of them.

    The errors are those that Student's t would have with as many units: a bootstrap of few of
    them is too narrow.
    """
    errors = drawn.scores - sample.scores
    widened = Errors.resampled(errors - errors.mean(axis=0), drawn.seed, sample.n_units)
    return JointLaw(
        estimates=sample.scores,
        errors=(widened,),
        root=widened.root,
        resolution=RELATIVE_RESOLUTION * float(np.abs(drawn.scores).max()),
        how="bootstrap",
        seed=drawn.seed,
    )


def law_of_areas(areas: stats.BinaryScores, *, n_resamples: int, seed: int) -> JointLaw:
    """Draw from the normal law with DeLong's covariance of the areas."""
    variances, root = areas.difference_variances, root_of_covariance(areas.covariance_to_first)
    return JointLaw(
        estimates=areas.aucs,
        errors=(Errors.drawn(root, None, n_resamples, seed),),
        root=root,
        # The root of a variance that is float noise.
        resolution=float(np.sqrt(RELATIVE_RESOLUTION * np.max(variances))) * 1e-3,
        how="normal law",
        seed=seed,
    )
