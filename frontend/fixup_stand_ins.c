// What may stand for the names that a header which is not there would have declared? What clang complains of says which
// they are, and the text around each what it is: a function (`f(`), a type (`T x`), a value, a member of one of these
// types. They are declared in the header's place as what says nothing: functions without a body that take whatever they
// are given by reference, and one class `any` that converts to each type by such a function. Host code that only
// mentions the library is then compiled and read, its launches with it.
//
// Soundness: a function without a body may do what unseen code may (A5), and each look at an `any` gives another value;
// so this over-approximates functions and values of the header, and types of which the program only has objects that it
// hands on. What a macro of the header does besides is left to A14; that two looks find one number is not known.
// A name that code of the device mentions has no stand-in, for its size and its text decide there: neither where clang
// complains in a declaration of the device, nor where the text of one has the word; nor has one that `sizeof` asks for. Classes are final, so that no class
// of the program is called back through one. Where a function of the program has the name, every kernel is checked for
// any launch (stand_ins_used.c): the call is its, with values that are not seen. If all that does not compile, the code is left out instead (fixup_host.c).
// SPDX-License-Identifier: Apache-2.0
#include "frontend/fixup.h"
#include "core/bug.h"

#include <inttypes.h>
#include <string.h>

static const char prelude[] =
    "#ifndef __HGRD_STAND_INS\n#define __HGRD_STAND_INS\n#include <initializer_list>\nextern \"C++\" {\n"
    "namespace hgrd_missing {\n"
    "struct any;\nstruct looks;\n"
    "struct walk { any &operator*() const; walk &operator++(); bool operator!=(const walk &) const; };\n"
    "struct item { template <class T> item(T &&); };\n"
    "typedef std::initializer_list<item> items;\n"
    "template <class A, bool = __is_class(A)> struct is_any { static const bool value = false; };\n"
    "template <class A> struct is_any<A, true> { static const bool value = __is_base_of(looks, A); };\n"
    "template <class A, class B> struct one_is { static const bool value = is_any<__remove_cvref(A)>::value "
    "|| "
    "is_any<__remove_cvref(B)>::value; };\n"
    "template <bool> struct when {};\n"
    "template <> struct when<true> { typedef int type; };\n";

static const char *const operators[] = {"+",  "-",  "*",  "/", "%", "&",  "|",  "^", "<<",
                                        ">>", "==", "!=", "<", ">", "<=", ">=", ","};
