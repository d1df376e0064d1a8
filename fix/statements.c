// Where do statements begin and end, and which one stands in which?
//
// A parser by the shape of the text: bodies of functions are found at the level of declarations, and in them
// blocks, if, loops, switch and plain statements, which end at a semicolon; lambda bodies are blocks in a plain
// statement. Names and types do not matter, so that templates and macros do not either.
//
// Soundness: no effect on verdicts. Where a macro hides a brace or a semicolon, statements are taken for longer
// than they are, and what is put before or behind them fails the check.
// SPDX-License-Identifier: Apache-2.0
#include "fix/internal.h"
#include "core/bug.h"

enum { DEPTH_MAX = 256 };

typedef struct Parser {
  Source *source;
  Arena *arena;
  uint32_t depth;
} Parser;

static uint32_t parse_statement(Parser *parser, uint32_t at, uint32_t parent, bool is_sole);

static uint32_t count_of(const Parser *parser) {
  return parser->source->tokens.count;
}

static bool is_at(const Parser *parser, uint32_t token, const char *text) {
  return token_is(parser->source, token, text);
}

// Behind the bracket that closes the one at `at`; behind `at` itself if it is none.
static uint32_t behind_mate(const Parser *parser, uint32_t at) {
  uint32_t mate = parser->source->tokens.items[at].mate;
  return (mate > at ? mate : at) + 1;
}

static uint32_t open_node(Parser *parser, NodeKind kind, uint32_t first, uint32_t parent, bool is_sole) {
  vec_push(parser->arena, &parser->source->nodes, (Node){kind, first, first, parent, is_sole});
  return parser->source->nodes.count - 1;
}

static uint32_t close_node(Parser *parser, uint32_t node, uint32_t behind) {
  Node *made = &parser->source->nodes.items[node];
  made->last = behind > made->first ? behind - 1 : made->first;
  if (made->last >= count_of(parser)) made->last = count_of(parser) - 1;
  return behind;
}

static uint32_t parse_block(Parser *parser, uint32_t at, uint32_t parent) {
  uint32_t end = parser->source->tokens.items[at].mate;
  uint32_t node = open_node(parser, NODE_BLOCK, at, parent, false);
  if (end <= at) return close_node(parser, node, count_of(parser)); // nothing closes it
  for (uint32_t i = at + 1; i < end;)
    i = parse_statement(parser, i, node, false);
  return close_node(parser, node, end + 1);
}

static uint32_t parse_child(Parser *parser, uint32_t at, uint32_t parent) {
  return parse_statement(parser, at, parent, !is_at(parser, at, "{"));
}

static uint32_t skip_header(const Parser *parser, uint32_t at) {
  while (at < count_of(parser) && !is_at(parser, at, "("))
    at++;
  return at < count_of(parser) ? behind_mate(parser, at) : at;
}

static uint32_t parse_control(Parser *parser, uint32_t at, uint32_t parent, bool is_sole, NodeKind kind) {
  uint32_t node = open_node(parser, kind, at, parent, is_sole);
  uint32_t next = parse_child(parser, skip_header(parser, at), node);
  if (kind == NODE_IF && is_at(parser, next, "else")) next = parse_child(parser, next + 1, node);
  return close_node(parser, node, next);
}

static uint32_t parse_do(Parser *parser, uint32_t at, uint32_t parent, bool is_sole) {
  uint32_t node = open_node(parser, NODE_LOOP, at, parent, is_sole);
  uint32_t next = skip_header(parser, parse_child(parser, at + 1, node)); // while ( ... )
  return close_node(parser, node, is_at(parser, next, ";") ? next + 1 : next);
}

// Up to the semicolon, or to the bracket that closes what it stands in. Round brackets are entered, as there may
// be lambdas among the arguments of a call.
static uint32_t parse_plain(Parser *parser, uint32_t at, uint32_t parent, bool is_sole) {
  uint32_t node = open_node(parser, NODE_PLAIN, at, parent, is_sole), i = at, entered = 0;
  while (i < count_of(parser) && !is_at(parser, i, ";")) {
    bool is_lambda = i > at && is_at(parser, i, "{") && is_at(parser, i - 1, ")");
    if (is_at(parser, i, "(")) {
      entered++;
      i++;
    } else if (is_at(parser, i, ")") && entered) {
      entered--;
      i++;
    } else if (parser->source->tokens.items[i].mate < i) {
      break; // not ours
    } else {
      i = is_lambda ? parse_block(parser, i, node) : behind_mate(parser, i);
    }
  }
  bool has_end = is_at(parser, i, ";");
  return close_node(parser, node, has_end || i == at ? i + 1 : i);
}

