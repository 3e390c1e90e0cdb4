"""The same question asked in the ways that other packages have taught: the same report."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat

X, y = load_iris(return_X_y=True)
X, y = X[::2], y[::2]
NB = GaussianNB()
STUMP = DecisionTreeClassifier(max_depth=1, random_state=0)
TREE = DecisionTreeClassifier(random_state=0)
NAMED = {"nb": NB, "stump": STUMP}
RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, 80)
ONE, TWO, THREE = (
    np.where(RNG.random(80) < share, TRUTH, 1 - TRUTH) for share in (0.9, 0.75, 0.6)
)
SCORES = [0.81, 0.79, 0.84, 0.8], [0.78, 0.77, 0.79, 0.8], [0.7, 0.75, 0.72, 0.7]
DATASETS = {f"d{start}": (X[start::3], y[start::3]) for start in range(3)}


def numbers(report):
    """What was found, without the names."""
    if isinstance(report, skstat.SystemsReport):
        return [numbers(part) for part in report]
    return report.estimate, report.pvalue, tuple(report.confidence_interval())


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("test", [skstat.paired_cv_ttest, skstat.five_by_two_cv_test])
def test_two_estimators_together_or_one_by_one(test):
    data = {"random_state": 0}
    usual = test(("nb", NB), ("stump", STUMP), X, y, **data)
    assert usual.names == ("nb", "stump")
    for given in (
        (NAMED, X, y),
        ([("nb", NB), ("stump", STUMP)], X, y),
        ((("nb", NB), ("stump", STUMP)), X, y),
    ):
        report = test(*given, **data)
        assert report.names == usual.names and numbers(report) == numbers(usual)
    plain = test([NB, STUMP], X=X, y=y, **data)
    assert plain.names == ("GaussianNB", "DecisionTreeClassifier")
    assert numbers(plain) == numbers(usual) == numbers(test(NB, STUMP, X, y, **data))


def test_two_is_two():
    for given in ([NB], [NB, STUMP, TREE], {"a": NB}):
        with pytest.raises(ValueError, match=rf"compares two estimators, got {len(given)}"):
            skstat.paired_cv_ttest(given, X, y)
    with pytest.raises(TypeError, match="paired_cv_ttest lacks X"):
        skstat.paired_cv_ttest(NB, STUMP)
    with pytest.raises(TypeError):
        skstat.paired_cv_ttest(["nb", "stump"], X, y)


@pytest.mark.long
def test_estimators_one_by_one():
    usual = skstat.compare_estimators([NB, STUMP], X, y, random_state=0)
    report = skstat.compare_estimators(NB, STUMP, X, y, random_state=0)
    assert report.names == usual.names and numbers(report) == numbers(usual)
    named = skstat.compare_estimators(("nb", NB), ("stump", STUMP), X, y=y, random_state=0)
    assert named.names == ("nb", "stump") and numbers(named) == numbers(usual)
    three = skstat.compare_estimators(NB, STUMP, TREE, X, y, random_state=0, cv=5)
    assert len(three.names) == 3
    run = skstat.paired_cross_validate(NB, STUMP, X, y, cv=5, random_state=0)
    assert len(run.names) == 2
    found = skstat.estimate_performance(NB, STUMP, X, y, method="corrected_t", random_state=0)
    assert len(found) == 2
    over = skstat.compare_over_datasets(NB, STUMP, TREE, DATASETS, cv=2, random_state=0)
    assert len(over.names) == 3 and over.n_units == 3


def test_one_estimator_is_still_refused_by_what_compares():
    with pytest.raises(TypeError, match="estimators must be a mapping"):
        skstat.compare_estimators(NB, X, y)
    with pytest.raises(TypeError, match="takes 3 arguments by position"):
        skstat.compare_estimators([NB, STUMP], X, y, 5)
    with pytest.raises(TypeError, match="takes 3 arguments by position"):
        skstat.compare_estimators(NB, STUMP, X, y, "accuracy")


def test_predictions_of_two_systems():
    for test, options in (
        (skstat.mcnemar_test, {}),
        (skstat.paired_permutation_test, {"metric": "accuracy", "random_state": 0}),
        (skstat.paired_bootstrap_test, {"metric": "accuracy", "random_state": 0}),
    ):
        usual = test(TRUTH, ("one", ONE), ("two", TWO), **options)
        for given in ({"one": ONE, "two": TWO}, [("one", ONE), ("two", TWO)]):
            report = test(TRUTH, given, **options)
            assert report.names == ("one", "two") and numbers(report) == numbers(usual)
        assert numbers(test(TRUTH, ONE, TWO, **options)) == numbers(usual)


def test_scores_for_the_area_under_the_curve():
    named = [
        (name, TRUTH + RNG.normal(size=80) * noise)
        for name, noise in (("one", 0.5), ("two", 1), ("three", 2))
    ]
    usual = skstat.delong_test(TRUTH, dict(named))
    assert numbers(skstat.delong_test(TRUTH, *named)) == numbers(usual)
    two = skstat.delong_test(TRUTH, named[0], named[1])
    assert two.names == ("one", "two")
    assert numbers(skstat.delong_test(TRUTH, dict(named[:2]))) == numbers(two)


def test_predictions_in_a_frame():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"one": ONE, "two": TWO})
    assert skstat.mcnemar_test(TRUTH, frame).names == ("one", "two")


def test_predictions_one_by_one():
    mapping = {"one": ONE, "two": TWO, "three": THREE}
    pairs = list(mapping.items())
    usual = skstat.compare_predictions(TRUTH, mapping, metric="accuracy", random_state=0)
    for given in ((TRUTH, pairs), (TRUTH, *pairs)):
        report = skstat.compare_predictions(*given, metric="accuracy", random_state=0)
        assert report.names == usual.names and numbers(report) == numbers(usual)
    assert skstat.compare_predictions(TRUTH, ONE, TWO, metric="accuracy").names == ("A", "B")
    q = skstat.cochran_q_test(TRUTH, ONE, TWO, THREE)
    assert q.omnibus.pvalue == skstat.cochran_q_test(TRUTH, mapping).omnibus.pvalue


def test_two_predictions_are_two():
    with pytest.raises(ValueError, match="compares two systems, got 3"):
        skstat.mcnemar_test(TRUTH, {"a": ONE, "b": TWO, "c": THREE})
    with pytest.raises(ValueError, match="'a' is there twice"):
        skstat.compare_predictions(TRUTH, ("a", ONE), ("a", TWO), metric="accuracy")


def test_a_metric_by_position_is_no_system():
    with pytest.raises(TypeError, match="takes 2 arguments by position"):
        skstat.compare_predictions(TRUTH, {"one": ONE, "two": TWO}, "accuracy")
    with pytest.raises(TypeError, match="takes 3 arguments by position"):
        skstat.paired_permutation_test(TRUTH, ONE, TWO, "accuracy")


def test_a_table_alone():
    table = [[54, 18], [6, 22]]
    usual = skstat.mcnemar_test(table=table)
    assert numbers(skstat.mcnemar_test(table)) == numbers(usual)
    assert numbers(skstat.mcnemar_test(np.array(table), method="exact")) != numbers(usual)
    with pytest.raises(ValueError, match="2 x 2 counts"):
        skstat.mcnemar_test(TRUTH)


def test_counts_alone():
    usual = skstat.binomial_test(successes=8, n=10, constant=0.5)
    assert numbers(skstat.binomial_test(8, 10, 0.5)) == numbers(usual)
    assert numbers(skstat.binomial_test(8, 10, constant=0.5)) == numbers(usual)
    labels = skstat.binomial_test(TRUTH, ONE, constant=0.5)
    assert labels.n_units == len(TRUTH)


def test_scores_one_by_one():
    a, b, c = SCORES
    usual = skstat.compare_scores({"A": a, "B": b}, unit="seed", paired_seeds=True)
    for given in ((a, b), (np.array(a), np.array(b)), (("A", a), ("B", b))):
        report = skstat.compare_scores(*given, unit="seed", paired_seeds=True)
        assert report.names == ("A", "B") and numbers(report) == numbers(usual)
    named = skstat.compare_scores(a, b, unit="seed", paired_seeds=True, names=("new", "old"))
    assert named.names == ("new", "old") and numbers(named) == numbers(usual)
    listed = skstat.compare_scores([("new", a), ("old", b)], unit="seed", paired_seeds=True)
    assert listed.names == ("new", "old") and numbers(listed) == numbers(usual)
    unequal = skstat.compare_scores(a, b[:3], unit="seed")
    assert unequal.names == ("A", "B")
    assert len(skstat.compare_scores(a, b, c, unit="dataset").names) == 3


def test_scores_that_do_not_fit():
    a, b, _ = SCORES
    with pytest.raises(ValueError, match="must be 2 labels"):
        skstat.compare_scores(a, b, unit="seed", names=("one",))
    with pytest.raises(TypeError, match="takes 1 argument by position"):
        skstat.compare_scores({"a": a, "b": b}, "seed")


def test_an_array_of_columns_stays_an_array():
    a, b, _ = SCORES
    table = np.column_stack([a, b])
    report = skstat.compare_scores(table, unit="seed", paired_seeds=True, names=("x", "y"))
    assert report.names == ("x", "y")


def test_words_of_other_packages_are_answered():
    with pytest.raises(TypeError, match=r"takes no random_seed=\. Use random_state="):
        skstat.paired_cv_ttest(NB, STUMP, X, y, random_seed=1)
    with pytest.raises(TypeError, match=r"takes no estimator1=\. Use estimator_a="):
        skstat.five_by_two_cv_test(estimator1=NB, estimator2=STUMP, X=X, y=y)
