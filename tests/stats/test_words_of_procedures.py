"""What procedures say of two systems: A and B stand for them, and for nothing else.

A procedure does not know which systems are compared. A report puts their names where a
procedure says A and B, so that neither letter may be an article or anything but a system.
"""

import functools
import inspect
import re
import warnings
from ast import literal_eval

import numpy as np
import pytest

from skstat import stats
from skstat.comparison._procedures import sample_types
from skstat.stats import Outcome, PairedScores, PairwiseOutcome, ScoreTable

rng = np.random.default_rng(3)
N = 40
ROWS = np.arange(N)


def scores(*shape):
    return rng.normal(0.8, 0.05, (2, *shape))


def right(n):
    return rng.integers(0, 2, (2, n))


def closeness(truth, guess):
    return -float(np.mean(np.abs(truth - guess)))


def predictions(n, **units):
    outputs = {f"system {i}": rng.random(N) for i in range(n)}
    kind = stats.PairedPredictions if n == 2 else stats.Predictions
    return kind(ROWS % 2, outputs, closeness, **units)


FOLDS = np.array([rng.permutation(N) % 2 for _ in range(5)])
REPEATED = stats.PairedFoldScores.from_row_scores(*scores(5, N), FOLDS)
SAMPLES = [
    PairedScores(*scores(30), n_train=200, n_test=100),
    PairedScores(*scores(10), n_repeats=1),
    PairedScores(*scores(100), n_repeats=10),
    PairedScores(*scores(10), n_repeats=5),
    PairedScores(*scores(N), unit="instance"),
    PairedScores(*scores(N), unit="instance", ordered=True),
    PairedScores(*right(N), unit="instance"),
    PairedScores(*scores(12), unit="group"),
    PairedScores(*scores(8), unit="seed"),
    PairedScores(*scores(12), unit="dataset"),
    stats.PairedBlockScores(*scores(56)),
    stats.PairedStrengths(*scores(N), unit="instance"),
    REPEATED,
    stats.PairedFoldScores.from_row_scores(*scores(5, N), FOLDS, groups=ROWS),
    stats.Scores(scores(12)[0], unit="instance"),
    stats.Scores(right(N)[0], unit="instance"),
    stats.Scores(scores(30)[0], n_train=20, n_test=10),
    stats.FoldScores(REPEATED.a, rows=REPEATED.rows.of([0]), n_repeats=5),
    stats.ClusteredScores(*scores(N), groups=ROWS // 4),
    stats.AgreementTable(20, 9, 4, 7),
    stats.Successes(30, 40),
    stats.BinaryScores(ROWS % 2, {"a": rng.random(N), "b": rng.random(N)}),
    stats.BinaryScores(ROWS % 2, {"a": rng.random(N), "b": rng.random(N)}, groups=ROWS // 4),
    predictions(2),
    predictions(2, groups=ROWS // 4),
    predictions(2, order=ROWS),
    predictions(2, strata=ROWS % 2),
    stats.CrossedScores(*scores(4, N)),
    stats.CrossedScores(*scores(4, N), paired_seeds=True),
    stats.CrossedScores(scores(4, N)[0], scores(1, N)[1]),
    stats.SeedScores(*scores(5)),
    stats.SeededPredictions(predictions(6), n_seeds=(3, 3)),
    ScoreTable(rng.random((12, 4)), unit="dataset"),
    ScoreTable(rng.random((N, 3)), unit="instance"),
]
PROCEDURES = {
    name: function
    for name in stats.__all__
    if inspect.isfunction(function := getattr(stats, name))
    and inspect.isclass(kind := inspect.signature(function).return_annotation)
    and issubclass(kind, Outcome | PairwiseOutcome)
}
# What has to be given, or makes a call short.
NEEDED = {
    "constant": 0.6,
    "control": "system 2",
    "n_resamples": 19,
    "rng": 0,
    "test": stats.wilcoxon,
}


def choices(function):
    """Yield the options of calls that together use every choice that is documented."""
    documented = dict(re.findall(r"^    (\w+) : (\{.*\})", inspect.getdoc(function), re.M))
    documented |= dict(re.findall(r"^(\w+) : (\{[^}]*\})", inspect.getdoc(function), re.M))
    yield {}
    for name, values in documented.items():
        for value in sorted(literal_eval(values)):
            yield {name: value}
    if "horizon" in inspect.signature(function).parameters:
        yield {"horizon": 3}
    if "resample_seeds" in inspect.signature(function).parameters:
        yield {"resample_seeds": False}


@functools.cache
def outcomes_of(function):
    """Return what a procedure says of all samples that it is for."""
    return [*asked(function)]


def asked(function):
    parameters = inspect.signature(function).parameters
    needed = {name: value for name, value in NEEDED.items() if name in parameters}
    for sample in SAMPLES:
        if not isinstance(sample, tuple(sample_types(function))):
            continue
        for options in choices(function):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", stats.DependenceWarning)
                    found = function(sample, **(needed | options))
            except ValueError:  # another kind of sample of the same class
                continue
            yield from found.outcomes if isinstance(found, PairwiseOutcome) else [found]


def texts_of(outcome):
    own = outcome.by_itself
    for each in (outcome, own):
        yield from (each.test, each.estimand, each.null_hypothesis, each.statistic_name)
        yield from (*each.assumptions, *each.effect_sizes, each.quantity.name)
        yield from getattr(each, "ignored_variance", ())


LETTER = re.compile(r"\b[AB]\b")
# Where a letter stands for a system: as an argument, as a term of a difference or ratio, or as
# the subject or object of what is said of systems.
AS_SYSTEM = re.compile(
    r"""
    \((A|B)\)                           # score(A), accuracy(B)
    | \b(A|B)\ -\ (A|B)\b               # Gini coefficient A - B
    | \|(A|B)\|                         # (A - B) / |B|
    | \bA\ and\ B\b
    | \bA\ scores\b                     # A scores higher as often as B does
    | \bB\ does\b
    | \bonly\ A\ right\b
    | \bof\ (A|B)\b                     # the expected score of A equals that of B
    """,
    re.VERBOSE,
)


@pytest.mark.parametrize("name", PROCEDURES)
def test_a_and_b_stand_for_systems_alone(name):
    texts = {text for outcome in outcomes_of(PROCEDURES[name]) for text in texts_of(outcome)}
    assert texts, "no sample of this test suits the procedure"
    strange = {text for text in texts if LETTER.search(AS_SYSTEM.sub("", text))}
    assert strange == set()


@pytest.mark.parametrize("name", PROCEDURES)
def test_estimands_and_hypotheses_name_the_systems(name):
    for outcome in outcomes_of(PROCEDURES[name]):
        estimand, hypothesis = outcome.estimand, outcome.null_hypothesis
        assert re.search(r"\bA\b", estimand)
        assert re.search(r"\bA\b", hypothesis) or "systems are exchangeable" in hypothesis
        # What follows a name goes on in the same sentence.
        assert not re.search(r"  | [.,;:]|\.$", f"{estimand} {hypothesis}")


@pytest.mark.parametrize("name", ["binomial", "one_sample_t", "one_sample_projection_t"])
def test_of_one_system_and_a_constant_nothing_speaks_of_two(name):
    texts = {text for outcome in outcomes_of(PROCEDURES[name]) for text in texts_of(outcome)}
    assert [text for text in texts if re.search(r"\bB\)|of B\b|two fitted", text)] == []
    assert any("the constant 0.6" in text for text in texts)
