"""What the forms of reports show fits its place, is inert, and says who is meant."""

import re
from dataclasses import replace

import pytest

import skstat
from skstat import compare_scores
from tests.contract import HOSTILE, check_forms, check_report
from tests.report.built import CHECK, columns, over_datasets

pytest.importorskip("pandas")

WIDTH = 88
TURNING = "\u202e\u2066\x1b"
NAMES = [f"criterion=gini max_depth={depth} min_samples_leaf=10" for depth in range(4)]
HOSTILE_NAMES = ["</table>", "L" * 300, f"{TURNING}abc", "", "  ", "new\nline", "$x$", "a|b"]
HOSTILE_NAMES += ["</style><b>x", "</summary>|a"]


def scores(names, *, gap=0.0, noise=0.004):
    return columns(12, list(names), gap=gap, noise=noise)


def over_splits(named, **options):
    return compare_scores(named, n_train=180, n_test=20, scoring="accuracy", **options)


KINDS = {
    "splits": over_splits,
    "control": lambda named, **how: over_splits(named, control=next(iter(named)), **how),
    "data sets": over_datasets,
    "control over data sets": lambda named, **how: over_datasets(
        named, control=next(iter(named)), **how
    ),
}


def grid_of(report, title):
    """The lines of a grid of the text below its title, and its note."""
    return report.details.split(f"\n{title}")[1].split("\n\n")[0]


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("names", [NAMES, HOSTILE_NAMES])
@pytest.mark.parametrize("margin", [None, 0.02])
@pytest.mark.parametrize("kind", KINDS)
def test_no_line_is_wider_than_the_terminal_and_every_form_is_inert(kind, margin, names):
    report = KINDS[kind](scores(names, gap=0.004), margin=margin)
    check_report(report)
    text = report.details
    assert max(map(len, text.splitlines())) <= WIDTH
    for form in (text, report.to_markdown(), report.to_latex(), report.to_latex("pairs")):
        assert not set(TURNING) & set(form)
        assert form is text or "new\nline" not in form  # lines of text are wrapped
    assert not set(TURNING) & set(report.to_html()) and "<b>" not in report.to_html()
    assert not re.search(r"<(?!/?(details|summary)>)", report.to_markdown().replace("\\<", ""))
    if names is NAMES:
        # However little room there is, candidates of a search are told from each other.
        ranking = grid_of(report, "Ranking by")
        pairs = text.split("against ")[-1] if "control" in kind else text.split("\nIn pairs")[1]
        assert all(f"{depth} min_" in ranking for depth in range(4))
        assert all(f"{depth} min_" in pairs for depth in range(1, 4))


@pytest.mark.parametrize(
    "names, shown",
    [
        (("", "b"), ("(no name)", "b")),
        (("  ", "\u202e"), ("(no name: 2 blanks)", "(no name: 1 blank)")),
        (("new\nline", "L" * 300), ("new line", "L" * 300)),
        (("a\u202eb", "\x1b[31m"), ("ab", "[31m")),
        (("\u2067x", "\u05d0\u05d1"), ("x", "\u05d0\u05d1")),
    ],
)
def test_two_systems_without_proper_names(names, shown):
    report = over_splits(scores(names, gap=0.02), margin=0.05)
    check_report(report)
    assert max(map(len, report.details.splitlines())) <= WIDTH
    for form in (report.details, report.to_html()):
        assert not set(TURNING) & set(form)
        assert all(name.replace(" ", "") in "".join(form.split()) for name in shown)
    assert tuple(report.to_dict()["systems"]["name"]) == names


@pytest.mark.parametrize("kind", KINDS)
def test_a_small_difference_says_which_verdict_wins_and_who_is_ahead(kind):
    report = KINDS[kind](scores("PQR", gap=0.005, noise=0.0005), margin=0.05)
    assert set(report.to_frame()["verdict"]) == {"equivalent"}
    grid = grid_of(report, "In pairs with P" if "control" in kind else "In pairs")
    assert "both hold, a difference too small to matter." in " ".join(grid.split())
    rows = [line for line in grid.splitlines() if re.match("[PQR] ", line)]
    ends = {line.rsplit("  ", 1)[1] for line in rows}
    # Or 1st, where the table is too wide for a line.
    assert ends == {"= 1st"} or ends <= {"equivalent (P)", "equivalent (Q)"}
    same = KINDS[kind](scores("PQR"), margin=0.05)
    assert "both hold" not in " ".join(same.details.split())


@pytest.mark.parametrize("names", [("a", "b"), (f"{HOSTILE}{TURNING}", "")])
def test_what_is_no_report_has_every_form_of_one(names):
    truth = [0, 0, 1, 0, 1, 1] * 5
    outputs = ([0.1, 0.2, 0.5, 0.4, 0.8, 0.9] * 5, [0.4, 0.5] * 15)
    outputs = dict(zip(names, outputs, strict=True))
    for result in (
        replace(CHECK, rows=tuple(replace(CHECK.rows[0], name=name) for name in names)),
        replace(skstat.recommend_test("estimators"), ask=names[0]),
        skstat.comparison.compare_curves(truth, outputs),
        skstat.comparison.compare_curves(truth, outputs, kind="precision_recall"),
        skstat.comparison.compare_cost_curves(truth, outputs, n_resamples=50, random_state=0),
    ):
        check_forms(result)
        assert not set(TURNING) & set(result.to_text() + result.to_html())
        lines = result.to_text().splitlines()
        assert len(lines) > 3 and max(map(len, lines)) <= WIDTH
