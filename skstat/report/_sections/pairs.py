"""The comparisons of several systems in pairs: a table, or of very many a square of signs."""

from math import isnan

from skstat._names import shown_name
from skstat.report._blocks import Cells, Tone
from skstat.report._model import Pair, Report
from skstat.report._sections.drawing import pair_tone, system_tones
from skstat.report._sections.systems import Columns, interval_cell
from skstat.report._words import (
    adjustment_name,
    decimals_for,
    drawn_text,
    fixed,
    good,
    percent,
    pvalue_cell,
    short,
    where_text,
)
from skstat.stats._outcomes import unit_word

_MOST, _MOST_IN_FULL = 30, 500  # pairs of a screen; pairs that are listed one by one
_MOST_SYSTEMS = 500  # of more, a line of signs is too long to look at
# Of the system of a line against that of a column.
_SIGNS = {
    "+": "the system of the line is better",
    "-": "it is worse",
    "=": "equivalent",
    ".": "no significant difference",
    "?": "no test",
}


def test_of_pairs(r: Report) -> str:
    """Name the test of the pairs, and how its p-values were adjusted."""
    tests = " / ".join(r.tests)
    if r.adjustment == "max-t":  # the name of the test has it
        return tests
    return f"{tests}, p-values adjusted by {adjustment_name(r.adjustment)}"


def pairs_table(r: Report, screen: bool) -> Cells:
    """Return the comparisons, the surest first."""
    most = _MOST if screen else _MOST_IN_FULL
    pairs = [r.pairs[place] for place in r.surest[:most]]
    control = None if r.control is None else shown_name(r.control)
    title, numbers = f"In pairs: {test_of_pairs(r)}", _numbers(r, pairs)
    last = (good(r), [_better(pair, _ahead(r, pair)) for pair in pairs])
    if control is None:
        names: Columns = [
            ("first", [shown_name(pair.first) for pair in pairs]),
            ("second", [shown_name(pair.second) for pair in pairs]),
        ]
    elif pairs[0].first == r.control:
        # One column is the same in every row.
        title = f"{control} against every other: {test_of_pairs(r)}"
        names = [("against", [shown_name(pair.second) for pair in pairs])]
    else:
        title = f"Every other against {control}: {test_of_pairs(r)}"
        names = [("", [shown_name(pair.first) for pair in pairs])]
        last = ("verdict", [_against_control(pair, _ahead(r, pair)) for pair in pairs])
    columns = [*names, *numbers, last]
    return Cells(
        title,
        [title for title, _ in columns],
        [list(row) for row in zip(*(cells for _, cells in columns), strict=True)],
        n_names=len(names),
        words=len(columns) - 1,
        note=_note(r, pairs, last[0]),
        tones=_tones(r, pairs),
        letters=[_letter(pair, _ahead(r, pair)) for pair in pairs],
    )


def _numbers(r: Report, pairs: list[Pair]) -> Columns:
    decimals = decimals_for(end for p in pairs for end in (p.estimate, p.low, p.high))
    level = percent(r.confidence_level)
    columns: Columns = [
        ("difference", [fixed(pair.estimate, decimals, sign=True) for pair in pairs]),
        (f"{level} interval", [interval_cell(pair, decimals) for pair in pairs]),
    ]
    if any(n != r.n_units for n in r.pairs.columns["n"]):
        columns.append(("n", [str(pair.n) for pair in pairs]))
    columns += [
        ("p", [pvalue_cell(pair.pvalue) for pair in pairs]),
        ("adjusted p", [pvalue_cell(pair.adjusted) for pair in pairs]),
    ]
    if r.margin is not None:
        columns.append(("equivalence p", [pvalue_cell(pair.equivalence_p) for pair in pairs]))
    if r.probabilities is not None:
        kinds = {"P(first)": "p_better", "P(same)": "p_same", "P(second)": "p_worse"}
        if not r.probabilities["rope"]:
            del kinds["P(same)"]  # without a region two are left
        drawn = r.probabilities["n_drawn"]
        for title, kind in kinds.items():
            columns.append((title, [drawn_text(getattr(p, kind), drawn) for p in pairs]))
    return columns


