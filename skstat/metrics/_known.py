"""What is known about metrics of scikit-learn and of skstat: one entry for each function.

Everything that depends on which metric it is asks here. No entry needs scikit-learn, so that
reports may ask too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from skstat.metrics import _chance as chance
from skstat.metrics import _sums as sums
from skstat.metrics._chance import Chance, of_order
from skstat.metrics._output_kinds import Kind
from skstat.metrics._ranks import of_ranks
from skstat.metrics._sums import cost_array

Bounds = tuple[float | None, float | None]


@dataclass(frozen=True, kw_only=True)
class KnownMetric:
    """Facts of one metric function.

    Attributes
    ----------
    output : str
        What it needs of predictions: labels, numbers, probabilities, scores or anything.
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
        Whether it is, given the truth, a sum of something that depends on the predicted label
        of one row each.
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
        From the metric to the expected score of guesses; see ``_chance``.
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
        """Return what it needs of predictions with these options."""
        if self.matrix_option and options.get(self.matrix_option, "raise") != "raise":
            return "probabilities"
        return self.output

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
    costs = cost_array(options["cost_matrix"])  # of which some may be gains
    return float(costs.min()), float(costs.max())


_loss = partial(KnownMetric, is_loss=True, bounds=_FROM_0)
_mean_loss = partial(_loss, is_mean=True)
_wrong_rows = partial(
    _mean_loss,
    output="labels",
    linear=True,
    kernel=partial(sums.of_right_rows, wrong=True),
    chance=partial(chance.of_labels, chance.misses),
)
_of_classes = partial(KnownMetric, output="labels", bounds=_SHARE)
_of_order = partial(KnownMetric, output="scores", bounds=_SHARE)
_explained = partial(KnownMetric, output="numbers", bounds=_TO_1, needs_spread=True)


def _averaged(
    formula: sums.Formula, expected: chance.OfClass, *options: str, **facts: Any
) -> KnownMetric:
    """Return the facts of an average over classes, which may have further options."""
    allowed = ("average", "labels", "pos_label", "zero_division", *options)
    micro = facts.pop("micro", chance.hits)
    return _of_classes(
        kernel=partial(sums.of_margins, formula, allowed, "binary"),
        chance=partial(chance.of_labels, micro, allowed=options, of_class=expected),
        **facts,
    )


def _mean_of(rows: Callable[..., Any], *options: str, **facts: Any) -> KnownMetric:
    """Return the facts of the mean of a loss of numbers, which may have options."""
    kernel = partial(sums.mean_loss, rows, options)
    return _mean_loss(output="numbers", kernel=kernel, **facts)


def _root_of(rows: Callable[..., Any]) -> KnownMetric:
    """Describe the root of a mean of what every row loses."""
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
        chance=partial(chance.of_labels, chance.hits),
    ),
    "zero_one_loss": _wrong_rows(bounds=_unless("normalize", False, _SHARE), counts="misses"),
    "hamming_loss": _wrong_rows(bounds=_SHARE),
    "cost_sensitive_error": _mean_loss(
        output="labels", bounds=_range_of_costs, linear=True, kernel=sums.costs
    ),
    "precision_score": _averaged(sums.precision, chance.precision, accuracy_averages=_MICRO),
    "recall_score": _averaged(
        sums.recall, chance.recall, linear=True, accuracy_averages=("micro", "weighted")
    ),
    "f1_score": _averaged(sums.f_score, chance.f_score, accuracy_averages=_MICRO),
    "fbeta_score": _averaged(sums.f_score, chance.f_score, "beta", accuracy_averages=_MICRO),
    "jaccard_score": _averaged(sums.jaccard, chance.jaccard, micro=chance.micro_jaccard),
    "balanced_accuracy_score": _of_classes(
        bounds=_unless("adjusted", True, _SHARE),
        linear=True,
        kernel=partial(sums.of_margins, sums.balanced_accuracy, ("adjusted",), "macro"),
        chance=chance.balanced,
    ),
    "matthews_corrcoef": _of_classes(
        bounds=(-1.0, 1.0),
        kernel=partial(sums.of_margins, sums.matthews, (), "macro"),
        chance=partial(chance.of_labels, chance.nothing),
    ),
    "cohen_kappa_score": _of_classes(
        bounds=(-1.0, 1.0),
        kernel=partial(sums.of_margins, sums.kappa, (), "macro"),
        chance=partial(chance.of_labels, chance.nothing, allowed=("weights",)),
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

# Of a function without an entry its name tells the direction. No such loss is below 0.
_LOSS_ENDINGS = ("_error", "_loss", "_deviance")
_NOTHING, _SOME_LOSS = KnownMetric(), _loss()


def metric_facts(function: str) -> KnownMetric:
    """Return what is known about a function of scikit-learn, or of ours, by its name.

    Parameters
    ----------
    function : str
        Name of the function; empty for one of the user's, of which nothing is known.
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
    """Whether a metric of this name looks at the order of scores only, as ROC AUC does.

    Parameters
    ----------
    metric : str
        Name of a metric in a report.
    """
    return _score_named(metric).output == "scores"


def takes_logarithms(metric: str) -> bool:
    """Whether a metric of this name takes logarithms of probabilities, which it cuts off.

    Parameters
    ----------
    metric : str
        Name of a metric in a report.
    """
    return KNOWN.get(metric.removeprefix("neg_"), _NOTHING).is_logarithm


def _score_named(metric: str) -> KnownMetric:
    """Find a score, with an average in its name or without."""
    words = metric.removesuffix("_score").removesuffix(" score")
    for _ in range(2):  # roc_auc_ovr_weighted
        head, _, last = words.rpartition("_")
        if last in _ENDINGS:
            words = head
    return KNOWN.get(f"{words.removesuffix('_score')}_score", _NOTHING)
