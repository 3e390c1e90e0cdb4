"""Procedures, adjustments and splitters name the works that they go back to."""

import inspect
import re
from typing import get_args, get_type_hints

import numpy as np
import pytest

from skstat import compare_scores, evaluation, stats
from skstat.stats import Reference, adjust_pvalues
from tests.cases import in_one_test

REQUIRED = {
    "article": {"author", "title", "journal", "year", "volume"},
    "book": {"author", "title", "publisher", "year"},
    "incollection": {"author", "title", "booktitle", "publisher", "year", "pages"},
    "inproceedings": {"author", "title", "booktitle", "year", "pages"},
    "misc": {"author", "title", "howpublished", "year"},
    "phdthesis": {"author", "title", "school", "year"},
}
# Describes the seeds one by one by another procedure, and claims nothing.
WITHOUT = {"effect_sizes"}
PROCEDURES = {
    name: getattr(stats, name)
    for name in stats.__all__
    if inspect.isfunction(getattr(stats, name)) and hasattr(getattr(stats, name), "declared")
}


ADJUSTMENTS = get_args(get_type_hints(adjust_pvalues)["method"])
WORKS = {
    work.key: work
    for procedure in PROCEDURES.values()
    for work in procedure.declared.references
}


def parsed(entry):
    """Read one BibTeX entry: kind, key, and fields whose braces are balanced."""
    head = re.match(r"@(\w+)\{([a-z0-9]+),\n", entry)
    assert head and entry.endswith("\n}")
    fields = {}
    for line in entry[head.end() : -2].splitlines():
        name, value = re.fullmatch(r"  (\w+) = \{(.*)\},", line).groups()
        depth = 0
        for mark in re.findall(r"(?<!\\)[{}]", value):
            depth += 1 if mark == "{" else -1
            assert depth >= 0
        assert depth == 0
        fields[name] = value
    return head[1], head[2], fields


def plain(text):
    return re.sub(r"[^a-z0-9]", "", text.casefold())


def cited_in(function_or_class):
    """References of a docstring, each on one line."""
    doc = inspect.getdoc(function_or_class)
    section = re.search(r"\nReferences\n-+\n(.*?)(?=\n\n[A-Z]\w+\n-+|\Z)", doc, re.S)
    if section is None:
        return []
    return [" ".join(part.split()) for part in re.split(r"\.\. \[\d+\] ", section[1])[1:]]


def is_cited(work, lines):
    """Whether a docstring has the work: surnames, year and title, and no other DOI."""
    for line in lines:
        fields = work.fields
        names = (author.partition(",")[0] for author in fields["author"].split(" and "))
        there = all(name in line for name in names) and f"({fields['year']})" in line
        there = there and plain(fields["title"]) in plain(line)
        doi = re.search(r":doi:`(.*?)`", line)
        if there:
            return doi is None or doi[1] == fields.get("doi", "")
    return False


@in_one_test("name", sorted(WORKS))
def test_every_work_has_a_complete_bibtex_entry(name):
    work = WORKS[name]
    kind, key, fields = parsed(work.to_bibtex())
    assert REQUIRED[kind] <= set(fields)
    assert key == work.key and fields.keys() == work.fields.keys()
    assert Reference.from_dict(work.to_dict()) == work


@in_one_test("name", sorted(set(PROCEDURES) - WITHOUT))
def test_every_procedure_declares_works_that_its_docstring_cites(name):
    works = PROCEDURES[name].declared.references
    lines = cited_in(PROCEDURES[name])
    assert works
    assert [work.cited for work in works if not is_cited(work, lines)] == []


def test_procedures_without_works_are_listed_only_where_they_have_none():
    assert not any(PROCEDURES[name].declared.references for name in WITHOUT)


@in_one_test("method", sorted(set(ADJUSTMENTS) - {"bonferroni"}))
def test_every_adjustment_names_its_work(method):
    scores = np.random.default_rng(0).random((8, 3))
    entries = compare_scores(scores, unit="dataset", adjustment=method).to_bibtex()
    titles = re.findall(r"  title = \{(.*)\},", entries)
    assert any(plain(title) in plain(inspect.getdoc(adjust_pvalues)) for title in titles)


def test_splitters_cite_the_works_that_they_declare():
    splitters = [
        value
        for name in evaluation.__all__
        if inspect.isclass(value := getattr(evaluation, name)) and hasattr(value, "references")
    ]
    declaring = [splitter for splitter in splitters if splitter.references]
    assert len(declaring) > 4
    for splitter in declaring:
        assert all(is_cited(work, cited_in(splitter)) for work in splitter.references)


def keys(outcome):
    return {work.key for work in outcome.references}


def test_the_method_decides_where_a_procedure_has_several():
    table = stats.AgreementTable(both=5, only_a=4, only_b=1, neither=3)
    assert "edwards1948note" in keys(stats.mcnemar(table, method="edwards"))
    assert "edwards1948note" not in keys(stats.mcnemar(table))
    rows = stats.PairedScores([3, 4, 5, 4.5], [1, 2, 4, 3], unit="instance")
    assert "pratt1959remarks" in keys(stats.wilcoxon(rows))
    assert "pratt1959remarks" not in keys(stats.wilcoxon(rows, zero_method="wilcox"))
    splits = stats.Scores([0.8, 0.7, 0.9], n_train=20, n_test=10)
    assert keys(stats.corrected_t(splits.against(0.5))) == {"nadeau2003inference"}


def test_a_reference_without_the_least_is_refused():
    fields = {"author": "A, B.", "title": "T", "year": "2000"}
    for lacking in (*fields, "key"):
        lines = [f"  {name} = {{{own}}}," for name, own in fields.items() if name != lacking]
        head = "@article{," if lacking == "key" else "@article{a2000t,"
        with pytest.raises(ValueError, match="at least author, title and year"):
            Reference("\n".join([head, *lines, "}"]))


def test_an_entry_is_read_without_the_marks_of_latex():
    title = r"title = {The {ROC} curve of 50\% \& more}"
    work = Reference(
        f"@misc{{a2001,\n author = {{{{Team A}}}},\n {title},\n year = {{2001}}\n}}"
    )
    assert work.fields["title"] == "The ROC curve of 50% & more"
    assert work.cited == "Team A, 2001" and title in work.to_bibtex()
