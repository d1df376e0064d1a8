// When does each thread of a witness make its access? Two lanes of time with barriers across, as SVG.
//
// Time goes down, each thread is a lane. A barrier that holds both threads is a line across both lanes; one
// that waits only for others of the thread's own warp or block is a dashed line in its lane. Two accesses that
// race stand between the same two lines; of a copy that goes on beyond a line, the lane says how far. All
// coordinates are whole numbers, so that equal witnesses give equal bytes.
//
// Soundness: no effect on verdicts. Shown is what was seen when both threads were run with the witness's
// values, or what holds on all of their ways; where neither is known, there is no picture.
// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

enum {
  WIDTH = 760,
  LEFT = 20,
  FIRST = 206, // left end of the first lane
  LANE = 262,
  APART = 8, // between the lanes
  HEAD = 44,
  ROW = 76, // from one line across to the next, without barriers of a thread's own
  OWN = 30, // more for each of those
  BOX = 30
};

typedef struct Lanes {
  const HtmlWriter *w;
  const Finding *finding;
  uint32_t row[2]; // in which the access of each stands
  uint32_t rows;   // 2: one of the two goes on from the first row into the second one
  int y;
} Lanes;

static const WitnessInterval *interval_of(const Lanes *lanes, int thread) {
  return &lanes->finding->witness.threads[thread].interval;
}

static int lane_x(int thread) {
  return FIRST + thread * (LANE + APART);
}

