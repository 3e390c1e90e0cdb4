"""What studies counted besides error rates of tests, and what the pages say of it."""

import json

import pytest

from calibration import check, plans, posteriors, slices, strengths
from skstat import check_test
from skstat.stats import proportion_interval
from tests.cases import explained, in_one_test
from tests.docs_tools import read, said

CHECK, PLANS, POSTERIORS, SLICES, STRENGTHS = (
    json.loads(study.FILE.read_text(encoding="utf-8"))
    for study in (check, plans, posteriors, slices, strengths)
)


def percent(share):
    return f"{share:.0%}".replace("%", " %")


def row(name, cells):
    return "\n".join([f"   * - {name}", *(f"     - {cell}" for cell in cells)])


def at_most(level, times):
    """Return what a share may be by chance, up to three Monte Carlo errors."""
    return level + 3 * (0.05 * 0.95 / times) ** 0.5


# Plans


def power(name):
    return PLANS[name]["rejected"] / PLANS[name]["times"]


@in_one_test("name", ["rows", "sign", "pilot"])
def test_plans_that_were_counted_are_counted_again(name):
    found = plans.ask(name)
    assert found["n"] == PLANS[name]["n"]
    assert found["rejected"] == pytest.approx(PLANS[name]["rejected"], abs=5)


def test_designs_have_their_planned_power_and_stand_on_the_page():
    assert set(PLANS) == set(plans.SETTINGS)
    for name, found in PLANS.items():
        assert power(name) == pytest.approx(found["planned"], abs=0.02)
        size = f"{found['n']} {found['unit']}s"
        cells = [size, f"{found['planned']:.3f}", f"{power(name):.3f}"]
        assert row(name, cells) in read("docs/planning.rst")


# Probabilities

# Rows of the table on the page: what was counted, and what it is called there.
ROWS = {
    "accuracy, 30 rows, often": "right and wrong on 30 rows, which differ often",
    "accuracy, 30 rows, rarely": "the same, which differ rarely",
    "accuracy, 100 rows, often": "100 rows, often",
    "accuracy, 100 rows, rarely": "100 rows, rarely",
    "accuracy, 500 rows, often": "500 rows, often",
    "unlike in f1, 50 rows, 25 positive": "F1 on 50 rows",
    "unlike in balanced_accuracy, 50 rows, 25 positive": "balanced accuracy on 50 rows",
    "unlike in balanced_accuracy, 200 rows, 20 positive": "balanced accuracy, 20 of 200 rare",
    "unlike in precision, 200 rows, 100 positive": "precision on 200 rows",
    "unlike in roc_auc, 200 rows, 100 positive": "ROC AUC, 100 positive",
    "unlike in roc_auc, 200 rows, 20 positive": "ROC AUC, 20 positive",
    "unlike in roc_auc, 200 rows, 10 positive": "ROC AUC, 10 positive",
    "unlike in roc_auc, 50 rows, 5 positive": "ROC AUC, 5 positive",
    "unlike in r2, 200 rows": "R² on 200 rows, one error with heavy tails",
    "accuracy, 25 groups of 8": "accuracy, 25 groups",
    "accuracy, 10 groups of 8": "accuracy, 10 groups",
    "naive Bayes, 1-NN, projection_t": "naive Bayes and 1-NN, the default test over splits",
    "naive Bayes, 1-NN, corrected_t": "the same, corrected t test on 10 × 10 folds",
    "LDA, 1-NN, projection_t": "LDA and 1-NN, the default test",
    "LDA, 1-NN, corrected_t": "the same, corrected t test",
    **{
        name: name
        for name in (
            *(f"{test}, {n} data sets" for test in ("signed rank", "sign") for n in (10, 30)),
            "hierarchical, 10 data sets",
        )
    },
}


def counted(name, key):
    found = POSTERIORS[name]
    return f"{100 * found[key] / found['times']:.1f}" if key in found else "–"


@in_one_test("name", ROWS)
def test_the_page_of_probabilities_has_what_was_counted(name):
    keys = ("covered", "named", "rejected at .05", "rejected at .10")
    line = row(ROWS[name], [counted(name, key) for key in keys])
    assert line in read("docs/probabilities.rst")


