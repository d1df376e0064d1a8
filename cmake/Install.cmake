# What is installed, and what `cpack` packs: the Debian package and the archive hold the same files (cmake/package/).
# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)

install(TARGETS hgrd-installed hgrd-run-installed RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET hgrd-clang)
  install(TARGETS hgrd-clang RUNTIME DESTINATION lib/hgrd)
endif()
install(FILES ${CMAKE_BINARY_DIR}/libhgrdrt.a ${CMAKE_BINARY_DIR}/libhgrdrt.names DESTINATION lib/hgrd)
install(DIRECTORY frontend/cuda/ DESTINATION ${CMAKE_INSTALL_DATADIR}/hgrd/cuda PATTERN .clang-format EXCLUDE)
install(PROGRAMS driver/hgrd-cc DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES docs/schema/hgrd-1.json DESTINATION ${CMAKE_INSTALL_DATADIR}/hgrd/schema)
install(FILES docs/hgrd-check.1 docs/hgrd-cc.1 docs/hgrd-run.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# The program itself prints the scripts that complete its options.
set(completions)
foreach(shell bash zsh fish)
  set(script ${CMAKE_BINARY_DIR}/generated/completion.${shell})
  add_custom_command(OUTPUT ${script} DEPENDS hgrd-installed
    COMMAND hgrd-installed --completion=${shell} >${script}.new && ${CMAKE_COMMAND} -E rename ${script}.new ${script})
  list(APPEND completions ${script})
endforeach()
add_custom_target(completions ALL DEPENDS ${completions})
install(FILES ${CMAKE_BINARY_DIR}/generated/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME hgrd-check)
install(FILES ${CMAKE_BINARY_DIR}/generated/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _hgrd-check)
install(FILES ${CMAKE_BINARY_DIR}/generated/completion.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  RENAME hgrd-check.fish)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN site EXCLUDE PATTERN schema EXCLUDE PATTERN *.1 EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

# find_package(HgrdCheck 0.2): before 1.0 the minor number changes when something that is promised does.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/HgrdCheckConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/install/HgrdCheck.cmake cmake/install/HgrdCheckConfig.cmake
  ${CMAKE_BINARY_DIR}/generated/HgrdCheckConfigVersion.cmake DESTINATION ${CMAKE_INSTALL_DATADIR}/cmake/HgrdCheck)

# Where it is installed for good, the declarations are precompiled for the usual architectures; not into a package, where
# clang may be another one (the Debian package does it when it is installed).
install(CODE "
  if(NOT DEFINED ENV{DESTDIR} OR \"\$ENV{DESTDIR}\" STREQUAL \"\")
    foreach(arch 75 80 86 89 90)
      execute_process(COMMAND \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/hgrd-check\" --precompile --arch=sm_\${arch}
        OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE status)
    endforeach()
  endif()" COMPONENT precompiled)

set(CPACK_PACKAGE_NAME hgrd)
set(CPACK_PACKAGE_VENDOR "the hgrd maintainers")
set(HGRD_PACKAGE_CONTACT "hgrd maintainers <maintainers@hgrd.example>" CACHE STRING "Maintainer of the packages that cpack makes")
set(CPACK_PACKAGE_CONTACT "${HGRD_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "static data-race analyzer for CUDA kernels")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};hgrd;Unspecified;/")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/package)
set(CPACK_GENERATOR DEB TZST)
set(CPACK_PACKAGE_FILE_NAME hgrd-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/package/DebianFiles.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 0hgrd1) # a package of Debian's own, -1, would take its place
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS clang-${HGRD_LLVM}) # which brings the linker and the headers that hgrd-run needs as well
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, ninja-build")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/cmake/package/postinst
  ${CMAKE_SOURCE_DIR}/cmake/package/prerm ${CMAKE_SOURCE_DIR}/cmake/package/triggers)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"hgrd-check finds data races in CUDA kernels while they are compiled, without
a GPU and without a CUDA toolkit. It reads the host code as well: what the
program asserts, how it launches, what it allocates. It says which accesses
race, under which launch and for which two threads, and is silent where the
host code shows that they cannot.
.
hgrd-run builds a program and executes it on the CPU, under a detector of
races, without a GPU.
.
Reports are compiler warnings, JSON, SARIF, HTML, JUnit or GitLab's code
quality form. A module for CMake and completion for bash, zsh and fish
are included.")
include(CPack)
