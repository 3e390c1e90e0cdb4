"""From estimators to scores: designs, folds and runs."""

from skstat.evaluation._design import Design
from skstat.evaluation._evaluate import paired_cross_validate
from skstat.evaluation._fold import EvaluationError
from skstat.evaluation._kept import StoreWarning
from skstat.evaluation._over_datasets import Dataset, cross_validate_over_datasets
from skstat.evaluation._run import CrossValidationRun, DatasetScores, DatasetsRun, FailedFit
from skstat.evaluation._search import best_candidates
from skstat.evaluation._slices import Slices, make_slices
from skstat.evaluation._splitters import (
    BootstrapOutOfBag,
    FiveByTwo,
    LeaveTwoBlocksOut,
    NestedKFold,
    RepeatedGroupKFold,
    RepeatedHalves,
)

__all__ = [
    "BootstrapOutOfBag",
    "CrossValidationRun",
    "Dataset",
    "DatasetScores",
    "DatasetsRun",
    "Design",
    "EvaluationError",
    "FailedFit",
    "FiveByTwo",
    "LeaveTwoBlocksOut",
    "NestedKFold",
    "RepeatedGroupKFold",
    "RepeatedHalves",
    "Slices",
    "StoreWarning",
    "best_candidates",
    "cross_validate_over_datasets",
    "make_slices",
    "paired_cross_validate",
]
