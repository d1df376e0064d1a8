# hgrd_check(TARGET): a target that checks another target's CUDA sources for data races, with the flags that they are
# built with.
#
#   find_package(HgrdCheck REQUIRED)
#   hgrd_check(app)                        # cmake --build build --target hgrd-app
#
#   hgrd_check(<target>
#     [NAME <name>]              # of the new target; hgrd-<target>
#     [FORMATS <form>...]        # reports besides the text, each into <name>.<form>: json sarif html gitlab junit
#     [OUTPUT_DIR <dir>]         # where they go; the current binary directory
#     [BASELINE <file>]          # findings known already
#     [SUPPRESSIONS <file>...]   # findings that are meant to be
#     [UNITS]                    # check the units that hgrd-cc (CMAKE_<LANG>_COMPILER_LAUNCHER) left beside the objects
#     [OPTIONS <option>...]      # more options of hgrd-check: --strict, -Werror, --arch=sm_90, -j4 ...
#     [ALL]                      # part of the default build, which then fails on findings
#     [TEST])                    # a test for ctest as well, called <name>
#
# All C++ and CUDA sources of the target go on one command line, because an assert in a .cpp file counts for a launch in
# it. Flags come from compile_commands.json, which generators for Ninja and Makefiles write.
# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# Installed, this file is in PREFIX/share/cmake/HgrdCheck.
find_program(HGRD_CHECK_PROGRAM hgrd-check HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin"
  DOC "finds data races in CUDA kernels")

function(hgrd_check target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ALL;TEST;UNITS" "NAME;OUTPUT_DIR;BASELINE" "FORMATS;SUPPRESSIONS;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "hgrd_check(${target}): not understood: ${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "hgrd_check(${target}): there is no target of that name yet; call it after add_executable")
  endif()
  if(NOT HGRD_CHECK_PROGRAM)
    message(FATAL_ERROR "hgrd_check(${target}): hgrd-check was not found; set HGRD_CHECK_PROGRAM to its path")
  endif()
  if(CMAKE_CONFIGURATION_TYPES)
    message(FATAL_ERROR "hgrd_check(${target}): ${CMAKE_GENERATOR} writes no compile_commands.json; use Ninja or Makefiles")
  endif()
  set(name ${arg_NAME})
  if(NOT name)
    set(name hgrd-${target})
  endif()
  set(dir ${arg_OUTPUT_DIR})
  if(NOT dir)
    set(dir ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  get_filename_component(dir ${dir} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
  file(MAKE_DIRECTORY ${dir})
  set_property(TARGET ${target} PROPERTY EXPORT_COMPILE_COMMANDS ON)

  set(command ${HGRD_CHECK_PROGRAM} -p ${CMAKE_BINARY_DIR} ${arg_OPTIONS} --format=text)
  foreach(form IN LISTS arg_FORMATS)
    if(NOT form MATCHES "^(json|sarif|html|gitlab|junit)$")
      message(FATAL_ERROR "hgrd_check(${target}): FORMATS: '${form}' is none of json, sarif, html, gitlab, junit")
    endif()
    list(APPEND command --format=${form} --output=${dir}/${name}.${form})
  endforeach()
  foreach(file IN LISTS arg_SUPPRESSIONS)
    get_filename_component(file ${file} ABSOLUTE)
    list(APPEND command --suppressions=${file})
  endforeach()
  if(arg_BASELINE)
    get_filename_component(file ${arg_BASELINE} ABSOLUTE)
    list(APPEND command --baseline=${file})
  endif()
  set(sources "$<TARGET_PROPERTY:${target},SOURCES>")
  if(arg_UNITS)
    set(sources "$<TARGET_OBJECTS:${target}>")
    list(APPEND command "$<JOIN:$<FILTER:${sources},INCLUDE,\\.(cu|cc|cpp|cxx|c[+][+]|C)\\.o(bj)?$>,.hgrd$<SEMICOLON>>.hgrd")
  else()
    list(APPEND command "$<FILTER:${sources},INCLUDE,\\.(cu|cc|cpp|cxx|c[+][+]|c|C)$>")
  endif()

  set(folder "$<TARGET_PROPERTY:${target},SOURCE_DIR>")
  set(all)
  if(arg_ALL)
    set(all ALL)
  endif()
  add_custom_target(${name} ${all} COMMAND ${command} WORKING_DIRECTORY ${folder} VERBATIM COMMAND_EXPAND_LISTS
    COMMENT "Looking for data races in ${target}")
  if(arg_UNITS)
    add_dependencies(${name} ${target}) # they are made when it is built
  endif()
  if(arg_TEST)
    add_test(NAME ${name} COMMAND ${command} WORKING_DIRECTORY ${folder} COMMAND_EXPAND_LISTS)
  endif()
endfunction()
