"""What a page keeps folded: plain HTML ``<details>``, which needs no script, and no width."""

import html
import re

CLOSED = ".. raw:: html\n\n   </details>\n"


def opened(kind: str, summary: str, *, shown_as: str = "") -> str:
    """Begin what is folded under a summary, in which ``code`` may stand.

    Parameters
    ----------
    kind : str
        Its class in the style sheet.
    summary : str
        What is to be seen of it while it is closed.
    shown_as : str, default=""
        Anchor of what is open when the page is loaded. Without one it is closed.
    """
    words = html.escape(summary[0].upper() + summary[1:], quote=False)
    words = re.sub(r"``(.+?)``", r"<code>\1</code>", words)
    state = f' id="{shown_as}" open' if shown_as else ""
    return f'.. raw:: html\n\n   <details class="{kind}"{state}><summary>{words}</summary>\n'
