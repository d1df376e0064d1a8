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
//@ launch: k<<<7, 1>>>(rows[2], sizes[0], sizes[3])
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

// Elements of arrays that are members, the first among them; members of members that have the same name; a variable
// that a call fills. Where the index is no constant it goes by its own name.
struct Tensor {
  int extents[4];
  float *data;
  Tensor *next;
};
struct Shape {
  int rows;
  float *data;
};
struct Output {
  Shape shape;
  float *data;
};
struct Layer {
  Output output;
};
void fill_tensor(Tensor *t);
void first_elements(Tensor *t) {
  k<<<11, 1>>>(t->data, t->extents[0], t->extents[1]);
  k<<<12, 1>>>(t->next->data, t->next->extents[0], t->next->extents[2]);
}
void same_names_inside(Layer *l) {
  k<<<13, 1>>>(l->output.data, l->output.shape.rows, 0);
  k<<<14, 1>>>(l->output.shape.data, l->output.shape.rows, 0);
}
void filled_here() {
  Tensor t;
  fill_tensor(&t);
  k<<<15, 1>>>(t.data, t.extents[3], t.extents[0]);
}
void any_element(Tensor *t, int i) {
  k<<<16, 1>>>(t->data, t->extents[i], i);
}
//@ launch: k<<<11, 1>>>(t->data, t->extents[0], t->extents[1])
//@ count: 1
//@ launch: k<<<12, 1>>>(t->next->data, t->next->extents[0], t->next->extents[2])
//@ count: 1
//@ launch: k<<<13, 1>>>(l->output.data, l->output.shape.rows, 0)
//@ count: 1
//@ launch: k<<<14, 1>>>(l->output.shape.data, l->output.shape.rows, 0)
//@ count: 1
//@ launch: k<<<15, 1>>>(t.data, t.extents[3], t.extents[0])
//@ count: 1
//@ launch: k<<<16, 1>>>(t->data, t->extents[i], i)
//@ count: 1
