// Random kernels: loops in loops, of known and unknown numbers of rounds, with barriers in all places, or missing there. Steps
// of the loops use shared memory as kernels do: each thread its own element, another one's, a tree, two buffers in turn.
// SPDX-License-Identifier: Apache-2.0
#include "writer.h"

enum { DEPTH = 3, FUNCTIONS = 2 };
#define COUNT(table) (sizeof(table) / sizeof *(table))

// The counter is %Y, which is known from `open` on.
typedef struct Loop {
  const char *open, *close;
} Loop;

static const Loop loops[] = {{"for (int %Y = 0; %Y < @(1@|2@|3@|%C@); %Y++) {\n", "}\n"},
                             {"for (int %Y = 0; %Y < @(n@|m@|n / 2@|m + 1@); %Y@(++@|++@| += 2@)) {\n", "}\n"},
                             {"for (int %Y = blockIdx.x; %Y < n; %Y += gridDim.x) {\n", "}\n"},
                             {"for (int %Y = %T / 2; %Y > @(0@|0@|1@|4@|16@); %Y @(>>= 1@|/= 2@)) {\n", "}\n"},
                             {"for (int %Y = @(1@|2@); %Y < %T; %Y @(<<= 1@|*= 2@)) {\n", "}\n"},
                             {"for (int %Y = @(m@|n@|3@); %Y > @(0@|1@); %Y--) {\n", "}\n"},
                             {"{\nint %Y = @(0@|m@);\ndo {\n", "} while (++%Y < @(1@|2@|n@|m@));\n}\n"},
                             {"{\nint %Y = @(n@|m@|2@|%C@);\nwhile (%Y-- > @(0@|0@|1@|m@)) {\n", "}\n}\n"},
                             {"{\nint %Y = 0;\nwhile (true) {\n  if (++%Y > @(n@|m@|2@)) break;\n", "}\n}\n"}};

static const char *const steps[] = {
    "s[IX(tid, 256)] = @(%Y@|tid@|%Y + tid@);\n",
    "s[IX(tid, 256)] += @(%Y@|1@);\n",
    "s[IX(@(%T - 1 - tid@|tid ^ 1@|(tid + %C) % %T@), 256)] = %Y;\n",
    "b[IX(gid, 4096)] += s[IX(@(%T - 1 - tid@|tid ^ 1@|(tid + %C) % %T@|0@|tid@), 256)];\n",
    "b[IX(gid, 4096)] += s[IX(@(%T - 1 - tid@|tid ^ 1@|(tid + %C) % %T@|0@|tid@), 256)];\n",
    "if (tid < %Y) s[IX(tid, 256)] += s[IX(tid + %Y, 256)];\n",
    "if (tid < %Y) s[IX(tid, 256)] += s[IX(tid + %Y, 256)];\n",
    "{ int x = tid >= %Y ? s[IX(tid - %Y, 256)] : 0;\n%bs[IX(tid, 256)] += x; }\n",
    "if (tid == 0) @(a@|b@)[IX((int)blockIdx.x, 4096)] = s[@(0@|1@)];\n",
    "if (tid == 0) a[IX(@((int)blockIdx.x + %Y@|%Y@|(int)blockIdx.x * 32 + (%Y & 31)@), 4096)] = s[0];\n",
    "if (tid == @(0@|%K@|%Y@)) s[@(0@|128@)] = %Y;\n",
    "s[IX((%Y & 1) * 128 + tid, 256)] = %Y;\n",
    "b[IX(gid, 4096)] += s[IX((@(%Y@|%Y + 1@) & 1) * 128 + (tid ^ 1), 256)];\n",
    "t[IX(%Y & 15, 16)][IX(@(tid % 33@|tid / 2@), 33)] = tid;\n",
    "b[IX(gid, 4096)] += t[IX(@(%Y@|%Y + 1@|%Y - 1@) & 15, 16)][IX(@(tid % 33@|(tid + 1) % 33@|0@), 33)];\n",
    "if (%!) { @(s[IX(tid, 256)] = 1;@|%b@|b[IX(gid, 4096)] += s[IX(tid ^ 1, 256)];@) }\n",
    "h%k(s, @(tid@|%Y@|tid ^ 1@));\n",
    "b[IX(gid, 4096)] += f%k_@(0@|1@)<%T / 2, @(0@|1@|2@|3@|3@)>(s, tid, %Y);\n",
    "s[IX(tid, 256)] = __syncthreads_@(or@|count@)(@(tid < %Y@|s[IX(tid, 256)] > %Y@));\n",
    "s[IX(tid, 256)] = r[IX(%Y * 64 + tid, 4096)];\n",
    "%S",
};

