#!/usr/bin/env python3
"""Which races do the detectors of running programs find? Each program that has a `main` is built once by hgrd-run and run under each
detector, in a few schedules; what is told of a kernel is held against the verdict that its file carries (tests/suite/README.md).

A kernel counts as run if a launch of it was told or if the program says nothing and ends well; programs that cannot be built or run
are listed, and their kernels are not counted. Contradictions: a kernel that its file calls race-free, and `clocks` tells a race of.

usage: detectors.py HGRD_RUN [--schedules N] [--arguments "300 ..."] FILE.cu ...
Prints a table for each folder in Markdown, then what was not run, then the contradictions. Status 1 if there are any of these.
SPDX-License-Identifier: Apache-2.0
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict

DETECTORS = ["clocks", "hirace", "iguard", "scord", "values"]
VERDICT = re.compile(r"//@ verdict ([^:\s]+)[^:]*: *(racy|race-free|undecided)")


def verdicts(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return dict(VERDICT.findall(file.read()))


def schedules(count):
    return (["in-order", "reversed"] + [str(seed) for seed in range(1, count)])[:count]


def run(program, detector, schedule, arguments):
    """Names of the kernels that a race was told of; None: the program did not come to its end."""
    settings = f"detector={detector},schedule={schedule},timeout=15"
    try:
        done = subprocess.run([program, *arguments], env={**os.environ, "HGRD_RUN": settings}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", timeout=30, check=False)
    except subprocess.TimeoutExpired:
        return None, "took too long"
    told, is_warning = set(), False
    for line in done.stderr.splitlines():
        if re.search(r": (warning|note): .*\[-W", line):
            is_warning = ": warning: " in line and "race]" in line
        launch = re.search(r"launched here: (.*?)(?:, grid| with grid)", line)
        if launch and is_warning:
            told.add(re.sub(r"[<(].*", "", launch.group(1)).split("::")[-1].split()[-1])
            is_warning = False
    if done.returncode not in (0, 1):
        reason = (done.stderr.strip().splitlines() or ["status %d" % done.returncode])
        errors = [line for line in reason if "error" in line] or reason
        return (told or None), f"status {done.returncode}: {errors[-1][:140]}"
    return told, None


def build(tool, path, program):
    done = subprocess.run([tool, "--all", "--build", "-o", program, path], capture_output=True, text=True, errors="replace", check=False)
    if done.returncode == 0:
        return None
    errors = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines() or ["?"]
    return errors[0][:160]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tool")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--schedules", type=int, default=2)
    parser.add_argument("--arguments", default="300 300 300 300 300 300")
    parser.add_argument("--detectors", default=",".join(DETECTORS))
    options = parser.parse_args()
    detectors = options.detectors.split(",")
    counts = defaultdict(lambda: defaultdict(int))
    not_run, contradictions, missed = [], [], []
    with tempfile.TemporaryDirectory() as work:
        for path in options.files:
            truth = verdicts(path)
            folder = os.path.basename(os.path.dirname(path))
            count = counts[folder]
            program = os.path.join(work, "program")
            why = build(options.tool, path, program)
            results = {}
            for detector in detectors if not why else []:
                told = set()
                for schedule in schedules(options.schedules):
                    some, trouble = run(program, detector, schedule, options.arguments.split())
                    if some is None:
                        why = why or f"{detector}, {schedule}: {trouble}"
                    told |= some or set()
                results[detector] = told
            if why:
                not_run.append(f"{path}: {why}")
                count["not run"] += 1
                continue
            count["programs"] += 1
            for kernel, verdict in truth.items():
                if verdict == "undecided":
                    continue
                count[verdict] += 1
                for detector in detectors:
                    if kernel.split("::")[-1] in results[detector]:
                        count[detector, verdict] += 1
                        if verdict == "race-free" and detector == "clocks":
                            contradictions.append(f"{path}: {kernel}")
                    elif verdict == "racy" and detector == "clocks":
                        missed.append(f"{path}: {kernel}")
    print("| folder | programs run (not) | racy kernels | race-free |" + "".join(f" `{d}` found, false |" for d in detectors))
    print("|---|---:|---:|---:|" + "---:|" * len(detectors))
    for folder, count in sorted(counts.items()):
        cells = "".join(f" {count[d, 'racy']}, {count[d, 'race-free']} |" for d in detectors)
        print(f"| `{folder}/` | {count['programs']} ({count['not run']}) | {count['racy']} | {count['race-free']} |{cells}")
    for title, lines in (("not run", not_run), ("racy, and clocks tells nothing", missed), ("contradictions", contradictions)):
        for line in lines:
            print(f"{title}: {line}")
    return 1 if contradictions else 0


if __name__ == "__main__":
    sys.exit(main())
