"""Are a learner's standard errors from one data set right? Compare disjoint halves."""

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit, StratifiedShuffleSplit

from skstat._arguments import explains_arguments
from skstat._positional import estimators_one_by_one, reads
from skstat.evaluation._default_splits import DEFAULT_SPLITS
from skstat.evaluation._evaluate import evaluate
from skstat.evaluation._fits import Fits
from skstat.evaluation._inputs import Data, check_data, name_estimators
from skstat.evaluation._partitions import Partition
from skstat.evaluation._plan import seed_for
from skstat.evaluation._running import Verbose
from skstat.evaluation._store import Store
from skstat.report import LearnerRow, LearnerStability

_THIRD = 1 / 3
_FEWEST_ROWS = 60  # a tenth of a half are three rows then
_FEWEST_HALVINGS = 5
_FEWEST_SPLITS = 5

Split = tuple[NDArray[np.int64], NDArray[np.int64]]


@reads(estimators_one_by_one)
@explains_arguments
def measure_learner_stability(
    estimators: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    sample_weight: Any = None,
    scoring: Any = None,
    n_halvings: int = 50,
    n_splits: int = 10,
    test_size: float = 0.1,
    n_models: int = 10,
    subsample: float = 0.9,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: Verbose = "auto",
    random_state: Any = None,
    memory: Any = None,
    memory_key: str | None = None,
) -> LearnerStability:
    """Measure whether the corrected t test has honest standard errors for a learner.

    The corrected t test assumes how strongly the splits of one data set depend on each other
    [1]_. The dependence is stronger for unstable learners (stumps, nearest neighbours) when
    test sets are small (:ref:`SKS103 <sks103>`), and for the losses of strongly regularised
    learners, whatever the test sets (:doc:`/any_metric`). The test then finds differences that
    do not exist. The variance of one run's splits cannot show this [2]_; two disjoint halves
    of the rows can, because they are independent of each other. The rows are halved at random,
    `n_halvings` times; every half gets random splits of its own, a mean and the standard error
    of the corrected t test. The *inflation* is the root mean square distance of the two means
    relative to that of these errors, for 30 splits. It is near 1, or below, where the test is
    valid.

    The *disagreement* of models trained on overlapping subsamples is reported as well,
    because it is widely believed to measure the same thing. It does not, as the table shows.

    Parameters
    ----------
    estimators : mapping of str to estimator, or list
        The estimators; a list may hold (name, estimator) pairs or estimators, whose class
        names become labels. They may also stand one by one in place of the list. They are
        cloned, never fitted themselves. The difference of two is measured too.
    X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
        The data; 60 rows at least, and better some hundred.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        The targets.
    groups : array-like of shape (n_samples,), optional
        Group of every row; the default splits keep groups together, and so do the halves.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows, for every ``fit`` (for a pipeline, that of its last step) and for
        the metrics that take them. An estimator that takes no weights is refused. With
        metadata routing enabled, the requests of estimators and scorers decide who gets them.
    scoring : str or callable, optional
        One metric, as in :func:`sklearn.model_selection.cross_validate`; default the
        estimators' ``score``.
    n_halvings : int, default=50
        How often the rows are halved, 5 at least.
    n_splits : int, default=10
        Splits of each half, 5 at least.
    test_size : float, default=0.1
        Fraction for testing in the design in question; :func:`paired_cv_ttest` tests on 1/3
        when asked for the corrected t test.
    n_models : int, default=10
        Models trained for the disagreement.
    subsample : float, default=0.9
        Fraction of the training rows that each of them gets.
    params : mapping, optional
        Parameters for ``fit`` and, with metadata routing enabled, for scorers and splitters,
        as in :func:`sklearn.model_selection.cross_validate`. Values with one entry per row of
        X are split along with it.
    n_jobs : int, optional
        Number of parallel workers; None means 1 unless in a :func:`joblib.parallel_config`
        context, -1 all cores.
    verbose : {"auto"}, bool, int or callable, default="auto"
        Progress: ``"auto"`` shows a bar for long runs; a callable gets ``(done, total)``. Very
        long runs are announced.
    random_state : int, RandomState, Generator or None, default=None
        Seeds the default splits, never the estimators. The seed used is reported. With
        `memory`, None reuses the first seed that was drawn for the folder, so that the same
        call finds the fits that an earlier one finished.
    memory : str, path-like or joblib.Memory, optional
        A folder that keeps every finished fit. A run that was stopped continues where it was
        when it is called again. A fit is reused only if estimator, data, split, metric,
        versions and your own code are the same (:doc:`/long_runs`). Use only a folder that you
        trust.
    memory_key : str, optional
        A text that stands for all your own code (classes, metrics, functions, modules): fits
        are reused from `memory` as long as the text stays the same. Change it whenever a
        change of the code changes the results. By default the code itself is compared.

    Returns
    -------
    LearnerStability
        A row per learner with its inflation and disagreement; ``stable`` names those
        without a sign of trouble.

    Raises
    ------
    EvaluationError
        If an estimator cannot be fitted or scored; it names estimator and split.
    ValueError
        If there are too few rows, or arguments do not fit together.

    See Also
    --------
    paired_cv_ttest : Its default, the projection test, measures what this function looks for.

    Notes
    -----
    It takes ``2 * n_halvings * n_splits + n_models`` fits per learner, on half of the rows
    (1010 by default).

    Measured on two classes of 120 rows each (normal features, all equally informative: 10,
    or 40 where it says so): type I error at 0.05 of the corrected t test of two learners of
    one kind that are equally good by construction, with 30 splits and one tenth or one third
    of the rows for testing (250 data sets, standard error 0.014); and what this function
    finds on 50 data sets, the inflation as root mean square, its share above 1.25, where
    ``stable`` ends, and the mean disagreement.

    ==================  ==========  =========  =========  ==========  ============
    learner             type I,     type I,    inflation  above 1.25  disagreement
                        one tenth   one third
    ==================  ==========  =========  =========  ==========  ============
    full tree           0.01        0.00       0.89       0 %         0.31
    LDA                 0.04        0.04       0.99       4 %         0.04
    GaussianNB          0.07        0.03       1.02       6 %         0.05
    tree of depth 3     0.05        0.00       1.04       10 %        0.28
    LDA, 40 features    0.06        0.04       1.06       10 %        0.10
    1-NN                0.10        0.05       1.17       32 %        0.07
    best feature + NB   0.09        0.02       1.27       56 %        0.17
    stump               0.21        0.03       1.52       92 %        0.23
    ==================  ==========  =========  =========  ==========  ============

    For the log loss of logistic regression it was 2.1 to 2.7 with C = 0.001, and 1.3 to 1.4
    with C = 0.1 (12 data sets of 240 rows, ten features, one tenth and one third of the rows
    for testing); of 300 rows the corrected t test rejects 0.49 and 0.10 of true null
    hypotheses there.

    The inflation follows the type I error. The disagreement does not: it is largest for the
    full tree, whose test is the most cautious of all, because models that differ at random
    average out over splits; and 1-NN, whose test is not valid, has less of it than the linear
    discriminant (LDA) with 40 features, whose test is. Comparing the two designs on one data
    set says little: their standard errors are similar for all of these learners (ratio 0.96 to
    1.06), and their verdicts agree in 81 % (stump) to 99 % of all cases.

    Limits of the inflation: it uses training sets of half the size, on which learners are
    rarely more stable; it is uncertain (a standard deviation of 0.13 for GaussianNB), so that
    an excess like that of 1-NN is found on one data set in three; and it says nothing about
    other data, or about other parameters of the learner.

    References
    ----------
    .. [1] Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning, 52, 239-281. :doi:`10.1023/A:1024068626366`
    .. [2] Bengio, Y. & Grandvalet, Y. (2004). No unbiased estimator of the variance of
       K-fold cross-validation. Journal of Machine Learning Research, 5, 1089-1105.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skstat import measure_learner_stability
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = measure_learner_stability(
    ...     {"NB": GaussianNB()}, X[:240], y[:240], n_halvings=10, random_state=0
    ... )
    >>> found.stable
    ('NB',)
    """
    for argument, n, fewest in (
        ("n_halvings", n_halvings, _FEWEST_HALVINGS),
        ("n_splits", n_splits, _FEWEST_SPLITS),
        ("n_models", n_models, 2),
    ):
        if isinstance(n, bool) or not isinstance(n, int | np.integer):
            raise TypeError(f"{argument}={n!r} must be a whole number, {fewest} or more.")
        if n < fewest:
            raise ValueError(f"{argument}={n!r} is too few; use {fewest} or more.")
    for argument, share in (("test_size", test_size), ("subsample", subsample)):
        number = isinstance(share, Real) and not isinstance(share, bool)
        if not number or not 0 < share < 1:
            raise ValueError(f"{argument}={share!r} must lie between 0 and 1.")
    named = name_estimators(estimators)
    if isinstance(scoring, list | tuple | set | Mapping) and len(scoring) != 1:
        raise ValueError(f"scoring names {len(scoring)} metrics; pass one.")
    data = check_data(X, y, groups, named.values())
    if data.n_samples < _FEWEST_ROWS:
        raise ValueError(
            f"X has {data.n_samples} rows; halves of fewer than {_FEWEST_ROWS // 2} rows say "
            f"nothing. Use the default of paired_cv_ttest, which measures the instability "
            f"itself."
        )
    store = Store.of(memory, memory_key)
    seed = seed_for(random_state, store)
    draw = _SubsetDraws(data, seed)
    models = draw.models(n_models, subsample)
    halves = draw.halves(n_halvings, n_splits, test_size)
    fits = Fits(
        named=named,
        X=X,
        y=y,
        groups=groups,
        sample_weight=sample_weight,
        params=params,
        n_jobs=n_jobs,
        verbose=verbose,
        store=store,
    )
    partitions = [Partition([*models, *halves])]
    (run,) = evaluate(fits, scoring=scoring, partitions=partitions, kept_splits=n_models)
    if len(run.metrics) > 1:
        raise ValueError(f"scoring names {len(run.metrics)} metrics; pass one.")
    n_train, n_test = run.design.sizes
    columns = {name: run.column(name) for name in named}
    if len(named) == 2:
        a, b = named
        columns[f"{a} - {b}"] = columns[a] - columns[b]
    shape = (n_halvings, 2, n_splits)
    ratio = n_test[n_models:].reshape(shape).sum(2) / n_train[n_models:].reshape(shape).sum(2)
    numbers = None if run.is_classification else np.asarray(y, dtype=float)
    rows = []
    for name, scores in columns.items():
        kept = run.predictions.get(name)  # none of a difference
        rows.append(
            LearnerRow(
                name=name,
                inflation=inflation(scores[n_models:].reshape(shape), ratio),
                disagreement=None
                if kept is None
                else disagreement([kept[split] for split in range(n_models)], numbers),
            )
        )
    return LearnerStability(
        rows=tuple(rows),
        metric=run.metrics[0],
        is_loss=run.metrics[0] in run.losses,
        n_samples=data.n_samples,
        n_halvings=n_halvings,
        n_splits=n_splits,
        n_models=n_models,
        test_size=float(test_size),
        subsample=float(subsample),
        random_state=seed,
        is_classification=run.is_classification,
    )


