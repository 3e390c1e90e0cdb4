"""The guide: every situation of it, and the same table behind tests and recommendations."""

import json
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import model_selection as ms
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat.evaluation import FiveByTwo, LeaveTwoBlocksOut
from skstat.metrics import as_metric
from skstat.report import Recommendation
from skstat.stats import PairedScores, Predictions, Scores, ScoreTable
from tests.cases import Untouched, in_one_test, refusals
from tests.test_examples import chart

NB, TREE = GaussianNB(), DecisionTreeClassifier(random_state=0)
STUMP = DecisionTreeClassifier(max_depth=1, random_state=0)
TWO, THREE = {"nb": NB, "tree": TREE}, {"nb": NB, "tree": TREE, "stump": STUMP}
SHAKY = {"nb": NB, "stump": STUMP}
rng = np.random.default_rng(0)
A, B, C = rng.random((3, 36)) + np.array([[0.1], [0.0], [0.0]])
AB, ABC = {"a": A, "b": B}, {"a": A, "b": B, "c": C}
TENS, TENS_OF_3 = ({name: x[:10] for name, x in each.items()} for each in (AB, ABC))
N = 90
Y, TIME = rng.integers(0, 2, N), np.arange(N)
LABELS = {name: np.where(rng.random(N) < p, Y, 1 - Y) for name, p in (("a", 0.9), ("b", 0.7))}
NUMBERS = {name: Y + sd * rng.normal(size=N) for name, sd in (("a", 0.4), ("b", 0.9))}
THIRD = {**LABELS, "c": rng.integers(0, 2, N)}
NUMBERS_OF_3 = NUMBERS | {"c": NUMBERS["a"] + NUMBERS["b"]}
SHARES = {name: np.clip(labels, 0.1, 0.9) for name, labels in THIRD.items()}
SEEDED = {
    name: [np.where(rng.random(N) < p, Y, 1 - Y) for _ in range(3)]
    for name, p in (("a", 0.9), ("b", 0.8), ("c", 0.7))
}
SEEDS_OF_2 = {name: SEEDED[name] for name in "ab"}
GAPS = ScoreTable(np.where(np.eye(12, 3) > 0, np.nan, rng.normal(size=(12, 3))), unit="dataset")
X, TARGET = (each[:150] for each in load_breast_cancer(return_X_y=True))
SETS = {
    f"set {number}": (rng.normal(size=(40, 3)) + (TIME[:40] % 2)[:, np.newaxis], TIME[:40] % 2)
    for number in range(6)
}
FOLDS_3X3, FOLDS_3X2 = (
    ms.RepeatedStratifiedKFold(n_splits=3, n_repeats=n, random_state=0) for n in (3, 2)
)
SPLITS = ms.ShuffleSplit(20, test_size=0.3, random_state=0)
BLOCKS = LeaveTwoBlocksOut(5, random_state=0)
HALVES = ms.RepeatedKFold(n_splits=2, n_repeats=5)


def own_score(estimator, X, y):
    """A metric that skstat knows nothing of."""
    return float(np.mean(estimator.predict(X) == y))


def of_rows(outputs, y=Y, **options):
    asked = {"metric": "accuracy", "n_resamples": 199} | options
    return lambda: skstat.compare_predictions(y, outputs, **asked)


def of_scores(scores, **options):
    return lambda: skstat.compare_scores(scores, **options)


def of_fits(estimators=TWO, **options):
    return lambda: skstat.compare_estimators(estimators, X, TARGET, random_state=0, **options)


def of_sets(estimators=TWO, n=6, **options):
    sets = dict([*SETS.items()][:n])
    asked = {"cv": 2, "random_state": 0, **options}
    return lambda: skstat.compare_over_datasets(estimators, sets, **asked)


def of_one(**options):
    return lambda: skstat.compare_to_baseline(NB, X, TARGET, random_state=0, **options)


