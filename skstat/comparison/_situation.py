"""Description of a comparison, from which a test is chosen."""

import math
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal, Self

import numpy as np
from sklearn.model_selection import BaseShuffleSplit, KFold, TimeSeriesSplit

from skstat import evaluation, stats
from skstat.evaluation import _splitters as splitters
from skstat.metrics import ScoreMetric, row_scores
from skstat.stats._read import group_codes
from skstat.stats._scores import FEWEST_REPEATS, check_count, effective_groups

AnyScores = stats.PairedScores | stats.Scores | stats.ScoreTable | stats.SeedScores
Holds = Literal["estimators", "predictions", "scores"]
Metric = Literal["accuracy", "auc", "cost", "mean", "other"]
Splits = Literal["random", "k-fold", "repeated k-fold", "5x2", "row order", "pairs of blocks"]

# With fewer fits of each estimator, no test about learners is valid.
FEWEST_FITS = 10
FEWEST_DATASETS = 6
FEWEST_GROUPS = 6
# With fewer groups there are too few sign flips for several comparisons.
FEWEST_FLIPPED = 10
GROUPS_FOR_T = 30
CLASS_FOR_DELONG = 15
FEWEST_AT_NINE_TENTHS = splitters.FITS_OF_FOLDS + 2 * splitters.FEWEST_BESIDE_FOLDS


@dataclass(frozen=True, kw_only=True)
class Situation:
    """Properties of a comparison; None where they are not known.

    Attributes
    ----------
    holds : {"estimators", "predictions", "scores"}
        What the caller has.
    n_systems : int
        Number of systems; 1 is compared with a constant or a baseline.
    unit : str or None
        Unit of the scores, such as ``"instance"`` or ``"split"``, if the caller has scores.
    splits : str or None
        Kind of the splits; None before there are splits.
    gaps : bool
        Whether scores of some systems are missing on some data sets.
    varies : bool
        Whether the differences on splits, or on rows, have any variance.
    n_splits, ratio
        Number of splits, and total test size over total training size.
    metric : str
        How the metric is computed from rows: share of right ones (``"accuracy"``), whole area
        under the ROC curve (``"auc"``), costs of errors, another mean over rows, or otherwise.
    n, n_groups, smallest_class : int or None
        Numbers of units, groups, and rows of the rarest class.
    n_effective_groups : float or None
        Effective number of groups, if their sizes are known.
    by_rows : bool
        Whether contributions of rows to the metric can be computed: for several seeds, or for
        splits that are repeated partitions of the rows.
    grouped, ordered, weighted : bool
        Whether rows come in groups, in time order, or with weights or strata.
    n_seeds : int or None
        Number of seeds of each system.
    seeds : str or None
        How several seeds are treated; None without them.
    paired_seeds : bool
        Whether seed i is paired across systems.
    stable : bool or None
        Whether every learner is known to change little with small changes of the training data.
    budget : int or None
        Fits per estimator that the caller can afford.
    nine_tenths : bool
        Whether the question is about learners trained on nine tenths of the rows.
    adjustment : str
        How several p-values are adjusted.
    control, one_sided : bool
        Whether one system is compared with each of the others, or in one direction.
    constant : float or None
        Score known in advance that one system is compared with.
    margin : float or None
        Largest difference that does not matter, for tests of equivalence.
    rope : float or None
        Largest difference that is practically none, for posterior probabilities.
    confidence_level : float
        1 minus the level of each of the two tests of equivalence.
    door : str
        Name of the called function, if it is not the usual one for what the caller has.
    """

    holds: Holds
    n_systems: int = 2
    unit: str | None = None
    splits: Splits | None = None
    n_splits: int | None = None
    ratio: float | None = None
    varies: bool = True
    gaps: bool = False
    metric: Metric = "other"
    n: int | None = None
    n_groups: int | None = None
    smallest_class: int | None = None
    n_effective_groups: float | None = None
    by_rows: bool = True
    grouped: bool = False
    ordered: bool = False
    weighted: bool = False
    n_seeds: int | None = None
    seeds: str | None = None
    paired_seeds: bool = False
    stable: bool | None = None
    budget: int | None = None
    nine_tenths: bool = False
    adjustment: str = "auto"
    control: bool = False
    one_sided: bool = False
    constant: float | None = None
    margin: float | None = None
    rope: float | None = None
    confidence_level: float = 0.95
    door: str = ""

    @property
    def data(self) -> str:
        """Kind of data, one of those in the headings of the rules."""
        if self.unit == "dataset":
            return "data sets"
        if self.holds == "predictions":
            return "seeds" if self.seeds is not None and self.n_systems > 1 else "test set"
        if self.holds == "estimators" and self.splits is None:
            return "estimators"
        return "units" if self.splits is None and self.unit != "split" else "splits"

    @property
    def words(self) -> set[str | None]:
        """Conditions of rules that are true of this situation.

        They are kinds (metric, unit, splits, seeds), and names of facts that are known and not
        false. The names of all other facts have the prefix "not-".
        """
        data, n_groups = self.data, self.n if self.unit == "group" else self.n_groups
        mean = self.metric in ("accuracy", "cost", "mean")
        plain = not (self.grouped or self.ordered or self.weighted)
        for_t = (self.n_effective_groups or self.n_groups or GROUPS_FOR_T) >= GROUPS_FOR_T
        by_item = (data == "test set" and mean and not self.weighted) or data == "units"
        of_rows = data in ("test set", "seeds", "units")
        areas = self.smallest_class is None or self.smallest_class >= CLASS_FOR_DELONG
        repeated = self.splits in ("repeated k-fold", "5x2") or data == "estimators"
        few_seeds = self.seeds != "average" and (self.n_seeds or 5) < 5
        facts = vars(self) | {
            "few-datasets": data == "data sets" and (self.n or 6) < FEWEST_DATASETS,
            "joint": self.adjustment in ("auto", "max-t"),
            "few-fits": self.n_systems > 1 and (self.budget or FEWEST_FITS) < FEWEST_FITS,
            "projects": self.by_rows and repeated,
            "guessing": self.constant is None and self.holds == "estimators",
            "rate": self.constant is not None and 0 < self.constant < 1,
            "groups-for-t": self.grouped and for_t,
            "too-few-for-t": self.n_systems == 2 and by_item and self.grouped and not for_t,
            "few-groups": n_groups is not None and n_groups < FEWEST_FLIPPED,
            "hardly-any-groups": of_rows and (self.n_groups or FEWEST_GROUPS) < FEWEST_GROUPS,
            "plain": plain,
            "mean": mean,
            "normal-areas": self.metric == "auc" and plain and areas and self.varies,
            "few-seeds": data == "seeds" and few_seeds,
        }
        kinds = {self.metric, self.unit, f"seeds-{self.seeds}"}
        kinds.add(self.splits and self.splits.replace(" ", "-"))
        for fact, value in facts.items():
            kinds.add(f"not-{fact}" if value is None or value is False else fact)
        return kinds

    @classmethod
    def of(cls, data: Any, **extra: Any) -> Self:
        """Return the situation of scores, of predictions for a test set, or of a run."""
        if isinstance(data, evaluation.DatasetsRun):
            data = data.table(data.metrics[0])
        if isinstance(data, evaluation.CrossValidationRun):
            facts: dict[str, Any] = {"holds": "scores", "n_systems": len(data.names)}
            facts |= {"stable": None if data.unstable else True, "by_rows": data.rows_known}
            return cls.of_design(data.design, **facts | extra)
        read = _facts_of_outputs if isinstance(data, stats.Predictions) else _facts_of_scores
        return cls(**read(data) | extra)

    @classmethod
    def of_design(cls, design: evaluation.Design, **extra: Any) -> Self:
        """Return the situation of estimators whose splits are fixed."""
        folds = (design.halves or design).folds
        repeated = folds is not None and len(folds) >= FEWEST_REPEATS
        extra["by_rows"] = repeated and extra.get("by_rows", False)
        return cls.of(design.null_table().pair("A", "B"), **{"holds": "estimators"} | extra)


