"""The rules behind ``test="auto"`` as a chart of three questions.

It is nested lists and plain HTML ``<details>``, whose lines the style sheet draws: they need no
script, can be read aloud and searched, and have the colours and the width of their page.
"""

import html
import re
from collections.abc import Iterable
from pathlib import Path

from _folded import CLOSED, opened

import skstat
from skstat import stats
from skstat.comparison._guide import Situation, alternatives, call_for, explain, title_of
from skstat.comparison._rules import TABLE

_GROUPS = {
    "estimators": "Estimators and one data set",
    "splits": "Scores of splits of one data set",
    "test set": "Predictions for one test set",
    "seeds": "Predictions of several seeds for one test set",
    "units": "Scores of rows, groups or seeds",
    "data sets": "Many data sets",
    "beside": "Equivalent, not worse, or how probable?",
}
_SYSTEMS = {
    1: "1, and a constant or a guess",
    2: "2",
    3: "3 or more; or one and each of the others",
}
_HEAD = ".. This chart is generated from the table of skstat.comparison.\n"


def cases():
    """Yield what is held, how many systems, and the rule; a rule of two branches once."""
    seen = set()
    for (data, n), rules in TABLE.items():
        for rule in rules:
            if rule.id not in seen:
                seen.add(rule.id)
                yield data, n, rule


def example_of(data: str, n: int, rule) -> str:
    """Return the file in ``examples/`` that shows a rule."""
    words = {*rule.when}
    if data == "beside":
        name = rule.id
    elif data == "data sets":
        name = "many_datasets"
    elif n == 1:
        name = "constant"
    elif (
        data == "seeds"
        or words & {"ordered", "row-order", "grouped"}
        or (n == 2 and words & {"seed", "group"})
    ):
        name = "groups_time_seeds"
    elif "few-fits" in words or (n == 2 and words & {"not-by_rows", "budget", "5x2"}):
        name = "budget"
    elif n == 3:
        name = "many_systems"
    else:
        name = "two_estimators" if data in ("estimators", "splits") else "hold_out"
    return f"guide_{name}.py"


def write_guide(page: Path, examples: Path) -> None:
    """Write what one has, then how many systems, then the situation with its test.

    The anchor of a situation is the id of its rule.
    """
    blocks = [_HEAD, _overview()]
    for data, title in _GROUPS.items():
        blocks.append(f"{title}\n{'~' * len(title)}\n")
        for n in _systems(data):
            found = [_case(*case, examples) for case in cases() if case[:2] == (data, n)]
            branch = opened("branch", f"Systems: {_SYSTEMS[n]}", shown_as=_anchor(data, n))
            blocks += [branch, *found, CLOSED]
    page.write_text("\n".join(blocks), encoding="utf-8")


def _systems(data: str) -> Iterable[int]:
    return dict.fromkeys(n for held, n, _ in cases() if held == data)


def _anchor(data: str, n: int) -> str:
    return "choose-" + "-".join([*re.findall(r"\w+", data), str(n)])


def _overview() -> str:
    """Draw the first two questions, whose answers lead to the third."""
    lines = [
        '<nav class="choice" aria-label="Which test: what you have, and how many systems">'
    ]
    lines += ["<p>What do you have?</p>", "<ul>"]
    for data, title in _GROUPS.items():
        lines += [f"<li><p>{html.escape(title)}</p>", "<ul>"]
        for n in _systems(data):
            words = html.escape(f"Systems: {_SYSTEMS[n]}")
            lines.append(f'<li><a href="#{_anchor(data, n)}">{words}</a></li>')
        lines.append("</ul></li>")
    return _raw("\n   ".join([*lines, "</ul></nav>"]))


def _raw(text: str) -> str:
    return f".. raw:: html\n\n   {text}\n"


def _case(data: str, n: int, rule, examples: Path) -> str:
    """Draw one situation: what it is, which folds its details, and beside it the test."""
    known = _known(data, n, rule)
    example = example_of(data, n, rule)
    others = (f"{_function(found.name)} ({found.when})" for found in alternatives(rule, known))
    facts = {
        "Call": f"``{call_for(rule, known)}``" if data != "beside" else f"``{rule.when[0]}=``",
        "Other tests": "; ".join(others),
        "Example": f":doc:`gallery/{Path(example).stem}`" * (examples / example).exists(),
    }
    said = ", ".join(explain(rule, known)[0]) or "All others"
    name, title = next(iter(rule.tests), ""), title_of(rule, known).removesuffix(",")
    if not name and data != "beside":
        title = f"the test of two systems {title.strip()}"
    test = f":func:`{title} <{_home(name)}.{name}>`" if name else title
    return "\n".join(
        (
            _raw('<div class="case">'),
            f".. _{rule.id}:\n",
            opened("leaf", said),
            "\n".join(f":{name}: {fact}" for name, fact in facts.items() if fact) + "\n",
            CLOSED,
            f".. container:: test\n\n   {test}\n",
            _raw("</div>"),
        )
    )


def _known(data: str, n: int, rule) -> Situation:
    """Return a situation of which no more is known than its place in the chart."""
    held = {"estimators": "estimators", "test set": "predictions", "seeds": "predictions"}
    units = {"data sets": "dataset", "splits": "split", "units": "instance"}
    words = rule.when
    unit = next((word for word in words if word in ("seed", "group")), None)
    seeds = next((word for word in words if word.startswith("seeds-")), "seeds-crossed")
    return Situation(
        holds=held.get(data, "scores"),
        n_systems=n,
        unit=unit or units.get(data),
        seeds=seeds.removeprefix("seeds-") if data == "seeds" else None,
        paired_seeds=rule.tests == ("paired_t",),
        grouped="grouped" in words,
        ordered="ordered" in words,
        by_rows="not-by_rows" not in words,
        nine_tenths="nine_tenths" in words,
        budget=30 if "budget" in words else None,
        control="control" in words,
        margin=0.01,
        rope=0.0,
    )


def _function(name: str) -> str:
    of_function = hasattr(stats, name) or hasattr(skstat, name)  # or of a variant of one
    return f":func:`~{_home(name)}.{name}`" if of_function else f"``{name}``"


def _home(name: str) -> str:
    return "skstat.stats" if hasattr(stats, name) else "skstat"
