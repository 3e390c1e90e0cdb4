"""A comparison over many data sets in a few plain sentences."""

from collections.abc import Sequence
from math import isnan
from typing import Any

from skstat.report._numbers import pvalue_text, short, units

_NAMED = 6  # systems listed by name before the rest is counted


def conclude_table(report: Any) -> list[str]:
    """Write what was found: all at once, who is best, and which pairs differ.

    Parameters
    ----------
    report : TableReport
        The report.

    Returns
    -------
    list of str
        Sentences.
    """
    found = [_all_at_once(report)]
    found.append(_against_control(report) if report.control else _against_best(report))
    if report.pairwise.smallest_pvalue >= report.alpha:
        found.append(
            f"No rejection is possible with {units(report.n_units, report.unit)} and "
            f"{_comparisons(len(report))}: the smallest adjusted p-value that the "
            f"{report.test} can give is {report.pairwise.smallest_pvalue:.3g}."
        )
    if report.left_out:
        found.append(f"Left out: {'; '.join(report.left_out)}.")
    return found


def _all_at_once(report: Any) -> str:
    omnibus, metric = report.omnibus, report.metric
    over = f"over {units(omnibus.n_units, report.unit)}"
    names = list(report.mean_ranks)
    spread = (
        f"mean ranks from {_rank(report, names[0])} ({names[0]}) to "
        f"{_rank(report, names[-1])} ({names[-1]})"
    )
    if isnan(omnibus.pvalue):
        return f"No test of all {len(names)} systems at once is possible {over}; {spread}."
    differ = "differ" if omnibus.pvalue < report.alpha else "were not shown to differ"
    df = "" if omnibus.df is None else f", df {short(omnibus.df)}"
    effects = "".join(
        f", {name} {short(size)}" for name, size in list(omnibus.effect_sizes.items())[:1]
    )
    return (
        f"The {len(names)} systems {differ} in {metric} {over} ({spread}; {omnibus.test}: "
        f"{omnibus.statistic_name} = {short(omnibus.statistic)}{df}{effects}, "
        f"{pvalue_text(omnibus.pvalue)})."
    )


def _against_best(report: Any) -> str:
    names = list(report.mean_ranks)
    ranks = report.mean_ranks
    best = names[0]
    ties = [name for name in names if ranks[name] <= ranks[best] + 1e-9]
    if len(ties) == len(names):
        return "All systems have the same mean rank; no pair is told apart from its ranks."
    better, alike, worse = _sides(report, best)
    lead = f"{best} has the best mean rank"
    if len(ties) > 1:
        lead = f"{_listed(ties)} share the best mean rank. {best}"
    bits = []
    if better:
        bits.append(f"{_verb(report)} {_listed(better)} ({_evidence(report, best, better)})")
    if worse:  # means and ranks may point in different directions
        bits.append(f"was worse than {_listed(worse)} ({_evidence(report, best, worse)})")
    if alike:
        bits.append(f"was not told apart from {_listed(alike)}")
    others = len(report) - (len(names) - 1)
    n_other = sum(
        row["verdict"] != "undecided" and best not in (row["a"], row["b"])
        for row in report._pairs()
    )
    joint = " " if len(ties) > 1 else ": it "
    sentence = f"{lead}{joint}{'; it '.join(bits)}."
    if others:
        verb = "differs" if n_other <= 1 else "differ"
        sentence += f" Of the other {_comparisons(others)} {n_other or 'none'} {verb}."
    return sentence


def _against_control(report: Any) -> str:
    control = report.control
    better, alike, worse = _sides(report, control)
    bits = []
    if worse:
        worse_than = "has a higher error than" if report.is_loss else "scores lower than"
        evidence = _evidence(report, control, worse)
        bits.append(f"{control} {worse_than} {_listed(worse)} ({evidence})")
    if better:
        evidence = _evidence(report, control, better)
        bits.append(f"{control} {_verb(report)} {_listed(better)} ({evidence})")
    if alike:
        bits.append(_not_shown(report, control, alike))
    text = "; ".join(bits)
    return f"{text[0].upper() if not (worse or better) else text[0]}{text[1:]}."


def _not_shown(report: Any, control: str, others: Sequence[str]) -> str:
    alternative = report.pairwise.outcomes[0].alternative
    if alternative == "two-sided":
        return f"no difference was found between {control} and {_listed(others)}"
    than = "higher" if (alternative == "greater") != report.is_loss else "lower"
    what = "have a {} error than" if report.is_loss else "score {} than"
    return f"it was not shown that {_listed(others)} {what.format(than)} {control}"


def _sides(report: Any, name: str) -> tuple[list[str], list[str], list[str]]:
    """Systems that `name` is better than, not told apart from, and worse than."""
    better: list[str] = []
    alike: list[str] = []
    worse: list[str] = []
    for row in report._pairs():
        if name not in (row["a"], row["b"]):
            continue
        other = row["b"] if row["a"] == name else row["a"]
        winner = {"A": row["a"], "B": row["b"]}.get(row["verdict"])
        (alike if winner is None else better if winner == name else worse).append(other)
    order = list(report.mean_ranks)
    for side in (better, alike, worse):
        side.sort(key=order.index)
    return better, alike, worse


def _evidence(report: Any, name: str, others: Sequence[str]) -> str:
    pvalues = [
        float(p)
        for pair, p in zip(report.pairwise.pairs, report.pairwise.adjusted_pvalues, strict=True)
        if name in pair and (pair[0] in others or pair[1] in others)
    ]
    largest = pvalue_text(max(pvalues))
    return f"adjusted {largest}" if len(pvalues) == 1 else f"each adjusted {_at_most(largest)}"


def _at_most(text: str) -> str:
    return text.replace("p = ", "p \N{LESS-THAN OR EQUAL TO} ")


def _verb(report: Any) -> str:
    return "has a lower error than" if report.is_loss else "scores higher than"


def _rank(report: Any, name: str) -> str:
    return f"{report.mean_ranks[name]:.2f}"


def _listed(names: Sequence[str]) -> str:
    if len(names) > _NAMED:
        rest = len(names) - _NAMED + 1
        return f"{', '.join(names[: _NAMED - 1])} and {rest} more"
    if len(names) > 1:
        return f"{', '.join(names[:-1])} and {names[-1]}"
    return names[0]


def _comparisons(n: int) -> str:
    return "1 comparison" if n == 1 else f"{n} comparisons"
