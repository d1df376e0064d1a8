// Which functions mean one operation of the IR? The one table of the names of CUDA's synchronisation,
// atomics, lane exchange and special registers, of the plain C functions that our bundled headers are made of
// (__hgrd_*), and of LLVM's nvvm intrinsics; then the names of mathematics without effects. A function of C++
// is looked up by its base name, so that overloads and templates need no line of their own. To teach the
// analyzer a new function, add a line. Soundness: callers ask only for functions whose text is not the
// user's, so a user's own atomicAdd is analysed as written. What is not in the table stays a call, and a call
// may do anything.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <ctype.h>
#include <string.h>

enum {
  BLOCK = IR_SCOPE_BLOCK,
  WARP = IR_SCOPE_WARP,
  CLUSTER = IR_SCOPE_CLUSTER,
  DEVICE = IR_SCOPE_DEVICE,
  SYSTEM = IR_SCOPE_SYSTEM,
  RELAXED = IR_ORDER_RELAXED,
  ACQUIRE = IR_ORDER_ACQUIRE,
  RELEASE = IR_ORDER_RELEASE,
  STRICT = IR_ORDER_SEQ_CST
};

#define ATOMIC(name, detail)                                                                                 \
  {name, REC_RMW, DEVICE, RELAXED, detail, 2, NULL},                                                         \
      {name "_block", REC_RMW, BLOCK, RELAXED, detail, 2, NULL}, {                                           \
    name "_system", REC_RMW, SYSTEM, RELAXED, detail, 2, NULL                                                \
  }

#define GIVEN(width)                                                                                         \
  {"__hgrd_atomic_rmw_" width, REC_GIVEN_RMW, 0, 0, 0, 5, NULL},                                             \
      {"__hgrd_atomic_cas_" width, REC_GIVEN_CAS, 0, 0, 0, 6, NULL},                                         \
      {"__hgrd_atomic_load_" width, REC_GIVEN_LOAD, 0, 0, 0, 3, NULL}, {                                     \
    "__hgrd_atomic_store_" width, REC_GIVEN_STORE, 0, 0, 0, 4, NULL                                          \
  }

