"""The table of systems by metrics: what it says is what the report and single systems say."""

import json
import math
import re
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import stats
from skstat.metrics import as_metric
from skstat.testing import HOSTILE
from tests.cases import in_one_test

X, y = load_iris(return_X_y=True)
X, y = X[50:], y[50:]
NB, STUMP = GaussianNB(), DecisionTreeClassifier(max_depth=1, random_state=0)
DEEP = DecisionTreeClassifier(random_state=0)
RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, 150)
ANSWERS = {
    name: np.where(RNG.random(150) < share, TRUTH, 1 - TRUTH)
    for name, share in (("good", 0.9), ("fair", 0.85), ("poor", 0.6))
}
TWO = {name: ANSWERS[name] for name in ("good", "poor")}
MARGINS = {name: TRUTH + RNG.normal(size=150) * size for name, size in (("a", 0.5), ("b", 1.0))}
SEEDS = {
    name: np.stack([np.where(RNG.random(150) < share, TRUTH, 1 - TRUTH) for _ in range(3)])
    for name, share in (("good", 0.9), ("poor", 0.6))
}
TABLE = RNG.normal(size=(14, 3)) + np.array([0.0, 0.2, 2.0])
TABLE = dict(zip("abc", TABLE.T, strict=True))
METRICS = ["accuracy", "neg_log_loss"]


def halves(**options):
    return skstat.compare_estimators(
        {"nb": NB, "stump": STUMP, "deep": DEEP},
        X,
        y,
        scoring=METRICS,
        random_state=0,
        **options,
    )


REPORTS = {
    "estimators": halves,
    "nine tenths": lambda: skstat.compare_estimators(
        {"nb": NB, "stump": STUMP, "deep": DEEP}, X, y, train_size=0.9, random_state=0
    ),
    "two at nine tenths": lambda: skstat.compare_estimators(
        {"nb": NB, "stump": STUMP}, X, y, train_size=0.9, random_state=0
    ),
    "two estimators": lambda: skstat.compare_estimators(
        {"nb": NB, "stump": STUMP}, X, y, random_state=0
    ),
    "one partition": lambda: skstat.compare_estimators(
        {"nb": NB, "stump": STUMP}, X, y, cv=KFold(5, shuffle=True, random_state=0)
    ),
    "baseline": lambda: skstat.compare_to_baseline(NB, X, y, random_state=0),
    "known score": lambda: skstat.compare_to_baseline(NB, X, y, strategy=0.8, random_state=0),
    "performance": lambda: skstat.estimate_performance(
        {"nb": NB, "stump": STUMP}, X, y, scoring=METRICS, random_state=0
    ),
    "predictions": lambda: skstat.compare_predictions(
        TRUTH, ANSWERS, metric=["accuracy", "zero_one_loss", "f1"], random_state=0
    ),
    "areas": lambda: skstat.compare_predictions(
        TRUTH, MARGINS, metric=["roc_auc", "r2"], random_state=0
    ),
    "two predictions": lambda: skstat.compare_predictions(
        TRUTH, TWO, metric=["accuracy", "f1"], random_state=0
    ),
    "control": lambda: skstat.compare_predictions(
        TRUTH, ANSWERS, metric="accuracy", control="poor"
    ),
    "groups": lambda: skstat.compare_predictions(
        TRUTH, ANSWERS, metric="accuracy", groups=np.arange(150) // 3, random_state=0
    ),
    "constant": lambda: skstat.binomial_test(TRUTH, ANSWERS["good"], constant=0.5),
    "crossed": lambda: skstat.compare_predictions(
        TRUTH, SEEDS, metric="accuracy", seeds="crossed", random_state=0
    ),
    "per seed": lambda: skstat.compare_predictions(
        TRUTH, SEEDS, metric="accuracy", seeds="per-seed", random_state=0
    ),
    "scores": lambda: skstat.compare_scores(TABLE, n_train=60, n_test=30),
    "datasets": lambda: skstat.compare_scores(TABLE, unit="dataset"),
    "mean ranks": lambda: skstat.compare_scores(TABLE, unit="dataset", post_hoc="nemenyi"),
    "losses": lambda: skstat.compare_scores(TABLE, unit="dataset", higher_is_better=False),
    "seeds": lambda: skstat.compare_scores(TABLE, unit="seed"),
    "leaderboard": lambda: skstat.rank_systems(TABLE, unit="instance", random_state=0),
    "one-sided": lambda: skstat.compare_scores(
        TABLE, unit="dataset", control="a", alternative="greater"
    ),
}


