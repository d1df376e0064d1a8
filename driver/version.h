// What is this build made of? See version.c.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_VERSION_H
#define HGRD_DRIVER_VERSION_H

#include "core/str.h"

// What --version prints: ours with its commit, then what answers hang on, a line each. Runs clang to ask it.
void version_print(StrBuf *out);

#endif
