// From files to an exit status: compile -> lower -> verify -> scan host -> check each kernel under each
// launch -> report.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_PIPELINE_H
#define HGRD_DRIVER_PIPELINE_H

#include "driver/options.h"

// Does what the options ask for and prints. Everything is given back before it returns, unless it was
// interrupted: then workers may still run, and the caller must end the process at once.
ExitStatus pipeline_run(const Options *options);

#endif