@pytest.fixture(scope="module")
def reports():
    return {name: make() for name, make in REPORTS.items()}


def parts_of(report):
    """One report per metric or seed."""
    return [report] if isinstance(report, skstat.Report) else list(report.reports.values())


def pair_of(part, a, b):
    """The report on two systems, whichever comes first."""
    return part[a, b]


def metrics_of(table):
    """The rows of each metric."""
    return [[row for row in table.rows if row.metric == metric] for metric in table.metrics]


def decisive(row):
    """The adjusted p-value, where there is one."""
    return row.pvalue if math.isnan(row.adjusted_pvalue) else row.adjusted_pvalue


@pytest.mark.parametrize("kind", [kind for kind in REPORTS if kind != "performance"])
def test_differences_and_pvalues_are_those_of_the_pairs(reports, kind):
    report = reports[kind]
    table, parts = report.summary_table(), parts_of(report)
    assert len(table.metrics) == len(parts)
    for rows, part in zip(metrics_of(table), parts, strict=True):
        for system in rows:
            if system.system == system.reference:
                assert math.isnan(system.difference) and system.better is None
                continue
            pair = pair_of(part, system.system, system.reference)
            named = pair.names if kind != "per seed" else ("good", "poor")
            sign = 1 if named[0] == system.system else -1
            low, high = (sign * end for end in pair.confidence_interval())
            assert system.difference == pytest.approx(sign * pair.estimate)
            ends = (system.difference_low, system.difference_high)
            known = [math.nan if math.isinf(end) else end for end in sorted((low, high))]
            assert ends == pytest.approx(tuple(known), nan_ok=True)
            assert system.pvalue == pytest.approx(pair.pvalue)
            adjusted = math.nan if pair.adjusted_pvalue is None else pair.adjusted_pvalue
            assert system.adjusted_pvalue == pytest.approx(adjusted, nan_ok=True)
            assert system.better == pair.better or kind == "per seed"
            assert bool(system.stars) == (decisive(system) < 0.05)


@pytest.mark.parametrize("kind", REPORTS)
def test_it_survives_json(reports, kind):
    report = reports[kind]
    table = report.summary_table()
    restored = skstat.report_from_dict(json.loads(report.to_json()))
    assert str(restored.summary_table()) == str(table)
    again = skstat.report_from_dict(json.loads(restored.to_json()))
    assert again.to_dict() == report.to_dict()


def own(table):
    """Every score with its interval, by system, for each metric."""
    return [
        {row.system: (row.score, row.low, row.high) for row in rows if row.method}
        for rows in metrics_of(table)
    ]


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("estimators", {}),
        ("nine tenths", {"train_size": 0.9}),
        ("two at nine tenths", {"train_size": 0.9}),
    ],
)
def test_intervals_of_estimators_are_those_of_estimate_performance(reports, kind, options):
    for part in parts_of(reports[kind]):
        for system in part.summary_table().rows:
            named = {"nb": NB, "stump": STUMP, "deep": DEEP}[system.system]
            alone = skstat.estimate_performance(
                (system.system, named), X, y, scoring=part.metric, random_state=0, **options
            )
            sign = -1 if part.is_loss else 1
            ends = sorted(sign * end for end in alone.confidence_interval())
            expected = [sign * alone.estimate, *ends]
            assert [system.score, system.low, system.high] == pytest.approx(expected)
            assert system.method == alone[system.system].estimate.method


def test_one_partition_and_a_known_score_have_the_interval_of_the_estimator_alone(reports):
    (systems,) = own(reports["one partition"].summary_table())
    alone = skstat.estimate_performance(
        NB, X, y, cv=KFold(5, shuffle=True, random_state=0), method="corrected_t"
    )
    assert systems["nb"] == pytest.approx((alone.estimate, *alone.confidence_interval()))
    (systems,) = own(reports["known score"].summary_table())
    alone = skstat.estimate_performance(NB, X, y, random_state=0)
    assert list(systems.values()) == [
        pytest.approx((alone.estimate, *alone.confidence_interval()))
    ]


