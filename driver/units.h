// hgrd-check -c: one file to a unit.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_UNITS_H
#define HGRD_DRIVER_UNITS_H

#include "driver/options.h"
#include "frontend/frontend.h"

// The unit, and what make is to know of it, are there whole or not at all. False with an error in the sink.
bool units_compile(const Options *options, const FrontendOptions *frontend, Arena *arena, DiagSink *sink);

#endif
