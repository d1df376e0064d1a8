// Shared by the files of hostscan/objects/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_OBJECTS_OBJECTS_H
#define HGRD_HOSTSCAN_OBJECTS_OBJECTS_H

#include "hostscan/objects.h"

// object.c
enum { HOST_TARGET_LIMIT = 16 };

#endif
