// Inline PTX that waits for other threads or orders memory: what each piece becomes, with scope and order.
//@ args: --arch sm_90
__global__ void block_barriers(int n, int p) {
  __shared__ int unused[1];
  unused[0] = 0;
  int count, all;
  asm volatile("bar.sync 0;");                             //= barrier sync block
  asm volatile("bar.sync %0;" ::"r"(n));                   //= barrier named %n block
  asm volatile("bar.sync 1, 64;");                         //= barrier named 1, 64 block
  asm volatile("bar.sync %0, %1;" ::"r"(n), "r"(p));       //= barrier named %n, %p block
  asm volatile("bar.arrive 2, 96;");                       //= barrier arrive 2, 96 block
  asm volatile("bar.cta.sync 3, 32;");                     //= barrier named 3, 32 block
  asm volatile("barrier.sync 0;");                         //= barrier sync block
  asm volatile("barrier.cta.sync.aligned 1, 128;");        //= barrier named 1, 128 block
  asm volatile("barrier.cta.arrive 1, 128;");              //= barrier arrive 1, 128 block
  asm volatile("bar.warp.sync 0xff;");                     //= barrier sync 255 warp
  asm volatile("bar.warp.sync %0;" ::"r"(n));              //= barrier sync %n warp
  asm volatile("{ .reg .pred q; setp.ne.u32 q, %1, 0; bar.red.popc.u32 %0, 0, q; }" : "=r"(count) : "r"(p)); //= barrier count i32 * block
  asm volatile("{ .reg .pred q, r; setp.ne.u32 q, %1, 0; barrier.cta.red.and.pred r, 0, q; selp.s32 %0, 1, 0, r; }" : "=r"(all) : "r"(p)); //= barrier all i32 * block
  asm volatile("bar.cta.arrive 2, 96;"); //= barrier arrive 2, 96 block
  asm volatile("barrier.arrive 2, 96;"); //= barrier arrive 2, 96 block
  asm volatile("{ .reg .pred q; setp.ne.u32 q, %1, 0; bar.cta.red.popc.u32 %0, 0, q; }" : "=r"(count) : "r"(p)); //= barrier count i32 * block
  asm volatile("{ .reg .pred q, r; setp.ne.u32 q, %1, 0; barrier.red.or.pred r, 0, q; selp.s32 %0, 1, 0, r; }" : "=r"(all) : "r"(p)); //= barrier any i32 * block
  asm volatile("bar.red.popc.u32 %0, 1, 64, %%p1;" : "=r"(all)); //= asm i32 *
  asm volatile("@p bar.sync 0;");                          //= asm void *
}
__global__ void cluster_barriers() {
  asm volatile("barrier.cluster.arrive;");                 //= barrier arrival cluster
  asm volatile("barrier.cluster.arrive.relaxed.aligned;"); //= barrier arrival relaxed cluster
  asm volatile("barrier.cluster.wait.aligned;");           //= barrier await cluster
}
__global__ void fences() {
  asm volatile("membar.cta;" ::: "memory");                //= fence seq_cst block
  asm volatile("membar.gl;" ::: "memory");                 //= fence seq_cst device
  asm volatile("membar.sys;" ::: "memory");                //= fence seq_cst system
  asm volatile("fence.sc.gpu;" ::: "memory");              //= fence seq_cst device
  asm volatile("fence.acq_rel.cta;" ::: "memory");         //= fence acq_rel block
  asm volatile("fence.acq_rel.cluster;" ::: "memory");     //= fence acq_rel cluster
  asm volatile("fence.acquire.sys;" ::: "memory");         //= fence acquire system
  asm volatile("fence.release.gpu;" ::: "memory");         //= fence release device
  asm volatile("membar.proxy.alias;" ::: "memory"); //= nothing
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); //= proxyfence spaces 1
  asm volatile("fence.proxy.async.global;" ::: "memory"); //= proxyfence spaces 2
  asm volatile("fence.proxy.async;" ::: "memory"); //= proxyfence spaces 3
  asm volatile("fence.proxy.alias;" ::: "memory"); //= nothing
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");    //= nothing
}
__global__ void lanes(int *out, int n, unsigned mask) {
  unsigned v, w;
  int s;
  asm volatile("activemask.b32 %0;" : "=r"(v));                                        //= vote i32 activemask() warp
  asm volatile("redux.sync.add.s32 %0, %1, %2;" : "=r"(s) : "r"(n), "r"(mask));        //= vote i32 reduce_add(%mask, %n) warp
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(w) : "r"(n), "r"(mask));        //= vote i32 match_any(%mask, %n) warp
  asm volatile("{ .reg .pred q; setp.ne.s32 q, %1, 0; vote.sync.ballot.b32 %0, q, %2; }" : "=r"(v) : "r"(n), "r"(mask)); //= vote i32 ballot(%mask, *) warp
  asm volatile("{ .reg .pred q, r; setp.gt.s32 q, %1, 0; vote.sync.all.pred r, q, %2; selp.u32 %0, 1, 0, r; }" : "=r"(w) : "r"(n), "r"(mask)); //= vote i32 all(%mask, *) warp
  asm volatile("shfl.sync.bfly.b32 %0, %1, 16, 0x1f, %2;" : "=r"(v) : "r"(n), "r"(mask));     //= shuffle i32 xor(%mask, %n, 16, 32) warp
  asm volatile("shfl.sync.idx.b32 %0|p, %1, 3, 0x181f, %2;" : "=r"(w) : "r"(n), "r"(mask));   //= shuffle i32 idx(%mask, %n, 3, 8) warp
  asm volatile("elect.sync %0|p, 0xffffffff;" : "=r"(v)); //= sreg elected i32 | sreg laneid i32
  asm("mov.u32 %0, %%laneid;" : "=r"(w));                                              //= sreg laneid i32
  asm("mov.u32 %0, %%smid;" : "=r"(w));                                                //= sreg other i32
  out[v + w] = s;
}
