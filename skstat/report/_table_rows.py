"""What the report on a table shows, as rows of text, for every renderer alike."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from skstat.report._numbers import (
    decimals_for,
    df_text,
    fixed,
    percent,
    pvalue_text,
    short,
    units,
)
from skstat.report._rows import design_text, score_name

_MOST_PAIRS = 30
_MOST_NAMED = 10


class Grid(NamedTuple):
    """A table with a title, a header, and a word on what it leaves out."""

    title: str
    header: list[str]
    rows: list[list[str]]
    n_names: int = 1  # columns of names, which stand before those of numbers
    words: int | None = None  # the column of words behind them, if there is one
    note: str = ""

    def is_text(self, column: int) -> bool:
        """Whether the cells of a column are words, which begin at the left."""
        return column < self.n_names or column == self.words


def ranking_grid(report: dict[str, Any]) -> Grid:
    """Return the systems, the best first."""
    ranking = report["ranking"]
    letters = any(row["letters"] for row in ranking)
    decimals = max(3, decimals_for(row["mean"] for row in ranking))
    header = ["", "mean rank", "mean", "sd", "wins/ties/losses"]
    rows = [
        [
            said(row["name"]),
            fixed(row["mean_rank"], 2),
            fixed(row["mean"], decimals),
            "" if row["sd"] is None else fixed(row["sd"], decimals),
            f"{row['wins']}/{row['ties']}/{row['losses']}",
            *([row["letters"]] if letters else []),
        ]
        for row in ranking
    ]
    note = "Wins, ties and losses are against every other system on every data set."
    if letters:
        header.append("group")
        tested = all(row["adjusted_pvalue"] is not None for row in report["pairs"])
        untested = "" if tested else ", or could not be tested"
        note = f"Systems that share a letter were not told apart{untested}. {note}"
    if any(score is None for row in report["table"]["scores"] for score in row):
        note += " Mean ranks allow for who has scores on which data sets."
    words = len(header) - 1 if letters else None
    # The means of errors are shown as they were given, so that nothing is negated.
    by = score_name(report) if report["table"]["higher_is_better"] else report["metric"]
    return Grid(f"Ranking by {by}", header, rows, words=words, note=note)


def pairs_grid(report: dict[str, Any], most: int | None = _MOST_PAIRS) -> Grid:
    """Return the comparisons, the surest first."""
    pairs = sorted(report["pairs"], key=_sureness)
    shown = pairs if most is None else pairs[:most]
    by_rank, simultaneous = pairs[0]["scale"] == "mean rank", pairs[0]["simultaneous"]
    header = [
        "A",
        "B",
        "rank of B \N{MINUS SIGN} A" if by_rank else "A \N{MINUS SIGN} B",
        f"{percent(report['confidence_level'])} interval",
        "p",
        "adjusted p",
        "better",
    ]
    ends = [value for row in shown for value in (row["estimate"], row["low"], row["high"])]
    decimals = decimals_for(ends)
    rows = [
        [
            said(row["a"]),
            said(row["b"]),
            fixed(row["estimate"], decimals, sign=True),
            _interval(row, decimals),
            _pvalue(row["pvalue"]),
            _pvalue(row["adjusted_pvalue"]),
            _better(row),
        ]
        for row in shown
    ]
    left = len(pairs) - len(shown)
    note = f"{left} more pair{'s' * (left > 1)} in to_frame(). " if left else ""
    if simultaneous:
        note += "Intervals hold for all pairs at once."
    elif len(pairs) > 1:
        note += "Intervals are not adjusted for the number of pairs."
    if any(row["adjusted_pvalue"] is None for row in shown):
        note += " No p-value: without variance no test is possible."
    if not (report["table"]["higher_is_better"] or by_rank):
        note += f" A \N{MINUS SIGN} B is of negated {report['metric']}: above 0, A is better."
    alpha = round(1 - report["confidence_level"], 12)
    note += f" Better: adjusted p below {alpha:g}."
    title = f"In pairs: {_in_pairs(report)}"
    return Grid(title, header, rows, n_names=2, words=6, note=note.strip())


def about_rows(report: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what was tested, how, and under which assumptions."""
    effects = (f"{name} {short(value)}" for name, value in report["effect_sizes"].items())
    rows = [
        ("Choice of tests", report["choice"] or ""),
        ("All at once", omnibus_text(report["omnibus"], effects=False)),
        ("Critical difference", _critical_difference(report)),
        ("Not joined by a bar", _undrawn(report["undrawn"])),
        ("Estimand", report["estimand"]),
        ("Null, all at once", report["null_hypothesis"]),
        ("Null, in pairs", report["pairwise"]["outcomes"][0]["null_hypothesis"]),
        ("Unit", units(report["n_units"], report["unit"])),
        ("Assumptions", "; ".join(report["assumptions"])),
        ("Not covered", "; ".join(report["ignored_variance"])),
        ("Effect sizes", "; ".join(effects)),
        ("Design", design_text(report["design"])),
        ("Left out", some(report["left_out"])),
    ]
    return [(label, text) for label, text in rows if text]


