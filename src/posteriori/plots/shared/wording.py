"""Text in figures: names that users gave, as they are and not too long."""

from posteriori.messages.escape import escape_controls

#: Letters of a name that an axis has room for.
ROOM = 32


def plain(name: object, room: int | None = None) -> str:
    r"""Give a name as text to draw: in one line, no part of it read as mathematics, the middle of a long one left out.

    Parameters
    ----------
    name : of a column, a class, a model
    room : the most letters, default as many as there are

    >>> plain("price in $ or $100"), plain("a very long name of a column", 11)
    ('price in \\$ or \\$100', 'a ver…olumn')
    """
    text = escape_controls(" ".join(str(name).split()))
    if room is not None and len(text) > room:
        kept = room - 1
        text = f"{text[: (kept + 1) // 2]}…{text[len(text) - kept // 2 :]}"
    if text.startswith("_"):
        text = f" {text}"  # legends leave out what begins with an underscore
    return text.replace("$", r"\$")
