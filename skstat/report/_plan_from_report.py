"""Plan further comparisons from the variation in a report, never from its difference."""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from skstat import stats
from skstat._arguments import explains_arguments
from skstat._names import shown_name
from skstat.report._comparison_plan import (
    OBSERVED_POWER,
    USUAL_POWER,
    ComparisonPlan,
    within_margin,
)
from skstat.report._model import Pair, Report, ReportGrid
from skstat.report._terms import about, half_width, short
from skstat.stats import RowContributions, ScoreTable
from skstat.stats._chance import laws
from skstat.stats._mcnemar import Discordant
from skstat.stats._ranks import SignedRanks, Signs
from skstat.stats._score_table import ends_of
from skstat.stats._scores import check_number
from skstat.stats._seeds import Crossed
from skstat.stats._t_tests import Projection
from skstat.stats._words import unit_word

USUAL_LIMIT = 0.8  # level of the upper limit of a standard deviation (Browne, 1995)
_LITTLE = 0.1  # share of an interval that is too small a gain for more fits
_AS_CHEAP = 2  # ratio of answers per item to items that is as cheap, as items cost more
_OPEN = {"undecided", "not inferior"}
_FEW_PAIRS = 30  # pairs whose intervals are computed to find the widest
_SAMPLED = ("instance", "row", "group")  # units whose number grows with the data
_ONE_SIGMA = 0.6827  # level of a normal interval of plus and minus one standard error
_MOST = 1.2  # factor by which the standard deviation of a row may change
_SURE = 2.0  # standard errors from which a change is reported


@explains_arguments(
    observed_power=OBSERVED_POWER, observed=OBSERVED_POWER, effect=OBSERVED_POWER
)
def plan(
    self: Report | ReportGrid,
    *,
    difference: float | Mapping[str, float] | None = None,
    power: float | None = None,
    n: int | None = None,
    margin: float | None = None,
    half_width: float | None = None,
    more: str | None = None,
    limit: float | None = USUAL_LIMIT,
) -> Any:
    """Plan the same comparison on other numbers of units: how many would it take?

    Only the variation is taken from the data, never the observed difference: the power at that
    difference only restates the p-value. By default an upper limit of the variation is used,
    because plans from an estimate miss their power half of the time (Browne, 1995).

    Parameters
    ----------
    difference : float or mapping of str to float, optional
        The smallest difference that matters, in the unit of the score; with `margin` the
        true difference, 0 by default. Of several metrics one for each, by name, or one for
        all.
    power : float, optional
        Probability with which it is to be found, 0.8 by default. Leave it out to compute it.
    n : int, optional
        Number of units: with `difference` the power is found, without it the smallest
        difference.
    margin : float, optional
        Plan to show that both are equivalent within this, or of a one-sided comparison that
        the first is not worse by it.
    half_width : float, optional
        Half of the width of the interval that is to be reached, instead of `n` and
        `difference`.
    more : str, optional
        Which number to increase: ``"rows"`` (or ``"items"``, ``"groups"``), or ``"splits"``,
        ``"seeds"`` or ``"answers"`` to each item where there are some. Default the units that
        were sampled.
    limit : float or None, default=0.8
        Level of the upper limit of the variation; None uses the estimate.

    Returns
    -------
    ComparisonPlan, or dict of str to ComparisonPlan
        The answer, and how it depends on the variation in the data; one for each metric if
        there are several.

    Raises
    ------
    ValueError
        If nothing varied, a difference is missing, or more of that is not possible.
    """
    if limit is not None:
        check_number("limit", limit, least=0.5, most=0.999, what="None, or from 0.5 to 0.999")
    sizes: dict[str, Any] = {"n": n, "power": power, "half_width": half_width}
    how: dict[str, Any] = {"margin": margin, "more": more, "limit": limit}
    if isinstance(self, ReportGrid) and self.by == "metric":
        by: Any = difference
        by = by if isinstance(by, Mapping) else dict.fromkeys(self.reports, by)
        if set(by) != set(self.reports):
            metrics = f"the metrics are {list(self.reports)}: give one for each"
            raise ValueError(f"difference has {sorted(by)}, and {metrics}.")
        parts, options = self.reports.items(), sizes | how
        return {name: plan(part, difference=by[name], **options) for name, part in parts}
    planner, _, notes = _basis_of(self)._replace(**how).planned()
    sizes |= {"difference": difference, "metric": self.metric}
    return ComparisonPlan.of(planner, notes=notes, **sizes)


