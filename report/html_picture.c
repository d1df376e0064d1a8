// What does a race look like? The grid with the two blocks, the blocks with the two threads, and arrows from
// both to the one cell of the object that they meet in; drawn from the witness, as SVG.
//
// A lattice shows two axes: those in which the two threads differ, else the longest. A block with one axis is
// wrapped, so that its rows are warps. What is too long is shown in part, with gaps: both ends, the two
// threads and what is next to them. All coordinates are whole numbers, so that equal witnesses give equal
// bytes. The picture says nothing that the text beside it does not say; a description for screen readers is
// part of it.
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"
#include "core/bug.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  PICTURE_WIDTH = 760,
  MARGIN = 20,
  AXIS_MAX = 32, // cells along one axis
  GRID_COLUMNS = 24,
  GRID_ROWS = 5,
  BLOCK_ROWS = 8,
  GAP = 14, // where something is left out
  LABEL_WIDTH = 50,
  WARP = 32
};

typedef struct Point {
  int x, y;
} Point;

// ---- one axis: which of its places are shown

typedef struct Axis {
  int64_t extent;
  uint32_t count;
  int64_t shown[AXIS_MAX]; // ascending
} Axis;

static void show_place(Axis *axis, int64_t place, uint32_t most) {
  if (place < 0 || place >= axis->extent || axis->count >= most) return;
  uint32_t at = axis->count;
  for (uint32_t i = 0; i < axis->count; i++)
    if (axis->shown[i] == place) return;
  while (at > 0 && axis->shown[at - 1] > place) {
    axis->shown[at] = axis->shown[at - 1];
    at--;
  }
  axis->shown[at] = place;
  axis->count++;
}

static Axis make_axis(int64_t extent, int64_t a, int64_t b, uint32_t most) {
  Axis axis = {.extent = extent > 0 ? extent : 1};
  const int64_t wanted[] = {a, b, 0, axis.extent - 1, a - 1, a + 1, b - 1, b + 1};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    show_place(&axis, wanted[i], most);
  for (int64_t place = 1; place < axis.extent && axis.count < most; place++)
    show_place(&axis, place, most);
  return axis;
}

static bool has_gap(const Axis *axis, uint32_t i) {
  return i > 0 && axis->shown[i] != axis->shown[i - 1] + 1;
}

// ---- a lattice

typedef struct Lattice {
  Axis columns, rows;
  int64_t filled;          // with wrapped rows: number of cells in all; 0: every cell is there
  int x, y, width, height; // of a cell, after the place of the lattice
  int pitch, row_pitch;
  const char *row_name; // "warp", "y" ...
} Lattice;

static int axis_position(const Axis *axis, uint32_t i, int pitch) {
  ASSERT(i < axis->count);
  int at = (int)i * pitch;
  for (uint32_t k = 0; k <= i; k++)
    at += has_gap(axis, k) ? GAP : 0;
  return at;
}

static int lattice_width(const Lattice *lattice) {
  return axis_position(&lattice->columns, lattice->columns.count - 1, lattice->pitch) + lattice->width;
}

static int lattice_height(const Lattice *lattice) {
  return axis_position(&lattice->rows, lattice->rows.count - 1, lattice->row_pitch) + lattice->height;
}

static Point lattice_center(const Lattice *lattice, int64_t column, int64_t row) {
  Point at = {lattice->x, lattice->y};
  for (uint32_t i = 0; i < lattice->columns.count; i++)
    if (lattice->columns.shown[i] == column)
      at.x += axis_position(&lattice->columns, i, lattice->pitch) + lattice->width / 2;
  for (uint32_t i = 0; i < lattice->rows.count; i++)
    if (lattice->rows.shown[i] == row)
      at.y += axis_position(&lattice->rows, i, lattice->row_pitch) + lattice->height / 2;
  return at;
}

static bool is_filled(const Lattice *lattice, uint32_t column, uint32_t row) {
  return !lattice->filled ||
         lattice->rows.shown[row] * WARP + lattice->columns.shown[column] < lattice->filled;
}

// A run of cells is one dashed line, which keeps large pages small.
static void put_row(const HtmlWriter *w, const Lattice *lattice, uint32_t row, int y) {
  strbuf_printf(w->out, "<path class=\"cells\" stroke-width=\"%d\" stroke-dasharray=\"%d %d\" d=\"",
                lattice->height, lattice->width, lattice->pitch - lattice->width);
  for (uint32_t first = 0, end; first < lattice->columns.count && is_filled(lattice, first, row);
       first = end) {
    end = first + 1;
    while (end < lattice->columns.count && !has_gap(&lattice->columns, end) && is_filled(lattice, end, row))
      end++;
    strbuf_printf(w->out, "M%d %d.5h%d", lattice->x + axis_position(&lattice->columns, first, lattice->pitch),
                  y + lattice->height / 2,
                  (int)(end - first) * lattice->pitch - (lattice->pitch - lattice->width));
  }
  strbuf_add(w->out, "\"/>\n");
}