def test_intervals_of_predictions_are_those_of_one_system(reports):
    accuracy, loss, f1 = own(reports["predictions"].summary_table())
    for name, labels in ANSWERS.items():
        right = stats.holdout_estimate(labels == TRUTH)
        share, (low, high) = right.estimate, right.confidence_interval()
        assert accuracy[name] == pytest.approx((share, low, high))
        assert loss[name] == pytest.approx((1 - share, 1 - high, 1 - low))
        alone = stats.SinglePredictions(TRUTH, {name: labels}, as_metric("f1"))
        drawn = stats.holdout_bootstrap_estimate(alone, rng=0)
        assert f1[name] == pytest.approx((drawn.estimate, *drawn.confidence_interval()))
    two = own(reports["two predictions"].summary_table())[1]
    assert two == {"good": f1["good"], "poor": f1["poor"]}
    area, _ = own(reports["areas"].summary_table())
    delong = stats.BinaryScores(TRUTH, MARGINS).areas
    for found, auc, error in zip(
        area.values(), delong.aucs, delong.standard_errors, strict=True
    ):
        logit, reach = math.log(auc / (1 - auc)), 1.959964 * error / (auc * (1 - auc))
        ends = [1 / (1 + math.exp(-logit - side * reach)) for side in (-1, 1)]
        assert found == pytest.approx((auc, *ends))


def test_intervals_over_data_sets_are_those_of_means(reports):
    for kind in ("datasets", "mean ranks", "losses"):
        table = reports[kind].summary_table()
        (found,) = own(table)
        for name, scores in TABLE.items():
            alone = stats.one_sample_t(stats.Scores(scores, unit="dataset"), 0.0)
            expected = (alone.estimate, *alone.confidence_interval())
            assert found[name] == pytest.approx(expected)
    assert "Lower values are better" in str(reports["losses"].summary_table())


def test_losses_are_losses(reports):
    table = reports["estimators"].summary_table()
    rows = metrics_of(table)[1]
    assert table.metrics == ("accuracy", "log_loss")
    assert {row.direction for row in rows} == {"lower"}
    best = min(rows, key=lambda row: row.score)
    assert f"**{best.score:.3f}**" in table.to_markdown()
    for row in rows:
        assert row.reference == best.system and 0 < row.low < row.score < row.high
        assert row is best or row.difference > 0


def test_a_chosen_reference_turns_the_differences(reports):
    report = reports["two estimators"]
    usual, turned = report.summary_table(), report.summary_table(control="nb")
    (nb, _), (_, stump) = usual.rows, turned.rows
    assert nb.reference == "stump" and stump.difference == -nb.difference
    ends = (-nb.difference_high, -nb.difference_low)
    assert (stump.difference_low, stump.difference_high) == ends
    assert stump.pvalue == nb.pvalue
    several = reports["scores"]
    by_best = {row.system: row for row in several.summary_table().rows}
    by_a = {row.system: row for row in several.summary_table(control="a").rows}
    assert by_best["a"].reference == "c"
    assert by_a["c"].difference == pytest.approx(-by_best["a"].difference)
    assert by_a["c"].adjusted_pvalue == by_best["a"].adjusted_pvalue


def test_only_a_reference_that_was_compared_is_taken(reports):
    with pytest.raises(ValueError, match="control='new' is not one of the systems"):
        reports["scores"].summary_table(control="new")
    with pytest.raises(ValueError, match="the report compares with 'poor' only"):
        reports["control"].summary_table(control="good")
    alone = skstat.estimate_performance(NB, X, y, random_state=0)
    with pytest.raises(ValueError, match="compares no systems"):
        alone.summary_table(control="GaussianNB")
    assert "difference" not in str(alone.summary_table())


