// Text that grows, for reports. rt/ has its own, and its own escapes, as it is linked into the user's program without the rooms of hgrd-check
// (common.h); what is escaped, and how, is report/escape.c's.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_DETECT_TEXT_BUFFER_H
#define HGRD_RT_DETECT_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Text { // zero: empty
  char *items;
  size_t length, capacity;
  bool is_cut; // for lack of memory
} Text;

void text_add(Text *text, const char *more);
__attribute__((format(printf, 2, 3))) void text_printf(Text *text, const char *format, ...);
void text_add_visible(Text *text, const char *foreign); // what the program named
void text_close(Text *text);

#endif