// name, kind, scope, order, detail, operands kept, text
static const Recognition functions[] = {
    // barriers
    {"__syncthreads", REC_BARRIER, BLOCK, 0, IR_BARRIER_SYNC, 0, NULL},
    {"__syncthreads_count", REC_BARRIER, BLOCK, 0, IR_BARRIER_REDUCE_COUNT, 1, NULL},
    {"__syncthreads_and", REC_BARRIER, BLOCK, 0, IR_BARRIER_REDUCE_AND, 1, NULL},
    {"__syncthreads_or", REC_BARRIER, BLOCK, 0, IR_BARRIER_REDUCE_OR, 1, NULL},
    {"__syncwarp", REC_BARRIER, WARP, 0, IR_BARRIER_SYNC, 1, NULL},
    {"__hgrd_barrier_grid", REC_BARRIER, DEVICE, 0, IR_BARRIER_SYNC, 0, NULL},
    {"__hgrd_barrier_cluster", REC_BARRIER, CLUSTER, 0, IR_BARRIER_SYNC, 0, NULL},
    {"__hgrd_barrier_block", REC_BARRIER, BLOCK, 0, IR_BARRIER_SYNC, 0, NULL},
    {"__hgrd_barrier_warp", REC_BARRIER, WARP, 0, IR_BARRIER_SYNC, 1, NULL},
    {"__hgrd_barrier_tile", REC_BARRIER, WARP, 0, IR_BARRIER_TILE, 1, NULL},
    {"__hgrd_barrier_coalesced", REC_BARRIER, WARP, 0, IR_BARRIER_COALESCED, 0, NULL},
    {"__hgrd_barrier_named", REC_BARRIER, BLOCK, 0, IR_BARRIER_NAMED, 2, NULL},
    {"__hgrd_barrier_named_arrive", REC_BARRIER, BLOCK, 0, IR_BARRIER_NAMED_ARRIVE, 2, NULL},
    {"__hgrd_arrival_grid", REC_BARRIER, DEVICE, 0, IR_BARRIER_ARRIVAL, 0, NULL},
    {"__hgrd_arrival_cluster", REC_BARRIER, CLUSTER, 0, IR_BARRIER_ARRIVAL, 0, NULL},
    {"__hgrd_arrival_block", REC_BARRIER, BLOCK, 0, IR_BARRIER_ARRIVAL, 0, NULL},
    {"__hgrd_await_grid", REC_BARRIER, DEVICE, 0, IR_BARRIER_AWAIT, 0, NULL},
    {"__hgrd_await_cluster", REC_BARRIER, CLUSTER, 0, IR_BARRIER_AWAIT, 0, NULL},
    {"__hgrd_await_block", REC_BARRIER, BLOCK, 0, IR_BARRIER_AWAIT, 0, NULL},
    // barriers that are objects in memory; the last two arguments are order and scope
    {"__hgrd_mbarrier_init", REC_MBARRIER, 0, 0, IR_MBARRIER_INIT, 2, NULL},
    {"__hgrd_mbarrier_invalidate", REC_MBARRIER, 0, 0, IR_MBARRIER_INVALIDATE, 1, NULL},
    {"__hgrd_mbarrier_arrive", REC_MBARRIER, 0, 0, IR_MBARRIER_ARRIVE, 4, NULL},
    {"__hgrd_mbarrier_arrive_drop", REC_MBARRIER, 0, 0, IR_MBARRIER_ARRIVE_DROP, 4, NULL},
    {"__hgrd_mbarrier_expect", REC_MBARRIER, 0, 0, IR_MBARRIER_EXPECT, 2, NULL},
    {"__hgrd_mbarrier_complete", REC_MBARRIER, 0, 0, IR_MBARRIER_COMPLETE, 2, NULL},
    {"__hgrd_mbarrier_test", REC_MBARRIER, 0, 0, IR_MBARRIER_TEST, 4, NULL},
    {"__hgrd_mbarrier_test_parity", REC_MBARRIER, 0, 0, IR_MBARRIER_TEST_PARITY, 4, NULL},
    {"__hgrd_mbarrier_wait", REC_MBARRIER, 0, 0, IR_MBARRIER_WAIT, 4, NULL},
    {"__hgrd_mbarrier_wait_parity", REC_MBARRIER, 0, 0, IR_MBARRIER_WAIT_PARITY, 4, NULL},
    {"__hgrd_mbarrier_arrive_copies", REC_MBARRIER, 0, 0, IR_MBARRIER_ARRIVE_COPIES, 1, NULL},
    {"__hgrd_pipeline_init", REC_PIPELINE, 0, 0, IR_PIPELINE_INIT, 2, NULL},
    {"__hgrd_pipeline_init_role", REC_PIPELINE, 0, 0, IR_PIPELINE_INIT, 3, NULL},
    {"__hgrd_pipeline_init_tile", REC_PIPELINE, 0, 0, IR_PIPELINE_INIT, 4, NULL},
    {"__hgrd_pipeline_acquire", REC_PIPELINE, 0, 0, IR_PIPELINE_ACQUIRE, 1, NULL},
    {"__hgrd_pipeline_commit", REC_PIPELINE, 0, 0, IR_PIPELINE_COMMIT, 1, NULL},
    {"__hgrd_pipeline_wait", REC_PIPELINE, 0, 0, IR_PIPELINE_WAIT, 1, NULL},
    {"__hgrd_pipeline_release", REC_PIPELINE, 0, 0, IR_PIPELINE_RELEASE, 1, NULL},
    {"__hgrd_pipeline_quit", REC_PIPELINE, 0, 0, IR_PIPELINE_QUIT, 1, NULL},
    // fences
    {"__threadfence", REC_FENCE, DEVICE, STRICT, 0, 0, NULL},
    {"__threadfence_block", REC_FENCE, BLOCK, STRICT, 0, 0, NULL},
    {"__threadfence_system", REC_FENCE, SYSTEM, STRICT, 0, 0, NULL},
    {"__hgrd_fence", REC_GIVEN_FENCE, 0, 0, 0, 2, NULL},
    // atomics
    ATOMIC("atomicAdd", IR_RMW_ADD),
    ATOMIC("atomicSub", IR_RMW_SUB),
    ATOMIC("atomicExch", IR_RMW_XCHG),
    ATOMIC("atomicMin", IR_RMW_MIN),
    ATOMIC("atomicMax", IR_RMW_MAX),
    ATOMIC("atomicAnd", IR_RMW_AND),
    ATOMIC("atomicOr", IR_RMW_OR),
    ATOMIC("atomicXor", IR_RMW_XOR),
    ATOMIC("atomicInc", IR_RMW_INC),
    ATOMIC("atomicDec", IR_RMW_DEC),
    {"atomicCAS", REC_CAS, DEVICE, RELAXED, 0, 3, NULL},
    {"atomicCAS_block", REC_CAS, BLOCK, RELAXED, 0, 3, NULL},
    {"atomicCAS_system", REC_CAS, SYSTEM, RELAXED, 0, 3, NULL},
    GIVEN("8"),
    GIVEN("16"),
    GIVEN("32"),
    GIVEN("64"),
    {"__hgrd_atomic_fadd_f32", REC_GIVEN_FADD, 0, 0, 0, 4, NULL},
    {"__hgrd_atomic_fadd_f64", REC_GIVEN_FADD, 0, 0, 0, 4, NULL},
    // loads and stores with a cache hint
    {"__ldg", REC_LOAD_READONLY, 0, 0, 0, 1, NULL},
    {"__ldu", REC_LOAD_READONLY, 0, 0, 0, 1, NULL},
    {"__ldcg", REC_LOAD, 0, IR_ORDER_PLAIN, 0, 1, NULL},
    {"__ldca", REC_LOAD, 0, IR_ORDER_PLAIN, 0, 1, NULL},
    {"__ldcs", REC_LOAD, 0, IR_ORDER_PLAIN, 0, 1, NULL},
    {"__ldlu", REC_LOAD, 0, IR_ORDER_PLAIN, 0, 1, NULL},
    {"__ldcv", REC_LOAD, SYSTEM, IR_ORDER_VOLATILE, 0, 1, NULL},
    {"__stwb", REC_STORE, 0, IR_ORDER_PLAIN, 0, 2, NULL},
    {"__stcg", REC_STORE, 0, IR_ORDER_PLAIN, 0, 2, NULL},
    {"__stcs", REC_STORE, 0, IR_ORDER_PLAIN, 0, 2, NULL},
    {"__stwt", REC_STORE, SYSTEM, IR_ORDER_VOLATILE, 0, 2, NULL},
    // lanes of a warp
    {"__shfl_sync", REC_SHUFFLE, WARP, 0, 0, 4, "idx"},
    {"__shfl_up_sync", REC_SHUFFLE, WARP, 0, 0, 4, "up"},
    {"__shfl_down_sync", REC_SHUFFLE, WARP, 0, 0, 4, "down"},
    {"__shfl_xor_sync", REC_SHUFFLE, WARP, 0, 0, 4, "xor"},
    {"__all_sync", REC_VOTE, WARP, 0, 0, 2, "all"},
    {"__any_sync", REC_VOTE, WARP, 0, 0, 2, "any"},
    {"__uni_sync", REC_VOTE, WARP, 0, 0, 2, "uni"},
    {"__ballot_sync", REC_VOTE, WARP, 0, 0, 2, "ballot"},
    {"__match_any_sync", REC_VOTE, WARP, 0, 0, 2, "match_any"},
    {"__match_all_sync", REC_VOTE, WARP, 0, 0, 2, "match_all"},
    {"__reduce_add_sync", REC_VOTE, WARP, 0, 0, 2, "reduce_add"},
    {"__reduce_min_sync", REC_VOTE, WARP, 0, 0, 2, "reduce_min"},
    {"__reduce_max_sync", REC_VOTE, WARP, 0, 0, 2, "reduce_max"},
    {"__reduce_and_sync", REC_VOTE, WARP, 0, 0, 2, "reduce_and"},
    {"__reduce_or_sync", REC_VOTE, WARP, 0, 0, 2, "reduce_or"},
    {"__reduce_xor_sync", REC_VOTE, WARP, 0, 0, 2, "reduce_xor"},
    {"__activemask", REC_VOTE, WARP, 0, 0, 0, "activemask"},
    // the old forms without a mask: all lanes
    {"__shfl", REC_SHUFFLE, WARP, 0, 0, 3, "idx"},
    {"__shfl_up", REC_SHUFFLE, WARP, 0, 0, 3, "up"},
    {"__shfl_down", REC_SHUFFLE, WARP, 0, 0, 3, "down"},
    {"__shfl_xor", REC_SHUFFLE, WARP, 0, 0, 3, "xor"},
    {"__all", REC_VOTE, WARP, 0, 0, 1, "all"},
    {"__any", REC_VOTE, WARP, 0, 0, 1, "any"},
    {"__ballot", REC_VOTE, WARP, 0, 0, 1, "ballot"},
    // asynchronous copies, by calls that ask for no alignment but by the type of the size, which may be any
    {"__hgrd_async_copy", REC_ASYNC_COPY, 0, 0, IR_FLAG_PACKED, 3, NULL},
    {"__hgrd_async_copy_on", REC_ASYNC_COPY, 0, 0, IR_FLAG_PACKED, 4, NULL},
    {"__hgrd_async_part", REC_ASYNC_COPY, 0, 0, IR_FLAG_PACKED | IR_FLAG_PART, 3, NULL},
    {"__hgrd_async_part_on", REC_ASYNC_COPY, 0, 0, IR_FLAG_PACKED | IR_FLAG_PART, 4, NULL},
    {"__hgrd_async_bulk_on", REC_ASYNC_COPY, 0, 0, IR_FLAG_BULK, 4, NULL},
    {"__hgrd_async_bulk", REC_ASYNC_COPY, 0, 0, IR_FLAG_BULK, 3, NULL},
    {"__hgrd_async_commit", REC_ASYNC_COMMIT, 0, 0, 0, 0, NULL},
    {"__hgrd_async_wait", REC_ASYNC_WAIT, 0, 0, 0, 1, NULL},
    {"__hgrd_async_commit_stage", REC_ASYNC_COMMIT, 0, 0, 0, 1, NULL},
    {"__hgrd_async_wait_oldest", REC_ASYNC_WAIT, 0, 0, IR_FLAG_OLDEST, 1, NULL},
    {"__pipeline_memcpy_async", REC_ASYNC_FILL, 0, 0, 0, 4, NULL},
    {"__pipeline_commit", REC_ASYNC_COMMIT, 0, 0, 0, 0, NULL},
    {"__pipeline_wait_prior", REC_ASYNC_WAIT, 0, 0, 0, 1, NULL},
    // library functions that are accesses
    {"memcpy", REC_MEMCPY, 0, 0, 0, 3, NULL},
    {"memmove", REC_MEMCPY, 0, 0, 0, 3, NULL},
    {"memset", REC_MEMSET, 0, 0, 0, 3, NULL},
    // no effect on memory that two threads share
    {"__hgrd_unknown_32", REC_DROP, 0, 0, 0, 0,
     NULL}, // what comes from other lanes in a way that is left open
    {"printf", REC_DROP, 0, 0, 0, 0, NULL},
    {"vprintf", REC_DROP, 0, 0, 0, 0, NULL},
    {"__nanosleep", REC_DROP, 0, 0, 0, 0, NULL},
    {"cudaGraphSetConditional", REC_DROP, 0, 0, 0, 0, NULL}, // the graph looks at it when the kernel is over
    {"__prof_trigger", REC_DROP, 0, 0, 0, 0, NULL},
    {"__brkpt", REC_DROP, 0, 0, 0, 0, NULL},
    // does not return
    {"__assertfail", REC_STOP, 0, 0, 0, 0, NULL},
    {"__assert_fail", REC_STOP, 0, 0, 0, 0, NULL},
    {"__trap", REC_STOP, 0, 0, 0, 0, NULL},
    {"abort", REC_STOP, 0, 0, 0, 0, NULL},
    // special registers
    {"clock", REC_SREG, 0, 0, IR_SREG_CLOCK, 0, NULL},
    {"clock64", REC_SREG, 0, 0, IR_SREG_CLOCK, 0, NULL},
    {"globaltimer", REC_SREG, 0, 0, IR_SREG_CLOCK, 0, NULL},
    {"__hgrd_laneid", REC_SREG, 0, 0, IR_SREG_LANEID, 0, NULL},
    {"__hgrd_warpid", REC_SREG, 0, 0, IR_SREG_WARPID, 0, NULL},
    {"__hgrd_cluster_ctarank", REC_CLUSTER, 0, 0, 0, 0, NULL},
    {"__hgrd_cluster_nctarank", REC_CLUSTER, 0, 0, 0, 0, NULL},
    {"__hgrd_cluster_ctaid_x", REC_CLUSTER, 0, 0, 0, 0, NULL},
    {"__hgrd_cluster_ctaid_y", REC_CLUSTER, 0, 0, 0, 0, NULL},
    {"__hgrd_cluster_ctaid_z", REC_CLUSTER, 0, 0, 0, 0, NULL},
    {"__hgrd_cluster_nctaid_x", REC_CLUSTER, 0, 0, 0, 0, NULL},
    {"__hgrd_cluster_nctaid_y", REC_CLUSTER, 0, 0, 0, 0, NULL},
    {"__hgrd_cluster_nctaid_z", REC_CLUSTER, 0, 0, 0, 0, NULL},
    // exact arithmetic, where it is only declared
    {"__mul24", REC_MUL24, 0, 0, 0, 2, NULL},
    {"__umul24", REC_MUL24, 0, 0, 1, 2, NULL},
    {"__cvta_generic_to_shared", REC_ADDRESS, 0, 0, 0, 1, NULL},
    {"__cvta_generic_to_global", REC_ADDRESS, 0, 0, 0, 1, NULL},
    {"__cvta_shared_to_generic", REC_ADDRESS, 0, 0, 0, 1, NULL},
    {"__cvta_global_to_generic", REC_ADDRESS, 0, 0, 0, 1, NULL},
    {"__int_as_float", REC_BITS, 0, 0, 0, 1, NULL},
    {"__uint_as_float", REC_BITS, 0, 0, 0, 1, NULL},
    {"__float_as_int", REC_BITS, 0, 0, 0, 1, NULL},
    {"__float_as_uint", REC_BITS, 0, 0, 0, 1, NULL},
    {"__longlong_as_double", REC_BITS, 0, 0, 0, 1, NULL},
    {"__double_as_longlong", REC_BITS, 0, 0, 0, 1, NULL},
    {"min", REC_MINMAX, 0, 0, IR_SLT, 2, NULL}, // the sign comes from the argument types
    {"max", REC_MINMAX, 0, 0, IR_SGT, 2, NULL},
    {"umin", REC_MINMAX, 0, 0, IR_ULT, 2, NULL},
    {"umax", REC_MINMAX, 0, 0, IR_UGT, 2, NULL},
    {"ullmin", REC_MINMAX, 0, 0, IR_ULT, 2, NULL},
    {"ullmax", REC_MINMAX, 0, 0, IR_UGT, 2, NULL},
    {"llmin", REC_MINMAX, 0, 0, IR_SLT, 2, NULL},
    {"llmax", REC_MINMAX, 0, 0, IR_SGT, 2, NULL},
    {"abs", REC_ABS, 0, 0, 0, 1, NULL},
    {"labs", REC_ABS, 0, 0, 0, 1, NULL},
    {"llabs", REC_ABS, 0, 0, 0, 1, NULL},
};

