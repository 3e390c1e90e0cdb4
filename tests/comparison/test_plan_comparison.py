"""The door of planning: what it is told, what it answers, and what it refuses."""

import math

import numpy as np
import pytest
from scipy import stats as law
from sklearn.model_selection import RepeatedKFold

from skstat import plan_comparison, stats
from skstat.report import ComparisonPlan
from tests.cases import in_one_test, refusals

ROWS = {"holds": "predictions", "metric": "accuracy", "discordant": 0.1}
HALVES = {"holds": "estimators", "metric": "accuracy", "discordant": 0.2}
TEN = RepeatedKFold(n_splits=10, n_repeats=3)

OUTPUTS, SETS = {"holds": "predictions"}, {"holds": "scores", "unit": "dataset", "sd": 1}


# Arguments, what is counted, and n by tables and closed forms.
@in_one_test("arguments, unit, n", [
    ({**ROWS, "difference": 0.03}, "row", 862),
    ({**OUTPUTS, "metric": "roc_auc", "difference": 0.05, "sd": 0.4442}, "row", 620),
    ({**OUTPUTS, "difference": 0.05, "sd": 0.5, "icc": 0.1, "group_size": 10}, "group", 152),
    ({**OUTPUTS, "difference": 0.03, "sd": 1 / 3, "sd_answers": 3**-0.5}, "item", 3876),
    ({**SETS, "difference": 0.5, "test": "sign"}, "data set", 61),
    ({**SETS, "difference": 0.5, "test": "paired_t"}, "data set", 34),
    ({**SETS, "difference": 1}, "data set", 11),
    ({**ROWS, "margin": 0.02}, "row", 2141),
    ({**ROWS, "margin": 0.02, "alternative": "greater"}, "row", 1546),
    ({**ROWS, "margin": 0.03, "difference": 0.01}, "row", 1547),
    ({**ROWS, "half_width": 0.02}, "row", math.ceil(0.1 * (law.norm.isf(0.025) / 0.02) ** 2)),
])  # fmt: skip
def test_sizes(arguments, unit, n):
    plan = plan_comparison(**arguments)
    assert (plan.unit, plan.n, plan.unknown) == (unit, n, "size")
    assert plan.power >= 0.8 and str(n) in plan.conclusion
    assert all(row.assumed for row in plan.sensitivity)


def test_the_other_two_questions():
    found = plan_comparison(**ROWS, n=1000)
    assert found.unknown == "difference"
    assert found.difference == pytest.approx(0.02785, abs=6e-6)
    known = plan_comparison(
        "predictions", metric="accuracy", discordant=0.15, n=469, difference=0.05
    )
    assert known.unknown == "power" and known.power == pytest.approx(0.8066, abs=5e-5)
    splits = plan_comparison("estimators", cv=TEN, sd=1.0)
    assert splits.difference == pytest.approx(1.1017, abs=6e-5)
    assert splits.floor == pytest.approx(0.9339, abs=6e-5)
    gate = plan_comparison(**ROWS, margin=0.02, alternative="greater", n=1546)
    assert gate.power == pytest.approx(0.8, abs=1e-3)


def test_what_no_number_of_units_shows_is_said():
    splits = plan_comparison("estimators", cv=0.1, sd=0.02, difference=0.01)
    assert splits.n is None and math.isnan(splits.power)
    assert "No number of splits" in splits.conclusion and "more data" in splits.conclusion
    planner = stats.plan_seeds(sd_rows=0.3, sd_seeds=0.01, sd_rest=0.0, n_rows=2000)
    assert "larger test set" in ComparisonPlan.of(planner, difference=0.01).conclusion
    few = plan_comparison("scores", unit="dataset", n=5, sd=0.04, difference=0.1)
    assert few.power == 0 and "0.0625" in few.conclusion
    small = plan_comparison(**ROWS, n=30)
    assert math.isnan(small.difference) and "no difference" in small.conclusion


