// The state of the process behind rt/host; only errors.c, modules.c, streams.c and launches.c look inside.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_HOST_STATE_H
#define HGRD_RT_HOST_STATE_H

#include "rt/host/internal.h"
#include "rt/map.h"

enum { HOST_DROPPED = UINT8_MAX }; // in place of the kind of a handle

typedef struct HostTold {
  struct HostTold *next;
  char text[];
} HostTold;

typedef struct HostState {
  RtMap handles; // by address: HostHandleKind, or HOST_DROPPED
  cudaError_t sticky;
  HostTold *told;
  size_t told_count;
  struct HostModule *modules;
  struct CUstream_st default_stream, thread_stream;
  unsigned long long captures;
  unsigned device_flags;
  size_t limits[8];
  bool has_limits;
  int cache, bank_size;
  cudaMemPool_t pool; // the default one
  struct CUctx_st *context;
} HostState;

// A configuration that <<<...>>> has pushed and the kernel's stub not yet popped.
typedef struct HostPushed {
  dim3 grid, block;
  size_t shared_bytes;
  void *stream;
} HostPushed;

enum { HOST_PUSHED = 16 };
typedef struct HostThread {
  cudaError_t last;
  HostPushed pushed[HOST_PUSHED];
  unsigned depth;
  enum cudaStreamCaptureMode mode;
} HostThread;

HostState *host_state(void);
HostThread *host_thread(void);

#endif
