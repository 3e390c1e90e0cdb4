"""The net: what a user is told by every public door, recorded, and compared with today's.

``python -m tools.net`` makes the calls of ``cases``, turns what they return into plain data
(``adapter``), and compares it with the record (``store``). Numbers agree to nine digits, drawn
ones within their Monte Carlo error, words exactly (``compare``).
"""
