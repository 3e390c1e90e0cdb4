"""A gate as Markdown for a pull request: verdict, table, and the report to be unfolded."""

from typing import Any

from skstat._command_line._gate.judge import Judgement

_SIGNS = {
    "pass": "\N{WHITE HEAVY CHECK MARK}",
    "fail": "\N{CROSS MARK}",
    "undecided": "\N{BLACK QUESTION MARK ORNAMENT}",
}


def gate_markdown(judgement: Judgement, report: Any) -> str:
    """Write the summary; its first line is the verdict."""
    from skstat.report._forms import escape_markdown, markdown_table

    header = ["", "Fail if", "Candidate", "Baseline", "Metric", "Difference", "Interval", "p"]
    with_margin = any(check.margin for check in judgement.checks)
    rows = [header + ["Margin"] * with_margin]
    for check in judgement.checks:
        cells = [
            f"{_SIGNS[check.result]} {check.result}",
            check.condition.name,
            check.candidate,
            check.baseline,
            check.metric,
            check.difference,
            ": ".join(filter(None, (check.level, check.interval))),
            check.pvalue,
        ]
        rows.append(cells + [check.margin] * with_margin)
    head, _, rest = judgement.line.partition(": ")
    blocks = [
        f"{_SIGNS[judgement.result]} **{escape_markdown(head)}**: {escape_markdown(rest)}",
        markdown_table(rows),
        f"<details>\n<summary>The report</summary>\n\n{report.to_markdown()}\n</details>",
    ]
    return "\n\n".join(blocks)
