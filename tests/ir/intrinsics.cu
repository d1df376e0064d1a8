// The intrinsics of LLVM for NVPTX by their own names, and members of the classes of a toolkit, which are only declared here:
// what each becomes, with scope and order.
//@ args: --arch sm_90
//@ ops: load bitcast sreg ret
#define INTRINSIC(type, name, label, ...) extern "C" __device__ type name(__VA_ARGS__) asm(label)
INTRINSIC(void, i_barrier0, "llvm.nvvm.barrier0");
INTRINSIC(int, i_barrier0_popc, "llvm.nvvm.barrier0.popc", int);
INTRINSIC(int, i_barrier0_and, "llvm.nvvm.barrier0.and", int);
INTRINSIC(int, i_barrier0_or, "llvm.nvvm.barrier0.or", int);
INTRINSIC(void, i_barrier, "llvm.nvvm.barrier", int, int);
INTRINSIC(void, i_barrier_n, "llvm.nvvm.barrier.n", int);
INTRINSIC(void, i_barrier_sync, "llvm.nvvm.barrier.sync", int);
INTRINSIC(void, i_barrier_sync_cnt, "llvm.nvvm.barrier.sync.cnt", int, int);
INTRINSIC(void, i_bar_sync, "llvm.nvvm.bar.sync", int);
INTRINSIC(void, i_bar_warp_sync, "llvm.nvvm.bar.warp.sync", int);
INTRINSIC(void, i_membar_cta, "llvm.nvvm.membar.cta");
INTRINSIC(void, i_membar_gl, "llvm.nvvm.membar.gl");
INTRINSIC(void, i_membar_sys, "llvm.nvvm.membar.sys");
INTRINSIC(void, i_fence_sc_cluster, "llvm.nvvm.fence.sc.cluster");
INTRINSIC(int, i_atomic_load_inc_32_p0, "llvm.nvvm.atomic.load.inc.32.p0", int*, int);
INTRINSIC(int, i_atomic_load_dec_32_p0, "llvm.nvvm.atomic.load.dec.32.p0", int*, int);
INTRINSIC(int, i_atomic_add_gen_i_cta_i32_p0, "llvm.nvvm.atomic.add.gen.i.cta.i32.p0", int*, int);
INTRINSIC(int, i_atomic_add_gen_i_sys_i32_p0, "llvm.nvvm.atomic.add.gen.i.sys.i32.p0", int*, int);
INTRINSIC(float, i_atomic_add_gen_f_cta_f32_p0, "llvm.nvvm.atomic.add.gen.f.cta.f32.p0", float*, float);
INTRINSIC(float, i_atomic_add_gen_f_sys_f32_p0, "llvm.nvvm.atomic.add.gen.f.sys.f32.p0", float*, float);
INTRINSIC(int, i_atomic_and_gen_i_cta_i32_p0, "llvm.nvvm.atomic.and.gen.i.cta.i32.p0", int*, int);
INTRINSIC(int, i_atomic_and_gen_i_sys_i32_p0, "llvm.nvvm.atomic.and.gen.i.sys.i32.p0", int*, int);
INTRINSIC(int, i_atomic_or_gen_i_cta_i32_p0, "llvm.nvvm.atomic.or.gen.i.cta.i32.p0", int*, int);
INTRINSIC(int, i_atomic_or_gen_i_sys_i32_p0, "llvm.nvvm.atomic.or.gen.i.sys.i32.p0", int*, int);
INTRINSIC(int, i_atomic_xor_gen_i_cta_i32_p0, "llvm.nvvm.atomic.xor.gen.i.cta.i32.p0", int*, int);
INTRINSIC(int, i_atomic_xor_gen_i_sys_i32_p0, "llvm.nvvm.atomic.xor.gen.i.sys.i32.p0", int*, int);
INTRINSIC(int, i_atomic_exch_gen_i_cta_i32_p0, "llvm.nvvm.atomic.exch.gen.i.cta.i32.p0", int*, int);
INTRINSIC(int, i_atomic_exch_gen_i_sys_i32_p0, "llvm.nvvm.atomic.exch.gen.i.sys.i32.p0", int*, int);
INTRINSIC(int, i_atomic_inc_gen_i_cta_i32_p0, "llvm.nvvm.atomic.inc.gen.i.cta.i32.p0", int*, int);
INTRINSIC(int, i_atomic_inc_gen_i_sys_i32_p0, "llvm.nvvm.atomic.inc.gen.i.sys.i32.p0", int*, int);
INTRINSIC(int, i_atomic_dec_gen_i_cta_i32_p0, "llvm.nvvm.atomic.dec.gen.i.cta.i32.p0", int*, int);
INTRINSIC(int, i_atomic_dec_gen_i_sys_i32_p0, "llvm.nvvm.atomic.dec.gen.i.sys.i32.p0", int*, int);
INTRINSIC(int, i_atomic_cas_gen_i_cta_i32_p0, "llvm.nvvm.atomic.cas.gen.i.cta.i32.p0", int*, int, int);
INTRINSIC(int, i_atomic_cas_gen_i_sys_i32_p0, "llvm.nvvm.atomic.cas.gen.i.sys.i32.p0", int*, int, int);
INTRINSIC(int, i_ldg_global_i_i32_p0, "llvm.nvvm.ldg.global.i.i32.p0", int*, int);
INTRINSIC(int, i_ldu_global_i_i32_p0, "llvm.nvvm.ldu.global.i.i32.p0", int*, int);
INTRINSIC(int, i_shfl_sync_idx_i32, "llvm.nvvm.shfl.sync.idx.i32", int, int, int, int);
INTRINSIC(int, i_shfl_sync_up_i32, "llvm.nvvm.shfl.sync.up.i32", int, int, int, int);
INTRINSIC(int, i_shfl_sync_down_i32, "llvm.nvvm.shfl.sync.down.i32", int, int, int, int);
INTRINSIC(int, i_shfl_sync_bfly_i32, "llvm.nvvm.shfl.sync.bfly.i32", int, int, int, int);
INTRINSIC(bool, i_vote_all_sync, "llvm.nvvm.vote.all.sync", int, bool);
INTRINSIC(bool, i_vote_any_sync, "llvm.nvvm.vote.any.sync", int, bool);
INTRINSIC(bool, i_vote_uni_sync, "llvm.nvvm.vote.uni.sync", int, bool);
INTRINSIC(int, i_vote_ballot_sync, "llvm.nvvm.vote.ballot.sync", int, bool);
INTRINSIC(int, i_match_any_sync_i32, "llvm.nvvm.match.any.sync.i32", int, int);
INTRINSIC(int, i_redux_sync_add, "llvm.nvvm.redux.sync.add", int, int);
INTRINSIC(int, i_redux_sync_umin, "llvm.nvvm.redux.sync.umin", int, int);
INTRINSIC(int, i_activemask, "llvm.nvvm.activemask");
INTRINSIC(void, i_cp_async_commit_group, "llvm.nvvm.cp.async.commit.group");
INTRINSIC(void, i_cp_async_wait_group, "llvm.nvvm.cp.async.wait.group", int);
INTRINSIC(void, i_cp_async_wait_all, "llvm.nvvm.cp.async.wait.all");
INTRINSIC(void, i_cp_async_mbarrier_arrive, "llvm.nvvm.cp.async.mbarrier.arrive", long*);
INTRINSIC(void, i_cp_async_mbarrier_arrive_noinc, "llvm.nvvm.cp.async.mbarrier.arrive.noinc", long*);
INTRINSIC(void, i_mbarrier_init, "llvm.nvvm.mbarrier.init", long*, int);
INTRINSIC(void, i_mbarrier_inval, "llvm.nvvm.mbarrier.inval", long*);
INTRINSIC(long, i_mbarrier_arrive, "llvm.nvvm.mbarrier.arrive", long*);
INTRINSIC(long, i_mbarrier_arrive_drop, "llvm.nvvm.mbarrier.arrive.drop", long*);
INTRINSIC(bool, i_mbarrier_test_wait, "llvm.nvvm.mbarrier.test.wait", long*, long);
INTRINSIC(void, i_barrier_cluster_arrive, "llvm.nvvm.barrier.cluster.arrive");
INTRINSIC(void, i_barrier_cluster_arrive_relaxed, "llvm.nvvm.barrier.cluster.arrive.relaxed");
INTRINSIC(void, i_barrier_cluster_wait, "llvm.nvvm.barrier.cluster.wait");
INTRINSIC(int, i_cluster_nctaid_x, "llvm.nvvm.read.ptx.sreg.cluster.nctaid.x");
INTRINSIC(int *, i_mapa, "llvm.nvvm.mapa", int *, int);
INTRINSIC(int, i_clusterid_x, "llvm.nvvm.read.ptx.sreg.clusterid.x");
INTRINSIC(int, i_nclusterid_x, "llvm.nvvm.read.ptx.sreg.nclusterid.x");
INTRINSIC(int, i_read_ptx_sreg_tid_x, "llvm.nvvm.read.ptx.sreg.tid.x");
INTRINSIC(int, i_read_ptx_sreg_tid_y, "llvm.nvvm.read.ptx.sreg.tid.y");
INTRINSIC(int, i_read_ptx_sreg_tid_z, "llvm.nvvm.read.ptx.sreg.tid.z");
INTRINSIC(int, i_read_ptx_sreg_ntid_x, "llvm.nvvm.read.ptx.sreg.ntid.x");
INTRINSIC(int, i_read_ptx_sreg_ntid_y, "llvm.nvvm.read.ptx.sreg.ntid.y");
INTRINSIC(int, i_read_ptx_sreg_ntid_z, "llvm.nvvm.read.ptx.sreg.ntid.z");
INTRINSIC(int, i_read_ptx_sreg_ctaid_x, "llvm.nvvm.read.ptx.sreg.ctaid.x");
INTRINSIC(int, i_read_ptx_sreg_ctaid_y, "llvm.nvvm.read.ptx.sreg.ctaid.y");
INTRINSIC(int, i_read_ptx_sreg_ctaid_z, "llvm.nvvm.read.ptx.sreg.ctaid.z");
INTRINSIC(int, i_read_ptx_sreg_nctaid_x, "llvm.nvvm.read.ptx.sreg.nctaid.x");
INTRINSIC(int, i_read_ptx_sreg_nctaid_y, "llvm.nvvm.read.ptx.sreg.nctaid.y");
INTRINSIC(int, i_read_ptx_sreg_nctaid_z, "llvm.nvvm.read.ptx.sreg.nctaid.z");
INTRINSIC(int, i_read_ptx_sreg_warpsize, "llvm.nvvm.read.ptx.sreg.warpsize");
INTRINSIC(int, i_read_ptx_sreg_laneid, "llvm.nvvm.read.ptx.sreg.laneid");
INTRINSIC(int, i_read_ptx_sreg_warpid, "llvm.nvvm.read.ptx.sreg.warpid");
INTRINSIC(int, i_read_ptx_sreg_clock, "llvm.nvvm.read.ptx.sreg.clock");
INTRINSIC(int, i_read_ptx_sreg_smid, "llvm.nvvm.read.ptx.sreg.smid");
#define SPACE(n) __attribute__((address_space(n)))
INTRINSIC(SPACE(3) int *, i_ptr_gen_to_shared, "llvm.nvvm.ptr.gen.to.shared.p3.p0", int *);
INTRINSIC(SPACE(1) int *, i_ptr_gen_to_global, "llvm.nvvm.ptr.gen.to.global.p1.p0", int *);
INTRINSIC(int *, i_ptr_shared_to_gen, "llvm.nvvm.ptr.shared.to.gen.p0.p3", SPACE(3) int *);
INTRINSIC(int *, i_ptr_global_to_gen, "llvm.nvvm.ptr.global.to.gen.p0.p1", SPACE(1) int *);
INTRINSIC(int *, i_ptr_constant_to_gen, "llvm.nvvm.ptr.constant.to.gen.p0.p4", SPACE(4) int *);
INTRINSIC(int *, i_ptr_local_to_gen, "llvm.nvvm.ptr.local.to.gen.p0.p5", SPACE(5) int *);
INTRINSIC(void, i_nanosleep, "llvm.nvvm.nanosleep", int);
INTRINSIC(void, i_exit, "llvm.nvvm.exit");
__global__ void intrinsics(int *p, float *f, int n, int m, int k, int j, float x) {
  __shared__ long bar;
  long token;
  i_barrier0();                                                          //= barrier sync block
  p[0] = i_barrier0_popc(n);                                             //= barrier count i32 %n block
  p[0] = i_barrier0_and(n);                                              //= barrier all i32 %n block
  p[0] = i_barrier0_or(n);                                               //= barrier any i32 %n block
  i_barrier(n, m);                                                       //= barrier named %n, %m block
  i_barrier_n(n);                                                        //= barrier named %n block
  i_barrier_sync(n);                                                     //= barrier named %n block
  i_barrier_sync_cnt(n, m);                                              //= barrier named %n, %m block
  i_bar_sync(n);                                                         //= barrier named %n block
  i_bar_warp_sync(n);                                                    //= barrier sync %n warp
  i_membar_cta();                                                        //= fence seq_cst block
  i_membar_gl();                                                         //= fence seq_cst device
  i_membar_sys();                                                        //= fence seq_cst system
  i_fence_sc_cluster();                                                  //= fence seq_cst cluster
  p[0] = i_atomic_load_inc_32_p0(p, n);                                  //= atomicrmw inc i32 %p, %n relaxed device
  p[0] = i_atomic_load_dec_32_p0(p, n);                                  //= atomicrmw dec i32 %p, %n relaxed device
  p[0] = i_atomic_add_gen_i_cta_i32_p0(p, n);                            //= atomicrmw add i32 %p, %n relaxed block
  p[0] = i_atomic_add_gen_i_sys_i32_p0(p, n);                            //= atomicrmw add i32 %p, %n relaxed system
  f[0] = i_atomic_add_gen_f_cta_f32_p0(f, x);                            //= atomicrmw fadd f32 %f, %x relaxed block
  f[0] = i_atomic_add_gen_f_sys_f32_p0(f, x);                            //= atomicrmw fadd f32 %f, %x relaxed system
  p[0] = i_atomic_and_gen_i_cta_i32_p0(p, n);                            //= atomicrmw and i32 %p, %n relaxed block
  p[0] = i_atomic_and_gen_i_sys_i32_p0(p, n);                            //= atomicrmw and i32 %p, %n relaxed system
  p[0] = i_atomic_or_gen_i_cta_i32_p0(p, n);                             //= atomicrmw or i32 %p, %n relaxed block
  p[0] = i_atomic_or_gen_i_sys_i32_p0(p, n);                             //= atomicrmw or i32 %p, %n relaxed system
  p[0] = i_atomic_xor_gen_i_cta_i32_p0(p, n);                            //= atomicrmw xor i32 %p, %n relaxed block
  p[0] = i_atomic_xor_gen_i_sys_i32_p0(p, n);                            //= atomicrmw xor i32 %p, %n relaxed system
  p[0] = i_atomic_exch_gen_i_cta_i32_p0(p, n);                           //= atomicrmw xchg i32 %p, %n relaxed block
  p[0] = i_atomic_exch_gen_i_sys_i32_p0(p, n);                           //= atomicrmw xchg i32 %p, %n relaxed system
  p[0] = i_atomic_inc_gen_i_cta_i32_p0(p, n);                            //= atomicrmw inc i32 %p, %n relaxed block
  p[0] = i_atomic_inc_gen_i_sys_i32_p0(p, n);                            //= atomicrmw inc i32 %p, %n relaxed system
  p[0] = i_atomic_dec_gen_i_cta_i32_p0(p, n);                            //= atomicrmw dec i32 %p, %n relaxed block
  p[0] = i_atomic_dec_gen_i_sys_i32_p0(p, n);                            //= atomicrmw dec i32 %p, %n relaxed system
  p[0] = i_atomic_cas_gen_i_cta_i32_p0(p, n, m);                         //= cmpxchg i32 %p, %n, %m relaxed block
  p[0] = i_atomic_cas_gen_i_sys_i32_p0(p, n, m);                         //= cmpxchg i32 %p, %n, %m relaxed system
  p[0] = i_ldg_global_i_i32_p0(p, n);                                    //= load readonly i32 %p
  p[0] = i_ldu_global_i_i32_p0(p, n);                                    //= load readonly i32 %p
  p[0] = i_shfl_sync_idx_i32(n, m, k, j);                                //= shuffle i32 idx(%n, %m, %k, *) warp
  p[0] = i_shfl_sync_up_i32(n, m, k, j);                                 //= shuffle i32 up(%n, %m, %k, *) warp
  p[0] = i_shfl_sync_down_i32(n, m, k, j);                               //= shuffle i32 down(%n, %m, %k, *) warp
  p[0] = i_shfl_sync_bfly_i32(n, m, k, j);                               //= shuffle i32 xor(%n, %m, %k, *) warp
  p[0] = i_vote_all_sync(n, k > 0);                                      //= vote i1 all(%n, *) warp
  p[0] = i_vote_any_sync(n, k > 0);                                      //= vote i1 any(%n, *) warp
  p[0] = i_vote_uni_sync(n, k > 0);                                      //= vote i1 uni(%n, *) warp
  p[0] = i_vote_ballot_sync(n, k > 0);                                   //= vote i32 ballot(%n, *) warp
  p[0] = i_match_any_sync_i32(n, m);                                     //= vote i32 match_any(%n, %m) warp
  p[0] = i_redux_sync_add(n, m);                                         //= vote i32 reduce_add(%m, %n) warp
  p[0] = i_redux_sync_umin(n, m);                                        //= vote i32 reduce_umin(%m, %n) warp
  p[0] = i_activemask();                                                 //= vote i32 activemask() warp
  i_cp_async_commit_group();                                             //= asynccommit
  i_cp_async_wait_group(3);                                              //= asyncwait pending 3
  i_cp_async_wait_all();                                                 //= asynccommit | asyncwait pending 0
  i_cp_async_mbarrier_arrive(&bar);                                      //= mbarrier arrive_copies *bar
  i_cp_async_mbarrier_arrive_noinc(&bar);                                //= mbarrier arrive_copies_counted *bar
  i_mbarrier_init(&bar, n);                                              //= mbarrier init *bar, %n
  i_mbarrier_inval(&bar);                                                //= mbarrier invalidate *bar
  token = i_mbarrier_arrive(&bar);                                       //= mbarrier arrive i64 *bar, 1 release block
  token = i_mbarrier_arrive_drop(&bar);                                  //= mbarrier arrive_drop i64 *bar, 1 release block
  p[0] = i_mbarrier_test_wait(&bar, token);                              //= mbarrier test i1 *bar, * acquire block
  i_barrier_cluster_arrive();                                            //= barrier arrival cluster
  i_barrier_cluster_arrive_relaxed();                                    //= barrier arrival relaxed cluster
  i_barrier_cluster_wait();                                              //= barrier await cluster
  p[0] = i_read_ptx_sreg_tid_x();                                        //= sreg tid.x i32
  p[0] = i_read_ptx_sreg_tid_y();                                        //= sreg tid.y i32
  p[0] = i_read_ptx_sreg_tid_z();                                        //= sreg tid.z i32
  p[0] = i_read_ptx_sreg_ntid_x();                                       //= sreg ntid.x i32
  p[0] = i_read_ptx_sreg_ntid_y();                                       //= sreg ntid.y i32
  p[0] = i_read_ptx_sreg_ntid_z();                                       //= sreg ntid.z i32
  p[0] = i_read_ptx_sreg_ctaid_x();                                      //= sreg ctaid.x i32
  p[0] = i_read_ptx_sreg_ctaid_y();                                      //= sreg ctaid.y i32
  p[0] = i_read_ptx_sreg_ctaid_z();                                      //= sreg ctaid.z i32
  p[0] = i_read_ptx_sreg_nctaid_x();                                     //= sreg nctaid.x i32
  p[0] = i_read_ptx_sreg_nctaid_y();                                     //= sreg nctaid.y i32
  p[0] = i_read_ptx_sreg_nctaid_z();                                     //= sreg nctaid.z i32
  p[0] = i_read_ptx_sreg_warpsize();                                     //= sreg warpsize i32
  p[0] = i_read_ptx_sreg_laneid();                                       //= sreg laneid i32
  p[0] = i_read_ptx_sreg_warpid();                                       //= sreg warpid i32
  p[0] = i_read_ptx_sreg_clock();                                        //= sreg clock i32
  p[0] = i_cluster_nctaid_x();                                           //= sreg cluster_nctaid.x i32
  f[0] = *i_mapa(p, n);                                                  //= load i32 *
  p[0] = i_clusterid_x();                                                //= sreg cluster_nctaid.x i32 | sreg ctaid.x i32
  p[0] = i_nclusterid_x();                                               //= sreg cluster_nctaid.x i32 | sreg nctaid.x i32
  p[0] = i_read_ptx_sreg_smid();                                         //= sreg other i32
  f[0] = *i_ptr_gen_to_global(p);                                        //= bitcast ptr.global %p | load i32 *
  f[0] = *i_ptr_gen_to_shared(p);                                        //= bitcast ptr.shared %p | load i32 *
  f[0] = *i_ptr_shared_to_gen((SPACE(3) int *)p);                        //= bitcast ptr.shared %p | bitcast ptr * | load i32 *
  f[0] = *i_ptr_global_to_gen((SPACE(1) int *)p);                        //= bitcast ptr.global %p | bitcast ptr * | load i32 *
  f[0] = *i_ptr_constant_to_gen((SPACE(4) int *)p);                      //= bitcast ptr.constant %p | bitcast ptr * | load i32 *
  f[0] = *i_ptr_local_to_gen((SPACE(5) int *)p);                         //= bitcast ptr.local %p | bitcast ptr * | load i32 *
  i_nanosleep(n);                                                        //= nothing
  i_exit();                                                              //= ret
}
namespace cooperative_groups {
namespace details {
struct grid {
  __device__ void sync();
};
} // namespace details
inline namespace __v1 {
struct grid_group {
  __device__ void sync() const;
};
template <unsigned Size> struct __static_size_thread_block_tile_base {
  static __device__ void sync();
};
} // namespace __v1
} // namespace cooperative_groups
__global__ void members() {
  cooperative_groups::details::grid().sync();                            //= barrier sync device
  cooperative_groups::grid_group().sync();                               //= barrier sync device
  cooperative_groups::__static_size_thread_block_tile_base<16>().sync(); //= barrier tile 16 warp
}