def test_probabilities_at_the_border_of_the_region():
    assert set(POSTERIORS) == set(posteriors.cells())
    for n in (100, 500):
        found = POSTERIORS[f"border, {n} rows"]
        # Each of the two is wrong, and has 0.95 in no more than 5 %, but for chance.
        most = max(found["same"], found["better"]) / posteriors.TIMES
        assert most <= at_most(0.05, posteriors.TIMES)
    same, better = (counted("border, 500 rows", key) for key in ("same", "better"))
    assert f"in {same} % of {posteriors.TIMES} tables" in said("docs/probabilities.rst")
    assert f"“better” in {better} %" in said("docs/probabilities.rst")
    advice = explained("SKS128")
    for name, of in (("200 rows, 10", "10 positive rows of 200"), ("50 rows, 5", "5 of 50")):
        share = POSTERIORS[f"unlike in roc_auc, {name} positive"]["covered"] / 1000
        assert of in advice and percent(share) in advice


@pytest.mark.long
def test_probabilities_can_be_counted_again(monkeypatch):
    for times in ("TIMES", "DRAWN_TIMES", "CHAIN_TIMES"):
        monkeypatch.setattr(posteriors, times, 1)
    for name, count in posteriors.cells().items():
        assert count().keys() == POSTERIORS[name].keys()


# Slices

CELLS = {
    name: found for name, found in SLICES.items() if {*name.split(", ")} & {"alike", "unlike"}
}


def test_every_cell_of_slices_was_counted_and_errs_at_its_level():
    kinds = [(kind, end) for kind in ("alike", "unlike") for end in ("", ", groups")]
    names = {f"{one}, {kind}{end}" for one in slices.METRICS for kind, end in kinds}
    assert set(CELLS) == names
    assert {found["times"] for found in CELLS.values()} == {slices.TIMES}
    assert f"Each is of {slices.TIMES} data sets" in said("docs/slices.rst")
    for name, found in CELLS.items():
        if "unlike" in name:
            assert found["missed"] <= 0.06 * slices.TIMES  # simultaneous coverage of .94
        else:
            assert found["named"] <= 0.055 * slices.TIMES
            assert found["varies"] <= at_most(0.05, slices.TIMES) * slices.TIMES


@pytest.mark.long
def test_slices_can_be_counted_again():
    for found, name in (
        (slices.count("accuracy", "alike", False, 1), "accuracy, alike"),
        (slices.three("accuracy", True, 1), "accuracy, three, groups"),
        (slices.learners("accuracy", True, 1), "accuracy, learners, groups"),
        (slices.shared(("country=PL",), 1), "shared, a country"),
        (slices.drops(1), "a drop"),
    ):
        assert found.keys() == SLICES[name].keys()


def shares(kind, what):
    """Smallest and largest share of the cells of a kind, as the page writes them."""
    found = [cell[what] / cell["times"] for name, cell in SLICES.items() if f", {kind}" in name]
    assert len(found) == 4
    return f"{min(found):.3f} to {max(found):.3f}"


def test_slices_that_share_rows_are_as_the_page_says():
    for name, named in (("a country", "it is"), ("a country and an age", "both are")):
        found = SLICES[f"shared, {name}"]
        own, others = (found[key] / slices.TIMES for key in ("named", "others"))
        assert found["times"] == slices.TIMES and others <= 0.05
        words = f"{named} named in {own:.3f}, and another slice in {others:.3f}"
        assert words in said("docs/slices.rst")


def test_three_systems_learners_and_a_drop_are_as_the_page_says():
    text = said("docs/slices.rst")
    assert f"names a pair in {shares('three', 'named')}" in text
    assert f"variation of a pair in {shares('three', 'varies')}" in text
    assert f"misses its truth in {shares('learners', 'missed')}" in text
    assert f"said to vary in {shares('learners', 'varies')}" in text
    for name, cell in SLICES.items():
        if ", three" in name or ", learners" in name:
            times = slices.MORE_TIMES if name.endswith("three") else slices.TIMES
            assert cell["times"] == times
            for what in {"named", "varies", "missed"} & set(cell):
                assert cell[what] <= at_most(0.05, times) * times
    assert f"{slices.MORE_TIMES} data sets of rows, {slices.TIMES} of groups" in text
    drop = SLICES["a drop"]
    assert drop["times"] == slices.DROPS
    joint, midp, exact = (
        percent(drop[name] / slices.DROPS)
        for name in ("min-p", "holm of mid-p", "holm of exact")
    )
    assert f"found in {joint} of {slices.DROPS} data sets, where Holm's method" in text
    assert f"finds it in {midp}, and on exact McNemar tests in {exact}." in text


