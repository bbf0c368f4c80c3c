"""Names of columns, classes and models as text in figures."""

from posteriori.messages.escape import escape_controls

#: Largest number of characters of a name on an axis.
ROOM = 32


def plain(name: object, room: int | None = None) -> str:
    r"""Return a name as text to draw: in one line, without mathematical markup, shortened in the middle if it is long.

    Parameters
    ----------
    name : name of a column, a class or a model
    room : largest number of characters, default unlimited

    >>> plain("price in $ or $100"), plain("a very long name of a column", 11)
    ('price in \\$ or \\$100', 'a ver…olumn')
    """
    text = escape_controls(" ".join(str(name).split()))
    if room is not None and len(text) > room:
        text = f"{text[: room // 2]}…{text[len(text) - (room - 1) // 2 :]}"
    if text.startswith("_"):
        text = f" {text}"  # legends ignore names with a leading underscore
    return text.replace("$", r"\$")
