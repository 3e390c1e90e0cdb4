"""Where the project is on the web, once it is there.

This is the one place of its addresses: tools/release.py writes them here, and from here into
the files that a package index or a web site shows.
"""

# The address that the pages of the documentation are under. While it is None no report links
# to a page.
SITE: str | None = None

# The address of the repository.
REPOSITORY: str | None = None


def page_url(page: str, anchor: str) -> str | None:
    """Return the address of a place in the documentation, or None while there is no site."""
    return None if SITE is None else f"{SITE}/{page}.html#{anchor}"
