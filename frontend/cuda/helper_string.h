// Command line and file name helpers of the CUDA samples. Values from the command line are unknown to the analysis, so
// these are prototypes.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HELPER_STRING_H
#define HGRD_HELPER_STRING_H
#pragma GCC system_header
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fstream>
#include <string>

#ifndef STRCASECMP
#include <strings.h>
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, length, from) strcpy(to, from)
#endif
#ifndef FOPEN
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result) (result == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

int stringRemoveDelimiter(char delimiter, const char *text);
int getFileExtension(char *name, char **extension);
bool checkCmdLineFlag(const int argc, const char **argv, const char *flag);
int getCmdLineArgumentInt(const int argc, const char **argv, const char *flag);
float getCmdLineArgumentFloat(const int argc, const char **argv, const char *flag);
bool getCmdLineArgumentString(const int argc, const char **argv, const char *flag, char **value);
template <class T> bool getCmdLineArgumentValue(const int argc, const char **argv, const char *flag, T *value);
char *sdkFindFilePath(const char *name, const char *program);

#endif
