// The functions that stand for synchronisation and atomics in our own class code (cooperative groups, cuda::atomic,
// pipelines ...). They are never defined: the lowering knows each by name and makes one IR operation of it.
// order, scope and rmw are the numbers of IrOrder, IrScope and IrRmw in core/ir.h, always passed as constants.
// A function __hgrd_pure_* is a pure function of its arguments; __hgrd_opaque_sync_* may synchronise and may read
// and write what its pointer arguments reach: the analysis says undecided, with that name.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_INTRINSICS_H
#define HGRD_INTRINSICS_H
#pragma GCC system_header
#ifndef HGRD_TOOLKIT
#include "crt/host_defines.h"
#endif

// core/ir.h: IrScope, IrOrder, IrRmw.
#define HGRD_SCOPE_THREAD 0
#define HGRD_SCOPE_WARP 1
#define HGRD_SCOPE_BLOCK 2
#define HGRD_SCOPE_CLUSTER 3
#define HGRD_SCOPE_DEVICE 4
#define HGRD_SCOPE_SYSTEM 5
#define HGRD_ORDER_PLAIN 0
#define HGRD_ORDER_VOLATILE 1
#define HGRD_ORDER_RELAXED 2
#define HGRD_ORDER_ACQUIRE 3
#define HGRD_ORDER_RELEASE 4
#define HGRD_ORDER_ACQ_REL 5
#define HGRD_ORDER_SEQ_CST 6
#define HGRD_RMW_XCHG 1
#define HGRD_RMW_ADD 2
#define HGRD_RMW_SUB 3
#define HGRD_RMW_AND 4
#define HGRD_RMW_OR 5
#define HGRD_RMW_XOR 6
#define HGRD_RMW_MAX 7
#define HGRD_RMW_MIN 8
#define HGRD_RMW_UMAX 9
#define HGRD_RMW_UMIN 10
#define HGRD_RMW_FADD 13
#define HGRD_RMW_FMAX 14
#define HGRD_RMW_FMIN 15

extern "C" {
__device__ void __hgrd_barrier_grid(void);
__device__ void __hgrd_barrier_block(void);
__device__ void __hgrd_barrier_warp(unsigned int mask);
__device__ void __hgrd_barrier_tile(unsigned int lanes);
__device__ void __hgrd_barrier_coalesced(void);
__device__ void __hgrd_barrier_named(unsigned int id, unsigned int count);
// The two halves of a barrier.
__device__ void __hgrd_arrival_grid(void);
__device__ void __hgrd_arrival_cluster(void);
__device__ void __hgrd_arrival_block(void);
__device__ void __hgrd_await_grid(void);
__device__ void __hgrd_await_cluster(void);
__device__ void __hgrd_await_block(void);
// Barriers that are objects in memory, and pipelines that the threads of a block share.
__device__ void __hgrd_mbarrier_init(void *barrier, unsigned int expected);
__device__ void __hgrd_mbarrier_invalidate(void *barrier);
__device__ unsigned long long __hgrd_mbarrier_arrive(void *barrier, unsigned int count, int order, int scope);
__device__ unsigned long long __hgrd_mbarrier_arrive_drop(void *barrier, unsigned int count, int order, int scope);
__device__ void __hgrd_mbarrier_expect(void *barrier, unsigned int bytes);
__device__ void __hgrd_mbarrier_complete(void *barrier, unsigned int bytes);
__device__ bool __hgrd_mbarrier_test(void *barrier, unsigned long long token, int order, int scope);
__device__ bool __hgrd_mbarrier_test_parity(void *barrier, unsigned int parity, int order, int scope);
__device__ void __hgrd_mbarrier_wait(void *barrier, unsigned long long token, int order, int scope);
__device__ void __hgrd_mbarrier_wait_parity(void *barrier, unsigned int parity, int order, int scope);
__device__ void __hgrd_mbarrier_arrive_copies(void *barrier);
__device__ void __hgrd_pipeline_init(void *pipeline, unsigned int stages);
__device__ void __hgrd_pipeline_init_role(void *pipeline, unsigned int stages, unsigned int consumes);
__device__ void __hgrd_pipeline_init_tile(void *pipeline, unsigned int stages, unsigned int both, unsigned int threads);
__device__ void __hgrd_pipeline_acquire(void *pipeline);
__device__ void __hgrd_pipeline_commit(void *pipeline);
__device__ void __hgrd_pipeline_wait(void *pipeline);
__device__ void __hgrd_pipeline_release(void *pipeline);
__device__ void __hgrd_pipeline_quit(void *pipeline);
__device__ void __hgrd_fence(int order, int scope);

#define HGRD_ATOMICS(bits, uint)                                                                                       \
  __device__ uint __hgrd_atomic_rmw_##bits(volatile void *place, uint operand, int rmw, int order, int scope);         \
  __device__ uint __hgrd_atomic_cas_##bits(volatile void *place, uint expected, uint desired, int order, int scope,    \
                                          int failure);                                                                \
  __device__ uint __hgrd_atomic_load_##bits(const volatile void *place, int order, int scope);                         \
  __device__ void __hgrd_atomic_store_##bits(volatile void *place, uint value, int order, int scope);
HGRD_ATOMICS(8, unsigned char)
HGRD_ATOMICS(16, unsigned short)
HGRD_ATOMICS(32, unsigned int)
HGRD_ATOMICS(64, unsigned long long)
#undef HGRD_ATOMICS
__device__ float __hgrd_atomic_fadd_f32(float *place, float operand, int order, int scope);
__device__ double __hgrd_atomic_fadd_f64(double *place, double operand, int order, int scope);

__device__ void __hgrd_async_copy(void *shared_dst, const void *global_src, unsigned int bytes);
__device__ void __hgrd_async_copy_on(void *dst, const void *src, unsigned int bytes, void *barrier);
__device__ void __hgrd_async_part(void *dst, const void *src, unsigned int bytes); // some part of what a group copies
__device__ void __hgrd_async_part_on(void *dst, const void *src, unsigned int bytes, void *barrier);
__device__ void __hgrd_async_bulk_on(void *dst, const void *src, unsigned int bytes, void *barrier);
__device__ void __hgrd_async_bulk(void *dst, const void *src, unsigned int bytes);
__device__ void __hgrd_async_commit(void);
__device__ void __hgrd_async_wait(int newest_groups_left);
__device__ void __hgrd_async_commit_stage(unsigned int stages_under_way);
__device__ void __hgrd_async_wait_oldest(int newest_groups_left);

// One component of what a texture or surface shows at a place. Texture reads are not checked against writes of the
// memory below, which CUDA leaves undefined within one launch anyway.
__device__ double __hgrd_pure_texture(unsigned long long handle, double x, double y, double z, int layer,
                                      int component);
// Where a surface's places are, see hgrd_surface.h.
__device__ void *__hgrd_pure_surface_memory(unsigned long long handle);
__device__ void __hgrd_opaque_sync_surface_clamped(void);
}

#endif
