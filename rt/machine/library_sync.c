// Barriers, fences, warps: what functions of CUDA that synchronise come to. Numbers of order and scope are those of the bundled
// declarations (frontend/cuda/hgrd_intrinsics.h).
// SPDX-License-Identifier: Apache-2.0
#include "rt/machine/library.h"

#include <string.h>

static Thread *self(void) {
  return rt_machine.current;
}

// ---- blocks

static void sync_block(uint32_t barrier, uint32_t count) {
  Gate *gate = &self()->block->gates[barrier % NAMED_BARRIERS];
  gate_await(gate, gate_arrive(gate, count, false, false));
}

static Gate *sync_vote(int predicate) {
  Gate *gate = &self()->block->gates[0];
  gate_await(gate, gate_arrive(gate, NO_LIMIT, true, predicate != 0));
  return gate;
}

FUNCTION(void, barrier0, "llvm.nvvm.barrier0", void) {
  sync_block(0, NO_LIMIT);
}
FUNCTION(void, barrier_block, "__hgrd_barrier_block", void) {
  sync_block(0, NO_LIMIT);
}
FUNCTION(void, barrier_n, "llvm.nvvm.barrier.n", uint32_t id) {
  sync_block(id, NO_LIMIT);
}
FUNCTION(void, barrier_id, "llvm.nvvm.bar.sync", uint32_t id) {
  sync_block(id, NO_LIMIT);
}
FUNCTION(void, barrier_sync, "llvm.nvvm.barrier.sync", uint32_t id) {
  sync_block(id, NO_LIMIT);
}
FUNCTION(void, barrier_count, "llvm.nvvm.barrier", uint32_t id, uint32_t count) {
  sync_block(id, count);
}
FUNCTION(void, barrier_sync_count, "llvm.nvvm.barrier.sync.cnt", uint32_t id, uint32_t count) {
  sync_block(id, count);
}
FUNCTION(void, barrier_named, "__hgrd_barrier_named", uint32_t id, uint32_t count) {
  sync_block(id, count);
}
FUNCTION(void, asm_bar_sync, "asm_bar_sync_1", uint32_t id) {
  sync_block(id, NO_LIMIT);
}
FUNCTION(void, asm_bar_sync_count, "asm_bar_sync_2", uint32_t id, uint32_t count) {
  sync_block(id, count);
}
FUNCTION(void, asm_barrier_sync, "asm_barrier_sync_1", uint32_t id) {
  sync_block(id, NO_LIMIT);
}
FUNCTION(void, asm_barrier_sync_count, "asm_barrier_sync_2", uint32_t id, uint32_t count) {
  sync_block(id, count);
}
FUNCTION(void, asm_bar_arrive, "asm_bar_arrive_2", uint32_t id, uint32_t count) {
  (void)gate_arrive(&self()->block->gates[id % NAMED_BARRIERS], count, false, false);
}
FUNCTION(void, barrier_named_arrive, "__hgrd_barrier_named_arrive", uint32_t id, uint32_t count) {
  (void)gate_arrive(&self()->block->gates[id % NAMED_BARRIERS], count, false, false);
}

FUNCTION(int, syncthreads_count, "__syncthreads_count", int predicate) {
  return (int)sync_vote(predicate)->reduced_count;
}
FUNCTION(int, syncthreads_and, "__syncthreads_and", int predicate) {
  Gate *gate = sync_vote(predicate);
  return gate->reduced_count == gate->reduced_voters;
}
FUNCTION(int, syncthreads_or, "__syncthreads_or", int predicate) {
  return sync_vote(predicate)->reduced_count != 0;
}
FUNCTION(int, barrier0_popc, "llvm.nvvm.barrier0.popc", int predicate) {
  return syncthreads_count(predicate);
}
FUNCTION(int, barrier0_and, "llvm.nvvm.barrier0.and", int predicate) {
  return syncthreads_and(predicate);
}
FUNCTION(int, barrier0_or, "llvm.nvvm.barrier0.or", int predicate) {
  return syncthreads_or(predicate);
}

