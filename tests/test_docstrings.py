"""Public docstrings follow numpydoc, and say everything."""

import inspect
from functools import cached_property

import pytest

import skstat
from skstat import stats
from tests.cases import in_one_test

pytestmark = pytest.mark.lint

validate = pytest.importorskip("numpydoc.validate").validate
docscrape = pytest.importorskip("numpydoc.docscrape")
# Parameters documented as they are, in their order, with types and descriptions; what
# comes back; a summary that is one.
CHECKED = {"GL03", "GL07", "GL08", "PR01", "PR02", "PR03", "PR04", "PR05", "PR07", "PR10"}
CHECKED |= {"RT01", "RT03", "SS01", "SS02", "SS04", "SS06", "YD01", "EX01"}

FUNCTIONS = [
    f"{module.__name__}.{name}"
    for module in (skstat, stats, skstat.report, skstat.testing)
    for name, value in sorted(
        vars(module).items()
        if module is skstat.testing
        else [(name, getattr(module, name)) for name in module.__all__]
    )
    if inspect.isfunction(value) and not name.startswith("_")
]


@in_one_test("name", sorted(set(FUNCTIONS)))
def test_numpydoc(name):
    errors = {code: text for code, text in validate(name)["errors"] if code in CHECKED}
    assert errors == {}


def _resolve(name):
    value = skstat
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


def _documented(member):
    """Return the function that carries the docstring of a method or property."""
    if isinstance(member, property):
        return member.fget
    if isinstance(member, cached_property):
        return member.func
    return member.__func__ if isinstance(member, classmethod | staticmethod) else member


def _docstrings_along_the_mro(owner, name):
    """Docstrings of a public member, its class's own first and then those it overrides."""
    found = [vars(base)[name] for base in owner.__mro__ if name in vars(base)]
    return [inspect.cleandoc(doc) for member in found if (doc := _documented(member).__doc__)]


def _members():
    modules = (
        skstat,
        stats,
        skstat.report,
        skstat.evaluation,
        skstat.metrics,
        skstat.display,
        skstat.comparison,
    )
    values = {getattr(module, name) for module in modules for name in module.__all__}
    for public in filter(inspect.isclass, values):
        for owner in public.__mro__:
            if not owner.__module__.startswith("skstat"):
                continue
            for name, member in vars(owner).items():
                if not name.startswith("_") and inspect.isfunction(_documented(member)):
                    yield owner, name


# A class that several public ones inherit from counts once.
MEMBERS = sorted(set(_members()), key=lambda pair: (pair[0].__qualname__, pair[1]))


def test_every_public_method_and_property_has_a_docstring():
    without = [
        f"{owner.__name__}.{name}"
        for owner, name in MEMBERS
        if not _docstrings_along_the_mro(owner, name)
    ]
    assert without == []


def test_overrides_inherit_their_docstrings_instead_of_repeating_them():
    repeated = [
        f"{owner.__name__}.{name}"
        for owner, name in MEMBERS
        if (docs := _docstrings_along_the_mro(owner, name))[0] in docs[1:]
    ]
    assert repeated == []


DOORS = {
    name: getattr(module, name)
    for module, names in (
        (skstat.comparison, skstat.comparison.__all__),
        (skstat.evaluation, ("cross_validate_over_datasets", "paired_cross_validate")),
    )
    for name in names
    if inspect.isfunction(getattr(module, name))
}
OVER_DATASETS = {"compare_over_datasets", "cross_validate_over_datasets", "friedman_nemenyi"}
ONE_TEST_SET = {
    "cochran_q_test",
    "compare_cost_curves",
    "compare_curves",
    "compare_predictions",
    "delong_test",
    "find_slices",
    "mcnemar_test",
    "paired_bootstrap_test",
    "paired_permutation_test",
}
ANY_METRIC = {
    "compare_predictions", "find_slices", "paired_bootstrap_test", "paired_permutation_test",
}  # fmt: skip
FITS_NOTHING = ONE_TEST_SET | {
    "compare_preferences",
    "compare_scores",
    "compare_search_candidates",
    "rank_systems",
}

