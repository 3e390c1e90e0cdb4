"""What a report on slices says first, and which slices it blames."""

import numpy as np

from skstat import compare_predictions, make_slices, report_from_dict
from tests.cases import in_one_test

N = 4000
PL, OLD = "country=PL", "age >= 60"


def ask(broken, seed=0, lost=0.25, **options):
    """Compare two systems of which the new one is wrong more often in some slices."""
    rng = np.random.default_rng(seed)
    country = rng.choice(["DE", "FR", "IT", "PL"], N, p=[0.4, 0.3, 0.22, 0.08])
    by = {"country": country, "age": rng.integers(18, 80, N)}
    slices = make_slices(by, bins={"age": [30, 45, 60]}, combine=options.pop("combine", False))
    rows = [slices.rows[name] for name in broken] or [np.empty(0, dtype=int)]
    falls = np.isin(np.arange(N), np.concatenate(rows))
    right = rng.random(N) < 0.85
    answers = {
        "new": right & (rng.random(N) > np.where(falls, lost, 0.02)),
        "old": right & (rng.random(N) > 0.02),
        "third": right & (rng.random(N) > 0.02),
    }
    names = options.pop("names", ("new", "old"))
    report = compare_predictions(
        np.ones(N, dtype=int), {name: answers[name].astype(int) for name in names},
        metric="accuracy", by=slices, random_state=0, **options,
    )  # fmt: skip
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
        assert not compare_predictions(ones, alone, metric="accuracy").pvalue < level
    first, second, third, *_ = report.sentences
    assert first == f"Over all rows: {report.overall.conclusion}"
    assert second.startswith("The difference varies significantly between slices")
    assert third == (
        f"The difference is significant in 1 of 8 slices: old is better than new in {PL}."
    )
    if explained_by(report):
        assert "worse, shared" in str(report)
        assert "not significant without the rows that it shares" in " ".join(
            str(report).split()
        )
        assert "new: 1 worse" in report.to_html()
    restored = report_from_dict(report.to_dict())
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
