# Which Z3 is this? Budgets are counts of its steps, so that a verdict near the end of a budget can be another one with another
# Z3; costs are measured with HGRD_Z3_MEASURED. Read from its header, so that a cross build can ask too.
# Included, or run by itself: cmake -DZ3_INCLUDE=DIR -P Z3Version.cmake. SPDX-License-Identifier: Apache-2.0
set(HGRD_Z3_MEASURED 4.8.12)
if(NOT EXISTS "${Z3_INCLUDE}/z3_version.h")
  message(FATAL_ERROR "${Z3_INCLUDE}/z3_version.h is not there: install libz3-dev, or set Z3_INCLUDE to the folder of z3.h")
endif()
set(HGRD_Z3_VERSION)
foreach(part MAJOR_VERSION MINOR_VERSION BUILD_NUMBER)
  file(STRINGS "${Z3_INCLUDE}/z3_version.h" line REGEX "^#define[ \t]+Z3_${part}[ \t]+[0-9]+[ \t]*$")
  string(REGEX MATCH "[0-9]+[ \t]*$" number "${line}")
  string(STRIP "${number}" number)
  if(number STREQUAL "")
    message(FATAL_ERROR "${Z3_INCLUDE}/z3_version.h tells no Z3_${part}: install Debian's libz3-dev, or set Z3_INCLUDE")
  endif()
  list(APPEND HGRD_Z3_VERSION ${number})
endforeach()
list(JOIN HGRD_Z3_VERSION "." HGRD_Z3_VERSION)
if(HGRD_Z3_VERSION VERSION_LESS HGRD_Z3_MEASURED)
  message(FATAL_ERROR "Z3 ${HGRD_Z3_VERSION} is too old: install ${HGRD_Z3_MEASURED} or later (Debian 12 and Ubuntu 24.04 have it as libz3-dev)")
elseif(NOT HGRD_Z3_VERSION VERSION_EQUAL HGRD_Z3_MEASURED)
  message(WARNING "Z3 ${HGRD_Z3_VERSION} is not the one that hgrd was measured with (${HGRD_Z3_MEASURED}): budgets are its counts, "
    "so more or fewer kernels may be undecided, and tests of costs may fail. Nothing is wrong otherwise")
endif()
