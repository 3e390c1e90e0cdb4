"""What the program does depends on declared facts, never on how a sentence is worded.

A sentence is read where it, or a part of it, is compared, searched, or cut at a word. The
sentences are: the text of an exception; the words that an outcome or a report says about
itself; and the name or module of a function that is somebody else's. To show a sentence,
also its first line only, is not to read it, and neither is to assert something of it.
"""

import ast
import inspect
import re
from pathlib import Path

import pytest

import skstat
from skstat import stats

pytestmark = pytest.mark.lint

ROOT = Path(skstat.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))


_FUNCTIONS = inspect.getmembers(stats, inspect.isfunction)
RETURNED = {name: inspect.signature(one).return_annotation for name, one in _FUNCTIONS}
_CLASSES = {name: kind for name, kind in RETURNED.items() if inspect.isclass(kind)}
PROCEDURES = {name for name, kind in _CLASSES.items() if issubclass(kind, stats.Comparison)}
# Variables that hold procedures, whose name and module say nothing that they do not declare.
PROCEDURE = "(procedure|test|omnibus|post_hoc|asked)"
# Attributes that hold prose; "test" does in outcomes, not in what a caller wrote.
PROSE = "(estimand|null_hypothesis|assumptions|message|advice|procedure)"
WRITTEN = "(self|arguments|args|options|given|request|question)"
# Expressions that are sentences; an error stands as @error, a variable that holds one as @said.
SENTENCE = re.compile(
    rf"@said|(str|repr)\(@error\)|@error\.args|f'.*{{@error}}.*'|.*\.{PROSE}"
    rf"|(?!{WRITTEN}\.)[\w.\[\]]+\.test|.*\['({PROSE}|test)'\]"
    rf"|{PROCEDURE}\.__name__|getattr\({PROCEDURE}, '__name__'.*\)"
    r"|(?!type\()\w+\.__module__|getattr\(\w+, '__module__'.*\)"
)
CHANGE = re.compile(r"(\.(lower|upper|r?strip|casefold|partition|r?split)\(.*?\)|\[[-\d]+\])+$")
STRING_METHODS = re.compile("(starts|ends)with|r?partition|r?split|r?find|index|count|remove.*")


def is_sentence(node, errors=(), said=()):
    """Whether an expression is a sentence, or is made of one."""
    if isinstance(node, ast.Tuple | ast.List):
        return any(is_sentence(each, errors, said) for each in node.elts)
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return is_sentence(node.elt, errors, said)
    text = CHANGE.sub("", ast.unparse(node))
    for names, word in ((errors, "@error"), (said, "@said")):
        text = re.sub(rf"\b({'|'.join(names) or '(?!)'})\b", word, text)
    return bool(SENTENCE.fullmatch(text))


def has_word(node):
    """Whether an argument is, or may be, a word: anything but punctuation."""
    return not isinstance(node, ast.Constant) or any(map(str.isalpha, str(node.value)))


def reads(node, is_told):
    """Whether an expression reads a sentence."""
    match node:
        case ast.Compare(left=left, comparators=others):
            rest = [side for side in (left, *others) if not is_told(side)]
            # Two sentences may be the same one.
            return 0 < len(rest) <= len(others) and all(map(has_word, rest))
        case ast.Call(func=ast.Attribute(attr=method, value=owner), args=args):
            if STRING_METHODS.fullmatch(method) and is_told(owner):
                return any(map(has_word, args))
            looks_up = method == "get" or ast.unparse(owner) in ("re", "_RE")
            return looks_up and any(map(is_told, args))
        case ast.Match(subject=subject):
            return is_told(subject)
        case ast.Subscript(slice=key):
            return not isinstance(key, ast.Constant) and is_told(key)
    return False


