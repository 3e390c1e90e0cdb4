"""Recognition of columns of tables by their names and values, such as systems and items.

One table of words is used for frames, mappings and files. It names columns of systems, items,
units, repeats and metrics, and columns without scores. Columns that a user names have
precedence; the words are defaults.
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._directions import direction_of, words_by_kind

# Words in names of columns, by the role of the column.
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
    word: (unit, order) for unit, words in UNIT.items() for order, word in enumerate(words)
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
    """The meaning of the name of a column.

    Parameters
    ----------
    name : str
        The name.

    Attributes
    ----------
    usual : str
        The normalized name: lower case, with words joined by underscores.
    words : list of str
        Its words, in lower case.
    last : str
        The last word with a meaning: in "created_at" and "label_2" the first.
    unit : str or None
        The unit that a column of this name usually labels.
    unit_word, unit_order : str, int
        The word for the unit, and its position among such words; empty and -1 for others.
    rank : int
        Precedence among columns of ids; the last for others.
    size : str or None
        Size of splits that a column holds, such as ``"n_train"``.
    is_system : bool
        Whether it is a usual name of a column of systems.
    is_metric : bool
        Whether it is a usual name of a column of metrics.
    is_unnamed : bool
        Whether programs give this name to a column without a name.
    is_index : bool
        Whether it is a usual name of a column that numbers or names rows.
    is_label : bool
        Whether such a column usually labels rows or units.
    is_count : bool
        Whether it is the name of a count, and not of a loss or a score.
    is_score : bool
        Whether it is the name of a score, and of nothing else.
    is_no_score : bool
        Whether it is the name of something that is not a score, such as labels or times.
    """

    def __init__(self, name: str) -> None:
        words, text, direction = words_of(name), name.strip(), direction_of(name)
        self.words, self.usual = words, "_".join(words) if text.isascii() else text.lower()
        usual, system = self.usual, self.usual.removesuffix("_name").removesuffix("_id")
        parts, spellings = usual.split("_"), [usual, usual.removesuffix("s")]
        if len(parts) > 1 and parts[-1] in _WORDS["numbered"] and parts[0] != "task":
            parts.pop()
            spellings.append("_".join(parts))
        if parts[-1] in _WORDS["last"]:
            spellings.append(parts[-1])
        self.unit_word = next((spelling for spelling in spellings if spelling in _UNITS), "")
        self.unit, self.unit_order = _UNITS.get(self.unit_word, (None, -1))
        self.size = next((size for size, names in SIZES.items() if usual in names), None)
        self.is_metric = usual in METRIC
        no_name = _UNNAMED.fullmatch(name) is not None
        self.rank = (*ITEM_NAMES, usual).index(usual)
        self.is_system = usual in SYSTEM or system in SYSTEM
        self.is_unnamed = no_name and text != ""
        self.is_index = self.is_unnamed or usual in (*ITEM_NAMES, "index", "row")
        self.is_label = self.unit is not None or usual in (*REPEATS, "index", "id")
        counts = words[:1] == ["n"] or (len(words) > 1 and words[0] in _COUNT)
        self.is_count = direction is None and (counts or not {*words[-1:]}.isdisjoint(_COUNTED))
        content = [word for word in words if word != "at" and not word.isdigit()] or [""]
        self.last = last = content[-1]
        of_index = last in _INDEX and ["", *content[: content.index(last)]][-1] not in _INDEXED
        no_score = not of_index and not _NO_SCORE.isdisjoint((last, last.removesuffix("s")))
        is_date = words[-1:] == ["time"] and not {*words}.isdisjoint(_WORDS["when"])
        self.is_no_score = no_score or is_date or no_name or not words or self.size is not None
        score_word = direction is True or last in _WORDS["score"]
        self.is_score = score_word and not self.is_no_score


read_name = lru_cache(maxsize=4096)(Name)


def words_of(name: str) -> list[str]:
    """Return the words of a name, in lower case."""
    return [word.lower() for word in _WORD.findall(name)]


def unit_of(names: Iterable[str]) -> Any:
    """Return the unit that columns of item labels stand for, by their names."""
    units = {None if name.usual == "task" else name.unit for name in map(read_name, names)}
    of_units = len(units) == 1 and not units.isdisjoint(("split", "seed", "dataset"))
    return units.pop() if of_units else "instance"


def in_order(names: Iterable[str]) -> list[str]:
    """Return columns that label a unit together in order: the repeat before the fold."""
    return sorted(names, key=lambda name: read_name(name).unit_order)


def are_folds(names: Iterable[str]) -> bool:
    """Whether columns label the folds of cross-validation, repeated or not."""
    words = [read_name(name).unit_word for name in names]
    return all(words) and sum(word in _WORDS["fold"] for word in words) == 1


def coded(labels: Iterable[Hashable]) -> tuple[list[Any], NDArray[np.intp]]:
    """Return the distinct labels in order of appearance, and the code of every label."""
    all_labels = list(labels)
    distinct = list(dict.fromkeys(all_labels))
    code = dict(zip(distinct, range(len(distinct)), strict=True))
    return distinct, np.array([code[label] for label in all_labels], dtype=np.intp)


def is_no_score(name: str, values: Numbers) -> bool:
    """Whether numbers are probably no scores but counts, labels, times or answers.

    Parameters
    ----------
    name : str
        The column.
    values : ndarray
        Its numbers.

    Returns
    -------
    bool
        True if the column is not a score unless the user says so.
    """
    words = read_name(name)
    counts = (words.is_count or words.last in _INDEX) and _largest_whole(values) > 1
    if words.is_no_score or counts or words.is_score or not len(values):
        return words.is_no_score or counts
    # Numbers that increase by 1 from row to row, starting at 0 or 1, once or repeatedly.
    first, n = values[0], len(values)
    period = next(iter(np.flatnonzero(values[1:] == first) + 1), n)
    numbered = first in (0, 1) and period > 2 and n % period == 0
    if numbered and np.array_equal(values, first + np.arange(n) % period):
        return True
    # Times of this century that increase by row, or are close together.
    finite = values[~np.isnan(values)]
    low, high = np.min(finite, initial=np.inf), np.max(finite, initial=0)
    if not ((_SECONDS[0] * _PARTS <= low) & (high <= _SECONDS[1] * _PARTS)).any():
        return False
    return bool(high - low < _CLOSE * low or (np.diff(finite) >= 0).all())


def no_systems(table: Mapping[str, Any]) -> dict[str, str]:
    """Return the columns that hold no scores of a system, in a table with a column for each.

    Parameters
    ----------
    table : mapping of str to array-like
        All columns that may be systems.

    Returns
    -------
    dict of str to str
        What a column looks like, by name. Counts have whole numbers other than 0 and 1, which
        may be right and wrong answers.
    """
    columns = {name: _column(cells) for name, cells in table.items()}
    others = [x for n, x in columns.items() if read_name(n).usual not in _WORDS["computed"]]
    looks = {}
    for name, values in columns.items():
        words = read_name(name)
        if words.is_unnamed:
            looks[name] = "the numbers of the rows, as in a frame that was saved with its index"
        if words.is_unnamed or values is None:
            continue
        largest, end = _largest_whole(values), ["", *words.words][-1]
        labels = words.is_label or name.strip() in ("#", "№")
        if (largest > 1 and end in _NUMBERED) or (labels and largest == largest):
            looks[name] = "labels of the rows"
        elif words.is_count and largest > 1:
            looks[name] = "what the rows count"
        elif end in _RANKS and _largest_whole(values * 2) >= 2 and np.nanmin(values) >= 1:
            looks[name] = "ranks"
        elif words.usual in _WORDS["computed"] and _is_computed(values, others):
            looks[name] = "what is computed from the other columns"
    return looks


def _is_computed(values: Numbers, others: Sequence[Numbers | None]) -> bool:
    """Whether a column is the minimum, mean or the like of the others in every row."""
    numeric = [result for result in others if result is not None and len(result) == len(values)]
    if not 2 <= len(others) == len(numeric):
        return False
    rows = np.array(numeric)
    if np.isclose(rows, values, atol=5e-4).any(axis=0).all():
        return True
    computed = rows.mean(axis=0), np.median(rows, axis=0), rows.sum(axis=0), rows.std(0, ddof=1)
    return any(np.allclose(values, result, atol=5e-4) for result in computed)


def _column(column: Any) -> Numbers | None:
    """Return real numbers, with nan for missing ones; None if cells are not numbers."""
    try:
        cells = np.asarray(column)
        if cells.dtype.kind == "O" and not any(isinstance(cell, str) for cell in cells):
            cells = np.array([cell if isinstance(cell, Real) else np.nan for cell in cells])
        numbers = cells.dtype.kind in "biuf" and cells.ndim == 1 and len(cells)
        return cells.astype(float) if numbers else None
    except (TypeError, ValueError, OverflowError):  # reading the scores raises a better error
        return None


def is_summary(label: Any) -> bool:
    """Whether a row with this label is a summary of others, such as an average."""
    text = re.sub(r"\([^)]*\)", "", str(label)).strip().lower()
    if _QUANTILE.fullmatch(text):
        return True
    words, sums = set(re.findall(r"[^\W_]+", text)), _WORDS["summary"]
    return not words.isdisjoint(sums) and words.issubset(sums + _WORDS["of what"])


def _largest_whole(values: Numbers) -> float:
    """Return the largest number if all are whole, as those of labels are, else nan."""
    finite = values[np.isfinite(values)]
    return float(finite.max()) if len(finite) and (finite == np.rint(finite)).all() else np.nan
