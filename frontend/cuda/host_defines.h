// The old name of crt/host_defines.h.
// SPDX-License-Identifier: Apache-2.0
#include "crt/host_defines.h"
