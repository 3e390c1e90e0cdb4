"""What the forms of reports show fits its place, is inert, and says who is meant."""

import html
import json
import re
from dataclasses import replace

import numpy as np
import pytest

import skstat
from skstat import compare_scores
from skstat._names import clip, inert, one_line, shown_name
from skstat.report import CheckedTest, TestCheck, write_page
from skstat.report._blocks import Cells, Facts, Heading, Says
from skstat.report._doubts import WEIGHTS
from skstat.report._forms.escape import escape_markdown
from skstat.report._forms.report_forms import ReportForms
from skstat.report._forms.text import WIDTH
from skstat.stats import ScoreTable
from skstat.testing import HOSTILE
from tests.contract import check_forms, check_report

TURNING = "\u202e\u2066\x1b"
NAMES = [f"criterion=gini max_depth={depth} min_samples_leaf=10" for depth in range(4)]
HOSTILE_NAMES = ["</table>", "L" * 300, f"{TURNING}abc", "", "  ", "new\nline", "$x$", "a|b"]


def scores(names, n=12, step=0.0, noise=0.004, seed=0):
    """Scores of systems of which every one is better than the next by a step."""
    rng = np.random.default_rng(seed)
    base = rng.normal(0.8, 0.02, n)
    return {
        name: base - step * place + rng.normal(0, noise, n) for place, name in enumerate(names)
    }


def over_splits(named, **options):
    return compare_scores(named, n_train=180, n_test=20, scoring="accuracy", **options)


def over_datasets(named, **options):
    table = ScoreTable(
        np.column_stack(list(named.values())), systems=list(named), unit="dataset"
    )
    return compare_scores(table, scoring="accuracy", **options)


KINDS = {
    "splits": over_splits,
    "control": lambda named, **options: over_splits(
        named, control=next(iter(named)), **options
    ),
    "data sets": over_datasets,
    "control over data sets": lambda named, **options: over_datasets(
        named, control=next(iter(named)), **options
    ),
}


def grid_of(report, title):
    """The lines of a grid of the text below its title, and its note."""
    return report.details.split(f"\n{title}")[1].split("\n\n")[0]


@pytest.mark.parametrize(
    "name, inertly", [("a\u202eb", "ab"), ("\x1b[31m", "[31m"), ("é\n", "é\n")]
)
def test_names_lose_what_turns_or_commands(name, inertly):
    assert inert(name) == inertly


def test_names_are_said_on_one_line_and_clipped_in_the_middle():
    assert one_line(" a\r\n b\u2028c ") == "a b c"
    assert [shown_name(name) for name in ("x", "", " ", "   ", "\u202e")] == [
        "x",
        "(no name)",
        "(no name: 1 blank)",
        "(no name: 3 blanks)",
        "(no name: 1 blank)",
    ]
    assert clip("abcdefghij", 10) == "abcdefghij"
    for limit in range(4, 12):
        short = clip("abcdefghijklm", limit)
        assert len(short) == limit and short[0] == "a" and short[-1] == "m"
    assert clip("") == "(no name)" and len(clip("", 8)) <= 8


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("names", [NAMES, HOSTILE_NAMES])
@pytest.mark.parametrize("margin", [None, 0.02])
@pytest.mark.parametrize("kind", KINDS)
def test_no_line_is_wider_than_the_terminal_and_every_form_is_inert(kind, margin, names):
    report = KINDS[kind](scores(names, step=0.004), margin=margin)
    check_report(report)
    text = report.details
    assert max(map(len, text.splitlines())) <= WIDTH
    for form in (text, report.to_markdown(), report.to_latex(), report.to_latex("pairs")):
        assert not set(TURNING) & set(form)
        assert form is text or "new\nline" not in form  # lines of text are wrapped
    assert not set(TURNING) & set(report.to_html())
    if names is NAMES:
        # However little room there is, candidates of a search are told from each other.
        ranking = grid_of(report, "Ranking by")
        pairs = text.split("against ")[-1] if "control" in kind else text.split("\nIn pairs")[1]
        assert all(f"{depth} min_" in ranking for depth in range(4))
        assert all(f"{depth} min_" in pairs for depth in range(1, 4))


