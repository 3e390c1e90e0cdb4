"""Plans from a report: what varied there, never what was found."""

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

USUAL_LIMIT = 0.8  # of what varied (Browne, 1995)
_LITTLE = 0.1  # share of an interval that is not worth more fits
_AS_CHEAP = 2  # times as many answers as by more items: an item costs more than its answers
_OPEN = {"undecided", "not inferior"}
_FEW_PAIRS = 30  # whose intervals are looked at to find the widest
_SAMPLED = ("instance", "row", "group")  # units that more data have more of
_USUAL = 0.6827  # level of an interval of one standard error, of a normal law
_MOST = 1.2  # factor by which the standard deviation of a row may change
_SURE = 2.0  # standard errors by which it must have


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

    Only what varied is taken from the data, never the difference that was found: power at
    that only restates the p-value. By default it is an upper limit of what varied, because
    plans from an estimate miss their power half of the time (Browne, 1995).

    Parameters
    ----------
    difference : float or mapping of str to float, optional
        The smallest difference that matters, in the unit of the score; with `margin` the
        true difference, 0 by default. Of several metrics one for each, by name, or one for
        all.
    power : float, optional
        Probability with which it is to be found, 0.8 by default. Leave it out where it is
        what you want to know.
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
        Of what there is to be more: ``"rows"`` (or ``"items"``, ``"groups"``), or
        ``"splits"``, ``"seeds"`` or ``"answers"`` to each item where there are some.
        Default what the scores were drawn from.
    limit : float or None, default=0.8
        Level of the upper limit of what varied; None takes it as estimated.

    Returns
    -------
    ComparisonPlan, or dict of str to ComparisonPlan
        The answer, and how it depends on what was taken from the data; of several metrics
        one for each.

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
        of: Any = difference
        of = of if isinstance(of, Mapping) else dict.fromkeys(self.reports, of)
        if set(of) != set(self.reports):
            every = f"the metrics are {list(self.reports)}: give one for each"
            raise ValueError(f"difference has {sorted(of)}, and {every}.")
        parts, options = self.reports.items(), sizes | how
        return {name: plan(part, difference=of[name], **options) for name, part in parts}
    planner, _, notes = _basis_of(self)._replace(**how).planned()
    sizes |= {"difference": difference, "metric": self.metric}
    return ComparisonPlan.of(planner, notes=notes, **sizes)


# What would decide a comparison that is open


def would_take(r: Report) -> str:
    """Say what would decide what is open; empty where that cannot be said at once."""
    judged_elsewhere = r.is_pair and not math.isnan(r.pairs[0].adjusted)
    if r.is_performance or judged_elsewhere or r.invalid or not _open_places(r):
        return ""
    basis, texts = _basis_of(r), []
    if basis.design.get("to_show") != "better":  # of a gate
        basis = basis._replace(margin=r.margin)
    for more in (_more_units, _more_splits):
        with suppress(ValueError):  # nothing varied, it is not known what, or there are none
            texts.append(more(basis))
    return "; ".join(filter(None, texts))


def _more_units(basis: "_Basis") -> str:
    """Say how many units show what matters: a margin, or half of the interval's width."""
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
            cheap = more.stable / n_answers <= _AS_CHEAP * size.stable / n
            way = f"about {about(more.stable)} answers to each item (now {n_answers})"
            ways.insert(0 if cheap else 1, way)
    return f"{' or '.join(ways)} to show {what}"


def _more_splits(basis: "_Basis") -> str:
    """Say what more splits of the same rows are worth."""
    planner, n, _ = basis._replace(limit=None, more="splits", margin=None).planned()
    # With ever more splits the law of Student's t becomes the normal one.
    level = 1 - planner.alpha
    least = NormalDist().inv_cdf((1 + level) / 2) * planner.standard_error(math.inf)
    gain = 1 - least / planner.half_width(n, level)
    if gain < _LITTLE:
        return "more splits hardly help"
    return f"more splits narrow the interval by at most {100 * gain:.0f} %"


# What is planned from


def _basis_of(r: Report | ReportGrid) -> "_Basis":
    """Return what is planned from: of several comparisons the one that varies most.

    Pairs that are decided are not asked, unless all are; each has its share of the level.
    """
    if isinstance(r, ReportGrid):
        part, note = r.overall, "of all rows; the report on a slice plans it by itself"
        if part is None:  # by seed
            widths = {name: np.nan_to_num(_basis_of(one).half_width) for name, one in r.each()}
            name = max(widths, key=widths.__getitem__)
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
        pair, alpha = _widest(r, _open_places(r) or range(len(r.pairs))), r.alpha / r.n_family
        evidence = r.evidence[pair[:2]]
        who = f"{shown_name(pair.first)} and {shown_name(pair.second)}"
        note = f"for {who}, whose difference varies most, at {alpha:.4g}"
        notes = (f"{note}: {r.n_family} comparisons (Bonferroni)", *notes)
    own = evidence.outcome.unadjusted
    return _Basis(pair, own, evidence.compared, evidence.design, alpha, notes)


