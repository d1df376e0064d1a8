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
  Digest there;                     // which of the names were in which of the folders, as files or folders
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

// Where clang looks for headers, as it says of this command; false if it cannot be asked.
bool inputs_search_folders(const char *const *compile, Arena *arena, FrontendPaths *out);

#endif
