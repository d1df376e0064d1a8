"""What a check costs next to the compiler, and what a unit of the solver's budget costs in seconds.

Method: processor time of one process and of those that it starts, one after the other on the same machine; each file is a program, with the
flags of its Makefile. The compiler is run as given (--compiler, the file is put behind it), once for each file. Units are Z3's count and ours
of the work of all queries; the seconds beside them are those of the analysis, so that files with little work are left out.
"""
# SPDX-License-Identifier: Apache-2.0
import os
import shlex
import subprocess
import sys

from runner import Run, markdown

LIMIT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "limit")
LEAST_UNITS = 200000
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


def print_units(tool, sweep, corpora, every, options):
    print("### Seconds for a million units\n")
    print(f"Processor seconds of the analysis for a million units of the solver's budget, files with at least {LEAST_UNITS:,} units.\n")
    table, worst = [], []
    for name, folder in corpora:
        rows = []
        for label, path, flags in programs(tool, sweep, folder, every):
            run = Run(tool, [path, "--", *flags], ["-j1", *options])
            units, seconds = run.stat("resource_units"), run.cpu - run.stat("frontend_processor_seconds")
            if units >= LEAST_UNITS:
                rows.append((seconds / units * 1e6, seconds, units, label))
        if rows:
            costs = [row[0] for row in rows]
            table.append([name, len(rows), f"{sum(row[2] for row in rows) / 1e6:.1f}", f"{sum(row[1] for row in rows):.1f}",
                          *(f"{quantile(costs, share):.2f}" for share in (0, 0.5, 0.95, 1))])
            worst += rows
    markdown(["corpus", "files", "million units", "seconds", "least", "median", "95%", "max"], table)
    for cost, seconds, units, label in sorted(worst, reverse=True)[:10]:
        print(f"- {label}: {cost:.2f} ({seconds:.2f} s for {units:,} units)")
    print()
