"""Scores of two systems, handed to every door in every shape."""

from skstat import compare_scores, rank_systems
from skstat.io import Results, read_results


def long_table(metric, named):
    """Return the columns of a table with a row for every score."""
    (first, a), (second, b) = named.items()
    items = [f"q{place}" for place in range(len(a))]
    systems = [first] * len(a) + [second] * len(b)
    return {"model": systems, "item": items * 2, metric: [*a, *b]}


def file_of(metric, named, folder):
    """Write such a table, and return where."""
    long = long_table(metric, named)
    rows = zip(*long.values(), strict=True)
    path = folder / "results.csv"
    lines = [",".join(long), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def results_of(metric, named, **facts):
    """Return such a table as results that were read."""
    long = long_table(metric, named)
    scores = {metric: long[metric]}
    return Results(system=long["model"], item=long["item"], scores=scores, **facts)


def _roles(metric):
    return {"system": "model", "item": "item", "score": metric}


def doors(metric, named, folder, **said):
    """Return calls that compare the two, by the shape in which the scores come."""
    long, path = long_table(metric, named), file_of(metric, named, folder)
    n = len(long["item"]) // 2
    one = {"scoring": metric, "random_state": 0, **said}
    drawn = {"random_state": 0, **said}
    units = ("instance", "seed", "dataset", "group")
    return {
        **{unit: lambda unit=unit: compare_scores(named, unit=unit, **one) for unit in units},
        "splits": lambda: compare_scores(named, n_train=90, n_test=n, **one),
        "wide": lambda: compare_scores({"item": [*range(n)], **named}, item="item", **one),
        "long": lambda: compare_scores(long, **_roles(metric), **drawn),
        "results": lambda: compare_scores(results_of(metric, named), **drawn),
        "file": lambda: compare_scores(read_results(path, **said), random_state=0),
    }


def boards(metric, named, **said):
    """Return calls that rank the two."""
    drawn = {"random_state": 0, "n_resamples": 199, **said}
    results, long = results_of(metric, named), long_table(metric, named)
    return {
        "rank": lambda: rank_systems(named, unit="dataset", scoring=metric, **drawn),
        "rank long": lambda: rank_systems(long, **_roles(metric), **drawn),
        "rank results": lambda: rank_systems(results, **drawn),
    }
