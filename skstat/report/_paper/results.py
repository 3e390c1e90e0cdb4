"""What a report found, in sentences for the results section of a paper."""

from collections.abc import Iterator
from math import isfinite, isnan
from typing import Any, Literal

from skstat._names import no_command, one_line, shown_name
from skstat.report import _terms as say
from skstat.report._conclude import conclude, variation
from skstat.report._forms import escape_latex
from skstat.report._model import Pair, Report, ReportGrid
from skstat.report._records import parts_of
from skstat.report._say_pair import probability_sentence

Style = Literal["plain", "apa"]

# More pairs than these are those with the leader, and a count of the others.
_MOST_PAIRS = 6


def results_text(
    self: Report | ReportGrid, *, style: Style = "plain", latex: bool = False
) -> str:
    r"""Return the paragraph on what was found for the results section of a paper.

    Mean scores with their standard deviations, the difference with its interval, the
    statistic, the p-value (adjusted where there are several comparisons) and an effect
    size. What makes a p-value invalid stands first.

    Parameters
    ----------
    style : {"plain", "apa"}, default="plain"
        ``"plain"``: the conclusion in words, with the numbers behind it. ``"apa"``: the
        numbers as in ``t(11) = 2.31, p = .041``, as the American Psychological
        Association writes them. Of more than six pairs those with the leader are told, or
        with the control.
    latex : bool, default=False
        Escape what LaTeX would take for commands.

    Returns
    -------
    str
        One paragraph; of several metrics or seeds a line for each.

    Raises
    ------
    ValueError
        If `style` is unknown.

    Examples
    --------
    >>> from skstat import compare_scores
    >>> scores = {"new": [0.8, 0.7, 0.9, 0.8], "old": [0.7, 0.6, 0.9, 0.7]}
    >>> report = compare_scores(scores, n_train=60, n_test=30)
    >>> print(report.results_text(style="apa"))
    Mean score over 4 splits (higher is better): new (M = 0.800, SD = 0.082); old (M =
    0.725, SD = 0.126). The difference between new and old was not significant: difference
    (new − old) = 0.075, 95% CI [−0.063, 0.213], t(3) = 1.73, p = .182.
    """
    write = {"plain": _plain, "apa": _apa}.get(style)
    if write is None:
        raise ValueError(f"style={style!r} is unknown; use 'plain' or 'apa'.")
    lines = []
    for (_, *names), part, grid in parts_of(self):
        said = conclude(part) if part.is_performance else write(part)
        lines.append("".join(f"{name}: " for name in names) + " ".join(said))
        if grid is not None and part is grid.overall:
            lines += variation(grid)
    found = (no_command(one_line(line)) for line in lines)
    return "\n".join(map(escape_latex, found) if latex else found)


def _plain(r: Report) -> Iterator[str]:
    yield _scores(r, "plain")
    yield from conclude(r)
    if r.is_pair:
        pair = r.pairs[0]
        sizes = [f"{name} = {say.short(size)}" for name, size in _effects(r, pair).items()]
        statistic = _statistic(r.statistic_name, pair.df, pair.statistic)
        for label, told in (("Statistic", [statistic]), ("Effect sizes", sizes)):
            if any(told):
                yield _in_names(f"{label}: {'; '.join(told)}.", pair)


def _apa(r: Report) -> Iterator[str]:
    if r.invalid:
        yield f"Not valid: {r.invalid}."
    yield _scores(r, "apa")
    if (omnibus := r.omnibus) is not None:
        what = "mean ranks" if omnibus["scale"] == "rank" else "systems"
        said = [_statistic(omnibus["statistic_name"], omnibus["df"], omnibus["statistic"])]
        said.append(_p(omnibus["pvalue"]))
        effects = omnibus["effect_sizes"].items()
        said += [f"{name} = {say.fixed(size, 2)}" for name, size in effects][:1]
        yield f"Test of all {what}: {', '.join(said)}."
    are_many, leader = len(r.pairs) > _MOST_PAIRS, r.control or r.names[0]
    ends = zip(r.pairs.column("first"), r.pairs.column("second"), strict=True)
    for place, names in enumerate(ends):
        if not are_many or leader in names:
            pair = r.pairs[place]
            numbers = ", ".join(filter(None, _numbers(r, pair)))
            yield _in_names(f"{_found(r, pair)}: {numbers}.", pair)
    if are_many and r.control is None:
        n = sum(p < r.alpha for p in r.pairs.column("adjusted"))
        yield f"Of all {len(r.pairs)} pairs {n} differed significantly."
    if r.is_pair and r.probabilities is not None:
        yield probability_sentence(r, r.pairs[0])


