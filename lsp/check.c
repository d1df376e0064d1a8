// How is a document checked without the server hanging on it?
//
// A check is this program again, in a process group of its own, with the texts that the editor holds put in
// place of the files (--remap-file, from files in memory: nothing lies on the disk) and its report on a pipe.
// It may crash, hang or be killed: the server reads what comes and says what became of it. A newer text ends
// it. What it starts ends with it, and it ends with us.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // pipe2, prctl
#include "lsp/internal.h"
#include "core/path.h"
#include "core/bug.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHECKS_AT_ONCE = 2, MESSAGE_BYTES_KEPT = 1 << 16, REPORT_BYTES_MAX = 512 << 20 };
static const double progress_after = 0.5, patience = 2; // seconds

struct Check {
  Arena *arena;
  Document *document; // NULL once it is cancelled
  pid_t pid;
  int output, errors; // read ends, -1 once closed
  StrBuf report, messages;
  double started, ended_by; // the latter, if it is cancelled: then it is killed
  bool is_killed, looks_for_fixes;
  const char *token; // of work-done progress, once that was asked for; or NULL
};

// ---- the command

typedef VEC(const char *) Arguments;

static void add(Arena *arena, Arguments *list, const char *text) {
  vec_push(arena, list, text);
}

static bool is_database(const char *folder, Arena *arena) {
  return access(arena_printf(arena, "%s/compile_commands.json", folder), R_OK) == 0;
}

// In the folder of the file or above, or in `build` there; NULL: there is none.
static const char *find_database(const char *path, Arena *arena) {
  char *folder = arena_strdup(arena, path);
  for (char *slash; (slash = strrchr(folder, '/')) != NULL;) {
    *slash = '\0';
    const char *here = folder[0] ? folder : "/", *build = arena_printf(arena, "%s/build", folder);
    if (is_database(here, arena)) return arena_strdup(arena, here);
    if (is_database(build, arena)) return build;
  }
  return NULL;
}

static const char *database_for(const Server *server, const Document *document, Arena *arena) {
  const char *chosen = server->settings.build_path;
  if (chosen[0]) return path_plain(server->folder, chosen, arena);
  return document_is_unit(document) ? find_database(document->path, arena) : NULL; // headers are not listed
}

// 0: there is none.
static uint64_t stamp_of_database(const Server *server, const Document *document) {
  Arena *scratch = arena_open();
  const char *folder = document->path ? database_for(server, document, scratch) : NULL;
  struct stat info;
  uint64_t stamp = 0;
  if (folder && stat(arena_printf(scratch, "%s/compile_commands.json", folder), &info) == 0) {
    stamp = str_hash(folder, strlen(folder), 1);
    stamp = str_hash(&info.st_mtim, sizeof info.st_mtim, stamp);
    stamp = str_hash(&info.st_size, sizeof info.st_size, stamp);
  }
  arena_close(scratch);
  return stamp;
}

bool check_has_new_database(const Server *server, const Document *document) {
  return document->database != stamp_of_database(server, document);
}

// Of every file that is open and on the disk: whatever includes it is to read what the editor holds.
static void add_texts(const Server *server, Arena *arena, Arguments *list) {
  for (uint32_t i = 0; i < server->documents.count; i++) {
    Document *other = server->documents.items[i];
    if (!other->path || access(other->path, R_OK) != 0) continue;
    int file = document_text_file(other);
    if (file >= 0)
      add(arena, list,
          arena_printf(arena, "--remap-file=%s=/proc/%ld/fd/%d", other->path, (long)getpid(), file));
  }
}

// What stands before "--", or behind it.
static void add_part(uint32_t count, const char *const *items, bool is_behind, Arena *arena,
                     Arguments *list) {
  ASSERT(items || count == 0);
  bool is_seen = false;
  for (uint32_t i = 0; i < count; i++) {
    bool is_mark = !is_seen && strcmp(items[i], "--") == 0;
    if (!is_mark && is_seen == is_behind) add(arena, list, items[i]);
    is_seen |= is_mark;
  }
}

