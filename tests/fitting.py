"""The doors that fit estimators, each asked of two learners and of the same data."""

import skstat
from skstat import Dataset


def _over_datasets(pair, X, y, sample_weight=None, **how):
    own = (X, y) if sample_weight is None else Dataset(X, y, sample_weight=sample_weight)
    return skstat.compare_over_datasets(pair, dict.fromkeys("abc", own), **how)


def _check(pair, X, y, **how):
    return skstat.check_test(pair, X, y, **{"n_experiments": 10} | how)


def _one_by_one(door):
    return lambda pair, *data, **how: door(*pair, *data, **how)


def _of_first(door):
    return lambda pair, *data, **how: door(pair[0], *data, **how)


DOORS = {
    "compare_estimators": skstat.compare_estimators,
    "paired_cv_ttest": _one_by_one(skstat.paired_cv_ttest),
    "five_by_two_cv_test": _one_by_one(skstat.five_by_two_cv_test),
    "compare_to_baseline": _of_first(skstat.compare_to_baseline),
    "estimate_performance": _of_first(skstat.estimate_performance),
    "paired_cross_validate": skstat.paired_cross_validate,
    "check_test": _check,
    "compare_over_datasets": _over_datasets,
}
