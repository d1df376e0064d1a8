// Folders of the source tree that the program was built from; NULL in what is installed. See places.c.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FRONTEND_PLACES_H
#define HGRD_FRONTEND_PLACES_H

extern const char *const places_source_declarations;
extern const char *const places_source_precompiled;

#endif
