// The state of a server, and what its parts do for each other.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_LSP_INTERNAL_H
#define HGRD_LSP_INTERNAL_H

#include "lsp/json_values.h"
#include "lsp/lsp.h"
#include "lsp/columns.h"
#include "lsp/transport.h"

#include <sys/types.h>

// ---- user_settings.c: what the user may choose, `hgrd.*`
typedef enum CheckOn { CHECK_ON_CHANGE, CHECK_ON_SAVE } CheckOn;
typedef struct Settings {
  Arena *arena;
  CheckOn check_on;
  uint32_t delay_milliseconds; // of quiet, before text that changes is checked
  const char *build_path;      // "": compile_commands.json is looked for upwards
  int undecided_severity;      // of the protocol; 0: not shown
  bool wants_lenses, wants_fixes;
  VEC(const char *) arguments;     // more of them for every check
  VEC(const char *) program_files; // that make one program with each file
} Settings;

// ---- documents.c: what the editor has open
typedef struct Check Check;

typedef struct Document {
  Arena *arena;
  const char *uri, *path; // path NULL: no file of this machine
  Arena *text_arena;
  const char *text;
  size_t length;
  int text_file;      // in memory, with the text; -1: not made yet
  json_int_t version; // the editor's
  uint64_t edition;   // ours: another one for every text that the server has seen
  bool is_saved;      // the text is that of the disk, as far as the editor said
  double due;         // when to check; 0: nothing is to be checked
  Check *check;       // that runs, or NULL
  uint64_t database;  // which compilation database the last check had, and when that was written
  bool wants_fixes; // changes that mend what was found are to be looked for, when there is nothing else to do
  json_t *report;   // of the last check, while it is true of all texts; or NULL
  json_t *diagnostics; // of that: from URI to array
  json_t *waiting;     // requests that its next report answers
} Document;

// ---- server.c
typedef enum Phase { PHASE_NEW, PHASE_RUNNING, PHASE_SHUT_DOWN } Phase;

// What the editor says that it can do.
typedef struct Abilities {
  TextUnits units;
  bool related, progress, configuration, watched_files, refreshes_lenses, code_descriptions, literal_actions,
      versioned_edits;
} Abilities;

typedef struct Server Server;

// ---- requests.c
typedef struct Request {
  const char *method;
  json_t *(*answer)(Server *server, const json_t *params);
  bool waits; // for the report of the text as it is
} Request;

struct Server {
  const LspOptions *options;
  Arena *arena;            // as long as the server
  const Request *requests; // that it answers; no method at the end
  Phase phase;
  bool is_ended, was_shut_down;
  Inbox inbox;
  Outbox outbox;
  Abilities can;
  Settings settings;
  const char *folder; // of the workspace: where checks run
  VEC(Document *) documents;
  VEC(Check *) checks; // that run, cancelled ones too
  uint64_t editions;
  uint32_t next_id; // of our own requests
  json_t *asked;    // our requests that are not answered: from id to what they are for
  json_t *told;     // what was told once, as keys
};

const Request *request_find(const Server *server, const char *method); // NULL: there is none
void request_answer(Server *server, const Request *known, const json_t *request);
void document_answer_waiting(Server *server, Document *document);

// ---- messages.c
void server_send(Server *server, json_t *message); // steals `message`
void server_notify(Server *server, const char *method, json_t *params);
void server_ask(Server *server, const char *method, json_t *params, const char *purpose);
void server_answer(Server *server, const json_t *id, json_t *result);
void server_refuse(Server *server, const json_t *id, int code, const char *message);

