// Does the text report say what it should, byte for byte, and does each line of it look like what editors
// parse?
//
// The long text is a golden file (HGRD_BLESS=1 writes it anew); single rules are checked on small inputs.
// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/check.h"
#include "tests/unit/report_sample.h"

#include <regex.h>

typedef struct Fixture {
  Arena *arena;
  Sample *sample;
  ReportInput input;
  ReportOptions options;
} Fixture;

static Fixture open_fixture(void) {
  Fixture f = {.arena = arena_open()};
  f.sample = sample_make(f.arena);
  f.input = sample_input(f.sample);
  f.options = sample_options();
  return f;
}

static const char *text_of(Fixture *f) {
  return sample_print(report_text, &f->input, &f->options, f->arena);
}

static bool has_line(const char *text, const char *pattern) {
  regex_t regex;
  if (regcomp(&regex, pattern, REG_EXTENDED | REG_NEWLINE | REG_NOSUB) != 0) return false;
  bool found = regexec(&regex, text, 0, NULL, 0) == 0;
  regfree(&regex);
  return found;
}

static void test_golden(void) {
  Fixture f = open_fixture();
  StrBuf out = {.arena = f.arena};
  report_messages(f.sample->diags, &f.options, f.arena, &out);
  strbuf_add(&out, text_of(&f));
  CHECK_TEXT(strbuf_text(&out), sample_golden(f.arena, "report_sample.txt", strbuf_text(&out)));
  f.options.is_verbose = f.options.use_color = true;
  f.input.stats = (ReportStats){
      .has_times = true, .frontend_seconds = 0.75, .analysis_seconds = 0.125, .peak_bytes = 3 << 20};
  f.input.is_interrupted = true;
  CHECK_TEXT(text_of(&f), sample_golden(f.arena, "report_sample_verbose.txt", text_of(&f)));
  arena_close(f.arena);
}

static void test_same_bytes(void) {
  Fixture f = open_fixture(), again = open_fixture();
  CHECK_TEXT(text_of(&f), text_of(&again));
  // The order of kernels in the input changes which launch is shown, not what is reported, nor where.
  for (uint32_t i = 0, k = again.sample->results.count - 1; i < k; i++, k--) {
    const KernelResult *swap = again.sample->results.items[i];
    again.sample->results.items[i] = again.sample->results.items[k];
    again.sample->results.items[k] = swap;
  }
  FindingList list = sample_merge(&f.input, &f.options, f.arena);
  FindingList turned = sample_merge(&again.input, &again.options, again.arena);
  CHECK(list.count == turned.count);
  for (uint32_t i = 0; i < list.count && list.count == turned.count; i++) {
    CHECK(list.items[i]->rule == turned.items[i]->rule && list.items[i]->count == turned.items[i]->count);
    CHECK(list.items[i]->accesses[0].loc.line == turned.items[i]->accesses[0].loc.line);
  }
  arena_close(f.arena);
  arena_close(again.arena);
}

// Every line starts a message or belongs to the source margin; only findings look like warnings.
static void test_line_forms(void) {
  Fixture f = open_fixture();
  char *text = arena_strdup(f.arena, text_of(&f)), *rest = NULL;
  uint32_t warnings = 0;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    warnings += has_line(line, "^[^:]+:[0-9]+:[0-9]+: warning: .* \\[-W[a-z-]+\\]$");
    CHECK(has_line(line, "^[^:]+:[0-9]+:[0-9]+: (warning|note): [^ ]") || has_line(line, "^ *[0-9]* \\| ") ||
          has_line(line, "^[0-9]+ (kernels:|suppressed)"));
  }
  CHECK(warnings == 4);
  CHECK(has_line(text_of(&f), "note: kernel 'any' is undecided: .* \\[undecided\\]$"));
  arena_close(f.arena);
}

