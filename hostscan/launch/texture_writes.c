// Does the kernel read through a texture what it may write? Reads through a texture are no accesses (their values are
// unknown), since what a kernel writes itself it may not read in this way: CUDA leaves that undefined, barriers or not.
// Where it may write behind another argument, or by name, what a handle of a texture is of, it is undecided.
// A handle that is not followed (from a table, a variable of the device, memory that loops write) may be any that the program is seen to make:
// then the kernel is undecided unless all of those are of memory that it does not write.
// Soundness: a handle that comes from outside of the files is of other memory (A2).
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "core/bug.h"
#include "core/finding.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"

// Behind an argument that may be the object where the condition holds.
static bool may_write(HostScan *scan, const HostKernelUse *use, const LaunchContext *launch, uint32_t object,
                      ExprRef condition) {
  for (uint32_t a = 0; a < launch->args.count; a++)
    for (uint32_t p = 0; use->writes[a] && p < launch->args.items[a].pieces.count; p++) {
      const ArgPiece *piece = &launch->args.items[a].pieces.items[p];
      for (uint32_t t = 0; t < piece->target_count; t++)
        if (piece->targets[t].object == object &&
            !(piece->targets[t].condition &&
              expr_is_false(scan->pool, expr_and(scan->pool, condition, piece->targets[t].condition))))
          return true;
    }
  return use->writes_anything;
}

// By its name.
static bool may_write_variable(HostScan *scan, const HostKernelUse *use, ExprRef leaf) {
  const HostObject *object = leaf ? host_object_of(scan, leaf) : NULL;
  return object && (object->kind == HOST_GLOBAL || object->kind == HOST_DEVICE_VARIABLE) &&
         host_kernel_writes_variable(use, scan->module->globals.items[object->index].name);
}

typedef struct Check {
  HostScan *scan;
  const HostKernelUse *use;
  const ExprRef *leaves; // of the objects of the launch
  LaunchContext *launch;
  bool is_seen; // what all handles are of
  bool is_lost; // some handle comes from code of the program, and is not followed
} Check;

// The call has no text and makes no texture: `cudaMallocArray`, a function of another library.
static bool is_unseen_call(HostScan *scan, const IrInst *inst) {
  if (inst->op != IR_CALL || host_makes_texture(scan, inst)) return false;
  HostCallKind kind = host_call(scan, inst, NULL)->kind;
  return kind == CALL_WRITES || kind == CALL_ALLOCATE_ARRAY || kind == CALL_UNKNOWN;
}

// What is known of the handle comes from outside of the files: from who calls them, or from code without a text.
static bool is_outside(HostScan *scan, ExprRef leaf) {
  const ExprNode *node = expr_node(scan->pool, leaf);
  const HostSym *sym = node->op == EXPR_SYM ? host_sym(scan, (uint32_t)node->value) : NULL;
  if (!sym || !sym->place || sym->place - 1 == PLACE_ENTRY) return sym;
  return sym->place - 1 == PLACE_AFTER &&
         is_unseen_call(scan, &sym->place_frame->function->ir->insts.items[sym->place_index]);
}

static void tell_written(const Check *check, const char *name) {
  vec_push(
      check->scan->arena, &check->launch->undecided,
      arena_printf(check->scan->arena, "the kernel may write '%s', which it reads through a texture", name));
}

// One handle: is it of an object of the launch, or of a variable, that the kernel may write?
static void check_handle(Check *check, ExprRef handle) {
  HostScan *scan = check->scan;
  LaunchContext *launch = check->launch;
  HostTargets targets = {0};
  bool is_followed = handle && host_targets(scan, handle, &targets);
  check->is_seen &= is_followed;
  check->is_lost |= !is_followed;
  for (uint32_t t = 0; t < targets.count; t++) {
    ExprRef leaf = targets.items[t].leaf;
    bool is_known = leaf && host_object_of(scan, leaf)->kind != HOST_POINTER;
    check->is_seen &= is_known;
    check->is_lost |= !is_known && !(leaf && is_outside(scan, leaf));
    for (uint32_t i = 1; leaf && i < launch->objects.count; i++)
      if (check->leaves[i] == leaf &&
          may_write(scan, check->use, launch, i, host_settle(scan, targets.items[t].condition)))
        tell_written(check, launch->objects.items[i].name);
    if (may_write_variable(scan, check->use, leaf)) tell_written(check, host_object_of(scan, leaf)->name);
  }
}

// ---- handles that are not followed
// Does the kernel write nothing of the memory that the call makes a texture of?
static bool is_of_other_memory(const Check *check, HostFrame *frame, uint32_t inst) {
  HostScan *scan = check->scan;
  HostTargets targets = {0};
  ExprRef memory = host_texture_memory(scan, frame, inst);
  if (!memory || !host_targets(scan, memory, &targets)) return false;
  for (uint32_t t = 0; t < targets.count; t++) {
    ExprRef leaf = targets.items[t].leaf;
    if (may_write_variable(scan, check->use, leaf)) return false;
    for (uint32_t i = 1; i < check->launch->objects.count; i++) {
      ExprRef object = check->leaves[i];
      bool may_be = !leaf || (object && (leaf == object || !host_leaves_distinct(scan, leaf, object)));
      if (may_be && may_write(scan, check->use, check->launch, i, expr_bool(scan->pool, true))) return false;
    }
  }
  return true;
}

static bool is_harmless(const Check *check, uint32_t function, uint32_t inst) {
  bool is_visited = false;
  for (uint32_t f = 0; f < check->scan->frames.count; f++) {
    HostFrame *frame = check->scan->frames.items[f];
    if (frame->function->index != function) continue;
    is_visited = true;
    if (!is_of_other_memory(check, frame, inst)) return false;
  }
  return is_visited;
}

static void check_makers(const Check *check) {
  HostScan *scan = check->scan;
  for (uint32_t f = 0; f < scan->module->functions.count; f++) {
    const IrFunction *ir = scan->module->functions.items[f];
    for (uint32_t i = 0; i < ir->insts.count; i++) {
      if (!host_makes_texture(scan, &ir->insts.items[i]) || is_harmless(check, f, i)) continue;
      vec_push(scan->arena, &check->launch->undecided,
               arena_printf(scan->arena,
                            "the kernel reads through a texture that is not followed: it may be the one that "
                            "is made at line %u, of what the kernel may write",
                            ir_loc(scan->module, ir->insts.items[i].loc)->line));
      return;
    }
  }
}

void host_textures_check(HostScan *scan, const IrFunction *kernel, const ExprRef *leaves,
                         LaunchContext *launch) {
  const HostKernelUse *use = host_kernel_use(scan, kernel);
  Check check = {.scan = scan, .use = use, .leaves = leaves, .launch = launch};
  check.is_lost = use->reads_hidden_textures;
  check.is_seen = !check.is_lost;
  if (!use->reads_textures) return;
  for (uint32_t a = 0; a < launch->args.count && a < kernel->params.count; a++)
    for (uint32_t p = 0; use->textures[a] && p < launch->args.items[a].pieces.count; p++) {
      const ArgPiece *piece = &launch->args.items[a].pieces.items[p];
      if (piece->bytes == 8 && !piece->target_count) check_handle(&check, piece->word);
    }
  if (check.is_lost) check_makers(&check);
  if (!check.is_seen && launch->objects.count > 1) launch->assumptions |= ASSUME_NO_ALIAS;
}
