// Which word of memory do the threads of a team touch, what does it hold, who was there before and has that
// happened before? One map of bytes for all (interp_memory.c), with a shared object for each block; beside it
// the words that were touched, with the latest access of each kind of each thread, and what was told by who
// wrote the word. Soundness: a pair of accesses is told as a race only if it overlaps, one of them writes,
// not both are strong with scopes that hold both threads, and the clock of the later one does not hold the
// earlier one.
// SPDX-License-Identifier: Apache-2.0
#include "core/team_internal.h"
#include "core/bug.h"

enum { ACCESS_LIMIT = 4096, COPY_LIMIT = 1 << 16, TOUCH_LIMIT = 4096, FEW_TOUCHES = 16 };

// ---- words
uint32_t team_key(const Team *team, const Member *member, uint32_t object) {
  ASSERT(member->number < team->count);
  uint32_t stride = team->request->base.first_private_object + 1;
  return object < stride && team->is_shared[object] ? object + (member->block + 1) * stride : object;
}

static uint32_t word_hash(uint32_t object, int64_t index) {
  uint64_t mixed = ((uint64_t)index ^ ((uint64_t)object << 40)) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(mixed >> 32);
}

static Word *word_at(Team *team, uint32_t object, int64_t index) {
  uint32_t hash = word_hash(object, index);
  TableLook look = table_look(&team->table, hash);
  ASSERT(team->table.count == team->words.count);
  for (uint32_t number; (number = table_next(&look)) != 0;) {
    Word *known = team->words.items[number - 1];
    if (known->object == object && known->index == index) return known;
  }
  Word *word = arena_new(team->arena, Word);
  word->object = object;
  word->index = index;
  vec_push(team->arena, &team->words, word);
  table_add(team->arena, &team->table, hash, team->words.count);
  return word;
}

static Member *member_of(Interp *run) {
  ASSERT(run->team && run->number < run->team->count);
  return &run->team->members[run->number];
}

// The words that the bytes lie in, one after the other.
typedef struct Walk {
  int64_t at, end;
  uint32_t object;
} Walk;

static Walk walk_over(const Interp *run, Place place, uint32_t bytes) {
  const Member *member = &run->team->members[run->number];
  return (Walk){place.offset, place.offset + bytes, team_key(run->team, member, place.object)};
}

static Word *next_word(Team *team, Walk *walk, uint8_t *mask) {
  if (walk->at >= walk->end) return NULL;
  int64_t index = walk->at >= 0 ? walk->at / WORD_BYTES : -((-walk->at + WORD_BYTES - 1) / WORD_BYTES);
  int64_t begin = index * WORD_BYTES, behind = begin + WORD_BYTES;
  *mask = 0;
  for (; walk->at < walk->end && walk->at < behind; walk->at++)
    *mask |= (uint8_t)(1u << (walk->at - begin));
  return word_at(team, walk->object, index);
}

// ---- races
static const IrInst *inst_of(const Interp *run) {
  return &run->function->insts.items[run->inst];
}

static bool is_exempt(const Team *team, const IrInst *inst) {
  return memory_is_strong(inst) && !(memory_is_volatile(inst) && team->request->rules.volatile_races);
}

static bool reaches_all(const Team *team, const IrInst *inst) {
  IrScope scope = memory_scope(inst);
  return team->request->reaches_all || scope == IR_SCOPE_THREAD || scope > IR_SCOPE_BLOCK;
}

// Of a touch: the thread itself, or the one of the engine, which has a number of its own.
static uint32_t thread_of(const Team *team, uint32_t toucher) {
  return toucher < team->count ? toucher : toucher - team->count;
}

static uint8_t extent_of(const Team *team, uint32_t one, uint32_t two) {
  const Member *a = &team->members[thread_of(team, one)], *b = &team->members[thread_of(team, two)];
  return a->block != b->block ? 0 : a->lane / WARP != b->lane / WARP ? 1 : 2;
}