# --- what would decide an undecided comparison ---


def would_take(r: Report) -> str:
    """Write what would decide an undecided comparison; empty where it is not computed."""
    is_adjusted = r.is_pair and not math.isnan(r.pairs[0].adjusted)
    if r.is_performance or is_adjusted or r.invalid or not _open_pairs(r):
        return ""
    basis, texts = _basis_of(r), []
    if basis.design.get("to_show") != "better":  # what a gate is to show
        basis = basis._replace(margin=r.margin)
    for more in (_more_units, _more_splits):
        with suppress(ValueError):  # no plan is possible
            texts.append(more(basis))
    return "; ".join(filter(None, texts))


def _more_units(basis: "_Basis") -> str:
    """Write how many units show the margin, or a difference of half the interval's width."""
    planner, n, _ = basis.planned()
    power, half, difference = f"with power {USUAL_POWER:g}", basis.half_width, 0.0
    if planner.margin is not None:
        names = map(shown_name, basis.pair[:2])
        what = f"{power} {within_margin(planner, *names)}, if they are equal"
    elif basis.outcome.scale == "score" and half > 0:
        difference = float(f"{half:.1e}")  # two digits
        what = f"a difference of {short(difference)} {power}"
    else:
        return ""
    size = planner.size(difference, USUAL_POWER, roughly=True)
    if size is None:
        beyond = f"; it takes {planner.beyond}" if planner.beyond else ""
        return f"no number of {planner.unit}s shows {what}{beyond}"
    ways = [f"about {about(size.stable)} {planner.unit}s (now {n})"]
    if basis.answers is not None:
        planner, n_answers, _ = basis._replace(more="answers").planned()
        more = planner.size(difference, USUAL_POWER, roughly=True)
        if more is not None:
            is_cheap = more.stable / n_answers <= _AS_CHEAP * size.stable / n
            way = f"about {about(more.stable)} answers to each item (now {n_answers})"
            ways.insert(0 if is_cheap else 1, way)
    return f"{' or '.join(ways)} to show {what}"


def _more_splits(basis: "_Basis") -> str:
    """Write by how much more splits of the same rows narrow the interval."""
    planner, n, _ = basis._replace(limit=None, more="splits", margin=None).planned()
    # In the limit of many splits Student's t becomes the normal distribution.
    level = 1 - planner.alpha
    limit = NormalDist().inv_cdf((1 + level) / 2) * planner.standard_error(math.inf)
    gain = 1 - limit / planner.half_width(n, level)
    if gain < _LITTLE:
        return "more splits hardly help"
    return f"more splits narrow the interval by at most {100 * gain:.0f} %"


# --- the basis of a plan ---


def _basis_of(r: Report | ReportGrid) -> "_Basis":
    """Return the basis of a plan: of several comparisons the one that varies most.

    Decided pairs are not considered, unless all are. The level is divided by their number.
    """
    if isinstance(r, ReportGrid):
        part, note = r.overall, "of all rows; the report on a slice plans it by itself"
        if part is None:  # by seed
            widths = {name: np.nan_to_num(_basis_of(p).half_width) for name, p in r.each()}
            name = max(widths, key=lambda name: widths[name])
            part, note = r.reports[name], f"for {name}, whose difference varies most, by itself"
        basis = _basis_of(part)
        return basis._replace(notes=(note, *basis.notes))
    invalid = f"the comparison is not valid, and so the plan may not be: {r.invalid}"
    notes = (invalid,) if r.invalid else ()
    if r.is_performance:
        row = max(r.evidence.rows, key=lambda row: row.estimate.standard_error or 0.0)
        notes = (f"for {shown_name(row.name)}, against a fixed score", *notes)
        return _Basis(None, row.estimate, row.estimate, r.design, r.alpha, notes)
    if r.is_pair:
        pair, alpha, evidence = r.pairs[0], r.alpha, r.evidence
        if not math.isnan(pair.adjusted):
            notes = (*notes, "for this comparison by itself, not adjusted for others")
    else:
        pair, alpha = _widest(r, _open_pairs(r) or range(len(r.pairs))), r.alpha / r.n_family
        evidence = r.evidence[pair[:2]]
        who = f"{shown_name(pair.first)} and {shown_name(pair.second)}"
        note = f"for {who}, whose difference varies most, at {alpha:.4g}"
        notes = (f"{note}: {r.n_family} comparisons (Bonferroni)", *notes)
    outcome = evidence.outcome.unadjusted
    return _Basis(pair, outcome, evidence.compared, evidence.design, alpha, notes)


