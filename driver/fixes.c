// Which changes of the text mend the findings of a run?
//
// For each finding the candidates (fix/) are tried in their order. A trial is a run like the first one,
// through the front end and all, but with the edited text in place of the file (core/overlay.h), in memory;
// the kernel of the finding is checked first, and only if that is as it should be, the rest of the program.
// The first candidate that is proved (fix/compare_results.c) is the fix. One that was proved for another finding is
// asked about first, which costs no trial. Trials are bounded by their number.
//
// Where files are to be changed, one fix is made after the other, each on the text that the ones before it
// left, so that what is written is a text that was checked as a whole. It is written only over the text that
// was read.
//
// Soundness: a trial changes nothing of what the first run has found. Only the files given and what lies in
// or below their folders is edited, never a header of the system.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // memfd_create
#include "driver/fixes.h"
#include "core/bug.h"
#include "fix/fix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIALS_MAX = 256 };

typedef struct Trial {
  Run run;
  Arena *arena;
  Fix fix;
  VEC(int) files;  // in memory
  const char *why; // it is not a fix
} Trial;

typedef struct SearchText {
  const char *file, *text; // text NULL: not to be edited
  size_t length;
} SearchText;

typedef struct Search {
  Run *base; // the run whose findings are to be mended
  bool leaves_assumptions;
  VEC(SearchText) texts; // each is read once
  const regex_t *filter;
  Arena *arena;
  FixSources sources;
  VEC(ReportFix) found;
  VEC(Trial *) kept; // proved
  uint32_t trials;
} Search;

// ---- texts
static const char *folder_of(const char *path, Arena *arena) {
  char *resolved = realpath(path, NULL);
  if (!resolved) return NULL;
  char *slash = strrchr(resolved, '/');
  if (slash) slash[1] = '\0';
  const char *kept = arena_strdup(arena, resolved);
  free(resolved);
  return kept;
}

static bool is_of_system(const char *resolved) {
  return str_starts_with(resolved, "/usr/") || strstr(resolved, "/lib/clang/");
}

static bool is_own(const Search *search, const char *file) {
  char *resolved = realpath(file, NULL);
  bool found = false;
  for (uint32_t i = 0; resolved && i < search->base->options->paths.count && !found; i++) {
    const char *given = search->base->options->paths.items[i];
    const char *folder = folder_of(given, search->arena);
    found =
        strcmp(given, file) == 0 || (folder && str_starts_with(resolved, folder) && !is_of_system(resolved));
  }
  free(resolved);
  return found;
}

static const char *read_source(void *context, const char *file, size_t *length) {
  Search *search = context;
  for (uint32_t i = 0; i < search->texts.count; i++)
    if (strcmp(search->texts.items[i].file, file) == 0) {
      *length = search->texts.items[i].length;
      return search->texts.items[i].text;
    }
  SearchText text = {.file = arena_strdup(search->arena, file)};
  if (is_own(search, file))
    text.text = file_read(overlay_text_path(&search->base->overlay, file), search->arena, &text.length);
  vec_push(search->arena, &search->texts, text);
  *length = text.length;
  return text.text;
}

// ---- trials
static const char *put_in_memory(Trial *trial, const char *text, size_t length) {
  int file = memfd_create("hgrd-fix", MFD_CLOEXEC);
  if (file < 0) return NULL;
  vec_push(trial->arena, &trial->files, file);
  for (size_t done = 0; done < length;) {
    ssize_t put = write(file, text + done, length - done);
    if (put <= 0) return NULL;
    done += (size_t)put;
  }
  return arena_printf(trial->arena, "/proc/%ld/fd/%d", (long)getpid(), file);
}

static bool put_edits(const Search *search, Trial *trial) {
  uint32_t next = 0;
  for (const char *file; (file = fix_next_file(&trial->fix, &next)) != NULL;) {
    size_t length, new_length;
    const char *old = search->sources.read(search->sources.context, file, &length);
    const char *new = old ? fix_apply(&trial->fix, file, old, length, trial->arena, &new_length) : NULL;
    const char *place = new ? put_in_memory(trial, new, new_length) : NULL;
    if (!place) return false;
    overlay_add(&trial->run.overlay, trial->arena, file, place);
  }
  return true;
}

