// Which work does a node of a graph do, kind by kind? Kernels, copies, fills and calls of the host are checked as they are in a stream,
// and become work that the node keeps (graphs.c).
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/graphs.h"

static cudaError_t kernel_work(const struct cudaKernelNodeParams *params, HostWork *work) {
  if (!params) return cudaErrorInvalidValue;
  if (params->extra) return host_refuse("cudaGraphAddKernelNode", "arguments in one buffer");
  HostKernel *kernel = host_kernel(params->func);
  if (!kernel || !kernel->kernel) return cudaErrorInvalidDeviceFunction;
  *work = (HostWork){.kind = HOST_LAUNCH,
                     .launch = {kernel,
                                {.kernel = kernel->kernel,
                                 .grid = {params->gridDim.x, params->gridDim.y, params->gridDim.z},
                                 .block = {params->blockDim.x, params->blockDim.y, params->blockDim.z},
                                 .dynamic_shared_bytes = params->sharedMemBytes,
                                 .arguments = params->kernelParams}}};
  return host_launch_check(&work->launch);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                   size_t count, const struct cudaKernelNodeParams *params) {
  HostWork work;
  cudaError_t error = kernel_work(params, &work);
  return host_return(error ? error : graph_add(node, graph, after, count, &work, cudaGraphNodeTypeKernel));
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params) {
  if (!params || !graph_is_node(node) || node->work.kind != HOST_LAUNCH)
    return host_return(cudaErrorInvalidValue);
  const RtRequest *r = &node->work.launch.request;
  *params = (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)node->work.launch.kernel->stub,
                                          .gridDim = {r->grid[0], r->grid[1], r->grid[2]},
                                          .blockDim = {r->block[0], r->block[1], r->block[2]},
                                          .sharedMemBytes = (unsigned)r->dynamic_shared_bytes,
                                          .kernelParams = (void **)(uintptr_t)r->arguments};
  return host_return(cudaSuccess);
}

static cudaError_t set_kernel(cudaGraphNode_t node, const struct cudaKernelNodeParams *params) {
  HostWork work;
  if (node->work.kind != HOST_LAUNCH) return cudaErrorInvalidValue;
  cudaError_t error = kernel_work(params, &work);
  if (error) return error;
  HostWork kept = host_work_keep(&work); // what is given may be the node's own arguments
  host_work_forget(&node->work);
  node->work = kept;
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *params) {
  return host_return(graph_is_node(node) ? set_kernel(node, params) : cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params) {
  if (!host_handle_is(exec, HOST_GRAPH_EXEC)) return host_return(cudaErrorInvalidValue);
  const struct CUgraphNode_st *origin = graph_is_node(node) && node->origin ? node->origin : node;
  for (size_t i = 0; i < exec->graph->count; i++)
    if (exec->graph->nodes[i]->origin == origin)
      return host_return(set_kernel(exec->graph->nodes[i], params));
  return host_return(cudaErrorInvalidValue);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                   size_t count, const struct cudaMemcpy3DParms *params) {
  HostWork work = {0};
  cudaError_t error = host_box_work(params, &work, "cudaGraphAddMemcpyNode");
  return host_return(error ? error : graph_add(node, graph, after, count, &work, cudaGraphNodeTypeMemcpy));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                     size_t count, void *dst, const void *src, size_t bytes,
                                     enum cudaMemcpyKind kind) {
  HostWork work = {.kind = HOST_COPY,
                   .copy = {{dst, bytes, bytes}, {(char *)(uintptr_t)src, bytes, bytes}, bytes, 1, 1}};
  cudaError_t error = host_copy_check(&work.copy, kind, "cudaGraphAddMemcpyNode1D");
  return host_return(error ? error : graph_add(node, graph, after, count, &work, cudaGraphNodeTypeMemcpy));
}

static cudaError_t fill_work(const struct cudaMemsetParams *params, HostWork *work) {
  if (!params) return cudaErrorInvalidValue;
  if (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4)
    return cudaErrorInvalidValue;
  *work = (HostWork){.kind = HOST_FILL,
                     .fill = {{params->dst, params->pitch, 0},
                              params->width,
                              params->height ? params->height : 1,
                              1,
                              params->value,
                              params->elementSize}};
  return host_fill_check(&work->fill, "cudaGraphAddMemsetNode");
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                   size_t count, const struct cudaMemsetParams *params) {
  HostWork work;
  cudaError_t error = fill_work(params, &work);
  return host_return(error ? error : graph_add(node, graph, after, count, &work, cudaGraphNodeTypeMemset));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                 size_t count, const struct cudaHostNodeParams *params) {
  if (!params || !params->fn) return host_return(cudaErrorInvalidValue);
  HostWork work = {.kind = HOST_CALL, .call = params->fn, .data = params->userData};
  return host_return(graph_add(node, graph, after, count, &work, cudaGraphNodeTypeHost));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                  size_t count) {
  HostWork work = {.kind = HOST_NOTHING};
  return host_return(graph_add(node, graph, after, count, &work, cudaGraphNodeTypeEmpty));
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                     size_t count, struct cudaMemAllocNodeParams *params) {
  (void)node, (void)graph, (void)after, (void)count, (void)params;
  return host_return(host_refuse("cudaGraphAddMemAllocNode", "memory that a graph allocates"));
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                    size_t count, void *ptr) {
  (void)node, (void)graph, (void)after, (void)count, (void)ptr;
  return host_return(host_refuse("cudaGraphAddMemFreeNode", "memory that a graph frees"));
}

static struct cudaKernelNodeParams kernel_params(const struct cudaGraphNodeParams *params) {
  return (struct cudaKernelNodeParams){
      .func = params->kernel.func,
      .gridDim = {params->kernel.gridDim.x, params->kernel.gridDim.y, params->kernel.gridDim.z},
      .blockDim = {params->kernel.blockDim.x, params->kernel.blockDim.y, params->kernel.blockDim.z},
      .sharedMemBytes = params->kernel.sharedMemBytes,
      .kernelParams = params->kernel.kernelParams,
      .extra = params->kernel.extra};
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                             size_t count, struct cudaGraphNodeParams *params) {
  if (!params) return host_return(cudaErrorInvalidValue);
  switch (params->type) {
  case cudaGraphNodeTypeKernel: {
    struct cudaKernelNodeParams kernel = kernel_params(params);
    return cudaGraphAddKernelNode(node, graph, after, count, &kernel);
  }
  case cudaGraphNodeTypeMemcpy: return cudaGraphAddMemcpyNode(node, graph, after, count, &params->memcpy);
  case cudaGraphNodeTypeMemset: return cudaGraphAddMemsetNode(node, graph, after, count, &params->memset);
  case cudaGraphNodeTypeHost: return cudaGraphAddHostNode(node, graph, after, count, &params->host);
  case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(node, graph, after, count);
  case cudaGraphNodeTypeGraph:
  case cudaGraphNodeTypeWaitEvent:
  case cudaGraphNodeTypeEventRecord:
  case cudaGraphNodeTypeMemAlloc:
  case cudaGraphNodeTypeMemFree:
  case cudaGraphNodeTypeConditional: break;
  }
  return host_return(host_refuse("cudaGraphAddNode", "nodes of this kind"));
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int initial, unsigned int flags) {
  (void)handle, (void)graph, (void)initial, (void)flags;
  return host_return(host_refuse("cudaGraphConditionalHandleCreate", "conditional nodes"));
}