// Members of a toolkit's classes, by qualified name without inline namespaces
// (cooperative_groups::__v1::...).
static const Recognition members[] = {
    {"cooperative_groups::details::grid::sync", REC_BARRIER, DEVICE, 0, IR_BARRIER_SYNC, 0, NULL},
    {"cooperative_groups::grid_group::sync", REC_BARRIER, DEVICE, 0, IR_BARRIER_SYNC, 0, NULL},
    {"cooperative_groups::__static_size_thread_block_tile_base::sync", REC_TILE, WARP, 0, IR_BARRIER_TILE, 0,
     NULL},
};

// Intrinsics of LLVM for NVPTX, without "llvm.nvvm."; the longest name that is a prefix counts.
static const Recognition intrinsics[] = {
    {"barrier0", REC_BARRIER, BLOCK, 0, IR_BARRIER_SYNC, 0, NULL},
    {"barrier0.popc", REC_BARRIER, BLOCK, 0, IR_BARRIER_REDUCE_COUNT, 1, NULL},
    {"barrier0.and", REC_BARRIER, BLOCK, 0, IR_BARRIER_REDUCE_AND, 1, NULL},
    {"barrier0.or", REC_BARRIER, BLOCK, 0, IR_BARRIER_REDUCE_OR, 1, NULL},
    {"barrier", REC_BARRIER, BLOCK, 0, IR_BARRIER_NAMED, 2, NULL},
    {"barrier.n", REC_BARRIER, BLOCK, 0, IR_BARRIER_NAMED, 1, NULL},
    {"barrier.sync", REC_BARRIER, BLOCK, 0, IR_BARRIER_NAMED, 1, NULL},
    {"barrier.sync.cnt", REC_BARRIER, BLOCK, 0, IR_BARRIER_NAMED, 2, NULL},
    {"bar.sync", REC_BARRIER, BLOCK, 0, IR_BARRIER_NAMED, 1, NULL},
    {"bar.warp.sync", REC_BARRIER, WARP, 0, IR_BARRIER_SYNC, 1, NULL},
    {"membar.cta", REC_FENCE, BLOCK, STRICT, 0, 0, NULL},
    {"membar.gl", REC_FENCE, DEVICE, STRICT, 0, 0, NULL},
    {"membar.sys", REC_FENCE, SYSTEM, STRICT, 0, 0, NULL},
    {"fence.sc.cluster", REC_FENCE, CLUSTER, STRICT, 0, 0, NULL},
    {"atomic.load.inc.32", REC_RMW, DEVICE, RELAXED, IR_RMW_INC, 2, NULL},
    {"atomic.load.dec.32", REC_RMW, DEVICE, RELAXED, IR_RMW_DEC, 2, NULL},
    {"atomic.add.gen.i.cta", REC_RMW, BLOCK, RELAXED, IR_RMW_ADD, 2, NULL},
    {"atomic.add.gen.i.sys", REC_RMW, SYSTEM, RELAXED, IR_RMW_ADD, 2, NULL},
    {"atomic.add.gen.f.cta", REC_RMW, BLOCK, RELAXED, IR_RMW_FADD, 2, NULL},
    {"atomic.add.gen.f.sys", REC_RMW, SYSTEM, RELAXED, IR_RMW_FADD, 2, NULL},
    {"atomic.and.gen.i.cta", REC_RMW, BLOCK, RELAXED, IR_RMW_AND, 2, NULL},
    {"atomic.and.gen.i.sys", REC_RMW, SYSTEM, RELAXED, IR_RMW_AND, 2, NULL},
    {"atomic.or.gen.i.cta", REC_RMW, BLOCK, RELAXED, IR_RMW_OR, 2, NULL},
    {"atomic.or.gen.i.sys", REC_RMW, SYSTEM, RELAXED, IR_RMW_OR, 2, NULL},
    {"atomic.xor.gen.i.cta", REC_RMW, BLOCK, RELAXED, IR_RMW_XOR, 2, NULL},
    {"atomic.xor.gen.i.sys", REC_RMW, SYSTEM, RELAXED, IR_RMW_XOR, 2, NULL},
    {"atomic.exch.gen.i.cta", REC_RMW, BLOCK, RELAXED, IR_RMW_XCHG, 2, NULL},
    {"atomic.exch.gen.i.sys", REC_RMW, SYSTEM, RELAXED, IR_RMW_XCHG, 2, NULL},
    {"atomic.inc.gen.i.cta", REC_RMW, BLOCK, RELAXED, IR_RMW_INC, 2, NULL},
    {"atomic.inc.gen.i.sys", REC_RMW, SYSTEM, RELAXED, IR_RMW_INC, 2, NULL},
    {"atomic.dec.gen.i.cta", REC_RMW, BLOCK, RELAXED, IR_RMW_DEC, 2, NULL},
    {"atomic.dec.gen.i.sys", REC_RMW, SYSTEM, RELAXED, IR_RMW_DEC, 2, NULL},
    {"atomic.cas.gen.i.cta", REC_CAS, BLOCK, RELAXED, 0, 3, NULL},
    {"atomic.cas.gen.i.sys", REC_CAS, SYSTEM, RELAXED, 0, 3, NULL},
    {"ldg.global", REC_LOAD_READONLY, 0, 0, 0, 1, NULL},
    {"ldu.global", REC_LOAD_READONLY, 0, 0, 0, 1, NULL},
    {"shfl.sync.idx", REC_SHUFFLE, WARP, 0, 1, 4, "idx"},
    {"shfl.sync.up", REC_SHUFFLE, WARP, 0, 1, 4, "up"},
    {"shfl.sync.down", REC_SHUFFLE, WARP, 0, 1, 4, "down"},
    {"shfl.sync.bfly", REC_SHUFFLE, WARP, 0, 1, 4, "xor"},
    {"vote.all.sync", REC_VOTE, WARP, 0, 0, 2, "all"},
    {"vote.any.sync", REC_VOTE, WARP, 0, 0, 2, "any"},
    {"vote.uni.sync", REC_VOTE, WARP, 0, 0, 2, "uni"},
    {"vote.ballot.sync", REC_VOTE, WARP, 0, 0, 2, "ballot"},
    {"match.any.sync", REC_VOTE, WARP, 0, 0, 2, "match_any"},
    {"redux.sync", REC_VOTE, WARP, 0, 1, 2, "reduce"},
    {"activemask", REC_VOTE, WARP, 0, 0, 0, "activemask"},
    {"cp.async.commit.group", REC_ASYNC_COMMIT, 0, 0, 0, 0, NULL},
    {"cp.async.wait.group", REC_ASYNC_WAIT, 0, 0, 0, 1, NULL},
    {"cp.async.wait.all", REC_ASYNC_WAIT, 0, 0, 0, 0, NULL},
    {"cp.async.mbarrier.arrive", REC_MBARRIER, 0, 0, IR_MBARRIER_ARRIVE_COPIES, 1, NULL},
    {"cp.async.mbarrier.arrive.noinc", REC_MBARRIER, 0, 0, IR_MBARRIER_ARRIVE_COPIES_COUNTED, 1, NULL},
    {"mbarrier.init", REC_MBARRIER, 0, 0, IR_MBARRIER_INIT, 2, NULL},
    {"mbarrier.inval", REC_MBARRIER, 0, 0, IR_MBARRIER_INVALIDATE, 1, NULL},
    {"mbarrier.arrive", REC_MBARRIER, BLOCK, RELEASE, IR_MBARRIER_ARRIVE, 2, NULL},
    {"mbarrier.arrive.drop", REC_MBARRIER, BLOCK, RELEASE, IR_MBARRIER_ARRIVE_DROP, 2, NULL},
    {"mbarrier.test.wait", REC_MBARRIER, BLOCK, ACQUIRE, IR_MBARRIER_TEST, 2, NULL},
    {"barrier.cluster.arrive", REC_BARRIER, CLUSTER, 0, IR_BARRIER_ARRIVAL, 0, NULL},
    {"barrier.cluster.arrive.relaxed", REC_BARRIER, CLUSTER, RELAXED, IR_BARRIER_ARRIVAL, 0, NULL},
    {"barrier.cluster.wait", REC_BARRIER, CLUSTER, 0, IR_BARRIER_AWAIT, 0, NULL},
    {"read.ptx.sreg.tid.x", REC_SREG, 0, 0, IR_SREG_TID_X, 0, NULL},
    {"read.ptx.sreg.tid.y", REC_SREG, 0, 0, IR_SREG_TID_Y, 0, NULL},
    {"read.ptx.sreg.tid.z", REC_SREG, 0, 0, IR_SREG_TID_Z, 0, NULL},
    {"read.ptx.sreg.ntid.x", REC_SREG, 0, 0, IR_SREG_NTID_X, 0, NULL},
    {"read.ptx.sreg.ntid.y", REC_SREG, 0, 0, IR_SREG_NTID_Y, 0, NULL},
    {"read.ptx.sreg.ntid.z", REC_SREG, 0, 0, IR_SREG_NTID_Z, 0, NULL},
    {"read.ptx.sreg.ctaid.x", REC_SREG, 0, 0, IR_SREG_CTAID_X, 0, NULL},
    {"read.ptx.sreg.ctaid.y", REC_SREG, 0, 0, IR_SREG_CTAID_Y, 0, NULL},
    {"read.ptx.sreg.ctaid.z", REC_SREG, 0, 0, IR_SREG_CTAID_Z, 0, NULL},
    {"read.ptx.sreg.nctaid.x", REC_SREG, 0, 0, IR_SREG_NCTAID_X, 0, NULL},
    {"read.ptx.sreg.nctaid.y", REC_SREG, 0, 0, IR_SREG_NCTAID_Y, 0, NULL},
    {"read.ptx.sreg.nctaid.z", REC_SREG, 0, 0, IR_SREG_NCTAID_Z, 0, NULL},
    {"read.ptx.sreg.warpsize", REC_SREG, 0, 0, IR_SREG_WARPSIZE, 0, NULL},
    {"read.ptx.sreg.laneid", REC_SREG, 0, 0, IR_SREG_LANEID, 0, NULL},
    {"read.ptx.sreg.warpid", REC_SREG, 0, 0, IR_SREG_WARPID, 0, NULL},
    {"read.ptx.sreg.clock", REC_SREG, 0, 0, IR_SREG_CLOCK, 0, NULL},
    {"read.ptx.sreg", REC_SREG, 0, 0, IR_SREG_OTHER, 0, NULL},
    {"mapa", REC_MAPA, 0, 0, 0, 2, NULL},
    {"read.ptx.sreg.cluster", REC_CLUSTER, 0, 0, 0, 0, NULL},
    {"read.ptx.sreg.clusterid", REC_CLUSTER, 0, 0, 0, 0, NULL},
    {"read.ptx.sreg.nclusterid", REC_CLUSTER, 0, 0, 0, 0, NULL},
    {"ptr.gen.to", REC_ADDRESS, 0, 0, 0, 1, NULL},
    {"ptr.shared.to.gen", REC_ADDRESS, 0, 0, 0, 1, NULL},
    {"ptr.global.to.gen", REC_ADDRESS, 0, 0, 0, 1, NULL},
    {"ptr.constant.to.gen", REC_ADDRESS, 0, 0, 0, 1, NULL},
    {"ptr.local.to.gen", REC_ADDRESS, 0, 0, 0, 1, NULL},
    {"nanosleep", REC_DROP, 0, 0, 0, 0, NULL},
    {"exit", REC_EXIT, 0, 0, 0, 0, NULL},
};

