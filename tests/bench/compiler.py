"""What a check costs next to the compiler, and what a unit of the solver's budget costs in seconds.

Method: processor time of one process and of those that it starts, one after the other on the same machine; each file is a program, with the
flags of its Makefile. The compiler is run as given (--compiler, the file is put behind it), once for each file. Units are Z3's count and ours
of the work of a question; the milliseconds beside them are those of the thread that asks it.
"""
# SPDX-License-Identifier: Apache-2.0
import os
import re
import shlex
import subprocess
import sys

from runner import Run, markdown

LIMIT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "limit")
LEAST_UNITS = 50000
LEAST_MS = 20
FACTOR = 5
OPEN_UNITS = 3000  # what a question pays for being put to Z3 at all
SECONDS = 300  # of processor time


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def compile_seconds(compiler, path, flags):
    """Processor seconds, or None if it does not compile."""
    command = [LIMIT, str(SECONDS), *shlex.split(compiler), *flags, os.path.basename(path)]
    process = subprocess.Popen(command, cwd=os.path.dirname(path) or ".", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime if process.returncode == 0 else None


def programs(tool, sweep, folder, every):
    chosen = sweep.parse_arguments([tool, folder, "--every", every])
    for label, root, files in sweep.find_programs(chosen):
        yield label, os.path.join(folder, files[0]) if not os.path.exists(files[0]) else files[0], sweep.program_flags(chosen, root, files)


def print_compiler(tool, sweep, corpora, every, options, compiler):
    print("### Next to the compiler\n")
    print(f"Processor seconds of `hgrd-check` next to `{compiler}` on the same files. Files that one of them does not compile are left out.\n")
    table, worst, left_out = [], [], 0
    for name, folder in corpora:
        rows = []
        for label, path, flags in programs(tool, sweep, folder, every):
            run = Run(tool, [os.path.abspath(path), "--", *flags], options)
            base = compile_seconds(compiler, os.path.abspath(path), flags) if run.status in (0, 1) else None
            print(f"{label}: " + (f"{run.cpu:.2f} / {base:.2f}" if base else "left out"), file=sys.stderr)
            left_out += base is None
            if base:
                rows.append((run.cpu / base, run.cpu, base, label))
        if rows:
            ratios = [row[0] for row in rows]
            ours, its = sum(row[1] for row in rows), sum(row[2] for row in rows)
            table.append([name, len(rows), *(f"{quantile(ratios, share):.2f}" for share in (0.5, 0.95, 1)), f"{ours:.1f}", f"{its:.1f}",
                          f"{ours / its:.2f}"])
            worst += rows
    markdown(["corpus", "files", "ratio median", "95%", "max", "hgrd-check s", "compiler s", "in sum"], table)
    print(f"Left out: {left_out}. The highest:\n")
    for ratio, ours, its, label in sorted(worst, reverse=True)[:10]:
        print(f"- {label}: {ratio:.2f} ({ours:.2f} s, {its:.2f} s)")
    print()


GOAL = re.compile(r"^goal (.*)$")
TOOK = re.compile(r"^  => .*; (\d+) units, ([0-9.]+) ms(, asked before)?$")


def queries(tool, path, flags, options):
    """(milliseconds, units, name) of each question that was asked, but for those that were answered from what was known."""
    command = [LIMIT, str(SECONDS), tool, "--dump=goals", "--stats", "--cache=off", *options, os.path.basename(path), "--", *flags]
    process = subprocess.run(command, cwd=os.path.dirname(path) or ".", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, check=False)
    name, rows = "", []
    for line in process.stdout.decode(errors="replace").splitlines():
        goal, took = GOAL.match(line), TOOK.match(line)
        if goal:
            name = goal.group(1)
        elif took and not took.group(3):
            rows.append((float(took.group(2)), int(took.group(1)), name))
    return rows


def behind_opening(rows):
    """Without the first question that is put to Z3, which opens it for the whole run: no unit pays for that."""
    first = next((i for i, row in enumerate(rows) if row[1] >= OPEN_UNITS), len(rows))
    return rows[:first] + rows[first + 1:]


def print_units(tool, sweep, corpora, every, options):
    print("### What a unit of budget costs\n")
    print("Processor milliseconds for a thousand units of the solver's budget, by question. In the table: questions of at least "
          f"{LEAST_UNITS:,} units or {LEAST_MS} ms. 'Too long': those that take more than {FACTOR} times what their units take in the median, "
          f"and {LEAST_MS} ms.\n")
    table, every_row = [], []
    for name, folder in corpora:
        rows, asked = [], 0
        for label, path, flags in programs(tool, sweep, folder, every):
            found = queries(tool, os.path.abspath(path), flags, options)
            asked += len(found)
            rows += [(ms, units, f"{label}: {goal}") for ms, units, goal in behind_opening(found) if ms >= LEAST_MS or units >= LEAST_UNITS]
        every_row += rows
        if rows:
            costs = [ms / units * 1e3 if units else ms for ms, units, _ in rows]
            median = quantile(costs, 0.5)
            table.append([name, asked, len(rows), f"{sum(row[1] for row in rows) / 1e6:.1f}", f"{sum(row[0] for row in rows) / 1e3:.1f}",
                          *(f"{quantile(costs, share):.2f}" for share in (0, 0.05, 0.5, 0.95, 1)), len(too_long(rows, median))])
    markdown(["corpus", "questions", "in the table", "million units", "seconds", "least", "5%", "median", "95%", "max", "too long"], table)
    if not every_row:
        return
    median = quantile([ms / units * 1e3 if units else ms for ms, units, _ in every_row], 0.5)
    for title, worst in (("Too long", too_long(every_row, median)), ("The dearest units", every_row)):
        print(f"{title} ({len(worst)}):\n")
        for ms, units, label in sorted(worst, key=lambda row: row[0] / max(row[1], 1), reverse=True)[:10]:
            print(f"- {label}: {ms / max(units, 1) * 1e3:.2f} ({ms:.0f} ms for {units:,} units)")
        print()


def too_long(rows, median):
    return [row for row in rows if row[0] > LEAST_MS + FACTOR * median * row[1] / 1e3]