static Trial *open_trial(const Search *search, const Fix *fix) {
  const Run *base = search->base;
  Arena *arena = arena_open();
  Trial *trial = arena_new(arena, Trial);
  *trial = (Trial){.arena = arena, .fix = *fix};
  trial->run = (Run){.options = base->options,
                     .arena = arena,
                     .strings = str_table_make(arena),
                     .sink = diag_sink_make(arena),
                     .version = base->version,
                     .cache = base->cache,
                     .store = base->store,
                     .baseline = base->baseline,
                     .suppressions = base->suppressions,
                     .keeps_no_text = base->keeps_no_text,
                     .deadline = base->deadline,
                     .is_again = true};
  for (uint32_t i = 0; i < base->overlay.files.count; i++)
    vec_push(arena, &trial->run.overlay.files, base->overlay.files.items[i]);
  trial->run.sources = source_cache_make(arena, &trial->run.overlay);
  return trial;
}

static void close_trial(Trial *trial) {
  for (uint32_t i = 0; i < trial->run.checks.count; i++)
    workers_close(trial->run.checks.items[i]);
  for (uint32_t i = 0; i < trial->files.count; i++)
    close(trial->files.items[i]);
  arena_close(trial->arena);
}

static bool is_proved_for(const Search *search, Trial *trial, const Finding *finding, const char *kernel) {
  Arena *scratch = arena_open();
  const RunResults before = run_results(search->base, kernel, scratch),
                   after = run_results(&trial->run, kernel, scratch);
  const FixResults old = {before.count, before.items}, new = {after.count, after.items};
  bool is_proved =
      fix_is_proved(&trial->fix, finding, &search->sources, &old, &new, trial->arena, &trial->why);
  arena_close(scratch);
  return is_proved;
}

// The edited program up to where its kernels are known.
static bool load_trial(const Search *search, Trial *trial) {
  Run *run = &trial->run;
  trial->why = "the changed text does not compile as the old one does";
  if (!put_edits(search, trial) || !run_load(run) || !run_verify(run)) return false;
  run_scan_host(run);
  run_list_tasks(run, search->filter);
  return run->sink->error_count == 0 && run->sink->gap_count <= search->base->sink->gap_count;
}

static bool try_fix(Search *search, Trial *trial, const Finding *finding) {
  Run *run = &trial->run;
  search->trials++;
  if (!load_trial(search, trial)) return false;
  run_check_named(run, finding->kernel);
  if (run->is_interrupted || !is_proved_for(search, trial, finding, finding->kernel)) return false;
  run_check_kernels(run);
  return !run->is_interrupted && is_proved_for(search, trial, finding, NULL);
}

// ---- one finding
static const Fix *keep_fix(Search *search, Trial *trial) {
  StrBuf diff = {.arena = search->arena};
  uint32_t next = 0;
  for (const char *file; (file = fix_next_file(&trial->fix, &next)) != NULL;) {
    size_t length, new_length;
    const char *old = search->sources.read(search->sources.context, file, &length);
    const char *new = old ? fix_apply(&trial->fix, file, old, length, search->arena, &new_length) : NULL;
    if (new) fix_diff(file, old, new, &diff);
  }
  trial->fix.diff = strbuf_text(&diff);
  vec_push(search->arena, &search->kept, trial);
  return arena_copy(search->arena, &trial->fix, sizeof trial->fix);
}

static void tell_trial(const Search *search, const Trial *trial, const Finding *finding) {
  if (search->base->options->is_verbose)
    diag_report(search->base->sink, DIAG_NOTE, &finding->accesses[0].loc, "no fix: %s: %s", trial->fix.title,
                trial->why);
}

static const Fix *find_among_kept(const Search *search, const Finding *finding) {
  for (uint32_t i = 0; i < search->kept.count; i++)
    if (is_proved_for(search, search->kept.items[i], finding, NULL))
      return arena_copy(search->arena, &search->kept.items[i]->fix,
                        sizeof(Fix)); // the trial is closed before
  return NULL;
}

static ReportFix find_fix(Search *search, const Finding *finding) {
  ReportFix found = {.finding = finding, .fix = find_among_kept(search, finding)};
  if (found.fix) return found;
  const FixCandidates candidates = fix_candidates(finding, &search->sources, search->arena);
  for (uint32_t i = 0; i < candidates.list.count && search->trials < TRIALS_MAX && !found.fix; i++) {
    if (search->leaves_assumptions && candidates.list.items[i].is_assumption) continue;
    Trial *trial = open_trial(search, &candidates.list.items[i]);
    found.tried++;
    if (try_fix(search, trial, finding)) {
      found.fix = keep_fix(search, trial);
    } else if (trial->run.is_interrupted) {
      search->base->is_out_of_time = trial->run.is_out_of_time;
      search->base->is_interrupted = true; // its workers may still run: nothing is closed
      return found;
    } else {
      tell_trial(search, trial, finding);
      close_trial(trial);
    }
  }
  return found;
}

