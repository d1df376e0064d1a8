// Random kernels: how the host launches them, for whom they are analysed, and the program that tries them on the host. Both say
// the same: dimensions, what n and m are, loops around launches, and what is done to the words that kernels wait for.
// SPDX-License-Identifier: Apache-2.0
#include "writer.h"

#include <stdlib.h>

enum { MAX_N = 20, MAX_M = 4, MOST_LAUNCHES = 3 };

static const char *const grids[] = {"1", "1", "2", "3", "(n + %d - 1) / %d", "n / 4 + 1", "m + 1"};
static const char *const small_grids[] = {"2", "2", "3", "m + 1", "1", "4"};

// What `r` holds, if something fills it: of element k.
static const char *const contents[] = {"k", "k / 2", "k ^ 1", "k * 3", "4095 - k", "k * m", "(k * 5) & 4095", "k % 64", "k & 1 ? k : 0", "k + n"};

// A launch of a kernel: what it is given for n and m, and what it is repeated for.
typedef struct LaunchText {
  const char *before, *n, *m;
} LaunchText;

static const LaunchText texts[] = {{"", "n", "m"},
                                   {"", "n / 2 + 1", "m"},
                                   {"", "n", "m + 1"},
                                   {"for (int h = 1; h < n; h *= 2) ", "h", "m"},
                                   {"for (int h = 0; h < m; h++) ", "n", "h"},
                                   {"for (int h = n; h > 2; h /= 2) ", "h * 2", "h"},
                                   {"if (n > 4) ", "n - 4", "n"}};

// What becomes of the words of `f` before a launch: on the device, and in the emulation. The first one, right in each case, is
// the one that is chosen mostly.
typedef struct ResetText {
  const char *host, *emulated;
} ResetText;

static const ResetText resets[] = {{"cudaMemset(f, 0, 64 * sizeof(int));", "set_words(f, 0, 64, 0);"},
                                   {"", ""},
                                   {"set_words<<<1, 64>>>(f, 0);", "set_words(f, 0, 64, 0);"},
                                   {"set_words<<<1, 64>>>(f, 1);", "set_words(f, 0, 64, 1);"},
                                   {"cudaMemset(f + 1, 0, 63 * sizeof(int));", "set_words(f, 1, 64, 0);"},
                                   {"cudaMemset(f, 0, sizeof(int));", "set_words(f, 0, 1, 0);"},
                                   {"set_words<<<1, 1>>>(f, 2);", "set_words(f, 0, 1, 2);"}};

typedef struct KernelLaunches {
  char grid[64];
  const char *block;
  uint32_t count;
  const LaunchText *texts[MOST_LAUNCHES];
  const ResetText *resets[MOST_LAUNCHES];
  const char *content; // NULL: nothing fills r
  bool is_host_content, together;
} KernelLaunches;

struct Launches {
  uint32_t kernels;
  KernelLaunches of[];
};

Launches *launches_make(uint32_t kernels) {
  Launches *made = calloc(1, sizeof *made + kernels * sizeof *made->of);
  if (made) made->kernels = kernels;
  return made;
}

#define ONE_OF(w, table) (table)[writer_roll(w, sizeof(table) / sizeof *(table))]

static const ResetText *choose_reset(Writer *w) {
  return writer_chance(w, 80) ? resets : &resets[writer_roll(w, sizeof resets / sizeof *resets)];
}

void launches_choose(Launches *launches, Writer *w, uint32_t kernel) {
  KernelLaunches *made = &launches->of[kernel];
  *made = (KernelLaunches){.block = w->block->text, .count = 1, .together = w->waits};
  const char *grid = w->waits ? ONE_OF(w, small_grids) : ONE_OF(w, grids);
  (void)snprintf(made->grid, sizeof made->grid, grid, w->block->threads, w->block->threads);
  if (writer_chance(w, 20)) {
    made->count = 1 + writer_roll(w, MOST_LAUNCHES);
    PUT("// k%u is launched in several ways\n", kernel);
  }
  for (uint32_t i = 0; i < made->count; i++) {
    made->texts[i] = made->count == 1 && !writer_chance(w, 5) ? texts : &ONE_OF(w, texts);
    made->resets[i] = choose_reset(w);
  }
  if (writer_chance(w, 40)) made->content = ONE_OF(w, contents);
  made->is_host_content = writer_chance(w, 50);
}

