"""The results of a report as sentences for the results section of a paper."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

from skstat._names import one_line, shown_name
from skstat.report._words import (
    decimals_for,
    df_text,
    direction_text,
    expected_text,
    fixed,
    in_names,
    percent,
    short,
    three_probabilities,
)
from skstat.stats._outcomes import alpha_of, unit_word

Style = Literal["plain", "apa"]
Row = Mapping[str, Any]

# More pairs than these are those with the leader, and a count of the others.
_MOST_PAIRS = 6


def check_style(style: str) -> None:
    """Refuse an unknown style."""
    if style not in get_args(Style):
        raise ValueError(f"style={style!r} is unknown; use 'plain' or 'apa'.")


def results_of_comparison(report: Row, style: Style) -> str:
    """Say what a comparison of two systems found.

    Parameters
    ----------
    report : mapping
        The dictionary of the comparison, with losses as losses.
    style : {"plain", "apa"}
        How numbers are written.
    """
    (a, b), (low, high) = report["names"], report["interval"]
    row = {**report, "first": a, "second": b, "low": low, "high": high}
    systems = [
        {"name": name, **score} for name, score in zip((a, b), report["scores"], strict=True)
    ]
    sentences = [_scores(report, systems, style)]
    if style == "plain":
        return " ".join([*sentences, report["conclusion"], _numbers_behind(row)])
    if report["constant"] is not None:
        sentences = [_scores(report, systems[:1], style)]
    said = [_compared(row), *_signs(report, [row]), *_probable(report)]
    return " ".join([*_warned(report), *sentences, *said])


def results_of_systems(report: Row, style: Style) -> str:
    """Say what a comparison of several systems found.

    Parameters
    ----------
    report : mapping
        The dictionary of the report, with losses as losses.
    style : {"plain", "apa"}
        How numbers are written.
    """
    sentences = [_scores(report, report["ranking"], style)]
    if style == "plain":
        return " ".join([*sentences, report["conclusion"]])
    omnibus = report["omnibus"]
    if omnibus is not None and omnibus["df"] is not None:
        effects = "".join(f", {bit}" for bit in _effects(omnibus))
        what = "mean ranks" if omnibus["scale"] == "rank" else "systems"
        sentences.append(
            f"Test of all {what}: {_statistic(omnibus)}, {_p(omnibus['pvalue'])}{effects}."
        )
    pairs = report["pairs"]
    shown: Iterable[Row] = pairs
    if len(pairs) > _MOST_PAIRS:
        leader = report["control"] or report["ranking"][0]["name"]
        shown = list(pairs.with_system(leader).values())
    same = {
        key: names[0] if len(names) == 1 else None
        for key, names in (
            ("alternative", report["pairwise"]["alternatives"]),
            ("statistic_name", report["pairwise"]["statistic_names"]),
        )
    }
    shown = [{**report, **same, **row} for row in shown]
    compared = [_compared(row) for row in shown]
    if len(compared) < len(pairs):
        n = int((pairs.adjusted < alpha_of(report["confidence_level"])).sum())
        compared.append(f"Of all {len(pairs)} pairs {n} differed significantly.")
    return " ".join([*_warned(report), *sentences, *compared, *_signs(report, shown)])


def results_of_performance(report: Row, style: Style) -> str:
    """Say how good the estimators are.

    Parameters
    ----------
    report : mapping
        The dictionary of the report, with losses as losses.
    style : {"plain", "apa"}
        How numbers are written.
    """
    if style == "plain":
        return str(report["conclusion"])
    metric, level = one_line(report["metric"]), percent(report["confidence_level"])
    said = []
    rows = [(row["name"], row) for row in report["rows"]]
    if report["difference"] is not None:
        a, b = report["names"]
        rows.append((f"difference {a} \N{MINUS SIGN} {b}", report["difference"]))
    for called, row in rows:
        decimals = max(3, decimals_for([row["estimate"], row["low"], row["high"]]))
        name, value = one_line(shown_name(called)), fixed(row["estimate"], decimals)
        interval = f", {level} CI {bracketed(row, decimals)}" * has_limits(row)
        said.append(f"{name}: {metric} = {value}{interval}.")
    return " ".join([*_warned(report), *said])


def _probable(report: Row) -> list[str]:
    """Read the comparison as probabilities, where that was asked: no second finding."""
    found = report["probabilities"]
    if found is None:
        return []
    a, b = (one_line(shown_name(name)) for name in report["names"])
    of_family = report["adjustment"] is not None
    unit = str(report["unit"])
    kept = [found["caveat"], *["not adjusted for other comparisons"] * of_family]
    text = expected_text(found, unit)
    beside = f" {text[0].upper()}{text[1:]}." if text else ""
    if found["better"] is None:
        return ["Nor are there probabilities: nothing varies to test the difference against."]
    three = three_probabilities(found, a, b)
    return [f"{found['lead']} ({', '.join(kept)}): {three}.{beside}"]


def _warned(report: Row) -> list[str]:
    """Say first what makes the p-values invalid; the conclusion says it by itself."""
    found = dict.fromkeys(
        f"{doubt['title']} ({doubt['code']})"
        for doubt in report["doubts"]
        if doubt["weight"] == "invalid"
    )
    return [f"Not valid: {'; '.join(found)}."] if found else []


def _scores(report: Row, systems: Iterable[Row], style: Style) -> str:
    """Say the mean score of every system, and its standard deviation over the units."""
    systems = [row for row in systems if row["mean"] is not None]
    decimals = max(3, decimals_for(row["mean"] for row in systems))
    of_units = any(row["sd"] is not None for row in systems)
    n, unit = report["n_units"], unit_word(report["unit"])
    said = []
    for row in systems:
        mean = fixed(row["mean"], decimals)
        sd = "" if row["sd"] is None else f", SD = {fixed(row['sd'], decimals)}"
        rank = row.get("mean_rank")
        ranked = "" if rank is None else f", mean rank {fixed(rank, 2)}"
        bracket = f"M = {mean}{sd}{ranked}" if style == "apa" else f"{mean}{sd}{ranked}"
        said.append(f"{one_line(shown_name(row['name']))} ({bracket})")
    way = direction_text(report)
    what = f"Mean {report['metric']}" if of_units else str(report["metric"])
    return f"{one_line(what)} over {n} {unit}s ({way}): {'; '.join(said)}."


def _compared(row: Row) -> str:
    """Write one comparison as a sentence."""
    return f"{_found(row)}: {_numbers(row)}."


def _signs(report: Row, rows: Iterable[Row]) -> list[str]:
    """Say what the signs of t and effect sizes mean beside differences of losses."""
    if not report["is_loss"]:
        return []
    shown = [row for row in rows if row["scale"] == "score" and row["pvalue"] is not None]
    tests = any(isinstance(row["df"], int | float) and row["statistic_name"] for row in shown)
    bits = ["t"] * tests + ["effect sizes"] * any(map(_effects, shown))
    if not bits:
        return []
    what = " and ".join(bits)
    return [f"Above 0, {what} favour{'s' * (bits == ['t'])} the first of the two systems."]


def _found(row: Row) -> str:
    """Say which of two systems is better, or that none was shown to be."""
    a, b = _ends(row)
    if row["better"] is not None:
        better, worse = (a, b) if row["better"] == row["first"] else (b, a)
        return f"{better} was significantly better than {worse}"
    if row["verdict"] in ("higher", "lower"):
        return f"{a} was significantly {row['verdict']} than {b}"
    margin = short(row["margin"]) if row["margin"] is not None else ""
    differs = _differs(row)
    if row["verdict"] == "equivalent":
        equivalent = f"{a} and {b} were equivalent within the margin of {margin}"
        return f"{equivalent}, but differed significantly" if differs else equivalent
    if differs:
        return f"{a} and {b} differed significantly, but in no common direction or size"
    if row["pvalue"] is None:
        return f"No test of {a} against {b} was possible"
    undecided = f"the difference between {a} and {b} was not significant"
    if _sided(row):
        side = "better" if row["alternative"] == "greater" else "worse"
        undecided = f"it was not shown that {a} was {side} than {b}"
    if row["verdict"] == "not inferior":
        return f"{a} was at most {margin} worse than {b}, and {undecided}"
    return undecided[0].upper() + undecided[1:]


def _differs(row: Row) -> bool:
    """Whether the two differ significantly, by the adjusted p-value where there is one."""
    decides = row["pvalue"] if row["adjusted_pvalue"] is None else row["adjusted_pvalue"]
    return decides is not None and decides < alpha_of(row["confidence_level"])


def _numbers(row: Row) -> str:
    """Write the difference with its interval, the statistic, the p-value and an effect size."""
    decimals = decimals_for([row["estimate"], row["low"], row["high"]])
    bits = [f"{_quantity(row)} ({_signed(row)}) = {fixed(row['estimate'], decimals)}"]
    if has_limits(row):
        bits.append(f"{_level(row)} CI {bracketed(row, decimals)}")
    if row["pvalue"] is None:
        return ", ".join([*bits, "no p-value", *_margin_tests(row)])
    if row["df"] is not None and row["statistic_name"] is not None:
        bits.append(_statistic(row))
    bits.append(f"{_sided(row)}{_p(row['pvalue'])}")
    if row["adjusted_pvalue"] is not None:
        bits.append(f"adjusted {_p(row['adjusted_pvalue'])}")
    return ", ".join([*bits, *_margin_tests(row), *_effects(row)])


def _signed(row: Row) -> str:
    """Say what is subtracted from what: a mean rank is the better, the lower it is."""
    a, b = _ends(row)
    if row["scale"] == "mean rank":
        return f"rank of {b} \N{MINUS SIGN} rank of {a}"
    return f"{a} \N{MINUS SIGN} {b}"


def _level(row: Row) -> str:
    """Write the level of an interval, and what it holds for."""
    kind = "adjusted " if row["adjusted_pvalue"] is not None else ""
    if row["simultaneous"]:
        kind = "simultaneous "
    return f"{_sided(row)}{kind}{percent(row['confidence_level'])}"


def _sided(row: Row) -> str:
    return "one-sided " if row["alternative"] in ("greater", "less") else ""


def has_limits(row: Row) -> bool:
    """Whether there is an interval, with one limit at least."""
    return row["low"] is not None or row["high"] is not None


def bracketed(row: Row, decimals: int) -> str:
    """Write an interval, of which a missing limit is infinite."""
    low = "\N{MINUS SIGN}\N{INFINITY}" if row["low"] is None else fixed(row["low"], decimals)
    high = "\N{INFINITY}" if row["high"] is None else fixed(row["high"], decimals)
    return f"[{low}, {high}]"


def _numbers_behind(row: Row) -> str:
    """Write the statistic and the effect sizes, which the conclusion does not say."""
    a, b = _ends(row)
    name, value = in_names(row["statistic_name"], a, b), short(row["statistic"])
    degrees = "" if row["df"] is None else f", df = {df_text(row['df'])}"
    effects = "; ".join(
        f"{in_names(name, a, b)} {short(size)}" for name, size in _known_effects(row).items()
    )
    said = f"Statistic: {name} = {value}{degrees}."
    return f"{said} Effect sizes: {effects}." if effects else said


def _statistic(row: Row) -> str:
    """Write ``t(15) = 2.74``."""
    df = row["df"]
    degrees = ", ".join(map(df_text, df)) if isinstance(df, list | tuple) else df_text(df)
    name = (
        in_names(row["statistic_name"], *_ends(row))
        if "first" in row
        else row["statistic_name"]
    )
    value = row["statistic"]
    written = "\N{INFINITY}" if value is None else fixed(value, 2)
    return f"{name}({degrees}) = {written}"


def _p(pvalue: float | None) -> str:
    """Write ``p = .015``: a probability needs no 0 before its point."""
    if pvalue is None or math.isnan(pvalue):
        return "no p-value"
    if pvalue < 0.001:
        return "p < .001"
    text = f"{pvalue:.3f}"
    return "p > .999" if text == "1.000" else f"p = {text.lstrip('0')}"


def _effects(row: Row) -> list[str]:
    """Write one standardised effect."""
    known = _known_effects(row)
    if "first" in row:
        known.pop(_quantity(row), None)  # it was said already
    if not known:
        return []
    of_ranks = "rank-biserial" in known and _quantity(row) != "difference"
    name = "rank-biserial" if of_ranks else next(iter(known))
    said = in_names(name, *_ends(row)) if "first" in row else name
    return [f"{said} = {fixed(known[name], 2)}"]


def _known_effects(row: Row) -> dict[str, float]:
    """Standardised effects; over splits, which share rows, they would be inflated by design."""
    if row.get("unit") == "split":
        return {}
    return {name: size for name, size in row["effect_sizes"].items() if size is not None}


def _quantity(row: Row) -> str:
    """Name what the estimate is; pairs of several systems have the name alone."""
    found = row["quantity"]
    return str(found if isinstance(found, str) else found["name"])


def _ends(row: Row) -> tuple[str, str]:
    return one_line(shown_name(row["first"])), one_line(shown_name(row["second"]))


def _margin_tests(row: Row) -> list[str]:
    """Write the p-values of the margin, where one was given."""
    if row["margin"] is None:
        return []
    if "equivalence" not in row:
        return [f"equivalence {_p(row['equivalence_pvalue'])}"]
    found = row["equivalence"]
    if found["adjustment"]:
        return [f"adjusted equivalence {_p(found['adjusted_pvalue'])}"]
    both = f"equivalence {_p(found['pvalue'])}"
    if row["verdict"] != "not inferior":
        return [both]
    which = "upper" if row["is_loss"] else "lower"
    return [f"non-inferiority {_p(found[f'{which}_pvalue'])}", both]
