// The door of hostscan/terms/: expressions of the host: symbols for what is unknown, parts of words, conditions; what is
// said of them.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_TERMS_H
#define HGRD_HOSTSCAN_TERMS_H

#include "hostscan/scan.h"

// symbols.c
typedef struct HostUnknown { // an unknown value
  HostFrame *frame;
  uint32_t loop; // the innermost one of the frame in which it changes, CFG_NONE for none
  uint8_t width;
  const char *name;
  SrcLoc loc;
  int64_t lo, hi;                   // both 0: whole range
  bool is_from_caller, is_nameless; // ExprSym
  const char *after;
} HostUnknown;
ExprRef host_unknown(HostScan *scan, HostUnknown unknown); // a new symbol for it
HostSym *host_sym(HostScan *scan, uint32_t sym);           // what the host scan knows of the symbol

// word_parts.c
// Of low + high, packed side by side at `bits`, the half that is asked for (the high one not shifted), or 0.
ExprRef host_packed_half(HostScan *scan, ExprRef word, uint32_t bits, bool want_high);
ExprRef host_bytes_of(HostScan *scan, ExprRef word, uint32_t offset, uint32_t bytes); // piece of a word
ExprRef host_narrowed(HostScan *scan, ExprRef word, uint8_t width); // truncation, through packed halves

// term.c
// An expression that is written out longer than this helps nobody: a symbol of its own takes its place.
enum { HOST_HEAVY = 400 };
uint32_t host_weight(HostScan *scan, ExprRef ref);         // size, written out as a tree
typedef bool (*HostSymVisit)(void *context, uint32_t sym); // false: enough
void host_each_sym(HostScan *scan, ExprRef ref, HostSymVisit visit, void *context); // each once
IndexList host_list_syms(HostScan *scan, Arena *arena, ExprRef ref);                // each once
bool host_mentions(HostScan *scan, ExprRef ref, uint32_t sym);
ExprRef host_at_iteration(HostScan *scan, ExprRef ref, ExprRef count,
                          ExprRef iteration); // count := iteration
ExprRef host_replace(HostScan *scan, ExprRef ref, ExprRef what, ExprRef by);
void host_make_placeholder(HostScan *scan, ExprRef symbol); // before it is used
void host_set_form(HostScan *scan, ExprRef placeholder, ExprRef form);
ExprRef host_settle(HostScan *scan, ExprRef ref); // with all forms of placeholders found so far

// arith.c
// Integer forms of what is computed through floating point: (int)ceil(n / 64.0). 0 if it is none of these.
ExprRef host_rounded_division(HostScan *scan, const HostFrame *frame, const IrInst *inst, ExprRef operand);
// Sums of multiples, gathered: 4 + (n - 1) * 4 is n * 4. For offsets of addresses.
ExprRef host_gather(HostScan *scan, ExprRef ref);
// ref == rest modulo the modulus, for all values; a modulus of 0: it is a constant.
void host_residue(HostScan *scan, ExprRef ref, uint64_t *modulus, uint64_t *rest);
ExprRef host_is_at(HostScan *scan, ExprRef offset,
                   int64_t at); // offset == at, said of the index where it can be
// condition ? a : b, or just one of them where it covers the other: n == 0 ? 0 : n * 4.
ExprRef host_choose(HostScan *scan, ExprRef condition, ExprRef a, ExprRef b);
ExprRef host_add_offset(HostScan *scan, ExprRef base, ExprRef offset);
bool host_is_natural(ExprPool *pool, ExprRef ref); // not negative, as it is made of numbers that are not

// conditions.c
ExprRef host_and(HostScan *scan, ExprRef a, ExprRef b); // without what the other side implies
ExprRef host_or(HostScan *scan, ExprRef a, ExprRef b);  // with (a & b) | (a & !b) = a

// fact_store.c
typedef struct HostFactPlace { // where the facts that are being added come from
  HostScan *scan;
  IndexList *list;
  HostFrame *frame;
  uint32_t above; // the block whose branch they are, CFG_NONE if none
  uint32_t loop;  // a loop that they speak of when it is over, CFG_NONE if none
} HostFactPlace;
// Adds the condition, settled and by the parts of a conjunction, to the place's list; one that is very long is left out.
void host_fact_add(const HostFactPlace *place, ExprRef condition, FactClass class, SrcLoc loc);
// A fact that holds wherever its symbols occur. If it is what is known of one symbol, `about` is that: it
// counts where that symbol does. 0: where any of its symbols does.
void host_side_fact(HostScan *scan, ExprRef about, ExprRef condition, FactClass class, SrcLoc loc);
const char *host_text(const ExprPool *pool, Arena *arena, ExprRef ref);

// exact_functions.c
// The same value as an integer expression, where it is a function of bits, or of floating point that keeps to integers; else itself. 0 for 0.
ExprRef host_exact_function(HostScan *scan, ExprRef value);

#endif
