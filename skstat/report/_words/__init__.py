"""Sentences, and numbers as text.

Imports the model, ``skstat.stats``, and names as they are shown.
"""

from skstat.report._words.conclude import (
    NOT_ADJUSTED,
    asks_for_direction,
    conclude,
    decimals_of,
    may_be_best,
    slices_by_metric,
    variation,
)
from skstat.report._words.probabilities import (
    PROBABLE,
    best_chances,
    bounds_text,
    draws_text,
    probabilities_of,
    probability_sentence,
    probability_texts,
    where_text,
)
from skstat.report._words.remarks import (
    choice_text,
    design_line,
    larger_text,
    more_of_design,
    pairs_stability_text,
    share_of_rows,
    span_of,
    stability_text,
    sturdiness_text,
)
from skstat.report._words.say_systems import against_leader
from skstat.report._words.terms import (
    MINUS,
    ShownMetric,
    about,
    adjustment_name,
    best,
    decimals_for,
    decimals_of_pairs,
    direction,
    estimand_in_names,
    fixed,
    good,
    good_best,
    in_names,
    is_turned,
    join_items,
    join_names,
    omnibus_text,
    percent,
    probability_text,
    pvalue_cell,
    pvalue_text,
    ranks_text,
    share_text,
    short,
    span,
    time_text,
    units,
    units_behind,
    word,
)
from skstat.report._words.verdicts import (
    WEIGHTS,
    Verdict,
    Weight,
    drawing_error,
    is_near,
    level_of,
    levels_of,
    margin_is_near,
    verdict_by,
    verdicts_of_draws,
    without_direction,
)
