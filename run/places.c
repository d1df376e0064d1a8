// Where in the user's source is an instruction? Debug locations are walked outwards, through what was inlined, to the first text that
// is the user's: an access in a bundled header is told at the line that called it. Code of such a header that was not inlined has
// no place of its own; it runs under that of the user's call.
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"
#include "core/path.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_listed(const char *file, uint32_t count, const char *const *list) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i] == file) return true;
  return false;
}

bool is_system_text(Device *device, const char *file) {
  ASSERT(file);
  if (is_listed(file, device->user_files.count, device->user_files.items)) return false;
  if (is_listed(file, device->system_files.count, device->system_files.items)) return true;
  bool is_system = !*file || frontend_is_system(device->options, file);
  if (is_system)
    vec_push(device->arena, &device->system_files, file);
  else
    vec_push(device->arena, &device->user_files, file);
  return is_system;
}

static bool is_here(const char *directory) {
  const char *shell_folder = getenv("PWD"); // what clang goes by, when it names the same folder
  char *folder = getcwd(NULL, 0);
  bool is_same =
      (folder && strcmp(folder, directory) == 0) || (shell_folder && strcmp(shell_folder, directory) == 0);
  free(folder);
  return is_same;
}

// Of a file that has the beginning of its path in common with the folder that clang runs in, clang writes down that beginning as the
// file's directory, and only the rest as its name.
static const char *file_name(LLVMMetadataRef file, Device *device) {
  unsigned length = 0, directory_length = 0;
  const char *name = LLVMDIFileGetFilename(file, &length);
  if (!name) return "";
  const char *directory = length && name[0] != '/' ? LLVMDIFileGetDirectory(file, &directory_length) : NULL;
  if (!directory || !directory_length) return str_intern_n(device->strings, name, length);
  directory = arena_strndup(device->arena, directory, directory_length);
  const char *own = arena_strndup(device->arena, name, length);
  const char *whole = str_intern(device->strings, path_join(directory, own, device->arena));
  bool is_whole = is_system_text(device, whole) || !is_here(directory);
  return is_whole ? whole : str_intern_n(device->strings, name, length);
}

const char *scope_file(LLVMMetadataRef scope, Device *device) {
  ASSERT(device);
  LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
  if (!file) return "";
  if (file != device->last_file) device->last_name = file_name(file, device);
  device->last_file = file;
  return device->last_name;
}

bool is_system_function(Device *device, LLVMValueRef function) {
  ASSERT(function);
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  return !subprogram || is_system_text(device, scope_file(subprogram, device));
}

// The subprogram that a scope is in, by the operands of its node: {file, scope, name, ...}.
static const char *scope_name(Device *device, LLVMMetadataRef scope) {
  for (int depth = 0; scope && depth < 64; depth++) {
    LLVMValueRef node = LLVMMetadataAsValue(device->context, scope), operands[16];
    int count = LLVMGetMDNodeNumOperands(node);
    if (count < 3 || count > 16) return "";
    LLVMGetMDNodeOperands(node, operands);
    LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
    if (kind == LLVMDISubprogramMetadataKind) {
      unsigned length = 0;
      const char *name = operands[2] ? LLVMGetMDString(operands[2], &length) : NULL;
      return name ? str_intern_n(device->strings, name, length) : "";
    }
    if (!operands[1]) return "";
    scope = LLVMValueAsMetadata(operands[1]);
  }
  return "";
}

const char *function_text(Device *device, LLVMValueRef function) {
  ASSERT(function);
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  const char *name = subprogram ? scope_name(device, subprogram) : "";
  return *name ? name : str_intern(device->strings, value_text(function));
}

void function_place(Device *device, LLVMValueRef function, const char **file, uint32_t *line) {
  ASSERT(function);
  ASSERT(file);
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  *file = subprogram ? scope_file(subprogram, device) : "";
  *line = subprogram ? LLVMDISubprogramGetLine(subprogram) : 0;
}

static uint64_t place_hash(const DevicePlace *place) {
  uint64_t hash = str_hash(place->file, strlen(place->file), place->line);
  hash = str_hash(place->function, strlen(place->function), hash ^ place->column);
  return place->path ? str_hash(place->path, strlen(place->path), hash) : hash;
}

static bool same_place(const DevicePlace *a, const DevicePlace *b) { // texts are interned
  return a->file == b->file && a->function == b->function && a->path == b->path && a->line == b->line &&
         a->column == b->column;
}

static uint32_t place_number(Device *device, const DevicePlace *place) {
  if (device->places.count == 0) vec_push(device->arena, &device->places, (DevicePlace){"", "", NULL, 0, 0});
  uint32_t hash = (uint32_t)place_hash(place), number = 0;
  for (TableLook look = table_look(&device->place_table, hash); (number = table_next(&look)) != 0;)
    if (same_place(&device->places.items[number], place)) return number;
  table_add(device->arena, &device->place_table, hash, device->places.count);
  vec_push(device->arena, &device->places, *place);
  return device->places.count - 1;
}

// "FILE:LINE, FILE:LINE": the calls of the user's text that were inlined, outermost first.
static const char *path_text(Device *device, LLVMMetadataRef outer) {
  StrBuf text = {.arena = device->arena};
  LLVMMetadataRef chain[32];
  int count = 0;
  for (; outer && count < 32; outer = LLVMDILocationGetInlinedAt(outer))
    chain[count++] = outer;
  while (count-- > 0) {
    const char *file = scope_file(LLVMDILocationGetScope(chain[count]), device);
    if (!is_system_text(device, file))
      strbuf_printf(&text, "%s%s:%u", text.length ? ", " : "", file, LLVMDILocationGetLine(chain[count]));
  }
  return text.length ? str_intern(device->strings, text.text) : NULL;
}

uint32_t place_of(Device *device, LLVMValueRef instruction) {
  ASSERT(instruction);
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
  for (; location; location = LLVMDILocationGetInlinedAt(location)) {
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    const char *file = scope_file(scope, device);
    if (LLVMDILocationGetLine(location) == 0 || is_system_text(device, file)) continue;
    DevicePlace place = {file, scope_name(device, scope),
                         path_text(device, LLVMDILocationGetInlinedAt(location)),
                         LLVMDILocationGetLine(location), LLVMDILocationGetColumn(location)};
    return place_number(device, &place);
  }
  return 0;
}
