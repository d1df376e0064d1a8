// The state of the process, in one place (state.h).
// SPDX-License-Identifier: Apache-2.0
#include "rt/detect/state.h"

FreePage *detect_free_pages;
