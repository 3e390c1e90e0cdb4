"""What the program does depends on declared facts, never on how a sentence is worded.

A sentence is read where it, or a part of it, is compared, searched, or cut at a word. The
sentences are: the text of an exception; the words that an outcome or a report says about
itself; and the name or module of a function that is somebody else's. To show a sentence,
also its first line only, is not to read it, and neither is to assert something of it.
"""

import ast
import inspect
from pathlib import Path

import pytest

import skstat
from skstat import stats
from tests.cases import in_one_test

pytestmark = pytest.mark.lint

ROOT = Path(skstat.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))


def returns(function, kind):
    result = inspect.signature(function).return_annotation
    return inspect.isclass(result) and issubclass(result, kind)


# Attributes that hold prose, as keys of a report's dictionary also.
SENTENCES = {"estimand", "null_hypothesis", "assumptions", "message", "advice", "procedure"}
# Holds prose in outcomes; in a caller's arguments it is what the caller wrote.
OF_OUTCOMES = {"test"}
ARGUMENTS = {"self", "arguments", "args", "options", "given", "request"}
# Variables that hold procedures, whose name and module say nothing that they do not declare.
PROCEDURE = {"procedure", "test", "omnibus", "post_hoc", "asked"}
STRING_METHODS = {
    "startswith", "endswith", "partition", "rpartition", "split", "rsplit", "find", "rfind",
    "index", "count", "removeprefix", "removesuffix",
}  # fmt: skip
KEEP_WORDS = {"lower", "upper", "strip", "rstrip", "lstrip", "casefold", "join", "replace"}
PROCEDURES = {
    name
    for name in stats.__all__
    if inspect.isfunction(getattr(stats, name)) and returns(getattr(stats, name), stats.Outcome)
}


def readings(source):
    """Return the lines on which a sentence is read."""
    tree = ast.parse(source)
    asserted = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
        for inner in ast.walk(node)
    }
    found = set()
    for scope in scopes(tree):
        said = sentences_in(scope)
        found |= {node.lineno for node in scope if node not in asserted and reads(node, said)}
    return sorted(found)


def scopes(tree):
    """Yield the nodes of every function, and those outside of all functions."""
    functions = [list(ast.walk(n)) for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    inside = {node for nodes in functions for node in nodes}
    yield from functions
    yield [node for node in ast.walk(tree) if node not in inside]


def sentences_in(scope):
    """Return the variables of a scope that hold exceptions, and those that hold sentences."""
    errors = {node.name for node in scope if isinstance(node, ast.ExceptHandler) and node.name}
    said = set()
    while True:
        more = {
            name.id
            for target, value in bound(scope)
            if is_sentence(value, (errors, said)) and not is_module(value)
            for name in ast.walk(target)
            if isinstance(name, ast.Name)
        }
        if more <= said:
            return errors, said
        said |= more


def bound(scope):
    """Pairs of what is bound and to what: assignments, and the variables of loops."""
    for node in scope:
        if isinstance(node, ast.Assign):
            yield from ((target, node.value) for target in node.targets)
        elif isinstance(node, ast.NamedExpr) or (
            isinstance(node, ast.AnnAssign) and node.value
        ):
            yield node.target, node.value
        elif isinstance(node, ast.For | ast.comprehension):
            yield node.target, node.iter


def is_sentence(node, known):
    """Whether an expression is a sentence, or is made of one."""
    errors, said = known
    match node:
        case ast.Name(id=name):
            return name in said
        case ast.Attribute(attr="args", value=ast.Name(id=name)):
            return name in errors
        case ast.Attribute(attr=attr, value=owner):
            of_argument = isinstance(owner, ast.Name) and owner.id in ARGUMENTS
            return (
                attr in SENTENCES
                or (attr in OF_OUTCOMES and not of_argument)
                or (attr == "__name__" and is_procedure(owner))
                or is_module(node)
            )
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=attr), *_]):
            named = attr == "__name__" and is_procedure(owner)
            return attr in SENTENCES | OF_OUTCOMES or named or is_module(node)
        case ast.Call(func=ast.Name(id="str" | "repr"), args=[what]):
            return is_error(what, errors) or is_sentence(what, known)
        case ast.Call(func=ast.Attribute(attr=method, value=owner)):
            return method in KEEP_WORDS | STRING_METHODS and is_sentence(owner, known)
        case ast.Subscript(value=owner, slice=ast.Constant(value=str(key))):
            return key in SENTENCES | OF_OUTCOMES
        case ast.Subscript(value=owner):
            return is_sentence(owner, known)
        case ast.JoinedStr(values=parts):
            return any(
                is_error(part.value, errors) or is_sentence(part.value, known)
                for part in parts
                if isinstance(part, ast.FormattedValue)
            )
        case ast.BinOp(left=left, right=right):
            return is_sentence(left, known) or is_sentence(right, known)
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            return any(is_sentence(element, known) for element in elements)
        case (
            ast.ListComp(elt=element) | ast.SetComp(elt=element) | ast.GeneratorExp(elt=element)
        ):
            return is_sentence(element, known)
    return False