// Mathematics: these with an "f" or "l" after them as well.
static const char *const math[] = {
    "acos",      "acosh",     "asin",   "asinh",   "atan",     "atan2",      "atanh",    "cbrt",
    "ceil",      "copysign",  "cos",    "cosh",    "cospi",    "erf",        "erfc",     "erfcinv",
    "erfcx",     "erfinv",    "exp",    "exp10",   "exp2",     "expm1",      "fabs",     "fdim",
    "fdivide",   "floor",     "fma",    "fmax",    "fmin",     "fmod",       "frexp",    "hypot",
    "ilogb",     "j0",        "j1",     "jn",      "ldexp",    "lgamma",     "llrint",   "llround",
    "log",       "log10",     "log1p",  "log2",    "logb",     "lrint",      "lround",   "modf",
    "nearbyint", "nextafter", "norm3d", "norm4d",  "normcdf",  "normcdfinv", "pow",      "powi",
    "rcbrt",     "remainder", "remquo", "rhypot",  "rint",     "rnorm3d",    "rnorm4d",  "round",
    "rsqrt",     "scalbln",   "scalbn", "signbit", "sin",      "sincos",     "sincospi", "sinh",
    "sinpi",     "sqrt",      "tan",    "tanh",    "tgamma",   "trunc",      "y0",       "y1",
    "yn",        "nan",       "isnan",  "isinf",   "isfinite", "__finite",   "__isnan",  "__isinf",
    "__signbit", "saturate",
};

