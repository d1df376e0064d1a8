// Which way does a copy go, from whom to whom? The runtime's copies are told by an argument, the driver's by their names.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/syntax.h"
#include "core/bug.h"

#include <string.h>

// What the driver's name says; it has no such argument, but may have a stream in its place.
static HostDirection said_by_name(const char *name) {
  if (strstr(name, "HtoD")) return HOST_TO_DEVICE;
  if (strstr(name, "DtoH")) return DEVICE_TO_HOST;
  return strstr(name, "DtoD") ? DEVICE_TO_DEVICE : HOST_WAY_NOT_SAID;
}

HostWay host_way_of_copy(const char *name, HostCallKind kind, uint32_t arguments) {
  ASSERT(kind <= CALL_COPY_PLAIN);
  HostWay way = {.argument = UINT32_MAX, .direction = name ? said_by_name(name) : HOST_WAY_NOT_SAID};
  uint32_t at = kind == CALL_COPY_LINEAR ? 3 : kind == CALL_COPY_ROWS ? 6 : 4;
  if (way.direction == HOST_WAY_NOT_SAID && at < arguments) way.argument = at;
  return way;
}
