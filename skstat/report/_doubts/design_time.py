"""Doubts about the design: rows in time order."""

from skstat.report._doubts.case import Case, PerformanceCase
from skstat.report._doubts.kind import Found, doubt
from skstat.report._words import units
from skstat.stats import BootstrapOutcome, LongRunOutcome
from skstat.stats._time_order import MOST_BIAS, bias_of_blocks

# A correlation that at least doubles how often a test at 0.05 rejects: the variance of the
# mean is 1 + 2 r of what it is taken for.
_DOUBLES = 0.2


@doubt(
    "SKS104",
    "rows in time order",
    weight="invalid",
    when="Every training set lies before its test set in row order, as ``TimeSeriesSplit`` "
    "does; or a test for independent rows was used on predictions with ``order=``.",
    action="use compare_predictions with order= on one long test stretch",
    advice="Compare the forecasts on one long test stretch with a test for series "
    "(Diebold & Mariano 1995), or read the interval as a rough guide. The training sets "
    "contain each other, and the test blocks follow each other in time; no correction was "
    "derived for that.",
)
def ordered_rows(case: Case) -> str | Found | None:
    if not case.ordered:
        return None
    if case.unit != "split":
        if not case.design.independent_units:
            return None
        return Found(
            text="the rows are in time order, and this test treats them as independent.",
            action="use the default test",
        )
    return (
        "every training set lies before its test set and contains the training sets before "
        "it: no test is known to be valid for such splits."
    )


@ordered_rows.of(PerformanceCase)
def ordered_rows_estimate(case: PerformanceCase) -> str | Found | None:
    # One model, tested on rows that came later, has no training sets to share rows.
    if case.method.one_model or not case.ordered:
        return None
    return Found(
        text="every training set lies before its test set and contains the training sets "
        "before it: no interval is known to be valid for such splits.",
        action="estimate on one long test stretch",
    )


@doubt(
    "SKS114",
    "a long horizon",
    weight="invalid",
    when="The horizon of the Diebold-Mariano test exceeds a tenth of the rows.",
    action="compare on a longer stretch",
    advice="Compare forecasts of a shorter horizon, or on a longer stretch. Such tests "
    "rejected 9 to 20 % of true null hypotheses in simulations, at a nominal 0.05.",
)
def long_horizon(case: Case) -> str | None:
    horizon = case.rows.horizon
    if horizon is None or horizon <= case.n_units / 10:
        return None
    return (
        f"a horizon of {horizon} is long for {units(case.n_units, case.unit)}: the test "
        "rejects too often."
    )


@doubt(
    "SKS115",
    "autocorrelation beyond the test",
    weight="weak",
    when="With ``order``, differences of rows further apart than the horizon (of the test "
    "of Diebold and Mariano) or the block length (of the bootstrap) correlate by more than "
    "three standard errors. From a correlation of 0.2 on the p-value is called invalid.",
    action="leave horizon= out",
    advice="Without ``horizon`` the test of a mean over rows estimates from the data how far "
    "differences correlate. Or raise it: errors of forecasts h steps ahead correlate up to h "
    "- 1 rows, and losses that drift do so for longer. With ``horizon=1`` and a correlation "
    "of 0.8, tests rejected half of true null hypotheses in simulations, at a nominal 0.05.",
)
def autocorrelation(case: Case) -> str | Found | None:
    r = case.rows.autocorrelation
    if r is None:
        return None
    return Found(
        text=f"differences that the test treats as independent correlate by {r:.2f}: p and "
        "the interval are too small.",
        action="" if case.rows.horizon is not None else "compare on a longer stretch",
        weight="invalid" if r >= _DOUBLES else None,
    )


@doubt(
    "SKS127",
    "strong autocorrelation in a short series",
    weight="weak",
    when="With ``order``, neighbouring differences correlate so much for the length of "
    "the series that the variance of their mean is expected to come out more than a "
    "tenth too small: by the cosines of :func:`~skstat.stats.diebold_mariano`, or by the "
    "blocks of the bootstrap.",
    action="compare on a longer stretch",
    advice="With autoregressions of 0.9, the test of Diebold and Mariano rejected 13 % of "
    "true null hypotheses on 50 steps, 9 % on 100 and 7 % on 200, at a nominal 0.05; where "
    "this doubt was not raised it did so in 7 % at most from 12 steps on. Of 95 % bootstrap "
    "intervals 84 % contained the truth with 0.5 on 50 steps, 90 % on 200.",
)
def alike_for_long(case: Case) -> str | None:
    if case.identical:
        return None
    neighbours, length = case.rows.neighbours, case.rows.block_length
    if isinstance(case.by_itself, LongRunOutcome):
        neighbours, bias = case.by_itself.autocorrelation, case.by_itself.expected_bias
    elif isinstance(case.by_itself, BootstrapOutcome) and neighbours is not None and length:
        bias = bias_of_blocks(length, neighbours)
    else:
        return None
    if bias <= MOST_BIAS:
        return None
    least = "more than half" if bias > 0.5 else f"about {100 * bias:.0f} %"
    return (
        f"neighbouring differences correlate by {neighbours:.2f}, much for "
        f"{units(case.n_units, case.unit)}: the variance of their mean comes out "
        f"{least} too small."
    )
