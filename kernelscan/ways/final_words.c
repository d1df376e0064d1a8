// Which loads of shared memory read what nobody writes any more? A block keeps the state of its work in a
// struct: thread 0 fills it, and behind a barrier all read its members, in conditions of loops as well
// (`i < s->rows`). Each such load gives the same, whoever makes it, wherever and in whichever round: one
// value stands for them all. Method: the load is at a constant place of a variable and stable between its
// barriers (stable.c), and no way leads on from it to an instruction that may write a byte of the place.
// Soundness: where one thread makes the load, all threads of the block are between the same two barriers, and
// none of them writes the place there. What any of them does later lies behind barriers that the thread comes
// to as well, or has left the kernel before (node_later): no write is later. All writes are earlier then, for each of
// these loads, so two of them with another write between cannot both be such loads. Nothing is said across
// blocks.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/ways/ways.h"
#include "kernelscan/memory.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

static bool is_written_later(Scan *scan, uint32_t access) {
  const Access *load = &scan->accesses.items[access];
  const uint8_t *reached = NULL;
  for (uint32_t w = 0; w < scan->accesses.count; w++) {
    if (!stable_may_write(scan, w, access)) continue;
    if (!reached) reached = node_later(scan, load->node);
    if (reached[scan->accesses.items[w].node]) return true;
  }
  return false;
}

static bool is_same_word(const Scan *scan, uint32_t one, uint32_t two) {
  const IrType a = scan->fn->insts.items[scan->accesses.items[one].inst].type,
               b = scan->fn->insts.items[scan->accesses.items[two].inst].type;
  return a.kind == b.kind && a.bits == b.bits && a.bytes == b.bytes &&
         access_is_same_place(scan, &scan->accesses.items[one], &scan->accesses.items[two]);
}

static bool is_final(Scan *scan, uint32_t access) {
  uint32_t inst = scan->accesses.items[access].inst;
  const Reach *reach = &scan->reaches[access];
  return scan->fn->insts.items[inst].op == IR_LOAD && scan->alike.is_broadcast[inst] &&
         !clusters_has_mapa(scan) && reach->is_complete && reach->count == 1 &&
         scan->objects.items[reach->objects[0]].kind == OBJ_SHARED &&
         access_is_same_place(scan, &scan->accesses.items[access], &scan->accesses.items[access]) &&
         !is_written_later(scan, access);
}

void final_words_find(Scan *scan) {
  uint32_t *final = arena_array(scan->arena, scan->fn->insts.count + 1, uint32_t);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    uint32_t first = a;
    if (!is_final(scan, a)) continue;
    for (uint32_t b = 0; b < a && first == a; b++)
      if (final[scan->accesses.items[b].inst] && is_same_word(scan, a, b)) first = b;
    final[scan->accesses.items[a].inst] = scan->accesses.items[first].inst + 1;
  }
  scan->alike.final_words = final;
}