def inflation(
    scores: NDArray[np.float64],
    test_train_ratio: NDArray[np.float64],
    *,
    of_splits: int = DEFAULT_SPLITS,
) -> float:
    """Spread of the mean over `of_splits` splits, in corrected standard errors.

    `scores` has the shape (n_halvings, 2, n_splits), the ratio (n_halvings, 2). The mean of
    two halves differs by what their splits share, which more splits do not change, and by
    what each split adds: its variance, divided by the number of splits.
    """
    variances = scores.var(axis=2, ddof=1)
    expected = float((variances * (1 / of_splits + test_train_ratio)).sum())
    if expected <= (1e-10 * np.abs(scores).max()) ** 2:
        return math.nan
    between = float(np.sum(np.diff(scores.mean(axis=2), axis=1) ** 2))
    added = float(variances.sum()) * (1 / scores.shape[2] - 1 / of_splits)
    return math.sqrt(max(0.0, between - added) / expected)


def disagreement(predictions: Sequence[Any], y: NDArray[np.float64] | None) -> float:
    """How much models differ: share of labels, or spread relative to that of y."""
    stacked = np.array([np.asarray(each).reshape(len(each), -1) for each in predictions])
    if y is not None:
        spread = np.sqrt(stacked.astype(float).var(axis=0, ddof=1).mean(axis=0))
        sd = y.reshape(len(y), -1).std(axis=0, ddof=1)
        return float(np.mean(spread / sd)) if (sd > 0).all() else math.nan
    n = len(stacked)
    shares = [
        np.mean((stacked[i] != stacked[j]).any(axis=1)) for i in range(n) for j in range(i)
    ]
    return float(np.mean(shares))


