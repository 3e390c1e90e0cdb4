"""What a procedure returns: numbers, intervals, and what they are of, in words.

Imports samples and what is below them.
"""

from skstat.stats._outcomes.family import (
    ComparedPairs,
    Limits,
    OutcomeFamily,
    effect_sizes,
    family_of,
    sides_of_order,
)
from skstat.stats._outcomes.law import Comparison, Law, Student, by_rows, pvalue_of_tails, taken
from skstat.stats._outcomes.levels import (
    NOISE,
    Turns,
    alpha_of,
    check_alpha,
    check_level,
    least_one_sided_pvalue,
)
from skstat.stats._outcomes.outcome import (
    BEYOND_THE_POPULATION,
    IGNORED_VARIANCE,
    TOWARDS,
    ConfidenceInterval,
    EstimateOutcome,
    NullPvalues,
    OmnibusOutcome,
    Outcome,
    above_zero,
    error_of,
    estimand,
    ignored_variance,
    interval_about,
    interval_at,
    limit,
    null_hypothesis,
    null_relation,
    number,
    one_sided,
    population,
    sampled_by,
    smallest_of_signs,
    t_of,
    unit_word,
)
from skstat.stats._outcomes.posterior import (
    CHAINS,
    SCEPTICAL,
    BestOfDraws,
    BestPosterior,
    CredibleInterval,
    DifferencePosterior,
    Posterior,
    Probabilities,
    Reread,
    StudentPosterior,
    best_of_pairs,
    between_quantiles,
    check_rope,
    density_of_quantiles,
    from_quantiles,
    quantiles_of,
    read_three,
    sceptical,
)
from skstat.stats._outcomes.resampled import (
    INTERVALS,
    Interval,
    ResampledOutcome,
    UnitSpread,
    acceleration,
    bias_correction,
    counted_share,
    in_short,
    quantiles,
    score_effects,
)
