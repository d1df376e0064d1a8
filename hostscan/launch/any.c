// What holds for a kernel of which no launch is seen? Any dimensions that the machine allows (or those of
// the command line), any numbers, and pointers into memory that does not overlap (A2).
// Along the first axis of grid and block a launch has any extent: who starts many threads does so along x,
// and a kernel that does not tell them apart has a race then. Along y and z it has none where the kernel
// never looks (A10). Soundness: over-approximates every launch, given A2 and A10.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "core/finding.h"
#include "hostscan/facts.h"
#include "hostscan/kernels.h"
#include "hostscan/names.h"

#include <string.h>

static const char *const dim_names[2][3] = {{"gridDim.x", "gridDim.y", "gridDim.z"},
                                            {"blockDim.x", "blockDim.y", "blockDim.z"}};
static const int64_t most[2][3] = {{INT32_MAX, 65535, 65535}, {1024, 1024, 64}};

static void user_fact(ExprPool *pool, Arena *arena, LaunchContext *launch, const char *name, int64_t value) {
  Fact fact = {.condition = expr_bool(pool, true), .class = FACT_USER};
  fact.text = arena_printf(arena, "%s == %lld", name, (long long)value);
  vec_push(arena, &launch->facts, fact);
}

// Does the kernel read its index or extent along this axis?
static bool looks_at(const IrFunction *kernel, uint32_t kind, uint32_t axis) {
  int64_t index = kind ? IR_SREG_TID_X : IR_SREG_CTAID_X, extent = kind ? IR_SREG_NTID_X : IR_SREG_NCTAID_X;
  for (uint32_t i = 0; i < kernel->insts.count; i++) {
    const IrInst *inst = &kernel->insts.items[i];
    if (inst->op != IR_SREG) continue;
    if (inst->imm == index + axis || inst->imm == extent + axis) return true;
  }
  return false;
}

static void unused_axis(ExprPool *pool, Arena *arena, LaunchContext *launch, const char *name) {
  Fact fact = {.condition = expr_bool(pool, true), .class = FACT_LAUNCH};
  fact.text = arena_printf(arena, "%s == 1, because the kernel never looks at this axis", name);
  vec_push(arena, &launch->facts, fact);
}

static void make_dimensions(ExprPool *pool, const IrFunction *kernel, const HostScanOptions *options,
                            Arena *arena, LaunchContext *launch) {
  for (uint32_t i = 0; i < 6; i++) {
    uint32_t kind = i / 3, axis = i % 3;
    int64_t fixed = !options ? 0 : kind ? options->block_dim[axis] : options->grid_dim[axis];
    ExprRef *dim = kind ? &launch->block[axis] : &launch->grid[axis];
    if (fixed) {
      *dim = expr_const(pool, 32, fixed);
      user_fact(pool, arena, launch, dim_names[kind][axis], fixed);
      continue;
    }
    bool has_clusters = kind == 0 && kernel->cluster[axis] > 1;
    if (axis > 0 && !has_clusters && !looks_at(kernel, kind, axis)) {
      *dim = expr_const(pool, 32, 1);
      unused_axis(pool, arena, launch, dim_names[kind][axis]);
      launch->assumptions |= ASSUME_USED_AXES;
      continue;
    }
    *dim = expr_new_sym(pool, (ExprSym){.name = dim_names[kind][axis],
                                        .width = 32,
                                        .kind = kind ? SYM_BLOCK_DIM : SYM_GRID_DIM,
                                        .axis = (uint8_t)axis,
                                        .lo = 1,
                                        .hi = most[kind][axis]});
  }
}

static void add_unknown_pointer(ExprPool *pool, Arena *arena, LaunchContext *launch, const char *name,
                                SrcLoc loc, bool tests_null, ArgPiece *piece) {
  vec_push(arena, &launch->objects, (LaunchObject){.kind = OBJECT_UNKNOWN, .name = name, .loc = loc});
  ExprRef zero = expr_const(pool, 64, 0);
  PointerTarget targets[2] = {{.object = launch->objects.count - 1, .offset = zero}};
  piece->target_count = 1;
  if (tests_null) {
    ExprSym address = {.name = name, .width = 64, .kind = SYM_HOST_VALUE, .loc = loc};
    ExprRef leaf = expr_new_sym(pool, address), null = expr_eq(pool, leaf, zero);
    vec_last(&launch->objects).leaf = leaf;
    vec_push(arena, &launch->objects, (LaunchObject){.kind = OBJECT_NULL, .name = "null"});
    targets[0].condition = expr_not(pool, null);
    targets[1] = (PointerTarget){null, launch->objects.count - 1, zero};
    piece->target_count = 2;
  }
  piece->targets = arena_copy(arena, targets, sizeof targets);
}

