"""How does the time grow with the program? Programs of growing size are made in several directions: accesses in a kernel, to one array,
to many and to fields of one, barriers between them, launches of a kernel, files of a program, host code before a launch. Printed as a table, drawn as an SVG."""
# SPDX-License-Identifier: Apache-2.0
import math
import os
import tempfile

from runner import Run, markdown

SIZES = {"accesses": [10, 100, 1000, 10000], "on many arrays": [10, 100, 1000, 10000], "fields": [10, 100, 1000, 10000], "barriers": [10, 100, 1000], "launches": [1, 4, 16, 64, 256], "files": [1, 2, 4, 8, 16], "host size": [1, 10, 100, 1000]}


def made_accesses(size):
    """One kernel with `size` writes and as many reads of one array: size * (3 size + 1) / 2 pairs that can meet."""
    body = "".join(f"  a[i * {size} + {k}] = a[i * {size} + {k}] + {k}.f;\n" for k in range(size))
    return {"a.cu": f"__global__ void many(float *a, int n) {{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n)\n    return;\n{body}}}\n"
            f"int main(int argc, char **) {{\n  float *a;\n  cudaMalloc((void **)&a, argc * {size} * 4);\n"
            "  many<<<(argc + 255) / 256, 256>>>(a, argc);\n  return 0;\n}\n"}


def made_arrays(size):
    """One kernel with `size` writes and as many reads, ten or more to an array: a parameter and an allocation for each."""
    arrays = min(max(size // 10, 1), 400)
    each = size // arrays
    body = "".join(f"  a{k % arrays}[i * {each} + {k // arrays}] = a{k % arrays}[i * {each} + {k // arrays}] + {k}.f;\n"
                   for k in range(arrays * each))
    names = [f"a{k}" for k in range(arrays)]
    allocated = "".join(f"  float *{name};\n  cudaMalloc((void **)&{name}, argc * {each} * 4);\n" for name in names)
    return {"a.cu": f"__global__ void many({', '.join('float *' + name for name in names)}, int n) {{\n"
            f"  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n)\n    return;\n{body}}}\n"
            f"int main(int argc, char **) {{\n{allocated}  many<<<(argc + 255) / 256, 256>>>({', '.join(names)}, argc);\n  return 0;\n}}\n"}


def made_fields(size):
    """One kernel with `size` writes and as many reads of fields behind each other, each as long as a number that is not known."""
    body = "".join(f"  a[{k} * n + i] = a[{k} * n + i] + {k}.f;\n" for k in range(size))
    return {"a.cu": f"__global__ void many(float *a, int n) {{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n)\n    return;\n{body}}}\n"
            f"int main(int argc, char **) {{\n  float *a;\n  cudaMalloc((void **)&a, argc * {size} * 4);\n"
            "  many<<<(argc + 255) / 256, 256>>>(a, argc);\n  return 0;\n}\n"}


def made_barriers(size):
    """One kernel whose threads read what their neighbours stored before each of `size` barriers, in two arrays by turns."""
    body = "".join(f"  s{k % 2}[t] = v;\n  __syncthreads();\n  v += s{k % 2}[t ^ {k % 255 + 1}];\n" for k in range(size))
    return {"a.cu": f"__global__ void exchange(float *a) {{\n  __shared__ float s0[256], s1[256];\n  int t = threadIdx.x;\n"
            f"  float v = a[blockIdx.x * 256 + t];\n{body}  a[blockIdx.x * 256 + t] = v;\n}}\n"
            "int main(int argc, char **) {\n  float *a;\n  cudaMalloc((void **)&a, argc * 256 * 4);\n"
            "  exchange<<<argc, 256>>>(a);\n  return 0;\n}\n"}


def made_launches(size):
    """One kernel under `size` launches that differ in a host value."""
    calls = "".join(f"  shift<<<(n + {k} + 255) / 256, 256>>>(a, b, n + {k});\n" for k in range(size))
    return {"a.cu": "__global__ void shift(const float *a, float *b, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  if (i < n)\n    b[i] = a[n - 1 - i];\n}\nint main(int n, char **) {\n  float *a, *b;\n"
            f"  cudaMalloc((void **)&a, (n + {size}) * 4);\n  cudaMalloc((void **)&b, (n + {size}) * 4);\n{calls}  return 0;\n}}\n"}


def made_files(size):
    """`size` files with a kernel and its launcher each, and one with main, which calls them all."""
    files = {}
    for k in range(size):
        files[f"k{k}.cu"] = (f"__global__ void k{k}(float *a, int n) {{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             f"  if (i < n)\n    a[i] += {k}.f;\n}}\n"
                             f"void launch{k}(float *a, int n) {{ k{k}<<<(n + 255) / 256, 256>>>(a, n); }}\n")
    declared = "".join(f"void launch{k}(float *a, int n);\n" for k in range(size))
    called = "".join(f"  launch{k}(a, n);\n" for k in range(size))
    files["main.cu"] = f"{declared}int main(int n, char **) {{\n  float *a;\n  cudaMalloc((void **)&a, n * 4);\n{called}  return 0;\n}}\n"
    return files