// ---- halves, clusters, the grid

enum { HALF_BLOCK, HALF_CLUSTER, HALF_GRID };

static Gate *gate_of(int which) {
  Block *block = self()->block;
  if (which == HALF_GRID) return &rt_machine.grid_gate;
  return which == HALF_CLUSTER && block->cluster ? &block->cluster->gate : &block->halves; // a cluster of one
}
static void arrive_half(int which) {
  self()->arrival_phase[which] = gate_arrive(gate_of(which), NO_LIMIT, false, false);
}
static void await_half(int which) {
  gate_await(gate_of(which), self()->arrival_phase[which]);
}

FUNCTION(void, arrival_block, "__hgrd_arrival_block", void) {
  arrive_half(HALF_BLOCK);
}
FUNCTION(void, arrival_cluster, "__hgrd_arrival_cluster", void) {
  arrive_half(HALF_CLUSTER);
}
FUNCTION(void, arrival_grid, "__hgrd_arrival_grid", void) {
  arrive_half(HALF_GRID);
}
FUNCTION(void, await_block, "__hgrd_await_block", void) {
  await_half(HALF_BLOCK);
}
FUNCTION(void, await_cluster, "__hgrd_await_cluster", void) {
  await_half(HALF_CLUSTER);
}
FUNCTION(void, await_grid, "__hgrd_await_grid", void) {
  await_half(HALF_GRID);
}
FUNCTION(void, barrier_grid, "__hgrd_barrier_grid", void) {
  arrive_half(HALF_GRID);
  await_half(HALF_GRID);
}
FUNCTION(void, barrier_cluster, "__hgrd_barrier_cluster", void) {
  arrive_half(HALF_CLUSTER);
  await_half(HALF_CLUSTER);
}

// ---- fences

FUNCTION(void, threadfence, "__threadfence", void) {
  fence_tell(RT_SCOPE_DEVICE, RT_SEQ_CST);
}
FUNCTION(void, threadfence_block, "__threadfence_block", void) {
  fence_tell(RT_SCOPE_BLOCK, RT_SEQ_CST);
}
FUNCTION(void, threadfence_system, "__threadfence_system", void) {
  fence_tell(RT_SCOPE_SYSTEM, RT_SEQ_CST);
}
FUNCTION(void, membar_gl, "llvm.nvvm.membar.gl", void) {
  fence_tell(RT_SCOPE_DEVICE, RT_SEQ_CST);
}
FUNCTION(void, membar_cta, "llvm.nvvm.membar.cta", void) {
  fence_tell(RT_SCOPE_BLOCK, RT_SEQ_CST);
}
FUNCTION(void, membar_sys, "llvm.nvvm.membar.sys", void) {
  fence_tell(RT_SCOPE_SYSTEM, RT_SEQ_CST);
}
FUNCTION(void, asm_membar_gl, "asm_membar_gl_0", void) {
  fence_tell(RT_SCOPE_DEVICE, RT_SEQ_CST);
}
FUNCTION(void, asm_membar_cta, "asm_membar_cta_0", void) {
  fence_tell(RT_SCOPE_BLOCK, RT_SEQ_CST);
}
FUNCTION(void, asm_membar_sys, "asm_membar_sys_0", void) {
  fence_tell(RT_SCOPE_SYSTEM, RT_SEQ_CST);
}
FUNCTION(void, given_fence, "__hgrd_fence", int order, int scope) {
  fence_tell(scope_of_number(scope), order_of_number(order));
}

