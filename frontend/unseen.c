// Which classes have member functions whose text is not in the files? Such a function may write to private
// members of objects that it is given, so that what the visible writers keep proves nothing (hostscan, A13).
// Method: debug information lists all functions that a class declares. The classes are found from the
// functions, parameters and variables of the linked module, and from their bases and members. A declared
// function is seen if a definition refers to its declaration, or has its name. Asked before anything is
// inlined. Soundness: what only looks (const), what cannot be called (deleted) and destructors, behind which
// there is no object, do not count; a constructor without parameters is taken to make zeros, a copy to copy
// (A13). A class that is not listed is not known, and may have such functions; so may one of which only a
// declaration was seen. The private members of a class are listed as well. Friends and derived classes in
// other files are not looked for (A13).
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"
#include "core/bug.h"

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
enum {
  TAG_ARRAY = 0x01,
  TAG_CLASS = 0x02,
  TAG_ENUM = 0x04,
  TAG_MEMBER = 0x0d,
  TAG_STRUCT = 0x13,
  TAG_TYPEDEF = 0x16,
  TAG_UNION = 0x17,
  TAG_INHERITANCE = 0x1c,
  TAG_CONST = 0x26,
  TAG_VOLATILE = 0x35,
  MOST_OPERANDS = 4096,
  DEEPEST_SCOPE = 16
};
enum { // flags of nodes of debug information
  FLAG_ACCESS = 3,
  FLAG_PRIVATE = 1,
  FLAG_PROTECTED = 2,
  FLAG_VIRTUAL = 1 << 5,
  FLAG_STATIC = 1 << 12,
  FLAG_BIT_FIELD = 1 << 19
};

typedef struct Operands {
  unsigned count;
  LLVMValueRef *items;
} Operands;

typedef struct Found {
  IrClass class;
  bool is_whole; // its members are listed
} Found;

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
  VEC(Found) found;
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

// ---- classes

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

// ---- functions

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

// ---- private members

static LLVMMetadataRef plain_type(Survey *s, LLVMMetadataRef type) {
  for (int step = 0; type && step < DEEPEST_SCOPE; step++) {
    bool is_named = LLVMGetMetadataKind(type) == LLVMDIDerivedTypeMetadataKind &&
                    (LLVMGetDINodeTag(type) == TAG_TYPEDEF || LLVMGetDINodeTag(type) == TAG_CONST ||
                     LLVMGetDINodeTag(type) == TAG_VOLATILE);
    if (!is_named) return type;
    type = child(s, type, TYPE_BASE);
  }
  return NULL;
}

// Members of a `class` are private unless they say otherwise, those of a `struct` public.
static bool is_private(LLVMMetadataRef class, unsigned flags) {
  unsigned access = flags & FLAG_ACCESS;
  return access == FLAG_PRIVATE || access == FLAG_PROTECTED ||
         (access == 0 && LLVMGetDINodeTag(class) == TAG_CLASS);
}

static bool is_class(LLVMMetadataRef type) {
  uint16_t tag = LLVMGetDINodeTag(type);
  return tag == TAG_CLASS || tag == TAG_STRUCT || tag == TAG_UNION;
}

// Of members and bases that are classes themselves, what those hide: another may be given the whole of them. A private member that is a
// class counts as a whole as well.
static void hidden_in(Survey *s, LLVMMetadataRef class, uint64_t start, int depth, IrClass *out) {
  Operands all = operands_of(s, child(s, class, CLASS_ELEMENTS));
  for (unsigned i = 0; i < all.count && depth < DEEPEST_SCOPE; i++) {
    LLVMMetadataRef element =
        all.items[i] && LLVMIsAMDNode(all.items[i]) ? LLVMValueAsMetadata(all.items[i]) : NULL;
    if (!element || LLVMGetMetadataKind(element) != LLVMDIDerivedTypeMetadataKind) continue;
    uint16_t tag = LLVMGetDINodeTag(element);
    unsigned flags = (unsigned)LLVMDITypeGetFlags(element);
    uint64_t at = start + LLVMDITypeGetOffsetInBits(element) / 8;
    LLVMMetadataRef type = plain_type(s, child(s, element, TYPE_BASE));
    bool is_here = (tag == TAG_MEMBER && !(flags & (FLAG_STATIC | FLAG_BIT_FIELD))) ||
                   (tag == TAG_INHERITANCE && !(flags & FLAG_VIRTUAL));
    if (!is_here || !type) continue;
    bool is_composite = LLVMGetMetadataKind(type) == LLVMDICompositeTypeMetadataKind;
    if (is_private(class, flags) && (!is_composite || (tag == TAG_MEMBER && is_class(type))))
      vec_push(s->scratch, &out->hidden, ((IrHidden){at, LLVMDITypeGetSizeInBits(type) / 8}));
    if (is_composite) hidden_in(s, type, at, depth + 1, out);
  }
}

