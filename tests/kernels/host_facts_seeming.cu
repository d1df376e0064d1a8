// Two numbers that the host seems to make equal, and does not: each kernel writes one element from all threads if they
// differ. One construct a function. In `same`, the twins, the numbers are equal, and nothing is written.
//@ verdict w<1>: racy
//@ verdict w<2>: racy
//@ verdict w<3>: racy
//@ verdict w<4>: racy
//@ verdict w<5>: racy
//@ verdict w<6>: racy
//@ verdict w<7>: racy
//@ verdict w<8>: racy
//@ verdict w<9>: racy
//@ verdict w<10>: racy
//@ verdict w<11>: racy
//@ verdict w<12>: racy
//@ verdict w<13>: racy
//@ verdict w<14>: racy
//@ verdict w<15>: racy
//@ verdict w<16>: racy
//@ verdict w<17>: racy
//@ verdict w<18>: racy
//@ verdict w<19>: racy
//@ verdict w<20>: racy
//@ verdict w<21>: racy
//@ verdict w<22>: racy
//@ verdict w<23>: racy
//@ verdict w<24>: racy
//@ verdict w<25>: racy
//@ verdict w<26>: racy
//@ verdict w<29>: racy
//@ verdict w<30>: racy
//@ verdict w<31>: racy
//@ verdict w<32>: racy
//@ verdict w<33>: racy
//@ verdict w<34>: racy
//@ verdict w<35>: racy
//@ verdict w<36>: racy
//@ verdict w<37>: racy
//@ verdict w<40>: racy
//@ verdict same<101>: race-free
//@ verdict same<102>: race-free
//@ verdict same<103>: race-free
//@ verdict same<104>: race-free
//@ verdict same<105>: race-free
//@ verdict same<106>: race-free
//@ verdict same<107>: race-free
//@ verdict same<110>: race-free
//@ verdict same<113>: race-free
//@ verdict same<116>: race-free
//@ verdict same<118>: race-free
//@ verdict same<119>: race-free
//@ verdict same<123>: race-free
//@ verdict same<125>: race-free
//@ verdict same<130>: race-free
//@ verdict same<131>: race-free
//@ verdict same<132>: race-free
//@ verdict same<133>: race-free
//@ verdict same<137>: race-free
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <stdexcept>
#include <functional>
template <int C> __global__ void w(int *a, long n, long m) { 
  if (n != m) a[0] = threadIdx.x; // expect-race
}
template <int C> __global__ void same(int *a, long n, long m) { if (n != m) a[0] = threadIdx.x; } // expect-clean
#define E(C, n, m) same<C><<<1, 64>>>(d, n, m)
#define L(C, n, m) w<C><<<1, 64>>>(d, n, m)
int *d;
volatile int vol;
void c1() { int x = vol; if (x != 3) return; L(1, vol, 3); }
void c2(int m) { static int n = m; L(2, n, m); }
void c3(const int *a, int n) { int i; for (i = 0; i < n; i++) if (a[i]) break; L(3, i, n); }
void unseen(int *); void unseen2(); int unseen3(const char *);
void c4(int n, int m) { assert(n == m); unseen(&n); L(4, n, m); }
void c5(std::vector<int> &v) { size_t n = v.size(); v.push_back(1); L(5, n, v.size()); }
int glob; 
void c6(int m) { assert(glob == m); unseen2(); L(6, glob, m); }
void c7(int n, int m) { try { if (n != m) throw std::runtime_error("x"); unseen2(); } catch (...) {} L(7, n, m); }
void c8(int n, int m) { short s = n; assert(s == m); L(8, n, m); }
void c9(unsigned n, int m) { assert((int)(n & 0xff) == m); L(9, n, m); }
void c10(int n, int m) { auto f = [&] { n = unseen3("a"); }; assert(n == m); f(); L(10, n, m); }
void c11(int n, int m) { std::function<void()> f = [&] { n++; }; assert(n == m); f(); L(11, n, m); }
struct S { int n, m; virtual void touch(); void go() { assert(n == m); touch(); L(12, n, m); } };
void c12(S *s) { s->go(); }
void c13(S *a, S *b) { assert(a->n == a->m); b->n = 7; L(13, a->n, a->m); }
union U { int i; float f; unsigned char b[4]; };
void c14(int n, int m) { U u; u.i = n; assert(n == m); u.b[0] = 1; L(14, u.i, m); }
struct B { int n : 5; int m : 7; };
void c15(B b, int k) { assert(k == b.m); b.n = k; L(15, b.n, k); }
void c16(int n, int m) { for (int i = 0; i < 3; i++) { if (i == 1 && n != m) return; L(16, n, m); } }
void c17(int n, int m) { if (n != m && unseen3("b")) abort(); L(17, n, m); }
void c18(int n, int m) { do { if (n == m) break; n = unseen3("c"); } while (unseen3("d")); L(18, n, m); }
void c19(int n, int m, int k) { switch (k) { case 0: n = m; case 1: break; default: n = m; } L(19, n, m); }
void c20(char **argv) { int n = atoi(argv[1]), m = atoi(argv[2]); L(20, n, m); }
void c21(char **argv) { char *p = argv[1]; int n = atoi(p); p[0] = '7'; int m = atoi(p); L(21, n, m); }
int next() { return rand(); }
void c22() { int n = next(), m = next(); L(22, n, m); }
void c23(int n, int m) { int a[2] = {n, m}; assert(n == m); int *p = a; p[unseen3("e")] = 5; L(23, a[0], a[1]); }
void c24(int n, int m) { struct { int n, m; } s = {n, n}, t = {m, m}; memcpy(&s, &t, 4); L(24, s.n, s.m); }
void c25(int *n, int *m) { assert(*n == 1); *m = 2; L(25, *n, 1); }
void c26(unsigned n) { unsigned i = n; while (i-- > 1) ; L(26, i, 0); }
void c29(int n, int m) { if (n / 2 != m / 2) return; L(29, n, m); }
int *pick(int k) { static int a, b; return k ? &a : &b; }
void c30(int k) { *pick(0) = 1; *pick(k) = 2; L(30, *pick(0), 1); }
void c31(int n) { int m = n; for (int i = 0; i < 10; i++) { L(31, n, m); if (i == 5) m++; } }
void c32(int n, int k) { int m = n; for (int i = 0; i < k; i++) { n ^= 1; } L(32, n, m); }
void c33(int n, int m) { assert(n >= m); assert(n <= m + 1); L(33, n, m); }
thread_local int tl;
void c34(int m) { assert(tl == m); unseen2(); L(34, tl, m); }
extern int ext[]; 
void c35(int i, int j, int m) { assert(ext[i] == m); ext[j] = m + 1; L(35, ext[i], m); }
void c36(std::vector<int> v, int i) { int n = v[i]; v[0] = 9; L(36, v[i], n); }
void c37(int n, int m) { unsigned char a = n, b = m; assert(a == b); L(37, n, m); }
void c40(int n, int m) { if (abs(n) != abs(m)) return; L(40, n, m); }
void d1() { int x = vol; if (x == 3) E(101, x, 3); }
void d2(int m) { int n = m; E(102, n, m); }
void d3(const int *a, int n) { int i; for (i = 0; i < n; i++) if (a[i]) return; if (n >= 0) E(103, i, n); }
void d4(int n, int m) { unseen(&n); assert(n == m); E(104, n, m); }
void d5(std::vector<int> &v) { v.push_back(1); size_t n = v.size(); E(105, n, v.size()); }
void d6(int m) { unseen2(); assert(glob == m); E(106, glob, m); }
void d7(int n, int m) { try { unseen2(); if (n != m) throw std::runtime_error("x"); E(107, n, m); } catch (...) {} }
void d10(int n, int m) { auto f = [&] { n = unseen3("a"); }; f(); assert(n == m); E(110, n, m); }
void d13(S *a, S *b) { b->n = 7; assert(a->n == a->m); E(113, a->n, a->m); }
void d16(int n, int m) { for (int i = 0; i < 3; i++) { if (n != m) return; E(116, n, m); } }
void d18(int n, int m) { do { if (n == m) break; n = unseen3("c"); } while (true); E(118, n, m); }
void d19(int n, int m, int k) { switch (k) { case 0: n = m; break; case 1: return; default: n = m; } E(119, n, m); }
void d23(int n, int m) { int a[2] = {n, m}; int *p = a; p[unseen3("e")] = 5; if (a[0] == a[1]) E(123, a[0], a[1]); }
void d25(int *n, int *m) { *m = 2; *n = 1; E(125, *n, 1); }
void d30() { *pick(1) = 2; *pick(0) = 1; E(130, *pick(0), 1); }
void d31(int n) { int m = n; for (int i = 0; i < 10; i++) { E(131, n, m); m++, n++; } }
void d32(int n, int k) { int m = n; for (int i = 0; i < k; i++) { n ^= 1, m ^= 1; } E(132, n, m); }
void d33(int n, int m) { assert(n >= m); assert(n < m + 1); E(133, n, m); }
void d37(int n, int m) { unsigned char a = n, b = m; assert(a == b); E(137, a, b); }
