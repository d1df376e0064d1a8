// The stream of messages: "Content-Length: N", an empty line, N bytes.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_LSP_TRANSPORT_H
#define HGRD_LSP_TRANSPORT_H

#include "core/str.h"

#include <stdint.h>

enum { MESSAGE_BYTES_MAX = 64 << 20 };

typedef enum InboxItem {
  INBOX_EMPTY,    // more has to come first
  INBOX_MESSAGE,  // *text, *length: valid until bytes are added
  INBOX_TOO_LONG, // a message of *length bytes, which are passed over
  INBOX_NO_HEADER // bytes that are no header; passed over up to what may be the next one
} InboxItem;

// Zero-initialised is empty.
typedef struct Inbox {
  StrBuf bytes; // that are not taken yet, behind `start`
  size_t start;
  uint64_t passed; // bytes still to be passed over
} Inbox;

void inbox_add(Inbox *inbox, const char *bytes, size_t length);
InboxItem inbox_next(Inbox *inbox, const char **text, uint64_t *length);
void inbox_close(Inbox *inbox);

// What is to be written, in the order of arrival; zero-initialised is empty.
typedef struct Outbox {
  StrBuf bytes;
  size_t start;
} Outbox;

void outbox_add(Outbox *outbox, const char *text, size_t length);
// Writes what the descriptor, which is said to be ready, takes without waiting; false if nobody reads any
// more.
bool outbox_write(Outbox *outbox, int output);
bool outbox_is_empty(const Outbox *outbox);
void outbox_close(Outbox *outbox);

#endif