// Strong accesses do not race if each reaches the other one's thread.
static bool reach_each_other(const Team *team, const Touch *one, const Touch *two) {
  return one->is_strong && two->is_strong &&
         ((one->reaches_all && two->reaches_all) || extent_of(team, one->thread, two->thread) != 0);
}

static bool is_known(const Team *team, const Told *told) {
  for (uint32_t i = 0; i < team->told.count; i++) {
    const Told *other = &team->told.items[i];
    if (other->extent == told->extent && other->inst[0] == told->inst[0] && other->inst[1] == told->inst[1] &&
        other->is_write[0] == told->is_write[0] && other->is_write[1] == told->is_write[1])
      return true;
  }
  return false;
}

static void tell_race(Team *team, const Word *word, uint32_t object, const Touch *one, const Touch *two) {
  const uint32_t threads[] = {thread_of(team, one->thread), thread_of(team, two->thread)};
  if (threads[0] == threads[1]) return; // a thread and its own copy
  Told told = {
      {one->inst, two->inst}, {one->is_write, two->is_write}, extent_of(team, one->thread, two->thread)};
  if (is_known(team, &told)) return;
  vec_push(team->arena, &team->told, told);
  int first = 0;
  for (uint8_t both = one->mask & two->mask; !(both >> first & 1);)
    first++;
  TeamRace race = {.inst = {one->inst, two->inst},
                   .is_write = {one->is_write, two->is_write},
                   .thread = {threads[0], threads[1]},
                   .passed = {one->passed, two->passed},
                   .object = object,
                   .offset = word->index * WORD_BYTES + first};
  team->request->race(team->request->context, &race);
}

// Who asks about a word, and which of its writes are known to be observed.
typedef struct Asking {
  Team *team;
  const Member *member;
  const Word *word;
  bool has_chains; // team->observed_chains are those of the member and the word
} Asking;

// Reads of one chain stand one behind the other, and chains do not overlap (observe, write_in_chain).
static void find_observed_chains(Asking *asking) {
  const Word *word = asking->word;
  Chains *chains = &asking->team->observed_chains;
  chains->count = 0;
  asking->has_chains = true;
  for (uint32_t i = 0; i < word->observed.count; i++) {
    const Observed *read = &word->observed.items[i];
    if (read->clock > asking->member->clock[read->thread]) continue;
    ASSERT(!chains->count || vec_last(chains).from <= read->from);
    if (!chains->count || vec_last(chains).from != read->from)
      vec_push(asking->team->arena, chains, ((Chain){read->from, read->to}));
    else if (vec_last(chains).to < read->to)
      vec_last(chains).to = read->to;
  }
}

// Somebody has read what the strong write has left, and that is known: a write comes before whoever observes
// it, and what that comes before (PTX: observation order, then base causality order), without any fence. Of
// what its thread did before it that says nothing.
static bool is_observed(Asking *asking, const Touch *write) {
  if (!write->number) return false;
  if (!asking->has_chains) find_observed_chains(asking);
  const Chains *chains = &asking->team->observed_chains;
  uint32_t low = 0; // the first chain that begins behind it
  for (uint32_t high = chains->count; low < high;) {
    uint32_t middle = low + (high - low) / 2;
    if (chains->items[middle].from <= write->number)
      low = middle + 1;
    else
      high = middle;
  }
  return low && write->number <= chains->items[low - 1].to;
}

// Does the member know that the other access was made? A volatile access sees what was told, fence or not, if
// the memory model says so.
static bool knows(Asking *asking, const Touch *other) {
  const Member *member = asking->member;
  if (other->clock <= member->clock[other->thread] || is_observed(asking, other)) return true;
  bool sees = asking->team->request->rules.volatile_sees &&
              memory_is_strong(&member->run.function->insts.items[member->run.inst]);
  for (int r = 0; r < REACH_COUNT && sees; r++)
    if (member->heard[r] && other->clock <= member->heard[r][other->thread]) return true;
  return false;
}