# What is described, the situation, what is run, and a call of a door that does it.
HITS, ONE, SEVERAL = {"metric": "accuracy"}, {"n_systems": 1}, {"n_systems": 3}
OF_PREDICTIONS = [
    (ONE | HITS, "constant-accuracy", "binomial"),
    (ONE | HITS | {"groups": 40}, "constant-groups", "clustered_t"),
    (ONE | {"metric": "neg_log_loss"}, "constant-mean", "paired_t"),
    (ONE | HITS | {"ordered": True}, "constant-time-order", "diebold_mariano"),
    (ONE | {"metric": "f1"}, "constant-other", "paired_permutation"),
    (HITS, "hold-out-accuracy", "mcnemar", of_rows(LABELS)),
    ({"metric": "cost"}, "hold-out-costs", "cost"),
    ({"metric": "neg_mean_squared_error"}, "hold-out-mean", "paired_permutation",
     of_rows(NUMBERS, metric="neg_mean_squared_error")),
    ({"metric": "f1_macro"}, "hold-out-other", "paired_permutation",
     of_rows(LABELS, metric="f1_macro")),
    ({"metric": "roc_auc"}, "hold-out-auc", "delong", of_rows(NUMBERS, metric="roc_auc")),
    (HITS | {"groups": 30}, "groups-mean", "clustered_t", of_rows(LABELS, groups=TIME // 3)),
    (HITS | {"groups": TIME // 9}, "groups-other", "paired_permutation",
     of_rows(LABELS, groups=TIME // 9)),
    (SEVERAL | HITS, "several-systems-accuracy", "cochran_q", of_rows(THIRD)),
    (SEVERAL | {"metric": "roc_auc"}, "several-systems-auc", "delong_wald",
     of_rows(NUMBERS_OF_3, metric="roc_auc")),
    (SEVERAL | {"metric": "f1_macro", "control": "c"}, "several-systems-any-metric",
     "paired_bootstrap", of_rows(THIRD, metric="f1_macro", control="c")),
    (SEVERAL | {"metric": "f1_macro", "adjustment": "holm"}, "several-systems-hold-out",
     "paired_permutation", of_rows(THIRD, metric="f1_macro", adjustment="holm")),
    (SEVERAL | {"metric": "neg_log_loss"}, "several-systems-mean", "sign_flip",
     of_rows(SHARES, metric="neg_log_loss")),
    (SEVERAL | HITS | {"groups": 7}, "several-systems-few-groups-of-rows", "clustered_t",
     of_rows(THIRD, groups=TIME % 7)),
    (HITS | {"margin": 0.02}, "same", "mcnemar", of_rows(LABELS, margin=0.02)),
    (HITS | {"ordered": True}, "time-order-mean", "diebold_mariano",
     of_rows(LABELS, order=TIME)),
    ({"metric": "f1", "ordered": True}, "time-order-other", "paired_bootstrap",
     of_rows(LABELS, metric="f1", order=TIME)),
    (HITS | {"seeds": "crossed"}, "seeds-crossed", "crossed_t",
     of_rows(SEEDS_OF_2, seeds="crossed")),
    (HITS | {"seeds": "crossed", "groups": 10}, "seeds-crossed-groups", "seeded_bootstrap",
     of_rows(SEEDS_OF_2, seeds="crossed", groups=TIME // 9)),
    (HITS | {"seeds": "average"}, "seeds-average", "seed_average_t",
     of_rows(SEEDS_OF_2, seeds="average")),
    ({"metric": "f1", "seeds": "average"}, "seeds-average-other", "seeded_bootstrap",
     of_rows(SEEDS_OF_2, metric="f1", seeds="average")),
    (HITS | {"seeds": "means"}, "seeds-means", "seed_means_t",
     of_rows(SEEDS_OF_2, seeds="means")),
    ({"metric": "f1", "seeds": "means"}, "seeds-means-other", "paired_t",
     of_rows(SEEDS_OF_2, metric="f1", seeds="means", paired_seeds=True)),
    (SEVERAL | HITS | {"seeds": "crossed"}, "several-systems-seeds", "crossed_t",
     of_rows(SEEDED, seeds="crossed")),
]  # fmt: skip
OF_SCORES = [
    (ONE | {"unit": "instance"}, "constant-units", "paired_t",
     of_scores(A, unit="instance", constant=0.5)),
    (ONE | {"unit": "split"}, "constant-splits", "corrected_t",
     of_scores(A, n_train=60, n_test=30, constant=0.5)),
    (ONE | {"unit": "dataset", "n": 36}, "constant-datasets", "wilcoxon",
     of_scores(A, unit="dataset", constant=0.5)),
    ({"unit": "instance"}, "instance-scores", "sign_flip", of_scores(AB, unit="instance")),
    ({"unit": "instance", "groups": 40}, "item-scores-in-groups", "clustered_t",
     of_scores(AB, unit="instance", group=np.r_[np.arange(33), np.arange(3)])),
    ({"unit": "instance", "groups": 12}, "item-scores-in-few-groups", "sign_flip",
     of_scores(AB, unit="instance", group=TIME[:36] // 3)),
    (SEVERAL | {"unit": "instance", "groups": 8}, "several-systems-few-groups-of-items",
     "clustered_t", of_scores(ABC, unit="instance", group=TIME[:36] // 5)),
    (SEVERAL | {"unit": "instance", "groups": 12}, "several-systems-items-in-groups",
     "sign_flip", of_scores(ABC, unit="instance", group=TIME[:36] // 3)),
    ({"unit": "group"}, "group-scores", "sign_flip",
     of_scores(PairedScores(A, B, unit="group"))),
    ({"cv": FiveByTwo(stratify=False, random_state=0)}, "splits-5x2", "five_by_two_f",
     of_scores(TENS, n_repeats=5)),
    ({"cv": HALVES, "alternative": "greater"}, "splits-5x2-one-sided", "corrected_t",
     of_scores(TENS, n_repeats=5, alternative="greater")),
    (SEVERAL | {"unit": "group", "n": 7}, "several-systems-few-groups", "paired_t",
     of_scores({name: x[:7] for name, x in ABC.items()}, unit="group")),
    (SEVERAL | {"unit": "seed"}, "several-systems-seed-scores", "seed_means_t",
     of_scores(ABC, unit="seed")),
    (SEVERAL | {"unit": "seed", "paired_seeds": True}, "several-systems-units", "paired_t",
     of_scores(ABC, unit="seed", paired_seeds=True)),
    (SEVERAL | {"cv": HALVES}, "several-systems-5x2", "corrected_t",
     of_scores(TENS_OF_3, n_repeats=5)),
    (SEVERAL | {"unit": "split"}, "several-systems-splits", "corrected_t",
     of_scores(ABC, n_train=60, n_test=30)),
    (SEVERAL | {"unit": "dataset", "control": "c"}, "control-datasets", "friedman",
     of_scores(ABC, unit="dataset", control="c")),
    ({"cv": 0.1, "rope": 0.02}, "probable", "corrected_t",
     of_scores(AB, n_train=90, n_test=10, rope=0.02)),
    ({"unit": "instance", "ordered": True}, "instances-time-order", "diebold_mariano",
     of_scores(PairedScores(A, B, unit="instance", ordered=True))),
    ({"cv": BLOCKS}, "splits-pairs-of-blocks", "block_jackknife_t",
     of_scores(PairedScores(A[:30], B[:30], n_blocks=6))),
    ({"unit": "seed"}, "seed-scores", "seed_means_t", of_scores(AB, unit="seed")),
    ({"unit": "seed", "paired_seeds": True}, "seed-scores-paired", "paired_t",
     of_scores(AB, unit="seed", paired_seeds=True)),
]  # fmt: skip
OF_ESTIMATORS = [
    (ONE | {"constant": 0.8}, "constant-rows", "projection_t", of_one(strategy=0.8)),
    (ONE, "baseline-rows", "projection_t", of_one()),
    (ONE | {"cv": 5}, "baseline-splits", "corrected_t", of_one(cv=5)),
    ({}, "two-estimators-30-fits", "projection_t", of_fits()),
    ({"budget": 31}, "two-estimators-budget", "projection_t", of_fits(budget=31)),
    ({"metric": lambda y, p: 0.0}, "two-estimators-any-metric", "block_jackknife_t",
     of_fits(scoring=own_score)),
    ({"cv": SPLITS}, "splits-random", "corrected_t", of_fits(cv=SPLITS)),
    ({"train_size": 0.9}, "two-estimators-nine-tenths", "projection_t",
     of_fits(train_size=0.9)),
    ({"cv": FOLDS_3X3}, "splits-with-rows", "projection_t", of_fits(cv=FOLDS_3X3)),
    ({"cv": FOLDS_3X2}, "splits-repeated-k-fold", "corrected_t", of_fits(cv=FOLDS_3X2)),
    ({"budget": 1}, "estimators-few-fits", "compare_predictions"),
    ({"cv": ms.StratifiedKFold(5)}, "splits-k-fold", "corrected_t",
     of_fits(SHAKY, cv=ms.StratifiedKFold(5))),
    ({"unit": "dataset", "n": 6}, "two-systems-datasets", "wilcoxon", of_sets()),
    ({"unit": "dataset", "n": 5}, "two-systems-few-datasets", "wilcoxon", of_sets(n=5)),
    (SEVERAL, "several-systems-splits", "projection_t", of_fits(THREE)),
    (SEVERAL | {"unit": "dataset", "n": 6}, "several-systems-datasets", "friedman",
     of_sets(THREE)),
    ({"ordered": True}, "estimators-time-order", "diebold_mariano"),
    ({"cv": ms.TimeSeriesSplit(4)}, "splits-row-order", "corrected_t",
     of_fits(cv=ms.TimeSeriesSplit(4))),
    ({"cv": BLOCKS}, "splits-pairs-of-blocks", "block_jackknife_t", of_fits(cv=BLOCKS)),
]  # fmt: skip
# Of objects that are held too.
ROWS = [
    *(("predictions", *row) for row in OF_PREDICTIONS),
    *(("scores", *row) for row in OF_SCORES),
    *(("estimators", *row) for row in OF_ESTIMATORS),
    (Scores(np.tile([1, 1, 0], 9), unit="instance"), {"constant": 0.5},
     "constant-right-or-wrong", "binomial",
     of_scores(np.tile([1, 1, 0], 9), unit="instance", constant=0.5)),
    (Predictions(Y, LABELS, as_metric("accuracy"), sample_weight=np.ones(N)), {},
     "hold-out-weighted", "paired_permutation", of_rows(LABELS, sample_weight=np.ones(N))),
    (Predictions(TIME < 14, NUMBERS, as_metric("roc_auc")), {}, "hold-out-auc-few",
     "paired_permutation", of_rows(NUMBERS, TIME < 14, metric="roc_auc")),
    (skstat.paired_cross_validate(TWO, X, TARGET, cv=5), {}, "splits-k-fold-stable",
     "corrected_t", of_fits(cv=5)),
    (GAPS, {}, "several-systems-gaps", "skillings_mack", of_scores(GAPS)),
]  # fmt: skip
# Words of the name that an outcome has, where it is not that of its procedure.
NAMED = {
    "corrected_t": "corrected",
    "delong_wald": "Wald",
    "paired_t": "t test",
    "seed_average_t": "averag",
    "seed_means_t": "seed",
    "seeded_bootstrap": "bootstrap",
}


@in_one_test("row", ROWS)
def test_every_situation_is_recommended(row):
    holds, described, situation, name = row[:4]
    found = skstat.recommend_test(holds, **described)
    assert (found.situation, found.name) == (situation, name)


@pytest.mark.long(keep=6)
@pytest.mark.parametrize(
    "row", [pytest.param(row, id=f"{row[2]}: {row[3]}") for row in ROWS if len(row) > 4]
)
def test_every_situation_is_what_its_door_does(row):
    situation, name, door = row[2:]
    report = door()
    assert (report.choice.situation, report.choice.name) == (situation, name)
    of_all = getattr(report, "omnibus", None)
    said = f"{report.test} {of_all and of_all['test']}".lower().replace("5x2cv", "five by two")
    wanted = NAMED.get(name, name.replace("_", " ")).lower()
    assert wanted in said.replace("-", " ") or wanted in said
    restored = skstat.report_from_dict(json.loads(report.to_json()))
    assert restored.to_dict() == report.to_dict()
    words = "".join(f"because{report.choice.reason}".split())  # lines break at hyphens
    for text in (report.details, report.to_markdown().replace("\\", ""), report.to_html()):
        assert "Choice of test" in text
    assert words in "".join(report.details.split())


def test_every_rule_is_reached():
    # One that no description leads to, because only scores can tell.
    reached = {row[2] for row in ROWS} | {"splits-no-variance"}
    assert sorted(reached) == sorted(rule.id for *_, rule in chart()["cases"]())
    perfect, asked = TIME % 2, {"correction": "nadeau-bengio", "random_state": 0}
    report = skstat.paired_cv_ttest(TREE, DummyClassifier(), perfect[:, None], perfect, **asked)
    assert report.choice.situation == "splits-no-variance"
    assert report.choice.name == "sign_flip" and "sign-flip" in report.test


def maybe(*values):
    return st.none() | st.sampled_from(values)


@settings(max_examples=6 * settings.default.max_examples)
@given(
    holds=st.sampled_from(["estimators", "predictions", "scores"]),
    described=st.fixed_dictionaries({
        "n_systems": maybe(1, 2, 3, 4),
        "unit": maybe("split", "instance", "group", "seed", "dataset"),
        "n": maybe(3, 9, 50),
        "metric": maybe("accuracy", "roc_auc", "cost", "neg_log_loss", "f1"),
        "groups": maybe(4, 12, 50),
        "ordered": maybe(True),
        "seeds": maybe("crossed", "average", "means"),
        "cv": maybe(5, 0.1, HALVES, ms.TimeSeriesSplit(4), FOLDS_3X3),
        "budget": maybe(1, 12, 200),
        "control": maybe(True),
        "adjustment": st.sampled_from(["auto", "holm"]),
        "constant": maybe(0.5),
        "alternative": st.sampled_from(["two-sided", "less"]),
        "margin": maybe(0.01),
    }),
)  # fmt: skip
def test_every_situation_has_a_short_answer(holds, described):
    try:
        found = skstat.recommend_test(holds, **described)
    except ValueError:  # what contradicts itself
        return
    for name in (found.name, *(other.name for other in found.alternatives)):
        if not (hasattr(skstat.stats, name) or hasattr(skstat, name)):  # a way of another test
            with pytest.raises(AttributeError, match=f"no '{name}'; use \\w+\\("):
                getattr(skstat.stats, name)
    assert all(other.when for other in found.alternatives)
    assert found.title and found.reason and found.ask
    assert Recommendation.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    if described["alternative"] != "two-sided":  # it has no direction
        assert found.name != "five_by_two_f"
    if described["budget"] is not None and found.design is not None:
        assert found.design["n_splits"] <= max(described["budget"], 30)


def test_as_many_halvings_are_planned_as_there_are_pairs_of_fits():
    def planned(**facts):
        return skstat.recommend_test("estimators", **facts).design

    for budget, n in ((None, 15), (10, 5), (11, 5), (20, 10), (45, 22), (46, 23), (500, 23)):
        assert planned(budget=budget)["n_halvings"] == n
    assert "46 of the 500 fits" in skstat.recommend_test("estimators", budget=500).cautions[0]
    # A metric of which nothing is known needs blocks: K (K - 1) / 2 fits.
    for budget, n in ((None, 8), (28, 8), (27, 7), (10, 5)):
        assert planned(budget=budget, metric=own_score)["n_blocks"] == n
    # Of one system they are the splits of compare_to_baseline.
    assert planned(n_systems=1, metric=own_score)["kind"].startswith("30 random splits")


def test_of_objects_the_facts_are_read():
    run = skstat.paired_cross_validate(
        TWO, X, TARGET, cv=ms.RepeatedKFold(n_splits=3, n_repeats=2)
    )
    assert skstat.recommend_test(run).situation == skstat.compare_scores(run).choice.situation
    assert skstat.recommend_test(run).cautions == ()
    shaky = skstat.paired_cross_validate(SHAKY, X, TARGET, cv=run.design.splits)
    assert "with a decision stump" in skstat.recommend_test(shaky).cautions[0]
    assert skstat.recommend_test(shaky) == skstat.compare_scores(shaky).choice
    assert skstat.recommend_test(PairedScores(A, B, unit="seed"), margin=0.1).name == "paired_t"
    assert skstat.recommend_test(Scores(A, unit="seed")).name == "paired_t"
    assert skstat.recommend_test("estimators", cv=ms.GroupKFold(4)).situation == "splits-k-fold"
    assert skstat.recommend_test("estimators", cv=ms.KFold(3)).situation == "splits-k-fold"
    random = ms.StratifiedShuffleSplit(9, test_size=5)
    assert skstat.recommend_test("estimators", cv=random).situation == "splits-random"


test_what_makes_no_sense_is_named = refusals([
    (partial(skstat.recommend_test, holds, **description), words)
    for holds, description, words in (
        ("models", {}, "holds='models' must be"),
        ("scores", {}, "unit is missing"),
        ("estimators", {"unit": "split"}, "unit= is for scores"),
        ("estimators", {"budget": 20, "cv": 5}, "budget= is for .* leave it out, or cv"),
        ("estimators", {"budget": 20, "n_systems": 1}, "budget= is for two estimators"),
        ("estimators", {"budget": 20, "constant": 0.5}, "takes the splits themselves, as cv="),
        ("estimators", {"train_size": 0.9, "budget": 39}, "needs 40 fits at least"),
        ("estimators", {"train_size": 0.9, "cv": 10}, "train_size= is for .* or cv"),
        ("predictions", {"train_size": 0.9}, "train_size= is for estimators that are still"),
        ("estimators", {"budget": 20, "unit": "dataset"}, "fitted on one data set"),
        ("estimators", {"constant": 0.8, "n_systems": 2}, "constant= is what one system"),
        (PairedScores(A, B, unit="seed"), {"constant": 0.8}, "this PairedScores holds 2"),
        ("predictions", {"cv": 5}, "leave it out"),
        ("predictions", {"groups": 9, "ordered": True}, "cannot be combined"),
        ("predictions", {"seeds": "best"}, "seeds='best' is unknown"),
        ("predictions", {"paired_seeds": True}, "say unit='seed' too"),
        ("scores", {"unit": "seed", "seeds": "crossed"}, "seeds= is for predictions"),
        ("scores", {"unit": "seed", "cv": 3}, "cv= is of splits"),
        ("estimators", {"cv": "five"}, "must be a number of folds"),
        (PairedScores(A, B, unit="seed"), {"n": 3}, "a PairedScores already says it"),
        ("estimators", {"stable": True}, "it is read from a run"),
    )
], error=(ValueError, TypeError))  # fmt: skip


@pytest.mark.long
def test_the_splits_are_those_that_are_recommended():
    few = of_fits(SHAKY, budget=17)()
    assert few.n_units == 16 and few.design["test_size"] == 75
    assert few.design["splitter"].startswith("RepeatedHalves(n_repeats=8, stratify=False")
    most = of_fits(budget=101, groups=TIME[:50].repeat(3))()
    assert most.n_units == most.choice.design["n_splits"] == 46
    assert most.design["test_groups"] == 25
    assert of_fits()().pvalue == of_fits(budget=30)().pvalue


NEVER = {"a": Untouched(), "b": Untouched()}
test_budgets_that_cannot_be_are_refused_before_any_fit = refusals([
    ({"budget": 9}, r"budget=9: .* compare_predictions\(y_test"),
    ({"budget": True}, "budget=True must be a whole number"),
    ({"budget": 5, "cv": 5}, "budget=5 chooses .* cv= gives"),
    ({"budget": 40, "test": "five_by_two_f"}, "does not suit the test"),
], lambda **options: of_fits(NEVER, **options)())  # fmt: skip
