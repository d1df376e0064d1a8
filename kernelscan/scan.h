// Shared by all sub-rooms of kernelscan: the state of one scan (one kernel under one launch), and the words
// that all of them speak: accesses, points, objects, values, threads. Functions stand in the header of their
// sub-room.
//
// Words used here: a NODE is a stretch of a basic block between barriers; a POINT is a place where threads
// are together (kernel entry, or a barrier); a WAY is how one thread gets from a point to an access without
// another synchronisation point of the extent; a FRAME says in which iteration of each loop values are read
// on that way.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_SCAN_H
#define HGRD_KERNELSCAN_SCAN_H

#include "core/bug.h"
#include "core/cfg.h"
#include "core/interp.h"
#include "core/symeval.h"
#include "kernelscan/kernelscan.h"

#include <string.h>

// What files and sub-rooms keep of a scan for themselves: a row each of scan_states.def, and one pointer here, which its
// owner alone reads (tests/lint_borders).
typedef enum ScanStateOwner {
#define SCAN_STATE(owner) SCAN_STATE_OF_##owner,
#include "kernelscan/scan_states.def"
#undef SCAN_STATE
  SCAN_STATE_COUNT
} ScanStateOwner;

typedef struct ScanStates {
  void *of[SCAN_STATE_COUNT]; // NULL: never asked for
} ScanStates;

// What the sub-rooms add, each in its own header.
typedef struct Frame Frame;
typedef struct Invariant Invariant;
typedef struct PrefixSum PrefixSum;
typedef struct Scan Scan;
typedef struct ValueFacts ValueFacts;
typedef struct View View;
typedef struct WayGraph WayGraph;

// How far apart two threads are. Where clusters matter (CLUSTERS_KNOWN), INTER_BLOCK are questions about
// blocks of two clusters, CLUSTER those about two blocks of one; else all pairs of blocks are INTER_BLOCK.
typedef enum Extent {
  EXTENT_INTER_BLOCK,
  EXTENT_CLUSTER,
  EXTENT_INTRA_BLOCK,
  EXTENT_INTRA_WARP,
  EXTENT_COUNT,
  EXTENT_NONE = EXTENT_COUNT // of a thread that is in no question about two
} Extent;
static inline bool extent_is_between_blocks(Extent extent) {
  return extent == EXTENT_INTER_BLOCK || extent == EXTENT_CLUSTER;
}

// The two threads of a question: how far apart they are, and what holds both of them. Part of the question, and of
// whatever is kept of its answer.
typedef struct Couple {
  Extent extent;
  uint32_t covering;      // bit set: those of the covers (scan_text) that hold both
  bool ends_at_divergent; // ways between barriers end at divergent points as well
} Couple;
static inline Couple couple_of(Extent extent) { // no barrier of a part holds both
  return (Couple){.extent = extent};
}

// Does it matter which blocks make up a cluster? NONE: nothing in the kernel speaks of clusters. SINGLE: each
// block is one. KNOWN: their size is that of the launch, in numbers or symbols.
typedef enum Clusters { CLUSTERS_NONE, CLUSTERS_UNKNOWN, CLUSTERS_SINGLE, CLUSTERS_KNOWN } Clusters;

typedef struct Node {
  uint32_t block;
  uint32_t first, end; // instructions [first, end); a barrier is the last one of its node
} Node;

// What a pointer may point to. Private memory is OBJ_LOCAL and never races. OBJ_HEAP is what one call in
// device code allocates (facts/heap.c).
typedef enum ObjKind {
  OBJ_NONE,
  OBJ_LAUNCH,
  OBJ_GLOBAL,
  OBJ_SHARED,
  OBJ_LOCAL,
  OBJ_PARAM,
  OBJ_LOADED,
  OBJ_HEAP,
  OBJ_NULL
} ObjKind;