// Device functions whose names start so and that only compute.
static const char *const math_prefixes[] = {
    "__hgrd_pure_", "__nv_",      "__sin",     "__cos",        "__tan",           "__exp",
    "__log",        "__pow",      "__fdivide", "__saturate",   "__popc",          "__clz",
    "__ffs",        "__fns",      "__brev",    "__byte_perm",  "__funnelshift",   "__umul",
    "__mulhi",      "__mul64hi",  "__sad",     "__usad",       "__rhadd",         "__urhadd",
    "__uhadd",      "__dp2a",     "__dp4a",    "__float2",     "__double2",       "__int2",
    "__uint2",      "__ll2",      "__ull2",    "__short2",     "__ushort2",       "__half2",
    "__bfloat162",  "__hadd",     "__hsub",    "__hmul",       "__hdiv",          "__hfma",
    "__hneg",       "__habs",     "__heq",     "__hne",        "__hlt",           "__hle",
    "__hgt",        "__hge",      "__hmax",    "__hmin",       "__hisnan",        "__hisinf",
    "__low",        "__high",     "__halves2", "__fmaf_",      "__fma_",          "__fadd_",
    "__fsub_",      "__fmul_",    "__fdiv_",   "__frcp_",      "__fsqrt_",        "__frsqrt_",
    "__dadd_",      "__dsub_",    "__dmul_",   "__ddiv_",      "__drcp_",         "__dsqrt_",
    "__hiloint2",   "__vabs",     "__vadd",    "__vsub",       "__vavg",          "__vmax",
    "__vmin",       "__vcmp",     "__vset",    "__vneg",       "__vsad",          "__vhadd",
    "__isShared",   "__isGlobal", "__isLocal", "__isConstant", "__nvvm_isspacep",
};

