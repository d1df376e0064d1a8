# Run by cpack between staging and packing. The Debian package holds what Debian's policy asks for: a compressed manual,
# copyright and changelog under /usr/share/doc, and the declarations' precompiled form under /var/cache, because it is made
# on the machine that it is installed on (postinst). The archive is left as it is.
# SPDX-License-Identifier: Apache-2.0
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(root ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(doc ${root}/share/doc/hgrd)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()

run(gzip -9n ${root}/share/man/man1/hgrd-check.1)
run(gzip -9n ${root}/share/man/man1/hgrd-cc.1)
run(gzip -9n ${root}/share/man/man1/hgrd-run.1)
file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
run(gzip -9n ${doc}/changelog)
file(REMOVE ${doc}/LICENSE) # Debian has the text, and copyright says where
file(COPY ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${doc})

# The date is that of the commit, so that the same sources make the same package.
set(date $ENV{SOURCE_DATE_EPOCH})
if(NOT date)
  set(date 0)
endif()
execute_process(COMMAND date -u -R -d @${date} OUTPUT_VARIABLE day OUTPUT_STRIP_TRAILING_WHITESPACE)
file(WRITE ${doc}/changelog.Debian
  "hgrd (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
  "  * What is new is in changelog.gz.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${day}\n")
run(gzip -9n ${doc}/changelog.Debian)

file(MAKE_DIRECTORY ${CPACK_TEMPORARY_DIRECTORY}/var/cache/hgrd)
file(CREATE_LINK /var/cache/hgrd ${root}/share/hgrd/cuda/precompiled SYMBOLIC)
