"""What a user can read is plain English: turns that are banned, and what to say instead.

All that a user can see is read: the texts and docstrings of the package, the pages of the
documentation, the README, the examples and the tutorials. Output that a page shows is left out,
because its words are those of the package.
"""

import ast
import re
from pathlib import Path

import pytest

import skstat
from tests.cases import in_one_test

pytestmark = pytest.mark.lint

PACKAGE = Path(skstat.__file__).parent
ROOT = PACKAGE.parent
DOCS = ROOT / "docs"

# A turn, as a regular expression, and what to say instead.
BANNED = {
    r"\bt(old|ell|ells|elling) (\w+ ){0,3}apart\b": "no significant difference between",
    r"(?<![Tt]here )\b(is|are|was|were) no (?!(longer|more|less|better|worse|other|different|"
    r"such|smaller|larger)\b)[a-z]+\b(?! in| for)": "is not a",
    r"\b(is|are) none of\b": "is not one of",
    r"\bnothing else than\b|\bit is nothing but\b": "only",
    r"\b(is|are|was|were) told by\b": "is recognised by",
    r"\blearners? that (select|switch|shrink)s?\b": "unstable learner, regularised learner",
    r"\bscores? in training\b": "training score (optimistic)",
    r"\b(is|are|was|were) measured to \w+": "it rejected ... in simulations",
    r"\bt(ake|akes|aken|aking|ook) (\S+ ){1,6}for (independent|granted|normal|small|true)\b": (
        "treat as, assume"
    ),
    r"\b(is|are) many enough\b": "there are enough ... for",
    r"\b(could|would|can) change places\b": "are exchangeable",
    r"\bfor want of\b": "because ... is missing",
    r"\bjoint law\b": "joint distribution",
    r"\btells? (nothing|little|next to nothing)\b": "says nothing about",
    r"\bhangs? on\b": "depends on",
    r"\band its kin\b": "and related functions",
    r"\bby a hair\b": "slightly",
    r"\bdifferences? that (is|are) not there\b": "a difference that does not exist",
    r"\bto judge (it|them|\w+ \w+) by\b": "to test it against",
    r"\bspeaks? (of|for) (A|B|the|learners|data|two|errors)\b": "is about",
    r"\bthat can be afforded\b": "that you can afford",
    r"\btaken as (it is|they are)\b": "treated as fixed",
    r"\bwho (wins|differs?|is (better|best|worse|A|B)|may be the best)\b": "which system",
    r"\bholds? the truth\b": "contains the truth",
    r"\b(asks?|asked) of (every|each|the|it|them|several)\b": "applied to",
    r"\bpairs nothing\b": "is not paired",
    r"\bsearch(es)? anew\b": "repeats its search",
    r"\bserved to (fit|select)\b": "was used to fit",
    r"\b[Aa]sked in one direction\b": "one-sided",
    r"\brows that look grouped\b": "rows may come in groups",
    r"\bof a metric from 0 to 1\b": "on a scale from 0 to 1",
    r"\bdo(es)? not go with\b": "cannot be combined with",
    r"\b[Ii]t is popular to\b": "a common mistake is to",
    r"\btossed for every row\b": "drawn at random for every row",
    r"\btakes? up where it was\b": "continues where it was",
    r"\bholds? (all )?at once\b": "simultaneous",
    r"\bintervals? holds? (all|the|such|exactly|what)\b": "contains",
    r"\b(scores|results|splits|halves) that exist\b": "that you have",
}