// Of a copy that threads of a block make together each byte is copied once.
static bool is_one_copy(const Team *team, const Member *member, const Touch *one, const Touch *two) {
  if (one->inst != two->inst) return false;
  bool is_part = member->run.function->insts.items[two->inst].flags & IR_FLAG_PART;
  return is_part && extent_of(team, one->thread, two->thread) != 0;
}

// ---- touches
static void link_to_thread(Touches *touches, uint32_t place) {
  Touch *touch = &touches->items.items[place];
  touch->before = touches->latest[touch->thread];
  touches->latest[touch->thread] = place + 1;
}

static void add_touch(Team *team, Touches *touches, Touch touch) {
  uint32_t count = touches->items.count;
  if (count >= TOUCH_LIMIT) return;
  vec_push(team->arena, &touches->items, touch);
  if (count == FEW_TOUCHES)
    touches->latest = arena_array(team->arena, 2 * team->count, uint32_t); // and its copies
  for (uint32_t i = count == FEW_TOUCHES ? 0 : count; touches->latest && i <= count; i++)
    link_to_thread(touches, i);
}

static bool is_of_kind(const Touch *one, const Touch *two) {
  return one->thread == two->thread && one->inst == two->inst && one->mask == two->mask;
}

static Touch *touch_of_kind(Touches *touches, const Touch *kind) {
  uint32_t i = touches->latest ? touches->latest[kind->thread] : touches->items.count;
  while (i && !is_of_kind(&touches->items.items[i - 1], kind))
    i = touches->latest ? touches->items.items[i - 1].before : i - 1;
  return i ? &touches->items.items[i - 1] : NULL;
}

static void keep_touch(Team *team, Touches *touches, Touch touch) {
  Touch *known = touch_of_kind(touches, &touch);
  if (known) {
    touch.before = known->before;
    *known = touch;
  } else
    add_touch(team, touches, touch);
}

static void meet_touches(Asking *asking, const Touches *others, uint32_t object, const Touch *touch) {
  Team *team = asking->team;
  for (uint32_t i = 0; i < others->items.count; i++) {
    const Touch *other = &others->items.items[i];
    bool collide = other->thread != touch->thread && (other->mask & touch->mask) &&
                   !reach_each_other(team, other, touch) && !is_one_copy(team, asking->member, other, touch);
    if (collide && !knows(asking, other)) tell_race(team, asking->word, object, other, touch);
  }
}

static void touch_word(Team *team, const Member *member, Word *word, uint32_t object, Touch touch) {
  Asking asking = {.team = team, .member = member, .word = word};
  meet_touches(&asking, &word->writes_touched, object, &touch);
  if (touch.is_write) meet_touches(&asking, &word->reads_touched, object, &touch);
  keep_touch(team, touch.is_write ? &word->writes_touched : &word->reads_touched, touch);
}

// Each holds the other one's thread, and they are of the same bytes.
static bool is_morally_strong(const Team *team, const Touch *one, const Touch *two) {
  bool reach = (one->reaches_all && two->reaches_all) || extent_of(team, one->thread, two->thread) != 0;
  return reach && one->mask == two->mask;
}

static bool is_update(const IrInst *inst) {
  return ir_inst_is(inst, IR_ATOMIC);
}

static void observe(Team *team, Word *word, const Touch *read) {
  bool is_strong_pair = word->chain_from && is_morally_strong(team, &word->last, read);
  Observed observed = {read->thread, read->clock, word->chain_from, word->writes};
  if (!is_strong_pair || word->observed.count >= TOUCH_LIMIT) return;
  for (uint32_t i = word->observed.count; i-- > 0;) {
    Observed *before = &word->observed.items[i];
    if (before->thread != read->thread || before->clock != read->clock || before->from != observed.from)
      continue;
    before->to = observed.to;
    return;
  }
  vec_push(team->arena, &word->observed, observed);
}