static bool is_listed_math(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof math / sizeof *math; i++)
    if (strlen(math[i]) == length && memcmp(math[i], name, length) == 0) return true;
  return false;
}

static bool is_math(const char *name) {
  size_t length = strlen(name);
  bool has_suffix = length > 1 && (name[length - 1] == 'f' || name[length - 1] == 'l');
  return is_listed_math(name, length) || (has_suffix && is_listed_math(name, length - 1));
}

bool recognise_is_pure_math(const char *name) {
  ASSERT(name);
  if (is_math(name)) return true;
  for (size_t i = 0; i < sizeof math_prefixes / sizeof *math_prefixes; i++)
    if (str_starts_with(name, math_prefixes[i])) return true;
  return false;
}

// Functions that clang's own headers make calls of the device library of, which a toolkit's headers go with:
// __nv_popc is __popc, __nv_fmaxf is fmaxf.
static const char *const of_library[] = {
    "__popc",         "__popcll", "__clz",       "__clzll",        "__ffs",          "__ffsll",
    "__brev",         "__brevll", "__mulhi",     "__umulhi",       "__mul64hi",      "__umul64hi",
    "__mul24",        "__umul24", "__sad",       "__float2int_rd", "__float2int_rn", "__float2int_ru",
    "__float2int_rz", "__usad",   "__byte_perm",
};

