// Graphs: made node by node or captured from streams, instantiated, updated, launched. A node keeps its work with the arguments as they
// were; a launch does the nodes one after another, in an order that their dependencies allow (the order of making where that is one).
// What two nodes without a dependency do to each other is not seen. Left out: conditional nodes, and memory that graphs allocate.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/graphs.h"
#include "rt/contract.h"

#include <stdlib.h>
#include <string.h>

// ---- nodes

bool graph_is_node(const struct CUgraphNode_st *node) {
  return host_handle_is(node, HOST_GRAPH_NODE);
}

static void add_edge(cudaGraphNode_t node, cudaGraphNode_t after) {
  for (size_t i = 0; i < node->after_count; i++)
    if (node->after[i] == after) return;
  host_push((void **)&node->after, &node->after_count, sizeof(cudaGraphNode_t), &after);
}

static cudaGraphNode_t new_node(cudaGraph_t graph, const HostWork *work, enum cudaGraphNodeType type) {
  cudaGraphNode_t node = host_handle_new(HOST_GRAPH_NODE, sizeof *node);
  node->graph = graph;
  node->type = type;
  node->work = host_work_keep(work);
  host_push((void **)&graph->nodes, &graph->count, sizeof node, &node);
  return node;
}

cudaError_t graph_add(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                      const HostWork *work, enum cudaGraphNodeType type) {
  RT_ASSERT(made && graph);
  RT_ASSERT(count == 0 || after);
  RT_ASSERT(work);
  if (!host_handle_is(graph, HOST_GRAPH) || (count && !after)) return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; i++)
    if (!graph_is_node(after[i]) || after[i]->graph != graph) return cudaErrorInvalidValue;
  cudaGraphNode_t node = new_node(graph, work, type);
  for (size_t i = 0; i < count; i++)
    add_edge(node, after[i]);
  if (made) *made = node;
  return cudaSuccess;
}

static enum cudaGraphNodeType type_of(const HostWork *work) {
  switch (work->kind) {
  case HOST_COPY: return cudaGraphNodeTypeMemcpy;
  case HOST_FILL: return cudaGraphNodeTypeMemset;
  case HOST_LAUNCH: return cudaGraphNodeTypeKernel;
  case HOST_CALL: return cudaGraphNodeTypeHost;
  case HOST_RECORD: return cudaGraphNodeTypeEventRecord;
  case HOST_WAIT: return cudaGraphNodeTypeWaitEvent;
  case HOST_CHILD: return cudaGraphNodeTypeGraph;
  case HOST_NOTHING: break;
  }
  return cudaGraphNodeTypeEmpty;
}

// ---- whole graphs

cudaGraph_t graph_new(void) {
  return host_handle_new(HOST_GRAPH, sizeof(struct CUgraph_st));
}

static size_t index_in(const struct CUgraph_st *graph, const struct CUgraphNode_st *node) {
  for (size_t i = 0; i < graph->count; i++)
    if (graph->nodes[i] == node) return i;
  return graph->count;
}

cudaGraph_t graph_copy(const struct CUgraph_st *graph) {
  RT_ASSERT(graph);
  cudaGraph_t copy = graph_new();
  for (size_t i = 0; i < graph->count; i++) {
    const struct CUgraphNode_st *node = graph->nodes[i];
    HostWork work = node->work;
    if (work.kind == HOST_CHILD) work.child = graph_copy(work.child);
    new_node(copy, &work, node->type)->origin = node->origin ? node->origin : node;
  }
  for (size_t i = 0; i < graph->count; i++)
    for (size_t j = 0; j < graph->nodes[i]->after_count; j++)
      add_edge(copy->nodes[i], copy->nodes[index_in(graph, graph->nodes[i]->after[j])]);
  return copy;
}

static bool is_ready(const struct CUgraphNode_st *node) {
  for (size_t i = 0; i < node->after_count; i++)
    if (!node->after[i]->is_placed) return false;
  return true;
}

// Each node behind those it follows; false if some follow each other in a circle.
static bool graph_sort(cudaGraph_t graph) {
  cudaGraphNode_t *sorted = host_new(graph->count, sizeof(cudaGraphNode_t));
  size_t done = 0, before = 1;
  for (size_t i = 0; i < graph->count; i++)
    graph->nodes[i]->is_placed = false;
  while (done < graph->count && before != done) {
    before = done;
    for (size_t i = 0; i < graph->count; i++) {
      cudaGraphNode_t node = graph->nodes[i];
      if (node->is_placed || !is_ready(node)) continue;
      node->is_placed = true;
      sorted[done++] = node;
    }
  }
  if (done > 0 && done == graph->count) memcpy(graph->nodes, sorted, done * sizeof *sorted);
  free(sorted);
  return done == graph->count;
}

