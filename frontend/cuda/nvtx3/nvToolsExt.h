// The declarations stand in nvToolsExt.h.
// SPDX-License-Identifier: Apache-2.0
#include "../nvToolsExt.h"
