"""The rules behind ``test="auto"`` as a chart of three questions.

It is nested lists and plain HTML ``<details>``, whose lines the style sheet draws: they need no
script, can be read aloud and searched, and have the colours and the width of their page.
"""

import html
import inspect
import re
from collections.abc import Iterable
from pathlib import Path

from _folded import CLOSED, opened

import skstat
from skstat import stats
from skstat.comparison._guide.rule import filled_in
from skstat.comparison._guide.rules import RULES
from skstat.comparison._guide.situation import Situation

_GROUPS = {
    "one data set": "Estimators and one data set",
    "splits of one data set, which are given": "Scores of splits of one data set",
    "one test set": "Predictions for one test set",
    "scores of rows, groups or seeds": "Scores of rows, groups or seeds",
    "many data sets": "Many data sets",
    "any": "Equivalent, not worse, or how probable?",
}
_HEAD = ".. This chart is generated from the rules of skstat.comparison.\n"


def write_guide(page: Path, examples: Path) -> None:
    """Write what one has, then how many systems, then the situation with its test.

    The anchor of a situation is the id of its rule.
    """
    strange = {rule.data for rule in RULES} - {*_GROUPS}
    if strange:
        raise ValueError(f"docs/_choosing.py has no heading for rules on {strange}.")
    blocks = [_HEAD, _overview()]
    for data, title in _GROUPS.items():
        blocks.append(f"{title}\n{'~' * len(title)}\n")
        for systems in _systems(data):
            cases = [
                _case(rule, examples)
                for rule in RULES
                if (rule.data, rule.systems) == (data, systems)
            ]
            branch = opened("branch", f"Systems: {systems}", shown_as=_anchor(data, systems))
            blocks += [branch, *cases, CLOSED]
    page.write_text("\n".join(blocks), encoding="utf-8")


def _systems(data: str) -> Iterable[str]:
    return sorted({rule.systems for rule in RULES if rule.data == data})


def _anchor(*names: str) -> str:
    return "choose-" + "-".join(re.findall(r"\w+", " ".join(names).lower()))


def _overview() -> str:
    """Draw the first two questions, whose answers lead to the third."""
    lines = [
        '<nav class="choice" aria-label="Which test: what you have, and how many systems">'
    ]
    lines += ["<p>What do you have?</p>", "<ul>"]
    for data, title in _GROUPS.items():
        lines += [f"<li><p>{html.escape(title)}</p>", "<ul>"]
        for systems in _systems(data):
            words = html.escape(f"Systems: {systems}")
            lines.append(f'<li><a href="#{_anchor(data, systems)}">{words}</a></li>')
        lines.append("</ul></li>")
    return _raw("\n   ".join([*lines, "</ul></nav>"]))


def _raw(text: str) -> str:
    return f".. raw:: html\n\n   {text}\n"


def _case(rule, examples: Path) -> str:
    """Draw one situation: what it is, which folds its details, and beside it the test."""
    asked = Situation(holds="scores", unit="instance", margin=0.01, rope=0.01)
    ask = filled_in(rule.ask, asked)
    doors = dict.fromkeys(name for name in re.findall(r"(\w+)\(", ask) if _is_function(name))
    facts = {
        "Call": ", ".join(map(_function, doors)) or f"``{ask}``",
        "Look at": rule.report,
        "Other tests": "; ".join(
            f"{_function(other.name)} ({other.when})" for other in rule.alternatives
        ),
    }
    if (examples / rule.example).exists():
        facts["Example"] = f":doc:`gallery/{Path(rule.example).stem}`"
    lines = "\n".join(f":{name}: {fact}" for name, fact in facts.items() if fact)
    test = f":func:`{rule.test} <{_home(rule.name)}.{rule.name}>`" if rule.name else rule.test
    return "\n".join(
        (
            _raw('<div class="case">'),
            f".. _{rule.id}:\n",
            opened("leaf", rule.situation),
            f"{lines}\n",
            CLOSED,
            f".. container:: test\n\n   {test}\n",
            _raw("</div>"),
        )
    )


def _is_function(name: str) -> bool:
    found = getattr(skstat, name, None) or getattr(stats, name, None)
    return inspect.isfunction(found)


def _function(name: str) -> str:
    return f":func:`~{_home(name)}.{name}`"


def _home(name: str) -> str:
    return "skstat.stats" if hasattr(stats, name) else "skstat"
