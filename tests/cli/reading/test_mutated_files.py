"""Two thousand mutated CSV files: whatever they hold, an exit code from the list and no traceback."""

import random
from pathlib import Path

import pytest

SEED = (
    "age,color,tame,size,kind\n"
    + "".join(
        f"{20 + i % 17},{['red', 'blue', 'green'][i % 3]},{i % 5 < 2},{(i * 7 % 11) / 4},{'ab'[(i * 5 % 7) % 2]}\n"
        for i in range(40)
    )
).encode()
PIECES = [
    b",", b'"', b'""', b"\n", b"\r", b"\r\n", b"\0", b"\xff", b"\xef\xbb\xbf", b";", b"\t", b"nan", b"inf", b"-",
    b"=1+1", b"1e999", b"\x1b[31m", b"  ", b"NULL", b"9" * 30, b"0x10", b"1_000", b"2020-01-01", b"\xe9",
    b"\xe6\x97\xa5",
]  # fmt: skip
CODES = {0, 2, 3, 4, 5, 6, 130}


def bytes_changed(rng, data):
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(data))
        data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    return data


def pieces_put_in(rng, data):
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(data) + 1)
        data = data[:at] + rng.choice(PIECES) + data[at + rng.choice([0, 0, 1, 5]) :]
    return data


def cut(rng, data):
    return data[: rng.randrange(len(data))] if rng.random() < 0.5 else data[rng.randrange(len(data)) :]


def lines_moved(rng, data):
    lines = data.splitlines(keepends=True)
    kind = rng.randrange(5)
    if kind == 0:
        rng.shuffle(lines)
    elif kind == 1:
        lines[0] = rng.choice(lines)
    elif kind == 2:
        del lines[rng.randrange(len(lines)) :]
    elif kind == 3:
        lines.insert(rng.randrange(len(lines)), lines[0])
    else:
        lines = [lines[0]] + [rng.choice(lines) for _ in range(rng.randrange(4))]
    return b"".join(lines)


def cells_changed(rng, data):
    rows = [line.split(b",") for line in data.splitlines()]
    for _ in range(rng.randint(1, 12)):
        row = rng.choice(rows)
        place = rng.randrange(len(row))
        change = rng.randrange(4)
        if change == 0:
            row[place] = rng.choice([b"", *PIECES])
        elif change == 1:
            row.insert(place, b"x")
        elif change == 2 and len(row) > 1:
            del row[place]
        else:
            column = rng.randrange(5)
            for other in rows:
                if column < len(other):
                    other[column] = row[place]
    return b"\n".join(b",".join(row) for row in rows)


def encoded_otherwise(rng, data):
    text = data.decode()
    return text.encode(rng.choice(["utf-16", "utf-16-le", "utf-32", "utf-8-sig", "utf-7"]))


MUTATIONS = [bytes_changed, pieces_put_in, cut, lines_moved, cells_changed, encoded_otherwise]


@pytest.mark.parametrize("part", range(20))
@pytest.mark.slow
def test_a_mutated_file_ends_with_a_code_of_the_list_and_no_traceback(part, run):
    rng = random.Random(part)
    Path("seed.csv").write_bytes(SEED)
    for name, options in (("nb", ["--model", "naive-bayes"]), ("lr", ["--set", "prior=1"])):
        assert run("fit", "seed.csv", "--target", "kind", *options, "-o", name, "--quiet").exit_code == 0
    seen = set()
    for number in range(100):
        data = SEED
        for _ in range(rng.choice([1, 1, 2, 3])):
            data = rng.choice(MUTATIONS[:-1] if number % 10 else MUTATIONS)(rng, data) or b"\n"
            try:
                data.decode()
            except UnicodeDecodeError:
                break
        Path("d.csv").write_bytes(data)
        model = ("--model", "naive-bayes") if number % 2 else ("--set", "prior=1", "--missing", "drop")
        runs = [("fit", "d.csv", "--target", "kind", *model, "--quiet")] if number % 2 else []
        runs = runs or [("predict", "nb" if number % 4 else "lr", "d.csv", "--proba", "--quiet")]
        runs += [("fit", "d.csv", "--target", "kind", *model)] if number % 5 == 0 else []
        for arguments in runs:
            done = run(*arguments)
            seen.add(done.exit_code)
            result = f"{arguments}\n{data!r}\n{done.stdout[-500:]}{done.stderr[-2000:]}"
            assert done.exit_code in CODES, result
            assert "Traceback" not in done.stdout + done.stderr, result
            assert done.exit_code == 0 or done.stderr.count("Error: ") == 1, result
    assert {0, 3} <= seen
