// A launch from its request to its outcome, and the machine's own beginning and end. The machine is set up by a constructor before main,
// so that what is wrong with its settings is told before anything runs; at the end of the program the findings are summed up.
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/internal.h"
#include "rt/machine/state.h"
#include "rt/memory_map.h"
#include "rt/race_report.h"
#include "rt/contract.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { STATUS_RACE = 1, STATUS_INPUT = 2, STATUS_TIMEOUT = 124 };
enum { BLOCK_DEPTH_MOST = 64, GRID_SIDE_MOST = 65535, SHARED_MOST = 227 << 10, RESIDENT_MOST = 1 << 18 };

void hgrd_launch_from(const char *file, uint32_t line) {
  machine_launch_place = (LaunchPlace){file, line};
}

bool rt_is_in_kernel(void) {
  return rt_machine.current != NULL;
}

// ---- what there is

uint32_t rt_unit_of_fatbin(const void *wrapper) {
  RT_ASSERT(wrapper);
  struct {
    int magic, version;
    const char *data;
  } read;
  static const char sign[] = "hgrd-unit ";
  memcpy(&read, wrapper, sizeof read);
  bool is_ours = read.data && strncmp(read.data, sign, strlen(sign)) == 0;
  return is_ours ? (uint32_t)strtoul(read.data + strlen(sign), NULL, 10) : UINT32_MAX;
}

const RtKernel *rt_kernel_named(uint32_t unit, const char *name) {
  RT_ASSERT(name);
  for (uint32_t i = 0; i < hgrd_image.kernel_count; i++)
    if (hgrd_image.kernels[i].unit == unit && strcmp(hgrd_image.kernels[i].name, name) == 0)
      return &hgrd_image.kernels[i];
  return NULL;
}

const RtVariable *rt_variable_named(uint32_t unit, const char *name) {
  RT_ASSERT(name);
  for (uint32_t i = 0; i < hgrd_image.variable_count; i++)
    if (hgrd_image.variables[i].unit == unit && strcmp(hgrd_image.variables[i].name, name) == 0)
      return &hgrd_image.variables[i];
  return NULL;
}

// ---- a launch

static bool has_good_shape(const RtRequest *request) {
  const uint32_t *grid = request->grid, *block = request->block;
  for (int i = 0; i < 3; i++)
    if (grid[i] == 0 || block[i] == 0 || block[i] > BLOCK_THREADS_MOST) return false;
  uint64_t threads = (uint64_t)block[0] * block[1] * block[2], blocks = (uint64_t)grid[0] * grid[1] * grid[2];
  uint64_t shared = request->kernel->static_shared_bytes + request->dynamic_shared_bytes;
  bool is_bounded = request->kernel->max_threads == 0 || threads <= request->kernel->max_threads;
  return threads <= BLOCK_THREADS_MOST && block[2] <= BLOCK_DEPTH_MOST && grid[1] <= GRID_SIDE_MOST &&
         grid[2] <= GRID_SIDE_MOST && blocks < UINT32_MAX && shared <= SHARED_MOST && is_bounded;
}

static void describe(const RtRequest *request) {
  RtLaunch *launch = &rt_machine.launch;
  *launch = (RtLaunch){.kernel = request->kernel->shown,
                       .file = machine_launch_place.file,
                       .line = machine_launch_place.line,
                       .shared_bytes = rt_machine.shared_bytes,
                       .number = ++rt_machine.launches};
  memcpy(launch->grid, request->grid, sizeof launch->grid);
  memcpy(launch->block, request->block, sizeof launch->block);
}

static void prepare(const RtRequest *request) {
  rt_machine.request = request;
  rt_machine.outcome = RT_RAN;
  rt_machine.is_over = false;
  rt_machine.region = rt_memory_region();
  rt_machine.watched = rt_machine.met = 0;
  rt_machine.ticks_before = rt_machine.ticks;
  rt_machine.threads_per_block = request->block[0] * request->block[1] * request->block[2];
  rt_machine.block_count = request->grid[0] * request->grid[1] * request->grid[2];
  rt_machine.live = (uint64_t)rt_machine.threads_per_block * rt_machine.block_count;
  rt_machine.dynamic_offset = (request->kernel->static_shared_bytes + 15) / 16 * 16;
  rt_machine.shared_bytes = rt_machine.dynamic_offset + request->dynamic_shared_bytes;
  describe(request);
}

static bool open_detector(void) {
  if (!rt_machine.kind) return true;
  rt_machine.detector = rt_machine.kind->open(&rt_machine.launch, told_race, NULL);
  return rt_machine.detector != NULL;
}

// As far as it has come. The thread that asks may be another one than the one that runs it.
static uint64_t steps_left_out(void) {
  const Thread *thread = rt_machine.current;
  uint64_t steps = rt_machine.ticks - rt_machine.ticks_before;
  if (thread) steps += rt_machine.turn - thread->lane.budget;
  return steps > rt_machine.met ? steps - rt_machine.met : 0;
}

