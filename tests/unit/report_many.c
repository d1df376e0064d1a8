// Does a report of many findings leave in pieces, complete, and without being held in memory?
//
// The findings are made by hand: 500 kernels in 50 files, each with 20 findings and a reason for being
// undecided. Called with the name of a form, the program writes that report to standard output, for
// measuring.
// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/check.h"
#include "tests/unit/report_sample.h"

enum { FILES = 50, KERNELS_MEASURED = 500, KERNELS_TESTED = 100, FINDINGS = 20 };
enum { PIECE_MAX = 256 << 10 };

static void add_kernel(Sample *s, uint32_t k) {
  const char *file = arena_printf(s->arena, "src/part%u.cu", k % FILES);
  const char *name = arena_printf(s->arena, "kernel%u", k);
  KernelResult *result =
      sample_result(s, name, name, sample_loc(file, 1 + k / FILES * 100, 17, name), VERDICT_RACE);
  for (uint32_t i = 0; i < FINDINGS; i++) {
    uint32_t line = 2 + k / FILES * 100 + 2 * i; // no neighbours, which are one mistake
    FindingAccess write = sample_access(ACCESS_WRITE, sample_loc(file, line, 9, name));
    FindingAccess read = sample_access(ACCESS_READ, sample_loc(file, line, 16, name));
    Finding finding =
        sample_finding(result, RULE_INTER_BLOCK, arena_printf(s->arena, "out%u", i), write, read);
    vec_push(s->arena, &finding.notes, (FindingNote){.text = "hint: split the kernel"});
    vec_push(s->arena, &result->findings, finding);
  }
  vec_push(s->arena, &result->undecided,
           (UndecidedReason){.loc = result->loc, .text = "the length of this copy is not known"});
}

static const char *many_line(void *context, const char *file, uint32_t line) {
  (void)context, (void)file;
  return line <= 2000 ? "  if (i < n) { out[i] = out[i + 1]; }" : NULL;
}

static Sample *many_sample(Arena *arena, uint32_t kernels) {
  Sample *s = arena_new(arena, Sample);
  s->arena = arena;
  s->pool = expr_pool_make(arena);
  s->diags = diag_sink_make(arena);
  for (uint32_t k = 0; k < kernels; k++)
    add_kernel(s, k);
  return s;
}

typedef struct Seen {
  const char *needle; // once in each finding
  size_t largest, bytes;
  uint32_t pieces, found;
  FILE *copy;
} Seen;

static void see(void *context, const char *text, size_t length) {
  Seen *seen = context;
  seen->pieces++;
  seen->bytes += length;
  seen->largest = length > seen->largest ? length : seen->largest;
  for (const char *at = strstr(text, seen->needle); at; at = strstr(at + 1, seen->needle))
    seen->found++;
  if (seen->copy) fwrite(text, 1, length, seen->copy);
}

typedef struct Form {
  const char *name;
  SampleWriter write;
  const char *needle;
} Form;
static const Form forms[] = {{"text", report_text, "[-Winter-block-race]"},
                             {"json", report_json, "\"ruleId\": \"HGRD1001\""},
                             {"sarif", report_sarif, "\"ruleId\": \"HGRD1001\""},
                             {"html", report_html, "<article class=\"card warning\""},
                             {"gitlab", report_gitlab, "\"check_name\": \"inter-block-race\""},
                             {"junit", report_junit, ": warning: "},
                             {"baseline", report_baseline, "inter-block-race"}};

static Seen write_form(const Report *report, const Form *form, FILE *copy) {
  Arena *arena = arena_open();
  Seen seen = {.needle = form->needle, .copy = copy};
  ReportSink sink = {.text = {.arena = arena}, .write = see, .context = &seen};
  form->write(report, &sink);
  report_flush(&sink);
  CHECK(arena_bytes(arena) < 4 * PIECE_MAX); // the buffer doubled up to its size, and nothing else
  arena_close(arena);
  return seen;
}

int main(int argc, char **argv) {
  Arena *arena = arena_open();
  uint32_t kernels = argc > 1 ? KERNELS_MEASURED : KERNELS_TESTED, findings = kernels * FINDINGS;
  Sample *s = many_sample(arena, kernels);
  ReportInput input = sample_input(s);
  ReportOptions options = sample_options();
  options.read_line = many_line;
  input.file_count = 0;
  const Report *report = report_prepare(&input, &options, arena);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (argc > 1 && strcmp(argv[1], forms[i].name) != 0) continue;
    Seen seen = write_form(report, &forms[i], argc > 1 ? stdout : NULL);
    CHECK(seen.found == findings);
    CHECK(seen.bytes > findings * 50 && seen.pieces > 1 && seen.largest < PIECE_MAX);
  }
  arena_close(arena);
  return argc > 1 ? 0 : check_result();
}
