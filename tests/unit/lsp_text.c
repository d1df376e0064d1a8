// Positions, names of files and the framing of messages: what the language server takes apart.
// SPDX-License-Identifier: Apache-2.0
#include "lsp/columns.h"
#include "core/path.h"
#include "lsp/transport.h"
#include "tests/unit/check.h"

#include <string.h>

static void check_units(Arena *arena) {
  TextLine line = {"a\xc3\xa9\xf0\x9f\x98\x80z", 8}; // a, e acute, a face, z
  static const struct {
    size_t bytes;
    uint32_t utf16, utf8, utf32;
  } rows[] = {{0, 0, 0, 0}, {1, 1, 1, 1}, {3, 2, 3, 2}, {7, 4, 7, 3}, {8, 5, 8, 4}, {99, 5, 8, 4}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    CHECK(text_units(line, rows[i].bytes, UNITS_UTF16) == rows[i].utf16);
    CHECK(text_units(line, rows[i].bytes, UNITS_UTF8) == rows[i].utf8);
    CHECK(text_units(line, rows[i].bytes, UNITS_UTF32) == rows[i].utf32);
    size_t back = rows[i].bytes > 8 ? 8 : rows[i].bytes;
    CHECK(text_bytes(line, rows[i].utf16, UNITS_UTF16) == back);
    CHECK(text_bytes(line, rows[i].utf32, UNITS_UTF32) == back);
  }
  TextLine bad = {"\xff\xc3(\xed\xa0\x80\xf5", 7}; // each byte that is none counts as one
  CHECK(text_units(bad, 7, UNITS_UTF16) == 7);
  StrBuf clean = {.arena = arena};
  text_replace_bad(bad.text, bad.length, &clean);
  CHECK(strcmp(strbuf_text(&clean),
               "\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd") == 0);
}

static void check_lines(Arena *arena) {
  TextLines lines;
  text_split("a\nbb\r\n\rc", 8, arena, &lines);
  CHECK(lines.lines.count == 4);
  CHECK(lines.lines.items[0].length == 1 && lines.lines.items[1].length == 2 &&
        lines.lines.items[2].length == 0);
  CHECK(lines.lines.items[3].length == 1 && lines.lines.items[3].text[0] == 'c');
  text_split("", 0, arena, &lines);
  CHECK(lines.lines.count == 1 && lines.lines.items[0].length == 0);
}

static void check_names(Arena *arena) {
  static const char *const pairs[][2] = {{"file:///a/b.cu", "/a/b.cu"},
                                         {"file:///a%20b/%C3%A9%25.cu", "/a b/\xc3\xa9%.cu"},
                                         {"file://localhost/x.cu", "/x.cu"},
                                         {"file:///a/./b/../c.cu#L3", "/a/c.cu"},
                                         {"file:///c%3A/x.cu", "/c:/x.cu"},
                                         {"untitled:Untitled-1", NULL},
                                         {"file://elsewhere/x.cu", NULL},
                                         {"file:///a%00b", NULL},
                                         {"file:///a%2", NULL},
                                         {"file:///a%zz", NULL},
                                         {"", NULL},
                                         {"file:", NULL},
                                         {"vscode-notebook-cell:/a/b.cu#1", NULL}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const char *path = uri_path(pairs[i][0], arena);
    CHECK(path && pairs[i][1] ? strcmp(path, pairs[i][1]) == 0 : !path && !pairs[i][1]);
  }
  CHECK(strcmp(path_uri("/a b/\xc3\xa9%.cu", arena), "file:///a%20b/%C3%A9%25.cu") == 0);
  CHECK(strcmp(path_plain("/w", "../x/./y.cuh", arena), "/x/y.cuh") == 0);
  CHECK(strcmp(path_plain("/w", "/../..", arena), "/") == 0);
}

// All that comes out of the bytes when they come in pieces of `step`, as one text: messages in brackets.
static const char *framed(const char *bytes, size_t length, size_t step, Arena *arena) {
  StrBuf out = {.arena = arena};
  Inbox inbox = {0};
  const char *text;
  uint64_t size;
  for (size_t at = 0; at < length; at += step) {
    inbox_add(&inbox, bytes + at, length - at < step ? length - at : step);
    for (InboxItem item; (item = inbox_next(&inbox, &text, &size)) != INBOX_EMPTY;)
      if (item == INBOX_MESSAGE)
        strbuf_printf(&out, "[%.*s]", (int)size, text);
      else if (out.length == 0 || out.text[out.length - 1] != '!' || item == INBOX_TOO_LONG)
        strbuf_add(&out, item == INBOX_TOO_LONG ? "+" : "!");
  }
  inbox_close(&inbox);
  return strbuf_text(&out);
}

static void check_framing(Arena *arena) {
  static const struct {
    const char *bytes, *out;
  } rows[] = {
      {"Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\nabc", "[{}][abc]"},
      {"content-length:2\n\n{}", "[{}]"},
      {"Content-Type: x; charset=utf-8\r\nContent-Length: 1\r\n\r\nx", "[x]"},
      {"Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\nx", "[][x]"},
      {"Content-Length: 5\r\n\r\nab", ""},
      {"rubbish\r\n\r\nContent-Length: 1\r\n\r\nx", "![x]"},
      {"Content-Length: two\r\n\r\nContent-Length: 1\r\n\r\nx", "![x]"},
      {"Content-Length: -1\r\n\r\nContent-Length: 1\r\n\r\nx", "![x]"},
      {"Content-Type: x\r\n\r\nContent-Length: 1\r\n\r\nx", "![x]"},
      {"\r\n\r\nContent-Length: 1\r\n\r\nx", "![x]"},
      {"Content-Length: 99999999999999999999999\r\n\r\nContent-Length: 1\r\n\r\nx", "![x]"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (size_t step = 1; step < 64; step += 7)
      CHECK(strcmp(framed(rows[i].bytes, strlen(rows[i].bytes), step, arena), rows[i].out) == 0);
}

static void check_long_messages(Arena *arena) {
  size_t body = (size_t)MESSAGE_BYTES_MAX + 1;
  StrBuf bytes = {.arena = arena};
  strbuf_printf(&bytes, "Content-Length: %zu\r\n\r\n", body);
  size_t head = bytes.length;
  char *text = arena_alloc(arena, head + body + 64);
  memcpy(text, bytes.text, head);
  memset(text + head, 'a', body);
  static const char next[] = "Content-Length: 1\r\n\r\nx";
  memcpy(text + head + body, next, sizeof next - 1);
  CHECK(strcmp(framed(text, head + body + sizeof next - 1, 65536, arena), "+[x]") == 0);
  CHECK(strcmp(framed(text, head + body + sizeof next - 1, 1 << 27, arena), "+[x]") == 0);
}

int main(void) {
  Arena *arena = arena_open();
  check_units(arena);
  check_lines(arena);
  check_names(arena);
  check_framing(arena);
  check_long_messages(arena);
  arena_close(arena);
  return check_result();
}
