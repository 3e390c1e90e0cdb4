"""Results of promptfoo: `promptfoo eval --output results.json`."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skstat.io._formats.format import Asked, Format, Given
from skstat.io._formats.records import (
    Row,
    digest,
    mapping,
    read_json,
    results_of,
    sequence,
    text_of,
    whole_number,
)
from skstat.io._join import ResultsError
from skstat.io._results import Results

_START = re.compile(
    rb'\s*\{\s*(?:"evalId":\s*(?:"[^"]*"|null),\s*)?"results":\s*\{\s*"version":\s*\d'
)
# `failureReason` of a row that has no answer to be judged.
_ERROR = 2
_SHORT = 60
# What every row has, by the name that it has here; time and money are better when less.
_ALWAYS = {"success": "success", "score": "score", "latencyMs": "latency_ms", "cost": "cost"}
_UP = {"success": True, "score": True, "latency_ms": False, "cost": False}


def read_promptfoo(given: Given, asked: Asked) -> list[Results]:
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
    where = str(given.path)
    assert given.path is not None
    whole = mapping(read_json(given.path), "the whole")
    results = mapping(whole.get("results"), "results")
    rows = [mapping(row, "a result") for row in sequence(results.get("results"), "results")]
    if "unfinished" not in asked.allow:
        _refuse_unfinished(results, len(rows), where)
    config = mapping(whole.get("config"), "config")
    systems = _systems([_asked(row) for row in rows])
    known = {
        "task": text_of(config.get("description")),
        "created": text_of(results.get("timestamp")),
        "run": text_of(whole.get("evalId")),
    }
    return [
        results_of(
            list(_results(rows, systems)),
            [asked.source(system, **known) for system in dict.fromkeys(systems)],
            where,
            prefix="var_",
            higher_is_better=_UP,
        )
    ]


def _asked(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return who was asked, and the label and text of the prompt."""
    provider, prompt = row.get("provider"), row.get("prompt")
    named = provider if isinstance(provider, dict) else {"id": provider}
    asked = prompt if isinstance(prompt, dict) else {"raw": prompt}
    label = text_of(asked.get("label"))
    name = text_of(named.get("label") or named.get("id")) or "provider"
    return name, label, text_of(asked.get("raw")) or label


def _refuse_unfinished(results: Mapping[str, Any], n_rows: int, where: str) -> None:
    stats = mapping(results.get("stats"), "stats")
    counted = [whole_number(stats.get(kind)) for kind in ("successes", "failures", "errors")]
    expected = sum(count for count in counted if count is not None)
    if stats and expected != n_rows:
        raise ResultsError(
            f"{where} counts {expected} results and holds {n_rows}. To read what there is, "
            "pass allow='unfinished'."
        )


def _systems(asked: Sequence[tuple[str, str, str]]) -> list[str]:
    """Names of systems: the provider, and the prompt where there are several."""
    prompts = list(dict.fromkeys((label, text) for _, label, text in asked))
    if len(prompts) == 1:
        return [provider for provider, *_ in asked]
    labels = [label for label, _ in prompts]
    names = {
        (label, text): label
        if 0 < len(label) <= _SHORT and "\n" not in label and labels.count(label) == 1
        else f"prompt {place}"
        for place, (label, text) in enumerate(prompts, start=1)
    }
    one = len({provider for provider, *_ in asked}) == 1
    return [
        names[label, text] if one else f"{provider}, {names[label, text]}"
        for provider, label, text in asked
    ]


def _results(rows: Sequence[Mapping[str, Any]], systems: Sequence[str]) -> Iterator[Row]:
    """Tests by description and variables, since their numbers change when one is added.

    Tests that ask the same and expect something else are numbered in their order; a test that
    is repeated is a new row.
    """
    expected: dict[str, dict[str, int]] = {}
    seen: Counter[tuple[str, str]] = Counter()
    for row, system in zip(rows, systems, strict=True):
        test = mapping(row.get("testCase"), "testCase")
        variables = mapping(test.get("vars") or row.get("vars"), "vars")
        description, metadata = test.get("description"), test.get("metadata")
        key, content = digest(variables, description), digest(variables, test.get("assert"))
        of_key = expected.setdefault(key, {})
        place = of_key.setdefault(content, len(of_key))
        said = text_of(description) or ", ".join(map(text_of, variables.values()))
        item = f"{' '.join(said.split())[:_SHORT]} [{key[:8]}]"
        item += f" {place + 1}" if place else ""
        seen[system, item] += 1
        yield Row(
            system=system,
            item=item,
            repeat=str(seen[system, item]),
            scores=_scores(row),
            facts={**(metadata if isinstance(metadata, dict) else {}), **variables},
            content=content,
        )


def _scores(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scores of an answer; None of each where there was none to be judged."""
    found = {ours: row.get(theirs) for theirs, ours in _ALWAYS.items()}
    response, reason = row.get("response"), row.get("failureReason")
    if isinstance(response, dict) and response.get("cached") is True:
        found["latency_ms"] = None  # an answer from the cache says nothing of time
    found |= mapping(row.get("namedScores"), "namedScores")
    unjudged = bool(row.get("error")) and not row.get("gradingResult")
    failed = reason == _ERROR or (reason is None and unjudged)
    return dict.fromkeys(found) if failed else found


PROMPTFOO = Format(
    name="promptfoo",
    of="results of promptfoo (JSON)",
    recognises=lambda given: bool(_START.match(given.head)),
    read=read_promptfoo,
)
