// Inline PTX that reads and writes memory: what each piece becomes, with scope and order.
__global__ void loads_and_stores(int *g, float *f, unsigned long long *wide, int n) {
  int x, y;
  float z, a, b, c, d;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(g));                        //= nothing
  asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(x) : "l"(g));               //= load i32 * volatile system
  asm volatile("ld.relaxed.cta.global.u32 %0, [%1];" : "=r"(x) : "l"(g));            //= load i32 * relaxed block
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1+4];" : "=r"(y) : "l"(g));          //= load i32 * acquire device
  asm volatile("ld.acquire.sys.b64 %0, [%1];" : "=l"(*wide) : "l"(wide));            //= load i64 * acquire system
  asm volatile("ld.acquire.cluster.u8 %0, [%1];" : "=r"(x) : "l"(g));                //= load i8 * acquire cluster
  asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(f)); //= nothing
  asm volatile("ld.relaxed.gpu.f32 %0, [%1];" : "=f"(z) : "l"(f));                   //= load i32 * relaxed device
  asm volatile("st.volatile.global.u32 [%0], %1;" ::"l"(g), "r"(x));                 //= store i32 *, * volatile system
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(g), "r"(y));                     //= store i32 *, * relaxed device
  asm volatile("st.release.cta.s32 [%0+4], %1;" ::"l"(g), "r"(n));                   //= store i32 *, %n release block
  asm volatile("st.release.sys.f32 [%0], %1;" ::"l"(f), "f"(a + b + c + d + z));     //= store f32 *, * release system
}
__global__ void atomics(int *g, unsigned *u, float *f, double *d, unsigned long long *w, int n) {
  int x, y;
  short h = (short)n;
  unsigned long long old;
  asm volatile("atom.add.s32 %0, [%1], %2;" : "=r"(x) : "l"(g), "r"(n));                        //= atomicrmw add i32 *, %n relaxed device
  asm volatile("atom.acquire.cta.add.s32 %0, [%1], %2;" : "=r"(x) : "l"(g), "r"(n));            //= atomicrmw add i32 *, %n acquire block
  asm volatile("atom.global.release.sys.exch.b32 %0, [%1], %2;" : "=r"(x) : "l"(g), "r"(n));    //= atomicrmw xchg i32 *, %n release system
  asm volatile("atom.acq_rel.gpu.cas.b32 %0, [%1], %2, %3;" : "=r"(x) : "l"(g), "r"(n), "r"(1)); //= cmpxchg i32 *, %n, 1 acq_rel device
  asm volatile("atom.cas.b64 %0, [%1], %2, %3;" : "=l"(old) : "l"(w), "l"(0ull), "l"(1ull));    //= cmpxchg i64 *, 0, 1 relaxed device
  asm volatile("atom.max.s32 %0, [%1], %2;" : "=r"(x) : "l"(g), "r"(n));                        //= atomicrmw max i32 *, %n relaxed device
  asm volatile("atom.min.u32 %0, [%1], %2;" : "=r"(x) : "l"(u), "r"(n));                        //= atomicrmw umin i32 *, %n relaxed device
  asm volatile("{ atom.add.noftz.f16 %0, [%1], %2; }" : "=h"(h) : "l"(g), "h"(h));              //= atomicrmw fadd f16 *, * relaxed device
  asm volatile("atom.add.noftz.bf16x2 %0, [%1], %2;" : "=r"(x) : "l"(g), "r"(n));               //= atomicrmw fadd f16 *, * relaxed device | atomicrmw fadd f16 *, * relaxed device
  asm volatile("atom.inc.u32 %0, [%1], %2;" : "=r"(x) : "l"(u), "r"(n));                        //= atomicrmw inc i32 *, %n relaxed device
  asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(f), "f"(1.0f));                 //= atomicrmw fadd f32 *, 0x3f800000 relaxed device
  asm volatile("red.release.sys.or.b32 [%0], %1;" ::"l"(u), "r"(n));                            //= atomicrmw or i32 *, %n release system
  asm volatile("red.cta.add.f64 [%0], %1;" ::"l"(d), "d"(1.0));                                 //= atomicrmw fadd f64 *, * relaxed block
  asm volatile("red.async.relaxed.cluster.add.u32 [%0], %1, [%2];" ::"r"(n), "r"(n), "r"(n));   //= asm void *
  asm volatile("multimem.red.add.u32 [%0], %1;" ::"l"(g), "r"(n));                              //= atomicrmw add multicast *, %n relaxed device
  asm volatile("multimem.red.release.sys.global.max.s32 [%0], %1;" ::"l"(g), "r"(n));           //= atomicrmw max multicast *, %n release system
  asm volatile("multimem.red.relaxed.gpu.add.v2.f32 [%0], {%1, %1};" ::"l"(f), "f"(1.0f));      //= atomicrmw fadd multicast *, 0x3f800000 relaxed device | atomicrmw fadd multicast *, 0x3f800000 relaxed device
  asm volatile("multimem.st.relaxed.sys.b32 [%0], %1;" ::"l"(g), "r"(n));                       //= store multicast i32 *, * relaxed system
  asm volatile("multimem.ld_reduce.acquire.gpu.global.min.u32 %0, [%1];" : "=r"(x) : "l"(g));   //= load multicast i32 * acquire device
  asm volatile("multimem.ld_reduce.weak.add.acc::f32.v2.f16x2 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "l"(g)); //= nothing
  asm volatile("multimem.red.min.f16x2 [%0], %1;" ::"l"(g), "r"(n));                            //= asm void *
  g[x] = (int)old;
}
// Under a predicate: at the address, or at memory that nobody sees.
__global__ void predicated(int *g, int n) {
  int x = 0;
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %2, 4; @p atom.relaxed.gpu.add.u32 %0, [%1], 1; }" : "+r"(x) : "l"(g), "r"(n)); //= atomicrmw add i32 *, 1 relaxed device
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %2, 4; @!p st.relaxed.gpu.u32 [%0], %1; }" ::"l"(g), "r"(x), "r"(n));           //= store i32 *, * relaxed device
}
