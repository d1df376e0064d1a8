// Clang 19 includes this header of older CUDA toolkits, which CUDA 13 no longer has: nothing in it is needed.
// SPDX-License-Identifier: Apache-2.0
