"""Systems in slices of the rows, against the same comparison of each slice by itself."""

import json
from functools import partial
from itertools import combinations

import numpy as np
import pytest

import skstat
from skstat import stats
from tests.cases import in_one_test, refusals

RNG = np.random.default_rng(1)
N = 900
TOPIC = np.array(["art", "law", "news"])[RNG.choice(3, N, p=[0.3, 0.3, 0.4])]
TRUTH = RNG.integers(0, 2, N)


def answers(share):
    return np.where(RNG.random(N) < share, TRUTH, 1 - TRUTH)


SYSTEMS = {
    "new": answers(np.where(TOPIC == "law", 0.55, 0.88)),
    "old": answers(0.88),
    "base": answers(0.7),
}
GROUPS = RNG.integers(0, 120, N)
ANSWERS = {name: SYSTEMS[name] for name in ("new", "old")}
SCORES = {name: 0.7 * answer + RNG.random(N) for name, answer in ANSWERS.items()}
PROBABILITIES = {name: np.clip(score / 1.7, 0.02, 0.98) for name, score in SCORES.items()}
OUTPUTS = {"accuracy": ANSWERS, "f1_macro": ANSWERS}
OUTPUTS |= {"roc_auc": SCORES, "neg_log_loss": PROBABILITIES}
QUICK = {"random_state": 0, "n_resamples": 199}


def compare(metric="accuracy", by=TOPIC, systems=None, **options):
    outputs = OUTPUTS[metric] if systems is None else systems
    return skstat.compare_predictions(TRUTH, outputs, metric=metric, by=by, **QUICK | options)


@pytest.mark.parametrize("metric", OUTPUTS)
@pytest.mark.parametrize("groups", [None, GROUPS])
def test_all_rows_and_every_slice_are_compared_as_by_themselves(metric, groups):
    report = compare(metric, groups=groups)
    options = {"metric": metric, **QUICK}
    plain = skstat.compare_predictions(TRUTH, OUTPUTS[metric], groups=groups, **options)
    assert report.overall.to_dict() == plain.to_dict()
    assert list(report) == ["art", "law", "news"]
    for name in report:
        rows = name == TOPIC
        own = {system: output[rows] for system, output in OUTPUTS[metric].items()}
        inside = None if groups is None else groups[rows]
        alone = skstat.compare_predictions(TRUTH[rows], own, groups=inside, **options)
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
    np.testing.assert_allclose(adjusted, stats.adjust_pvalues(own, method))
    assert report.adjustment == method
    assert "simultaneous" not in repr(report)


def test_groups_across_slices_make_them_depend():
    by = {"first": np.arange(N) % 2 == 0, "second": np.arange(N) % 2 == 1}
    groups = np.arange(N) // 2
    twice = {name: np.repeat(output[::2], 2) for name, output in PROBABILITIES.items()}
    truth = np.repeat(TRUTH[::2], 2)
    options = {"metric": "neg_log_loss", "by": by, "random_state": 0}
    report = skstat.compare_predictions(truth, twice, groups=groups, **options)
    apart = skstat.compare_predictions(truth, twice, **options)
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
    report = skstat.compare_predictions(truth, outputs, metric="f1", by=TOPIC, **QUICK)
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
    report = skstat.compare_predictions(truth, outputs, by=TOPIC, **options)
    for name in report:
        rows = name == TOPIC
        part = {system: output[rows] for system, output in outputs.items()}
        alone = skstat.compare_predictions(truth[rows], part, **options).equivalence
        found = report[name].equivalence
        for side in ("lower_pvalue", "upper_pvalue"):
            assert found[side] == pytest.approx(alone[side], abs=0.01)
        assert (found["adjusted_pvalue"] < 0.05) == (alone["pvalue"] < 0.05)
    assert report.not_worse_anywhere and "no variance" not in report.conclusion


def test_without_variance_a_margin_is_judged_nowhere():
    lost = {"new": np.where(np.arange(80) % 2, 1, 0), "old": np.ones(80, dtype=int)}
    truth, by = np.ones(80, dtype=int), np.arange(80) // 40
    lost["new"][:40] = 0  # wrong on every row of this slice
    asked = {"metric": "recall", "by": by, "margin": 0.9}
    report = skstat.compare_predictions(truth, lost, **asked, random_state=0)
    assert np.isnan(report["0"].equivalence["pvalue"])
    assert report["1"].equivalence["upper_pvalue"] < 0.05 and not report.not_worse_anywhere