typedef struct Obj {
  ObjKind kind;
  const char *name;
  uint32_t index; // LAUNCH: in launch->objects; GLOBAL, SHARED: in module->globals; LOCAL, HEAP: inst; PARAM:
                  // parameter
  uint32_t slot_object;   // LOADED: the object the pointer was read from
  bool is_written;        // some access of the kernel may write it
  bool gets_pointers;     // some access of the kernel may write a pointer there
  bool is_volatile;       // some access of the kernel is volatile or atomic
  bool is_named;          // goes by the name of a parameter
  bool is_unknown_origin; // assumption A2 is leaned on
  bool is_met;            // LOADED: some pointer is taken to lead there, by assumption A8
  bool is_of_block;       // HEAP: thread 0 alone allocates it, for its block
} Obj;

// Under `condition` (0: always), the pointer is object + offset; of several targets of a pointer that was set
// exactly one holds; `key` tells apart the pointees of pointers
// read from different slots of one object (0: none). Of SHARED: the rank of the block in the cluster whose
// memory it is, in 32 bits (0: the thread's own block).
typedef struct Target {
  ExprRef condition;
  uint32_t object;
  ExprRef key;
  ExprRef offset; // width 64
} Target;

typedef enum SymKind { SYM_NONE, SYM_WORD, SYM_POINTER, SYM_OPAQUE } SymKind;

typedef struct SymValue {
  SymKind kind;
  ExprRef word;
  uint32_t target_count;
  const Target *targets;
} SymValue;

typedef struct Access {
  uint32_t inst;
  uint32_t node;
  AccessKind kind;
  uint32_t bytes; // 0: `length` operand decides (memcpy, memset)
  IrRef address;
  IrRef length;      // 0 unless bytes is 0
  IrScope scope;     // atomics, and what folds
  uint8_t folds;     // asynchronous reductions: the bytes of an element, each updated in one step; 0: none
  bool is_natural;   // aligned to its own power-of-two size
  bool is_async;     // goes on until a wait covers it
  bool is_loose;     // made between the two halves of a barrier: goes on behind its wait
  bool is_of_object; // what is done to a barrier object: set-up, arrival, wait, a copy that completes on it
} Access;

// By which rule something orders two accesses, from which instruction to which one: + 1, 0: none.
typedef struct OrderProof {
  OrderRule rule;
  uint32_t release, acquire;
} OrderProof;

// What the address of an access may point to.
typedef struct Reach {
  uint32_t count;
  const uint32_t *objects;
  bool is_complete; // else anything besides
} Reach;

typedef struct Point {
  uint32_t inst;  // the barrier; CFG_NONE for kernel entry
  uint32_t node;  // where threads go on
  uint32_t block; // in which it stands
  IrScope scope;  // DEVICE for entry and grid barriers, CLUSTER (CLUSTERS_KNOWN), BLOCK, WARP
  uint32_t cover; // 0: all threads of the group; else only lanes that this cover, less 1, holds (scan_text)
  bool is_divergent; // of a warp or a part: not all that it holds together surely come; keeps nobody together
} Point;

// A barrier for a part of the warp or of the block: which two threads does it hold together?
typedef enum CoverKind {
  COVER_TILE,
  COVER_MASK,
  COVER_COMPUTED,
  COVER_BALLOT,
  COVER_MATCH,
  COVER_RANGE,
  COVER_NUMBER
} CoverKind;

typedef struct Cover {
  CoverKind kind;
  uint32_t value;  // TILE: threads of a tile; MASK: the mask; RANGE, NUMBER: the first thread of the block
  uint32_t end;    // RANGE, NUMBER: behind the last one
  IrRef predicate; // COMPUTED: the mask; BALLOT: the value that was voted on; MATCH: lanes that gave the same
      // value; NUMBER: threads that have the same one; TILE: as many lanes, where that is no constant
  bool is_of_block; // holds threads of several warps together
} Cover;

enum { COVER_LIMIT = 3 }; // barriers of a part that are told apart in one kernel

// What whoever starts a scan says, besides the kernel and its launch. It is the same until the scan ends, so that no
// kept answer was given under another one: who wants other answers starts another scan (check, kernelscan.c).
typedef struct ScanStart {
  const ValueFacts *const *suppliers; // value_facts.def; NULL at the end
  uint32_t host_symbols;              // symbols of the pool from here on are the scan's own
  bool without_mend; // no fact is looked for that would refute what races, and no run compared
  // No proof may lean on what flags and counters start with, where the host is silent: at all; on more than that it is no less.
  bool without_starts, without_exact_starts;
} ScanStart;