static Arguments command_of(const Server *server, const Document *document, bool looks_for_fixes,
                            Arena *arena) {
  const Settings *settings = &server->settings;
  const char *database = database_for(server, document, arena);
  Arguments list = {0};
  add(arena, &list, "hgrd-check");
  add(arena, &list, "--format=json");
  if (looks_for_fixes) add(arena, &list, "--suggest-fixes");
  if (database) {
    add(arena, &list, "-p");
    add(arena, &list, database);
  }
  add_texts(server, arena, &list);
  add(arena, &list, document->path);
  for (uint32_t i = 0; i < settings->program_files.count; i++) {
    const char *path = path_plain(server->folder, settings->program_files.items[i], arena);
    if (strcmp(path, document->path) != 0) add(arena, &list, path);
  }
  for (int is_behind = 0; is_behind < 2; is_behind++) {
    if (is_behind) add(arena, &list, "--");
    add_part(server->options->flag_count, server->options->flags, is_behind, arena, &list);
    add_part(settings->arguments.count, settings->arguments.items, is_behind, arena, &list);
  }
  vec_push(arena, &list, NULL);
  return list;
}

// ---- start and end

static _Noreturn void become(const Server *server, const Arguments *command, const int ends[2]) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  signal(SIGPIPE, SIG_DFL);
  int null = open("/dev/null", O_RDONLY);
  if (null >= 0) dup2(null, STDIN_FILENO);
  dup2(ends[0], STDOUT_FILENO);
  dup2(ends[1], STDERR_FILENO);
  if (chdir(server->folder) == 0) setenv("PWD", server->folder, 1);
  execv(server->options->program, (char *const *)command->items);
  const char *why = strerror(errno);
  ssize_t put = write(STDERR_FILENO, why, strlen(why));
  _exit(put < 0 ? 126 : 127);
}

static Check *make(Document *document) {
  Arena *arena = arena_open();
  Check *check = arena_new(arena, Check);
  *check = (Check){.arena = arena,
                   .document = document,
                   .output = -1,
                   .errors = -1,
                   .started = server_now(),
                   .report.arena = arena,
                   .messages.arena = arena};
  return check;
}

static bool start(Server *server, Document *document, bool looks_for_fixes) {
  int output[2], errors[2];
  Check *check = make(document);
  Arguments command = command_of(server, document, looks_for_fixes, check->arena);
  document->database = stamp_of_database(server, document);
  bool has_output = pipe2(output, O_CLOEXEC) == 0, has_errors = has_output && pipe2(errors, O_CLOEXEC) == 0;
  check->pid = has_errors ? fork() : -1;
  if (check->pid == 0) become(server, &command, (int[2]){output[1], errors[1]});
  int reason = errno;
  if (has_output) close(output[1]);
  if (has_errors) close(errors[1]);
  document->due = 0;
  document->wants_fixes = false;
  check->looks_for_fixes = looks_for_fixes;
  if (check->pid < 0) {
    if (has_output) close(output[0]);
    if (has_errors) close(errors[0]);
    server_show(server, TELL_ERROR, "hgrd: cannot start a check: %s", strerror(reason));
    arena_close(check->arena);
    return false;
  }
  setpgid(check->pid, check->pid); // whoever of us comes first
  check->output = output[0];
  check->errors = errors[0];
  document->check = check;
  vec_push(server->arena, &server->checks, check);
  return true;
}

static void end_progress(Server *server, const Check *check) {
  if (!check->token) return;
  server_notify(server, "$/progress",
                js_make("{s:s, s:{s:s}}", "token", check->token, "value", "kind", "end"));
}

void check_cancel(Server *server, Check *check) {
  if (!check->document) return;
  check->document->check = NULL;
  check->document = NULL;
  check->ended_by = server_now() + patience;
  kill(-check->pid, SIGTERM);
  end_progress(server, check);
}

// ---- what became of it

static const char *why_it_failed(const Check *check, int status) {
  const char *said = strbuf_text(&check->messages);
  const char *line = arena_strndup(check->arena, said, strcspn(said, "\n"));
  if (str_starts_with(line, "hgrd-check: ") && WIFEXITED(status) && WEXITSTATUS(status) == 2)
    return line + strlen("hgrd-check: ");
  if (WIFSIGNALED(status))
    return arena_printf(check->arena, "the check was ended by signal %d (%s)", WTERMSIG(status),
                        strsignal(WTERMSIG(status)));
  return arena_printf(check->arena, "the check ended with status %d and no report%s%s",
                      WIFEXITED(status) ? WEXITSTATUS(status) : -1, line[0] ? ": " : "", line);
}

static json_t *failure_diagnostics(const Check *check, const char *why) {
  json_t *range = js_make("{s:{s:i, s:i}, s:{s:i, s:i}}", "start", "line", 0, "character", 0, "end", "line",
                          0, "character", 0);
  const char *text = arena_printf(check->arena, "not checked: %s", why);
  json_t *one = js_make("{s:o, s:i, s:s, s:s, s:o}", "range", range, "severity", 1, "source", "hgrd", "code",
                        "not-checked", "message", js_string(text, strlen(text)));
  return js_make("{s:[o]}", check->document->uri, one);
}

