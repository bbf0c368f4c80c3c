"""`escape_controls`: names from files and frames, made safe for a terminal, a message and a page."""


def escape_controls(text: object, keep: str = "") -> str:
    r"""Return text with every character that cannot be seen written as an escape.

    A terminal obeys control characters (ESC, C0, C1, DEL), bidirectional marks reorder what is read, and line breaks
    in a name can forge a line of output. All of them, and every other character that is not printable, become
    escapes as in a Python literal. Text that is printable is returned as it is.

    Parameters
    ----------
    text : object
        Text; bytes are decoded as UTF-8; of anything else the `str`.
    keep : str
        Characters that stay, such as ``"\n"`` in text of several lines.

    Examples
    --------
    >>> escape_controls("a\nError: b\x1b[31m"), escape_controls("abc\u202ed"), escape_controls("a\nb", keep="\n")
    ('a\\nError: b\\x1b[31m', 'abc\\u202ed', 'a\nb')
    """
    text = text.decode(errors="replace") if isinstance(text, bytes) else str(text)
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each in keep else ascii(each)[1:-1] for each in text)
