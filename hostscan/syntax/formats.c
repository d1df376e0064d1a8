// How many bytes does a call that scans text by a format, such as sscanf, store behind each of its arguments, and does one that prints by
// a format, such as printf, store anything there (%n)? Method: the conversions of the format in order (C17 7.21.6.1, 7.21.6.2).
// Soundness: over-approximates: words, and what is not understood, may be of any length; a conversion that stores a count may
// store it behind any argument.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/syntax.h"

#include <string.h>

// Bytes that a conversion stores, of what stands behind the '%'; 0: any number. *end: behind it.
static uint32_t stored_bytes(const char *at, const char **end) {
  uint32_t bytes = 4;
  while (strchr("0123456789", *at) && *at)
    at++;
  if (*at && strchr("lqjzt", *at)) bytes = 8;
  if (*at == 'L') bytes = 16; // of a long double, as of a long long
  while (*at && strchr("hlLqjzt", *at))
    at++;
  bool is_number = *at && strchr("diouxXneEfFgGaA", *at);
  *end = *at ? at + 1 : at;
  if (*at == 'p') return 8;
  return is_number ? bytes : 0;
}

uint32_t host_scanned_bytes(const char *format, uint32_t first, uint32_t index) {
  ASSERT(format && index >= first);
  const char *at = format;
  for (uint32_t argument = first + 1; (at = strchr(at, '%')) != NULL;) {
    at++;
    if (*at == '%') {
      at++;
      continue;
    }
    bool is_skipped = *at == '*';
    uint32_t bytes = stored_bytes(at + is_skipped, &at);
    if (argument == index && !is_skipped) return bytes;
    if (at[-1] == '[') return 0; // what the set holds is not gone through
    argument += !is_skipped;
  }
  return 0;
}

// Functions that print by a format. Those that are given a va_list are not here: va_start is what lets the arguments out.
static const HostPrinter printers[] = {
    {0, {"printf", CALL_WRITES, 0, 0xfffffffeu, false}},
    {1, {"fprintf", CALL_WRITES, 0, 0xfffffffcu, false}},
    {1, {"sprintf", CALL_WRITES, 0, 0xfffffffdu, false}},
    {2, {"snprintf", CALL_WRITES, 0, 0xfffffff9u, false}},
};

const HostPrinter *host_printer(const char *name) {
  for (size_t i = 0; name && i < sizeof printers / sizeof *printers; i++)
    if (strcmp(name, printers[i].storing.name) == 0) return &printers[i];
  return NULL;
}

bool host_format_stores(const char *format) {
  ASSERT(format);
  for (const char *at = format; (at = strchr(at, '%')) != NULL; at += *at != '\0') {
    at++;
    at += strspn(at, "0123456789$#+- '.*hlLqjztI");
    if (*at == 'n') return true;
  }
  return false;
}
