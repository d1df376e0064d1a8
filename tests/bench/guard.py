"""Does the analysis do more work than it did? No clock: goals sent to the solver, resource units spent on them, and instructions executed
(callgrind) are compared with a baseline that is kept with the sources (guard.txt). More than the tolerance is a failure; much less is news."""
# SPDX-License-Identifier: Apache-2.0
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from runner import ROOT, SUITE, Run, arguments_of, markdown

BASELINE = os.environ.get("HGRD_GUARD_BASELINE", os.path.join(ROOT, "tests", "bench", "guard.txt"))
INSTRUCTION_INPUTS = ["reduction_missing_barrier.cu", "mirror_missing_assert_fixed.cu"]


def inputs():
    """Fixed: adding a test elsewhere changes nothing here."""
    return sorted(glob.glob(os.path.join(ROOT, "examples", "*.cu"))) + \
        [os.path.join(SUITE, "hgrd", name + ".cu") for name in ("copyUppToLow", "tissue", "convSeparable", "needlemanWunsch", "matMul", "1dconv")]


def count(tool):
    """{(input, counter): value}"""
    found = {}
    for path in inputs():
        run = Run(tool, [os.path.basename(path)], ["--cuda-path=none", *arguments_of(path)], os.path.dirname(path))
        for counter in ("pairs", "queries", "resource_units"):
            found[os.path.basename(path), counter] = run.stat(counter)
    return found


def instructions(tool):
    """Of hgrd-check alone, compilers left out."""
    found = {}
    for name in INSTRUCTION_INPUTS:
        with tempfile.TemporaryDirectory() as work:
            done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={work}/out", "--main-stacksize=8388608", tool,
                                   "--cuda-path=none", "--exit-zero", name],
                                  cwd=os.path.join(ROOT, "examples"), capture_output=True, text=True, env={"PATH": os.environ["PATH"], "LC_ALL": "C"})
        match = re.search(r"Collected : (\d+)", done.stderr)
        if not match:
            sys.exit(f"dev: callgrind gave no count for {name}:\n{done.stderr[-2000:]}")
        found[name, "instructions"] = int(match.group(1))
    return found


def read_baseline():
    with open(BASELINE) as lines:
        rows = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    return {(name, counter): int(value) for name, counter, value in rows}


def write_baseline(found):
    with open(BASELINE, "w") as target:
        target.write("# What the analysis takes: made by `./dev bench guard --bless`, compared by `./dev bench guard`.\n")
        for (name, counter), value in sorted(found.items()):
            target.write(f"{name} {counter} {value}\n")


def change(old, new):
    return (new - old) / old if old else (1.0 if new else 0.0)


def judge(old, new, tolerance, counters):
    """Sums over the inputs are judged; single inputs are shown. Returns the counters that are too high."""
    too_high, table = [], []
    for counter in sorted({key[1] for key in new if not counters or key[1] in counters}):
        keys = sorted(key for key in new if key[1] == counter)
        missing = [key[0] for key in keys if key not in old]
        if missing:
            print(f"not in the baseline: {counter} of {', '.join(missing)}\n")
            too_high.append(counter)
        keys = [key for key in keys if key in old]
        before, after = sum(old[key] for key in keys), sum(new[key] for key in keys)
        difference = change(before, after)
        table.append([counter, before, after, f"{100 * difference:+.1f}%", "too high" if difference > tolerance else
                      "lower: bless it" if difference < -tolerance else ""])
        if difference > tolerance:
            too_high.append(counter)
        for key in sorted(keys, key=lambda key: -abs(change(old[key], new[key])))[:3]:
            if abs(change(old[key], new[key])) > tolerance:
                table.append([f"  {key[0]}", old[key], new[key], f"{100 * change(old[key], new[key]):+.1f}%", ""])
    markdown(["counter", "baseline", "now", "change", ""], table)
    return too_high


def run_guard(tool, tolerance, counters, with_instructions, bless):
    print("### What the analysis takes\n")
    found = count(tool)
    if with_instructions:
        if not shutil.which("valgrind"):
            sys.exit("dev: valgrind is missing, which counts instructions; --no-instructions leaves that out")
        found |= instructions(tool)
    if bless:
        write_baseline((read_baseline() if os.path.exists(BASELINE) and not with_instructions else {}) | found)
        print(f"{len(found)} figures written to tests/bench/guard.txt\n")
        return 0
    too_high = judge(read_baseline(), found, tolerance, counters)
    if too_high:
        print(f"More than {100 * tolerance:g}% above the baseline: {', '.join(too_high)}. If that is meant: ./dev bench guard --bless")
    return 1 if too_high else 0