static const char *const assignments[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static bool is_same(const StandIn *a, const StandIn *b) {
  return strcmp(a->scope, b->scope) == 0 && strcmp(a->name, b->name) == 0;
}

static StandIn *find(FixupState *fixups, const StandIn *wanted) {
  for (uint32_t i = 0; i < fixups->stand_ins.count; i++)
    if (is_same(&fixups->stand_ins.items[i], wanted)) return &fixups->stand_ins.items[i];
  return NULL;
}

// True if it is new. What was refused stays so; a type can be called like a function.
static bool note(FixupState *fixups, StandIn made) {
  StandIn *known = find(fixups, &made);
  if (!known) {
    vec_push(fixups->arena, &fixups->stand_ins, made);
    return made.kind != STAND_IN_NONE;
  }
  bool is_changed = known->kind != made.kind && known->kind != STAND_IN_NONE &&
                    (made.kind == STAND_IN_TYPE || made.kind == STAND_IN_NONE);
  if (is_changed) known->kind = made.kind;
  return is_changed;
}

// ---- what clang says

// The name in quotes behind `mark`, without "struct " and the like; NULL if there is none.
static const char *quoted_behind(const char *message, const char *mark, Arena *arena) {
  static const char *const keys[] = {"const ", "struct ", "class ", "union "};
  const char *at = strstr(message, mark), *end;
  if (!at) return NULL;
  at += strlen(mark);
  end = strchr(at, '\'');
  for (size_t i = 0; i < COUNT_OF(keys); i++)
    if (str_starts_with(at, keys[i])) at += strlen(keys[i]);
  return end && end > at ? arena_strndup(arena, at, (size_t)(end - at)) : NULL;
}

static bool is_plain_name(const char *name) {
  for (const char *at = name; *at; at++)
    if (!fixup_is_word(*at) && *at != ':') return false;
  return *name && !(*name >= '0' && *name <= '9');
}

static size_t skip_name(const StrBuf *text, size_t at) {
  while (at < text->length && fixup_is_word(text->text[at]))
    at++;
  return at;
}

// "T x", "T *x", "T &x": what stands behind the name of a type in a declaration.
static bool declares_behind(const StrBuf *text, size_t at) {
  size_t next = fixup_skip_space(text, at);
  while (next < text->length && (text->text[next] == '*' || text->text[next] == '&'))
    next = fixup_skip_space(text, next + 1);
  size_t end = skip_name(text, next);
  if (end == next || next == at) return false;
  next = fixup_skip_space(text, end);
  return next < text->length && strchr(";=,)[({", text->text[next]);
}

// "f<float>(": the one type of a template, and a call.
static bool takes_types(const StrBuf *text, size_t at) {
  if (!fixup_stands_at(text, at, "<")) return false;
  for (at++; at < text->length && (fixup_is_word(text->text[at]) || strchr(": *", text->text[at])); at++) {
  }
  return fixup_stands_at(text, at, ">(");
}

// What the text makes of the name, at the offset or behind the scopes that stand there.
static StandInKind kind_at(const StrBuf *text, size_t at, const char *name) {
  size_t end = skip_name(text, at), next = fixup_skip_space(text, end), length = strlen(name);
  while (fixup_stands_at(text, next, "::") &&
         (end - at != length || memcmp(text->text + at, name, length) != 0)) {
    at = fixup_skip_space(text, next + 2);
    end = skip_name(text, at);
    next = fixup_skip_space(text, end);
  }
  if (fixup_stands_at(text, next, "::")) return STAND_IN_NAMESPACE;
  if (next < text->length && text->text[next] == '(') return STAND_IN_FUNCTION;
  if (takes_types(text, end)) return STAND_IN_TEMPLATE;
  return declares_behind(text, end) ? STAND_IN_TYPE : STAND_IN_VALUE;
}

// "error: no member named 'f' in namespace 'cv'" and its like; `scope` is "" outside of all.
typedef struct Complaint {
  const char *mark, *scope_mark;
  bool is_type, is_member;
} Complaint;

static bool parse(const char *message, const StrBuf *text, size_t at, Arena *arena, StandIn *out) {
  static const Complaint known[] = {
      {"no type named '", "' in namespace '", true, false},
      {"no member named '", "' in namespace '", false, false},
      {"no member named '", "' in '", false, true},
      {"unknown type name '", NULL, true, false},
      {"use of undeclared identifier '", NULL, false, false},
      {"variable has incomplete type '", NULL, true, false},
      {"incomplete definition of type '", NULL, true, false},
      {"member access into incomplete type '", NULL, true, false},
      {"to an incomplete type '", NULL, true, false},
  };
  for (size_t i = 0; i < COUNT_OF(known); i++) {
    const char *name = quoted_behind(message, known[i].mark, arena), *scope = "";
    if (!name) continue;
    if (known[i].scope_mark) scope = quoted_behind(message, known[i].scope_mark, arena);
    if (!scope) continue;
    for (const char *colon; (colon = strstr(name, "::")) != NULL; name = colon + 2)
      scope = arena_printf(arena, "%s%s%.*s", scope, *scope ? "::" : "", (int)(colon - name), name);
    StandInKind kind = kind_at(text, at, name);
    if (known[i].is_type && kind != STAND_IN_FUNCTION) kind = STAND_IN_TYPE; // "ns::f(x);" could declare x
    *out = (StandIn){kind, known[i].is_member, scope, name};
    return is_plain_name(name) && (!*scope || is_plain_name(scope));
  }
  return false;
}

static bool is_stand_in_class(FixupState *fixups, const char *scope) {
  if (strcmp(scope, "hgrd_missing::any") == 0) return true;
  const char *last = scope;
  for (const char *colon; (colon = strstr(last, "::")) != NULL;)
    last = colon + 2;
  StandIn wanted = {.scope =
                        last == scope ? "" : arena_strndup(fixups->arena, scope, (size_t)(last - scope) - 2),
                    .name = last};
  const StandIn *class = find(fixups, &wanted);
  return class && class->kind == STAND_IN_TYPE;
}

bool fixup_stand_in(FixupState *fixups, const StrBuf *text, uint32_t line, uint32_t column,
                    const char *message) {
  StandIn made;
  ASSERT(message);
  size_t at = fixup_offset_of(text, line, column);
  if (fixups->without_stand_ins || at >= text->length || !parse(message, text, at, fixups->arena, &made))
    return false;
  if (made.is_member && (!is_stand_in_class(fixups, made.scope) || made.kind == STAND_IN_NAMESPACE))
    return false;
  if (made.is_member && at >= 2 && fixup_stands_at(text, at - 2, "::")) return false; // static, or a type
  if (fixup_is_of_device(text, at)) made.kind = STAND_IN_NONE;
  return note(fixups, made);
}

// ---- the header

static void put_function(const StandIn *one, const char *behind, StrBuf *out) {
  if (one->kind == STAND_IN_TEMPLATE) {
    strbuf_printf(out, "template <class T, class... A> hgrd_missing::any %s(A &&...)%s;\n", one->name,
                  behind);
    return;
  }
  strbuf_printf(out, "template <class... A> hgrd_missing::any %s(A &&...)%s;\n", one->name, behind);
  strbuf_printf(out, "template <class... A> hgrd_missing::any %s(hgrd_missing::items, A &&...)%s;\n",
                one->name, behind);
}

static void put_members(const FixupState *fixups, const char *class, StrBuf *out) {
  for (uint32_t i = 0; i < fixups->stand_ins.count; i++) {
    const StandIn *one = &fixups->stand_ins.items[i];
    if (!one->is_member || one->kind == STAND_IN_NONE || strcmp(one->scope, class) != 0) continue;
    if (one->kind == STAND_IN_FUNCTION || one->kind == STAND_IN_TEMPLATE)
      put_function(one, " const", out);
    else if (strcmp(class, "hgrd_missing::any") == 0) // has no room for one
      strbuf_printf(out, "static hgrd_missing::any %s;\n", one->name);
    else
      strbuf_printf(out, "hgrd_missing::any %s;\n", one->name);
  }
}

// Last, so that members have small offsets.
static void put_size(StrBuf *out, int64_t bytes) {
  strbuf_printf(out, "char size_that_is_not_known[%" PRId64 "];\n", bytes);
}

static void put_any(const FixupState *fixups, StrBuf *out) {
  strbuf_add(out, prelude);
  strbuf_add(out, "struct looks {\n"
                  "template <class T> operator T() const;\n"
                  "template <class... A> any operator()(A &&...) const;\n"
                  "template <class I> any &operator[](I &&) const;\n"
                  "template <class T> any &operator=(T &&);\n"
                  "any *operator->() const;\nany &operator*() const;\n"
                  "any &operator++();\nany operator++(int);\nany &operator--();\nany operator--(int);\n"
                  "any operator-() const;\nany operator~() const;\nwalk begin() const;\nwalk end() const;\n");
  strbuf_add(out, "};\nstruct any : looks {\nusing looks::operator=;\n");
  put_members(fixups, "hgrd_missing::any", out);
  put_size(out, STAND_IN_BYTES);
  strbuf_add(out, "};\n");
  for (size_t i = 0; i < COUNT_OF(operators); i++)
    strbuf_printf(out,
                  "template <class A, class B, typename when<one_is<A, B>::value>::type = 0> any "
                  "operator%s(A &&, B &&);\n",
                  operators[i]);
  for (size_t i = 0; i < COUNT_OF(assignments); i++)
    strbuf_printf(out,
                  "template <class A, class B, typename when<one_is<A, B>::value>::type = 0> A &operator%s(A "
                  "&, B &&);\n",
                  assignments[i]);
  strbuf_add(out, "}\n");
}

static void put_one(const FixupState *fixups, const StandIn *one, StrBuf *out) {
  if (*one->scope) strbuf_printf(out, "namespace %s { ", one->scope);
  switch (one->kind) {
  case STAND_IN_NONE: break;
  case STAND_IN_NAMESPACE: strbuf_printf(out, "namespace %s {}", one->name); break;
  case STAND_IN_FUNCTION:
  case STAND_IN_TEMPLATE: put_function(one, "", out); break;
  case STAND_IN_VALUE: strbuf_printf(out, "extern hgrd_missing::any %s;", one->name); break;
  case STAND_IN_TYPE:
    strbuf_printf(out,
                  "struct %s final : hgrd_missing::looks {\ntemplate <class... A> %s(A &&...);\n%s(const %s "
                  "&);\n~%s();\n"
                  "%s &operator=(const %s &);\nusing hgrd_missing::looks::operator=;\n",
                  one->name, one->name, one->name, one->name, one->name, one->name, one->name);
    put_members(fixups,
                *one->scope ? arena_printf(fixups->arena, "%s::%s", one->scope, one->name) : one->name, out);
    put_size(out, INT64_C(1) << STAND_IN_BITS);
    strbuf_add(out, "};");
    break;
  }
  strbuf_add(out, *one->scope ? " }\n" : "\n");
}

int fixup_stand_ins_file(const FixupState *fixups) {
  StrBuf text = {.arena = fixups->arena};
  if (!fixup_stand_in_count(fixups)) return -1;
  put_any(fixups, &text);
  for (uint32_t i = 0; i < fixups->stand_ins.count; i++)
    if (!fixups->stand_ins.items[i].is_member) put_one(fixups, &fixups->stand_ins.items[i], &text);
  strbuf_add(&text, "}\n#endif\n");
  return memory_file(text.text, text.length);
}

void fixup_stand_ins_keep(const FixupState *fixups, FixupResult *result) {
  ASSERT(result);
  for (uint32_t i = 0; i < fixups->stand_ins.count; i++) {
    const StandIn *one = &fixups->stand_ins.items[i];
    if (one->kind != STAND_IN_NONE && one->kind != STAND_IN_NAMESPACE)
      vec_push(fixups->arena, &result->stand_ins, one->name);
  }
}

uint32_t fixup_stand_in_count(const FixupState *fixups) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < fixups->stand_ins.count; i++)
    count += fixups->stand_ins.items[i].kind != STAND_IN_NONE;
  return count;
}

