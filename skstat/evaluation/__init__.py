"""From estimators to scores: designs, folds and runs."""

from skstat.evaluation._design import Design, draw_seed
from skstat.evaluation._evaluate import EvaluationError, evaluate, paired_cross_validate
from skstat.evaluation._five_by_two import FiveByTwo
from skstat.evaluation._guess import RandomGuess
from skstat.evaluation._inputs import name_estimators, named_arguments
from skstat.evaluation._progress import Progress, Verbose
from skstat.evaluation._run import CrossValidationRun
from skstat.evaluation._schedule import start_cost
from skstat.evaluation._scoring import is_loss, metric_sources

__all__ = [
    "CrossValidationRun",
    "Design",
    "EvaluationError",
    "FiveByTwo",
    "Progress",
    "RandomGuess",
    "Verbose",
    "draw_seed",
    "evaluate",
    "is_loss",
    "metric_sources",
    "name_estimators",
    "named_arguments",
    "paired_cross_validate",
    "start_cost",
]
