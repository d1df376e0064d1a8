# Which commit is being built? Run at every build: cmake -DSOURCE=DIR -DOUT=HEADER -P Commit.cmake. The header is written
# anew only when the answer has changed. In a source archive, where there is no repository, git archive has put the commit
# into commit.txt; without either it is "unknown", which is no error.
# SPDX-License-Identifier: Apache-2.0
function(ask_git out)
  execute_process(COMMAND git -C "${SOURCE}" ${ARGN} OUTPUT_VARIABLE answer RESULT_VARIABLE status
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(status EQUAL 0)
    set(${out} "${answer}" PARENT_SCOPE)
  else()
    set(${out} "" PARENT_SCOPE)
  endif()
endfunction()

set(commit "")
if(EXISTS "${SOURCE}/.git") # not that of a tree around an unpacked archive
  ask_git(commit rev-parse --short=12 HEAD)
  ask_git(changed status --porcelain --untracked-files=no)
  if(commit AND changed)
    string(APPEND commit " with changes")
  endif()
endif()
if(NOT commit AND EXISTS "${SOURCE}/cmake/commit.txt")
  file(READ "${SOURCE}/cmake/commit.txt" archived)
  if(archived MATCHES "^([0-9a-f]+)")
    string(SUBSTRING "${CMAKE_MATCH_1}" 0 12 commit)
  endif()
endif()
if(NOT commit)
  set(commit unknown)
endif()

set(text "#define HGRD_COMMIT \"${commit}\"\n")
set(before "")
if(EXISTS "${OUT}")
  file(READ "${OUT}" before)
endif()
if(NOT text STREQUAL before)
  file(WRITE "${OUT}" "${text}")
endif()
