"""What a procedure returns: numbers, intervals, and what they are of, in words.

Imports samples and what is below them.
"""

from skstat.stats._outcomes.best_posterior import BestOfDraws, BestPosterior, best_of_pairs
from skstat.stats._outcomes.family import (
    ArrayFamily,
    Limits,
    MeanFamily,
    OutcomeFamily,
    TableFamily,
    effect_sizes,
    effect_sizes_at,
    family_of,
    sides_of_order,
    spread_of,
)
from skstat.stats._outcomes.inversion import NOISE, least_one_sided_pvalue
from skstat.stats._outcomes.levels import alpha_of, check_alpha, check_level
from skstat.stats._outcomes.omnibus import OmnibusOutcome
from skstat.stats._outcomes.outcome import (
    TOWARDS,
    ConfidenceInterval,
    MeanOutcome,
    NullPvalues,
    Outcome,
    above_zero,
    interval_about,
    interval_at,
    limit,
    one_sided,
    smallest_of_signs,
    t_of,
)
from skstat.stats._outcomes.posterior import (
    CHAINS,
    SCEPTICAL,
    CredibleInterval,
    DifferencePosterior,
    Posterior,
    Probabilities,
    Reread,
    StudentPosterior,
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
    spread_quantiles,
    values_turned,
)
from skstat.stats._outcomes.turned import Later, Turns, WhenAsked
from skstat.stats._outcomes.wording import (
    BEYOND_THE_POPULATION,
    IGNORED_VARIANCE,
    estimand,
    ignored_variance,
    null_hypothesis,
    null_relation,
    population,
    sampled_by,
    unit_word,
)
