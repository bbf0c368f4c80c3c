"""Write the page of the figures and its contact sheet: ``python docs/pictures.py``.

The descriptions are the docstrings of the figures (`posteriori.plots.figures.contents`); the sheet shows the output of
``posteriori figures -o FOLDER`` at a small scale.
"""

import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import Any

from posteriori.plots.figures.contents import FigureEntry, contents

PAGE, SHEET = Path(__file__).with_suffix(".md"), Path(__file__).with_suffix(".png")
#: In pixels: width of the sheet, height of a figure on it, height of its name, space between figures.
WIDTH, HEIGHT, NAME, GAP = 1500, 185, 20, 12

HEAD = """# The figures of the books

Each instructive figure of the five chapters is a function of `posteriori.figures`, named after its book and number. It
fits the models to rows generated with a seed, draws them, and returns the Display; its docstring explains the figure.
Nothing is scanned from the books.

```python
import posteriori as pt

display = pt.figures.jordan_7_2()  # or: (ax=my_axes, random_state=1)
display.figure_.savefig("jordan_7_2.svg")
```

```
posteriori figures --list                          # a short version of this page
posteriori figures -o pictures                     # all of them, into files
posteriori figures bishop_4_4 sugiyama_28_6 -o pictures --format pdf --seed 7
```

![All figures](pictures.png)

This page and the image above are written by `python docs/pictures.py`.
"""


def page() -> str:
    """Return the text of the page, one table per book."""
    books = [_table(book, list(pictures)) for book, pictures in groupby(contents(), key=lambda each: each.book)]
    return "\n".join([HEAD, *books])


def _table(book: str, pictures: list[FigureEntry]) -> str:
    rows = [
        f"| {p.number} | `{p.name}` | {_cell(p.shows, 'Draw ')} | {_cell(p.teaches, 'It teaches ')} |" for p in pictures
    ]
    return "\n".join([f"## {book}", "", "| Fig. | name | draws | teaches |", "|---|---|---|---|", *rows, ""])


def _cell(text: str, opening: str) -> str:
    """Format a cell of the table, without the opening that all cells of its column share."""
    return text.removeprefix(opening).replace("\n", " ").replace("|", "\\|")


def sheet(folder: Path) -> Any:
    """Arrange the figures of a folder in rows of equal height, each with its name below."""
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
    """Write both files next to this one."""
    PAGE.write_text(page(), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        run = [sys.executable, "-c", "from posteriori.cli.main import main; main()"]
        subprocess.run(
            [*run, "figures", "-o", folder, "--dpi", "110", "--quiet"], check=True, stdout=subprocess.DEVNULL
        )
        sheet(Path(folder)).save(SHEET, optimize=True)


if __name__ == "__main__":
    main()