RtScope scope_of_number(int scope) {
  static const RtScope scopes[] = {RT_SCOPE_NONE,    RT_SCOPE_BLOCK,  RT_SCOPE_BLOCK,
                                   RT_SCOPE_CLUSTER, RT_SCOPE_DEVICE, RT_SCOPE_SYSTEM};
  return scope >= 0 && scope < (int)(sizeof scopes / sizeof *scopes) ? scopes[scope] : RT_SCOPE_SYSTEM;
}
RtOrder order_of_number(int order) {
  static const RtOrder orders[] = {RT_RELAXED, RT_RELAXED, RT_RELAXED, RT_ACQUIRE,
                                   RT_RELEASE, RT_ACQ_REL, RT_SEQ_CST};
  return order >= 0 && order < (int)(sizeof orders / sizeof *orders) ? orders[order] : RT_SEQ_CST;
}

// ---- warps

FUNCTION(void, syncwarp, "__syncwarp", uint32_t mask) {
  (void)warp_meet(WARP_SYNC, mask, 0, 0, 0, NULL);
}
FUNCTION(void, barrier_warp, "__hgrd_barrier_warp", uint32_t mask) {
  (void)warp_meet(WARP_SYNC, mask, 0, 0, 0, NULL);
}
FUNCTION(void, bar_warp_sync, "llvm.nvvm.bar.warp.sync", uint32_t mask) {
  (void)warp_meet(WARP_SYNC, mask, 0, 0, 0, NULL);
}
FUNCTION(void, barrier_coalesced, "__hgrd_barrier_coalesced", void) {
  (void)warp_converged(WARP_SYNC, 0, 0, 0);
}
FUNCTION(void, barrier_tile, "__hgrd_barrier_tile", uint32_t lanes) {
  if (lanes > WARP && lanes <= BLOCK_THREADS_MOST) {
    Gate *gate = gate_of_tile(self(), lanes);
    gate_await(gate, gate_arrive(gate, NO_LIMIT, false, false));
    return;
  }
  uint32_t first = lanes ? lane_number(self()) / lanes * lanes : 0;
  uint32_t mask = lanes >= WARP || !lanes ? FULL_MASK : ((1u << lanes) - 1) << first;
  (void)warp_meet(WARP_SYNC, mask, 0, 0, 0, NULL);
}

#define VOTE(own, op)                                                                                        \
  FUNCTION(int, own##_sync, "__" #own "_sync", uint32_t mask, int predicate) {                               \
    return (int)warp_meet(op, mask, predicate != 0, 0, 0, NULL);                                             \
  }
VOTE(all, WARP_ALL)
VOTE(any, WARP_ANY)
VOTE(uni, WARP_UNI)
FUNCTION(uint32_t, ballot_sync, "__ballot_sync", uint32_t mask, int predicate) {
  return (uint32_t)warp_meet(WARP_BALLOT, mask, predicate != 0, 0, 0, NULL);
}
FUNCTION(int, all_old, "__all", int predicate) {
  return (int)warp_converged(WARP_ALL, predicate != 0, 0, 0);
}
FUNCTION(int, any_old, "__any", int predicate) {
  return (int)warp_converged(WARP_ANY, predicate != 0, 0, 0);
}
FUNCTION(uint32_t, ballot_old, "__ballot", int predicate) {
  return (uint32_t)warp_converged(WARP_BALLOT, predicate != 0, 0, 0);
}
FUNCTION(uint32_t, activemask, "__activemask", void) {
  return (uint32_t)warp_converged(WARP_ACTIVE, 0, 0, 0);
}

