"""Reports by metric, slice and seed: what a person reads first, nothing of it twice."""

import re

import numpy as np
import pytest

import skstat

RNG = np.random.default_rng(0)
N = 600
TRUTH = RNG.integers(0, 2, N)
PLACE = np.array(["north", "south", "west", "east", "centre"])[RNG.integers(0, 5, N)]
METRICS = ["accuracy", "f1", "balanced_accuracy"]
MINUS = "\N{MINUS SIGN}"


def guesses(**skills):
    """Predictions of systems that are right so often."""
    return {
        name: np.where(RNG.random(N) < skill, TRUTH, 1 - TRUTH)
        for name, skill in skills.items()
    }


def number(text):
    return float(text.replace(MINUS, "-"))


@pytest.fixture(scope="module")
def by_metric():
    """Two systems in five slices by three metrics; the first fails in one of them."""
    systems = guesses(new=0.86, old=0.78)
    west = np.flatnonzero(PLACE == "west")
    systems["new"][west] = np.where(RNG.random(len(west)) < 0.5, 1, 0)
    return skstat.compare_predictions(TRUTH, systems, metric=METRICS, by=PLACE, random_state=0)


@pytest.fixture(scope="module")
def of_eight():
    systems = guesses(**{f"s{i}": 0.85 - 0.03 * i for i in range(8)})
    return skstat.compare_predictions(
        TRUTH, systems, metric="accuracy", by=PLACE, random_state=0
    )


def test_two_systems_in_slices_by_three_metrics_fit_a_screen(by_metric):
    text = str(by_metric)
    lines = text.splitlines()
    assert len(lines) <= 25 and max(map(len, lines)) <= 88
    # Every size and p-value of every slice is there, once.
    rows = [line for line in lines if line.split(" ")[0] in set(PLACE)]
    assert len(rows) == 5
    for row in rows:
        name, n, *cells = row.split(maxsplit=2)
        assert int(n) == np.sum(name == PLACE)
        found = re.findall(rf"([+{MINUS}\d.]+) \(p ([=<]) ([\d.]+)\)", cells[0])
        assert len(found) == 3
        for metric, (size, sign, p) in zip(METRICS, found, strict=True):
            part = by_metric[metric][name]
            assert number(size) == pytest.approx(part.estimate, abs=6e-4)
            if sign == "=":
                assert float(p) == pytest.approx(part.adjusted_pvalue, abs=6e-4)
            else:
                assert part.adjusted_pvalue < float(p)
    # And what was found over all rows, with the intervals.
    said = " ".join(lines)
    for metric in METRICS:
        assert by_metric[metric].overall.conclusion in said
    assert "significant in 4 of 5 slices: old is better than new in west; new is" in said
    assert "not adjusted for the number of metrics" in text


def test_all_of_it_is_in_the_details(by_metric):
    full = " ".join(by_metric.details.split())
    for metric in METRICS:
        assert by_metric[metric].conclusion in full


def rows_of(text):
    """Rows of label and text, without the lines that go on with a row."""
    found = re.findall(r"(?m)^(\S[^\n]*?) {2,}(\S.*)$", text)
    return [row for row in found if row[0][0].isupper()]


def test_facts_of_three_metrics_are_told_once(by_metric):
    systems = guesses(new=0.8, old=0.79, third=0.7)
    for names in (("new", "old"), tuple(systems)):
        report = skstat.compare_predictions(
            TRUTH, {name: systems[name] for name in names}, metric=METRICS, random_state=0
        )
        for text in (str(report), report.details):
            rows = rows_of(text)
            assert len(set(rows)) == len(rows)
        assert str(report).count("paired permutation test") <= 1
        assert str(report).count("McNemar mid-p test") == 1
    assert str(report).count("From the best other:") == 1  # below the last table
    codes = re.findall(r"(SKS\d+)", by_metric.details.split("\nDoubts (")[1])
    assert len(codes[1:]) == len(set(codes[1:]))