static void put_lattice(const HtmlWriter *w, const Lattice *lattice) {
  for (uint32_t r = 0; r < lattice->rows.count; r++) {
    int y = lattice->y + axis_position(&lattice->rows, r, lattice->row_pitch);
    if (lattice->rows.extent > 1)
      strbuf_printf(w->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s %" PRId64 "</text>",
                    lattice->x - 12, y + lattice->height / 2 + 4, lattice->row_name, lattice->rows.shown[r]);
    put_row(w, lattice, r, y);
  }
  for (uint32_t c = 1; c < lattice->columns.count; c++)
    if (has_gap(&lattice->columns, c))
      strbuf_printf(w->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">\xe2\x80\xa6</text>",
                    lattice->x + axis_position(&lattice->columns, c, lattice->pitch) - GAP / 2 - 1,
                    lattice->y + lattice->height / 2 + 3);
  for (uint32_t r = 1; r < lattice->rows.count; r++)
    if (has_gap(&lattice->rows, r))
      strbuf_printf(w->out, "<text x=\"%d\" y=\"%d\">\xe2\x8b\xae</text>", lattice->x,
                    lattice->y + axis_position(&lattice->rows, r, lattice->row_pitch) - GAP / 2 + 3);
}

static void put_dot(const HtmlWriter *w, Point at, int who, int radius) {
  strbuf_printf(w->out,
                "<circle class=\"%c\" cx=\"%d\" cy=\"%d\" r=\"%d\"/><text class=\"on\" x=\"%d\" y=\"%d\" "
                "text-anchor=\"middle\">%c</text>\n",
                'a' + who, at.x, at.y, radius, at.x, at.y + 4, 'A' + who);
}

static void put_label(const HtmlWriter *w, Point at, const char *class, const char *text) {
  strbuf_printf(w->out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, at.x, at.y);
  html_text(w, text);
  strbuf_add(w->out, "</text>\n");
}

// ---- choosing axes

typedef struct Choice {
  int column, row; // axes 0..2
} Choice;

static int axis_rank(const int64_t extent[3], const int64_t a[3], const int64_t b[3], int axis) {
  return (a[axis] != b[axis] ? 2 : 0) + (extent[axis] > 1 ? 1 : 0);
}

static Choice choose_axes(const int64_t extent[3], const int64_t a[3], const int64_t b[3]) {
  int order[3] = {0, 1, 2};
  for (int i = 0; i < 2; i++) // a stable sort of three
    for (int k = 0; k < 2 - i; k++)
      if (axis_rank(extent, a, b, order[k]) < axis_rank(extent, a, b, order[k + 1])) {
        int swap = order[k];
        order[k] = order[k + 1];
        order[k + 1] = swap;
      }
  Choice choice = {order[0], order[1]};
  if (choice.column > choice.row) choice = (Choice){order[1], order[0]};
  return choice;
}

// The one axis that is longer than 1, or -1 if there are several.
static int single_axis(const int64_t extent[3]) {
  int single = 0, count = 0;
  for (int axis = 0; axis < 3; axis++)
    if (extent[axis] > 1) single = axis, count++;
  return count <= 1 ? single : -1;
}

// ---- the scene

static const char *const AXIS_NAMES[] = {"x", "y", "z"};

typedef struct Scene {
  const HtmlWriter *w;
  const Finding *finding;
  bool one_block;
  Lattice grid, blocks[2]; // with one block, only the first
  Point threads[2];
  int bottom;
} Scene;

static const Witness *witness_of(const Scene *scene) {
  return &scene->finding->witness;
}

static Lattice make_grid(const Witness *witness) {
  const int64_t *a = witness->threads[0].block_idx, *b = witness->threads[1].block_idx;
  Choice choice = choose_axes(witness->grid_dim, a, b);
  Lattice grid = {
      .width = 17, .height = 17, .pitch = 20, .row_pitch = 20, .x = MARGIN + LABEL_WIDTH, .y = 38};
  grid.columns =
      make_axis(witness->grid_dim[choice.column], a[choice.column], b[choice.column], GRID_COLUMNS);
  grid.rows = make_axis(witness->grid_dim[choice.row], a[choice.row], b[choice.row], GRID_ROWS);
  grid.row_name = AXIS_NAMES[choice.row];
  return grid;
}