def omnibus_text(omnibus: dict[str, Any], *, effects: bool = True) -> str:
    """Write the test of all systems at once: statistic, df, its first effect size, p."""
    statistic = "\N{INFINITY}" if omnibus["statistic"] is None else short(omnibus["statistic"])
    bits = [f"{omnibus['statistic_name']} = {statistic}"]
    if omnibus["df"] is not None:
        bits.append(f"df = {df_text(omnibus['df'])}")
    sizes = list(omnibus["effect_sizes"].items())[:1] if effects else []
    bits += [f"{name} = {short(size)}" for name, size in sizes]
    return f"{omnibus['test']}: {', '.join(bits)}, {pvalue_text(omnibus['pvalue'])}"


def adjustment_name(method: str) -> str:
    """Name how p-values were adjusted."""
    people = {
        "bergmann-hommel": "Bergmann and Hommel's method",
        "bonferroni": "Bonferroni's method",
        "fdr_bh": "Benjamini and Hochberg's method (false discovery rate)",
        "fdr_by": "Benjamini and Yekutieli's method (false discovery rate)",
        "sidak": "\u0160id\xe1k's method",
        "studentized range": "the studentized range",
    }
    return people.get(method, f"{method.title()}'s method")


def said(name: str) -> str:
    """Name a system; one without a name would leave a hole in the sentence."""
    if name.strip():
        return name
    return f"(no name: {len(name)} blank{'s' * (len(name) > 1)})" if name else "(no name)"


def _in_pairs(report: dict[str, Any]) -> str:
    return f"{report['test']}, p-values adjusted by {report['adjustment_name']}"


def _sureness(row: dict[str, Any]) -> tuple[float, float]:
    def number(value: float | None) -> float:
        return 2.0 if value is None else value  # those without a test come last

    return number(row["adjusted_pvalue"]), number(row["pvalue"])


def _interval(row: dict[str, Any], decimals: int) -> str:
    low, high = row["low"], row["high"]
    if low is None and high is None and row["pvalue"] is None:
        return "none"
    if low is None and high is None:
        return "no limit"
    if high is None:
        return f"at least {fixed(low, decimals, sign=True)}"
    if low is None:
        return f"at most {fixed(high, decimals, sign=True)}"
    return f"{fixed(low, decimals, sign=True)} to {fixed(high, decimals, sign=True)}"


def _better(row: dict[str, Any]) -> str:
    if row["adjusted_pvalue"] is None:
        return "no test"
    return {"A": said(row["a"]), "B": said(row["b"])}.get(row["verdict"], "undecided")


def _pvalue(value: float | None) -> str:
    return pvalue_text(value).removeprefix("p = ").removeprefix("p ")


def _critical_difference(report: dict[str, Any]) -> str:
    value = report["critical_difference"]
    return "" if value is None else f"{fixed(value, 3)} in mean rank"


def _undrawn(pairs: Sequence[Sequence[str]]) -> str:
    """Pairs that were not told apart although systems between them were."""
    return some([f"{said(a)} and {said(b)}" for a, b in pairs])


def some(items: Sequence[str], most: int = _MOST_NAMED) -> str:
    """Join items, and count those beyond `most`."""
    shown = list(items[:most])
    if len(items) > most:
        shown.append(f"{len(items) - most} more")
    return "; ".join(shown)
