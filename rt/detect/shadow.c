// The map of shadow.h. Word pages and byte pages lie in one map, told apart by the top bit of their number.
// SPDX-License-Identifier: Apache-2.0
#include "rt/detect/shadow.h"
#include "rt/detect/state.h"
#include "rt/contract.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_CELLS = 1024, WORD = 4, PAGE_BYTES = PAGE_CELLS * WORD, LINE = 64 }; // a line of the cache
#define OF_BYTES ((uint64_t)1 << 63)

struct ShadowPage {
  uint8_t is_split[PAGE_CELLS / 8]; // of a page of words: has cells by bytes
  _Alignas(LINE) unsigned char cells[];
};

static uint64_t number_of(uint64_t address, bool by_bytes) {
  return by_bytes ? OF_BYTES | address / PAGE_CELLS : address / PAGE_BYTES;
}

// Zeros. Of another size than those that are free only if the detector has changed.
static ShadowPage *page_make(size_t size) {
  FreePage *kept = detect_free_pages;
  void *page = kept && kept->bytes == size ? kept : aligned_alloc(LINE, size);
  if (page && page == kept) detect_free_pages = kept->next;
  return page ? memset(page, 0, size) : NULL;
}

static void page_keep(ShadowPage *page, size_t size) {
  FreePage *kept = (FreePage *)(void *)page;
  if (!page) return;
  if (detect_free_pages && detect_free_pages->bytes != size) {
    free(page);
    return;
  }
  *kept = (FreePage){.next = detect_free_pages, .bytes = size};
  detect_free_pages = kept;
}

static size_t page_bytes(const Shadow *shadow) {
  return (sizeof(ShadowPage) + PAGE_CELLS * shadow->kind->cell_bytes + LINE - 1) / LINE * LINE;
}

static ShadowPage *page_add(Shadow *shadow, uint64_t number) {
  size_t size = page_bytes(shadow);
  uint64_t before = rt_map_bytes(&shadow->pages);
  ShadowPage *page = page_make(size);
  if (page && !rt_map_put(&shadow->pages, number, (uintptr_t)page)) {
    page_keep(page, size);
    page = NULL;
  }
  if (page) shadow->bytes += size + rt_map_bytes(&shadow->pages) - before;
  return page;
}

static ShadowPage *page_of(Shadow *shadow, uint64_t number, bool is_to_be_made) {
  ShadowRecent *recent = &shadow->recent[number % SHADOW_RECENT];
  if (recent->page && recent->number == number) return recent->page;
  ShadowPage *found = rt_map_item(&shadow->pages, number);
  if (!found && is_to_be_made) found = page_add(shadow, number);
  if (found) *recent = (ShadowRecent){number, found};
  return found;
}

static void *cell_at(const Shadow *shadow, ShadowPage *page, uint64_t index) {
  return page->cells + (index % PAGE_CELLS) * shadow->kind->cell_bytes;
}

static void *byte_cell(Shadow *shadow, uint64_t address) {
  ShadowPage *page = page_of(shadow, number_of(address, true), true);
  return page ? cell_at(shadow, page, address) : NULL;
}

static bool is_split(const ShadowPage *page, uint64_t word) {
  return page->is_split[word % PAGE_CELLS / 8] >> word % 8 & 1;
}

static bool split(Shadow *shadow, ShadowPage *page, uint64_t word) {
  void *whole = cell_at(shadow, page, word);
  for (uint64_t i = 0; i < WORD; i++) {
    void *part = byte_cell(shadow, word * WORD + i);
    if (!part) return false;
    if (!shadow->kind->copy)
      memcpy(part, whole, shadow->kind->cell_bytes);
    else if (!shadow->kind->copy(shadow->context, part, whole))
      return false;
  }
  if (shadow->kind->drop) shadow->kind->drop(shadow->context, whole);
  memset(whole, 0, shadow->kind->cell_bytes);
  page->is_split[word % PAGE_CELLS / 8] |= (uint8_t)(1u << word % 8);
  return true;
}

bool shadow_visit(Shadow *shadow, const RtAccess *access,
                  void (*visit)(void *context, void *cell, const ShadowPart *part), void *context) {
  RT_ASSERT(shadow && shadow->kind);
  RT_ASSERT(access && access->bytes);
  RT_ASSERT(visit);
  uint64_t end = access->address + access->bytes;
  for (uint64_t at = access->address; at < end;) {
    uint64_t word = at / WORD, behind = word * WORD + WORD < end ? word * WORD + WORD : end;
    ShadowPage *page = page_of(shadow, number_of(at, false), true);
    if (!page) return false;
    bool is_whole = at % WORD == 0 && behind - at == WORD;
    if (is_whole && !is_split(page, word)) {
      visit(context, cell_at(shadow, page, word), &(ShadowPart){at, WORD, (uint32_t)(at - access->address)});
      at = behind;
      continue;
    }
    if (!is_split(page, word) && !split(shadow, page, word)) return false;
    for (; at < behind; at++) {
      void *cell = byte_cell(shadow, at);
      if (!cell) return false;
      visit(context, cell, &(ShadowPart){at, 1, (uint32_t)(at - access->address)});
    }
  }
  return true;
}

static void clear_cells(Shadow *shadow, ShadowPage *page, uint64_t from, uint64_t to) {
  for (uint64_t i = from; shadow->kind->drop && i < to; i++)
    shadow->kind->drop(shadow->context, cell_at(shadow, page, i));
  memset(cell_at(shadow, page, from), 0, (to - from) * shadow->kind->cell_bytes);
}

static void clear_range(Shadow *shadow, uint64_t from, uint64_t to, bool by_bytes) { // indices of cells
  uint64_t bit = by_bytes ? OF_BYTES : 0;
  while (from < to) {
    uint64_t behind = (from / PAGE_CELLS + 1) * PAGE_CELLS;
    if (behind > to) behind = to;
    ShadowPage *page = page_of(shadow, bit | from / PAGE_CELLS, false);
    if (page) clear_cells(shadow, page, from, behind);
    for (uint64_t i = from; page && i < behind; i++)
      page->is_split[i % PAGE_CELLS / 8] &= (uint8_t) ~(1u << i % 8);
    from = behind;
  }
}

void shadow_clear(Shadow *shadow, uint64_t address, uint64_t bytes) {
  RT_ASSERT(shadow && shadow->kind);
  RT_ASSERT(address <= UINT64_MAX - bytes);
  if (!bytes || !shadow->pages.count) return;
  uint64_t first = address / WORD, behind = (address + bytes + WORD - 1) / WORD;
  clear_range(shadow, first * WORD, behind * WORD, true);
  clear_range(shadow, first, behind, false);
}

void shadow_close(Shadow *shadow) {
  RT_ASSERT(shadow);
  for (uint32_t i = 0; i < shadow->pages.capacity; i++) {
    ShadowPage *page = (ShadowPage *)(uintptr_t)shadow->pages.table[i].value;
    if (page && shadow->kind->drop) clear_cells(shadow, page, 0, PAGE_CELLS);
    page_keep(page, page_bytes(shadow));
  }
  rt_map_close(&shadow->pages);
  *shadow = (Shadow){.kind = shadow->kind};
}