static void put_text(const Lanes *lanes, int x, int y, const char *class, const char *text) {
  strbuf_printf(lanes->w->out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
  markup_text(lanes->w->out, text, lanes->w->arena);
  strbuf_add(lanes->w->out, "</text>\n");
}

static void put_line(const Lanes *lanes, int x, int width, const char *class) {
  strbuf_printf(lanes->w->out, "<path class=\"%s\" d=\"M%d %d.5h%d\"/>\n", class, x, lanes->y, width);
}

// ---- lines across

typedef struct Border {
  const WitnessBarrier *barrier; // NULL: it is none
  const char *text;
} Border;

static Border border_of(const Lanes *lanes, const WitnessBarrier *barrier, const char *otherwise) {
  const char *text = barrier ? barrier_text(lanes->w->arena, lanes->finding, barrier) : otherwise;
  return (Border){barrier, text};
}

static Border border_above(const Lanes *lanes, int thread) {
  return border_of(lanes, interval_common_before(interval_of(lanes, thread)), "the kernel's start");
}

static Border border_below(const Lanes *lanes, int thread) {
  const WitnessInterval *interval = interval_of(lanes, thread);
  return border_of(lanes, interval_common_after(interval),
                   interval->is_whole ? "the kernel's end" : "not followed further");
}

// Behind the access of a thread that goes on: the first line, which stands for all of them.
static Border border_between(const Lanes *lanes, int thread) {
  Border border = border_below(lanes, thread);
  uint32_t more = interval_of(lanes, thread)->going_on - 1;
  if (more) border.text = arena_printf(lanes->w->arena, "%s, %" PRIu32 " more", border.text, more);
  return border;
}

static void put_border(const Lanes *lanes, Border a, Border b) {
  const Border *both[] = {&a, &b};
  bool is_one = strcmp(a.text, b.text) == 0;
  for (int t = 0; t < (is_one ? 1 : 2); t++)
    put_line(lanes, lane_x(t), is_one ? 2 * LANE + APART : LANE, both[t]->barrier ? "bar" : "edge");
  put_text(lanes, LEFT, lanes->y + 4, a.barrier ? "name" : "", a.text);
  if (!is_one) put_text(lanes, lane_x(1) + 8, lanes->y - 5, b.barrier ? "name" : "", b.text);
}

// ---- what stands between

static void put_own(Lanes *lanes, const WitnessBarrier *const own[2]) {
  if (!own[0] && !own[1]) return;
  lanes->y += OWN;
  for (int t = 0; t < 2; t++) {
    if (!own[t]) continue;
    put_line(lanes, lane_x(t) + 14, LANE - 28, "own");
    put_text(lanes, lane_x(t) + 16, lanes->y - 5, "", barrier_text(lanes->w->arena, lanes->finding, own[t]));
  }
}

static void put_access(const Lanes *lanes, int thread) {
  const HtmlWriter *w = lanes->w;
  const FindingAccess *access = &lanes->finding->accesses[thread];
  const char *line = report_line_in(&lanes->finding->accesses[0].loc, &access->loc, w->arena);
  int x = lane_x(thread) + 20;
  strbuf_printf(w->out, "<rect class=\"box %c\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>\n",
                'a' + thread, x, lanes->y - BOX / 2, LANE - 40, BOX);
  strbuf_printf(w->out,
                "<circle class=\"%c\" cx=\"%d\" cy=\"%d\" r=\"8\"/><text class=\"on\" x=\"%d\" y=\"%d\" "
                "text-anchor=\"middle\">%c</text>\n",
                'a' + thread, x + 18, lanes->y, x + 18, lanes->y + 4, 'A' + thread);
  put_text(
      lanes, x + 34, lanes->y + 4, "name",
      arena_printf(w->arena, "%s, %s%s", access_word(access->kind), strchr(line, ':') ? "" : "line ", line));
}

// From the access in the first row to where the other one meets it.
static void put_going_on(const Lanes *lanes, int thread) {
  int x = lane_x(thread) + 38;
  strbuf_printf(lanes->w->out, "<path class=\"to %c\" d=\"M%d %dV%d\"/>\n", 'a' + thread, x,
                lanes->y - ROW + BOX / 2, lanes->y + BOX / 2);
  put_text(lanes, x + 16, lanes->y + 4, "", "still goes on");
}

static void put_row(Lanes *lanes, uint32_t row) {
  const WitnessBarrier *before[2] = {NULL, NULL}, *after[2] = {NULL, NULL};
  for (int t = 0; t < 2; t++) {
    bool is_alone = lanes->rows > 1; // the other one's barriers of its own are not known here
    before[t] = is_alone ? NULL : interval_own_before(interval_of(lanes, t));
    after[t] = is_alone ? NULL : interval_own_after(interval_of(lanes, t));
  }
  put_own(lanes, before);
  lanes->y += ROW / 2;
  for (int t = 0; t < 2; t++)
    if (row == lanes->row[t])
      put_access(lanes, t);
    else if (row > lanes->row[t])
      put_going_on(lanes, t);
  if (after[0] || after[1]) lanes->y += OWN / 3;
  put_own(lanes, after);
  lanes->y += ROW / 2;
}

static void put_lanes(Lanes *lanes) {
  bool is_plain = lanes->rows == 1;
  int early = lanes->row[0] == 0 ? 0 : 1, late = 1 - early;
  put_border(lanes, border_above(lanes, is_plain ? 0 : early), border_above(lanes, is_plain ? 1 : early));
  put_row(lanes, 0);
  if (!is_plain) {
    Border between = border_between(lanes, early);
    put_border(lanes, between, between);
    put_row(lanes, 1);
  }
  put_border(lanes, border_below(lanes, is_plain ? 0 : late), border_below(lanes, is_plain ? 1 : late));
}

static void put_heads(const Lanes *lanes) {
  Arena *arena = lanes->w->arena;
  put_text(lanes, LEFT, 24, "", "time \xe2\x86\x93");
  for (int t = 0; t < 2; t++) {
    const WitnessThread *thread = &lanes->finding->witness.threads[t];
    put_text(lanes, lane_x(t) + 8, 24, "name",
             arena_printf(arena, "%c: thread %s of block %s", 'A' + t, triple_text(arena, thread->thread_idx),
                          triple_text(arena, thread->block_idx)));
  }
}

static bool has_own(const Finding *finding) {
  for (int t = 0; t < 2; t++) {
    const WitnessInterval *interval = &finding->witness.threads[t].interval;
    if (interval_own_before(interval) || interval_own_after(interval)) return true;
  }
  return false;
}

void html_put_time(const HtmlWriter *w, const ReportGroup *group, uint32_t number) {
  ASSERT(group);
  const Finding *finding = &group->finding;
  if (!has_intervals(finding)) return;
  StrBuf drawn = {.arena = w->arena};
  HtmlWriter inner = *w;
  inner.out = &drawn;
  Lanes lanes = {.w = &inner, .finding = finding, .rows = 1, .y = HEAD};
  const WitnessInterval *a = interval_of(&lanes, 0), *b = interval_of(&lanes, 1);
  if (a->going_on != b->going_on) {
    lanes.rows = 2;
    lanes.row[a->going_on > b->going_on ? 1 : 0] = 1;
  }
  put_heads(&lanes);
  put_lanes(&lanes);
  strbuf_printf(w->out,
                "<figure><svg role=\"img\" aria-labelledby=\"time-%" PRIu32
                "\" viewBox=\"0 0 %d %d\" width=\"%d\">\n<title id=\"time-%" PRIu32 "\">",
                number, WIDTH, lanes.y + 24, WIDTH, number);
  markup_text(w->out, intervals_text(w->arena, finding), w->arena);
  strbuf_add(w->out, "</title>\n");
  strbuf_add(w->out, strbuf_text(&drawn));
  strbuf_add(w->out, "</svg>\n<figcaption>A line across both lanes waits for both threads");
  strbuf_add(w->out, lanes.rows > 1 ? ", but not for a copy that still goes on."
                                    : ": none stands between the two accesses.");
  if (has_own(finding))
    strbuf_add(w->out, " A dashed line waits only for others of that thread's own warp or block.");
  strbuf_add(w->out, "</figcaption></figure>\n");
}
