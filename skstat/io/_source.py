"""Where results came from."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where the results of one system came from.

    Parameters
    ----------
    system : str
        The system.
    format : str
        Name of the format, such as ``"inspect"``.
    path : str, default=""
        File or folder that was read, as the caller wrote it; empty for an object in memory.
    task : str, default=""
        Task, benchmark or data set, as the log calls it.
    version : str, default=""
        Version of the task.
    created : str, default=""
        When the results were made, as the log writes it.
    n_expected : int or None, default=None
        Items that the task has, where the log tells. Fewer were evaluated where a limit was
        set.
    score_left_out : float or None, default=None
        Score of the items that the log has no line for, where it says so by its means and by
        ``n_expected``: 0 of topics that a run returned nothing for.
    run : str, default=""
        The tool's own name of the run, by which a copy of a log is known.
    named : str, default=""
        The system's name in the file, where it was given another one.
    settings : mapping of str to str, default={}
        How the task was asked, which must be the same for all systems: examples in the
        prompt, arguments of the task. What only one of two logs tells is not compared.
    means : mapping of str to tuple of str, default={}
        Names that the log has for means, each with the scores that they are the means of:
        ``{"accuracy": ("match",)}``. Who knows the log may ask for either.

    Examples
    --------
    >>> from skstat.io import Source
    >>> Source(system="gpt", format="inspect", task="popularity", version="2").task
    'popularity'
    """

    system: str
    format: str
    path: str = ""
    task: str = ""
    version: str = ""
    created: str = ""
    n_expected: int | None = None
    score_left_out: float | None = None
    run: str = ""
    named: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    means: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return what is known, as plain values."""
        known = {name: value for name, value in asdict(self).items() if value}
        return {**known, "system": self.system, "format": self.format}
