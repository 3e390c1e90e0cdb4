"""The way from the front page to an answer is counted by links and words that are seen."""

import runpy
from pathlib import Path

import pytest

TOOL = runpy.run_path(str(Path(__file__).parents[1] / "tools" / "ways_to_answers.py"))
CALL = "<div><pre><span>import</span> skstat\nskstat.compare_scores(one two three)</pre></div>"


def site(folder, **pages):
    for name, body in pages.items():
        path = folder / f"{name.replace('__', '/')}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        menu = '<nav><a href="gallery/questions/near.html">five words of the menu</a></nav>'
        path.write_text(f"{menu}<article>{body}</article>", encoding="utf-8")
    return folder


def test_a_way_is_counted_by_links_of_the_body(tmp_path):
    built = site(
        tmp_path,
        index='<p>One two <a href="guide.html#part">three</a> four</p>',
        guide='<p>five <br> six</p><a href="gallery/questions/far.html">seven</a>',
        gallery__questions__far=(
            "<h1>Far off<a class='headerlink'>#</a></h1><p>a b</p>"
            f"<pre>pip install it</pre><p>c</p>{CALL}<p>d</p>"
        ),
        gallery__questions__near="<h1>Near</h1><p>no call</p>",
        gallery__questions__index="<h1>All</h1>",
    )
    far, near = TOOL["ways"](built)
    assert far.title == "Far off" and far.pages == ("guide.html", "gallery/questions/far.html")
    assert far.scanned == 2 + 2  # before either link
    assert far.read == 2 + 2 + 1  # title, two paragraphs; code is not read
    assert far.short
    assert near.pages == () and near.read is None and not near.short


def test_a_long_way_is_not_short():
    Way = TOOL["Way"]
    assert Way("", ("a", "b"), 900, 150).short
    assert not Way("", ("a", "b", "c"), 0, 10).short
    assert not Way("", ("a",), 0, 151).short


def test_pages_must_be_built(tmp_path):
    with pytest.raises(SystemExit, match="make docs builds them"):
        list(TOOL["ways"](tmp_path))
