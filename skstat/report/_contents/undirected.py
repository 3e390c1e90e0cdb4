"""Words for values of which nobody knows whether high or low ones are good."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from skstat._names import clip, shown_name
from skstat.report._contents.when_read import WhenRead
from skstat.stats import Reference

Anything = TypeVar("Anything")
# Higher counts as better where nothing else is known.
_WORDS = {
    "better": "higher",
    "worse": "lower",
    "best": "highest",
    "worst": "lowest",
    "wins/ties/losses": "higher/equal/lower",
}
# Fields that say how something looks, in the words of verdicts.
_LOOKS = ("tone", "tones")


def asks_for_direction(metric: str, say: str) -> str:
    """Say that the direction of a metric is not known, and what to pass."""
    return f"Nothing says whether high or low {metric} is good: pass {say}."


def without_winner(said: Anything, names: Iterable[str]) -> Anything:
    """Write "higher" and "lower" in place of "better" and "worse", in all texts of something.

    Parameters
    ----------
    said : str, sequence, mapping or dataclass
        A text, or what holds texts.
    names : iterable of str
        Names of systems, metrics and slices, which stay as they are.

    Returns
    -------
    object
        The same, in other words; keys of mappings, and tones, stay.

    Examples
    --------
    >>> without_winner("new is better than the better one", ["the better one"])
    'new is higher than the better one'
    """
    kept = {each for name in names for each in (name, shown_name(name), clip(name))}
    longest = sorted(kept, key=len, reverse=True)
    known = "|".join(map(re.escape, [*longest, *_WORDS]))
    pattern = re.compile(rf"(?<![\w-])(?:{known}|Better|Worse|Best)(?![\w-])")

    def of_word(found: re.Match[str]) -> str:
        word = found[0]
        if word in kept:
            return word
        return _WORDS[word] if word in _WORDS else _WORDS[word.lower()].capitalize()

    def of_text(text: str) -> str:
        return pattern.sub(of_word, text)

    def of_any(part: Any) -> Any:
        if isinstance(part, str):
            return of_text(part)
        if isinstance(part, Reference):
            return part
        if isinstance(part, Mapping):
            return {key: of_any(value) for key, value in part.items()}
        if is_dataclass(part) and not isinstance(part, type):
            names = [one.name for one in fields(part) if one.init and one.name not in _LOOKS]
            return replace(part, **{name: of_any(getattr(part, name)) for name in names})
        if hasattr(part, "_replace"):  # a named tuple
            names = [name for name in part._fields if name not in _LOOKS]
            return part._replace(**{name: of_any(getattr(part, name)) for name in names})
        if isinstance(part, WhenRead):
            return part.changed(of_any)
        if isinstance(part, list | tuple):
            return type(part)(map(of_any, part))
        return part

    changed: Anything = of_any(said)
    return changed
