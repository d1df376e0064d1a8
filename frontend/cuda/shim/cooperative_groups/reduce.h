// In place of the toolkit's, whose groups are bits of one word that nothing is known of; a file that does not
// compile with ours gets the toolkit's.
// SPDX-License-Identifier: Apache-2.0
#ifdef HGRD_TOOLKIT_GROUPS
#include_next <cooperative_groups/reduce.h>
#else
#include "../../cooperative_groups/reduce.h"
#endif