@pytest.mark.parametrize("names", [("", "b"), ("  ", "\u202e"), ("new\nline", "L" * 300)])
def test_two_systems_without_proper_names(names):
    named = scores(["first", "second"], step=0.02)
    report = over_splits(dict(zip(names, named.values(), strict=True)), margin=0.05)
    check_report(report)
    assert max(map(len, report.details.splitlines())) <= WIDTH
    for name in names:
        shown = one_line(shown_name(name))
        assert shown in " ".join(report.conclusion.split())
        assert shown in " ".join(report.to_html().split())
    assert all(map(str.strip, report.to_dict()["title"].split("against")))
    assert report.to_dict()["systems"]["name"] == list(names)


def test_names_are_inert_in_a_label_and_a_title_too():
    two = scores(["a", "b"])
    metric = f"new\nline {TURNING}"
    report = compare_scores(two, n_train=180, n_test=20, scoring=metric)
    lines = report.details.splitlines()
    assert any(line.startswith("Mean new line ") for line in lines)
    parts = {"seed 1": report, "seed 2": report}
    family = skstat.ReportGrid(by="seed", systems=report.names, reports=parts)
    assert "[1] seed 1: a against b, new line\n" in family.details
    assert not set(TURNING) & set(family.details + family.to_markdown() + family.to_latex())


def test_markdown_does_not_set_mathematics():
    text = over_splits(scores(["$x$", "b"])).to_markdown()
    assert r"\$x\$" in text and not re.search(r"(?<!\\)\$", text)


@pytest.mark.parametrize("control", [None, "P"])
def test_equivalent_systems_not_told_apart_are_underlined(control):
    named = scores("PQR", noise=0.002)
    report = over_datasets(named, margin=0.02, control=control, post_hoc="wilcoxon")
    plain = over_datasets(named, control=control, post_hoc="wilcoxon")
    verdicts = {row["verdict"] for row in report.to_dict()["pairs"]}
    assert verdicts == {"equivalent"}
    (row,) = [line for line in report.to_latex().splitlines() if line.startswith("mean rank")]
    assert row.count(r"\underline") == 2 and row in plain.to_latex().splitlines()
    pytest.importorskip("matplotlib")
    found = [each.plot().verdicts for each in (report, plain)]
    if control is None:
        assert found == [{}, {}]
    else:
        assert found == [dict.fromkeys("QR", said) for said in ("equivalent", "undecided")]


def test_equivalent_systems_told_apart_are_not_underlined():
    report = over_datasets(scores("PQR", step=0.005, noise=0.001), margin=0.05, control="P")
    assert {row["verdict"] for row in report.to_dict()["pairs"]} == {"equivalent"}
    assert r"\underline" not in report.to_latex()


@pytest.mark.parametrize("kind", KINDS)
def test_a_small_difference_says_which_verdict_wins_and_who_is_ahead(kind):
    report = KINDS[kind](scores("PQR", step=0.005, noise=0.0005), margin=0.05)
    assert {row["verdict"] for row in report.to_dict()["pairs"]} == {"equivalent"}
    title = "Every other against P" if "control" in kind else "In pairs"
    grid = grid_of(report, title)
    assert "both hold, a difference too small to matter." in " ".join(grid.split())
    rows = [line for line in grid.splitlines() if re.match("[PQR] ", line)]
    words = {tuple(line.rsplit("  ", 1)[1].split(", ")) for line in rows}
    mark = "behind" if "control" in kind else "first ahead"
    stacked = ("= 1st",)  # where the table is too wide for a line
    assert words in ({("equivalent", mark)}, {stacked})
    same = KINDS[kind](scores("PQR"), margin=0.05)
    assert "both hold" not in " ".join(same.details.split())


def test_a_table_with_a_control_has_a_row_per_other_system():
    named = scores("PQR", step=0.02)
    for post_hoc in ("wilcoxon", "bonferroni_dunn"):
        report = over_datasets(named, control="Q", post_hoc=post_hoc)
        grid = grid_of(report, "Every other against Q: ").splitlines()
        rows = {line[0]: line.rsplit("  ", 1)[1] for line in grid if re.match("[PQR] ", line)}
        assert rows == {"P": "better", "R": "worse"}
        assert "In pairs" not in report.details
        assert ("rank of the control" in " ".join(grid)) == (post_hoc == "bonferroni_dunn")


