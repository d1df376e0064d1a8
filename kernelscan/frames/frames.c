// Which thread is looked at, and in which iterations of the loops? Method: a view is a thread with its numbers
// and an identity that only the constructors here give; a frame is a view at one place, with the iteration of
// each loop that is said for it (0: the thread's own, whichever that is). Soundness: two views are one thread
// only if they were made to be; nothing is evaluated here.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/frames.h"
#include "kernelscan/graph.h"
#include "kernelscan/kernel.h"

// What is kept of a scan.
typedef struct Kept {
  const View *anyone;                   // view_anyone; NULL until asked
  const View *of_ranges;                // view_of_ranges; likewise
  uint32_t company_count, thread_count; // identities given beyond those of questions (View)
  // By extent and owner (view_make): numbers of the thread and of its block, and the lane
  // that is elected; 0: not asked.
  ExprRef symbols[EXTENT_COUNT][4][7];
} Kept;

static Kept *kept_of(Scan *scan) {
  return SCAN_STATE_OF(scan, frames, Kept);
}

// ---- views
static ExprRef index_symbol(Scan *scan, ExprSymKind kind, int axis, ExprOwner owner, ExprRef dim) {
  static const char *const names[2][3] = {{"threadIdx.x", "threadIdx.y", "threadIdx.z"},
                                          {"blockIdx.x", "blockIdx.y", "blockIdx.z"}};
  int64_t lo = 0, hi = 0;
  expr_range(scan->pool, dim, &lo, &hi);
  if (hi == 1) return expr_const(scan->pool, 32, 0);
  ExprSym sym = {.name = names[kind == SYM_BLOCK_IDX][axis],
                 .width = 32,
                 .owner = (uint8_t)owner,
                 .kind = (uint8_t)kind,
                 .axis = (uint8_t)axis};
  int64_t most = kind == SYM_THREAD_IDX ? (axis == 2 ? 63 : 1023) : axis == 0 ? INT32_MAX - 1 : 65534;
  sym.hi = hi > 0 && hi - 1 < most ? hi - 1 : most;
  return expr_new_sym(scan->pool, sym);
}

static ExprRef sum(Scan *scan, ExprRef a, ExprRef b) {
  return expr_binary(scan->pool, EXPR_ADD, EXPR_NSW, a, b);
}

static ExprRef product(Scan *scan, ExprRef a, ExprRef b) {
  return expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, a, b);
}

ExprRef view_elected(Scan *scan, uint8_t owner) {
  ASSERT(owner == OWNER_THREAD1 || owner == OWNER_THREAD2);
  return expr_new_sym(
      scan->pool,
      (ExprSym){.name = "elected lane", .width = 32, .owner = owner, .kind = SYM_UNKNOWN, .lo = 0, .hi = 31});
}

void view_number(Scan *scan, View *view) {
  ASSERT(scan_has_word(scan, view->thread_idx[0], 32) && scan_has_word(scan, view->block_idx[0], 32));
  const LaunchContext *launch = scan->launch;
  ExprRef rows = sum(scan, view->thread_idx[1], product(scan, launch->block[1], view->thread_idx[2]));
  view->linear = sum(scan, view->thread_idx[0], product(scan, launch->block[0], rows));
  ExprRef warp_size = expr_const(scan->pool, 32, 32);
  view->warp = expr_binary(scan->pool, EXPR_SDIV, 0, view->linear, warp_size);
  view->lane = expr_binary(scan->pool, EXPR_SREM, 0, view->linear, warp_size);
}

// All views of one extent and owner are one thread: values without a form are kept by both (leaves.c), and
// what is known of them speaks of its numbers.
static ExprRef view_symbol(Scan *scan, Extent extent, ExprSymKind kind, int axis, ExprOwner owner,
                           ExprRef dim) {
  ExprRef *known = &kept_of(scan)->symbols[extent][owner][axis + (kind == SYM_BLOCK_IDX ? 3 : 0)];
  if (!*known) *known = index_symbol(scan, kind, axis, owner, dim);
  return *known;
}

// Nothing is known of it but that lanes of one warp have the same (goal_add_extent).
static ExprRef elected_lane(Scan *scan, Extent extent, uint8_t owner) {
  ExprRef *known = &kept_of(scan)->symbols[extent][owner][6];
  if (!*known && scan_text(scan)->has_elected) *known = view_elected(scan, owner);
  return *known;
}