# Strengths

KINDS = strengths.KINDS
OF_TABLES = {f"{k} systems on {n} data sets, {a}" for k, n in strengths.TABLES for a in KINDS}
OF_VOTES = {f"preferences, {design}, {a}" for design in strengths.DESIGNS for a in KINDS}


def contained(name, *keys):
    found = STRENGTHS[name]
    for key in keys:
        found = found[key]
    return found / STRENGTHS[name]["pairs"]


@in_one_test("name", sorted(OF_TABLES))
def test_intervals_of_strengths_contain_the_chance(name):
    # The pairs of one table depend on each other: of 60 tables by chance up to 0.03 less.
    assert contained(name, "model", "contained") >= 0.87
    few = name.startswith("5 systems on 6")
    assert (contained(name, "shares", "contained") >= 0.87) is not few
    if name.endswith("same"):
        assert contained(name, "model", "claimed") <= 0.1
        assert contained(name, "published", "claimed") > 0.1
    assert contained(name, "published", "contained") < 0.87


@in_one_test("name", sorted(OF_VOTES))
def test_intervals_of_preferences_contain_the_chance(name):
    times, found = strengths.TIMES, STRENGTHS[name]
    assert contained(name, "single") >= 0.92 and contained(name, "model") >= 0.86
    assert found["all"] >= 0.88 * times
    if name.endswith("same"):
        assert found["any significant"] <= at_most(0.05, times) * times
    if "three judges" in name:  # who judge the same answers
        assert contained(name, "as independent") < contained(name, "model")
        assert found["weight"] < 0.9


def test_the_pages_have_the_numbers_of_strengths():
    assert set(STRENGTHS) == OF_TABLES | OF_VOTES
    assert {found["times"] for found in STRENGTHS.values()} == {strengths.TIMES}
    tables, votes = said("docs/probabilities.rst"), said("docs/preferences.rst")
    assert f"of {strengths.TIMES} tables each" in tables
    assert f"of {strengths.TIMES} samples each" in votes
    for kind in ("published", "model", "shares"):
        ten = contained("10 systems on 30 data sets, same", kind, "contained")
        assert percent(ten) in tables
    few = contained("5 systems on 6 data sets, same", "shares", "contained")
    assert percent(few) in tables
    for kind in ("model", "as independent"):
        assert percent(contained("preferences, three judges, same", kind)) in votes


# The check: what was counted on own data, beside the truth

TESTS = ("projection_t", "corrected_t")


def rejecting(found):
    return found["rejected"] / found["experiments"]


def test_a_test_that_fails_is_distinguished_from_one_that_holds_on_all_data():
    assert set(CHECK) == {setting.name for setting in check.SETTINGS}
    failing, holding, apart, bias = [], [], [], {test: [] for test in TESTS}
    for found in CHECK.values():
        assert len(found["own"]) == check.N_OWN
        for test in TESTS:
            truth, own = found["truth"][test], [each[test] for each in found["own"]]
            assert truth["experiments"] == check.EXPERIMENTS[check.TRUTH]
            assert {each["experiments"] for each in own} == {check.EXPERIMENTS[check.OWN]}
            ends = (proportion_interval(o["rejected"], o["experiments"]) for o in own)
            lows = [low for low, _ in ends]
            failing += [lows] * (rejecting(truth) > 0.2)
            holding += [lows] * (rejecting(truth) < 0.05)
            apart += [abs(rejecting(each) - rejecting(truth)) for each in own]
            bias[test] += [rejecting(each) - rejecting(truth) for each in own]
    assert len(failing) >= 3 and all(low > 0.05 for lows in failing for low in lows)
    assert len(holding) >= 10 and all(low < 0.05 for lows in holding for low in lows)
    assert f"within {round(max(apart) + 0.005, 2):.2f} of it" in check_test.__doc__
    for found in bias.values():  # own data find no more and no less on average
        assert abs(sum(found) / len(found)) < 0.015
