// How is an error given back, remembered and told? Each thread has its last error; what a kernel left behind stays for all of them
// and is given back by every later call, as a broken context does. Wrong uses that programs tend not to look at (launches that
// did not happen, memory freed twice, copies out of bounds) are lines on stderr besides, each text once, 64 in all.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/state.h"
#include "rt/contract.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TOLD_LIMIT = 64 };

static bool was_told(HostState *state, const char *text) {
  for (const HostTold *told = state->told; told; told = told->next)
    if (strcmp(told->text, text) == 0) return true;
  return false;
}

void host_tell(const char *format, ...) {
  RT_ASSERT(format);
  char text[512];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  HostState *state = host_state();
  host_lock();
  bool is_new = state->told_count < TOLD_LIMIT && !was_told(state, text);
  if (is_new) {
    HostTold *told = host_new(1, sizeof *told + strlen(text) + 1);
    memcpy(told->text, text, strlen(text) + 1);
    told->next = state->told;
    state->told = told;
    state->told_count++;
  }
  host_unlock();
  if (is_new) (void)fprintf(stderr, "hgrd-run: %s\n", text);
}

cudaError_t host_refuse(const char *function, const char *what) {
  RT_ASSERT(function && what);
  host_tell("%s: %s: not supported on the CPU, and the program is told so (cudaErrorNotSupported)", function,
            what);
  return cudaErrorNotSupported;
}

cudaError_t host_sticky(void) {
  host_lock();
  cudaError_t error = host_state()->sticky;
  host_unlock();
  return error;
}

void host_set_sticky(cudaError_t error) {
  host_lock();
  if (host_state()->sticky == cudaSuccess) host_state()->sticky = error;
  host_unlock();
}

void host_clear_sticky(void) {
  host_lock();
  host_state()->sticky = cudaSuccess;
  host_unlock();
  host_thread()->last = cudaSuccess;
}

cudaError_t host_return(cudaError_t error) {
  cudaError_t left = host_sticky();
  if (left != cudaSuccess) error = left;
  if (error != cudaSuccess && error != cudaErrorNotReady) host_thread()->last = error;
  return error;
}

cudaError_t cudaGetLastError(void) {
  cudaError_t error = cudaPeekAtLastError();
  host_thread()->last = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError(void) {
  cudaError_t left = host_sticky();
  return left != cudaSuccess ? left : host_thread()->last;
}

typedef struct ErrorRow {
  int error;
  const char *name, *text;
} ErrorRow;

static const ErrorRow *error_row(int error) {
#define HOST_ERROR(name, text) {name, #name, text},
  static const ErrorRow rows[] = {
#include "rt/host/errors.def"
  };
#undef HOST_ERROR
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].error == error) return &rows[i];
  return NULL;
}

const char *cudaGetErrorName(cudaError_t error) {
  const ErrorRow *row = error_row((int)error);
  return row ? row->name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  const ErrorRow *row = error_row((int)error);
  return row ? row->text : "unrecognized error code";
}
