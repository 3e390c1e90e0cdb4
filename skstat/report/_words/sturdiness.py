"""How many units a verdict rests on, in words."""

from collections.abc import Mapping
from typing import Any

from skstat.report._words.numbers import percent, units


def sturdiness_text(state: Mapping[str, Any], favoured: str) -> str:
    """Write what a verdict rests on, from ``Sturdiness.to_dict()``, in one line.

    Parameters
    ----------
    state : mapping
        The plain values.
    favoured : str
        Name of the system that the estimate favours.
    """
    n, unit, k = state["n_units"], state["unit"], state["n_to_undecide"]
    if k is not None and state["too_few_left"]:
        return (
            f"without {k} of {units(n, unit)} ({_share(k, n)}), too few that differ are left "
            f"for any result to be significant{_reversed(state, favoured)}"
        )
    if k is None:
        return (
            f"significant without any of the {units(n, unit)} that were tried"
            f"{_reversed(state, favoured)}"
        )
    which, favour = ("the one", "favours") if k == 1 else (f"the {k}", "favour")
    fewer = "" if k == 1 else "; fewer are not enough"
    if not state["is_exact"]:
        fewer = "; fewer may be enough"
    return (
        f"without {which} of {units(n, unit)} ({_share(k, n)}) that {favour} "
        f"{favoured} most, the difference would not be significant{fewer}"
        f"{_reversed(state, favoured)}"
    )


def _reversed(state: Mapping[str, Any], favoured: str) -> str:
    k = state["n_to_reverse"]
    if k is None or k == state["n_to_undecide"]:
        return ""
    return f"; without {k} ({_share(k, state['n_units'])}) it would not favour {favoured}"


def _share(k: int, n: int) -> str:
    return percent(float(f"{k / n:.2g}"))
