"""Which test to use when the caller leaves the choice to us, and why."""

from skstat import stats
from skstat.comparison._ask import Procedure, procedure_named
from skstat.stats import PairedScores

_AUTO: dict[str, tuple[Procedure, str]] = {
    "instance": (
        stats.sign_flip,
        "paired permutation test, because the units are independent instances",
    ),
    "seed": (stats.paired_t, "paired t test, because the units are independent seeds"),
    "dataset": (
        stats.wilcoxon,
        "Wilcoxon's signed-rank test, because scores of different data sets need not be "
        "commensurable",
    ),
}


def choose(test: str | Procedure, sample: PairedScores) -> tuple[Procedure, str | None]:
    """Return the procedure, and the reason if it was not the caller who chose it."""
    if test != "auto":
        return procedure_named(test), None
    if sample.unit != "split":
        return _AUTO[str(sample.unit)]
    if sample.n_repeats == 5 and sample.n_folds == 2:
        return stats.five_by_two_f, "Alpaydin's F, because the splits are 5x2 halves"
    return stats.corrected_t, (
        "corrected t test, because the units are splits of one data set, which share "
        "training rows"
    )