// `case X:`, `default:`, `name:`; `at` if it is none.
static uint32_t skip_label(const Parser *parser, uint32_t at) {
  bool is_case = is_at(parser, at, "case") || is_at(parser, at, "default");
  bool is_name = parser->source->tokens.items[at].kind == TOKEN_WORD && is_at(parser, at + 1, ":") &&
                 !is_at(parser, at + 2, ":");
  if (is_name) return at + 2;
  for (uint32_t i = at; is_case && i < count_of(parser) && !is_at(parser, i, ";"); i++)
    if (is_at(parser, i, ":") && !is_at(parser, i + 1, ":") && !is_at(parser, i - 1, ":")) return i + 1;
  return at;
}

static uint32_t parse_known(Parser *parser, uint32_t at, uint32_t parent, bool is_sole) {
  if (is_at(parser, at, "{")) return parse_block(parser, at, parent);
  if (is_at(parser, at, "if")) return parse_control(parser, at, parent, is_sole, NODE_IF);
  if (is_at(parser, at, "for") || is_at(parser, at, "while"))
    return parse_control(parser, at, parent, is_sole, NODE_LOOP);
  if (is_at(parser, at, "switch")) return parse_control(parser, at, parent, is_sole, NODE_SWITCH);
  if (is_at(parser, at, "do")) return parse_do(parser, at, parent, is_sole);
  return parse_plain(parser, at, parent, is_sole);
}

static uint32_t parse_statement(Parser *parser, uint32_t at, uint32_t parent, bool is_sole) {
  if (at >= count_of(parser)) return at;
  uint32_t behind = skip_label(parser, at);
  if (behind != at && !is_sole) return behind;
  if (parser->depth == DEPTH_MAX) return behind_mate(parser, at);
  parser->depth++;
  uint32_t next = parse_known(parser, at, parent, is_sole);
  parser->depth--;
  return next > at ? next : at + 1;
}

// Is the brace at `at` that of a function's body? `from` is where the declaration begins.
typedef enum Brace { BRACE_BODY, BRACE_SCOPE, BRACE_OTHER } Brace;
static Brace brace_kind(const Parser *parser, uint32_t from, uint32_t at) {
  bool has_brackets = false;
  for (uint32_t i = from; i < at; i++) {
    if (is_at(parser, i, "enum") || is_at(parser, i, "=")) return BRACE_OTHER;
    if (is_at(parser, i, ")")) has_brackets = true;
  }
  if (has_brackets && at > from && is_at(parser, at - 1, ")")) return BRACE_BODY;
  for (uint32_t i = from; i < at; i++)
    if (is_at(parser, i, "namespace") || is_at(parser, i, "struct") || is_at(parser, i, "class") ||
        is_at(parser, i, "union") || is_at(parser, i, "extern"))
      return has_brackets && !is_at(parser, from, "struct") && !is_at(parser, from, "class") &&
                     !is_at(parser, from, "template")
                 ? BRACE_BODY
                 : BRACE_SCOPE;
  return has_brackets ? BRACE_BODY : BRACE_OTHER;
}

void source_find_statements(Source *source, Arena *arena) {
  ASSERT(source->nodes.count == 0); // once
  Parser parser = {.source = source, .arena = arena};
  uint32_t from = 0;
  for (uint32_t i = 0; i < source->tokens.count;) {
    if (token_is(source, i, ";") || token_is(source, i, "}")) {
      from = ++i;
    } else if (token_is(source, i, "(") || token_is(source, i, "[")) {
      i = behind_mate(&parser, i);
    } else if (token_is(source, i, "{")) {
      Brace kind = brace_kind(&parser, from, i);
      i = kind == BRACE_BODY    ? parse_block(&parser, i, NO_NODE)
          : kind == BRACE_SCOPE ? i + 1
                                : behind_mate(&parser, i);
      from = i;
    } else {
      i++;
    }
  }
}

uint32_t node_start(const Source *source, uint32_t node) {
  ASSERT(node < source->nodes.count);
  return source->tokens.items[source->nodes.items[node].first].start;
}

uint32_t node_end(const Source *source, uint32_t node) {
  ASSERT(node < source->nodes.count);
  return source->tokens.items[source->nodes.items[node].last].end;
}

uint32_t node_at(const Source *source, uint32_t offset) {
  ASSERT(offset <= source->length);
  uint32_t found = NO_NODE; // those within stand behind
  for (uint32_t i = 0; i < source->nodes.count; i++)
    if (node_start(source, i) <= offset && offset < node_end(source, i)) found = i;
  return found;
}

bool node_is_within(const Source *source, uint32_t node, uint32_t outer) {
  ASSERT(node == NO_NODE || node < source->nodes.count);
  while (node != NO_NODE && node != outer)
    node = source->nodes.items[node].parent;
  return node == outer;
}

uint32_t node_body(const Source *source, uint32_t loop) {
  ASSERT(loop < source->nodes.count);
  for (uint32_t i = loop + 1; i < source->nodes.count; i++)
    if (source->nodes.items[i].parent == loop) return i;
  return NO_NODE;
}
