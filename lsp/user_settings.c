// What did the user choose?
//
// `hgrd.*` comes with `initialize` (initializationOptions), with workspace/didChangeConfiguration, or as the
// answer to workspace/configuration. A value of the wrong type is told with what it should be, and the one
// before it stays.
// SPDX-License-Identifier: Apache-2.0
#include "lsp/internal.h"
#include "core/bug.h"

#include <string.h>

enum { DELAY_MILLISECONDS = 400, DELAY_MOST = 60000, SEVERITY_INFORMATION = 3, SEVERITY_HINT = 4 };

void settings_default(Settings *settings) {
  *settings = (Settings){.arena = arena_open(),
                         .delay_milliseconds = DELAY_MILLISECONDS,
                         .build_path = "",
                         .undecided_severity = SEVERITY_INFORMATION,
                         .wants_lenses = true,
                         .wants_fixes = true};
}

static void complain(Server *server, const char *name, const char *expected) {
  Arena *scratch = arena_open();
  server_show_once(
      server, TELL_WARNING,
      arena_printf(scratch, "hgrd: the setting hgrd.%s is not understood; it has to be %s", name, expected));
  arena_close(scratch);
}

static bool is_given(const json_t *values, const char *name) {
  const json_t *value = json_object_get(values, name);
  return value && !json_is_null(value);
}

// The place of the text in the list; -1 after a complaint, and where none is given.
static int choice(Server *server, const json_t *values, const char *name, const char *const *texts,
                  const char *expected) {
  const char *text = js_text(values, name);
  if (!is_given(values, name)) return -1;
  for (int i = 0; texts[i]; i++)
    if (strcmp(texts[i], text) == 0) return i;
  complain(server, name, expected);
  return -1;
}

static bool are_texts(const json_t *array) {
  bool are = json_is_array(array);
  for (size_t i = 0; are && i < json_array_size(array); i++)
    are = json_is_string(json_array_get(array, i)) && json_string_length(json_array_get(array, i)) > 0;
  return are;
}

typedef VEC(const char *) Texts;

static bool read_texts(Server *server, const json_t *values, const char *name, Texts *out) {
  const json_t *array = json_object_get(values, name);
  if (!is_given(values, name)) return false;
  if (!are_texts(array)) {
    complain(server, name, "a list of texts, such as [\"--arch=sm_90\"]");
    return false;
  }
  *out = (Texts){0};
  for (size_t i = 0; i < json_array_size(array); i++)
    vec_push(server->settings.arena, out,
             arena_strdup(server->settings.arena, json_string_value(json_array_get(array, i))));
  return true;
}

static void read_lists(Server *server, const json_t *values) {
  Settings *settings = &server->settings;
  Texts texts;
  if (read_texts(server, values, "arguments", &texts)) {
    settings->arguments.items = texts.items;
    settings->arguments.count = texts.count, settings->arguments.capacity = texts.capacity;
  }
  if (read_texts(server, values, "programFiles", &texts)) {
    settings->program_files.items = texts.items;
    settings->program_files.count = texts.count, settings->program_files.capacity = texts.capacity;
  }
}

static void read_switch(Server *server, const json_t *values, const char *name, bool *out) {
  if (is_given(values, name) && !json_is_boolean(json_object_get(values, name)))
    complain(server, name, "true or false");
  else if (is_given(values, name))
    *out = js_true(values, name);
}

static void read_delay(Server *server, const json_t *values) {
  json_int_t delay = js_number(values, "delay", -1);
  if (!is_given(values, "delay")) return;
  if (delay < 0 || delay > DELAY_MOST)
    complain(server, "delay", "a number of milliseconds up to 60000");
  else
    server->settings.delay_milliseconds = (uint32_t)delay;
}

void settings_read(Server *server, const json_t *values) {
  Settings *settings = &server->settings;
  static const char *const moments[] = {"change", "save", NULL};
  static const char *const severities[] = {"information", "hint", "off", NULL};
  static const int severity_of[] = {SEVERITY_INFORMATION, SEVERITY_HINT, 0};
  if (!json_is_object(values)) return;
  int moment = choice(server, values, "checkOn", moments, "\"change\" or \"save\"");
  if (moment >= 0) settings->check_on = moment == 0 ? CHECK_ON_CHANGE : CHECK_ON_SAVE;
  int severity = choice(server, values, "undecided", severities, "\"information\", \"hint\" or \"off\"");
  if (severity >= 0) settings->undecided_severity = severity_of[severity];
  read_switch(server, values, "codeLens", &settings->wants_lenses);
  read_switch(server, values, "fixes", &settings->wants_fixes);
  if (is_given(values, "buildPath") && !json_is_string(json_object_get(values, "buildPath")))
    complain(server, "buildPath", "the name of the folder of compile_commands.json");
  else if (is_given(values, "buildPath"))
    settings->build_path = arena_strdup(settings->arena, js_text(values, "buildPath"));
  read_delay(server, values);
  read_lists(server, values);
  ASSERT(settings->delay_milliseconds <= DELAY_MOST);
  ASSERT(settings->undecided_severity == 0 || settings->undecided_severity >= SEVERITY_INFORMATION);
}
