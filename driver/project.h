// The project file `.hgrd-check`: options that a folder and those below it are checked with.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_PROJECT_H
#define HGRD_DRIVER_PROJECT_H

#include "driver/options.h"

typedef struct ProjectSetting {
  const char *file;
  uint32_t line;
  const char *argument; // as on the command line: "--arch=sm_90"; NULL: one of those below
  const char *files;    // a glob of files to check if none is named
  const char *suppress; // a suppression
} ProjectSetting;
typedef VEC(ProjectSetting) ProjectSettings;

// The nearest file above all of these paths, the current folder if there are none; NULL: there is none. One
// that others could have put there is passed over.
const char *project_find(uint32_t count, const char *const *paths, Arena *arena);
// Settings of the file, those that it inherits first. False, with one line that names cause and mend.
bool project_read(const char *path, Arena *arena, ProjectSettings *out, const char **error);
// The files that a glob names, sorted; relative to where the glob is.
void project_files(const char *glob, Arena *arena, Options *options);
// What is in effect, in the form of the file.
void project_print(const Options *options, StrBuf *out);

#endif