def test_details_of_eight_systems_in_five_slices_can_be_read(of_eight):
    text = of_eight.details
    assert len(text.splitlines()) <= 120
    # The surest comparisons, with their numbers; the others are counted.
    lines = text.split("In pairs, slice by slice")[1].splitlines()[2:]
    n_shown = next(n for n, line in enumerate(lines) if "more in to_frame()" in line)
    least = sorted(p.adjusted_pvalue for one in of_eight for p in one.reports)[:n_shown]
    assert lines[n_shown].startswith(f"{140 - n_shown} more in to_frame().")
    for line, pvalue in zip(lines, least, strict=False):
        name, first, second, size, *_ = line.split()
        part = of_eight[first, second][name]
        assert number(size) == pytest.approx(part.estimate, abs=6e-4)
        assert part.adjusted_pvalue == pytest.approx(pvalue, abs=1e-12)
    # A page has them all, to be unfolded.
    table = of_eight.to_html().split("<summary>In pairs, slice by slice")[1]
    assert table.split("</tbody>")[0].count("<tr>") == 1 + 140


def test_no_sentence_on_a_slice_where_nothing_differs():
    systems = guesses(new=0.8, old=0.8)
    report = skstat.compare_predictions(
        TRUTH, systems, metric="accuracy", by=PLACE, random_state=0
    )
    assert set(report.verdicts.values()) == {"undecided"}
    assert "No significant difference was found in any of the 5 slices." in report.conclusion
    assert not any(f"In {name}:" in report.conclusion for name in report)


def test_slices_that_are_equivalent_as_all_rows_are_said_to_be():
    base = np.repeat(RNG.normal(0.7, 0.05, 240)[:, None], 2, axis=1)
    scores = base + RNG.normal(0, 0.01, (240, 2)) + [0.0126, 0.0]
    report = skstat.compare_scores(
        dict(zip(("new", "old"), scores.T, strict=True)),
        unit="instance",
        by=np.repeat(["x", "y", "z"], 80),
        margin=0.03,
        random_state=0,
    )
    assert set(report.verdicts.values()) == {"equivalent"}
    assert all(part.adjusted_pvalue < 0.05 for part in report.reports)
    assert "new and old are equivalent in each of the 3 slices." in report.conclusion
    assert "In none of" not in report.conclusion  # all differ, by less than the margin


def test_performance_by_several_metrics_is_one_table():
    from sklearn.linear_model import LogisticRegression

    x = RNG.normal(size=(120, 3))
    y = (x[:, 0] + RNG.normal(size=120) > 0).astype(int)
    report = skstat.estimate_performance(
        LogisticRegression(), x, y, scoring=["accuracy", "neg_log_loss"], cv=5
    )
    text = str(report)
    assert text.count("Training score: the mean score") == 1
    assert text.count("This estimates the expected accuracy and log_loss of") == 1
    assert "Higher is better, but for log_loss." in text
    for metric, shown in (("accuracy", "accuracy"), ("neg_log_loss", "log_loss")):
        (line,) = [ln for ln in text.splitlines() if re.match(rf"Log\w+ +{shown} ", ln)]
        size = abs(report[metric].estimate)
        assert float(line.split()[2]) == pytest.approx(size, abs=6e-3)


@pytest.mark.parametrize("control", [None, "old", "new"])
def test_who_is_higher_is_said_where_no_direction_is_known(control):
    scores = {
        "new": RNG.normal(2, 1, 60),
        "old": RNG.normal(0, 1, 60),
        "c": RNG.normal(0, 1, 60),
    }
    report = skstat.compare_scores(
        scores, scoring="whatever", unit="instance", control=control, random_state=0
    )
    said = report.conclusion
    for pair in report:
        if pair.verdict in ("higher", "lower"):
            assert pair.adjusted_pvalue is None or pair.adjusted_pvalue < 0.05
    assert re.search(r"scores? (higher|lower)", said)
    assert "between new and" not in said and "between old and new" not in said