def is_error(node, errors):
    return isinstance(node, ast.Name) and node.id in errors


def is_procedure(node):
    return isinstance(node, ast.Name) and node.id in PROCEDURE


def is_module(node):
    """Whether it is where an object comes from; that of its class is part of a name."""
    match node:
        case ast.Attribute(attr="__module__", value=owner):
            pass
        case ast.Call(
            func=ast.Name(id="getattr"), args=[owner, ast.Constant("__module__"), *_]
        ):
            pass
        case _:
            return False
    return not (isinstance(owner, ast.Call) and getattr(owner.func, "id", "") == "type")


def has_word(node):
    """Whether an argument is, or may be, a word: anything but punctuation."""
    return not isinstance(node, ast.Constant) or any(map(str.isalpha, str(node.value)))


def reads(node, known):
    """Whether an expression reads a sentence."""
    match node:
        case ast.Compare(left=left, comparators=others):
            sides = [left, *others]
            told = [side for side in sides if is_sentence(side, known)]
            # Two sentences may be the same one.
            return 0 < len(told) < len(sides) and all(
                has_word(side) for side in sides if side not in told
            )
        case ast.Call(func=ast.Attribute(attr=method, value=owner), args=args):
            if method in STRING_METHODS and is_sentence(owner, known):
                return any(map(has_word, args))
            looked_up = isinstance(owner, ast.Name) and owner.id in ("re", "_RE")
            return (looked_up or method == "get") and any(is_sentence(a, known) for a in args)
        case ast.Match() if hasattr(node, "subject"):
            return is_sentence(node.subject, known)
        case ast.Subscript(slice=key):
            return not isinstance(key, ast.Constant) and is_sentence(key, known)
    return False


def name_lists(source):
    """Return the lines of collections that hold the names of several procedures."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Dict(keys=entries) | ast.Tuple(elts=entries) | ast.List(elts=entries):
                pass
            case ast.Set(elts=entries):
                pass
            case _:
                continue
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
    "if not getattr(procedure, '__module__', '').startswith('skstat.'): pass",
    "names = [k for k in kinds if not k.__module__.startswith('skstat.')]",
    "if procedure.__name__ == 'sign': pass",
    "hint = HINTS.get(getattr(procedure, '__name__', ''), '')",
    "hint = HINTS[procedure.__name__]",
    "if case.design.procedure not in FOR_INDEPENDENT_ROWS: pass",
    "if case.design.procedure != 'five_by_two_t': pass",
    # what an outcome says of itself
    "compared = report.estimand.partition(' of ')[0]",
    "words = report.pairwise.outcomes[0].estimand.partition(' of ')[0]",
    "compared = case.estimand\nif 'mean' in compared: pass",
    "tests = (case.omnibus.test, case.pairwise.test)\n"
    "by_size = [test for test in tests if any(word in test.lower() for word in BY_SIZE)]",
    "x = 'wilcoxon' in case.pairwise.test.lower()",
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
    "FOR_SPLITS = ('bouckaert_t', 'corrected_t')",
    "CV_FOR = {'bouckaert_t': ' Pass cv=...', 'projection_t': ' Leave cv out.'}",
]


@in_one_test("source", OLD)
def test_the_rule_sees_a_sentence_that_is_read(source):
    assert readings(source)


@in_one_test("source", SHOWN)
def test_the_rule_lets_sentences_be_shown(source):
    assert not readings(source)


@pytest.mark.parametrize("source", OLD_LISTS)
def test_the_rule_sees_lists_of_procedures(source):
    assert name_lists(source)


def test_no_sentence_is_read():
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in FILES
        for line in readings(path.read_text(encoding="utf-8"))
    ]
    assert not found


def test_no_list_of_procedures_is_kept():
    """What must be known of a procedure is declared by it; packages list what they export."""
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in FILES
        if path.name != "__init__.py"
        for line in name_lists(path.read_text(encoding="utf-8"))
    ]
    assert not found
