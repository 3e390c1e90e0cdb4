"""Names for display: on one line, clipped, without characters that change other text."""

import re
from collections import Counter
from collections.abc import Iterable
from os.path import commonprefix

# Longest name that is shown in full.
LONGEST = 30
# Names that an error lists before it only counts them.
_LISTED = 20
# Bidirectional embeddings, overrides and isolates would reverse the text after a name. Other
# control characters ring, clear or colour a terminal.
_UNSEEN = dict.fromkeys(
    [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]
    + [code for code in (*range(0x20), *range(0x7F, 0xA0)) if not chr(code).isspace()]
)
# Lone surrogates are no characters: files, fonts and terminals refuse them.
_UNSEEN |= dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")
# Commands of build servers: `::error::` at the start of a line, `##vso[...]` anywhere in it.
LOGGING_COMMAND = re.compile(r"##(?=[A-Za-z]*\[)")
_COMMAND = re.compile("((?:^|[\r\v\f\x1c-\x1e\x85\u2028\u2029])[^\\S\n]*)::", re.MULTILINE)


def inert(text: str) -> str:
    """Return a text without characters that reverse other text, or control a terminal."""
    return text.translate(_UNSEEN)


def no_command(text: str) -> str:
    """Return a text without commands of GitHub Actions and Azure Pipelines."""
    if "::" not in text and "##" not in text:
        return text
    return LOGGING_COMMAND.sub("# #", _COMMAND.sub(r"\1: :", text))


def one_line(text: str) -> str:
    """Return a text on one line, with single spaces."""
    return " ".join(text.translate(_UNSEEN).split())


def shown_name(name: str) -> str:
    """Return the name of a system, or words in place of a blank one."""
    if one_line(name):
        return name
    return f"(no name: {len(name)} blank{'s' * (len(name) > 1)})" if name else "(no name)"


def listed(names: Iterable[str]) -> str:
    """Return names as a list in words; of many names only the first.

    Examples
    --------
    >>> listed(["a", "b"])
    'a, b'
    >>> listed(map(str, range(1000)))[-19:]
    '18, 19 and 980 more'
    """
    all_names = list(names)
    n_more = len(all_names) - _LISTED
    return ", ".join(all_names[:_LISTED]) + (f" and {n_more} more" if n_more > 0 else "")


def clip(name: str, limit: int = LONGEST) -> str:
    """Return a name shortened in its middle, since names often differ at the end only."""
    name = one_line(shown_name(name))
    if len(name) <= limit:
        return name
    head = limit // 2
    return f"{name[:head].rstrip()}\N{HORIZONTAL ELLIPSIS}{name[head + 1 - limit :].lstrip()}"


def clip_all(names: Iterable[str], limit: int = LONGEST) -> list[str]:
    """Return shortened names that are still different from each other.

    Where shortened names would be equal, the part after their common beginning is kept.

    Examples
    --------
    >>> clip_all(["llama-3-8b-instruct", "llama-3-70b-instruct", "phi"], 12)
    ['llam\N{HORIZONTAL ELLIPSIS}8b-inst', 'llam…70b-ins', 'phi']
    """
    whole = list(map(one_line, map(shown_name, names)))
    if max(map(len, whole), default=0) <= limit:
        return whole
    short = {name: clip(name, limit) for name in whole}
    shared = Counter(short.values())
    clashing = [name for name in short if shared[short[name]] > 1]
    if clashing:
        n_common = len(commonprefix(clashing))  # noqa: RUF071 - letter by letter is meant
        head, seen = limit // 3, Counter[str]()
        for name in clashing:  # a little of the beginning, and what follows the common part
            start = max(head, min(n_common, len(name) - (limit - head - 1)))
            text = f"{name[:head]}…{name[start:]}"[:limit]
            seen[text] += 1
            mark = f"…({seen[text]})" if seen[text] > 1 else ""  # they differ elsewhere too
            short[name] = text[: limit - len(mark)] + mark
    return [short[name] for name in whole]
