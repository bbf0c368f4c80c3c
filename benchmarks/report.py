"""The results of a run: a table on the screen, JSON and Markdown in ``benchmarks/results``."""

import json
import sys
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.job import Limit
from benchmarks.machine import machine, versions
from benchmarks.race import Result

FOLDER = Path(__file__).parent / "results"
RACE_TITLES = ("job", "rows", "peer", "ours, s", "peer, s", "ratio", "floor", "aim", "mark", "result")
LIMIT_TITLES = ("job", "what", "rows", "found", "limit", "mark")
STYLES = {
    "pass": "green",
    "scaled": "dim",
    "on record": "dim",
    "short of aim": "yellow",
    "FAIL": "bold red",
    "does not count": "bold red",
}


@dataclass(frozen=True)
class Reading:
    """One measured `Limit`."""

    job: str
    title: str
    rows: int
    found: float
    limit: float | None
    unit: str

    @property
    def mark(self) -> str:
        """Pass or fail; a limit grows with the rows, so it holds at any scale."""
        if self.limit is None:
            return "on record"
        return "pass" if self.found <= self.limit else "FAIL"


def reading_of(limit: Limit, rows: int) -> Reading:
    """Measure a limit."""
    found, most = limit.measure(rows)
    return Reading(limit.name, limit.title, rows, found, most, limit.unit)


def race_cells(result: Result) -> tuple[str, ...]:
    return (
        result.job,
        f"{result.rows:,}",
        result.peer,
        f"{result.ours:.4g}",
        f"{result.theirs:.4g}",
        f"{result.ratio:.1f}",
        "" if result.floor is None else f"{result.floor:g}",
        "" if result.aim is None else f"{result.aim:g}",
        result.mark,
        result.verdict.note,
    )


def limit_cells(reading: Reading) -> tuple[str, ...]:
    unit = reading.unit
    limit = "" if reading.limit is None else f"{reading.limit:.3g} {unit}"
    amounts = (f"{reading.found:.3g} {unit}", limit)
    return (reading.job, reading.title, f"{reading.rows:,}" if reading.rows else "", *amounts, reading.mark)


def show(results: list[Result], readings: list[Reading]) -> None:
    """Print both tables."""
    console = Console() if sys.stdout.isatty() else Console(width=160)
    tables = (
        ("Limits", LIMIT_TITLES, [limit_cells(reading) for reading in readings]),
        ("Ratios: the peer's time over ours", RACE_TITLES, [race_cells(result) for result in results]),
    )
    for title, titles, lines in tables:
        if lines:
            console.print(_grid(title, titles, lines))


def _grid(title: str, titles: tuple[str, ...], lines: list[tuple[str, ...]]) -> Table:
    table = Table(title=title, title_justify="left")
    for name in titles:
        numeric = name in ("rows", "ours, s", "peer, s", "ratio", "floor", "aim", "found", "limit")
        table.add_column(name, justify="right" if numeric else "left", no_wrap=numeric)
    mark = titles.index("mark")
    for cells in lines:
        styled = [f"[{STYLES[c]}]{c}[/]" if i == mark else c for i, c in enumerate(cells)]
        table.add_row(*styled)
    return table


class Record:
    """What a run has found so far, written anew after every job: an interrupted run keeps what it has."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.started = datetime.now(UTC)
        self.settings, self.machine, self.versions = settings, machine(), versions()
        self.results: list[Result] = []
        self.readings: list[Reading] = []

    @property
    def missed(self) -> bool:
        """Whether a floor or a limit does not hold, or a result does not count."""
        marks = [r.mark for r in self.results] + [r.mark for r in self.readings]
        return "FAIL" in marks or "does not count" in marks

    def write(self) -> Path:
        """Write JSON and Markdown side by side; give the path of the latter."""
        FOLDER.mkdir(exist_ok=True)
        stem = FOLDER / self.started.strftime("%Y-%m-%d-%H%M%S")
        stem.with_suffix(".json").write_text(json.dumps(self._plain(), indent=2) + "\n")
        stem.with_suffix(".md").write_text(self._markdown())
        return stem.with_suffix(".md")

    def _plain(self) -> dict[str, Any]:
        return {
            "schema_version": 1,
            "started": self.started.isoformat(timespec="seconds"),
            "settings": self.settings,
            "machine": self.machine,
            "versions": self.versions,
            "ratios": [{**asdict(r), "ratio": r.ratio, "mark": r.mark} for r in self.results],
            "limits": [{**asdict(r), "mark": r.mark} for r in self.readings],
        }

    def _markdown(self) -> str:
        about = {**self.machine, **self.versions, **self.settings}
        lines = ["# Benchmark", "", ", ".join(f"{name} {value}" for name, value in about.items()), ""]
        if self.readings:
            lines += [*_markdown_table(LIMIT_TITLES, [limit_cells(r) for r in self.readings]), ""]
        if self.results:
            lines += [*_markdown_table(RACE_TITLES, [race_cells(r) for r in self.results]), ""]
        return "\n".join(lines)


def _markdown_table(titles: tuple[str, ...], lines: list[tuple[str, ...]]) -> list[str]:
    rule = tuple("---" for _ in titles)
    return ["| " + " | ".join(cells) + " |" for cells in (titles, rule, *lines)]