class _SubsetDraws:
    """Random subsets of the rows, of which each has all classes, or keeps groups together."""

    def __init__(self, data: Data, seed: int) -> None:
        self._codes = data.class_codes
        self._groups = (
            None
            if data.groups is None
            else np.unique(np.asarray(data.groups), return_inverse=True)[1]
        )
        self._rows = np.arange(data.n_samples)
        self._seeds = np.random.SeedSequence(seed)

    def models(self, n_models: int, subsample: float) -> list[Split]:
        """Subsamples of two thirds of the rows, each tested on the last third."""
        ((rest, held_out),) = self._split(self._rows, 1, test_size=_THIRD)
        return [
            (train, held_out)
            for train, _ in self._split(rest, n_models, test_size=1 - subsample)
        ]

    def halves(self, n_halvings: int, n_splits: int, test_size: float) -> list[Split]:
        """Splits of both halves of every halving, one after the other."""
        return [
            split
            for pair in self._split(self._rows, n_halvings, test_size=0.5)
            for half in pair
            for split in self._split(half, n_splits, test_size=test_size)
        ]

    def _split(self, rows: NDArray[Any], n: int, *, test_size: float) -> list[Split]:
        options: dict[str, Any] = {
            "n_splits": n,
            "test_size": test_size,
            "random_state": int(self._seeds.spawn(1)[0].generate_state(1)[0]),
        }
        y = groups = None
        splitter: Any
        if self._groups is not None:
            splitter, groups = GroupShuffleSplit(**options), self._groups[rows]
        elif self._codes is not None:
            splitter, y = StratifiedShuffleSplit(**options), self._codes[rows]
        else:
            splitter = ShuffleSplit(**options)
        try:
            return [(rows[a], rows[b]) for a, b in splitter.split(rows, y, groups)]
        except ValueError as error:
            raise ValueError(
                f"the data are too small to be halved and split again: {error} Test on one "
                "third of the rows, the default of paired_cv_ttest, which needs no check."
            ) from None
