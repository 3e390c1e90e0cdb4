"""Sentences, and numbers as text.

Imports the model, ``skstat.stats``, and names as they are shown.
"""

from skstat.report._words.design import design_line, larger_text, more_of_design, span_of
from skstat.report._words.metric import (
    ShownMetric,
    best,
    direction,
    good,
    good_best,
    is_turned,
    word,
)
from skstat.report._words.numbers import (
    about,
    decimals_for,
    df_text,
    drawn_text,
    fixed,
    percent,
    probability_text,
    pvalue_cell,
    pvalue_text,
    ranks_text,
    share_text,
    short,
    time_text,
    units,
    units_behind,
)
from skstat.report._words.probabilities import (
    PROBABLE,
    best_chances,
    bounds_text,
    draws_text,
    model_of,
    probabilities_of,
    probability_sentence,
    probability_texts,
    where_text,
)
from skstat.report._words.remarks import (
    choice_text,
    design_in_words,
    pairs_stability_text,
    stability_text,
    sturdiness_text,
)
from skstat.report._words.say_grid import (
    NOT_ADJUSTED,
    asks_for_direction,
    conclude,
    decimals_of,
    may_be_best,
    slices_by_metric,
    variation,
)
from skstat.report._words.say_systems import against_leader, leads
from skstat.report._words.terms import (
    adjustment_name,
    estimand_in_names,
    in_names,
    join_items,
    join_names,
    omnibus_text,
)
from skstat.report._words.verdicts import (
    WEIGHTS,
    Verdict,
    Weight,
    better_of,
    drawing_error,
    interval_of,
    is_near,
    level_of,
    levels_of,
    margin_is_near,
    verdict_by,
    verdict_of,
    verdicts_of_draws,
    without_direction,
)
