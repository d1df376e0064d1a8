// What did clang read, and what did it look for in vain? Enough to say later that it would read the same
// again.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FRONTEND_INPUTS_H
#define HGRD_FRONTEND_INPUTS_H

#include "core/codec.h"
#include "core/digest.h"
#include "frontend/internal.h"

typedef struct InputFile {
  const char *path;
  Digest content;
} InputFile;

typedef struct Inputs {
  VEC(InputFile) files;
  VEC(const char *) names, folders; // what was asked for, and where that was looked for
  VEC(HeaderSearch) searches;       // in folders around
  Digest
      there; // which of the names were in which of the folders, as files or folders; which of folders and files are one
} Inputs;

// Of files and folders, asked once each: for the inputs of many units.
typedef struct InputMemo InputMemo;
InputMemo *input_memo_make(Arena *arena, const Overlay *overlay);

// From the trail and the folders that clang searches. False if it cannot be told, or not be told again: a file that
// was changed since the first attempt, one that is gone.
bool inputs_gather(const Trail *trail, const FrontendPaths *folders, InputMemo *memo, Inputs *out);
bool inputs_hold(const Inputs *inputs, InputMemo *memo);
void inputs_code(Codec *codec, Inputs *inputs);
Digest input_digest(InputMemo *memo, const char *path, bool *is_there);

// ---- search_folders.c
// Where clang looks for headers, as it says of this command; false if it cannot be asked.
bool inputs_search_folders(const char *const *compile, Arena *arena, FrontendPaths *out);

// ---- asked.c
// Of which headers a text asks whether they are there.
typedef struct Asked {
  FrontendPaths names;
  FrontendPaths words;   // macros that hand their argument on to the question
  FrontendPaths spelled; // words of names that are others if these are macros
  bool is_untold;        // a name that a macro makes
} Asked;
// Adds what `word`, a macro or clang's own, asks for in a text of asked_lines.
void asked_names(const char *text, const char *word, bool is_macro, Arena *arena, Asked *out);
const char *asked_lines(const char *text, Arena *arena); // without ends of lines that a backslash takes away
// The name in "x.h" or <x.h>; NULL if none stands there.
const char *asked_header(const char *at, const char **end);
const char *asked_directive(const char *line);                 // its word, behind `#`; NULL: none
const char *asked_defined(const char *line, const char **end); // the macro that it defines, or NULL

#endif
