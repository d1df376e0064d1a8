// Which classes have member functions whose text is not in the files? Such a function may write to private
// members of objects that it is given, so that what the visible writers keep proves nothing (hostscan, A13).
// Method: debug information lists all functions that a class declares. The classes are found from the
// functions, parameters and variables of the linked module, and from their bases and members. A declared
// function is seen if a definition refers to its declaration, or has its name. Asked before anything is
// inlined. Soundness: what only looks (const), what cannot be called (deleted) and destructors, behind which
// there is no object, do not count; a constructor without parameters is taken to make zeros, a copy to copy
// (A13). A class that is not listed is not known, and may have such functions; so may one of which only a
// declaration was seen. Friends and derived classes in other files are not looked for (A13).
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"

#include <stdlib.h>
#include <string.h>

enum { // operands of nodes of debug information, which have no accessors in LLVM-C
  NODE_SCOPE = 1,
  NODE_NAME = 2,
  FUNCTION_LINKAGE_NAME = 3,
  FUNCTION_TYPE = 4,
  FUNCTION_DECLARATION = 6,
  TYPE_BASE = 3,
  CLASS_ELEMENTS = 4,
  CLASS_IDENTIFIER = 7,
  SIGNATURE_TYPES = 3,
  VARIABLE_TYPE = 3
};
enum { TAG_ARRAY = 0x01, TAG_ENUM = 0x04, TAG_INHERITANCE = 0x1c, MOST_OPERANDS = 4096, DEEPEST_SCOPE = 16 };

typedef struct Operands {
  unsigned count;
  LLVMValueRef *items;
} Operands;

typedef struct Survey {
  LLVMModuleRef module;
  LLVMContextRef context;
  Arena *scratch;
  StrTable *strings;
  PtrMap seen;               // types
  PtrMap defined;            // constructors, as "class constructor line", interned
  PtrMap complete;           // identifiers of classes, interned
  VEC(LLVMMetadataRef) work; // types to look at
  VEC(LLVMMetadataRef) classes;
  VEC(IrClass) found;
} Survey;

static Operands operands_of(Survey *s, LLVMMetadataRef node) {
  Operands none = {0, NULL};
  LLVMValueRef value = node ? LLVMMetadataAsValue(s->context, node) : NULL;
  if (!value || !LLVMIsAMDNode(value)) return none;
  unsigned count = LLVMGetMDNodeNumOperands(value);
  if (count == 0 || count > MOST_OPERANDS) return none;
  Operands all = {count, arena_array(s->scratch, count, LLVMValueRef)};
  LLVMGetMDNodeOperands(value, all.items);
  return all;
}

static LLVMMetadataRef child(Survey *s, LLVMMetadataRef node, unsigned index) {
  Operands all = operands_of(s, node);
  bool is_node = index < all.count && all.items[index] && LLVMIsAMDNode(all.items[index]);
  return is_node ? LLVMValueAsMetadata(all.items[index]) : NULL;
}

static const char *text(Survey *s, LLVMMetadataRef node, unsigned index) {
  Operands all = operands_of(s, node);
  unsigned length = 0;
  bool is_text = index < all.count && all.items[index] && LLVMIsAMDString(all.items[index]);
  const char *found = is_text ? LLVMGetMDString(all.items[index], &length) : NULL;
  return found && length ? arena_strndup(s->scratch, found, length) : NULL;
}

// ---- classes --------------------------------------------------------------------------------------------

static void add_type(Survey *s, LLVMMetadataRef type) {
  if (!type || ptr_map_get(&s->seen, type, NULL)) return;
  ptr_map_put(&s->seen, type, 1);
  vec_push(s->scratch, &s->work, type);
}

static void add_types_in(Survey *s, LLVMMetadataRef list) {
  Operands all = operands_of(s, list);
  for (unsigned i = 0; i < all.count; i++)
    if (all.items[i] && LLVMIsAMDNode(all.items[i])) add_type(s, LLVMValueAsMetadata(all.items[i]));
}

static void add_function(Survey *s, LLVMValueRef function) {
  LLVMMetadataRef node = LLVMGetSubprogram(function);
  if (!node) return;
  add_type(s, child(s, node, NODE_SCOPE));
  add_types_in(s, child(s, child(s, node, FUNCTION_TYPE), SIGNATURE_TYPES));
}

static void add_global(Survey *s, LLVMValueRef global) {
  size_t count = 0;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
  for (unsigned i = 0; i < count; i++) {
    LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
    if (LLVMGetMetadataKind(node) != LLVMDIGlobalVariableExpressionMetadataKind) continue;
    LLVMMetadataRef variable = LLVMDIGlobalVariableExpressionGetVariable(node);
    if (variable) add_type(s, child(s, variable, VARIABLE_TYPE));
  }
  if (entries) LLVMDisposeValueMetadataEntries(entries);
}

