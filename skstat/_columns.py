"""What the columns of tables are by their names and values, and which of their rows are none.

One table of words for frames, mappings and files alike: whose score a row is, what it is on and
of what kind that is, which of several it is, which metric, and what is neither a score nor the
column of a system. What a user names comes first; words are asked where nobody says more.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
HIGHER_IS_BETTER = ("score", "test_score")
SCORES = (*HIGHER_IS_BETTER, "value")
METRIC = ("metric", "metric_name", "measure", "scorer", "score_name")
# Columns of values that a column of metrics stands beside.
VALUES = (*SCORES, "result", "metric_value", "metric_score")
REPEATS = (*UNIT["split"], *UNIT["seed"], *REPEATED, "run")
SIZES = {size: _WORDS[size] for size in ("n_train", "n_test")}
# Of these alone whole numbers name rows; of others answers and groups may be any numbers.
_INDEX = ("index", "idx")
_INDEXED = ("", *_WORDS["no score"], *_WORDS["index of"])
_UNNAMED = re.compile(r"\s*|unnamed: ?\d+.*|level_\d+|_*index_level_\d+_*|_c\d+", re.IGNORECASE)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_A-Za-z]+")
# First words of counts, as in "n_samples", and last ones.
_COUNT = ("n", "nb", "num", "number", "count")
_COUNTED = ("count", "counts", "size", "sizes")
# Numbers that say when: seconds since 1970, and parts of them, of this century.
_SECONDS = (9.4e8, 4.1e9)
_PARTS = (1.0, 1e3, 1e6, 1e9)
_CLOSE = 0.01
Numbers = NDArray[np.float64]
_QUANTILE = re.compile(r"\d+(\.\d+)?\s*%")


def plain(name: Any) -> str:
    """Write the name of a column as the usual names are written."""
    text = str(name).strip()
    return "_".join(words_of(text)) if text.isascii() else text.lower()


def words_of(name: str) -> list[str]:
    """Part the name of a column into words, in small letters."""
    return [word.lower() for word in _WORD.findall(name)]


def kind_of(name: Any) -> str | None:
    """Return the unit that a column of this name mostly counts."""
    return _kind_and_word(name)[0]


def _kind_and_word(name: Any) -> tuple[str | None, str]:
    """Return the unit that a name says, and the word that says it."""
    called = plain(name)
    words = called.split("_")
    usual = [called, called.removesuffix("s")]
    if len(words) > 1 and words[-1] in _WORDS["numbered"] and words[0] != "task":
        words.pop()
        usual.append("_".join(words))
    if words[-1] in _WORDS["last"]:
        usual.append(words[-1])
    found = ((kind, each) for each in usual for kind, names in UNIT.items() if each in names)
    return next(found, (None, ""))


def is_system(name: Any) -> bool:
    """Whether a column is called as those that say whose a score is mostly are."""
    called = plain(name)
    return called in SYSTEM or called.removesuffix("_name").removesuffix("_id") in SYSTEM


def names_rows(name: Any) -> bool:
    """Whether a column of this name mostly counts or names rows."""
    return kind_of(name) is not None or plain(name) in (*REPEATS, "index", "id")


def is_index(name: str) -> bool:
    """Whether a column is called as one that numbers or names rows, whatever they are."""
    return _is_unnamed(name) or plain(name) in (*ITEM_NAMES, "index", "row")


def _is_unnamed(name: str) -> bool:
    """Whether a column has a name that programs give to one without; a system may have none."""
    return bool(name.strip()) and _UNNAMED.fullmatch(name) is not None


def unit_of(names: Iterable[str]) -> Any:
    """Return what columns that are said to name the item count, by their names: items else."""
    kinds = {None if plain(name) == "task" else kind_of(name) for name in names}
    of_units = len(kinds) == 1 and not kinds.isdisjoint(("split", "seed", "dataset"))
    return kinds.pop() if of_units else "instance"


def size_of(name: Any) -> str | None:
    """Return which size of splits a column holds."""
    return next((size for size, names in SIZES.items() if plain(name) in names), None)


def in_order(names: Sequence[str]) -> list[str]:
    """Put columns that name a unit together in order: the repeat before the fold."""

    def place(name: str) -> int:
        kind, word = _kind_and_word(name)
        return UNIT[kind].index(word) if kind else -1

    return sorted(names, key=place)


def are_folds(names: Sequence[str]) -> bool:
    """Whether columns name the folds of cross-validation, with repeats of it or without."""
    words = [_kind_and_word(name)[1] for name in names]
    return all(words) and sum(word in _WORDS["fold"] for word in words) == 1


def joined(labels: Sequence[Sequence[str]]) -> tuple[list[str], list[int]]:
    """Name what every row is on by the labels of several columns together.

    Parameters
    ----------
    labels : sequence of sequence of str
        The labels of the rows, by column.

    Returns
    -------
    names : list of str
        What every row is on.
    order : list of int
        The rows so that those come together that the first column names alike: the folds of one
        repeat, as samples want them. Of one column as they are.
    """
    keys = list(zip(*labels, strict=True))
    names = [", ".join(key) for key in keys]
    if len(labels) == 1:
        return names, list(range(len(names)))
    first = {key[0]: place for place, key in reversed(list(enumerate(keys)))}
    whole = {key: place for place, key in reversed(list(enumerate(keys)))}
    order = sorted(range(len(keys)), key=lambda row: (first[keys[row][0]], whole[keys[row]]))
    return names, order


@lru_cache(maxsize=1024)  # asked two or three times of each column
def is_score(name: str) -> bool:
    """Whether a column's name is that of a score, and of nothing else."""
    if names_no_score(name):
        return False
    return direction_of(name) is True or _last(words_of(name)) in _WORDS["score"]


