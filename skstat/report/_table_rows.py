"""What the report on a table shows, as rows of text, for every renderer alike."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from skstat.report._numbers import decimals_for, fixed, percent, pvalue_text, short, units
from skstat.report._rows import design_text

_MOST_PAIRS = 30


class Grid(NamedTuple):
    """A table with a title, a header, and a word on what it leaves out."""

    title: str
    header: list[str]
    rows: list[list[str]]
    n_names: int = 1  # columns of names, which stand before those of numbers
    note: str = ""


def ranking_grid(report: dict[str, Any]) -> Grid:
    """Return the systems, the best first."""
    ranking = report["ranking"]
    letters = any(row["letters"] for row in ranking)
    means = [row["mean"] for row in ranking]
    decimals = max(3, decimals_for(means))
    header = ["", "mean rank", f"mean {report['metric']}", "sd", "wins/ties/losses"]
    rows = [
        [
            row["name"],
            fixed(row["mean_rank"], 2),
            fixed(row["mean"], decimals),
            "" if row["sd"] is None else fixed(row["sd"], decimals),
            f"{row['wins']}/{row['ties']}/{row['losses']}",
            *([row["letters"]] if letters else []),
        ]
        for row in ranking
    ]
    note = ""
    if letters:
        header.append("group")
        note = "Systems that share a letter were not told apart."
    return Grid("Ranking", header, rows, note=note)


def pairs_grid(report: dict[str, Any], most: int | None = _MOST_PAIRS) -> Grid:
    """Return the comparisons, the surest first."""
    pairs = sorted(report["pairs"], key=_sureness)
    shown = pairs if most is None else pairs[:most]
    scale = pairs[0]["scale"]
    what = "mean rank of B \N{MINUS SIGN} A" if scale == "mean rank" else "A \N{MINUS SIGN} B"
    kind = "simultaneous " if pairs[0]["simultaneous"] else ""
    header = [
        "A",
        "B",
        what,
        f"{kind}{percent(report['confidence_level'])} interval",
        "p",
        "adjusted p",
        "better",
    ]
    ends = [value for row in shown for value in (row["estimate"], row["low"], row["high"])]
    decimals = decimals_for(ends)
    rows = [
        [
            row["a"],
            row["b"],
            fixed(row["estimate"], decimals, sign=True),
            _interval(row, decimals),
            _pvalue(row["pvalue"]),
            _pvalue(row["adjusted_pvalue"]),
            {"A": row["a"], "B": row["b"]}.get(row["verdict"], "undecided"),
        ]
        for row in shown
    ]
    left = len(pairs) - len(shown)
    note = f"{left} more pairs are in to_frame()." if left else ""
    if not pairs[0]["simultaneous"]:
        note = f"{note} Intervals are not adjusted for the number of pairs.".strip()
    title = f"Pairs: {_in_pairs(report)}"
    return Grid(title, header, rows, n_names=2, note=note)


def about_rows(report: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what was tested, how, and under which assumptions."""
    omnibus = report["omnibus"]
    df = "" if omnibus["df"] is None else f", df = {short(omnibus['df'])}"
    statistic = "\N{INFINITY}" if omnibus["statistic"] is None else short(omnibus["statistic"])
    rows = [
        ("Choice of tests", report["choice"] or ""),
        (
            "All at once",
            f"{omnibus['test']}: {omnibus['statistic_name']} = {statistic}{df}, "
            f"{pvalue_text(omnibus['pvalue'])}",
        ),
        ("In pairs", _in_pairs(report)),
        ("Critical difference", _critical_difference(report)),
        ("Not joined by a bar", _undrawn(report["undrawn"])),
        ("Estimand", report["estimand"]),
        ("Null hypothesis", report["null_hypothesis"]),
        ("Unit", units(report["n_units"], report["unit"])),
        ("Assumptions", "; ".join(report["assumptions"])),
        ("Not covered", "; ".join(report["ignored_variance"])),
        (
            "Effect sizes",
            "; ".join(f"{n} {short(v)}" for n, v in report["effect_sizes"].items()),
        ),
        ("Design", design_text(report["design"])),
        ("Left out", "; ".join(report["left_out"])),
    ]
    return [(label, text) for label, text in rows if text]


def _in_pairs(report: dict[str, Any]) -> str:
    return f"{report['test']}, p-values adjusted by {report['adjustment_name']}"


def _sureness(row: dict[str, Any]) -> tuple[float, float]:
    def number(value: float | None) -> float:
        return 2.0 if value is None else value

    return number(row["adjusted_pvalue"]), number(row["pvalue"])


def _interval(row: dict[str, Any], decimals: int) -> str:
    low, high = row["low"], row["high"]
    if low is None and high is None:
        return "no limit"
    if high is None:
        return f"at least {fixed(low, decimals, sign=True)}"
    if low is None:
        return f"at most {fixed(high, decimals, sign=True)}"
    return f"{fixed(low, decimals, sign=True)} to {fixed(high, decimals, sign=True)}"


def _pvalue(value: float | None) -> str:
    return pvalue_text(value).removeprefix("p = ").removeprefix("p ")


def _critical_difference(report: dict[str, Any]) -> str:
    value = report["critical_difference"]
    return "" if value is None else f"{fixed(value, 3)} in mean rank"


def _undrawn(pairs: Sequence[Sequence[str]], most: int = 10) -> str:
    """Pairs that were not told apart although systems between them were."""
    named = [f"{a} and {b}" for a, b in pairs]
    if len(named) > most:
        named = [*named[:most], f"{len(named) - most} more pairs"]
    return "; ".join(named)
