// Does the kernel go to one memory by addresses of two kinds? A multicast address stands for memory of several devices (`multimem`), which also has
// addresses of its own, and nothing in the program says which. So a kernel that goes by both, and writes by one of them, is undecided.
// Method: by the objects that an access may be to. Soundness: what the program has allocated itself, as far as is seen, and its variables are mapped
// for nobody else (the driver makes what is); all other memory may be.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/finding/finding.h"
#include "kernelscan/operations.h"

static bool is_multicast(const Scan *scan, const Access *access) {
  return scan->fn->insts.items[access->inst].flags & IR_FLAG_MULTICAST;
}

static bool may_be_mapped(const Scan *scan, const Access *access) {
  const Reach *reach = &scan->reaches[access - scan->accesses.items];
  for (uint32_t i = 0; i < reach->count; i++) {
    const Obj *object = &scan->objects.items[reach->objects[i]];
    if (object->kind == OBJ_LOADED ||
        (object->kind == OBJ_LAUNCH && scan->launch->objects.items[object->index].kind == OBJECT_UNKNOWN))
      return true;
  }
  return !reach->is_complete;
}

static const Access *find_alias(const Scan *scan, const Access *multicast) {
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *other = &scan->accesses.items[a];
    bool writes = multicast->kind != ACCESS_READ || other->kind != ACCESS_READ;
    if (writes && !is_multicast(scan, other) && may_be_mapped(scan, other)) return other;
  }
  return NULL;
}

void misuse_aliases(Scan *scan) {
  ASSERT(scan->reaches || !scan->accesses.count);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    const Access *other = is_multicast(scan, access) ? find_alias(scan, access) : NULL;
    if (!other) continue;
    scan_undecided(
        scan, scan->fn->insts.items[access->inst].loc,
        "what this multicast address stands for may be what line %u accesses by an address of its own",
        operation_line(scan, other->inst));
  }
}
