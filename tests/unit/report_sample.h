// Results made by hand, with a little of everything a report can show, and source text that lives in memory.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_TESTS_REPORT_SAMPLE_H
#define HGRD_TESTS_REPORT_SAMPLE_H

#include "report/report.h"

#include <stdlib.h>
#include <string.h>

static const char *const sample_kernel_lines[] = {
    "#include \"tile.cuh\"",
    "__global__ void shift(float *out, int n) {",
    "\tint i = blockIdx.x * blockDim.x + threadIdx.x;",
    "\tif (i < n) { /* h\xc3\xa9 \xe5\xad\x97 */ out[i] = out[i + 1]; }",
    "}",
    "template <class T> __global__ void gather(T *out, const int *idx) {",
    "  out[idx[threadIdx.x]] = 1;",
    "}",
    "__global__ void blur(int *d) { loadTile(d); }",
    "__global__ void odd(int n) { if (threadIdx.x < n) __syncthreads(); }",
    "  // hgrd-suppress(inter-block-race, same-value-write): any winner is fine",
    "__global__ void flag(int *f) { *f = 1; }",
};
static const char *const sample_tile_lines[] = {
    "__device__ void loadTile(int *d) {",
    "  d[0] = d[1];",
    "}",
};
static const char *const sample_main_lines[] = {
    "int main() {",
    "  assert(n % 16 == 0);",
    "  shift<<<n / 16, 16>>>(d_out, n);",
    "}",
};

static const char *sample_read_line(void *context, const char *file, uint32_t line) {
  (void)context;
#define LINE_OF(lines) (line >= 1 && line <= sizeof lines / sizeof *lines ? lines[line - 1] : NULL)
  if (strcmp(file, "k.cu") == 0) return LINE_OF(sample_kernel_lines);
  if (strcmp(file, "tile.cuh") == 0) return LINE_OF(sample_tile_lines);
  if (strcmp(file, "main.cu") == 0) return LINE_OF(sample_main_lines);
#undef LINE_OF
  return NULL;
}

typedef struct Sample {
  Arena *arena;
  ExprPool *pool;
  VEC(const KernelResult *) results;
  DiagSink *diags;
  ReportFile files[2];
} Sample;

static inline SrcLoc sample_loc(const char *file, uint32_t line, uint32_t column, const char *function) {
  return (SrcLoc){.file = file, .line = line, .column = column, .function = function};
}

static inline KernelResult *sample_result(Sample *sample, const char *kernel, const char *mangled, SrcLoc loc,
                                          Verdict verdict) {
  KernelResult *result = arena_new(sample->arena, KernelResult);
  LaunchContext *launch = arena_new(sample->arena, LaunchContext);
  launch->kernel = mangled;
  launch->loc = sample_loc("main.cu", 3, 3, "main");
  launch->description = arena_printf(sample->arena, "%s<<<n / 16, 16>>>(d_out, n)", kernel);
  for (int i = 0; i < 3; i++) {
    launch->grid[i] = expr_const(sample->pool, 32, 4);
    launch->block[i] = expr_const(sample->pool, 32, 16);
  }
  *result = (KernelResult){.kernel = kernel,
                           .mangled = mangled,
                           .loc = loc,
                           .launch = launch,
                           .verdict = verdict,
                           .pairs = 2,
                           .proved = verdict == VERDICT_SAFE ? 2 : 1,
                           .queries = 3,
                           .rlimit = 1000};
  vec_push(sample->arena, &sample->results, result);
  return result;
}

static inline Finding sample_finding(const KernelResult *result, FindingRule rule, const char *object,
                                     FindingAccess first, FindingAccess second) {
  Finding finding = {.rule = rule,
                     .level = finding_rule_info(rule)->level,
                     .kernel = result->kernel,
                     .object = object,
                     .accesses = {first, second},
                     .launch = result->launch->description,
                     .launch_loc = result->launch->loc,
                     .cause = "unguarded-access",
                     .count = 1};
  finding.witness = (Witness){.grid_dim = {2, 1, 1},
                              .block_dim = {16, 1, 1},
                              .offset = 64,
                              .address = "out[16]",
                              .is_replayed = true};
  finding.witness.threads[0] = (WitnessThread){.block_idx = {1, 0, 0}};
  finding.witness.threads[1] = (WitnessThread){.thread_idx = {15, 0, 0}, .lane = 15};
  return finding;
}

static inline FindingAccess sample_access(AccessKind kind, SrcLoc loc) {
  return (FindingAccess){kind, loc, 4};
}

