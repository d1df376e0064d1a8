// How is a run spread over machines? Every part compiles the program, lists its kernels and launches, and
// checks those that a digest of their names gives to it. What it writes (--format=part) has two halves: what
// all parts of the run have in common (files, messages, launches with their expressions, options), which has
// to be the same byte for byte, and its own results. Put together they are what one run would have had in
// memory, from which the report is made by the same code.
//
// Soundness: parts of other files, options or versions do not fit, a part that is missing or there twice is
// an error, and so is a kernel that is in no part.
// SPDX-License-Identifier: Apache-2.0
#include "driver/parts.h"
#include "core/bug.h"

#include "core/launch_codec.h"
#include "driver/families.h"
#include "driver/files.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const char part_magic[] = "hgrd part 1\n";

// ---- whose task is it?

// Tasks whose budgets follow from each other's results stay together.
bool parts_owns(const Options *options, const CheckTask *tasks, uint32_t task) {
  ASSERT(options->shard_count == 0 || (options->shard >= 1 && options->shard <= options->shard_count));
  if (options->shard_count == 0) return true;
  uint64_t hash = families_hash(tasks, task);
  return (hash ^ hash >> 32) % options->shard_count == options->shard - 1;
}

// ---- what they have in common
static void add_options(Codec *codec, const Options *options) {
  const int64_t numbers[] = {options->arch,
                             options->warn_same_value,
                             options->warn_leaving,
                             options->check_overflow,
                             (int64_t)options->memory_model,
                             options->audit_flags,
                             (int64_t)options->audit_steps};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    (void)codec_number(codec, codec_fold(numbers[i]));
  (void)codec_text(codec, options->kernel_regex);
}

static void code_files(Codec *codec, PartRun *run) {
  uint32_t count = codec_count(codec, run->file_count);
  ReportFile *files = codec->is_writing ? NULL : arena_array(codec->arena, count + 1u, ReportFile);
  for (uint32_t i = 0; i < count; i++) {
    ReportFile file = files ? (ReportFile){0} : run->files[i];
    CODE_NAME(codec, file.path);
    CODE_BOOL(codec, file.is_ok);
    if (files) files[i] = file;
  }
  if (!files) return;
  run->file_count = count;
  run->files = files;
}

StrBuf parts_common(const PartRun *run, Arena *arena) {
  ASSERT(run->task_count == 0 || run->tasks);
  ASSERT(run->file_count == 0 || run->files);
  Codec codec = codec_writer(arena);
  PartRun copy = *run;
  add_options(&codec, run->options);
  code_files(&codec, &copy);
  diags_code(&codec, run->sink, 0);
  LaunchContext **launches = arena_array(arena, run->task_count + 1u, LaunchContext *);
  for (uint32_t i = 0; i < run->task_count; i++)
    launches[i] = (LaunchContext *)run->tasks[i].launch;
  launches_write(&codec, run->pool, (LaunchList){run->task_count, launches});
  return codec.out;
}

// ---- writing
void parts_write(const PartRun *run, const StrBuf *common, StrBuf *out) {
  ASSERT(run->task_count == 0 || run->tasks);
  ASSERT(run->file_count == 0 || run->files);
  ASSERT(out);
  Codec codec = codec_writer(out->arena);
  size_t length = common->length;
  char check[DIGEST_TEXT];
  (void)codec_text(&codec, run->version);
  (void)codec_number(&codec, run->options->shard_count ? run->options->shard : 1);
  (void)codec_number(&codec, run->options->shard_count ? run->options->shard_count : 1);
  (void)codec_bytes(&codec, common->text, &length);
  for (uint32_t i = 0; i < run->task_count; i++) {
    const CheckTask *task = &run->tasks[i];
    (void)codec_number(&codec, task->result != NULL);
    if (task->result) result_code(&codec, task->launch, (KernelResult *)task->result);
  }
  digest_text(digest_of(codec.out.text, codec.out.length), check);
  strbuf_add(out, part_magic);
  strbuf_printf(out, "%s\n", check);
  strbuf_add_n(out, codec.out.text, codec.out.length);
}

// ---- reading
typedef struct Part {
  const char *path;
  Codec codec; // of what follows the common half
  uint64_t number, count;
  const void *common;
  size_t common_length;
} Part;

static bool refuse(const PartRun *run, const char *path, const char *why) {
  diag_report(run->sink, DIAG_ERROR, NULL, "%s %s", path, why);
  return false;
}

static bool is_intact(const char *bytes, size_t length, size_t head) {
  char check[DIGEST_TEXT];
  digest_text(digest_of(bytes + head, length - head), check);
  return memcmp(bytes + strlen(part_magic), check, DIGEST_TEXT - 1) == 0;
}

