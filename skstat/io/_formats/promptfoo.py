"""Results of promptfoo: `promptfoo eval --output results.json`."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from skstat.io._formats import records
from skstat.io._formats.records import Entry, Format, Given, Row
from skstat.io._results import Results

_LOOKS = re.compile(
    r'.*\n\s*\{\s*(?:"evalId":\s*(?:"[^"]*"|null),\s*)?"results":\s*\{\s*"version":\s*\d'
)
# `failureReason` of a row that has no answer to be judged.
_ERROR = 2
_SHORT = 60
# What every row has, by the name that it has here; time and money are better when less.
_ALWAYS = {"success": "success", "score": "score", "latencyMs": "latency_ms", "cost": "cost"}
_UP = {"success": True, "score": True, "latency_ms": False, "cost": False}


def read_promptfoo(given: Given) -> list[Results]:
    """Read the rows of one evaluation: each provider with each prompt is a system.

    :system: The provider, and the prompt where there are several.
    :item: The description and variables of the test, paired by its assertions too; not its
        number, which changes when a test is added.
    :repeat: Rows of one test, as ``--repeat`` makes them.
    :scores: ``success``, ``score``, the named scores, and ``latency_ms`` and ``cost``, of which
        less is better. A row without an answer is missing, and so is the time of an answer from
        the cache.
    :columns: Variables and metadata of the test: numbers and short texts.
    :refused: Fewer rows than were counted (``allow='unfinished'``).
    """
    assert given.path is not None
    whole = Entry.of(records.read_json(given.path), "the whole")
    results = whole.part("results")
    rows = results.parts("results")
    stats = results.part("stats")
    counted = sum(stats.count(kind) or 0 for kind in ("successes", "failures", "errors"))
    if stats and counted != len(rows):
        given.refuse_unfinished(f"it counts {counted} results and holds {len(rows)}")
    of_system: dict[str, list[Row]] = {}
    # Tests that ask the same and expect something else are numbered in their order.
    expected: dict[str, dict[str, int]] = {}
    seen: Counter[tuple[str, str]] = Counter()
    for row, system in zip(rows, _systems([_prompt_of(row) for row in rows]), strict=True):
        test = row.part("testCase")
        variables = test.part("vars") or row.part("vars")
        description, metadata = test.get("description"), test.get("metadata")
        key = records.digest(variables, description)
        content = records.digest(variables, test.get("assert"))
        of_key = expected.setdefault(key, {})
        nth = of_key.setdefault(content, len(of_key))
        values = map(records.text_of, variables.values())
        text = records.text_of(description) or ", ".join(values)
        # By its words: numbers of tests change when one is added.
        item = f"{' '.join(text.split())[:_SHORT]} [{key[:8]}]" + f" {nth + 1}" * (nth > 0)
        seen[system, item] += 1  # a test that is repeated is a new row
        facts = {**(metadata if isinstance(metadata, dict) else {}), **variables}
        repeat = str(seen[system, item])
        of_system.setdefault(system, []).append(
            Row(item=item, scores=_scores(row), repeat=repeat, facts=facts, content=content)
        )
    run: dict[str, Any] = {
        "task": whole.part("config").text("description"),
        "created": results.text("timestamp"),
        "run": whole.text("evalId"),
    }
    logs = [records.Log(system=system, rows=own, **run) for system, own in of_system.items()]
    return [records.results_of(logs, given, prefix="var_", higher_is_better=_UP)]


def _prompt_of(row: Entry) -> tuple[str, str, str]:
    """Return who was asked, and the label and text of the prompt."""
    provider, prompt = row.get("provider"), row.get("prompt")
    named = Entry(provider if isinstance(provider, dict) else {"id": provider})
    entry = Entry(prompt if isinstance(prompt, dict) else {"raw": prompt})
    name = records.text_of(named.get("label") or named.get("id")) or "provider"
    return name, entry.text("label"), entry.text("raw") or entry.text("label")


def _systems(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    """Names of systems: the provider, and the prompt where there are several."""
    prompts = list(dict.fromkeys((label, text) for _, label, text in rows))
    if len(prompts) == 1:
        return [provider for provider, *_ in rows]
    labels = [label for label, _ in prompts]
    names = {
        (label, text): label
        if 0 < len(label) <= _SHORT and "\n" not in label and labels.count(label) == 1
        else f"prompt {number}"
        for number, (label, text) in enumerate(prompts, start=1)
    }
    same_provider = len({provider for provider, *_ in rows}) == 1
    return [
        names[label, text] if same_provider else f"{provider}, {names[label, text]}"
        for provider, label, text in rows
    ]


def _scores(row: Entry) -> dict[str, Any]:
    """Return the scores of an answer; None of each where there was none to be judged."""
    scores = {ours: row.get(theirs) for theirs, ours in _ALWAYS.items()}
    response, reason = row.get("response"), row.get("failureReason")
    if isinstance(response, dict) and response.get("cached") is True:
        scores["latency_ms"] = None  # an answer from the cache says nothing of time
    scores |= row.part("namedScores")
    unjudged = bool(row.get("error")) and not row.get("gradingResult")
    failed = reason == _ERROR or (reason is None and unjudged)
    return dict.fromkeys(scores) if failed else scores


PROMPTFOO = Format("promptfoo", "results of promptfoo (JSON)", read_promptfoo, _LOOKS)
