"""LaTeX tables: whole environments, rules with and without a package, marks and notes."""

import re
from functools import partial

import pytest

import skstat
from tests.cases import in_one_test

A = [0.81, 0.79, 0.84, 0.80, 0.82, 0.83]
B = [0.78, 0.77, 0.79, 0.80, 0.78, 0.79]
C = [0.70, 0.75, 0.72, 0.71, 0.69, 0.70]
NAMED = {"linear": A, "forest": B, "stump": C}
ODD = {r"a&b_{c}": A, r"\end{tabular} % $": B}


def two(**options):
    return skstat.compare_scores({"linear": A, "forest": B}, n_train=60, n_test=30, **options)


REPORTS = {
    "two": lambda: skstat.compare_scores(ODD, n_train=60, n_test=30),
    "metrics": lambda: skstat.ReportGrid(
        by="metric", reports={name: two(scoring=name) for name in ("one", "two")}
    ),
    "systems": lambda: skstat.compare_scores(NAMED, n_train=60, n_test=30),
    "datasets": lambda: skstat.compare_scores(NAMED, unit="dataset"),
    "ranks": lambda: skstat.compare_scores(NAMED, unit="dataset", test="nemenyi"),
    "board": lambda: skstat.rank_systems(NAMED, unit="dataset", random_state=0),
}


def check_table(latex):
    """The structure that LaTeX demands: environments in pairs, equal numbers of cells."""
    body = [line for line in latex.splitlines() if not line.startswith("%")]
    opened = []
    for line in body:
        for kind, name in re.findall(r"(?<!\\)\\(begin|end)\{(\w+)\}", line):
            if kind == "begin":
                opened.append(name)
            else:
                assert opened.pop() == name
    assert opened == []
    spec = re.search(r"\\begin\{tabular\}\{(.*)\}$", latex, re.M)[1]
    n_columns = len(re.sub(r"\{.*?\}", "", spec))
    rows = [line for line in body if line.endswith(r" \\")]
    assert rows
    for row in rows:
        assert len(re.findall(r"(?<!\\)&", row)) == n_columns - 1
        assert row.count("{") == row.count("}")
        assert not re.search(r"(?<!\\)[%#]", row)
        assert len(re.findall(r"(?<!\\)\$", row)) % 2 == 0
    return body, rows


@in_one_test("kind", REPORTS)
def test_tables_are_whole_with_and_without_an_environment_and_a_package(kind):
    report = REPORTS[kind]()
    has_systems = kind in ("systems", "datasets", "ranks", "board")
    for table in ("", "scores", "ranks", "pairs") if has_systems else ("",):
        options = {"table": table} if table else {}
        nice, plain = report.to_latex(**options), report.to_latex(**options, booktabs=False)
        (body, _), (bare, _) = map(check_table, (nice, plain))
        assert r"\hline" not in nice and r"% In the preamble: \usepackage{booktabs}" in nice
        last = body.index(r"\end{tabular}") - 1
        assert (body[1], body[last]) == (r"\toprule", r"\bottomrule") and r"\midrule" in body
        assert [re.sub(r"\\(top|mid|bottom)rule", r"\\hline", line) for line in body] == bare
        whole = report.to_latex(**options, caption=r"A, \emph{b}", label="tab:x")
        lines, _ = check_table(whole)
        begin = [r"\begin{table}", r"\centering", r"\caption{A, \emph{b}}", r"\label{tab:x}"]
        assert lines == [*begin, *body, r"\end{table}"]
    only = report.to_latex(label="tab:x")
    assert r"\begin{table}" in only and r"\caption" not in only
    assert r"\label" not in report.to_latex(caption="x")
    if has_systems:
        with pytest.raises(ValueError, match="table='letters' is unknown; use .* 'pairs'"):
            report.to_latex("letters")


def test_a_difference_of_ranks_is_said_to_be_one():
    by_rank = REPORTS["ranks"]()["linear", "forest"]
    latex = by_rank.to_latex()
    assert "Difference: rank of second $-$ rank of first." in latex
    difference = check_table(latex)[1][1].split(" & ")[2]
    assert difference.startswith("+") is (by_rank.estimate > 0)


def test_stars_are_refused_where_there_is_nothing_to_mark():
    report = skstat.compare_scores(NAMED, n_train=60, n_test=30, test="paired_t")
    with pytest.raises(ValueError, match=r"the p-values are not valid: .* \(SKS101\)"):
        report.to_latex(stars=True)
    for shown in (two().to_latex, partial(report.to_latex, "pairs")):
        with pytest.raises(ValueError, match="marks the scores of several systems"):
            shown(stars=True)
