// The declarations stand in cusolverDn.h.
// SPDX-License-Identifier: Apache-2.0
#include "cusolverDn.h"
