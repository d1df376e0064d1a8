// Kernel templates that a file defines and nothing instantiates.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_TEMPLATES_H
#define HGRD_DRIVER_TEMPLATES_H

#include "core/diag.h"
#include "core/ir.h"
#include "driver/files.h"
#include <regex.h>

// Names those of the file, as notes, that none of the kernels of `devices` is an instance of; with a filter,
// those whose name fits it. Returns how many there are.
uint32_t templates_tell_unmade(const char *path, SourceCache *sources, uint32_t device_count,
                               const IrModule *const *devices, const regex_t *filter, Arena *arena,
                               DiagSink *sink);

#endif
