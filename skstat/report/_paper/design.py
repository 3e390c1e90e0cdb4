"""How the scores came about, as sentences of a methods section."""

from collections.abc import Mapping
from typing import Any

from skstat.report._paper.methods import Sentence, cite
from skstat.report._words import span_of, units
from skstat.stats import Reference
from skstat.stats._outcomes import unit_word


def design_sentences(design: Mapping[str, Any], n_systems: int) -> list[Sentence]:
    """Say what the scores were computed on, and how many fits that took."""
    if not design:
        return []
    works = cite(*map(Reference.from_dict, design.get("references", ())))
    notes = "; ".join([*design.get("notes", ()), *design.get("read", ())])
    notes = f" ({notes})" if notes else ""
    if "n_splits" not in design:
        kind: Sentence = [f"The design was {design.get('kind', 'given')}", works, f"{notes}."]
        fits = design.get("fits_each")
        return [kind] if fits is None else [kind, [f"{_each_fitted(fits, n_systems)}."]]
    found: list[Sentence] = [
        [
            f"The design was {design['kind']}",
            works,
            f" of {design['n_samples']} rows: {_fits(design['n_splits'], n_systems)}, with "
            f"{span_of(design['train_size'])} rows for training and "
            f"{span_of(design['test_size'])} for testing{_groups(design)}{notes}.",
        ]
    ]
    if "halves" in design:
        halves = design["halves"]
        found.append(
            [
                f"The variance of these scores was found on a {halves['kind']} of the same "
                f"rows ({halves['n_splits']} further fits each, with "
                f"{span_of(halves['train_size'])} rows for training)."
            ]
        )
    if "random_state" in design:
        found.append([f"The splits were drawn with the random seed {design['random_state']}."])
    return found


def unit_sentence(report: Mapping[str, Any]) -> Sentence:
    """Say what one observation is."""
    unit, n, scored = report["unit"], report["n_units"], ""
    if (sampled := report.get("sampled")) is not None:
        scored = f", and scores were those of {units(n, unit)}"
        unit, n = sampled["unit"], sampled["n"]
    return [f"The unit of observation was the {unit_word(unit)} (n = {n}){scored}."]


def _fits(n_splits: int, n_systems: int) -> str:
    times = "once" if n_splits == 1 else f"{n_splits} times"
    if n_systems == 1:
        return f"the system was fitted {times}"
    return (
        f"each of the {n_systems} systems was fitted {times}, all on the same splits "
        f"({n_systems * n_splits} fits)"
    )


def _each_fitted(fits: int, n_systems: int) -> str:
    return f"Each of the {n_systems} systems was fitted {fits} times ({fits * n_systems} fits)"


def _groups(design: Mapping[str, Any]) -> str:
    if "train_groups" not in design:
        return ""
    train, test = span_of(design["train_groups"]), span_of(design["test_groups"])
    return f" ({train} groups against {test}; no group was on both sides)"
