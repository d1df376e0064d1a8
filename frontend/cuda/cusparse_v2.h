// The declarations stand in cusparse.h.
// SPDX-License-Identifier: Apache-2.0
#include "cusparse.h"