def test_the_default_test_over_splits_is_planned_by_rows():
    plan = plan_comparison(**HALVES, difference=0.05)
    planner = stats.plan_projection(sd=math.sqrt(0.2 - 0.05**2))
    assert (plan.planner, plan.n, plan.unit) == (planner, planner.size(0.05).stable, "row")
    assert "instability 0 is assumed" in plan.notes[-1]
    steady = plan_comparison(**HALVES, difference=0.05, instability=0.6)
    assert steady.n < plan.n and steady.notes == () and "Sample gain" in str(steady)
    assert plan_comparison(**HALVES, n=500).difference == pytest.approx(
        stats.plan_projection(sd=math.sqrt(0.2)).detectable(500)
    )
    areas = plan_comparison("estimators", metric="roc_auc", sd=0.4, difference=0.05)
    losses = plan_comparison("estimators", metric="neg_log_loss", sd=0.4, difference=0.05)
    assert [plan.planner.assumed["of_mean"] for plan in (areas, losses)] == [False, True]
    fits = plan_comparison(**HALVES, difference=0.05, n_repeats=9)
    assert fits.planner.assumed["n_repeats"] == 9 and "budget=18" in fits.choice.ask


def test_repetitions_are_planned_on_the_rows_that_there_are():
    asked = {**HALVES, "instability": 0.6, "n": 500, "power": 0.8}
    plan = plan_comparison(**asked, difference=0.05)
    assert plan.unit == "repetition" and plan.power >= 0.8
    assert plan.planner.power(plan.n - 1, 0.05) < 0.8
    none = plan_comparison(**asked, difference=0.02)
    assert none.n is None and none.conclusion.startswith("No number of repetitions")
    assert none.conclusion.endswith("It takes more rows.")


def test_saw_teeth_and_simulation_are_said():
    sign = plan_comparison("scores", unit="dataset", difference=0.5, sd=1, test="sign")
    assert (sign.first_n, sign.n) == (51, 61)
    assert "Saw teeth" in str(sign)
    simulated = plan_comparison("scores", unit="dataset", difference=1, sd=1)
    assert "differences symmetric" in simulated.planner.assumptions[0]
    assert 0 < simulated.monte_carlo_error < 0.003 and "simulated" in str(simulated)
    assert plan_comparison(**ROWS, difference=0.03).monte_carlo_error is None


def test_several_systems_take_more_and_a_control_less():
    two, four = (plan_comparison(**ROWS, difference=0.03, n_systems=k).n for k in (2, 4))
    control = plan_comparison(**ROWS, difference=0.03, n_systems=4, control=True)
    assert two < control.n < four
    assert control.planner.alpha == pytest.approx(0.05 / 3)
    assert "Bonferroni" in " ".join(control.notes)
    many = {"holds": "scores", "unit": "dataset", "difference": 1, "sd": 1, "n_systems": 4}
    assert plan_comparison(**many, control=True).n < plan_comparison(**many).n


@in_one_test("arguments, name", [
    ({**ROWS, "difference": 0.03}, "mcnemar"),
    ({**ROWS, "difference": 0.03, "icc": 0.1, "group_size": 5}, "clustered_t"),
    ({"holds": "scores", "unit": "dataset", "difference": 1, "sd": 1}, "wilcoxon"),
    ({"holds": "estimators", "cv": 0.1, "sd": 0.02, "n": 30}, "corrected_t"),
    ({**HALVES, "difference": 0.05}, "projection_t"),
    ({**HALVES, "n": 400, "n_repeats": 9, "instability": 0.5}, "projection_t"),
    ({**HALVES, "n": 400, "n_repeats": 40, "instability": 0.5}, "projection_t"),
])  # fmt: skip
def test_a_plan_says_which_call_will_make_its_test(arguments, name):
    plan = plan_comparison(**arguments)
    assert plan.choice.name == name
    assert "".join(f"Call{plan.choice.ask}".split()) in "".join(plan.details.split())