static void follow(Survey *s, LLVMMetadataRef type) {
  LLVMMetadataKind kind = LLVMGetMetadataKind(type);
  if (kind == LLVMDIDerivedTypeMetadataKind) {
    add_type(s, child(s, type, TYPE_BASE));
  } else if (kind == LLVMDICompositeTypeMetadataKind) {
    uint16_t tag = LLVMGetDINodeTag(type);
    if (tag == TAG_ARRAY) add_type(s, child(s, type, TYPE_BASE));
    if (tag == TAG_ARRAY || tag == TAG_ENUM) return;
    vec_push(s->scratch, &s->classes, type);
    add_types_in(s, child(s, type, CLASS_ELEMENTS));
  }
}

static const char *class_name(Survey *s, LLVMMetadataRef class) {
  const char *id = text(s, class, CLASS_IDENTIFIER), *name = text(s, class, NODE_NAME);
  if (id && str_starts_with(id, "_ZTS")) return class_name_of_id(s->scratch, s->strings, id + 4);
  if (!name) return NULL;
  const char *whole = class_without_arguments(s->scratch, s->strings, name, strlen(name));
  LLVMMetadataRef scope = child(s, class, NODE_SCOPE);
  for (int depth = 0; scope && depth < DEEPEST_SCOPE; depth++, scope = child(s, scope, NODE_SCOPE)) {
    LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
    bool is_space = kind == LLVMDINamespaceMetadataKind;
    if (!is_space && kind != LLVMDICompositeTypeMetadataKind) break;
    const char *outer = text(s, scope, NODE_NAME);
    if (!outer && !is_space) break;
    outer = outer ? class_without_arguments(s->scratch, s->strings, outer, strlen(outer))
                  : "(anonymous namespace)";
    whole = arena_printf(s->scratch, "%s::%s", outer, whole);
  }
  return str_intern(s->strings, whole);
}

static bool is_of_library(const char *name) {
  return str_starts_with(name, "std::") || str_starts_with(name, "__gnu") || str_starts_with(name, "__");
}

// ---- functions ------------------------------------------------------------------------------------------

// Constructors are declared without a linkage name. Two files have two nodes for one declaration.
static const char *place_key(Survey *s, LLVMMetadataRef declaration) {
  LLVMMetadataRef class = child(s, declaration, NODE_SCOPE);
  const char *owner = class ? class_name(s, class) : NULL, *name = text(s, declaration, NODE_NAME);
  if (!owner || !name) return NULL;
  return str_intern(s->strings,
                    arena_printf(s->scratch, "%s %s %u", owner, name, LLVMDISubprogramGetLine(declaration)));
}

static void note_definition(Survey *s, LLVMValueRef function) {
  LLVMMetadataRef node = LLVMIsDeclaration(function) ? NULL : LLVMGetSubprogram(function);
  LLVMMetadataRef declaration = node ? child(s, node, FUNCTION_DECLARATION) : NULL;
  if (!declaration || text(s, declaration, FUNCTION_LINKAGE_NAME)) return;
  const char *key = place_key(s, declaration);
  if (key) ptr_map_put(&s->defined, key, 1);
}

static bool is_defined(Survey *s, LLVMMetadataRef declaration) {
  const char *linkage = text(s, declaration, FUNCTION_LINKAGE_NAME);
  if (!linkage) {
    const char *key = place_key(s, declaration);
    return key && ptr_map_get(&s->defined, key, NULL);
  }
  LLVMValueRef function = LLVMGetNamedFunction(s->module, linkage);
  return function && !LLVMIsDeclaration(function);
}

// The printed node has flags that LLVM-C does not give.
static bool is_deleted(Survey *s, LLVMMetadataRef declaration) {
  char *printed = LLVMPrintValueToString(LLVMMetadataAsValue(s->context, declaration));
  bool is_found = printed && strstr(printed, "DISPFlagDeleted");
  LLVMDisposeMessage(printed);
  return is_found;
}

// Is it the class itself, or a reference to it, perhaps const?
static bool refers_to(Survey *s, LLVMMetadataRef type, LLVMMetadataRef class) {
  for (int step = 0; type && type != class && step < DEEPEST_SCOPE; step++) {
    if (LLVMGetMetadataKind(type) != LLVMDIDerivedTypeMetadataKind) return false;
    type = child(s, type, TYPE_BASE);
  }
  return type == class;
}

// A constructor without parameters, or what copies or moves a whole object.
static bool makes_or_copies(Survey *s, LLVMMetadataRef declaration, const char *name) {
  LLVMMetadataRef signature = child(s, declaration, FUNCTION_TYPE), class = child(s, declaration, NODE_SCOPE);
  Operands types = operands_of(s, child(s, signature, SIGNATURE_TYPES)); // result, object, parameters
  bool is_constructor = !text(s, declaration, FUNCTION_LINKAGE_NAME);
  if (is_constructor && types.count == 2) return true;
  if (types.count != 3 || !types.items[2] || !(is_constructor || strcmp(name, "operator=") == 0))
    return false;
  return refers_to(s, LLVMValueAsMetadata(types.items[2]), class);
}