def test_the_same_system_twice_is_not_said_to_be_ruled_out():
    named = scores("PQR", step=0.02)
    report = over_splits({**named, "S": named["P"]})
    ranking = {row["name"]: row for row in report.to_dict()["ranking"]}
    assert ranking["P"]["from_best_high"] == 0 and ranking["P"]["may_be_best"]
    assert ranking["S"]["from_best_high"] == 0 and ranking["S"]["may_be_best"]
    assert ranking["R"]["from_best_high"] < 0 and not ranking["R"]["may_be_best"]
    words = " ".join(grid_of(report, "Ranking by").split())
    assert "May be best: no other one is significantly better." in words


def test_stacked_pairs_call_the_better_one_by_its_place():
    # Clipped alike at one end, as the candidates of a search are.
    first, second = ("A" * 40 + " one", "A" * 40 + " two")
    report = over_splits(scores([first, second, "third"], step=0.02), margin=0.001)
    grid = grid_of(report, "In pairs").splitlines()
    assert {line.split()[-1] for line in grid if re.search(r"(\d|st|nd|=)$", line)} >= {"1st"}
    assert "1st: the first name; 2nd: the second." in " ".join(grid)


def test_wide_tables_in_html_scroll_in_a_frame():
    page = over_splits(scores(["L" * 300, "b", "c"]), margin=0.02).to_html()
    assert page.startswith('<div class="skstat-report">')
    frames = re.findall(
        r'<div class="skstat-frame" tabindex="0" role="region" aria-label="([^"]*)"', page
    )
    assert [label.split()[0] for label in frames] == ["Ranking", "In"]
    assert page.count("skstat-grid") == len(frames) + page.split("</style>")[0].count(
        "skstat-grid"
    )


def test_every_metric_has_a_bold_lead_and_doubts_stand_in_order():
    named = scores("PQR", step=0.02)
    one = over_splits(named)
    report = skstat.ReportGrid(by="metric", reports={"accuracy": one, "f1": one})
    lead = one.to_dict()["sentences"][0]
    assert report.to_html().count(f"<li><strong>{html.escape(lead)}</strong>") == 2
    assert report.to_markdown().count(f"- **{escape_markdown(lead)}**") == 2
    pair = over_splits(scores("PQ"))
    both = skstat.ReportGrid(by="metric", reports={"accuracy": pair, "f1": one})
    assert f"<li><strong>{html.escape(pair.conclusion)}</strong></li>" in both.to_html()


def test_doubts_of_several_parts_are_in_the_order_of_their_weights_and_codes():
    naive = compare_scores(scores("ab"), unit="split", test="paired_t")
    few = compare_scores(scores("cd", n=5), unit="seed", scoring="f1")
    assert {d.code for d in naive.doubts} and {d.code for d in few.doubts}
    for parts in ((naive, few), (few, naive)):
        report = skstat.ReportGrid(by="metric", reports=dict(zip("xy", parts, strict=True)))
        weights = {doubt["code"]: doubt["weight"] for doubt in report.to_dict()["doubts"]}
        for form in (report.to_html(), report.to_markdown()):
            found = list(dict.fromkeys(re.findall(r"SKS\d{3}", form)))
            order = sorted(found, key=lambda code: (WEIGHTS.index(weights[code]), code))
            assert found == order and len(found) > 1


def checked(name):
    return CheckedTest(
        name=name, asked="auto", test="t test", alpha=0.05, pvalues=(0.01, 0.5), replaced=0.3
    )


CHECK = TestCheck(
    rows=tuple(map(checked, HOSTILE_NAMES)),
    metric="accuracy",
    n_samples=400,
    n_drawn=100,
    n_experiments=200,
    random_state=0,
)


def test_a_check_has_the_forms_of_a_report(tmp_path):
    text = str(CHECK)
    assert max(map(len, text.splitlines())) <= WIDTH
    assert text == CHECK.to_text()
    for form in (text, CHECK.to_html(), CHECK.to_markdown()):
        assert not set(TURNING) & set(form) and "(no name)" in form
    assert r"\$x\$" in CHECK.to_markdown() and "<td" in CHECK.to_html()
    path = tmp_path / "page.html"
    assert CHECK.to_html(path) in path.read_text(encoding="utf-8")
    state = json.loads(CHECK.to_json(tmp_path / "state.json"))
    assert state == CHECK.to_dict() and state["kind"] == "test_check"
    restored = skstat.report_from_dict(state)
    assert isinstance(restored, TestCheck) and restored == CHECK


