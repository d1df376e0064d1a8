// One run over the files, while it goes on: what it was asked for, what its stages have found so far, and the
// stages, in the order in which they have to be called (driver/pipeline.c, which reads aloud).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_RUN_H
#define HGRD_DRIVER_RUN_H

#include "driver/files.h"
#include "driver/parts.h"
#include "driver/workers.h"
#include "frontend/frontend.h"
#include "hostscan/hostscan.h"
#include "report/report.h"

#include <regex.h>

typedef struct Run {
  const Options *options;
  Arena *arena;
  StrTable *strings;
  DiagSink *sink;
  const char *version; // exactly
  Cache *cache;        // or NULL
  FrontendStore store;
  SourceCache *sources;
  Overlay overlay;
  Program program;
  HostScanResult *host;
  HostScanOptions host_options;
  VEC(CheckTask) tasks;
  StrBuf common;            // what all parts of the run share, if a part is to be written
  const PartRun *merged;    // where the results are from, if nothing is checked
  uint32_t library_kernels; // that are not among them
  const ReportBaseline *baseline;
  const ReportSuppressions *suppressions;
  VEC(CheckRun *) checks;
  Progress progress;
  ReportStats stats;
  bool keeps_no_text; // what the files say is not to be kept
  bool is_again;      // other texts of a program that was checked in this process before
  double deadline;    // of run_clock; 0: none
  bool is_interrupted;
  bool is_out_of_time;  // besides: not by a signal, but by the deadline
  bool is_contradicted; // a proof, by a run (--audit)
} Run;

typedef struct RunResults {
  uint32_t count;
  const KernelResult **items;
} RunResults;
// Of the kernels of that name, or of all; what was not checked is left out.
RunResults run_results(const Run *run, const char *kernel, Arena *arena);

FrontendOptions run_frontend_options(const Run *run);
// Each needs what those before it have filled in. False: the run cannot go on; the sink has the reason.
MUST_USE bool run_load(Run *run);
MUST_USE bool run_verify(const Run *run);
void run_scan_host(Run *run);
void run_list_tasks(Run *run, const regex_t *filter); // NULL: all kernels
void run_check_kernels(Run *run);
void run_check_named(Run *run,
                     const char *kernel); // those of that name alone; run_check_kernels does the rest
void run_tell_contradictions(Run *run);   // of the results; each is a mistake of ours

double run_clock(void); // seconds
void run_finish_stats(Run *run, double analysis_start);

#endif