static void add_any_piece(ExprPool *pool, Arena *arena, LaunchContext *launch, LaunchArg *arg,
                          HostPiece wanted, const char *name, SrcLoc loc, bool tests_null) {
  ArgPiece piece = {.offset = wanted.offset, .bytes = wanted.type.bytes};
  uint8_t width = symeval_width(wanted.type);
  if (wanted.type.kind == IR_PTR)
    add_unknown_pointer(pool, arena, launch, name, loc, tests_null, &piece);
  else if (width)
    piece.word =
        expr_new_sym(pool, (ExprSym){.name = name, .width = width, .kind = SYM_HOST_VALUE, .loc = loc});
  else
    return;
  vec_push(arena, &arg->pieces, piece);
}

static void make_argument(ExprPool *pool, const IrModule *device, const IrFunction *kernel, uint32_t index,
                          Arena *arena, LaunchContext *launch) {
  const IrParam *param = &kernel->params.items[index];
  const char *name = param->name ? param->name : "argument";
  SrcLoc loc = *ir_loc(device, kernel->loc);
  LaunchArg arg = {0};
  bool tests_null = host_tests_null(kernel, index);
  if (!param->byval_bytes) {
    add_any_piece(pool, arena, launch, &arg, (HostPiece){0, param->type, NULL}, name, loc, tests_null);
  } else {
    HostPieces pieces = {0};
    host_kernel_pieces(arena, kernel, index, &pieces);
    for (uint32_t i = 0; i < pieces.count; i++) {
      const char *part = pieces.items[i].place;
      if (!part) part = arena_printf(arena, "%s[+%u]", name, pieces.items[i].offset);
      add_any_piece(pool, arena, launch, &arg, pieces.items[i], part, loc, tests_null);
    }
  }
  vec_push(arena, &launch->args, arg);
}

LaunchContext *hostscan_any_launch(ExprPool *pool, const IrModule *device, const IrFunction *kernel,
                                   const HostScanOptions *options, Arena *arena) {
  ASSERT(kernel->name && options);
  LaunchContext *launch = arena_new(arena, LaunchContext);
  launch->kernel = kernel->name;
  launch->is_any = true;
  vec_push(arena, &launch->objects, (LaunchObject){0});
  make_dimensions(pool, kernel, options, arena, launch);
  for (uint32_t i = 0; i < kernel->params.count; i++)
    make_argument(pool, device, kernel, i, arena, launch);
  host_facts_hardware(pool, arena, launch, kernel->max_threads);
  host_clusters_of_kernel(pool, arena, launch, kernel);
  launch->description = host_describe_launch(pool, arena, host_display_name(kernel), launch);
  return launch;
}

// ---- launched by device code
static const char *launcher_of(const HostScanResult *result, const IrFunction *kernel) {
  for (uint32_t i = 0; i < result->launchers.count; i++) {
    const HostLauncher *launcher = &result->launchers.items[i];
    if (!launcher->kernel || strcmp(launcher->kernel, kernel->name) == 0) return launcher->who;
  }
  return NULL;
}

static void doubt(const HostScanResult *result, LaunchHeld place, LaunchContext *launch, Arena *arena) {
  ExprSym like = {.name = "element", .width = 64, .kind = SYM_HOST_VALUE};
  place.element = expr_new_sym(result->pool, like);
  vec_push(arena, &launch->held, place);
  for (uint32_t bytes = 1; bytes <= 8; bytes *= 2)
    vec_push(arena, &launch->untold, ((LaunchUntold){place.object, place.global, bytes, place.untold}));
}

void hostscan_doubt_memory(const HostScanResult *result, const IrModule *device, const IrFunction *kernel,
                           LaunchContext *launch, Arena *arena) {
  ASSERT(launch->objects.count); // [0] is none
  const char *who = kernel->is_launched_by_device ? launcher_of(result, kernel) : NULL;
  if (!who) return;
  for (uint32_t i = 1; i < launch->objects.count; i++)
    doubt(result, (LaunchHeld){.object = i, .untold = who}, launch, arena);
  for (uint32_t i = 0; i < device->globals.count; i++)
    doubt(result, (LaunchHeld){.global = device->globals.items[i].name, .untold = who}, launch, arena);
}