static bool read_part(const PartRun *run, const char *path, Arena *arena, Part *part) {
  size_t length;
  const char *bytes = file_read(path, arena, &length);
  const size_t head = strlen(part_magic) + DIGEST_TEXT;
  if (!bytes) {
    diag_report(run->sink, DIAG_ERROR, NULL, "cannot read the part '%s': %s", path, strerror(errno));
    return false;
  }
  if (length < head || memcmp(bytes, part_magic, strlen(part_magic)) != 0)
    return refuse(run, path, "is no part of a run: write it with --shard=I/N --format=part -o FILE");
  if (!is_intact(bytes, length, head)) return refuse(run, path, "was cut off or altered: make it again");
  *part = (Part){.path = path, .codec = codec_reader(arena, NULL, bytes + head, length - head)};
  const char *version = codec_text(&part->codec, NULL);
  if (!version || strcmp(version, run->version) != 0)
    return refuse(run, path, "was made by another version of hgrd-check: make it again");
  part->number = codec_number(&part->codec, 0);
  part->count = codec_number(&part->codec, 0);
  part->common = codec_bytes(&part->codec, NULL, &part->common_length);
  bool is_good = !part->codec.has_failed && part->number >= 1 && part->number <= part->count;
  return is_good || refuse(run, path, "is damaged: make it again");
}

static bool is_same_run(const PartRun *run, const Part *first, const Part *part) {
  if (part->count == first->count && part->common_length == first->common_length &&
      memcmp(part->common, first->common, first->common_length) == 0)
    return true;
  diag_report(run->sink, DIAG_ERROR, NULL,
              "%s and %s are parts of different runs: make them with the same files and options", first->path,
              part->path);
  return false;
}

static bool are_complete(const PartRun *run, const Part *parts, uint32_t count) {
  for (uint64_t number = 1; number <= parts[0].count; number++) {
    const Part *found = NULL;
    for (uint32_t i = 0; i < count; i++) {
      if (parts[i].number != number) continue;
      if (found) {
        diag_report(run->sink, DIAG_ERROR, NULL, "part %" PRIu64 " of %" PRIu64 " is there twice: %s and %s",
                    number, parts[0].count, found->path, parts[i].path);
        return false;
      }
      found = &parts[i];
    }
    if (found) continue;
    diag_report(run->sink, DIAG_ERROR, NULL,
                "part %" PRIu64 " of %" PRIu64 " is missing: check it with --shard=%" PRIu64 "/%" PRIu64,
                number, parts[0].count, number, parts[0].count);
    return false;
  }
  return true;
}

// Options that the results hang on are to be the same here.
static bool read_common(PartRun *run, const Part *part, Arena *arena) {
  Codec own = codec_writer(arena);
  add_options(&own, run->options);
  if (part->common_length < own.out.length || memcmp(part->common, own.out.text, own.out.length) != 0)
    return refuse(run, part->path,
                  "was made with other options (--kernel, --arch, -W ...): give the same to --merge");
  Codec codec = codec_reader(arena, NULL, part->common, part->common_length);
  for (int i = 0; i < 7; i++)
    (void)codec_number(&codec, 0);
  (void)codec_text(&codec, NULL);
  LaunchList launches;
  code_files(&codec, run);
  DiagSink *messages = diag_sink_make(arena);
  diags_code(&codec, messages, 0);
  bool is_read = launches_read(&codec, &run->pool, &launches);
  if (!is_read || !codec_is_whole(&codec)) return refuse(run, part->path, "is damaged: make it again");
  for (uint32_t i = 0; i < messages->diags.count; i++)
    diag_pass_on(run->sink, &messages->diags.items[i]);
  run->task_count = launches.count;
  run->tasks = arena_array(arena, launches.count + 1u, CheckTask);
  for (uint32_t i = 0; i < launches.count; i++)
    run->tasks[i].launch = launches.items[i];
  return true;
}

static bool read_results(PartRun *run, Part *part, Arena *arena) {
  for (uint32_t i = 0; i < run->task_count && !part->codec.has_failed; i++) {
    if (codec_number(&part->codec, 0) == 0) continue;
    codec_expect(&part->codec, !run->tasks[i].result);
    KernelResult *result = arena_new(arena, KernelResult);
    result_code(&part->codec, run->tasks[i].launch, result);
    run->tasks[i].result = result;
  }
  return codec_is_whole(&part->codec) || refuse(run, part->path, "is damaged: make it again");
}

static bool read_all(PartRun *run, Part *parts, uint32_t count, Arena *arena) {
  for (uint32_t i = 0; i < count; i++)
    if (!read_part(run, run->options->paths.items[i], arena, &parts[i]) ||
        !is_same_run(run, &parts[0], &parts[i]))
      return false;
  return are_complete(run, parts, count);
}

bool parts_merge(PartRun *run, Arena *arena) {
  ASSERT(run && arena);
  uint32_t count = run->options->paths.count;
  Part *parts = arena_array(arena, count + 1u, Part);
  if (!read_all(run, parts, count, arena) || !read_common(run, &parts[0], arena)) return false;
  for (uint32_t i = 0; i < count; i++)
    if (!read_results(run, &parts[i], arena)) return false;
  for (uint32_t i = 0; i < run->task_count; i++)
    if (!run->tasks[i].result)
      return refuse(run, parts[0].path, "and the others leave kernels out: make them again");
  return true;
}
