"""Letters for systems that do not differ, and bars over runs of mean ranks."""

import re
from collections.abc import Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from string import ascii_letters

import numpy as np
from numpy.typing import ArrayLike, NDArray

_MOST_GROUPS = 200  # largest sets, which can be exponentially many


def compact_letters(names: Sequence[str], differs: ArrayLike) -> dict[str, str]:
    """Give letters to systems, so that two share one if and only if they do not differ.

    Insert-and-absorb [1]_: begin with one letter for all; for every pair that differs
    split each letter that both have in two, and drop letters whose systems all share
    another one. That gives a letter to every largest set of systems that do not differ.
    Where there are more than 200 of them, as verdicts without any order can give, some
    are left out: those that are not needed for two systems to share a letter.

    Parameters
    ----------
    names : sequence of str
        The systems, the best first: it gets ``"a"``.
    differs : array-like of bool, of shape (n_systems, n_systems)
        Symmetric; which systems differ, in the order of `names`.

    Returns
    -------
    dict of str to str
        Letters of every system: a to z, A to Z, then ``a'`` and so on.

    Raises
    ------
    ValueError
        If `differs` is not symmetric, not boolean, or does not fit `names`.

    See Also
    --------
    PairwiseOutcome.differs : Such a matrix, in the order of the table's columns.

    References
    ----------
    .. [1] Piepho, H.-P. (2004). An algorithm for a letter-based representation of
       all-pairwise comparisons. Journal of Computational and Graphical Statistics,
       13(2), 456-466.

    Examples
    --------
    >>> from skstat.stats import compact_letters
    >>> differs = [[False, False, True], [False, False, False], [True, False, False]]
    >>> compact_letters(["A", "B", "C"], differs)
    {'A': 'a', 'B': 'ab', 'C': 'b'}
    """
    matrix = _checked(names, differs)
    sharing = {frozenset(range(len(names)))}
    for pair in np.argwhere(np.triu(matrix)).tolist():
        for group in [group for group in sharing if group.issuperset(pair)]:
            sharing.remove(group)
            for one in pair:
                part = group - {one}
                if not any(part <= other for other in sharing):
                    sharing.add(part)
        if len(sharing) > _MOST_GROUPS:
            sharing = _cover(matrix)
            break
    letters = dict.fromkeys(names, "")
    for number, systems in enumerate(sorted(sorted(group) for group in sharing)):
        letter = ascii_letters[number % 52] + "'" * (number // 52)
        for system in systems:
            letters[names[system]] += letter
    return letters


def _cover(differs: NDArray[np.bool_]) -> set[frozenset[int]]:
    """Largest sets without a difference, at most one for every pair that it joins."""
    k = len(differs)
    joined = np.zeros((k, k), dtype=bool)
    found = set()
    for i, j in combinations_with_replacement(range(k), 2):
        if differs[i, j] or joined[i, j] or (i == j and differs[i].sum() < k - 1):
            continue
        group = [i] if i == j else [i, j]
        open_to: NDArray[np.bool_] = ~np.any(differs[group], axis=0)
        open_to[group] = False
        gains = 1 + np.sum(~joined[group], axis=0)
        while open_to.any():
            # The one that joins most pairs which no letter joins yet.
            new = int(np.argmax(np.where(open_to, gains, 0)))
            gains += ~joined[new]
            group.append(new)
            open_to &= ~differs[new]
            open_to[new] = False
        joined[np.ix_(group, group)] = True
        found.add(frozenset(group))
    return found


def groups_by_letter(letters: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the systems that share each of the letters of `compact_letters`."""
    found: dict[str, list[str]] = {}
    for name, text in letters.items():
        for letter in re.findall("[a-zA-Z]'*", text):
            found.setdefault(letter, []).append(name)
    return [tuple(found[letter]) for letter in sorted(found, key=_number)]


def _number(letter: str) -> int:
    """Place of a letter in the order in which they are given."""
    return ascii_letters.index(letter[0]) + 52 * (len(letter) - 1)


def contiguous_groups(order: Sequence[str], differs: ArrayLike) -> list[tuple[str, ...]]:
    """Largest runs of systems, in the order of mean rank, in which no two differ."""
    ends = _run_ends(_checked(order, differs))
    starts = [i for i, end in enumerate(ends) if end - i > 1 and (i == 0 or ends[i - 1] < end)]
    return [tuple(order[i : ends[i]]) for i in starts]


def undrawn_pairs(order: Sequence[str], differs: ArrayLike) -> list[tuple[str, str]]:
    """Pairs that do not differ, though they share no run of `contiguous_groups`."""
    matrix = _checked(order, differs)
    ends = _run_ends(matrix)
    return [
        (order[i], order[j])
        for i, j in combinations(range(len(order)), 2)
        if j >= ends[i] and not matrix[i, j]
    ]


def _run_ends(differs: NDArray[np.bool_]) -> list[int]:
    """Where the run without a difference that begins at each system ends."""
    k = len(differs)
    ends = [k] * (k + 1)
    for i in reversed(range(k)):
        later = np.flatnonzero(differs[i, i + 1 :])
        first = i + 1 + int(later[0]) if later.size else k
        ends[i] = min(first, ends[i + 1])
    return ends[:k]


def _checked(names: Sequence[str], differs: ArrayLike) -> NDArray[np.bool_]:
    matrix = np.asarray(differs)
    if matrix.dtype != bool:
        raise ValueError("differs must hold True and False: compare p-values with alpha first.")
    k = len(names)
    if matrix.shape != (k, k) or np.any(matrix != matrix.T) or matrix.diagonal().any():
        raise ValueError(
            f"differs must be a symmetric matrix for {k} systems, none of which differs from "
            f"itself; it has shape {matrix.shape}."
        )
    if len(set(names)) < k:
        raise ValueError(f"names repeat: {list(names)}.")
    return matrix