// A strong write begins a chain, or goes on with the one that it has read from; a plain one ends it.
static void write_in_chain(Team *team, Word *word, const IrInst *inst, Touch *write) {
  if (!memory_is_strong(inst) || inst->op == IR_MBARRIER) {
    word->chain_from = 0;
    return;
  }
  bool goes_on = is_update(inst) && word->chain_from && is_morally_strong(team, &word->last, write);
  write->number = ++word->writes;
  if (!goes_on) word->chain_from = write->number;
  word->last = *write;
}

bool team_touch(Interp *run, Place place, uint32_t bytes, bool is_write) {
  ASSERT(place.object != 0);
  Team *team = run->team;
  Member *member = member_of(run);
  bool is_copy = ir_inst_is(inst_of(run), IR_ASYNC); // made by the engine
  if (bytes > (is_copy ? COPY_LIMIT : ACCESS_LIMIT)) return interp_stop(run, INTERP_UNSUPPORTED, NO_INST);
  Touch touch = {.thread = is_copy ? team->count + member->number : member->number,
                 .inst = run->inst,
                 .clock = is_copy ? member->copies : member->clock[member->number],
                 .is_write = is_write,
                 .passed = member->passed,
                 .is_strong =
                     is_exempt(team, inst_of(run)) || (is_write && ir_inst_is(inst_of(run), IR_FOLDS)),
                 .reaches_all = reaches_all(team, inst_of(run))};
  Walk walk = walk_over(run, place, bytes);
  for (Word *word; (word = next_word(team, &walk, &touch.mask));) {
    touch.number = 0;
    if (!is_write && memory_is_strong(inst_of(run))) observe(team, word, &touch);
    if (is_write && is_update(inst_of(run))) observe(team, word, &touch); // what it has found there
    if (is_write) write_in_chain(team, word, inst_of(run), &touch);
    touch_word(team, member, word, place.object, touch);
  }
  member->is_told = false;
  return true;
}

// ---- release and acquire
static IrScope scope_of(const Team *team, const IrInst *inst) {
  return reaches_all(team, inst) ? IR_SCOPE_DEVICE : IR_SCOPE_BLOCK;
}

static Clock *told_in(Team *team, Word *word, uint32_t block) {
  for (uint32_t i = 0; i < word->told_in.count; i++)
    if (word->told_in.items[i].block == block) return &word->told_in.items[i].clock;
  vec_push(team->arena, &word->told_in, ((ToldIn){block, NULL}));
  return &vec_last(&word->told_in).clock;
}

static void hear_clock(Team *team, Member *member, int reach, Clock told, bool acquires) {
  if (acquires || team->request->rules.reads_acquire)
    member_learn(team, member, told);
  else
    member->heard[reach] = clock_join(team, member->heard[reach], told);
}

// What its own block has released there, through whatever updates of others, and what was released to all.
// `acquires`: the operation itself does.
static void hear(Team *team, Member *member, Word *word, bool acquires) {
  const IrInst *inst = &member->run.function->insts.items[member->run.inst];
  Clock own = word->told_in.count ? *told_in(team, word, member->block) : NULL;
  if (own) hear_clock(team, member, REACH_BLOCK, own, acquires);
  if (word->told && reaches_all(team, inst)) hear_clock(team, member, REACH_ALL, word->told, acquires);
}

static void tell(Team *team, Member *member, const IrInst *inst, Word *word, uint8_t mask, bool goes_on) {
  if (memory_releases(inst) || team->request->tells_without_fence)
    member_release(team, member, scope_of(team, inst));
  bool keeps = goes_on || (word->told_mask & ~mask);
  if (!keeps) {
    word->told = NULL;
    word->told_in.count = 0;
  }
  if (reaches_all(team, inst)) word->told = clock_join(team, word->told, member->released[REACH_ALL]);
  Clock *own = member->released[REACH_BLOCK] ? told_in(team, word, member->block) : NULL;
  if (own) *own = clock_join(team, *own, member->released[REACH_BLOCK]);
  word->told_mask = keeps ? word->told_mask | mask : mask;
}