static json_t *union_of(json_t *a, json_t *b) {
  json_t *all = js_need(json_object());
  if (json_object_update_missing(all, a) || json_object_update_missing(all, b))
    BUG("cannot add JSON members");
  return all;
}

static void publish(Server *server, Document *document, json_t *diagnostics) {
  json_t *files = union_of(document->diagnostics, diagnostics);
  json_decref(document->diagnostics);
  document->diagnostics = diagnostics;
  if (!json_object_get(files, document->uri)) js_put(files, document->uri, js_need(json_array()));
  findings_publish(server, files);
  json_decref(files);
}

// Once more, but for the fixes: nothing else is said about an unchanged text.
static void take_fixes(Document *document, json_t *report) {
  document_forget_report(document);
  document->report = report;
}

static void take_report(Server *server, const Check *check, json_t *report) {
  Document *document = check->document;
  Arena *scratch = arena_open();
  document_forget_report(document);
  document->report = report;
  publish(server, document, findings_diagnostics(server, document, sources_open(server, scratch)));
  arena_close(scratch);
  documents_cover_headers(server);
  bool has_findings = json_array_size(json_object_get(document->report, "findings")) > 0;
  document->wants_fixes = has_findings && server->settings.wants_fixes && server->can.literal_actions;
  if (server->can.refreshes_lenses && server->settings.wants_lenses)
    server_ask(server, "workspace/codeLens/refresh", NULL, "");
}

static void finish(Server *server, Check *check) {
  int status = 0;
  pid_t got;
  kill(-check->pid, SIGKILL); // what it may have left running
  do
    got = waitpid(check->pid, &status, 0);
  while (got < 0 && errno == EINTR);
  Document *document = check->document;
  if (!document) return;
  document->check = NULL;
  end_progress(server, check);
  json_error_t mistake;
  json_t *report = json_loadb(strbuf_text(&check->report), check->report.length, 0, &mistake);
  bool is_whole = WIFEXITED(status) && WEXITSTATUS(status) < 4 && json_is_object(report);
  if (check->looks_for_fixes) {
    server_log(server, TELL_LOG, "%s: fixes were looked for in %.2f s", document->path,
               server_now() - check->started);
    if (is_whole)
      take_fixes(document, report);
    else
      json_decref(report); // what the check itself said stands
  } else if (is_whole) {
    server_log(server, TELL_LOG, "%s: checked in %.2f s", document->path, server_now() - check->started);
    take_report(server, check, report);
  } else {
    const char *why = why_it_failed(check, status);
    json_decref(report);
    server_log(server, TELL_ERROR, "%s: %s\n%s", document->path, why, strbuf_text(&check->messages));
    publish(server, document, failure_diagnostics(check, why));
  }
  document_answer_waiting(server, document);
}

static void drop(Check *check) {
  if (check->output >= 0) close(check->output);
  if (check->errors >= 0) close(check->errors);
  arena_close(check->arena);
}

void checks_end(Server *server) {
  for (uint32_t i = 0; i < server->checks.count; i++) {
    Check *check = server->checks.items[i];
    check_cancel(server, check);
    finish(server, check);
    drop(check);
  }
  server->checks.count = 0;
}

// ---- the loop

uint32_t checks_descriptors(const Server *server, uint32_t limit, int *out) {
  ASSERT(out);
  uint32_t count = 0;
  for (uint32_t i = 0; i < server->checks.count; i++) {
    const Check *check = server->checks.items[i];
    if (check->output >= 0 && count < limit) out[count++] = check->output;
    if (check->errors >= 0 && count < limit) out[count++] = check->errors;
  }
  return count;
}

static void drain(int *end, StrBuf *into, size_t limit) {
  char buffer[65536];
  ssize_t got = read(*end, buffer, sizeof buffer);
  if (got < 0 && errno == EINTR) return;
  if (got > 0 && into->length < limit) strbuf_add_n(into, buffer, (size_t)got);
  if (got > 0) return;
  close(*end);
  *end = -1;
}

void checks_read(Server *server, int descriptor) {
  for (uint32_t i = 0; i < server->checks.count; i++) {
    Check *check = server->checks.items[i];
    if (check->output == descriptor)
      drain(&check->output, &check->report, REPORT_BYTES_MAX);
    else if (check->errors == descriptor)
      drain(&check->errors, &check->messages, MESSAGE_BYTES_KEPT);
    else
      continue;
    if (check->output >= 0 || check->errors >= 0) return;
    finish(server, check);
    drop(check);
    server->checks.items[i] = vec_last(&server->checks);
    server->checks.count--;
    return;
  }
}

