"""Tables of the tests over splits for any metric, from calibration/results/losses.json."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from _calibration import Rate, by_number, dot_of, read_rates, titled, write_page
from _calibration_figures import Dot, figure_of, worst_first

from calibration import check, nine_tenths, slices
from calibration.losses.designs import NINE
from calibration.losses.limits import reason_for
from calibration.losses.scores import AVERAGE_PRECISION, MATTHEWS
from calibration.losses.settings import CONSTRUCTED, LOP_SIDED
from calibration.nine_tenths import CHANGE
from calibration.readings import COVERAGE, NULL, POWER, TRUTH_ABOVE, TRUTH_BELOW, WIDTH
from calibration.rivals import M_BY_TWO, NESTED, ONE

MOST = 0.06  # rejections of true null hypotheses
LEAST = 0.92  # coverage
ABOVE, BELOW = f"{100 * MOST:.0f} %", f"{100 * LEAST:.0f} %"
WEAK = 0.1  # power below which a ratio says nothing
CLASSES = (
    "accuracy",
    "balanced accuracy",
    "F1",
    "macro F1",
    "AUC",
    "log loss",
    "Brier score",
)
OF_FEW = (AVERAGE_PRECISION, MATTHEWS)
NUMBERS = ("MSE", "MAE", "R2")
METRICS = (*CLASSES, *OF_FEW, *NUMBERS)
KINDS = {"classes": CLASSES, "classes, two more metrics": OF_FEW, "numbers": NUMBERS}
OF_MEAN = ("accuracy", "log loss", "Brier score", "MSE", "MAE")
CORRECTED = ("corrected_t", "30 x 1/3")
F_TEST = ("five_by_two_f", "5 x 2")
DEFAULT = ("projection_t", "15 x 2")
BLOCKS = ("block_jackknife_t", "8 blocks")
CORRECTED_INTERVAL = ("t_estimate", "30 x 1/3")
DEFAULT_INTERVAL = ("t_estimate", "15 x 2")
RIVALS = tuple((rival, rival) for rival in (M_BY_TWO, ONE, NESTED))
CORRECTED_NINE = ("corrected_t", NINE)
DEFAULT_NINE = ("projection_t", NINE)
CHANGE_TO_NINE = ("projection_t", CHANGE)
DEFAULT_NINE_INTERVAL = ("t_estimate", NINE)

Asked = tuple[str, str]  # procedure and design


class Cell(NamedTuple):
    """All rates of one setting by one metric.

    Settings that differ by what is asked of them only, and by rivals, are one.
    """

    setting: str
    metric: str
    rates: Mapping[tuple[str, str, str], Rate]

    def rate(self, asked: Asked, quantity: str) -> float | None:
        """A rate of a procedure on a design; None if it was not asked."""
        found = self.rates.get((*asked, quantity))
        return None if found is None else found.value

    def error(self, asked: Asked) -> float:
        """Type I error, of a cell with a null hypothesis."""
        return self.rates[(*asked, NULL)].value

    def missed(self, asked: Asked) -> float | None:
        """Share in which a null hypothesis is rejected, or an interval misses the truth."""
        dot = self.dot(asked)
        return None if dot is None else dot.error

    def one_sided(self, asked: Asked) -> float:
        """The larger share in which a one-sided limit of 95 % is beyond the truth."""
        return max(self.rates[(*asked, side)].value for side in (TRUTH_BELOW, TRUTH_ABOVE))

    def dot(self, asked: Asked) -> Dot | None:
        """The same with its place in the study."""
        for quantity in (NULL, COVERAGE):
            rate = self.rates.get((*asked, quantity))
            if rate is not None:
                return dot_of(rate)._replace(where=self.setting)
        return None


def read_cells(rates: Iterable[Rate], *situations: str) -> list[Cell]:
    """Sort the rates of some situations by setting and metric."""
    found: dict[tuple[str, str], dict[tuple[str, str, str], Rate]] = {}
    for rate in rates:
        if rate.situation in situations:
            metric, design = rate.on.rsplit(", ", 1)
            setting = rate.setting.partition(" (")[0]  # what was asked stands in brackets
            cell = found.setdefault((setting, metric), {})
            cell[rate.procedure, design, rate.quantity] = rate
    ordered = sorted(found, key=lambda key: (by_number(key[0]), METRICS.index(key[1])))
    return [Cell(*key, found[key]) for key in ordered]


def write_tables(folder: Path) -> None:
    """Write one file for each part of the page, to be included there."""
    rates = read_rates()
    cells = read_cells(rates, "losses", "rivals")
    alike, pairs = _by_question(cells)
    of_both_sizes = read_cells(rates, nine_tenths.SITUATION)
    made_up, of_sides = (
        {setting.name for setting in some} for some in (CONSTRUCTED, LOP_SIDED)
    )
    lop_sided = [cell for cell in pairs if cell.setting in of_sides]
    pairs = [cell for cell in pairs if cell.setting not in of_sides]
    usual = [cell for cell in pairs if cell.setting not in made_up]
    for name, text in {
        "failing": failing(alike),
        "all": everything(alike),
        "power": power(alike),
        "pairs": different(pairs),
        "coverage": coverage(alike),
        "exceptions": exceptions(alike),
        "counts": counts(alike, usual),
        "sides": sides(alike, usual, lop_sided),
        "lop_sided": missed_by_side(lop_sided),
        "rivals": rivals([*alike, *pairs]),
        **nine_tenths_of(of_both_sizes),
    }.items():
        write_page(folder / f"calibration_losses_{name}.inc", text)
    for name, asked, of in (
        ("null", (CORRECTED, F_TEST, DEFAULT, BLOCKS), alike),
        ("pairs", (CORRECTED, DEFAULT, BLOCKS), usual),
        ("one", (CORRECTED_INTERVAL, DEFAULT_INTERVAL), alike),
        ("nine", (CORRECTED_NINE, DEFAULT_NINE, DEFAULT), of_both_sizes),
    ):
        shown = figure_of(f"calibration_losses_{name}", _by_test(of, asked), folder)
        write_page(folder / f"calibration_losses_figure_{name}.inc", shown)
    shown = figure_of("calibration_losses_rivals", {"": _of_rivals(cells)}, folder)
    write_page(folder / "calibration_losses_figure_rivals.inc", shown)
    write_page(folder / "calibration_check.inc", checked())
    write_page(folder / "calibration_slices.inc", sliced())


def _by_question(cells: list[Cell]) -> tuple[list[Cell], list[Cell]]:
    """Part the cells of equal learners from those of unlike ones."""
    alike, pairs = (
        [cell for cell in cells if cell.rate(DEFAULT, quantity) is not None]
        for quantity in (NULL, COVERAGE)
    )
    return alike, pairs


def _by_test(cells: list[Cell], tests: Iterable[Asked]) -> dict[str, dict[str, list[Dot]]]:
    """A panel for each test, with a row for each metric."""
    return {
        "\n".join(asked): {
            metric: [dot for cell in of if (dot := cell.dot(asked)) is not None]
            for metric, of in _by_metric(cells)
        }
        for asked in tests
    }


def _of_rivals(cells: list[Cell]) -> Mapping[str, Sequence[Dot]]:
    """A row for each test, of the cells that methods of the literature were tried on."""
    tried = [cell for cell in cells if cell.dot(RIVALS[0]) is not None]
    rows: dict[str, list[Dot]] = {}
    for asked in (CORRECTED, *RIVALS, DEFAULT):
        row = rows.setdefault(", ".join(dict.fromkeys(asked)), [])
        for cell in tried:
            if (dot := cell.dot(asked)) is not None:
                row.append(dot._replace(where=f"{cell.metric}, {cell.setting}"))
    return worst_first(rows)


def failing(cells: list[Cell]) -> str:
    """Where the corrected t or the 5x2cv F test rejects too often, and what the others do."""
    tests = (CORRECTED, F_TEST, DEFAULT, BLOCKS)
    head = [f"``{procedure}``, {design}" for procedure, design in tests]
    counts = []
    for metric, of in _by_metric(cells):
        row = [metric, str(len(of))]
        for test in tests:
            above = sum(cell.error(test) > MOST for cell in of)
            row.append(f"{above} (most: {max(cell.error(test) for cell in of):.3f})")
        counts.append(row)
    worst = sorted(cells, key=lambda cell: -cell.error(CORRECTED))
    rows = [
        [cell.metric, cell.setting, *(_bold(cell.error(test), MOST) for test in tests)]
        for cell in worst
        if cell.error(CORRECTED) > MOST
    ]
    return "\n".join(
        (
            _table(
                f"Settings in which more than {ABOVE} of true null hypotheses are rejected",
                ["Metric", "Settings", *head],
                counts,
            ),
            _table(
                f"Type I error where the corrected t test rejects more than {ABOVE}",
                ["Metric", "Setting", *head],
                rows,
            ),
            _of_f_test(cells),
        )
    )


def _of_f_test(cells: list[Cell]) -> str:
    """For every learner and metric, where the F test rejects most."""

    def show(of: list[Cell]) -> str:
        worst = max(of, key=lambda cell: cell.error(F_TEST))
        if worst.error(F_TEST) <= MOST:
            return ""
        return f"{worst.error(F_TEST):.3f} ({worst.error(DEFAULT):.3f})"

    title = "Highest type I error of the 5x2cv F test (the projection t test's beside it)"
    return _matrix(title, cells, show, lambda cell: cell.setting.split(", ")[0])


def everything(cells: list[Cell]) -> str:
    """Type I error of the default test in all settings."""
    return _matrix(
        "Type I error of ``projection_t``, 15 x 2",
        cells,
        lambda of: _bold(of[0].error(DEFAULT), MOST),
    )


def power(cells: list[Cell]) -> str:
    """Power of the default test over that of the corrected t test, where that is valid."""

    def show(of: list[Cell]) -> str:
        corrected, own = (of[0].rate(test, POWER) for test in (CORRECTED, DEFAULT))
        if corrected is None or own is None or corrected < WEAK:
            return ""
        if of[0].error(CORRECTED) > MOST:
            return ""
        ratio = own / corrected
        shown = f"{ratio:.2f} ({own:.2f})"
        return f"**{ratio:.2f}** ({own:.2f})" if ratio < 0.9 else shown

    title = "Power of ``projection_t`` over that of ``corrected_t`` (its power)"
    return _matrix(title, cells, show)


def different(cells: list[Cell]) -> str:
    """Coverage of intervals for the difference of two learners."""
    settings = list(dict.fromkeys(cell.setting for cell in cells))
    found = {(cell.setting, cell.metric): cell for cell in cells}
    metrics = [metric for metric, _ in _by_metric(cells)]
    rows = [
        [
            setting if asked == CORRECTED else "",
            f"``{asked[0]}``, {asked[1]}",
            *(
                _bold(found[setting, metric].rate(asked, COVERAGE), LEAST, below=True)
                if (setting, metric) in found
                else ""
                for metric in metrics
            ),
        ]
        for setting in settings
        for asked in (CORRECTED, DEFAULT, BLOCKS)
    ]
    title = "Coverage of the difference of two learners"
    return _table(title, ["Learners", "Interval", *metrics], rows)


def coverage(cells: list[Cell]) -> str:
    """Coverage of intervals for one learner, and how wide they are."""
    asked = (CORRECTED_INTERVAL, DEFAULT_INTERVAL)
    head = [f"``{procedure}``, {design}" for procedure, design in asked]
    rows = []
    for metric, of in _by_metric(cells):
        row = [metric, str(len(of))]
        for one in asked:
            covered = [cell.rate(one, COVERAGE) for cell in of]
            few = sum(rate < LEAST for rate in covered)
            row.append(f"{few} (least: {min(covered):.3f})")
        widths = [
            cell.rate(DEFAULT_INTERVAL, WIDTH) / cell.rate(CORRECTED_INTERVAL, WIDTH)
            for cell in of
            if min(cell.rate(one, COVERAGE) for one in asked) >= LEAST
        ]
        rows.append([*row, f"{median(widths):.2f}" if widths else ""])

    def show(of: list[Cell]) -> str:
        corrected, own = (of[0].rate(one, COVERAGE) for one in asked)
        return f"{_bold(own, LEAST, below=True)} ({corrected:.3f})"

    summary = _table(
        f"Settings in which less than {BELOW} of the intervals hold the truth",
        ["Metric", "Settings", *head, "Median ratio of widths where both do"],
        rows,
    )
    title = "Coverage of ``t_estimate`` of halves (of random splits)"
    return "\n".join((summary, _matrix(title, cells, show)))


def exceptions(cells: list[Cell]) -> str:
    """Settings in which the default is not what it promises."""
    rows = []
    for cell in cells:
        error, covered = cell.error(DEFAULT), cell.rate(DEFAULT_INTERVAL, COVERAGE)
        if error > MOST or (covered is not None and covered < LEAST):
            corrected = cell.rate(CORRECTED_INTERVAL, COVERAGE)
            rows.append(
                [
                    cell.metric,
                    cell.setting,
                    _bold(error, MOST),
                    f"{cell.error(CORRECTED):.3f}",
                    f"{cell.error(BLOCKS):.3f}",
                    _bold(covered, LEAST, below=True),
                    _bold(corrected, LEAST, below=True),
                    reason_for(cell.metric, cell.setting) or "no more than simulation error",
                ]
            )
    head = ["Metric", "Setting"]
    head += [f"Type I error of ``{test[0]}``" for test in (DEFAULT, CORRECTED, BLOCKS)]
    head += [f"Coverage of ``{one[0]}``" for one in (DEFAULT_INTERVAL, CORRECTED_INTERVAL)]
    head.append("Why")
    title = f"More than {ABOVE} rejected, or less than {BELOW} covered"
    return _table(title, head, rows)


def counts(
    alike: list[Cell],
    pairs: list[Cell],
    tests: Sequence[Asked] = (CORRECTED, DEFAULT, BLOCKS),
    title: str = "Cells within limits of the error at a nominal 5 %",
) -> str:
    """How many cells are within which limits."""
    kinds = (
        ("Exact null, means over rows", _means(alike), (0.06, 0.08)),
        ("Exact null, other metrics", _others(alike), (0.06, 0.08)),
        ("Two learners, means over rows", _means(pairs), (0.07, 0.10)),
        ("Two learners, other metrics", _others(pairs), (0.07, 0.10)),
    )
    rows = [
        [
            f"{kind} ({len(of)} cells)" if asked == tests[0] else "",
            f"``{asked[0]}``, {asked[1]}",
            *(_share(of, asked, limit) for limit in limits),
            f"{max(cell.missed(asked) for cell in of):.3f}",
        ]
        for kind, of, limits in kinds
        for asked in tests
    ]
    head = [
        "Cells",
        "Test",
        "At most 6 %, or 7 % of two",
        "At most 8 %, or 10 % of two",
        "Most",
    ]
    return _table(title, head, rows)


def sides(alike: list[Cell], pairs: list[Cell], lop_sided: list[Cell]) -> str:
    """How many cells are within limits of the error on the worse of the two sides."""
    kinds = {
        "Exact null, means over rows": _means(alike),
        "Exact null, other metrics": _others(alike),
        "Two learners, means over rows": _means(pairs),
        "Two learners, other metrics": _others(pairs),
        "Lop-sided pairs, means over rows": _means(lop_sided),
        "Lop-sided pairs, other metrics": _others(lop_sided),
    }
    rows = []
    for kind, of in kinds.items():
        errors = [cell.one_sided(DEFAULT) for cell in of]
        within = [sum(error <= limit + 1e-9 for error in errors) for limit in (0.07, 0.10)]
        shown = [f"{n} ({100 * n / len(of):.0f} %)" for n in within]
        rows.append([f"{kind} ({len(of)} cells)", *shown, f"{max(errors):.3f}"])
    head = ["Cells", "At most 7 %", "At most 10 %", "Most"]
    return _table(
        "One-sided limits of ``projection_t`` at a nominal 5 %, worse side", head, rows
    )


def missed_by_side(cells: list[Cell]) -> str:
    """Two-sided errors of lop-sided pairs, and those of both one-sided limits."""

    def show(of: list[Cell]) -> str:
        (cell,) = of
        both = " ".join(
            f"{cell.rate(DEFAULT, side):.3f}" for side in (TRUTH_BELOW, TRUTH_ABOVE)
        )
        return f"{_bold(cell.missed(DEFAULT), 0.07)} ({both})"

    title = "Truths missed by ``projection_t`` (below, and above, a one-sided limit)"
    return _matrix(title, cells, show)


def _means(cells: list[Cell]) -> list[Cell]:
    return [cell for cell in cells if cell.metric in OF_MEAN]


def _others(cells: list[Cell]) -> list[Cell]:
    return [cell for cell in cells if cell.metric not in OF_MEAN]


def _share(cells: list[Cell], asked: Asked, limit: float) -> str:
    within = sum(cell.missed(asked) <= limit + 1e-9 for cell in cells)
    return f"{within} ({100 * within / len(cells):.0f} %)"


def nine_tenths_of(cells: list[Cell]) -> dict[str, str]:
    """Tables of learners trained on nine tenths of the rows, beside those trained on half."""
    alike, pairs = _by_question(cells)
    beyond = [
        [
            cell.metric,
            cell.setting.removesuffix(", nine tenths"),
            *(_bold(cell.missed(asked), limit) for asked in (DEFAULT_NINE, DEFAULT)),
        ]
        for of, limit in ((alike, 0.08), (pairs, 0.10))
        for cell in of
        if cell.missed(DEFAULT_NINE) > limit + 1e-9
    ]
    sizes = []
    for metric, of in _by_metric(alike):
        powers = [
            cell.rate(DEFAULT_NINE, POWER) / half
            for cell in of
            if (half := cell.rate(DEFAULT, POWER)) is not None and half >= WEAK
        ]
        few, widths = [], []
        for asked in (DEFAULT_INTERVAL, DEFAULT_NINE_INTERVAL):
            covered = [cell.rate(asked, COVERAGE) for cell in of]
            few.append(f"{sum(rate < LEAST for rate in covered)} (least: {min(covered):.3f})")
        for cell in of:
            half, nine = (
                cell.rate(asked, WIDTH) for asked in (DEFAULT_INTERVAL, DEFAULT_NINE_INTERVAL)
            )
            widths.append(nine / half)
        ratio = f"{median(powers):.2f} ({len(powers)})" if powers else ""
        sizes.append([metric, str(len(of)), ratio, *few, f"{median(widths):.2f}"])
    changing = (
        [c for c in of if c.missed(CHANGE_TO_NINE) is not None] for of in (alike, pairs)
    )
    below = f"Intervals of one learner below {BELOW}"
    return {
        "nine_counts": counts(alike, pairs, (CORRECTED_NINE, DEFAULT_NINE, DEFAULT)),
        "nine_change": counts(
            *changing,
            (CHANGE_TO_NINE,),
            "Cells within limits of the error of the change from half to nine tenths",
        ),
        "nine_beyond": _table(
            "Errors of more than 8 %, or 10 % of two, at nine tenths",
            ["Metric", "Setting", "Nine tenths", "Half"],
            beyond,
        ),
        "nine_sizes": _table(
            "Nine tenths of the rows against half of them",
            [
                "Metric",
                "Settings",
                "Median ratio of power (settings with power)",
                f"{below}, half",
                f"{below}, nine tenths",
                "Median ratio of widths",
            ],
            sizes,
        ),
    }


def rivals(cells: list[Cell]) -> str:
    """What other intervals make of settings in which the corrected t fails."""
    asked = (CORRECTED, *RIVALS, DEFAULT)
    rows = [
        [cell.metric, cell.setting, *(_bold(cell.missed(one), 0.07) for one in asked)]
        for cell in cells
        if cell.missed(RIVALS[0]) is not None
        and max(cell.missed(one) or 0.0 for one in asked) > 0.07
    ]
    head = ["Metric", "Setting", *(f"``{CORRECTED[0]}``, {CORRECTED[1]}",)]
    head += [rival for rival, _ in RIVALS] + [f"``{DEFAULT[0]}``, {DEFAULT[1]}"]
    title = "Rejected true null hypotheses, or truths missed, at a nominal 5 %"
    return _table(title, head, rows)


def _matrix(
    title: str,
    cells: list[Cell],
    show: Callable[[list[Cell]], str],
    name: Callable[[Cell], str] = lambda cell: cell.setting,
) -> str:
    """Metrics in columns, settings in rows; kinds of metrics in tables of their own."""
    tables = []
    for kind, metrics in KINDS.items():
        found: dict[str, dict[str, list[Cell]]] = {}
        for cell in cells:
            if cell.metric in metrics:
                found.setdefault(name(cell), {}).setdefault(cell.metric, []).append(cell)
        rows = [
            [row, *(show(of[metric]) if metric in of else "" for metric in metrics)]
            for row, of in found.items()
        ]
        rows = [row for row in rows if any(row[1:])]
        first = "Setting" if any(", n = " in row[0] for row in rows) else "Learner"
        tables.append(_table(f"{title}: {kind}", [first, *metrics], rows))
    return "\n".join(tables)


def _by_metric(cells: list[Cell]) -> list[tuple[str, list[Cell]]]:
    found = [(metric, [cell for cell in cells if cell.metric == metric]) for metric in METRICS]
    return [(metric, of) for metric, of in found if of]


def _bold(rate: float | None, limit: float, *, below: bool = False) -> str:
    """Show a rate, in bold if it is beyond the limit."""
    if rate is None:
        return ""
    out = rate < limit if below else rate > limit
    return f"**{rate:.3f}**" if out else f"{rate:.3f}"


def _table(title: str, head: list[str], rows: list[list[str]]) -> str:
    if not rows:
        return ""
    # A setting is a phrase, and would be set one word a line in a column as wide as the others.
    widths = " ".join("3" if name == "Setting" else "1" for name in head)
    return titled(title, [head, *rows], f"   :widths: {widths}")


def checked() -> str:
    """Shares of rejections found on one's own data, beside the truth."""
    known = json.loads(check.FILE.read_text(encoding="utf-8"))

    def share(found: Mapping[str, int]) -> str:
        return f"{found['rejected'] / found['experiments']:.3f}"

    rows = []
    for setting in (one.name for one in check.SETTINGS):
        row = [setting]
        for test in (DEFAULT[0], CORRECTED[0]):
            own = ", ".join(share(found[test]) for found in known[setting]["own"])
            row += [share(known[setting]["truth"][test]), own]
        rows.append(row)
    head = ["Learner and metric"]
    for test in (DEFAULT[0], CORRECTED[0]):
        head += [f"Truth, ``{test}``", "Found on own data"]
    return _table("True null hypotheses rejected at 0.05", head, rows)


def sliced() -> str:
    """Shares of data sets in which slices were judged wrongly, of rows and of groups."""
    known = json.loads(slices.FILE.read_text(encoding="utf-8"))

    def shares(metric: str, kind: str, what: str) -> str:
        cells = [known[f"{metric}, {kind}{groups}"] for groups in ("", ", groups")]
        return ", ".join(f"{cell[what] / cell['times']:.3f}" for cell in cells)

    rows = [
        [
            metric,
            shares(metric, "alike", "named"),
            shares(metric, "alike", "varies"),
            shares(metric, "unlike", "missed"),
        ]
        for metric in slices.METRICS
    ]
    head = ["Metric", "A slice is named", "Variation is found", "An interval misses"]
    title = "Twelve slices of 30 to 500 rows: independent rows, groups of 1 to 6 rows"
    return _table(title, head, rows)
