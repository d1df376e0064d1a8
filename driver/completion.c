// How does a shell know the options? By a script that is made from the table of options, the list of rules
// and the list of causes, so that it cannot name one that is not there. What an argument is follows from its
// name in the table: FILE and DIR are paths, `a|b` are values, and some options list theirs.
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "driver/completion.h"
#include "core/bug.h"

#include <ctype.h>
#include <string.h>

static bool is_path(const OptionInfo *option, const char *kind) {
  return option->argument && str_starts_with(option->argument, kind);
}

// The values that an argument may have, with blanks between; "" if they are not known.
static const char *values_text(const OptionInfo *option, Arena *arena) {
  StrBuf text = {.arena = arena};
  for (const char *const *value = option->values; value && *value; value++)
    strbuf_printf(&text, "%s%s", text.length ? " " : "", *value);
  for (int rule = RULE_NONE + 1; option->explains && rule < RULE_COUNT; rule++)
    strbuf_printf(&text, "%s%s", text.length ? " " : "", finding_rule_info((FindingRule)rule)->name);
  for (uint32_t i = 0; option->explains && cause_at(i); i++)
    strbuf_printf(&text, " %s", cause_at(i)->name);
  if (!option->values && option->argument && strchr(option->argument, '|'))
    for (const char *at = option->argument; *at;) {
      size_t length = strcspn(at, "|");
      if (islower((unsigned char)*at))
        strbuf_printf(&text, "%s%.*s", text.length ? " " : "", (int)length, at);
      at += length + (at[length] == '|');
    }
  return strbuf_text(&text);
}

// All spellings of -W, in one line each.
static void each_warning(StrBuf *out, const char *before, const char *behind) {
  static const char *const starts[] = {"", "no-", "error=", "no-error="};
  strbuf_printf(out, "%sWerror%s%sWno-error%s", before, behind, before, behind);
  for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++)
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
      strbuf_printf(out, "%sW%s%s%s", before, starts[i], finding_rule_info((FindingRule)rule)->name, behind);
}

// ---- bash

static void add_bash_words(StrBuf *out, const char *what, bool (*fits)(const OptionInfo *)) {
  OptionInfo option;
  const char *between = "";
  for (uint32_t i = 0; options_at(i, &option); i++) {
    if (!fits(&option)) continue;
    strbuf_printf(out, "%s%s%s", between, option.dashes, option.name);
    between = " | ";
  }
  strbuf_printf(out, ") compopt -o %s; return ;;\n", what);
}

static bool takes_folder(const OptionInfo *option) {
  return is_path(option, "DIR");
}

static bool takes_file(const OptionInfo *option) {
  return is_path(option, "FILE");
}

static void add_bash_options(StrBuf *out) {
  OptionInfo option;
  for (uint32_t i = 0; options_at(i, &option); i++) {
    bool is_joined = option.argument && option.dashes[1] && option.argument[0] != '[';
    strbuf_printf(out, "%s%s%s ", option.dashes, option.name, is_joined ? "=" : "");
  }
}

static void print_bash(StrBuf *out) {
  strbuf_add(out,
             "# Completion for bash, from hgrd-check --completion=bash.\n"
             "_hgrd_check() {\n"
             "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} i values=''\n"
             "  COMPREPLY=()\n"
             "  for ((i = 1; i < COMP_CWORD; i++)); do # flags of the compiler\n"
             "    [[ ${COMP_WORDS[i]} != -- ]] || { compopt -o default; return; }\n"
             "  done\n"
             "  [[ $current != = ]] || current='' # bash takes `=` for a word of its own\n"
             "  [[ $before != = ]] || before=${COMP_WORDS[COMP_CWORD - 2]}\n"
             "  case $before in\n  ");
  add_bash_words(out, "dirnames", takes_folder);
  strbuf_add(out, "  ");
  add_bash_words(out, "default", takes_file);
  OptionInfo option;
  for (uint32_t i = 0; options_at(i, &option); i++) {
    const char *values = values_text(&option, out->arena);
    if (*values && !takes_folder(&option))
      strbuf_printf(out, "  %s%s) values='%s' ;;\n", option.dashes, option.name, values);
  }
  strbuf_add(out, "  esac\n"
                  "  if [[ -z $values && $current == -W* ]]; then\n"
                  "    values='");
  each_warning(out, "-", " ");
  strbuf_add(out, "'\n"
                  "  elif [[ -z $values && $current == -* ]]; then\n"
                  "    values='");
  add_bash_options(out);
  strbuf_add(out, "'\n"
                  "  elif [[ -z $values ]]; then\n"
                  "    compopt -o default\n"
                  "    return\n"
                  "  fi\n"
                  "  mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$current\")\n"
                  "  [[ ${COMPREPLY[0]:-} != *= ]] || compopt -o nospace\n"
                  "}\n"
                  "complete -F _hgrd_check hgrd-check\n");
}

