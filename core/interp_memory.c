// What does the thread find in memory? A sparse map of byte cells over (object, offset), in pages; a page
// that is older than its object's epoch has been overwritten by something unknown. Soundness: a cell is known
// only if the thread itself wrote it last, as far as private memory goes; what others may write to memory
// that is not private is for the reader of the cells to mind (interp_access.c).
// SPDX-License-Identifier: Apache-2.0
#include "core/interp_internal.h"
#include "core/bug.h"

#include <string.h>

// ---- objects
bool memory_is_private(const Interp *run, uint32_t object) {
  return object >= run->request->first_private_object &&
         object - run->request->first_private_object < run->privates.count;
}

uint32_t memory_add_private(Interp *run, uint64_t bytes) {
  uint32_t object = run->request->first_private_object + run->privates.count;
  int64_t size = bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
  vec_push(run->arena, &run->privates, (ObjectState){.object = object, .bytes = size});
  return object;
}

ObjectState *memory_private(Interp *run, uint32_t object) {
  return &run->privates.items[object - run->request->first_private_object];
}

static const ObjectState *find_state(const Interp *run, uint32_t object) {
  if (memory_is_private(run, object))
    return &run->privates.items[object - run->request->first_private_object];
  const ObjectState *found = &run->everything_outside;
  for (uint32_t i = 0; i < run->outside.count; i++)
    if (run->outside.items[i].object == object && run->outside.items[i].epoch > found->epoch)
      found = &run->outside.items[i];
  return found;
}

bool memory_in_bounds(Interp *run, uint32_t object, int64_t offset, uint64_t bytes) {
  int64_t size = memory_private(run, object)->bytes;
  return offset >= 0 && offset <= size && bytes <= (uint64_t)(size - offset);
}

static void forget(Interp *run, ObjectState *state, Cause cause) {
  state->epoch = ++run->clock;
  state->cause = cause;
  state->source = run->inst;
}

void memory_forget(Interp *run, uint32_t object, Cause cause) {
  if (memory_is_private(run, object)) {
    forget(run, memory_private(run, object), cause);
    return;
  }
  for (uint32_t i = 0; i < run->outside.count; i++)
    if (run->outside.items[i].object == object) {
      forget(run, &run->outside.items[i], cause);
      return;
    }
  vec_push(run->arena, &run->outside, (ObjectState){.object = object});
  forget(run, &vec_last(&run->outside), cause);
}

// ---- escape
// Marks private objects that escaped cells of `page` point to; true if there was a new one.
static bool escape_through(Interp *run, const Page *page) {
  bool is_new = false;
  for (uint32_t i = 0; i < PAGE_CELLS; i++) {
    const Cell *cell = &page->cells[i];
    if (cell->kind != CELL_POINTER || !memory_is_private(run, cell->object)) continue;
    ObjectState *target = memory_private(run, cell->object);
    is_new = is_new || !target->is_escaped;
    target->is_escaped = true;
  }
  return is_new;
}

void memory_forget_escaped(Interp *run, Cause cause) {
  bool has_changed = true;
  while (has_changed) {
    has_changed = false;
    for (uint32_t i = 0; i < run->pages.count; i++) {
      const Page *page = run->pages.items[i];
      bool is_reachable =
          !memory_is_private(run, page->object) || memory_private(run, page->object)->is_escaped;
      if (is_reachable && escape_through(run, page)) has_changed = true;
    }
  }
  for (uint32_t i = 0; i < run->privates.count; i++)
    if (run->privates.items[i].is_escaped) forget(run, &run->privates.items[i], cause);
}

void memory_forget_reachable(Interp *run, Cause cause) {
  memory_forget_escaped(run, cause);
  forget(run, &run->everything_outside, cause);
}

void memory_forget_all(Interp *run, Cause cause) {
  for (uint32_t i = 0; i < run->privates.count; i++)
    run->privates.items[i].is_escaped = true;
  memory_forget_reachable(run, cause);
}

// ---- pages
static uint32_t page_hash(uint32_t object, int64_t index) {
  uint64_t mixed = ((uint64_t)index ^ ((uint64_t)object << 40)) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(mixed >> 32);
}

static Page *find_page(const Interp *run, uint32_t object, int64_t index) {
  TableLook look = table_look(&run->page_table, page_hash(object, index));
  ASSERT(run->page_table.count == run->pages.count);
  for (uint32_t number; (number = table_next(&look)) != 0;) {
    Page *page = run->pages.items[number - 1];
    if (page->object == object && page->index == index) return page;
  }
  return NULL;
}

static void fill_cells(const ObjectState *state, uint32_t count, Cell *out) {
  Cell lost = {.kind = CELL_UNKNOWN, .cause = state->cause, .object = state->source};
  for (uint32_t i = 0; i < count; i++)
    out[i] = state->epoch ? lost : (Cell){.kind = CELL_NONE};
}

// The page, made or brought up to date for writing.
static Page *open_page(Interp *run, uint32_t object, int64_t index) {
  const ObjectState *state = find_state(run, object);
  Page *page = find_page(run, object, index);
  if (!page) {
    page = arena_new(run->arena, Page);
    page->object = object;
    page->index = index;
    vec_push(run->arena, &run->pages, page);
    table_add(run->arena, &run->page_table, page_hash(object, index), run->pages.count);
    fill_cells(state, PAGE_CELLS, page->cells);
  } else if (page->epoch < state->epoch) {
    fill_cells(state, PAGE_CELLS, page->cells);
  }
  ASSERT(page->epoch <= run->clock && state->epoch <= run->clock); // clocks only go up
  page->epoch = run->clock;
  return page;
}

typedef struct Span {
  int64_t page;
  uint32_t first, count;
} Span;

// The first span of [offset, offset + bytes) that lies in one page; offsets wrap as addresses do.
static Span next_span(int64_t offset, uint32_t bytes) {
  int64_t page = offset >= 0 ? offset / PAGE_CELLS : -((-(offset + 1)) / PAGE_CELLS) - 1;
  uint32_t first = (uint32_t)((uint64_t)offset - (uint64_t)page * PAGE_CELLS);
  uint32_t room = PAGE_CELLS - first;
  return (Span){page, first, bytes < room ? bytes : room};
}

void memory_read(Interp *run, uint32_t object, int64_t offset, uint32_t bytes, Cell *out) {
  ASSERT(out);
  const ObjectState *state = find_state(run, object);
  while (bytes > 0) {
    Span span = next_span(offset, bytes);
    const Page *page = find_page(run, object, span.page);
    if (page && page->epoch >= state->epoch)
      memcpy(out, page->cells + span.first, span.count * sizeof *out);
    else
      fill_cells(state, span.count, out);
    out += span.count;
    bytes -= span.count;
    offset = (int64_t)((uint64_t)offset + span.count);
  }
}

void memory_write(Interp *run, uint32_t object, int64_t offset, uint32_t bytes, const Cell *cells) {
  ASSERT(cells);
  while (bytes > 0) {
    Span span = next_span(offset, bytes);
    memcpy(open_page(run, object, span.page)->cells + span.first, cells, span.count * sizeof *cells);
    cells += span.count;
    bytes -= span.count;
    offset = (int64_t)((uint64_t)offset + span.count);
  }
}

Cell *memory_buffer(Interp *run, uint32_t cells) {
  if (cells > run->buffer_size) {
    run->buffer_size = cells > run->buffer_size * 2 ? cells : run->buffer_size * 2;
    run->buffer = arena_array(run->arena, run->buffer_size, Cell);
  }
  return run->buffer;
}
