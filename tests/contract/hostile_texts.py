"""Give hostile texts to everything that reads text, and print the audit events that they cause; run as a program.

First every call runs on harmless texts, so that what a call imports or compiles by itself is behind us. Then the hook
is armed. It lets pass only what a harmless call may still do: import another module of the packages in use.
"""

import json
import os
import sys
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from click.testing import CliRunner
from sklearn.base import clone

import posteriori as pt
from posteriori.cli.main import program
from posteriori.storage.container import FileContents, from_stream, to_bytes

E = "__import__('os').system('touch {0}')"
#: Texts that some evaluator would run; ``{0}`` is a file that is then there.
PAYLOADS = [
    E, "{{" + E + "(y)}}", "I(" + E + "(y))", "cbind((" + E + ")(1), y)", "bs(" + E + ")", "Q(" + E + ")",
    "`" + E + "`", "C(g, levels=" + E + ")", "C(g, Treatment(" + E + "))", "bs(x, df=" + E + ")", "log(x)." + E,
    "x[" + E + "]", 'eval("' + E + '")', "exec('import this')", "open('{0}', 'w')", "np.load('{0}')",
    "poly(x, degree=(lambda: " + E + ")())", "[" + E + " for a in (1,)]", "[y ~ " + E + "]", "x if " + E + " else x",
    "(a := " + E + ")", "f'{{" + E + "}}'", "x ** " + E, "getattr(x, '__class__')", "x.__class__.__mro__",
    "\uff45val('1')", "I(\u202e" + E + ")", "$(touch {0})", "%s" + E, "=cmd|' /C calc'!A0", "{{{{" + E + "}}}}",
    "import os", "@" + E, "!touch {0}", "$\\frac{{$", "x\x1b]0;t\x07",
]  # fmt: skip
#: A pickle that runs a command; pyarrow up to version 14 unpickled the metadata of a type of this kind.
PICKLE = b"cos\nsystem\n(S'touch trap-of-a-pickle'\ntR."
PACKAGES = (
    "posteriori", "numpy", "scipy", "sklearn", "pandas", "narwhals", "pyarrow", "matplotlib", "rich", "jinja2", "PIL",
    "encodings", "click", "safetensors", "joblib", "threadpoolctl",
)  # fmt: skip
WATCHED = (
    "exec", "compile", "import", "open", "os.", "subprocess.", "pickle.", "ctypes.", "code.", "socket.",
)  # fmt: skip
HARMLESS = ("os.listdir", "os.scandir", "os.rename", "os.remove", "os.chmod", "os.utime", "os.link", "os.truncate")

armed: list[bool] = []
events: list[str] = []


def watch(event, details):
    """Note an event that no harmless call makes."""
    if not armed or not event.startswith(WATCHED) or event in HARMLESS:
        return
    if event == "open":
        path, mode, flags = details
        writes = flags & (os.O_WRONLY | os.O_RDWR) if isinstance(flags, int) else set(mode or "r") & set("wax+")
        if not writes or isinstance(path, int) or os.fspath(path).startswith(FOLDER) or ".pyc" in os.fspath(path):
            return
    if event == "compile" and isinstance(details[1], str) and _of_packages(details[1]):
        return  # a module that is imported for the first time on this machine
    if event == "import" and str(details[0]).partition(".")[0] in PACKAGES:
        return
    if event == "exec" and getattr(details[0], "co_name", "") == "<module>" and _of_packages(details[0].co_filename):
        return
    events.append(f"{event} {details!r:.200}")


def _of_packages(path):
    return any(f"{os.sep}{name}{os.sep}" in path for name in PACKAGES)


def attempt(call):
    """Run a call that may only succeed or raise one of our own errors."""
    try:
        return call()
    except (pt.DataError, pt.ModelFileError):
        return None


def data():
    rng = np.random.default_rng(0)
    return pd.DataFrame({"y": np.arange(40) % 2, "x": rng.normal(size=40), "g": rng.choice(list("abc"), 40)})


