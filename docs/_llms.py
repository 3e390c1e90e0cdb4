"""``llms.txt``: what a program that writes code for a user needs to find its way here."""

import ast
import inspect
import re
from pathlib import Path

import skstat
from skstat import comparison

_HEAD = """\
# skstat

> Is model B really better than model A, or was I lucky? skstat compares scikit-learn
> estimators, predictions of any system on one test set, and scores that were computed before.
> Every function returns a report: a conclusion in words, a difference with its interval, a
> valid p-value, and reasons to doubt it.

How to use it:

- Choose by what the user holds: estimators and data (`compare_estimators`), predictions on one
  test set (`compare_predictions`), scores (`compare_scores`), scores on many data sets
  (`compare_over_datasets`, or `compare_scores` with `unit="dataset"`), logs of evaluations
  (`skstat.io.read_results`, then `compare_scores`). `recommend_test` names the test, and why.
- Differences are those of the first system minus the second. Higher is better inside; a loss is
  shown as a loss.
- Pass `random_state=` where a result is to be repeated.
- Quote `report.conclusion`, which has the interval beside the p-value, and tell the user of
  `report.doubts`: each has a code, what was found, and what to do. Never quote the p-value
  alone, and never repeat a comparison with other seeds until it is significant.
- `report.methods_text()`, `report.results_text()` and `report.to_latex()` write the paper.
"""
_ENTRY = re.compile(r"^:doc:`([^`<]+)`\n((?:[ ]{3}.+\n?)+)", re.MULTILINE)


def write_llms(page: Path, docs: Path) -> None:
    """Write the file: how to use the library, its doors, and the pages of the guide.

    Parameters
    ----------
    page : Path
        Where to.
    docs : Path
        The folder of the documentation.
    """
    blocks = [_HEAD, "## Functions\n", *_functions(), "", "## Guide\n", *_pages(docs)]
    blocks += [
        "",
        "## Reference\n",
        "- [All names](api.html): every public function and class, by what it is for",
        "- [Doubts](doubts.html): what each code means, how it is found, and what to do",
        "",
    ]
    page.write_text("\n".join(blocks), encoding="utf-8")


def _functions() -> list[str]:
    doors = {
        name: function
        for name in comparison.__all__
        if inspect.isfunction(function := getattr(comparison, name))
    }
    return [
        f"- [{name}](api/{_room(name)}.{name}.html): {_first_sentence(function.__doc__ or '')}"
        for name, function in doors.items()
    ]


def _room(name: str) -> str:
    """Where a name is to be imported from."""
    return "skstat" if name in skstat.__all__ else "skstat.comparison"


def _pages(docs: Path) -> list[str]:
    guide = (docs / "guide.rst").read_text(encoding="utf-8")
    return [
        f"- [{_title(docs, name)}]({name}.html): {' '.join(about.split())}"
        for name, about in _ENTRY.findall(guide)
    ]


def _title(docs: Path, name: str) -> str:
    """Title of a page, or of the script that a page of the gallery is made of."""
    page = docs / f"{name}.rst"
    if not name.startswith("gallery/"):
        lines = page.read_text(encoding="utf-8").splitlines() if page.exists() else [name]
        return next(line for line in lines if line and not line.startswith(".."))
    own = name.removeprefix("gallery/")
    places = (docs / f"{own}.py", docs.parent / "examples" / f"{own}.py")
    script = next(place for place in places if place.exists())
    text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or own
    return text.strip().splitlines()[0]


def _first_sentence(docstring: str) -> str:
    return " ".join(docstring.strip().split("\n\n")[0].split()).rstrip(".")
