// Inline PTX on fragments of matrices, on memory that is not read or written in the usual way, and without effect on others.
//@ args: --arch sm_90
//@ ops: load store pure memset asynccopy
__global__ void matrices(int *g, unsigned s, unsigned bar, int n) {
  unsigned a, b, c, d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(s)); //= sreg laneid i32 | shuffle i64 idx(-1, *, *, 32) warp | load i32 *
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(s), "r"(a)); //= sreg laneid i32 | shuffle i64 idx(-1, *, *, 32) warp | store i32 *, *
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(b) : "r"(a)); //= nothing
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};" : "=r"(c), "=r"(d) : "r"(a), "r"(b), "r"(n), "r"(n)); //= nothing
  asm volatile("ldu.global.u32 %0, [%1];" : "=r"(a) : "l"(g)); //= load i32 %g
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(s), "r"(n), "r"(bar)); //= asynccopy bulk *, *, 4, *
  unsigned long long policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy)); //= nothing
  asm volatile("st.bulk.shared::cta [%0], 64, 0;" ::"r"(s)); //= memset *, 0, 64
  asm volatile("prefetch.global.L2 [%0];" ::"l"(g)); //= nothing
  asm volatile("prefetchu.L1 [%0];" ::"l"(g)); //= nothing
  asm volatile("discard.global.L2 [%0], 128;" ::"l"(g)); //= memset %g, undef, 128
  asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(g)); //= nothing
  asm volatile("nanosleep.u32 %0;" ::"r"(n)); //= nothing
  asm volatile("pmevent 1;"); //= nothing
  asm volatile("brkpt;"); //= nothing
  asm volatile("label: pmevent 2;"); //= nothing
  asm volatile("setmaxnreg.inc.sync.aligned.u32 64;"); //= nothing
  asm volatile("griddepcontrol.wait;"); //= nothing
  g[a + b] = (int)(c + d);
}
