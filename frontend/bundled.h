// Folders of the source tree that the program was built from; NULL in what is installed. See bundled.c.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FRONTEND_BUNDLED_H
#define HGRD_FRONTEND_BUNDLED_H

extern const char *const places_source_declarations;
extern const char *const places_source_precompiled;

#endif