// Both between the kernel's start and its end; the first one has passed a barrier of its own block.
static inline void sample_add_intervals(Sample *s, Finding *finding) {
  for (int t = 0; t < 2; t++)
    finding->witness.threads[t].interval =
        (WitnessInterval){.is_known = true, .is_run = true, .is_whole = true};
  WitnessBarrier own = {sample_loc("k.cu", 3, 3, "shift"), IR_SCOPE_BLOCK, false};
  vec_push(s->arena, &finding->witness.threads[0].interval.before, own);
}

// A definite race found under two launches, with facts, values, a hint.
static inline void sample_add_shift(Sample *s, uint32_t launch_line) {
  SrcLoc loc = sample_loc("k.cu", 2, 17, "shift");
  KernelResult *result = sample_result(s, "shift", "_Z5shiftPfi", loc, VERDICT_RACE);
  ((LaunchContext *)result->launch)->loc.line = launch_line;
  Finding finding = sample_finding(result, RULE_INTER_BLOCK, "out",
                                   sample_access(ACCESS_WRITE, sample_loc("k.cu", 4, 29, "shift")),
                                   sample_access(ACCESS_READ, sample_loc("k.cu", 4, 38, "shift")));
  finding.launch_loc = result->launch->loc;
  sample_add_intervals(s, &finding);
  Fact *fact = arena_new(s->arena, Fact);
  *fact = (Fact){.class = FACT_ASSERT, .loc = sample_loc("main.cu", 2, 3, "main"), .text = "n % 16 == 0"};
  vec_push(s->arena, &finding.facts, fact);
  Fact *limit = arena_new(s->arena, Fact);
  *limit = (Fact){.class = FACT_HARDWARE, .text = "blockDim.x <= 1024"};
  vec_push(s->arena, &finding.facts, limit);
  vec_push(s->arena, &finding.witness.values, (WitnessValue){"n", 32, sample_loc("main.cu", 2, 10, "main")});
  vec_push(s->arena, &finding.witness.iterations[1], (WitnessValue){"k", 2, {0}});
  finding.mend = "rows == cols";
  finding.weaker_mend = "rows <= cols";
  finding.mends_kernel = true;
  vec_push(s->arena, &finding.notes,
           (FindingNote){.text = "read into a buffer of its own, or split the kernel"});
  finding.assumptions = ASSUME_ALONE | ASSUME_NO_OVERFLOW;
  vec_push(s->arena, &result->findings, finding);
  // The same pair seen from its other side: one report.
  FindingAccess swap = finding.accesses[0];
  finding.accesses[0] = finding.accesses[1];
  finding.accesses[1] = swap;
  vec_push(s->arena, &result->findings, finding);
}

// A possible race in two instances of a template.
static inline void sample_add_gather(Sample *s, const char *type, const char *mangled) {
  const char *name = arena_printf(s->arena, "gather<%s>", type);
  KernelResult *result = sample_result(s, name, mangled, sample_loc("k.cu", 6, 36, "gather"), VERDICT_RACE);
  SrcLoc place = sample_loc("k.cu", 7, 3, "gather");
  Finding finding = sample_finding(result, RULE_INTRA_WARP, "out", sample_access(ACCESS_WRITE, place),
                                   sample_access(ACCESS_WRITE, place));
  finding.certainty = CERTAINTY_POSSIBLE;
  vec_push(s->arena, &finding.witness.memory, (WitnessValue){"idx[0]", 16, {0}});
  vec_push(s->arena, &finding.witness.memory, (WitnessValue){"idx[15]", 16, {0}});
  vec_push(s->arena, &result->findings, finding);
}

static inline void sample_add_inlined(Sample *s) {
  KernelResult *result =
      sample_result(s, "blur", "_Z4blurPi", sample_loc("k.cu", 9, 17, "blur"), VERDICT_RACE);
  SrcLoc *call = arena_new(s->arena, SrcLoc);
  *call = sample_loc("k.cu", 9, 33, "blur");
  SrcLoc write = sample_loc("tile.cuh", 2, 8, "loadTile"), read = sample_loc("tile.cuh", 2, 10, "loadTile");
  write.inlined_at = read.inlined_at = call;
  Finding finding = sample_finding(result, RULE_INTRA_BLOCK, "d", sample_access(ACCESS_WRITE, write),
                                   sample_access(ACCESS_ATOMIC, read));
  finding.message = "write to 'd' by thread (0,0,0) races with the update at tile.cuh:2";
  vec_push(s->arena, &result->findings, finding);
  vec_push(s->arena, &result->undecided,
           (UndecidedReason){.loc = sample_loc("tile.cuh", 2, 1, "loadTile"),
                             .text = "the length of this copy is not known"});
}