const char *recognise_name_of_library(const char *name) {
  ASSERT(name);
  static const char prefix[] = "__nv_";
  if (strcmp(name, "llvm.nvvm.fns") == 0) return "__fns";
  if (!str_starts_with(name, prefix)) return name;
  const char *rest = name + strlen(prefix);
  for (size_t i = 0; i < sizeof of_library / sizeof *of_library; i++)
    if (strcmp(of_library[i] + strlen("__"), rest) == 0) return of_library[i];
  bool is_same = is_math(rest) || strcmp(rest, "abs") == 0 || strcmp(rest, "llabs") == 0;
  return is_same ? rest : name;
}

static const Recognition pure_function = {"", REC_PURE, 0, 0, 0, UINT8_MAX, NULL};

// Mathematics stands at the top level or in std; a member function of that name is something else.
static bool is_global_name(const Demangled *name) {
  if (strcmp(name->qualified, name->base) == 0) return true;
  return str_starts_with(name->qualified, "std::") &&
         strcmp(name->qualified + strlen("std::"), name->base) == 0;
}

// "__v1::", "__4::": a version that libraries put into their names.
static size_t version_length(const char *at) {
  if (!str_starts_with(at, "__")) return 0;
  const char *end = at + 2;
  if (*end == 'v') end++;
  const char *digits = end;
  while (isdigit((unsigned char)*end))
    end++;
  return end > digits && str_starts_with(end, "::") ? (size_t)(end + 2 - at) : 0;
}

