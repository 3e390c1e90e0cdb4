"""Results of one system on several tasks, from a log for each, become one."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from skstat.io._results import Results
from skstat.io._source import Source


def on_several_tasks(parts: Sequence[Results], path: str) -> Results:
    """Join results of one system on different tasks.

    Parameters
    ----------
    parts : sequence of Results
        Results of the system, each on one task and from one source.
    path : str
        Where all of them are.

    Returns
    -------
    Results
        All rows. An item's name begins with its task, which is a column too. What a task has
        not, a metric or column, is missing in its rows.
    """
    tasks = [part.sources[0].task for part in parts]
    lengths = [len(part) for part in parts]
    repeated = any(part.repeat is not None for part in parts)
    directions = {name: up for part in parts for name, up in part.higher_is_better.items()}
    own = _united(part.columns for part in parts)
    return Results(
        system=np.concatenate([part.system for part in parts]),
        item=[
            f"{task}/{item}"
            for task, part in zip(tasks, parts, strict=True)
            for item in part.item
        ],
        repeat=[
            repeat
            for part in parts
            for repeat in (["1"] * len(part) if part.repeat is None else part.repeat)
        ]
        if repeated
        else None,
        scores={
            name: np.concatenate(
                [part.scores.get(name, np.full(len(part), np.nan)) for part in parts]
            )
            for name in _united(part.scores for part in parts)
        },
        columns={
            "task": np.repeat(np.array(tasks, dtype=object), lengths),
            **{
                f"metadata_{name}" if name == "task" else name: np.concatenate(
                    [
                        np.asarray(part.columns.get(name, [None] * len(part)), dtype=object)
                        for part in parts
                    ]
                )
                for name in own
            },
        },
        content=np.concatenate([part.content for part in parts])
        if all(part.content is not None for part in parts)
        else None,
        higher_is_better=directions,
        sources=(_joined([part.sources[0] for part in parts], path),),
    )


def _united(names: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(name for each in names for name in each))


def _joined(sources: Sequence[Source], path: str) -> Source:
    """One source of all tasks. What is the same for all is said once."""
    ordered = sorted(sources, key=lambda source: source.task)
    expected = [source.n_expected for source in ordered]
    known = [count for count in expected if count is not None]
    return replace(
        ordered[0],
        path=path,
        task=", ".join(source.task for source in ordered),
        version=_one_or_each({source.task: source.version for source in ordered}),
        created=max(source.created for source in ordered),
        run=", ".join(source.run for source in ordered if source.run),
        n_expected=sum(known) if len(known) == len(expected) else None,
        settings={
            f"{name} of {source.task}": value
            for source in ordered
            for name, value in source.settings.items()
        },
        means={
            name: tuple(_united(source.means.get(name, ()) for source in ordered))
            for name in _united(source.means for source in ordered)
        },
        details={
            name: _one_or_each({s.task: s.details[name] for s in ordered if name in s.details})
            for name in _united(source.details for source in ordered)
        },
    )


def _one_or_each(told: dict[str, str]) -> str:
    values = set(told.values())
    if len(values) == 1:
        return values.pop()
    return "; ".join(f"{task}: {value}" for task, value in told.items())
