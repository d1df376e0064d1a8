// Which accesses need no call of the machine (run/guard.c)? A site is left the object that was found there last. It is free of calls where
// nobody is to be told: no detector, or a proof and no asynchronous copy that it might meet. All sites are emptied where that may change:
// a launch begins, a copy does, memory of the heap is given back, a block ends whose shared memory another one will not take over.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/internal.h"
#include "rt/contract.h"

#include <stdlib.h>

static bool note(RtSite *site) {
  if (rt_machine.site_count == rt_machine.site_capacity) {
    uint32_t capacity = rt_machine.site_capacity ? rt_machine.site_capacity * 2 : 256;
    RtSite **more = realloc(rt_machine.sites, capacity * sizeof(RtSite *));
    if (!more) return false;
    rt_machine.sites = more;
    rt_machine.site_capacity = capacity;
  }
  rt_machine.sites[rt_machine.site_count++] = site;
  return true;
}

bool access_is_told(uint32_t flags) {
  if (!rt_machine.detector || !rt_machine.kind->access) return false;
  return !(flags & RT_PROVED) || rt_machine.copy_count;
}

static uint64_t free_part(const RtSite *site, uint32_t flags) {
  return access_is_told(flags) ? 0 : site->known;
}

bool site_knows(RtSite *site, const void *address, uint32_t flags) {
  if (!site || (uintptr_t)address - site->low >= site->known) return false;
  site->free = free_part(site, flags);
  return true;
}

void site_learn(RtSite *site, uint64_t low, uint64_t size, uint32_t bytes, uint32_t flags) {
  RT_ASSERT(size > 0 && bytes > 0);
  if (!site || size < bytes || (!site->known && !note(site))) return;
  *site = (RtSite){.low = low, .known = size - bytes + 1};
  site->free = free_part(site, flags);
}

void sites_forget(void) {
  for (uint32_t i = 0; i < rt_machine.site_count; i++)
    *rt_machine.sites[i] = (RtSite){0};
  rt_machine.site_count = 0;
}