View *view_make(Scan *scan, Extent extent, uint8_t owner, ExprRef shared_block_idx[3]) {
  BUG_UNLESS(extent < EXTENT_COUNT && owner != OWNER_UNIFORM);
  View *view = arena_new(scan->arena, View);
  view->extent = extent;
  view->company = extent;
  view->thread = view->owner = owner;
  const LaunchContext *launch = scan->launch;
  for (int axis = 0; axis < 3; axis++) {
    view->thread_idx[axis] =
        view_symbol(scan, extent, SYM_THREAD_IDX, axis, (ExprOwner)owner, launch->block[axis]);
    bool is_shared = !extent_is_between_blocks(extent);
    if (is_shared && shared_block_idx[axis]) {
      view->block_idx[axis] = shared_block_idx[axis];
      continue;
    }
    view->block_idx[axis] = view_symbol(scan, extent, SYM_BLOCK_IDX, axis,
                                        is_shared ? OWNER_UNIFORM : (ExprOwner)owner, launch->grid[axis]);
    if (is_shared) shared_block_idx[axis] = view->block_idx[axis];
  }
  view_number(scan, view);
  view->elected = elected_lane(scan, extent, owner);
  return view;
}

// Numbers from here on name no thread of a question, and nothing else that leaves.c puts in their place.
enum { FIRST_COMPANY = EXTENT_COUNT, FIRST_THREAD = 8 };

static View *fresh_thread(Scan *scan, uint32_t company, uint8_t owner, const ExprRef block_idx[3]) {
  View *view = arena_new(scan->arena, View);
  view->extent = EXTENT_NONE;
  view->company = company;
  view->thread = FIRST_THREAD + kept_of(scan)->thread_count++;
  view->owner = owner;
  for (int axis = 0; axis < 3; axis++) {
    view->thread_idx[axis] =
        index_symbol(scan, SYM_THREAD_IDX, axis, (ExprOwner)owner, scan->launch->block[axis]);
    view->block_idx[axis] =
        block_idx ? block_idx[axis]
                  : index_symbol(scan, SYM_BLOCK_IDX, axis, OWNER_UNIFORM, scan->launch->grid[axis]);
  }
  view_number(scan, view);
  view->elected = scan_text(scan)->has_elected ? view_elected(scan, owner) : 0;
  return view;
}

View *view_fresh(Scan *scan, const ExprRef block_idx[3]) {
  ASSERT(!block_idx || (scan_has_word(scan, block_idx[0], 32) && scan_has_word(scan, block_idx[1], 32) &&
                        scan_has_word(scan, block_idx[2], 32)));
  return fresh_thread(scan, FIRST_COMPANY + kept_of(scan)->company_count++, OWNER_THREAD1, block_idx);
}

const View *view_anyone(Scan *scan) {
  Kept *kept = kept_of(scan);
  if (!kept->anyone) kept->anyone = view_fresh(scan, NULL);
  ASSERT(view_is_made(kept->anyone) && kept->anyone->extent == EXTENT_NONE);
  return kept->anyone;
}

const View *view_of_ranges(Scan *scan) {
  Kept *kept = kept_of(scan);
  ASSERT(!kept->of_ranges || kept->of_ranges->is_of_ranges);
  if (kept->of_ranges) return kept->of_ranges;
  View *view = view_fresh(scan, NULL);
  view->is_of_ranges = true;
  return kept->of_ranges = view;
}

View *view_beside(Scan *scan, const View *one) {
  ASSERT(view_is_made(one));
  BUG_UNLESS(!extent_is_between_blocks(one->extent));
  return fresh_thread(scan, one->company, OWNER_THREAD2, one->block_idx);
}

View *view_like(Scan *scan, const View *other) {
  ASSERT(view_is_made(other));
  View *view = arena_new(scan->arena, View);
  *view = *other;
  view->thread = FIRST_THREAD + kept_of(scan)->thread_count++;
  return view;
}

// ---- frames
Frame *frame_make(Scan *scan, const View *view, const ExprRef *iteration, const ExprRef *before) {
  ASSERT(view_is_made(view));
  Frame *frame = arena_new(scan->arena, Frame);
  uint32_t loops = scan->cfg->loops.count;
  frame->scan = scan;
  frame->view = view;
  frame->iteration = arena_array(scan->arena, loops + 1, ExprRef);
  frame->before = arena_array(scan->arena, loops + 1, ExprRef);
  frame->progress = arena_array(scan->arena, loops + 1, ExprRef);
  for (uint32_t l = 0; l < loops; l++) {
    frame->iteration[l] = iteration ? iteration[l] : 0;
    frame->before[l] = before ? before[l] : 0;
  }
  frame->pages = arena_array(scan->arena, scan->fn->insts.count / FRAME_PAGE + 1u, FramePage *);
  return frame;
}

