"""Which reader reads what: adding a kind of scores is one function and one line here."""

from os import PathLike
from typing import Any

from skstat.comparison._score_readers.columns import read_array, read_columns
from skstat.comparison._score_readers.cross_validate import read_results
from skstat.comparison._score_readers.description import Description
from skstat.comparison._score_readers.directions import with_directions
from skstat.comparison._score_readers.frames import read_frame
from skstat.comparison._score_readers.given import Given, Reader
from skstat.comparison._score_readers.levels import with_levels_as_columns
from skstat.comparison._score_readers.results import read_logged
from skstat.comparison._score_readers.runs import read_datasets_run, read_run
from skstat.comparison._score_readers.samples import read_sample

# Each reads one kind, and returns None of any other; the last one takes what is left.
READERS: tuple[Reader, ...] = (
    read_run,
    read_datasets_run,
    read_sample,
    read_logged,
    read_frame,
    read_results,
    read_columns,
    read_array,
)


def read_scores(scores: Any, described: Description) -> Given:
    """Read what the caller handed in, and refuse what does not fit to its description."""
    _refuse_path(scores, described)
    scores, described = with_levels_as_columns(scores, described)
    found = (read(scores, described) for read in READERS)
    given = next(given for given in found if given is not None)
    return with_directions(given, described.higher_is_better)


def _refuse_path(scores: Any, described: Description) -> None:
    if isinstance(scores, str | PathLike):
        raise ValueError(
            f"scores={str(scores)!r} is a text, and no numbers: a file is read by "
            f"skstat.io.read_results, as in {described.door}(read_results({str(scores)!r}))."
        )
