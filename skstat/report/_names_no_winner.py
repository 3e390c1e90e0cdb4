"""Reports on values of which nobody knows which way is better: they name no winner."""

import re
from collections.abc import Iterable
from typing import Any, TypeVar

from skstat._names import clip, shown_name
from skstat.report._words import asks_for_direction

Anything = TypeVar("Anything")
# Higher counts as better where nothing else is known.
_WORDS = {"better": "higher", "worse": "lower", "best": "highest", "worst": "lowest"}


class NamesNoWinner:
    """What reports say where their ``direction_assumed`` is not empty: higher and lower."""

    @property
    def _words_kept(self: Any) -> tuple[str, ...]:
        """Names that stay as they are, whatever words they hold."""
        return (*self.names, self.metric)

    def _drawn(self: Any, display: Anything) -> Anything:
        """Return a picture, whose texts name no winner where nobody knows who it is."""
        if self.direction_assumed:
            figure: Any = display.figure_  # type: ignore[attr-defined]
            for text in figure.findobj(lambda artist: hasattr(artist, "set_text")):
                text.set_text(without_winner(text.get_text(), self._words_kept))
        return display

    def _refuse_to_choose(self: Any) -> None:
        if self.direction_assumed:
            raise ValueError(
                f"{asks_for_direction(self.metric, self.direction_assumed)} Else there is "
                "nothing to choose by."
            )


def without_winner(said: str, names: Iterable[str]) -> str:
    """Write "higher" and "lower" in place of "better" and "worse".

    Parameters
    ----------
    said : str
        A text of a picture.
    names : iterable of str
        Names of systems, metrics and slices, which stay as they are.

    Returns
    -------
    str
        The same, in other words.

    Examples
    --------
    >>> without_winner("new is better than the better one", ["the better one"])
    'new is higher than the better one'
    """
    kept = {each for name in names for each in (name, shown_name(name), clip(name))}
    known = "|".join(map(re.escape, [*sorted(kept, key=len, reverse=True), *_WORDS]))
    pattern = re.compile(rf"(?<![\w-])(?:{known}|Better|Worse|Best)(?![\w-])")

    def of_word(found: re.Match[str]) -> str:
        word = found[0]
        if word in kept:
            return word
        return _WORDS[word] if word in _WORDS else _WORDS[word.lower()].capitalize()

    return pattern.sub(of_word, said)
