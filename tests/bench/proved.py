"""Which share of findings gets a fix that is proved (hgrd-check --suggest-fixes), by cause.

Method: each file is a program of its own, with the options that it names (`//@ args:`). Counted is every finding shown; several findings
of one mistake count each. An assert of what the host has to guarantee is counted apart: it is proved under that assumption. `tried` are the
changes that were checked, each by a run of its own; a finding that the fix of another one mends costs none. Of a corpus each folder is one
program. What is not done within the seconds (of processor time) is told and not counted.
"""
# SPDX-License-Identifier: Apache-2.0
import collections
import glob
import os
import re
import shlex
import sys

from runner import ROOT, SUITE, Run, markdown

PLACES = [("examples", os.path.join(ROOT, "examples", "*.cu"), False), ("tests/kernels", os.path.join(ROOT, "tests", "kernels", "*.cu"), True),
          ("tests/suite", os.path.join(SUITE, "*", "*.cu"), True)]
DONE = ("checked", "compiles in part", "no kernels")


def options_of(path):
    with open(path, errors="replace") as source:
        return [word for line in re.findall(r"^//@ args:(.*)$", source.read(), re.M) for word in shlex.split(line)]


def add(causes, finding, where):
    count = causes[finding["cause"]]
    fixes = finding.get("fixes") or []
    print(f"{where}: {finding['cause']}: {fixes[0]['title'] if fixes else 'none'}", file=sys.stderr)
    count["findings"] += 1
    count["tried"] += finding.get("fixesTried") or 0
    count["assumed" if fixes and fixes[0]["assumption"] else "proved" if fixes else "none"] += 1


def of_tests(tool, every, name, pattern, is_sampled, seconds):
    causes, cut_off = collections.defaultdict(collections.Counter), 0
    paths = sorted(glob.glob(pattern))[::every if is_sampled else 1]
    for path in paths:
        run = Run(tool, [os.path.basename(path)], ["-j1", "--suggest-fixes", *options_of(path)], os.path.dirname(path), seconds)
        if run.answer is None:
            cut_off += 1
            print(f"{path}: not counted: no answer after {run.cpu:.0f} s", file=sys.stderr)
        for finding in (run.answer or {}).get("findings", []):
            add(causes, finding, f"{path}:{finding['accesses'][0].get('line', 0)}")
    return rows_of(f"{name}, {len(paths) - cut_off} of {len(paths)} files", causes)


def of_corpus(tool, sweep, name, folder, every, seconds):
    causes = collections.defaultdict(collections.Counter)
    chosen = sweep.parse_arguments([tool, folder, "--by-folder", "--every", every, "--seconds", seconds, "--option=--suggest-fixes"])
    programs = sweep.find_programs(chosen)
    rows = sweep.check_all(chosen, programs)
    for row in rows:
        if row["outcome"] in DONE:
            for finding in row["findings"]:
                add(causes, finding, f"{row['program']}:{finding['lines'][0]}")
        else:
            print(f"{row['program']}: not counted: {row['outcome']}", file=sys.stderr)
    done = sum(row["outcome"] in DONE for row in rows)
    return rows_of(f"{name}, {done} of {len(programs)} programs", causes)


def rows_of(name, causes):
    rows, total = [], sum(causes.values(), collections.Counter())
    for cause, count in [*sorted(causes.items(), key=lambda item: (-item[1]["findings"], item[0])), ("all", total)]:
        share = 100 * (count["proved"] + count["assumed"]) / max(1, count["findings"])
        rows.append([name, cause, count["findings"], count["proved"], count["assumed"], count["none"], f"{share:.0f} %", count["tried"]])
    return rows


def print_proved(tool, every, sweep=None, corpora=(), seconds="60"):
    """Of the tests; with corpora, of those instead."""
    rows = [row for name, pattern, is_sampled in PLACES for row in of_tests(tool, int(every), name, pattern, is_sampled, float(seconds))] if not corpora else []
    for name, folder in corpora:
        rows += of_corpus(tool, sweep, name, folder, every, seconds)
    print("### Fixes that are proved\n")
    markdown(["files", "cause", "findings", "proved", "under an assert", "none", "share", "tried"], rows)
