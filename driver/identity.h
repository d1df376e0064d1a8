// Which program is this, exactly?
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_IDENTITY_H
#define HGRD_DRIVER_IDENTITY_H

#include "core/arena.h"

// "0.1.0 4f1b...": differs between any two builds that could answer differently.
const char *identity_version(Arena *arena);

#endif