static int compare_hidden(const void *a, const void *b) {
  const IrHidden *left = a, *right = b;
  if (left->at != right->at) return left->at < right->at ? -1 : 1;
  return (left->bytes > right->bytes) - (left->bytes < right->bytes);
}

// Equal names may mean different classes: only what all of them hide counts.
static void keep_common(IrClass *kept, const IrClass *other) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < kept->hidden.count; i++)
    for (uint32_t k = 0; k < other->hidden.count; k++)
      if (compare_hidden(&kept->hidden.items[i], &other->hidden.items[k]) == 0) {
        kept->hidden.items[count++] = kept->hidden.items[i];
        break;
      }
  kept->hidden.count = count;
}

// ---- the list

static void add_class(Survey *s, const char *name, Found found) {
  found.class.name = name;
  if (name && !is_of_library(name)) vec_push(s->scratch, &s->found, found);
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
    add_class(s, class_name(s, base), (Found){.class = unseen});
    add_bases(s, base, unseen, depth + 1);
  }
}

static void list_class(Survey *s, LLVMMetadataRef class) {
  const char *name = class_name(s, class), *id = text(s, class, CLASS_IDENTIFIER);
  Found found = {.is_whole = child(s, class, CLASS_ELEMENTS) != NULL};
  if (!name || is_of_library(name)) return;
  if (!found.is_whole && id && ptr_map_get(&s->complete, str_intern(s->strings, id), NULL)) return;
  if (found.is_whole)
    found.class = unseen_in(s, class);
  else
    found.class.unseen = "(declaration)"; // all there is
  IrClass unseen = found.class;
  hidden_in(s, class, 0, 0, &found.class);
  if (found.class.hidden.count)
    qsort(found.class.hidden.items, found.class.hidden.count, sizeof(IrHidden), compare_hidden);
  add_class(s, name, found);
  if (unseen.unseen) add_bases(s, class, unseen, 0);
}

// The worst of what is known of one name comes first.
static int compare_classes(const void *a, const void *b) {
  const IrClass *left = &((const Found *)a)->class, *right = &((const Found *)b)->class;
  int order = strcmp(left->name, right->name);
  if (order != 0) return order;
  if (!left->unseen != !right->unseen) return (right->unseen != NULL) - (left->unseen != NULL);
  if (left->constructs != right->constructs) return left->constructs - right->constructs;
  return left->unseen ? strcmp(left->unseen, right->unseen) : 0;
}

// One class for the `count` entries of one name.
static IrClass common_class(const Found *found, uint32_t count) {
  IrClass common = found[0].class;
  const Found *whole = NULL;
  for (uint32_t i = 0; i < count; i++) {
    if (!found[i].is_whole) continue;
    if (whole)
      keep_common(&common, &found[i].class);
    else
      common.hidden.items = found[i].class.hidden.items, common.hidden.count = found[i].class.hidden.count;
    whole = &found[i];
  }
  return common;
}

static void add_common(Arena *arena, StrTable *strings, const Found *found, uint32_t count, IrClasses *out) {
  IrClass common = common_class(found, count), class = common;
  class.hidden.items = NULL;
  class.hidden.count = class.hidden.capacity = 0;
  for (uint32_t i = 0; i < common.hidden.count; i++) {
    const IrHidden *hidden = &common.hidden.items[i];
    bool is_first =
        class.hidden.count == 0 || compare_hidden(&vec_last(&class.hidden), hidden) != 0; // of a union
    if (is_first) vec_push(arena, &class.hidden, *hidden);
  }
  if (class.unseen) class.unseen = str_intern(strings, class.unseen);
  vec_push(arena, out, class);
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
  ASSERT(module);
  ASSERT(out);
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
  const Found *found = s.found.items;
  if (s.found.count) qsort(s.found.items, s.found.count, sizeof *s.found.items, compare_classes);
  for (uint32_t i = 0, end = 0; i < s.found.count; i = end) {
    for (end = i + 1; end < s.found.count && strcmp(found[i].class.name, found[end].class.name) == 0;)
      end++;
    add_common(arena, strings, &found[i], end - i, out);
  }
  arena_close(scratch);
}
