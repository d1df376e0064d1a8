// Which streams are being captured, and what does the next node of each follow? A capture begins in one stream, its origin; another one
// joins it by waiting for an event that was recorded in it. Modes of capturing do not differ: what they forbid is not looked for.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/graphs.h"
#include "rt/host/state.h"

#include <string.h>

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **dependencies, const cudaGraphEdgeData **edges,
                                     size_t *count);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned int flags);

static void follow(cudaStream_t stream, const cudaGraphNode_t *nodes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    bool is_there = false;
    for (size_t j = 0; j < stream->after_count; j++)
      is_there |= stream->after[j] == nodes[i];
    if (!is_there)
      host_push((void **)&stream->after, &stream->after_count, sizeof(cudaGraphNode_t), &nodes[i]);
  }
}

static void enter(cudaStream_t stream, cudaGraph_t graph, unsigned long long capture, bool is_origin) {
  stream->graph = graph;
  stream->capture = capture;
  stream->is_origin = is_origin;
  stream->is_invalid = false;
  stream->after_count = 0;
  host_push((void **)&graph->streams, &graph->stream_count, sizeof stream, &stream);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *edges,
                                          size_t count, enum cudaStreamCaptureMode mode) {
  cudaStream_t s = host_stream(stream);
  if (!s) return host_return(cudaErrorInvalidResourceHandle);
  if (s == &host_state()->default_stream) return host_return(cudaErrorStreamCaptureUnsupported);
  if (s->graph) return host_return(cudaErrorIllegalState);
  if ((unsigned)mode > cudaStreamCaptureModeRelaxed || edges || (count && !dependencies) ||
      !host_handle_is(graph, HOST_GRAPH))
    return host_return(cudaErrorInvalidValue);
  enter(s, graph, ++host_state()->captures, true);
  follow(s, dependencies, count);
  return host_return(cudaSuccess);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  return cudaStreamBeginCaptureToGraph(stream, graph_new(), NULL, NULL, 0, mode);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  cudaStream_t s = host_stream(stream);
  if (!s) return host_return(cudaErrorInvalidResourceHandle);
  if (!graph) return host_return(cudaErrorInvalidValue);
  *graph = NULL;
  if (!s->graph) return host_return(cudaErrorIllegalState);
  if (!s->is_origin) return host_return(cudaErrorStreamCaptureUnmatched);
  cudaGraph_t made = s->graph;
  bool is_invalid = false;
  for (size_t i = 0; i < made->stream_count; i++) {
    cudaStream_t other = made->streams[i];
    is_invalid |= other->is_invalid;
    other->graph = NULL;
    other->after_count = 0;
  }
  made->stream_count = 0;
  if (is_invalid) return host_return(cudaErrorStreamCaptureInvalidated);
  *graph = made;
  return host_return(cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
  cudaStream_t s = host_stream(stream);
  if (!s || !status) return host_return(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
  *status = !s->graph       ? cudaStreamCaptureStatusNone
            : s->is_invalid ? cudaStreamCaptureStatusInvalidated
                            : cudaStreamCaptureStatusActive;
  return host_return(cudaSuccess);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **dependencies, const cudaGraphEdgeData **edges,
                                     size_t *count) {
  cudaError_t error = cudaStreamIsCapturing(stream, status);
  const struct CUstream_st *s = host_stream(stream);
  if (error || !s->graph) return error;
  if (id) *id = s->capture;
  if (graph) *graph = s->graph;
  if (dependencies) *dependencies = s->after;
  if (edges) *edges = NULL;
  if (count) *count = s->after_count;
  return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned int flags) {
  cudaStream_t s = host_stream(stream);
  if (!s) return host_return(cudaErrorInvalidResourceHandle);
  if (!s->graph) return host_return(cudaErrorIllegalState);
  if (edges || (count && !dependencies) || flags > cudaStreamSetCaptureDependencies)
    return host_return(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; i++)
    if (!host_handle_is(dependencies[i], HOST_GRAPH_NODE) || dependencies[i]->graph != s->graph)
      return host_return(cudaErrorInvalidValue);
  if (flags == cudaStreamSetCaptureDependencies) s->after_count = 0;
  follow(s, dependencies, count);
  return host_return(cudaSuccess);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
  HostThread *thread = host_thread();
  if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed) return host_return(cudaErrorInvalidValue);
  enum cudaStreamCaptureMode before = thread->mode;
  thread->mode = *mode;
  *mode = before;
  return host_return(cudaSuccess);
}

// ---- events in a capture are places in its graph

void host_event_capture(cudaStream_t stream, cudaEvent_t event) {
  event->graph = stream->graph;
  event->capture = stream->capture;
  event->is_recorded = false;
  event->after_count = 0;
  for (size_t i = 0; i < stream->after_count; i++)
    host_push((void **)&event->after, &event->after_count, sizeof(cudaGraphNode_t), &stream->after[i]);
}

static bool is_under_way(const struct CUevent_st *event) {
  for (size_t i = 0; i < event->graph->stream_count; i++)
    if (event->graph->streams[i]->capture == event->capture) return true;
  return false;
}

cudaError_t host_event_join(cudaStream_t stream, cudaEvent_t event) {
  if (!is_under_way(event)) return cudaErrorCapturedEvent;
  if (stream->graph && stream->capture != event->capture) return cudaErrorStreamCaptureMerge;
  if (!stream->graph) enter(stream, event->graph, event->capture, false);
  follow(stream, event->after, event->after_count);
  return cudaSuccess;
}
