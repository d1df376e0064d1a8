#!/usr/bin/env python3
"""Which programs of a checkout build, run and pass their own verification under hgrd-run, what stops the others, and what do the
detectors cost? A program is a folder with a Makefile, as HeCBench has them.

Method: `make -n` says which sources are compiled with which flags, and `make -n run` which arguments the program is run with; nothing of it is executed but by
hgrd-run. Built is without a detector; each command line is run under a limit of processor time, and of memory. A CPU is slower than what the arguments are meant
for, so what says how often to repeat becomes 1 (10, if a program refuses 1): by the words of the program's usage, by the letter of an option, else the last number. What takes too long is run again with smaller sizes, which is
said in the table; not all programs take other sizes, so that what goes wrong then is told apart. Passed: all command lines end with status 0 and no line says that a result is wrong; `says so`: and some line says that it
is right. With --costs, each program that passes runs again under each detector, without and with the proofs; times are of the processor, beside the
same arguments with --detector=none.
Programs write into their folders, so DIR should be a copy.

usage: programs.py HGRD_RUN DIR... [--every N] [--seconds N] [--json FILE] [--costs] [--jobs N]
SPDX-License-Identifier: Apache-2.0
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import re
import resource
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time

DETECTORS = ["clocks", "hirace", "iguard", "scord", "values"]
LIBRARIES = re.compile(r"-l(cublas\w*|cufft\w*|curand\w*|cusparse\w*|cusolver\w*|cudnn\w*|nccl|nvshmem\w*|mpi\w*|nvml|nvidia-ml|npp\w*|cutensor\w*|cuda|"
                       r"boost\w*|gsl\w*|openblas|blas|lapack|hdf5|netcdf|sentencepiece|z|png|jpeg|tiff|fftw\w*|nvJitLink|nvrtc|nvjpeg|"
                       r"nvToolsExt|OpenCL|GL\w*|glut|X11)\b")
HEADERS = re.compile(r"^'?(cublas|cufft|curand\.h|cusparse|cusolver|cudnn|nccl|nvshmem|mpi\.h|nvml|npp|cutensor|boost/|gsl/|cutlass|cute/|opencv|Eigen|"
                     r"nvrtc|hdf5|nlohmann|torch|raft|rmm|cuco|mathdx|cufftdx)", re.I)
WRONG = re.compile(r"\b(fail(ed|ure|s)?|mismatch(es)?|incorrect|invalid results?|wrong|unsuccessful|not (ok|equal|match|correct))\b", re.I)
HARMLESS = re.compile(r"\b(0 (fail|mismatch|wrong|incorrect)|(fail\w*|mismatch\w*|wrong|incorrect)\s*[:=]\s*0\b|no (fail|mismatch))", re.I)
RIGHT = re.compile(r"\b(pass(ed)?|success(ful(ly)?)?|correct|verified|valid|ok|match(es|ed)?)\b", re.I)
COMPILER = re.compile(r"^\s*\S*(nvcc|g\+\+|gcc|cc|clang\+*|mpicxx)\s")
NO_INPUT = re.compile(r"(could ?n.t|cannot|can.t|could not|fail\w*|unable|not able) (to )?(open|read|load|find|import)|no such file|not found|not exist|not opened", re.I)
NO_MEMORY = re.compile(r"out of memory|bad_alloc|are not to be had", re.I)
USAGE = re.compile(r"usage\b[^;]*;", re.I)
PLACEHOLDER = re.compile(r"[<\[]([A-Za-z][\w .,/()-]*)[>\]]")
REPEATS = re.compile(r"repeat|repet|iter|times|trials?|\bruns?\b|loops?\b|\breps?\b", re.I)
SURELY_REPEATS = re.compile(r"repeat|repet", re.I)  # beside it, "iterations" are a size
REPEAT_OPTION = re.compile(r"-+(r|i|rep\w*|n?_?it\w*|loops?|runs?|trials?)=?$")
PATH = re.compile(r"[\w.-]*/[\w./+-]+$|[\w-]+(\.[A-Za-z][\w-]*)+$")
OUTPUT = re.compile(r"out|result", re.I)
MEMORY_MOST = 6 << 30
OWN_SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c", ".C")


def make_says(folder, target):
    done = subprocess.run(["make", "-n", "-B", *target], cwd=folder, capture_output=True, text=True, errors="replace", timeout=60, check=False)
    text = re.sub(r"\\\n", " ", done.stdout)
    return [line for line in re.split(r"\n|&&|;", text) if line.strip()]


def words_of(line):
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


def compiled(folder):
    """(sources, flags, libraries) of the compilations that make would start."""
    sources, flags, libraries = [], [], []
    here = folder
    for line in make_says(folder, []):
        words = words_of(line)
        libraries += LIBRARIES.findall(line)
        if words and words[0] == "cd":
            continue
        if not any(re.search(r"(nvcc|g\+\+|gcc|cc|clang\+*|mpicxx)$", word) for word in words[:2]):
            continue
        at = 1
        while at < len(words):
            word = words[at]
            if word in ("-o", "-Xcompiler", "-Xptxas", "-arch", "-gencode", "-x", "-ccbin", "-Xlinker", "-maxrregcount"):
                if word == "-Xcompiler" and at + 1 < len(words):
                    flags += ["-lgomp" for w in words[at + 1].split(",") if w == "-fopenmp"]
                at += 2
                continue
            if word in ("-I", "-D") and at + 1 < len(words):
                flags.append(word + words[at + 1])
                at += 2
                continue
            if word.startswith(("-I", "-D", "-std=", "--std=", "-lm", "-lpthread", "-include")):
                flags.append(word.replace("--std", "-std"))
            elif re.fullmatch(r"-O[0-3s]|-Ofast", word):
                flags.append("-O3" if word == "-Ofast" else word)
            elif word == "-fopenmp":
                flags.append("-lgomp")
            elif word.endswith(OWN_SOURCES) and os.path.exists(os.path.join(here, word)):
                sources.append(word)
            at += 1
    return list(dict.fromkeys(sources)), list(dict.fromkeys(flags)), sorted(set(libraries))


def commands(folder):
    found = []
    for line in make_says(folder, ["run"]):
        words = words_of(line)
        for at, word in enumerate(words if not COMPILER.search(line) else []):
            is_program = word.startswith("./") or (at == 0 and re.match(r"[\w-]+/", word))
            if is_program and re.match(r"[\w./-]+$", word) and not word.endswith((".sh", ".py")):
                arguments = words[at + 1:]
                for stop in ("|", ">", "<", "2>&1", "2>", "&"):
                    if stop in arguments:
                        arguments = arguments[:arguments.index(stop)]
                found.append(arguments)
                break
    return [list(t) for t in dict.fromkeys(tuple(a) for a in found)] or [[]]


def text_of(path):
    with open(path, errors="replace") as file:
        return file.read()


def roles_of(row, arguments):
    """What each argument is by the usage that the program prints; None if it has none for so many."""
    for name in sorted(os.listdir(row["folder"])):
        path = os.path.join(row["folder"], name)
        if not name.endswith((*OWN_SOURCES, ".h", ".hpp", ".cuh")) or not os.path.isfile(path):
            continue
        for usage in USAGE.findall(text_of(path)):
            roles = PLACEHOLDER.findall(usage)
            if len(roles) == len(arguments):
                return roles
    return None


def repeats_of(row, arguments):
    """The places of the arguments that say how often to repeat."""
    numbers = [i for i, word in enumerate(arguments) if re.fullmatch(r"\d+", word)]
    roles = roles_of(row, arguments)
    if roles:
        word = SURELY_REPEATS if any(SURELY_REPEATS.search(role) for role in roles) else REPEATS
        return [i for i in numbers if word.search(roles[i])]
    if any(re.match(r"-+[A-Za-z]", word) for word in arguments):
        return [i for i in numbers if i and REPEAT_OPTION.match(arguments[i - 1])]
    is_size = len(numbers) == 1 and int(arguments[numbers[-1]]) > 1000
    return numbers[-1:] if numbers and not is_size else []


def smaller(row, arguments, step, last):
    """Arguments that ask for less. All large numbers by one factor, as sizes often have to fit each other."""
    result, repeats = list(arguments), repeats_of(row, arguments)
    for i, word in enumerate(result):
        match = re.fullmatch(r"(-+[A-Za-z]\w*=)?(\d+)", word)
        if not match:
            continue
        option, number = match.group(1) or "", int(match.group(2))
        if i in repeats or (option and REPEAT_OPTION.match(option)):
            result[i] = option + (last if number > int(last) else str(number))
        elif step > 0 and number > LARGE:
            result[i] = option + str(max(1, number // FACTORS[step]))
    return result


PASSED = ("passes and says so", "ends well")
LARGE, FACTORS = 512, [1, 16, 256]
STEPS = len(FACTORS)
STEP_NAMES = ["those of the Makefile, repeated once", "and numbers above 512 divided by 16", "and numbers above 512 divided by 256"]


WALL_FACTOR = 10  # the limit is of processor time; a program that only waits ends by the clock


def limits(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))


def resident(pid):
    try:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0


def start(command, folder, seconds, settings=None):
    """(status, or None if it takes too long, output, CPU seconds, MiB). Addresses are not limited: the device reserves many."""
    environment = {**os.environ, **({"HGRD_RUN": settings} if settings else {})}
    with tempfile.TemporaryFile() as out:
        begun = time.monotonic()
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env=environment,
                                   preexec_fn=lambda: limits(seconds), start_new_session=True)
        status, is_large = None, False
        while status is None and not is_large and time.monotonic() - begun < seconds * WALL_FACTOR:
            pid, code, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                status = os.waitstatus_to_exitcode(code)
                break
            time.sleep(0.01)
            is_large = resident(process.pid) > MEMORY_MOST
        if status is None:
            os.killpg(process.pid, 9)
            _, code, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        if status in (-signal.SIGXCPU, -signal.SIGKILL):
            status = None
        if is_large:
            status = -signal.SIGKILL
        out.seek(max(0, out.seek(0, 2) - (1 << 20)))
        text = out.read().decode(errors="replace") + ("out of memory: the limit of the bench\n" if is_large else "")
    return status, text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def build(options, row, program, extra=()):
    command = [options.tool, "--build", "-o", program, *extra, *row["sources"], "--", *row["flags"]]
    return start(command, row["folder"], options.build_seconds)


def why_not_built(text):
    lines = [line for line in text.splitlines() if "error: " in line]
    reasons = []
    for line in lines:
        reason = line.split("error: ", 1)[1]
        reason = re.sub(r" \(called in '.*?'\)", "", reason)
        reason = re.sub(r": hgrd-run has no code.*", "", reason)
        if reason not in reasons:
            reasons.append(reason)
    return reasons[:8] or [(text.strip().splitlines() or ["?"])[-1][:200]]


def is_wrong(text):
    return [line for line in text.splitlines() if WRONG.search(line) and not HARMLESS.search(line) and "hgrd-run:" not in line]


def run_one(options, row, program, arguments):
    first = run_smaller(options, row, program, arguments, "1")
    is_refused = first["status"] and first["status"] > 0 and not first["wrong"]
    return run_smaller(options, row, program, arguments, "10") if is_refused else first


def missing_files(row, arguments):
    paths = [word for i, word in enumerate(arguments)
             if PATH.match(word) and not OUTPUT.search(os.path.basename(word)) and (not i or arguments[i - 1] != "-o")]
    return [path for path in paths if not os.path.exists(os.path.join(row["folder"], path))]


def run_smaller(options, row, program, arguments, last):
    run = {"arguments": arguments, "step": STEPS, "status": None, "wrong": [], "says": False, "tail": []}
    for step in range(STEPS):
        less = smaller(row, arguments, step, last)
        if step and less == smaller(row, arguments, step - 1, last):
            continue
        status, text, cpu, _ = start([program, *less], row["folder"], options.seconds, "detector=none")
        if status is None:
            continue
        run = {"arguments": less, "step": step, "status": status, "cpu": round(cpu, 3), "says": bool(RIGHT.search(text)),
               "wrong": is_wrong(text)[:3], "tail": text.strip().splitlines()[-4:], "memory": bool(NO_MEMORY.search(text)),
               "input": bool(NO_INPUT.search(text)) or bool(missing_files(row, arguments))}
        if step == 0 or (status == 0 and not run["wrong"]):
            break
    return run


def run_all(options, row, program):
    """Of the command lines the first three, up to one that does not end well."""
    runs = []
    for arguments in commands(row["folder"])[:3]:
        runs.append(run_one(options, row, program, arguments))
        if outcome_of(runs[-1:]) not in PASSED:
            break
    return runs


def outcome_of(runs):
    bad = [run for run in runs if run["status"] is None or run["status"] or run["wrong"]]
    if not bad:
        return "passes and says so" if any(run["says"] for run in runs) else "ends well"
    run = bad[0]
    if run["status"] is None:
        return "takes too long"
    if run["input"]:
        return "its input is not there"
    if run["memory"]:
        return "needs more memory"
    if run["step"]:
        return "takes too long, and no smaller sizes"
    return "result is wrong" if run["wrong"] and run["status"] >= 0 else f"ends with {run['status']}"


def examine(options, folder):
    row = {"name": os.path.basename(folder), "folder": folder}
    try:
        row["sources"], row["flags"], libraries = compiled(folder)
    except subprocess.TimeoutExpired:
        row["sources"], row["flags"], libraries = [], [], []
    if libraries:
        return row | {"outcome": "needs a library", "why": libraries}
    if not row["sources"]:
        return row | {"outcome": "no sources", "why": ["make -n names none"]}
    with tempfile.TemporaryDirectory(prefix="hgrd-programs-") as work:
        program = os.path.join(work, "program")
        status, text, row["build_cpu"], _ = build(options, row, program, ["--detector=none"])
        if status != 0:
            row["why"] = ["takes too long"] if status is None else why_not_built(text)
            foreign = any((match := re.search(r"'?([\w./-]+)'? file not found", why)) and HEADERS.match(match.group(1)) for why in row["why"])
            return row | {"outcome": "needs a library" if foreign else "is not built"}
        if options.build_only:
            return row | {"outcome": "is built"}
        row["runs"] = run_all(options, row, program)
        row["outcome"] = outcome_of(row["runs"])
        if options.costs and row["outcome"] in PASSED:
            costs(options, row, work)
    return row


# ---- costs and contradictions
def costs(options, row, work):
    first = row["runs"][0]
    if first["cpu"] > options.seconds / 2:
        return
    watched, proved = os.path.join(work, "watched"), os.path.join(work, "proved")
    if build(options, row, watched, ["--all"])[0] != 0 or build(options, row, proved)[0] != 0:
        return
    row["costs"] = {}
    for detector in ["none", *DETECTORS]:
        for kind, program in (("all", watched), ("proofs", proved)):
            if detector == "none" and kind == "proofs":
                continue
            status, text, cpu, mib = start([program, *first["arguments"]], row["folder"], options.seconds * 4, f"detector={detector}")
            left = re.search(r"(\d+) accesses watched(?:, (\d+) \()?", text)
            row["costs"][f"{detector} {kind}"] = {"status": status, "cpu": round(cpu, 3), "mib": round(mib, 1),
                                                  "watched": left and [int(left.group(1)), int(left.group(2) or 0)],
                                                  "told": sorted(told(text))}


def told(text):
    names, is_race = set(), False
    for line in text.splitlines():
        if re.search(r": (warning|note): .*\[-W", line):
            is_race = ": warning: " in line and "race]" in line
        launch = re.search(r"launched here: (.*?)(?:, grid| with grid)", line)
        if launch and is_race:
            names.add(re.sub(r"[<(].*", "", launch.group(1)).split("::")[-1].split()[-1])
            is_race = False
    return names


# ---- tables
def table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|---|" + "---:|" * (len(header) - 1))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def print_outcomes(rows):
    counts = collections.Counter(row["outcome"] for row in rows)
    own = [row for row in rows if row["outcome"] not in ("needs a library", "no sources")]
    good = [row for row in own if row["outcome"] in PASSED]
    print(f"{len(rows)} programs, {len(own)} without other libraries: {len(good)} run and pass ({100 * len(good) / max(1, len(own)):.0f} %)\n")
    table(["outcome", "programs"], sorted(counts.items(), key=lambda item: -item[1]))
    steps = collections.Counter(max(run["step"] for run in row["runs"]) for row in good)
    table(["arguments of those that pass", "programs"], [(STEP_NAMES[step], count) for step, count in sorted(steps.items())])
    reasons = collections.Counter()
    for row in own:
        if row["outcome"] == "is not built":
            reasons[re.sub(r"\s+", " ", row["why"][0])[:110]] += 1
    table(["what stops a build first", "programs"], reasons.most_common(60))
    for row in own:
        if row["outcome"] not in (*PASSED, "is not built", "is built"):
            run = next((run for run in row["runs"] if run["status"] is None or run["status"] or run["wrong"]), row["runs"][0])
            print(f"{row['name']}: {row['outcome']}: {' '.join(run['arguments'])}: {(run['wrong'] or run['tail'][-1:] or [''])[0][:140]}")


def print_costs(rows):
    shown, ratios = [], collections.defaultdict(list)
    for row in rows:
        cost = row.get("costs")
        if not cost or cost["none all"]["status"] not in (0, 1) or cost["none all"]["cpu"] < 0.05:
            continue
        plain = cost["none all"]["cpu"]
        cells = []
        for detector in DETECTORS:
            for kind in ("all", "proofs"):
                one = cost[f"{detector} {kind}"]
                is_good = one["status"] in (0, 1)
                ratio = one["cpu"] / plain
                if is_good:
                    ratios[detector, kind].append(ratio)
                cells.append(f"{ratio:.1f}" if is_good else f">{ratio:.0f}")
        left = cost["clocks proofs"]["watched"] or [0, 0]
        share = 100 * left[1] / sum(left) if sum(left) else 0
        shown.append([row["name"], f"{plain:.2f}", *cells, f"{share:.0f}"])
    table(["program", "none, s", *[f"`{d}`{k}" for d in DETECTORS for k in ("", ", proofs")], "left, %"], shown)
    table(["detector", "programs", "median", "mean", "most", "with proofs: median", "mean", "most"],
          [[d, len(ratios[d, "all"])] + [f"{f(ratios[d, k]):.2f}" for k in ("all", "proofs") for f in (statistics.median, statistics.mean, max)]
           for d in DETECTORS if ratios[d, "all"] and ratios[d, "proofs"]])


def main():
    parser = argparse.ArgumentParser(prog="./dev bench run", description=__doc__.split("\n\n")[0])
    parser.add_argument("tool")
    parser.add_argument("folders", nargs="*", metavar="DIR", help="whose folders with a Makefile are programs")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th, in the order of names")
    parser.add_argument("--match", default="", metavar="REGEX", help="only folders whose name matches")
    parser.add_argument("--seconds", type=float, default=20, metavar="N", help="for each run (default: 20)")
    parser.add_argument("--build-seconds", type=float, default=120, metavar="N", help="for each build (default: 120)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", metavar="FILE", help="one line for each program; those that it has already are not run again")
    parser.add_argument("--build-only", action="store_true", help="run none")
    parser.add_argument("--costs", action="store_true", help="run under each detector, too")
    options = parser.parse_args()
    options.tool = os.path.abspath(options.tool)
    folders = [os.path.join(root, name) for root in map(os.path.abspath, options.folders) for name in sorted(os.listdir(root))
               if re.search(r"-cuda$|^[^-]*$", name) and os.path.exists(os.path.join(root, name, "Makefile"))][::options.every]
    folders = [folder for folder in folders if re.search(options.match, os.path.basename(folder))]
    rows = {}
    if options.json and os.path.exists(options.json):
        with open(options.json) as file:
            rows = {row["name"]: row for row in map(json.loads, file)}
    wanted = [folder for folder in folders if os.path.basename(folder) not in rows]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda folder: examine(options, folder), wanted):
            rows[row["name"]] = row
            print(f"{row['name']}: {row['outcome']}: {(row.get('why') or [''])[0][:120]}", file=sys.stderr, flush=True)
            if options.json:
                with open(options.json, "a") as file:
                    file.write(json.dumps(row) + "\n")
    chosen = [rows[os.path.basename(folder)] for folder in folders]
    print_outcomes(chosen)
    if any("costs" in row for row in chosen):
        print_costs(chosen)


if __name__ == "__main__":
    main()