def test_a_slice_that_was_left_out_is_open_beside_a_margin():
    truth = np.ones(220, dtype=int)
    few = np.arange(220) >= 200
    systems = {"new": np.where(few, 0, truth), "old": truth}  # 0 of 20 rows there
    by = {"country": np.where(few, "PL", np.where(np.arange(220) % 2, "DE", "FR"))}
    systems["new"][:4] = 0
    report = skstat.compare_predictions(truth, systems, metric="accuracy", by=by, margin=0.2)
    assert [*report.left_out] == ["country=PL"]
    assert report.not_worse_anywhere is False and np.isnan(report.pairs[0].not_worse_p)
    assert "it is open in country=PL. Not compared: country=PL" in report.conclusion
    whole = {name: predicted[~few] for name, predicted in systems.items()}
    asked = {"metric": "accuracy", "margin": 0.2}
    full = skstat.compare_predictions(truth[~few], whole, **asked, by=by["country"][~few])
    assert full.not_worse_anywhere is True
    again = skstat.report_from_dict(report.to_dict())
    assert again.not_worse_anywhere is False and again.conclusion == report.conclusion
    several = skstat.compare_predictions(truth, {**systems, "base": truth}, **asked, by=by)
    assert not any(one.not_worse_p < 0.05 for one in several.pairs)


def test_numbers_are_cut_and_every_row_is_in_one_part():
    values = np.random.default_rng(0).normal(30, 8, 200)
    found = skstat.make_slices({"age": values})
    assert len(found) == 4 and "age cut at its quantiles" in found.notes[0]
    assert sorted(np.concatenate(list(found.rows.values()))) == list(range(200))
    assert all(40 <= len(rows) <= 60 for rows in found.rows.values())
    for name, rows in found.rows.items():
        inside = [eval(name, {"age": value}) for value in values[rows]]
        assert all(inside)


test_wrong_arguments_say_what_to_do = refusals([
    ({"adjustment": "max-t"}, "does not adjust for slices"),
    ({"adjustment": "shaffer"}, "needs all pairs of several systems"),
    ({"order": np.arange(N)}, "by= and order= cannot be combined"),
    ({"seeds": "means"}, "by= and seeds=.means. cannot be combined"),
    ({"by": "topic"}, "must be a column of the rows"),
    ({"by": TOPIC[:-1]}, "by has 899"),
    ({"by": {}}, "by holds no column"),
    ({"by": np.arange(N)}, "900 different whole numbers"),
    ({"by": skstat.make_slices(TOPIC[:50])}, "slices of 50 rows, and there are 900"),
], compare)  # fmt: skip
# Several systems, against every pair of them by itself


def pairs_of(grid):
    return [one[:2] for one in grid.pairs]


@pytest.mark.parametrize("metric, groups", [("accuracy", None), ("f1_macro", GROUPS)])
def test_every_pair_is_compared_as_by_itself_and_adjusted_for_all(metric, groups):
    report = compare(metric, systems=SYSTEMS, groups=groups)
    options = {"metric": metric, "groups": groups, **QUICK}
    plain = skstat.compare_predictions(TRUTH, SYSTEMS, **options)
    assert report.overall.to_dict() == plain.to_dict()
    assert pairs_of(report) == list(combinations(SYSTEMS, 2)) and report.n_comparisons == 9
    raw, adjusted = [], []
    for a, b in pairs_of(report):
        two = {name: SYSTEMS[name] for name in (a, b)}
        alone = skstat.compare_predictions(TRUTH, two, by=TOPIC, **options)
        found = report[a, b]
        assert found.systems == (a, b) and report[b, a].systems == (b, a)
        assert list(found) == list(alone) == ["art", "law", "news"]
        for name in found:
            assert found[name].estimate == pytest.approx(alone[name].estimate)
            assert found[name].pvalue == pytest.approx(alone[name].pvalue, abs=0.05)
            assert found[name].adjusted_pvalue >= alone[name].pvalue * 0.99
            raw.append(found[name].pvalue)
            adjusted.append(found[name].adjusted_pvalue)
    # Nine p-values of three pairs that share rows: more than the raw ones, and than those of
    # Sidak never much more.
    assert np.all(np.array(adjusted) <= stats.adjust_pvalues(raw, "sidak") + 0.03)
    assert np.all(np.diff(np.array(adjusted)[np.argsort(raw)]) >= 0)


