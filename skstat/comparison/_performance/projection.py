"""The projection interval: repeated partitions, and what every row contributed to them."""

from typing import Any

from skstat import stats
from skstat.comparison._performance.run_scores import RunScores, Systems
from skstat.evaluation import Design
from skstat.stats import Estimate
from skstat.stats._splits import FEWEST_REPEATS


def check_partitions(design: Design, splitter: Any) -> None:
    """Refuse splits that are not complete partitions of the rows, three of them or more."""
    folds = design.for_variance.folds
    n_repeats = 0 if folds is None else len(folds)
    if n_repeats < FEWEST_REPEATS:
        raise ValueError(
            f"method='projection' reads {FEWEST_REPEATS} repeats of a K-fold or more, in each "
            f"of which every row is tested once, and cv={design.splitter} gives {design.kind}. "
            "Leave cv out, or use RepeatedStratifiedKFold, RepeatedKFold or RepeatedHalves."
        )


def read_projection(scores: RunScores, systems: Systems) -> Estimate | None:
    """Estimate from the scores of the folds, with what every row contributed to them."""
    if not scores.projects:
        raise ValueError(
            f"method='projection' needs the contribution of every row to "
            f"scoring={scores.metric!r}, but the scorer gave scores that the rows do not add "
            f"up to, or has parameters of its own. Use 'corrected_t'."
        )
    return stats.projection_estimate(
        scores.of_folds(systems), quantity=scores.quantity(systems)
    )
