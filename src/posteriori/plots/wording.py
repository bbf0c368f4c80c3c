"""Text in figures: names that users gave, as they are and not too long; and lines told apart without colour."""

#: Letters of a name that an axis has room for.
ROOM = 32
#: Lines that tell curves apart where there is no colour and no mark.
DASHES = ("-", "--", ":", "-.")


def plain(name: object, room: int | None = None) -> str:
    r"""Give a name as text to draw: in one line, no part of it read as mathematics, the middle of a long one left out.

    Parameters
    ----------
    name : of a column, a class, a model
    room : the most letters, default as many as there are

    >>> plain("price in $ or $100"), plain("a very long name of a column", 11)
    ('price in \\$ or \\$100', 'a ver…olumn')
    """
    text = " ".join(str(name).split())
    if room is not None and len(text) > room:
        kept = room - 1
        text = f"{text[: (kept + 1) // 2]}…{text[len(text) - kept // 2 :]}"
    if text.startswith("_"):
        text = f" {text}"  # legends leave out what begins with an underscore
    return text.replace("$", r"\$")


def dashes(code: int) -> str:
    """Give the kind of line of a curve by its number.

    >>> dashes(0), dashes(5)
    ('-', '--')
    """
    return DASHES[code % len(DASHES)]