// ---- contents
static void wake(Team *team, const Word *word) {
  for (uint32_t i = 0; team->parked && i < team->count; i++) {
    Member *member = &team->members[i];
    if (member->state != MEMBER_PARKED || member->spin_word != word) continue;
    member->state = MEMBER_RUNS;
    member->spin_word = NULL;
    team->parked--;
  }
}

// Reads the same word at the same place, which nobody has changed: somebody else has to go on.
static void consider_parking(Team *team, Member *member, uint32_t inst, const Word *word) {
  bool is_again =
      member->spin_inst == inst && member->spin_word == word && member->spin_version == word->version;
  member->spin_inst = inst;
  member->spin_word = word;
  member->spin_version = word->version;
  if (!is_again) return;
  if (member->patience) {
    member->patience--;
    return;
  }
  member->state = MEMBER_PARKED;
  team->parked++;
  team->gives_turn = true;
}

static bool is_unwritten(const Cell *cells, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i++)
    if (cells[i].kind != CELL_NONE) return false;
  return true;
}

// What nobody has written: the model's contents, or zero where flags and counters are read.
static void fill_initial(Interp *run, Place place, uint32_t key, uint32_t bytes, Cell *out) {
  const InterpRequest *base = &run->team->request->base;
  InterpValue given = {0};
  if (base->read && base->read(base->context, place.object, place.offset, bytes, &given) &&
      given.kind != INTERP_UNKNOWN) {
    value_given_to_cells(given, bytes, out);
    memory_write(&run->team->memory, key, place.offset, bytes, out);
    return;
  }
  bool is_zero = key == place.object && memory_is_strong(inst_of(run));
  value_set_unknown(run, bytes, out);
  for (uint32_t i = 0; is_zero && i < bytes; i++)
    out[i] = (Cell){.kind = CELL_BYTE};
  if (is_zero) memory_write(&run->team->memory, key, place.offset, bytes, out);
}

static void read_word(Interp *run, Place place, uint32_t bytes, Cell *out) {
  Team *team = run->team;
  uint32_t key = team_key(team, member_of(run), place.object);
  memory_read(&team->memory, key, place.offset, bytes, out);
  if (is_unwritten(out, bytes)) {
    fill_initial(run, place, key, bytes, out);
    return;
  }
  for (uint32_t i = 0; i < bytes; i++)
    if (out[i].kind == CELL_NONE) out[i] = (Cell){.kind = CELL_UNKNOWN, .object = run->inst};
}

// What is copied at a time (a struct) is made of words: contents that are chosen are numbers.
static void read_contents(Interp *run, Place place, uint32_t bytes, Cell *out) {
  uint32_t step = bytes <= 8 ? bytes : place.offset % 4 == 0 && bytes % 4 == 0 ? 4 : 1;
  for (uint32_t at = 0; at < bytes; at += step)
    read_word(run, (Place){place.object, place.offset + at}, step, out + at);
}

void team_read(Interp *run, Place place, uint32_t bytes, Cell *out) {
  ASSERT(place.object != 0);
  ASSERT(out);
  Team *team = run->team;
  Member *member = member_of(run);
  read_contents(run, place, bytes, out);
  Walk walk = walk_over(run, place, bytes);
  uint8_t mask = 0;
  const Word *first = NULL;
  for (Word *word; (word = next_word(team, &walk, &mask));) {
    hear(team, member, word, memory_acquires(inst_of(run), false));
    if (!first) first = word;
  }
  if (first) consider_parking(team, member, run->inst, first);
}

// A pointer to what only the thread, or its block, can see does not travel further.
static void keep_private(Interp *run, uint32_t key, uint32_t object, uint32_t bytes, Cell *cells) {
  const Team *team = run->team;
  for (uint32_t i = 0; i < bytes; i++) {
    bool is_private =
        cells[i].kind == CELL_POINTER && cells[i].object >= team->request->base.first_private_object;
    bool is_of_block = cells[i].kind == CELL_POINTER && !is_private && team->is_shared[cells[i].object];
    if (is_private || (is_of_block && key == object))
      cells[i] = (Cell){.kind = CELL_UNKNOWN, .cause = CAUSE_UNSUPPORTED, .object = run->inst};
  }
}

