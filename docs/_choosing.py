"""The rules behind ``test="auto"`` as a tree that opens where it is touched.

Branches are plain HTML ``<details>``: they need no script, and no width.
"""

import html
import inspect
import re
from pathlib import Path

import skstat
from skstat import stats
from skstat.comparison._guide.rule import filled_in
from skstat.comparison._guide.rules import RULES
from skstat.comparison._guide.situation import Situation

_GROUPS = {
    "one data set": "Estimators and one data set",
    "splits of one data set, which are given": "Splits of one data set that exist",
    "one test set": "Predictions for one test set",
    "scores of rows, groups or seeds": "Scores of rows, groups or seeds",
    "many data sets": "Many data sets",
    "any": "Equivalent, or not worse?",
}
_HEAD = ".. This tree is generated from the rules of skstat.comparison.\n"


def write_guide(page: Path, examples: Path) -> None:
    """Write what one has, then how many systems, then the situation with its test.

    The anchor of a situation is the id of its rule.
    """
    strange = {rule.data for rule in RULES} - {*_GROUPS}
    if strange:
        raise ValueError(f"docs/_choosing.py has no heading for rules on {strange}.")
    blocks = [_HEAD]
    for data, title in _GROUPS.items():
        blocks.append(f"{title}\n{'~' * len(title)}\n")
        rules = [rule for rule in RULES if rule.data == data]
        for systems in dict.fromkeys(rule.systems for rule in rules):
            cases = [_leaf(rule, examples) for rule in rules if rule.systems == systems]
            blocks += [_opened("branch", f"Systems: {systems}"), *cases, _CLOSED]
    page.write_text("\n".join(blocks), encoding="utf-8")


_CLOSED = ".. raw:: html\n\n   </details>\n"


def _opened(kind: str, summary: str) -> str:
    words = html.escape(summary[0].upper() + summary[1:])
    return f'.. raw:: html\n\n   <details class="{kind}"><summary>{words}</summary>\n'


def _leaf(rule, examples: Path) -> str:
    ask = filled_in(rule.ask, Situation(holds="scores", unit="instance", margin=0.01))
    doors = dict.fromkeys(name for name in re.findall(r"(\w+)\(", ask) if _is_function(name))
    facts = {
        "Test": rule.test,
        "Ask": ", ".join(map(_function, doors)) or f"``{ask}``",
        "Look at": rule.report,
        "Other tests": "; ".join(
            f"{_function(other.name)} ({other.when})" for other in rule.alternatives
        ),
    }
    if (examples / rule.example).exists():
        facts["Example"] = f":doc:`gallery/{Path(rule.example).stem}`"
    lines = "\n".join(f":{name}: {fact}" for name, fact in facts.items() if fact)
    return f".. _{rule.id}:\n\n{_opened('leaf', rule.situation)}\n{lines}\n\n{_CLOSED}"


def _is_function(name: str) -> bool:
    found = getattr(skstat, name, None) or getattr(stats, name, None)
    return inspect.isfunction(found)


def _function(name: str) -> str:
    home = "skstat.stats" if hasattr(stats, name) else "skstat"
    return f":func:`~{home}.{name}`"
