// One pointer at two places of the host's memory, put there by code whose text is seen but which is not followed: what is read back may be one
// pointer, so that a race that needs it is possible, or the kernel undecided (bad). What the same code is seen to make anew for each place is
// apart (ok). Kernels of one name shift by one place out of one array into the other, or write a row for each of four threads.
// copied: rows of a loop, copied one by one to the device, each row (ok), or each second one twice (bad). kept: a row that some rounds do not
// allocate is copied again (bad). pushed: rows pushed into a vector, apart (ok), or overlapping (bad). shifted: rows moved by one place in a
// loop (bad). records: one record with a pointer copied to two places by a loop (bad), or by resize (bad); each given its own (ok).
// turns: two buffers that change places in a loop of launches (ok), of which one is then copied over the other (bad).
// lazy: a table that is filled when it is first asked, of which two elements are taken (ok) or two that may be one (bad).
// named: a map of which one name is given what the other has (bad), or each its own (ok). ends: both ends of a list.
// copies: a vector of records that is copied (bad), or made of copies (bad). linked: nodes of a list that has a cycle (bad).
// passed: arguments of a function with an ellipsis. queue: what is taken out of a queue is put in again (bad). free_list: memory that has
// been given back is handed out again (bad). reversed: a copied array, reversed.
//@ verdict copied_ok: race-free
//@ verdict copied_bad: racy
//@ known-undecided copied_bad: what a loop has allocated and another one hands on is not followed
//@ verdict kept_bad: racy
//@ known-undecided kept_bad: what a loop has allocated in some of its rounds is not followed
//@ verdict pushed_ok: race-free
//@ verdict pushed_bad: racy
//@ verdict shifted_bad: racy
//@ verdict records_ok: race-free
//@ verdict records_bad: racy
//@ verdict resized_bad: racy
//@ verdict turns_ok: race-free
//@ leans turns_ok: !A2
//@ verdict turns_bad: racy
//@ verdict lazy_ok: race-free
//@ known-false-alarm lazy_ok: that a loop puts another allocation into each element, where it does, is not seen
//@ verdict lazy_bad: racy
//@ verdict named_ok: race-free
//@ known-false-alarm named_ok: where the copies lead of a record that is put into a vector twice (made_bad) is not followed; alone: names_in_map.cu
//@ verdict named_bad: racy
//@ verdict ends_bad: racy
//@ verdict copies_bad: racy
//@ verdict made_bad: racy
//@ verdict linked_bad: racy
//@ verdict passed_bad: racy
//@ verdict queue_bad: racy
//@ verdict free_list_bad: racy
//@ verdict reversed_bad: racy
#include <algorithm>
#include <cstdarg>
#include <cuda_runtime.h>
#include <deque>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

struct Record {
  int *a, *b;
};

__device__ void write_rows(int **rows) {
  int t = threadIdx.x;
  rows[t & 3][t / 4] = t; // expect-race[rows]
}
__global__ void copied_ok(int **rows) { write_rows(rows); } // expect-clean
__global__ void copied_bad(int **rows) { write_rows(rows); }
__global__ void kept_bad(int **rows) { write_rows(rows); }
__global__ void pushed_ok(int **rows) { write_rows(rows); } // expect-clean
__global__ void pushed_bad(int **rows) { write_rows(rows); }
__global__ void shifted_bad(int **rows) { write_rows(rows); }

__device__ void write_record(const Record *records) {
  records[blockIdx.x].a[threadIdx.x] = blockIdx.x; // expect-race[records]
}
__global__ void records_ok(const Record *records) { write_record(records); } // expect-clean
__global__ void records_bad(const Record *records) { write_record(records); }
__global__ void resized_bad(const Record *records) { write_record(records); }

