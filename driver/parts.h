// A run in parts: each checks some of the kernels, and what they found is put together to the whole run's
// report.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_PARTS_H
#define HGRD_DRIVER_PARTS_H

#include "driver/workers.h"
#include "report/report.h"

// What a report is made of, but for the results themselves.
typedef struct PartRun {
  const Options *options;
  const char *version; // exactly
  uint32_t task_count;
  CheckTask *tasks; // all of the program
  ExprPool *pool;
  uint32_t file_count;
  const ReportFile *files;
  DiagSink *sink; // before anything was checked
} PartRun;

// Which of the parts checks the task? By names, so that it stays the same while others change.
bool parts_owns(const Options *options, const CheckTask *tasks, uint32_t task);

// All that the parts of one run have in common, as bytes; of what is there before anything is checked.
StrBuf parts_common(const PartRun *run, Arena *arena);
void parts_write(const PartRun *run, const StrBuf *common, StrBuf *out);
// Puts the parts that the options name together: fills in all but options, version and sink. False with an
// error in the sink if they are no parts of one run, or not all of them.
bool parts_merge(PartRun *run, Arena *arena);

#endif