static bool same_without_versions(const char *qualified, const char *name) {
  while (*qualified) {
    qualified += version_length(qualified);
    if (*qualified != *name) return false;
    if (!*name) return true;
    qualified++;
    name++;
  }
  return *name == '\0';
}

static const Recognition *recognise_member(const Demangled *name) {
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    if (same_without_versions(name->qualified, members[i].name)) return &members[i];
  return NULL;
}

const Recognition *recognise_function(const Demangled *name, bool is_device) {
  const char *base = recognise_name_of_library(name->base);
  for (size_t i = 0; is_device && i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, base) == 0) return &functions[i];
  const Recognition *member = is_device ? recognise_member(name) : NULL;
  if (member) return member;
  return is_global_name(name) && recognise_is_pure_math(name->base) ? &pure_function : NULL;
}

bool recognition_needs_declaration(RecogniseKind kind) {
  return kind == REC_PURE || kind == REC_BITS || kind == REC_MUL24 || kind == REC_ABS;
}

const Recognition *recognise_intrinsic(const char *name) {
  ASSERT(name);
  static const char family[] = "llvm.nvvm.";
  if (!str_starts_with(name, family)) return NULL;
  const char *rest = name + strlen(family);
  const Recognition *best = NULL;
  for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++) {
    size_t length = strlen(intrinsics[i].name);
    bool fits =
        strncmp(rest, intrinsics[i].name, length) == 0 && (rest[length] == '\0' || rest[length] == '.');
    if (fits && (!best || strlen(best->name) < length)) best = &intrinsics[i];
  }
  return best;
}
