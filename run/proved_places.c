// Which accesses need no watching? hgrd-check is asked, as a process of its own, for its verdicts on the same files, with the same flags.
// An access is left out if every kernel whose code it may be in has a proof that holds whenever this program launches it, and no pair
// that this place takes part in was left open. Its bounds are still checked, and it still counts in the schedule, so that a seed
// means the same with and without proofs.
//
// Soundness: whatever is not known is watched. A proof counts only if it leans on nothing but ACCEPTED, which hold here but for the
// first: host asserts are compiled in (A3), one launch runs at a time (A4), the program is whole, as it is linked of these files (A5), and
// each access is held against its object (A7). That index arithmetic does not overflow, and numbers that are narrowed fit (A1), nobody
// checks: `--all` watches what leans on it as well. Strong accesses are always watched, since they
// order others. A place that hgrd-check names and that no instruction here has makes its whole kernel watched: then the two
// speak of places differently.
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"

#include <jansson.h>
#include <string.h>

static const char *const ACCEPTED[] = {"A1", "A3", "A4", "A5", "A7"};

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static bool leans_on_accepted(const json_t *kernel) {
  const json_t *ids = json_object_get(kernel, "assumptions");
  for (size_t i = 0; i < json_array_size(ids); i++) {
    const char *id = json_string_value(json_array_get(ids, i));
    bool is_accepted = false;
    for (size_t k = 0; k < sizeof ACCEPTED / sizeof *ACCEPTED; k++)
      is_accepted |= id && strcmp(id, ACCEPTED[k]) == 0;
    if (!is_accepted) return false;
  }
  return json_is_array(ids);
}

// ---- places

static bool is_place(const DevicePlace *place, const SrcLoc *loc) {
  return place->line == loc->line && place->column == loc->column && strcmp(place->file, loc->file) == 0;
}

// Those that memory is touched at, by number. Bundled code that was not inlined has 0.
static void note_places(Device *device) {
  for (LLVMValueRef f = LLVMGetFirstFunction(device->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        bool is_memory = op == LLVMLoad || op == LLVMStore || op == LLVMAtomicRMW ||
                         op == LLVMAtomicCmpXchg || op == LLVMCall;
        uint32_t number = is_memory ? place_of(device, i) : 0;
        while (device->touched.count <= number)
          vec_push(device->arena, &device->touched, false);
        device->touched.items[number] = number != 0;
      }
}

static bool is_touched(const Device *device, const SrcLoc *loc) {
  for (uint32_t i = 1; i < device->touched.count; i++)
    if (device->touched.items[i] && is_place(&device->places.items[i], loc)) return true;
  return false;
}

// ---- what hgrd-check says

static bool take_open_places(Device *device, const json_t *launch) {
  const json_t *places = json_object_get(launch, "openAccesses");
  if (!json_is_array(places)) return false;
  for (size_t i = 0; i < json_array_size(places); i++) {
    const json_t *place = json_array_get(places, i);
    SrcLoc loc = {.file = str_intern(device->strings, text_of(place, "file")),
                  .line = (uint32_t)json_integer_value(json_object_get(place, "line")),
                  .column = (uint32_t)json_integer_value(json_object_get(place, "column"))};
    vec_push(device->arena, &device->open_places, loc);
    if (!is_touched(device, &loc)) return false;
  }
  return true;
}

static bool is_proof(Device *device, const json_t *kernel) {
  const json_t *launches = json_object_get(kernel, "launches");
  bool holds = json_array_size(launches) > 0 && leans_on_accepted(kernel);
  for (size_t i = 0; holds && i < json_array_size(launches); i++)
    holds = take_open_places(device, json_array_get(launches, i));
  return holds;
}

// A name may stand for kernels of several files: then all have to be proved.
static void take_kernel(Device *device, const json_t *kernel) {
  bool holds = is_proof(device, kernel);
  for (uint32_t i = 0; i < device->kernels.count; i++) {
    DeviceKernel *known = &device->kernels.items[i];
    if (strcmp(known->name, text_of(kernel, "mangled")) != 0) continue;
    known->is_proved = holds && (known->is_proved || !known->is_judged);
    known->is_judged = true;
  }
}

// ---- whose code is it?

static bool is_listed(const Device *device, LLVMValueRef function) {
  for (uint32_t i = 0; i < device->watched.count; i++)
    if (device->watched.items[i] == function) return true;
  return false;
}

static void watch_function(Device *device, LLVMValueRef function) {
  if (!LLVMIsDeclaration(function) && !is_listed(device, function))
    vec_push(device->arena, &device->watched, function);
}

static void watch_callees(Device *device, LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
      if (callee && LLVMIsAFunction(callee))
        watch_function(device, callee);
      else if (callee) // it may be any
        for (LLVMValueRef f = LLVMGetFirstFunction(device->module); f; f = LLVMGetNextFunction(f))
          watch_function(device, f);
    }
}

static void watch_what_is_not_proved(Device *device) {
  for (uint32_t i = 0; i < device->kernels.count; i++)
    if (!device->kernels.items[i].is_proved)
      watch_function(device, LLVMGetNamedFunction(device->module, device->kernels.items[i].linked));
  for (uint32_t i = 0; i < device->watched.count; i++) // it grows
    watch_callees(device, device->watched.items[i]);
}

void proofs_read(Device *device, const char *path) {
  ASSERT(device);
  ASSERT(!device->has_proofs);
  json_t *report = path ? json_load_file(path, 0, NULL) : NULL;
  const json_t *kernels = json_object_get(report, "kernels");
  device->has_proofs = json_is_array(kernels);
  if (!device->has_proofs) {
    json_decref(report);
    return;
  }
  note_places(device);
  for (size_t i = 0; i < json_array_size(kernels); i++)
    take_kernel(device, json_array_get(kernels, i));
  json_decref(report);
  watch_what_is_not_proved(device);
}

bool proofs_are_for(const Device *device, LLVMValueRef function) {
  ASSERT(function);
  return device->has_proofs && !is_listed(device, function);
}

bool proofs_cover(const Device *device, uint32_t place) {
  ASSERT(place < device->places.count || place == 0);
  if (place == 0) return false;
  for (uint32_t i = 0; i < device->open_places.count; i++)
    if (is_place(&device->places.items[place], &device->open_places.items[i])) return false;
  return true;
}
