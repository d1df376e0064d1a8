// What of PyTorch's C++ interface launches hang on, in place of its headers where they are not there (frontend/sketches.c):
// tensors with their sizes, strides and memory, types, dispatch by type, checks, accessors. A sketch: a tensor is a value
// that shares its memory; what an operation computes is a new tensor of which the contents, and unless they follow from
// those of an operand the sizes, are not known. Left out: gradients, devices, layouts other than strides; `contiguous()`
// and moves between devices give the tensor itself. Which answer a question has that it does not know is left open.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_PYTORCH_H
#define HGRD_PYTORCH_H
#pragma GCC system_header
#include <pytorch/scalars.h>
#include <pytorch/tensor.h>
#include <pytorch/accessors.h>
#include <pytorch/dispatch.h>
#include <pytorch/device.h>
#include <pytorch/runtime.h>
#endif
#if __has_include(<hgrd_stand_ins.h>)
#include <hgrd_stand_ins.h>
#endif
