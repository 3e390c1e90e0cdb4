"""What the columns of tables hold, by their names and values, and which hold no scores.

One table of words for frames, mappings and files alike: whose score a row is, what it is on and
of what kind that is, which of several it is, which metric, and what is neither a score nor the
column of a system. What a user names comes first; words are asked where nobody says more.
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._directions import direction_of, words_by_kind

# Words of names, by what a column is that is called so.
#
# system, item: whose a score is; a column of ids, by which rows of several files are paired.
# split, fold: of splits every such column counts: a repeat and a fold are a split together, in
#   this order. Folds part all rows: each is tested on once, by what the others trained.
# repeated: a result of one item is one of several by it, in the order in which they are taken.
# n_train, n_test: numbers of rows that a split trains on and tests on, as samples call them.
# numbered, last: what stands beside the word that a name says its kind by, "fold_id", and words
#   that say it behind another, "random_seed".
# no score: last words of names whose numbers count rows, name or group something, say when, or
#   are an answer.
# index of: what an index is of, where it counts rows; of anything else it is a metric, as the
#   C-index.
# score: last words of names of scores that say nothing of a direction.
# when: "start_time" says when, "time" says how long.
# computed: what a column of a table of systems may be computed from the others by.
# summary, of what: rows that sum others up say so by one of these words, and say no more than
#   of what.
_TABLE = """
system: system model estimator algorithm classifier regressor method learner framework
item: item item_id question question_id id doc_id instance instance_id document_id example
  example_id sample_id row_id uid uuid guid qid
split: repeat repetition split iteration resample resampling
fold: fold cv kfold
repeated: repeat sample epoch seed attempt repetition trial iteration
n_train: n_train train_size n_training n_train_samples size_train
n_test: n_test test_size n_testing n_test_samples size_test
numbered: id idx index no nr num number name label
last: fold seed dataset split iteration
no score: annotator answer attempt author batch category choice chunk class cluster
  conversation created dataset date datetime day did difficulty doc document domain end ended
  epoch expected finished fold gold group guid hash id idx index instance item iteration label
  language level line lineno month no nr num number option order output page patient person
  position pred predicted prediction prompt question rater reference rep repeat repetition
  replicate response row run sample seed session sha site split start started step student
  subject target task tid timestamp topic trial true truth ts type updated user uuid version
  year
index of: column data df example frame global level local new old orig original record sentence
  test token train
score: grade judge judgement metric ok outcome points result verdict
when: begin created creation date end finish start update
computed: best worst max min maximum minimum median mean average avg total sum std
summary: agg aggregate all average averaged averages avg avgs count max maximum mean means med
  median min minimum overall sd sem std stddev stdev stderr sum summary total totals ø
of what: accuracy across and arithmetic data dataset datasets deviation dev error fold folds
  geometric grand group groups harmonic instance instances item items macro micro of over per
  performance question questions rank ranks repeat repeats result results row rows run runs
  samples score scores seed seeds set sets split splits standard subset subsets task tasks the
  value values weighted
