"""`escape_controls`: names from files and frames, made safe to print."""


def escape_controls(text: object, keep: str = "") -> str:
    r"""Return text with every non-printable character replaced by its escape in a Python literal.

    A terminal interprets control characters (ESC, C0, C1, DEL), bidirectional marks reorder the text, and line breaks
    in a name can forge a line of output. Printable text is returned unchanged.

    Parameters
    ----------
    text : object
        Text; bytes are decoded as UTF-8, and other objects converted by `str`.
    keep : str
        Characters not to escape, such as ``"\n"`` in text of several lines.

    Examples
    --------
    >>> escape_controls("a\nError: b\x1b[31m"), escape_controls("abc\u202ed"), escape_controls("a\nb", keep="\n")
    ('a\\nError: b\\x1b[31m', 'abc\\u202ed', 'a\nb')
    """
    text = text.decode(errors="replace") if isinstance(text, bytes) else str(text)
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each in keep else ascii(each)[1:-1] for each in text)
