"""Names of systems that differ in their parameters only."""

from collections.abc import Mapping, Sequence
from typing import Any

from skstat.io._join import ResultsError


def names_by_parameters(
    parameters: Sequence[Mapping[str, Any]], wanted: Any = None
) -> list[str]:
    """Name every system by the parameters that are not the same in all.

    Parameters
    ----------
    parameters : sequence of mappings
        Parameters of each system.
    wanted : str or sequence of str, optional
        The parameters to name them by; by default those that vary.

    Returns
    -------
    list of str
        Names such as ``"C=1, gamma=0.1"``.
    """
    known = list(dict.fromkeys(name for each in parameters for name in each))
    if wanted is not None:
        named = [wanted] if isinstance(wanted, str) else list(wanted)
        unknown = [name for name in named if name not in known]
        if unknown:
            raise ResultsError(
                f"columns['system'] names {unknown[0]!r}, which is not a parameter; there are "
                f"{', '.join(known)}."
            )
    else:
        named = [
            name for name in known if len({repr(each.get(name)) for each in parameters}) > 1
        ]
    return [
        ", ".join(f"{name}={each[name]}" for name in named if name in each) or "the only one"
        for each in parameters
    ]
