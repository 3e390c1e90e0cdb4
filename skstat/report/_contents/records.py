"""Rows of plain values for a DataFrame: one per comparison, alike in every report."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from skstat.stats._outcomes import Probabilities

Record = dict[str, Any]


# Numbers, which are nan where there is none, so that a column is one of numbers always.
_NUMBERS = ("low", "high", "confidence_level", "statistic", "pvalue", "adjusted_pvalue")
_PROBABILITIES = tuple(f"probability_{name}" for name in Probabilities._fields)


def pair_record(
    row: Mapping[str, Any],
    report: Mapping[str, Any],
    means: tuple[float | None, float | None],
    *,
    n: int,
    quantity: str,
    same_verdict: float | None,
) -> Record:
    """Return one comparison of two systems.

    Parameters
    ----------
    row : mapping
        The pair: names, estimate, limits and p-values.
    report : mapping
        The report that the pair belongs to, with its unit and doubts.
    means : tuple of float
        Mean scores of both.
    n : int
        Units that both have scores on.
    quantity : str
        What the estimate is.
    same_verdict : float or None
        Share of other partitions that gave the same verdict.
    """
    numbers = {name: number(row[name]) for name in _NUMBERS}
    first_df, second_df = _degrees(row["df"])
    return {
        "first": row["first"],
        "second": row["second"],
        "metric": row["metric"],
        "direction": direction_of_values(report),
        "better": row["better"],
        "verdict": row["verdict"],
        "first_mean": number(means[0]),
        "second_mean": number(means[1]),
        "difference": number(row["estimate"]),
        "low": numbers["low"],
        "high": numbers["high"],
        "confidence_level": numbers["confidence_level"],
        "pvalue": numbers["pvalue"],
        "adjusted_pvalue": numbers["adjusted_pvalue"],
        "n": n,
        "unit": report["unit"],
        "quantity": quantity,
        "test": row["test"],
        "statistic": numbers["statistic"],
        "df": first_df,
        "df_denominator": second_df,
        "margin": number(row.get("margin")),
        "equivalence_pvalue": number(row.get("equivalence_pvalue")),
        "rope": number(row.get("rope")),
        **{name: number(row.get(name)) for name in _PROBABILITIES},
        "same_verdict": number(same_verdict),
        "doubts": doubt_codes(report["doubts"]),
    }


def direction_of_values(report: Mapping[str, Any]) -> str:
    """Say which of two values of a report is the better one; empty if nobody knows."""
    if report.get("direction_assumed"):
        return ""
    return "lower" if report["is_loss"] else "higher"


def number(value: float | None) -> float:
    """Turn a missing number into nan."""
    return math.nan if value is None else float(value)


def doubt_codes(doubts: Sequence[Mapping[str, Any]]) -> str:
    """Write the codes of doubts, each once, with blanks between; empty without any."""
    return " ".join(sorted({doubt["code"] for doubt in doubts}))


def _degrees(df: Any) -> tuple[float, float]:
    """Degrees of freedom; those of an F statistic are two."""
    if isinstance(df, list | tuple):
        return number(df[0]), number(df[1])
    return number(df), math.nan