"""
_WORDS = words_by_kind(_TABLE)
SYSTEM, ITEM_NAMES, REPEATED = (_WORDS[kind] for kind in ("system", "item", "repeated"))
UNIT = {
    "dataset": ("dataset", "data_set", "task"),
    "split": (*_WORDS["split"], *_WORDS["fold"]),
    "seed": ("seed", "random_state"),
    "group": ("group",),
    "instance": (*ITEM_NAMES, "row"),
}
_UNITS: dict[str, tuple[Any, int]] = {
    word: (unit, place) for unit, own in UNIT.items() for place, word in enumerate(own)
}
HIGHER_IS_BETTER = ("score", "test_score")
SCORES = (*HIGHER_IS_BETTER, "value")
METRIC = ("metric", "metric_name", "measure", "scorer", "score_name")
# Columns of values that a column of metrics stands beside.
VALUES = (*SCORES, "result", "metric_value", "metric_score")
REPEATS = (*UNIT["split"], *UNIT["seed"], *REPEATED, "run")
SIZES = {size: _WORDS[size] for size in ("n_train", "n_test")}
# Of these alone whole numbers name rows; of others answers and groups may be any numbers.
_INDEX = ("index", "idx")
_NUMBERED = {*_WORDS["numbered"], "did", "tid"}
_INDEXED = ("", *_WORDS["no score"], *_WORDS["index of"])
_UNNAMED = re.compile(r"\s*|unnamed: ?\d+.*|level_\d+|_*index_level_\d+_*|_c\d+", re.IGNORECASE)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_A-Za-z]+")
# First words of counts, as in "n_samples", and last ones.
_COUNT = ("n", "nb", "num", "number", "count")
_RANKS = ("rank", "ranks", "ranking")
_NO_SCORE = frozenset(_WORDS["no score"])
_COUNTED = ("count", "counts", "size", "sizes")
# Numbers that say when: seconds since 1970, and parts of them, of this century.
_SECONDS = (9.4e8, 4.1e9)
_PARTS = np.array([1.0, 1e3, 1e6, 1e9])
_CLOSE = 0.01
Numbers = NDArray[np.float64]
_QUANTILE = re.compile(r"\d+(\.\d+)?\s*%")


class Name:
    """What the name of a column says.

    Parameters
    ----------
    name : str
        The name.

    Attributes
    ----------
    usual : str
        The name as the usual names are written.
    words : list of str
        Its words, in small letters.
    last : str
        The word that says what it is: of "created_at" and "label_2" the first.
    unit : str or None
        The unit that a column of this name mostly counts.
    said_by, place : str, int
        The word that says the unit, and its place among those that do; -1 of others.
    rank : int
        In which order columns of ids are taken; of others the last.
    size : str or None
        Which size of splits a column holds.
    is_system : bool
        Whether it is called as those that say whose a score is mostly are.
    is_metric : bool
        Whether it is called as those that say by which metric a score is.
    is_unnamed : bool
        Whether programs give this name to a column without one; a system may have none.
    is_index : bool
        Whether it is called as one that numbers or names rows, whatever they are.
    is_label : bool
        Whether such a column mostly counts or names rows.
    is_count : bool
        Whether whole numbers are called as what counts, and not as a loss or a score is.
    is_score : bool
        Whether the name is that of a score, and of nothing else.
    is_no_score : bool
        Whether it says that it counts, names, groups or answers something.
    """

    def __init__(self, name: str) -> None:
        words, text, up = words_of(name), name.strip(), direction_of(name)
        self.words, self.usual = words, "_".join(words) if text.isascii() else text.lower()
        usual, system = self.usual, self.usual.removesuffix("_name").removesuffix("_id")
        parts, spelled = usual.split("_"), [usual, usual.removesuffix("s")]
        if len(parts) > 1 and parts[-1] in _WORDS["numbered"] and parts[0] != "task":
            parts.pop()
            spelled.append("_".join(parts))
        if parts[-1] in _WORDS["last"]:
            spelled.append(parts[-1])
        self.said_by = next((each for each in spelled if each in _UNITS), "")
        self.unit, self.place = _UNITS.get(self.said_by, (None, -1))
        self.size = next((size for size, names in SIZES.items() if usual in names), None)
        self.is_metric = usual in METRIC
        no_name = _UNNAMED.fullmatch(name) is not None
        self.rank = (*ITEM_NAMES, usual).index(usual)
        self.is_system = usual in SYSTEM or system in SYSTEM
        self.is_unnamed = no_name and text != ""
        self.is_index = self.is_unnamed or usual in (*ITEM_NAMES, "index", "row")
        self.is_label = self.unit is not None or usual in (*REPEATS, "index", "id")
        counts = words[:1] == ["n"] or (len(words) > 1 and words[0] in _COUNT)
        self.is_count = up is None and (counts or not {*words[-1:]}.isdisjoint(_COUNTED))
        saying = [word for word in words if word != "at" and not word.isdigit()] or [""]
        self.last = last = saying[-1]
        of_index = last in _INDEX and ["", *saying[: saying.index(last)]][-1] not in _INDEXED
        no_score = not of_index and not _NO_SCORE.isdisjoint((last, last.removesuffix("s")))
        when = words[-1:] == ["time"] and not {*words}.isdisjoint(_WORDS["when"])
        self.is_no_score = no_score or when or no_name or not words or self.size is not None
        named = up is True or last in _WORDS["score"]
        self.is_score = named and not self.is_no_score


read_name = lru_cache(maxsize=4096)(Name)


def words_of(name: str) -> list[str]:
    """Part the name of a column into words, in small letters."""
    return [word.lower() for word in _WORD.findall(name)]


def unit_of(names: Iterable[str]) -> Any:
    """Return what columns that are said to name the item count, by their names: items else."""
    units = {None if own.usual == "task" else own.unit for own in map(read_name, names)}
    of_units = len(units) == 1 and not units.isdisjoint(("split", "seed", "dataset"))
    return units.pop() if of_units else "instance"


def in_order(names: Iterable[str]) -> list[str]:
    """Put columns that name a unit together in order: the repeat before the fold."""
    return sorted(names, key=lambda name: read_name(name).place)


def are_folds(names: Iterable[str]) -> bool:
    """Whether columns name the folds of cross-validation, with repeats of it or without."""
    words = [read_name(name).said_by for name in names]
    return all(words) and sum(word in _WORDS["fold"] for word in words) == 1


def coded(labels: Iterable[Hashable]) -> tuple[list[Any], NDArray[np.intp]]:
    """Number labels in the order in which they come; return which there are, and numbers."""
    every = list(labels)
    known = list(dict.fromkeys(every))
    place = dict(zip(known, range(len(known)), strict=True))
    return known, np.array([place[label] for label in every], dtype=np.intp)


def is_no_score(name: str, values: Numbers) -> bool:
    """Whether numbers count rows, name something, say when or are answers, as far as one sees.

    Parameters
    ----------
    name : str
        The column.
    values : ndarray
        Its numbers.

    Returns
    -------
    bool
        True where nobody would take it for a score, unless told so.
    """
    named = read_name(name)
    counts = (named.is_count or named.last in _INDEX) and _most_whole(values) > 1
    if named.is_no_score or counts or named.is_score or not len(values):
        return named.is_no_score or counts
    # They go up by 1 from row to row from 0 or 1, once or again and again.
    first, n = values[0], len(values)
    period = next(iter(np.flatnonzero(values[1:] == first) + 1), n)
    numbered = first in (0, 1) and period > 2 and n % period == 0
    if numbered and np.array_equal(values, first + np.arange(n) % period):
        return True
    # They are times of this century that go up by rows, or lie close together.
    known = values[~np.isnan(values)]
    low, high = np.min(known, initial=np.inf), np.max(known, initial=0)
    if not ((_SECONDS[0] * _PARTS <= low) & (high <= _SECONDS[1] * _PARTS)).any():
        return False
    return bool(high - low < _CLOSE * low or (np.diff(known) >= 0).all())


def no_systems(table: Mapping[str, Any]) -> dict[str, str]:
    """Say which columns of a table with one for each system hold no scores of one, and why.

    Parameters
    ----------
    table : mapping of str to array-like
        All columns that may be systems.

    Returns
    -------
    dict of str to str
        What a column looks like. Right and wrong answers are whole numbers too: what counts has
        others than 0 and 1.
    """
    columns = {name: _column(given) for name, given in table.items()}
    others = [own for n, own in columns.items() if read_name(n).usual not in _WORDS["computed"]]
    looks = {}
    for name, values in columns.items():
        named = read_name(name)
        if named.is_unnamed:
            looks[name] = "the numbers of the rows, as in a frame that was saved with its index"
        if named.is_unnamed or values is None:
            continue
        most, end = _most_whole(values), ["", *named.words][-1]
        labels = named.is_label or name.strip() in ("#", "№")
        if (most > 1 and end in _NUMBERED) or (labels and most == most):
            looks[name] = "labels of the rows"
        elif named.is_count and most > 1:
            looks[name] = "what the rows count"
        elif end in _RANKS and _most_whole(values * 2) >= 2 and np.nanmin(values) >= 1:
            looks[name] = "ranks"
        elif named.usual in _WORDS["computed"] and _is_computed(values, others):
            looks[name] = "what is computed from the other columns"
    return looks


def _is_computed(values: Numbers, others: Sequence[Numbers | None]) -> bool:
    """Whether a column is chosen from others in every row, or is the mean, ... of them."""
    known = [own for own in others if own is not None and len(own) == len(values)]
    if not 2 <= len(others) == len(known):
        return False
    rows = np.array(known)
    if np.isclose(rows, values, atol=5e-4).any(axis=0).all():
        return True
    computed = rows.mean(axis=0), np.median(rows, axis=0), rows.sum(axis=0), rows.std(0, ddof=1)
    return any(np.allclose(values, own, atol=5e-4) for own in computed)


def _column(given: Any) -> Numbers | None:
    """Return real numbers, nan where one is missing; None of anything else."""
    try:
        cells = np.asarray(given)
        if cells.dtype.kind == "O" and not any(isinstance(cell, str) for cell in cells):
            cells = np.array([cell if isinstance(cell, Real) else np.nan for cell in cells])
        numbers = cells.dtype.kind in "biuf" and cells.ndim == 1 and len(cells)
        return cells.astype(float) if numbers else None
    except (TypeError, ValueError, OverflowError):  # which is said where scores are read
        return None


def is_summary(label: Any) -> bool:
    """Whether a row of this label sums the others up, as an average does."""
    text = re.sub(r"\([^)]*\)", "", str(label)).strip().lower()
    if _QUANTILE.fullmatch(text):
        return True
    words, sums = set(re.findall(r"[^\W_]+", text)), _WORDS["summary"]
    return not words.isdisjoint(sums) and words.issubset(sums + _WORDS["of what"])


def _most_whole(values: Numbers) -> float:
    """Return the largest number if all are whole, as those of labels are; else nan."""
    known = values[np.isfinite(values)]
    return float(known.max()) if len(known) and (known == np.rint(known)).all() else np.nan
