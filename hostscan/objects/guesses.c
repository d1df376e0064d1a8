// Where does a pointer lead that lies in memory when a loop comes round again? A store through it may be one to the place that holds it, as long
// as nothing is known of it, so that what it holds then is not known either. Method: induction over the rounds of all loops at once. The pointer
// is taken to lead into the objects that the one leads into which lies there when the loop is entered; where that decides a question, it is noted.
// When all has been read, what a round leaves at the place, which was found under such guesses, has to lead into the same objects, for each guess
// that was used, and for each that this hangs on. The scan begins anew where it does not, without guesses for that loop.
// Soundness: exact. No store is the first to break a guess: up to it all guesses have held, and under these it writes elsewhere, or puts a
// pointer into the same objects there. What has been concluded from a guess that does not hold is thrown away with all else.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/objects/objects.h"
#include "core/bug.h"
#include "hostscan/terms.h"

enum { GUESS_DEPTH = 24 };

static HostGuess *guess_about(HostScan *scan, ExprRef leaf) {
  const ExprNode *node = expr_node(scan->pool, leaf);
  uint32_t index = node->op == EXPR_SYM ? host_sym(scan, (uint32_t)node->value)->guess : 0;
  return index ? &scan->guesses.items[index - 1] : NULL;
}

static bool is_given_up(const HostScan *scan, HostLoopText loop) {
  for (uint32_t i = 0; i < scan->unguessed.count; i++)
    if (scan->unguessed.items[i].function == loop.function && scan->unguessed.items[i].loop == loop.loop)
      return true;
  return !scan->guesses_allowed;
}

void host_guess(HostScan *scan, ExprRef placeholder, ExprRef entering, HostLoopText loop) {
  ASSERT(host_has_word(scan, placeholder, 64) && host_has_word(scan, entering, 64));
  if (placeholder == entering || is_given_up(scan, loop)) return;
  vec_push(scan->arena, &scan->guesses,
           ((HostGuess){.placeholder = placeholder, .entering = entering, .loop = loop}));
  host_sym(scan, (uint32_t)expr_node(scan->pool, placeholder)->value)->guess = scan->guesses.count;
}

void host_guess_comes_round(HostScan *scan, ExprRef placeholder, ExprRef next) {
  ASSERT(expr_is_of(scan->pool, placeholder)); // of any cell; of most there is no guess
  HostGuess *guess = guess_about(scan, placeholder);
  if (guess) guess->next = next;
}

bool host_is_guessed_apart(HostScan *scan, ExprRef leaf, ExprRef other) {
  HostGuess *guess = guess_about(scan, leaf);
  HostTargets targets = {0};
  if (!guess || scan->guess_depth >= GUESS_DEPTH) return false;
  bool is_apart = host_targets(scan, guess->entering, &targets);
  scan->guess_depth++;
  for (uint32_t i = 0; i < targets.count && is_apart; i++)
    is_apart = targets.items[i].leaf != leaf && host_leaves_distinct(scan, targets.items[i].leaf, other);
  scan->guess_depth--;
  guess = guess_about(scan, leaf); // asking may have made others
  guess->is_used |= is_apart;
  return is_apart;
}

// ---- do they hold?
typedef VEC(ExprRef) Leaves;

// The objects that the pointer leads into, by the guesses that it stands for; `itself` counts as none.
static bool add_roots(HostScan *scan, ExprRef pointer, ExprRef itself, uint32_t depth, Leaves *roots) {
  HostTargets targets = {0};
  if (depth == 0 || !host_targets(scan, pointer, &targets)) return false;
  for (uint32_t i = 0; i < targets.count; i++) {
    ExprRef leaf = targets.items[i].leaf;
    if (!leaf || leaf == itself) continue;
    HostGuess *guess = guess_about(scan, leaf);
    if (guess) guess->is_used = true;
    if (!guess) vec_push(scan->arena, roots, leaf);
    if (guess && !add_roots(scan, guess->entering, itself, depth - 1, roots)) return false;
  }
  return true;
}

static bool holds(HostScan *scan, const HostGuess *guess) {
  Leaves entering = {0}, coming = {0};
  if (!guess->next || !add_roots(scan, guess->entering, 0, GUESS_DEPTH, &entering) ||
      !add_roots(scan, guess->next, guess->placeholder, GUESS_DEPTH, &coming))
    return false;
  for (uint32_t i = 0; i < coming.count; i++) {
    bool is_among = false;
    for (uint32_t k = 0; k < entering.count; k++)
      is_among |= coming.items[i] == entering.items[k];
    if (!is_among) return false;
  }
  return true;
}

bool host_guesses_hold(HostScan *scan, HostLoopTexts *broken) {
  bool hold = true;
  for (bool changed = true; changed;) { // one may hang on others that were not used so far
    changed = false;
    for (uint32_t i = 0; i < scan->guesses.count; i++) {
      HostGuess guess = scan->guesses.items[i];
      if (!guess.is_used || guess.is_checked) continue;
      changed = scan->guesses.items[i].is_checked = true;
      if (holds(scan, &guess)) continue;
      hold = false;
      vec_push(scan->arena, broken, guess.loop);
    }
  }
  return hold;
}