static void test_merging(void) {
  Fixture f = open_fixture();
  FindingList list = sample_merge(&f.input, &f.options, f.arena);
  CHECK(list.count == 4); // the same-value write is suppressed by a comment
  ReportTotals totals = sample_totals(&f.input, &f.options, f.arena);
  CHECK(totals.warnings == 4 && totals.suppressed == 1 && totals.notes == 0);
  CHECK(totals.kernels == 8 && totals.racy == 4 && totals.safe == 1 && totals.undecided == 2 &&
        totals.dead == 1);
  CHECK(list.items[0]->rule == RULE_INTER_BLOCK && list.items[0]->count == 4);
  CHECK(list.items[1]->rule == RULE_INTRA_WARP && list.items[1]->count == 2);
  f.options.levels[RULE_INTER_BLOCK] = LEVEL_NONE;
  f.options.levels[RULE_INTRA_WARP] = LEVEL_ERROR;
  list = sample_merge(&f.input, &f.options, f.arena);
  CHECK(list.count == 3 && list.items[0]->level == LEVEL_ERROR);
  arena_close(f.arena);
}

// A definite finding is the face of its group, whatever the order.
static void test_definite_wins(void) {
  Fixture f = open_fixture();
  KernelResult *first = sample_result(f.sample, "z", "z", sample_loc("z.cu", 1, 1, "z"), VERDICT_RACE);
  SrcLoc place = sample_loc("z.cu", 2, 2, "z");
  Finding finding = sample_finding(first, RULE_INTER_BLOCK, "o", sample_access(ACCESS_WRITE, place),
                                   sample_access(ACCESS_WRITE, place));
  finding.certainty = CERTAINTY_POSSIBLE;
  vec_push(f.arena, &first->findings, finding);
  finding.certainty = CERTAINTY_DEFINITE;
  vec_push(f.arena, &first->findings, finding);
  f.input = sample_input(f.sample);
  FindingList list = sample_merge(&f.input, &f.options, f.arena);
  CHECK(list.count == 5 && list.items[4]->certainty == CERTAINTY_DEFINITE && list.items[4]->count == 2);
  arena_close(f.arena);
}

static void test_possible_is_told(void) {
  Fixture f = open_fixture();
  KernelResult *result = sample_result(f.sample, "z", "z", sample_loc("z.cu", 1, 1, "z"), VERDICT_RACE);
  FindingAccess access = sample_access(ACCESS_WRITE, sample_loc("z.cu", 2, 2, "z"));
  Finding finding = sample_finding(result, RULE_INTER_BLOCK, "o", access, access);
  finding.certainty = CERTAINTY_POSSIBLE;
  finding.message = "write to 'o' races with write on the same line";
  vec_push(f.arena, &result->findings, finding);
  f.input = sample_input(f.sample);
  CHECK(has_line(text_of(&f), "^z.cu:2:2: warning: possible race: write to 'o' races with "));
  arena_close(f.arena);
}

static void test_many_reasons(void) {
  Fixture f = open_fixture();
  KernelResult *result = sample_result(f.sample, "z", "z", sample_loc("z.cu", 1, 1, "z"), VERDICT_UNKNOWN);
  for (uint32_t line = 1; line <= 9; line++)
    for (int twice = 0; twice < 2; twice++)
      vec_push(f.arena, &result->undecided,
               (UndecidedReason){.loc = sample_loc("z.cu", line, 1, "z"), .text = "because"});
  f.input = sample_input(f.sample);
  CHECK(has_line(text_of(&f), "^z.cu:4:1: note: kernel 'z' is undecided: because"));
  CHECK(!has_line(text_of(&f), "^z.cu:5:1: "));
  CHECK(has_line(text_of(&f), "^z.cu:1:1: note: kernel 'z' is undecided for 5 more reasons; -v lists them"));
  f.options.is_verbose = true;
  CHECK(has_line(text_of(&f), "^z.cu:9:1: note: kernel 'z' is undecided: because"));
  arena_close(f.arena);
}