def _facts_of_scores(sample: Any) -> dict[str, Any]:
    """Return facts about scores on splits, rows, groups, seeds or data sets."""
    facts: dict[str, Any] = {"holds": "scores", "unit": sample.unit, "n": sample.n_units}
    facts["n_systems"] = sample.n_systems
    if sample.unit == "split":
        facts |= {"splits": _kind(sample), "n_splits": sample.n_units}
        facts |= {"ratio": sample.test_train_ratio, "by_rows": sample.projects}
        facts["grouped"] = sample.size_unit == "group"
    elif getattr(sample, "groups", None) is not None:
        facts |= {"unit": "instance", "n": sample.n_instances, "metric": "mean"}
        facts |= {"grouped": True, "n_groups": sample.n_units}
        facts["n_effective_groups"] = sample.n_effective
    else:
        facts["ordered"] = sample.ordered
        facts["paired_seeds"] = not isinstance(sample, stats.SeedScores)
    one_system = isinstance(sample, stats.Scores)
    if one_system and sample.unit == "instance" and np.isin(sample.values, (0, 1)).all():
        facts["metric"] = "accuracy"
    if isinstance(sample, stats.ScoreTable):
        facts["gaps"] = bool(sample.missing.any())
    return facts


def _facts_of_outputs(predictions: stats.Predictions) -> dict[str, Any]:
    """Return facts about the predictions of systems for one test set."""
    kind, groups = kind_of(predictions.metric), predictions.groups
    if kind in ("accuracy", "cost", "mean") and row_scores(predictions) is None:
        kind = "other"
    facts: dict[str, Any] = {
        "holds": "predictions",
        "n_systems": len(predictions.names),
        "metric": kind,
        "n": predictions.n_rows,
        "grouped": groups is not None,
        "ordered": predictions.ordered,
        "weighted": not (predictions.sample_weight is None and predictions.strata is None),
    }
    if groups is not None:
        weight = effective_groups(groups)
        return facts | {"n_groups": predictions.n_units, "n_effective_groups": weight}
    plain = not (predictions.ordered or facts["weighted"])
    return facts | _areas(predictions) if kind == "auc" and plain else facts


