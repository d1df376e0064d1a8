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


// The first member, whose address is that of the object; objects behind globals and from `new`; elements.
View view;
static View *other;
void first_member(View *v) {
  k<<<3, 1>>>(v->p, v->first, v->count);
}
void of_globals() {
  k<<<4, 1>>>(view.p, view.first, view.size.y);
  k<<<5, 1>>>(other->p, other->first, other->size.y);
}
void fill_view(View *view);
void made_here() {
  View *fresh = new View;
  fill_view(fresh);
  k<<<6, 1>>>(fresh->p, fresh->first, fresh->size.x);
}
void elements(float **rows, const int *sizes) {
  k<<<7, 1>>>(rows[2], sizes[0], sizes[3]);
}

//@ launch: k<<<3, 1>>>(v->p, v->first, v->count)
//@ count: 1
//@ launch: k<<<4, 1>>>(view.p, view.first, view.size.y)
//@ count: 1
//@ launch: k<<<5, 1>>>(other->p, other->first, other->size.y)
//@ count: 1
//@ launch: k<<<6, 1>>>(fresh->p, fresh->first, fresh->size.x)
//@ count: 1
//@ launch: k<<<7, 1>>>(rows[2], *sizes, sizes[3])
//@ count: 1
//@ launch: k<<<1, 1>>>(p->p, p->count, count)
//@ count: 1
//@ launch: k<<<2, 1>>>(view->p, view->last.y, view->size.x)
//@ count: 1

// Structs by value, in registers and in memory: each member by its name, and none said of the other.
struct Range {
  int low, high;
};
struct Plan {
  int rows, columns, depth;
};
void in_registers(float *p, Range range, Plan plan) {
  if (range.low < 32 || range.high <= range.low) return;
  k<<<8, 1>>>(p, range.low, range.high);
  k<<<9, 1>>>(p, plan.columns, plan.depth);
}
//@ launch: k<<<8, 1>>>(p, range.low, range.high)
//@ count: 1
//@ has: [assert] range.low < range.high
//@ has: [assert] 32 <= range.low
//@ launch: k<<<9, 1>>>(p, plan.columns, plan.depth)
//@ count: 1
