"""Two systems in slices of the rows, against the same comparison of each slice by itself."""

from functools import partial

import numpy as np
import pytest

from skstat import compare_predictions, make_slices, report_from_dict
from skstat.stats import adjust_pvalues
from tests.cases import refusals

RNG = np.random.default_rng(0)
N = 600
TOPIC = np.array(["law", "art", "news"])[RNG.choice(3, N, p=[0.2, 0.3, 0.5])]
TRUTH = RNG.integers(0, 2, N)
ANSWERS = {
    "new": np.where(RNG.random(N) < np.where(TOPIC == "law", 0.55, 0.85), TRUTH, 1 - TRUTH),
    "old": np.where(RNG.random(N) < 0.85, TRUTH, 1 - TRUTH),
}
SCORES = {name: 0.7 * answer + RNG.random(N) for name, answer in ANSWERS.items()}
PROBABILITIES = {name: np.clip(score / 1.7, 0.02, 0.98) for name, score in SCORES.items()}
GROUPS = RNG.integers(0, 90, N)
OUTPUTS = {
    "accuracy": ANSWERS,
    "f1_macro": ANSWERS,
    "roc_auc": SCORES,
    "neg_log_loss": PROBABILITIES,
}


def compare(metric="accuracy", by=TOPIC, **options):
    options = {"random_state": 0, "n_resamples": 199} | options
    return compare_predictions(TRUTH, OUTPUTS[metric], metric=metric, by=by, **options)


@pytest.mark.parametrize("metric", OUTPUTS)
@pytest.mark.parametrize("groups", [None, GROUPS])
def test_all_rows_and_every_slice_are_compared_as_by_themselves(metric, groups):
    report = compare(metric, groups=groups)
    options = {"metric": metric, "random_state": 0, "n_resamples": 199}
    plain = compare_predictions(TRUTH, OUTPUTS[metric], groups=groups, **options)
    assert report.overall.to_dict() == plain.to_dict()
    assert list(report) == ["art", "law", "news"]
    for name in report:
        rows = name == TOPIC
        alone = compare_predictions(
            TRUTH[rows],
            {system: output[rows] for system, output in OUTPUTS[metric].items()},
            groups=None if groups is None else groups[rows],
            **options,
        )
        found = report[name]
        assert found.test == alone.test
        assert found.estimate == pytest.approx(alone.estimate)
        assert found.pvalue == pytest.approx(alone.pvalue)
        assert found.adjusted_pvalue >= found.pvalue * 0.99
        low, high = found.confidence_interval()
        assert (found.adjusted_pvalue < 0.05) == (not low <= 0 <= high)
        assert low <= alone.confidence_interval().low + 1e-9
        assert high >= alone.confidence_interval().high - 1e-9
    assert report.worse_in == ("law",) and not report.better_in
    assert report.pairs[0].between_p < 0.01
    assert "old is better than new in law" in report.conclusion


@pytest.mark.parametrize("method", ["holm", "fdr_bh"])
def test_other_adjustments_by_name(method):
    report = compare(adjustment=method)
    own = [part.pvalue for part in report.reports.values()]
    adjusted = [part.adjusted_pvalue for part in report.reports.values()]
    np.testing.assert_allclose(adjusted, adjust_pvalues(own, method))
    assert report.adjustment == method
    assert "simultaneous" not in repr(report)


def test_groups_across_slices_make_them_depend():
    by = {"first": np.arange(N) % 2 == 0, "second": np.arange(N) % 2 == 1}
    groups = np.arange(N) // 2
    twice = {name: np.repeat(output[::2], 2) for name, output in PROBABILITIES.items()}
    truth = np.repeat(TRUTH[::2], 2)
    options = {"metric": "neg_log_loss", "by": by, "random_state": 0}
    report = compare_predictions(truth, twice, groups=groups, **options)
    apart = compare_predictions(truth, twice, **options)
    for part, alone in zip(report.reports.values(), apart.reports.values(), strict=True):
        assert part.adjusted_pvalue == pytest.approx(part.pvalue, abs=0.006)
        assert alone.adjusted_pvalue > part.adjusted_pvalue


def test_what_cannot_be_compared_is_left_out_and_named():
    few = np.where(np.arange(N) < 20, "few", "many")
    report = compare(by={"size": few, "one class": TRUTH == 1}, metric="roc_auc")
    assert set(report.left_out) == {"size=few", "one class"}
    assert report.left_out["size=few"] == "20 rows, fewer than 30"
    assert "size=few (20 rows, fewer than 30)" in report.conclusion
    with pytest.raises(KeyError, match="was left out: 20 rows"):
        report["size=few"]
    with pytest.raises(KeyError, match="Did you mean 'size=many'"):
        report["size=mny"]
    with pytest.raises(ValueError, match="no slice in which new and old can be compared"):
        compare(by=np.arange(N).astype(str))


def test_a_slice_with_few_rows_of_a_class_says_nothing_of_variation():
    """F1 is 1 of one system and 0 of the other, whichever row is left out."""
    truth = TRUTH.copy()
    truth[TOPIC == "art"] = 0
    truth[np.flatnonzero(TOPIC == "art")[:3]] = 1
    first = {name: np.where(TOPIC == "art", 0, answers) for name, answers in ANSWERS.items()}
    outputs = {"new": np.where(TOPIC == "art", truth, first["old"]), "old": first["old"]}
    report = compare_predictions(
        truth, outputs, metric="f1", by=TOPIC, random_state=0, n_resamples=199
    )
    assert report["art"].estimate == 1.0 and report["art"].verdict == "undecided"
    assert report.pairs[0].between["names"] == ["law", "news"]
    assert report.pairs[0].between_p == 1
    between = report.details.split("\nBetween slices\n")[1]  # of those in which it is known
    assert between.splitlines()[1].split()[:3] == ["new", "old", "2"]


