"""How many of the races that are there are found, and how many that are not there are reported? The suites of tests/suite, beside
what the papers say of other tools. Figures of other tools are quoted from the papers, for their own programs."""
# SPDX-License-Identifier: Apache-2.0
import glob
import os
import re
import subprocess
import tempfile

from runner import ROOT, SUITE, check_file, markdown

# HGRD, table 3: races reported [missed : false alarms] by iGUARD, GKLEE, GPUVerify, FaialAA, HGRD; NS: not supported.
TABLE_3 = [
    ("pathCompression", "0 [2:0]", "2 [0:0]", "2 [0:0]", "1 [0:0]", "2 [0:0]"),
    ("condNeighbor", "0 [2:0]", "0 [2:0]", "1 [0:0]", "1 [0:0]", "2 [0:0]"),
    ("pushNode", "0 [2:0]", "0 [2:0]", "1 [0:0]", "1 [0:0]", "2 [0:0]"),
    ("conel", "2 [0:0]", "2 [0:0]", "1 [0:0]", "1 [0:0]", "2 [0:0]"),
    ("warpCommunicate", "2 [0:0]", "NS", "NS", "0 [2:0]", "2 [0:0]"),
    ("tissue", "1 [3:0]", "NS", "3 [0:0]", "0 [4:0]", "4 [0:0]"),
    ("1dconv", "1 [0:0]", "2 [0:1]", "1 [0:0]", "1 [0:0]", "1 [0:0]"),
    ("bilateralFilter", "0 [0:0]", "NS", "1 [0:1]", "0 [0:0]", "0 [0:0]"),
    ("copyUppToLow", "0 [0:0]", "0 [0:0]", "2 [0:2]", "1 [0:1]", "0 [0:0]"),
    ("copyLowToUpp", "0 [0:0]", "0 [0:0]", "2 [0:2]", "1 [0:1]", "0 [0:0]"),
    ("copyFromTp", "0 [0:0]", "1 [0:1]", "2 [0:2]", "1 [0:1]", "0 [0:0]"),
    ("reduction", "0 [0:0]", "1 [0:1]", "1 [0:1]", "1 [0:1]", "0 [0:0]"),
    ("randomAccess", "0 [0:0]", "NS", "4 [0:4]", "1 [0:1]", "0 [0:0]"),
    ("expDistance", "0 [0:0]", "1 [0:1]", "1 [0:1]", "1 [0:1]", "0 [0:0]"),
    ("toneMapping", "0 [0:0]", "0 [0:0]", "4 [0:4]", "1 [0:1]", "0 [0:0]"),
    ("convSeparable", "0 [0:0]", "0 [0:0]", "1 [0:1]", "1 [0:1]", "0 [0:0]"),
    ("luDecomposition", "0 [0:0]", "NS", "2 [0:2]", "1 [0:1]", "0 [0:0]"),
    ("needlemanWunsch", "0 [0:0]", "NS", "2 [0:2]", "2 [0:2]", "0 [0:0]"),
    ("pitchLinear", "0 [0:0]", "0 [0:0]", "2 [0:2]", "2 [0:2]", "0 [0:0]"),
    ("copyFromVec", "0 [0:0]", "0 [0:0]", "1 [0:1]", "1 [0:1]", "0 [0:0]"),
    ("matMul", "0 [0:0]", "NS", "5 [0:5]", "1 [0:1]", "0 [0:0]"),
    ("rule110", "0 [0:0]", "NS", "5 [0:5]", "1 [0:1]", "0 [0:0]"),
]
TOTALS_3 = ("6 [9:0]", "9 [4:4]", "44 [0:35]", "21 [6:16]", "15 [0:0]")

# HGRD, table 4: the class of host fact that each program needs.
TABLE_4 = [
    ("copyUppToLow", "assert"), ("copyLowToUpp", "assert"), ("copyFromTp", "assert"),
    ("reduction", "launch"), ("randomAccess", "launch"), ("expDistance", "launch"),
    ("toneMapping", "relation"), ("convSeparable", "relation"),
    ("luDecomposition", "loop"), ("needlemanWunsch", "loop"),
    ("pitchLinear", "allocation"), ("copyFromVec", "allocation"),
]

OTHERS = [
    ("ScoRD, table VI: applications, made", "scord/applications", "ScoRD: 25 of 26 races, 26 without its cache"),
    ("ScoRD, table I: micro patterns", "scord", "ScoRD: 18 of 18 races, no false alarm"),
    ("iGUARD, table 4: kinds of races", "iguard", "iGUARD: 57 races in 21 programs, no false alarm; Barracuda: 7"),
    ("HiRace: irregular codes, made", "hirace/generate", "580 codes, 346 racy: HiRace 346, iGUARD 298, Compute Sanitizer 92 (its graph of 100 vertices); no false alarms"),
    ("LDetector, table VI: programs", "ldetector", "LD: 8 of 8 racy programs, 3 without a race"),
    ("Real fixes: before and after", "fixes", None),
]

