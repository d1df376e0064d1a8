// Which way does a copy go, from whom to whom? The runtime's copies are told by an argument, the driver's by their names.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/syntax.h"
#include "core/bug.h"

#include <string.h>

HostWay host_way_of_copy(const char *name, HostCallKind kind, uint32_t arguments) {
  ASSERT(kind <= CALL_COPY_PLAIN);
  uint32_t at = kind == CALL_COPY_LINEAR ? 3 : kind == CALL_COPY_ROWS ? 6 : 4;
  if (at < arguments) return (HostWay){.argument = at, .direction = HOST_WAY_NOT_SAID};
  HostWay way = {.argument = UINT32_MAX, .direction = HOST_TO_DEVICE};
  if (name && strstr(name, "DtoD")) way.direction = DEVICE_TO_DEVICE;
  if (name && strstr(name, "DtoH")) way.direction = DEVICE_TO_HOST;
  return way;
}
