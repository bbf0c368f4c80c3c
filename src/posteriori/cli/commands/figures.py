"""``posteriori figures``."""

from typing import Any

import click

from posteriori.cli.commands.flags import run_flags

FORMATS = ("png", "svg", "pdf")
#: Metadata of each format that would depend on the date or the version of matplotlib.
UNDATED: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def complete_figure(context: click.Context, option: click.Parameter, begun: str) -> list[str]:
    """Return the names of figures that complete a word in the shell."""
    from posteriori.plots.figures import FIGURES

    return [name for name in FIGURES if name.startswith(begun)]


@click.command("figures")
@click.argument("names", nargs=-1, metavar="[NAME]…", shell_complete=complete_figure)
@click.option("--list", "only_list", is_flag=True, help="List the figures, one per line, and draw nothing.")
@click.option("-o", "--output", metavar="FOLDER", help="The folder to draw into; created if it does not exist.")
@click.option("--format", "kind", type=click.Choice(FORMATS), default="png", show_default=True, help="File format.")
@click.option("--dpi", type=click.IntRange(10, 2400), default=150, show_default=True, help="Resolution of PNG files.")
@run_flags("--strict", seed="Seed of the simulated rows.")
def command(names: tuple[str, ...], only_list: bool, output: str | None, **options: Any) -> None:
    """Draw figures of the textbooks, all of them or those named, one file per figure.

    Without -o they are listed. The same seed and version give identical files.

    \b
    posteriori figures --list
    posteriori figures -o pictures
    posteriori figures jordan_7_2 bishop_4_4 -o pictures --format svg
    """  # noqa: D301  click needs the character itself
    from dataclasses import asdict

    from posteriori.cli.failures import print_stderr
    from posteriori.cli.output.json import print_json
    from posteriori.cli.output.screen import lines
    from posteriori.plots.figures.contents import contents

    chosen = _chosen(names, {figure.name: figure for figure in contents()})
    if only_list and output is not None:
        raise click.UsageError("--list draws nothing: leave out --list or -o.")
    if output is None:
        _list(chosen, bool(names), only_list or options["quiet"], options["as_json"])
        return
    _require_matplotlib()
    paths = _targets([figure.name for figure in chosen], output, options["kind"], options["force"])
    for number, (name, path) in enumerate(paths.items(), 1):
        if not options["quiet"]:
            print_stderr(f"{number} of {len(paths)}: {name}")
        draw(name, path, options["kind"], options["dpi"], options["seed"], options["quiet"])
        if not options["as_json"]:
            lines(path)
    if options["as_json"]:
        drawn = [{**asdict(figure), "file": paths[figure.name]} for figure in chosen]
        settings = {"format": options["kind"], "dpi": options["dpi"], "seed": options["seed"]}
        print_json("figures", {"figures": drawn, **settings})


def _chosen(names: tuple[str, ...], figures: dict[str, Any]) -> list[Any]:
    """Return the figures named, once each and in the order of the books; all figures if none is named."""
    from difflib import get_close_matches

    for name in names:
        if name not in figures:
            near = get_close_matches(name, figures, 3, 0.5) or [each for each in figures if each.startswith(name[:4])]
            hint = f" Did you mean {' or '.join(map(repr, near[:3]))}?" if near else ""
            raise click.BadParameter(
                f"there is no figure {name!r}.{hint} See: posteriori figures --list.", param_hint="NAME"
            )
    return [figure for name, figure in figures.items() if not names or name in names]


def _list(chosen: list[Any], some: bool, quiet: bool, as_json: bool) -> None:
    from dataclasses import asdict

    from posteriori.cli.failures import print_stderr
    from posteriori.cli.output.json import print_json
    from posteriori.cli.output.screen import lines

    if as_json:
        print_json("figures", {"figures": [asdict(figure) for figure in chosen]})
        return
    width, citation = max(len(figure.name) for figure in chosen), max(len(figure.citation) for figure in chosen)
    lines(*(f"{figure.name:<{width}}  {figure.citation:<{citation}}  {figure.shows}" for figure in chosen))
    if not quiet:
        named = " ".join(figure.name for figure in chosen) if some else "[NAME]…"
        print_stderr(f"To draw them: posteriori figures {named} -o FOLDER")


def _require_matplotlib() -> None:
    import os

    os.environ["MPLBACKEND"] = "agg"  # files only: needs no display, whatever the environment says
    try:
        import matplotlib as mpl
    except ImportError:
        from posteriori.cli.failures import NotInstalled

        raise NotInstalled("figures need matplotlib: pip install 'posteriori[plot]'.") from None
    mpl.use("agg")


def _targets(names: list[str], folder: str, kind: str, force: bool) -> dict[str, str]:
    """Create the folder and check that every file can be written, before anything is drawn."""
    import errno
    import os

    from posteriori.storage.atomic import check_writable

    if folder == "-":
        raise click.BadParameter("give the name of a folder: figures are written to files.", param_hint="-o")
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise NotADirectoryError(errno.ENOTDIR, "this is a file, not a folder", folder)
    paths = {name: os.path.join(folder, f"{name}.{kind}") for name in names}
    existing = [path for path in paths.values() if os.path.lexists(path)]
    if existing and not force:
        files = "this file exists" if len(existing) == 1 else f"this file and {len(existing) - 1} more exist"
        raise FileExistsError(errno.EEXIST, f"{files}; use --force to overwrite", existing[0])
    os.makedirs(folder, exist_ok=True)
    for path in existing or list(paths.values())[:1]:
        check_writable(path)
    return paths


def draw(name: str, path: str, kind: str, dpi: int, seed: int, quiet: bool) -> None:
    """Draw one figure into a file, which is written completely or not at all."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    from posteriori.cli.output.screen import progress, warnings_as_notes
    from posteriori.plots import figures
    from posteriori.storage.atomic import replacing

    # matplotlib's default style, and reproducible identifiers in SVG files
    with plt.style.context("default"), mpl.rc_context({"svg.hashsalt": name}):
        with warnings_as_notes(quiet), progress(quiet):
            figure = getattr(figures, name)(random_state=seed).figure_
        try:
            with replacing(path) as stream:
                figure.savefig(stream, format=kind, dpi=dpi, metadata=UNDATED[kind])
        finally:
            plt.close(figure)