def formulas(texts):
    """Fit by formulas with each text on either side, and as a factor."""
    frame = data()
    for text in texts:
        for formula in (f"{text} ~ x", f"y ~ {text}", f"y ~ x * {text} - 1", f"{text}"):
            attempt(lambda formula=formula: pt.LogisticRegression.from_formula(formula, frame, prior=1.0))


def command(texts, folder):
    """Give the command each text as a formula, as a setting, as a header, and in a file of costs."""
    data().to_csv(f"{folder}/d.csv", index=False)
    model = f"{folder}/fitted"
    run = CliRunner().invoke
    codes = [run(program, ["fit", f"{folder}/d.csv", "--target", "y", "-o", model, "--force", "--quiet"]).exit_code]
    for text in texts:
        quoted = '"' + text.replace('"', '""') + '"'
        with open(f"{folder}/h.csv", "w", encoding="utf-8") as stream:
            stream.write(f"{quoted},y\n" + "".join(f"{i % 3},{i % 2}\n" for i in range(12)))
        with open(f"{folder}/c.csv", "w", encoding="utf-8") as stream:
            stream.write(f"action,0,1\n{quoted},0,1\nb,{quoted},0\n")
        for arguments in (
            ["fit", f"{folder}/d.csv", "--formula", f"{text} ~ x", "--quiet"],
            ["fit", f"{folder}/d.csv", "--target", "y", "--set", f"prior={text}", "--quiet"],
            ["fit", f"{folder}/h.csv", "--target", "y", "--quiet"],
            ["predict", model, f"{folder}/d.csv", "--costs", f"{folder}/c.csv"],
        ):
            codes += [run(program, arguments).exit_code]
    return codes


def data_files(texts, folder):
    """Give every command files whose headers, cells, classes and Parquet metadata hold each text."""
    run, model = CliRunner().invoke, f"{folder}/of_texts"
    codes = []
    for at, text in enumerate(texts):
        data = f"{folder}/t.{('csv', 'parquet')[at % 2]}"
        _write_table(text, data)
        codes += [
            run(program, arguments).exit_code
            for arguments in (
                ["fit", data, "--target", "y", "-o", model, "--force", "--set", "prior=1"], ["summary", model],
                ["predict", model, data, "--proba"], ["explain", model, data, "--row", "1"],
                ["explain", model, data, "--raw"],
                ["compare", data, "--target", "y", "--cv", "2", "--models", "naive-bayes"],
            )
        ]  # fmt: skip
    return codes


