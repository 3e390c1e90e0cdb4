"""What an import loads, in a fresh interpreter."""

import ast
import inspect
import subprocess
import sys

import pytest

# Parts of SciPy that take longer to load than all of skstat.stats: first when they are used.
SLOW_SCIPY = ("scipy.stats", "scipy.optimize")
HEAVY = ("sklearn", "scipy", *SLOW_SCIPY, "joblib", "pandas", "polars", "matplotlib")


def run(code):
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def loaded_after(statement):
    done = run(f"{statement}\nimport sys\nprint(*(m for m in {HEAVY} if m in sys.modules))")
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "statement, allowed",
    [
        ("import skstat", set()),
        ("import skstat.stats", {"scipy"}),
        ("from skstat.stats import corrected_t", {"scipy"}),
        ("from skstat.report import Report", {"scipy"}),
        ("import skstat.display", set()),
        ("from skstat.__main__ import main", set()),
    ],
)
def test_light_imports(statement, allowed):
    assert loaded_after(statement) <= allowed


def test_tests_of_several_systems_load_no_slow_part_of_scipy():
    # Ranks, and tails and quantiles of normal laws, t, F and chi-squared.
    loaded = loaded_after(
        "from skstat import stats\n"
        "scores = [[1, 3, 2], [2, 3, 1], [1, 2, 2], [0, 3, 1]]\n"
        "table = stats.ScoreTable(scores, unit='dataset')\n"
        "stats.friedman(table), stats.repeated_measures_anova(table)\n"
        "pair = stats.PairedScores([1, 2, 4, 3], [0, 2, 1, 1], unit='dataset')\n"
        "stats.paired_t(pair).confidence_interval(), stats.wilcoxon(pair).pvalue\n"
        "scores = {'a': [1, 3, 2, 2], 'b': [2, 1, 2, 3]}\n"
        "rows = stats.BinaryScores.from_scores([0, 1, 0, 1], scores)\n"
        "stats.delong(rows).pvalue"
    )
    assert loaded == {"scipy"}


@pytest.mark.long
def test_front_doors_load_no_optional_package_of_their_own():
    # scikit-learn may load pandas or polars itself; what it loads is not counted.
    own = loaded_after("from skstat import paired_cv_ttest")
    baseline = loaded_after("import sklearn.model_selection, sklearn.dummy")
    assert own - baseline <= set()


def test_no_front_door_takes_parts_of_another():
    """One may ask another as a user does; what two need is in a file that is no door."""
    from skstat import comparison

    public = {name: getattr(comparison, name) for name in comparison.__all__}
    doors = {
        inspect.unwrap(function).__module__: inspect.getmodule(inspect.unwrap(function))
        for function in public.values()
        if inspect.isfunction(function)
    }
    assert len(doors) > 5
    for module in doors.values():
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.ImportFrom) and node.module in doors:
                taken = {alias.name for alias in node.names}
                assert taken <= set(public), f"{module.__name__} takes {taken}"


def test_every_public_name_resolves():
    import skstat

    assert set(skstat.__all__) <= set(dir(skstat))
    for name in skstat.__all__:
        assert getattr(skstat, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = skstat.nothing


def test_a_skip_for_a_missing_package_is_known_by_its_words():
    """By these words `pytest --installed` tells such a skip from others."""
    with pytest.raises(pytest.skip.Exception, match="could not import"):
        pytest.importorskip("a_package_that_nobody_has")


def test_nothing_is_tabulated_before_it_is_asked_for():
    done = run(
        "from scipy import special\n"
        "class Asked:\n"
        "    def __call__(self, *given): raise SystemExit('a table is made')\n"
        "for name in ('gammainc', 'stdtrit', 'ndtri', 'betaincinv', 'chdtri'):\n"
        "    setattr(special, name, Asked())\n"
        "import skstat.stats, skstat.report"
    )
    assert done.returncode == 0, done.stderr
