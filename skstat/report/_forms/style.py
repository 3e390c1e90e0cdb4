"""The style sheet of the HTML form, which styles only the classes of skstat."""

from skstat._palette import COLOURS

# Written as § in the rules. The class is doubled for a higher specificity than that of the
# rules by which notebooks style the cells of tables.
_R = ".skstat-report.skstat-report"

# The column of names has the colour of the page, to hide cells that scroll under it. A shadow
# shows that a table continues: its cover moves with the table, and hides it at the end.
# Dark pages are recognised by `color-scheme`, and by the attributes and classes of JupyterLab
# and its exports, VS Code, Colab and Sphinx.
_RULES = """
§{--skstat-page:var(--jp-layout-color0,var(--vscode-editor-background,\
var(--pst-color-background,Canvas)));\
--skstat-shadow:color-mix(in srgb,currentColor 30%,transparent)}
:is([data-jp-theme-light="false"],.vscode-dark,.vscode-high-contrast,html[theme="dark"],\
html[data-theme="dark"]) §{color-scheme:dark}
:is([data-jp-theme-light="true"],.vscode-light,.vscode-high-contrast-light,\
html[theme="light"],html[data-theme="light"]) §{color-scheme:light}
§{overflow-wrap:anywhere;max-width:60em;line-height:1.45}
§ p,§ ul,§ table,§ h4{margin:.5em 0;padding:0}
§ p,§ li,§ summary,§ td,§ th{font-size:inherit}
§ .skstat-header{border-left:.3em solid var(--skstat-tone,currentColor);\
padding:.1em 0 .1em .8em;margin:.3em 0 .8em}
§ .skstat-heading,§ .skstat-quiet{opacity:.75;font-size:.9em}
§ .skstat-heading{margin:0}
§ .skstat-conclusion{font-size:1.1em}
§ .skstat-badges{display:flex;flex-wrap:wrap;gap:.4em}
§ .skstat-badge{border:1.5px solid var(--skstat-tone,currentColor);border-radius:1em;\
padding:0 .7em;font-weight:600;font-size:.9em;\
background:color-mix(in srgb,var(--skstat-tone,currentColor) 16%,transparent)}
§ .skstat-moot .skstat-badge:not(.skstat-invalid){border-style:dashed;background:none}
§ .skstat-doubt{border-left:.2em solid var(--skstat-tone,currentColor);\
padding:.15em .7em;margin:.5em 0;\
background:color-mix(in srgb,var(--skstat-tone,currentColor) 9%,transparent)}
§ .skstat-doubt p{margin:.2em 0}
§ .skstat-list{list-style:none}
§ ul:not(.skstat-list){padding-left:1.4em}
§ .skstat-frame{overflow:auto;width:fit-content;max-width:100%;max-height:34em;\
box-sizing:border-box;background:\
linear-gradient(to left,var(--skstat-page) 40%,transparent) right/3em 100% no-repeat local,\
linear-gradient(to top,var(--skstat-page) 40%,transparent) bottom/100% 3em no-repeat local,\
linear-gradient(to left,var(--skstat-shadow),transparent) right/.6em 100% no-repeat scroll,\
linear-gradient(to top,var(--skstat-shadow),transparent) bottom/100% .6em no-repeat scroll}
§ .skstat-table{border-collapse:collapse;border:none;font-size:inherit;table-layout:auto}
§ .skstat-table caption{text-align:left;font-weight:600;padding:.2em 0;caption-side:top;\
color:inherit}
§ .skstat-table tbody tr{background:none}
§ .skstat-table td,§ .skstat-table th{text-align:left;vertical-align:top;border:none;\
padding:.2em 1em .2em 0;max-width:none;white-space:normal;background:none}
§ .skstat-grid thead th{border-bottom:1px solid currentColor;position:sticky;top:0;\
background:var(--skstat-page)}
§ .skstat-grid thead th:first-child{z-index:1}
§ .skstat-grid tbody tr+tr>*{border-top:1px solid color-mix(in srgb,currentColor 15%,\
transparent)}
§ .skstat-grid td,§ .skstat-grid th{overflow-wrap:normal}
§ .skstat-grid .skstat-number{text-align:right;white-space:nowrap;\
font-variant-numeric:tabular-nums}
§ .skstat-grid .skstat-name{min-width:8em;max-width:20em;overflow-wrap:anywhere}
§ .skstat-grid .skstat-name:first-child{position:sticky;left:0;background:var(--skstat-page)}
§ .skstat-grid .skstat-verdict{color:var(--skstat-tone,inherit);font-weight:600}
§ .skstat-rows th{width:9em;min-width:6em;font-weight:600}
§ details{margin:.5em 0}
§ .skstat-part{margin:1.2em 0}
§ summary{cursor:pointer}
§ summary h4{display:inline;font-weight:600;font-size:1.05em;margin-right:.6em}
§ summary .skstat-badges{display:inline-flex;vertical-align:middle}
§ details>:not(summary){margin-left:1.1em}
§ .skstat-part>:not(summary),§ .skstat-doubt details>:not(summary){margin-left:0}
§ svg{display:block;max-width:100%;height:auto;margin:.6em 0}
§ svg [class]{stroke:var(--skstat-tone);fill:var(--skstat-tone)}
@media (max-width:30em){
§ .skstat-rows th,§ .skstat-rows td{display:block;width:auto}
§ .skstat-rows th{padding-bottom:0}
}
@media print{
§ details:not(.skstat-long)::details-content{content-visibility:visible;\
display:block;height:auto}
§ .skstat-frame{overflow:visible;width:auto;max-height:none;background:none}
§ .skstat-grid thead th{position:static}
§ .skstat-grid .skstat-name{min-width:0;position:static}
§ .skstat-grid{font-size:.85em}
§ .skstat-grid td,§ .skstat-grid th{padding-right:.6em}
§ .skstat-grid:has(th:nth-child(11)) .skstat-number{white-space:normal}
§ tr,§ svg,§ .skstat-doubt,§ .skstat-header{break-inside:avoid}
}
"""


def _tones(look: str) -> str:
    rule = "§ .skstat-{}{{--skstat-tone:{}}}"
    return "".join(rule.format(name, look.format(*pair)) for name, pair in COLOURS.items())


_COLOURS = (
    f"{_tones('{0}')}@supports (color:light-dark(red,red)){{{_tones('light-dark({},{})')}}}"
)
STYLE = f"<style>{_COLOURS}{_RULES}</style>".replace("\n", "").replace("§", _R)