def is_no_score(name: str, values: Sequence[float]) -> bool:
    """Whether numbers count rows, name something, say when or are answers, as far as one sees.

    Parameters
    ----------
    name : str
        The column.
    values : sequence of float
        Its numbers.

    Returns
    -------
    bool
        True where nobody would take it for a score, unless told so.
    """
    numbers_rows = _last(words_of(name)) in _INDEX and _most_whole(values) > 1
    if names_no_score(name) or _counts(name, values) or numbers_rows:
        return True
    return (_counts_rows(values) or _says_when(values)) and not is_score(name)


def names_no_score(name: str) -> bool:
    """Whether a column's name says that it counts, names, groups or answers something."""
    words = words_of(name)
    if _UNNAMED.fullmatch(name) or not words or size_of(name) is not None:
        return True
    if words[-1] == "time" and not {*words}.isdisjoint(_WORDS["when"]):
        return True
    last = _last(words)
    if last in _INDEX and _last(words[: words.index(last)]) not in _INDEXED:
        return False
    return last in _WORDS["no score"] or last.removesuffix("s") in _WORDS["no score"]


def why_no_system(name: str, table: Mapping[str, Any]) -> str:
    """Say why a column of a table with one for each system does not hold scores of one.

    Parameters
    ----------
    name : str
        The column.
    table : mapping of str to array-like
        All columns that may be systems.

    Returns
    -------
    str
        What it looks like; empty where it may be a system. Right and wrong answers are whole
        numbers too: what counts has others than 0 and 1.
    """
    words, values = words_of(name), _column(table[name])
    if _is_unnamed(name):
        return "the numbers of the rows, as in a frame that was saved with its index"
    if values is None:
        return ""
    last, most = {*words[-1:]}, _most_whole(values)
    numbered = most > 1 and not last.isdisjoint((*_WORDS["numbered"], "did", "tid"))
    labels = names_rows(name) or name.strip() in ("#", "№")
    if numbered or (labels and most == most):
        return "labels of the rows"
    if _counts(name, values):
        return "what the rows count"
    are_ranks = _most_whole(values * 2) >= 2 and np.nanmin(values) >= 1
    if are_ranks and not last.isdisjoint(("rank", "ranks", "ranking")):
        return "ranks"
    computed = _is_computed(name, values, table)
    return "what is computed from the other columns" if computed else ""


def _is_computed(name: str, values: Numbers, table: Mapping[str, Any]) -> bool:
    """Whether a column is chosen from others in every row, or is the mean, ... of them."""
    if plain(name) not in _WORDS["computed"]:
        return False
    named = [other for other in table if plain(other) not in _WORDS["computed"]]
    others = [_column(table[other]) for other in named]
    if len(others) < 2 or any(own is None or len(own) != len(values) for own in others):
        return False
    rows = np.array(others)
    if np.isclose(rows, values, atol=5e-4).any(axis=0).all():
        return True
    found = rows.mean(axis=0), np.median(rows, axis=0), rows.sum(axis=0), rows.std(0, ddof=1)
    return any(np.allclose(values, own, atol=5e-4) for own in found)


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
    words = set(re.findall(r"[^\W_]+", text))
    return not words.isdisjoint(_WORDS["summary"]) and words.issubset(
        _WORDS["summary"] + _WORDS["of what"]
    )


def _counts(name: str, values: ArrayLike) -> bool:
    """Whether whole numbers are called as what counts, and not as a loss or a score is."""
    words = words_of(name)
    called = words[:1] == ["n"] or (len(words) > 1 and words[0] in _COUNT)
    if not (called or set(words[-1:]) & set(_COUNTED)) or direction_of(name) is not None:
        return False
    return _most_whole(values) > 1


def _most_whole(values: ArrayLike) -> float:
    """Return the largest number if all are whole, as those of labels are; else nan."""
    numbers = np.asarray(values, dtype=float)
    known = numbers[np.isfinite(numbers)]
    return float(known.max()) if len(known) and (known == np.rint(known)).all() else math.nan


def _last(words: Sequence[str]) -> str:
    """Return the word that says what it is: of "created_at" and "label_2" the first."""
    return next((word for word in reversed(words) if word != "at" and not word.isdigit()), "")


def _counts_rows(values: Sequence[float]) -> bool:
    """Whether numbers go up by 1 from row to row from 0 or 1, once or again and again."""
    first, n = values[0], len(values)
    period = next((row for row in range(1, n) if values[row] == first), n)
    if first not in (0, 1) or period <= 2 or n % period:
        return False
    return all(value == first + row % period for row, value in enumerate(values))


def _says_when(values: Sequence[float]) -> bool:
    """Whether numbers are times of this century that go up by rows, or lie close together."""
    known = [value for value in values if not math.isnan(value)]
    low, high = min(known), max(known)
    return any(_SECONDS[0] * part <= low <= high <= _SECONDS[1] * part for part in _PARTS) and (
        high - low < _CLOSE * low or all(a <= b for a, b in pairwise(known))
    )