def _open_places(r: Report) -> list[int]:
    """Return the pairs that are open: of those that may be the best, or with a control."""
    only = r.alternative != "two-sided" or r.design.get("to_show") == "not worse"
    is_open = {"undecided"} if only else _OPEN
    systems = set(r.candidates() if r.all_pairs else r.names)
    pairs = zip(*map(r.pairs.column, ("first", "second", "verdict")), strict=True)
    return [n for n, (a, b, told) in enumerate(pairs) if told in is_open and {a, b} <= systems]


def _widest(r: Report, places: Sequence[int]) -> Pair:
    """Return the pair with the widest interval; of many, among those that vary most.

    Intervals of all pairs may take longer than all that is printed.
    """
    table = getattr(r.evidence, "sample", None)  # a slice has none of its own
    if len(places) > _FEW_PAIRS and type(table) is ScoreTable and not table.missing.any():
        of = np.cov(table.scores, rowvar=False)
        first, second = (end[places] for end in ends_of(table.names, r.evidence.pairwise.pairs))
        varies = of[first, first] + of[second, second] - 2 * of[first, second]
        places = np.asarray(places)[np.argsort(-varies, kind="stable")[:_FEW_PAIRS]].tolist()
    outcomes = [r.evidence.outcomes[place] for place in places]
    limits = [(*one.confidence_interval(r.confidence_level), one.estimate) for one in outcomes]
    widths = half_width(*np.transpose(limits))
    return r.pairs[places[int(np.argmax(np.nan_to_num(widths, posinf=0.0)))]]


class Pilot(NamedTuple):
    """A plan from a comparison that was made.

    Attributes
    ----------
    planner : Plan
        The plan.
    n : int
        Units of the comparison.
    notes : tuple of str
        What was taken from it, what is assumed of more units, and whether the comparison
        supports it; then those of the basis.
    """

    planner: stats.Plan
    n: int
    notes: tuple[str, ...]


