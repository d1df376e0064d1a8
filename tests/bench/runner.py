"""Runs hgrd-check, and counts its answer against the expectations written in a file (by tests/expect.awk, as the tests do)."""
# SPDX-License-Identifier: Apache-2.0
import json
import math
import os
import resource
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SUITE = os.path.join(ROOT, "tests", "suite")


def limit_seconds(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds)))


class Run:
    """One run: `answer` is the JSON document (None if there is none), `cpu` and `wall` are seconds, compilers included. `seconds` of processor
    time are the limit of each process, 0 none."""

    def __init__(self, tool, files, options=(), folder=None, seconds=0):
        command = [tool, "--format=json", "--stats", *options, *files]
        with tempfile.TemporaryFile() as out:
            start = time.monotonic()
            process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL,
                                       preexec_fn=(lambda: limit_seconds(seconds)) if seconds else None)
            _, status, usage = os.wait4(process.pid, 0)
            self.wall = time.monotonic() - start
            process.returncode = self.status = os.waitstatus_to_exitcode(status)
            self.cpu = usage.ru_utime + usage.ru_stime
            out.seek(0)
            text = out.read().decode(errors="replace")
        try:
            self.answer = json.loads(text)
        except ValueError:
            self.answer = None

    def stat(self, name):
        return ((self.answer or {}).get("stats") or {}).get(name) or 0


def flat(value, path=""):
    """The lines that tests/json_flat.awk makes."""
    if isinstance(value, dict) and value:
        return [line for key, item in value.items() for line in flat(item, f"{path}.{key}")]
    if isinstance(value, list) and value:
        return [line for i, item in enumerate(value) for line in flat(item, f"{path}[{i}]")]
    if isinstance(value, str):
        return [f"{path}\t" + value.replace("\n", " ").replace("\t", " ")]
    return [f"{path}\t{json.dumps(value)}"]


COUNTS = ("races", "found", "undecided", "missed", "false", "exact")


def count(run, path):
    """[{kernel, truth, told, races, found, undecided, missed, false, exact}], by the expectations in the file."""
    with tempfile.NamedTemporaryFile("w", suffix=".flat") as target:
        target.write("\n".join(flat(run.answer or {})) + "\n")
        target.flush()
        lines = subprocess.run(["awk", "-v", "counts=1", "-v", f"status={run.status}", "-v", "name=" + os.path.basename(path), "-f",
                                os.path.join(ROOT, "tests", "expect.awk"), target.name, path],
                               check=True, capture_output=True, text=True).stdout
    rows = []
    for line in lines.splitlines():
        kernel, truth, told, *numbers = line.split("\t")
        rows.append({"kernel": kernel, "truth": truth, "told": told} | dict(zip(COUNTS, map(int, numbers))))
    return rows


def arguments_of(path):
    with open(path) as source:
        return [word for line in source if line.startswith("//@ args:") for word in line.split()[2:]]


def check_file(tool, path):
    """Runs one file of a suite. Returns (run, counts)."""
    run = Run(tool, [os.path.basename(path)], ["--cuda-path=none", *arguments_of(path)], os.path.dirname(path))
    return run, count(run, path)


def markdown(header, rows):
    """A table whose columns of figures are set to the right."""
    text = [[str(cell) for cell in row] for row in rows]
    numeric = [all(row[i] == "" or row[i][0].isdigit() or row[i][0] in "-~" for row in text) for i in range(len(header))]
    print("| " + " | ".join(header) + " |")
    print("|" + "|".join("---:" if right else "---" for right in numeric) + "|")
    for row in text:
        print("| " + " | ".join(row) + " |")
    print()