// ---- where a stand-in could be told from what it stands for

static bool has_word(const StrBuf *text, size_t start, size_t end, const char *word) {
  for (size_t at = start; at < end; at++)
    if (fixup_is_word_at(text, at, word)) return true;
  return false;
}

// Does the operand have a variable that is declared with the type ("T x", "T *x") anywhere in the text?
static bool has_variable(const StrBuf *text, size_t start, size_t end, const char *type, Arena *arena) {
  for (size_t at = 0; at < text->length; at++) {
    if (!fixup_is_word_at(text, at, type)) continue;
    size_t name = at + strlen(type);
    while (name < text->length && strchr(" \t\n*&", text->text[name]))
      name++;
    size_t behind = skip_name(text, name);
    if (behind > name && has_word(text, start, end, arena_strndup(arena, text->text + name, behind - name)))
      return true;
  }
  return false;
}

// "sizeof(T)", but not "sizeof(T *)"; of a member, "sizeof(x.m)".
static bool has_size_of(const StandIn *one, const StrBuf *text, size_t start, size_t end, Arena *arena) {
  bool is_data = one->kind == STAND_IN_TYPE || one->kind == STAND_IN_VALUE;
  for (size_t at = start; is_data && at < end; at++) {
    if (!fixup_is_word_at(text, at, one->name)) continue;
    bool is_behind_object = at > 0 && strchr(".>", text->text[at - 1]);
    bool is_pointer = fixup_stands_at(text, fixup_skip_space(text, at + strlen(one->name)), "*");
    if (one->is_member ? is_behind_object : !is_pointer) return true;
  }
  return one->kind == STAND_IN_TYPE && has_variable(text, start, end, one->name, arena);
}

