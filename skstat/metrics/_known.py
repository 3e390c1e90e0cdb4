"""Facts about metrics of scikit-learn and of skstat: one entry for each function.

All code that depends on the identity of a metric reads its facts here. No entry needs
scikit-learn, so that reports can read them too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skstat.metrics import _sums as sums
from skstat.metrics._output_kinds import Kind
from skstat.metrics._ranks import of_ranks
from skstat.stats import _chance as tails

Floats = NDArray[np.float64]
# From the rows of each class, and the share of guesses of each class, to the expected score.
OfAll = Callable[[Floats, Floats], float]
# The same for one class against the rest: its rows, all rows, its share of guesses, beta.
OfClass = Callable[[float, float, float, float], float]


@dataclass(frozen=True, kw_only=True)
class Chance:
    """Expected score of drawn labels, or of rows in random order.

    Every row gets label c with probability ``shares[c]``, independently of all else. Of class
    c there are P rows among n, and M of the n guesses name it: M is binomial, and given M the
    number of hits TP is hypergeometric with mean M P / n. Precision, recall and F are linear
    in TP given M. Jaccard's denominator is P + FP, and TP and FP are independent. The
    numerators of Matthews' correlation and of kappa have mean 0 given how often every class is
    named, and their denominators depend on that alone.

    Attributes
    ----------
    of_all : callable or None
        Formula of all classes at once; of an average over classes, the micro average.
    of_class : callable or None
        Formula of one class against the rest, for precision, recall, F and Jaccard.
    average : {"binary", "macro", "weighted", "micro"}
        Which classes count, for precision, recall, F and Jaccard; for metrics of the order of
        scores, how classes are averaged, each against the rest.
    beta : float
        Weight of recall in F.
    pos_label : object
        The class that counts when `average` is binary, or the positive one of two for metrics
        of the order of scores, where None is the second.
    is_loss : bool
        Whether the score is negated.
    of_order : bool
        Whether it is a metric of the order of scores, not of labels.
    """

    of_all: OfAll | None = None
    of_class: OfClass | None = None
    average: str = "binary"
    beta: float = 1.0
    pos_label: Any = 1
    is_loss: bool = False
    of_order: bool = False

    def fits(self, classes: list[Any]) -> bool:
        """Whether the metric is defined for these classes."""
        one_counts = self.average == "binary" or (self.of_order and self.pos_label is not None)
        is_one_of_two = len(classes) == 2 and self.pos_label in classes
        return is_one_of_two or self.of_class is None or not one_counts

    def expected(self, classes: list[Any], counts: Any, shares: Any = None) -> float:
        """Return the expected score, higher is better.

        Parameters
        ----------
        classes : list of length n_classes
            Labels, ascending.
        counts : ndarray of shape (n_classes,)
            Number of rows of each class, none of them 0.
        shares : ndarray of shape (n_classes,)
            Share of guesses of each class.
        """
        counts, sign = np.asarray(counts, dtype=float), -1.0 if self.is_loss else 1.0
        shares = np.zeros_like(counts) if shares is None else np.asarray(shares, dtype=float)
        if self.of_all is not None and (self.of_class is None or self.average == "micro"):
            return sign * self.of_all(counts, shares)
        assert self.of_class is not None
        one_class = self.average == "binary" or (self.of_order and len(classes) == 2)
        n, chosen = counts.sum(), [*range(len(classes))]
        if one_class:
            chosen = [1 if self.pos_label is None else classes.index(self.pos_label)]
        scores = [self.of_class(counts[c], n, shares[c], self.beta) for c in chosen]
        weights = counts if self.average == "weighted" and not one_class else None
        return sign * float(np.average(scores, weights=weights))


def hits(counts: Floats, shares: Floats) -> float:
    """Return the expected share of rows whose label is guessed."""
    return float(counts @ shares / counts.sum())


def misses(counts: Floats, shares: Floats) -> float:
    """Return the expected share of rows whose label is not guessed."""
    return 1 - hits(counts, shares)


def mean_share(counts: Floats, shares: Floats) -> float:
    """Return the balanced accuracy: the mean recall, which is 1 / n_classes for guesses."""
    return float(np.mean(shares))


def nothing(counts: Floats, shares: Floats) -> float:
    """Return 0, the expected correlation with guesses."""
    return 0.0


def recall(positives: float, n: float, share: float, beta: float) -> float:
    """Return the expected recall of one class."""
    return share


def precision(positives: float, n: float, share: float, beta: float) -> float:
    """Return the expected precision of one class; 0 where it is never predicted."""
    return float(positives / n * (1 - (1 - share) ** n))


def jaccard(positives: float, n: float, share: float, beta: float) -> float:
    """Return the expected Jaccard index of one class."""
    false, chance = _binomial(n - positives, share)
    return float(positives * share * (chance @ (1 / (positives + false))))


def f_score(positives: float, n: float, share: float, beta: float) -> float:
    """Return the expected F score of one class."""
    squared = beta**2
    n_named, chance = _binomial(n, share)
    return float((1 + squared) * positives / n * (chance @ _part(n_named, squared * positives)))


def average_precision(positives: float, n: float, share: float, beta: float) -> float:
    r"""Expected average precision of scores that are drawn whatever the truth is.

    With P positives among n rows in random order, no two of which have the same score, it is

    .. math:: \frac{P}{n} + \frac{(n - P)(H_n - 1)}{n (n - 1)}

    where :math:`H_n` is the n-th harmonic number: a positive is at place i with probability
    P / n, and the i - 1 rows above it hold :math:`(i - 1)(P - 1)/(n - 1)` others on average.
    A constant score gives P / n, which is less: ties cost what luck at the top brings.
    """
    harmonic = float(np.sum(1 / np.arange(1, n + 1)))
    return positives / n + (n - positives) * (harmonic - 1) / (n * (n - 1))


def _part(n_named: Floats, rest: float) -> Floats:
    """``named / (rest + named)``, and 0 where nothing is named."""
    return np.where(n_named > 0, n_named / np.maximum(rest + n_named, 1e-300), 0.0)


def micro_jaccard(counts: Floats, shares: Floats) -> float:
    """Return the expected ``T / (2 n - T)``, with T hits, a sum of binomial numbers."""
    low, chance = 0.0, np.ones(1)
    for count, share in zip(counts, shares, strict=True):
        hits, added = _binomial(count, share)
        low, chance = low + hits[0], np.convolve(chance, added)
    total = low + np.arange(len(chance))
    return float(chance @ (total / (2 * counts.sum() - total)))


def _binomial(n: float, share: float) -> tuple[Floats, Floats]:
    """Return numbers of successes, and their probabilities unless below 1e-30."""
    n = round(n)
    reach = 12 * (n * share * (1 - share)) ** 0.5 + 30
    low = max(0, int(n * share - reach))
    high = min(n, int(n * share + reach) + 1)
    if share in (0.0, 1.0):
        low = high = round(n * share)
    successes = np.arange(low, high + 1, dtype=float)
    return successes, np.asarray(tails.laws().binom.pmf(successes, n, share), dtype=float)


_AVERAGES = ("binary", "macro", "micro", "weighted")


def of_labels(
    of_all: OfAll, metric: Any, *, allowed: Sequence[str] = (), of_class: OfClass | None = None
) -> Chance | None:
    """Return the `Chance` of a metric of all classes at once, or of an average over classes.

    `allowed` are the options that the metric may have. For averages, `of_all` is the micro
    average, which is the accuracy for most metrics. None for other options.
    """
    averages = of_class is not None
    average = metric.options.get("average", "binary")
    permitted = {*allowed, *(("average", "pos_label") if averages else ())}
    if set(metric.options) - permitted or average not in _AVERAGES:
        return None
    settings = dict(metric.options) if averages else {}
    if average != "binary":
        settings.pop("pos_label", None)
    return Chance(of_all=of_all, of_class=of_class, is_loss=metric.is_loss, **settings)


def balanced(metric: Any) -> Chance | None:
    """Return the `Chance` of balanced accuracy, which is 0 if it is adjusted."""
    of_all = nothing if metric.options.get("adjusted", False) else mean_share
    return of_labels(of_all, metric, allowed=("adjusted",))


def of_order(metric: Any) -> Chance | None:
    """Return the `Chance` of average precision; None where its options have no formula."""
    options = dict(metric.options)
    average = options.pop("average", "macro")
    if options or average not in ("macro", "weighted") or metric.is_loss:
        return None
    label = metric.pos_label
    return Chance(of_class=average_precision, of_order=True, average=average, pos_label=label)


Bounds = tuple[float | None, float | None]


@dataclass(frozen=True, kw_only=True)
class KnownMetric:
    """Facts of one metric function.

    Attributes
    ----------
    output : str
        Kind of predictions that it needs: labels, numbers, probabilities, scores or anything.
    is_loss : bool
        Whether low values are good.
    bounds : tuple of float or callable
        Lowest and highest value; None where there is none. A function of the options where
        these change it.
    is_mean : bool
        Whether it is a mean over rows, each of which has a score of its own.
    counts : {"hits", "misses", ""}
        Which rows have the score 1, where all others have 0.
    linear : bool
        Whether it is, given the truth, a sum of terms that each depend on the predicted label
        of one row.
    accuracy_averages : tuple of str
        Averages over classes that make it the accuracy of single labels.
    is_logarithm : bool
        Whether it takes logarithms of probabilities, which it clips in their own precision,
        and ``labels=`` says of which class each column is, so that rows may miss one.
    matrix_option : str
        Option that makes it a metric of probabilities of several classes.
    needs_spread : bool
        Whether it measures errors against the spread of the truth.
    quantile_option : str
        Option that says which quantile is the best constant prediction.
    kernel : callable or None
        From predictions and their metric to a kernel; see ``_sums.py``.
    chance : callable or None
        From the metric to the expected score of guesses; see :class:`Chance`.
    """

    output: Kind = "anything"
    is_loss: bool = False
    bounds: Bounds | Callable[[Mapping[str, Any]], Bounds] = (None, None)
    is_mean: bool = False
    counts: Literal["hits", "misses", ""] = ""
    linear: bool = False
    accuracy_averages: tuple[str, ...] = ()
    is_logarithm: bool = False
    matrix_option: str = ""
    needs_spread: bool = False
    quantile_option: str = ""
    kernel: sums.Builder | None = None
    chance: Callable[[Any], Chance | None] | None = None

    def output_for(self, options: Mapping[str, Any]) -> Kind:
        """Return the kind of predictions that it needs with these options."""
        several = self.matrix_option and options.get(self.matrix_option, "raise") != "raise"
        return "probabilities" if several else self.output

    def bounds_for(self, options: Mapping[str, Any]) -> Bounds:
        """Return the lowest and the highest value with these options."""
        return self.bounds(options) if callable(self.bounds) else self.bounds

    def is_linear(self, options: Mapping[str, Any]) -> bool:
        """Whether it is linear in the predicted labels with these options."""
        average = options.get("average", "")
        if self.linear:
            return average not in ("samples", None)
        return average in self.accuracy_averages and "labels" not in options


_SHARE = (0.0, 1.0)
_FROM_0: Bounds = (0.0, None)
_TO_1: Bounds = (None, 1.0)


def _unless(option: str, value: Any, bounds: Bounds) -> Callable[[Mapping[str, Any]], Bounds]:
    """Return bounds that hold unless an option has this value."""
    return lambda options: (None, None) if options.get(option) is value else bounds


def _range_of_costs(options: Mapping[str, Any]) -> Bounds:
    costs = sums.cost_array(options["cost_matrix"])  # negative costs are gains
    return float(costs.min()), float(costs.max())


_loss = partial(KnownMetric, is_loss=True, bounds=_FROM_0)
_mean_loss = partial(_loss, is_mean=True)
_wrong_rows = partial(
    _mean_loss,
    output="labels",
    linear=True,
    kernel=partial(sums.of_right_rows, wrong=True),
    chance=partial(of_labels, misses),
)
_of_classes = partial(KnownMetric, output="labels", bounds=_SHARE)
_of_order = partial(KnownMetric, output="scores", bounds=_SHARE)
_explained = partial(KnownMetric, output="numbers", bounds=_TO_1, needs_spread=True)


def _averaged(
    formula: sums.Formula, expected: OfClass, *options: str, **facts: Any
) -> KnownMetric:
    """Return the facts of an average over classes, which may have further options."""
    allowed = ("average", "labels", "pos_label", "zero_division", *options)
    micro = facts.pop("micro", hits)
    return _of_classes(
        kernel=partial(sums.of_margins, formula, allowed, "binary"),
        chance=partial(of_labels, micro, allowed=options, of_class=expected),
        **facts,
    )


def _mean_of(rows: Callable[..., Any], *options: str, **facts: Any) -> KnownMetric:
    """Return the facts of the mean of a loss of numbers, which may have options."""
    kernel = partial(sums.mean_loss, rows, options)
    return _mean_loss(output="numbers", kernel=kernel, **facts)


def _root_of(rows: Callable[..., Any]) -> KnownMetric:
    """Return the facts of the root of a mean loss."""
    return _loss(output="numbers", kernel=partial(sums.mean_loss, rows, (), root=True))


_MICRO = ("micro",)
KNOWN: Mapping[str, KnownMetric] = {
    # Of labels.
    "accuracy_score": KnownMetric(
        output="labels",
        bounds=_unless("normalize", False, _SHARE),
        is_mean=True,
        counts="hits",
        linear=True,
        kernel=sums.of_right_rows,
        chance=partial(of_labels, hits),
    ),
    "zero_one_loss": _wrong_rows(bounds=_unless("normalize", False, _SHARE), counts="misses"),
    "hamming_loss": _wrong_rows(bounds=_SHARE),
    "cost_sensitive_error": _mean_loss(
        output="labels", bounds=_range_of_costs, linear=True, kernel=sums.costs
    ),
    "precision_score": _averaged(sums.precision, precision, accuracy_averages=_MICRO),
    "recall_score": _averaged(
        sums.recall, recall, linear=True, accuracy_averages=("micro", "weighted")
    ),
    "f1_score": _averaged(sums.f_score, f_score, accuracy_averages=_MICRO),
    "fbeta_score": _averaged(sums.f_score, f_score, "beta", accuracy_averages=_MICRO),
    "jaccard_score": _averaged(sums.jaccard, jaccard, micro=micro_jaccard),
    "balanced_accuracy_score": _of_classes(
        bounds=_unless("adjusted", True, _SHARE),
        linear=True,
        kernel=partial(sums.of_margins, sums.balanced_accuracy, ("adjusted",), "macro"),
        chance=balanced,
    ),
    "matthews_corrcoef": _of_classes(
        bounds=(-1.0, 1.0),
        kernel=partial(sums.of_margins, sums.matthews, (), "macro"),
        chance=partial(of_labels, nothing),
    ),
    "cohen_kappa_score": _of_classes(
        bounds=(-1.0, 1.0),
        kernel=partial(sums.of_margins, sums.kappa, (), "macro"),
        chance=partial(of_labels, nothing, allowed=("weights",)),
    ),
    "class_likelihood_ratios": KnownMetric(output="labels"),
    # Of probabilities.
    "log_loss": _mean_loss(
        output="probabilities",
        is_logarithm=True,
        kernel=partial(sums.of_probabilities, sums.log_loss),
    ),
    "brier_score_loss": _mean_loss(
        output="probabilities",
        kernel=partial(sums.of_probabilities, sums.brier, of_two=True),
    ),
    "d2_log_loss_score": KnownMetric(output="probabilities", bounds=_TO_1, is_logarithm=True),
    "d2_brier_score": KnownMetric(output="probabilities", bounds=_TO_1),
    # Of scores.
    "roc_auc_score": _of_order(matrix_option="multi_class", kernel=partial(of_ranks, "auc")),
    "rank_loss": _of_order(is_loss=True, kernel=partial(of_ranks, "auc", offset=-1.0)),
    "average_precision_score": _of_order(
        kernel=partial(of_ranks, "average_precision"), chance=of_order
    ),
    "precision_recall_break_even": _of_order(kernel=partial(of_ranks, "break_even")),
    "top_k_accuracy_score": KnownMetric(bounds=_unless("normalize", False, _SHARE)),
    # Of numbers.
    "mean_squared_error": _mean_of(sums.squared_error),
    "mean_absolute_error": _mean_of(sums.absolute_error),
    "mean_absolute_percentage_error": _mean_of(sums.absolute_percentage_error),
    "mean_squared_log_error": _mean_of(sums.squared_log_error),
    "mean_pinball_loss": _mean_of(sums.pinball, "alpha", quantile_option="alpha"),
    "mean_poisson_deviance": _mean_of(sums.poisson_deviance),
    "mean_gamma_deviance": _mean_of(sums.gamma_deviance),
    "mean_tweedie_deviance": _loss(output="numbers"),
    "root_mean_squared_error": _root_of(sums.squared_error),
    "root_mean_squared_log_error": _root_of(sums.squared_log_error),
    "median_absolute_error": _loss(output="numbers"),
    "max_error": _loss(output="numbers"),
    "r2_score": _explained(kernel=sums.explained),
    "explained_variance_score": _explained(kernel=partial(sums.explained, about_mean=True)),
    "d2_absolute_error_score": _explained(),
    "d2_pinball_score": _explained(quantile_option="alpha"),
    "d2_tweedie_score": _explained(),
}

# The name of a function without an entry tells its direction. No such loss is below 0.
_LOSS_ENDINGS = ("_error", "_loss", "_deviance")
_NOTHING, _SOME_LOSS = KnownMetric(), _loss()


def metric_facts(function: str) -> KnownMetric:
    """Return the facts of a function of scikit-learn, or of skstat, by its name.

    Parameters
    ----------
    function : str
        Name of the function; empty for a user's own, which has no facts.
    """
    by_name = _SOME_LOSS if function.endswith(_LOSS_ENDINGS) else _NOTHING
    return KNOWN.get(function, by_name)


_ENDINGS = ("binary", "macro", "micro", "samples", "weighted", "ovo", "ovr")


def lies_between_0_and_1(metric: str) -> bool:
    """Whether a metric of this name has scores from 0 to 1, as accuracy has.

    Names are those of scikit-learn's scorers and functions, with an average or without.
    Scores that happen to lie there say nothing: so do small errors of a regression.

    Parameters
    ----------
    metric : str
        Name of a metric in a report.
    """
    return _score_named(metric).bounds_for({}) == _SHARE


def is_area_under_curve(metric: str) -> bool:
    """Whether a metric of this name depends on the order of scores only, as ROC AUC does.

    Parameters
    ----------
    metric : str
        Name of a metric in a report.
    """
    return _score_named(metric).output == "scores"


def takes_logarithms(metric: str) -> bool:
    """Whether a metric of this name takes logarithms of probabilities, which it clips.

    Parameters
    ----------
    metric : str
        Name of a metric in a report.
    """
    return KNOWN.get(metric.removeprefix("neg_"), _NOTHING).is_logarithm


def _score_named(metric: str) -> KnownMetric:
    """Return the facts of a score by its name, with or without an average in it."""
    words = metric.removesuffix("_score").removesuffix(" score")
    for _ in range(2):  # roc_auc_ovr_weighted
        head, _, last = words.rpartition("_")
        if last in _ENDINGS:
            words = head
    return KNOWN.get(f"{words.removesuffix('_score')}_score", _NOTHING)