def test_stars_follow_the_level_of_the_report():
    report = skstat.compare_scores(TABLE, unit="dataset")
    for level in (0.9, 0.95, 0.99):
        table = replace(report, confidence_level=level).summary_table()
        alpha = 1 - level
        stars = f"* p < {alpha:.2g}, ** p < {alpha / 5:.2g}, *** p < {alpha / 50:.2g}."
        assert stars in table.notes
        for row in table.rows:
            if row.system != row.reference:
                n = sum(decisive(row) < alpha / share for share in (1, 5, 50))
                assert row.stars == "*" * n
                assert (n > 0) == (row.better is not None)


def test_what_is_not_valid_has_no_stars_and_no_intervals_of_its_own():
    pooled = skstat.compare_predictions(
        TRUTH, SEEDS, metric="accuracy", seeds="pooled", random_state=0
    )
    table = pooled.summary_table()
    good, poor = table.rows
    assert good.pvalue < 0.001 and good.stars == ""
    assert math.isnan(good.low) and math.isnan(poor.low)
    assert "SKS117" in table.notes[0] and str(table).count("SKS117") == 2
    assert "$^{" not in table.to_latex() and "p < 0.05" not in str(table)


def test_where_there_is_no_interval_the_note_says_why(reports):
    text = " ".join(str(reports["crossed"].summary_table()).split())
    assert "No intervals of single scores: there is no procedure for one system" in text
    equal = skstat.compare_scores(
        {"a": [0.5, 0.5, 0.5, 0.5], "b": [0.5, 0.6, 0.7, 0.5]}, n_train=60, n_test=30
    )
    text = " ".join(str(equal.summary_table()).split())
    assert "No interval where scores do not vary: a." in text


def test_what_must_be_drawn_is_kept_once_somebody_asked():
    report = skstat.compare_predictions(TRUTH, TWO, metric="f1", random_state=0)
    early = skstat.report_from_dict(report.to_dict())
    assert report.to_dict()["own_scores"] is None
    text = " ".join(str(early.summary_table()).split())
    assert "they need the rows, which a stored report does not hold" in text
    table = str(report.summary_table())
    kept = report.to_dict()["own_scores"]
    assert set(kept["scores"]) == set(TWO) and "9999 bootstrap" in kept["methods"]["good"]
    assert str(skstat.report_from_dict(report.to_dict()).summary_table()) == table


def test_a_pair_of_a_restored_report_has_the_intervals_of_the_report(reports):
    report = parts_of(reports["estimators"])[0]
    restored = skstat.report_from_dict(report.to_dict())
    pair = restored["nb", "stump"].summary_table()
    assert own(pair) == own(report["nb", "stump"].summary_table())


def test_the_note_names_test_adjustment_unit_and_number(reports):
    text = " ".join(str(reports["control"].summary_table()).split())
    assert "Test: McNemar mid-p test; max-T by joint sign flips." in text
    assert "p-values are adjusted by the max-T method for 2 pairs." in text
    assert "n = 150 instances." in text and "Difference to poor" in text
    assert "hold-out, Wilson interval" in text
    text = " ".join(str(reports["estimators"].summary_table()).split())
    assert "n = 100 rows, tested in 30 splits." in text
    assert "p-values are not adjusted for the number of metrics." in text
    text = " ".join(str(reports["per seed"].summary_table()).split())
    assert "p-values are not adjusted for the number of seeds." in text
    text = " ".join(str(reports["mean ranks"].summary_table()).split())
    assert "The difference is a difference in mean rank." in text
    text = " ".join(str(reports["one-sided"].summary_table()).split())
    assert (
        "p-values are one-sided: each asks whether the first of two systems is better" in text
    )


def test_every_system_is_named_where_methods_differ():
    rows = {"all": np.ones(20), "most": np.r_[np.ones(19), 0.5]}
    report = skstat.compare_scores(rows, unit="instance", random_state=0)
    note = " ".join(report.summary_table().notes)
    assert "(all: hold-out, Wilson interval; most: hold-out, Student's t)" in note
    methods = {row.system: row.method for row in report.summary_table().rows}
    assert methods == {"all": "hold-out, Wilson interval", "most": "hold-out, Student's t"}