static void begin_progress(Server *server, Check *check) {
  check->token = arena_printf(check->arena, "hgrd/%ld", (long)check->pid);
  server_ask(server, "window/workDoneProgress/create", js_make("{s:s}", "token", check->token), check->token);
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void check_progress_made(Server *server, const char *token, bool is_made) {
  ASSERT(token);
  for (uint32_t i = 0; i < server->checks.count; i++) {
    Check *check = server->checks.items[i];
    if (!check->document || !check->token || strcmp(check->token, token) != 0) continue;
    const char *name = base_name(check->document->path);
    const char *text =
        check->looks_for_fixes ? arena_printf(check->arena, "%s: looking for fixes", name) : name;
    if (is_made)
      server_notify(server, "$/progress",
                    js_make("{s:s, s:{s:s, s:s, s:o, s:b}}", "token", token, "value", "kind", "begin",
                            "title", "hgrd", "message", js_string(text, strlen(text)), "cancellable", 1));
    else
      check->token = NULL;
  }
}

bool check_cancel_token(Server *server, const json_t *token) {
  for (uint32_t i = 0; i < server->checks.count; i++) {
    Check *check = server->checks.items[i];
    Document *document = check->document;
    if (!document || !check->token || !json_is_string(token) ||
        strcmp(json_string_value(token), check->token) != 0)
      continue;
    check_cancel(server, check);
    document_refuse_waiting(server, document, ERROR_CANCELLED, "the check was cancelled");
    return true;
  }
  return false;
}

static Document *next_due(const Server *server, double now) {
  Document *next = NULL;
  for (uint32_t i = 0; i < server->documents.count; i++) {
    Document *document = server->documents.items[i];
    if (document->due > 0 && document->due <= now && (!next || document->due < next->due)) next = document;
  }
  return next;
}

// NULL while anything is to be checked at all.
static Document *next_to_fix(const Server *server) {
  Document *next = NULL;
  for (uint32_t i = 0; i < server->documents.count; i++) {
    Document *document = server->documents.items[i];
    if (document->due > 0) return NULL;
    if (document->wants_fixes && !next) next = document;
  }
  return next;
}

// What is waited for goes first.
static void put_off_fixes(Server *server) {
  for (uint32_t i = 0; i < server->checks.count; i++) {
    Check *check = server->checks.items[i];
    Document *document = check->document;
    if (!document || !check->looks_for_fixes) continue;
    check_cancel(server, check);
    document->wants_fixes = true;
  }
}

// The earlier of two moments, where 0 is never.
static double earlier(double a, double b) {
  return a > 0 && (b <= 0 || a < b) ? a : b;
}

static uint32_t count_running(const Server *server) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < server->checks.count; i++)
    count += server->checks.items[i]->document != NULL;
  return count;
}

// Shows and ends what is due of the checks there are; the next moment at which one of them is to be looked at, or 0.
static double advance_running(Server *server, double now) {
  double next = 0;
  for (uint32_t i = 0; i < server->checks.count; i++) {
    Check *check = server->checks.items[i];
    if (!check->document && !check->is_killed && check->ended_by <= now) {
      kill(-check->pid, SIGKILL);
      check->is_killed = true;
    }
    if (!check->document && !check->is_killed) next = earlier(check->ended_by, next);
    if (!check->document || check->token || !server->can.progress) continue;
    if (check->started + progress_after <= now)
      begin_progress(server, check);
    else
      next = earlier(check->started + progress_after, next);
  }
  return next;
}

int checks_advance(Server *server) {
  double now = server_now();
  Document *idle;
  if (next_due(server, now)) put_off_fixes(server);
  uint32_t running = count_running(server);
  for (Document *document; running < CHECKS_AT_ONCE && (document = next_due(server, now)) != NULL;)
    running += start(server, document, false);
  if (running == 0 && (idle = next_to_fix(server)) != NULL) running += start(server, idle, true);
  double next = advance_running(server, now); // what has just begun is among them: nothing else may wake us
  for (uint32_t i = 0; i < server->documents.count && running < CHECKS_AT_ONCE; i++)
    next = earlier(server->documents.items[i]->due, next);
  if (next <= 0) return -1;
  return next > now ? (int)((next - now) * 1000) + 1 : 0;
}
