"""skstat: is model B really better than model A, or was I lucky?

Names are resolved when they are first used, so that ``import skstat.stats`` loads no
scikit-learn and ``import skstat`` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skstat import comparison, display, evaluation, io, metrics, report, stats

    # For type checkers; `__all__` below lists what is public.
    from skstat.comparison import *
    from skstat.evaluation import *
    from skstat.report import *

__version__ = "0.1.0"

_MODULES = ("comparison", "display", "evaluation", "io", "metrics", "report", "stats")
# Modules of public names; those that load least come first.
_HOMES = ("report", "evaluation", "comparison")

__all__ = [
    "Dataset",
    "EvaluationError",
    "Report",
    "ReportGrid",
    "best_candidates",
    "binomial_test",
    "check_test",
    "cochran_q_test",
    "compare_estimators",
    "compare_over_datasets",
    "compare_predictions",
    "compare_preferences",
    "compare_scores",
    "compare_search_candidates",
    "compare_to_baseline",
    "comparison",
    "cross_validate_over_datasets",
    "delong_test",
    "display",
    "estimate_performance",
    "evaluation",
    "explain",
    "find_slices",
    "five_by_two_cv_test",
    "friedman_nemenyi",
    "io",
    "make_slices",
    "mcnemar_test",
    "metrics",
    "paired_bootstrap_test",
    "paired_cross_validate",
    "paired_cv_ttest",
    "paired_permutation_test",
    "plan_comparison",
    "rank_systems",
    "recommend_test",
    "report",
    "report_from_dict",
    "stats",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"skstat.{name}")
    for home in () if name.startswith("_") else _HOMES:
        module = import_module(f"skstat.{home}")
        if name in module.__all__:
            if name in __all__:
                return globals().setdefault(name, getattr(module, name))
            raise AttributeError(f"{name} is in skstat.{home}, not in skstat itself.")
    raise AttributeError(f"module 'skstat' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
