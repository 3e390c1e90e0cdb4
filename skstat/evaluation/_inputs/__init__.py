"""Arguments that the user gave: data, targets, weights, learners, scorers.

Imports seeds only.
"""

from skstat.evaluation._inputs.data import (
    Data,
    align_to,
    check_data,
    check_estimator,
    check_params,
    name_estimators,
    named_arguments,
    named_params,
    one_or_more,
)
from skstat.evaluation._inputs.dataset import (
    Dataset,
    estimators_for,
    folds,
    is_factory,
    named_datasets,
    read_dataset,
)
from skstat.evaluation._inputs.learners import has_fixed_seed, is_known_stable, is_unseeded
from skstat.evaluation._inputs.own_rows import own_rows, rows_of
from skstat.evaluation._inputs.scoring import (
    Scoring,
    check_outputs,
    is_loss,
    metric_sources,
    resolve_scoring,
    scorer_of_loss,
)
from skstat.evaluation._inputs.weights import (
    WEIGHT,
    asks_for_weights,
    fit_parameter,
    is_weighted,
    read_weights,
    refuse_unweighted,
    weights_note,
)
