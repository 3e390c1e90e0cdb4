"""True and false, which every program writes in its own way: True, true, TRUE, 1."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from skstat._command_line._errors import CommandError
from skstat._command_line._files import Column

_BOOLEANS = {"true": "1", "false": "0"}
Columns = list[Column]


def one_spelling(
    truth: Columns, predictions: Mapping[str, Columns]
) -> tuple[Columns, dict[str, Columns], Mapping[str, str]]:
    """Write true and false in one way, so that equal labels stay equal.

    Parameters
    ----------
    truth : list of Column
        The truth. Nothing changes where it holds anything else than true and false.
    predictions : dict of str to list of Column
        Those of each system.

    Returns
    -------
    truth, predictions
        The same, with 1 and 0 where some system has numbers, else as the truth writes them.
    spelling : dict of str to str
        How the words, in small letters, are written now.
    """
    words = {text.lower() for text in truth[0].texts}
    if len(truth) != 1 or not words <= set(_BOOLEANS):
        return truth, dict(predictions), {}
    vectors = {name: columns[0] for name, columns in predictions.items() if len(columns) == 1}
    for name, column in vectors.items():
        _refuse_other_words(name, column, truth[0])
    if any(column.values is not None for column in vectors.values()):
        spelling = _BOOLEANS
    else:
        every = [truth[0], *vectors.values()]
        texts = dict.fromkeys(text for column in every for text in column.texts)
        first: dict[str, str] = {}
        for text in texts:
            first.setdefault(text.lower(), text)
        spelling = {word: first.get(word, word) for word in _BOOLEANS}
    return (
        _written(truth, spelling),
        {
            name: _written(columns, spelling) if name in vectors else columns
            for name, columns in predictions.items()
        },
        spelling,
    )


def _written(columns: Sequence[Column], spelling: Mapping[str, str]) -> Columns:
    return [
        replace(column, texts=[spelling.get(text.lower(), text) for text in column.texts])
        for column in columns
    ]


def _refuse_other_words(name: str, column: Column, truth: Column) -> None:
    """Refuse labels of which none can be right."""
    if column.values is None and _BOOLEANS.keys().isdisjoint(map(str.lower, column.texts)):
        row = next((place for place, text in enumerate(column.texts) if text), 0)
        raise CommandError(
            f"--predictions {name}: {column.at(row)} is {column.texts[row]!r}, and --y-true "
            f"{truth.source} holds true and false: no prediction could be right. Write both in "
            "the same words."
        )
