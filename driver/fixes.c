// Which changes of the text mend the findings of a run?
//
// For each finding the candidates (fix/) are tried in their order. A trial is a run like the first one,
// through the front end and all, but with the edited text in place of the file (core/overlay.h), in memory;
// the kernel of the finding is checked first, and only if that is as it should be, the rest of the program.
// The first candidate that is proved (fix/judge.c) is the fix. One that was proved for another finding is
// asked about first, which costs no trial. Trials are bounded by their number.
//
// Soundness: files are never written here, and what the first run has found stays as it is. Only the files
// given and what lies in or below their folders is edited.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // memfd_create
#include "driver/fixes.h"
#include "fix/fix.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TRIALS_MAX = 256 };

typedef struct Trial {
  Run run;
  Arena *arena;
  Fix fix;
  VEC(int) files;  // in memory
  const char *why; // it is not a fix
} Trial;

typedef struct Search {
  Run *base; // the run whose findings are to be mended
  const regex_t *filter;
  Arena *arena;
  FixSources sources;
  VEC(ReportFix) found;
  VEC(Trial *) kept; // proved
  uint32_t trials;
} Search;

// ---- texts -----------------------------------------------------------------------------------------------
static const char *folder_of(const char *path, Arena *arena) {
  char *resolved = realpath(path, NULL);
  if (!resolved) return NULL;
  char *slash = strrchr(resolved, '/');
  if (slash) slash[1] = '\0';
  const char *kept = arena_strdup(arena, resolved);
  free(resolved);
  return kept;
}

static bool is_own(const Search *search, const char *file) {
  char *resolved = realpath(file, NULL);
  bool found = false;
  for (uint32_t i = 0; resolved && i < search->base->options->paths.count && !found; i++) {
    const char *folder = folder_of(search->base->options->paths.items[i], search->arena);
    found = folder && str_starts_with(resolved, folder);
  }
  free(resolved);
  return found;
}

static const char *read_source(void *context, const char *file, size_t *length) {
  const Search *search = context;
  if (!is_own(search, file)) return NULL;
  return file_read(overlay_text_path(&search->base->overlay, file), search->arena, length);
}

// ---- trials ----------------------------------------------------------------------------------------------
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

// ---- one finding -----------------------------------------------------------------------------------------
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
    if (is_proved_for(search, search->kept.items[i], finding, NULL)) return &search->kept.items[i]->fix;
  return NULL;
}

static ReportFix find_fix(Search *search, const Finding *finding) {
  ReportFix found = {.finding = finding, .fix = find_among_kept(search, finding)};
  if (found.fix) return found;
  const FixCandidates candidates = fix_candidates(finding, &search->sources, search->arena);
  for (uint32_t i = 0; i < candidates.list.count && search->trials < TRIALS_MAX && !found.fix; i++) {
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
  Search search = {.base = run, .filter = filter, .arena = run->arena};
  search.sources = (FixSources){.read = read_source, .context = &search};
  FindingList findings = report_findings(report, run->arena);
  for (uint32_t i = 0; i < findings.count && !run->is_interrupted; i++)
    vec_push(run->arena, &search.found, find_fix(&search, findings.items[i]));
  for (uint32_t i = 0; i < search.kept.count && !run->is_interrupted; i++)
    close_trial(search.kept.items[i]);
  return (FixList){search.found.count, search.found.items};
}
