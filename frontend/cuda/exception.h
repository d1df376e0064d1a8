// Exceptions with a source place, of the CUDA samples.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_EXCEPTION_H
#define HGRD_EXCEPTION_H
#pragma GCC system_header
#include <exception>
#include <iostream>
#include <stdexcept>
#include <stdlib.h>
#include <string>

template <class Base> class Exception : public Base {
public:
  Exception(const std::string &text) : Base(text) {}
  static void throw_it(const char *, int, const char *text = "") { throw Exception(text); }
  static void throw_it(const char *, int, const std::string &text) { throw Exception(text); }
};
template <class E> inline void handleException(const E &e) {
  std::cerr << e.what() << std::endl;
  exit(EXIT_FAILURE);
}
#define RUNTIME_EXCEPTION(text) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, text)
#define LOGIC_EXCEPTION(text) Exception<std::logic_error>::throw_it(__FILE__, __LINE__, text)
#define RANGE_EXCEPTION(text) Exception<std::range_error>::throw_it(__FILE__, __LINE__, text)

#endif
