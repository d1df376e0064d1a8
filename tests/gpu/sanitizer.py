"""What compute-sanitizer says of a program that runs on a GPU: which kernels race in shared memory (racecheck), and in which the threads of a
barrier do not meet (synccheck). Nothing it does not see happen is told: a clean run proves nothing."""
# SPDX-License-Identifier: Apache-2.0
import os
import re
import signal
import subprocess

# The first kernel named behind the line of an error; the hazards of racecheck name it in that line.
ERROR = re.compile(r"^=+ +(?:Error|Warning): |^=+ +Barrier error|^=+ +Invalid |^=+ +.*[Hh]azard")
PLACE = re.compile(r"\bat (?:void )?(?:[A-Za-z_]\w*::)*([A-Za-z_]\w*)(?:<.*?>)?\(")
# What makes a run worth nothing.
BROKEN = re.compile(r"out of range|misaligned|Program hit|illegal|unspecified launch failure|the program ended with|Target application (?:returned|terminated)|timed out|Internal Sanitizer")

# Programs whose main ends without waiting for their kernels lose them. What is made after the first call of the runtime goes before the runtime.
WAIT = r"""
#include <cstdio>
static struct Wait {
  Wait() { cudaFree(0); }
  ~Wait() {
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) fprintf(stderr, "the program ended with: %s\n", cudaGetErrorString(error));
  }
} wait_for_kernels;
"""


def compile_program(nvcc, source, program, flags=()):
    """None, or the first line of what the compiler complains about. Leaves what is compiled beside the program."""
    whole = program + "_whole.cu"
    with open(source, encoding="utf-8") as text, open(whole, "w", encoding="utf-8") as out:
        out.write(text.read() + WAIT)
    try:
        done = subprocess.run([nvcc, "-arch=native", "-w", "-o", program, whole, *flags], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=300, check=False)
    except subprocess.TimeoutExpired:
        return "the compiler took more than 300 s"
    if done.returncode == 0:
        return None
    return (done.stderr or done.stdout or "no message").splitlines()[0]


def kernels_told(text):
    """The kernels that the report names with an error."""
    kernels, waits = set(), False
    for line in text.splitlines():
        waits = waits or bool(ERROR.match(line))
        place = PLACE.search(line)
        if waits and place:
            kernels.add(place.group(1))
            waits = False
    return kernels


def run_within(seconds, command):
    """What the command prints; None if it takes longer. Then all that it has started is ended: a kernel that waits for ever outlives the tool, and
    holds the pipe that is read here."""
    try:
        running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                   start_new_session=True)
    except OSError as error:
        raise SystemExit(f"gpu: {command[0]}: {error.strerror}") from error
    with running:
        try:
            return running.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            return None


def look(tool, program, arguments=(), seconds=60):
    """{'racecheck': kernels, 'synccheck': kernels}; a value is None where the run broke off or took longer, as for threads that wait for ever."""
    found = {}
    for name in ("racecheck", "synccheck"):
        extra = ["--racecheck-report", "analysis"] if name == "racecheck" else []
        text = run_within(seconds, [tool, "--tool", name, *extra, "--print-limit", "1000", program, *arguments])
        found[name] = None if text is None or BROKEN.search(text) and not kernels_told(text) else kernels_told(text)
    return found
