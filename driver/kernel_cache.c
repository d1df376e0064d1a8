// What does the outcome of a kernel under a launch follow from? The module with the kernel, the launch with
// the expressions that it speaks of, the budget, and the options. All of that is the key of what is kept; and the check
// itself is given nothing else: it works on a copy of the launch that was made from the key's bytes. Its
// result becomes bytes as well, whether it is kept or not, and what is reported is read from them. So a
// result of an earlier run and one of this run are the same.
//
// Soundness: dumps are never taken from what is kept, and a run that contradicted a proof is never kept. What
// is not understood of the whole program (doubts of the input, reasons of the launch) is added afterwards
// (workers.c).
// SPDX-License-Identifier: Apache-2.0
#include "driver/kernel_cache.h"

#include "core/bug.h"
#include "core/launch_codec.h"

static void add_options(Codec *codec, const CheckPlan *plan, uint32_t arch) {
  (void)codec_number(codec, arch);
  (void)codec_number(codec, plan->warn_same_value);
  (void)codec_number(codec, plan->warn_leaving);
  (void)codec_number(codec, plan->check_overflow);
  (void)codec_number(codec, plan->memory_model);
  (void)codec_number(codec, plan->audit_flags);
  (void)codec_number(codec, plan->audit_steps);
}

static Digest key_of(const CheckPlan *plan, const CheckTask *task, uint32_t arch, const Codec *launch) {
  Codec key = codec_writer(launch->arena);
  add_options(&key, plan, arch);
  (void)codec_number(&key, task->module_digest->high);
  (void)codec_number(&key, task->module_digest->low);
  (void)codec_text(&key, task->kernel->name);
  (void)codec_number(&key, task->allowance.all);
  (void)codec_number(&key, task->allowance.rest);
  (void)codec_number(&key, task->allowance.missing_fact);
  strbuf_add_n(&key.out, launch->out.text, launch->out.length);
  return digest_of(key.out.text, key.out.length);
}

KernelEntry kernel_cache_entry(const CheckPlan *plan, const CheckTask *task, uint32_t arch, Arena *arena) {
  ASSERT(task->launch && task->kernel && task->module);
  Codec codec = codec_writer(arena);
  LaunchContext *launch = (LaunchContext *)task->launch;
  launches_write(&codec, plan->pool, (LaunchList){1, &launch});
  KernelEntry kept = {
      .plan = plan, .task = task, .arena = arena, .launch = codec.out.text, .length = codec.out.length};
  kept.is_kept = plan->cache && task->module_digest && plan->dump == DUMP_NONE;
  if (kept.is_kept) kept.key = key_of(plan, task, arch, &codec);
  return kept;
}

// What does not read back is checked as it stands, and not kept.
LaunchCopy kernel_cache_launch(KernelEntry *kept) {
  ASSERT(kept->launch && kept->length > 0);
  LaunchCopy out = {0};
  LaunchList list;
  Codec codec = codec_reader(kept->arena, kept->task->module->strings, kept->launch, kept->length);
  bool is_read = launches_read(&codec, &out.pool, &list) && codec_is_whole(&codec) && list.count == 1;
  kept->is_kept &= is_read;
  if (!is_read) return (LaunchCopy){kept->task->launch, expr_pool_clone(kept->plan->pool, kept->arena)};
  out.launch = list.items[0];
  return out;
}

static KernelResult *read_result(const KernelEntry *kept, const void *bytes, size_t length, Arena *results) {
  Codec codec = codec_reader(results, NULL, bytes, length);
  KernelResult *result = arena_new(results, KernelResult);
  result_code(&codec, kept->task->launch, result);
  return codec_is_whole(&codec) ? result : NULL;
}

KernelResult *kernel_cache_find(const KernelEntry *kept, Arena *results) {
  ASSERT(kept->plan && kept->task); // made by kernel_cache_entry
  size_t length;
  const void *bytes =
      kept->is_kept ? cache_get(kept->plan->cache, CACHE_KERNEL, kept->key, kept->arena, &length) : NULL;
  return bytes ? read_result(kept, bytes, length, results) : NULL;
}

KernelResult *kernel_cache_put(const KernelEntry *kept, const LaunchCopy *launch, KernelResult *result,
                               Arena *results) {
  ASSERT(result);
  Codec codec = codec_writer(kept->arena);
  result_code(&codec, launch->launch, result);
  if (kept->is_kept && result->contradictions.count == 0)
    cache_put(kept->plan->cache, CACHE_KERNEL, kept->key, codec.out.text, codec.out.length);
  KernelResult *read = read_result(kept, codec.out.text, codec.out.length, results);
  if (!read) BUG("a result does not read back");
  return read;
}