// Values of any type travel as their bits.
#define SHUFFLES(own, type, letter)                                                                          \
  static type own##_meet(WarpOp op, uint32_t mask, type value, uint32_t other, int width) {                  \
    uint64_t bits = 0;                                                                                       \
    memcpy(&bits, &value, sizeof value);                                                                     \
    bits = warp_meet(op, mask, bits, other, (uint32_t)width, NULL);                                          \
    memcpy(&value, &bits, sizeof value);                                                                     \
    return value;                                                                                            \
  }                                                                                                          \
  static type own##_converged(WarpOp op, type value, uint32_t other, int width) {                            \
    uint64_t bits = 0;                                                                                       \
    memcpy(&bits, &value, sizeof value);                                                                     \
    bits = warp_converged(op, bits, other, (uint32_t)width);                                                 \
    memcpy(&value, &bits, sizeof value);                                                                     \
    return value;                                                                                            \
  }                                                                                                          \
  FUNCTION(type, own##_at, "_Z11__shfl_syncj" letter "ii", uint32_t m, type v, int o, int w) {               \
    return own##_meet(WARP_SHUFFLE, m, v, (uint32_t)o, w);                                                   \
  }                                                                                                          \
  FUNCTION(type, own##_up, "_Z14__shfl_up_syncj" letter "ji", uint32_t m, type v, uint32_t o, int w) {       \
    return own##_meet(WARP_SHUFFLE_UP, m, v, o, w);                                                          \
  }                                                                                                          \
  FUNCTION(type, own##_down, "_Z16__shfl_down_syncj" letter "ji", uint32_t m, type v, uint32_t o, int w) {   \
    return own##_meet(WARP_SHUFFLE_DOWN, m, v, o, w);                                                        \
  }                                                                                                          \
  FUNCTION(type, own##_xor, "_Z15__shfl_xor_syncj" letter "ii", uint32_t m, type v, int o, int w) {          \
    return own##_meet(WARP_SHUFFLE_XOR, m, v, (uint32_t)o, w);                                               \
  }                                                                                                          \
  FUNCTION(type, own##_old, "_Z6__shfl" letter "ii", type v, int o, int w) {                                 \
    return own##_converged(WARP_SHUFFLE, v, (uint32_t)o, w);                                                 \
  }                                                                                                          \
  FUNCTION(type, own##_old_up, "_Z9__shfl_up" letter "ji", type v, uint32_t o, int w) {                      \
    return own##_converged(WARP_SHUFFLE_UP, v, o, w);                                                        \
  }                                                                                                          \
  FUNCTION(type, own##_old_down, "_Z11__shfl_down" letter "ji", type v, uint32_t o, int w) {                 \
    return own##_converged(WARP_SHUFFLE_DOWN, v, o, w);                                                      \
  }                                                                                                          \
  FUNCTION(type, own##_old_xor, "_Z10__shfl_xor" letter "ii", type v, int o, int w) {                        \
    return own##_converged(WARP_SHUFFLE_XOR, v, (uint32_t)o, w);                                             \
  }                                                                                                          \
  FUNCTION(uint32_t, own##_match_any, "_Z16__match_any_syncj" letter, uint32_t m, type v) {                  \
    uint64_t bits = 0;                                                                                       \
    memcpy(&bits, &v, sizeof v);                                                                             \
    return (uint32_t)warp_meet(WARP_MATCH_ANY, m, bits, 0, 0, NULL);                                         \
  }                                                                                                          \
  FUNCTION(uint32_t, own##_match_all, "_Z16__match_all_syncj" letter "Pi", uint32_t m, type v, int *flag) {  \
    uint64_t bits = 0;                                                                                       \
    uint32_t is_all = 0;                                                                                     \
    memcpy(&bits, &v, sizeof v);                                                                             \
    uint32_t result = (uint32_t)warp_meet(WARP_MATCH_ALL, m, bits, 0, 0, &is_all);                           \
    *flag = (int)is_all;                                                                                     \
    return result;                                                                                           \
  }
SHUFFLES(shfl_i, int, "i")
SHUFFLES(shfl_j, uint32_t, "j")
SHUFFLES(shfl_l, long, "l")
SHUFFLES(shfl_m, unsigned long, "m")
SHUFFLES(shfl_x, long long, "x")
SHUFFLES(shfl_y, unsigned long long, "y")
SHUFFLES(shfl_f, float, "f")
SHUFFLES(shfl_d, double, "d")