static void put_emulated(Writer *w, uint32_t k, const KernelLaunches *of) {
  PUT("static void run%u() { k%u(a, b, r, c, f, kn, km); }\nstatic Outcome try%u() {\n  Outcome all = CLEAN;\n", k, k, k);
  if (of->content) PUT("  for (int k = 0; k < 4096; k++) r[k] = %s;\n", of->content);
  for (uint32_t i = 0; i < of->count; i++)
    PUT("  %s{ set_words(c, 0, 4, 0); %s kn = %s, km = %s; all = worse(all, run_grid(%s, %s, run%u, %s)); }\n", of->texts[i]->before,
        of->resets[i]->emulated, of->texts[i]->n, of->texts[i]->m, of->grid, of->block, k, of->together ? "true" : "false");
  PUT("  return all;\n}\n");
}

static void put_contents(Writer *w, uint32_t k, const KernelLaunches *of) {
  if (!of->content || of->is_host_content) return;
  PUT("__global__ void f%u(int *r, int n, int m) {\n  int k = blockIdx.x * blockDim.x + threadIdx.x;\n", k);
  PUT("  if (k < 4096) r[k] = %s;\n}\n", of->content);
}

static void put_on_host(Writer *w, uint32_t k, const KernelLaunches *of) {
  const char *array = of->content ? "d" : "r";
  PUT("  {\n  int *f;\n  cudaMalloc(&f, 64 * sizeof(int));\n");
  if (of->content) PUT("  int *d;\n  cudaMalloc(&d, 4096 * sizeof(int));\n");
  if (of->content && of->is_host_content)
    PUT("  int *h = (int *)malloc(4096 * sizeof(int));\n  for (int k = 0; k < 4096; k++) h[k] = %s;\n"
        "  cudaMemcpy(d, h, 4096 * sizeof(int), cudaMemcpyHostToDevice);\n",
        of->content);
  else if (of->content) PUT("  f%u<<<16, 256>>>(d, n, m);\n", k);
  for (uint32_t i = 0; i < of->count; i++)
    PUT("  %s{ cudaMemset(c, 0, 4 * sizeof(int)); %s k%u<<<%s, %s>>>(a, b, %s, c, f, %s, %s); }\n", of->texts[i]->before,
        of->resets[i]->host, k, of->grid, of->block, array, of->texts[i]->n, of->texts[i]->m);
  PUT("  }\n");
}

static void put_emulation(const Launches *launches, Writer *w) {
  PUT("static int *a, *b, *c, *f, *r, n, m, kn, km;\n"
      "static void set_words(int *words, int from, int to, int value) {\n  for (int k = from; k < to; k++) words[k] = value;\n}\n"
      "static void reset() { set_words(c, 0, 4, 0), set_words(f, 0, 64, 0); }\n");
  for (uint32_t k = 0; k < launches->kernels; k++)
    put_emulated(w, k, &launches->of[k]);
  PUT("int main(int argc, char **argv) {\n  a = array('a', 4096), b = array('b', 4096), r = array('r', 4096);\n"
      "  c = array('c', 4), f = array('f', 64);\n  Tried tried[] = {\n");
  for (uint32_t k = 0; k < launches->kernels; k++)
    PUT("    {try%u, &n, &m, reset},\n", k);
  PUT("  };\n  if (argc == 4) tell_races(argv[1], tried[atoi(argv[1] + 1)], atoi(argv[2]), atoi(argv[3]));\n");
  PUT("  else for (int k = 0; k < %u; k++) try_all((\"k\" + std::to_string(k)).c_str(), tried[k]);\n}\n", launches->kernels);
}

void launches_put(const Launches *launches, Writer *w) {
  PUT("#ifdef HGRD_EMULATION\n");
  put_emulation(launches, w);
  PUT("#else\n__global__ void set_words(int *words, int value) { words[threadIdx.x] = value; }\n");
  for (uint32_t k = 0; k < launches->kernels; k++)
    put_contents(w, k, &launches->of[k]);
  PUT("int main(int argc, char **argv) {\n  if (argc < 3) return 1;\n  int n = atoi(argv[1]), m = atoi(argv[2]);\n"
      "  if (n < 1 || n > %d || m < 0 || m > %d) return 1;\n"
      "  int *a, *b, *r, *c;\n  cudaMalloc(&a, 4096 * sizeof(int));\n  cudaMalloc(&b, 4096 * sizeof(int));\n"
      "  cudaMalloc(&r, 4096 * sizeof(int));\n  cudaMalloc(&c, 4 * sizeof(int));\n",
      MAX_N, MAX_M);
  for (uint32_t k = 0; k < launches->kernels; k++)
    put_on_host(w, k, &launches->of[k]);
  PUT("}\n#endif\n");
}