@pytest.mark.parametrize("names", [("a", "b"), (HOSTILE, "")])
def test_what_is_no_report_has_every_form_of_one(names):
    truth = [0, 0, 1, 0, 1, 1] * 5
    outputs = dict(zip(names, ([0.1, 0.2, 0.5, 0.4, 0.8, 0.9], [0.4, 0.5] * 3), strict=True))
    outputs = {name: values * 5 for name, values in outputs.items()}
    results = {
        "check": replace(CHECK, rows=tuple(map(checked, names))),
        "recommendation": replace(skstat.recommend_test("estimators"), ask=names[0]),
        "roc": skstat.compare_curves(truth, outputs),
        "precision and recall": skstat.compare_curves(truth, outputs, kind="precision_recall"),
        "costs": skstat.compare_cost_curves(truth, outputs, n_resamples=50, random_state=0),
    }
    for result in results.values():
        check_forms(result)
        lines = result.to_text().splitlines()
        assert len(lines) > 3
        assert all(len(line) <= WIDTH for line in lines)


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_form_reaches_every_report_and_a_new_result_every_form(kind, monkeypatch):
    def render_outline(blocks):
        lines = []
        for block in blocks:
            match block:
                case Says():
                    lines.append(" ".join(block.sentences))
                case Heading():
                    lines.append(block.text)
                case Facts():
                    lines += [label for label, _ in block.rows]
                case Cells():
                    lines += [block.title, *(cell for row in block.rows for cell in row)]
        return "\n".join(lines)

    monkeypatch.setattr(  # the one line
        ReportForms,
        "to_outline",
        lambda self: render_outline(self._document(True)),
        raising=False,
    )
    report = KINDS[kind](scores("abc"))
    both = skstat.ReportGrid(by="metric", reports={"accuracy": report, "again": report})
    assert report.conclusion in report.to_outline()
    assert both.to_outline().count("accuracy\n") >= 2
    assert "Because" in skstat.recommend_test("estimators").to_outline().splitlines()
    assert "50.0%" in CHECK.to_outline().splitlines()

    class Weights(ReportForms):
        def to_dict(self):
            return {"title": "Weights", "weights": {HOSTILE: 0.25}}

        def _document(self, full, *, screen=False):
            rows = [[HOSTILE, "0.25"]]
            table = Cells("Weights", ["", "weight"], rows, note="They sum to 1.")
            return [Says(["One of them counts."]), table]

        def _records(self):
            return [{"name": HOSTILE, "weight": 0.25}]

    pytest.importorskip("pandas")
    found = Weights()
    check_forms(found)
    forms = [found.details, found.to_html(), found.to_markdown(), found.to_latex()]
    assert all("0.25" in form and "counts" in form and "sum to 1" in form for form in forms)
    assert found.to_frame()["weight"].tolist() == [0.25]
    assert found.to_outline().startswith("One of them counts.\nWeights\n")


def test_recommendations_have_the_forms_of_a_report(tmp_path):
    found = skstat.recommend_test("estimators", budget=30)
    path = tmp_path / "page.html"
    fragment = found.to_html(path)
    assert fragment in path.read_text(encoding="utf-8") and found.title in fragment
    assert f"| Because | {found.reason.split()[0]}" in found.to_markdown()
    assert found.details == found.details
    assert type(found).from_dict(json.loads(found.to_json())) == found
    with pytest.raises(ValueError, match="not a skstat report"):
        skstat.report_from_dict(found.to_dict())


def test_a_page_takes_whatever_a_notebook_shows(tmp_path):
    path = tmp_path / "page.html"
    report = over_splits(scores("ab"))
    found = skstat.recommend_test("estimators", budget=30)
    write_page(path, found, CHECK, report)
    page = path.read_text(encoding="utf-8")
    assert page.count("<hr>") == 2 and f"<title>{found.title}</title>" in page
    assert all(part._repr_html_() in page for part in (found, CHECK, report))
    write_page(path)
    assert "<title>skstat</title>" in path.read_text(encoding="utf-8")
