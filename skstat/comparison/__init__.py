"""The questions: front doors and named functions."""

from skstat.comparison._baseline import compare_to_baseline
from skstat.comparison._paired import (
    compare_estimators,
    five_by_two_cv_test,
    paired_cv_ttest,
)
from skstat.comparison._scores import compare_scores

__all__ = [
    "compare_estimators",
    "compare_scores",
    "compare_to_baseline",
    "five_by_two_cv_test",
    "paired_cv_ttest",
]
