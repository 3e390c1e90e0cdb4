"""Plans from a comparison that was made: what varied there, never what was found."""

import math
from typing import Any, NamedTuple

import numpy as np

from skstat import stats
from skstat.stats import Comparison, RowContributions
from skstat.stats._chance import laws
from skstat.stats._mcnemar import Discordant
from skstat.stats._ranks import SignedRanks, Signs
from skstat.stats._seeds import Crossed
from skstat.stats._t_tests import Projection
from skstat.stats._words import unit_word

_SAMPLED = ("instance", "row", "group")  # units that more data have more of
_USUAL = 0.6827  # level of an interval of one standard error, of a normal law
_MOST = 1.2  # factor by which the standard deviation of a row may change
_SURE = 2.0  # standard errors by which it must have


class Pilot(NamedTuple):
    """A plan from a comparison that was made.

    Attributes
    ----------
    planner : Plan
        The plan.
    n : int
        Units of the comparison.
    notes : tuple of str
        What was taken from it; then what is assumed of more units, and whether the comparison
        supports it.
    """

    planner: stats.Plan
    n: int
    notes: tuple[str, ...]


class Asked(NamedTuple):
    """What is asked of a comparison.

    Attributes
    ----------
    alpha, one_sided
        Level and sides of the test.
    limit : float or None
        Level of the upper limit of what varied; None takes the estimate.
    more : str or None
        What there is to be more of.
    instance : str
        What an instance is called.
    answers : tuple of float, or None
        Answers to each item, where there are several.
    """

    alpha: float
    one_sided: bool
    limit: float | None
    more: str | None
    instance: str = "row"
    answers: tuple[float, float] | None = None

    def unit_of(self, sample: Any) -> str:
        """Return what a unit is called."""
        return self.instance if sample.unit == "instance" else unit_word(sample.unit)

    def upper(self, sd: float, df: float) -> float:
        """Return a standard deviation of `df` degrees of freedom, or its upper limit.

        ``sd * sqrt(df / q)``, where q is the ``1 - limit`` quantile of chi-squared (Browne,
        1995). Plans from the estimate itself miss their power half of the time.
        """
        if self.limit is None:
            return sd
        return float(sd * math.sqrt(df / laws().chi2.ppf(1 - self.limit, df)))

    def choose(self, *possible: str) -> str:
        """Return what there is to be more of."""
        if self.more is not None and self.more not in possible:
            instead = " or ".join(map(repr, possible))
            raise ValueError(f"more={self.more!r} is not possible here; use {instead}.")
        return possible[0] if self.more is None else self.more

    def pilot(
        self, n: int, what: str, seen: tuple[int, str], planner: stats.Plan, *assumed: str
    ) -> Pilot:
        """Return a plan at the level that is asked: from what, of how many of which units."""
        how, missed = "an estimate", "; half of such plans miss their power"
        if self.limit is not None:
            how, missed = f"an upper {100 * self.limit:g} % limit", ""
        note = f"the {what} is {how} from the {seen[0]} {seen[1]}s so far{missed}"
        planner = planner.assuming(alpha=self.alpha, one_sided=self.one_sided)
        return Pilot(planner, n, (note, *assumed))

    def more_of(
        self, unit: str, n: int, error: float, *assumed: str, seen: Any = None, **of: Any
    ) -> Pilot:
        """Return a plan of more units than n, from a standard error, of which some may stay."""
        planner = stats.plan_from(error, n, unit=unit, **of)
        return self.pilot(n, "standard error", seen or (n, unit), planner, *assumed)


def pilot_of_estimate(estimate: stats.Estimate, n_rows: int | None, asked: Asked) -> Pilot:
    """Return the plan of the same estimate of one system on other numbers of units.

    `n_rows` are the rows that all splits were made of, where the estimate is from splits.
    """
    unit, n = asked.unit_of(estimate), estimate.n_units
    if estimate.unit not in _SAMPLED:
        if n_rows is None:
            raise ValueError("the number of rows is not known, so that nothing can be planned.")
        unit, n = "row", n_rows
    asked.choose(f"{unit}s")
    low, high = estimate.confidence_interval(_USUAL)
    error = _varied(estimate.standard_error or (high - low) / 2)
    error = asked.upper(error, estimate.df or float(max(1, estimate.n_units - 1)))
    return asked.more_of(unit, n, error, df=estimate.df, test=estimate.method)


