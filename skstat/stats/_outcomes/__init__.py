"""What a procedure returns: numbers, intervals, and what they are of, in words.

Imports samples and what is below them.
"""

from skstat.stats._outcomes.comparison import Comparison, Joint, each_of, interval_at
from skstat.stats._outcomes.family import (
    ComparedPairs,
    Limits,
    OutcomeFamily,
    effect_sizes,
    family_from_plain,
    family_of,
    of_mean,
)
from skstat.stats._outcomes.law import (
    Law,
    Student,
    about,
    at_levels,
    by_rows,
    pvalue_of_tails,
    tails_by_limits,
)
from skstat.stats._outcomes.outcome import (
    BEYOND_THE_POPULATION,
    IGNORED_VARIANCE,
    NOISE,
    TOWARDS,
    ConfidenceInterval,
    NullPvalues,
    OmnibusOutcome,
    Turns,
    above_zero,
    alpha_of,
    check_alpha,
    check_level,
    estimand,
    ignored_variance,
    limit,
    null_hypothesis,
    null_relation,
    number,
    one_sided,
    population,
    sampled_by,
    smallest_of_signs,
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
    sceptical,
)
from skstat.stats._outcomes.resampled import (
    INTERVALS,
    Interval,
    Replicates,
    UnitSpread,
    acceleration,
    bias_correction,
    counted_share,
    in_short,
    quantiles,
    score_effects,
)
