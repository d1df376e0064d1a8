// What does a kernel that device code launches find in memory? What the host's launch found that leads there (contents_read.c), unless a
// kernel has written to it since: those that launch it, those that the same launch of the host leads to as well, itself if it is launched
// more than once. Method: what each may write (kernels.c), by the objects of its launch; such memory holds what is not told.
// Soundness: over-approximates who writes; the order of launches in device code is not asked for.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "hostscan/kernels.h"
#include "hostscan/names.h"
#include "hostscan/objects.h"
#include "hostscan/program.h"
#include "hostscan/series.h"

#include <string.h>

typedef struct Memory {
  HostScan *scan;
  const HostChildLaunches *children;
  const HostChildLaunch *child;
  bool is_of_pointers; // who puts pointers there, not numbers, is asked for
} Memory;

typedef struct Place { // an object of the launch, or a variable
  ExprRef leaf;
  const char *global;
} Place;

static const HostChildLaunch *made_by(const Memory *m, uint32_t launch) {
  for (uint32_t i = 0; i < m->children->all.count; i++)
    if (m->children->all.items[i].launch == launch) return &m->children->all.items[i];
  return NULL;
}

static uint32_t root_of(const Memory *m, const HostChildLaunch *child) {
  uint32_t at = child->launch;
  for (const HostChildLaunch *made = child; made; made = made_by(m, at))
    at = made->parent;
  return at;
}

static bool is_at(Memory *m, const LaunchObject *object, Place place) {
  if (object->kind == OBJECT_GLOBAL && place.global && strcmp(object->name, place.global) == 0) return true;
  return object->leaf && place.leaf &&
         (object->leaf == place.leaf || (host_object_of(m->scan, object->leaf)->kind != HOST_POINTER &&
                                         host_object_of(m->scan, place.leaf)->kind != HOST_POINTER &&
                                         !host_leaves_distinct(m->scan, object->leaf, place.leaf)));
}

// But for what kernels do that it launches.
static bool writes(Memory *m, const IrFunction *kernel, uint32_t number, Place place) {
  const HostKernelUse *use = host_kernel_use(m->scan, kernel);
  const LaunchContext *launch = m->scan->result->launches.items[number];
  if (m->is_of_pointers && !use->own.writes_pointers) return false;
  if (use->own.writes_anything) return true;
  if (place.global && host_kernel_writes_variable(use, place.global)) return true;
  for (uint32_t a = 0; a < launch->args.count && a < kernel->params.count; a++)
    for (uint32_t p = 0; use->writes[a] && p < launch->args.items[a].pieces.count; p++) {
      const ArgPiece *piece = &launch->args.items[a].pieces.items[p];
      for (uint32_t t = 0; t < piece->target_count; t++)
        if (is_at(m, &launch->objects.items[piece->targets[t].object], place)) return true;
    }
  return false;
}

static const char *kernel_text(const Memory *m, const IrFunction *kernel, const char *how) {
  return arena_printf(m->scan->arena, "kernel '%s', %s", host_display_name(kernel), how);
}

// Those that launch it. `is_again`: it may be launched more than once in one launch of the host.
static const char *written_above(Memory *m, Place place, bool *is_again) {
  for (const HostChildLaunch *at = m->child; at; at = made_by(m, at->parent)) {
    *is_again |= !at->is_once;
    if (writes(m, at->called, at->parent, place)) return kernel_text(m, at->called, "which launches it");
  }
  return NULL;
}

static const char *written_beside(Memory *m, Place place) {
  for (uint32_t i = 0; i < m->children->all.count; i++) {
    const HostChildLaunch *other = &m->children->all.items[i];
    if (other == m->child || root_of(m, other) != root_of(m, m->child)) continue;
    if (writes(m, other->kernel, other->launch, place))
      return kernel_text(m, other->kernel, "which device code launches as well");
  }
  return NULL;
}

// Kernels that device code launches with any values.
static const char *written_anyhow(Memory *m) {
  for (uint32_t i = 0; i < m->children->loose.count; i++) {
    const IrFunction *kernel = m->children->loose.items[i];
    const HostKernelUse *use = host_kernel_use(m->scan, kernel);
    bool may_write = use->own.writes_anything;
    for (uint32_t a = 0; a < kernel->params.count; a++)
      may_write |= use->writes[a];
    may_write &= !m->is_of_pointers || use->own.writes_pointers;
    if (may_write && kernel != m->child->kernel)
      return kernel_text(m, kernel, "which device code launches in ways that are not followed");
  }
  return NULL;
}

static const char *writer_of(Memory *m, Place place) {
  bool is_again = false;
  const char *who = written_above(m, place, &is_again);
  if (!who) who = written_beside(m, place);
  if (!who) who = written_anyhow(m);
  if (who || !is_again || !writes(m, m->child->kernel, m->child->launch, place)) return who;
  return kernel_text(m, m->child->kernel, "which may be launched more than once");
}

// ---- what is not told any more
static bool is_of(uint32_t object, const char *global, uint32_t asked, const char *name) {
  return asked ? object == asked : !object && global && strcmp(global, name) == 0;
}

static void forget_numbers(LaunchContext *launch, uint32_t object, const char *name) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < launch->contents.count; i++) {
    const LaunchContent *content = &launch->contents.items[i];
    if (!is_of(content->object, content->global, object, name)) launch->contents.items[kept++] = *content;
  }
  launch->contents.count = kept;
}

static void forget_pointers(Memory *m, LaunchContext *launch, LaunchHeld held) {
  for (uint32_t i = 0; i < launch->held.count; i++) {
    LaunchHeld *known = &launch->held.items[i];
    if (known->parameter || !is_of(known->object, known->global, held.object, held.global)) continue;
    known->untold = held.untold;
    return;
  }
  held.element = host_element(m->scan);
  vec_push(m->scan->arena, &launch->held, held);
}

static void settle(Memory *m, LaunchContext *launch, uint32_t object, Place place) {
  LaunchHeld held = {.object = object, .global = object ? NULL : place.global};
  m->is_of_pointers = true;
  held.untold = host_kernel_use(m->scan, m->child->kernel)->reads_pointers ? writer_of(m, place) : NULL;
  if (held.untold) forget_pointers(m, launch, held);
  m->is_of_pointers = false;
  const char *who = writer_of(m, place);
  if (!who) return;
  forget_numbers(launch, object, place.global);
  for (uint32_t bytes = 1; bytes <= 8; bytes *= 2)
    vec_push(m->scan->arena, &launch->untold, ((LaunchUntold){held.object, held.global, bytes, who}));
}

void host_children_memory(HostScan *scan, const HostChildLaunches *children) {
  for (uint32_t i = 0; i < children->all.count; i++) {
    Memory m = {.scan = scan, .children = children, .child = &children->all.items[i]};
    LaunchContext *launch = scan->result->launches.items[m.child->launch];
    const HostKernelUse *use = host_kernel_use(scan, m.child->kernel);
    launch->begun.count = 0;
    for (uint32_t o = 1; o < launch->objects.count; o++) {
      const LaunchObject *object = &launch->objects.items[o];
      Place place = {object->leaf, object->kind == OBJECT_GLOBAL ? object->name : NULL};
      if (object->kind != OBJECT_NULL) settle(&m, launch, o, place);
    }
    for (uint32_t g = 0; g < use->globals.count; g++)
      settle(&m, launch, 0, (Place){.global = use->globals.items[g].name});
  }
}
