# Names of a header that is not there have stand-ins, of which nothing is known: host code that mentions them is read with
# its launches. What the library may change is unknown; a name of which the device or a size needs more has no stand-in.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
reuse_clang

cat >quiet.cu <<'CU'
#include <hgrd_no_such_library.h>
__global__ void fill(int *a, int step) { a[threadIdx.x * step] = threadIdx.x; }
int main() {
  int *a, step = 1;
  cudaMalloc(&a, 4096);
  library_start("a");
  fill<<<1, 32>>>(a, step);
}
CU
safe='^1 kernel: 1 race-free \(1 if' racy='^1 kernel: 0 race-free, 1 racy' undecided='^1 kernel: 0 race-free, 0 racy, 1 undecided'
# with LINE STATUS VERDICT: in place of the call of the library
with() {
  sed "s/library_start(\"a\");/$1/" quiet.cu >with.cu
  run "$HGRD_CHECK" --strict with.cu
  status_is "$2" && has out "$3"
  has_not err 'needs? it and (is|are) left out'
}
with 'library_start("a");' 3 "$safe"
has err "warning: with\.cu: 1 name of headers that are not there \('library_start'\) is taken for code and data"
has out "race-free only if what was not there .* \[A14\]: 'fill'" && has_not out 'no launch of kernel'

# What the library is given, at once or before, it may change.
with 'library_read(\&step);' 1 "$racy"
with 'library_read(step);' 1 "$racy"
with 'step = library::number(1);' 1 "$racy"
with 'library::Box box(\&step); box.change();' 1 "$racy"
with 'library::Box box; box.place = \&step; library_start(box);' 1 "$racy"
with 'library::Box box; box.place = \&step; box.place[0] = 0;' 1 "$racy"
with 'library::Box box = library::box(step);' 1 "$racy"
with 'int *place = library::keep(\&step); *place = 0;' 1 "$racy"
with 'library::Box box; box.place = step * box.rows; if (box.rows > 4 \&\& !box.at<float>(1, 2)) box += library::make({1, step});' 1 "$racy"
with 'int other = 0; library::Box box(\&other, LIBRARY_FLAG); box.change();' 3 "$safe"
with 'library::Box box, *at = library::best(\&box); int rows = at->rows + at->columns; int depth = at->depth;' 3 "$safe"
with 'for (auto \&one : library::all()) library::show(one, one.size());' 3 "$safe"
# A kernel that it is given it may launch; a function of the program may be called.
with 'LIBRARY_LAUNCH(fill, a);' 3 "$undecided"
sed '/^int main/i static int step = 1;\nstatic void change() { step = 0; }
  s/, step = 1;/;/; s/library_start("a")/library_start(change)/' quiet.cu >called.cu
run "$HGRD_CHECK" called.cu
status_is 1 && has out "$racy"

# What the device has of it, and how large it is, is not known: the host's code that needs it is left out.
sed 's/int step)/Library_Number step)/; s/int \*a, step/Library_Number step = 1; int *a, other/' quiet.cu >device.cu
run "$HGRD_CHECK" device.cu
status_is 2 && has err 'device\.cu does not compile'
sed 's/^__global__/struct Own { int n; };\n&/; s/int step)/Own own)/; s/\* step/* own.n/; s/(a, step)/(a, own)/; s/, step = 1;/; Own own = {1};/' \
  quiet.cu >own.cu
run "$HGRD_CHECK" own.cu
status_is 0 && has out "$safe"
copied() { # SIZE
  sed "s/int step)/const int *steps)/; s/\* step\]/* steps[8]]/; s/(a, step)/(a, steps)/; s/\*a, step = 1;/*a, *steps; library::Box box;/
    s/library_start.*/cudaMalloc(\&steps, 4096); cudaMemset(steps, 1, 4096);\n  cudaMemcpy(steps, \&box, $1, cudaMemcpyHostToDevice);/" quiet.cu >copied.cu
  run "$HGRD_CHECK" copied.cu
}
copied 'sizeof(int)'
status_is 0 && has out "$safe" && has_not err 'left out: every'
for size in 'sizeof(library::Box)' 'sizeof box' 'sizeof(box.data)'; do
  copied "$size"
  status_is 1 && has err '1 declaration or function of the host .* needs it and is left out'
done
# A template computes with the size of what it is given.
sed '/^int main/i template <class T> void upload(int *to, const T \&from) { cudaMemcpy(to, \&from, sizeof(T), cudaMemcpyHostToDevice); }
  s/cudaMemcpy(steps.*/int own = 0; upload(steps, own);/' copied.cu >template.cu
run "$HGRD_CHECK" template.cu
status_is 0 && has out "$safe"
sed 's/upload(steps, own)/upload(steps, box)/' template.cu >template_bad.cu
run "$HGRD_CHECK" template_bad.cu
status_is 1 && has_not err 'does not compile'
copied 'sizeof(library::Box *)'
status_is 0 && has_not err 'left out: every'

# A class of the program that a class of the library calls back has callers that are not seen.
sed '/^int main/i struct Task : library::Task { void run(int n) { int *a; cudaMalloc(\&a, 4096); fill<<<1, 32>>>(a, n); } };
  s/library_start("a")/Task task; task.run(1)/' quiet.cu >derived.cu
run "$HGRD_CHECK" derived.cu
status_is 1 && has err 'left out: every kernel is checked for any launch'
# Without a missing header a name that is not declared is a mistake.
sed '1d' quiet.cu >mistake.cu
run "$HGRD_CHECK" mistake.cu
[[ $status -eq 2 ]] || has err 'library_start'

# A function that another file of the program has is called with what is not seen, not only with what is.
sed 's/library_start("a");/run(a, 0);/; s/fill<<<.*//; s/, step = 1//; /^__global__/d' quiet.cu >caller.cu
printf '__global__ void rows(int *a, int step) { a[threadIdx.x * step] = threadIdx.x; }\nvoid run(int *a, int step) { rows<<<1, 32>>>(a, step); }\nvoid once(int *a) { run(a, 1); }\n' >callee.cu
run "$HGRD_CHECK" caller.cu callee.cu
status_is 1 && has out '^callee\.cu:1:.*race'
sed 's/run/go/g' callee.cu >other.cu
run "$HGRD_CHECK" caller.cu other.cu
status_is 0

# A value of it that is printed is handed on by value.
sed 's/library_start("a");/library::Box box; printf("%d %d\\n", box.rows, library_count()); auto rows = box.rows;/' quiet.cu >printed.cu
run "$HGRD_CHECK" printed.cu
[[ $status -le 1 ]] && has_not err 'error|left out: every' || complain "exit status $status"

# What the library does with an object of a class of the program may call its functions, which are not there as nothing here
# calls them; a number that is given beside it does not.
sed '/^int main/i struct Task { int *a; void operator()(int n) const { fill<<<1, 32>>>(a, n); } };' quiet.cu >handed.cu
sed -i 's/library_start("a");/library_each(Task{a}, 0);/' handed.cu
run "$HGRD_CHECK" handed.cu
status_is 1
sed -i 's/library_each(Task{a}, 0)/Task{a}(1), library_each(1, 0)/' handed.cu
run "$HGRD_CHECK" handed.cu
status_is 0

# A comma that the library may overload takes its operands by reference.
with 'library::Session session; session << "step", step;' 1 "$racy"
