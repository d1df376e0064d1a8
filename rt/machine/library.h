// How is a function of CUDA defined in C? Under the name that device code calls it by, mangled where it is of C++: FUNCTION declares and
// opens the definition. The name of C itself means nothing.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_MACHINE_LIBRARY_H
#define HGRD_RT_MACHINE_LIBRARY_H

#include "rt/machine/internal.h"

#define FUNCTION(result, own, name, ...)                                                                     \
  result own(__VA_ARGS__) __asm__(RT_LIBRARY_PREFIX name);                                                   \
  result own(__VA_ARGS__)

#endif