#define REDUCE(own, name, op, type, letter)                                                                  \
  FUNCTION(type, own, name "j" letter, uint32_t mask, type value) {                                          \
    return (type)warp_meet(op, mask, (uint32_t)value, 0, 0, NULL);                                           \
  }
REDUCE(reduce_add_j, "_Z17__reduce_add_sync", WARP_ADD, uint32_t, "j")
REDUCE(reduce_min_j, "_Z17__reduce_min_sync", WARP_UMIN, uint32_t, "j")
REDUCE(reduce_max_j, "_Z17__reduce_max_sync", WARP_UMAX, uint32_t, "j")
REDUCE(reduce_add_i, "_Z17__reduce_add_sync", WARP_ADD, int, "i")
REDUCE(reduce_min_i, "_Z17__reduce_min_sync", WARP_MIN, int, "i")
REDUCE(reduce_max_i, "_Z17__reduce_max_sync", WARP_MAX, int, "i")
REDUCE(reduce_and_j, "_Z17__reduce_and_sync", WARP_AND, uint32_t, "j")
REDUCE(reduce_or_j, "_Z16__reduce_or_sync", WARP_OR, uint32_t, "j")
REDUCE(reduce_xor_j, "_Z17__reduce_xor_sync", WARP_XOR, uint32_t, "j")

// By PTX: the last operand but one has the width, and how far a source may lie, which here is all of it.
static uint32_t shuffled(WarpOp op, uint32_t value, uint32_t other, uint32_t bounds, uint32_t mask) {
  if ((bounds & 31) != (op == WARP_SHUFFLE_UP ? 0 : WARP - 1)) {
    told_stop("shuffles within bounds that hgrd-run does not have");
    machine_stop(RT_TRAPPED);
  }
  return (uint32_t)warp_meet(op, mask, value, other, WARP - (bounds >> 8 & 31), NULL);
}
#define ASM_SHUFFLE(name, op)                                                                                \
  FUNCTION(uint32_t, asm_shfl_##name, "asm_shfl_sync_" #name "_b32_4", uint32_t value, uint32_t other,       \
           uint32_t bounds, uint32_t mask) {                                                                 \
    return shuffled(op, value, other, bounds, mask);                                                         \
  }
ASM_SHUFFLE(idx, WARP_SHUFFLE)
ASM_SHUFFLE(up, WARP_SHUFFLE_UP)
ASM_SHUFFLE(down, WARP_SHUFFLE_DOWN)
ASM_SHUFFLE(bfly, WARP_SHUFFLE_XOR)
FUNCTION(uint32_t, asm_vote_ballot, "asm_vote_sync_ballot_b32_2", uint32_t predicate, uint32_t mask) {
  return (uint32_t)warp_meet(WARP_BALLOT, mask, predicate != 0, 0, 0, NULL);
}
FUNCTION(uint32_t, asm_activemask, "asm_activemask_b32_0", void) {
  return (uint32_t)warp_converged(WARP_ACTIVE, 0, 0, 0);
}

// ---- special registers without a field

