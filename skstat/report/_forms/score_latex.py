r"""The scores of many data sets as papers print them.

Bold and underlined cells use ``\textbf`` and ``\underline``, which need no package.
"""

import math
from typing import Any

from skstat._names import one_line, shown_name
from skstat.report._forms.latex import check_stars, comments
from skstat.report._forms.latex_table import (
    STARS,
    Table,
    TableStyle,
    escape_latex,
    starred,
    written,
)
from skstat.report._words import decimals_for, fixed
from skstat.stats._outcomes import alpha_of, unit_word


def render_scores(report: dict[str, Any], style: TableStyle) -> str:
    """Render the scores and mean ranks of a table's dictionary as a table."""
    check_stars(style, report["doubts"])
    table = report["sample"]
    names = table["systems"]
    sign = 1 if table["higher_is_better"] else -1
    decimals = max(3, decimals_for(score for row in table["scores"] for score in row))
    reference = (
        "the best" if report["control"] is None else one_line(shown_name(report["control"]))
    )
    lines = comments(report["conclusion"], report["doubts"])
    underlined = ""
    if _underlines(report):
        underlined = f" Underlined mean ranks: no significant difference from {reference}"
    bold = "" if report["direction_assumed"] else " Bold: the best of a row."
    lines += [
        f"%{bold}{underlined}",
        f"% ({report['test']}, p-values adjusted by {report['adjustment_name']}).",
    ]
    if style.stars:
        lines.append(f"{STARS}, adjusted, against {reference}.")
    rows = []
    for dataset, row in zip(table["datasets"] or [], table["scores"], strict=True):
        top = max((sign * score for score in row if score is not None), default=math.nan)
        cells = []
        for score in row:
            text = "--" if score is None else escape_latex(fixed(score, decimals))
            is_best = score is not None and math.isclose(sign * score, top, rel_tol=1e-10)
            is_best = is_best and bool(bold)
            cells.append(rf"\textbf{{{text}}}" if is_best else text)
        rows.append([escape_latex(dataset), *cells])
    table_of_scores = Table(
        "l" + "r" * len(names),
        rows,
        header=["", *(escape_latex(shown_name(name)) for name in names)],
        footer=["mean rank", *_mean_ranks(report, names, stars=style.stars)],
    )
    return written(lines, table_of_scores, style)


def render_ranking(report: dict[str, Any], style: TableStyle) -> str:
    """Render the scores of several systems on one data set as a table."""
    check_stars(style, report["doubts"])
    ranking = report["ranking"]
    decimals = max(3, decimals_for(row["mean"] for row in ranking))
    spread = any(row["sd"] is not None for row in ranking)
    letters = any(row["letters"] for row in ranking)
    best = bool(report["may_be_best"])
    header = ["", escape_latex(report["metric"])]
    header += ["sd"] * spread + ["may be best"] * best + ["group"] * letters
    lines = comments(report["conclusion"], report["doubts"])
    bold = "" if report["direction_assumed"] else " Bold: the best."
    shared = " Systems that share a letter do not differ significantly" * letters
    lines += [
        f"%{bold}{shared}",
        f"% ({report['test']}, p-values adjusted by {report['adjustment_name']}).",
    ]
    if spread:
        lines.append(f"% sd: standard deviation over the {unit_word(report['unit'])}s.")
    against = _against(report) if style.stars else {}
    if style.stars:
        reference = report["control"] or ranking[0]["name"]
        lines.append(f"{STARS}, adjusted, against {one_line(shown_name(reference))}.")
    rows = []
    for row in ranking:
        text = escape_latex(fixed(row["mean"], decimals))
        is_best = bool(bold) and math.isclose(row["mean"], ranking[0]["mean"], rel_tol=1e-10)
        cells = [
            escape_latex(shown_name(row["name"])),
            (rf"\textbf{{{text}}}" if is_best else text) + starred(against.get(row["name"])),
        ]
        cells += [escape_latex(fixed(row["sd"], decimals))] if spread else []
        cells += ["yes" if row["may_be_best"] else "no"] if best else []
        cells += [escape_latex(row["letters"])] if letters else []
        rows.append(cells)
    columns = "l" + "r" * (1 + spread) + "l" * (best + letters)
    return written(lines, Table(columns, rows, header), style)


def _underlines(report: dict[str, Any]) -> bool:
    """Whether the verdicts say who is like the best: those of one direction do not."""
    two_sided = report["pairwise"]["alternatives"][0] == "two-sided"
    return two_sided or report["control"] is not None


def _against(report: dict[str, Any]) -> dict[str, float | None]:
    """Return the adjusted p-values of all others against the control, or the best."""
    reference = report["control"] or report["ranking"][0]["name"]
    rows = report["pairs"].with_system(reference)
    return {name: row["adjusted_pvalue"] for name, row in rows.items()}


def _mean_ranks(report: dict[str, Any], names: list[str], *, stars: bool) -> list[str]:
    ranking = {row["name"]: row["mean_rank"] for row in report["ranking"]}
    best = min(rank for rank in ranking.values() if rank is not None)
    # As for letters: an equivalent system may differ significantly, or not.
    alpha, against = alpha_of(report["confidence_level"]), _against(report)
    not_apart = {
        other
        for other, pvalue in against.items()
        if pvalue is not None and pvalue >= alpha and _underlines(report)
    }
    cells = []
    for name in names:
        text = escape_latex(fixed(ranking[name], 2))
        if math.isclose(ranking[name], best, rel_tol=1e-10) and not report["direction_assumed"]:
            text = rf"\textbf{{{text}}}"
        text = rf"\underline{{{text}}}" if name in not_apart else text
        cells.append(text + starred(against.get(name)) * stars)
    return cells
