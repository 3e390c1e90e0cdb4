"""Pictures of every kind: the words on them, and where the marks are."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import skstat
from tools.net.case import Case, case
from tools.net.cases import data
from tools.net.cases.fits import TWO, X, Y
from tools.net.cases.forms import reports

_SHAPE = re.compile(r"<(?:circle|line|path|polygon|rect) [^>]*>|<text [^>]*>[^<]*")
LONG = "a_name_of_many_words_{}_with_underscores_that_no_line_of_a_picture_holds_at_once"


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for name, ask in reports().items():
        yield _drawn(name, ask)
        yield case(f"on the page of {name}", _on_page, ask)
    known = reports()
    for kind in ("best", "intervals", "pvalues"):
        yield _drawn(f"three systems, {kind}", known["three systems"], kind=kind)
        yield _drawn(f"a board, {kind}", known["a board"], kind=kind)
    yield _drawn("a control, intervals", known["a control"], kind="intervals")
    for kind in ("intervals", "pvalues", "wins", "scores"):
        yield _drawn(f"data sets, {kind}", known["data sets"], kind=kind)
    yield _drawn("data sets, few", partial(_of_datasets, 5, 8, width=8))
    yield _drawn("data sets, best at the left", partial(_of_datasets, 5), best="left")
    yield _drawn("data sets, long names", partial(_of_datasets, 3, names=LONG), width=3.3)
    kinds = {"s00": "tree", "s01": "tree", "s02": "line", "s03": "line", "s04": "tree"}
    yield _drawn("data sets, families", partial(_of_datasets, 5), families=kinds)
    yield _drawn("data sets, twenty", partial(_of_datasets, 20), width=3.3)
    one_side = partial(_of_datasets, 18, names=LONG)
    yield _drawn("data sets, eighteen with long names", one_side, width=3.3)
    control = {"control": "s01", "test": "wilcoxon"}
    yield _drawn("data sets, against one", partial(_of_datasets, 5, **control))
    ask = partial(_of_datasets, 5, **control)
    yield _drawn("data sets, against one, families", ask, families=kinds)
    yield _drawn("a loss, its law", known["a loss"], kind="posterior")
    for test in ("sign", "wilcoxon", "hierarchical"):
        asked = {"unit": "dataset", "test": test, "rope": 0.01}
        ask = partial(skstat.compare_scores, data.scores(2, 14), random_state=0, **asked)
        yield _drawn(f"chances by {test}", ask, kind="posterior")
    halves = partial(skstat.compare_estimators, TWO, X, Y, train_size=0.9, random_state=0)
    yield _drawn("training sizes", partial(halves, verbose=False), kind="training sizes")
    truth, chances = data.probabilities(2, 160)
    for kind in ("roc", "precision_recall"):
        yield _drawn(kind, partial(skstat.comparison.compare_curves, truth, chances, kind=kind))
    plan = {"holds": "scores", "unit": "instance", "sd": 0.4, "difference": 0.05}
    for kind in ("power", "difference"):
        yield _drawn(f"a plan, {kind}", partial(skstat.plan_comparison, **plan), kind=kind)


def _drawn(name: str, ask: Any, **options: Any) -> Case:
    return case(name, lambda: ask().plot(**options), needs="matplotlib")


def _on_page(ask: Any) -> str:
    """Lines, circles and labels that a page has among its words."""
    drawn = re.findall(r"<svg.*?</svg>", ask().to_html(), re.S)
    return "\n".join(shape for one in drawn for shape in _SHAPE.findall(one))


def _of_datasets(
    k: int, n: int = 14, *, names: str = "", width: int = 3, **options: Any
) -> Any:
    table = data.scores(k, n, width=width)
    if names:
        table = {names.format(place): np.asarray(c) for place, c in enumerate(table.values())}
    return skstat.compare_scores(table, unit="dataset", random_state=0, **options)