// ---- zsh and fish

// Text between single quotes; each character of `special` with a backslash before it.
static void add_quoted(StrBuf *out, const char *text, const char *special) {
  for (; *text; text++) {
    if (*text == '\'') {
      strbuf_add(out, "'\\''");
      continue;
    }
    if (strchr(special, *text)) strbuf_add(out, "\\");
    strbuf_add_n(out, text, 1);
  }
}

// Of another spelling, the help of the option before it.
static const char *help_of(uint32_t index) {
  OptionInfo option = {0};
  while (options_at(index, &option) && !option.help && index > 0)
    index--;
  return option.help ? option.help : "";
}

static void add_zsh_argument(StrBuf *out, const OptionInfo *option) {
  const char *values = values_text(option, out->arena);
  if (!option->argument) return;
  strbuf_add(out, ":");
  add_quoted(out, option->argument, ":[]\\");
  strbuf_add(out, ":");
  if (is_path(option, "DIR"))
    strbuf_add(out, "_files -/");
  else if (is_path(option, "FILE"))
    strbuf_add(out, "_files");
  else if (*values)
    strbuf_printf(out, "(%s)", values);
  else
    strbuf_add(out, " "); // something, nobody knows what
}

static void print_zsh(StrBuf *out) {
  OptionInfo option;
  strbuf_add(out, "#compdef hgrd-check\n"
                  "# Completion for zsh, from hgrd-check --completion=zsh.\n"
                  "_arguments -S \\\n");
  for (uint32_t i = 0; options_at(i, &option); i++) {
    const char *joint = !option.argument ? "" : option.dashes[1] ? "=" : "+";
    strbuf_printf(out, "  '*%s%s%s[", option.dashes, option.name, joint);
    add_quoted(out, help_of(i), "[]:\\");
    strbuf_add(out, "]");
    add_zsh_argument(out, &option);
    strbuf_add(out, "' \\\n");
  }
  each_warning(out, "  '*-", "[level of a rule]' \\\n");
  strbuf_add(out, "  '*:file:_files'\n");
}

static void print_fish(StrBuf *out) {
  OptionInfo option;
  strbuf_add(out, "# Completion for fish, from hgrd-check --completion=fish.\n");
  for (uint32_t i = 0; options_at(i, &option); i++) {
    const char *values = values_text(&option, out->arena);
    const char *kind = option.dashes[1] ? "-l" : option.name[1] ? "-o" : "-s";
    strbuf_printf(out, "complete -c hgrd-check %s %s", kind, option.name);
    if (is_path(&option, "DIR"))
      strbuf_printf(out, " -x -a '(__fish_complete_directories)%s%s'", *values ? " " : "", values);
    else if (is_path(&option, "FILE"))
      strbuf_add(out, " -r -F");
    else if (*values)
      strbuf_printf(out, " -x -a '%s'", values);
    else if (option.argument)
      strbuf_add(out, " -x");
    strbuf_add(out, " -d '");
    add_quoted(out, help_of(i), "\\");
    strbuf_add(out, "'\n");
  }
  each_warning(out, "complete -c hgrd-check -o ", " -d 'level of a rule'\n");
}

void completion_print(CompletionShell shell, StrBuf *out) {
  ASSERT(out);
  switch (shell) {
  case SHELL_BASH: print_bash(out); return;
  case SHELL_ZSH: print_zsh(out); return;
  case SHELL_FISH: print_fish(out); return;
  }
}