def kind_of(metric: Any) -> Metric:
    """Return how a metric is computed from the rows of a test set."""
    if not isinstance(metric, ScoreMetric):
        return "other"
    if metric.is_accuracy:
        return "accuracy" if metric.options.get("normalize", True) else "other"
    if metric.is_whole_auc:
        return "auc"
    if metric.is_cost:
        return "cost"
    return "mean" if metric.is_mean else "other"


def _kind(sample: stats.PairedScores | stats.Scores | stats.ScoreTable) -> Splits:
    if sample.n_blocks is not None:
        return "pairs of blocks"
    if sample.ordered:
        return "row order"
    if sample.n_repeats is None:
        return "random"
    return _kind_of_folds(sample.n_folds, sample.n_repeats)


def _areas(predictions: stats.Predictions) -> dict[str, Any]:
    """Return the number of rows of the rarer class, and whether areas have a variance.

    The number is 0 unless there are two classes with one score per row. The variance, by
    DeLong's formula, can only be 0 if both areas are 0, 0.5 or 1: one system ranks all rows
    right, and the other ranks all wrong or ties them.
    """
    rows, extremes = predictions.metric.prepared(predictions), {0.0, 0.5, 1.0}
    if any(output.ndim > 1 for output in rows.outputs.values()):
        return {"smallest_class": 0}
    positives = int(rows.y_true.sum())
    smallest, varies = min(positives, predictions.n_rows - positives), True
    if len(predictions.names) == 2 and smallest > 1:
        distinct = {*np.round(predictions.scores, 12)}
        if len(distinct) == 2 and distinct <= extremes:
            areas = stats.BinaryScores.from_scores(rows.y_true, rows.outputs)
            varies = bool(areas.difference_variances[0, 1] > 0)
    return {"smallest_class": smallest, "varies": varies}


def described_groups(groups: Any) -> dict[str, Any]:
    """Return facts about groups, given their number, or the group of every row."""
    if isinstance(groups, Integral):
        return {"grouped": True, "n_groups": check_count("groups", groups)}
    codes = group_codes(groups, len(groups))
    facts = {"n_groups": int(codes.max()) + 1, "n_effective_groups": effective_groups(codes)}
    return {"grouped": True, **facts}


def described_splits(cv: Any, n: int | None = None) -> dict[str, Any]:
    """Return facts about splits, given a splitter, folds, or the test share of `n` splits."""
    if cv is None:
        return {}
    if isinstance(cv, float):
        if not 0 < cv < 1:
            raise ValueError(f"cv={cv!r}: the share of rows for testing lies between 0 and 1.")
        return {"splits": "random", "n_splits": n, "ratio": cv / (1 - cv)}
    if isinstance(cv, Integral) and not isinstance(cv, bool):
        if cv < 2:
            raise ValueError(f"cv={cv!r}: at least two folds are needed to leave one out.")
        cv = KFold(int(cv))
    if isinstance(cv, str) or not hasattr(cv, "split"):
        raise ValueError(
            f"cv={cv!r} must be a number of folds, a share of rows for testing, or a "
            "scikit-learn splitter."
        )
    if isinstance(cv, evaluation.NestedKFold):
        raise ValueError(
            f"cv={cv!r} makes splits of several kinds, which no comparison takes; they are "
            "for skstat.estimate_performance."
        )
    try:
        n = cv.get_n_splits()
    except (AttributeError, TypeError, ValueError):  # it depends on the data
        n = None
    if isinstance(cv, TimeSeriesSplit | evaluation.LeaveTwoBlocksOut):
        in_order = isinstance(cv, TimeSeriesSplit)
        return {"splits": "row order" if in_order else "pairs of blocks", "n_splits": n}
    if isinstance(cv, BaseShuffleSplit | evaluation.BootstrapOutOfBag):
        share = getattr(cv, "test_size", math.exp(-1))
        ratio = share / (1 - share) if isinstance(share, float) else None
        return {"splits": "random", "n_splits": n, "ratio": ratio}
    n_repeats = getattr(cv, "n_repeats", 1)
    n_folds = None if n is None else n // n_repeats
    facts: dict[str, Any] = {"splits": _kind_of_folds(n_folds, n_repeats)}
    if n_repeats < FEWEST_REPEATS:
        facts["by_rows"] = False
    if n_folds is None:
        return facts
    return facts | {"n_splits": n_folds * n_repeats, "ratio": 1 / (n_folds - 1)}


def _kind_of_folds(n_folds: int | None, n_repeats: int) -> Splits:
    if (n_folds, n_repeats) == (2, 5):
        return "5x2"
    return "k-fold" if n_repeats == 1 else "repeated k-fold"
