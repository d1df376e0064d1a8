// A name that no header declares is an error: the check above would notice a missing declaration.
//@ fail: undeclared identifier 'atomicFrobnicate'
// SPDX-License-Identifier: Apache-2.0
__global__ void kernel(int *a) { atomicFrobnicate(a, 1); }
