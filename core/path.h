// Names of files.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_PATH_H
#define HGRD_CORE_PATH_H

// In place, by the letters alone (links are not followed): "/a/./b/../c" becomes "/a/c".
void path_drop_dots(char *path);

#endif