def _open_pairs(r: Report) -> list[int]:
    """Return the indices of undecided pairs, of systems that may be the best or all."""
    undecided_only = r.alternative != "two-sided" or r.design.get("to_show") == "not worse"
    is_open = {"undecided"} if undecided_only else _OPEN
    systems = set(r.candidates() if r.all_pairs else r.names)
    pairs = zip(*map(r.pairs.column, ("first", "second", "verdict")), strict=True)
    return [n for n, (a, b, v) in enumerate(pairs) if v in is_open and {a, b} <= systems]


def _widest(r: Report, rows: Sequence[int]) -> Pair:
    """Return the pair with the widest interval.

    Of many pairs only those with the largest variance are considered, to save time.
    """
    table = getattr(r.evidence, "sample", None)  # a slice has none of its own
    if len(rows) > _FEW_PAIRS and type(table) is ScoreTable and not table.missing.any():
        cov = np.cov(table.scores, rowvar=False)
        a, b = (end[rows] for end in ends_of(table.names, r.evidence.pairwise.pairs))
        variance = cov[a, a] + cov[b, b] - 2 * cov[a, b]
        rows = np.asarray(rows)[np.argsort(-variance, kind="stable")[:_FEW_PAIRS]].tolist()
    outcomes = [r.evidence.outcomes[row] for row in rows]
    limits = [(*o.confidence_interval(r.confidence_level), o.estimate) for o in outcomes]
    widths = half_width(*np.transpose(limits))
    return r.pairs[rows[int(np.argmax(np.nan_to_num(widths, posinf=0.0)))]]


class Pilot(NamedTuple):
    """A plan that is based on a comparison.

    Attributes
    ----------
    planner : Plan
        The plan.
    n : int
        Units of the comparison.
    notes : tuple of str
        The quantity taken from it, what is assumed for more units, and whether the comparison
        supports this; then the notes of the basis.
    """

    planner: stats.Plan
    n: int
    notes: tuple[str, ...]