def made_host(size):
    """`size` branches and assignments of the host before the launch; the fact that the proof needs comes first."""
    steps = "".join(f"  if (argv[{k % 7}][0] == {k % 26 + 97})\n    x += argv[{k % 5}][1] * {k + 1};\n" for k in range(size))
    return {"a.cu": "#include <cassert>\n#include <cstdlib>\n__global__ void mirror(float *a, int rows, int cols) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;\n"
            "  if (j > i && j < rows)\n    a[j * cols + i] = a[i * cols + j];\n}\n"
            "int main(int argc, char **argv) {\n  int rows = atoi(argv[1]), cols = atoi(argv[2]), x = 0;\n  assert(rows == cols);\n"
            f"{steps}  float *a;\n  cudaMalloc((void **)&a, rows * cols * 4);\n  dim3 block(16, 16), grid((rows + 15) / 16, (rows + 15) / 16);\n"
            "  mirror<<<grid, block>>>(a, rows, cols);\n  return x;\n}\n"}


MAKERS = {"accesses": made_accesses, "on many arrays": made_arrays, "fields": made_fields, "barriers": made_barriers, "launches": made_launches, "files": made_files, "host size": made_host}
WHAT = {"accesses": "writes, and as many reads, of one array in one kernel", "on many arrays": "the same on many arrays, ten or more to each",
        "fields": "the same on fields behind each other in one array, each as long as a number that is not known",
        "barriers": "barriers in one kernel, with stores and loads of shared memory between them", "launches": "launches of one kernel",
        "files": "files of one program, with a kernel each", "host size": "branches of the host before a launch"}


def measure(tool, name):
    points = []
    for size in SIZES[name]:
        with tempfile.TemporaryDirectory() as work:
            files = MAKERS[name](size)
            for file, text in files.items():
                with open(os.path.join(work, file), "w") as target:
                    target.write(text)
            run = Run(tool, sorted(files), ["--cuda-path=none"], work)
        points.append((size, run))
    return points


def print_growth(tool, svg_path):
    print("### Growth\n")
    curves = {name: measure(tool, name) for name in MAKERS}
    for name, points in curves.items():
        print(f"{WHAT[name][0].upper()}{WHAT[name][1:]}:\n")
        markdown([name, "verdicts", "pairs", "queries", "resource units", "front end s", "analysis s", "peak MiB"],
                 [[size, verdicts(run), run.stat("pairs"), run.stat("queries"), run.stat("resource_units"), f'{run.stat("frontend_seconds"):.2f}',
                   f'{run.stat("analysis_seconds"):.2f}', f'{run.stat("peak_bytes") / 2**20:.0f}'] for size, run in points])
    if svg_path:
        with open(svg_path, "w") as target:
            target.write(svg(curves))
        print(f"Drawn in {os.path.basename(svg_path)}.\n")


def verdicts(run):
    names = [("race_free", "race-free"), ("racy", "racy"), ("undecided", "undecided"), ("dead", "dead")]
    return ", ".join(f"{run.stat(key)} {text}" for key, text in names if run.stat(key)) or "no answer"


# ---- the drawing -------------------------------------------------------------------------------------------------------
WIDTH, HEIGHT, MARGIN = 320, 240, 48
COLORS = {"frontend_seconds": "#888888", "analysis_seconds": "#0055aa"}


def svg(curves):
    """A panel for each direction, two side by side, both axes logarithmic."""
    rows = (len(curves) + 1) // 2
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {rows * HEIGHT + 24}" font-family="sans-serif" font-size="11">',
             '<rect width="100%" height="100%" fill="white"/>']
    for i, (name, points) in enumerate(curves.items()):
        parts += panel(name, points, (i % 2) * WIDTH, (i // 2) * HEIGHT)
    for i, (key, text) in enumerate((("frontend_seconds", "front end"), ("analysis_seconds", "analysis"))):
        parts.append(f'<text x="{MARGIN + 130 * i}" y="{rows * HEIGHT + 12}" fill="{COLORS[key]}">{text} (seconds)</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def panel(name, points, left, top):
    sizes = [size for size, _ in points]
    low, high = -2, 2  # 10 ms to 100 s

    def x_of(size):
        span = math.log10(sizes[-1] / sizes[0]) or 1
        return left + MARGIN + (WIDTH - 1.5 * MARGIN) * math.log10(size / sizes[0]) / span

    def y_of(seconds):
        share = (math.log10(max(seconds, 10.0**low)) - low) / (high - low)
        return top + HEIGHT - MARGIN - (HEIGHT - 1.5 * MARGIN) * min(share, 1)

    parts = [f'<text x="{left + WIDTH / 2:.0f}" y="{top + HEIGHT - 12}" text-anchor="middle">{name}</text>']
    for power in range(low, high + 1):
        y = y_of(10.0**power)
        parts.append(f'<line x1="{left + MARGIN}" y1="{y:.1f}" x2="{left + WIDTH - MARGIN / 2}" y2="{y:.1f}" stroke="#dddddd"/>')
        parts.append(f'<text x="{left + MARGIN - 4}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    for size in sizes:
        parts.append(f'<text x="{x_of(size):.1f}" y="{top + HEIGHT - MARGIN + 14}" text-anchor="middle">{size}</text>')
    for key, color in COLORS.items():
        path = " ".join(f"{x_of(size):.1f},{y_of(run.stat(key)):.1f}" for size, run in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
    return parts