def pilot_of(outcome: Comparison, sample: Any, asked: Asked) -> Pilot:
    """Return the plan of the same comparison on other numbers of units.

    Parameters
    ----------
    outcome : Comparison
        What was found.
    sample : evidence
        What it was computed from.
    asked : Asked
        What is asked.
    """
    match outcome.law:
        case Projection() as law:
            return _of_rows_projected(law, outcome, sample, asked)
        case Crossed() as law:
            known = {"instances", "seeds"} <= set(law.variance_parts)
            if known and getattr(sample, "n_seeds", None) is not None:  # else of averages
                return _of_seeds(law, outcome, sample, asked)
        case Discordant() as law:
            return _of_agreement(law, sample, asked)
        case Signs() | SignedRanks() as law if sample.unit == "dataset":
            return _of_ranks(law, sample, asked)
    if sample.unit == "split":
        return _of_splits(outcome, sample, asked)
    unit, n = asked.unit_of(sample), int(sample.n_units)
    df, answers = _degrees(outcome, n), asked.answers
    more = asked.choose(f"{unit}s", *["answers"] * (answers is not None))
    error = asked.upper(_error_of(outcome, sample), df)
    if more != "answers" or answers is None:
        return asked.more_of(unit, n, error, test=outcome.test)
    number, falls = answers
    said = f"answers of each system to each item; of the variance {falls:.0%} is between them"
    return asked.more_of(
        "answer", round(number), error * math.sqrt(falls), said, seen=(n, unit), df=df,
        stays=error * math.sqrt(1 - falls), test=outcome.test, beyond=f"more {unit}s",
    )  # fmt: skip


def _of_splits(outcome: Comparison, sample: Any, asked: Asked) -> Pilot:
    unit, n = str(sample.size_unit), int(sample.n_units)
    ratio = getattr(sample, "test_train_ratio", None)
    if asked.choose(f"{unit}s", "splits") == "splits":
        differences = getattr(sample, "differences", None)
        if ratio is None or differences is None:
            raise ValueError("more='splits' needs the sizes of the splits, and their scores.")
        sd = asked.upper(_spread(differences), n - 1)
        return asked.pilot(n, "standard deviation", (n, "split"), stats.plan_splits(sd, ratio))
    if ratio is None or sample.n_train is None:  # of complete partitions no size is needed
        raise ValueError(f"more {unit}s need the sizes of the splits; give n_train and n_test.")
    rows = round(float(np.mean(sample.n_train) + np.mean(sample.n_test)))
    df, assumed = _degrees(outcome, n), _about_more_rows(outcome, sample, unit, asked)
    error, seen = asked.upper(_error_of(outcome, sample), df), (n, "split")
    return asked.more_of(unit, rows, error, *assumed, seen=seen, df=df, test=outcome.test)


def _of_rows_projected(
    law: Projection, outcome: Comparison, sample: Any, asked: Asked
) -> Pilot:
    unit, rows = law.sampled_unit, law.n_sampled
    more, df = asked.choose(f"{unit}s", "splits"), float(outcome.df)
    own, changing = law.sampling_error, law.instability_error
    falls, stays, n, of = _varied(math.hypot(own, changing)), 0.0, rows, unit
    assumed: tuple[str, ...] = ()
    if more == "splits":  # the rows stay the sample that they are
        n, of = int(sample.n_units), "split"
        # The test assumes that the instabilities of two splits are correlated, so that their
        # variance falls as ``kappa + 1 / n``.
        kappa = law.instability_correlation
        stays = asked.upper(math.hypot(own, math.sqrt(kappa / (kappa + 1 / n)) * changing), df)
        falls = math.sqrt(1 / (n * (kappa + 1 / n))) * changing
    else:
        assumed = _about_more_rows(outcome, sample, unit, asked)
    falls = asked.upper(falls, df) or 1e-12 * stays
    return asked.more_of(
        of, n, falls, *assumed, seen=(rows, unit), stays=stays, df=df, test=outcome.test,
        beyond=f"more {unit}s",
    )  # fmt: skip


def _of_seeds(law: Crossed, outcome: Comparison, sample: Any, asked: Asked) -> Pilot:
    rows, n, parts = sample.n_units, min(sample.n_seeds), law.variance_parts
    more, df_of_seeds = asked.choose("rows", "seeds"), max(1.0, n - 1)
    _error_of(outcome, sample)  # which refuses what nothing can be planned from
    of_rows, of_seeds, rest = parts["instances"], parts["seeds"], parts["residual"]
    if more == "rows":
        return asked.more_of(
            "row", rows, asked.upper(math.sqrt(of_rows + rest), rows - 1),
            stays=asked.upper(math.sqrt(of_seeds), df_of_seeds), df=_degrees(outcome, n),
            test=outcome.test, beyond="more seeds",
        )  # fmt: skip
    upper, paired = asked.upper(math.sqrt(of_seeds * n), df_of_seeds), sample.paired_seeds
    sds = math.sqrt(of_rows * rows), upper, math.sqrt(rest * rows * n)
    planner = stats.plan_seeds(*sds, rows, paired_seeds=paired)
    return asked.pilot(n, "standard deviation over seeds", (n, "seed"), planner)


