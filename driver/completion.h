// Scripts that let a shell complete the command line.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_COMPLETION_H
#define HGRD_DRIVER_COMPLETION_H

#include "driver/options.h"

void completion_print(CompletionShell shell, StrBuf *out);

#endif