__device__ void shift(int *a, const int *b) {
  int i = threadIdx.x;
  if (i < 63) a[i] = b[i + 1]; // expect-race[shift]
}
__global__ void turns_ok(int *a, const int *b) { shift(a, b); } // expect-clean
__global__ void turns_bad(int *a, const int *b) { shift(a, b); }
__global__ void lazy_ok(int *a, const int *b) { shift(a, b); } // expect-clean
__global__ void lazy_bad(int *a, const int *b) { shift(a, b); }
__global__ void named_ok(int *a, const int *b) { shift(a, b); } // expect-clean
__global__ void named_bad(int *a, const int *b) { shift(a, b); }
__global__ void ends_bad(int *a, const int *b) { shift(a, b); }
__global__ void copies_bad(int *a, const int *b) { shift(a, b); }
__global__ void made_bad(int *a, const int *b) { shift(a, b); }
__global__ void linked_bad(int *a, const int *b) { shift(a, b); }
__global__ void passed_bad(int *a, const int *b) { shift(a, b); }
__global__ void queue_bad(int *a, const int *b) { shift(a, b); }
__global__ void free_list_bad(int *a, const int *b) { shift(a, b); }
__global__ void reversed_bad(int *a, const int *b) { shift(a, b); }

static void rows() {
  int *h[4], **d, **e, *kept, *all;
  cudaMalloc(&d, sizeof h);
  for (int i = 0; i < 4; i++)
    cudaMalloc(&h[i], 64);
  for (int i = 0; i < 4; i++)
    cudaMemcpy(d + i, &h[i], sizeof *h, cudaMemcpyHostToDevice);
  copied_ok<<<1, 64>>>(d);
  cudaMalloc(&e, sizeof h);
  for (int i = 0; i < 4; i++)
    cudaMemcpy(e + i, &h[i & 2], sizeof *h, cudaMemcpyHostToDevice);
  copied_bad<<<1, 64>>>(e);

  int **f, **g;
  cudaMalloc(&f, sizeof h);
  for (int i = 0; i < 4; i++) {
    if (i != 2) cudaMalloc(&kept, 64);
    cudaMemcpy(f + i, &kept, sizeof kept, cudaMemcpyHostToDevice);
  }
  kept_bad<<<1, 64>>>(f);

  std::vector<int *> apart, near;
  int **p, **q;
  cudaMalloc(&all, 256);
  for (int i = 0; i < 4; i++)
    apart.push_back(all + 16 * i);
  for (int i = 0; i < 4; i++)
    near.push_back(all + 15 * i);
  cudaMalloc(&p, sizeof h);
  cudaMalloc(&q, sizeof h);
  cudaMemcpy(p, apart.data(), sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(q, near.data(), sizeof h, cudaMemcpyHostToDevice);
  pushed_ok<<<1, 64>>>(p);
  pushed_bad<<<1, 64>>>(q);

  cudaMalloc(&g, sizeof h);
  for (int i = 3; i > 0; i--)
    h[i] = h[i - 1];
  cudaMemcpy(g, h, sizeof h, cudaMemcpyHostToDevice);
  shifted_bad<<<1, 64>>>(g);
}

static void records() {
  Record *h = new Record[2], *own = new Record[2], *d, *e, *f, one;
  std::vector<Record> resized;
  cudaMalloc(&one.a, 256);
  cudaMalloc(&one.b, 256);
  for (int i = 0; i < 2; i++)
    cudaMalloc(&own[i].a, 256);
  for (int i = 0; i < 2; i++)
    h[i] = one;
  resized.resize(2, one);
  cudaMalloc(&d, 2 * sizeof *d);
  cudaMalloc(&e, 2 * sizeof *d);
  cudaMalloc(&f, 2 * sizeof *d);
  cudaMemcpy(d, own, 2 * sizeof *d, cudaMemcpyHostToDevice);
  cudaMemcpy(e, h, 2 * sizeof *d, cudaMemcpyHostToDevice);
  cudaMemcpy(f, resized.data(), 2 * sizeof *d, cudaMemcpyHostToDevice);
  records_ok<<<2, 64>>>(d);
  records_bad<<<2, 64>>>(e);
  resized_bad<<<2, 64>>>(f);
}

static void turns(int rounds) {
  int *p[2], *q[2];
  cudaMalloc(&p[0], 256);
  cudaMalloc(&p[1], 256);
  for (int i = 0; i < rounds; i++)
    turns_ok<<<1, 64>>>(p[i % 2], p[(i + 1) % 2]);
  cudaMalloc(&q[0], 256);
  cudaMalloc(&q[1], 256);
  for (int i = 0; i < rounds; i++) {
    turns_bad<<<1, 64>>>(q[i % 2], q[(i + 1) % 2]);
    if (i == 3) q[0] = q[1];
  }
}

static int *table[2];
static int *get(int i) {
  for (int k = 0; k < 2; k++)
    if (!table[k]) cudaMalloc(&table[k], 256);
  return table[i % 2];
}

struct Buffer {
  int *p;
  Buffer() { cudaMalloc(&p, 256); }
};
struct Node {
  int *p;
  Node *next;
};

static void passed(int n, ...) {
  va_list list;
  va_start(list, n);
  int *a = va_arg(list, int *), *b = va_arg(list, int *);
  va_end(list);
  passed_bad<<<1, 64>>>(a, b);
}

struct Pool {
  std::unordered_map<size_t, std::vector<void *>> free;
  void *get(size_t n) {
    auto &list = free[n];
    void *p;
    if (list.empty()) {
      cudaMalloc(&p, n);
      return p;
    }
    p = list.back();
    list.pop_back();
    return p;
  }
  void put(void *p, size_t n) { free[n].push_back(p); }
};

static void containers(int rounds) {
  int *one, *two;
  cudaMalloc(&one, 256);
  cudaMalloc(&two, 256);
  std::map<std::string, int *> own, same;
  own["a"] = one;
  own["b"] = two;
  named_ok<<<1, 64>>>(own["a"], own["b"]);
  same["a"] = one;
  same["b"] = same["a"];
  named_bad<<<1, 64>>>(same["a"], same["b"]);

  std::list<int *> list;
  list.push_back(one);
  list.push_front(one);
  ends_bad<<<1, 64>>>(list.front(), list.back());

  std::vector<Buffer> v(3), w = v, made(3, Buffer());
  copies_bad<<<1, 64>>>(v[1].p, w[1].p);
  made_bad<<<1, 64>>>(made[0].p, made[1].p);

  std::deque<int *> queue;
  for (int i = 0; i < 3; i++) {
    int *p;
    cudaMalloc(&p, 256);
    queue.push_back(p);
  }
  for (int i = 0; i < rounds; i++) {
    queue_bad<<<1, 64>>>(queue[0], queue[1]);
    queue.push_back(queue[0]);
    if (i != 5) queue.pop_front();
  }

  int *from[4], *to[4];
  for (auto &p : from)
    cudaMalloc(&p, 256);
  std::copy(from, from + 4, to);
  std::reverse(to, to + 4);
  reversed_bad<<<1, 64>>>(from[0], to[3]);

  Node *head = nullptr;
  for (int i = 0; i < 3; i++) {
    Node *node = new Node;
    cudaMalloc(&node->p, 256);
    node->next = head;
    head = node;
  }
  head->next->next = head;
  linked_bad<<<1, 64>>>(head->p, head->next->next->p);

  Pool pool;
  void *first = pool.get(256);
  pool.put(first, 256);
  free_list_bad<<<1, 64>>>((int *)first, (int *)pool.get(256));
}

int main(int argc, char **) {
  int *both;
  rows();
  records();
  turns(argc);
  lazy_ok<<<1, 64>>>(get(0), get(1));
  lazy_bad<<<1, 64>>>(get(argc), get(argc + 2));
  containers(argc);
  cudaMalloc(&both, 256);
  passed(2, both, both);
}