class _Basis(NamedTuple):
    """A comparison that others are planned from, or the estimate of one system; and how.

    Attributes
    ----------
    pair : Pair or None
        What was found; None of an estimate.
    outcome : Comparison or Estimate
        The same with the law that it follows from.
    sample : evidence
        What it was computed from; of an estimate itself.
    design : mapping
        How the scores came about.
    alpha : float
        Level of the test.
    notes : tuple of str
        What the reader should know.
    limit : float or None
        Level of the upper limit of what varied; None takes the estimate.
    more : str or None
        What there is to be more of.
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
        """Half of the width of the interval, or how far its only limit is; else nan."""
        width = half_width(self.pair.low, self.pair.high, self.pair.estimate)
        return float(width) if math.isfinite(width) else math.nan

    @property
    def answers(self) -> tuple[float, float] | None:
        """Answers to each item, where there are several of some."""
        parts = self.design.get("variance") or {}
        if not parts.get("samples") or not parts["standard_error"]:
            return None
        kept = parts["standard_error_with_any_number"] / parts["standard_error"]
        return parts["n_samples"], 1 - kept**2

    @property
    def unit(self) -> str:
        """What a unit is called."""
        of = self.sample.unit
        return str(self.design.get("instance", "row")) if of == "instance" else unit_word(of)

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
        gate = self.margin is not None and self.design.get("to_show") == "not worse"
        one_sided = gate or getattr(self.outcome, "alternative", "two-sided") != "two-sided"
        planner = planner.assuming(alpha=self.alpha, one_sided=one_sided)
        if self.margin is not None:
            planner = planner.within(self.margin)
        return Pilot(planner, n, (note, *assumed, *self.notes))

    def more_of(
        self, unit: str, n: int, error: float, *assumed: str, seen: Any = None, **of: Any
    ) -> Pilot:
        """Return a plan of more units than n, from a standard error, of which some may stay."""
        test = getattr(self.outcome, "test", "") or self.outcome.method
        planner = stats.plan_from(error, n, unit=unit, test=test, **of)
        return self.pilot(n, "standard error", seen or (n, unit), planner, *assumed)

    def planned(self) -> Pilot:
        """Return the plan of the same on other numbers of units."""
        sample = self.sample
        if isinstance(self.outcome, stats.Estimate):
            return _of_estimate(self.outcome, self)
        match self.outcome.law:
            case Projection() as law:
                return _of_rows_projected(law, self)
            case Crossed() as law:
                known = {"instances", "seeds"} <= set(law.variance_parts)
                if known and getattr(sample, "n_seeds", None) is not None:  # else of averages
                    return _of_seeds(law, self)
            case Discordant() as law:
                return _of_agreement(law, self)
            case Signs() | SignedRanks() as law if sample.unit == "dataset":
                return _of_ranks(law, self)
        return _of_splits(self) if sample.unit == "split" else _of_units(self)


def _of_estimate(estimate: stats.Estimate, basis: _Basis) -> Pilot:
    """Return the plan of the same estimate of one system on other numbers of units."""
    if basis.margin is not None:
        raise ValueError("margin= is for comparisons of systems; use compare_estimators.")
    unit, n = basis.unit, estimate.n_units
    if estimate.unit not in _SAMPLED:  # but splits, which were all made of the same rows
        unit, n = "row", basis.design.get("n_samples", 0)
        if not n:
            raise ValueError("the number of rows is not known, so that nothing can be planned.")
    basis.choose(f"{unit}s")
    low, high = estimate.confidence_interval(_USUAL)
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
    number, falls = answers
    text = f"answers of each system to each item; of the variance {falls:.0%} is between them"
    return basis.more_of(
        "answer", round(number), error * math.sqrt(falls), text, seen=(n, unit), df=df,
        stays=error * math.sqrt(1 - falls), beyond=f"more {unit}s",
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
    if ratio is None or sample.n_train is None:  # of complete partitions no size is needed
        raise ValueError(f"more {unit}s need the sizes of the splits; give n_train and n_test.")
    rows = round(float(np.mean(sample.n_train) + np.mean(sample.n_test)))
    df, assumed = _degrees(basis, n), _about_more_rows(basis, unit)
    error = basis.upper(_error_of(basis), df)
    return basis.more_of(unit, rows, error, *assumed, seen=(n, "split"), df=df)


def _of_rows_projected(law: Projection, basis: _Basis) -> Pilot:
    unit, rows = law.sampled_unit, law.n_sampled
    more, df = basis.choose(f"{unit}s", "splits"), float(basis.outcome.df)
    own, changing = law.sampling_error, law.instability_error
    error = basis.upper(_varied(math.hypot(own, changing)), df)
    known: Any = {"seen": (rows, unit), "df": df, "beyond": f"more {unit}s"}
    if more != "splits":
        return basis.more_of(unit, rows, error, *_about_more_rows(basis, unit), **known)
    # The rows stay the sample that they are. The test assumes that the instabilities of two
    # splits are correlated, so that their variance falls as ``kappa + 1 / n``.
    n, kappa = int(basis.sample.n_units), law.instability_correlation
    stays = basis.upper(math.hypot(own, math.sqrt(kappa / (kappa + 1 / n)) * changing), df)
    falls = basis.upper(math.sqrt(1 / (n * (kappa + 1 / n))) * changing, df) or 1e-12 * stays
    return basis.more_of("split", n, falls, stays=stays, **known)


def _of_seeds(law: Crossed, basis: _Basis) -> Pilot:
    rows, n, parts = basis.sample.n_units, min(basis.sample.n_seeds), law.variance_parts
    more, df_of_seeds = basis.choose("rows", "seeds"), max(1.0, n - 1)
    _error_of(basis)  # which refuses what nothing can be planned from
    of_rows, of_seeds, rest = parts["instances"], parts["seeds"], parts["residual"]
    if more == "rows":
        falls = basis.upper(math.sqrt(of_rows + rest), rows - 1)
        stays = basis.upper(math.sqrt(of_seeds), df_of_seeds)
        known = {"stays": stays, "df": _degrees(basis, n), "beyond": "more seeds"}
        return basis.more_of("row", rows, falls, **known)
    upper, paired = basis.upper(math.sqrt(of_seeds * n), df_of_seeds), basis.sample.paired_seeds
    sds = math.sqrt(of_rows * rows), upper, math.sqrt(rest * rows * n)
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

    Where the test has none, it is half of the interval of about one standard error; where the
    test is of something else, the one of the mean difference.
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
        low, high = outcome._interval_alone(_USUAL)
        error = (high - low) / 2
    return _varied(float(error))


def _varied(error: float) -> float:
    """Return a number that tells how much something varied; refuse where nothing did."""
    if not (math.isfinite(error) and error > 0):
        instead = "use plan_comparison, and say what will vary"
        raise ValueError(f"nothing varied in this comparison; {instead}.")
    return error


def _about_more_rows(basis: _Basis, unit: str) -> tuple[str, ...]:
    """Say whether training sizes that were tried speak against a plan of more rows.

    `unit` is what there is to be more of, rows or groups. A plan for learners assumes that the
    difference, and what one row varies by, stay what they are when training sets grow. Where
    both were measured at two sizes it can be seen whether they did: they did not if the
    interval of the change of the difference excludes zero, or if the standard deviation of a
    row's difference changed by more than a fifth.
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
    """Factor by which the standard deviation of one row changed from halves to more.

    None where that is not known, or where it may be chance. It is that of learners that were
    fitted once: models that share most of their training rows err alike, so that the variance
    of a row's mean over repetitions depends on their size.
    """
    rows = getattr(sample, "rows", None)
    if not isinstance(rows, RowContributions) or rows.halves is None:
        return None
    of_rows = [made.values[:, :, 0] - made.values[:, :, 1] for made in (rows.halves, rows)]
    # The mean of these numbers of every row is the variance of one row's difference.
    squares = [np.square(each - each.mean()).mean(axis=0) for each in of_rows]
    if min(each.mean() for each in squares) <= 0:
        return None
    before, after = (each / each.mean() for each in squares)
    log = math.log(squares[1].mean() / squares[0].mean()) / 2
    error = float(np.std(after - before, ddof=1)) / (2 * math.sqrt(len(after)))
    return math.exp(log) if abs(log) > _SURE * error else None
