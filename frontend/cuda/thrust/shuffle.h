// The declarations stand in thrust/hgrd_thrust.h.
// SPDX-License-Identifier: Apache-2.0
#include "hgrd_thrust.h"
