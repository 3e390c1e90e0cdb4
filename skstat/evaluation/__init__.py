"""From estimators to scores: designs, folds and runs."""

from skstat.evaluation._baselines import CheapestClass, RandomGuess
from skstat.evaluation._bootstrap import BootstrapOutOfBag
from skstat.evaluation._chosen_guess import (
    Choice,
    ChosenConstant,
    ChosenGuess,
    Guess,
    RandomOrder,
)
from skstat.evaluation._dataset import Dataset, named_datasets
from skstat.evaluation._datasets_run import DatasetScores, DatasetsRun, FailedFit
from skstat.evaluation._default_splits import (
    DEFAULT_SPLITS,
    DEFAULT_TEST_SIZE,
    affordable_halvings,
    random_splits,
    repeated_halves,
)
from skstat.evaluation._design import Design, check_splitter
from skstat.evaluation._evaluate import evaluate, evaluate_partitions, paired_cross_validate
from skstat.evaluation._fold import EvaluationError, score
from skstat.evaluation._group_folds import RepeatedGroupKFold
from skstat.evaluation._halves import FiveByTwo, RepeatedHalves
from skstat.evaluation._inputs import (
    Data,
    check_data,
    name_estimators,
    named_arguments,
    named_params,
)
from skstat.evaluation._learners import is_known_stable
from skstat.evaluation._nested_folds import NestedKFold
from skstat.evaluation._outputs_run import OutputsRun, evaluate_outputs
from skstat.evaluation._over_datasets import cross_validate_over_datasets
from skstat.evaluation._paired_subsampling import PairedSubsampling
from skstat.evaluation._partitions import Partition, partitions_of
from skstat.evaluation._plan import (
    is_routed,
    routed_groups,
    rows_known,
    seed_for,
    weighted_metrics,
)
from skstat.evaluation._progress import Progress, Verbose
from skstat.evaluation._random_state import draw_seed
from skstat.evaluation._run import CrossValidationRun
from skstat.evaluation._schedule import n_workers, start_cost
from skstat.evaluation._scoring import is_error, is_loss, metric_sources, resolve_scoring
from skstat.evaluation._search import read_search
from skstat.evaluation._splitters.by_sample import splitter_making
from skstat.evaluation._splitters.leave_two_blocks_out import LeaveTwoBlocksOut, blocks_for
from skstat.evaluation._store import Store, StoreWarning

__all__ = [
    "DEFAULT_SPLITS",
    "DEFAULT_TEST_SIZE",
    "BootstrapOutOfBag",
    "CheapestClass",
    "Choice",
    "ChosenConstant",
    "ChosenGuess",
    "CrossValidationRun",
    "Data",
    "Dataset",
    "DatasetScores",
    "DatasetsRun",
    "Design",
    "EvaluationError",
    "FailedFit",
    "FiveByTwo",
    "Guess",
    "LeaveTwoBlocksOut",
    "NestedKFold",
    "OutputsRun",
    "PairedSubsampling",
    "Partition",
    "Progress",
    "RandomGuess",
    "RandomOrder",
    "RepeatedGroupKFold",
    "RepeatedHalves",
    "Store",
    "StoreWarning",
    "Verbose",
    "affordable_halvings",
    "blocks_for",
    "check_data",
    "check_splitter",
    "cross_validate_over_datasets",
    "draw_seed",
    "evaluate",
    "evaluate_outputs",
    "evaluate_partitions",
    "is_error",
    "is_known_stable",
    "is_loss",
    "is_routed",
    "metric_sources",
    "n_workers",
    "name_estimators",
    "named_arguments",
    "named_datasets",
    "named_params",
    "paired_cross_validate",
    "partitions_of",
    "random_splits",
    "read_search",
    "repeated_halves",
    "resolve_scoring",
    "routed_groups",
    "rows_known",
    "score",
    "seed_for",
    "splitter_making",
    "start_cost",
    "weighted_metrics",
]
