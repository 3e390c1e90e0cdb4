"""Functions that compare: front doors, and named tests."""

from skstat.comparison._baseline import compare_to_baseline as compare_to_baseline
from skstat.comparison._check import check_test as check_test
from skstat.comparison._curves import CurveComparison as CurveComparison
from skstat.comparison._curves import compare_cost_curves as compare_cost_curves
from skstat.comparison._curves import compare_curves as compare_curves
from skstat.comparison._estimators import compare_estimators as compare_estimators
from skstat.comparison._estimators import compare_over_datasets as compare_over_datasets
from skstat.comparison._estimators import five_by_two_cv_test as five_by_two_cv_test
from skstat.comparison._estimators import friedman_nemenyi as friedman_nemenyi
from skstat.comparison._estimators import paired_cv_ttest as paired_cv_ttest
from skstat.comparison._find_slices import find_slices as find_slices
from skstat.comparison._leaderboards import compare_preferences as compare_preferences
from skstat.comparison._leaderboards import rank_systems as rank_systems
from skstat.comparison._performance import estimate_performance as estimate_performance
from skstat.comparison._planning import plan_comparison as plan_comparison
from skstat.comparison._planning import recommend_test as recommend_test
from skstat.comparison._predictions import binomial_test as binomial_test
from skstat.comparison._predictions import cochran_q_test as cochran_q_test
from skstat.comparison._predictions import compare_predictions as compare_predictions
from skstat.comparison._predictions import delong_test as delong_test
from skstat.comparison._predictions import mcnemar_test as mcnemar_test
from skstat.comparison._predictions import paired_bootstrap_test as paired_bootstrap_test
from skstat.comparison._predictions import paired_permutation_test as paired_permutation_test
from skstat.comparison._scores import compare_scores as compare_scores
from skstat.comparison._scores import compare_search_candidates as compare_search_candidates

__all__ = [name for name in dir() if not name.startswith("_")]