enum {
  ERROR_PARSE = -32700,
  ERROR_INVALID_REQUEST = -32600,
  ERROR_NO_METHOD = -32601,
  ERROR_INVALID_PARAMS = -32602,
  ERROR_NOT_INITIALIZED = -32002,
  ERROR_CONTENT_MODIFIED = -32801,
  ERROR_CANCELLED = -32800
};
typedef enum Loudness {
  TELL_ERROR = 1,
  TELL_WARNING = 2,
  TELL_INFO = 3,
  TELL_LOG = 4
} Loudness; // as the protocol numbers them
// In the editor's log; what is loud is shown, too.
void server_log(Server *server, Loudness loudness, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void server_show(Server *server, Loudness loudness, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Shown once for each text.
void server_show_once(Server *server, Loudness loudness, const char *text);
double server_now(void);

// ---- user_settings.c
void settings_default(Settings *settings);
// From the members of `hgrd`; what is missing keeps its value, what is wrong is told and keeps it, too.
void settings_read(Server *server, const json_t *values);

// ---- documents.c
Document *document_find(const Server *server, const char *uri);
Document *document_of_path(const Server *server, const char *path);
void document_open(Server *server, const json_t *params);
void document_change(Server *server, const json_t *params);
void document_save(Server *server, const json_t *params);
void document_close(Server *server, const json_t *params);
void documents_close_all(Server *server);
// A check of each, at once: settings or files around them have changed.
void documents_check_all(Server *server);
// Headers that a file with a report includes are told of there: what their own check said goes.
void documents_cover_headers(Server *server);
bool document_is_unit(const Document *document);    // is compiled by itself
bool document_is_fresh(const Document *document);   // its report is of the texts as they are
bool document_is_pending(const Document *document); // its report is to come
bool document_is_checked(const Server *server, const Document *document);
void document_forget_report(Document *document);
int document_text_file(Document *document); // -1: none can be made
void document_refuse_waiting(Server *server, Document *document, int code, const char *why);
// The request waits for the next report.
void document_wait(Document *document, const json_t *request);
bool documents_cancel_request(Server *server, const json_t *id);

// ---- check.c
// Starts what is due, ends what hangs; milliseconds until there is more to do, -1: nothing.
int checks_advance(Server *server);
void check_cancel(Server *server, Check *check);
bool check_has_new_database(const Server *server, const Document *document); // since its last one
void checks_end(Server *server);                                             // all of them, at once
bool check_cancel_token(Server *server, const json_t *token);                // of work-done progress
void check_progress_made(Server *server, const char *token, bool is_made);   // the editor has answered
// For the loop: descriptors to wait for, and what to do when one is ready.
uint32_t checks_descriptors(const Server *server, uint32_t limit, int *out);
void checks_read(Server *server, int descriptor);

// ---- findings.c: from a report to diagnostics
// Lines of files, read once: as the editor holds them, else from the disk.
typedef struct Sources Sources;
Sources *sources_open(const Server *server, Arena *arena);
TextLine sources_line(Sources *sources, const char *path, json_int_t line); // from 1
const char *sources_path(const Sources *sources, const char *path);         // plain and absolute
const char *sources_uri(const Sources *sources, const char *path);          // as the editor spells it
json_t *sources_range(Sources *sources, const char *path, json_int_t line, size_t first,
                      size_t end); // bytes from 0
// Of a place in a report, with `range` or `column`, else the text of its line.
json_t *place_range(Sources *sources, const json_t *place);
json_t *place_location(Sources *sources, const json_t *place); // {uri, range}
json_t *kernel_range(Sources *sources, const json_t *kernel);  // its name
bool place_is_known(const json_t *place);

json_t *findings_diagnostics(Server *server, Document *document, Sources *sources);
const char *finding_witness(const json_t *finding, Arena *arena); // in words; "" without one
// Sends what the files have now, of all documents together.
void findings_publish(Server *server, json_t *files);

// ---- answers.c, actions.c: what the editor asks
json_t *answer_hover(Server *server, const json_t *params);
json_t *answer_lenses(Server *server, const json_t *params);
json_t *answer_definition(Server *server, const json_t *params);
json_t *answer_references(Server *server, const json_t *params);
json_t *answer_actions(Server *server, const json_t *params);
const char *kernel_headline(const json_t *kernel, Arena *arena);
const char *kernel_in_words(const json_t *report, const json_t *kernel, Arena *arena); // Markdown

#endif
