// What the files of rt/host share: the state of the process, the handles, one form for everything that a stream does, and how an
// error is given back and told. The API itself is declared by the bundled headers (frontend/cuda), against which the compiler
// checks the definitions here.
//
// Everything is synchronous: a stream runs what it is given at the call. CUDA allows that order, and it hides what only another
// order shows: work of two streams that nothing orders, host code that reads a result or writes a source before it has waited, a pool that
// hands out memory which another stream still uses. docs/running.md says so to the user.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_HOST_INTERNAL_H
#define HGRD_RT_HOST_INTERNAL_H

#include "cuda_runtime_api.h"
#include "rt/machine.h"
#include "rt/memory_map.h"

#include <stdbool.h>
#include <stdint.h>

#define HOST_MUST_CHECK __attribute__((warn_unused_result))

// ---- state.c: what there is one of for the process
typedef enum HostHandleKind {
  HOST_STREAM = 1,
  HOST_EVENT,
  HOST_GRAPH,
  HOST_GRAPH_EXEC,
  HOST_GRAPH_NODE,
  HOST_ARRAY,
  HOST_MIPMAP,
  HOST_POOL,
  HOST_TEXTURE,
  HOST_SURFACE,
  HOST_MODULE,
} HostHandleKind;

void host_lock(
    void); // held by whoever reads or changes what this header declares; never while the user's code or a kernel runs
void host_unlock(void);
// Memory of the runtime itself, zeroed; a process that has none left ends here, with a line that says so.
void *host_new(size_t count, size_t bytes);
// Adds the element at `item` to an array that was made by this function alone, or is NULL.
void host_push(void **items, size_t *count, size_t bytes, const void *item);
// A handle is an address that is known here until it is dropped; afterwards it is invalid, though its memory stays readable.
void *host_handle_new(HostHandleKind kind, size_t bytes);
bool host_handle_is(const void *handle, HostHandleKind kind);
void host_handle_drop(void *handle);

// ---- errors.c
// Each function of the API returns through it: an error is remembered for cudaGetLastError, and one that a kernel left behind comes first.
cudaError_t host_return(cudaError_t error);
cudaError_t host_sticky(void);           // what a kernel left behind; cudaSuccess if nothing
void host_set_sticky(cudaError_t error); // from now on every call gives it back, until cudaDeviceReset
void host_clear_sticky(void);
// A line on stderr, once for each text.
void host_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
cudaError_t host_refuse(const char *function,
                        const char *what); // tells that it is not supported, and gives that error

// ---- modules.c: kernels and variables as the program's constructors register them
typedef struct HostKernel {
  const void *stub; // what the program calls the kernel by
  const char *name;
  uint32_t unit;
  const RtKernel *kernel; // NULL: the machine does not have it
  int dynamic_limit;      // of shared memory, by cudaFuncSetAttribute; 0: the usual one
  int carveout;
  bool has_large_clusters;
} HostKernel;
HostKernel *
host_kernel(const void *stub); // NULL if nothing is registered for it, or the machine does not have it

typedef struct HostVariable {
  const void *shadow; // the host's variable of that name
  const char *name;
  size_t bytes;
  bool is_constant;
  char *address; // of the device's; NULL if the machine does not have it
} HostVariable;
HostVariable *host_variable(const void *shadow);
HostKernel *host_kernel_named(const char *name);
HostVariable *host_variable_named(const char *name);

// ---- work.c: what a stream can be given to do
typedef struct HostSide { // of a copy: rows of `pitch` bytes, layers of `slice` bytes
  char *start;
  size_t pitch, slice;
} HostSide;
typedef struct HostCopy {
  HostSide to, from;
  size_t width, height, depth; // bytes, rows, layers
} HostCopy;
typedef struct HostFill {
  HostSide to;
  size_t width, height, depth; // elements, rows, layers
  uint32_t value;
  uint32_t element; // bytes: 1, 2, 4
} HostFill;
typedef struct HostLaunch {
  HostKernel *kernel;
  RtRequest request;
} HostLaunch;
typedef enum HostWorkKind {
  HOST_NOTHING,
  HOST_COPY,
  HOST_FILL,
  HOST_LAUNCH,
  HOST_CALL,
  HOST_RECORD,
  HOST_WAIT,
  HOST_CHILD
} HostWorkKind;
typedef struct HostWork {
  HostWorkKind kind;
  HostCopy copy;
  HostFill fill;
  HostLaunch launch;
  cudaHostFn_t call;
  void *data;        // of the call
  cudaEvent_t event; // of HOST_RECORD, HOST_WAIT
  cudaGraph_t child; // of HOST_CHILD
} HostWork;