def _write_table(text, path):
    """Write a CSV or Parquet file that holds a text wherever it can."""
    classes = [text if (i + i // 3) % 2 else "other" for i in range(24)]
    table = pa.table({text: np.arange(24.0) % 5, "cell": [text, "b", "c"] * 8, "y": classes})
    if path.endswith(".csv"):
        pa_csv.write_csv(table, path)
        return
    kind = {b"ARROW:extension:name": b"arrow.py_extension_type", b"ARROW:extension:metadata": PICKLE}
    schema = table.schema.set(1, pa.field("cell", pa.string(), metadata=kind))
    pq.write_table(table.cast(schema.with_metadata({b"pandas": text.encode(), text.encode(): b"x"})), path)


def flags(texts, folder):
    """Give each text to every flag that takes one."""
    run, data, model = CliRunner().invoke, f"{folder}/d.csv", f"{folder}/fitted"
    fit = ["fit", data, "--target", "y", "--quiet"]
    codes = []
    for text in texts:
        value = json.dumps({"units": text, "mean": text})
        codes += [
            run(program, arguments).exit_code
            for arguments in (
                ["fit", data, "--quiet", "--target", text], [*fit, "--model", text], [*fit, "--link", text],
                [*fit, "--weight", text], [*fit, "--offset", text], [*fit, "--positive", text],
                [*fit, "--reference", f"g={text}"], [*fit, "--reference", f"{text}=a"], [*fit, "--type", f"g={text}"],
                [*fit, "--type", f"{text}=number"], [*fit, "--encoding", text], [*fit, "--delimiter", text],
                [*fit, "--decimal", text], [*fit, "--set", f"{text}=1"], [*fit, "--set", f"prior={value}"],
                [*fit, "--set", f"basis={text}"], [*fit, "--set", f"solver={json.dumps([text])}"],
                ["compare", data, "--target", "y", "--models", text], ["predict", model, text], ["summary", text],
                ["figures", text, "-o", folder],
            )
        ]  # fmt: skip
    title = ["report", model, "-o", f"{folder}/r.html", "--force", "--title"]
    return codes + [run(program, [*title, text]).exit_code for text in texts[:4]]


def texts_in(node, path=()):
    """Yield the places of all texts in a tree of JSON."""
    parts = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, part in parts:
        if isinstance(part, str):
            yield (*path, key)
        yield from texts_in(part, (*path, key))


def files(texts, folder, rng, report):
    """Write texts into a model file, wherever it holds one; load, use and fit again what loads."""
    frame = data()
    plain = pt.LogisticRegression.from_formula("y ~ x + C(g)", frame, prior=1.0)
    average = pt.ModelAverage([pt.TableClassifier(pt.LogisticRegression(prior=1.0), formula="~ x + g")], weights=[1.0])
    used = 0
    for model in (plain, average.fit(frame[["x", "g"]], frame["y"])):
        pt.save(model, f"{folder}/m")
        with open(f"{folder}/m", "rb") as stream:
            whole = from_stream(stream, os.path.getsize(f"{folder}/m"))
        places = list(texts_in(json.loads(whole.tree)))
        chosen = [place for place in places if place[-1] == "formula"]
        chosen += [places[at] for at in rng.choice(len(places), 8, replace=False)]
        for place in chosen:
            for text in rng.choice(texts, 12 if place[-1] == "formula" else 2):
                tree = json.loads(whole.tree)
                node = tree
                for key in place[:-1]:
                    node = node[key]
                node[place[-1]] = f"{text} ~ x" if place[-1] == "formula" else str(text)
                changed = FileContents(whole.version, whole.kind, json.dumps(tree), whole.tensors)
                with open(f"{folder}/m", "wb") as stream:
                    stream.write(to_bytes(changed))
                loaded = attempt(lambda: pt.load(f"{folder}/m"))
                if loaded is not None:
                    _use(loaded, frame, folder if report and not used else None)
                    used += 1
    return used


def _use(model, frame, folder):
    """Do with a model what its file could have a say in; with a folder, write a report too."""
    rows = frame[["x", "g"]]
    calls = [
        lambda: model.predict_proba(rows),
        lambda: str(model.summary()) if hasattr(model, "summary") else None,
        lambda: model.explain(rows).total if hasattr(model, "explain") else None,
        lambda: (
            clone(model).fit(frame) if isinstance(model, pt.TableClassifier) else clone(model).fit(rows, frame["y"])
        ),
        lambda: pt.report(model, rows, frame["y"], f"{folder}/r.html") if folder else None,
    ]
    for call in calls:
        attempt(call)


def every_call(texts, folder, report=False):
    """Give texts to everything that reads text."""
    formulas(texts)
    codes = [*command(texts, folder), *data_files(texts, folder), *flags(texts, folder)]
    assert 1 not in codes, codes
    return files(texts, folder, np.random.default_rng(1), report)


if __name__ == "__main__":
    FOLDER = sys.argv[1]
    warnings.simplefilter("ignore")
    sys.addaudithook(watch)
    trap = os.path.join(FOLDER, "trap")
    payloads = [payload.format(trap) for payload in PAYLOADS]
    every_call(["y", "log(x + 9)", "$x", "x["], FOLDER, report=True)
    armed.append(True)
    used = every_call(payloads, FOLDER, report=True)
    armed.clear()
    print(json.dumps({"events": sorted(set(events)), "trapped": os.path.exists(trap), "used": used}))