def _of_agreement(law: Discordant, sample: Any, asked: Asked) -> Pilot:
    unit, n, differ = asked.unit_of(sample), law.n, law.only_a + law.only_b
    asked.choose(f"{unit}s")
    share = _varied(differ / n) if asked.limit is None else 1.0
    if asked.limit is not None and differ < n:  # Clopper and Pearson's limit
        share = float(laws().beta.ppf(asked.limit, differ + 1, n - differ))
    planner = stats.plan_mcnemar(share, method=law.method, unit=unit)
    return asked.pilot(n, "share with exactly one right", (n, unit), planner)


def _of_ranks(law: Any, sample: Any, asked: Asked) -> Pilot:
    asked.choose("data sets")
    n, test = int(sample.n_units), "sign" if isinstance(law, Signs) else "wilcoxon"
    planner = stats.plan_units(asked.upper(_spread(sample.differences), n - 1), test=test)
    return asked.pilot(n, "standard deviation", (n, "data set"), planner)


def _spread(differences: Any) -> float:
    return _varied(float(np.std(differences, ddof=1)) if len(differences) > 1 else 0.0)


def _degrees(outcome: Comparison, n: int) -> float:
    df = outcome.df
    return float(df) if isinstance(df, int | float) and df > 0 else float(max(1, n - 1))


def _error_of(outcome: Comparison, sample: Any) -> float:
    """Return the standard error of the difference of the scores.

    Where the test has none, it is half of the interval of about one standard error; where the
    test is of something else, the one of the mean difference.
    """
    error, differences = outcome.standard_error, getattr(sample, "differences", None)
    of_scores = outcome.scale == "score" and outcome.law.quantity.is_difference
    if differences is None and not of_scores:
        what = "is not about the difference of the scores"
        raise ValueError(f"the {outcome.test} {what}; use plan_comparison.")
    if differences is not None and (error is None or not of_scores):
        error = _spread(differences) / math.sqrt(len(differences))
    elif error is None:
        low, high = outcome._interval_alone(_USUAL)
        error = (high - low) / 2
    return _varied(float(error))


def _varied(error: float) -> float:
    """Return a number that tells how much something varied; refuse where nothing did."""
    if not (math.isfinite(error) and error > 0):
        instead = "use plan_comparison, and say what will vary"
        raise ValueError(f"nothing varied in this comparison; {instead}.")
    return error


def _about_more_rows(
    outcome: Comparison, sample: Any, unit: str, asked: Asked
) -> tuple[str, ...]:
    """Say whether training sizes that were tried speak against a plan of more rows.

    `unit` is what there is to be more of, rows or groups. A plan for learners assumes that the
    difference, and what one row varies by, stay what they are when training sets grow. Where
    both were measured at two sizes it can be seen whether they did: they did not if the
    interval of the change of the difference excludes zero, or if the standard deviation of a
    row's difference changed by more than a fifth.
    """
    law = outcome.law
    half, change = (law.half, law.change) if isinstance(law, Projection) else (None, None)
    if half is None or change is None:
        return (
            f"that the difference, and what one {unit} varies by, stay as they are with more "
            f"{unit}s is assumed; nothing here supports it",
        )
    found = []
    low, high = change.limits(asked.alpha / 2)
    if not low <= 0 <= high:
        found.append(
            f"the difference was {half.estimate:+.4g} on half of the {unit}s and "
            f"{law.estimate:+.4g} on nine tenths, and will be another one with "
            "more: plan for what you expect then"
        )
    factor = _spread_factor(sample)
    if factor is not None and not 1 / _MOST <= factor <= _MOST:
        much = f"too few {unit}s" if factor > 1 else f"more {unit}s than it takes"
        found.append(
            f"from half of the {unit}s to nine tenths the standard deviation of one {unit}'s "
            f"difference changed by a factor of {factor:.2f}; if that goes on, the plan says "
            f"{much}"
        )
    holds = (
        f"from half of the {unit}s to nine tenths no change was found in the difference or in "
        f"what one {unit} varies by; with more {unit}s this is assumed"
    )
    return tuple(found) or (holds,)


def _spread_factor(sample: Any) -> float | None:
    """Factor by which the standard deviation of one row changed from halves to more.

    None where that is not known, or where it may be chance. It is that of learners that were
    fitted once: models that share most of their training rows err alike, so that the variance
    of a row's mean over repetitions depends on their size.
    """
    squares = []  # of every row numbers whose mean is the variance of one row's difference
    rows = getattr(sample, "rows", None)
    if not isinstance(rows, RowContributions) or rows.halves is None:
        return None
    for made in (rows.halves, rows):
        values = made.values[:, :, 0] - made.values[:, :, 1]
        squares.append(np.square(values - values.mean()).mean(axis=0))
        if squares[-1].mean() <= 0:
            return None
    before, after = (each / each.mean() for each in squares)
    log = math.log(squares[1].mean() / squares[0].mean()) / 2
    error = float(np.std(after - before, ddof=1)) / (2 * math.sqrt(len(after)))
    return math.exp(log) if abs(log) > _SURE * error else None