// How large a stand-in is says nothing of the type.
static bool asks_for_size(const FixupState *fixups, const StrBuf *text) {
  for (size_t at = 0; at < text->length; at++) {
    const char *asked = fixup_is_word_at(text, at, "sizeof") ? "sizeof" : "alignof";
    if (!fixup_is_word_at(text, at, asked)) continue;
    size_t start = fixup_skip_space(text, at + strlen(asked));
    size_t end = fixup_stands_at(text, start, "(") ? fixup_find_end(text, start + 1, ")") : start;
    while (end == start ||
           (end < text->length && (fixup_is_word(text->text[end]) || strchr(".*->[]", text->text[end]))))
      end++;
    for (uint32_t i = 0; i < fixups->stand_ins.count; i++)
      if (has_size_of(&fixups->stand_ins.items[i], text, start, end, fixups->arena)) return true;
  }
  return false;
}

bool fixup_stand_ins_hold(const FixupState *fixups) {
  for (uint32_t k = 0; k < fixups->patched_count; k++) {
    const StrBuf *text = &fixups->patched[k]->text;
    for (uint32_t i = 0; i < fixups->stand_ins.count; i++) {
      const StandIn *one = &fixups->stand_ins.items[i];
      bool is_data = (one->kind == STAND_IN_TYPE || one->kind == STAND_IN_VALUE) && !one->is_member;
      if (is_data && fixup_device_mentions(text, one->name)) return false;
    }
    if (fixup_stand_in_count(fixups) && asks_for_size(fixups, text)) return false;
  }
  return true;
}
