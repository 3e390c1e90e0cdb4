"""Which test to use when the caller leaves the choice to us, and why."""

from skstat import stats
from skstat.comparison._ask import Procedure, procedure_named, procedures_by_name
from skstat.comparison._test_set import SAMPLES
from skstat.metrics import row_scores
from skstat.stats import PairedPredictions, PairedScores

_AUTO: dict[str, tuple[Procedure, str]] = {
    "instance": (
        stats.sign_flip,
        "paired permutation test, because the units are independent instances",
    ),
    "seed": (stats.paired_t, "paired t test, because the units are independent seeds"),
    "dataset": (
        stats.wilcoxon,
        "Wilcoxon's signed-rank test, because the units are data sets: the sizes of their "
        "differences are ranked, so that no single one decides",
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


_SHORT = {"permutation": "paired_permutation", "bootstrap": "paired_bootstrap"}
_FOR_SPLITS = ("bouckaert_t", "corrected_t", "five_by_two_f", "five_by_two_t")
_GROUPS_FOR_T = 30
_INSTANCES_FOR_DELONG = 15


def choose_for_test_set(
    test: str | Procedure, pair: PairedPredictions
) -> tuple[Procedure, str | None]:
    """Return the procedure for two systems on one test set, and the reason if we chose."""
    if callable(test):
        return test, None
    if test != "auto":
        known = procedures_by_name(*SAMPLES)
        test = _SHORT.get(test, test)
        if test not in known or test in _FOR_SPLITS:
            names = sorted({*known, *_SHORT} - {*_FOR_SPLITS})
            raise ValueError(
                f"test={test!r} is no test for one test set; use 'auto', a function, or one of "
                f"{', '.join(names)}."
            )
        return known[test], None
    is_mean = row_scores(pair) is not None
    plain = pair.sample_weight is None and pair.strata is None
    if pair.ordered:
        if is_mean and plain:
            return stats.diebold_mariano, (
                "the test of Diebold and Mariano, because the rows stand in time order and "
                "the score is a mean over rows"
            )
        return stats.paired_bootstrap, (
            "a bootstrap of blocks, because the rows stand in time order"
        )
    if pair.groups is not None:
        if is_mean and plain and pair.n_units >= _GROUPS_FOR_T:
            return stats.clustered_t, (
                "cluster-robust t test, because rows come in groups and the score is a mean "
                "over rows"
            )
        return stats.paired_permutation, (
            "permutation test that swaps whole groups, because rows come in groups"
        )
    if pair.metric.known == "accuracy_score" and is_mean and plain:
        return stats.mcnemar, (
            "McNemar's test, because the score is the accuracy on independent rows"
        )
    if pair.metric.is_whole_auc and plain and _enough_for_delong(pair):
        return stats.delong, "DeLong's test, because the score is the area under the ROC curve"
    return stats.paired_permutation, (
        "permutation test that swaps the systems' outputs, which needs no formula for the "
        "metric; the interval is that of a bootstrap"
    )


def _enough_for_delong(pair: PairedPredictions) -> bool:
    binary = pair.metric.prepared(pair)
    if any(output.ndim > 1 for output in binary.outputs.values()):
        return False
    positives = int(binary.y_true.sum())
    return min(positives, pair.n_rows - positives) >= _INSTANCES_FOR_DELONG
