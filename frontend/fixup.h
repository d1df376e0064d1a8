// Files that clang compiles only once their text has been corrected: what the files fixup*.c share, and what compile.c
// asks of them.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FRONTEND_FIXUP_H
#define HGRD_FRONTEND_FIXUP_H

#include "frontend/internal.h"

// ---- fixup.c
#define FIXUP_FOLDER "/hgrd-missing-headers" // not on the disk: of empty headers
typedef struct FixupResult {
  VEC(const char *) device_launches; // names of kernels that device code launches
  VEC(const char *) left_out;  // places of declarations of the host that need a header that is not there
  VEC(const char *) stand_ins; // names of such a header that something stands in for (fixup_stand_ins.c)
  MacroDoubts doubts;          // what may read otherwise with the headers that are not there
  const Process *failure;      // where it could not be mended: the side that failed last; NULL: none did
} FixupResult;
// Compiles one or two sides again with empty headers in place of those that are not found and with spellings
// corrected that only nvcc takes; on success the results are in `sides` and each header is noted.
bool fixup_retry(const Toolchain *tools, uint32_t count, Process **sides, const char *path, Arena *arena,
                 DiagSink *sink, FixupResult *result);

// ---- fixup_complaints.c
// Is it about a spelling of nvcc's that is corrected where nothing else is wrong? A complaint of clang's.
bool fixup_is_of_spelling(const char *complaint, size_t length);
enum { FIXUP_MISSING_LIMIT = 32, FIXUP_PATCHED_LIMIT = 8, FIXUP_EDIT_LIMIT = 256 };

typedef struct Edit {
  uint32_t line, column;
  const char *cut, *put; // what stands there, and what is to stand there
} Edit;

typedef struct Patched {
  const char *path;
  StrBuf text; // with the corrections so far
  uint32_t edit_count;
  Edit edits[FIXUP_EDIT_LIMIT]; // that are to come, in the order of the text
  int file;                     // memory file with the text, or -1
} Patched;

typedef struct MacroUse {
  Patched *patched;
  uint32_t line, column;
} MacroUse;

typedef enum StandInKind {
  STAND_IN_NONE, // has none: code of the device mentions it
  STAND_IN_NAMESPACE,
  STAND_IN_FUNCTION,
  STAND_IN_TEMPLATE, // a function that is called with types in <>
  STAND_IN_VALUE,
  STAND_IN_TYPE
} StandInKind;
typedef struct StandIn { // for a name that a header which is not there would have declared
  StandInKind kind;
  bool is_member;
  const char *scope, *name; // "a::b", "" outside of all
} StandIn;

typedef struct FixupState {
  const Toolchain *tools;
  Arena *arena;
  uint32_t missing_count, patched_count;
  MissingHeader missing[FIXUP_MISSING_LIMIT];
  Patched *patched[FIXUP_PATCHED_LIMIT];
  FixupResult *result;
  int stand_in;     // memory file that stands in place of each header that is not there; -1: an empty one
  int declarations; // memory file with the declarations of `stand_ins`, or -1
  VEC(StandIn) stand_ins;
  bool without_sketches; // an empty header stands for one of which there is a sketch (sketches.c), too
  bool without_stand_ins, has_new_stand_ins; // none are to be made; this round has made some
  bool awaits_declaration;                   // of what the last error speaks of
  MacroUse macro_use; // to which the last error belongs, until it is known where the macro stands
} FixupState;

// What the runs complained about becomes edits, missing headers and declarations in their place. True if there is
// anything new.
bool fixup_note_complaints(FixupState *fixups, uint32_t count, const Process *runs);
bool fixup_add_missing(FixupState *fixups, MissingHeader header); // false: known, or one too many
bool fixup_has_all_headers(const FixupState *fixups);             // no empty one stands in for another

