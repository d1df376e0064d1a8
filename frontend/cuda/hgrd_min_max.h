// min and max: the smaller and larger value by the usual conversions of mixed types. For both sides with our own
// declarations; for the host alone with a toolkit, whose functions clang takes for the device only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_MIN_MAX_H
#define HGRD_MIN_MAX_H
#pragma GCC system_header
#ifdef HGRD_TOOLKIT
#define HGRD_SIDES static inline __host__
#else
#define HGRD_SIDES static inline __host__ __device__
#endif
#define HGRD_MIN_MAX(type)                                                                                             \
  HGRD_SIDES type min(type a, type b) { return b < a ? b : a; }                                                        \
  HGRD_SIDES type max(type a, type b) { return a < b ? b : a; }
HGRD_MIN_MAX(int)
HGRD_MIN_MAX(unsigned int)
HGRD_MIN_MAX(long)
HGRD_MIN_MAX(unsigned long)
HGRD_MIN_MAX(long long)
HGRD_MIN_MAX(unsigned long long)
HGRD_MIN_MAX(float)
HGRD_MIN_MAX(double)
#undef HGRD_MIN_MAX
#define HGRD_MIN_MAX_MIXED(first, second, wide)                                                                        \
  HGRD_SIDES wide min(first a, second b) { return (wide)b < (wide)a ? (wide)b : (wide)a; }                             \
  HGRD_SIDES wide max(first a, second b) { return (wide)a < (wide)b ? (wide)b : (wide)a; }                             \
  HGRD_SIDES wide min(second a, first b) { return (wide)b < (wide)a ? (wide)b : (wide)a; }                             \
  HGRD_SIDES wide max(second a, first b) { return (wide)a < (wide)b ? (wide)b : (wide)a; }
HGRD_MIN_MAX_MIXED(int, unsigned int, unsigned int)
HGRD_MIN_MAX_MIXED(long, unsigned long, unsigned long)
HGRD_MIN_MAX_MIXED(long long, unsigned long long, unsigned long long)
HGRD_MIN_MAX_MIXED(float, double, double)
#undef HGRD_MIN_MAX_MIXED
HGRD_SIDES unsigned int umin(unsigned int a, unsigned int b) { return b < a ? b : a; }
HGRD_SIDES unsigned int umax(unsigned int a, unsigned int b) { return a < b ? b : a; }
HGRD_SIDES long long llmin(long long a, long long b) { return b < a ? b : a; }
HGRD_SIDES long long llmax(long long a, long long b) { return a < b ? b : a; }
HGRD_SIDES unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return b < a ? b : a;
}
HGRD_SIDES unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a < b ? b : a;
}
#undef HGRD_SIDES

#endif
