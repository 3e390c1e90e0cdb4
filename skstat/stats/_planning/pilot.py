"""Plans from a comparison that was made: what varied there, never what was found."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import Reference, Stored, laws
from skstat.stats._estimates import Estimate
from skstat.stats._literature import HANLEY_MCNEIL_1982, WILSON_1927
from skstat.stats._outcomes import Outcome, check_level
from skstat.stats._paired import SignedRankOutcome, SignOutcome
from skstat.stats._planning.counts import McNemarPlanner, Method, SignPlanner
from skstat.stats._planning.means import PilotPlanner, SeedsPlanner, SplitsPlanner, upper_limit
from skstat.stats._planning.planner import Planner, smallest
from skstat.stats._planning.ranks import WilcoxonPlanner
from skstat.stats._samples import RowContributions, check_count, check_number, usual_correlation
from skstat.stats._seeds import CrossedOutcome
from skstat.stats._splits import ProjectionOutcome
from skstat.stats._test_set import McNemarOutcome

_MOST = 1.2  # factor by which the standard deviation of a row may change
_SURE = 2.0  # standard errors by which it must have

_NOT_KNOWN = (
    "that the difference, and what one {unit} varies by, stay as they are with more {unit}s is "
    "assumed; nothing here supports it"
)
_HOLDS = (
    "from half of the {unit}s to nine tenths no change was found in the difference or in what "
    "one {unit} varies by; with more {unit}s this is assumed"
)

_SAMPLED = ("instance", "row", "group")  # units that more data have more of
_UNITS = {"instance": "row", "dataset": "data set"}
_USUAL = 0.6827  # level of an interval of one standard error, of a normal law


def wilson_half_width(n: int, share: float, *, confidence_level: float = 0.95) -> float:
    """Half the width of the interval of `share` seen in `n` rows (Wilson, 1927)."""
    check_count("n", n)
    check_number("share", share, least=0, most=1, what="a share from 0 to 1")
    check_level(confidence_level)
    z = laws().norm.isf((1 - confidence_level) / 2)
    inner = share * (1 - share) / n + z * z / (4 * n * n)
    return float(z / (1 + z * z / n) * math.sqrt(inner))


@dataclass(frozen=True, kw_only=True)
class Precision(Stored, ABC):
    """How precisely the score of one system is known, before there are any data.

    Attributes
    ----------
    confidence_level : float
        Level of the interval.
    """

    references: ClassVar[tuple[Reference, ...]] = ()

    confidence_level: float = 0.95

    def __post_init__(self) -> None:
        check_level(self.confidence_level)

    @abstractmethod
    def half_width(self, n: int) -> float:
        """Half of the width of the confidence interval.

        Parameters
        ----------
        n : int
            Number of rows.

        Returns
        -------
        float
            In the unit of the score.
        """

    def size(self, half_width: float) -> int | None:
        """Smallest number of rows with an interval that is at most as wide.

        Parameters
        ----------
        half_width : float
            Half of the width of the interval, in the unit of the score.

        Returns
        -------
        int or None
            None where it would take more than 10^8 rows.
        """
        check_number("half_width", half_width, above=0, what="a number above 0")
        return smallest(lambda n: self.half_width(n) <= half_width)

    @property
    def _z(self) -> float:
        return float(laws().norm.isf((1 - self.confidence_level) / 2))


@dataclass(frozen=True, kw_only=True)
class SharePrecision(Precision):
    """How precisely a share is known, such as accuracy: Wilson's interval.

    Attributes
    ----------
    share : float
        The share that is expected, from 0 to 1; 0.5 takes most rows.
    confidence_level : float
        Level of the interval.

    Examples
    --------
    >>> from skstat.stats import SharePrecision
    >>> SharePrecision(share=0.9).size(0.02)
    868
    """

    references: ClassVar[tuple[Reference, ...]] = (WILSON_1927,)

    share: float

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("share", self.share, least=0, most=1, what="a share from 0 to 1")

    def half_width(self, n: int) -> float:
        return wilson_half_width(n, self.share, confidence_level=self.confidence_level)


@dataclass(frozen=True, kw_only=True)
class MeanPrecision(Precision):
    """How precisely a mean over rows is known, or any score with a standard error.

    Attributes
    ----------
    sd : float
        Standard deviation over rows; of a pilot its standard error times the root of its
        number of rows.
    confidence_level : float
        Level of the interval.

    Examples
    --------
    >>> from skstat.stats import MeanPrecision
    >>> MeanPrecision(sd=0.5).size(0.05)
    385
    """

    sd: float

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("sd", self.sd, above=0, what="a finite standard deviation above 0")

    def half_width(self, n: int) -> float:
        return self._z * self.sd / math.sqrt(check_count("n", n))


@dataclass(frozen=True, kw_only=True)
class AUCPrecision(Precision):
    """How precisely an area under the ROC curve is known.

    Without a pilot the variance is that of exponential scores (Hanley and McNeil, 1982,
    equation 1). For normal scores of large areas that is up to half too much. With a pilot it
    is DeLong's: ``placements`` over positive and over negative rows.

    Attributes
    ----------
    area : float
        The area that is expected, above 0 and below 1.
    prevalence : float
        Share of positive rows.
    placements : (float, float) or None
        DeLong's components of the variance in a pilot: the variance over its positive rows of
        the share of negative ones that score lower, and that over its negative rows of the
        share of positive ones that score higher.
    confidence_level : float
        Level of the interval.

    Examples
    --------
    >>> from skstat.stats import AUCPrecision
    >>> AUCPrecision(area=0.8, prevalence=0.5).size(0.05)
    302
    >>> AUCPrecision(area=0.73, prevalence=41 / 113, placements=(0.086, 0.0411)).size(0.05)
    464
    """

    references: ClassVar[tuple[Reference, ...]] = (HANLEY_MCNEIL_1982,)

    area: float
    prevalence: float
    placements: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("area", "prevalence"):
            value = getattr(self, name)
            check_number(name, value, above=0, what="a share above 0 and below 1")
            if value >= 1:
                raise ValueError(f"{name}={value!r} must be a share above 0 and below 1.")
        for value in self.placements or ():
            check_number("placements", value, least=0, what="two variances of at least 0")

    def standard_error(self, n_positive: float, n_negative: float) -> float:
        """Standard error of the area.

        Parameters
        ----------
        n_positive, n_negative : float
            Rows of each class.

        Returns
        -------
        float
            The standard error.
        """
        a = self.area
        if self.placements is not None:
            over_positive, over_negative = self.placements
            return math.sqrt(over_positive / n_positive + over_negative / n_negative)
        of_positive = a / (2 - a) - a * a
        of_negative = 2 * a * a / (1 + a) - a * a
        found = a * (1 - a)
        found += (n_positive - 1) * of_positive + (n_negative - 1) * of_negative
        return math.sqrt(found / (n_positive * n_negative))

    def half_width(self, n: int) -> float:
        positive = self.prevalence * check_count("n", n)
        return self._z * self.standard_error(positive, n - positive)


# What the data say about more rows: does a plan by the root of their number hold?
#
# A plan of more rows for learners assumes that the difference, and what one row varies by, stay
# what they are when training sets grow. Where both were measured at two sizes it can be seen
# whether they did.


def about_more_rows(
    outcome: Outcome, sample: Any, unit: str, *, alpha: float
) -> tuple[str, ...]:
    """Say whether training sizes that were tried speak against a plan of more rows.

    `unit` is what there is to be more of, rows or groups. The sizes do if the interval of the
    change of the difference excludes zero, or if the standard deviation of a row's difference
    changed by more than a fifth.
    """
    change = outcome.change(1 - alpha) if isinstance(outcome, ProjectionOutcome) else None
    if change is None:
        return (_NOT_KNOWN.format(unit=unit),)
    found = []
    if not change.interval.low <= 0 <= change.interval.high:
        found.append(
            f"the difference was {change.half:+.4g} on half of the {unit}s and "
            f"{change.half + change.change:+.4g} on nine tenths, and will be another one with "
            "more: plan for what you expect then"
        )
    factor = spread_factor(sample)
    if factor is not None and not 1 / _MOST <= factor <= _MOST:
        much = f"too few {unit}s" if factor > 1 else f"more {unit}s than it takes"
        found.append(
            f"from half of the {unit}s to nine tenths the standard deviation of one {unit}'s "
            f"difference changed by a factor of {factor:.2f}; if that goes on, the plan says "
            f"{much}"
        )
    return tuple(found) or (_HOLDS.format(unit=unit),)


def spread_factor(sample: Any) -> float | None:
    """Factor by which the standard deviation of one row changed from halves to more.

    None where that is not known, or where it may be chance.
    """
    small = getattr(getattr(sample, "halves", None), "rows", None)
    large = getattr(sample, "rows", None)
    if not isinstance(small, RowContributions) or not isinstance(large, RowContributions):
        return None
    before, after = _squares(small), _squares(large)
    means = before.mean(), after.mean()
    if min(means) <= 0:
        return None
    log = math.log(means[1] / means[0]) / 2
    apart = after / means[1] - before / means[0]
    error = float(np.std(apart, ddof=1)) / (2 * math.sqrt(len(apart)))
    return math.exp(log) if abs(log) > _SURE * error else None


def _squares(rows: RowContributions) -> NDArray[np.float64]:
    """Return of every row a number whose mean is the variance of one row's difference.

    That of learners that were fitted once: models that share most of their training rows err
    alike, so that the variance of a row's mean over repetitions depends on their size.
    """
    values = rows.values[:, :, 0] - rows.values[:, :, 1]
    return np.asarray(np.square(values - values.mean()).mean(axis=0))


class Pilot(NamedTuple):
    """A plan from a comparison that was made.

    Attributes
    ----------
    planner : Planner
        The plan.
    n : int
        Units of the comparison.
    note : str
        What was taken from it.
    assumed : tuple of str
        What is assumed of more units, and whether the comparison supports it.
    """

    planner: Planner
    n: int
    note: str
    assumed: tuple[str, ...] = ()


class Answers(NamedTuple):
    """Answers to each item, and what they add to the variance of an estimate.

    Attributes
    ----------
    number : float
        Answers of each system to an item.
    share : float
        Share of the squared standard error that falls with more of them.
    """

    number: float
    share: float


class _Asked(NamedTuple):
    """What is asked of a comparison: level, sides, upper limit, what there is more of."""

    alpha: float
    one_sided: bool
    limit: float | None
    more: str | None
    instance: str = "row"
    answers: "Answers | None" = None

    def unit_of(self, sample: Any) -> str:
        """Return what a unit is called."""
        unit = str(sample.unit)
        return self.instance if unit == "instance" else _UNITS.get(unit, unit)

    def levels(self) -> dict[str, Any]:
        return {"alpha": self.alpha, "one_sided": self.one_sided}

    def upper(self, sd: float, df: float) -> float:
        return sd if self.limit is None else upper_limit(sd, df, self.limit)

    def note(self, what: str, n: int, unit: str) -> str:
        if self.limit is None:
            return (
                f"the {what} is an estimate from the {n} {unit}s so far; half of such plans "
                "miss their power"
            )
        return (
            f"the {what} is an upper {100 * self.limit:g} % limit from the {n} {unit}s so far"
        )

    def choose(self, *possible: str) -> str:
        if self.more is not None and self.more not in possible:
            raise ValueError(
                f"more={self.more!r} is not possible here; use "
                f"{' or '.join(map(repr, possible))}."
            )
        return possible[0] if self.more is None else self.more


def plan_from(
    outcome: Outcome,
    sample: Any,
    *,
    alpha: float,
    one_sided: bool,
    limit: float | None,
    more: str | None,
    instance: str = "row",
    answers: Answers | None = None,
) -> Pilot:
    """Return the plan of the same comparison on other numbers of units.

    `instance` is what an instance is called, and `answers` are those to each, if it has some.
    """
    asked = _Asked(alpha, one_sided, limit, more, instance, answers)
    return _pilot(outcome, sample, asked)


def plan_from_estimate(
    estimate: Estimate,
    n_rows: int | None,
    *,
    alpha: float,
    limit: float | None,
    more: str | None,
) -> Pilot:
    """Return the plan of the same estimate on other numbers of units.

    Parameters
    ----------
    estimate : Estimate
        The score of one system.
    n_rows : int or None
        Rows that all splits were made of, where the estimate is from splits.
    alpha : float
        One minus the level of the interval.
    limit : float or None
        Level of the upper limit of the standard error.
    more : str or None
        Of what there is to be more.
    """
    asked = _Asked(alpha, False, limit, more)
    unit, n = _UNITS.get(estimate.unit, estimate.unit), estimate.n_units
    if estimate.unit not in _SAMPLED:
        if n_rows is None:
            raise ValueError("the number of rows is not known, so that nothing can be planned.")
        unit, n = "row", n_rows
    asked.choose(f"{unit}s")
    low, high = estimate.confidence_interval(_USUAL)
    error = estimate.standard_error or (high - low) / 2
    _refuse_none(error)
    df = estimate.df or float(max(1, estimate.n_units - 1))
    planner = PilotPlanner(
        falls=asked.upper(error, df),
        n_pilot=n,
        of=unit,
        freedom=estimate.df,
        made_by=estimate.method,
        **asked.levels(),
    )
    return Pilot(planner, n, asked.note("standard error", n, unit))


@singledispatch
def _pilot(outcome: Outcome, sample: Any, asked: _Asked) -> Pilot:
    """Scale the standard error with the number of units."""
    if sample.unit == "split":
        return _of_splits(outcome, sample, asked)
    unit, n = asked.unit_of(sample), int(sample.n_units)
    df, answers = _degrees(outcome, n), asked.answers
    more = asked.choose(f"{unit}s", *["answers"] * (answers is not None))
    error = asked.upper(_error_of(outcome, sample), df)
    if more == "answers" and answers is not None:
        planner = PilotPlanner(
            falls=error * math.sqrt(answers.share),
            stays=error * math.sqrt(1 - answers.share),
            n_pilot=round(answers.number),
            of="answer",
            freedom=df,
            made_by=outcome.test,
            helps=f"more {unit}s",
            **asked.levels(),
        )
        assumed = (
            f"answers of each system to each item; of the variance {answers.share:.0%} is "
            "between them",
        )
        note = asked.note("standard error", n, unit)
        return Pilot(planner, round(answers.number), note, assumed)
    planner = PilotPlanner(
        falls=error,
        n_pilot=n,
        of=unit,
        made_by=outcome.test,
        **asked.levels(),
    )
    return Pilot(planner, n, asked.note("standard error", n, unit))


def _of_splits(outcome: Outcome, sample: Any, asked: _Asked) -> Pilot:
    more, n = asked.choose(f"{sample.size_unit}s", "splits"), int(sample.n_units)
    ratio = getattr(sample, "test_train_ratio", None)
    differences = getattr(sample, "differences", None)
    if more == "splits":
        if ratio is None or differences is None:
            raise ValueError("more='splits' needs the sizes of the splits, and their scores.")
        sd = float(np.std(differences, ddof=1))
        _refuse_none(sd)
        planner = SplitsPlanner(sd=asked.upper(sd, n - 1), ratio=ratio, **asked.levels())
        return Pilot(planner, n, asked.note("standard deviation", n, "split"))
    if ratio is None or sample.n_train is None:  # of complete partitions no size is needed
        raise ValueError(
            "the sizes of the splits are not known, so that nothing can be said about more "
            f"{sample.size_unit}s; give n_train and n_test."
        )
    rows = round(float(np.mean(sample.n_train)) + float(np.mean(sample.n_test)))
    df = _degrees(outcome, n)
    grown = PilotPlanner(
        falls=asked.upper(_error_of(outcome, sample), df),
        n_pilot=rows,
        of=str(sample.size_unit),
        freedom=df,
        made_by=outcome.test,
        **asked.levels(),
    )
    assumed = about_more_rows(outcome, sample, str(sample.size_unit), alpha=asked.alpha)
    return Pilot(grown, rows, asked.note("standard error", n, "split"), assumed)


@_pilot.register
def _of_rows_projected(outcome: ProjectionOutcome, sample: Any, asked: _Asked) -> Pilot:
    unit = outcome.sampled_unit
    more = asked.choose(f"{unit}s", "splits")
    rows, df = outcome.n_sampled, float(outcome.df)  # type: ignore[arg-type]
    if rows is None:
        raise ValueError("the report does not know from how many rows its standard error is.")
    parts = (outcome.sampling_error, outcome.instability_error)
    _refuse_none(math.hypot(*parts))
    assumed: tuple[str, ...] = ()
    if more == "splits":  # the rows stay the sample that they are
        n, of = int(sample.n_units), "split"
        kept, averaged = _parts_of_instability(outcome.instability_correlation, n)
        stays = asked.upper(
            math.hypot(outcome.sampling_error, kept * outcome.instability_error), df
        )
        falls = averaged * outcome.instability_error
    else:
        falls, stays, n, of = math.hypot(*parts), 0.0, rows, unit
        assumed = about_more_rows(outcome, sample, unit, alpha=asked.alpha)
    planner = PilotPlanner(
        falls=asked.upper(falls, df) or 1e-12 * stays,
        stays=stays,
        n_pilot=n,
        of=of,
        freedom=df,
        made_by=outcome.test,
        helps=f"more {unit}s",
        **asked.levels(),
    )
    return Pilot(planner, n, asked.note("standard error", rows, unit), assumed)


def _parts_of_instability(kappa: float | None, n_splits: int) -> tuple[float, float]:
    """Return what more splits leave of the instability, and what they average out.

    The test assumes that the instabilities of two splits are correlated, so that its variance
    falls as ``kappa + 1 / n_splits``. Where it is not known, that of metrics other than means
    is taken, which is the larger one.
    """
    kappa = usual_correlation(of_mean=False) if kappa is None else kappa
    whole = kappa + 1 / n_splits
    return math.sqrt(kappa / whole), math.sqrt(1 / (n_splits * whole))


@_pilot.register
def _of_seeds(outcome: CrossedOutcome, sample: Any, asked: _Asked) -> Pilot:
    n_rows = getattr(sample, "n_units", None)
    seeds = getattr(sample, "n_seeds", None)
    known = {"instances", "seeds"} <= set(outcome.variance_parts)  # not for averages
    if seeds is None or n_rows is None or not known:
        return _pilot.dispatch(Outcome)(outcome, sample, asked)
    more = asked.choose("rows", "seeds")
    n, parts = min(seeds), outcome.variance_parts
    error, df = _error_of(outcome, sample), _degrees(outcome, n)
    if more == "rows":
        kept = math.sqrt(parts["seeds"])
        fall = math.sqrt(parts["instances"] + parts["residual"])
        planner: Planner = PilotPlanner(
            falls=asked.upper(fall, n_rows - 1),
            stays=asked.upper(kept, max(1.0, n - 1)),
            helps="more seeds",
            n_pilot=n_rows,
            freedom=df,
            made_by=outcome.test,
            **asked.levels(),
        )
        return Pilot(planner, n_rows, asked.note("standard error", n_rows, "row"))
    _refuse_none(error)
    planner = SeedsPlanner(
        sd_rows=math.sqrt(parts["instances"] * n_rows),
        sd_seeds=asked.upper(math.sqrt(parts["seeds"] * n), max(1.0, n - 1)),
        sd_rest=math.sqrt(parts["residual"] * n_rows * n),
        n_rows=n_rows,
        paired_seeds=bool(getattr(sample, "paired_seeds", False)),
        **asked.levels(),
    )
    return Pilot(planner, n, asked.note("standard deviation over seeds", n, "seed"))


@_pilot.register
def _of_agreement(outcome: McNemarOutcome, sample: Any, asked: _Asked) -> Pilot:
    unit = asked.unit_of(sample)
    asked.choose(f"{unit}s")
    differ, n = outcome.only_a + outcome.only_b, outcome.n
    share = differ / n
    if asked.limit is not None:  # Clopper and Pearson's limit
        share = (
            float(laws().beta.ppf(asked.limit, differ + 1, n - differ)) if differ < n else 1.0
        )
    elif differ == 0:
        _refuse_none(0.0)
    method = cast(Method, outcome.method)
    planner = McNemarPlanner(discordant=share, method=method, of=unit, **asked.levels())
    return Pilot(planner, n, asked.note("share with exactly one right", n, unit))


@_pilot.register(SignedRankOutcome)
@_pilot.register(SignOutcome)
def _of_ranks(outcome: Outcome, sample: Any, asked: _Asked) -> Pilot:
    if sample.unit != "dataset":
        return _pilot.dispatch(Outcome)(outcome, sample, asked)
    asked.choose("data sets")
    n = int(sample.n_units)
    sd = float(np.std(sample.differences, ddof=1)) if n > 1 else 0.0
    _refuse_none(sd)
    kind = SignPlanner if isinstance(outcome, SignOutcome) else WilcoxonPlanner
    planner = kind(sd=asked.upper(sd, n - 1), **asked.levels())
    return Pilot(planner, n, asked.note("standard deviation", n, "data set"))


def _degrees(outcome: Outcome, n: int) -> float:
    df = outcome.df
    return float(df) if isinstance(df, int | float) and df > 0 else float(max(1, n - 1))


def _error_of(outcome: Outcome, sample: Any) -> float:
    """Return the standard error of the difference of the scores.

    Where the test has none, it is half of the interval of about one standard error; where the
    test is of something else, the one of the mean difference.
    """
    error, differences = outcome.standard_error, getattr(sample, "differences", None)
    of_scores = outcome.scale == "score" and outcome.quantity.is_difference
    if differences is None and not of_scores:
        raise ValueError(
            f"the {outcome.test} is not about the difference of the scores, so that "
            "nothing can be planned from it; use plan_comparison."
        )
    if differences is not None and (error is None or not of_scores):
        n = len(differences)
        error = float(np.std(differences, ddof=1)) / math.sqrt(n) if n > 1 else 0.0
    elif error is None:
        low, high = outcome._interval_alone(_USUAL)
        error = (high - low) / 2
    _refuse_none(float(error))
    return float(error)


def _refuse_none(error: float) -> None:
    if not (math.isfinite(error) and error > 0):
        raise ValueError(
            "nothing varied in this comparison, so that nothing can be planned from it; "
            "use plan_comparison, and say what will vary."
        )
