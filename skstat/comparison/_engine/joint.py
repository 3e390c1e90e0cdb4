"""Joint distribution of a family of comparisons, for max-T adjusted p-values and intervals."""

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

# Smallest scale of a system, relative to the largest, for which the covariance keeps digits.
_SMALLEST_SCALE = 1e-2

Pair = tuple[str, str]


@dataclass(frozen=True, kw_only=True, eq=False)
class Joint:
    """Joint distribution of the pairs of a family.

    p-values are the shares of draws whose largest statistic over the family is at least
    that of the pair, and intervals have the critical value of the same draws: single-step
    max-T. A step-down would reject more, but has no intervals that agree with it.

    Attributes
    ----------
    positions : dict of tuple of str to int
        Position of every pair in the arrays of `max_t`.
    max_t : MaxT
        Statistics, p-values and maxima.
    noise : float
        Largest difference between two estimates that comes from rounding of the scores.
    bootstrap : bool
        Whether the law was drawn by the resampling of ``paired_bootstrap``.
    """

    positions: dict[Pair, int]
    max_t: MaxT
    noise: float = 0.0
    bootstrap: bool = False

    def adjusted_test(self, pair: Pair | None, procedure: Procedure) -> Procedure:
        """Return a procedure with p-values adjusted for the family, for one pair or for all."""
        position = slice(None) if pair is None else self.positions[pair]

        @wraps(procedure)
        def adjusted(sample: Any, **options: Any) -> Any:
            max_t = take(self.max_t, position, self.max_t.pvalue.shape)
            if max_t.alone is not None and procedure is stats.sign_flip:
                alone = max_t.alone, max_t.n_requested, max_t.drawn_by
                outcome: Any = flipped_outcome(sample, *alone, options["alternative"])
            else:
                outcome = procedure(sample, **options)
            family = isinstance(outcome, OutcomeFamily)  # outcomes of several kinds
            return outcome if family else self._adjusted(max_t, outcome)

        return adjusted

    def suits(self, procedure: Procedure, sample_of: Any, question: Question) -> bool:
        """Whether the law has the estimates and standard errors of a procedure.

        `sample_of` returns the sample of a pair.
        """
        if procedure is stats.sign_flip:
            return self.max_t.alone is not None
        if procedure_name(procedure) == "paired_bootstrap":
            return self.bootstrap
        if declared(procedure).side_effects:
            return False
        max_t, position = self.max_t, int(np.argmax(self.max_t.errors > 0))
        if not max_t.errors[position] > 0:
            return True
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", stats.DependenceWarning)  # reported as a doubt
            options = question.options(procedure) | {"alternative": "two-sided"}
            outcome = procedure(sample_of(list(self.positions)[position]), **options)
        estimate, error = outcome.estimate, outcome.standard_error
        if estimate is None or error is None:
            return False
        expected = max_t.estimates[position], max_t.errors[position]
        return np.allclose((float(estimate), float(error)), expected, rtol=1e-6)

    def _adjusted(self, max_t: MaxT, outcome: stats.Comparison) -> stats.Comparison:
        """Return an outcome, or those of all pairs, with the adjustment for the family."""
        allowed = self.noise + 1e-9 + 1e-6 * np.abs(max_t.estimates)
        if not np.all(np.abs(outcome.estimate - max_t.estimates) <= allowed):
            raise ValueError(
                "adjustment='max-t' compares differences in the score, and the "
                f"{outcome.test} estimates something else; use adjustment='holm'."
            )
        joint = replace(max_t, own_test=outcome.test)
        return replace(outcome, test=f"{outcome.test}; max-T by {max_t.how}", joint=joint)

    @classmethod
    def of(
        cls,
        law: Any,
        names: Sequence[str],
        pairs: Sequence[Pair],
        question: Question,
        *,
        all_pairs: bool = False,
        **extra: Any,
    ) -> Self:
        """Return the joint distribution of pairs from the law of all scores.

        The family is the pairs, or with `all_pairs` all pairs of systems, in both directions
        if the alternative is one-sided.
        """
        choose = combinations if question.alternative == "two-sided" else permutations
        family = list(choose(range(len(names)), 2)) if all_pairs else None
        index = [(names.index(a), names.index(b)) for a, b in pairs]
        max_t = law.max_t(index, alternative=question.alternative, family=family)
        positions = dict(zip(pairs, range(len(pairs)), strict=True))
        return cls(positions=positions, max_t=max_t, **extra)

    @classmethod
    def of_table(
        cls, table: stats.ScoreTable, pairs: Sequence[Pair], question: Question, **family: bool
    ) -> Self | None:
        """Return the joint distribution of the mean scores of a table; None if it is not known.

        Splits have the multivariate t of their corrected covariance; rows and groups the
        distribution by sign flips; seeds, and groups too few for flips, the multivariate t with
        a standard error for each pair; ordered units the bootstrap of blocks.
        """
        split = table.unit == "split"
        if table.n_units < (3 if split else 2) or (split and table.test_train_ratio is None):
            return None
        sizes = np.abs(table.scores).max(axis=1)
        # The factor allows for a chain of scores, each practically equal to the next.
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
        options: dict[str, Any] = {"n_resamples": draws, "rng": seed, "for_few": True}
        law = law_of_means(table, "comparison of several systems", method, **options)
        if law.resolution:
            # One score, or those of one system, may be much larger than the others.
            largest = np.abs(scores).max(axis=0)
            share = np.maximum(largest / largest.max(), _SMALLEST_SCALE)
            law = replace(law, resolution=law.resolution * share)
        return cls.of(law, table.names, pairs, question, noise=noise, **family)


def omnibus_of(
    table: stats.ScoreTable, joint: Joint | None, question: Question, *, right: bool
) -> stats.OmnibusOutcome | None:
    """Test all systems at once; scores that say who is `right` are tested by Cochran's Q."""
    draws: dict[str, Any] = {"n_resamples": question.n_draws or DEFAULT_RESAMPLES}
    if right and table.unit == "instance":
        return stats.cochran_q(table, rng=question.seed, **draws)
    if joint is None:
        return stats.largest_t(table, rng=question.seed, **draws)
    # Only with all pairs in the family does its largest statistic test all systems.
    all_asked = question.control is None and question.alternative == "two-sided"
    return largest_of(joint.max_t, table) if all_asked else None


def law_of_replicates(sample: stats.Predictions, drawn: Draws) -> JointLaw:
    """Return the law of any metric of several systems, from bootstrap replicates of all.

    With few units a bootstrap is too narrow, so that its errors are widened to those of
    Student's t.
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
    """Return draws from the normal law with DeLong's covariance of the areas."""
    variances, root = areas.difference_variances, root_of_covariance(areas.covariance_to_first)
    return JointLaw(
        estimates=areas.aucs,
        errors=(Errors.drawn(root, None, n_resamples, seed),),
        root=root,
        # Standard error that a variance of mere rounding noise would have.
        resolution=float(np.sqrt(RELATIVE_RESOLUTION * np.max(variances))) * 1e-3,
        how="normal law",
        seed=seed,
    )