// What ends a loop, or a round of it.
static const char *const leaves[] = {"if (@(%!@|%Y == %K@|%Y > m@)) break;\n", "if (@(%!@|%Y == %K@|%Y > m@)) continue;\n",
                                     "if (%!) return;\n", "if (s[@(0@|1@)] > %C) break;\n", "if (__syncthreads_or(@(tid < %Y@|s[tid] > n@))) @(break@|continue@);\n"};

static const char *const functions[] = {
    "template <int N, int WAYS> __device__ int f%k_#(int *x, int tid, int value) {\n"
    "  @(x[IX(tid, 256)] = value;\n@|@)"
    "  for (int d = N; d > @(0@|0@|1@|16@); d >>= 1) {\n"
    "    if (WAYS & 1) __syncthreads();\n"
    "    if (tid < d) x[IX(tid, 256)] += x[IX(tid + d, 256)];\n"
    "    if (WAYS & 2) __syncthreads();\n"
    "  }\n  return x[@(0@|tid@)];\n}\n\n",
    "template <int N, int WAYS> __device__ int f%k_#(int *x, int tid, int value) {\n"
    "  for (int d = 0; d < @(WAYS@|value@|2@); d++) {\n"
    "    %bif (d == @(value@|1@)) @(return d@|continue@|break@);\n"
    "    x[IX(@(tid@|(tid + d) % (2 * N)@), 256)] @(=@|+=@) value;\n"
    "    %b"
    "  }\n  @(if (WAYS > 1) __syncthreads();\n@|@)"
    "  return x[IX(@(tid ^ 1@|tid@|2 * N - 1 - tid@), 256)];\n}\n\n",
};

// The text with the number of the function for its '#'.
static void put_function(Writer *w, const char *text, int number) {
  char whole[1024];
  size_t length = 0;
  for (; *text && length + 1 < sizeof whole; text++)
    whole[length++] = *text == '#' ? (char)('0' + number) : *text;
  whole[length] = 0;
  writer_fill(w, whole);
}

// Mostly there are nearly enough, so that the one that is missing does not hide behind others.
void writer_loop_functions(Writer *w) {
  static const uint32_t densities[] = {45, 70, 85, 93, 93};
  w->is_short = writer_chance(w, 50);
  w->barriers = w->is_short ? 50 : densities[writer_roll(w, COUNT(densities))];
  for (int i = 0; i < FUNCTIONS; i++)
    put_function(w, functions[writer_roll(w, COUNT(functions))], i);
}

static void put_body(Writer *w, int depth);

static void put_loop(Writer *w, int depth) {
  const Loop *loop = &loops[writer_roll(w, COUNT(loops))];
  int outer = w->loops;
  w->inner = true;
  w->loops++;
  writer_fill(w, loop->open);
  w->inner = false;
  put_body(w, depth + 1);
  w->loops = outer + 1;
  w->inner = true;
  writer_fill(w, loop->close);
  w->inner = false;
  w->loops = outer;
}

static void put_body(Writer *w, int depth) {
  uint32_t count = 1 + writer_roll(w, 3), where = writer_chance(w, depth == 1 ? 80 : 40) && depth < DEPTH ? writer_roll(w, count) : count;
  if (w->is_short) {
    count = 1 + (depth == 1);
    where = depth == 1 ? writer_roll(w, 2) : count;
  }
  writer_fill(w, "%b");
  for (uint32_t i = 0; i < count; i++) {
    if (i == where) put_loop(w, depth);
    else writer_fill(w, writer_chance(w, 8) ? leaves[writer_roll(w, COUNT(leaves))] : steps[writer_roll(w, COUNT(steps))]);
    writer_fill(w, "%b");
  }
}

void writer_loops(Writer *w) {
  if (writer_chance(w, 30)) PUT("s[IX(tid, 256)] = gid;\n");
  writer_fill(w, "%b");
  put_loop(w, 0);
  writer_fill(w, "%b");
  if (writer_chance(w, 30)) PUT("if (tid == 0) b[IX((int)blockIdx.x, 4096)] = s[0];\n");
}