def _scores(r: Report, style: Style) -> str:
    """Say the mean score of every system, and its standard deviation over the units."""
    known = [one for one in r.systems if one.name not in r.constants]
    decimals = max(3, say.decimals_for(one.mean for one in known))
    said = []
    for one in known:
        bits = [f"{'M = ' * (style == 'apa')}{say.fixed(one.mean, decimals)}"]
        bits += [f"SD = {say.fixed(one.sd, decimals)}"] * isfinite(one.sd)
        bits += [f"mean rank {say.fixed(one.mean_rank, 2)}"] * isfinite(one.mean_rank)
        said.append(f"{shown_name(one.name)} ({', '.join(bits)})")
    what = f"Mean {r.metric}" if "sd" in r.systems else r.metric
    over = f"; SD over {r.sd_over}" * bool(r.sd_over)
    n = say.units(r.n_units, r.unit)
    return f"{what} over {n} ({r.words.direction}{over}): {'; '.join(said)}."


def _found(r: Report, pair: Pair) -> str:
    """Say which of A and B is better, or that none was shown to be."""
    if pair.verdict in ("better", "worse", "higher", "lower"):
        return f"A was significantly {pair.verdict} than B"
    if pair.verdict == "equivalent":
        also = ", but differed significantly" * (pair.p < r.alpha)
        return f"A and B were equivalent within the margin of {say.short(r.margin)}{also}"
    if pair.p < r.alpha:
        return "A and B differed significantly, but in no common direction or size"
    if isnan(pair.pvalue):
        return "No test of A against B was possible"
    undecided = "the difference between A and B was not significant"
    if r.alternative != "two-sided":
        asked = r.words.good if r.alternative == "greater" else r.words.bad
        undecided = f"it was not shown that A was {asked} than B"
    if pair.verdict == "not inferior":
        close = f"A was not {r.words.bad} than B by {say.short(r.margin)}"
        return f"{close}, and {undecided}"
    return undecided[0].upper() + undecided[1:]


def _numbers(r: Report, pair: Pair) -> Iterator[str]:
    """Write the difference with its interval, the statistic, the p-value and an effect size."""
    minus = f"rank of B {say.MINUS} rank of A" if r.words.by_rank else f"A {say.MINUS} B"
    decimals = say.decimals_of_pairs(pair)
    yield f"{r.quantity.name} ({minus}) = {say.fixed(pair.estimate, decimals)}"
    tested = not isnan(pair.pvalue)
    sided = "" if r.alternative == "two-sided" else "one-sided "
    if interval := bracketed(pair.low, pair.high, decimals):
        kind = "simultaneous " if r.simultaneous else "adjusted " * bool(r.adjustment)
        yield f"{sided}{kind}{say.percent(r.confidence_level)} CI {interval}"
    if tested and pair.df is not None:
        yield _statistic(r.statistic_name, pair.df, pair.statistic)
    yield f"{sided * tested}{_p(pair.pvalue)}"
    if not isnan(pair.adjusted):
        yield f"adjusted {_p(pair.adjusted)}"
    if r.margin is not None:
        alone = r.equivalence is not None and not r.equivalence["adjustment"]
        if alone and tested and pair.verdict == "not inferior":
            yield f"non-inferiority {_p(pair.noninferior_p)}"
        yield f"{'' if alone else 'adjusted '}equivalence {_p(pair.equivalence_p)}"
    effects = _effects(r, pair)
    effects.pop(r.quantity.name, None)  # said already
    if tested and effects:
        name = next(iter(effects))
        if r.quantity.name != "difference" and "rank-biserial" in effects:
            name = "rank-biserial"
        yield f"{name} = {say.fixed(effects[name], 2)}"


def bracketed(low: float, high: float, decimals: int) -> str:
    """Write an interval, of which a missing limit is infinite; empty if there is none."""
    if not (isfinite(low) or isfinite(high)):
        return ""
    return f"[{_number(low, decimals)}, {_number(high, decimals)}]"


def _number(value: float | None, decimals: int) -> str:
    """Write a limit or a statistic, which may be infinite."""
    if value is not None and isfinite(value):
        return say.fixed(value, decimals)
    return f"{say.MINUS if value is not None and value < 0 else ''}\N{INFINITY}"


def _statistic(name: str, df: Any, value: float | None) -> str:
    """Write ``t(15) = 2.74``, or ``R+ = 89``; nothing if there is none."""
    if not name or (value is not None and isnan(value)):
        return ""
    if df is None:
        return f"{name} = {say.short(value)}"
    degrees = ", ".join(map(say.short, df if isinstance(df, list | tuple) else [df]))
    return f"{name}({degrees}) = {_number(value, 2)}"


def _p(pvalue: float) -> str:
    """Write ``p = .015``: a probability needs no 0 before its point."""
    if isnan(pvalue):
        return "no p-value"
    if 0.001 <= pvalue < 0.9995:
        return f"p = {pvalue:.3f}".replace("0.", ".")
    return "p < .001" if pvalue < 0.001 else "p > .999"


def _effects(r: Report, pair: Pair) -> dict[str, float]:
    """Standardised effects; over splits, which share rows, they would be inflated by design."""
    sizes = {} if r.unit == "split" else pair.effects
    return {say.effect_name(name): size for name, size in sizes.items() if isfinite(size)}


def _in_names(text: str, pair: Pair) -> str:
    """Put the names of both systems where a text says A and B."""
    return say.in_names(text, *map(shown_name, pair[:2]))
