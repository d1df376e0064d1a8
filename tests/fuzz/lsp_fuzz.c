// Any bytes as what an editor sends. The server says nothing but whole JSON-RPC messages, ends, and does not crash; and the messages in a
// stream do not hang on the pieces that it comes in. An input that begins with '#' is the stream itself, behind that byte; of any other
// one each line is the body of a message, which is framed here, so that a changed text is still one. No file that it names is there, so
// that no check is started.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // memfd_create
#include "core/bug.h"
#include "lsp/json_values.h"
#include "lsp/lsp.h"
#include "lsp/transport.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STREAM_COMPARED = 4096 }; // beyond it a header that never ends is given up, wherever it has come to

static void frame(const uint8_t *data, size_t size, StrBuf *out) {
  for (size_t at = 0; at < size;) {
    const uint8_t *end = memchr(data + at, '\n', size - at);
    size_t length = end ? (size_t)(end - data) - at : size - at;
    strbuf_printf(out, "Content-Length: %zu\r\n\r\n", length);
    strbuf_add_n(out, (const char *)data + at, length);
    at += length + 1;
  }
}

// All messages, a line each; what is passed over on the way may be cut in different ways.
static void gather(Inbox *inbox, StrBuf *out) {
  const char *text = NULL;
  uint64_t length = 0;
  for (InboxItem item; (item = inbox_next(inbox, &text, &length)) != INBOX_EMPTY;) {
    if (item != INBOX_MESSAGE) continue;
    strbuf_add_n(out, text, (size_t)length);
    strbuf_add(out, "\n");
  }
}

static void check_pieces(const StrBuf *stream, size_t piece, Arena *arena) {
  StrBuf whole = {.arena = arena}, parts = {.arena = arena};
  Inbox inbox = {0};
  inbox_add(&inbox, stream->text, stream->length);
  gather(&inbox, &whole);
  inbox_close(&inbox);
  for (size_t at = 0; at < stream->length; at += piece) {
    size_t left = stream->length - at;
    inbox_add(&inbox, stream->text + at, left < piece ? left : piece);
    gather(&inbox, &parts);
  }
  inbox_close(&inbox);
  BUG_UNLESS(whole.length == parts.length && (!whole.length || memcmp(whole.text, parts.text, whole.length) == 0));
}

static void check_said(int output, Arena *arena) {
  StrBuf said = {.arena = arena};
  char bytes[4096];
  lseek(output, 0, SEEK_SET);
  for (ssize_t got; (got = read(output, bytes, sizeof bytes)) > 0;)
    strbuf_add_n(&said, bytes, (size_t)got);
  Inbox inbox = {0};
  inbox_add(&inbox, said.length ? said.text : "", said.length);
  const char *text = NULL;
  uint64_t length = 0;
  for (InboxItem item; (item = inbox_next(&inbox, &text, &length)) != INBOX_EMPTY;) {
    BUG_UNLESS(item == INBOX_MESSAGE);
    json_t *message = json_loadb(text, (size_t)length, 0, NULL);
    BUG_UNLESS(json_is_object(message) && strcmp(js_text(message, "jsonrpc"), "2.0") == 0);
    json_decref(message);
  }
  BUG_UNLESS(inbox.start == inbox.bytes.length);
  inbox_close(&inbox);
}

static void serve(const StrBuf *stream, Arena *arena) {
  int input = memfd_create("input", 0), output = memfd_create("output", 0);
  BUG_UNLESS(input >= 0 && output >= 0);
  BUG_UNLESS(write(input, stream->length ? stream->text : "", stream->length) == (ssize_t)stream->length);
  lseek(input, 0, SEEK_SET);
  LspOptions options = {.input = input, .output = output, .program = "/nonexistent/hgrd-check", .version = "0"};
  int status = lsp_run(&options);
  BUG_UNLESS(status == 0 || status == 1);
  check_said(output, arena);
  close(input);
  close(output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_open();
  StrBuf stream = {.arena = arena};
  bool is_stream = size > 0 && data[0] == '#';
  if (is_stream)
    strbuf_add_n(&stream, (const char *)data + 1, size - 1);
  else
    frame(data, size, &stream);
  if (stream.length > 0 && stream.length <= STREAM_COMPARED) check_pieces(&stream, 1 + size % 7, arena);
  serve(&stream, arena);
  arena_close(arena);
  return 0;
}