// ---- fixup_stand_ins.c
// Sizes of a class and of any other object that stand in no program by themselves; LLVM hands on no value of 4 GiB.
#define STAND_IN_BITS 57
#define STAND_IN_BYTES INT64_C(1587879400)
// What the message says of a name at the place becomes a declaration in place of the header; true if there is anything
// new.
bool fixup_stand_in(FixupState *fixups, const StrBuf *text, uint32_t line, uint32_t column,
                    const char *message);
void fixup_stand_ins_keep(const FixupState *fixups, FixupResult *result); // their names, but for namespaces
uint32_t fixup_stand_in_count(const FixupState *fixups);
int fixup_stand_ins_file(const FixupState *fixups);  // a memory file with all of them; -1 if there are none
bool fixup_stand_ins_hold(const FixupState *fixups); // nothing that was compiled hangs on what they are

// ---- fixup_launch.c
typedef struct FixupPlace {
  uint32_t line, column;
} FixupPlace;
typedef struct FixupLaunch {
  const char *kernel;                 // name without scopes and template arguments
  const char *callee;                 // "ns::child<int>"
  FixupPlace start, open, close, end; // of the callee, "<<<", ">>>" and the last ")"
  VEC(const char *) macros;           // that the launch comes from, if it stands in one
  size_t arguments; // behind the "(" after ">>>", or after the macro's name where it is used
} FixupLaunch;
// The launch whose name or "<<<" stands at the place.
bool fixup_launch_find(const StrBuf *text, uint32_t line, uint32_t column, Arena *arena, FixupLaunch *out);
// The launch in the macro, defined in `macros`, that is called at the place, or in whose call the place is.
// `kernel` is the argument of that call, if the macro's text has a parameter there.
bool fixup_launch_find_macro(const StrBuf *macros, const StrBuf *text, uint32_t line, uint32_t column,
                             Arena *arena, FixupLaunch *out);
// Behind the "(" of the next call of that name, from `*at` on; and the next argument that is NULL. False if there is
// none.
bool fixup_launch_next_call(const StrBuf *text, const char *name, size_t *at);
bool fixup_launch_next_null(const StrBuf *text, size_t *at);

// ---- fixup_text.c
bool fixup_is_word(char c); // of a name
bool fixup_stands_at(const StrBuf *text, size_t at, const char *what);
bool fixup_is_word_at(const StrBuf *text, size_t at, const char *word); // the whole word
size_t fixup_skip_space(const StrBuf *text, size_t at);
size_t fixup_skip_quoted(const StrBuf *text, size_t at); // behind a string, character or comment at `at`
// The bracket or mark that ends what begins at `at`, brackets within left out, and the brace that closes the
// one at `at`; the length of the text if there is none.
size_t fixup_find_end(const StrBuf *text, size_t at, const char *end);
size_t fixup_matching_brace(const StrBuf *text, size_t at);
size_t fixup_offset_of(const StrBuf *text, uint32_t line, uint32_t column);
FixupPlace fixup_place_of(const StrBuf *text, size_t offset);

// ---- fixup_host.c
typedef struct FixupCut {
  FixupPlace start;
  const char *cut, *put;
} FixupCut;
// What of the host's code around the place is left out, and what stands in its stead.
bool fixup_leave_out(const StrBuf *text, uint32_t line, uint32_t column, Arena *arena, FixupCut *out);
bool fixup_is_of_device(const StrBuf *text, size_t at);           // what is declared there
bool fixup_device_mentions(const StrBuf *text, const char *word); // a declaration of the device has the word

// ---- fixup_spelling.c
bool fixup_missing_comma(const StrBuf *text, uint32_t line, uint32_t column, FixupCut *out);
bool fixup_missing_template(const StrBuf *text, uint32_t line, uint32_t column, Arena *arena, FixupCut *out);
bool fixup_zeroed_array(const StrBuf *text, uint32_t line, uint32_t column, Arena *arena, FixupCut *out);
bool fixup_braced_dimension(const StrBuf *text, uint32_t line, uint32_t column, FixupCut *out);
bool fixup_parted_launch(const StrBuf *text, uint32_t line, uint32_t column, Arena *arena, FixupCut *out);

#endif
