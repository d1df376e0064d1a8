"""Time of the front end next to `clang -fsyntax-only` of the same two sides.

Method: a stand-in for clang (HGRD_CLANG) writes down the command lines that hgrd-check makes for a file; then the two sides are
only parsed, in parallel as hgrd-check runs them, and hgrd-check itself runs without analysing a kernel, in turn, a few times each. The
best of each counts. Parsing reads the bundled declarations as text, as a compiler that has not seen them would; hgrd-check begins with what it
has precompiled of them. Processor time is of hgrd-check from its start to the end of the front end and of the compilers, so that other load
disturbs it little; elapsed time is given too.
"""
# SPDX-License-Identifier: Apache-2.0
import os
import shlex
import subprocess
import sys
import tempfile
import time

from runner import Run, markdown

ROUNDS = 3
SECONDS = 300  # of processor time
LIMIT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "limit")
NO_KERNEL = "--kernel=hgrd_no_such_kernel"


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def timed(commands):
    """(processor seconds, elapsed seconds) of the commands run in parallel; None if one fails."""
    start = time.monotonic()
    children = [subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                for command in commands]
    cpu, good = 0.0, True
    for child in children:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        good &= child.returncode == 0
        cpu += usage.ru_utime + usage.ru_stime
    return (cpu, time.monotonic() - start) if good else None


def as_text(words):
    """The header itself in place of what is precompiled of it."""
    if "-include-pch" not in words:
        return words
    at, folder = words.index("-include-pch"), words[words.index("-isystem") + 1]  # ours is the first
    return [*words[:at], "-include", os.path.join(folder, "hgrd_cuda_prefix.h"), *words[at + 2:]]


def commands_of(tool, path, options, flags, work):
    """The command lines of clang for the sides of a file, each with -fsyntax-only for the way to bitcode; [] if it does not compile."""
    clang = os.environ.get("HGRD_CLANG") or "clang-19"
    stand_in, log = os.path.join(work, "clang"), os.path.join(work, "log")
    os.makedirs(log, exist_ok=True)
    for name in os.listdir(log):
        os.unlink(os.path.join(log, name))
    with open(stand_in, "w") as script:
        script.write(f"#!/bin/sh\nprintf '%s\\0' \"$@\" >{shlex.quote(log)}/$$\nexec {shlex.quote(clang)} \"$@\"\n")
    os.chmod(stand_in, 0o755)
    run = subprocess.run([LIMIT, str(SECONDS), tool, "-q", NO_KERNEL, *options, path, "--", *flags], stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | {"HGRD_CLANG": stand_in})
    if run.returncode != 0:
        return []
    sides = []
    for name in sorted(os.listdir(log)):
        with open(os.path.join(log, name), "rb") as file:
            words = file.read().decode(errors="surrogateescape").split("\0")[:-1]
        at = words.index("-emit-llvm")
        sides.append([clang, *as_text(words[:at - 1]), "-fsyntax-only", *words[at + 3:]])
    return sides if len(sides) == 2 else []  # more: it was mended and compiled again


def measure(tool, path, options, flags, work):
    sides = commands_of(tool, path, options, flags, work)
    if not sides:
        return None
    rounds = []
    for _ in range(ROUNDS):
        base = timed(sides)
        run = Run(tool, [path, "--", *flags], [NO_KERNEL, *options])
        if not base or run.status != 0:
            return None
        rounds.append((*base, run.stat("frontend_processor_seconds"), run.stat("frontend_seconds")))
    return [min(column) for column in zip(*rounds)]


def ratio_row(name, rows, base, ours):
    ratios = [row[ours] / row[base] for row in rows]
    cells = [f"{quantile([row[i] for row in rows], share):.2f}" for i in (base, ours) for share in (0.5, 0.95)]
    return [name, *cells, *(f"{quantile(ratios, share):.2f}" for share in (0.5, 0.95, 1)), f"{sum(row[ours] for row in rows) / sum(row[base] for row in rows):.2f}"]


def print_frontend(tool, sweep, corpora, every, options):
    print("### Front end\n")
    print("Seconds of the front end (clang on both sides, linking, simplifying, lowering) next to `clang -fsyntax-only` of the same two")
    print(f"sides in parallel, bundled declarations as text, best of {ROUNDS}. Files that do not compile, or only once mended, are left out.\n")
    table, worst = [], []
    for name, folder in corpora:
        chosen = sweep.parse_arguments([tool, folder, "--every", every])
        rows = []
        with tempfile.TemporaryDirectory() as work:
            for label, root, files in sweep.find_programs(chosen):
                row = measure(tool, files[0], options, sweep.program_flags(chosen, root, files), work)
                print(f"{label}: " + (f"{row[2] / row[0]:.2f} {row[3] / row[1]:.2f}" if row else "left out"), file=sys.stderr)
                if row:
                    rows.append(row)
                    worst.append((row[2] / row[0], label, row))
        if rows:
            table.append(ratio_row(f"{name}, {len(rows)} files: processor time", rows, 0, 2))
            table.append(ratio_row(f"{name}, {len(rows)} files: elapsed time", rows, 1, 3))
    markdown(["", "clang median s", "95% s", "front end median s", "95% s", "ratio median", "95%", "max", "all"], table)
    for ratio, label, row in sorted(worst, reverse=True)[:5]:
        print(f"- {label}: {ratio:.2f} ({row[0]:.2f} s, {row[2]:.2f} s of processor time)")
    print()
