"""From estimators to scores: designs, folds and runs."""

from skstat.evaluation._design import Design as Design
from skstat.evaluation._evaluate import Dataset as Dataset
from skstat.evaluation._evaluate import (
    cross_validate_over_datasets as cross_validate_over_datasets,
)
from skstat.evaluation._evaluate import paired_cross_validate as paired_cross_validate
from skstat.evaluation._fold import EvaluationError as EvaluationError
from skstat.evaluation._kept import StoreWarning as StoreWarning
from skstat.evaluation._run import CrossValidationRun as CrossValidationRun
from skstat.evaluation._run import DatasetScores as DatasetScores
from skstat.evaluation._run import DatasetsRun as DatasetsRun
from skstat.evaluation._run import FailedFit as FailedFit
from skstat.evaluation._search import best_candidates as best_candidates
from skstat.evaluation._slices import Slices as Slices
from skstat.evaluation._slices import make_slices as make_slices
from skstat.evaluation._splitters import BootstrapOutOfBag as BootstrapOutOfBag
from skstat.evaluation._splitters import FiveByTwo as FiveByTwo
from skstat.evaluation._splitters import LeaveTwoBlocksOut as LeaveTwoBlocksOut
from skstat.evaluation._splitters import NestedKFold as NestedKFold
from skstat.evaluation._splitters import RepeatedGroupKFold as RepeatedGroupKFold
from skstat.evaluation._splitters import RepeatedHalves as RepeatedHalves

__all__ = [name for name in dir() if not name.startswith("_")]