// What threads of one block have alike: found by ways/ (uniform_compute), read from value/ on. While uniform_compute is
// under way, more is said to be alike than is.
typedef struct ScanAlike {
  uint8_t *is_uniform;   // by instruction: the same for all threads of a block in the same iteration
  uint8_t *is_broadcast; // by instruction: load of shared memory that is stable between barriers (stable.c)
  // By load of what nobody writes any more: the first one of the same word + 1; 0: it is none; NULL: not known yet
  // (final_words.c).
  uint32_t *final_words;
  uint8_t *exits_diverge; // by loop: threads of a block may leave it in different iterations
} ScanAlike;

// One kernel under one launch: what any field says holds for these alone, and is thrown away with them.
//
// WHAT IS KEPT, AND FOR WHOM. An answer that is kept stands under all that it depends on ("by ..."), and on
// nothing that changes while the scan goes on: not on the question in hand (its couple, its two views), not on the view or the frame that happened to ask first. So
//  - facts about all threads of a block or warp are asked of view_anyone, or of fresh views, and between
//    barriers of the whole group (couple_of);
//  - facts about a leaf (invariants, ranges of draws, reaching values, ballots ...) stand under the leaf, which is a symbol of
//    one thread (View.company, View.thread), in one iteration; those of one place under the frame as well;
//  - what is asked while an answer is under way gets "not known", which is never kept as the answer of
//    others, or errs on the safe side.
// Two things change once and are waited for: exits_rounds (exits_find) is read by frames made later only,
// `is_divergent` of points is not believed before points_know_divergent. Frames keep their values (Frame.values);
// `is_shifted` and `in_web` are of the frame, so they are part of whose values these are. What a leaf's name
// or range says was known when it was first read; intervals are found with a thread of their own, whose leaves
// have none (View.is_of_ranges).
typedef struct Scan {
  const KernelScanRequest *request;
  const IrModule *module;
  const IrFunction *fn;
  const LaunchContext *launch;
  ScanStart start;
  ExprPool *pool;
  Arena *arena;
  KernelResult *result;
  ScanStates *states; // what its files keep for themselves
  Cfg *cfg;
  VEC(Node) nodes;
  uint32_t *node_first; // first node of each block
  VEC(Access) accesses;
  Reach *reaches; // by access
  VEC(Point) points;
  ScanAlike alike;
  VEC(Obj) objects;          // [0] is OBJ_NONE
  VEC(Invariant) invariants; // by leaf
  bool has_opaque;           // an operation with unknown effects
} Scan;

// For assertions: what is handed on is of this scan.
static inline bool scan_has_inst(const Scan *scan, uint32_t inst) {
  return inst < scan->fn->insts.count;
}
static inline bool scan_has_block(const Scan *scan, uint32_t block) {
  return block < scan->cfg->block_count;
}
static inline bool scan_has_loop(const Scan *scan, uint32_t loop) {
  return loop < scan->cfg->loops.count;
}
static inline bool scan_has_node(const Scan *scan, uint32_t node) {
  return node < scan->nodes.count;
}
static inline bool scan_has_object(const Scan *scan, uint32_t object) {
  return object < scan->objects.count;
}
static inline bool scan_has_expr(const Scan *scan, ExprRef ref) {
  return expr_is_of(scan->pool, ref);
}
static inline bool scan_has_word(const Scan *scan, ExprRef ref,
                                 uint8_t width) { // an expression of that width
  return expr_is_of(scan->pool, ref) && expr_width(scan->pool, ref) == width;
}
static inline bool scan_has_ref(const Scan *scan, IrRef ref) {
  return ir_ref_is_of(scan->module, scan->fn, ref);
}
static inline bool scan_has_access(const Scan *scan, const Access *access) { // itself, no copy
  return access >= scan->accesses.items && access < scan->accesses.items + scan->accesses.count;
}
static inline bool view_is_made(const View *view); // by one of the constructors
static inline bool scan_is_extent(Extent extent) { // of a question about two
  return extent < EXTENT_COUNT;
}