def test_one_metric_stands_in_columns_and_several_below_each_other(reports):
    lines = str(reports["scores"].summary_table()).splitlines()
    assert lines[0].split() == ["score", "difference", "adjusted", "p"]
    assert lines[1].startswith("c") and "reference" in lines[1]
    lines = str(reports["estimators"].summary_table()).splitlines()
    assert lines[0].split() == ["accuracy", "log_loss"]
    assert lines[2].startswith("  difference") or lines[3].startswith("  difference")
    assert all(len(line) <= 88 for line in lines)


def test_no_limit_beside_zero_is_shown_as_zero():
    a = np.array([0.8, 0.81, 0.79, 0.8, 0.82, 0.78])
    b = a - np.array([3e-4, 4e-4, 3e-4, 4e-4, 3e-4, 4e-4])
    near = skstat.compare_scores({"a": a, "b": b}, unit="dataset", test="paired_t")
    (first, _) = near.summary_table().rows
    assert first.better == "a" and 0 < first.difference_low < 5e-4
    assert "[0.0003, 0.0004]" in str(near.summary_table())


COLUMNS = [
    "system", "metric", "direction", "score", "low", "high", "confidence_level", "method",
    "reference", "difference", "difference_low", "difference_high", "pvalue",
    "adjusted_pvalue", "stars", "better", "n", "unit", "test",
]  # fmt: skip


def test_the_frame_has_a_row_per_system_and_metric(reports):
    pandas = pytest.importorskip("pandas")
    frames = [report.summary_table().to_frame() for report in reports.values()]
    for frame, report in zip(frames, reports.values(), strict=True):
        assert list(frame.columns) == COLUMNS
        assert len(frame) == len(report.summary_table().rows)
        for column in ("score", "low", "high", "difference", "pvalue", "adjusted_pvalue"):
            assert frame[column].dtype == float
    assert len(pandas.concat(frames)) == sum(map(len, frames))


def check_latex(latex):
    """The structure that LaTeX demands: environments in pairs, equal numbers of cells."""
    lines = [line for line in latex.splitlines() if not line.startswith("%")]
    opened = []
    for kind, name in re.findall(r"(?<!\\)\\(begin|end)\{(\w+)\}", "\n".join(lines)):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert opened == []
    n_columns = len(re.search(r"\\begin\{tabular\}\{(l+)\}$", latex, re.M)[1])
    rows = [line for line in lines if line.endswith(r" \\")]
    assert rows
    for row in rows:
        assert len(re.findall(r"(?<!\\)&", row)) == n_columns - 1
        assert len(re.findall(r"(?<!\\)\$", row)) % 2 == 0


def awkward():
    names = {r"a&b_{c}": TABLE["a"], HOSTILE: TABLE["b"], "100 % \u2212 #1": TABLE["c"]}
    return skstat.compare_scores(names, unit="dataset", scoring="F_1 & co")


@in_one_test("kind", [*REPORTS, "awkward"])
def test_latex_has_the_structure_of_a_table(reports, kind):
    report = awkward() if kind == "awkward" else reports[kind]
    table = report.summary_table()
    alone = table.to_latex(booktabs=False)
    assert "booktabs" not in alone and r"\hline" in alone
    whole = table.to_latex(caption="Systems.", label="tab:systems")
    assert whole.index(r"\caption") < whole.index(r"\label") < whole.index(r"\toprule")
    assert r"\footnotesize" in whole.split(r"\end{tabular}")[1]
    for latex in (alone, whole):
        check_latex(latex)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX here")
def test_latex_compiles(reports, tmp_path):
    tables = [report.summary_table() for report in (*reports.values(), awkward())]
    body = "\n\n".join(
        part
        for table in tables
        for part in (table.to_latex(booktabs=False), table.to_latex(caption="C", label="l"))
    )
    head = r"\documentclass{article}\usepackage{booktabs}\begin{document}"
    (tmp_path / "page.tex").write_text(f"{head}\n{body}\n\\end{{document}}\n", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "page.pdf").stat().st_size > 1000


def test_names_are_escaped_in_every_form():
    table = awkward().summary_table()
    html, markdown = table.to_html(), table.to_markdown()
    assert "<script>" not in html and "F_1 &amp; co" in html
    assert html == table._repr_html_()
    for row in markdown.split("\n\n")[0].splitlines():
        assert len(re.findall(r"(?<!\\)\|", row)) == 5, row
    assert "**" in markdown and "<strong>" in html