def words_of_python(path):
    """Yield the texts of a program, with a dash for what is filled in."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    joined = [node for node in nodes if isinstance(node, ast.JoinedStr)]
    parts = {id(part) for node in joined for part in node.values}
    for node in joined:
        texts = (part.value if is_text(part) else "—" for part in node.values)
        yield "".join(texts)
    alone = (node for node in nodes if is_text(node) and id(node) not in parts)
    yield from (prose_of(node.value) for node in alone)


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def words_of_script(path):
    """Yield the text of the page that a program makes: its comments, and its constants."""
    lines = path.read_text(encoding="utf-8").splitlines()
    comments = [line[1:].strip() for line in lines if line.startswith("#")]
    yield from "\n".join(comments).split("\n\n")
    yield from words_of_python(path)


def words_of_page(path):
    text = path.read_text(encoding="utf-8")
    fenced = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    yield fenced if path.suffix == ".md" else prose_of(text)


LITERAL = re.compile(r"\s*\.\. (code-block|include|literalinclude)::")


def prose_of(text):
    """Leave out literal blocks, and examples with what they print, up to an empty line."""
    kept, example, literal = [], False, None
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if literal is not None and line.strip() and indent <= literal:
            literal = None
        if LITERAL.match(line):
            literal = indent
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        kept.append("" if example or literal is not None else line)
    return "\n".join(kept)


PAGES = {
    **dict.fromkeys(PACKAGE.rglob("*.py"), words_of_python),
    **dict.fromkeys((ROOT / "examples").glob("*.py"), words_of_script),
    **dict.fromkeys((DOCS / "tutorials").glob("*.py"), words_of_script),
    **dict.fromkeys((DOCS / "questions").glob("*.py"), words_of_script),
    **dict.fromkeys(DOCS.glob("*.rst"), words_of_page),
    **dict.fromkeys((DOCS / "coming_from").glob("*.rst"), words_of_page),
    **dict.fromkeys((DOCS / "development").glob("*.rst"), words_of_page),
    **dict.fromkeys(ROOT.glob("*.md"), words_of_page),
}
# Generated from the texts of the package.
GENERATED = {DOCS / "doubts.rst"}
NAMES = {str(path.relative_to(ROOT)): path for path in sorted(PAGES.keys() - GENERATED)}


def offences(text):
    """Banned turns in a text, with what to say instead."""
    said = " ".join(text.split())
    return [
        f"{said[max(0, found.start() - 40) : found.end() + 30]!r}: say {instead!r}"
        for turn, instead in BANNED.items()
        for found in re.finditer(turn, said)
    ]


@in_one_test("name", NAMES)
def test_no_banned_turn(name):
    path = NAMES[name]
    assert [each for text in PAGES[path](path) for each in offences(text)] == []


TURNS = [
    "The systems were not told apart.",
    "the test finds a difference that is not there",
    "F1 is no mean over rows",
    "'x' is none of the systems ['a', 'b']",
    "the systems could change places on every data set",
    "the rows are many enough for the bootstrap",
    "the test takes overlapping splits for independent",
    "with one tenth for testing it was measured to reject 21 % of true null hypotheses",
    "a small change hangs on the seed",
]
PLAIN = [
    "No significant difference was found between linear and forest.",
    "There is no test of all systems at once.",
    "The training score (optimistic) is 0.97.",
    "'x' is not one of the systems ['a', 'b'].",
    "The smallest difference this design can detect is about 0.22.",
    "An object that cannot be told from others of its kind is refused.",
]


def test_banned_turns_are_found_and_plain_english_is_let_through():
    assert [sentence for sentence in TURNS if len(offences(sentence)) != 1] == []
    assert [sentence for sentence in PLAIN if offences(sentence)] == []


def test_output_that_a_page_shows_is_left_out(tmp_path):
    page = tmp_path / "page.rst"
    shown = ">>> conclude()\nnot told apart\n"
    block = ".. code-block:: text\n\n   told apart"
    page.write_text(f"Prose.\n\n{block}\n\nMore.\n\n{shown}\nEnd.")
    assert "".join(words_of_page(page)).split() == ["Prose.", "More.", "End."]
    readme = tmp_path / "page.md"
    readme.write_text(f"Prose.\n\n```text\n{shown}```\n\nEnd.\n")
    assert "".join(words_of_page(readme)).split() == ["Prose.", "End."]


def test_texts_of_programs_are_read_whole(tmp_path):
    program = tmp_path / "program.py"
    text = '"""Doc."""\nsaid = f"is none of {1} these" "here"\n# A comment\n# on.\n'
    program.write_text(text)
    assert set(words_of_python(program)) == {"Doc.", "is none of — thesehere"}
    assert "A comment\non." in [text.strip() for text in words_of_script(program)]
