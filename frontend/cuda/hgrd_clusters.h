// Thread block clusters: the numbers of a block in its cluster, the cluster's barrier, and shared memory of its other
// blocks. The lowering knows the functions by name; the words are those of the toolkit's sm_90 header.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CLUSTERS_H
#define HGRD_CLUSTERS_H
#pragma GCC system_header
#ifdef __CUDA__
#include "hgrd_intrinsics.h"

extern "C" {
__device__ size_t __hgrd_pure_mapa(size_t shared, unsigned int rank);
__device__ unsigned int __hgrd_pure_rank_of_shared(size_t shared);
__device__ unsigned int __hgrd_cluster_ctarank(void);
__device__ unsigned int __hgrd_cluster_nctarank(void);
__device__ unsigned int __hgrd_cluster_ctaid_x(void);
__device__ unsigned int __hgrd_cluster_ctaid_y(void);
__device__ unsigned int __hgrd_cluster_ctaid_z(void);
__device__ unsigned int __hgrd_cluster_nctaid_x(void);
__device__ unsigned int __hgrd_cluster_nctaid_y(void);
__device__ unsigned int __hgrd_cluster_nctaid_z(void);
}

#ifndef HGRD_TOOLKIT
#define HGRD_OF_CLUSTER static inline __device__ __attribute__((always_inline))
HGRD_OF_CLUSTER dim3 __clusterDim() {
  return dim3(__hgrd_cluster_nctaid_x(), __hgrd_cluster_nctaid_y(), __hgrd_cluster_nctaid_z());
}
HGRD_OF_CLUSTER dim3 __clusterRelativeBlockIdx() {
  return dim3(__hgrd_cluster_ctaid_x(), __hgrd_cluster_ctaid_y(), __hgrd_cluster_ctaid_z());
}
HGRD_OF_CLUSTER dim3 __clusterGridDimInClusters() {
  return dim3(gridDim.x / __hgrd_cluster_nctaid_x(), gridDim.y / __hgrd_cluster_nctaid_y(),
              gridDim.z / __hgrd_cluster_nctaid_z());
}
HGRD_OF_CLUSTER dim3 __clusterIdx() {
  return dim3(blockIdx.x / __hgrd_cluster_nctaid_x(), blockIdx.y / __hgrd_cluster_nctaid_y(),
              blockIdx.z / __hgrd_cluster_nctaid_z());
}
HGRD_OF_CLUSTER unsigned __clusterRelativeBlockRank() { return __hgrd_cluster_ctarank(); }
HGRD_OF_CLUSTER unsigned __clusterSizeInBlocks() { return __hgrd_cluster_nctarank(); }
HGRD_OF_CLUSTER void __cluster_barrier_arrive() { __hgrd_arrival_cluster(); }
HGRD_OF_CLUSTER void __cluster_barrier_wait() { __hgrd_await_cluster(); }
HGRD_OF_CLUSTER void *__cluster_map_shared_rank(const void *shared, unsigned rank) {
  return (void *)__hgrd_pure_mapa((size_t)shared, rank);
}
HGRD_OF_CLUSTER unsigned __cluster_query_shared_rank(const void *shared) {
  return __hgrd_pure_rank_of_shared((size_t)shared);
}
#undef HGRD_OF_CLUSTER
#endif
#endif // __CUDA__

#endif
