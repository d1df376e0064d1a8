// What the files of this room share: a source as tokens and statements, and places in it.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FIX_INTERNAL_H
#define HGRD_FIX_INTERNAL_H

#include "fix/fix.h"

enum { NO_NODE = UINT32_MAX };

typedef enum TokenKind { TOKEN_WORD, TOKEN_QUOTED, TOKEN_MARK } TokenKind;
typedef struct Token {
  uint32_t start, end;
  uint32_t mate; // of a bracket: the other one; else the token itself
  TokenKind kind;
} Token;

typedef enum NodeKind { NODE_BLOCK, NODE_IF, NODE_LOOP, NODE_SWITCH, NODE_PLAIN } NodeKind;
typedef struct Node {
  NodeKind kind;
  uint32_t first, last; // tokens
  uint32_t parent;      // NO_NODE: the body of a function
  bool is_sole;         // the one statement of an if or a loop, without braces
} Node;

typedef struct Source {
  const char *file, *text;
  uint32_t length;
  VEC(uint32_t) lines; // where each begins
  VEC(Token) tokens;   // without comments and directives
  VEC(Node) nodes;     // a node stands before those in it
} Source;

// ---- lexer.c
Source *source_read(const char *file, const char *text, size_t length, Arena *arena);
bool token_is(const Source *source, uint32_t token, const char *text);
uint32_t source_offset(const Source *source, uint32_t line, uint32_t column); // UINT32_MAX: not in the text
uint32_t source_line(const Source *source, uint32_t offset);                  // from 1
uint32_t line_start(const Source *source, uint32_t offset);
uint32_t line_end(const Source *source, uint32_t offset); // of the line feed, or of the text
bool starts_line(const Source *source, uint32_t offset);  // only blanks before it
bool ends_line(const Source *source, uint32_t offset);    // only blanks or a comment from it on
const char *text_between(const Source *source, uint32_t start, uint32_t end, Arena *arena);

// ---- statements.c
void source_find_statements(Source *source, Arena *arena);
uint32_t node_at(const Source *source, uint32_t offset); // the innermost; NO_NODE
bool node_is_within(const Source *source, uint32_t node, uint32_t outer); // or the same
uint32_t node_body(const Source *source, uint32_t loop);                  // its statement; NO_NODE
uint32_t node_start(const Source *source, uint32_t node);                 // offsets
uint32_t node_end(const Source *source, uint32_t node);

// ---- insert.c: edits that put statements in
int statement_words(const char *statement); // its length without the last semicolon, for %.*s
const char *indent_of(const Source *source, uint32_t node, Arena *arena); // of the line that it begins in
void edit_replace(Fix *fix, const Source *source, uint32_t start, uint32_t end, const char *text,
                  Arena *arena);
void edit_before(Fix *fix, const Source *source, uint32_t node, const char *statement, Arena *arena);
void edit_behind(Fix *fix, const Source *source, uint32_t node, const char *statement, Arena *arena);
void edit_at_end_of(Fix *fix, const Source *source, uint32_t loop, const char *statement, Arena *arena);
void edit_at_start_of(Fix *fix, const Source *source, uint32_t loop, const char *statement, Arena *arena);
void edit_guard(Fix *fix, const Source *source, uint32_t node, const char *condition, Arena *arena);
void edit_remove(Fix *fix, const Source *source, uint32_t node, Arena *arena);

// ---- candidates.c
typedef struct Making {
  const Finding *finding;
  const FixSources *sources;
  Arena *arena;
  VEC(Source *) read; // each file once
  FixCandidates out;
} Making;
const Source *making_source(Making *making, const char *file); // NULL: it cannot be edited
void making_offer(Making *making, const Fix *fix);             // unless it is there already, or they are too many
// The statements that a place stands in, from the innermost to the kernel's: through calls that were inlined.
typedef struct Level {
  const Source *source;
  uint32_t node;
} Level;
typedef struct Levels {
  VEC(Level) list;
} Levels;
Levels making_levels(Making *making, const SrcLoc *loc);
const char *level_words(Making *making, const Level *level); // "line 17", "line 3 of sync.h"

// ---- barriers.c, stronger_operations.c, accesses.c: kinds of changes, tried in the order of the table in candidates.c
void try_warp_barrier(Making *making);
void try_block_barrier(Making *making);
void try_cluster_barrier(Making *making);
void try_fence(Making *making);
void try_acquire_fence(Making *making);
void try_copy_wait(Making *making);
void try_moved_barrier(Making *making);
void try_wider_scope(Making *making);
void try_atomic_update(Making *making);
void try_atomic_access(Making *making);
void try_release(Making *making);
void try_guard(Making *making);
void try_bound(Making *making);
void try_assert(Making *making);

#endif