def readings(source):
    """Return the lines on which a sentence is read."""
    tree = ast.parse(source)
    asserts = (node for node in ast.walk(tree) if isinstance(node, ast.Assert))
    asserted = {inner for node in asserts for inner in ast.walk(node)}
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    found = set()
    for scope in functions or [tree]:
        nodes = list(ast.walk(scope))
        errors = {n.name for n in nodes if isinstance(n, ast.ExceptHandler) and n.name}
        assigns = [n for n in nodes if isinstance(n, ast.Assign)]
        loops = [n for n in nodes if isinstance(n, ast.For | ast.comprehension)]
        bound = [(target, n.value) for n in assigns for target in n.targets]
        bound += [(n.target, n.iter) for n in loops]
        said = set()
        for _ in range(2):  # a name of a sentence, and what is made of that
            said |= {
                target.id
                for target, value in bound
                if isinstance(target, ast.Name)
                and is_sentence(value, errors, said)
                and "__module__" not in ast.unparse(value)
            }

        def is_told(node, errors=errors, said=said):
            return is_sentence(node, errors, said)

        found |= {n.lineno for n in nodes if n not in asserted and reads(n, is_told)}
    return sorted(found)


def name_lists(source):
    """Return the lines of collections that hold the names of several procedures."""
    found = []
    for node in ast.walk(ast.parse(source)):
        entries = getattr(node, "keys" if isinstance(node, ast.Dict) else "elts", [])
        names = {entry.value for entry in entries if isinstance(entry, ast.Constant)}
        if len(names & PROCEDURES) > 1:
            found.append(node.lineno)
    return found


OLD = [
    # conditions on the text of an exception
    "def f():\n try: g()\n except E as e:\n  return 'does not fit' not in str(e)",
    "def f():\n try: g()\n except ValueError as e:\n  if 'alternative' in str(e):\n   raise",
    "def f():\n try: g()\n except E as e:\n  by = 'group' in f'{type(s).__name__} {e}'.lower()",
    "def f():\n try: g()\n except E as e:\n  if e.args[0] == 'too few':\n   raise",
    "def f():\n try: g()\n except E as e:\n  text = str(e)\n  return text.startswith('too')",
    "def f():\n try: g()\n except E as e:\n  return re.search('too few', str(e))",
    "def f():\n try: g()\n except E as e:\n  return str(e).partition(' of ')[0]",
    # the module or name of a function
    "if not getattr(procedure, '__module__', '').startswith('skstat.stats'): pass",
    "names = [k for k in kinds if not k.__module__.startswith('skstat.')]",
    "if procedure.__name__ == 'sign': pass",
    "hint = HINTS.get(getattr(procedure, '__name__', ''), '')",
    "hint = HINTS[procedure.__name__]",
    "if case.design.procedure not in FOR_INDEPENDENT_ROWS: pass",
    # what an outcome says of itself
    "compared = report.estimand.partition(' of ')[0]",
    "compared = case.estimand\nif 'mean' in compared: pass",
    "tests = (case.omnibus.test, case.pairwise.test)\n"
    "by_size = [test for test in tests if any(word in test.lower() for word in BY_SIZE)]",
    "if 'mean' in outcome.null_hypothesis: pass",
    "if part['test'] == 'sign test': pass",
    "match outcome.test:\n case 'sign test': pass",
]
SHOWN = [
    "def f():\n try: g()\n except E as e:\n  raise E(str(e).partition('\\n')[0]) from e",
    "def f():\n try: g()\n except E as e:\n  assert 'alternative' in str(e)",
    "text = f'{outcome.test}: {outcome.estimand}'",
    "same = a.test == b.test",
    "if arguments.test == 'auto': pass",
    "if type(step).__name__ == 'Pipeline': pass",
    "row = {'test': part['test']}",
]
OLD_LISTS = [
    "FOR_INDEPENDENT_ROWS = ('paired_t', 'sign_flip', 'sign', 'wilcoxon', 'cost')",
    "CV_FOR = {'corrected_t': ' Pass cv=...', 'projection_t': ' Leave cv out.'}",
]


def test_the_rules_see_what_is_read_and_not_what_is_shown():
    assert [source for source in OLD if not readings(source)] == []
    assert [source for source in SHOWN if readings(source)] == []
    assert [source for source in OLD_LISTS if not name_lists(source)] == []


def test_no_sentence_is_read_and_no_list_of_procedures_is_kept():
    sources = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in FILES}
    read = {path: readings(text) for path, text in sources.items()}
    assert {path: lines for path, lines in read.items() if lines} == {}
    kept = {path: name_lists(text) for path, text in sources.items()}
    faces = {path for path in kept if path.name == "__init__.py"}
    assert {path: lines for path, lines in kept.items() if lines and path not in faces} == {}
