// What need the host scan not ask again? It asks the solver whether conditions of the host code can hold
// together, mostly a few times in a program; but the first of these questions opens Z3, which takes as long
// as all else of a run in which nothing has changed. So the answers are kept in one entry of the cache, by the
// names of the files.
//
// Soundness: each answer is found by the digest of its question, with all that the answer follows from
// (solver/solver.c), and the exact program is part of every key of the cache; the names of the files only say
// where to look. What the answers took is paid from the pool, whether they are known or not.
// SPDX-License-Identifier: Apache-2.0
#include "driver/host_memory.h"
#include "core/bug.h"

#include "core/codec.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct Asked {
  Digest question;
  SolverKnown known;
  bool is_asked; // in this run
} Asked;
typedef VEC(Asked) AskedList;

struct HostMemory {
  Cache *cache;
  Arena *arena;
  Digest key;
  SolverMemory of_solver;
  AskedList all;
  Map places; // of a digest's lower half: its place in `all`, from 1
  bool has_new;
};

static Asked *look_up(const HostMemory *memory, Digest question) {
  uint32_t place = map_get(&memory->places, question.low);
  Asked *asked = place ? &memory->all.items[place - 1] : NULL;
  return asked && digest_equal(asked->question, question) ? asked : NULL;
}

static void add(HostMemory *memory, Asked asked) {
  vec_push(memory->arena, &memory->all, asked);
  map_set(memory->arena, &memory->places, asked.question.low, memory->all.count);
}

static bool find(void *context, Digest question, SolverKnown *known) {
  Asked *asked = look_up(context, question);
  if (!asked) return false;
  asked->is_asked = true;
  *known = asked->known;
  return true;
}

static void keep(void *context, Digest question, const SolverKnown *known) {
  HostMemory *memory = context;
  memory->has_new = true;
  add(memory, (Asked){question, *known, true});
}

static void code(Codec *codec, AskedList *list) {
  CODE_ITEMS(codec, list);
  for (uint32_t i = 0; i < list->count; i++) {
    Asked *asked = &list->items[i];
    codec_digest(codec, &asked->question);
    CODE_ENUM(codec, asked->known.verdict, VERDICT_DEAD + 1);
    CODE_NUMBER(codec, asked->known.units);
  }
}

static void read_earlier(HostMemory *memory) {
  size_t length;
  AskedList earlier = {0};
  const void *bytes = cache_get(memory->cache, CACHE_HOST, memory->key, memory->arena, &length);
  if (!bytes) return;
  Codec codec = codec_reader(memory->arena, NULL, bytes, length);
  code(&codec, &earlier);
  for (uint32_t i = 0; codec_is_whole(&codec) && i < earlier.count; i++)
    add(memory, (Asked){earlier.items[i].question, earlier.items[i].known, false});
}

static Digest key_of(const Program *program, Arena *arena) {
  StrBuf text = {.arena = arena};
  char *folder = getcwd(NULL, 0);
  strbuf_printf(&text, "%s\n", folder ? folder : "");
  for (uint32_t i = 0; i < program->units.count; i++)
    strbuf_printf(&text, "%s\n", program->units.items[i].path);
  free(folder);
  return digest_of(text.text, text.length);
}

HostMemory *host_memory_open(Cache *cache, const Program *program, Arena *arena) {
  ASSERT(program && arena);
  if (!cache) return NULL;
  HostMemory *memory = arena_new(arena, HostMemory);
  *memory = (HostMemory){.cache = cache,
                         .arena = arena,
                         .key = key_of(program, arena),
                         .of_solver = {.find = find, .keep = keep, .context = memory}};
  read_earlier(memory);
  return memory;
}

const SolverMemory *host_memory_of_solver(const HostMemory *memory) {
  return memory ? &memory->of_solver : NULL;
}

// Of earlier texts as well, as long as they are not many.
void host_memory_close(HostMemory *memory) {
  ASSERT(!memory || memory->cache);
  enum { MOST_OF_EARLIER = 1000 };
  if (!memory || !memory->has_new) return;
  AskedList asked = {0};
  for (uint32_t i = 0; i < memory->all.count; i++)
    if (memory->all.items[i].is_asked || memory->all.count <= MOST_OF_EARLIER)
      vec_push(memory->arena, &asked, memory->all.items[i]);
  Codec codec = codec_writer(memory->arena);
  code(&codec, &asked);
  cache_put(memory->cache, CACHE_HOST, memory->key, codec.out.text, codec.out.length);
}