FixList fixes_suggest(Run *run, const Report *report, const regex_t *filter) {
  ASSERT(run && report);
  Search search = {.base = run, .filter = filter, .arena = run->arena};
  search.sources = (FixSources){.read = read_source, .context = &search};
  FindingList findings = report_findings(report, run->arena);
  for (uint32_t i = 0; i < findings.count && !run->is_interrupted; i++)
    vec_push(run->arena, &search.found, find_fix(&search, findings.items[i]));
  for (uint32_t i = 0; i < search.kept.count && !run->is_interrupted; i++)
    close_trial(search.kept.items[i]);
  return (FixList){search.found.count, search.found.items};
}

// ---- one after the other
// A finding that nothing mends, by its places in the text of the last run.
typedef struct GivenUp {
  FindingRule rule;
  const char *kernel, *object;
  SrcLoc places[2];
} GivenUp;

typedef struct FixChain FixChain;
struct FixChain {
  VEC(FindingNote) told;
  VEC(Trial *) trials;
  VEC(GivenUp) given_up;
  uint32_t tried;
};

static bool is_at(const SrcLoc *a, const SrcLoc *b) {
  return a->line == b->line && strcmp(a->file ? a->file : "", b->file ? b->file : "") == 0;
}

static bool is_given_up(const FixChain *chain, const Finding *finding) {
  for (uint32_t i = 0; i < chain->given_up.count; i++) {
    const GivenUp *given_up = &chain->given_up.items[i];
    if (given_up->rule == finding->rule && strcmp(given_up->kernel, finding->kernel) == 0 &&
        strcmp(given_up->object, finding->object) == 0 &&
        is_at(&given_up->places[0], &finding->accesses[0].loc) &&
        is_at(&given_up->places[1], &finding->accesses[1].loc))
      return true;
  }
  return false;
}

static void give_up_on(FixChain *chain, const Finding *finding, Arena *arena) {
  GivenUp given_up = {.rule = finding->rule,
                      .kernel = arena_strdup(arena, finding->kernel),
                      .object = arena_strdup(arena, finding->object)};
  for (int t = 0; t < 2; t++) {
    const SrcLoc *loc = &finding->accesses[t].loc;
    given_up.places[t] =
        (SrcLoc){.file = loc->file ? arena_strdup(arena, loc->file) : NULL, .line = loc->line};
  }
  vec_push(arena, &chain->given_up, given_up);
}

static void move_given_up(FixChain *chain, const Fix *fix, const FixSources *old) {
  for (uint32_t i = 0; i < chain->given_up.count; i++)
    for (int t = 0; t < 2; t++) {
      SrcLoc *place = &chain->given_up.items[i].places[t];
      size_t length;
      const char *text = place->file ? old->read(old->context, place->file, &length) : NULL;
      uint32_t column = 1;
      if (text) fix_move(fix, place->file, text, length, &place->line, &column);
    }
}

// The report of a run as it would be shown, in the run's arena.
static FindingList findings_of(Run *run, const ReportOptions *options) {
  ReportInput *input = arena_new(run->arena, ReportInput);
  ReportOptions *own = arena_copy(run->arena, options, sizeof *options);
  const RunResults results = run_results(run, NULL, run->arena);
  *input = (ReportInput){
      .pool = run->host->pool, .result_count = results.count, .results = results.items, .diags = run->sink};
  own->context = run->sources;
  return report_findings(report_prepare(input, own, run->arena), run->arena);
}

// Mends one finding; false: there is none that could be.
static bool mend_next(Run *run, FixedFiles *fixed, const ReportOptions *options, const regex_t *filter) {
  FixChain *chain = fixed->chain;
  Search search = {.base = fixed->last, .filter = filter, .arena = run->arena, .leaves_assumptions = true};
  search.sources = (FixSources){.read = read_source, .context = &search};
  search.trials = chain->tried;
  FindingList findings = findings_of(fixed->last, options);
  bool is_mended = false;
  for (uint32_t i = 0; i < findings.count && !is_mended && search.trials < TRIALS_MAX; i++) {
    const Finding *finding = findings.items[i];
    if (is_given_up(chain, finding)) continue;
    const ReportFix found = find_fix(&search, finding);
    run->is_interrupted |= fixed->last->is_interrupted;
    run->is_out_of_time |= fixed->last->is_out_of_time;
    if (run->is_interrupted) return false;
    is_mended = found.fix != NULL;
    if (!is_mended) give_up_on(chain, finding, run->arena);
    if (!is_mended) continue;
    vec_push(run->arena, &chain->told, (FindingNote){finding->accesses[0].loc, found.fix->title});
    move_given_up(chain, found.fix, &search.sources);
    vec_push(run->arena, &chain->trials, search.kept.items[0]);
    fixed->last = &search.kept.items[0]->run;
  }
  chain->tried = search.trials;
  return is_mended;
}