// Of `bytes`, zeroed when it is first asked for. It lives as long as the scan, and stays where it is. A scan that is
// not to be changed may be asked as well: what is kept of its answers is no part of what it says.
static inline void *scan_state(const Scan *scan, ScanStateOwner owner, size_t bytes) {
  void **state = &scan->states->of[owner];
  if (!*state) *state = arena_alloc(scan->arena, bytes);
  return *state;
}
// For a function of the owner that others do not see: `return SCAN_STATE_OF(scan, my_file, MyType);`
#define SCAN_STATE_OF(scan, owner, Type) ((Type *)scan_state((scan), SCAN_STATE_OF_##owner, sizeof(Type)))

// A thread as it is looked at: one of the two of a question, or any other one. Values that have no form are
// symbols of their thread, so two views are told apart by their identity and by nothing else: `company` are
// threads of one block (or the two of a question), who have in common what is one for a block; `thread` is
// one of them. Views of one company and thread are one thread: they have the same numbers. Only the
// constructors give identities (view_make, view_fresh, view_beside, view_like).
struct View {
  Extent extent;            // of the question; EXTENT_NONE: of no question
  uint32_t company, thread; // see above; in a question `thread` is its owner
  uint8_t owner;            // OWNER_THREAD1 or 2: how its symbols are told apart in a goal about two threads
  bool is_third;            // a third thread, which one of the two got a value from (reaching_stores.c)
  bool is_of_ranges;        // intervals are found with it: what it reads has none of its own (ranges.c)
  ExprRef thread_idx[3], block_idx[3]; // width 32
  ExprRef linear, warp, lane;          // width 32
  ExprRef elected;                     // lane of its warp; 0: nobody asks
};

static inline bool view_is_made(const View *view) {
  return view->thread && view->owner <= OWNER_THREAD2 && view->linear && view->warp && view->lane;
}

// What so many instructions that follow each other give to the thread of a frame: most frames are asked for few of a kernel.
enum { FRAME_PAGE = 32 };
typedef struct FramePage {
  SymValue values[FRAME_PAGE]; // SYM_NONE: not computed
  uint32_t open;               // bits: those being computed (a cycle that is no loop form)
} FramePage;

// Values as the thread reads them at one place.
struct Frame {
  Scan *scan;
  const View *view;
  ExprRef *iteration; // by loop: number of the iteration, width 32; 0: not asked yet, then this thread's own
  ExprRef *before;    // by loop: iteration - 1 where exactly one back edge lies between, else 0
  FramePage **pages;  // by instruction / FRAME_PAGE, NULL: none of them was asked for (frame_page)
  uint32_t cycles;    // how often one was met that is being computed
  Map ways; // conditions of edges that come together, and of getting from a block to another one (eval.c)
  bool is_shifted;    // made to look one iteration back from a private one: not done twice
  bool is_made_round; // shifted to a round that is gone round: what is read there may be told of
  bool in_web;        // made to read what enters a web: webs are not followed from there
  uint32_t web_loop;  // whose webs these are
  // By loop: on every way of the frame's phase it is in its first iteration, as are its rounds in loops that
  // do not hold the point; NULL: nothing is known.
  const uint8_t *is_entered_only;
  const uint8_t *is_around; // by loop: it holds the point; NULL like above
  const WayGraph *graph;    // the ways that the frame's phase is one of; NULL: none
  uint32_t phase;
  ExprRef is_at_end; // condition that loops left on the way were in their last iterations; 0: nothing to say
  ExprRef rounds_since; // of the loop around the point that the frame's phase goes round; 0: one or none
  uint32_t round_loop;  // that loop
  ExprRef *progress;    // by loop: what the iteration before says; 0: not asked (rounds.c)
  const PrefixSum *sum; // in the proof of a sum of prefixes: what the rounds before left, at this distance
  ExprRef distance;
  Frame *earlier;       // the frame with iteration = before, NULL until asked
  VEC(Frame *) of_webs; // in which what enters webs is read, one for each loop and round (webs.c)
};

#endif
