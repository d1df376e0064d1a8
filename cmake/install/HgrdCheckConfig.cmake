# What find_package(HgrdCheck) reads. SPDX-License-Identifier: Apache-2.0
include("${CMAKE_CURRENT_LIST_DIR}/HgrdCheck.cmake")
if(NOT HGRD_CHECK_PROGRAM)
  set(HgrdCheck_FOUND FALSE)
  set(HgrdCheck_NOT_FOUND_MESSAGE "hgrd-check itself was not found; set HGRD_CHECK_PROGRAM to its path")
endif()
