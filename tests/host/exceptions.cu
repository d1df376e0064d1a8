// A catch block is reached from every call in its try block: what was tested on the way no longer holds behind it. In
// the twins the handler passes the exception on, so that what comes behind has seen all tests.
#include <cstdio>
#include <stdexcept>
#include <string>

__global__ void k(float *d, int n) { d[n] = 1; }
void check(const std::string &name);

void caught(float *d, int n) {
  std::string name = "a name that is too long to be kept in place";
  try {
    check(name);
    if (n < 256) throw std::runtime_error(name);
    k<<<1, 1>>>(d, n);
  } catch (const std::exception &e) {
    printf("%s\n", e.what());
  }
  k<<<1, 2>>>(d, n);
}
void passed_on(float *d, int n) {
  std::string name = "a name that is too long to be kept in place";
  try {
    check(name);
    if (n < 256) throw std::runtime_error(name);
    k<<<2, 1>>>(d, n);
  } catch (const std::exception &e) {
    printf("%s\n", e.what());
    throw;
  }
  k<<<2, 2>>>(d, n);
}
static void need(int n) {
  if (n < 256) throw std::invalid_argument("n");
}
void caught_of_callee(float *d, int n) {
  try {
    need(n);
  } catch (...) {
    n = 0;
  }
  k<<<3, 1>>>(d, n);
}
void passed_on_by_callee(float *d, int n) {
  std::string name = "destroyed on both ways, and a long one";
  need(n);
  k<<<4, 1>>>(d, n);
}
struct Last {
  float *d;
  ~Last() { k<<<5, 1>>>(d, 5); }
};
void cleans_up_with_a_launch(float *d, int n) {
  Last last{d};
  check("x");
  if (n == 7) throw 1;
}

//@ launch: k<<<1, 1>>>
//@ has: [assert] 256 <= n
//@ launch: k<<<1, 2>>>
//@ lacks: [assert] 256 <= n
//@ launch: k<<<2, 1>>>
//@ has: [assert] 256 <= n
//@ launch: k<<<2, 2>>>
//@ has: [assert] 256 <= n
//@ launch: k<<<3, 1>>>
//@ lacks: [assert] 256 <= n
//@ launch: k<<<4, 1>>>
//@ has: [assert] 256 <= n
//@ launch: k<<<5, 1>>>
//@ lacks: [assert] n != 7