class _Basis(NamedTuple):
    """A comparison that others are planned from, or the estimate of one system, and options.

    Attributes
    ----------
    pair : Pair or None
        The result; None for an estimate.
    outcome : Comparison or Estimate
        The outcome, with its distribution.
    sample : evidence
        The data it was computed from; the estimate itself for an estimate.
    design : mapping
        How the scores were obtained.
    alpha : float
        Level of the test.
    notes : tuple of str
        Notes for the reader.
    limit : float or None
        Level of the upper limit of the variation; None uses the estimate.
    more : str or None
        The number to increase.
    margin : float or None
        The margin against which the difference is to be tested.
    """

    pair: Any
    outcome: Any
    sample: Any
    design: Mapping[str, Any]
    alpha: float
    notes: tuple[str, ...]
    limit: float | None = USUAL_LIMIT
    more: str | None = None
    margin: float | None = None

    @property
    def half_width(self) -> float:
        """Half of the width of the interval, or the distance to its only limit; else nan."""
        width = half_width(self.pair.low, self.pair.high, self.pair.estimate)
        return float(width) if math.isfinite(width) else math.nan

    @property
    def answers(self) -> tuple[float, float] | None:
        """Number of answers to each item, and their share of the variance; None if single."""
        parts = self.design.get("variance") or {}
        if not parts.get("samples") or not parts["standard_error"]:
            return None
        ratio = parts["standard_error_with_any_number"] / parts["standard_error"]
        return parts["n_samples"], 1 - ratio**2

    @property
    def unit(self) -> str:
        """The word for a unit."""
        key = self.sample.unit
        return str(self.design.get("instance", "row")) if key == "instance" else unit_word(key)

    def upper(self, sd: float, df: float) -> float:
        """Return a standard deviation of `df` degrees of freedom, or its upper limit.

        ``sd * sqrt(df / q)``, where q is the ``1 - limit`` quantile of chi-squared (Browne,
        1995). Plans from the estimate itself miss their power half of the time.
        """
        if self.limit is None:
            return sd
        return float(sd * math.sqrt(df / laws().chi2.ppf(1 - self.limit, df)))

    def choose(self, *possible: str) -> str:
        """Return the number to increase: the one asked for, or the first option."""
        if self.more is not None and self.more not in possible:
            instead = " or ".join(map(repr, possible))
            raise ValueError(f"more={self.more!r} is not possible here; use {instead}.")
        return possible[0] if self.more is None else self.more

    def pilot(
        self, n: int, what: str, seen: tuple[int, str], planner: stats.Plan, *notes: str
    ) -> Pilot:
        """Return the plan at the level of the basis, from the quantity `what` of seen units."""
        how, warning = "an estimate", "; half of such plans miss their power"
        if self.limit is not None:
            how, warning = f"an upper {100 * self.limit:g} % limit", ""
        note = f"the {what} is {how} from the {seen[0]} {seen[1]}s so far{warning}"
        gate = self.margin is not None and self.design.get("to_show") == "not worse"
        one_sided = gate or getattr(self.outcome, "alternative", "two-sided") != "two-sided"
        planner = planner.assuming(alpha=self.alpha, one_sided=one_sided)
        if self.margin is not None:
            planner = planner.within(self.margin)
        return Pilot(planner, n, (note, *notes, *self.notes))

    def more_of(
        self, unit: str, n: int, error: float, *notes: str, seen: Any = None, **options: Any
    ) -> Pilot:
        """Return a plan of other numbers of units, from the standard error of n units."""
        test = getattr(self.outcome, "test", "") or self.outcome.method
        planner = stats.plan_from(error, n, unit=unit, test=test, **options)
        return self.pilot(n, "standard error", seen or (n, unit), planner, *notes)

    def planned(self) -> Pilot:
        """Return the plan of the same comparison on other numbers of units."""
        sample = self.sample
        if isinstance(self.outcome, stats.Estimate):
            return _of_estimate(self.outcome, self)
        match self.outcome.law:
            case Projection() as law:
                return _of_rows_projected(law, self)
            case Crossed() as law:
                by_seed = {"instances", "seeds"} <= set(law.variance_parts)
                if by_seed and getattr(sample, "n_seeds", None) is not None:  # not means
                    return _of_seeds(law, self)
            case Discordant() as law:
                return _of_agreement(law, self)
            case Signs() | SignedRanks() as law if sample.unit == "dataset":
                return _of_ranks(law, self)
        return _of_splits(self) if sample.unit == "split" else _of_units(self)


def _of_estimate(estimate: stats.Estimate, basis: _Basis) -> Pilot:
    """Return the plan of the same estimate of one system for other numbers of units."""
    if basis.margin is not None:
        raise ValueError("margin= is for comparisons of systems; use compare_estimators.")
    unit, n = basis.unit, estimate.n_units
    if estimate.unit not in _SAMPLED:  # splits, which are all of the same rows
        unit, n = "row", basis.design.get("n_samples", 0)
        if not n:
            raise ValueError("the number of rows is not known, so that nothing can be planned.")
    basis.choose(f"{unit}s")
    low, high = estimate.confidence_interval(_ONE_SIGMA)
    error = _varied(estimate.standard_error or (high - low) / 2)
    error = basis.upper(error, _degrees(basis, estimate.n_units))
    return basis.more_of(unit, n, error, df=estimate.df)


def _of_units(basis: _Basis) -> Pilot:
    unit, n, answers = basis.unit, int(basis.sample.n_units), basis.answers
    more = basis.choose(f"{unit}s", *["answers"] * (answers is not None))
    df = _degrees(basis, n)
    error = basis.upper(_error_of(basis), df)
    if more != "answers" or answers is None:
        return basis.more_of(unit, n, error)
    number, share = answers
    text = f"answers of each system to each item; of the variance {share:.0%} is between them"
    return basis.more_of(
        "answer", round(number), error * math.sqrt(share), text, seen=(n, unit), df=df,
        stays=error * math.sqrt(1 - share), beyond=f"more {unit}s",
    )  # fmt: skip


