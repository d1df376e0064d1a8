// How long does the host scan take (processor time), and how much memory does it fill? Loads each file by itself, scans its host module
// five times, prints the best time, the bytes of its arena, and what it found.
//   host_bench FILE.cu ...
// SPDX-License-Identifier: Apache-2.0
#include "frontend/frontend.h"
#include "hostscan/hostscan.h"

#include <stdio.h>
#include <time.h>

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static uint32_t count_lines(const char *path) {
  FILE *file = fopen(path, "r");
  uint32_t lines = 0;
  for (int c; file && (c = fgetc(file)) != EOF;)
    lines += c == '\n';
  if (file) fclose(file);
  return lines;
}

static void measure(const Program *program, const char *path, double frontend_ms) {
  const IrModule *host = program->units.items[0].host, *device = program->units.items[0].device;
  HostScanOptions options = {.has_main = program->has_main};
  uint32_t instructions = 0, launches = 0, facts = 0;
  double best = 0;
  size_t bytes = 0;
  for (uint32_t i = 0; i < host->functions.count; i++)
    instructions += host->functions.items[i]->insts.count;
  for (int run = 0; run < 5; run++) {
    Arena *arena = arena_open();
    DiagSink sink = {.arena = arena};
    double start = now_ms();
    const HostScanResult *result = hostscan_run(host, device != NULL, &device, &options, arena, &sink);
    double took = now_ms() - start;
    if (run == 0 || took < best) best = took;
    bytes = arena_bytes(arena);
    launches = result->launches.count;
    facts = 0;
    for (uint32_t i = 0; i < launches; i++)
      facts += result->launches.items[i]->facts.count;
    arena_close(arena);
  }
  printf("%-24s %8u %10u %9u %8u %9.0f %9.1f %9.1f\n", path, count_lines(path), instructions, launches, facts, frontend_ms,
         best, (double)bytes / (1 << 20));
}

int main(int argc, char **argv) {
  int failures = 0;
  printf("%-24s %8s %10s %9s %8s %9s %9s %9s\n", "file", "lines", "IR insts", "launches", "facts", "front/ms", "scan/ms",
         "scan/MiB");
  for (int i = 1; i < argc; i++) {
    Arena *arena = arena_open();
    DiagSink sink = {.arena = arena};
    const char *path = argv[i];
    Program program = {0};
    FrontendOptions options = {0};
    double start = now_ms();
    bool is_loaded = frontend_load(&options, 1, &path, arena, str_table_make(arena), &sink, &program);
    if (is_loaded && program.units.items[0].host) {
      measure(&program, path, now_ms() - start);
    } else {
      fprintf(stderr, "host_bench: %s does not load\n", path);
      failures++;
    }
    arena_close(arena);
  }
  return failures > 0;
}
