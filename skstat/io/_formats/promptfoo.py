"""Results of promptfoo: `promptfoo eval --output results.json`."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skstat.io._formats.format import Asked, Format, Given
from skstat.io._formats.records import (
    Row,
    digest,
    mapping,
    optional_mapping,
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


@dataclass(frozen=True, kw_only=True)
class _Row:
    """One answer: of a provider to a prompt with the variables of a test."""

    provider: str
    prompt: str
    label: str
    variables: Mapping[str, Any]
    test: Mapping[str, Any]
    failed: bool
    values: Mapping[str, Any]


def read_promptfoo(given: Given, asked: Asked) -> list[Results]:
    """Read the rows of one evaluation: each provider with each prompt is a system."""
    where = str(given.path)
    whole = mapping(read_json(given.path) if given.path else None, where)
    results = mapping(whole.get("results"), f"{where}: results")
    rows = [_row(row, where) for row in sequence(results.get("results"), f"{where}: results")]
    if "unfinished" not in asked.allow:
        _refuse_unfinished(results, len(rows), where)
    config = optional_mapping(whole.get("config"), f"{where}: config")
    systems = _systems(rows)
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


def _row(given: Any, where: str) -> _Row:
    row = mapping(given, f"{where}: a result")
    provider = row.get("provider")
    named = provider if isinstance(provider, dict) else {"id": provider}
    prompt = row.get("prompt")
    asked = prompt if isinstance(prompt, dict) else {"raw": prompt}
    test = optional_mapping(row.get("testCase"), f"{where}: testCase")
    response = row.get("response")
    cached = isinstance(response, dict) and response.get("cached") is True
    values = {ours: row.get(theirs) for theirs, ours in _ALWAYS.items()}
    if cached:  # an answer from the cache says nothing of time
        values["latency_ms"] = None
    reason = row.get("failureReason")
    return _Row(
        provider=text_of(named.get("label") or named.get("id")) or "provider",
        prompt=text_of(asked.get("raw") or asked.get("label")),
        label=text_of(asked.get("label")),
        variables=optional_mapping(test.get("vars") or row.get("vars"), f"{where}: vars"),
        test=test,
        failed=reason == _ERROR
        or (reason is None and bool(row.get("error")) and not row.get("gradingResult")),
        values={
            **values,
            **optional_mapping(row.get("namedScores"), f"{where}: namedScores"),
        },
    )


def _refuse_unfinished(results: Mapping[str, Any], n_rows: int, where: str) -> None:
    stats = optional_mapping(results.get("stats"), f"{where}: stats")
    counted = [whole_number(stats.get(kind)) for kind in ("successes", "failures", "errors")]
    expected = sum(count for count in counted if count is not None)
    if stats and expected != n_rows:
        raise ResultsError(
            f"{where} counts {expected} results and holds {n_rows}. To read what there is, "
            "pass allow='unfinished'."
        )


def _systems(rows: Sequence[_Row]) -> list[str]:
    """Names of systems: the provider, and the prompt where there are several."""
    providers = dict.fromkeys(row.provider for row in rows)
    prompts = list(dict.fromkeys((row.label, row.prompt) for row in rows))
    if len(prompts) == 1:
        return [row.provider for row in rows]
    labels = [label for label, _ in prompts]

    def name(place: int, label: str) -> str:
        fits = 0 < len(label) <= _SHORT and "\n" not in label and labels.count(label) == 1
        return label if fits else f"prompt {place}"

    names = {each: name(place, each[0]) for place, each in enumerate(prompts, start=1)}
    named = [names[row.label, row.prompt] for row in rows]
    if len(providers) == 1:
        return named
    return [f"{row.provider}, {name}" for row, name in zip(rows, named, strict=True)]


def _results(rows: Sequence[_Row], systems: Sequence[str]) -> Iterator[Row]:
    """Tests by description and variables, since their numbers change when one is added.

    Tests that ask the same and expect something else are numbered in their order; a test that
    is repeated is a new row.
    """
    expected: dict[str, dict[str, int]] = {}
    seen: Counter[tuple[str, str]] = Counter()
    for row, system in zip(rows, systems, strict=True):
        description = row.test.get("description")
        key = digest(row.variables, description)
        content = digest(row.variables, row.test.get("assert"))
        of_key = expected.setdefault(key, {})
        place = of_key.setdefault(content, len(of_key))
        said = text_of(description) or ", ".join(map(text_of, row.variables.values()))
        named = " ".join(said.split())[:_SHORT]
        item = f"{named} [{key[:8]}]" + (f" {place + 1}" if place else "")
        seen[system, item] += 1
        metadata = row.test.get("metadata")
        yield Row(
            system=system,
            item=item,
            repeat=str(seen[system, item]),
            scores=dict.fromkeys(row.values) if row.failed else row.values,
            facts={**(metadata if isinstance(metadata, dict) else {}), **row.variables},
            content=content,
        )


PROMPTFOO = Format(
    name="promptfoo",
    of="results of promptfoo (JSON)",
    recognises=lambda given: bool(_START.match(given.head)),
    read=read_promptfoo,
    reads={
        "system": "The provider, and the prompt where there are several.",
        "item": "The description and variables of the test, paired by its assertions too; not "
        "its number, which changes when a test is added.",
        "repeat": "Rows of one test, as ``--repeat`` makes them.",
        "scores": "``success``, ``score``, the named scores, and ``latency_ms`` and ``cost``, "
        "of which less is better. A row without an answer is missing, and so is the time of an "
        "answer from the cache.",
        "columns": "Variables and metadata of the test: numbers and short texts.",
        "refused": "Fewer rows than were counted (``allow='unfinished'``).",
    },
)