static Point grid_point(const Scene *scene, int who) {
  const Witness *witness = witness_of(scene);
  const int64_t *a = witness->threads[0].block_idx, *b = witness->threads[1].block_idx;
  Choice choice = choose_axes(witness->grid_dim, a, b);
  const int64_t *mine = who == 0 ? a : b;
  return lattice_center(&scene->grid, mine[choice.column], mine[choice.row]);
}

// Thread `b` is `a` once more when the block holds only one of the two.
static Lattice make_block(const Witness *witness, const int64_t a[3], const int64_t b[3], Point places[2]) {
  int single = single_axis(witness->block_dim);
  Lattice block = {.height = 15, .row_pitch = 18};
  int64_t at[2][2];
  if (single >= 0) {
    block.filled = witness->block_dim[single];
    int64_t lanes = block.filled < WARP ? block.filled : WARP;
    for (int k = 0; k < 2; k++) {
      int64_t id = k == 0 ? a[single] : b[single];
      at[k][0] = id % WARP, at[k][1] = id / WARP;
    }
    block.columns = make_axis(lanes, at[0][0], at[1][0], AXIS_MAX);
    block.rows = make_axis((block.filled + WARP - 1) / WARP, at[0][1], at[1][1], BLOCK_ROWS);
    block.row_name = "warp";
  } else {
    Choice choice = choose_axes(witness->block_dim, a, b);
    for (int k = 0; k < 2; k++) {
      at[k][0] = (k == 0 ? a : b)[choice.column];
      at[k][1] = (k == 0 ? a : b)[choice.row];
    }
    block.columns = make_axis(witness->block_dim[choice.column], at[0][0], at[1][0], AXIS_MAX);
    block.rows = make_axis(witness->block_dim[choice.row], at[0][1], at[1][1], BLOCK_ROWS);
    block.row_name = AXIS_NAMES[choice.row];
  }
  for (int k = 0; k < 2; k++)
    places[k] = (Point){(int)at[k][0], (int)at[k][1]};
  return block;
}

static int max_int(int a, int b) {
  return a > b ? a : b;
}

static void place_blocks(Scene *scene) {
  const Witness *witness = witness_of(scene);
  const int64_t *a = witness->threads[0].thread_idx, *b = witness->threads[1].thread_idx;
  int top = scene->grid.y + lattice_height(&scene->grid) + 62;
  Point at[2];
  for (int k = 0; k < (scene->one_block ? 1 : 2); k++) {
    const int64_t *mine = k == 0 ? a : b;
    Lattice *block = &scene->blocks[k];
    *block = make_block(witness, mine, scene->one_block ? b : mine, at);
    bool is_roomy = scene->one_block || block->columns.count <= WARP / 2;
    block->width = is_roomy ? 15 : 7, block->pitch = is_roomy ? 18 : 9;
    block->y = top;
    block->x = MARGIN + LABEL_WIDTH + k * (PICTURE_WIDTH / 2 - 2);
    scene->threads[k] = lattice_center(block, at[0].x, at[0].y);
    if (scene->one_block) scene->threads[1] = lattice_center(block, at[1].x, at[1].y);
    scene->bottom = max_int(scene->bottom, top + lattice_height(block));
  }
}

// ---- drawing

static void put_zoom(const Scene *scene, int who) {
  const Lattice *block = &scene->blocks[who];
  Point from = grid_point(scene, who);
  int right = block->x + lattice_width(block), half = scene->grid.width / 2, y = from.y + half;
  strbuf_printf(scene->w->out, "<path class=\"zoom\" d=\"M%d %dL%d %dM%d %dL%d %d\"/>\n", from.x - half, y,
                block->x, block->y - 22, from.x + half, y, right, block->y - 22);
}

static void put_blocks(const Scene *scene) {
  const HtmlWriter *w = scene->w;
  const Witness *witness = witness_of(scene);
  for (int k = 0; k < (scene->one_block ? 1 : 2); k++) {
    const Lattice *block = &scene->blocks[k];
    put_lattice(w, block);
    put_label(w, (Point){block->x, block->y - 8}, "name",
              arena_printf(w->arena, "block %s", triple_text(w->arena, witness->threads[k].block_idx)));
  }
}

static void put_threads(const Scene *scene) {
  for (int k = 0; k < 2; k++)
    put_dot(scene->w, scene->threads[k], k, 8);
}

