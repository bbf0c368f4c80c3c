"""Write the page of the books' pictures and its contact sheet: ``python docs/pictures.py``.

The words are those of the figures' docstrings (`posteriori.plots.figures.contents`), the sheet is what
``posteriori figures -o FOLDER`` draws, made small.
"""

import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import Any

from posteriori.plots.figures.contents import Picture, contents

PAGE, SHEET = Path(__file__).with_suffix(".md"), Path(__file__).with_suffix(".png")
#: Pixels: width of the sheet, height of a picture on it, room for its name, space between pictures.
WIDTH, HEIGHT, NAME, GAP = 1500, 185, 20, 12

HEAD = """# The books' pictures

Every figure of the five chapters that teaches something is a function of `posteriori.figures`, named after its book and
number. It fits the models that it speaks of, to rows drawn with a seed, and gives back the Display it drew; its
docstring says what there is to see. Nothing is scanned.

```python
import posteriori as pt

display = pt.figures.jordan_7_2()  # or: (ax=my_axes, random_state=1)
display.figure_.savefig("jordan_7_2.svg")
```

```
posteriori figures --list                          # this page, in short
posteriori figures -o pictures                     # all of them, as files
posteriori figures bishop_4_4 sugiyama_28_6 -o pictures --format pdf --seed 7
```

![The pictures, made small](pictures.png)

This page and the sheet above are written by `python docs/pictures.py`.
"""


def page() -> str:
    """Give the text of the page: a table for each book."""
    books = [_table(book, list(pictures)) for book, pictures in groupby(contents(), key=lambda each: each.book)]
    return "\n".join([HEAD, *books])


def _table(book: str, pictures: list[Picture]) -> str:
    rows = [
        f"| {p.number} | `{p.name}` | {_cell(p.shows, 'Draw ')} | {_cell(p.teaches, 'It teaches ')} |" for p in pictures
    ]
    return "\n".join([f"## {book}", "", "| Fig. | name | draws | teaches |", "|---|---|---|---|", *rows, ""])


def _cell(text: str, opening: str) -> str:
    """Word a cell of the table, without the opening that all of its column share."""
    return text.removeprefix(opening).replace("\n", " ").replace("|", "\\|")


def sheet(folder: Path) -> Any:
    """Lay the pictures of a folder out in lines of one height, each with its name below."""
    from PIL import Image, ImageDraw, ImageFont

    pictures = [(p.name, Image.open(folder / f"{p.name}.png").convert("RGB")) for p in contents()]
    small = [
        (name, each.resize((each.width * HEIGHT // each.height, HEIGHT), Image.LANCZOS)) for name, each in pictures
    ]
    places, x, y = [], GAP, GAP
    for _, each in small:
        if x + each.width + GAP > WIDTH:
            x, y = GAP, y + HEIGHT + NAME + GAP
        places.append((x, y))
        x += each.width + GAP
    whole = Image.new("RGB", (WIDTH, y + HEIGHT + NAME + GAP), "white")
    pen, font = ImageDraw.Draw(whole), ImageFont.load_default(13)
    for (name, each), (x, y) in zip(small, places, strict=True):
        whole.paste(each, (x, y))
        pen.text((x + each.width // 2, y + HEIGHT + NAME // 2), name, fill="#333333", font=font, anchor="mm")
    return whole.quantize(128, dither=Image.Dither.NONE)


def main() -> None:
    """Write both files beside this one."""
    PAGE.write_text(page(), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        run = [sys.executable, "-c", "from posteriori.cli.main import main; main()"]
        subprocess.run(
            [*run, "figures", "-o", folder, "--dpi", "110", "--quiet"], check=True, stdout=subprocess.DEVNULL
        )
        sheet(Path(folder)).save(SHEET, optimize=True)


if __name__ == "__main__":
    main()