def _of_splits(basis: _Basis) -> Pilot:
    sample, unit, n = basis.sample, str(basis.sample.size_unit), int(basis.sample.n_units)
    ratio = getattr(sample, "test_train_ratio", None)
    if basis.choose(f"{unit}s", "splits") == "splits":
        differences = getattr(sample, "differences", None)
        if ratio is None or differences is None:
            raise ValueError("more='splits' needs the sizes of the splits, and their scores.")
        sd = basis.upper(_spread(differences), n - 1)
        return basis.pilot(n, "standard deviation", (n, "split"), stats.plan_splits(sd, ratio))
    if ratio is None or sample.n_train is None:  # complete partitions may lack the sizes
        raise ValueError(f"more {unit}s need the sizes of the splits; give n_train and n_test.")
    rows = round(float(np.mean(sample.n_train) + np.mean(sample.n_test)))
    df, assumptions = _degrees(basis, n), _about_more_rows(basis, unit)
    error = basis.upper(_error_of(basis), df)
    return basis.more_of(unit, rows, error, *assumptions, seen=(n, "split"), df=df)


def _of_rows_projected(law: Projection, basis: _Basis) -> Pilot:
    unit, rows = law.sampled_unit, law.n_sampled
    more, df = basis.choose(f"{unit}s", "splits"), float(basis.outcome.df)
    by_rows, by_fits = law.sampling_error, law.instability_error
    error = basis.upper(_varied(math.hypot(by_rows, by_fits)), df)
    options: Any = {"seen": (rows, unit), "df": df, "beyond": f"more {unit}s"}
    if more != "splits":
        return basis.more_of(unit, rows, error, *_about_more_rows(basis, unit), **options)
    # With more splits the sampling error stays. The test assumes that the instabilities of two
    # splits are correlated, so that their variance falls as ``kappa + 1 / n``.
    n, kappa = int(basis.sample.n_units), law.instability_correlation
    stays = basis.upper(math.hypot(by_rows, math.sqrt(kappa / (kappa + 1 / n)) * by_fits), df)
    falls = basis.upper(math.sqrt(1 / (n * (kappa + 1 / n))) * by_fits, df) or 1e-12 * stays
    return basis.more_of("split", n, falls, stays=stays, **options)


def _of_seeds(law: Crossed, basis: _Basis) -> Pilot:
    rows, n, parts = basis.sample.n_units, min(basis.sample.n_seeds), law.variance_parts
    more, df_of_seeds = basis.choose("rows", "seeds"), max(1.0, n - 1)
    _error_of(basis)  # it raises an error if there is nothing to plan from
    of_rows, of_seeds, residual = parts["instances"], parts["seeds"], parts["residual"]
    if more == "rows":
        falls = basis.upper(math.sqrt(of_rows + residual), rows - 1)
        stays = basis.upper(math.sqrt(of_seeds), df_of_seeds)
        options = {"stays": stays, "df": _degrees(basis, n), "beyond": "more seeds"}
        return basis.more_of("row", rows, falls, **options)
    upper, paired = basis.upper(math.sqrt(of_seeds * n), df_of_seeds), basis.sample.paired_seeds
    sds = math.sqrt(of_rows * rows), upper, math.sqrt(residual * rows * n)
    planner = stats.plan_seeds(*sds, rows, paired_seeds=paired)
    return basis.pilot(n, "standard deviation over seeds", (n, "seed"), planner)


def _of_agreement(law: Discordant, basis: _Basis) -> Pilot:
    unit, n, differ = basis.unit, law.n, law.only_a + law.only_b
    basis.choose(f"{unit}s")
    share = _varied(differ / n) if basis.limit is None else 1.0
    if basis.limit is not None and differ < n:  # Clopper and Pearson's limit
        share = float(laws().beta.ppf(basis.limit, differ + 1, n - differ))
    planner = stats.plan_mcnemar(share, method=law.method, unit=unit)
    return basis.pilot(n, "share with exactly one right", (n, unit), planner)


def _of_ranks(law: Any, basis: _Basis) -> Pilot:
    basis.choose("data sets")
    n, test = int(basis.sample.n_units), "sign" if isinstance(law, Signs) else "wilcoxon"
    sd = basis.upper(_spread(basis.sample.differences), n - 1)
    planner = stats.plan_units(sd, test=test)
    return basis.pilot(n, "standard deviation", (n, "data set"), planner)