static inline void sample_add_divergence(Sample *s) {
  KernelResult *result =
      sample_result(s, "odd", "_Z3oddi", sample_loc("k.cu", 10, 17, "odd"), VERDICT_UNKNOWN);
  Finding finding =
      sample_finding(result, RULE_BARRIER_DIVERGENCE, "",
                     sample_access(ACCESS_READ, sample_loc("k.cu", 10, 51, "odd")), (FindingAccess){0});
  finding.witness.address = NULL;
  vec_push(s->arena, &result->findings, finding);
  vec_push(s->arena, &result->undecided,
           (UndecidedReason){.loc = sample_loc("k.cu", 10, 51, "odd"),
                             .text = "not all threads of a block reach this barrier"});
}

static inline void sample_add_same_value(Sample *s) {
  KernelResult *result =
      sample_result(s, "flag", "_Z4flagPi", sample_loc("k.cu", 12, 17, "flag"), VERDICT_SAFE);
  SrcLoc place = sample_loc("k.cu", 12, 35, "flag");
  vec_push(s->arena, &result->findings,
           sample_finding(result, RULE_SAME_VALUE, "f", sample_access(ACCESS_WRITE, place),
                          sample_access(ACCESS_WRITE, place)));
  result->assumptions = ASSUME_ALONE;
}

static inline Sample *sample_make(Arena *arena) {
  Sample *s = arena_new(arena, Sample);
  s->arena = arena;
  s->pool = expr_pool_make(arena);
  s->diags = diag_sink_make(arena);
  s->files[0] = (ReportFile){.path = "k.cu", .is_ok = true, .seconds = 0.5};
  s->files[1] = (ReportFile){.path = "main.cu", .is_ok = true, .seconds = 0.25};
  sample_add_same_value(s);
  sample_add_divergence(s);
  sample_add_inlined(s);
  sample_add_gather(s, "int", "_Z6gatherIiEvPT_PKi");
  sample_add_gather(s, "float", "_Z6gatherIfEvPT_PKi");
  sample_add_shift(s, 3);
  sample_add_shift(s, 4);
  KernelResult *dead =
      sample_result(s, "never", "_Z5neverv", sample_loc("k.cu", 20, 1, "never"), VERDICT_DEAD);
  dead->pairs = 0;
  KernelResult *open = sample_result(s, "any", "_Z3anyv", sample_loc("k.cu", 21, 1, "any"), VERDICT_UNKNOWN);
  ((LaunchContext *)open->launch)->is_any = true;
  ((LaunchContext *)open->launch)->loc = (SrcLoc){0};
  SrcLoc place = sample_loc("k.cu", 1, 1, "");
  diag_report_detail(s->diags, DIAG_WARNING, &place, "the host side does not compile",
                     "first\nsecond\x1b[2J");
  return s;
}

static inline ReportInput sample_input(Sample *s) {
  return (ReportInput){.pool = s->pool,
                       .result_count = s->results.count,
                       .results = s->results.items,
                       .file_count = 2,
                       .files = s->files,
                       .diags = s->diags,
                       .exit_status = 1};
}

static inline ReportOptions sample_options(void) {
  ReportOptions options = {
      .read_line = sample_read_line, .version = "1.2.3", .source_root = "file:///home/user/project/"};
  for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++)
    options.levels[rule] = finding_rule_info((FindingRule)rule)->level;
  return options;
}

typedef void (*SampleWriter)(const Report *, ReportSink *);
static inline const char *sample_print(SampleWriter write, const ReportInput *input,
                                       const ReportOptions *options, Arena *arena) {
  ReportSink sink = {.text = {.arena = arena}};
  write(report_prepare(input, options, arena), &sink);
  return strbuf_text(&sink.text);
}

static inline FindingList sample_merge(const ReportInput *input, const ReportOptions *options, Arena *arena) {
  return report_findings(report_prepare(input, options, arena), arena);
}

static inline ReportTotals sample_totals(const ReportInput *input, const ReportOptions *options,
                                         Arena *arena) {
  return report_totals(report_prepare(input, options, arena));
}

// The file of this name under tests/golden, which HGRD_BLESS=1 in the environment writes anew; "" if there is
// none.
static inline const char *sample_golden(Arena *arena, const char *name, const char *text) {
  const char *path = arena_printf(arena, HGRD_TESTS_DIR "/golden/%s", name);
  if (getenv("HGRD_BLESS")) {
    FILE *file = fopen(path, "wb");
    if (file) {
      fputs(text, file);
      fclose(file);
    }
  }
  StrBuf golden = {.arena = arena};
  FILE *file = fopen(path, "rb");
  char block[4096];
  for (size_t got; file && (got = fread(block, 1, sizeof block, file)) > 0;)
    strbuf_add_n(&golden, block, got);
  if (file) fclose(file);
  return strbuf_text(&golden);
}

#endif
