// Matrix fragments with a toolkit's headers: ours, whose loads and stores are accesses.
// SPDX-License-Identifier: Apache-2.0
#include "../mma.h"
