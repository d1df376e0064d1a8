// The door of kernelscan/copies/: how long an asynchronous copy goes on.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_COPIES_H
#define HGRD_KERNELSCAN_COPIES_H

#include "kernelscan/interval.h"

typedef struct OwnAsked {
  Goal goal;
  SolverAnswer answer;
  bool is_apart;
} OwnAsked;

// async.c
// Asks about an access that a thread makes while its own copy may go on, and tells of it.
typedef void CheckOwn(Scan *scan, const Instance *copy, const Instance *other);
// Which copies may go on at which points and arrivals (carried_over), once; `report` is called for each access that its
// thread makes meanwhile.
void async_find(Scan *scan, CheckOwn *report);
// The thread that copies may come to the access without having waited for the copy, and no loop is around
// both: what to say of that; else NULL.
const char *async_not_awaited(Scan *scan, const Access *copy, const Access *access);

// async_objects.c
// Does the copy complete on a barrier object, or may a later instruction bind it to one?
bool async_may_be_of_object(const Scan *scan, const Access *access);
// The barrier object that waits for all bytes of this bulk copy, whoever makes it; 0: none, or not known.
uint32_t async_told_object(Scan *scan, const Access *access);

// proxies.c
bool proxies_is_bulk(const Scan *scan, const Access *access); // a bulk copy
bool proxies_is_fence(const IrInst *inst);                    // between plain accesses and bulk copies
// Is it such a fence, and for all memory that the write may be to?
bool proxies_passes_fence(const Scan *scan, const IrInst *inst, const Access *write);
// What one side wrote may be unknown to the bulk copy on the other side, though the two are ordered: NULL, or
// the text; `is_sure`: there is no such fence at all.
const char *proxies_between(Scan *scan, const Access *one, const Access *two, bool *is_sure);
// Does whoever issues the copy make such a fence behind the barrier that the write is carried over?
bool proxies_fences_itself(Scan *scan, const Carried *write, const Access *copy);
// What to say of the two, whose proxies no fence joins.
const char *proxies_text(Scan *scan, const Access *write, const Access *copy);

// own_apart.c
// Is the copy over by then, or apart? With the goal and the answer, if not.
OwnAsked own_ask(Scan *scan, const Instance *copy, const Instance *other, const Target *targets[2]);
// May these two targets be of one place?
bool own_concerns(Scan *scan, const Instance *copy, const Instance *other, uint32_t i, uint32_t j);

#endif