RIGHT = {name: (own == TRUTH).astype(float) for name, own in SYSTEMS.items()}


def test_scores_and_logs():
    ask = partial(skstat.compare_scores, random_state=0)
    report = ask(RIGHT, unit="instance", by=TOPIC)
    assert report.verdicts == compare(systems=SYSTEMS).verdicts
    assert report.overall.to_dict() == ask(RIGHT, unit="instance").to_dict()
    log = {"correct": np.concatenate([*RIGHT.values()]), "model": np.repeat([*RIGHT], N)}
    log |= {"item": np.tile(np.arange(N), 3), "topic": np.tile(TOPIC, 3)}
    by_name = ask(log, system="model", item="item", score="correct", by="topic")
    assert [*by_name.verdicts.values()] == [*report.verdicts.values()]
    grouped = ask(RIGHT, unit="instance", group=GROUPS, by=TOPIC, control="base")
    assert pairs_of(grouped) == [("new", "base"), ("old", "base")]
    assert all(part.unit == "group" for part in grouped.reports.values())


def test_a_leaderboard_and_who_may_be_best_in_every_slice():
    options = {"unit": "instance", **QUICK}
    report = skstat.rank_systems(RIGHT, by=TOPIC, **options)
    plain = skstat.rank_systems(RIGHT, **options)
    assert report.overall.is_leaderboard
    assert report.overall.to_dict() == plain.to_dict()
    compared = skstat.compare_scores(RIGHT, unit="instance", by=TOPIC, random_state=0)
    assert report.may_be_best == compared.may_be_best
    again = skstat.report_from_dict(json.loads(report.to_json()))
    assert [*again.overall.systems] == [*plain.systems]
    assert "old may be the best" in report.conclusion or "old alone" in report.conclusion
    two = skstat.rank_systems({name: RIGHT[name] for name in ANSWERS}, by=TOPIC, **options)
    assert pairs_of(two) == [("new", "old")] and two.may_be_best["law"] == ("old",)


SHARES = {"new": np.where(TOPIC == "law", 0.6, 0.9), "old": 0.85, "base": 0.6}
SEEDS = {name: [answers(share) for _ in range(3)] for name, share in SHARES.items()}


@pytest.mark.parametrize("metric, seeds", [("accuracy", "crossed"), ("f1_macro", "average")])
def test_seeds_are_compared_in_every_slice_as_by_themselves(metric, seeds):
    options = {"metric": metric, "seeds": seeds, **QUICK}
    report = skstat.compare_predictions(TRUTH, SEEDS, by=TOPIC, **options)
    plain = skstat.compare_predictions(TRUTH, SEEDS, **options)
    assert report.overall.to_dict() == plain.to_dict()
    for name in report:
        rows = name == TOPIC
        for a, b in pairs_of(report):
            two = {one: [run[rows] for run in SEEDS[one]] for one in (a, b)}
            alone = skstat.compare_predictions(TRUTH[rows], two, **options)
            found = report[a, b][name]
            assert found.estimate == pytest.approx(alone.estimate)
            assert found.pvalue == pytest.approx(alone.pvalue)
            assert found.adjusted_pvalue >= found.pvalue


def test_of_several_metrics_each_says_its_tests_and_what_they_share_comes_once():
    text = str(compare(["accuracy", "f1_macro"], systems=SYSTEMS))
    assert text.count("for 9 pairs in slices") == 2 and text.count("\nSlices  ") == 1
    for metric in ("accuracy", "f1_macro"):
        assert text.count(f"Slice by slice, {metric}, higher is better") == 1
        assert f"{metric}: " in text.split("Tests")[1]