# tests/suite/fixes: the kind of mistake is the first word of a file's name.
FIXES = [("block", "block barrier"), ("warp", "warp barrier"), ("atomic", "atomic"), ("fence", "fence and scope"),
         ("library", "asynchronous copy and library storage"), ("divergent", "divergent barrier")]


def is_twin(kernel):
    return kernel.endswith(("_fixed", "_broken"))


class Tally:
    """Sums over kernels."""

    def __init__(self):
        self.files = self.racy = self.found = self.open = self.missed = self.free = self.proved = self.free_open = self.alarms = 0
        self.races = self.races_found = self.races_open = self.races_missed = self.races_false = self.exact = 0
        self.cpu = self.front = self.analysis = 0.0

    def add(self, run, rows):
        self.files += 1
        self.cpu += run.cpu
        self.front += run.stat("frontend_seconds")
        self.analysis += run.stat("analysis_seconds")
        for row in rows:
            self.add_kernel(row)

    def add_kernel(self, row):
        # Where the mistake is a divergent barrier alone, what it orders is open, and the verdict of a right answer is undecided.
        if row["truth"] == "racy" or row["truth"] == "undecided" and row["races"]:
            found = row["told"] == row["truth"] and row["found"] > 0
            self.racy += 1
            self.found += found
            self.open += not found and row["told"] == "undecided"
            self.missed += not found and row["told"] != "undecided"
        else:
            self.free += 1
            self.proved += row["told"] == "race-free"
            self.alarms += row["told"] == "racy"
            self.free_open += row["told"] not in ("race-free", "racy")
        self.races += row["races"]
        self.races_found += row["found"]
        self.races_open += row["undecided"]
        self.races_missed += row["missed"]
        self.races_false += row["false"]
        self.exact += row["exact"]

    HEADER = ["suite", "racy kernels", "found", "undecided", "missed", "race-free", "proved", "undecided", "false alarms", "races", "found",
              "all extents right", "undecided", "missed", "not there", "seconds"]

    def row(self, name):
        return [name, self.racy, self.found, self.open, self.missed, self.free, self.proved, self.free_open, self.alarms, self.races,
                self.races_found, self.exact, self.races_open, self.races_missed, self.races_false, f"{self.cpu:.1f}"]


def hgrd_programs(tool):
    """[(program, run, rows)] in the order of the paper's table."""
    return [(name, *check_file(tool, os.path.join(SUITE, "hgrd", name + ".cu"))) for name, *_ in TABLE_3]


def cell(rows):
    """Races reported [missed : false alarms] as in the paper; `u`: something is undecided."""
    found, missed, false = (sum(row[key] for row in rows) for key in ("found", "missed", "false"))
    is_open = any(row["told"] == "undecided" or row["undecided"] for row in rows)
    return f"{found + false} [{missed}:{false}]" + (" u" if is_open else "")


def print_table_3(programs):
    print("### HGRD, table 3\n")
    print("Races reported [missed : false alarms]; NS: not supported; u: undecided, neither found nor cleared.\n")
    table, all_rows = [], []
    for (name, *papers), (_, _, rows) in zip(TABLE_3, programs):
        main = [row for row in rows if not is_twin(row["kernel"])]
        all_rows += main
        twins = [row for row in rows if is_twin(row["kernel"])]
        right = all(row["told"] == row["truth"] for row in twins)
        table.append([name, sum(row["races"] for row in main), *papers, cell(main), "yes" if right else twins[0]["told"]])
    table.append(["all", sum(row["races"] for row in all_rows), *TOTALS_3, cell(all_rows), ""])
    markdown(["program", "races", "iGUARD", "GKLEE", "GPUVerify", "FaialAA", "HGRD", "hgrd-check", "twin right"], table)


def fact_class(fact):
    """A dimension of the launch that is made from a host value relates the two."""
    names_value = re.search(r"(grid|block)Dim\.\w == .*[A-Za-z]", fact["text"])
    return "relation" if fact["class"] == "launch" and names_value else fact["class"]


def needed_facts(run):
    """[(class, text)] of the host facts in the unsat cores, and whether a grid is constant; twins left out."""
    found = []
    for kernel in (run.answer or {}).get("kernels", []):
        if is_twin(kernel["name"].split("(")[0]):
            continue
        for launch in kernel["launches"]:
            if all(size.isdigit() for size in launch["grid"]) and ("launch (constant)", "") not in found:
                found.append(("launch (constant)", ""))
            for fact in launch["facts"]:
                pair = (fact_class(fact), fact["text"])
                if fact["class"] != "hardware" and pair not in found:
                    found.append(pair)
    return found