def _spread(differences: Any) -> float:
    return _varied(float(np.std(differences, ddof=1)) if len(differences) > 1 else 0.0)


def _degrees(basis: _Basis, n: int) -> float:
    df = basis.outcome.df
    return float(df) if isinstance(df, int | float) and df > 0 else float(max(1, n - 1))


def _error_of(basis: _Basis) -> float:
    """Return the standard error of the difference of the scores.

    If the test has none, it is half of an interval at the level of one standard error; if the
    test is about another quantity, it is that of the mean difference.
    """
    outcome, differences = basis.outcome, getattr(basis.sample, "differences", None)
    error = outcome.standard_error
    of_scores = outcome.scale == "score" and outcome.law.quantity.is_difference
    if differences is None and not of_scores:
        what = "is not about the difference of the scores"
        raise ValueError(f"the {outcome.test} {what}; use plan_comparison.")
    if differences is not None and (error is None or not of_scores):
        error = _spread(differences) / math.sqrt(len(differences))
    elif error is None:
        low, high = outcome._interval_alone(_ONE_SIGMA)
        error = (high - low) / 2
    return _varied(float(error))


def _varied(error: float) -> float:
    """Return a standard error or share, or raise an error if it is 0 or not finite."""
    if not (math.isfinite(error) and error > 0):
        instead = "use plan_comparison, and say what will vary"
        raise ValueError(f"nothing varied in this comparison; {instead}.")
    return error


def _about_more_rows(basis: _Basis, unit: str) -> tuple[str, ...]:
    """Write what a plan of more rows assumes, and whether two training sizes contradict it.

    `unit` is "row" or "group". A plan for learners assumes that the difference, and the
    standard deviation of a row's difference, do not change when training sets grow. If both
    were measured at two sizes, this can be checked: it is wrong if the interval of the change
    of the difference excludes zero, or if that standard deviation changed by more than a fifth.
    """
    law = basis.outcome.law
    half, change = (law.half, law.change) if isinstance(law, Projection) else (None, None)
    if half is None or change is None:
        return (
            f"that the difference, and what one {unit} varies by, stay as they are with more "
            f"{unit}s is assumed; nothing here supports it",
        )
    texts = []
    low, high = change.limits(basis.alpha / 2)
    if not low <= 0 <= high:
        texts.append(
            f"the difference was {half.estimate:+.4g} on half of the {unit}s and "
            f"{law.estimate:+.4g} on nine tenths, and will be another one with "
            "more: plan for what you expect then"
        )
    factor = _spread_factor(basis.sample)
    if factor is not None and not 1 / _MOST <= factor <= _MOST:
        much = f"too few {unit}s" if factor > 1 else f"more {unit}s than it takes"
        texts.append(
            f"from half of the {unit}s to nine tenths the standard deviation of one {unit}'s "
            f"difference changed by a factor of {factor:.2f}; if that goes on, the plan says "
            f"{much}"
        )
    holds = (
        f"from half of the {unit}s to nine tenths no change was found in the difference or in "
        f"what one {unit} varies by; with more {unit}s this is assumed"
    )
    return tuple(texts) or (holds,)


def _spread_factor(sample: Any) -> float | None:
    """Return the factor by which the standard deviation of one row changed from halves to more.

    None if it is not known, or not significant. It is that of learners that were fitted once:
    models that share most of their training rows have similar errors, so that the variance of
    a row's mean over repetitions depends on the size of training sets.
    """
    rows = getattr(sample, "rows", None)
    if not isinstance(rows, RowContributions) or rows.halves is None:
        return None
    of_rows = [part.values[:, :, 0] - part.values[:, :, 1] for part in (rows.halves, rows)]
    # The mean of these numbers of every row is the variance of one row's difference.
    squares = [np.square(values - values.mean()).mean(axis=0) for values in of_rows]
    if min(values.mean() for values in squares) <= 0:
        return None
    before, after = (values / values.mean() for values in squares)
    log = math.log(squares[1].mean() / squares[0].mean()) / 2
    error = float(np.std(after - before, ddof=1)) / (2 * math.sqrt(len(after)))
    return math.exp(log) if abs(log) > _SURE * error else None