ranked = partial(skstat.rank_systems, RIGHT, by=TOPIC)
seeded = partial(skstat.compare_predictions, TRUTH, SEEDS, metric="f1_macro", by=TOPIC)
test_what_does_not_go_together = refusals([
    (partial(seeded, seeds="pooled"), "by= and seeds='pooled' cannot be combined"),
    (partial(ranked, unit="instance", average="task", task=TOPIC), "by= and average='task' c"),
    (partial(ranked, unit="split", n_train=9, n_test=9), "unit of these scores is 'split'"),
    (partial(ranked, unit="instance", adjustment="max-t"), "does not adjust for slices"),
])  # fmt: skip


# What a report says first, and which slices it blames

N_ROWS = 4000
PL, OLD = "country=PL", "age >= 60"


def ask(broken, seed=0, lost=0.25, combine=False, names=("new", "old")):
    """Compare two systems of which the new one is wrong more often in some slices."""
    rng = np.random.default_rng(seed)
    country = rng.choice(["DE", "FR", "IT", "PL"], N_ROWS, p=[0.4, 0.3, 0.22, 0.08])
    by = {"country": country, "age": rng.integers(18, 80, N_ROWS)}
    slices = skstat.make_slices(by, bins={"age": [30, 45, 60]}, combine=combine)
    rows = [slices.rows[name] for name in broken] or [np.empty(0, dtype=int)]
    falls = np.isin(np.arange(N_ROWS), np.concatenate(rows))
    right = rng.random(N_ROWS) < 0.85
    answers = {
        "new": right & (rng.random(N_ROWS) > np.where(falls, lost, 0.02)),
        "old": right & (rng.random(N_ROWS) > 0.02),
        "third": right & (rng.random(N_ROWS) > 0.02),
    }
    given = {name: answers[name].astype(int) for name in names}
    asked = {"metric": "accuracy", "by": slices, "random_state": 0}
    report = skstat.compare_predictions(np.ones(N_ROWS, dtype=int), given, **asked)
    return report, slices, answers


def explained_by(report):
    (pair,) = report.pairs
    return pair.explained_by


@in_one_test("seed", range(4))
def test_only_the_broken_slice_is_blamed(seed):
    report, slices, answers = ask([PL], seed)
    significant = {name for name, found in report.verdicts.items() if found == "worse"}
    assert report.worse_in == (PL,) and report.better_in == ()
    assert explained_by(report) == dict.fromkeys(
        [name for name in report if name in significant - {PL}], (PL,)
    )
    # By hand: without the rows of PL the others are not significant at the level of one.
    level = report[PL].evidence.outcome.joint.level_of_one(0.05)
    for name in explained_by(report):
        rest = np.setdiff1d(slices.rows[name], slices.rows[PL])
        alone = {key: answers[key][rest].astype(int) for key in report.systems}
        ones = np.ones(len(rest), dtype=int)
        assert not skstat.compare_predictions(ones, alone, metric="accuracy").pvalue < level
    first, second, third, *_ = report.sentences
    assert first == f"Over all rows: {report.overall.conclusion}"
    assert second.startswith("The difference varies significantly between slices")
    assert third.endswith(f"significant in 1 of 8 slices: old is better than new in {PL}.")
    if explained_by(report):
        said = " ".join(str(report).split())
        assert "not significant without the rows that it shares" in said
        assert "worse, shared" in said
        assert "new: 1 worse" in report.to_html()
    restored = skstat.report_from_dict(report.to_dict())
    assert restored.worse_in == report.worse_in and str(restored) == str(report)


def test_parts_of_a_broken_slice_are_not_named_beside_it():
    report, *_ = ask([PL], combine=True)
    assert report.worse_in == (PL,)
    assert f"{PL} & {OLD}" in explained_by(report)
    report, *_ = ask([f"{PL} & {OLD}"], combine=True, lost=0.6)
    assert report.worse_in == (f"{PL} & {OLD}",) and PL in explained_by(report)


def test_several_systems_begin_with_all_rows():
    report, *_ = ask([PL], names=("new", "old", "third"))
    assert report.conclusion.startswith(f"Over all rows: {report.overall.conclusion}")
    said = report.sentences[2]
    assert "age" not in said and PL in said
    assert report["new", "old"].worse_in == (PL,) == report["third", "new"].better_in
    assert report["old", "third"].worse_in == ()
