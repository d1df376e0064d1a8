// How does a result outlive the memory, or the process, that it was made in? Member by member. Facts are
// those of the launch, by their number there.
//
// Soundness: a result that was read back is the one that was written, or fails (codec.h). `launch` is the one
// given, which is to be the one that the result was made for.
// SPDX-License-Identifier: Apache-2.0
#include "core/launch_codec.h"

#include "core/bug.h"

enum { DIMENSIONS = 6 };

static uint64_t fact_number(const LaunchContext *launch, const Fact *fact) {
  for (uint32_t i = 0; i < launch->facts.count; i++)
    if (&launch->facts.items[i] == fact) return i;
  for (uint32_t i = 0; i < DIMENSIONS; i++)
    if (&launch->dimensions[i] == fact) return (uint64_t)launch->facts.count + i;
  BUG("a result names a fact that is not of its launch");
}

static void code_fact_ref(Codec *codec, const LaunchContext *launch, const Fact **fact) {
  uint64_t number = codec_number(codec, codec->is_writing ? fact_number(launch, *fact) : 0);
  if (codec->is_writing) return;
  uint64_t count = launch->facts.count;
  codec_expect(codec, number < count + DIMENSIONS);
  if (codec->has_failed) return;
  *fact = number < count ? &launch->facts.items[number] : &launch->dimensions[number - count];
}

#define CODE_FACTS(codec, launch, vec)                                                                       \
  do {                                                                                                       \
    CODE_ITEMS(codec, vec);                                                                                  \
    for (uint32_t i_ = 0; i_ < (vec)->count; i_++)                                                           \
      code_fact_ref(codec, launch, &(vec)->items[i_]);                                                       \
    if ((codec)->has_failed) (vec)->count = 0;                                                               \
  } while (0)

static void code_triple(Codec *codec, int64_t triple[3]) {
  for (int i = 0; i < 3; i++)
    CODE_NUMBER(codec, triple[i]);
}

static void code_value(Codec *codec, WitnessValue *value) {
  CODE_TEXT(codec, value->name);
  CODE_NUMBER(codec, value->value);
  codec_loc(codec, &value->loc);
}

#define CODE_VALUES(codec, vec)                                                                              \
  do {                                                                                                       \
    CODE_ITEMS(codec, vec);                                                                                  \
    for (uint32_t i_ = 0; i_ < (vec)->count; i_++)                                                           \
      code_value(codec, &(vec)->items[i_]);                                                                  \
  } while (0)

#define CODE_BARRIERS(codec, vec)                                                                            \
  do {                                                                                                       \
    CODE_ITEMS(codec, vec);                                                                                  \
    for (uint32_t i_ = 0; i_ < (vec)->count; i_++)                                                           \
      code_barrier(codec, &(vec)->items[i_]);                                                                \
  } while (0)

static void code_barrier(Codec *codec, WitnessBarrier *barrier) {
  codec_loc(codec, &barrier->loc);
  CODE_ENUM(codec, barrier->scope, IR_SCOPE_COUNT);
  CODE_BOOL(codec, barrier->holds_both);
}

static void code_interval(Codec *codec, WitnessInterval *interval) {
  CODE_BOOL(codec, interval->is_known);
  CODE_BOOL(codec, interval->is_run);
  CODE_BOOL(codec, interval->is_whole);
  CODE_NUMBER(codec, interval->passed);
  CODE_NUMBER(codec, interval->going_on);
  CODE_BARRIERS(codec, &interval->before);
  CODE_BARRIERS(codec, &interval->after);
}

static void code_witness(Codec *codec, Witness *witness) {
  code_triple(codec, witness->grid_dim);
  code_triple(codec, witness->block_dim);
  for (int i = 0; i < 2; i++) {
    code_triple(codec, witness->threads[i].block_idx);
    code_triple(codec, witness->threads[i].thread_idx);
    CODE_NUMBER(codec, witness->threads[i].warp);
    CODE_NUMBER(codec, witness->threads[i].lane);
    code_interval(codec, &witness->threads[i].interval);
    CODE_VALUES(codec, &witness->iterations[i]);
  }
  CODE_NUMBER(codec, witness->offset);
  CODE_TEXT(codec, witness->address);
  CODE_VALUES(codec, &witness->values);
  CODE_VALUES(codec, &witness->memory);
  CODE_BOOL(codec, witness->is_replayed);
}

static void code_access(Codec *codec, FindingAccess *access) {
  CODE_ENUM(codec, access->kind, ACCESS_ATOMIC + 1);
  codec_loc(codec, &access->loc);
  CODE_NUMBER(codec, access->bytes);
}