static bool may_write(Survey *s, LLVMMetadataRef declaration) {
  const char *linkage = text(s, declaration, FUNCTION_LINKAGE_NAME), *name = text(s, declaration, NODE_NAME);
  bool looks_only = (linkage && str_starts_with(linkage, "_ZNK")) || (name && name[0] == '~');
  if (looks_only || is_defined(s, declaration)) return false;
  return !is_deleted(s, declaration) && !(name && makes_or_copies(s, declaration, name));
}

// The first that is no constructor, else the first.
static IrClass unseen_in(Survey *s, LLVMMetadataRef class) {
  IrClass found = {0};
  Operands all = operands_of(s, child(s, class, CLASS_ELEMENTS));
  for (unsigned i = 0; i < all.count; i++) {
    LLVMMetadataRef element =
        all.items[i] && LLVMIsAMDNode(all.items[i]) ? LLVMValueAsMetadata(all.items[i]) : NULL;
    if (!element || LLVMGetMetadataKind(element) != LLVMDISubprogramMetadataKind) continue;
    if (!may_write(s, element)) continue;
    const char *name = text(s, element, NODE_NAME);
    bool constructs = !text(s, element, FUNCTION_LINKAGE_NAME);
    if (!found.unseen || (found.constructs && !constructs))
      found = (IrClass){.unseen = name ? name : "(unnamed)", .constructs = constructs};
  }
  return found;
}

// ---- the list -------------------------------------------------------------------------------------------

static void add_class(Survey *s, const char *name, IrClass class) {
  class.name = name;
  if (name && !is_of_library(name)) vec_push(s->scratch, &s->found, class);
}

// What functions of a derived class may write are members of its bases as well.
static void add_bases(Survey *s, LLVMMetadataRef class, IrClass unseen, int depth) {
  Operands all = operands_of(s, child(s, class, CLASS_ELEMENTS));
  for (unsigned i = 0; i < all.count && depth < DEEPEST_SCOPE; i++) {
    LLVMMetadataRef element =
        all.items[i] && LLVMIsAMDNode(all.items[i]) ? LLVMValueAsMetadata(all.items[i]) : NULL;
    if (!element || LLVMGetMetadataKind(element) != LLVMDIDerivedTypeMetadataKind) continue;
    LLVMMetadataRef base = child(s, element, TYPE_BASE);
    if (LLVMGetDINodeTag(element) != TAG_INHERITANCE || !base) continue;
    add_class(s, class_name(s, base), unseen);
    add_bases(s, base, unseen, depth + 1);
  }
}

static void list_class(Survey *s, LLVMMetadataRef class) {
  const char *name = class_name(s, class), *id = text(s, class, CLASS_IDENTIFIER);
  IrClass unseen = {0};
  if (!name || is_of_library(name)) return;
  if (child(s, class, CLASS_ELEMENTS))
    unseen = unseen_in(s, class);
  else if (!id || !ptr_map_get(&s->complete, str_intern(s->strings, id), NULL))
    unseen.unseen = "(declaration)"; // all there is
  add_class(s, name, unseen);
  if (unseen.unseen) add_bases(s, class, unseen, 0);
}

static int compare_classes(const void *a, const void *b) {
  const IrClass *left = a, *right = b;
  int order = strcmp(left->name, right->name);
  if (order != 0) return order;
  if (!left->unseen || !right->unseen) return (right->unseen != NULL) - (left->unseen != NULL);
  if (left->constructs != right->constructs) return left->constructs - right->constructs;
  return strcmp(left->unseen, right->unseen);
}

static void find_classes(Survey *s) {
  for (LLVMValueRef f = LLVMGetFirstFunction(s->module); f; f = LLVMGetNextFunction(f)) {
    add_function(s, f);
    note_definition(s, f);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(s->module); g; g = LLVMGetNextGlobal(g))
    add_global(s, g);
  while (s->work.count)
    follow(s, s->work.items[--s->work.count]);
  for (uint32_t i = 0; i < s->classes.count; i++) {
    const char *id = text(s, s->classes.items[i], CLASS_IDENTIFIER);
    bool is_whole = id && child(s, s->classes.items[i], CLASS_ELEMENTS);
    if (is_whole) ptr_map_put(&s->complete, str_intern(s->strings, id), 1);
  }
}

void classes_survey(LLVMModuleRef module, Arena *arena, StrTable *strings, IrClasses *out) {
  Arena *scratch = arena_open();
  Survey s = {.module = module,
              .context = LLVMGetModuleContext(module),
              .scratch = scratch,
              .strings = strings,
              .seen = {.arena = scratch},
              .defined = {.arena = scratch},
              .complete = {.arena = scratch}};
  find_classes(&s);
  for (uint32_t i = 0; i < s.classes.count; i++)
    list_class(&s, s.classes.items[i]);
  if (s.found.count) qsort(s.found.items, s.found.count, sizeof *s.found.items, compare_classes);
  for (uint32_t i = 0; i < s.found.count; i++) {
    IrClass class = s.found.items[i];
    if (out->count && strcmp(vec_last(out).name, class.name) == 0) continue;
    if (class.unseen) class.unseen = str_intern(strings, class.unseen);
    vec_push(arena, out, class);
  }
  arena_close(scratch);
}
