"""Tables and figures of measured rates, made from what ``python -m calibration`` counted."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from _calibration_figures import Dot, figure_of, worst_first
from _folded import CLOSED, opened

import calibration
import skstat
from calibration.bands import band_of, judge
from calibration.readings import COVERAGE, FAMILY, NULL, POWER, WIDTH, Reading
from skstat import stats

MEASURED = Path(calibration.__file__).with_name("results")
OPTIONS = ("   :header-rows: 1", "   :class: measured\n")
LONG = 10  # rows of a table that is folded
# Functions that ask a procedure of another name.
NAMED = {
    "mcnemar_test": ("mcnemar",),
    "paired_permutation_test": ("paired_permutation",),
    "paired_bootstrap_test": ("paired_bootstrap",),
    "delong_test": ("delong",),
    "cochran_q_test": ("cochran_q",),
    "binomial_test": ("binomial",),
    "paired_cv_ttest": ("corrected_t",),
    "five_by_two_cv_test": ("five_by_two_f",),
    "friedman_nemenyi": ("friedman", "nemenyi"),
    "estimate_performance": (
        "holdout_estimate",
        "t_estimate",
        "cross_validation_estimate",
        "nested_cv_estimate",
        "out_of_bag_estimate",
    ),
}


class Rate(NamedTuple):
    """One measured rate, and where it was measured."""

    situation: str
    setting: str
    procedure: str
    options: str
    on: str
    quantity: str
    value: float
    replications: int
    undefined: int

    @property
    def call(self) -> str:
        return f"{self.procedure}({self.options})" if self.options else self.procedure

    @property
    def band(self):
        return band_of(*self[:6])

    @property
    def shown(self) -> str:
        """The rate, and its band with what became of it."""
        lost = f"; undefined in {self.undefined}" if self.undefined else ""
        if self.band is None:
            return f"{self.value:.3f}{lost}"
        low, high = self.band
        verdict = judge(self.value, self.replications, self.band)
        outside = verdict in ("below", "above")
        number = f"**{self.value:.3f}**" if outside else f"{self.value:.3f}"
        return f"{number} *{verdict} {low:.3f} to {high:.3f}*{lost}"


class Table(NamedTuple):
    """Which rates stand in one table of the page."""

    title: str
    situation: str
    settings: str
    quantities: tuple[str, ...]
    on: str = ""


ERRORS = (NULL, FAMILY, COVERAGE)
ALL = (*ERRORS, POWER)
UNITS = "groups_time_seeds"
TABLES = {
    "splits": (
        Table("Type I error, 300 rows", "splits", "n = 300", ERRORS),
        Table("Type I error, 100 rows", "splits", "n = 100", ERRORS),
        Table("Power", "splits", "", (POWER,)),
    ),
    "test_set": (
        Table("Type I error and coverage", "test_set", "^\\d", ERRORS),
        Table("Power", "test_set", "^\\d", (POWER,)),
        Table("One model", "test_set", "^one", ALL),
        Table("Systems that err in unlike ways", "test_set", "^unlike", ERRORS),
    ),
    "groups": (
        Table("Type I error and coverage", UNITS, "groups", ERRORS),
        Table("Power", UNITS, "groups", (POWER,)),
    ),
    "time": (
        Table("Type I error and coverage", UNITS, "steps", ERRORS),
        Table("Power", UNITS, "steps", (POWER,)),
    ),
    "seeds": (
        Table("Type I error and coverage", UNITS, "seeds", ERRORS),
        Table("Power", UNITS, "seeds", (POWER,)),
    ),
    "datasets": (
        Table("Two algorithms", "datasets", "^2 algo", ALL),
        Table("Five algorithms, all at once", "datasets", "^5 algo", ALL, "data sets"),
        Table("Five algorithms, families of pairs", "datasets", "^5 algo", ALL, "alike|better"),
        Table("Six algorithms, some of them equal", "datasets", "^6 algo", (FAMILY,)),
        Table("How many data sets have an effect", "datasets", "tested", ALL),
    ),
    "systems": (
        Table("Splits", "systems", "splits", ALL),
        Table("Rows of a test set", "systems", "test rows", ALL),
        Table("Skewed rows", "systems", "skewed", (COVERAGE,)),
        Table("Groups", "systems", r"\d groups", ALL),
    ),
    "differences": (
        Table("Type I error", "differences", "", ERRORS),
        Table("Power", "differences", "", (POWER,)),
        Table("Mean width", "differences", "", (WIDTH,)),
    ),
    "baselines": (Table("Type I error", "baselines", "", ERRORS),),
    "performance": (
        Table("Coverage, 300 rows", "performance", "n = 300", (COVERAGE,)),
        Table("Coverage, 100 rows", "performance", "n = 100", (COVERAGE,)),
        Table("Mean width", "performance", "", (WIDTH,)),
    ),
}


def read_rates() -> list[Rate]:
    """Read all files of counts."""
    found = []
    for path in sorted(MEASURED.glob("*.json")):
        state = json.loads(path.read_text(encoding="utf-8"))
        for setting, counted in state["settings"].items():
            found += [
                Rate(
                    state["situation"],
                    setting,
                    *(row.get(field, "") for field in Reading._fields),
                    row["rate"],
                    row["replications"],
                    row.get("undefined", 0),
                )
                for row in counted["rows"]
            ]
    return found


def write_tables(folder: Path) -> None:
    """Write a figure and its tables for each part of the page, to be included there."""
    rates = read_rates()
    for name, tables in TABLES.items():
        text = "\n".join(_table(table, rates) for table in tables)
        shown = figure_of(f"calibration_{name}", {"": _errors(tables, rates)}, folder)
        write_page(folder / f"calibration_{name}.inc", f"{shown}\n{text}")


def _errors(tables: Iterable[Table], rates: Iterable[Rate]) -> Mapping[str, Sequence[Dot]]:
    """Every error rate in some tables, by procedure."""
    rates = list(rates)
    rows: dict[str, dict[Rate, Dot]] = {}
    for table in tables:
        for rate in _rates_of(table, rates):
            if rate.quantity in ERRORS:
                rows.setdefault(rate.call, {})[rate] = dot_of(rate)
    return worst_first({call: dots.values() for call, dots in rows.items()})


def dot_of(rate: Rate) -> Dot:
    """A rate as an error: of an interval, how often it missed."""
    error = 1 - rate.value if rate.quantity == COVERAGE else rate.value
    where = f"{rate.setting}; {rate.on}" if rate.on else rate.setting
    return Dot(where, error, rate.replications)


def write_page(page: Path, text: str) -> None:
    """Write a page; one that is there already keeps its date, so that nothing is built anew."""
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def _rates_of(table: Table, rates: Iterable[Rate]) -> list[Rate]:
    return [
        rate
        for rate in rates
        if rate.situation == table.situation
        and re.search(table.settings, rate.setting)
        and re.search(table.on, rate.on)
        and rate.quantity in table.quantities
    ]


def _table(table: Table, rates: Iterable[Rate]) -> str:
    rates = _rates_of(table, rates)
    if not rates:
        return ""
    settings = sorted({rate.setting for rate in rates}, key=by_number)
    rows: dict[tuple[str, str, str], dict[str, Rate]] = {}
    for rate in rates:
        rows.setdefault((rate.on, rate.call, rate.quantity), {})[rate.setting] = rate
    several = len({rate.quantity for rate in rates}) > 1
    counts = {rate.setting: rate.replications for rate in rates}
    for rate in rates:
        counts[rate.setting] = max(counts[rate.setting], rate.replications)
    shown = [f"{setting} ({counts[setting]})" for setting in settings]
    head = ["On", "Procedure", *(["Rate"] if several else []), *shown]
    written = [head]
    for (on, call, quantity), cells in sorted(rows.items()):
        shown = [cells[s].shown if s in cells else "" for s in settings]
        written.append([on, f"``{call}``", *([quantity] if several else []), *shown])
    return titled(table.title, written)


def titled(title: str, rows: Sequence[Sequence[str]], *options: str) -> str:
    """Write a table under its title, folded if it is long.

    Parameters
    ----------
    title : str
        What it shows.
    rows : sequence of sequence of str
        The head, then the rows.
    *options : str
        More options of the directive.
    """
    table = "\n".join([".. list-table::", *options, *OPTIONS, *map(row_of, rows), ""])
    if len(rows) - 1 <= LONG:
        return f".. rubric:: {title}\n\n{table}"
    return f"{opened('branch', f'Table: {title}')}\n{table}\n{CLOSED}"


def by_number(setting: str) -> list[tuple[int, str]]:
    """Order names as people do: 6 before 10."""
    return [
        (int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", setting)
    ]


def row_of(cells: Iterable[str]) -> str:
    return "\n".join(
        f"   {'*' if number == 0 else ' '} - {cell}".rstrip()
        for number, cell in enumerate(cells)
    )


def rates_by_function() -> dict[str, str]:
    """Return a small table for the reference page of every function that was measured."""
    rates = read_rates()
    measured = {rate.procedure for rate in rates}
    pages = {}
    for module, names in (("skstat.stats", stats.__all__), ("skstat", skstat.__all__)):
        for name in names:
            asked = NAMED.get(name, ()) if module == "skstat" else ()
            asked = asked or ((name,) if name in measured else ())
            if set(asked) & measured:
                pages[f"{module}.{name}"] = _summary(
                    [rate for rate in rates if rate.procedure in asked], asked != (name,)
                )
    return pages


def _summary(rates: list[Rate], named: bool) -> str:
    rows: dict[tuple[str, str], dict[str, list[Rate]]] = {}
    for rate in rates:
        call = rate.call if named or rate.options else ""
        row = rows.setdefault((rate.on, call), {})
        row.setdefault(rate.quantity, []).append(rate)
    quantities = [
        q
        for q in (NULL, FAMILY, COVERAGE, WIDTH, POWER)
        if any(q in row for row in rows.values())
    ]
    with_call = any(call for _, call in rows)
    lines = [".. list-table::", *OPTIONS]
    lines.append(row_of(["Asked on", *(["Call"] if with_call else []), *quantities]))
    for (on, call), cells in sorted(rows.items()):
        shown = [_range(cells.get(quantity, []), quantity) for quantity in quantities]
        lines.append(
            row_of([on, *([f"``{call}``" if call else ""] if with_call else []), *shown])
        )
    return "\n".join([*lines, ""])


def _range(rates: list[Rate], quantity: str) -> str:
    """The span over the settings; of errors and coverage with the worst setting's name."""
    if not rates:
        return ""
    ordered = sorted(rates, key=lambda rate: rate.value)
    low, high = ordered[0], ordered[-1]
    if len(rates) == 1:
        return f"{low.value:.3f} ({low.setting})"
    span = f"{low.value:.3f} to {high.value:.3f}"
    if quantity in (POWER, WIDTH):
        return span
    worst = low if quantity == COVERAGE else high
    side = "least" if quantity == COVERAGE else "most"
    return f"{span} ({side}: {worst.setting})"