static void code_texts(Codec *codec, Finding *finding) {
  CODE_TEXT(codec, finding->cause);
  CODE_TEXT(codec, finding->memory_model);
  CODE_TEXT(codec, finding->memory_rule);
  CODE_TEXT(codec, finding->kernel);
  CODE_TEXT(codec, finding->object);
  CODE_TEXT(codec, finding->message);
  CODE_TEXT(codec, finding->launch);
  codec_loc(codec, &finding->launch_loc);
  CODE_TEXT(codec, finding->mend);
  CODE_TEXT(codec, finding->weaker_mend);
  CODE_ITEMS(codec, &finding->notes);
  for (uint32_t i = 0; i < finding->notes.count; i++) {
    codec_loc(codec, &finding->notes.items[i].loc);
    CODE_TEXT(codec, finding->notes.items[i].text);
  }
}

static void code_finding(Codec *codec, const LaunchContext *launch, Finding *finding) {
  CODE_ENUM(codec, finding->rule, RULE_COUNT);
  CODE_ENUM(codec, finding->level, LEVEL_ERROR + 1);
  CODE_ENUM(codec, finding->certainty, CERTAINTY_POSSIBLE + 1);
  code_texts(codec, finding);
  code_access(codec, &finding->accesses[0]);
  code_access(codec, &finding->accesses[1]);
  code_witness(codec, &finding->witness);
  CODE_FACTS(codec, launch, &finding->facts);
  CODE_BOOL(codec, finding->mends_kernel);
  CODE_NUMBER(codec, finding->also);
  CODE_NUMBER(codec, finding->assumptions);
  CODE_NUMBER(codec, finding->count);
}

static void code_reason(Codec *codec, UndecidedReason *reason) {
  codec_loc(codec, &reason->loc);
  CODE_NAME(codec, reason->text);
  CODE_BOOL(codec, reason->is_of_budget);
}

#define CODE_REASONS(codec, vec)                                                                             \
  do {                                                                                                       \
    CODE_ITEMS(codec, vec);                                                                                  \
    for (uint32_t i_ = 0; i_ < (vec)->count; i_++)                                                           \
      code_reason(codec, &(vec)->items[i_]);                                                                 \
  } while (0)

static void code_ordered(Codec *codec, OrderedGroup *group) {
  CODE_ENUM(codec, group->rule, ORDER_RULE_END);
  codec_loc(codec, &group->release);
  codec_loc(codec, &group->acquire);
  CODE_ITEMS(codec, &group->pairs);
  for (uint32_t i = 0; i < group->pairs.count; i++) {
    codec_loc(codec, &group->pairs.items[i].places[0]);
    codec_loc(codec, &group->pairs.items[i].places[1]);
  }
}

static void code_numbers(Codec *codec, KernelResult *result) {
  CODE_ENUM(codec, result->verdict, VERDICT_DEAD + 1);
  CODE_NUMBER(codec, result->pairs);
  CODE_NUMBER(codec, result->proved);
  CODE_NUMBER(codec, result->queries);
  CODE_NUMBER(codec, result->rlimit);
  CODE_NUMBER(codec, result->assumptions);
}

void result_code(Codec *codec, const LaunchContext *launch, KernelResult *result) {
  ASSERT(launch && result);
  if (!codec->is_writing) result->launch = launch;
  CODE_NAME(codec, result->kernel);
  CODE_TEXT(codec, result->mangled);
  codec_loc(codec, &result->loc);
  code_numbers(codec, result);
  CODE_ITEMS(codec, &result->findings);
  for (uint32_t i = 0; i < result->findings.count; i++)
    code_finding(codec, launch, &result->findings.items[i]);
  CODE_REASONS(codec, &result->undecided);
  CODE_ITEMS(codec, &result->dead_accesses);
  for (uint32_t i = 0; i < result->dead_accesses.count; i++)
    codec_loc(codec, &result->dead_accesses.items[i]);
  CODE_ITEMS(codec, &result->open_accesses);
  for (uint32_t i = 0; i < result->open_accesses.count; i++)
    codec_loc(codec, &result->open_accesses.items[i]);
  CODE_REASONS(codec, &result->contradictions);
  CODE_REASONS(codec, &result->remarks);
  CODE_FACTS(codec, launch, &result->proof_facts);
  CODE_ITEMS(codec, &result->ordered);
  for (uint32_t i = 0; i < result->ordered.count; i++)
    code_ordered(codec, &result->ordered.items[i]);
  CODE_TEXT(codec, result->overflow);
}
