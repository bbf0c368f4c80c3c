"""``posteriori figures``."""

from typing import Any

import click

from posteriori.cli.commands.flags import debug_flag, force_flag, json_flag, quiet_flag, seed_range, spare_flags

FORMATS = ("png", "svg", "pdf")
#: What each format would otherwise say of the day and the program that drew it.
UNDATED: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def complete_figure(context: click.Context, option: click.Parameter, begun: str) -> list[str]:
    """Offer the names of figures for completion in the shell."""
    from posteriori.plots.figures import FIGURES

    return [name for name in FIGURES if name.startswith(begun)]


@click.command("figures")
@click.argument("names", nargs=-1, metavar="[NAME]…", shell_complete=complete_figure)
@click.option("--list", "only_list", is_flag=True, help="Say what there is, a line a figure, and draw nothing.")
@click.option("-o", "--output", metavar="FOLDER", help="The folder to draw into; made where it is not there.")
@click.option("--format", "kind", type=click.Choice(FORMATS), default="png", show_default=True, help="Of the files.")
@click.option("--dpi", type=click.IntRange(10, 2400), default=150, show_default=True, help="Dots per inch.")
@click.option("--seed", type=seed_range, default=0, show_default=True, help="Seed of the rows drawn.")
@json_flag
@quiet_flag
@force_flag
@spare_flags("--strict")
@debug_flag
def command(names: tuple[str, ...], only_list: bool, output: str | None, **options: Any) -> None:
    """Draw the books' pictures, all of them or those named, each into a file of its name.

    Without -o they are listed. The same seed and version give the same bytes.

    \b
    posteriori figures --list
    posteriori figures -o pictures
    posteriori figures jordan_7_2 bishop_4_4 -o pictures --format svg
    """  # noqa: D301  click looks for the character itself
    from posteriori.cli.failures import say
    from posteriori.cli.output.screen import lines
    from posteriori.plots.figures.contents import contents

    chosen = _chosen(names, {picture.name: picture for picture in contents()})
    if only_list and output is not None:
        raise click.UsageError("--list draws nothing: leave it out, or -o.")
    if output is None:
        _list(chosen, bool(names), only_list or options["quiet"], options["as_json"])
        return
    _require_matplotlib()
    paths = _targets([picture.name for picture in chosen], output, options["kind"], options["force"])
    for number, (name, path) in enumerate(paths.items(), 1):
        if not options["quiet"]:
            say(f"{number} of {len(paths)}: {name}")
        draw(name, path, options["kind"], options["dpi"], options["seed"], options["quiet"])
        if not options["as_json"]:
            lines(path)
    if options["as_json"]:
        _print_json(chosen, paths, options)


def _chosen(names: tuple[str, ...], pictures: dict[str, Any]) -> list[Any]:
    """Give the figures named, each once and in the order of the books; all where none is named."""
    from difflib import get_close_matches

    for name in names:
        if name not in pictures:
            near = get_close_matches(name, pictures, 3, 0.5) or [each for each in pictures if each.startswith(name[:4])]
            hint = f" Did you mean {' or '.join(map(repr, near[:3]))}?" if near else ""
            raise click.BadParameter(
                f"there is no figure {name!r}.{hint} See: posteriori figures --list.", param_hint="NAME"
            )
    return [picture for name, picture in pictures.items() if not names or name in names]


def _list(chosen: list[Any], some: bool, bare: bool, as_json: bool) -> None:
    from dataclasses import asdict

    from posteriori.cli.failures import say
    from posteriori.cli.output.json import print_json
    from posteriori.cli.output.screen import lines

    if as_json:
        print_json("figures", {"figures": [asdict(picture) for picture in chosen]})
        return
    wide, far = max(len(p.name) for p in chosen), max(len(p.citation) for p in chosen)
    lines(*(f"{p.name:<{wide}}  {p.citation:<{far}}  {p.shows}" for p in chosen))
    if not bare:
        named = " ".join(p.name for p in chosen) if some else "[NAME]…"
        say(f"To draw them: posteriori figures {named} -o FOLDER")


def _require_matplotlib() -> None:
    import os

    os.environ["MPLBACKEND"] = "agg"  # files only: no screen is needed, whatever the environment says
    try:
        import matplotlib as mpl
    except ImportError:
        from posteriori.cli.failures import NotInstalled

        raise NotInstalled("figures need matplotlib: pip install 'posteriori[plot]'.") from None
    mpl.use("agg")


def _targets(names: list[str], folder: str, kind: str, force: bool) -> dict[str, str]:
    """Make the folder, and sure that every file can be written, before anything is drawn."""
    import errno
    import os

    from posteriori.storage.atomic import check_writable

    if folder == "-":
        raise click.BadParameter("give the name of a folder: pictures are files.", param_hint="-o")
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise NotADirectoryError(errno.ENOTDIR, "this is a file, not a folder", folder)
    paths = {name: os.path.join(folder, f"{name}.{kind}") for name in names}
    there = [path for path in paths.values() if os.path.lexists(path)]
    if there and not force:
        told = "this file exists" if len(there) == 1 else f"this file and {len(there) - 1} more exist"
        raise FileExistsError(errno.EEXIST, f"{told}; give --force to replace what is there", there[0])
    os.makedirs(folder, exist_ok=True)
    for path in there or list(paths.values())[:1]:
        check_writable(path)
    return paths


def draw(name: str, path: str, kind: str, dpi: int, seed: int, quiet: bool) -> None:
    """Draw one figure into a file, which is there whole or not at all."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    from posteriori.cli.output.screen import progress, worded_notes
    from posteriori.plots import figures
    from posteriori.storage.atomic import replacing

    # the program's own style, and numbers for parts of an SVG that are not random
    with plt.style.context("default"), mpl.rc_context({"svg.hashsalt": name}):
        with worded_notes(quiet), progress(quiet):
            figure = getattr(figures, name)(random_state=seed).figure_
        try:
            with replacing(path) as stream:
                figure.savefig(stream, format=kind, dpi=dpi, metadata=UNDATED[kind])
        finally:
            plt.close(figure)


def _print_json(chosen: list[Any], paths: dict[str, str], options: dict[str, Any]) -> None:
    from dataclasses import asdict

    from posteriori.cli.output.json import print_json

    drawn = [{**asdict(picture), "file": paths[picture.name]} for picture in chosen]
    print_json("figures", {"figures": drawn, "format": options["kind"], "dpi": options["dpi"], "seed": options["seed"]})