// Does it now, or notes it where the stream is being captured. Work has been checked before.
cudaError_t host_submit(cudaStream_t stream, const HostWork *work) HOST_MUST_CHECK;
cudaError_t host_do(const HostWork *work) HOST_MUST_CHECK;
HostWork host_work_keep(const HostWork *work); // with the arguments of a launch copied, to be done later
void host_work_forget(HostWork *kept);
cudaError_t host_copy_check(const HostCopy *copy, enum cudaMemcpyKind kind,
                            const char *function) HOST_MUST_CHECK;
cudaError_t host_fill_check(const HostFill *fill, const char *function) HOST_MUST_CHECK;
// ---- host_copies.c
cudaError_t host_box_work(const struct cudaMemcpy3DParms *parameters, HostWork *work,
                          const char *function) HOST_MUST_CHECK;

// ---- streams.c
struct CUevent_st {
  unsigned flags;
  bool is_recorded;
  double seconds;    // on the clock, when it was recorded
  cudaGraph_t graph; // it was recorded in a capture into that graph, behind these nodes
  cudaGraphNode_t *after;
  size_t after_count;
  unsigned long long capture; // which one
};
struct CUstream_st {
  unsigned flags;
  int priority;
  cudaGraph_t graph; // into which it is captured; NULL if it is not
  bool is_origin, is_invalid;
  cudaGraphNode_t *after; // the nodes that the next one follows
  size_t after_count;
  unsigned long long capture; // which one
};
cudaStream_t host_stream(cudaStream_t stream); // the object; NULL if the handle is invalid
cudaError_t
host_stream_wait(cudaStream_t stream); // nothing is left to wait for; an error if it may not be waited for
double host_seconds(void);

// ---- graphs.c
cudaError_t host_capture(cudaStream_t stream, const HostWork *work)
    HOST_MUST_CHECK; // the stream's object, which is being captured
cudaError_t host_graph_do(cudaGraph_t graph) HOST_MUST_CHECK;
// ---- capture.c
void host_event_capture(cudaStream_t stream, cudaEvent_t event);
cudaError_t host_event_join(cudaStream_t stream, cudaEvent_t event);

// ---- launches.c
cudaError_t host_launch_check(const HostLaunch *launch) HOST_MUST_CHECK; // would a device make it?
cudaError_t host_launch(HostKernel *kernel, RtRequest request,
                        cudaStream_t stream) HOST_MUST_CHECK; // all but its kernel is given

// ---- device.c
enum { // of the device that is played
  HOST_MULTIPROCESSORS = 4,
  HOST_BLOCKS_OF_ONE = 32,
  HOST_THREADS_OF_ONE = 2048,
  HOST_THREADS_OF_BLOCK = 1024,
  HOST_REGISTERS = 32, // of each thread, as is told
  HOST_SHARED_USUAL = 48 << 10,
  HOST_SHARED_OPTIN = 227 << 10,
  HOST_SHARED_OF_ONE = 228 << 10,
  HOST_SHARED_OF_SYSTEM = 1 << 10, // of each block
  HOST_CLUSTER = 8,
  HOST_CLUSTER_LARGE = 16,
};
int host_attribute(int attribute, bool *is_known);

// ---- arrays.c
struct cudaArray {
  struct cudaChannelFormatDesc desc;
  struct cudaExtent extent; // 0 for a dimension that it does not have
  unsigned flags;
  char *data;
  size_t element, pitch, slice; // bytes
  bool is_level;                // of a mipmapped array, which owns it
};
size_t host_array_rows(const struct cudaArray *array);
size_t host_array_layers(const struct cudaArray *array);

// ---- occupancy.c
int host_blocks_at_once(const HostKernel *kernel, int threads, size_t dynamic_bytes);

#endif
