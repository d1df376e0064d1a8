// Two pointers of one launch that change in a loop without a closed form, come out of one table, or are computed:
// can they be the same memory? Each kernel copies an array to itself, one element on, if they are; in `apart`, the
// twins, they are not, and the copy goes from one array to the other.
//@ verdict met<1>: racy
//@ verdict met<2>: racy
//@ verdict met<3>: racy
//@ verdict met<4>: racy
//@ verdict met<5>: racy
//@ verdict met<6>: racy
//@ verdict met<7>: racy
//@ verdict met<8>: racy
//@ verdict met<9>: racy
//@ verdict apart<1>: race-free
//@ verdict apart<2>: race-free
//@ verdict apart<3>: race-free
//@ verdict apart<4>: race-free
//@ verdict apart<5>: race-free
//@ verdict apart<6>: race-free
//@ verdict apart<7>: race-free
//@ verdict apart<8>: race-free
//@ verdict apart<9>: race-free
#include <functional>
#include <utility>
#include <vector>
template <int> __global__ void met(int *a, const int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i + 1]; // expect-race
}
template <int> __global__ void apart(int *a, const int *b, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i + 1];
}
int *make(int n = 1024) {
  int *p;
  cudaMalloc(&p, n * sizeof(int));
  return p;
}
bool more(int);

// One of two, or exchanged: never the same.
void swapped(int rounds) {
  int *p = make(), *q = make();
  for (int i = 0; i < rounds; i++) {
    apart<1><<<4, 64>>>(p, q, 255);
    if (more(i)) std::swap(p, q);
  }
}
void handed_on(int rounds) {
  int *p = make(), *q = make();
  for (int i = 0; i < rounds; i++) {
    met<1><<<4, 64>>>(p, q, 255);
    if (more(i)) q = p;
  }
}
void three_swapped(int rounds) {
  int *p = make(), *q = make(), *r = make();
  for (int i = 0; i < rounds; i++) {
    apart<2><<<4, 64>>>(p, q, 255);
    if (more(i)) std::swap(p, q);
    else if (more(i + 1)) std::swap(q, r);
  }
}
void three_handed_on(int rounds) {
  int *p = make(), *q = make(), *r = make();
  for (int i = 0; i < rounds; i++) {
    met<2><<<4, 64>>>(p, q, 255);
    if (more(i)) std::swap(p, q);
    else if (more(i + 1)) q = r;
    else r = p;
  }
}
void one_changes(int rounds) {
  int *p = make(), *q = make(), *r = make();
  while (more(rounds)) {
    apart<3><<<4, 64>>>(p, r, 255);
    if (more(1)) r = q;
  }
}
void both_change(int rounds) {
  int *p = make(), *q = make(), *r = make();
  while (more(rounds)) {
    met<3><<<4, 64>>>(p, r, 255);
    if (more(1)) r = q;
    if (more(2)) p = q;
  }
}
// What an earlier round made is not what this one makes ...
void new_and_old(int rounds) {
  int *p = make();
  for (int i = 0; i < rounds; i++) {
    int *made = make();
    apart<4><<<4, 64>>>(made, p, 255);
    if (more(i)) p = made;
  }
}
// ... but two of them may be from one round.
void old_and_old(int rounds) {
  int *p = make(), *q = p;
  for (int i = 0; i < rounds; i++) {
    int *made = make();
    met<4><<<4, 64>>>(q, p, 255);
    if (more(i)) p = made;
    if (more(2)) q = made;
  }
}
void one_switch(int rounds) {
  int *p[2] = {make(), make()}, at = 0;
  for (int i = 0; i < rounds; i++) {
    apart<5><<<4, 64>>>(p[at], p[1 - at], 255);
    if (more(i)) at = 1 - at;
  }
}
void two_switches(int rounds) {
  int *p[2] = {make(), make()}, at = 0, other = 1;
  for (int i = 0; i < rounds; i++) {
    met<5><<<4, 64>>>(p[at], p[other], 255);
    if (more(i)) at = 1 - at;
    if (more(2)) other = 1 - other;
  }
}
// A pointer that walks.
void walks_elsewhere(int rounds) {
  int *p = make(8192), *q = make(8192), *r = p;
  for (int i = 0; i < rounds; i++) {
    apart<6><<<4, 64>>>(q, r, 255);
    if (more(i)) r += 256;
  }
}
void walks_here(int rounds) {
  int *p = make(8192), *r = p;
  for (int i = 0; i < rounds; i++) {
    met<6><<<4, 64>>>(p, r, 255);
    if (more(i)) r += 256;
  }
}
// Out of a table.
void other_element(int i) {
  std::vector<int *> table;
  for (int k = 0; k < 4; k++) table.push_back(make());
  apart<7><<<4, 64>>>(table[i], table[i + 1], 255);
}
void some_element(int i) {
  std::vector<int *> table;
  for (int k = 0; k < 4; k++) table.push_back(make());
  met<7><<<4, 64>>>(table[i], table[0], 255);
}
// In bits.
void rounded_elsewhere() {
  int *p = make(), *q = make();
  apart<8><<<4, 64>>>(q, (int *)((size_t)(p + 5) & ~(size_t)15), 255);
}
void rounded() {
  int *p = make();
  met<8><<<4, 64>>>(p, (int *)((size_t)(p + 5) & ~(size_t)15), 255);
}
// The arguments of a launch may come from calls through pointers: those are no launches.
void from_functions() {
  std::function<int *()> f = [] { return make(); };
  apart<9><<<4, 64>>>(make(), f(), 255);
}
void from_lambda() {
  auto f = [p = make()] { return p; };
  met<9><<<4, 64>>>(f(), f(), 255);
}
