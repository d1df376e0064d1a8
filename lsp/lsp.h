// A language server (Language Server Protocol 3.17): an editor writes messages in, answers and diagnostics
// come out. Each check runs in a process of its own, which is this program once more, so that nothing it does
// takes the server down.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_LSP_H
#define HGRD_LSP_H

typedef struct LspOptions {
  int input, output;   // descriptors, read and written until the end
  const char *program; // to start for a check; its name as it sees it is "hgrd-check"
  const char *version; // told to the editor
  unsigned flag_count; // options for every check, in front of those of the settings
  const char *const *flags;
} LspOptions;

// Serves until the editor says so or is gone. Returns 0 if it was told to shut down first, as the protocol
// has it, else 1.
int lsp_run(const LspOptions *options);

#endif
