// What does a function of rt/ ask of who calls it? RT_ASSERT says it. What runs in the user's program knows nothing of core/bug.h: builds that
// check end the program with the place; in the others the compiler reads it, and it costs nothing.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_CONTRACT_H
#define HGRD_RT_CONTRACT_H

#ifdef NDEBUG
#define RT_ASSERT(condition) ((void)(0 && (condition)))
#else
#include <stdio.h>
#include <stdlib.h>
#define RT_ASSERT(condition)                                                                                 \
  ((condition)                                                                                               \
       ? (void)0                                                                                             \
       : (fprintf(stderr, "hgrd-run: %s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition),        \
          abort()))
#endif

#endif