static void put_grid(const Scene *scene) {
  const HtmlWriter *w = scene->w;
  put_lattice(w, &scene->grid);
  put_label(w, (Point){scene->grid.x, scene->grid.y - 12}, "name",
            arena_printf(w->arena, "grid %s", triple_text(w->arena, witness_of(scene)->grid_dim)));
  Point a = grid_point(scene, 0), b = grid_point(scene, 1);
  if (scene->one_block) {
    int half = scene->grid.width / 2;
    strbuf_printf(w->out,
                  "<path class=\"a\" d=\"M%d %dh%dv%dh-%dz\"/><path class=\"b\" d=\"M%d %dh%dv%dh-%dz\"/>\n",
                  a.x - half, a.y - half, half, 2 * half, half, a.x, a.y - half, half, 2 * half, half);
    return;
  }
  put_dot(w, a, 0, 9);
  put_dot(w, b, 1, 9);
}

static void put_arrow(const HtmlWriter *w, Point from, Point to, int who) {
  int bend = (to.y - from.y) / 2;
  strbuf_printf(
      w->out,
      "<path class=\"to %c\" d=\"M%d %dC%d %d %d %d %d %d\"/><path class=\"%c\" d=\"M%d %dl-5 -9h10z\"/>\n",
      'a' + who, from.x, from.y + 8, from.x, from.y + 8 + bend, to.x, to.y - bend, to.x, to.y - 8, 'a' + who,
      to.x, to.y);
}

// "partial[32]": the number in the last brackets.
static bool read_index(const char *address, int64_t *index) {
  const char *open = address ? strrchr(address, '[') : NULL;
  char *end;
  if (!open || open[1] == ']') return false;
  *index = strtoll(open + 1, &end, 10);
  return end != open + 1 && strcmp(end, "]") == 0;
}

enum { STRIP_CELLS = 9, STRIP_CELL_WIDTH = 64, STRIP_CELL_HEIGHT = 32 };

static void put_strip_cell(const HtmlWriter *w, Point at, int64_t index, bool is_shared) {
  strbuf_printf(w->out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\"/>",
                is_shared ? "clash" : "cell", at.x, at.y, STRIP_CELL_WIDTH - 4, STRIP_CELL_HEIGHT);
  strbuf_printf(w->out, "<text%s x=\"%d\" y=\"%d\" text-anchor=\"middle\">%" PRId64 "</text>\n",
                is_shared ? " class=\"on\"" : "", at.x + STRIP_CELL_WIDTH / 2 - 2, at.y + 21, index);
}

// The cells of the object around the one that both threads access; returns the height of the picture.
static int put_object(const Scene *scene) {
  const HtmlWriter *w = scene->w;
  const Finding *finding = scene->finding;
  int64_t index = finding->witness.offset;
  bool is_index = read_index(finding->witness.address, &index);
  int64_t first = index > STRIP_CELLS / 2 ? index - STRIP_CELLS / 2 : 0;
  int x = (PICTURE_WIDTH - STRIP_CELLS * STRIP_CELL_WIDTH) / 2, y = scene->bottom + 96;
  int shared = x + (int)(index - first) * STRIP_CELL_WIDTH + STRIP_CELL_WIDTH / 2 - 2;
  for (int i = 0; i < STRIP_CELLS; i++)
    put_strip_cell(w, (Point){x + i * STRIP_CELL_WIDTH, y}, first + i, first + i == index);
  put_arrow(w, scene->threads[0], (Point){shared - 12, y - 2}, 0);
  put_arrow(w, scene->threads[1], (Point){shared + 12, y - 2}, 1);
  strbuf_printf(w->out, "<rect class=\"ring\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>\n",
                shared - STRIP_CELL_WIDTH / 2 - 1, y - 3, STRIP_CELL_WIDTH + 2, STRIP_CELL_HEIGHT + 6);
  put_label(w, (Point){x, y + STRIP_CELL_HEIGHT + 20}, "name", finding->object ? finding->object : "");
  const char *unit = is_index ? "elements" : "bytes";
  put_label(w, (Point){x + STRIP_CELLS * STRIP_CELL_WIDTH - 60, y + STRIP_CELL_HEIGHT + 20}, "", unit);
  return y + STRIP_CELL_HEIGHT + 34;
}

