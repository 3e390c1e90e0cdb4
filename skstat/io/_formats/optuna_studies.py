"""Studies of Optuna whose trials report a score per fold."""

from collections import Counter
from typing import Any

from skstat.io._formats.format import Asked, Format, Given
from skstat.io._formats.settings import names_by_parameters
from skstat.io._join import ResultsError
from skstat.io._results import Results
from skstat.io._source import Source

_METRIC = "value"


def read_study(given: Given, asked: Asked) -> Results:
    """Read the intermediate values of the trials that were completed."""
    study = given.what
    if len(study.directions) != 1:
        raise ResultsError(
            "the study has several objectives, and trials report the folds of one: read the "
            "scores into a table instead."
        )
    trials = [trial for trial in study.trials if trial.state.name == "COMPLETE"]
    others = Counter(t.state.name.lower() for t in study.trials if t.state.name != "COMPLETE")
    if not trials:
        raise ResultsError("the study has no completed trial.")
    bare = [trial.number for trial in trials if not trial.intermediate_values]
    if bare:
        raise ResultsError(
            f"trial {bare[0]} has one value, and none for each fold: call trial.report(score, "
            "fold) for every fold in the objective."
        )
    names = names_by_parameters([t.params for t in trials], asked.columns.get("system"))
    # A sampler may try the same parameters again.
    times = Counter(names)
    names = [
        f"{name} (trial {trial.number})" if times[name] > 1 else name
        for name, trial in zip(names, trials, strict=True)
    ]
    rows = [
        (name, str(step), value)
        for name, trial in zip(names, trials, strict=True)
        for step, value in trial.intermediate_values.items()
    ]
    details = {"trials": f"{len(trials)} of {len(study.trials)} completed"}
    if others:
        told = ", ".join(f"{count} {state}" for state, count in others.items())
        details["left_out"] = told
    return Results(
        system=[name for name, _, _ in rows],
        item=[step for _, step, _ in rows],
        scores={_METRIC: [value for _, _, value in rows]},
        higher_is_better={_METRIC: study.directions[0].name == "MAXIMIZE"},
        unit="split",
        sources=tuple(
            Source(system=name, format=OPTUNA.name, task=str(study.study_name), details=details)
            for name in names
        ),
    )


def _looks_like(given: Given) -> bool:
    what: Any = given.what
    return given.path is None and all(
        hasattr(what, name) for name in ("trials", "directions", "study_name")
    )


OPTUNA = Format(
    name="optuna",
    of="studies of Optuna whose trials report a score per fold",
    recognises=_looks_like,
    read=read_study,
    reads={
        "system": "A completed trial, by the parameters that vary; "
        "``columns={'system': 'depth'}`` names it by some of them.",
        "item": "The step of ``trial.report(score, fold)``, which is taken for the split.",
        "scores": "``value``; the direction is that of the study.",
        "missing": "Pruned and failed trials are left out; the report says how many.",
    },
)
