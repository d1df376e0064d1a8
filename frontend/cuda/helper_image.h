// Image files and comparisons of the CUDA samples: prototypes, because contents of files are unknown to the analysis.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HELPER_IMAGE_H
#define HGRD_HELPER_IMAGE_H
#pragma GCC system_header
#include <algorithm>
#include <assert.h>
#include <fstream>
#include <iostream>
#include <math.h>
#include <string>
#include <vector>

#ifndef MIN
#define MIN(a, b) ((a < b) ? a : b)
#endif
#ifndef MAX
#define MAX(a, b) ((a > b) ? a : b)
#endif

template <class T> bool sdkLoadPGM(const char *name, T **data, unsigned int *width, unsigned int *height);
template <class T> bool sdkSavePGM(const char *name, T *data, unsigned int width, unsigned int height);
template <class T> bool sdkLoadPPM4(const char *name, T **data, unsigned int *width, unsigned int *height);
bool __loadPPM(const char *name, unsigned char **data, unsigned int *width, unsigned int *height,
               unsigned int *channels);
bool __savePPM(const char *name, unsigned char *data, unsigned int width, unsigned int height, unsigned int channels);
bool sdkLoadPPM4ub(const char *name, unsigned char **data, unsigned int *width, unsigned int *height);
bool sdkSavePPM4ub(const char *name, unsigned char *data, unsigned int width, unsigned int height);
template <class T> bool sdkReadFile(const char *name, T **data, unsigned int *length, bool verbose);
template <class T>
bool sdkReadFileBlocks(const char *name, T **data, unsigned int *length, unsigned int block, unsigned int bytes,
                       bool verbose);
template <class T, class S>
bool sdkWriteFile(const char *name, const T *data, unsigned int length, const S epsilon, bool verbose,
                  bool append = false);
template <class T, class S>
bool compareData(const T *reference, const T *data, const unsigned int length, const S epsilon, const float threshold);
template <class T, class S>
bool compareDataAsFloatThreshold(const T *reference, const T *data, const unsigned int length, const S epsilon,
                                 const float threshold);
void sdkDumpBin(void *data, unsigned int bytes, const char *name);
bool sdkCompareBin2BinUint(const char *file, const char *reference, unsigned int count, const float epsilon,
                           const float threshold, char *program);
bool sdkCompareBin2BinFloat(const char *file, const char *reference, unsigned int count, const float epsilon,
                            const float threshold, char *program);
bool sdkCompareL2fe(const float *reference, const float *data, const unsigned int length, const float epsilon);
bool sdkLoadPPM4ub(const char *name, unsigned char **data, unsigned int *width, unsigned int *height);
bool sdkComparePPM(const char *file, const char *reference, const float epsilon, const float threshold, bool verbose);
bool sdkComparePGM(const char *file, const char *reference, const float epsilon, const float threshold, bool verbose);

#endif
