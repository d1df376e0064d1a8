// Streams, events and calls of the host in them. A stream runs what it is given at the call, so nobody ever waits and every query says
// that all is done. The time between two events is that of the clock: what this machine took, with its detectors, and no GPU's.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/state.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double host_seconds(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

cudaStream_t host_stream(cudaStream_t stream) {
  if (stream == NULL || stream == cudaStreamLegacy) return &host_state()->default_stream;
  if (stream == cudaStreamPerThread) return &host_state()->thread_stream;
  return host_handle_is(stream, HOST_STREAM) ? stream : NULL;
}

static cudaError_t new_stream(cudaStream_t *stream, unsigned flags, int priority) {
  if (!stream || flags > cudaStreamNonBlocking) return host_return(cudaErrorInvalidValue);
  *stream = host_handle_new(HOST_STREAM, sizeof **stream);
  (*stream)->flags = flags;
  (*stream)->priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
  return host_return(cudaSuccess);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return new_stream(stream, 0, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  return new_stream(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
  return new_stream(stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (!host_handle_is(stream, HOST_STREAM)) return host_return(cudaErrorInvalidResourceHandle);
  host_handle_drop(stream);
  return host_return(cudaSuccess);
}

// Of a stream that is captured nothing is under way that could be waited for.
cudaError_t host_stream_wait(cudaStream_t stream) {
  cudaStream_t s = host_stream(stream);
  if (!s) return cudaErrorInvalidResourceHandle;
  if (!s->graph) return cudaSuccess;
  s->is_invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return host_return(host_stream_wait(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return host_return(host_stream_wait(stream));
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  cudaStream_t s = host_stream(stream);
  if (!s || !priority) return host_return(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
  *priority = s->priority;
  return host_return(cudaSuccess);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
  cudaStream_t s = host_stream(stream);
  if (!s || !flags) return host_return(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
  *flags = s->flags;
  return host_return(cudaSuccess);
}

// Hints, but for the priority.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value) {
  cudaStream_t s = host_stream(stream);
  if (!s || !value) return host_return(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
  if (attr == cudaLaunchAttributePriority) s->priority = value->priority;
  return host_return(cudaSuccess);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   cudaLaunchAttributeValue *value) {
  cudaStream_t s = host_stream(stream);
  if (!s || !value) return host_return(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
  if (attr != cudaLaunchAttributePriority)
    return host_return(host_refuse("cudaStreamGetAttribute", "attributes other than the priority"));
  value->priority = s->priority;
  return host_return(cudaSuccess);
}

// ---- calls of the host, which must not call the API (CUDA forbids it; here it would work)

typedef struct CallbackData {
  cudaStreamCallback_t callback;
  cudaStream_t stream;
  void *data;
} CallbackData;

static void call_back(void *data) {
  const CallbackData *d = data;
  d->callback(d->stream, cudaSuccess, d->data);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags) {
  cudaStream_t s = host_stream(stream);
  if (!s) return host_return(cudaErrorInvalidResourceHandle);
  if (!callback || flags != 0) return host_return(cudaErrorInvalidValue);
  if (s->graph) return host_return(cudaErrorStreamCaptureUnsupported);
  CallbackData call = {callback, stream, data};
  HostWork work = {.kind = HOST_CALL, .call = call_back, .data = &call};
  return host_return(host_submit(stream, &work));
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  if (!function) return host_return(cudaErrorInvalidValue);
  HostWork work = {.kind = HOST_CALL, .call = function, .data = data};
  return host_return(host_submit(stream, &work));
}

// ---- events

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  if (!event || flags & ~7u) return host_return(cudaErrorInvalidValue);
  *event = host_handle_new(HOST_EVENT, sizeof **event);
  (*event)->flags = flags;
  return host_return(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (!host_handle_is(event, HOST_EVENT)) return host_return(cudaErrorInvalidResourceHandle);
  host_handle_drop(event);
  return host_return(cudaSuccess);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  cudaStream_t s = host_stream(stream);
  if (!host_handle_is(event, HOST_EVENT) || !s) return host_return(cudaErrorInvalidResourceHandle);
  if (flags > cudaEventRecordExternal) return host_return(cudaErrorInvalidValue);
  if (s->graph && flags == cudaEventRecordDefault) { // it is a place in the graph, and nothing is recorded
    host_event_capture(s, event);
    return host_return(cudaSuccess);
  }
  event->graph = NULL;
  HostWork work = {.kind = HOST_RECORD, .event = event};
  return host_return(host_submit(stream, &work));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  cudaStream_t s = host_stream(stream);
  if (!s || !host_handle_is(event, HOST_EVENT)) return host_return(cudaErrorInvalidResourceHandle);
  if (flags > cudaEventWaitExternal) return host_return(cudaErrorInvalidValue);
  if (event->graph) return host_return(host_event_join(s, event));
  HostWork work = {.kind = HOST_WAIT, .event = event};
  return host_return(host_submit(stream, &work));
}

static cudaError_t event_done(cudaEvent_t event) {
  if (!host_handle_is(event, HOST_EVENT)) return cudaErrorInvalidResourceHandle;
  return event->graph ? cudaErrorCapturedEvent : cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return host_return(event_done(event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return host_return(event_done(event));
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  if (!ms) return host_return(cudaErrorInvalidValue);
  if (!host_handle_is(start, HOST_EVENT) || !host_handle_is(end, HOST_EVENT))
    return host_return(cudaErrorInvalidResourceHandle);
  if (!start->is_recorded || !end->is_recorded || (start->flags | end->flags) & cudaEventDisableTiming)
    return host_return(cudaErrorInvalidResourceHandle);
  *ms = (float)((end->seconds - start->seconds) * 1e3);
  return host_return(cudaSuccess);
}