@pytest.mark.parametrize("metric", ["f1", "balanced_accuracy", "neg_mean_absolute_error", "r2"])
def test_a_margin_is_judged_in_a_slice_as_in_the_slice_alone(metric):
    rng = np.random.default_rng(8)
    values = 2 * TRUTH + rng.normal(size=N)
    old = values + rng.normal(0, 0.3, N)
    answers = {"new": np.where(rng.random(N) < 0.04, 1 - ANSWERS["old"], ANSWERS["old"])}
    numbers = {"new": old + rng.normal(0, 0.05, N), "old": old}
    of_labels = metric in ("f1", "balanced_accuracy")
    truth = TRUTH if of_labels else values
    outputs = {**answers, "old": ANSWERS["old"]} if of_labels else numbers
    options = {"metric": metric, "margin": 0.15, "random_state": 0}
    report = compare_predictions(truth, outputs, by=TOPIC, **options)
    for name in report:
        rows = name == TOPIC
        part = {system: output[rows] for system, output in outputs.items()}
        alone = compare_predictions(truth[rows], part, **options).equivalence
        found = report[name].equivalence
        for side in ("lower_pvalue", "upper_pvalue"):
            assert found[side] == pytest.approx(alone[side], abs=0.01)
        assert (found["adjusted_pvalue"] < 0.05) == (alone["pvalue"] < 0.05)
    assert report.not_worse_anywhere and "no variance" not in report.conclusion


def test_without_variance_a_margin_is_judged_nowhere():
    lost = {"new": np.where(np.arange(80) % 2, 1, 0), "old": np.ones(80, dtype=int)}
    truth, by = np.ones(80, dtype=int), np.arange(80) // 40
    lost["new"][:40] = 0  # wrong on every row of this slice
    report = compare_predictions(
        truth, lost, metric="recall", by=by, margin=0.9, random_state=0
    )
    assert np.isnan(report["0"].equivalence["pvalue"])
    assert report["1"].equivalence["upper_pvalue"] < 0.05 and not report.not_worse_anywhere


def test_a_slice_that_was_left_out_is_open_beside_a_margin():
    truth = np.ones(220, dtype=int)
    few = np.arange(220) >= 200
    systems = {"new": np.where(few, 0, truth), "old": truth}  # 0 of 20 rows there
    by = {"country": np.where(few, "PL", np.where(np.arange(220) % 2, "DE", "FR"))}
    systems["new"][:4] = 0
    report = compare_predictions(truth, systems, metric="accuracy", by=by, margin=0.2)
    assert [*report.left_out] == ["country=PL"]
    assert report.not_worse_anywhere is False and np.isnan(report.pairs[0].not_worse_p)
    assert "it is open in country=PL. Not compared: country=PL" in report.conclusion
    full = compare_predictions(
        truth[~few], {n: p[~few] for n, p in systems.items()}, metric="accuracy", margin=0.2,
        by={"country": by["country"][~few]},
    )  # fmt: skip
    assert full.not_worse_anywhere is True
    again = report_from_dict(report.to_dict())
    assert again.not_worse_anywhere is False and again.conclusion == report.conclusion
    several = compare_predictions(
        truth, {**systems, "base": truth}, metric="accuracy", by=by, margin=0.2
    )
    assert not any(one.not_worse_p < 0.05 for one in several.pairs)


def test_numbers_are_cut_and_every_row_is_in_one_part():
    values = np.random.default_rng(0).normal(30, 8, 200)
    found = make_slices({"age": values})
    assert len(found) == 4 and "age cut at its quantiles" in found.notes[0]
    assert sorted(np.concatenate(list(found.rows.values()))) == list(range(200))
    assert all(40 <= len(rows) <= 60 for rows in found.rows.values())
    for name, rows in found.rows.items():
        inside = [eval(name, {"age": value}) for value in values[rows]]
        assert all(inside)


test_wrong_arguments_say_what_to_do = refusals(
    [
        ({"adjustment": "max-t"}, "does not adjust for slices"),
        ({"adjustment": "shaffer"}, "needs all pairs of several systems"),
        ({"order": np.arange(N)}, "by= and order= cannot be combined"),
        ({"seeds": "means"}, "by= and seeds=.means. cannot be combined"),
        ({"by": "topic"}, "must be a column of the rows"),
        ({"by": TOPIC[:-1]}, "by has 599"),
        ({"by": {}}, "by holds no column"),
        ({"by": np.arange(N)}, "600 different whole numbers"),
        ({"by": make_slices(TOPIC[:50])}, "slices of 50 rows, and there are 600"),
    ],
    compare,
)
test_wrong_columns = refusals(
    [
        (partial(make_slices, {"a": [1, 2], "b": [1]}), "differ in length"),
        (partial(make_slices, {"a": [[1, 2], [3, 4]]}), "must be one-dimensional"),
        (partial(make_slices, [1.5, 2.5], bins=1), "number of parts, 2 or more"),
        (partial(make_slices, [1.5, 2.5], bins=[3, 1]), "increasing values"),
        (partial(make_slices, {"a": ["x"]}, bins={"a": 2}), "does not hold numbers"),
        (partial(make_slices, {"a": [1.5]}, bins={"b": 2}), "bins names 'b'"),
        (partial(make_slices, [1, 2], fewest=1), "at least 2"),
        (partial(make_slices, make_slices([1, 2])), "a Slices already"),
    ]
)
