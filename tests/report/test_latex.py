"""LaTeX tables: whole environments, rules with and without a package, names in the header."""

import re

import numpy as np
import pytest

import skstat
from skstat.stats import PairedScores
from tests.cases import in_one_test

A = [0.81, 0.79, 0.84, 0.80, 0.82, 0.83]
B = [0.78, 0.77, 0.79, 0.80, 0.78, 0.79]
C = [0.70, 0.75, 0.72, 0.71, 0.69, 0.70]
NAMED = {"linear": A, "forest": B, "stump": C}


def two(**options):
    return skstat.compare_scores({"linear": A, "forest": B}, n_train=60, n_test=30, **options)


def metrics():
    return skstat.MetricsReport(reports={"one": two(scoring="one"), "two": two(scoring="two")})


REPORTS = {
    "two": two,
    "margin": lambda: two(margin=0.1),
    "metrics": metrics,
    "systems": lambda: skstat.compare_scores(NAMED, n_train=60, n_test=30),
    "datasets": lambda: skstat.compare_scores(NAMED, unit="dataset"),
    "ranks": lambda: skstat.compare_scores(NAMED, unit="dataset", post_hoc="nemenyi"),
    "one-sided": lambda: two(alternative="greater"),
    "awkward": lambda: skstat.compare_scores(
        {r"a&b_{c}": A, r"\end{tabular} % $": B}, n_train=60, n_test=30
    ),
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


@in_one_test("booktabs", [True, False])
@in_one_test("kind", REPORTS)
def test_the_whole_environment(kind, booktabs):
    report = REPORTS[kind]()
    latex = report.to_latex(caption=r"Scores, \emph{mean}", label="tab:x", booktabs=booktabs)
    body, _ = check_table(latex)
    assert body[:4] == [
        r"\begin{table}",
        r"\centering",
        r"\caption{Scores, \emph{mean}}",
        r"\label{tab:x}",
    ]
    assert body[-2:] == [r"\end{tabular}", r"\end{table}"]


@in_one_test("kind", REPORTS)
def test_rules(kind):
    report = REPORTS[kind]()
    nice, plain = report.to_latex(), report.to_latex(booktabs=False)
    check_table(nice)
    check_table(plain)
    assert r"\hline" not in nice and r"% In the preamble: \usepackage{booktabs}" in nice
    assert not re.search(r"\\(top|mid|bottom)rule|usepackage", plain)
    body = [line for line in nice.splitlines() if not line.startswith("%")]
    assert (body[1], body[-2]) == (r"\toprule", r"\bottomrule")
    assert r"\midrule" in body and body.count(r"\toprule") == body.count(r"\bottomrule") == 1
    turned = re.sub(r"\\(top|mid|bottom)rule", r"\\hline", "\n".join(body))
    assert turned in plain


def test_a_caption_or_a_label_is_enough():
    report = two()
    only = report.to_latex(label="tab:x")
    assert r"\begin{table}" in only and r"\caption" not in only
    assert r"\label" not in report.to_latex(caption="x")
    assert r"\begin{table}" not in report.to_latex()


def test_an_only_pair_is_named_in_the_header():
    for report in (two(), metrics()):
        _, rows = check_table(report.to_latex())
        assert rows[0].startswith(r"Metric & Difference (linear $-$ forest) & 95\% interval")
        assert "First" not in rows[0]
    assert len(rows) == 3


def test_several_pairs_are_named_in_columns():
    _, rows = check_table(REPORTS["systems"]().to_latex("pairs"))
    assert rows[0].startswith("First & Second & Difference & ")
    assert rows[1].startswith("linear & forest & ")


def test_two_systems_by_ranks_say_which_is_subtracted():
    report = REPORTS["ranks"]()["linear", "forest"]
    _, rows = check_table(report.to_latex())
    assert r"Difference in mean rank (forest $-$ linear)" in rows[0]
    assert rows[1].split(" & ")[1].startswith("+") is (report.estimate > 0)


def test_tables_of_scores_take_the_same_options():
    for report in (REPORTS["systems"](), REPORTS["datasets"]()):
        for table in ("scores", "pairs"):
            latex = report.to_latex(table, caption="c", label="l", booktabs=False)
            check_table(latex)
            assert r"\caption{c}" in latex and r"\hline" in latex


def test_letters_stand_for_no_system():
    rng = np.random.default_rng(0)
    sample = PairedScores(rng.random(9), rng.random(9), unit="instance")
    for alternative in ("two-sided", "less"):
        report = skstat.compare_scores(
            sample, names=("linear", "forest"), alternative=alternative, margin=0.2
        )
        assert not re.search(r"\b[AB]\b", report.to_latex())


def test_a_table_of_several_systems_says_what_the_standard_deviations_are_over():
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(0.8, 0.02, 12) for name in "abc"}
    report = skstat.compare_scores(scores, unit="seed", paired_seeds=True)
    assert "% sd: standard deviation over the seeds." in report.to_latex()
    assert "sd: standard deviation over the seeds." in " ".join(report.details.split())


def test_stars_stand_at_what_differs_significantly():
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(mean, 0.02, 12) for name, mean in
              (("forest", 0.9), ("boosting", 0.91), ("knn", 0.8))}  # fmt: skip
    report = skstat.compare_scores(scores, unit="instance")
    levels = (0.05, 0.01, 0.001)
    pairs = report.to_latex("pairs", stars=True)
    found = [line.count("*") for line in pairs.splitlines() if "&" in line][1:]
    expected = [sum(p < level for level in levels) for p in report.pairwise.adjusted_pvalues]
    assert found == expected and max(found) == 3 and min(found) == 0
    table = report.to_latex(stars=True)
    assert re.search(r"knn & 0\.\d{3}\$\^\{\*\*\*\}\$", table)
    assert "adjusted, against boosting." in table and "*" not in report.to_latex()
    over = skstat.compare_scores(scores, unit="dataset").to_latex(stars=True)
    assert re.search(r"mean rank & .* & 3\.00\$\^\{\*\*\}\$ \\\\", over)
    ranked = skstat.rank_systems(scores, unit="instance", random_state=0)
    assert ranked.to_latex("pairs", stars=True).count("$^{***}$") == 2
    alone = skstat.compare_scores({"a": scores["forest"], "b": scores["knn"]}, unit="instance")
    assert alone.to_latex(stars=True).count("$^{***}$") == 1


def test_stars_are_refused_where_there_is_nothing_to_mark():
    ranked = skstat.rank_systems(NAMED, unit="instance", random_state=0)
    with pytest.raises(ValueError, match="stars=True marks p-values, and this table has none"):
        ranked.to_latex(stars=True)
    for of in (("linear", "forest"), tuple(NAMED)):
        scores = {name: NAMED[name] for name in of}
        report = skstat.compare_scores(scores, n_train=60, n_test=30, test="paired_t")
        with pytest.raises(ValueError, match=r"the p-values are not valid \(SKS101\)"):
            report.to_latex(stars=True)