def _note(r: Report, pairs: list[Pair], last: str) -> str:
    """Say what the numbers are, what they allow for, and how the last column decides."""
    by_rank, notes, left = r.by_rank, [], len(r.pairs) - len(pairs)
    if left:
        notes.append(f"{left} more pair{'s' * (left > 1)} in to_frame().")
    if r.simultaneous:
        notes.append("Intervals hold for all pairs at once.")
    elif len(r.pairs) > 1:
        notes.append("Intervals are adjusted like the p-values.")
    if not (r.quantity.is_difference or by_rank):
        name = f"{r.quantity.name[0].upper()}{r.quantity.name[1:]}s"
        of = f" of single {unit_word(r.unit)}s" if r.quantity.of_units else ""
        notes.append(f"{name}{of} are not differences of the scores above.")
    if any(isnan(pair.adjusted) for pair in pairs):
        notes.append("No p-value: without variance no test is possible.")
    if r.control is None:
        ends = ("rank of the second", "rank of the first") if by_rank else ("first", "second")
        notes.append("Difference: {} \N{MINUS SIGN} {}.".format(*ends))
    elif by_rank:
        notes.append("Difference: rank of the control \N{MINUS SIGN} rank of the other.")
    if r.lower and not by_rank:
        side = "the first" if r.control is None else "the system named"
        if pairs[0].first == r.control:
            side = shown_name(r.control)
        notes.append(f"Differences below 0: lower {r.metric}, {side} is better.")
    of_both = last == "verdict"
    decided = f"{good(r)} or {good(r, up=False)}" if of_both else good(r)
    notes.append(f"{decided.capitalize()}: adjusted p below {r.alpha:g}.")
    if r.margin is not None:
        notes.append(
            f"Equivalent: adjusted equivalence p below {r.alpha:g}, within the margin of "
            f"{short(r.margin)}."
        )
        if any(_ahead(r, pair) for pair in pairs):
            where = "ahead or behind" if of_both else "ahead"
            notes.append(
                f"Equivalent, and {where}: both hold, a difference too small to matter."
            )
    if r.probabilities is not None:
        rope = r.probabilities["rope"]
        beyond = f" by more than {short(rope)}" if rope else ""
        lead = "the comparison of the pair read as probabilities,"
        if where := where_text(r.probabilities, r.unit):
            lead += f" {where}:"
        notes.append(
            f"P: {lead} that the first or the second system is {good(r)}{beyond}; not adjusted "
            "for the number of pairs."
        )
    return " ".join(notes)


def _tones(r: Report, pairs: list[Pair]) -> list[Tone]:
    """Return the tones of pairs; against a control, those of the other systems."""
    if r.control is None:
        return [pair_tone(pair) for pair in pairs]
    tones = system_tones(r)
    return [tones.get(pair.other(r.control), "") for pair in pairs]


def _ahead(r: Report, pair: Pair) -> str:
    """Say which of two that are equivalent is better, if their difference is significant."""
    if pair.verdict != "equivalent" or not pair.adjusted < r.alpha:
        return ""
    return {1: "first", -1: "second"}.get(pair.toward, "")


def _better(pair: Pair, ahead: str) -> str:
    if isnan(pair.adjusted):
        return "no test"
    if ahead:
        return f"equivalent, {ahead} ahead"
    return pair.verdict if pair.better is None else shown_name(pair.better)


def _against_control(pair: Pair, ahead: str) -> str:
    """Write the verdict on another system than the control."""
    if ahead:
        return f"equivalent, {'ahead' if ahead == 'first' else 'behind'}"
    return "no test" if isnan(pair.adjusted) else pair.verdict


def _letter(pair: Pair, ahead: str) -> str:
    """Write the verdict where there is little room."""
    if isnan(pair.adjusted):
        return "no test"
    places = {"first": "1st", "second": "2nd"}
    words = {"better": "1st", "worse": "2nd", "equivalent": f"= {places.get(ahead, '')}"}
    return words.get(pair.verdict, "\N{EN DASH}").strip()


def verdict_square(r: Report) -> Cells | None:
    """Return the verdicts on all pairs; None where a list of the pairs serves as well."""
    few = len(r.pairs) <= _MOST_IN_FULL
    if few or r.control is not None or len(r.names) > _MOST_SYSTEMS:
        return None
    place = {name: number for number, name in enumerate(r.names)}
    lines = [["?"] * len(place) for _ in place]
    for number, line in enumerate(lines):
        line[number] = "o"
    won, lost, same = ("+", "-"), ("-", "+"), ("=", "=")
    sides = {"better": won, "higher": won, "worse": lost, "lower": lost, "equivalent": same}
    keys = ("first", "second", "verdict", "adjusted")
    columns = [r.pairs.columns[key] for key in keys]
    for first, second, verdict, adjusted in zip(*columns, strict=True):
        if not isnan(adjusted):
            i, j = place[first], place[second]
            ours, theirs = sides.get(verdict, (".", "."))
            lines[i][j], lines[j][i] = ours, theirs
    used = {sign for line in lines for sign in line}
    said = _SIGNS
    if r.direction_assumed:
        said = _SIGNS | {"+": "the system of the line is higher", "-": "it is lower"}
    meanings = ", ".join(f"{sign} {text}" for sign, text in said.items() if sign in used)
    return Cells(
        "All pairs: line against column, in the order of the ranking",
        ["", "", "".join(str(number % 10) for number in range(1, len(lines) + 1))],
        [
            [str(number), shown_name(name), "".join(line)]
            for number, (name, line) in enumerate(zip(r.names, lines, strict=True), start=1)
        ],
        n_names=2,
        words=2,
        signs=2,
        note=f"{meanings}. Numbers: to_frame().",
    )
