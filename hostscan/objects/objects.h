// Shared by the files of hostscan/objects/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_OBJECTS_OBJECTS_H
#define HGRD_HOSTSCAN_OBJECTS_OBJECTS_H

#include "hostscan/objects.h"

// object.c
enum { HOST_TARGET_LIMIT = 16 };

// guesses.c
// By a guess about the first of two: it leads into other objects than the second.
bool host_is_guessed_apart(HostScan *scan, ExprRef leaf, ExprRef other);

// stored_twice.c
// Is a pointer that was read back one of those that the program's own functions put at such a place, other than what they have allocated?
bool host_is_put_by_others(HostScan *scan, ExprRef leaf);

#endif