FUNCTION(uint32_t, laneid, "llvm.nvvm.read.ptx.sreg.laneid", void) {
  return lane_number(self());
}
FUNCTION(uint32_t, own_laneid, "__hgrd_laneid", void) {
  return lane_number(self());
}
FUNCTION(uint32_t, own_warpid, "__hgrd_warpid", void) {
  return self()->id.thread / WARP;
}
FUNCTION(uint32_t, warpid, "llvm.nvvm.read.ptx.sreg.warpid", void) {
  return self()->id.thread / WARP;
}
FUNCTION(uint32_t, warpsize, "llvm.nvvm.read.ptx.sreg.warpsize", void) {
  return WARP;
}
FUNCTION(uint32_t, asm_laneid, "asm_mov_u32_laneid_0", void) {
  return lane_number(self());
}
FUNCTION(uint32_t, asm_laneid_s, "asm_mov_s32_laneid_0", void) {
  return lane_number(self());
}
FUNCTION(uint32_t, asm_warpid, "asm_mov_u32_warpid_0", void) {
  return self()->id.thread / WARP;
}
FUNCTION(uint32_t, asm_smid, "asm_mov_u32_smid_0", void) {
  return 0;
}
FUNCTION(uint32_t, asm_lanemask_lt, "asm_mov_u32_lanemask_lt_0", void) {
  return (1u << lane_number(self())) - 1;
}
FUNCTION(uint32_t, asm_lanemask_le, "asm_mov_u32_lanemask_le_0", void) {
  return (2u << lane_number(self())) - 1;
}
FUNCTION(uint32_t, asm_lanemask_eq, "asm_mov_u32_lanemask_eq_0", void) {
  return 1u << lane_number(self());
}
FUNCTION(uint32_t, asm_lanemask_gt, "asm_mov_u32_lanemask_gt_0", void) {
  return ~((2u << lane_number(self())) - 1);
}
FUNCTION(uint32_t, asm_lanemask_ge, "asm_mov_u32_lanemask_ge_0", void) {
  return ~((1u << lane_number(self())) - 1);
}

// Time goes on by accesses: the same in each run of a schedule. Who looks at the clock may be waiting.
static uint64_t ticks(void) {
  access_step();
  return rt_machine.ticks + rt_machine.turn - self()->lane.budget;
}
FUNCTION(long, device_clock, "clock", void) {
  return (long)ticks();
}
FUNCTION(long long, device_clock64, "clock64", void) {
  return (long long)ticks();
}
FUNCTION(uint32_t, sreg_clock, "llvm.nvvm.read.ptx.sreg.clock", void) {
  return (uint32_t)ticks();
}
FUNCTION(uint64_t, sreg_clock64, "llvm.nvvm.read.ptx.sreg.clock64", void) {
  return ticks();
}
FUNCTION(uint64_t, device_globaltimer, "globaltimer", void) {
  return ticks();
}
FUNCTION(void, device_nanosleep, "__nanosleep", uint32_t ns) {
  (void)ns;
  rt_machine.ticks++, rt_machine.met++;
  thread_preempt();
}
FUNCTION(void, intrinsic_nanosleep, "llvm.nvvm.nanosleep", uint32_t ns) {
  device_nanosleep(ns);
}
FUNCTION(void, prof_trigger, "__prof_trigger", int which) {
  (void)which;
}

// ---- clusters

static uint32_t cluster_side(int i) {
  return rt_machine.request->cluster[i] ? rt_machine.request->cluster[i] : 1;
}
static uint32_t in_cluster(int i) {
  return self()->lane.block[i] % cluster_side(i);
}
FUNCTION(uint32_t, cluster_ctaid_x, "__hgrd_cluster_ctaid_x", void) {
  return in_cluster(0);
}
FUNCTION(uint32_t, cluster_ctaid_y, "__hgrd_cluster_ctaid_y", void) {
  return in_cluster(1);
}
FUNCTION(uint32_t, cluster_ctaid_z, "__hgrd_cluster_ctaid_z", void) {
  return in_cluster(2);
}
FUNCTION(uint32_t, cluster_nctaid_x, "__hgrd_cluster_nctaid_x", void) {
  return cluster_side(0);
}
FUNCTION(uint32_t, cluster_nctaid_y, "__hgrd_cluster_nctaid_y", void) {
  return cluster_side(1);
}
FUNCTION(uint32_t, cluster_nctaid_z, "__hgrd_cluster_nctaid_z", void) {
  return cluster_side(2);
}
FUNCTION(uint32_t, cluster_ctarank, "__hgrd_cluster_ctarank", void) {
  return in_cluster(0) + cluster_side(0) * (in_cluster(1) + cluster_side(1) * in_cluster(2));
}
FUNCTION(uint32_t, cluster_nctarank, "__hgrd_cluster_nctarank", void) {
  return cluster_side(0) * cluster_side(1) * cluster_side(2);
}