def print_table_4(programs):
    print("### HGRD, table 4\n")
    print("The class of host fact that made the proof, and the classes of all facts in the unsat cores. Constant dimensions and arguments stand")
    print("in the question itself and appear in no core; that a dimension is an expression over a host value counts as a relation.\n")
    by_name = {name: (run, rows) for name, run, rows in programs}
    table = []
    for name, paper in TABLE_4:
        run, rows = by_name[name]
        main = [row for row in rows if not is_twin(row["kernel"])]
        facts = needed_facts(run)
        classes = sorted({kind for kind, _ in facts})
        facts = [(kind, text) for kind, text in facts if text]
        told = "proved" if all(row["told"] == "race-free" for row in main) else "not proved"
        table.append([name, paper, told, ", ".join(classes) or "none",
                      "; ".join(f"`{text}`" for _, text in facts[:3]) + (" ..." if len(facts) > 3 else "")])
    markdown(["program", "class (paper)", "kernels", "classes needed", "facts"], table)


def suite_files(name, work):
    """The .cu files of a folder, or those that a generator makes."""
    path = os.path.join(SUITE, name)
    if os.path.isdir(path):
        return sorted(glob.glob(os.path.join(path, "*.cu")))
    names = subprocess.run([path, "--list"], check=True, capture_output=True, text=True).stdout.split()
    for file in names:
        with open(os.path.join(work, file), "w") as target:
            subprocess.run([path, file], check=True, stdout=target)
    return [os.path.join(work, file) for file in names]


def print_suites(tool, programs):
    print("### All suites\n")
    print("Seconds are CPU time, compilers included.\n")
    tallies = []
    hgrd = Tally()
    for _, run, rows in programs:
        hgrd.add(run, rows)
    tallies.append(("HGRD, table 3, with twins", hgrd, "HGRD: 15 of 15 races, no false alarm; GPUVerify 35 false alarms, FaialAA 16"))
    wrong = [(name, row) for name, _, rows in programs for row in rows if row["told"] != row["truth"]]
    for title, folder, paper in OTHERS:
        tally = Tally()
        with tempfile.TemporaryDirectory() as work:
            for path in suite_files(folder, work):
                run, rows = check_file(tool, path)
                tally.add(run, rows)
                wrong += [(os.path.basename(path), row) for row in rows if row["told"] != row["truth"]]
        tallies.append((title, tally, paper))
    markdown(Tally.HEADER, [tally.row(title) for title, tally, _ in tallies])
    print("What the papers report, on their own programs:\n")
    for title, _, paper in tallies:
        if paper:
            print(f"- {title}: {paper}")
    print()
    print_wrong(wrong)


def print_fixes(tool):
    """The programs after real fixes of races, by kind. Found: racy, and the pairs of lines that the file names are told."""
    print("### Real fixes\n")
    table, wrong = [], []
    for word, kind in FIXES:
        tally = Tally()
        for path in sorted(glob.glob(os.path.join(SUITE, "fixes", word + "_*.cu"))):
            run, rows = check_file(tool, path)
            tally.add(run, rows)
            wrong += [(os.path.basename(path), row) for row in rows if row["told"] != row["truth"]]
        table.append([kind, tally.files, f"{tally.found} of {tally.racy}", f"{tally.proved} of {tally.free}", tally.open + tally.free_open,
                      tally.missed, tally.alarms, f"{tally.races_found} of {tally.races}", f"{tally.cpu:.1f}"])
    markdown(["kind", "programs", "found before", "proved after", "undecided", "missed", "false alarms", "races found", "seconds"], table)
    print_wrong(wrong)


def print_wrong(wrong):
    print("### Answers that are not the truth\n")
    if not wrong:
        print("None.\n")
        return
    markdown(["program", "kernel", "truth", "answer"], [[name, row["kernel"], row["truth"], row["told"]] for name, row in wrong])


def print_speed(programs):
    print("### Speed\n")
    print("Seconds of wall time; memory of hgrd-check itself; resource units are the solver's own measure. Both twins of each program.")
    print("Quoted for their own programs: HGRD up to 300 s (copyFromVec), GPUVerify 1 to 90 s, FaialAA 1 to 7 s, GKLEE 1 to 43 s where it ends.\n")
    table = []
    for name, run, _ in programs:
        table.append([name, run.stat("pairs"), run.stat("queries"), run.stat("resource_units"), f'{run.stat("frontend_seconds"):.2f}',
                      f'{run.stat("analysis_seconds"):.2f}', f'{run.stat("peak_bytes") / 2**20:.0f}'])
    totals = [sum(run.stat(key) for _, run, _ in programs) for key in ("pairs", "queries", "resource_units")]
    seconds = [sum(run.stat(key) for _, run, _ in programs) for key in ("frontend_seconds", "analysis_seconds")]
    table.append(["all", *totals, *(f"{value:.2f}" for value in seconds), ""])
    markdown(["program", "pairs", "queries", "resource units", "front end s", "analysis s", "peak MiB"], table)
