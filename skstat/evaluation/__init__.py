"""From estimators to scores: designs, folds and runs."""

from skstat.evaluation._dataset import Dataset, named_datasets
from skstat.evaluation._datasets_run import DatasetScores, DatasetsRun, FailedFit
from skstat.evaluation._design import Design, draw_seed
from skstat.evaluation._evaluate import evaluate, paired_cross_validate
from skstat.evaluation._five_by_two import FiveByTwo
from skstat.evaluation._guess import RandomGuess
from skstat.evaluation._inputs import name_estimators, named_arguments
from skstat.evaluation._over_datasets import cross_validate_over_datasets
from skstat.evaluation._plan import EvaluationError
from skstat.evaluation._progress import Progress, Verbose
from skstat.evaluation._run import CrossValidationRun
from skstat.evaluation._schedule import start_cost
from skstat.evaluation._scoring import is_loss, metric_sources
from skstat.evaluation._store import StoreWarning

__all__ = [
    "CrossValidationRun",
    "Dataset",
    "DatasetScores",
    "DatasetsRun",
    "Design",
    "EvaluationError",
    "FailedFit",
    "FiveByTwo",
    "Progress",
    "RandomGuess",
    "StoreWarning",
    "Verbose",
    "cross_validate_over_datasets",
    "draw_seed",
    "evaluate",
    "is_loss",
    "metric_sources",
    "name_estimators",
    "named_arguments",
    "named_datasets",
    "paired_cross_validate",
    "start_cost",
]
