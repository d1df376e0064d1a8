// How do messages come out of a stream of bytes, and go into one?
//
// Bytes are gathered until a message is whole. A message beyond the limit is not kept but counted past, and
// what is no header is passed over up to the next "Content-Length:" at the start of a line: the stream goes
// on behind either. Writing never waits, since an editor that is not reading may be writing at this moment;
// what cannot be written yet is kept.
// SPDX-License-Identifier: Apache-2.0
#include "lsp/transport.h"
#include "core/bug.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEADER_BYTES_MAX = 4096, KEPT_BYTES = 1 << 20, PIECE_BYTES = 4096 };
static const char length_name[] = "Content-Length:";

// What is behind `start` alone, on memory of its own.
static void compact(StrBuf *bytes, size_t *start) {
  StrBuf rest = {.arena = NULL};
  if (bytes->length > *start) {
    rest.arena = arena_open();
    strbuf_add_n(&rest, bytes->text + *start, bytes->length - *start);
  }
  arena_close(bytes->arena);
  *bytes = rest;
  *start = 0;
}

static void add(StrBuf *bytes, size_t *start, const char *text, size_t length) {
  if (bytes->arena && (*start == bytes->length || *start > KEPT_BYTES)) compact(bytes, start);
  if (!bytes->arena) bytes->arena = arena_open();
  strbuf_add_n(bytes, text, length);
}

// ---- in

void inbox_add(Inbox *inbox, const char *bytes, size_t length) {
  ASSERT(bytes);
  size_t skipped = inbox->passed < length ? (size_t)inbox->passed : length;
  inbox->passed -= skipped;
  if (length > skipped) add(&inbox->bytes, &inbox->start, bytes + skipped, length - skipped);
}

// One line of the header: the length that it names in *length. False if it is none.
static bool read_line(const char *line, size_t size, uint64_t *length, bool *has_length) {
  const char *colon = memchr(line, ':', size);
  if (!colon || colon == line) return false;
  if (size < sizeof length_name || strncasecmp(line, length_name, sizeof length_name - 1) != 0) return true;
  const char *at = colon + 1, *end = line + size;
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  uint64_t number = 0;
  const char *first = at;
  for (; at < end && isdigit((unsigned char)*at) && number < UINT64_MAX / 16; at++)
    number = number * 10 + (uint64_t)(*at - '0');
  *length = number;
  *has_length = at > first && at == end;
  return *has_length;
}

typedef enum HeaderState { HEADER_WHOLE, HEADER_UNFINISHED, HEADER_BAD } HeaderState;

// *used: its bytes, the empty line included.
static HeaderState read_header(const char *text, size_t size, uint64_t *length, size_t *used) {
  bool has_length = false;
  for (size_t at = 0; at < size;) {
    const char *end = memchr(text + at, '\n', size - at);
    if (!end) break;
    size_t line = (size_t)(end - text) - at;
    if (line > 0 && text[at + line - 1] == '\r') line--;
    size_t next = (size_t)(end - text) + 1;
    *used = next;
    if (line == 0) return has_length ? HEADER_WHOLE : HEADER_BAD;
    if (!read_line(text + at, line, length, &has_length)) return HEADER_BAD;
    at = next;
  }
  return size > HEADER_BYTES_MAX ? HEADER_BAD : HEADER_UNFINISHED;
}

// To the next line that may begin a header, or as far as there is none for sure.
static void pass_over(Inbox *inbox) {
  const char *text = inbox->bytes.text;
  size_t at = inbox->start + 1, size = inbox->bytes.length;
  for (; at < size; at++) {
    size_t left = size - at, needed = sizeof length_name - 1;
    if (strncasecmp(text + at, length_name, left < needed ? left : needed) == 0) break;
  }
  inbox->start = at;
}

InboxItem inbox_next(Inbox *inbox, const char **text, uint64_t *length) {
  ASSERT(text);
  ASSERT(length);
  size_t size = inbox->bytes.length - inbox->start, used = 0;
  if (size == 0) return INBOX_EMPTY; // nothing may have come yet: then there are no bytes to point to
  const char *at = inbox->bytes.text + inbox->start;
  switch (read_header(at, size, length, &used)) {
  case HEADER_UNFINISHED: return INBOX_EMPTY;
  case HEADER_BAD: pass_over(inbox); return INBOX_NO_HEADER;
  case HEADER_WHOLE: break;
  }
  if (*length > MESSAGE_BYTES_MAX) {
    uint64_t there = size - used, taken = there < *length ? there : *length;
    inbox->start += used + (size_t)taken;
    inbox->passed = *length - taken;
    return INBOX_TOO_LONG;
  }
  if (size - used < *length) return INBOX_EMPTY;
  *text = at + used;
  inbox->start += used + (size_t)*length;
  return INBOX_MESSAGE;
}

void inbox_close(Inbox *inbox) {
  arena_close(inbox->bytes.arena);
  *inbox = (Inbox){0};
}

// ---- out

void outbox_add(Outbox *outbox, const char *text, size_t length) {
  ASSERT(text);
  Arena *scratch = arena_open();
  const char *header = arena_printf(scratch, "%s %zu\r\n\r\n", length_name, length);
  add(&outbox->bytes, &outbox->start, header, strlen(header));
  strbuf_add_n(&outbox->bytes, text, length);
  arena_close(scratch);
}

// A pipe that is ready takes a piece of this size whole; a socket is asked not to wait.
static ssize_t write_piece(int output, const char *bytes, size_t length) {
  if (length > PIECE_BYTES) length = PIECE_BYTES;
  ssize_t put = send(output, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
  return put < 0 && errno == ENOTSOCK ? write(output, bytes, length) : put;
}

bool outbox_write(Outbox *outbox, int output) {
  if (outbox_is_empty(outbox)) return true;
  ssize_t put = write_piece(output, outbox->bytes.text + outbox->start, outbox->bytes.length - outbox->start);
  if (put < 0) return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
  outbox->start += (size_t)put;
  return true;
}

bool outbox_is_empty(const Outbox *outbox) {
  return outbox->start == outbox->bytes.length;
}

void outbox_close(Outbox *outbox) {
  arena_close(outbox->bytes.arena);
  *outbox = (Outbox){0};
}