test_what_makes_no_sense_is_refused_by_name = refusals([
    ({**ROWS}, "difference is missing"),
    ({"holds": "predictions", "difference": 0.03}, "discordant is missing"),
    ({**ROWS, "difference": 0.3}, "more than is possible: at most 0.1"),
    ({**ROWS, "difference": 0.0}, "no size shows difference=0"),
    ({**ROWS, "difference": 0.03, "n": 100, "power": 0.8}, "all given"),
    ({**ROWS, "difference": 0.03, "cv": 0.2}, "cv= has no part"),
    ({**ROWS, "difference": 0.03, "sd": 0.4}, "discordant= has no part"),
    ({**ROWS, "difference": 0.03, "error_rates": (0.1, 0.2)}, "not both"),
    ({**ROWS, "difference": 0.03, "icc": 0.1}, "group_size is missing"),
    ({**ROWS, "difference": 0.03, "icc": 0.1, "sd_answers": 3}, "one at a time"),
    ({**ROWS, "difference": 0.03, "unit": "split"}, "unit= is for scores"),
    ({**ROWS, "margin": 0.02, "difference": 0.05}, "not within the margin"),
    ({**ROWS, "margin": 0.02, "alternative": "less"}, "the other way round"),
    ({"holds": "estimators", "difference": 0.03, "sd": 0.1, "test": "corrected_t"},
     "cv is missing"),
    ({**HALVES, "difference": 0.03, "cv": TEN, "test": "projection_t"}, "repeated halves"),
    ({**HALVES, "difference": 0.03, "test": "mcnemar"}, "'projection_t' or 'corrected_t'"),
    ({**HALVES, "difference": 0.25}, "more than is possible"),
    ({**HALVES, "difference": 0.03, "instability": 1}, "instability=1"),
    ({**HALVES, "difference": 0.03, "n": 400, "n_repeats": 9, "power": 0.8}, "all given"),
    ({**HALVES, "difference": 0.03, "icc": 0.1}, "icc= has no part"),
    ({"holds": "scores", "difference": 0.03, "sd": 0.1}, "unit is missing"),
    ({"holds": "scores", "unit": "dataset", "difference": 0.03}, "sd is missing"),
    ({"holds": "scores", "unit": "dataset", "sd": 1, "margin": 1}, "test='paired_t'"),
    ({**OUTPUTS, "difference": 0.3, "error_rates": (0.1, 0.1)}, "cannot differ by"),
    *(
        ({**ROWS, "difference": 0.05, "icc": 0.1, "group_size": wrong}, "group_size=")
        for wrong in ([], [10], [3, 0], ["a", "b"], [[1, 2], [3, 4]])
    ),
], plan_comparison)  # fmt: skip


def test_pictures_of_a_plan():
    plt = pytest.importorskip("matplotlib.pyplot")
    drawn = plan_comparison(**ROWS, difference=0.03).plot()
    powers = [line.get_ydata() for line in drawn.lines_.values()]
    assert len(powers) == 3 and list(drawn.guides) == ["power 0.8", "862 rows, as planned"]
    assert powers[0][-1] < powers[1][-1] < powers[2][-1]
    splits = plan_comparison("estimators", sd=0.02, cv=0.1, difference=0.02)
    limits = splits.plot(kind="difference", sizes=range(5, 300, 20))
    floor = limits.guides["more units find no less"][1][0]
    assert floor == pytest.approx(0.0187, abs=1e-4)
    assert min(limits.lines["power 0.8"][1]) > floor
    gate = plan_comparison(**ROWS, margin=0.02, alternative="greater").plot(width="column")
    assert "difference 0" in gate.lines
    with pytest.raises(ValueError, match="use 'power' or 'difference'"):
        splits.plot(kind="costs")
    plt.close("all")


def test_plans_of_groups_take_their_sizes_or_say_that_they_are_one():
    told = {**ROWS, "difference": 0.05, "icc": 0.1}
    equal = plan_comparison(**told, group_size=10)
    assert any(note.startswith("groups of one size are assumed") for note in equal.notes)
    assert "all of one size" in equal.planner.assumptions[0]
    same = plan_comparison(**told, group_size=[10] * 4)
    assert same.n == equal.n and not any("one size" in note for note in same.notes)
    sizes = np.array([2, 3, 5, 20, 20])
    unequal = plan_comparison(**told, group_size=sizes.tolist())
    # The variance of the mean of all rows: every row's, and the pairs within a group.
    n, variance = unequal.n, equal.planner.assumed["sd"] ** 2
    rows, pairs = sizes.mean() * n, np.mean(sizes * (sizes - 1.0)) * n
    error = np.sqrt(variance * (rows + 0.1 * pairs)) / rows
    assert unequal.planner.standard_error(n) == pytest.approx(error)
    weight = sizes.sum() ** 2 / (len(sizes) * (sizes**2).sum())
    assert unequal.planner.df(n) == pytest.approx(weight * n - 1)
    assert unequal.n > 1.3 * equal.n
    assert "as unequal as" in unequal.planner.assumptions[0]
