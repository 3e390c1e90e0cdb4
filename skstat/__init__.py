"""skstat: is model B really better than model A, or was I lucky?

Names are resolved when they are first used, so that ``import skstat.stats`` loads no
scikit-learn and ``import skstat`` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skstat import comparison, display, evaluation, metrics, report, stats, testing
    from skstat.comparison import (
        CostCurveComparison,
        CostCurveDisplay,
        CurveComparison,
        binomial_test,
        cochran_q_test,
        compare_cost_curves,
        compare_curves,
        compare_estimators,
        compare_over_datasets,
        compare_predictions,
        compare_scores,
        compare_search_candidates,
        compare_to_baseline,
        delong_test,
        estimate_performance,
        five_by_two_cv_test,
        friedman_nemenyi,
        mcnemar_test,
        measure_learner_stability,
        paired_bootstrap_test,
        paired_cv_ttest,
        paired_permutation_test,
        recommend_test,
    )
    from skstat.evaluation import (
        BootstrapOutOfBag,
        CrossValidationRun,
        Dataset,
        DatasetsRun,
        EvaluationError,
        FiveByTwo,
        LeaveTwoBlocksOut,
        NestedKFold,
        PairedSubsampling,
        RepeatedGroupKFold,
        RepeatedHalves,
        cross_validate_over_datasets,
        paired_cross_validate,
    )
    from skstat.report import (
        ComparisonReport,
        DatasetsReport,
        LearnerStability,
        MetricsReport,
        PerformanceReport,
        SeedsReport,
        SystemsReport,
        report_from_dict,
    )

__version__ = "0.1.0"

_HOME = {
    "BootstrapOutOfBag": "evaluation",
    "ComparisonReport": "report",
    "CostCurveComparison": "comparison",
    "CostCurveDisplay": "comparison",
    "CrossValidationRun": "evaluation",
    "CurveComparison": "comparison",
    "Dataset": "evaluation",
    "DatasetsRun": "evaluation",
    "EvaluationError": "evaluation",
    "FiveByTwo": "evaluation",
    "LearnerStability": "report",
    "LeaveTwoBlocksOut": "evaluation",
    "MetricsReport": "report",
    "PerformanceReport": "report",
    "NestedKFold": "evaluation",
    "PairedSubsampling": "evaluation",
    "RepeatedGroupKFold": "evaluation",
    "RepeatedHalves": "evaluation",
    "SeedsReport": "report",
    "SystemsReport": "report",
    "DatasetsReport": "report",
    "binomial_test": "comparison",
    "cochran_q_test": "comparison",
    "compare_cost_curves": "comparison",
    "compare_curves": "comparison",
    "compare_estimators": "comparison",
    "compare_over_datasets": "comparison",
    "compare_predictions": "comparison",
    "compare_scores": "comparison",
    "compare_to_baseline": "comparison",
    "cross_validate_over_datasets": "evaluation",
    "delong_test": "comparison",
    "estimate_performance": "comparison",
    "five_by_two_cv_test": "comparison",
    "friedman_nemenyi": "comparison",
    "compare_search_candidates": "comparison",
    "measure_learner_stability": "comparison",
    "mcnemar_test": "comparison",
    "paired_bootstrap_test": "comparison",
    "paired_cross_validate": "evaluation",
    "paired_cv_ttest": "comparison",
    "paired_permutation_test": "comparison",
    "recommend_test": "comparison",
    "report_from_dict": "report",
}
_MODULES = (
    "comparison",
    "display",
    "evaluation",
    "metrics",
    "report",
    "stats",
    "testing",
)

__all__ = [
    "BootstrapOutOfBag",
    "ComparisonReport",
    "CostCurveComparison",
    "CostCurveDisplay",
    "CrossValidationRun",
    "CurveComparison",
    "Dataset",
    "DatasetsReport",
    "DatasetsRun",
    "EvaluationError",
    "FiveByTwo",
    "LearnerStability",
    "LeaveTwoBlocksOut",
    "MetricsReport",
    "NestedKFold",
    "PairedSubsampling",
    "PerformanceReport",
    "RepeatedGroupKFold",
    "RepeatedHalves",
    "SeedsReport",
    "SystemsReport",
    "binomial_test",
    "cochran_q_test",
    "compare_cost_curves",
    "compare_curves",
    "compare_estimators",
    "compare_over_datasets",
    "compare_predictions",
    "compare_scores",
    "compare_search_candidates",
    "compare_to_baseline",
    "comparison",
    "cross_validate_over_datasets",
    "delong_test",
    "display",
    "estimate_performance",
    "evaluation",
    "five_by_two_cv_test",
    "friedman_nemenyi",
    "mcnemar_test",
    "measure_learner_stability",
    "metrics",
    "paired_bootstrap_test",
    "paired_cross_validate",
    "paired_cv_ttest",
    "paired_permutation_test",
    "recommend_test",
    "report",
    "report_from_dict",
    "stats",
    "testing",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"skstat.{_HOME[name]}"), name)
    if name in _MODULES:
        return import_module(f"skstat.{name}")
    raise AttributeError(f"module 'skstat' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
