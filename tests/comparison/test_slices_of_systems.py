"""Several systems in slices of the rows, against every pair of them by itself."""

import json
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from skstat import compare_predictions, compare_scores, rank_systems, report_from_dict
from skstat.stats import adjust_pvalues

RNG = np.random.default_rng(1)
N = 900
TOPIC = np.array(["art", "law", "news"])[RNG.choice(3, N, p=[0.3, 0.3, 0.4])]
TRUTH = RNG.integers(0, 2, N)


def answers(share):
    return np.where(RNG.random(N) < share, TRUTH, 1 - TRUTH)


SYSTEMS = {
    "new": answers(np.where(TOPIC == "law", 0.55, 0.9)),
    "old": answers(0.88),
    "base": answers(0.7),
}
GROUPS = RNG.integers(0, 120, N)


def pairs_of(grid):
    return [one[:2] for one in grid.pairs]


def compare(metric="accuracy", by=TOPIC, **options):
    options = {"random_state": 0, "n_resamples": 199} | options
    return compare_predictions(TRUTH, SYSTEMS, metric=metric, by=by, **options)


@pytest.mark.parametrize("metric, groups", [("accuracy", None), ("f1_macro", GROUPS)])
def test_every_pair_is_compared_as_by_itself_and_adjusted_for_all(metric, groups):
    report = compare(metric, groups=groups)
    options = {"metric": metric, "groups": groups, "random_state": 0, "n_resamples": 199}
    plain = compare_predictions(TRUTH, SYSTEMS, **options)
    assert report.overall.to_dict() == plain.to_dict()
    assert pairs_of(report) == list(combinations(SYSTEMS, 2)) and report.n_comparisons == 9
    raw, adjusted = [], []
    for a, b in pairs_of(report):
        two = {name: SYSTEMS[name] for name in (a, b)}
        alone = compare_predictions(TRUTH, two, by=TOPIC, **options)
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
    sidak = adjust_pvalues(raw, "sidak")
    assert np.all(np.array(adjusted) <= sidak + 0.03)
    assert list(np.argsort(adjusted, kind="stable")) == list(np.argsort(raw, kind="stable"))


def test_scores_and_logs():
    right = {name: (own == TRUTH).astype(float) for name, own in SYSTEMS.items()}
    ask = partial(compare_scores, random_state=0)
    report = ask(right, unit="instance", by=TOPIC)
    assert report.verdicts == compare().verdicts
    assert report.overall.to_dict() == ask(right, unit="instance").to_dict()
    log = {
        "correct": np.concatenate([*right.values()]),
        "model": np.repeat([*right], N),
        "item": np.tile(np.arange(N), 3),
        "topic": np.tile(TOPIC, 3),
    }
    by_name = ask(log, system="model", item="item", score="correct", by="topic")
    assert [*by_name.verdicts.values()] == [*report.verdicts.values()]
    grouped = ask(right, unit="instance", group=GROUPS, by=TOPIC, control="base")
    assert pairs_of(grouped) == [("new", "base"), ("old", "base")]
    assert all(part.unit == "group" for part in grouped.reports.values())


def test_a_leaderboard_and_who_may_be_best_in_every_slice():
    right = {name: (own == TRUTH).astype(float) for name, own in SYSTEMS.items()}
    options = {"unit": "instance", "random_state": 0, "n_resamples": 199}
    report = rank_systems(right, by=TOPIC, **options)
    plain = rank_systems(right, **options)
    assert report.overall.is_leaderboard
    assert report.overall.to_dict() == plain.to_dict()
    compared = compare_scores(right, unit="instance", by=TOPIC, random_state=0)
    assert report.may_be_best == compared.may_be_best
    again = report_from_dict(json.loads(report.to_json()))
    assert [*again.overall.systems] == [*plain.systems]
    assert "old may be the best" in report.conclusion or "old alone" in report.conclusion
    two = rank_systems({name: right[name] for name in ("new", "old")}, by=TOPIC, **options)
    assert pairs_of(two) == [("new", "old")] and two.may_be_best["law"] == ("old",)
    for options, message in [
        ({"average": "task", "task": TOPIC}, "by= and average='task' cannot be combined"),
        ({"unit": "split", "n_train": 9, "n_test": 9}, "unit of these scores is 'split'"),
        ({"adjustment": "max-t"}, "does not adjust for slices"),
    ]:
        with pytest.raises(ValueError, match=message):
            rank_systems(right, **({"unit": "instance", "by": TOPIC} | options))


_SHARES = {"new": np.where(TOPIC == "law", 0.6, 0.9), "old": 0.85, "base": 0.6}
SEEDS = {name: [answers(share) for _ in range(3)] for name, share in _SHARES.items()}


@pytest.mark.parametrize("metric, seeds", [("accuracy", "crossed"), ("f1_macro", "average")])
def test_seeds_are_compared_in_every_slice_as_by_themselves(metric, seeds):
    options = {"metric": metric, "seeds": seeds, "random_state": 0, "n_resamples": 199}
    report = compare_predictions(TRUTH, SEEDS, by=TOPIC, **options)
    plain = compare_predictions(TRUTH, SEEDS, **options)
    assert report.overall.to_dict() == plain.to_dict()
    for name in report:
        rows = name == TOPIC
        for a, b in pairs_of(report):
            two = {one: [run[rows] for run in SEEDS[one]] for one in (a, b)}
            alone = compare_predictions(TRUTH[rows], two, **options)
            found = report[a, b][name]
            assert found.estimate == pytest.approx(alone.estimate)
            assert found.pvalue == pytest.approx(alone.pvalue)
            assert found.adjusted_pvalue >= found.pvalue
    with pytest.raises(ValueError, match="by= and seeds='pooled' cannot be combined"):
        compare_predictions(TRUTH, SEEDS, by=TOPIC, **(options | {"seeds": "pooled"}))


def test_of_several_metrics_each_says_its_tests_and_what_they_share_comes_once():
    text = str(compare(["accuracy", "f1_macro"]))
    assert text.count("for 9 pairs in slices") == 2 and text.count("\nSlices  ") == 1
    for metric in ("accuracy", "f1_macro"):
        assert text.count(f"Slice by slice, {metric}, higher is better") == 1
        assert f"{metric}: " in text.split("Tests")[1]
