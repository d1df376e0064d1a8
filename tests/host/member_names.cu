// Members have the names that their class gives them, also where another variable has the same name, in members that
// are classes themselves, and in bases.
struct Size {
  int x, y;
};
struct Base {
  int first, count;
};
struct View : Base {
  Size size, last;
  float *p;
};
__global__ void k(float *d, int a, int b) { d[a] = b; }

void same_name(View *p, int count) {
  k<<<1, 1>>>(p->p, p->count, count);
}
void other_name(View *view) {
  k<<<2, 1>>>(view->p, view->last.y, view->size.x);
}

//@ launch: k<<<1, 1>>>(p->p, p->count, count)
//@ count: 1
//@ launch: k<<<2, 1>>>(view->p, view->last.y, view->size
//@ count: 1
