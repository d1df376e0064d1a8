// What nvcc includes of the C and C++ libraries in front of every file (`nvcc -M` of an empty one). Read as text it takes
// longer than all our declarations; with these it is precompiled.
// SPDX-License-Identifier: Apache-2.0
#pragma GCC system_header
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>
