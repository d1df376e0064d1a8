// Graphs and their nodes, for graphs.c, graph_nodes.c and capture.c.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_HOST_GRAPHS_H
#define HGRD_RT_HOST_GRAPHS_H

#include "rt/host/internal.h"

struct CUgraphNode_st {
  cudaGraph_t graph;
  enum cudaGraphNodeType type;
  HostWork work;
  cudaGraphNode_t *after; // the nodes it follows
  size_t after_count;
  const struct CUgraphNode_st *origin; // of which it is a copy, through any number of copies; NULL if of none
  bool is_placed;                      // while the nodes are sorted
};
struct CUgraph_st {
  cudaGraphNode_t *nodes;
  size_t count;
  cudaStream_t *streams; // that are captured into it
  size_t stream_count;
};
struct CUgraphExec_st {
  cudaGraph_t graph; // its own copy, sorted
};

bool graph_is_node(const struct CUgraphNode_st *node);
cudaGraph_t graph_new(void);
cudaGraph_t graph_copy(const struct CUgraph_st *graph);
cudaError_t graph_add(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                      const HostWork *work, enum cudaGraphNodeType type) HOST_MUST_CHECK;

#endif