// That the budget is spent is told behind what else is known.
static void test_budget_last(void) {
  Fixture f = open_fixture();
  KernelResult *result = sample_result(f.sample, "z", "z", sample_loc("z.cu", 1, 1, "z"), VERDICT_UNKNOWN);
  for (uint32_t line = 1; line <= 9; line++)
    vec_push(f.arena, &result->undecided,
             (UndecidedReason){sample_loc("z.cu", line, 1, "z"), line < 7 ? "spent" : "because", line < 7});
  f.input = sample_input(f.sample);
  CHECK(has_line(text_of(&f), "^z.cu:9:1: note: kernel 'z' is undecided: because"));
  CHECK(has_line(text_of(&f), "^z.cu:1:1: note: kernel 'z' is undecided: spent"));
  CHECK(!has_line(text_of(&f), "^z.cu:2:1: "));
  arena_close(f.arena);
}

static void test_levels(void) {
  Fixture f = open_fixture();
  KernelResult *result = sample_result(f.sample, "z", "z", sample_loc("z.cu", 1, 1, "z"), VERDICT_RACE);
  SrcLoc place = sample_loc("z.cu", 2, 2, "z");
  Finding finding = sample_finding(result, RULE_BARRIER_DIVERGENCE, "", sample_access(ACCESS_READ, place),
                                   (FindingAccess){0});
  finding.level = LEVEL_NOTE; // a pedantic note stays one, also with -Werror
  vec_push(f.arena, &result->findings, finding);
  f.input = sample_input(f.sample);
  f.options.levels[RULE_BARRIER_DIVERGENCE] = LEVEL_ERROR;
  FindingList list = sample_merge(&f.input, &f.options, f.arena);
  CHECK(list.items[list.count - 1]->level == LEVEL_NOTE);
  f.options.levels[RULE_BARRIER_DIVERGENCE] = LEVEL_NONE;
  CHECK(sample_merge(&f.input, &f.options, f.arena).count == list.count - 2);
  arena_close(f.arena);
}

static void test_empty(void) {
  Arena *arena = arena_open();
  ReportInput input = {0};
  ReportOptions options = sample_options();
  CHECK_TEXT(sample_print(report_text, &input, &options, arena),
             "0 kernels: 0 race-free, 0 racy, 0 undecided (0 pairs, 0 queries)\n");
  arena_close(arena);
}

// The caret stands under the column, behind tabs and wide characters, and long lines are cut around it.
static const char *long_line(void *context, const char *file, uint32_t line) {
  (void)file;
  return line <= 50 ? context : NULL;
}

static void test_caret(void) {
  Fixture f = open_fixture();
  CHECK(strstr(text_of(&f), "    4 | \tif (i < n) { /* h\xc3\xa9 \xe5\xad\x97 */ out[i] = out[i + 1]; }\n"
                            "      | \t                         ^~~~~~\n"));
  char *line = arena_alloc(f.arena, 10001);
  memset(line, 'x', 10000);
  line[5000] = '#';
  f.options.read_line = long_line;
  f.options.context = line;
  KernelResult *result = sample_result(f.sample, "z", "z", sample_loc("z.cu", 1, 1, "z"), VERDICT_RACE);
  SrcLoc place = sample_loc("z.cu", 2, 5001, "z");
  vec_push(f.arena, &result->findings,
           sample_finding(result, RULE_INTER_BLOCK, "o", sample_access(ACCESS_WRITE, place),
                          sample_access(ACCESS_WRITE, place)));
  f.input = sample_input(f.sample);
  const char *text = text_of(&f), *mark = strchr(text, '#');
  CHECK(mark != NULL);
  const char *start = mark, *caret = mark ? strchr(mark, '^') : NULL;
  while (mark && start > text && start[-1] != '\n')
    start--;
  const char *below = mark ? strchr(mark, '\n') + 1 : NULL;
  CHECK(caret && caret - below == mark - start && mark - start < 250);
  arena_close(f.arena);
}

int main(void) {
  test_golden();
  test_same_bytes();
  test_line_forms();
  test_merging();
  test_definite_wins();
  test_possible_is_told();
  test_many_reasons();
  test_budget_last();
  test_levels();
  test_empty();
  test_caret();
  return check_result();
}
