// Accesses go by what the user calls them, members of classes, of arrays in them and of what they point to; a twin without
// members goes by the name of its array.
//@ verdict members: racy
//@ verdict plain: racy
struct Size {
  int x, y;
};
struct Base {
  int first;
};
struct View : Base {
  float *data;
  Size size;
  int stride_, pad[3];
  __device__ void set_stride(int value) { stride_ = value; } // expect-race {{write to 'view->stride_'}}
};
struct Params {
  View views[2];
  float *rows[4];
};
__shared__ View shared_view;

__global__ void members(View *view, Params params, int n) {
  view->first = threadIdx.x;              // expect-race {{write to 'view->first'}}
  view->size.y = threadIdx.x;             // expect-race {{write to 'view->size.y'}}
  view->pad[n & 1] = threadIdx.x;         // expect-race {{write to 'view->pad[...]'}}
  atomicExch_block(&view->pad[2], 1);     // expect-race {{atomic access to 'view->pad[2]'}}
  view->set_stride(threadIdx.x);
  params.rows[1][0] = threadIdx.x;        // expect-race {{write to 'params.rows[1][0]'}}
  params.views[1].data[n] = threadIdx.x;  // expect-race {{write to 'params.views[1].data[...]'}}
  shared_view.size.x = threadIdx.x;       // expect-race {{write to 'shared_view.size.x'}}
}

__global__ void plain(int *view, int n) {
  view[n] = threadIdx.x; // expect-race {{write to 'view'}}
}

int main(int argc, char **argv) {
  View *view;
  Params params;
  int *ints;
  cudaMalloc((void **)&view, 1024);
  cudaMalloc((void **)&ints, 1024);
  cudaMalloc((void **)&params.rows[1], 1024);
  cudaMalloc((void **)&params.views[1].data, 1024);
  members<<<2, 64>>>(view, params, argc);
  plain<<<2, 64>>>(ints, argc);
}