static bool same_cells(const Cell *a, const Cell *b, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i++)
    if (a[i].kind != CELL_BYTE || b[i].kind != CELL_BYTE || a[i].byte != b[i].byte) return false;
  return true;
}

static void tell_contents(const Interp *run, Place place, uint32_t bytes, const Cell *cells) {
  const TeamRequest *request = run->team->request;
  uint8_t *data = arena_array(run->arena, bytes + 1, uint8_t);
  for (uint32_t i = 0; i < bytes && data; i++)
    if (cells[i].kind == CELL_BYTE)
      data[i] = cells[i].byte;
    else
      data = NULL;
  request->wrote(request->context, place.object, place.offset, bytes, data);
}

static void write_contents(Interp *run, Place place, uint32_t bytes, const Cell *cells, bool goes_on) {
  Team *team = run->team;
  Member *member = member_of(run);
  uint32_t key = team_key(team, member, place.object);
  Cell *copy = arena_array(run->arena, bytes + 1, Cell), *old = arena_array(run->arena, bytes + 1, Cell);
  for (uint32_t i = 0; i < bytes; i++)
    copy[i] = cells[i];
  keep_private(run, key, place.object, bytes, copy);
  memory_read(&team->memory, key, place.offset, bytes, old);
  bool is_change = !same_cells(copy, old, bytes);
  memory_write(&team->memory, key, place.offset, bytes, copy);
  if (team->request->wrote && key == place.object && key < team->request->base.first_private_object)
    tell_contents(run, place, bytes, copy);
  Walk walk = walk_over(run, place, bytes);
  uint8_t mask = 0;
  for (Word *word; (word = next_word(team, &walk, &mask));) {
    tell(team, member, inst_of(run), word, mask, goes_on);
    if (!is_change) continue;
    word->version++;
    wake(team, word);
  }
  if (is_change) member->spin_word = NULL; // it gets on
}

void team_write(Interp *run, Place place, uint32_t bytes, const Cell *cells) {
  ASSERT(place.object != 0);
  ASSERT(cells);
  write_contents(run, place, bytes, cells, false);
}

Value team_update(Interp *run, Place place, const IrInst *inst, const Value *v) {
  ASSERT(place.object != 0);
  ASSERT(ir_has_inst(run->function, inst));
  ASSERT(v);
  Cell cells[8];
  uint32_t bytes =
      inst->type.bytes ? inst->type.bytes : ir_ref_type(run->module, run->function, inst->ops[1]).bytes;
  if (bytes > sizeof cells / sizeof *cells) {
    interp_stop(run, INTERP_UNSUPPORTED, NO_INST);
    return value_unknown(run, CAUSE_UNSUPPORTED);
  }
  IrType type = ir_ref_type(run->module, run->function, inst->ops[1]);
  read_contents(run, place, bytes, cells);
  Value old = value_from_cells(run, cells, type);
  Value left = interp_rmw(run, inst, old, v);
  Cell now[8];
  value_to_cells(run, left, bytes, now);
  // A failed compare-and-swap, an addition of nothing: only a read.
  bool is_only_read = same_cells(cells, now, bytes);
  bool fails = inst->op == IR_CMPXCHG && is_only_read && old.kind == VALUE_WORD && old.word != v[1].word;
  bool acquires = memory_acquires(inst, fails);
  Walk walk = walk_over(run, place, bytes);
  uint8_t mask = 0;
  Word *first = NULL;
  for (Word *word; (word = next_word(run->team, &walk, &mask));) {
    hear(run->team, member_of(run), word, acquires);
    if (!first) first = word;
  }
  if (!fails) write_contents(run, place, bytes, now, true);
  if (is_only_read && first) consider_parking(run->team, member_of(run), run->inst, first);
  return old;
}