// A barrier that one of the two goes round.
static int put_barrier(const Scene *scene) {
  const HtmlWriter *w = scene->w;
  int y = scene->bottom + 96, middle = PICTURE_WIDTH / 2;
  strbuf_printf(w->out, "<rect class=\"clash\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"10\" rx=\"3\"/>\n",
                middle - 200, y, 260);
  put_arrow(w, scene->threads[0], (Point){middle - 80, y - 2}, 0);
  put_arrow(w, scene->threads[1], (Point){middle + 130, y + 46}, 1);
  put_label(w, (Point){middle - 200, y + 30}, "name", "the barrier: A waits here");
  put_label(w, (Point){middle + 145, y + 42}, "name", "B goes another way");
  return y + 62;
}

static void put_description(const Scene *scene, uint32_t number) {
  const HtmlWriter *w = scene->w;
  const Witness *witness = witness_of(scene);
  strbuf_printf(w->out, "<title id=\"picture-%" PRIu32 "\">", number);
  for (int k = 0; k < 2; k++)
    html_text(w, arena_printf(w->arena, "Thread %c is thread %s of block %s. ", 'A' + k,
                              triple_text(w->arena, witness->threads[k].thread_idx),
                              triple_text(w->arena, witness->threads[k].block_idx)));
  if (scene->finding->rule == RULE_BARRIER_DIVERGENCE)
    html_text(w, "A waits at the barrier, B goes another way.");
  else
    html_text(
        w, arena_printf(w->arena, "Both access %s.", witness->address ? witness->address : "the same byte"));
  strbuf_add(w->out, "</title>\n");
}

static void put_caption(const Scene *scene) {
  const HtmlWriter *w = scene->w;
  const Witness *witness = witness_of(scene);
  strbuf_add(w->out, "<figcaption>");
  for (int k = 0; k < 2; k++) {
    const WitnessThread *thread = &witness->threads[k];
    strbuf_printf(w->out, "<span class=\"who %c\">%c</span>", 'a' + k, 'A' + k);
    html_text(w, arena_printf(w->arena, "thread %s of block %s, lane %" PRId64 " of warp %" PRId64 ". ",
                              triple_text(w->arena, thread->thread_idx),
                              triple_text(w->arena, thread->block_idx), thread->lane, thread->warp));
  }
  if (single_axis(witness->block_dim) >= 0) strbuf_add(w->out, "Rows of a block are its warps.");
  strbuf_add(w->out, "</figcaption>\n");
}

static bool is_inside(const int64_t extent[3], const int64_t at[3]) {
  for (int axis = 0; axis < 3; axis++)
    if (at[axis] < 0 || at[axis] >= extent[axis] || extent[axis] > INT32_MAX) return false;
  return true;
}

// A witness made by our own interpreter is inside its grid; one that is not has no picture.
static bool can_be_drawn(const Finding *finding) {
  const Witness *witness = &finding->witness;
  if (!has_witness(finding)) return false;
  for (int k = 0; k < 2; k++)
    if (!is_inside(witness->grid_dim, witness->threads[k].block_idx) ||
        !is_inside(witness->block_dim, witness->threads[k].thread_idx))
      return false;
  return true;
}

void html_put_picture(const HtmlWriter *w, const ReportGroup *group, uint32_t number) {
  ASSERT(group);
  const Finding *finding = &group->finding;
  const Witness *witness = &finding->witness;
  if (!can_be_drawn(finding)) return;
  Scene scene = {.w = w, .finding = finding};
  scene.one_block = memcmp(witness->threads[0].block_idx, witness->threads[1].block_idx,
                           sizeof witness->threads[0].block_idx) == 0;
  scene.grid = make_grid(witness);
  place_blocks(&scene);
  // The height is known when all is drawn, and stands in front of it.
  StrBuf drawn = {.arena = w->arena};
  HtmlWriter inner = *w;
  inner.out = &drawn;
  scene.w = &inner;
  put_description(&scene, number);
  for (int k = 0; k < (scene.one_block ? 1 : 2); k++)
    put_zoom(&scene, k);
  put_grid(&scene);
  put_blocks(&scene);
  bool is_barrier = finding->rule == RULE_BARRIER_DIVERGENCE;
  int height = is_barrier ? put_barrier(&scene) : put_object(&scene);
  put_threads(&scene);
  strbuf_printf(w->out,
                "<figure><svg role=\"img\" aria-labelledby=\"picture-%" PRIu32
                "\" viewBox=\"0 0 %d %d\" width=\"%d\">\n",
                number, PICTURE_WIDTH, height, PICTURE_WIDTH);
  strbuf_add(w->out, strbuf_text(&drawn));
  strbuf_add(w->out, "</svg>\n");
  scene.w = w;
  put_caption(&scene);
  strbuf_add(w->out, "</figure>\n");
}
