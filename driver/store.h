// The cache as the command line asks for it.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_STORE_H
#define HGRD_DRIVER_STORE_H

#include "cache/cache.h"
#include "driver/options.h"
#include "frontend/frontend.h"

// False: a folder that was named cannot be used; *error says why. *cache is NULL where there is none.
bool store_open(const Options *options, const char *version, Arena *arena, Cache **cache, const char **error);
FrontendStore store_for_frontend(Cache *cache);
void store_print_stats(Cache *cache, StrBuf *out); // NULL: there is none

#endif