FramePage *frame_page(Frame *frame, uint32_t inst) {
  ASSERT(scan_has_inst(frame->scan, inst));
  FramePage **page = &frame->pages[inst / FRAME_PAGE];
  if (!*page) *page = arena_new(frame->scan->arena, FramePage);
  return *page;
}

SymValue *frame_known(Frame *frame, uint32_t inst) {
  return &frame_page(frame, inst)->values[inst % FRAME_PAGE];
}

bool frame_is_block_idx(const Frame *frame, uint32_t sym) {
  ASSERT(frame->view);
  for (int axis = 0; axis < 3; axis++) {
    const ExprNode *node = expr_node(frame->scan->pool, frame->view->block_idx[axis]);
    if (node->op == EXPR_SYM && node->value == (int64_t)sym) return true;
  }
  return false;
}

Frame *frame_like(const Frame *frame, const ExprRef *iteration, const ExprRef *before) {
  ASSERT(frame->view);
  Frame *made = frame_make(frame->scan, frame->view, iteration, before);
  made->is_entered_only = frame->is_entered_only;
  made->is_around = frame->is_around;
  made->graph = frame->graph;
  made->phase = frame->phase;
  made->rounds_since = frame->rounds_since;
  made->round_loop = frame->round_loop;
  return made;
}

typedef struct OneInBlock {
  const Frame *frame;
  bool holds;
} OneInBlock;

static void visit_for_block(void *context, uint32_t sym) {
  OneInBlock *search = context;
  const ExprSym *info = expr_sym_info(search->frame->scan->pool, sym);
  if (info->owner == OWNER_UNIFORM && info->kind != SYM_ITERATION) return;
  search->holds &= frame_is_block_idx(search->frame, sym);
}

bool frame_is_of_block(const Frame *frame, ExprRef value) {
  ASSERT(frame->view);
  ASSERT(scan_has_expr(frame->scan, value));
  OneInBlock search = {frame, true};
  expr_each_sym(frame->scan->pool, value, visit_for_block, &search);
  return search.holds;
}

bool frame_is_gone_round(const Frame *frame, uint32_t loop) {
  ASSERT(frame->view);
  ASSERT(scan_has_loop(frame->scan, loop));
  return frame->rounds_since && frame->round_loop == loop;
}

// All rounds of a loop that does not hold the point came after it, and so did all but the first of one that
// is gone round behind it; so an inner loop that cannot be gone round without passing a point was in its
// first iteration in each of them.
static bool stays_in_first(const Frame *frame, uint32_t loop, uint32_t inner) {
  return frame->is_entered_only && frame->is_entered_only[inner] &&
         (!frame->is_around[loop] || frame_is_gone_round(frame, loop));
}

Frame *frame_of_round(Frame *frame, uint32_t loop, ExprRef round) {
  ASSERT(frame->view);
  BUG_UNLESS(loop < frame->scan->cfg->loops.count && expr_width(frame->scan->pool, round) == 32);
  Scan *scan = frame->scan;
  uint32_t loops = scan->cfg->loops.count;
  Frame *made = frame_like(frame, frame->iteration, frame->before);
  for (uint32_t l = 0; l < loops; l++) {
    if (!cfg_loop_contains(scan->cfg, loop, scan->cfg->loops.items[l].header)) continue;
    made->iteration[l] = l == loop                        ? round
                         : stays_in_first(frame, loop, l) ? expr_const(scan->pool, 32, 0)
                                                          : 0;
    made->before[l] = 0;
  }
  made->is_shifted = true;
  return made;
}

// Points stand in the loop, and the thread went round it without passing one.
bool frame_goes_by_points(const Frame *frame, uint32_t loop) {
  ASSERT(frame->view);
  ASSERT(scan_has_loop(frame->scan, loop));
  const Scan *scan = frame->scan;
  if (!frame->graph || (frame->is_around[loop] && !frame_is_gone_round(frame, loop))) return false;
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (point_orders(&scan->points.items[p], frame->graph->couple) &&
        cfg_loop_contains(scan->cfg, loop, scan->points.items[p].block))
      return true;
  return false;
}
