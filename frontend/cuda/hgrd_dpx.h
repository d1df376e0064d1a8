// Sums, minima and maxima of one or two numbers in a word (the __vi* functions), as they are defined: computed word by word.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_DPX_H
#define HGRD_CUDA_DPX_H
#pragma GCC system_header

#define HGRD_DPX static inline __host__ __device__
namespace __hgrd_dpx {
template <class T> HGRD_DPX T low(unsigned int pair) { return (T)(pair & 0xffffu); }
template <class T> HGRD_DPX T high(unsigned int pair) { return (T)(pair >> 16); }
template <class T> HGRD_DPX unsigned int pair(T high, T low) {
  return (unsigned int)(unsigned short)high << 16 | (unsigned int)(unsigned short)low;
}
template <class T> HGRD_DPX T most(T a, T b) { return a > b ? a : b; }
template <class T> HGRD_DPX T least(T a, T b) { return a < b ? a : b; }
template <class T> HGRD_DPX T above_zero(T a) { return a > 0 ? a : (T)0; }
}

// suffix of the word, its type, of its halves, their type
#define HGRD_DPX_KINDS(X) X(s32, int, s16x2, short) X(u32, unsigned int, u16x2, unsigned short)
#define HGRD_DPX_HALVES(T, expression)                                                                                         \
  T high, low;                                                                                                                 \
  {                                                                                                                            \
    T x = __hgrd_dpx::high<T>(a), y = __hgrd_dpx::high<T>(b), z = __hgrd_dpx::high<T>(c);                                      \
    (void)z, high = expression;                                                                                                \
  }                                                                                                                            \
  {                                                                                                                            \
    T x = __hgrd_dpx::low<T>(a), y = __hgrd_dpx::low<T>(b), z = __hgrd_dpx::low<T>(c);                                         \
    (void)z, low = expression;                                                                                                 \
  }
#define HGRD_DPX_3(name, suffix, T, suffix2, T2, add, pick, finish)                                                            \
  HGRD_DPX T name##suffix(T a, T b, T c) {                                                                                     \
    return finish(__hgrd_dpx::pick<T>(add(T, a, b), c));                                                                       \
  }                                                                                                                            \
  HGRD_DPX unsigned int name##suffix2(unsigned int a, unsigned int b, unsigned int c) {                                        \
    HGRD_DPX_HALVES(T2, finish(__hgrd_dpx::pick<T2>(add(T2, x, y), z)))                                                        \
    return __hgrd_dpx::pair<T2>(high, low);                                                                                    \
  }
#define HGRD_DPX_SUM(T, a, b) ((T)((unsigned int)(a) + (unsigned int)(b)))
#define HGRD_DPX_MOST(T, a, b) __hgrd_dpx::most<T>(a, b)
#define HGRD_DPX_LEAST(T, a, b) __hgrd_dpx::least<T>(a, b)
#define HGRD_DPX_SAME(a) (a)
#define HGRD_DPX_BOTH(s, T, s2, T2)                                                                                            \
  HGRD_DPX_3(__viaddmax_, s, T, s2, T2, HGRD_DPX_SUM, most, HGRD_DPX_SAME)                                                     \
  HGRD_DPX_3(__viaddmin_, s, T, s2, T2, HGRD_DPX_SUM, least, HGRD_DPX_SAME)                                                    \
  HGRD_DPX_3(__vimax3_, s, T, s2, T2, HGRD_DPX_MOST, most, HGRD_DPX_SAME)                                                      \
  HGRD_DPX_3(__vimin3_, s, T, s2, T2, HGRD_DPX_LEAST, least, HGRD_DPX_SAME)                                                    \
  HGRD_DPX_PREDICATED(__vibmax_, s, T, s2, T2, >=, most)                                                                       \
  HGRD_DPX_PREDICATED(__vibmin_, s, T, s2, T2, <=, least)
#define HGRD_DPX_PREDICATED(name, suffix, T, suffix2, T2, op, pick)                                                            \
  HGRD_DPX T name##suffix(T a, T b, bool *first) {                                                                             \
    *first = a op b;                                                                                                           \
    return __hgrd_dpx::pick<T>(a, b);                                                                                          \
  }                                                                                                                            \
  HGRD_DPX unsigned int name##suffix2(unsigned int a, unsigned int b, bool *first_high, bool *first_low) {                     \
    unsigned int c = 0;                                                                                                        \
    *first_high = __hgrd_dpx::high<T2>(a) op __hgrd_dpx::high<T2>(b);                                                          \
    *first_low = __hgrd_dpx::low<T2>(a) op __hgrd_dpx::low<T2>(b);                                                             \
    HGRD_DPX_HALVES(T2, __hgrd_dpx::pick<T2>(x, y))                                                                            \
    return __hgrd_dpx::pair<T2>(high, low);                                                                                    \
  }
HGRD_DPX_KINDS(HGRD_DPX_BOTH)
HGRD_DPX_3(__viaddmax_, s32_relu, int, s16x2_relu, short, HGRD_DPX_SUM, most, __hgrd_dpx::above_zero)
HGRD_DPX_3(__viaddmin_, s32_relu, int, s16x2_relu, short, HGRD_DPX_SUM, least, __hgrd_dpx::above_zero)
HGRD_DPX_3(__vimax3_, s32_relu, int, s16x2_relu, short, HGRD_DPX_MOST, most, __hgrd_dpx::above_zero)
HGRD_DPX_3(__vimin3_, s32_relu, int, s16x2_relu, short, HGRD_DPX_LEAST, least, __hgrd_dpx::above_zero)
#define HGRD_DPX_2(name, pick)                                                                                                 \
  HGRD_DPX int name##s32_relu(int a, int b) { return __hgrd_dpx::above_zero(__hgrd_dpx::pick(a, b)); }                         \
  HGRD_DPX unsigned int name##s16x2_relu(unsigned int a, unsigned int b) {                                                     \
    unsigned int c = 0;                                                                                                        \
    HGRD_DPX_HALVES(short, __hgrd_dpx::above_zero(__hgrd_dpx::pick<short>(x, y)))                                              \
    return __hgrd_dpx::pair<short>(high, low);                                                                                 \
  }
HGRD_DPX_2(__vimax_, most)
HGRD_DPX_2(__vimin_, least)
#undef HGRD_DPX_2
#undef HGRD_DPX_BOTH
#undef HGRD_DPX_PREDICATED
#undef HGRD_DPX_3
#undef HGRD_DPX_HALVES
#undef HGRD_DPX_KINDS
#undef HGRD_DPX_SUM
#undef HGRD_DPX_MOST
#undef HGRD_DPX_LEAST
#undef HGRD_DPX_SAME
#undef HGRD_DPX
#endif
