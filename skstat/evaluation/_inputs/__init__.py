"""Arguments that the user gave: data, targets, learners, scorers.

Imports seeds only.
"""

from skstat.evaluation._inputs.data import (
    Data,
    align_to,
    check_data,
    check_params,
    coded,
    named_params,
    raveled,
)
from skstat.evaluation._inputs.learners import (
    has_fixed_seed,
    is_known_stable,
    is_unseeded,
    name_estimators,
    named_arguments,
    one_or_more,
)
from skstat.evaluation._inputs.rows import own_rows, rows_of
from skstat.evaluation._inputs.scoring import (
    Scoring,
    check_outputs,
    is_loss,
    metric_sources,
    resolve_scoring,
    scorer_of_loss,
)
