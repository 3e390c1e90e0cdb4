"""Web addresses of the project.

This is the one place of its addresses: tools/release.py writes them here, and from here into
the files that a package index or a web site shows.
"""

# Base address of the documentation. While it is None, reports do not link to pages.
SITE: str | None = None

# The address of the repository.
REPOSITORY: str | None = None


def page_url(page: str, anchor: str) -> str | None:
    """Return the address of a place in the documentation, or None while there is no site."""
    return None if SITE is None else f"{SITE}/{page}.html#{anchor}"
