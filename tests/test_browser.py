"""Pages in a browser: nothing is wider than the window, and all text can be read."""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import skstat

BUILT = Path(__file__).parents[1] / "docs" / "_build" / "html"
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
NARROW, WIDE = 500, 1200
DARK, LIGHT = 0, 1  # as the browser numbers them
pytestmark = [pytest.mark.skipif(BROWSER is None, reason="no browser here"), pytest.mark.long]
LEAST = 4.5  # contrast of text by WCAG 2.1, level AA

# What the page is asked once it is loaded. A colour is drawn to learn its parts, whatever form
# it is written in; where nothing behind a text is opaque, the ground is the browser's own.
PROBE = """<script>addEventListener("load", () => {
  const pen = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const parts = text => {
    pen.clearRect(0, 0, 1, 1); pen.fillStyle = text; pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const light = colour => {
    const [r, g, b] = colour.slice(0, 3).map(part => part / 255).map(
      part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = document.createElement("i");
  ground.style.background = "Canvas";
  document.body.append(ground);
  const behind = node => {
    for (; node; node = node.parentElement) {
      const colour = parts(getComputedStyle(node).backgroundColor);
      if (colour[3] > 252) return colour;
    }
    return parts(getComputedStyle(ground).backgroundColor);
  };
  let least = [99, ""];
  for (const node of document.querySelectorAll("BODY_OF_TEXT")) {
    const own = [...node.childNodes].some(part => part.nodeType === 3 && part.data.trim());
    if (!own || node.closest("svg, script, style") || !node.offsetParent) continue;
    const [a, b] = [light(parts(getComputedStyle(node).color)), light(behind(node))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < least[0]) least = [contrast, node.textContent.trim().slice(0, 40)];
  }
  const folded = [...document.querySelectorAll("details")];
  for (const one of folded) one.querySelector("summary")?.focus();
  const page = document.documentElement;
  page.dataset.found = JSON.stringify({
    wider: page.scrollWidth - page.clientWidth,
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
    contrast: least[0], text: least[1], errors: window.failed,
    by_keyboard: folded.every(one => one.querySelector("summary")?.tabIndex === 0),
  });
})</script>"""
FIRST = """<script>
  window.failed = [];
  addEventListener("error", event => window.failed.push(event.message));
</script>"""


def look_at(page, width, ground, texts="body *"):
    """Load a page, which is changed, and return what the browser found."""
    text = page.read_text(encoding="utf-8")
    page.write_text(FIRST + text + PROBE.replace("BODY_OF_TEXT", texts), encoding="utf-8")
    options = (
        "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},900",
        f"--blink-settings=preferredColorScheme={ground}", "--virtual-time-budget=3000",
    )  # fmt: skip
    shown = subprocess.run(
        [BROWSER, *options, "--dump-dom", page.as_uri()],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    return json.loads(html.unescape(re.search(r'data-found="([^"]*)"', shown.stdout)[1]))


def reports():
    rng = np.random.default_rng(0)
    names = ("forest", "boosting", "a system with quite a long name", "linear")
    scores = {name: rng.normal(0.9 - 0.03 * i, 0.02, 12) for i, name in enumerate(names)}
    two = {name: scores[name] for name in names[:2]}
    return {
        "two": skstat.compare_scores(two, n_train=90, n_test=10, margin=0.01),
        "datasets": skstat.compare_scores(scores, unit="dataset"),
        "rank": skstat.rank_systems(scores, unit="instance", random_state=0),
    }


@pytest.mark.parametrize("ground", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize("kind", ["two", "datasets", "rank"])
def test_a_report_in_a_browser(kind, ground, tmp_path):
    reports()[kind].to_html(tmp_path / "report.html")
    found = look_at(tmp_path / "report.html", NARROW, ground)
    assert found["dark"] == (ground == DARK)
    assert found["wider"] <= 0 and found["by_keyboard"] and found["errors"] == []
    assert found["contrast"] >= LEAST, found["text"]


def test_a_bad_page_is_found_out(tmp_path):
    page = tmp_path / "bad.html"
    page.write_text(
        "<!doctype html><body><p style='width: 900px; color: #999; background: #aaa'>grey</p>"
        "<script>nothing()</script>",
        encoding="utf-8",
    )
    found = look_at(page, NARROW, LIGHT)
    assert found["wider"] > 0 and found["contrast"] < 1.5 and found["text"] == "grey"
    assert len(found["errors"]) == 1


@pytest.mark.skipif(not BUILT.exists(), reason="make docs builds the pages")
@pytest.mark.parametrize("ground", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize("width", [NARROW, WIDE])
@pytest.mark.parametrize(
    "page",
    [
        *("index", "guide", "predictions", "choosing", "calibration"),
        *("gallery/questions/corrected_t_test", "gallery/tutorials/reading_a_report"),
        "api/skstat.compare_estimators",
    ],
)
def test_a_page_of_the_documentation_in_a_browser(page, width, ground):
    there = BUILT / f"{page}.html"
    copy = there.with_name(f"{there.stem}_probed.html")
    shutil.copy(there, copy)
    try:
        found = look_at(copy, width, ground, "article *")
    finally:
        copy.unlink()
    assert found["dark"] == (ground == DARK)
    assert found["wider"] <= 0 and found["errors"] == []
    assert found["contrast"] >= LEAST, found["text"]
