"""Which test is used when the caller chose none, and why."""

from collections.abc import Sequence
from typing import Any

from skstat import stats
from skstat.comparison._guide.recommend import recommend
from skstat.comparison._guide.situation import Situation
from skstat.comparison._procedures import (
    SAMPLES,
    Procedure,
    procedure_name,
    procedure_named,
    procedures_by_name,
    read_as,
    sample_types,
)
from skstat.comparison._question import Question
from skstat.report import Recommendation
from skstat.stats import (
    BradleyTerryPosterior,
    ClusteredScores,
    ClusteredScoreTable,
    DatasetSplits,
    PairedPredictions,
    PairedScores,
    ScoreTable,
    SeedScores,
    SeedScoreTable,
)
from skstat.stats._common import declared, signature_of

_SHORT = {"permutation": "paired_permutation", "bootstrap": "paired_bootstrap"}


def choose(
    test: str | Procedure,
    sample: PairedScores | ClusteredScores | ScoreTable | SeedScores | SeedScoreTable,
    question: Question | None = None,
    **known: Any,
) -> tuple[Procedure, Recommendation | None]:
    """Return the procedure, and why it is the one if it was not the caller who chose."""
    refuse_model_of_splits(test)
    if test != "auto":
        return procedure_named(test, *_taken(sample)), None
    choice = recommend(Situation.of_scores(sample, **of_question(question) | known))
    return procedure_of(choice), choice


def _taken(sample: Any) -> tuple[type, ...]:
    """Types of sample whose tests are for one; none for paired scores of any kind."""
    if isinstance(sample, SeedScores | SeedScoreTable):
        return (SeedScores,)
    if isinstance(sample, ClusteredScores | ClusteredScoreTable):
        return (ClusteredScores, PairedScores)
    return ()


def test_asked(test: Any, question: Question) -> Any:
    """Return the test to run, where a word for its posterior is given in place of one.

    A posterior is asked for by ``rope=``, and not by a test.
    """
    name = str(getattr(test, "__name__", ""))
    is_ours = callable(test) and getattr(stats, name, None) is test
    word = name if is_ours else test
    meant = read_as(word) if isinstance(word, str) else None
    if meant is None:
        return test
    if question.rope is None:
        raise ValueError(
            f"test={word!r}: every comparison is read as probabilities where rope= is given, "
            "the difference that is practically none: rope=0.01, or rope=0 for no such region. "
            f"The test is then test={meant!r}."
        )
    found = getattr(stats, meant, None)
    return found if takes_splits_of_datasets(found) or models_systems(found) else meant


def refuse_model_of_splits(test: Any) -> None:
    """Refuse a model of many data sets where one is asked about, or their means."""
    if models_systems(test):
        raise ValueError(
            f"test={procedure_name(test)!r} is a model of three systems or more over many data "
            "sets (unit='dataset')."
        )
    if takes_splits_of_datasets(test):
        raise ValueError(
            f"test={procedure_name(test)!r} is a model of the scores on every split of many "
            "data sets: compare two estimators by compare_over_datasets, or pass "
            "compare_scores a run of cross_validate_over_datasets."
        )


def takes_splits_of_datasets(test: Any) -> bool:
    """Whether a function models the scores on every split of many data sets."""
    return callable(test) and DatasetSplits in sample_types(test)


def models_systems(function: Any) -> bool:
    """Whether a function models the strengths of several systems over data sets."""
    if not callable(function):
        return False
    return signature_of(function).return_annotation is BradleyTerryPosterior


def test_beside_model(test: Any, names: Sequence[str]) -> Any:
    """Return the test that is run beside a model of several systems: the default."""
    if not models_systems(test):
        return test
    if len(names) < 3:
        raise ValueError(
            f"test={procedure_name(test)!r} is a model of three systems or more, and there are "
            f"{len(names)}: with rope= the default test of two is read as probabilities, and "
            "test='sign'."
        )
    return "auto"


def choose_for_test_set(
    test: str | Procedure, pair: PairedPredictions
) -> tuple[Procedure, Recommendation | None]:
    """Return the procedure for two systems on one test set, and why if we chose."""
    if callable(test):
        return test, None
    if test != "auto":
        known = {
            name: function
            for name, function in procedures_by_name(*SAMPLES).items()
            if _for_test_sets(function)
        }
        test = _SHORT.get(test, test)
        if test not in known:
            names = sorted({*known, *_SHORT})
            raise ValueError(
                f"test={test!r} is not a test for one test set; use 'auto', a function, or "
                "one of "
                f"{', '.join(names)}."
            )
        return known[test], None
    choice = recommend(Situation.of_predictions(pair))
    return procedure_of(choice), choice


def _for_test_sets(procedure: Procedure) -> bool:
    units = declared(procedure).units
    return not units or not {"instance", "group"}.isdisjoint(units)


def procedure_of(choice: Recommendation) -> Procedure:
    """Return the function of `skstat.stats` that a recommendation names."""
    found: Procedure = getattr(stats, choice.name)
    return found


def of_question(question: Question | None) -> dict[str, Any]:
    """Return the facts about the situation that a question states, without its margin."""
    return {} if question is None else {"one_sided": question.alternative != "two-sided"}
