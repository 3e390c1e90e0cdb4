"""Functions that compare: front doors, and named tests."""

from skstat.comparison._baseline import compare_to_baseline
from skstat.comparison._check import check_test
from skstat.comparison._curves import CurveComparison, compare_cost_curves, compare_curves
from skstat.comparison._estimators import (
    compare_estimators,
    compare_over_datasets,
    five_by_two_cv_test,
    friedman_nemenyi,
    paired_cv_ttest,
)
from skstat.comparison._find_slices import find_slices
from skstat.comparison._leaderboards import compare_preferences, rank_systems
from skstat.comparison._named_tests import (
    binomial_test,
    cochran_q_test,
    delong_test,
    mcnemar_test,
    paired_bootstrap_test,
    paired_permutation_test,
)
from skstat.comparison._performance import estimate_performance
from skstat.comparison._plan_comparison import plan_comparison
from skstat.comparison._predictions import compare_predictions
from skstat.comparison._recommend import recommend_test
from skstat.comparison._scores import compare_scores, compare_search_candidates

__all__ = [
    "CurveComparison",
    "binomial_test",
    "check_test",
    "cochran_q_test",
    "compare_cost_curves",
    "compare_curves",
    "compare_estimators",
    "compare_over_datasets",
    "compare_predictions",
    "compare_preferences",
    "compare_scores",
    "compare_search_candidates",
    "compare_to_baseline",
    "delong_test",
    "estimate_performance",
    "find_slices",
    "five_by_two_cv_test",
    "friedman_nemenyi",
    "mcnemar_test",
    "paired_bootstrap_test",
    "paired_cv_ttest",
    "paired_permutation_test",
    "plan_comparison",
    "rank_systems",
    "recommend_test",
]