cudaError_t host_graph_do(cudaGraph_t graph) {
  RT_ASSERT(graph);
  for (size_t i = 0; i < graph->count; i++) {
    cudaError_t error = host_do(&graph->nodes[i]->work);
    if (error) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags) {
  if (!graph || flags != 0) return host_return(cudaErrorInvalidValue);
  *graph = graph_new();
  return host_return(cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (!host_handle_is(graph, HOST_GRAPH)) return host_return(cudaErrorInvalidValue);
  for (size_t i = 0; i < graph->count; i++)
    host_handle_drop(graph->nodes[i]);
  host_handle_drop(graph);
  return host_return(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
  if (!clone || !host_handle_is(graph, HOST_GRAPH)) return host_return(cudaErrorInvalidValue);
  *clone = graph_copy(graph);
  return host_return(cudaSuccess);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                       size_t count, cudaGraph_t child) {
  if (!host_handle_is(child, HOST_GRAPH) || child == graph) return host_return(cudaErrorInvalidValue);
  HostWork work = {.kind = HOST_CHILD, .child = graph_copy(child)};
  if (!graph_sort(work.child)) return host_return(cudaErrorInvalidValue);
  return host_return(graph_add(node, graph, after, count, &work, cudaGraphNodeTypeGraph));
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  if (!graph_is_node(node)) return host_return(cudaErrorInvalidValue);
  cudaGraph_t graph = node->graph;
  size_t at = index_in(graph, node);
  memmove(&graph->nodes[at], &graph->nodes[at + 1], (graph->count - at - 1) * sizeof(cudaGraphNode_t));
  graph->count--;
  for (size_t i = 0; i < graph->count; i++) {
    cudaGraphNode_t other = graph->nodes[i];
    size_t kept = 0;
    for (size_t j = 0; j < other->after_count; j++)
      if (other->after[j] != node) other->after[kept++] = other->after[j];
    other->after_count = kept;
  }
  host_handle_drop(node);
  return host_return(cudaSuccess);
}

static cudaError_t list_nodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count, bool only_roots) {
  size_t found = 0;
  if (!count || !host_handle_is(graph, HOST_GRAPH)) return host_return(cudaErrorInvalidValue);
  for (size_t i = 0; i < graph->count; i++) {
    if (only_roots && graph->nodes[i]->after_count > 0) continue;
    if (nodes && found < *count) nodes[found] = graph->nodes[i];
    found++;
  }
  *count = found;
  return host_return(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  return list_nodes(graph, nodes, count, false);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  return list_nodes(graph, nodes, count, true);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
  if (!type || !graph_is_node(node)) return host_return(cudaErrorInvalidValue);
  *type = node->type;
  return host_return(cudaSuccess);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count) {
  if (!host_handle_is(graph, HOST_GRAPH) || (count && (!from || !to)))
    return host_return(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; i++) {
    if (!graph_is_node(from[i]) || !graph_is_node(to[i]) || from[i]->graph != graph || to[i]->graph != graph)
      return host_return(cudaErrorInvalidValue);
    add_edge(to[i], from[i]);
  }
  return host_return(cudaSuccess);
}

// ---- instantiated

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  if (!exec || !host_handle_is(graph, HOST_GRAPH)) return host_return(cudaErrorInvalidValue);
  if (flags & cudaGraphInstantiateFlagDeviceLaunch)
    return host_return(host_refuse("cudaGraphInstantiate", "graphs that kernels launch"));
  cudaGraph_t copy = graph_copy(graph);
  if (!graph_sort(copy)) return host_return(cudaErrorInvalidValue);
  *exec = host_handle_new(HOST_GRAPH_EXEC, sizeof **exec);
  (*exec)->graph = copy;
  return host_return(cudaSuccess);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  if (!host_handle_is(exec, HOST_GRAPH_EXEC)) return host_return(cudaErrorInvalidValue);
  host_handle_drop(exec);
  return host_return(cudaSuccess);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  if (!host_handle_is(exec, HOST_GRAPH_EXEC)) return host_return(cudaErrorInvalidValue);
  return host_return(host_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  if (!host_handle_is(exec, HOST_GRAPH_EXEC)) return host_return(cudaErrorInvalidValue);
  HostWork work = {.kind = HOST_CHILD, .child = exec->graph};
  return host_return(host_submit(stream, &work));
}

// The same nodes in the same order, with other work.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info) {
  if (!info || !host_handle_is(exec, HOST_GRAPH_EXEC) || !host_handle_is(graph, HOST_GRAPH))
    return host_return(cudaErrorInvalidValue);
  cudaGraph_t copy = graph_copy(graph);
  *info = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateErrorTopologyChanged};
  if (!graph_sort(copy) || copy->count != exec->graph->count)
    return host_return(cudaErrorGraphExecUpdateFailure);
  for (size_t i = 0; i < copy->count; i++) {
    const struct CUgraphNode_st *now = copy->nodes[i], *was = exec->graph->nodes[i];
    if (now->after_count != was->after_count) return host_return(cudaErrorGraphExecUpdateFailure);
    if (now->type == was->type) continue;
    info->result = cudaGraphExecUpdateErrorNodeTypeChanged;
    return host_return(cudaErrorGraphExecUpdateFailure);
  }
  exec->graph = copy;
  info->result = cudaGraphExecUpdateSuccess;
  return host_return(cudaSuccess);
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return host_return(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); // graphs hold no memory
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value) {
  unsigned long long none = 0;
  if (device != 0) return host_return(cudaErrorInvalidDevice);
  if (!value || (unsigned)attr > cudaGraphMemAttrReservedMemHigh) return host_return(cudaErrorInvalidValue);
  memcpy(value, &none, sizeof none);
  return host_return(cudaSuccess);
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value) {
  if (device != 0) return host_return(cudaErrorInvalidDevice);
  return host_return(value && (unsigned)attr <= cudaGraphMemAttrReservedMemHigh ? cudaSuccess
                                                                                : cudaErrorInvalidValue);
}

// ---- what capturing adds

cudaError_t host_capture(cudaStream_t stream, const HostWork *work) {
  RT_ASSERT(stream);
  RT_ASSERT(work);
  cudaGraphNode_t node = NULL;
  if (stream->is_invalid) return cudaErrorStreamCaptureInvalidated;
  HostWork kept = *work;
  if (kept.kind == HOST_CHILD) kept.child = graph_copy(kept.child);
  cudaError_t error =
      graph_add(&node, stream->graph, stream->after, stream->after_count, &kept, type_of(work));
  if (error) return error;
  stream->after_count = 0;
  host_push((void **)&stream->after, &stream->after_count, sizeof node, &node);
  return cudaSuccess;
}
