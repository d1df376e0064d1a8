// The functions of CUDA's library, and those that our declarations of it are made of, by name: what each becomes, with
// scope and order.
//@ args: --arch sm_90
//@ ops: memcpy memset and shl ashr mul bitcast icmp select load store unreachable
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include "hgrd_clusters.h"
#include "hgrd_intrinsics.h"
__device__ void __hgrd_barrier_cluster();
__device__ void __hgrd_barrier_named_arrive(unsigned id, unsigned count);
__device__ int __hgrd_warpid();
__device__ int __hgrd_laneid();
extern "C" __device__ unsigned int __hgrd_unknown_32(void);
__device__ int __ldu(const int *);
extern "C" __device__ void abort();
__global__ void barriers(int *p, int n, int m) {
  __syncthreads();                                           //= barrier sync block
  p[0] = __syncthreads_count(n);                             //= barrier count i32 %n block | store i32 %p, *
  p[0] = __syncthreads_and(n);                               //= barrier all i32 %n block | store i32 %p, *
  p[0] = __syncthreads_or(n);                                //= barrier any i32 %n block | store i32 %p, *
  __syncwarp(m);                                             //= barrier sync %m warp
  __syncwarp();                                              //= barrier sync -1 warp
  __hgrd_barrier_grid();                                     //= barrier sync device
  __hgrd_barrier_cluster();                                  //= barrier sync cluster
  __hgrd_barrier_block();                                    //= barrier sync block
  __hgrd_barrier_warp(m);                                    //= barrier sync %m warp
  __hgrd_barrier_tile(8);                                    //= barrier tile 8 warp
  __hgrd_barrier_coalesced();                                //= barrier coalesced warp
  __hgrd_barrier_named(n, 64);                               //= barrier named %n, 64 block
  __hgrd_barrier_named_arrive(n, 64);                        //= barrier arrive %n, 64 block
  __hgrd_arrival_grid();                                     //= barrier arrival device
  __hgrd_arrival_cluster();                                  //= barrier arrival cluster
  __hgrd_arrival_block();                                    //= barrier arrival block
  __hgrd_await_grid();                                       //= barrier await device
  __hgrd_await_cluster();                                    //= barrier await cluster
  __hgrd_await_block();                                      //= barrier await block
}
__global__ void objects(int *p, void *bar, void *pipe, int n) {
  unsigned long long token;
  __hgrd_mbarrier_init(bar, n);                              //= mbarrier init %bar, %n
  __hgrd_mbarrier_invalidate(bar);                           //= mbarrier invalidate %bar
  token = __hgrd_mbarrier_arrive(bar, n, 4, 2);              //= mbarrier arrive i64 %bar, %n release block
  token = __hgrd_mbarrier_arrive_drop(bar, n, 4, 4);         //= mbarrier arrive_drop i64 %bar, %n release device
  __hgrd_mbarrier_expect(bar, n);                            //= mbarrier expect %bar, %n
  __hgrd_mbarrier_complete(bar, n);                          //= mbarrier complete %bar, %n
  p[0] = __hgrd_mbarrier_test(bar, token, 3, 2);             //= mbarrier test i1 %bar, * acquire block | store i32 %p, *
  p[0] = __hgrd_mbarrier_test_parity(bar, n, 3, 5);          //= mbarrier test_parity i1 %bar, %n acquire system | store i32 %p, *
  __hgrd_mbarrier_wait(bar, token, 3, 2);                    //= mbarrier wait %bar, * acquire block
  __hgrd_mbarrier_wait_parity(bar, n, 3, 2);                 //= mbarrier wait_parity %bar, %n acquire block
  __hgrd_mbarrier_arrive_copies(bar);                        //= mbarrier arrive_copies %bar
  __hgrd_pipeline_init(pipe, 2);                             //= pipeline init %pipe, 2
  __hgrd_pipeline_init_role(pipe, 2, n);                     //= pipeline init %pipe, 2, %n
  __hgrd_pipeline_init_tile(pipe, 2, 2, 32);                 //= pipeline init %pipe, 2, 2, 32
  __hgrd_pipeline_acquire(pipe);                             //= pipeline acquire %pipe
  __hgrd_pipeline_commit(pipe);                              //= pipeline commit %pipe
  __hgrd_pipeline_wait(pipe);                                //= pipeline wait %pipe
  __hgrd_pipeline_release(pipe);                             //= pipeline release %pipe
  __hgrd_pipeline_quit(pipe);                                //= pipeline quit %pipe
}
__global__ void fences() {
  __threadfence();                                           //= fence seq_cst device
  __threadfence_block();                                     //= fence seq_cst block
  __threadfence_system();                                    //= fence seq_cst system
  __hgrd_fence(3, 2);                                        //= fence acquire block
  __hgrd_fence(6, 4);                                        //= fence seq_cst device
}
__global__ void atomics(int *p, unsigned *u, float *f, int n, unsigned m) {
  atomicAdd(p, n);                                           //= atomicrmw add i32 %p, %n relaxed device
  atomicAdd_block(p, n);                                     //= atomicrmw add i32 %p, %n relaxed block
  atomicAdd_system(p, n);                                    //= atomicrmw add i32 %p, %n relaxed system
  atomicSub(p, n);                                           //= atomicrmw sub i32 %p, %n relaxed device
  atomicSub_block(p, n);                                     //= atomicrmw sub i32 %p, %n relaxed block
  atomicSub_system(p, n);                                    //= atomicrmw sub i32 %p, %n relaxed system
  atomicExch(p, n);                                          //= atomicrmw xchg i32 %p, %n relaxed device
  atomicExch_block(p, n);                                    //= atomicrmw xchg i32 %p, %n relaxed block
  atomicExch_system(p, n);                                   //= atomicrmw xchg i32 %p, %n relaxed system
  atomicMin(p, n);                                           //= atomicrmw min i32 %p, %n relaxed device
  atomicMin_block(p, n);                                     //= atomicrmw min i32 %p, %n relaxed block
  atomicMin_system(p, n);                                    //= atomicrmw min i32 %p, %n relaxed system
  atomicMax(p, n);                                           //= atomicrmw max i32 %p, %n relaxed device
  atomicMax_block(p, n);                                     //= atomicrmw max i32 %p, %n relaxed block
  atomicMax_system(p, n);                                    //= atomicrmw max i32 %p, %n relaxed system
  atomicAnd(p, n);                                           //= atomicrmw and i32 %p, %n relaxed device
  atomicAnd_block(p, n);                                     //= atomicrmw and i32 %p, %n relaxed block
  atomicAnd_system(p, n);                                    //= atomicrmw and i32 %p, %n relaxed system
  atomicOr(p, n);                                            //= atomicrmw or i32 %p, %n relaxed device
  atomicOr_block(p, n);                                      //= atomicrmw or i32 %p, %n relaxed block
  atomicOr_system(p, n);                                     //= atomicrmw or i32 %p, %n relaxed system
  atomicXor(p, n);                                           //= atomicrmw xor i32 %p, %n relaxed device
  atomicXor_block(p, n);                                     //= atomicrmw xor i32 %p, %n relaxed block
  atomicXor_system(p, n);                                    //= atomicrmw xor i32 %p, %n relaxed system
  atomicInc(u, m);                                           //= atomicrmw inc i32 %u, %m relaxed device
  atomicInc_block(u, m);                                     //= atomicrmw inc i32 %u, %m relaxed block
  atomicInc_system(u, m);                                    //= atomicrmw inc i32 %u, %m relaxed system
  atomicDec(u, m);                                           //= atomicrmw dec i32 %u, %m relaxed device
  atomicDec_block(u, m);                                     //= atomicrmw dec i32 %u, %m relaxed block
  atomicDec_system(u, m);                                    //= atomicrmw dec i32 %u, %m relaxed system
  atomicCAS(p, n, 7);                                     //= cmpxchg i32 %p, %n, 7 relaxed device
  atomicCAS_block(p, n, 7);                               //= cmpxchg i32 %p, %n, 7 relaxed block
  atomicCAS_system(p, n, 7);                              //= cmpxchg i32 %p, %n, 7 relaxed system
  atomicMin(u, m);                                           //= atomicrmw umin i32 %u, %m relaxed device
  atomicMax(u, m);                                           //= atomicrmw umax i32 %u, %m relaxed device
  atomicAdd(f, 2.0f);                                        //= atomicrmw fadd f32 %f, 0x40000000 relaxed device
}
__global__ void given(unsigned char *p8, unsigned short *p16, unsigned *p32, unsigned long long *p64, float *f, double *d, unsigned n) {
  p32[0] = __hgrd_atomic_rmw_8(p8, n, HGRD_RMW_ADD, 5, 2);   //= atomicrmw add i8 %p8, * acq_rel block | store i32 %p32, *
  p32[0] = __hgrd_atomic_cas_8(p8, n, 9, 3, 4, 3);           //= cmpxchg i8 %p8, *, 9 acquire device | store i32 %p32, *
  p32[0] = __hgrd_atomic_load_8(p8, 3, 4);                   //= load i8 %p8 acquire device | store i32 %p32, *
  __hgrd_atomic_store_8(p8, n, 4, 5);                        //= store i8 %p8, * release system
  p32[0] = __hgrd_atomic_rmw_16(p16, n, HGRD_RMW_ADD, 5, 2); //= atomicrmw add i16 %p16, * acq_rel block | store i32 %p32, *
  p32[0] = __hgrd_atomic_cas_16(p16, n, 9, 3, 4, 3);         //= cmpxchg i16 %p16, *, 9 acquire device | store i32 %p32, *
  p32[0] = __hgrd_atomic_load_16(p16, 3, 4);                 //= load i16 %p16 acquire device | store i32 %p32, *
  __hgrd_atomic_store_16(p16, n, 4, 5);                      //= store i16 %p16, * release system
  p32[0] = __hgrd_atomic_rmw_32(p32, n, HGRD_RMW_ADD, 5, 2); //= atomicrmw add i32 %p32, %n acq_rel block | store i32 %p32, *
  p32[0] = __hgrd_atomic_cas_32(p32, n, 9, 3, 4, 3);            //= cmpxchg i32 %p32, %n, 9 acquire device | store i32 %p32, *
  p32[0] = __hgrd_atomic_load_32(p32, 3, 4);                 //= load i32 %p32 acquire device | store i32 %p32, *
  __hgrd_atomic_store_32(p32, n, 4, 5);                      //= store i32 %p32, %n release system
  p32[0] = __hgrd_atomic_rmw_64(p64, n, HGRD_RMW_ADD, 5, 2); //= atomicrmw add i64 %p64, * acq_rel block | store i32 %p32, *
  p32[0] = __hgrd_atomic_cas_64(p64, n, 9, 3, 4, 3);            //= cmpxchg i64 %p64, *, 9 acquire device | store i32 %p32, *
  p32[0] = __hgrd_atomic_load_64(p64, 3, 4);                 //= load i64 %p64 acquire device | store i32 %p32, *
  __hgrd_atomic_store_64(p64, n, 4, 5);                      //= store i64 %p64, * release system
  __hgrd_atomic_fadd_f32(f, 2.0f, 2, 2);                     //= atomicrmw fadd f32 %f, 0x40000000 relaxed block
  __hgrd_atomic_fadd_f64(d, 2.0, 2, 4);                      //= atomicrmw fadd f64 %d, 0x4000000000000000 relaxed device
}
__global__ void hints(int *p, int *q, int n) {
  p[0] = __ldg(q);                                           //= load readonly i32 %q | store i32 %p, *
  p[0] = __ldu(q);                                           //= load readonly i32 %q | store i32 %p, *
  p[0] = __ldcg(q);                                          //= load i32 %q | store i32 %p, *
  p[0] = __ldca(q);                                          //= load i32 %q | store i32 %p, *
  p[0] = __ldcs(q);                                          //= load i32 %q | store i32 %p, *
  p[0] = __ldlu(q);                                          //= load i32 %q | store i32 %p, *
  p[0] = __ldcv(q);                                          //= load i32 %q volatile system | store i32 %p, *
  __stwb(q, n);                                              //= store i32 %q, %n
  __stcg(q, n);                                              //= store i32 %q, %n
  __stcs(q, n);                                              //= store i32 %q, %n
  __stwt(q, n);                                              //= store i32 %q, %n volatile system
}
__global__ void lanes(int *p, unsigned m, int n, int k) {
  int all;
  p[0] = __shfl_sync(m, n, k);                               //= shuffle i32 idx(%m, %n, %k, 32) warp | store i32 %p, *
  p[0] = __shfl_up_sync(m, n, k);                            //= shuffle i32 up(%m, %n, %k, 32) warp | store i32 %p, *
  p[0] = __shfl_down_sync(m, n, k);                          //= shuffle i32 down(%m, %n, %k, 32) warp | store i32 %p, *
  p[0] = __shfl_xor_sync(m, n, k);                           //= shuffle i32 xor(%m, %n, %k, 32) warp | store i32 %p, *
  p[0] = __all_sync(m, n);                                   //= vote i32 all(%m, %n) warp | store i32 %p, *
  p[0] = __any_sync(m, n);                                   //= vote i32 any(%m, %n) warp | store i32 %p, *
  p[0] = __uni_sync(m, n);                                   //= vote i32 uni(%m, %n) warp | store i32 %p, *
  p[0] = __ballot_sync(m, n);                                //= vote i32 ballot(%m, %n) warp | store i32 %p, *
  p[0] = __match_any_sync(m, n);                             //= vote i32 match_any(%m, %n) warp | store i32 %p, *
  p[0] = __match_all_sync(m, n, &all);                       //= vote i32 match_all(%m, %n) warp | icmp ne i32 *, 0 | store i32 %all, * | store i32 %p, *
  p[0] = __reduce_add_sync(m, (unsigned)n);                  //= vote i32 reduce_add(%m, %n) warp | store i32 %p, *
  p[0] = __reduce_min_sync(m, (unsigned)n);                  //= vote i32 reduce_min(%m, %n) warp | store i32 %p, *
  p[0] = __reduce_max_sync(m, (unsigned)n);                  //= vote i32 reduce_max(%m, %n) warp | store i32 %p, *
  p[0] = __reduce_and_sync(m, (unsigned)n);                  //= vote i32 reduce_and(%m, %n) warp | store i32 %p, *
  p[0] = __reduce_or_sync(m, (unsigned)n);                   //= vote i32 reduce_or(%m, %n) warp | store i32 %p, *
  p[0] = __reduce_xor_sync(m, (unsigned)n);                  //= vote i32 reduce_xor(%m, %n) warp | store i32 %p, *
  p[0] = __activemask();                                     //= vote i32 activemask() warp | store i32 %p, *
  p[0] = __shfl(n, k);                                       //= shuffle i32 idx(-1, %n, %k, 32) warp | store i32 %p, *
  p[0] = __shfl_up(n, k);                                    //= shuffle i32 up(-1, %n, %k, 32) warp | store i32 %p, *
  p[0] = __shfl_down(n, k);                                  //= shuffle i32 down(-1, %n, %k, 32) warp | store i32 %p, *
  p[0] = __shfl_xor(n, k);                                   //= shuffle i32 xor(-1, %n, %k, 32) warp | store i32 %p, *
  p[0] = __all(n);                                           //= vote i32 all(-1, %n) warp | store i32 %p, *
  p[0] = __any(n);                                           //= vote i32 any(-1, %n) warp | store i32 %p, *
  p[0] = __ballot(n);                                        //= vote i32 ballot(-1, %n) warp | store i32 %p, *
}
__global__ void copies(int *to, int *from, void *bar, int n) {
  __hgrd_async_copy(to, from, 16);                           //= asynccopy packed %to, %from, 16
  __hgrd_async_copy_on(to, from, 16, bar);                   //= asynccopy packed %to, %from, 16, %bar
  __hgrd_async_part(to, from, 16);                           //= asynccopy packed part %to, %from, 16
  __hgrd_async_part_on(to, from, 16, bar);                   //= asynccopy packed part %to, %from, 16, %bar
  __hgrd_async_bulk_on(to, from, 64, bar);                   //= asynccopy bulk %to, %from, 64, %bar
  __hgrd_async_bulk(to, from, 64);                           //= asynccopy bulk %to, %from, 64
  __hgrd_async_commit();                                     //= asynccommit
  __hgrd_async_wait(2);                                      //= asyncwait pending 2
  __hgrd_async_commit_stage(n);                              //= asynccommit %n
  __hgrd_async_wait_oldest(n);                               //= asyncwait oldest %n pending 0
  __pipeline_memcpy_async(to, from, 16, 4);                  //= asynccopy %to, %from, 16, 12
  __pipeline_commit();                                       //= asynccommit
  __pipeline_wait_prior(3);                                  //= asyncwait pending 3
  memcpy(to, from, n);                                       //= memcpy %to, %from, *
  memmove(to, from, n);                                      //= memcpy %to, %from, *
  memset(to, 0, n);                                          //= memset %to, 0, *
}
__global__ void no_effect(int n) {
  printf("%d", n);                                           //= store i32 %tmp, %n
  vprintf("", nullptr);                                      //= nothing
  __nanosleep(n);                                            //= nothing
  cudaGraphSetConditional({}, n);                            //= nothing
  __prof_trigger(1);                                         //= nothing
  __brkpt();                                                 //= nothing
  switch (n) {
  case 0: __assertfail("", "", 1, "", 1); break;             //= unreachable
  case 1: __assert_fail("", "", 1, ""); break;               //= unreachable
  case 2: __trap(); break;                                   //= unreachable
  case 3: abort(); break;                                    //= unreachable
  }
}
__global__ void registers(long long *p) {
  p[0] = clock();                                            //= sreg clock i64 | store i64 %p, *
  p[0] = clock64();                                          //= sreg clock i64 | store i64 %p, *
  p[0] = globaltimer();                                      //= sreg clock i64 | store i64 %p, *
  p[0] = __hgrd_laneid();                                    //= sreg laneid i32 | store i64 %p, *
  p[0] = __hgrd_unknown_32();                                //= store i64 %p, *
  p[0] = __hgrd_warpid();                                    //= sreg warpid i32 | store i64 %p, *
}
__global__ void cluster(unsigned *p) {
  p[0] = __hgrd_cluster_ctarank();  //= sreg cluster_nctaid.x i32 | sreg cluster_nctaid.x i32 | sreg cluster_nctaid.y i32 | sreg cluster_nctaid.y i32 | mul nsw i32 *, * | sreg cluster_nctaid.y i32 | mul nsw i32 *, * | sreg cluster_nctaid.z i32 | sreg cluster_nctaid.z i32 | mul nsw i32 *, * | store i32 %p, *
  p[0] = __hgrd_cluster_nctarank(); //= sreg cluster_nctaid.x i32 | sreg cluster_nctaid.y i32 | mul nsw i32 *, * | sreg cluster_nctaid.z i32 | mul nsw i32 *, * | store i32 %p, *
  p[0] = __hgrd_cluster_ctaid_x();  //= sreg cluster_nctaid.x i32 | store i32 %p, *
  p[0] = __hgrd_cluster_ctaid_y();  //= sreg cluster_nctaid.y i32 | store i32 %p, *
  p[0] = __hgrd_cluster_ctaid_z();  //= sreg cluster_nctaid.z i32 | store i32 %p, *
  p[0] = __hgrd_cluster_nctaid_x(); //= sreg cluster_nctaid.x i32 | store i32 %p, *
  p[0] = __hgrd_cluster_nctaid_y(); //= sreg cluster_nctaid.y i32 | store i32 %p, *
  p[0] = __hgrd_cluster_nctaid_z(); //= sreg cluster_nctaid.z i32 | store i32 %p, *
}
__cluster_dims__(4, 2) __global__ void cluster_of_eight(unsigned *p) {
  p[0] = __hgrd_cluster_ctarank();  //= mul nsw i32 4, * | store i32 %p, *
  p[0] = __hgrd_cluster_ctaid_z();  //= store i32 %p, 0
}
__global__ void arithmetic(int *p, unsigned *u, float *f, double *d, unsigned long long *ul, long long *l, int n, unsigned m, float x, double y) {
  p[0] = __mul24(n, n);                                      //= shl i32 %n, 8 | ashr i32 *, 8 | shl i32 %n, 8 | ashr i32 *, 8 | mul i32 *, * | store i32 %p, *
  u[0] = __umul24(m, m);                                     //= and i32 %m, 16777215 | and i32 %m, 16777215 | mul i32 *, * | store i32 %u, *
  ul[0] = __cvta_generic_to_shared(p);                       //= store i64 %ul, *
  ul[0] = __cvta_generic_to_global(p);                       //= store i64 %ul, *
  *(int *)__cvta_shared_to_generic(ul[0]) = 1;               //= load i64 %ul | store i32 *, 1
  *(int *)__cvta_global_to_generic(ul[0]) = 1;               //= load i64 %ul | store i32 *, 1
  f[0] = __int_as_float(n);                                  //= bitcast f32 %n | store f32 %f, *
  f[0] = __uint_as_float(m);                                 //= bitcast f32 %m | store f32 %f, *
  p[0] = __float_as_int(x);                                  //= bitcast i32 %x | store i32 %p, *
  u[0] = __float_as_uint(x);                                 //= bitcast i32 %x | store i32 %u, *
  d[0] = __longlong_as_double(l[0]);                         //= load i64 %l | bitcast f64 * | store f64 %d, *
  l[0] = __double_as_longlong(y);                            //= bitcast i64 %y | store i64 %l, *
  p[0] = min(n, p[1]);                                       //= load i32 * | icmp slt i32 %n, * | select i32 *, %n, * | store i32 %p, *
  p[0] = max(n, p[1]);                                       //= load i32 * | icmp sgt i32 %n, * | select i32 *, %n, * | store i32 %p, *
  u[0] = min(m, u[1]);                                       //= load i32 * | icmp ult i32 %m, * | select i32 *, %m, * | store i32 %u, *
  u[0] = umin(m, u[1]);                                      //= load i32 * | icmp ult i32 %m, * | select i32 *, %m, * | store i32 %u, *
  u[0] = umax(m, u[1]);                                      //= load i32 * | icmp ugt i32 %m, * | select i32 *, %m, * | store i32 %u, *
  ul[0] = ullmin(ul[1], ul[2]);                              //= load i64 * | load i64 * | icmp ult i64 *, * | select i64 *, *, * | store i64 %ul, *
  ul[0] = ullmax(ul[1], ul[2]);                              //= load i64 * | load i64 * | icmp ugt i64 *, * | select i64 *, *, * | store i64 %ul, *
  l[0] = llmin(l[1], l[2]);                                  //= load i64 * | load i64 * | icmp slt i64 *, * | select i64 *, *, * | store i64 %l, *
  l[0] = llmax(l[1], l[2]);                                  //= load i64 * | load i64 * | icmp sgt i64 *, * | select i64 *, *, * | store i64 %l, *
  p[0] = abs(n);                                             //= icmp slt i32 %n, 0 | select i32 *, *, %n | store i32 %p, *
  l[0] = labs(l[1]);                                         //= load i64 * | icmp slt i64 *, 0 | select i64 *, *, * | store i64 %l, *
  l[0] = llabs(l[1]);                                        //= load i64 * | icmp slt i64 *, 0 | select i64 *, *, * | store i64 %l, *
}
// Of classes: as their bodies make them of numbers.
__global__ void halves(__half *h, __half2 *h2, __nv_bfloat16 *b, __half one, __half2 two, __nv_bfloat16 three) {
  atomicAdd(h, one);                  //= load f16 %one | bitcast i16 * | bitcast f16 * | atomicrmw fadd f16 *, * relaxed device | bitcast i16 * | bitcast f16 *
  atomicAdd(h2, two);                 //= load f16 %two place "two.x" | load f16 * place "two.y" | bitcast i16 * | bitcast f16 * | atomicrmw fadd f16 %h2, * relaxed device | bitcast i16 * | bitcast f16 * | bitcast i16 * | bitcast f16 * | atomicrmw fadd f16 *, * relaxed device | bitcast i16 * | bitcast f16 *
  atomicAdd(b, three);                //= load f16 %three | bitcast i16 * | bitcast f16 * | atomicrmw fadd f16 %b, * relaxed device | bitcast i16 * | bitcast f16 *
  h[1] = __shfl_sync(~0u, one, 3);    //= load f16 %one | bitcast i16 * | shuffle i32 idx(-1, *, 3, 32) warp | bitcast f16 * | store f16 *, *
  h2[1] = __shfl_xor_sync(~0u, two, 1); //= load f16 %two place "two.x" | load f16 * place "two.y" | bitcast i16 * | bitcast i16 * | shl i32 *, 16 | and i32 undef, 65535 | and i32 *, -65536 | shuffle i32 xor(-1, *, 1, 32) warp | bitcast f16 * | bitcast f16 * | store f16 *, * | store f16 *, *
}
