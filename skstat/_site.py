"""Where the documentation is on the web, once it is there."""

# The address that its pages are under. While it is None no report links to a page.
SITE: str | None = None


def page_url(page: str, anchor: str) -> str | None:
    """Return the address of a place in the documentation, or None while there is no site."""
    return None if SITE is None else f"{SITE}/{page}.html#{anchor}"