static void count_launch(void) {
  bool has_given_up = rt_machine.kind->has_given_up && rt_machine.kind->has_given_up(rt_machine.detector);
  rt_report_launch(rt_machine.report, rt_machine.watched, steps_left_out(), has_given_up);
}

static void close_detector(void) {
  if (!rt_machine.detector) return;
  uint64_t bytes = rt_machine.kind->bytes ? rt_machine.kind->bytes(rt_machine.detector) : 0;
  if (bytes > rt_machine.bytes_most) rt_machine.bytes_most = bytes;
  count_launch();
  rt_machine.kind->close(rt_machine.detector);
  rt_machine.detector = NULL;
}

static RtOutcome run(const RtRequest *request) {
  if (!has_good_shape(request)) return RT_BAD_SHAPE;
  prepare(request);
  if (request->is_cooperative && rt_machine.live > RESIDENT_MOST) return RT_TOO_MANY_BLOCKS;
  if (!open_detector()) return RT_NO_MEMORY;
  schedule_begin();
  crash_watch(true);
  schedule_run();
  crash_watch(false);
  close_detector();
  return rt_machine.outcome;
}

RtOutcome rt_launch(const RtRequest *request) {
  RT_ASSERT(request);
  RT_ASSERT(request->block[0] && request->block[1] && request->block[2]);
  pthread_mutex_lock(&machine_one_launch);
  RtOutcome outcome = run(request);
  pthread_mutex_unlock(&machine_one_launch);
  return outcome;
}

// ---- beginning and end

static void *end_when_late(void *context) {
  (void)context;
  struct timespec left = {.tv_sec = rt_machine.settings.timeout};
  while (nanosleep(&left, &left) != 0) {
  }
  const RtLaunch *launch = &rt_machine.launch;
  const Thread *thread = rt_machine.current;
  if (thread)
    fprintf(stderr, "hgrd-run: error: after %u seconds '%s' (launch %llu) still runs: ended\n",
            rt_machine.settings.timeout, launch->kernel, (unsigned long long)launch->number);
  else
    fprintf(stderr, "hgrd-run: error: after %u seconds the program still runs: ended\n",
            rt_machine.settings.timeout);
  if (rt_machine.detector) count_launch(); // the one that did not end
  told_at_end();
  _exit(STATUS_TIMEOUT);
}

static void start_clock(void) {
  pthread_t thread;
  if (!rt_machine.settings.timeout) return;
  if (pthread_create(&thread, NULL, end_when_late, NULL) == 0)
    pthread_detach(thread);
  else
    fprintf(stderr, "hgrd-run: warning: the timeout is not watched: no thread can be made\n");
}

static void choose_detector(void) {
  const char *name = rt_machine.settings.detector;
  if (name && strcmp(name, "none") == 0) return;
  rt_machine.kind = name ? rt_detector_named(name) : rt_detectors[0];
  if (rt_machine.kind || !name) return;
  fprintf(stderr, "hgrd-run: error: no detector '%s': there are", name);
  for (uint32_t i = 0; rt_detectors[i]; i++)
    fprintf(stderr, " %s", rt_detectors[i]->name);
  fprintf(stderr, " none\n");
  _exit(STATUS_INPUT);
}

static void at_end(void) {
  if (rt_machine.process != (long)getpid()) return;
  fflush(NULL);
  told_at_end();
  if (told_anything()) _exit(STATUS_RACE);
}

// A later schedule: its words were shown by the first one, which has also read what was in a pipe.
static bool be_quiet(void) {
  bool is_file = lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0;
  return freopen("/dev/null", "w", stdout) && (is_file || freopen("/dev/null", "r", stdin));
}

// Who stops hgrd-run stops the program. What hgrd-run waits for by itself was blocked for what it starts, too.
static void end_with_hgrd_run(void) {
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGTERM);
  sigaddset(&stops, SIGHUP);
  pthread_sigmask(SIG_UNBLOCK, &stops, NULL);
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
}

__attribute__((constructor(200))) static void machine_open(void) {
  settings_read(&rt_machine.settings);
  if (rt_machine.settings.seen) end_with_hgrd_run();
  rt_machine.process = (long)getpid();
  choose_detector();
  if (!told_open()) _exit(STATUS_INPUT);
  if (hgrd_image.version != RT_IMAGE_VERSION) {
    fprintf(stderr, "hgrd-run: error: the program was built by another version: build it again\n");
    _exit(STATUS_INPUT);
  }
  if (rt_machine.settings.is_again && !be_quiet()) _exit(STATUS_INPUT);
  atexit(at_end); // the first to be registered, the last to be called
  start_clock();
}