static const char *text_of(const Run *run, const char *file, Arena *arena, size_t *length) {
  return file_read(overlay_text_path(&run->overlay, file), arena, length);
}

static void note_file(const Run *run, FixedFiles *fixed, const char *file) {
  FixedFile made = {.file = arena_strdup(run->arena, file)};
  for (uint32_t i = 0; i < fixed->files.count; i++)
    if (strcmp(fixed->files.items[i].file, file) == 0) return;
  made.old = text_of(run, file, run->arena, &made.old_length);
  made.new = text_of(fixed->last, file, run->arena, &made.new_length);
  vec_push(run->arena, &fixed->files, made);
}

FixedFiles fixes_make(Run *run, const ReportOptions *options, const regex_t *filter) {
  ASSERT(run && options);
  FixedFiles fixed = {.last = run, .chain = arena_new(run->arena, FixChain)};
  while (mend_next(run, &fixed, options, filter))
    continue;
  if (run->is_interrupted) return fixed;
  for (uint32_t i = 0; i < fixed.chain->trials.count; i++) {
    uint32_t next = 0;
    for (const char *file; (file = fix_next_file(&fixed.chain->trials.items[i]->fix, &next)) != NULL;)
      note_file(run, &fixed, file);
  }
  return fixed;
}

void fixes_close(FixedFiles *fixed) {
  ASSERT(fixed->chain);
  for (uint32_t i = 0; i < fixed->chain->trials.count; i++)
    close_trial(fixed->chain->trials.items[i]);
  fixed->chain->trials.count = 0;
  fixed->last = NULL;
}

void fixes_tell(const FixedFiles *fixed, const char *how, DiagSink *sink) {
  ASSERT(how);
  for (uint32_t i = 0; i < fixed->chain->told.count; i++) {
    const FindingNote *note = &fixed->chain->told.items[i];
    // The place's own words lie in the trial that found it, which is closed before messages are printed.
    SrcLoc loc = {.line = note->loc.line, .column = note->loc.column, .function = ""};
    if (note->loc.file) loc.file = arena_strdup(sink->arena, note->loc.file);
    diag_report(sink, DIAG_NOTE, &loc, "%s: %s", how, note->text);
  }
}

void fixes_diff(const FixedFiles *fixed, StrBuf *out) {
  ASSERT(out);
  for (uint32_t i = 0; i < fixed->files.count; i++) {
    const FixedFile *file = &fixed->files.items[i];
    if (file->old && file->new) fix_diff(file->file, file->old, file->new, out);
  }
}

// ---- writing
// The mode of the file counts even for who may write to any.
static bool may_write(const FixedFile *file, DiagSink *sink, Arena *arena) {
  struct stat info;
  size_t length;
  const char *now = file_read(file->file, arena, &length);
  const char *why = NULL;
  if (!now || stat(file->file, &info) != 0)
    why = strerror(errno);
  else if ((info.st_mode & 0222) == 0 || access(file->file, W_OK) != 0)
    why = "it is read-only: make it writable, or take the changes from --fix=dry-run";
  else if (!file->old || !file->new || length != file->old_length || memcmp(now, file->old, length) != 0)
    why = "it was changed meanwhile: check it again";
  if (why) diag_report(sink, DIAG_ERROR, NULL, "%s is not fixed: %s", file->file, why);
  return !why;
}

static bool write_file(const FixedFile *file, DiagSink *sink, Arena *arena) {
  const char *error;
  FileWriter *writer = file_writer_open(file->file, arena, &error);
  if (writer) file_writer_add(writer, file->new, file->new_length);
  bool is_written = writer && file_writer_close(writer, &error);
  if (!is_written) diag_report(sink, DIAG_ERROR, NULL, "%s is not fixed: %s", file->file, error);
  return is_written;
}

bool fixes_write(const FixedFiles *fixed, DiagSink *sink, Arena *arena) {
  ASSERT(fixed && sink && arena);
  bool is_good = true;
  for (uint32_t i = 0; i < fixed->files.count; i++)
    is_good = may_write(&fixed->files.items[i], sink, arena) && is_good;
  for (uint32_t i = 0; i < fixed->files.count && is_good; i++)
    is_good = write_file(&fixed->files.items[i], sink, arena);
  return is_good;
}
