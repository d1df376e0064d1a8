// The declarations stand in cub/cub.cuh.
// SPDX-License-Identifier: Apache-2.0
#include "../cub.cuh"