# Doors in which a parameter means something else than in the other doors that have it,
# with the reason. The doors of one set agree with each other.
ANOTHER_MEANING = {
    "X": [
        ({"compare_search_candidates"}, "what the search was fitted on"),
        ({"find_slices"}, "what slices may be made of"),
    ],
    "y": [({"compare_search_candidates"}, "what the search was fitted on")],
    "groups": [
        (OVER_DATASETS, "by data set"),
        (ONE_TEST_SET, "units that are resampled, not kept together"),
        ({"compare_search_candidates"}, "what the search was fitted on"),
        ({"recommend_test"}, "instead of a number"),
    ],
    "sample_weight": [(OVER_DATASETS, "by data set"), (ONE_TEST_SET, "for the metric only")],
    "params": [(OVER_DATASETS, "data sets have some of their own")],
    "alpha": [({"check_test"}, "the level that is checked, of no interval")],
    "power": [({"check_test"}, "whether it is found")],
    "difference": [({"recommend_test"}, "names the call that plans it")],
    "holds": [({"recommend_test"}, "a sample or a run, too")],
    "margin": [({"plan_comparison"}, "what is to be shown, before there is a report")],
    "cv": [
        ({"check_test"}, "those of each test"),
        (OVER_DATASETS, "by data set, and another default"),
        ({"estimate_performance"}, "what each method takes"),
        ({"recommend_test"}, "the facts alone"),
        ({"plan_comparison"}, "a share for testing, too"),
    ],
    "n_jobs": [(ONE_TEST_SET, "another default, and no fits")],
    "random_state": [
        (FITS_NOTHING, "draws instead of splits"),
        ({"check_test"}, "draws beside splits"),
    ],
    "scoring": [
        ({"compare_scores"}, "names scores that exist"),
        ({"rank_systems"}, "of results too"),
        ({"compare_search_candidates"}, "names scores that exist"),
        ({"check_test"}, "one metric only"),
    ],
    "alternative": [({"binomial_test"}, "a constant, no system B")],
    "confidence_level": [({"compare_cost_curves"}, "level of a band")],
    "adjustment": [
        ({"compare_over_datasets"}, "of p-values only, and another default"),
        ({"compare_scores"}, "on one data set or over several"),
        ({"rank_systems"}, "of all pairs, by mean scores"),
    ],
    "by": [
        ({"compare_scores", "rank_systems"}, "columns by their names too"),
        ({"compare_estimators"}, "rows of X"),
    ],
    "control": [({"recommend_test", "plan_comparison"}, "the fact that there is one")],
    "constant": [({"binomial_test"}, "an accuracy")],
    "cost_matrix": [({"compare_cost_curves"}, "marks one place on the curve")],
    "interval": [
        ({"binomial_test"}, "of an accuracy, inverting the test"),
        ({"estimate_performance"}, "of a share on one test set"),
    ],
    "labels": [({"mcnemar_test"}, "the order of the costs")],
    "metric": [({"find_slices"}, "one, of which rows are known")],
    "item": [({"compare_preferences"}, "one column, which must be named")],
    "seeds": [({"recommend_test"}, "no choice that ignores the seeds")],
    "systems": [({"compare_preferences"}, "leaves comparisons out")],
    "unit": [({"recommend_test", "plan_comparison"}, "not needed for a sample")],
    "y_true": [(ANY_METRIC, "the truth may be numbers or texts")],
}
# Every door that has one of these has choices of its own.
OWN_MEANING = {
    "a", "b", "method", "n", "n_repeats", "n_resamples", "n_test", "n_train",
    "predictions", "statistic", "test",
}  # fmt: skip


def _parameters(function):
    """Type line, without the default, and description of every documented parameter."""
    return {
        name: (
            entry.type.partition(", default")[0].partition(", optional")[0],
            " ".join(" ".join(entry.desc).split()).rstrip("."),
        )
        for entry in docscrape.FunctionDoc(function)["Parameters"]
        for name in entry.name.split(", ")
    }


def _meaning(parameter, door):
    """Which of the meanings that `parameter` has in several doors is meant in this one."""
    sets = [doors for doors, _ in ANOTHER_MEANING.get(parameter, [])]
    return next((number for number, doors in enumerate(sets, 1) if door in doors), 0)


def _shared_parameters():
    shared = {}
    for door, function in DOORS.items():
        for name, text in _parameters(function).items():
            if name not in OWN_MEANING:
                shared.setdefault((name, _meaning(name, door)), {})[door] = text
    return {key: texts for key, texts in shared.items() if len(texts) > 1}


@pytest.mark.parametrize("key", sorted(_shared_parameters()), ids=lambda key: key[0])
def test_doors_describe_a_shared_parameter_alike(key):
    # A door may add to what all say, but begins with it.
    for texts in zip(*_shared_parameters()[key].values(), strict=True):
        shared = min(texts, key=len)
        assert [text for text in texts if not text.startswith(shared)] == []


def test_other_meanings_are_listed_only_where_they_differ():
    documented = {door: _parameters(function) for door, function in DOORS.items()}
    for name, meanings in ANOTHER_MEANING.items():
        having = [door for door in DOORS if name in documented[door]]
        usual = [documented[door][name] for door in having if _meaning(name, door) == 0]
        for number, _ in enumerate(meanings, 1):
            other = [documented[d][name] for d in having if _meaning(name, d) == number]
            assert other
            assert not set(other) & set(usual)
    for name in OWN_MEANING:
        assert len({found[name] for found in documented.values() if name in found}) > 1


@in_one_test("name", DOORS)
def test_doors_say_themselves_what_a_parameter_means(name):
    assert "As in :func:`" not in inspect.getdoc(DOORS[name])


# Of all procedures that have them; others depend on what the procedure is for.
PROCEDURES_SHARE = {"adjustment", "control", "missing", "rng", "table", "workers"}


@pytest.mark.parametrize("name", sorted(PROCEDURES_SHARE))
def test_procedures_describe_a_shared_parameter_alike(name):
    functions = [getattr(stats, function) for function in stats.__all__]
    texts = [
        parameters[name]
        for function in filter(inspect.isfunction, functions)
        if name in (parameters := _parameters(function))
    ]
    assert len(texts) > 1
    for lines in zip(*texts, strict=True):
        shared = min(lines, key=len)
        assert [line for line in lines if not line.startswith(shared)] == []


@in_one_test("name", sorted(set(FUNCTIONS)))
def test_documented_defaults_are_those_of_the_signature(name):
    # None stands for a default that depends on other arguments.
    function = _resolve(name)
    defaults = inspect.signature(function).parameters
    for entry in docscrape.FunctionDoc(function)["Parameters"]:
        _, written, text = entry.type.partition("default=")
        for parameter in entry.name.replace("*", "").split(", ") if written else ():
            default = defaults[parameter].default
            if default is not None and not isinstance(default, type):
                assert text.strip().replace('"', "'") == repr(default)
